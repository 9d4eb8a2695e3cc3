"""What becomes of an account's games when it goes, and what it gets before."""

from __future__ import annotations

import json

import sqlalchemy as sa

from tests.tables.helpers import BARRAGE, DUEL
from tianxia.accounts import Accounts
from tianxia.accounts.exporting import exported
from tianxia.tables import SeatPlan, Tables, schema
from tianxia.tables.people import digest

OPEN = [SeatPlan("me"), SeatPlan("open")]


def test_an_account_deleted_in_mid_game(accounts: Accounts, stored: Tables) -> None:
    """With two the other has won, with three a bot plays on; a waiting seat is free again."""
    ann = accounts.register("Ann")
    person = accounts.person(ann.id)
    two = stored.create(BARRAGE, OPEN, person=person).table_id
    stored.take_seat(two, 1, "bob", "Bob")
    plans = [*OPEN, SeatPlan("open")]
    three = stored.create(f"{DUEL}(players=3)", plans, person=person).table_id
    stored.take_seat(three, 1, "bob", "Bob")
    stored.take_seat(three, 2, "cat", "Cat")
    waiting = stored.create(f"{DUEL}(players=3)", plans, person="host").table_id
    key = stored.take_seat(waiting, 1, person)
    accounts.delete(ann)
    ended = stored.snapshot(two)
    assert (ended.status, ended.ending) == ("over", "resignation 0")
    played, free = stored.snapshot(three), stored.snapshot(waiting)
    assert (played.status, played.seats[0].kind) == ("playing", "bot")
    assert (free.status, free.seats[1].kind) == ("waiting", "open")
    for snapshot in (ended, played, free):
        assert "Ann" not in [seat.name for seat in snapshot.seats]
        assert ann.id not in [seat.account for seat in snapshot.seats]
        assert stored.seat_of(snapshot.id, person) is None
    assert stored.store.key(waiting, digest(key)) is None
    assert accounts.get(ann.id) is None
    assert accounts.register("Ann").id != ann.id


def test_nothing_of_a_deleted_account_is_left(accounts: Accounts, stored: Tables) -> None:
    ann = accounts.register("Ann", password="correct horse")
    person = accounts.person(ann.id)
    accounts.new_codes(ann)
    accounts.sessions.open(ann, "Firefox", stored.clock())
    accounts.tokens.make(ann, "bot", ["play"], 3, stored.clock())
    accounts.ask_mail(ann, "ann@example.com")
    stored.create(BARRAGE, OPEN, person=person)
    accounts.delete(ann)
    with stored.store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name == "guesses":  # digests, for a day
                continue
            text = repr(connection.execute(sa.select(table)).all())
            for trace in ("Ann", ann.id, ann.person, "ann@example.com"):
                assert trace not in text, table.name


def test_the_export_holds_what_is_ones_own(accounts: Accounts, stored: Tables) -> None:
    ann = accounts.register("Ann", password="correct horse")
    person = accounts.person(ann.id)
    accounts.new_codes(ann)
    key, _ = accounts.tokens.make(ann, "my bot", ["play"], 3, stored.clock())
    session = accounts.sessions.open(ann, "Firefox", stored.clock())
    table_id = stored.create(BARRAGE, OPEN, person=person, talk=True, seed="mine").table_id
    stored.take_seat(table_id, 1, "bob", "Bob")
    stored.talk.say(table_id, person, "Good evening")
    stored.talk.say(table_id, "bob", "Secret of Bob")
    stored.resign(table_id, person)
    found = exported(accounts, accounts.get(ann.id) or ann)
    text = json.dumps(found)
    assert found["account"]["name"] == "Ann"
    assert found["tokens"][0]["name"] == "my bot"
    (table,) = found["tables"]
    assert (table["table"], table["seat"], table["seed"]) == (table_id, 0, "mine")
    assert [one["kind"] for one in table["decisions"]] == ["resign"]
    assert [one["text"] for one in table["remarks"]] == ["Good evening"]
    for secret in ("Secret of Bob", key, session, "argon2"):
        assert secret not in text
