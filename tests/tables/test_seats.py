"""Who sits where: links, devices, names, rematches, lists. On both kinds of database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.tables.helpers import BARRAGE, DUEL, against_bot, people, ready
from tianxia.tables import (
    NotNow,
    NotYourSeat,
    Refused,
    SeatPlan,
    SeatTaken,
    TableError,
    Tables,
    UnknownTable,
)

ME, OPEN = SeatPlan("me"), SeatPlan("open")
THREE = f"{DUEL}(players=3)"


def test_a_table_waits_until_all_seats_are_taken(stored: Tables) -> None:
    made = stored.create(BARRAGE, [ME, OPEN], person="ann", nickname=" Ann\n", talk=True)
    snapshot = stored.snapshot(made.table_id)
    assert (snapshot.status, snapshot.acting, snapshot.talk) == ("waiting", (), True)
    assert [(seat.kind, seat.name) for seat in snapshot.seats] == [("person", "Ann"), ("open", "")]
    assert list(made.seat_keys) == [0]
    assert stored.seat_of(made.table_id, "ann") == 0
    assert stored.seat_of(made.table_id, "bob") is None
    with pytest.raises(NotNow, match="all seats") as refused:
        stored.act(made.table_id, "ann", [0], 0)
    assert refused.value.code == "waiting"
    stored.take_seat(made.table_id, 1, "bob", "Bob")
    snapshot = stored.snapshot(made.table_id)
    assert (snapshot.status, snapshot.acting) == ("playing", (0, 1))
    assert [entry.kind for entry in snapshot.entries] == ["start"]


def test_a_seat_is_taken_once(stored: Tables) -> None:
    made = stored.create(f"{DUEL}(players=3)", [ME, OPEN, OPEN], person="ann")
    stored.take_seat(made.table_id, 1, "bob")
    for seat, person, code in [
        (1, "cat", "seat-taken"),
        (0, "cat", "seat-taken"),
        (2, "bob", "already-seated"),
        (2, "ann", "already-seated"),
    ]:
        with pytest.raises(SeatTaken) as refused:
            stored.take_seat(made.table_id, seat, person)
        assert (refused.value.code, refused.value.status) == (code, 409)
    for seat in (3, -1):
        with pytest.raises(Refused, match="no such seat"):
            stored.take_seat(made.table_id, seat, "cat")


def test_a_private_link_opens_the_seat_on_another_device(stored: Tables) -> None:
    made = stored.create(BARRAGE, [ME, SeatPlan("bot", "random")], person="desk")
    key = made.seat_keys[0]
    assert stored.enter(made.table_id, key, "phone") == 0
    assert stored.seat_of(made.table_id, "phone") == stored.seat_of(made.table_id, "desk") == 0
    assert stored.seat_key(made.table_id, 0, "phone") == key
    assert stored.seat_key(made.table_id, 0, "desk") == key
    version = stored.snapshot(made.table_id).version
    assert stored.enter(made.table_id, key, "phone") == 0
    assert stored.snapshot(made.table_id).version == version
    for wrong in ("", "no", key[:-1], key + "é", "x" * 5000):
        with pytest.raises(NotYourSeat, match="private link"):
            stored.enter(made.table_id, wrong, "eve")
    for seat, person in [(0, "eve"), (1, "desk"), (7, "desk")]:
        with pytest.raises(NotYourSeat):
            stored.seat_key(made.table_id, seat, person)


def test_entering_another_seat_leaves_the_first(stored: Tables) -> None:
    made = stored.create(BARRAGE, [ME, OPEN], person="ann")
    key = stored.take_seat(made.table_id, 1, "bob")
    assert stored.enter(made.table_id, key, "ann") == 1
    assert stored.seat_of(made.table_id, "ann") == 1
    assert stored.enter(made.table_id, made.seat_keys[0], "ann") == 0
    assert stored.seat_of(made.table_id, "bob") == 1


def test_neither_ids_nor_keys_of_people_are_stored(tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite3"
    with Tables(f"sqlite:///{file}") as tables:
        made = tables.create(BARRAGE, [ME, OPEN], person="person-id-of-ann")
        key = tables.take_seat(made.table_id, 1, "person-id-of-bob")
    with sqlite3.connect(file) as connection:
        dump = "\n".join(connection.iterdump())
    connection.close()
    assert made.table_id in dump
    for secret in ("person-id-of", made.seat_keys[0], key):
        assert secret not in dump


@pytest.mark.parametrize(
    ("spec", "plans", "code"),
    [
        ("chess", [ME, OPEN], "unknown-game"),
        ("stratego(variant=tiny)", [ME, OPEN], "option"),
        (BARRAGE, [ME], "seats"),
        (BARRAGE, [ME, OPEN, OPEN], "seats"),
        (BARRAGE, [ME, ME], "one-seat"),
        (BARRAGE, [ME, SeatPlan("bot", "hal")], "no-bot"),
        (BARRAGE, [ME, SeatPlan("bot", "net:tests/bots/suntzu.npz")], "no-bot"),
        (BARRAGE, [ME, SeatPlan("bot")], "no-bot"),
    ],
)
def test_impossible_tables_are_refused(
    tables: Tables, spec: str, plans: list[SeatPlan], code: str
) -> None:
    with pytest.raises(Refused) as refused:
        tables.create(spec, plans, person="ann")
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert refused.value.text("fr") != str(refused.value)


@pytest.mark.parametrize("table_id", ["", "nobody", "x" * 9999, "' OR 1=1", "\x00", "\ud800"])
def test_unknown_tables(tables: Tables, table_id: str) -> None:
    for call in (
        lambda: tables.snapshot(table_id),
        lambda: tables.act(table_id, "ann", [0], 0),
        lambda: tables.enter(table_id, "k", "ann"),
        lambda: tables.transcript(table_id),
    ):
        with pytest.raises(UnknownTable) as refused:
            call()
        assert refused.value.status == 404


def test_names_can_change(stored: Tables) -> None:
    table_id = people(stored)
    snapshot = stored.rename(table_id, "bob", "\u202eRob")
    assert snapshot.seats[1].name == "Rob"
    assert stored.snapshot(table_id).seats[1].name == "Rob"
    with pytest.raises(NotYourSeat):
        stored.rename(table_id, "eve", "Ann")


def test_seeds_are_added_before_the_first_action_only(stored: Tables) -> None:
    made = stored.create(DUEL, [ME, OPEN], person="ann", seed="a")
    stored.add_seed(made.table_id, "ann", "b\n\x00" + "c" * 500)
    stored.take_seat(made.table_id, 1, "bob", seed="d")
    seeds = stored.snapshot(made.table_id).chance_seeds
    assert seeds == ("b" + "c" * 125, "d")
    with pytest.raises(NotNow) as refused:
        stored.add_seed(made.table_id, "ann", "late")
    assert refused.value.code == "begun"


def test_a_rematch_moves_the_seats_on(stored: Tables) -> None:
    table_id = ready(stored)
    stored.enter(table_id, stored.seat_key(table_id, 1, "bob"), "bob's phone")
    with pytest.raises(NotNow):
        stored.rematch(table_id, "ann")
    stored.resign(table_id, "ann")
    with pytest.raises(NotYourSeat):
        stored.rematch(table_id, "eve")
    next_id = stored.rematch(table_id, "bob")
    assert stored.snapshot(table_id).next_id == next_id
    snapshot = stored.snapshot(next_id)
    assert snapshot.status == "waiting"
    assert [(seat.kind, seat.name, seat.reserved) for seat in snapshot.seats] == [
        ("person", "Bob", False),
        ("open", "Ann", True),
    ]
    with pytest.raises(SeatTaken) as refused:
        stored.take_seat(next_id, 1, "eve")
    assert refused.value.code == "reserved"
    assert stored.rematch(table_id, "ann") == next_id
    assert stored.rematch(table_id, "ann") == next_id
    assert stored.rematch(table_id, "bob") == next_id
    assert stored.snapshot(next_id).status == "playing"
    assert [stored.seat_of(next_id, who) for who in ("bob", "bob's phone", "ann")] == [0, 0, 1]
    key = stored.seat_key(next_id, 0, "bob's phone")
    assert stored.enter(next_id, key, "bob's watch") == 0


def test_who_gave_up_the_seat_of_a_rematch_does_not_get_somebody_else_s(stored: Tables) -> None:
    table_id = people(stored, THREE, 3)
    stored.timing.call_off(table_id, "ann")
    new = stored.rematch(table_id, "ann")
    phone = stored.enter(table_id, stored.seat_key(table_id, 1, "bob"), "bob's phone")
    assert stored.rematch(table_id, "bob's phone") == new
    assert stored.rematch(table_id, "bob") == new  # the same seat, on another device
    for device in ("bob", "bob's phone"):
        assert stored.seat_of(new, device) == phone + 1
    stored.timing.leave(new, "bob")
    stored.take_seat(new, phone + 1, "eve")
    with pytest.raises(SeatTaken) as refused:
        stored.rematch(table_id, "bob")
    assert refused.value.code == "seat-taken"
    stored.rematch(table_id, "cat")
    assert stored.snapshot(new).status == "playing"
    with pytest.raises(SeatTaken):  # nor while it is played
        stored.rematch(table_id, "bob")
    assert (stored.seat_of(new, "bob"), stored.seat_of(new, "eve")) == (None, phone + 1)


def test_a_rematch_that_was_closed_is_asked_for_anew(stored: Tables) -> None:
    table_id = ready(stored)
    stored.resign(table_id, "ann")
    closed = stored.rematch(table_id, "ann")
    stored.timing.close(closed, "ann")
    new = stored.rematch(table_id, "bob")
    assert new != closed
    assert stored.seat_of(closed, "bob") is None
    assert stored.snapshot(table_id).next_id == new
    assert stored.rematch(table_id, "ann") == new
    assert stored.snapshot(new).status == "playing"


def test_bots_come_along_to_a_rematch(stored: Tables) -> None:
    table_id = against_bot(stored)
    stored.resign(table_id, "ann")
    snapshot = stored.snapshot(stored.rematch(table_id, "ann"))
    assert [seat.bot for seat in snapshot.seats] == ["random", ""]
    assert snapshot.status == "playing"


def test_lists(stored: Tables) -> None:
    mine = people(stored)
    hidden = stored.create(BARRAGE, [ME, OPEN], person="cat").table_id
    public = stored.create(BARRAGE, [ME, OPEN], person="cat", nickname="Cat", public=True).table_id
    listed = stored.open_tables("ann")
    assert [one.id for one in listed] == [mine, public]
    own, waiting = listed
    assert (own.status, own.seat, own.your_turn, own.game) == ("playing", 0, True, "stratego")
    assert (waiting.seat, waiting.your_turn, waiting.public) == (None, False, True)
    assert [(seat.kind, seat.name) for seat in waiting.seats] == [("person", "Cat"), ("open", "")]
    assert {one.id for one in stored.open_tables("cat")} == {hidden, public}
    assert [one.id for one in stored.open_tables("nobody")] == [public]
    stored.take_seat(public, 1, "ann")
    assert stored.open_tables("nobody") == []
    assert [one.id for one in stored.open_tables("ann")] == [public, mine]


def test_errors_survive_pickling_and_speak_french(tables: Tables) -> None:
    import pickle

    with pytest.raises(TableError) as refused:
        tables.snapshot("gone")
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.code, again.status) == (str(refused.value), "unknown-table", 404)
    assert again.text("fr") == "Il n’y a pas de table gone."
