"""How a net learns each game, from nothing or from games of others: the tables of docs/lab.md.

    python bench/curves.py [--only NAME] [--folder trained]   # train, then meet the levels
    python bench/curves.py --lessons [--only NAME] …          # the same from games of `expert`
    python bench/curves.py --show                             # only the tables, of what there is

The tables are written into the page between the lines ``<!-- curves -->`` and ``<!-- /curves -->``,
``<!-- lessons -->`` and ``<!-- /lessons -->``. Needs the extra `learn`, and `lab` for lessons. Each
game is learnt with one thread, in a folder of its own below `--folder`, and goes on where it was
stopped. The net then meets the house's lowest levels in the arena. What was measured is kept in
bench/notes, in curves.jsonl and lessons.jsonl, from which the tables are made.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from strength import put

from tianxia.arena import Archive, Plan, run, standings
from tianxia.arena.report import percent
from tianxia.bots.nets import Net

PAGE = Path(__file__).resolve().parents[1] / "docs" / "lab.md"
NOTES = Path(__file__).parent / "notes"
TABLES = CURVES, LESSONS = "curves", "lessons"
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
TAUGHT = {
    "Sun Tzu": 2000,
    "Fire Bulls, two players": 1000,
    "China, two players": 1000,
    "Bin'Fa, level 1": 500,
}
"""From how many games of the teacher each is learnt."""
TEACHER, PASSES, RARE = "expert", 4, 0.5
"""Whose games, how often the net goes through them, and how surely it plays."""
MATCH = 100
"""Games against each level, in pairs."""


def command(*words: object) -> None:
    """Run a command of Tianxia."""
    subprocess.run([sys.executable, "-m", "tianxia", *map(str, words)], check=True)


def learn(spec: str, more: Sequence[object], folder: Path) -> list[dict[str, Any]]:
    """Train a net, or train it further; return its curve."""
    measure = ("--against", "random", "--against", "novice", "--games", TRIALS)
    command("learn", spec, "--folder", folder, *measure, "--every", EVERY, *more)
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
    """Train a net from nothing and let it meet the levels; return what is kept of that."""
    spec, more = GAMES[name]
    curve = learn(spec, ("--decisions", DECISIONS, "--set", "width=128", *more), folder)
    return {"game": name, "spec": spec, "curve": curve, "levels": met(spec, folder)}


def taught(name: str, folder: Path) -> dict[str, Any]:
    """Train a net from games of the teacher and let it meet the levels."""
    spec, _ = GAMES[name]
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{TEACHER}.parquet"
    command("selfplay", spec, TEACHER, "--games", TAUGHT[name], "--out", file)
    imitating = ("--imitate", file, "--passes", PASSES, "--decisions", 0)
    (line,) = learn(spec, (*imitating, "--set", f"rare={RARE}", "--set", "rate=2e-3"), folder)
    found = {"game": name, "spec": spec, "games": TAUGHT[name], "levels": met(spec, folder)}
    return found | {"decisions": imitated(folder), "cpu_seconds": line["cpu_seconds"]}


def imitated(folder: Path) -> int:
    """Return from how many decisions a net has learnt, all passes together."""
    return int(Net.load(folder / "net.npz").about["imitated"])


def met(spec: str, folder: Path) -> dict[str, list[float]]:
    """Let a net meet the levels."""
    return {level: meet(spec, folder, level) for level in LEVELS}


def kept(what: str) -> dict[str, dict[str, Any]]:
    """Return what was measured, by game."""
    file = NOTES / f"{what}.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else ()
    found = {line["game"]: line for line in map(json.loads, lines)}
    return {name: found[name] for name in GAMES if name in found}


def curves(found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the two tables of learning from nothing."""
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


def lessons(found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the table of learning from others."""
    yield f"| | games | decisions | processor time | {' | '.join(f'`{one}`' for one in LEVELS)} |"
    yield "|---|---|---|---|" + "---|" * len(LEVELS)
    for name, one in found.items():
        cells = [name, f"{one['games']:,}", f"{one['decisions'] / PASSES / 1e6:.2f} M"]
        cells += [f"{one['cpu_seconds'] / 60:.1f} min"]
        cells += [_interval(*one["levels"][level]) for level in LEVELS]
        yield f"| {' | '.join(cells)} |"


def _interval(share: float, low: float, high: float) -> str:
    return f"{percent(share)} ({percent(low)} to {percent(high)})"


def publish() -> None:
    """Print the tables, and write them into the page."""
    for what, rows in ((CURVES, curves), (LESSONS, lessons)):
        shown = "\n".join(rows(kept(what)))
        print(shown)
        put(shown, PAGE, f"<!-- {what} -->\n", f"<!-- /{what} -->\n")


def main() -> None:
    """Train what was asked for, and publish the tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=GAMES, action="append")
    parser.add_argument("--folder", type=Path, default=Path("trained"))
    parser.add_argument("--lessons", action="store_true")
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    what, train = (LESSONS, taught) if given.lessons else (CURVES, measured)
    names = given.only or (TAUGHT if given.lessons else GAMES)
    for name in () if given.show else names:
        folder = given.folder / what / GAMES[name][0].partition("(")[0]
        found = kept(what) | {name: train(name, folder)}
        lines = [json.dumps(found[one]) for one in GAMES if one in found]
        (NOTES / f"{what}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
        publish()
    if given.show:
        publish()


if __name__ == "__main__":
    main()
