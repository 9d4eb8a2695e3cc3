"""Tune what the Strategos thinks matters in Stratego, by games against himself.

    uv run python bench/tune_stratego.py 2000
    uv run python bench/tune_stratego.py --show

Each pair of games is played between two tastes: every number times e to the power of ±`SPREAD`,
with signs drawn by lot, against the same with the signs turned round; the second game of a pair
has seats exchanged. All pairs are noted in `bench/tune_stratego.jsonl`, with the taste that they
were played around, and a run goes on from there. `--show` tells for each number by how much of a
game more of it wins, and how sure that is: the slope of a least-squares fit through all pairs
(Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation*, 1992, without the steps).
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from pathlib import Path

import numpy as np

import tianxia
from tianxia.bots import play
from tianxia.games.stratego.appraisal import USUAL
from tianxia.games.stratego.strategos import Effort, Strategos

LOG = Path(__file__).with_suffix(".jsonl")
# fmt: off
NAMES = (
    "GUARD", "POST", "PACE", "CHASE_PACE", "RAID", "CALM", "LEAST_CAUTION", "CAUTION",
    "FLAG_WORTH", "TOLD", "GIVEN_AWAY", "DOUBT", "DEFENCE", "GUARDING", "STAKE",
    "SHELTER",
)
# fmt: on
Pairs = list[tuple[int, float]]
SPREAD = 0.3
LONGEST = 1500
"""Actions after which a game is drawn."""
FIRST_SEED = 50_000


def effort(taste: np.ndarray) -> Effort:
    """Return who plays: he thinks less than `master`, so that there are many games."""
    return Effort(worlds=4, depth=2, nodes=4_000, temperature=0.4, taste=tuple(taste.tolist()))


def share(taste: np.ndarray, against: np.ndarray, seed: int) -> float:
    """Return the share of wins of a taste against another in two games."""
    game = tianxia.game("stratego")
    players = [partial(Strategos, effort=effort(each)) for each in (taste, against)]
    won = 0.0
    for seat in range(2):
        order = players if seat == 0 else players[::-1]
        result = play(game, order, seed, LONGEST)
        won += (result.utilities()[seat] + 1) / 2 if result.over else 0.5
    return won / 2


def signs_of(number: int) -> np.ndarray:
    """Return the signs of a pair."""
    return np.random.default_rng(number).choice((-1, 1), len(USUAL))


def read() -> list[tuple[Pairs, np.ndarray]]:
    """Return the tastes that pairs were played around, and those pairs: number and share."""
    found: list[tuple[Pairs, np.ndarray]] = []
    for step in map(json.loads, LOG.read_text().splitlines() if LOG.exists() else []):
        if "around" in step:
            found.append(([], np.array([step["around"].get(name, 0.0) for name in NAMES])))
        else:
            found[-1][0].append((step["pair"], step["won"]))
    return found


def pairs(count: int) -> None:
    """Play so many pairs more around the present taste."""
    played = read()
    with LOG.open("a") as log:
        if not played or not np.array_equal(played[-1][1], USUAL):
            log.write(json.dumps({"around": dict(zip(NAMES, USUAL.tolist(), strict=True))}) + "\n")
            played.append(([], USUAL))
        done = len(played[-1][0])
        for number in range(done, done + count):
            factors = np.exp(SPREAD * signs_of(number))
            won = share(USUAL * factors, USUAL / factors, FIRST_SEED + number)
            log.write(json.dumps({"pair": number, "won": won}) + "\n")
            log.flush()


def show(pairs: Pairs, around: np.ndarray) -> None:
    """Print what more of each number wins."""
    signs = np.array([signs_of(number) for number, _ in pairs])
    won = np.array([won - 0.5 for _, won in pairs])
    slopes, *_ = np.linalg.lstsq(signs, won, rcond=None)
    error = float(np.std(won - signs @ slopes)) / len(won) ** 0.5
    print(f"{len(won)} pairs; per cent of games that e^{SPREAD} times as much wins more")
    for name, usual, slope in zip(NAMES, around, slopes, strict=True):
        print(f"{name:14} {usual:7.2f} {100 * slope:+6.2f} ± {100 * error:.2f}")


def main() -> None:
    """Read the command line and tune."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=int, nargs="?", default=0)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    if arguments.pairs:
        pairs(arguments.pairs)
    for found in read() if arguments.show else []:
        show(*found)


if __name__ == "__main__":
    main()
