"""All figures of docs/strength.md by one command: who wins how often against whom.

    uv run python bench/strength.py                      # everything, 200 games a match
    uv run python bench/strength.py --only firebulls     # matches with this in their name
    uv run python bench/strength.py --games 40           # fewer games of each
    uv run python bench/strength.py --show               # only the tables, of what was played
    uv run python bench/strength.py --write docs/strength.md

Each match is an arena in a folder of its own below `--folder`. Whatever stops it, the same
command goes on from there; a larger `--games` adds to what there is. `--write` plays nothing, and
puts the tables into a page, between the lines ``<!-- figures -->`` and ``<!-- /figures -->``, and
the results of all their games beside it, packed, where those of other matches stay; `--packed`
prints the tables of such a file. Lines of the page whose results nobody has are kept, and marked.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory

import tianxia
from tianxia.arena import Archive, Plan, Standing, pack, run, standings, unpacked
from tianxia.arena.archive import GAMES
from tianxia.arena.plan import LONGEST
from tianxia.arena.report import duration, percent
from tianxia.bots.registry import bots
from tianxia.kernel.cache import home
from tianxia.search.levels import LEVELS

SECONDS = 1.0
"""What the best level has for a decision against the sensible bots."""
BEGIN, END = "<!-- figures -->\n", "<!-- /figures -->\n"
UNKEPT = " †"
"""Marks the number of games whose results nobody has."""
HEAD = (
    "| game | match | games | share | 95 % interval | aim | a decision, mean | slowest | faults |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)


@dataclass(frozen=True)
class Match:
    """One line of a table: what is played, and the share that the first player aims at."""

    game: str
    players: tuple[str, ...]
    aim: float
    seconds: float | None = None

    @property
    def name(self) -> str:
        """What `--only` looks at, and what its folder is called."""
        words = [self.game, *self.players]
        return re.sub(r"[^A-Za-z0-9.=]+", "-", " ".join(words)).strip("-")

    def folder(self, base: Path) -> Path:
        """Return its arena's folder, which keeps the name that the bots had when it began."""
        first = {new: old for old, new in tianxia.game(self.game).kind.formerly.items()}
        players = tuple(first.get(player, player) for player in self.players)
        began = base / replace(self, players=players).name
        return began if began.exists() else base / self.name

    @property
    def is_there(self) -> bool:
        """Whether the game has these bots yet."""
        return set(self.players) <= set(bots(tianxia.game(self.game)))

    @property
    def cells(self) -> list[str]:
        """The beginning of its line: the game, and who meets."""
        first, *others = (f"`{name}`" for name in self.players)
        return [tianxia.game(self.game).spec, f"{first} against {' and '.join(others)}"]

    def plan(self, games: int) -> Plan:
        """Return what the arena plays."""
        return Plan(self.game, self.players, games, seconds=self.seconds, longest=LONGEST)


BINFA = ("binfa(level=1,turns=500)", "binfa(turns=500)")
DUELS = ("stratego", "suntzu", "firebulls", "china(players=2)", *BINFA)
SENSIBLE = (
    Match("stratego", ("master", "skirmisher"), 0.95, SECONDS),
    Match("suntzu", ("master", "strategist"), 0.65, SECONDS),
    Match("firebulls", ("master", "drover"), 0.75, SECONDS),
    Match("china(players=3)", ("master", "courtier", "courtier"), 0.75, SECONDS),
    Match(BINFA[0], ("master", "quartermaster"), 0.85, SECONDS),
    Match(BINFA[1], ("master", "quartermaster"), 0.80, SECONDS),
)
LADDER = tuple(
    Match(game, (upper, lower), 0.70) for game in DUELS for lower, upper in pairwise(LEVELS)
)
THREES = tuple(
    Match(game, (upper, lower, lower), 0.50)
    for game in ("china(players=3)", "firebulls(players=3)", "binfa(players=3,turns=500)")
    for lower, upper in pairwise(LEVELS)
)
"""With three players a level aims at one and a half times its share."""
TABLES = {
    "The best level against the sensible bots": SENSIBLE,
    "Each level against the one below": LADDER,
    "Each level against two of the one below": THREES,
}
MATCHES = (*SENSIBLE, *LADDER, *THREES)


def played(match: Match, folder: Path) -> Archive | None:
    """Return a match's archive, or None where no game of it was played."""
    known = Archive.known_plan(match.folder(folder))
    archive = None if known is None else Archive(match.folder(folder), known)
    return archive if archive and archive.outcomes() else None


def play(match: Match, folder: Path, games: int, workers: int | None) -> None:
    """Play what a match still lacks."""
    archive = Archive(match.folder(folder), match.plan(games))
    done = len(archive.outcomes())
    for number, outcome in enumerate(run(archive, workers), done + 1):
        print(f"{match.name}: {number} played, the last with {outcome.shares}", file=sys.stderr)


def line(match: Match, archive: Archive) -> str:
    """Return a match's line of the table: how its first player did."""
    outcomes = archive.outcomes()
    found = {one.name: one for one in standings(match.players, outcomes)}
    first = found[match.players[0]]
    cells = [
        *match.cells,
        str(len(outcomes)),
        percent(first.share),
        f"{percent(first.low)} to {percent(first.high)}",
        f"{match.aim:.0%}".replace("%", " %"),
        duration(first.seconds),
        duration(first.slowest),
        faults(found.values()),
    ]
    return "| " + " | ".join(cells) + " |\n"


def faults(standings: Iterable[Standing]) -> str:
    """Return what was wrong with answers, by name; a dash where nothing was."""
    kinds = ("late", "illegal", "silent", "failed")
    found = [
        f"`{one.name}` {getattr(one, kind)} {kind}"
        for one in standings
        for kind in kinds
        if getattr(one, kind)
    ]
    return ", ".join(found) or "–"


def tables(
    matches: Sequence[Match], folder: Path, older: Mapping[tuple[str, ...], str] | None = None
) -> str:
    """Return the tables of all that was played, in Markdown; older lines where nothing was."""
    parts = []
    for title, all_ in TABLES.items():
        lines = []
        for match in all_:
            archive = played(match, folder) if match in matches else None
            if archive is not None:
                lines.append(line(match, archive))
            elif older and tuple(match.cells) in older:
                lines.append(older[tuple(match.cells)])
        if lines:
            parts.append(f"## {title}\n\n{HEAD}{''.join(lines)}")
    return "\n".join(parts)


def unkept(page: str) -> dict[tuple[str, ...], str]:
    """Return the lines of a page's tables by how they begin, marked as without results."""
    found = {}
    for text in page.splitlines():
        cells = text.strip("| ").split(" | ")
        if len(cells) == HEAD.partition("\n")[0].count("|") - 1:
            cells[2] = cells[2].removesuffix(UNKEPT) + UNKEPT
            found[tuple(cells[:2])] = "| " + " | ".join(cells) + " |\n"
    return found


def publish(page: Path, folder: Path) -> None:
    """Put the tables into a page, and all results beside it, with those that were there before."""
    file = page.with_suffix(".tar.xz")
    with TemporaryDirectory() if not file.exists() else unpacked(file) as place:
        for match in MATCHES:
            if played(match, folder) is not None:
                skipped = ignore_patterns(GAMES)
                target = Path(place, match.name)
                copytree(folder / match.name, target, ignore=skipped, dirs_exist_ok=True)
        text = page.read_text(encoding="utf-8")
        put(tables(MATCHES, Path(place), unkept(text)), page)
        pack((one for one in Path(place).iterdir() if one.is_dir()), file)


def put(text: str, page: Path, begin: str = BEGIN, end: str = END) -> None:
    """Put the tables into a page, between its two marks."""
    before = page.read_text(encoding="utf-8")
    if begin not in before or end not in before:
        raise SystemExit(f"{page} has no lines {begin.strip()} and {end.strip()}")
    head, _, rest = before.partition(begin)
    _, _, tail = rest.partition(end)
    page.write_text(f"{head}{begin}\n{text}\n{end}{tail}", encoding="utf-8")


def main(arguments: Sequence[str]) -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=home() / "strength")
    parser.add_argument("--games", type=int, default=200, help="of each match")
    parser.add_argument("--only", default="", help="matches with this in their name")
    parser.add_argument("--workers", type=int, help="processes; usually one for each core")
    parser.add_argument("--show", action="store_true", help="play nothing")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put results into a page")
    parser.add_argument("--packed", type=Path, metavar="FILE", help="print a file's tables")
    chosen = parser.parse_args(arguments)
    matches = [match for match in MATCHES if chosen.only in match.name]
    if not matches:
        names = ", ".join(match.name for match in MATCHES)
        parser.error(f"no match has {chosen.only!r} in its name; there are {names}")
    if chosen.packed:
        with unpacked(chosen.packed) as folder:
            print(tables(matches, folder))
        return
    for match in [] if chosen.show or chosen.write else matches:
        if match.is_there:
            play(match, chosen.folder, chosen.games, chosen.workers)
        else:
            print(f"{match.name}: the game has no such bots", file=sys.stderr)
    print(tables(matches, chosen.folder))
    if chosen.write:
        publish(chosen.write, chosen.folder)


if __name__ == "__main__":
    main(sys.argv[1:])
