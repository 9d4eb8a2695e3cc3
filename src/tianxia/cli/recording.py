"""``tianxia selfplay`` and ``tianxia export``: games as Parquet."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import tianxia
from tianxia.arena import Plan
from tianxia.arena.course import forfeited, shares_of
from tianxia.arena.data import (
    DataError,
    Played,
    about,
    arrow,
    demand_folder,
    games_file,
    selfplay_archive,
    write,
    write_archive,
)
from tianxia.arena.players import demand_programs
from tianxia.cli.playing import game_of
from tianxia.cli.screen import HINT, WARNING, Screen, chosen_language

if TYPE_CHECKING:
    from tianxia.tables import Snapshot, Tables

PERSON = "person"
"""Whoever is not one of our bots: people are not told apart."""


def play_for_data(
    spec: str,
    players: Sequence[str],
    options: Sequence[str],
    games: int,
    seed: int,
    longest: int,
    out: Path,
    workers: int | None,
    language: str | None,
    ray: str | None = None,
) -> int:
    """Play games, or go on with them, and write them; return the exit status."""
    from tianxia.cli.arena import play_behind_bar

    screen = Screen(chosen_language(language))
    _ = screen.translate
    game = game_of(spec, options)
    seated = tuple(players) * (game.seats if len(players) == 1 else 1)
    plan = Plan(game.spec, seated, games, seed, longest=longest, paired=False)
    if ray is None:
        demand_programs(plan.players)  # before a folder is bound to what cannot be played
    archive = selfplay_archive(out, plan)
    if archive is None:
        screen.say(_("All games are there already."), HINT)
    else:
        wanted = len(list(plan.fixtures()))
        outcomes = archive.outcomes()[:wanted]
        if not play_behind_bar(screen, archive, outcomes, wanted, workers, ray):
            return 130
        write_archive(out, archive, "selfplay")
        shutil.rmtree(archive.folder)
    tell_of_files(screen, out)
    return 0


def tell_of_files(screen: Screen, file: Path) -> None:
    """Say where decisions and games are."""
    _ = screen.translate
    screen.say(_("Decisions, and games:"), HINT)
    screen.command(str(file))
    screen.command(str(games_file(file)))


def export_games(name: str, out: Path, language: str | None) -> int:
    """Write a server's finished public games; return the exit status."""
    from tianxia.cli.backing import own_tables

    arrow()
    screen = Screen(chosen_language(language))
    _ = screen.translate
    demand_folder(out)
    if out.exists():
        raise DataError(f"{out} is there already: name another file, or remove it")
    game = tianxia.game(tianxia.game(name).name)
    left_out: list[str] = []
    with own_tables() as tables:
        count = write(out, game, public_games(tables, game, left_out), about(game, "server"))
    screen.say(_("Games: {n}.").format(n=count))
    if left_out:
        text = _("Left out, without a result, under other rules or not to be read here: {n}.")
        screen.say(text.format(n=len(left_out)), HINT)
    if not count:
        out.unlink()
        games_file(out).unlink()
        screen.say(_("So there is nothing to write."), WARNING)
        return 1
    tell_of_files(screen, out)
    return 0


def public_games(tables: Tables, game: tianxia.Game, left_out: list[str]) -> Iterator[Played]:
    """Yield a game's finished public tables: what was played, not by whom or when."""
    from tianxia.ratings.service import COUNTS
    from tianxia.tables import Unplayable

    number = 0
    for table_id in tables.store.public_and_over(game.name):
        try:
            snapshot = tables.snapshot(table_id)
        except Unplayable:  # damaged, or with a board that was removed
            left_out.append(table_id)
            continue
        end, _, seat = snapshot.ending.partition(" ")
        if end not in COUNTS or not snapshot.playable:
            left_out.append(table_id)
            continue
        seats = snapshot.game.seats
        fault = int(seat) if seat else -1
        if fault >= 0:
            shares = forfeited(seats, fault)
        elif end == "rules":
            shares = shares_of(snapshot.state.utilities())
        else:
            shares = [1 / seats] * seats
        yield Played(number, snapshot.state, _players(snapshot), end, fault, shares)
        number += 1


def _players(snapshot: Snapshot) -> list[str]:
    """Return who played, by seat: the name of a bot, that it was a person, or both in turn."""
    from tianxia.tables.game_log import TO_BOTS

    left = {entry.seat for entry in snapshot.entries if entry.kind in TO_BOTS}
    found = []
    for seat, info in enumerate(snapshot.seats):
        if info.kind != "bot":
            found.append(PERSON)
        else:
            found.append(f"{PERSON}, then {info.bot}" if seat in left else info.bot)
    return found
