"""``tianxia arena``: matches between bots, in the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from tianxia.arena import Archive, Outcome, Plan, ratings, run, standings
from tianxia.arena.archive import REPORT, ArchiveError
from tianxia.arena.data import demand_place, write_archive
from tianxia.arena.plan import WALL
from tianxia.arena.players import demand_programs
from tianxia.arena.report import (
    DISPENSABLE,
    FAULTS,
    Rows,
    first_faults,
    named,
    percent,
    points,
    rows,
    write,
)
from tianxia.cli.bars import counting
from tianxia.cli.playing import game_of
from tianxia.cli.recording import tell_of_files
from tianxia.cli.screen import HINT, WARNING, Screen, chosen_language
from tianxia.kernel.cache import home

LONGEST_NAME = 80
NAME_ROOM = 12
GAP = 2
"""Columns of the terminal between two of a table, and at both its sides together."""


def folder_of(plan: Plan) -> Path:
    """Return the usual folder of a match: its name says what is played."""
    words = [plan.game, *plan.players, f"seed{plan.seed}"]
    if plan.seconds is not None:
        words.append(f"{plan.seconds:g}s")
    if plan.clock != WALL:
        words.append(plan.clock)
    name = re.sub(r"[^A-Za-z0-9.=]+", "-", "-".join(words)).strip("-")
    return home() / "arena" / name[:LONGEST_NAME]


def play_arena(
    spec: str,
    players: Sequence[str],
    options: Sequence[str],
    games: int,
    seed: int,
    seconds: float | None,
    patience: float,
    longest: int,
    protocol: str,
    folder: Path | None,
    workers: int | None,
    language: str | None,
    data: Path | None = None,
    clock: str = WALL,
    ray: str | None = None,
) -> int:
    """Play a match, or go on with it; return the exit status."""
    screen = Screen(chosen_language(language))
    game = game_of(spec, options).spec
    plan = Plan(
        game, tuple(players), games, seed, seconds, patience, longest, protocol, clock=clock
    )
    if data is not None:
        demand_place(data, plan)  # before hours of play, not after them
    if ray is None:
        demand_programs(plan.players)  # before a folder is bound to what cannot be played
    archive = Archive(folder or folder_of(plan), plan)
    wanted = len(list(plan.fixtures()))
    outcomes = archive.outcomes()[:wanted]
    if len(outcomes) == wanted:
        _say_nothing_is_missing(screen, archive)
    try:
        finished = play_behind_bar(screen, archive, outcomes, wanted, workers, ray)
    finally:
        outcomes.sort(key=lambda outcome: outcome.number)
        if outcomes:
            write(archive, outcomes, screen.language)
    _show(screen, archive, outcomes)
    if data is not None and finished:
        write_archive(data, archive)
        tell_of_files(screen, data)
    return 0 if finished else 130


def _say_nothing_is_missing(screen: Screen, archive: Archive) -> None:
    """Say that nothing is played, and what has changed since these games were."""
    _ = screen.translate
    screen.say(_("All games were played before; --games 400 would add some."), HINT)
    try:
        archive.check_generation()
    except ArchiveError as error:
        screen.say(str(error), WARNING)


def play_behind_bar(
    screen: Screen,
    archive: Archive,
    outcomes: list[Outcome],
    wanted: int,
    workers: int | None,
    ray: str | None,
) -> bool:
    """Play what is missing behind a progress bar; False where the user broke it off."""
    _ = screen.translate
    if outcomes:
        screen.say(_("Games played before: {n}.").format(n=len(outcomes)), HINT)
    with counting(screen) as progress:
        task = progress.add_task("", total=wanted, completed=len(outcomes))
        try:
            for outcome in run(archive, workers, ray):
                outcomes.append(outcome)
                best = standings(named(archive.plan, outcomes), outcomes)[0]
                progress.update(task, advance=1, description=f"{best.name} {percent(best.share)}")
        except KeyboardInterrupt:
            screen.say(_("Broken off; the same command goes on from here."), HINT)
            return False
    return True


def _show(screen: Screen, archive: Archive, outcomes: list[Outcome]) -> None:
    """Write the tables, and where everything is kept."""
    _ = screen.translate
    plan = archive.plan
    if outcomes:
        found = rows(plan, outcomes, screen.language)
        screen.show(_as_table(found, screen.console.width))
        screen.say(found.foot, HINT)
        for fault in first_faults(plan, outcomes, screen.language):
            screen.say(fault, WARNING)
        if len(set(plan.players)) > 2:
            screen.show(_rating_table(screen, plan, outcomes))
    screen.say(_("Report and transcripts:"), HINT)
    screen.command(str(archive.folder / REPORT))


def _as_table(found: Rows, width: int) -> Table:
    """Return the standings for the terminal: of faults only those that there were.

    Where it is narrow, names are folded and columns are left out, but no name is.
    """
    shown = [
        number
        for number in range(len(found.heads))
        if number < FAULTS or any(row[number] != "0" for row in found.rows)
    ]
    sizes = [max(map(len, column)) for column in zip(found.heads, *found.rows, strict=True)]
    room = min(sizes[0], max(NAME_ROOM, width // 3))
    for number in DISPENSABLE:
        if room + GAP + sum(sizes[one] + GAP for one in shown[1:]) > width:
            shown.remove(number)
    rest = GAP + sum(sizes[one] + GAP for one in shown[1:])
    room = max(min(room, width - rest), min(room, NAME_ROOM))
    table = Table(box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    for number in shown:
        if number:
            table.add_column(found.heads[number], justify="right", no_wrap=True)
        else:
            table.add_column(found.heads[number], overflow="fold", min_width=room)
    for row in found.rows:
        table.add_row(*(Text(row[number]) for number in shown))
    return table


def _rating_table(screen: Screen, plan: Plan, outcomes: list[Outcome]) -> Table:
    _ = screen.translate
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(_("Rating"), overflow="fold", min_width=NAME_ROOM)
    table.add_column("Elo", justify="right", no_wrap=True)
    table.add_column("95 %", justify="right")
    for one in ratings(named(plan, outcomes), outcomes):
        span = f"{points(one.low)} – {points(one.high)}"
        table.add_row(Text(one.name), points(one.points), span)
    return table
