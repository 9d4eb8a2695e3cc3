"""Seeds of players: made after the secret's hash was shown, demanded by whoever checks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.tables.helpers import DUEL
from tianxia.accounts import Accounts
from tianxia.lobby import Lobby
from tianxia.tables import NotNow, Refused, SeatPlan, Tables
from tianxia.tables.chance import commitment
from tianxia.tables.seating import find
from tianxia.tables.verify import verify

OPEN = [SeatPlan("me"), SeatPlan("open")]


def over(tables: Tables, table_id: str) -> str:
    tables.resign(table_id, "ann")
    return tables.transcript(table_id)


def test_the_hash_is_shown_before_the_seed_is_made(stored: Tables) -> None:
    promise, shown = stored.promise()
    made = stored.create(DUEL, OPEN, person="ann", draft=promise, seed="a", seeded=True)
    assert made.table_id == promise
    assert stored.snapshot(promise).chance_hash == shown
    stored.take_seat(promise, 1, "bob", seed="b")
    text = over(stored, promise)
    report = verify(text)
    assert (report.ok, report.chance_hash) == (True, shown)
    assert commitment(stored.snapshot(promise).chance_secret or "") == shown
    assert 'chance-seeds: ["a","b"]' in text.replace('", "', '","')
    assert "chance-people: [0, 1]" in text


def test_a_promise_is_kept_once_and_not_for_ever(stored: Tables) -> None:
    promise, _ = stored.promise()
    stored.create(DUEL, OPEN, person="ann", draft=promise)
    for nonsense in (promise, "no promise"):
        with pytest.raises(NotNow) as refused:
            stored.create(DUEL, OPEN, person="ann", draft=nonsense)
        assert refused.value.code == "no-promise"
    late, _ = stored.promise()
    clock = stored.clock
    stored.clock = lambda: clock() + 3601
    with pytest.raises(NotNow):
        stored.create(DUEL, OPEN, person="ann", draft=late)


def test_whoever_is_refused_a_table_comes_back_with_the_same_promise(stored: Tables) -> None:
    promise, shown = stored.promise()
    for wrong in ({"pace": "for ever"}, {"rated": True}, {"also": _fail}):
        with pytest.raises((Refused, ZeroDivisionError)):
            stored.create(DUEL, OPEN, person="ann", draft=promise, **wrong)
    made = stored.create(DUEL, OPEN, person="ann", draft=promise)
    assert stored.snapshot(made.table_id).chance_hash == shown


def _fail(*_: object) -> None:
    raise ZeroDivisionError


def test_of_two_who_use_a_promise_at_once_one_has_it(stored: Tables) -> None:
    promise, _ = stored.promise()

    def make(_: int) -> str:
        try:
            stored.create(DUEL, OPEN, person="ann", draft=promise)
        except NotNow as refused:
            return refused.code
        return "made"

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(make, range(4))) == ["made", *["no-promise"] * 3]


def test_verify_demands_the_seeds_of_all_who_play(stored: Tables) -> None:
    table = stored.create(DUEL, OPEN, person="ann", seeded=True, seed="a").table_id
    stored.take_seat(table, 1, "bob", "Bob")
    report = verify(over(stored, table))
    assert [str(problem)[:29] for problem in report.problems] == ["Seat 2 has added no seed: who"]
    assert report.problems[0].text("fr") != str(report.problems[0])


def test_bots_add_none_and_transcripts_of_before_verify_as_they_did(stored: Tables) -> None:
    plans = [SeatPlan("me"), SeatPlan("bot", "random")]
    table = stored.create(DUEL, plans, person="ann", seed="a", seeded=True).table_id
    text = over(stored, table)
    assert "chance-people: [0]" in text
    assert verify(text).ok
    old = stored.create(DUEL, OPEN, person="ann").table_id
    stored.take_seat(old, 1, "bob")
    text = over(stored, old)
    assert "chance-people" not in text
    assert verify(text).ok


def test_a_rematch_waits_for_the_seeds_of_all(stored: Tables) -> None:
    table = stored.create(DUEL, OPEN, person="ann", seeded=True, seed="a").table_id
    stored.take_seat(table, 1, "bob", "Bob", seed="b")
    over(stored, table)
    new = stored.rematch(table, "ann")
    assert stored.snapshot(new).wants_seed(1)
    stored.add_seed(new, "ann", "c")
    assert stored.rematch(table, "bob") == new
    assert (stored.snapshot(new).status, stored.seat_of(new, "bob")) == ("waiting", 0)
    assert stored.add_seed(new, "bob", "d").status == "playing"
    report = verify(over(stored, new))
    assert report.ok
    assert stored.snapshot(new).chance_seeds == ("d", "c")


def test_who_is_asked_to_come_adds_a_seed(stored: Tables) -> None:
    accounts = Accounts(stored, "a secret for tests only")
    bob = accounts.register("Bob")
    table = Lobby(stored).challenge("ann", "Ann", (bob.id, bob.name), find(DUEL), "").table_id
    assert stored.snapshot(table).wants_seed(0)
    stored.add_seed(table, "ann", "a")
    stored.take_seat(table, 1, accounts.person(bob.id))
    assert stored.snapshot(table).status == "waiting"
    assert stored.add_seed(table, accounts.person(bob.id), "b").status == "playing"
    assert verify(over(stored, table)).ok


def test_nobody_waits_for_a_seed_of_who_has_come(stored: Tables) -> None:
    table = stored.create(DUEL, OPEN, person="ann", seeded=True).table_id
    assert stored.snapshot(table).wants_seed(0)
    assert not stored.snapshot(table).wants_seed(1)
    assert not stored.snapshot(table).wants_seed(None)
    stored.add_seed(table, "ann", "a")
    assert not stored.snapshot(table).wants_seed(0)
