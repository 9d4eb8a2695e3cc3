"""What goes wrong in tournaments, on both kinds of databases: people who vanish, and processes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from tests.lobby.conftest import Clock
from tests.tables.conftest import url
from tests.tournaments.conftest import NAMES, THREE, Club
from tianxia.accounts.exporting import exported
from tianxia.lobby.keeping import Keeping
from tianxia.tables import schema
from tianxia.tournaments import Found, Tournaments
from tianxia.tournaments.model import COME_SECONDS
from tianxia.tournaments.service import BEAT

__all__ = ["url"]


def test_who_does_not_come_has_lost_and_is_paired_no_more(club: Club, clock: Clock) -> None:
    """Whoever has not come two minutes after the round began has lost that game, and is out."""
    club.make(*NAMES[:4], rounds=3)
    pairs = club.games()
    (here, away), others = pairs[0], pairs[1]
    club.come(here, *others)
    club.resign(others[0])
    clock.now += COME_SECONDS - 1
    club.all.sweep()
    assert club.found().tournament.round == 1  # not yet
    clock.now += 2
    club.all.sweep()
    assert club.points()[here] == 1.0
    assert club.points()[away] == 0.0
    assert club.gone(away)
    found = club.found()
    assert found.tournament.round == 2
    assert away not in {name for names in club.games() for name in names}
    club.all.enter(club.cup, club.account(away))  # it is back for the third round
    assert not club.gone(away)


def test_of_two_who_both_do_not_come_neither_has_won(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4])
    pairs = club.games()
    club.come(*pairs[0])
    club.resign(pairs[0][0])
    clock.now += COME_SECONDS + 1
    club.all.sweep()
    assert [club.points()[name] for name in pairs[1]] == [0.0, 0.0]
    assert club.found().playing == [
        one.number for one in club.found().entrants if one.name in pairs[0]
    ]


def test_by_mail_one_has_as_long_to_come_as_for_a_decision(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4], pace="3d")
    clock.now += 3 * 86400 - 10
    club.all.sweep()
    assert club.found().tournament.round == 1
    assert club.found().tournament.status == "playing"
    clock.now += 20
    club.all.store.beat(clock.now - 1, BEAT)  # somebody has looked after it all the time
    club.all.sweep()
    assert club.found().tournament.status == "over"  # nobody is left


def test_who_vanishes_in_the_game_loses_by_the_clock_and_is_out(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4])
    names = club.games()[0]
    club.come(*names)
    table = club.table(names[0])
    seat = club.tables.snapshot(table).acting[0]
    act(club, table, names, skip=seat)  # the other one has decided, if they could
    clock.now += 301
    assert club.tables.timing.flag(table)
    club.all.sweep()
    lost = names[int(club.tables.snapshot(table).ending.partition(" ")[2])]
    assert club.gone(lost)
    assert club.points()[lost] == 0.0


def act(club: Club, table: str, names: list[str], *, skip: int) -> None:
    """Let the others decide all that they can in secret."""
    while others := [one for one in club.tables.snapshot(table).acting if one != skip]:
        for seat in others:
            snapshot = club.tables.snapshot(table)
            action = snapshot.view(seat).legal_actions(seat)[0]
            club.tables.act(table, club.person(names[seat]), [action], snapshot.decision(seat))


def test_at_a_larger_table_a_bot_plays_for_who_does_not_come(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:3], spec=THREE, rounds=2)
    (names,) = club.games()
    club.come(*names[:2])
    clock.now += COME_SECONDS + 1
    club.all.sweep()
    table = club.table(names[0])
    snapshot = club.tables.snapshot(table)
    assert snapshot.status == "playing"
    assert [one.kind for one in snapshot.seats] == ["person", "person", "bot"]
    club.resign(names[0])
    club.tables.resign(table, club.person(names[1]))
    assert club.tables.snapshot(table).status == "over"
    club.all.sweep()
    assert club.points()[names[2]] <= min(club.points().values())
    assert club.gone(names[2])
    assert club.found().tournament.status == "over"  # two are too few for a table


def test_of_processes_that_begin_a_round_at_once_one_does(
    club: Club, second: Callable[[], Club]
) -> None:
    """The first one to write has begun it, and the others find it begun: the database decides."""
    club.make(*NAMES, rounds=3)
    for names in club.games():
        club.come(*names)
        club.resign(names[0])
    others = [club, second(), second()]
    barrier, failed = threading.Barrier(len(others)), []

    def sweep(one: Club) -> None:
        barrier.wait()
        try:
            one.all.sweep()
        except Exception as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=sweep, args=(one,)) for one in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    found = club.found()
    assert found.tournament.round == 2
    assert sorted(row.entrant for row in found.rows if row.round == 2) == [1, 2, 3, 4, 5, 6]
    tables = {row.table_id for row in found.rows if row.round == 2}
    assert len(tables) == 3
    assert "" not in tables
    games = [one for one in club.tables.store.ids() if one not in {r.table_id for r in found.rows}]
    assert games == []  # no table was made twice


def test_who_goes_on_after_a_process_that_has_died_makes_the_tables_that_are_missing(
    club: Club, second: Callable[[], Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round that was begun goes on, its tables are made, and no game counts twice."""
    club.make(*NAMES[:4], begin=False, rounds=2)
    make = Tournaments._make_table
    made: list[None] = []

    def die(self: Tournaments, *arguments: Any) -> None:
        if made:
            raise KeyboardInterrupt
        made.append(make(self, *arguments))

    with monkeypatch.context() as patched:
        patched.setattr(Tournaments, "_make_table", die)
        with pytest.raises(KeyboardInterrupt):
            club.all.begin(club.cup, club.account("Ada"))
    assert sorted(bool(row.table_id) for row in club.found().rows) == [False, False, True, True]
    before = {row.table_id for row in club.found().rows if row.table_id}
    other = second()
    other.cup = club.cup
    other.all.sweep()
    assert all(row.table_id for row in other.found().rows)
    assert before < {row.table_id for row in other.found().rows}
    with monkeypatch.context() as patched:
        patched.setattr(Tournaments, "_next_round", lambda *_: False)  # dies after counting
        for names in other.games():
            other.come(*names)
            other.resign(names[0])
        other.all.sweep()
    assert other.found().tournament.round == 1
    second().all.sweep()
    assert club.found().tournament.round == 2
    assert sum(club.points().values()) == 2


def test_time_in_which_no_server_was_there_costs_nobody_a_game(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4])
    clock.now += 100
    club.all.sweep()
    clock.now += 3600
    club.all.sweep()
    assert club.found().tournament.round == 1
    assert not any(one.gone for one in club.found().entrants)
    due = club.found().tournament.due or 0
    assert COME_SECONDS - 101 < due - clock.now <= COME_SECONDS


def test_a_game_closed_by_who_looks_after_the_server_is_a_tie(club: Club) -> None:
    club.make("Ada", "Bea", "Cid", "Dan", rounds=1)
    first, second = club.games()
    keeping = Keeping(club.accounts)
    keeping.close("Host", club.table(first[0]), "before anybody has come")
    club.come(*second)
    keeping.close("Host", club.table(second[0]), "in the middle of it")
    club.all.sweep()
    assert set(club.points().values()) == {0.5}
    assert not any(club.gone(name) for name in (*first, *second))


def test_an_account_is_deleted_in_mid_tournament(club: Club) -> None:
    """It has lost the game that it plays; its results stay, without a name."""
    club.make(*NAMES[:4], rounds=3)
    club.finish_round()
    names = next(names for names in club.games() if "Bea" in names)
    (other,) = set(names) - {"Bea"}
    before, others = club.points(), next(one for one in club.games() if "Bea" not in one)
    club.accounts.delete(club.account("Bea"))
    club.all.sweep()
    found = club.found()
    assert sorted(one.name for one in found.entrants) == ["", "Ada", "Cid", "Dan"]
    nobody = next(one for one in found.entrants if not one.account)
    assert nobody.gone
    points = {one.entrant: one.points for one in found.standings}
    assert points[nobody.number] == before["Bea"]
    assert club.points()[other] == before[other] + 1
    club.come(*others)
    club.resign(others[0])
    club.all.sweep()
    assert club.found().tournament.round == 3
    assert nobody.number not in club.found().playing


def test_an_account_that_waits_for_the_beginning_is_deleted_with_its_entry(club: Club) -> None:
    club.make("Ada", "Bea", begin=False)
    club.accounts.delete(club.account("Bea"))
    assert [one.name for one in club.found().entrants] == ["Ada"]
    club.accounts.delete(club.account("Ada"))
    assert club.found().tournament.maker == ""


def test_what_is_stored_about_somebody_names_their_tournaments(club: Club) -> None:
    club.make(*NAMES[:3])
    (names,) = club.games()
    for name in NAMES[:3]:
        (mine,) = exported(club.accounts, club.account(name))["tournaments"]
        assert (mine["name"], mine["made"], mine["entered"]) == ("Cup", name == "Ada", True)
        assert mine["rounds"][0]["points"] == (None if name in names else 1.0)
    assert exported(club.accounts, club.account("Dan"))["tournaments"] == []


def test_an_account_in_the_middle_of_a_game_is_deleted(club: Club) -> None:
    club.make(*NAMES[:4])
    names = club.games()[0]
    club.come(*names)
    club.accounts.delete(club.account(names[1]))
    club.all.sweep()
    assert club.points()[names[0]] == 1.0


def test_two_enter_at_the_same_moment(club: Club, second: Callable[[], Club]) -> None:
    club.make("Ada", begin=False)
    others = [second() for _ in range(3)]
    for one, name in zip(others, NAMES[1:], strict=False):
        one.account(name)
    barrier, failed = threading.Barrier(len(others)), []

    def enter(one: Club, name: str) -> None:
        barrier.wait()
        try:
            one.all.enter(club.cup, one.account(name))
        except Exception as error:  # noqa: BLE001
            failed.append(error)

    threads = [
        threading.Thread(target=enter, args=pair) for pair in zip(others, NAMES[1:], strict=False)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(one.name for one in club.found().entrants) == sorted(NAMES[:4])
    assert sorted(one.number for one in club.found().entrants) == [1, 2, 3, 4]


def test_of_two_who_make_the_tables_of_a_round_each_table_is_made_once(
    club: Club, second: Callable[[], Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have seen that there are none yet: whoever is later undoes its own table."""
    with monkeypatch.context() as patched:
        patched.setattr(Tournaments, "_make_tables", lambda *_: None)
        club.make(*NAMES[:4])
    found, other = club.found(), second()
    assert club.tables.store.ids() == []
    for one in (club, other):
        one.all._make_tables(found)
    made = {row.table_id for row in club.found().rows}
    assert len(made) == 2
    assert sorted(club.tables.store.ids()) == sorted(made)


def test_a_tournament_that_cannot_go_on_holds_up_no_other(
    club: Club, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """Its game is not installed here any more, say; the log tells of it once."""
    starts = clock.now + 60
    club.make(*NAMES[:3], begin=False, starts=starts)
    broken = schema.tournaments.update().values(spec="no-such-game")
    with club.tables.store.writing() as connection:
        connection.execute(broken)
    club.make(*NAMES[:3], begin=False, starts=starts)
    clock.now += 61
    for _ in range(2):
        club.all.sweep()
    assert club.found().tournament.status == "playing"
    assert sum("cannot go on" in line for line in caplog.messages) == 1


def test_whoever_enters_just_as_it_begins_holds_nothing_up(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was said to have begun, and had not."""
    cup = club.make(*NAMES[:3], begin=False)
    begin = club.all._next_round

    def late(found: Found) -> bool:
        monkeypatch.setattr(club.all, "_next_round", begin)
        club.all.enter(cup, club.account("Dan"))
        return begin(found)

    monkeypatch.setattr(club.all, "_next_round", late)
    club.all.begin(cup, club.account("Ada"))
    assert club.found().tournament.status == "playing"
    assert sum(map(len, club.games())) == 4
