"""Accounts: names, seats that a guest brings along, and who sits where."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
import sqlalchemy as sa

from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, wait_for
from tianxia.accounts import AccountError, Accounts, NameTaken
from tianxia.tables import NotNow, SeatPlan, Tables, schema
from tianxia.tables.people import digest

OPEN = [SeatPlan("me"), SeatPlan("open")]


@pytest.mark.parametrize("other", ["ANN LEE", "ann-lee", "Änn.Lee", "Ａｎｎ Ｌｅｅ", "annlee"])
def test_a_name_is_unique_however_it_is_written(accounts: Accounts, other: str) -> None:
    ann = accounts.register("Ann Lee")
    with pytest.raises(NameTaken):
        accounts.register(other)
    assert accounts.named(other) == ann


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("A", "name-length"),
        ("A" * 21, "name-length"),
        ("", "name-length"),
        ("a--b", "name-letters"),
        ("-ab", "name-letters"),
        ("a@b", "name-letters"),
        ("12", "name-letters"),
        ("Pаul", "name-alphabets"),  # with a Cyrillic а
        ("Ad-Min", "name-reserved"),
    ],
)
def test_a_name_that_nobody_may_have(accounts: Accounts, name: str, code: str) -> None:
    with pytest.raises(AccountError) as refused:
        accounts.register(name)
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert refused.value.text("fr") != refused.value.text("en")


@pytest.mark.parametrize("name", ["Éloïse", "Ли Вэй", "孫子", "O'Neil", "x2", "José-Luis"])
def test_names_of_all_languages(accounts: Accounts, name: str) -> None:
    assert accounts.register(name).name == name


def test_a_guest_keeps_seats_and_games(accounts: Accounts, stored: Tables) -> None:
    table_id = stored.create(BARRAGE, OPEN, person="guest", nickname="Nobody").table_id
    stored.take_seat(table_id, 1, "bob", "Bob")
    before = stored.snapshot(table_id).version
    ann = accounts.register("Ann", guest="guest")
    person = accounts.person(ann.id)
    assert digest(person) == ann.person
    seats = stored.snapshot(table_id).seats
    assert [(seat.name, seat.account) for seat in seats] == [("Ann", ann.id), ("Bob", "")]
    assert stored.snapshot(table_id).version > before
    assert (stored.seat_of(table_id, person), stored.seat_of(table_id, "guest")) == (0, None)
    key = stored.seat_key(table_id, 0, person)
    assert stored.enter(table_id, key, "phone") == 0
    assert [one.id for one in stored.open_tables(person)] == [table_id]


def test_of_two_seats_at_a_table_each_stays_whose_it_is(accounts: Accounts, stored: Tables) -> None:
    ann = accounts.register("Ann")
    person = accounts.person(ann.id)
    table_id = stored.create(BARRAGE, OPEN, person=person).table_id
    stored.take_seat(table_id, 1, "guest", "Gus")
    assert accounts.adopt(ann, "guest") == 0
    assert (stored.seat_of(table_id, person), stored.seat_of(table_id, "guest")) == (0, 1)


def test_an_account_sits_under_its_own_name(accounts: Accounts, stored: Tables) -> None:
    ann, bob = accounts.register("Ann"), accounts.register("Bob", bot=True)
    person = accounts.person(ann.id)
    table_id = stored.create(BARRAGE, OPEN, person=person, nickname="Zoe").table_id
    stored.take_seat(table_id, 1, accounts.person(bob.id), "Zoe")
    seats = stored.snapshot(table_id).seats
    assert [(seat.name, seat.account) for seat in seats] == [("Ann", ann.id), ("Bob", bob.id)]
    with pytest.raises(NotNow) as refused:
        stored.rename(table_id, person, "Zoe")
    assert refused.value.code == "account-name"
    stored.resign(table_id, person)
    new = stored.rematch(table_id, person)
    stored.rematch(table_id, accounts.person(bob.id))
    seats = stored.snapshot(new).seats
    assert [(seat.name, seat.account) for seat in seats] == [("Bob", bob.id), ("Ann", ann.id)]


def test_a_table_in_memory_of_another_worker_learns_of_it(
    accounts: Accounts, stored: Tables, url: str
) -> None:
    table_id = stored.create(BARRAGE, OPEN, person="guest").table_id
    with Tables(url) as other:
        assert other.seat_of(table_id, "guest") == 0
        ann = accounts.register("Ann", guest="guest")
        assert other.seat_of(table_id, "guest") is None
        assert other.seat_of(table_id, accounts.person(ann.id)) == 0
        assert other.snapshot(table_id).seats[0].account == ann.id


@pytest.mark.postgres
@pytest.mark.parametrize("deed", ["rename", "adopt"])
def test_who_plays_meanwhile_and_whose_name_changes_wait_for_one_another(
    opened: Opener, postgres: Callable[[], str], deed: str
) -> None:
    """In one order, or PostgreSQL would refuse one of them."""
    accounts = Accounts(opened(postgres()), "a secret for tests only")
    ann, store = accounts.register("Ann"), accounts.store
    person = "guest" if deed == "adopt" else accounts.person(ann.id)
    table_id = accounts.tables.create("stratego", [SeatPlan("open")] * 2, person="host").table_id
    accounts.tables.take_seat(table_id, 0, person)
    deeds: dict[str, Callable[[], object]] = {
        "rename": partial(accounts.rename, ann, "Anna"),
        "adopt": partial(accounts.adopt, ann, "guest"),
    }
    waits = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    mine = sa.update(schema.tables).where(schema.tables.c.id == table_id)
    seat = sa.update(schema.seats).where(schema.seats.c.table_id == table_id)
    with ThreadPoolExecutor(1) as threads:
        with store.writing() as connection:  # as `commit` does
            connection.execute(mine.values(updated=1.0))
            done = threads.submit(deeds[deed])
            wait_for(lambda: store.scalar(waits) > 0)
            connection.execute(seat.values(standing=""))
        done.result(30)
    assert accounts.tables.snapshot(table_id).seats[0].name.startswith("Ann")
