"""How the best levels of Stratego fare against strangers, and whether what they believe is there.

    uv run python bench/league.py --games 40                       # master against all nine styles
    uv run python bench/league.py --games 40 --levels master expert --styles baiter turtle
    uv run python bench/league.py --show                           # only the tables

Each match is an arena in a folder of its own below `--folder`; the same command goes on from
there, a larger `--games` adds to what there is. The styles are in
`tianxia.games.stratego.bot.league`; no number of the levels is fitted to those it is measured on
(`FITTING` and `MEASURING` there).

The tables about beliefs replay the games that are kept: what the player of today would have
believed in each of them, and what was there. So a change of beliefs is judged on the same games.

*Cover*: its Marshal, General or Colonel takes a piece beside hidden ones. How often it believed
that one of these beats it, how often one did, and how often it was lost at once.
*Sure losses*: attacks on a known piece that is stronger.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tianxia.arena import Archive, Plan, run, standings
from tianxia.arena.archive import transcript_file
from tianxia.arena.report import duration, percent
from tianxia.games.stratego.bot.calibration import Counts, Reader
from tianxia.games.stratego.bot.league import FITTING, MEASURING, STRANGERS
from tianxia.games.stratego.bot.levels import SKILLS
from tianxia.kernel.cache import home
from tianxia.kernel.transcript import Transcript

LEAGUE = "tianxia.games.stratego.bot.league"
LONGEST = 4_000
"""Where a game is broken off, in actions."""
ENOUGH = 200
"""Cases that make a cell of the table; and by how many points a cell may be off."""
CLOSE = 0.03


# --- Matches ---


def archive_of(folder: Path, level: str, style: str, games: int | None) -> Archive | None:
    """Return the archive of a match; None where it was never begun and no games are wanted."""
    place = folder / f"{level}-{style}"
    if games is not None:
        players = level, f"{LEAGUE}:{style}"
        return Archive(place, Plan("stratego", players, games, longest=LONGEST))
    known = Archive.known_plan(place)
    return None if known is None else Archive(place, known)


def counted(archive: Archive) -> Counts:
    """Return what the games of a match tell of its first player."""
    total = Counts()
    for outcome in archive.outcomes():
        text = transcript_file(archive.folder, outcome.number).read_text(encoding="utf-8")
        total.merge(Reader(Transcript.read(text).replay(), outcome.seats.index(0)).read())
    return total


def results(matches: Iterable[tuple[str, str, Archive]]) -> Iterator[str]:
    """Yield the table of who won how often."""
    yield "| level | style | games | share | 95 % interval | drawn | a decision | its own |"
    yield "|---|---|---|---|---|---|---|---|"
    for level, style, archive in matches:
        outcomes = archive.outcomes()
        found = {one.name: one for one in standings(archive.plan.players, outcomes)}
        first, second = (found[name] for name in archive.plan.players)
        cells = (
            f"`{level}`",
            f"`{style}`",
            str(first.games),
            percent(first.share),
            f"{percent(first.low)} to {percent(first.high)}",
            str(first.joint),
            duration(first.seconds),
            duration(second.seconds),
        )
        yield "| " + " | ".join(cells) + " |"


def deeds(found: dict[str, Counts]) -> Iterator[str]:
    """Yield the table of covered captures and sure losses."""
    yield "| against | games | captures | cover believed | cover there | retaken | sure losses |"
    yield "|---|---|---|---|---|---|---|"
    for style, counts in found.items():
        believed, true = counts.cover.shares()
        retaken = counts.lost / max(counts.cover.cases, 1)
        sure = counts.sure / max(counts.games, 1)
        yield (
            f"| `{style}` | {counts.games} | {counts.cover.cases} | {percent(believed)} | "
            f"{percent(true)} | {percent(retaken)} | {sure:.2f} a game |"
        )


def calibration(counts: Counts) -> Iterator[str]:
    """Yield the table of what was believed and what was there."""
    yield "| kind | place | stage | cases | believed | there | off |"
    yield "|---|---|---|---|---|---|---|"
    off = cells = 0
    for (kind, place, stage), tally in sorted(counts.cells.items()):
        if tally.cases < ENOUGH:
            continue
        believed, true = tally.shares()
        cells += 1
        wrong = abs(believed - true) > CLOSE
        off += wrong
        yield (
            f"| {kind} | {place} | {stage} | {tally.cases} | {percent(believed)} | "
            f"{percent(true)} | {100 * (believed - true):+.1f}{' !' if wrong else ''} |"
        )
    yield ""
    yield f"{off} of {cells} cells are off by more than {CLOSE:.0%}."


def show(matches: Sequence[tuple[str, str, Archive]], per_style: bool) -> None:
    """Print the tables."""
    print("\n".join(results(matches)))
    for level in dict.fromkeys(level for level, _, _ in matches):
        found = {style: counted(archive) for one, style, archive in matches if one == level}
        groups = {"those counted": FITTING, "those measured": MEASURING}
        for name, styles in groups.items():
            total = Counts()
            for style in styles:
                if style in found:
                    total.merge(found[style])
            if total.games:
                found[name] = total
        print(f"\n`{level}`\n\n" + "\n".join(deeds(found)))
        for name, counts in found.items():
            if per_style or name in groups:
                print(f"\n`{level}` against {name}\n\n" + "\n".join(calibration(counts)))


def main(arguments: Sequence[str]) -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=home() / "league")
    parser.add_argument("--games", type=int, default=40, help="of each match")
    parser.add_argument("--levels", nargs="+", default=["master"], choices=list(SKILLS))
    parser.add_argument("--styles", nargs="+", default=list(STRANGERS), choices=list(STRANGERS))
    parser.add_argument("--workers", type=int, help="processes; usually one for each core")
    parser.add_argument("--show", action="store_true", help="play nothing")
    parser.add_argument("--per-style", action="store_true", help="calibration for each style, too")
    chosen = parser.parse_args(arguments)
    games = None if chosen.show else chosen.games
    matches = [
        (level, style, archive)
        for level in chosen.levels
        for style in chosen.styles
        if (archive := archive_of(chosen.folder, level, style, games)) is not None
    ]
    for level, style, archive in [] if chosen.show else matches:
        for outcome in run(archive, chosen.workers):
            print(f"{level}, {style}: {outcome.number}: {outcome.shares}", file=sys.stderr)
    show(matches, chosen.per_style)


if __name__ == "__main__":
    main(sys.argv[1:])
