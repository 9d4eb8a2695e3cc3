"""Ratings of our bots: by games with rated people and by arenas, on one scale."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from tests.ratings.test_ratings import Club
from tests.tables.helpers import BARRAGE, SETUP
from tianxia.arena import Plan
from tianxia.arena.archive import PLAN, Archive, ArchiveError, Finished
from tianxia.arena.course import Outcome
from tianxia.cli import app
from tianxia.ratings import NEW, BotRatings, Played
from tianxia.ratings.arenas import matches_of
from tianxia.ratings.bots import Match
from tianxia.tables import SeatPlan, Tables, schema

BOT = "random"


@pytest.fixture
def club(tables: Tables) -> Club:
    """Return a club of which Ada and Bea have ratings."""
    club = Club(tables)
    club.won("Ada", "Bea")
    club.ratings.settle()
    return club


def against_bot(club: Club, name: str, *, end: bool = True, **more: Any) -> str:
    """Let somebody lose to a bot after the set-up."""
    plans, person = [SeatPlan("me"), SeatPlan("bot", BOT)], club.person(name)
    made = club.tables.create(BARRAGE, plans, person=person, pace="300+5", **more)
    for seat in (0, 1):
        snapshot = club.tables.snapshot(made.table_id)
        state, actions = snapshot.state, []
        for token in SETUP:
            actions.append(state.parse(token, seat))
            state.apply(actions[-1], seat)
        decision = snapshot.decision(seat)
        if seat:
            club.tables.act_for_bot(made.table_id, 1, actions, decision)
        else:
            club.tables.act(made.table_id, person, actions, decision)
    if end:
        club.tables.resign(made.table_id, person)
    return made.table_id


def settled(club: Club) -> dict[str, tuple[float, int]]:
    """File what has ended; return the points and games of the bots."""
    club.ratings.settle()
    Played(club.tables).settle()
    found = BotRatings(club.tables).of("stratego")
    return {one.name: (one.rating.mu, one.rating.games) for one in found}


def test_a_bot_is_rated_by_its_games_with_rated_people(club: Club) -> None:
    before = (club.of("Ada"), club.of("Bea"))
    assert settled(club) == {}
    against_bot(club, "Bea")
    after_bea = settled(club)[BOT]
    assert after_bea[0] > NEW.mu
    assert after_bea[1] == 1
    against_bot(club, "Ada")
    after_ada = settled(club)[BOT]
    assert after_ada[0] > after_bea[0]
    assert (club.of("Ada"), club.of("Bea")) == before  # people's ratings are about people
    standing = BotRatings(club.tables).of("stratego")[0]
    assert (standing.bot, standing.account) == (True, "")


def test_who_has_no_rating_says_nothing_about_a_bot(club: Club) -> None:
    against_bot(club, "Cid")
    plans = [SeatPlan("me"), SeatPlan("bot", BOT)]
    guest = club.tables.create(BARRAGE, plans, person="guest").table_id
    club.tables.resign(guest, "guest")
    assert settled(club) == {}


def test_practice_does_not_count(club: Club) -> None:
    played = against_bot(club, "Ada", end=False)
    person = club.person("Ada")
    snapshot = club.tables.snapshot(played)
    action = snapshot.view(0).legal_actions(0)[0]
    club.tables.act(played, person, [action], snapshot.decision(0))
    club.tables.take_back(played, person)  # so it was no match
    club.tables.resign(played, person)
    assert settled(club) == {}
    on = club.tables.play_on(played, 20, 0, BOT, person=person).table_id
    club.tables.resign(on, person)
    assert settled(club) == {}


def test_recomputation_gives_the_same_numbers(club: Club) -> None:
    for name in ("Bea", "Ada", "Bea"):
        against_bot(club, name)
    bots = BotRatings(club.tables)
    settled(club)
    new = [
        Match("arena a 1", "stratego", (BOT, "skirmisher"), (1, 0)),
        Match("arena a 2", "stratego", ("skirmisher", BOT), (0, 0)),
        Match("arena b 1", "blind-duel", (BOT, "skirmisher", BOT), (0, 1, 2)),
    ]
    assert bots.add(new) == 3
    assert bots.add(new) == 0  # each counts once
    first = [bots.of(game) for game in ("stratego", "blind-duel")]
    assert {one.name for one in first[0]} == {BOT, "skirmisher"}
    assert bots.recompute() == 6
    assert [bots.of(game) for game in ("stratego", "blind-duel")] == first


def test_arena_and_people_are_on_one_scale(club: Club) -> None:
    """Who beats a bot that people cannot beat stands above it."""
    for _ in range(3):
        against_bot(club, "Ada")
    settled(club)
    bots = BotRatings(club.tables)
    for game in ("stratego", "blind-duel"):  # nobody knows how strong the loser is at this one
        bots.add([Match(f"arena {game} {n}", game, ("skirmisher", BOT), (0, 1)) for n in range(8)])
    known, unknown = (
        {one.name: one.rating.mu for one in bots.of(game)} for game in ("stratego", "blind-duel")
    )
    assert known["skirmisher"] > known[BOT]
    assert known["skirmisher"] > unknown["skirmisher"]


def arena(folder: Path, **changes: Any) -> Path:
    plan = Plan(BARRAGE, ("skirmisher", "random", "exec:x"), **changes)
    archive = Archive(folder, plan)
    for number, seats in enumerate(([0, 1], [1, 0], [0, 2], [0, 1])):
        outcome = Outcome(
            number=number, round=number, seats=seats, end="rules",
            fault=1 if number == 3 else -1, shares=[1.0, 0.0], scores=[1.0, 0.0],
            actions=9, decisions=[1, 1], seconds=[0.1, 0.1], slowest=[0.1, 0.1],
            late=[0, 0], note="",
        )  # fmt: skip
        archive.keep(Finished(outcome, ""))
    return folder


def test_games_of_an_arena_between_our_bots_count(tmp_path: Path) -> None:
    found = matches_of(arena(tmp_path / "one"))
    assert [(one.players, one.places) for one in found] == [
        (("skirmisher", "random"), (0, 1)),
        (("random", "skirmisher"), (0, 1)),
    ]
    assert len({one.source for one in found}) == 2
    other = matches_of(arena(tmp_path / "other", seed=1))
    assert not {one.source for one in found} & {one.source for one in other}


def test_what_was_counted_under_a_former_name_is_the_rating_of_today(club: Club) -> None:
    bots, match = BotRatings(club.tables), ("stratego", ("skirmisher", BOT), (0, 1))
    bots.add([Match("arena a 1", *match)])
    first = bots.of("stratego")
    with club.tables.store.writing() as connection:
        row = schema.bot_ratings
        connection.execute(sa.update(row).where(row.c.bot != BOT).values(bot="sergeant"))
        text = json.dumps(["sergeant", BOT])
        connection.execute(sa.update(schema.bot_matches).values(players=text))
    assert bots.of("stratego") == first
    assert bots.recompute() == 1
    assert bots.of("stratego") == first
    bots.add([Match("arena a 2", *match)])
    for _ in range(2):
        counts = {one.name: one.rating.games for one in bots.of("stratego")}
        assert counts == {"skirmisher": 2, BOT: 2}
        assert bots.recompute() == 2


def test_an_arena_of_a_former_name_counts_once(tmp_path: Path) -> None:
    """Its games are those that were counted before the name was changed."""
    found = matches_of(arena(tmp_path / "one"))
    old = arena(tmp_path / "two")
    plan = old / PLAN
    plan.write_text(plan.read_text(encoding="utf-8").replace("skirmisher", "sergeant"), "utf-8")
    assert matches_of(old) == found
    assert found[0].source == "arena 18a9b86b9f73d1b51a818852 0"


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="no arena"):
        matches_of(tmp_path)
    with pytest.raises(ArchiveError, match="their own time"):
        matches_of(arena(tmp_path / "hurried", seconds=0.1))


def test_one_command_counts_an_arena_and_works_all_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    Tables(url).close()
    monkeypatch.setenv("TIANXIA_DATABASE", url)
    folder = str(arena(tmp_path / "arena"))
    for new in (2, 0):
        result = CliRunner().invoke(app, ["ratings", "--arena", folder])
        assert f"Games counted for bots: 2 (new: {new})" in result.output, result.output
    nothing = CliRunner().invoke(app, ["ratings", "--arena", str(tmp_path / "nothing")])
    assert nothing.exit_code != 0
