"""Who leaves a game of three or more is played for by a bot; the others go on."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

import tianxia
from tests.tables.conftest import Opener
from tests.tables.helpers import PEOPLE, people, step, wait_for
from tianxia.tables import NotNow, NotYourSeat, Stale, Tables, Thinker

THREE = "blind-duel(players=3)"
"""Three seats, with a phase of secret choices."""


def left(tables: Tables, seat: int = 1) -> str:
    """Return a table of three at which one has left."""
    table_id = people(tables, THREE, 3)
    tables.resign(table_id, PEOPLE[seat])
    return table_id


def people_played(tables: Tables, table_id: str, rng: random.Random) -> bool:
    """Let a person act who may; say whether the game is over."""
    snapshot = tables.snapshot(table_id)
    for seat in snapshot.acting:
        if snapshot.seats[seat].kind == "person":
            action = rng.choice(snapshot.view(seat).legal_actions(seat))
            with suppress(Stale):  # the bot was faster
                tables.act(table_id, PEOPLE[seat], [action], snapshot.decision(seat))
    return snapshot.status == "over"


def test_a_bot_plays_on_for_who_leaves(tables: Tables) -> None:
    table_id = left(tables)
    snapshot = tables.snapshot(table_id)
    assert snapshot.status == "playing"
    assert [info.kind for info in snapshot.seats] == ["person", "bot", "person"]
    assert snapshot.seats[1].bot
    assert snapshot.seats[1].name == "Bob"
    assert snapshot.entries[-1].kind == "leave"
    rng = random.Random(3)
    with Thinker(tables, rhythm=0):
        wait_for(lambda: people_played(tables, table_id, rng), 60)
    assert tables.snapshot(table_id).ending == "rules"
    assert tianxia.replay(tables.transcript(table_id)).over


def test_who_has_left_is_a_stranger(tables: Tables) -> None:
    table_id = people(tables, THREE, 3)
    key = tables.seat_key(table_id, 1, "bob")
    tables.resign(table_id, "bob")
    assert tables.seat_of(table_id, "bob") is None
    assert [table.seat for table in tables.open_tables("bob")] == [None]
    snapshot = tables.snapshot(table_id)
    with pytest.raises(NotYourSeat):
        tables.act(table_id, "bob", [0], snapshot.decision(1))
    with pytest.raises(NotYourSeat):
        tables.resign(table_id, "bob")
    with pytest.raises(NotNow, match="left"):
        tables.enter(table_id, key, "bob")
    with pytest.raises(NotNow, match="left"):
        tables.enter(table_id, key, "another device")


def test_the_last_person_who_leaves_ends_the_game(tables: Tables) -> None:
    table_id = left(tables)
    assert tables.snapshot(table_id).goes_on_without(0)
    tables.resign(table_id, "cat")
    assert tables.snapshot(table_id).status == "playing"
    assert not tables.snapshot(table_id).goes_on_without(0)
    over = tables.resign(table_id, "ann")
    assert (over.status, over.ending) == ("over", "resignation 0")


def test_with_two_players_a_resignation_ends_the_game(tables: Tables) -> None:
    table_id = people(tables)
    assert not tables.snapshot(table_id).goes_on_without(1)
    assert tables.resign(table_id, "bob").ending == "resignation 1"


def test_a_restart_knows_who_has_left_and_when(opened: Opener) -> None:
    first = opened()
    table_id = people(first, THREE, 3)
    first.offer_draw(table_id, "ann")
    first.answer_draw(table_id, "bob", True)  # cat has not answered
    rng = random.Random(1)
    step(first, table_id, rng)
    first.resign(table_id, "cat")
    before = first.snapshot(table_id)
    again = opened().snapshot(table_id)
    assert again.status == "playing"
    assert again.ending == "none"
    assert again.entries == before.entries
    assert again.seats == before.seats
    assert again.state.notation() == before.state.notation()


def test_questions_are_not_asked_of_who_has_left(tables: Tables) -> None:
    table_id = left(tables, 2)
    tables.offer_draw(table_id, "ann")
    assert tables.snapshot(table_id).draw_offer is None  # the bot declines at once


def test_the_bot_comes_along_to_a_rematch_under_its_own_name(tables: Tables) -> None:
    table_id = left(tables)
    tables.resign(table_id, "cat")
    tables.resign(table_id, "ann")
    with pytest.raises(NotYourSeat):
        tables.rematch(table_id, "bob")
    following = tables.snapshot(tables.rematch(table_id, "ann"))
    assert [info.kind for info in following.seats] == ["bot", "person", "bot"]
    assert [info.name for info in following.seats] == ["", "Ann", ""]
