"""How the best levels fare against strangers; in Stratego, too, whether what they believe is there.

    uv run python bench/league.py --games 40                       # master, all games and styles
    uv run python bench/league.py --game stratego --levels master expert --styles baiter turtle
    uv run python bench/league.py --show                           # only the tables
    uv run python bench/league.py --write docs/strength.md         # results into the page
    uv run python bench/league.py --packed docs/league.tar.xz      # what packed results say

Each match is an arena in a folder of its own below `--folder`; the same command goes on from
there, a larger `--games` adds to what there is. `--write` puts the shares of each game into a
page, between the lines ``<!-- league -->`` and ``<!-- /league -->``, and all results beside it,
packed, where those of other matches stay. The styles are in
`tianxia.games.GAME.bot.league`; with three players two of a style meet a level. No belief of the
levels is fitted to those it is measured on (`FITTING` and `MEASURING` in Stratego's, where two
tastes were chosen with all nine in sight; in the other games nothing is fitted to any).

The tables about Stratego's beliefs replay the games that are kept: what the player of today would
have believed in each of them, and what was there. So a change of beliefs is judged on the same
games.

*Cover*: its Marshal, General or Colonel takes a piece beside hidden ones. How often it believed
that one of these beats it, how often one did, and how often it was lost at once.
*Sure losses*: attacks on a known piece that is stronger.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import Any

from strength import put

import tianxia
from tianxia.arena import Archive, Outcome, Plan, Standing, pack, run, standings, unpacked
from tianxia.arena.archive import GAMES as TRANSCRIPTS
from tianxia.arena.archive import RESULTS, transcript_file
from tianxia.arena.report import duration, percent
from tianxia.games.stratego.bot.calibration import Counts, Reader
from tianxia.games.stratego.bot.league import FITTING, MEASURING
from tianxia.kernel.cache import home
from tianxia.kernel.transcript import Transcript
from tianxia.search.levels import LEVELS

GAMES = {
    "stratego": ("stratego",),
    "suntzu": ("suntzu",),
    "firebulls": ("firebulls", "firebulls(players=3)"),
    "china": ("china(players=2)", "china"),
    "binfa": ("binfa(turns=500)", "binfa(players=3,turns=500)"),
}
"""What is played of each game: two players, and three where so many can play."""
LONGEST = {"stratego": 4_000}
"""Where a game is broken off, in actions."""
AIMS = {2: 0.7, 3: 1.4 / 3}
"""What share the best level should win at least, by the number of players."""
ENOUGH = 200
"""Cases that make a cell of the table; and by how many points a cell may be off."""
CLOSE = 0.03
PACKED = "league.tar.xz"
BEGIN, END = "<!-- league -->\n", "<!-- /league -->\n"


# --- Matches ---


def module_of(name: str) -> str:
    """Return the module in which a game has its league."""
    return f"tianxia.games.{name}.bot.league"


def stranger(name: str, style: str) -> str:
    """Return what the arena calls a stranger."""
    return f"{module_of(name)}:{style}"


def names_of(name: str) -> list[str]:
    """Return the names of a game's strangers."""
    league: Any = import_module(module_of(name)).LEAGUE
    names: list[str] = league.names
    return names


@dataclass(frozen=True)
class Match:
    """A level against a style, which has all other seats.

    Attributes
    ----------
    name, spec
        The game, without options and with them.
    """

    name: str
    spec: str
    level: str
    style: str

    def archive(self, folder: Path, games: int | None) -> Archive | None:
        """Return its archive; None where it was never begun and no games are wanted."""
        words = [self.level, self.style]
        if self.spec != "stratego":  # whose archives are older than those of the other games
            words = [self.spec, *words]
        place = folder / re.sub(r"[^A-Za-z0-9._=]+", "-", "-".join(words))
        if games is None:
            known = Archive.known_plan(place)
            return None if known is None else Archive(place, known)
        seats = tianxia.game(self.spec).seats
        players = (self.level, *[stranger(self.name, self.style)] * (seats - 1))
        longest = LONGEST.get(self.name)
        plan = Plan(self.spec, players, games)
        return Archive(place, plan if longest is None else replace(plan, longest=longest))


Played = list[tuple[Match, Archive]]


def counted(archive: Archive) -> Counts:
    """Return what the games of a match tell of its first player."""
    total = Counts()
    for outcome in archive.outcomes():
        text = transcript_file(archive.folder, outcome.number).read_text(encoding="utf-8")
        total.merge(Reader(Transcript.read(text).replay(), outcome.seats.index(0)).read())
    return total


def standing_of(outcomes: Sequence[Outcome], first: str) -> tuple[Standing, Standing]:
    """Return what the first player of matches has reached, and what all the others have."""
    names = [first, *["others"] * (len(outcomes[0].seats) - 1)]
    found = {one.name: one for one in standings(names, outcomes)}
    return found[first], found["others"]


def results(played: Played) -> Iterator[str]:
    """Yield the table of who won how often, in one game against one style after the other."""
    yield "| level | style | games | share | 95 % interval | drawn | a decision | its own |"
    yield "|---|---|---|---|---|---|---|---|"
    for match, archive in played:
        yield row(match.level, f"`{match.style}`", archive.outcomes())
    for level, outcomes in together(played).items():
        yield row(level, "all", outcomes)


def together(played: Played) -> dict[str, list[Outcome]]:
    """Return all games of each level; rounds of different matches are told apart."""
    total: dict[str, list[Outcome]] = {}
    for number, (match, archive) in enumerate(played):
        apart = (replace(one, round=one.round + 1_000_000 * number) for one in archive.outcomes())
        total.setdefault(match.level, []).extend(apart)
    return total


def shares(played: Played) -> Iterator[str]:
    """Yield the table of what each level won of a game, against all styles together."""
    yield "| game | level | styles | games | share | 95 % interval | aim |"
    yield "|---|---|---|---|---|---|---|"
    for spec in dict.fromkeys(match.spec for match, _ in played):
        some = [(match, archive) for match, archive in played if match.spec == spec]
        for level, outcomes in together(some).items():
            if outcomes:
                styles = {match.style for match, archive in some if archive.outcomes()}
                first, _ = standing_of(outcomes, level)
                span = f"{percent(first.low)} to {percent(first.high)}"
                aim = percent(AIMS[tianxia.game(spec).seats])
                cells = (spec, f"`{level}`", len(styles), first.games, percent(first.share))
                yield f"| {' | '.join(map(str, cells))} | {span} | {aim} |"


def row(level: str, style: str, outcomes: Sequence[Outcome]) -> str:
    """Return a line of the table."""
    if not outcomes:
        return f"| `{level}` | {style} | 0 |" + " |" * 5
    first, others = standing_of(outcomes, level)
    cells = (
        f"`{level}`",
        style,
        str(first.games),
        percent(first.share),
        f"{percent(first.low)} to {percent(first.high)}",
        str(first.joint),
        duration(first.seconds),
        duration(others.seconds),
    )
    return "| " + " | ".join(cells) + " |"


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


def show_beliefs(played: Played, per_style: bool) -> None:
    """Print the tables about what Stratego's players believed."""
    for level in dict.fromkeys(match.level for match, _ in played):
        found = {match.style: counted(archive) for match, archive in played if match.level == level}
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


def show(played: Played, per_style: bool) -> None:
    """Print the tables, game by game."""
    for spec in dict.fromkeys(match.spec for match, _ in played):
        some = [(match, archive) for match, archive in played if match.spec == spec]
        seats = tianxia.game(spec).seats
        print(f"\n{spec}, {seats} players: the aim is {percent(AIMS[seats])}\n")
        print("\n".join(results(some)))
        if spec == "stratego":
            show_beliefs(some, per_style)


def publish(page: Path, folder: Path) -> None:
    """Put the shares into a page, and all results beside it, with those that were there before."""
    file = page.with_name(PACKED)
    with TemporaryDirectory() if not file.exists() else unpacked(file) as place:
        for one in (file.parent for file in folder.glob(f"*/{RESULTS}")):
            copytree(one, Path(place, one.name), ignore=skipped, dirs_exist_ok=True)
        put("\n".join(shares(kept(Path(place)))), page, BEGIN, END)
        pack((one for one in Path(place).iterdir() if one.is_dir()), file)


skipped = ignore_patterns(TRANSCRIPTS, "lock", "*.err", "*.html")


def kept(folder: Path) -> Played:
    """Return all matches of which a folder has games, in their order."""
    matches = (
        Match(name, spec, level, style)
        for name, specs in GAMES.items()
        for spec in specs
        for level in LEVELS
        for style in names_of(name)
    )
    found = ((match, match.archive(folder, None)) for match in matches)
    return [(match, archive) for match, archive in found if archive is not None]


def main(arguments: Sequence[str]) -> None:
    """Play, and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=home() / "league")
    parser.add_argument("--game", nargs="+", default=list(GAMES), choices=list(GAMES))
    parser.add_argument("--seats", nargs="+", type=int, default=list(AIMS), choices=list(AIMS))
    parser.add_argument("--games", type=int, default=40, help="of each match")
    parser.add_argument("--levels", nargs="+", default=["master"], choices=list(LEVELS))
    parser.add_argument("--styles", nargs="+", help="usually all of a game")
    parser.add_argument("--workers", type=int, help="processes; usually one for each core")
    parser.add_argument("--show", action="store_true", help="play nothing")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the shares into a page")
    parser.add_argument("--packed", type=Path, metavar="FILE", help="print a file's shares")
    parser.add_argument("--per-style", action="store_true", help="calibration for each style, too")
    chosen = parser.parse_args(arguments)
    if chosen.packed:
        with unpacked(chosen.packed) as folder:
            print("\n".join(shares(kept(folder))))
        return
    if chosen.write:
        publish(chosen.write, chosen.folder)
        return
    games = None if chosen.show else chosen.games
    matches = [
        Match(name, spec, level, style)
        for name in chosen.game
        for spec in GAMES[name]
        if tianxia.game(spec).seats in chosen.seats
        for level in chosen.levels
        for style in chosen.styles or names_of(name)
    ]
    played = [
        (match, archive)
        for match in matches
        if (archive := match.archive(chosen.folder, games)) is not None
    ]
    for match, archive in [] if chosen.show else played:
        for outcome in run(archive, chosen.workers):
            line = f"{match.spec}, {match.level}, {match.style}: {outcome.number}"
            print(f"{line}: {outcome.shares}", file=sys.stderr, flush=True)
    show(played, chosen.per_style)


if __name__ == "__main__":
    main(sys.argv[1:])
