"""Tune what the General of Bin'Fa thinks matters, by games against himself.

    uv run python bench/tune_binfa.py 20
    uv run python bench/tune_binfa.py 20 --write

Each step changes every weight by a random factor and plays pairs of games, seats exchanged
and with the same dice, against the weights so far, over levels 1 and 4, one army and two.
The change is kept if it wins clearly more than half of them. All steps are noted in
`bench/tune_binfa.jsonl`, and a run goes on from the last weights that were kept there;
`--write` puts these into the package.
"""

from __future__ import annotations

import argparse
import json
import math
from functools import partial
from pathlib import Path

import numpy as np

import tianxia
from tianxia.bots import play
from tianxia.games.binfa import appraisal
from tianxia.games.binfa.general import General, Skill

LOG = Path(__file__).with_suffix(".jsonl")
WEIGHTS = Path(appraisal.__file__).with_name("weights.json")
SPECS = ("binfa(level=1,turns=300)", "binfa(turns=300)", "binfa(armies=2,turns=300)")
QUICK = Skill(width=6, deep=0)
SPREAD = 0.25
"""Standard deviation of the logarithm of a factor."""
CLEARLY = 1.0
"""Standard errors above one half from which a change is kept."""


def share(weights: np.ndarray, against: np.ndarray, pairs: int, first: int) -> float:
    """Return the share of wins of some weights against others."""
    won = 0.0
    for number in range(first, first + pairs):
        game = tianxia.game(SPECS[number % len(SPECS)])
        players = [partial(General, weights=each, skill=QUICK) for each in (weights, against)]
        for seat in range(2):
            order = players if seat == 0 else players[::-1]
            won += (play(game, order, number).utilities()[seat] + 1) / 2
    return won / (2 * pairs)


def last_kept() -> tuple[int, np.ndarray]:
    """Return how many steps were made, and the weights that were kept last."""
    lines = LOG.read_text().splitlines() if LOG.exists() else []
    kept = [step for step in map(json.loads, lines) if step["kept"]]
    if not kept:
        return len(lines), appraisal.WEIGHTS
    return len(lines), np.array([kept[-1]["weights"][name] for name in appraisal.NAMES])


def named(weights: np.ndarray) -> dict[str, float]:
    """Return weights by their names."""
    rounded = [round(float(weight), 4) for weight in weights]
    return dict(zip(appraisal.NAMES, rounded, strict=True))


def step(number: int, weights: np.ndarray, pairs: int) -> np.ndarray:
    """Try one change; note it, and return the weights that go on."""
    rng = np.random.default_rng(number)
    changed = weights * np.exp(SPREAD * rng.standard_normal(len(weights)))
    changed[appraisal.FADING] = min(changed[appraisal.FADING], 0.98)
    won = share(changed, weights, pairs, number * pairs)
    kept = won > 0.5 + CLEARLY * math.sqrt(0.25 / (2 * pairs))
    line = {"step": number, "share": round(won, 3), "kept": bool(kept), "weights": named(changed)}
    with LOG.open("a") as file:
        file.write(json.dumps(line) + "\n")
    print(number, f"{won:.3f}", "kept" if kept else "")
    return changed if kept else weights


def main() -> None:
    """Make some steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("steps", type=int)
    parser.add_argument("--pairs", type=int, default=24, help="of games in a step")
    parser.add_argument("--write", action="store_true", help="put the result into the package")
    chosen = parser.parse_args()
    made, weights = last_kept()
    for number in range(made, made + chosen.steps):
        weights = step(number, weights, chosen.pairs)
    if chosen.write:
        WEIGHTS.write_text(json.dumps(named(weights), indent=1) + "\n")


if __name__ == "__main__":
    main()
