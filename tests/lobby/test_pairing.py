"""Pairing: who meets whom, once, and who is not there any more; and who is here."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from tests.lobby.conftest import Clock
from tests.tables.helpers import BARRAGE, DUEL
from tianxia.accounts import Accounts
from tianxia.lobby import Lobby
from tianxia.lobby.service import ALIVE, HERE
from tianxia.tables import NotNow, NotYourSeat, SeatPlan, SeatTaken, Tables
from tianxia.tables.errors import TooMany, TooManyWaiting
from tianxia.tables.people import digest


def test_two_who_want_the_same_meet(lobby: Lobby) -> None:
    ann = lobby.seek("ann", "Ann", BARRAGE, "300+5")
    assert ann.table_id == ""
    assert lobby.seek("cat", "Cat", BARRAGE, "3d").table_id == ""
    assert lobby.seek("dan", "Dan", DUEL, "300+5").table_id == ""
    bob = lobby.seek("bob", "Bob", BARRAGE, "300+5")
    assert bob.table_id
    assert lobby.look(ann.id, "ann").table_id == bob.table_id
    assert lobby.tables.snapshot(bob.table_id).status == "waiting"
    for name in ("ann", "bob"):  # the game begins when both have come, each with a seed
        snapshot = lobby.tables.add_seed(bob.table_id, name, f"seed of {name}")
    assert set(snapshot.chance_seeds) == {"seed of ann", "seed of bob"}
    assert (snapshot.status, snapshot.public) == ("playing", True)
    assert {seat.name for seat in snapshot.seats} == {"Ann", "Bob"}
    seats = {lobby.tables.seat_of(bob.table_id, who) for who in ("ann", "bob")}
    assert seats == {0, 1}
    seat = lobby.tables.seat_of(bob.table_id, "ann") or 0
    key = lobby.tables.seat_key(bob.table_id, seat, "ann")
    assert lobby.tables.enter(bob.table_id, key, "phone") == seat
    assert [one.name for one in lobby.seeks("eve")] == ["Cat", "Dan"]


def test_who_asks_twice_is_led_to_whom_they_have_met(lobby: Lobby) -> None:
    lobby.seek("ann", "Ann", BARRAGE)
    met = lobby.seek("bob", "Bob", BARRAGE).table_id
    again = lobby.seek("bob", "Bob", BARRAGE)  # the button was pressed twice
    assert (again.table_id, lobby.seeks("eve")) == (met, [])
    assert lobby.seek("bob", "Bob", DUEL).table_id == ""  # another wish
    lobby.tables.add_seed(met, "bob", "is there")
    assert lobby.seek("bob", "Bob", BARRAGE).table_id == ""  # one more game
    lobby.tables.timing.leave(met, "ann")
    assert lobby.seek("ann", "Ann", BARRAGE).table_id not in ("", met)


def test_three_meet_where_three_play_and_the_longest_waits_least(
    lobby: Lobby, clock: Clock
) -> None:
    spec = f"{DUEL}(players=3)"
    for name in ("ann", "bob"):
        assert lobby.seek(name, name, spec).table_id == ""
        clock.now += 1
    met = lobby.seek("cat", "Cat", spec).table_id
    assert len(lobby.tables.snapshot(met).seats) == 3
    first, second = lobby.seek("ann", "Ann", BARRAGE), lobby.seek("bob", "Bob", BARRAGE)
    assert second.table_id == lobby.look(first.id, "ann").table_id != ""


def test_a_game_is_rated_where_all_have_accounts_and_want_that(lobby: Lobby) -> None:
    accounts = Accounts(lobby.tables, "a secret for tests only")
    ann, bob = (
        accounts.person(accounts.register(name, password="correct horse").id)
        for name in ("Ann", "Bob")
    )
    for first, second, rated in (
        ((ann, True), (bob, True), True),
        ((ann, True), (bob, False), False),
        ((ann, True), ("guest", True), False),
    ):
        waits = lobby.seek(first[0], "", BARRAGE, rated=first[1])
        assert waits.rated
        table_id = lobby.seek(second[0], "", BARRAGE, rated=second[1]).table_id
        assert lobby.tables.snapshot(table_id).rated == rated
        assert lobby.look(waits.id, ann).table_id == table_id
        for one in (first[0], second[0]):
            lobby.tables.add_seed(table_id, one, "is there")
    assert not lobby.seek("guest", "Guest", BARRAGE, rated=True).rated


def test_who_comes_back_meets_who_has_come_meanwhile(lobby: Lobby, clock: Clock) -> None:
    ann = lobby.seek("ann", "Ann", BARRAGE)
    clock.now += ALIVE + 1  # her phone sleeps
    bob = lobby.seek("bob", "Bob", BARRAGE)
    assert bob.table_id == ""
    clock.now += 10
    met = lobby.look(ann.id, "ann").table_id
    assert met == lobby.look(bob.id, "bob").table_id != ""
    seats = lobby.tables.snapshot(met).seats
    assert {seat.name for seat in seats} == {"Ann", "Bob"}
    cat = lobby.seek("cat", "Cat", BARRAGE)
    clock.now += ALIVE + 1
    assert lobby.look(cat.id, "cat").table_id == ""  # nobody has come
    assert lobby.seek("dan", "Dan", BARRAGE).table_id


def test_who_is_gone_is_not_paired(lobby: Lobby, clock: Clock) -> None:
    ann = lobby.seek("ann", "Ann", BARRAGE)
    clock.now += ALIVE - 1
    lobby.look(ann.id, "ann")  # still there
    clock.now += ALIVE - 1
    assert [one.name for one in lobby.seeks("bob")] == ["Ann"]
    clock.now += 2
    assert lobby.seeks("bob") == []
    assert lobby.seek("bob", "Bob", BARRAGE).table_id == ""
    lobby.give_up(lobby.seek("bob", "Bob", BARRAGE).id, "bob")
    with pytest.raises(NotNow):
        lobby.look(ann.id, "bob")  # not theirs


def test_nobody_meets_themselves_or_waits_twice(lobby: Lobby) -> None:
    first = lobby.seek("ann", "Ann", BARRAGE)
    assert lobby.seek("ann", "Ann", BARRAGE).table_id == ""
    assert len(lobby.seeks("bob")) == 1
    with pytest.raises(NotNow):
        lobby.look(first.id, "ann")


def test_of_many_at_once_each_meets_one(lobby: Lobby) -> None:
    found: dict[str, str] = {}
    failed: list[BaseException] = []

    def come(name: str) -> None:
        try:
            found[name] = lobby.seek(name, name, BARRAGE).id
        except BaseException as error:
            failed.append(error)
            raise

    names = [f"p{n}" for n in range(6)]
    threads = [threading.Thread(target=come, args=[name]) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    tables = [lobby.look(found[name], name).table_id for name in names]
    met = [table for table in tables if table]
    assert all(met.count(table) == 2 for table in met)
    # Whoever came last saw all the others: nobody waits who could have met.
    assert len(lobby.seeks("")) <= 1 or len(met) >= 4


def test_whom_one_has_blocked_one_does_not_meet(lobby: Lobby, clock: Clock) -> None:
    lobby.shunned.shun(digest("bob"), digest("ann"), "block", "Ann", clock())
    lobby.seek("ann", "Ann", BARRAGE)
    assert lobby.seek("bob", "Bob", BARRAGE).table_id == ""
    assert lobby.seeks("bob") == []
    lobby.seek("ann", "Ann", BARRAGE)
    assert (
        lobby.look(lobby.seek("ann", "Ann", BARRAGE).id, "ann").table_id == ""
    )  # nor the other way
    lobby.shunned.forgive(digest("bob"), digest("ann"))
    assert lobby.seek("bob", "Bob", BARRAGE).table_id


def test_who_is_here(lobby: Lobby, clock: Clock) -> None:
    accounts = Accounts(lobby.tables, "a secret for tests only")
    ann = accounts.register("Ann")
    lobby.visit(accounts.person(ann.id))
    lobby.visit("a guest")
    lobby.visit("a guest")
    assert lobby.here().names == ("Ann",)
    assert lobby.here().count == 2
    clock.now += HERE + 1
    assert lobby.here().count == 0


# --- Challenges ---


def test_a_challenge_waits_for_one_account_only(lobby: Lobby) -> None:
    tables, accounts = lobby.tables, Accounts(lobby.tables, "a secret for tests only")
    bob, eve = accounts.register("Bob"), accounts.register("Eve")
    plans = [SeatPlan("me"), SeatPlan("kept", account=bob.id, name=bob.name)]
    table = tables.create(BARRAGE, plans, person="ann", nickname="Ann").table_id
    assert [one.id for one in tables.asked_to(bob.id)] == [table]
    assert tables.asked_to(eve.id) == []
    for other in ("cat", accounts.person(eve.id)):
        with pytest.raises(SeatTaken):
            tables.take_seat(table, 1, other)
    with pytest.raises(NotYourSeat):
        tables.decline(table, eve.id)
    tables.take_seat(table, 1, accounts.person(bob.id))
    assert tables.snapshot(table).status == "playing"
    again = tables.create(BARRAGE, plans, person="ann", nickname="Ann").table_id
    tables.decline(again, bob.id)
    assert tables.asked_to(bob.id) == []
    tables.take_seat(again, 1, "cat", "Cat")


# --- Lists ---


def test_nobody_pushes_others_off_the_list(lobby: Lobby) -> None:
    tables = lobby.tables
    plans = [SeatPlan("me"), SeatPlan("open")]
    honest = tables.create(BARRAGE, plans, person="ann", public=True, origin="home").table_id
    made = 0
    for number in range(51):
        try:
            tables.create(BARRAGE, plans, person=f"p{number}", public=True, origin="one address")
        except TooManyWaiting:
            continue
        made += 1
    assert made == 6
    for _ in range(3):
        with pytest.raises(TooManyWaiting):
            tables.create(BARRAGE, plans, person="p0", public=True, origin="one address")
    assert honest in [one.id for one in tables.waiting()]


def test_nobody_pushes_those_off_the_list_who_wait_for_others(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, refused = 0, 0
    for number in range(60):
        try:
            lobby.seek(f"p{number}", "spam", BARRAGE, f"{60 + number}+1", origin="one address")
            made += 1
        except TooMany:
            refused += 1
    honest = lobby.seek("ann", "Ann", BARRAGE, "600+10", origin="home")
    assert honest.id in [one.id for one in lobby.seeks("bob")]
    assert (made, refused) == (12, 48)
    lobby.seek("p0", "other wish", BARRAGE, "30+1", origin="one address")  # for the one before
    later = lobby.tables.clock() + ALIVE + 1
    monkeypatch.setattr(lobby.tables, "clock", lambda: later)  # none of them has asked since
    lobby.seek("p99", "spam", BARRAGE, "60+1", origin="one address")


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("waiting", "ix_tables_status_updated"),
        ("watchable", "ix_tables_public_status_created"),
        ("seeks", "ix_seeks_table_id_at"),
        ("asked_to", "ix_seats_account"),
    ],
)
def test_lists_do_not_read_all_tables(lobby: Lobby, query: str, index: str) -> None:
    if not lobby.store.sqlite:
        pytest.skip("PostgreSQL reads small relations as a whole, whatever there is to read by")
    statements: list[tuple[str, object]] = []

    def note(_c: object, _x: object, statement: str, given: object, *_: object) -> None:
        statements.append((statement, given))

    sa.event.listen(lobby.store.engine, "before_cursor_execute", note)
    what = {
        "waiting": lobby.tables.waiting,
        "watchable": lobby.tables.watchable,
        "seeks": lambda: lobby.seeks("ann"),
        "asked_to": lambda: lobby.tables.asked_to("somebody"),
    }[query]
    what()
    statement, given = next(one for one in statements if one[0].startswith("SELECT"))
    with lobby.store.reading() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given).all()  # type: ignore[arg-type]
    text = " ".join(str(row) for row in plan)
    assert index in text
    assert "SCAN tables" not in text


def test_games_of_strangers_can_be_watched(lobby: Lobby, clock: Clock) -> None:
    lobby.seek("ann", "Ann", BARRAGE)
    clock.now += 1
    table = lobby.seek("bob", "Bob", BARRAGE).table_id
    for name in ("ann", "bob"):
        lobby.tables.add_seed(table, name, name)
    quiet = lobby.tables.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="cat").table_id
    lobby.tables.take_seat(quiet, 1, "dan")
    assert [one.id for one in lobby.tables.watchable()] == [table]


def test_another_worker_pairs_too(lobby: Lobby, url: str, clock: Clock) -> None:
    ann = lobby.seek("ann", "Ann", BARRAGE)
    with Tables(url, clock=clock) as other:
        met = Lobby(other).seek("bob", "Bob", BARRAGE).table_id
        assert met
    assert lobby.look(ann.id, "ann").table_id == met


def test_refusals_are_said_in_the_language_of_who_asks(lobby: Lobby) -> None:
    """The lobby has translations of its own: its refusals came in English before."""
    with pytest.raises(NotNow) as refused:
        lobby.look("no-such-seek", "ann")
    assert refused.value.text("fr") == "Vous n’attendez plus personne."
