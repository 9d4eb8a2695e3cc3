"""What becomes of an account's games when it goes, and what it gets before."""

from __future__ import annotations

import json

import sqlalchemy as sa

from tests.tables.helpers import BARRAGE, DUEL
from tianxia.accounts import Account, Accounts
from tianxia.accounts.exporting import OTHER, exported
from tianxia.lobby import Lobby
from tianxia.lobby.company import Company
from tianxia.lobby.gallery import Gallery
from tianxia.lobby.keeping import Keeping
from tianxia.lobby.together import Together
from tianxia.tables import SeatPlan, Tables, schema
from tianxia.tables.people import digest
from tianxia.tables.seating import find
from tianxia.telling import Telling

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
    asked = Lobby(stored).challenge("host", "Host", (ann.id, "Ann"), find(BARRAGE), "").table_id
    stored.snapshot(asked)
    accounts.delete(ann)
    stored.take_seat(asked, 1, "dan", "Dan")
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


def test_a_rematch_waits_for_no_account_that_was_deleted(
    accounts: Accounts, stored: Tables
) -> None:
    ann, bob, cat = (accounts.register(name) for name in ("Ann", "Bob", "Cat"))
    table = stored.create(BARRAGE, OPEN, person=accounts.person(ann.id), rated=True).table_id
    stored.take_seat(table, 1, accounts.person(bob.id))
    stored.timing.call_off(table, accounts.person(ann.id))
    accounts.delete(bob)
    following = stored.rematch(table, accounts.person(ann.id))
    free = stored.snapshot(following).seats[0]
    assert (free.kind, free.reserved, free.account) == ("open", False, "")
    stored.take_seat(following, 0, accounts.person(cat.id))
    assert stored.snapshot(following).status == "playing"


def everywhere(accounts: Accounts, tables: Tables, ann: Account) -> None:
    """Let an account do all of which something is kept that is no table's."""
    bob, now, person = accounts.register("Bob"), tables.clock(), accounts.person(ann.id)
    lobby, keeping, telling = Lobby(tables), Keeping(accounts), Telling(tables)
    accounts.register("Robot 1", bot=True, owner=ann.id)
    lobby.visit(person)
    lobby.seek(person, "", BARRAGE, rated=True)
    keys = {"p256dh": "a", "auth": "b"}
    telling.subscribe(person, "https://fcm.googleapis.com/x", keys)
    telling.wish(ann.person, "mail", "mail", wanted=False)
    tables.timing.rest(person, 1)
    table_id = tables.create(BARRAGE, OPEN, person=person, rated=True).table_id
    tables.take_seat(table_id, 1, accounts.person(bob.id))
    telling.plan(table_id)
    lobby.shunned.shun(ann.person, bob.person, "mute", "Bob", now)
    lobby.shunned.shun(bob.person, ann.person, "block", "Ann", now)
    keeping.report_account(bob, person, "name", "His name")
    report = keeping.report_account(ann, accounts.person(bob.id), "name", "Her name")
    keeping.settle("host", report, "nothing to be done")
    Company(tables).come("page", table_id, person)
    watched = tables.create(BARRAGE, [SeatPlan("bot", "random")] * 2, person="host").table_id
    finished = tables.create(BARRAGE, OPEN, person="dan").table_id
    tables.take_seat(finished, 1, "eve", "Eve")
    tables.resign(finished, "eve")
    Together(tables).open(finished, 0, "Ann")
    Gallery(tables, lobby.shunned).say(watched, person, "", "What a move!")
    rating = {"account": ann.id, "game": "stratego", "pace": "none", "mu": 25.0, "sigma": 8.0}
    counted = {"table_id": table_id, "seat": 0, "number": 1, "ended": now, "place": 0}
    with tables.store.writing() as connection:
        connection.execute(sa.insert(schema.ratings), {**rating, "points": 1.0, "games": 1})
        connection.execute(sa.insert(schema.results), rating | counted)


def test_all_that_is_kept_of_an_account_is_exported(accounts: Accounts, stored: Tables) -> None:
    ann = accounts.register("Ann")
    everywhere(accounts, stored, ann)
    found = exported(accounts, ann)
    assert [name for name in OTHER if not found[name]] == []
    assert found["shunned"][0] | {"at": ""} == {"at": "", "name": "Bob", "how": "mute"}
    assert [one["text"] for one in found["reports"]] == ["His name"]
    of_somebody = {
        column
        for table in schema.metadata.sorted_tables
        for column in table.columns
        if column.name in ("person", "account", "account_id", "maker", "owner", "reporter")
    }
    elsewhere = {
        *(f"{name}.account_id" for name in ("passkeys", "recovery_codes", "sessions", "tokens")),
        *("accounts.person", "seats.account", "holders.person", "tables.maker", "played.account"),
        *("entrants.account", "tournaments.maker", "boards.person"),
        "pending.account_id",  # links on their way, for minutes
        *("gallery.account", "visitors.account", "reports.account"),
        *("questions.owner", "leases.owner"),  # a process
    }
    told = {str(whose) for whose, _ in OTHER.values()}
    assert {str(one) for one in of_somebody} == told | elsewhere


def test_nothing_of_a_deleted_account_is_left(accounts: Accounts, stored: Tables) -> None:
    ann = accounts.register("Ann", password="correct horse")
    person = accounts.person(ann.id)
    accounts.new_codes(ann)
    accounts.sessions.open(ann, "Firefox", stored.clock())
    accounts.tokens.make(ann, "bot", ["play"], 3, stored.clock())
    accounts.ask_mail(ann, "ann@example.com")
    stored.create(BARRAGE, OPEN, person=person)
    everywhere(accounts, stored, ann)
    accounts.delete(ann)
    with stored.store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name == "guesses":  # digests, for a day
                continue
            text = repr(connection.execute(sa.select(table)).all())
            for trace in ("Ann", ann.id, ann.person, "ann@example.com"):
                assert trace not in text, table.name


def test_a_new_secret_of_the_server_parts_nobody_from_what_is_kept_of_them(
    accounts: Accounts, stored: Tables
) -> None:
    ann = accounts.register("Ann", password="correct horse")
    everywhere(accounts, stored, ann)
    before = exported(accounts, ann)
    later = Accounts(stored, "another secret of the server")
    again = later.at_home(ann)
    passing = ("here", "open_pages", "waits_for_somebody")  # gone within minutes
    kept = {name: what for name, what in before.items() if name not in passing}
    assert kept == {name: exported(later, again)[name] for name in kept}
    later.delete(again)
    with stored.store.reading() as connection:
        for table in schema.metadata.sorted_tables:
            if table.name not in ("visitors", "pages", "seeks"):
                assert ann.person not in repr(connection.execute(sa.select(table)).all()), table


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


def test_the_export_does_not_tell_what_a_bot_does_at_a_seat_that_was_left(
    accounts: Accounts, stored: Tables
) -> None:
    """It may be secret still, and whoever has left may sit at the table by another name."""
    ann = accounts.register("Ann")
    person = accounts.person(ann.id)
    plans = [*OPEN, SeatPlan("open")]
    table_id = stored.create(f"{DUEL}(players=3)", plans, person=person).table_id
    for seat, other in ((1, "bob"), (2, "cat")):
        stored.take_seat(table_id, seat, other)

    def act(whose: str) -> None:
        snapshot = stored.snapshot(table_id)
        action = snapshot.state.legal_actions(0)[0]
        if whose == "bot":
            stored.act_for_bot(table_id, 0, [action], snapshot.decision(0))
        else:
            stored.act(table_id, whose, [action], snapshot.decision(0))

    act(person)
    stored.resign(table_id, person)
    act("bot")
    assert stored.snapshot(table_id).sealed
    (table,) = exported(accounts, ann)["tables"]
    assert [one["kind"] for one in table["decisions"]] == ["act", "leave"]
