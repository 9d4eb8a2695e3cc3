"""How a net learns each game from nothing: the learning curves of docs/lab.md.

    python bench/curves.py [--only NAME] [--folder trained]   # train, then meet the levels
    python bench/curves.py --show                             # only the tables, of what there is

The tables are written into the page between the lines ``<!-- curves -->`` and ``<!-- /curves -->``.
Needs the extra `learn`. Each game is learnt with one thread, in a folder of its own below
`--folder`, and goes on where it was stopped. The net then meets the house's lowest levels in the
arena. What was measured is kept in bench/notes/curves.jsonl, from which the tables are made.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from strength import put

from tianxia.arena import Archive, Plan, run, standings
from tianxia.arena.report import percent

PAGE = Path(__file__).resolve().parents[1] / "docs" / "lab.md"
BEGIN, END = "<!-- curves -->\n", "<!-- /curves -->\n"
KEPT = Path(__file__).parent / "notes" / "curves.jsonl"
GAMES = {
    "Sun Tzu": ("suntzu", ()),
    "Fire Bulls, two players": ("firebulls(players=2)", ()),
    "China, two players": ("china(players=2)", ()),
    "Bin'Fa, level 1": ("binfa(level=1,turns=500)", ("--games", "40")),
    "Barrage": (
        "stratego(variant=barrage)",
        (
            *("--set", "envs=64", "--set", "rate=2e-3", "--set", "minibatches=16"),
            *("--set", "precision=bfloat16"),
        ),
    ),
}
DECISIONS, EVERY, TRIALS = 4_000_000, 500_000, 100
"""How long each is learnt, how often it is measured, and in how many games."""
LEVELS = ("novice", "apprentice", "journeyman")
MATCH = 100
"""Games against each level, in pairs."""


def learn(spec: str, more: tuple[str, ...], folder: Path) -> list[dict[str, Any]]:
    """Train a net, or train it further; return its curve."""
    command = [sys.executable, "-m", "tianxia", "learn", spec, "--folder", str(folder)]
    counts = {"decisions": DECISIONS, "every": EVERY, "games": TRIALS}
    for name, count in counts.items():
        command += [f"--{name}", str(count)]
    command += ["--against", "random", "--against", "novice", "--set", "width=128", *more]
    subprocess.run(command, check=True)
    lines = (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def meet(spec: str, folder: Path, level: str) -> list[float]:
    """Let a net play against a level; return its share of the win, and the 95 % interval."""
    net = f"net:{folder / 'net.npz'}"
    archive = Archive(folder / level, Plan(spec, (net, level), MATCH))
    for _ in run(archive, 1):
        pass
    found = {one.name: one for one in standings(archive.plan.players, archive.outcomes())}
    return [found[net].share, found[net].low, found[net].high]


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Train a net and let it meet the levels; return what is kept of that."""
    spec, more = GAMES[name]
    curve = learn(spec, more, folder)
    levels = {level: meet(spec, folder, level) for level in LEVELS}
    return {"game": name, "spec": spec, "curve": curve, "levels": levels}


def kept() -> dict[str, dict[str, Any]]:
    """Return what was measured, by game."""
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else ()
    found = {line["game"]: line for line in map(json.loads, lines)}
    return {name: found[name] for name in GAMES if name in found}


def tables(found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the page's two tables."""
    curves = {name: one["curve"] for name, one in found.items()}
    longest = max(curves.values(), key=len)
    yield f"| decisions | {' | '.join(found)} |"
    yield "|---|" + "---|" * len(found)
    for row, line in enumerate(longest):
        shares = [percent(one[row]["against_novice"]) for one in curves.values()]
        yield f"| {line['decisions'] / 1e6:.1f} M | {' | '.join(shares)} |"
    minutes = [f"{one[-1]['cpu_seconds'] / 60:.1f} min" for one in curves.values()]
    yield f"| processor time | {' | '.join(minutes)} |"
    yield ""
    yield f"| at the end against | {' | '.join(found)} |"
    yield "|---|" + "---|" * len(found)
    for level in LEVELS:
        shares = [_interval(*one["levels"][level]) for one in found.values()]
        yield f"| `{level}` | {' | '.join(shares)} |"


def _interval(share: float, low: float, high: float) -> str:
    return f"{percent(share)} ({percent(low)} to {percent(high)})"


def main() -> None:
    """Train what was asked for, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=GAMES, action="append")
    parser.add_argument("--folder", type=Path, default=Path("trained"))
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    for name in () if given.show else given.only or GAMES:
        found = kept() | {name: measured(name, given.folder / GAMES[name][0].partition("(")[0])}
        lines = [json.dumps(found[one]) for one in GAMES if one in found]
        KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")
    shown = "\n".join(tables(kept()))
    print(shown)
    put(shown, PAGE, BEGIN, END)


if __name__ == "__main__":
    main()
