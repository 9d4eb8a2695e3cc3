"""Tournaments from the first entry to the last game, and what can go wrong on the way."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.lobby.conftest import Clock
from tests.tournaments.conftest import DUEL, NAMES, THREE, Club
from tianxia.kernel import mode
from tianxia.ratings import Ratings
from tianxia.ratings.service import places
from tianxia.tables import NotNow, NotYourSeat, Refused, SeatTaken, TableError, Tables
from tianxia.tables.store import Conflict
from tianxia.tournaments import Wish
from tianxia.tournaments.errors import BadWish, UnknownTournament
from tianxia.tournaments.model import COME_SECONDS
from tianxia.tournaments.service import FURTHEST, MOST_AT_ONCE


def test_a_tournament_of_six_finishes(club: Club) -> None:
    club.make(*NAMES, rounds=3)
    met: Counter[frozenset[str]] = Counter()
    for number in (1, 2, 3):
        found = club.found()
        assert (found.tournament.round, found.tournament.status) == (number, "playing")
        for names in club.games():
            met[frozenset(names)] += 1
            table = club.table(names[0])
            club.come(*names)
            club.play(table, names, seed=number)
        club.all.sweep()
    found = club.found()
    assert (found.tournament.status, found.tournament.round) == ("over", 3)
    assert sum(club.points().values()) == 9
    assert [one.points for one in found.standings] == sorted(club.points().values(), reverse=True)
    assert max(met.values()) == 1
    assert len(met) == 9
    assert all(row.points is not None for row in found.rows)
    assert club.all.sweep() == 0


def test_the_games_are_the_tournaments(club: Club) -> None:
    """Rated, listed to be watched, with seeds of both; nobody can leave, close or call them off."""
    club.make(*NAMES[:4])
    table = club.table("Ada")
    snapshot = club.tables.snapshot(table)
    assert (snapshot.status, snapshot.rated, snapshot.public) == ("waiting", True, True)
    assert snapshot.tournament_id == club.cup
    assert club.tables.waiting() == []  # nobody else sits down there
    timing, person = club.tables.timing, club.person("Ada")
    for refused in (timing.leave, timing.close, timing.fill):
        with pytest.raises(NotNow, match="tournament"):
            refused(table, person)
    with pytest.raises(SeatTaken):
        club.tables.take_seat(table, 0, club.person("Eve"))
    names = next(names for names in club.games() if "Ada" in names)
    club.come(*names)
    snapshot = club.tables.snapshot(table)
    assert set(snapshot.chance_seeds) == {f"seed of {name}" for name in names}
    assert not snapshot.may_call_off
    with pytest.raises(NotNow, match="tournament"):
        timing.call_off(table, person)
    club.resign("Ada")
    club.all.sweep()
    assert club.points()["Ada"] == 0
    assert club.table("Ada") == ""


def test_with_five_each_rests_once_at_most_and_that_is_a_win(club: Club) -> None:
    club.make(*NAMES[:5], rounds=5)
    rested = []
    for _ in range(5):
        found = club.found()
        (bye,) = found.byes(found.tournament.round)
        rested.append(bye.entrant)
        assert bye.points == 1.0
        for names in club.games():
            club.come(*names)
            club.resign(names[0])
        club.all.sweep()
    assert sorted(rested) == [1, 2, 3, 4, 5]
    assert club.found().tournament.status == "over"


def test_everybody_meets_everybody(club: Club) -> None:
    club.make(*NAMES[:4], system="round-robin", rounds=1)
    met: Counter[frozenset[str]] = Counter()
    for _ in range(3):
        for names in club.games():
            met[frozenset(names)] += 1
            club.come(*names)
            club.resign(max(names))
        club.all.sweep()
    assert len(met) == 6
    assert club.found().tournament.status == "over"
    assert club.points() == {"Ada": 3, "Bea": 2, "Cid": 1, "Dan": 0}


def test_a_draw_is_half_a_point(club: Club) -> None:
    club.make(*NAMES[:3])
    (names,) = club.games()
    table = club.table(names[0])
    club.come(*names)
    club.tables.offer_draw(table, club.person(names[0]))
    club.tables.answer_draw(table, club.person(names[1]), accept=True)
    club.all.sweep()
    first = [row.points for row in club.found().rows if row.round == 1]
    assert sorted(point or 0 for point in first) == [0.5, 0.5, 1.0]


def test_tables_of_three(club: Club) -> None:
    club.make(*NAMES, spec=THREE, rounds=2)
    first = [set(names) for names in club.games()]
    assert [len(names) for names in first] == [3, 3]
    for names in club.games():
        table = club.table(names[0])
        club.come(*names)
        club.play(table, names)
    club.all.sweep()
    assert sum(club.points().values()) == 6  # three a table: 2, 1, 0, or shared
    assert club.found().tournament.round == 2
    assert [set(names) for names in club.games()] != first


def test_whoever_never_came_to_a_table_of_three_is_last_there(club: Club) -> None:
    club.make("Ada", "Bea", "Cid", spec=THREE, rounds=1)
    names, table = club.games()[0], club.table("Ada")
    club.come("Ada", "Bea")
    club.clock.now += COME_SECONDS
    club.all.sweep()
    club.play(table, names)
    placed = places(club.tables.snapshot(table)) or ()
    last = [names[seat] for seat, place in enumerate(placed) if place == max(placed)]
    assert last == ["Cid"]  # whatever the bot has won in their place
    club.all.sweep()
    assert club.points()["Cid"] == 0
    assert sum(club.points().values()) == 3  # two and one, or shared, for those who played
    ratings = Ratings(club.tables)
    ratings.settle()
    found = {name: ratings.of(club.account(name).id)[DUEL, "quick"].mu for name in names}
    assert found["Cid"] < min(found["Ada"], found["Bea"])


def test_entering(club: Club) -> None:
    club.make("Ada", "Bea", begin=False)
    club.all.enter(club.cup, club.account("Bea"))  # again: nothing happens
    assert [one.name for one in club.found().entrants] == ["Ada", "Bea"]
    club.all.withdraw(club.cup, club.account("Ada"))
    assert [one.name for one in club.found().entrants] == ["Bea"]
    with pytest.raises(NotNow, match="do not play"):
        club.all.withdraw(club.cup, club.account("Ada"))
    with pytest.raises(NotNow, match="3 people"):
        club.all.begin(club.cup, club.account("Ada"))
    with pytest.raises(NotYourSeat):
        club.all.begin(club.cup, club.account("Bea"))
    with pytest.raises(NotYourSeat):
        club.all.end(club.cup, club.account("Bea"))
    club.all.end(club.cup, club.account("Ada"))
    assert club.found().tournament.status == "off"
    with pytest.raises(NotNow, match="over"):
        club.all.enter(club.cup, club.account("Cid"))
    with pytest.raises(UnknownTournament):
        club.all.get("nothing")


def test_one_enters_late_in_the_first_half_of_a_swiss_one(club: Club) -> None:
    club.make(*NAMES[:4], rounds=3)
    assert club.found().tournament.takes
    club.all.enter(club.cup, club.account("Eve"))
    assert all("Eve" not in names for names in club.games())
    club.finish_round()
    found = club.found()
    assert found.tournament.round == 2
    late = found.of_account(club.account("Eve").id)
    assert late is not None
    paired = [row for row in found.rows if row.entrant == late.number]
    assert [row.round for row in paired] == [2]
    assert not found.tournament.takes
    with pytest.raises(NotNow, match="too late"):
        club.all.enter(club.cup, club.account("Fay"))
    while club.found().tournament.status == "playing":
        club.finish_round()
    points = {one.entrant: one.points for one in club.found().standings}
    assert 0 <= points[late.number] <= 2  # of three rounds two


def test_nobody_enters_a_round_robin_late(club: Club) -> None:
    club.make(*NAMES[:4], system="round-robin")
    assert not club.found().tournament.takes
    with pytest.raises(NotNow, match="too late"):
        club.all.enter(club.cup, club.account("Eve"))


def test_programs_enter_where_they_may(club: Club) -> None:
    bot = club.accounts.register("Robo", password="a long password", bot=True)
    club.make("Ada", begin=False)
    with pytest.raises(Refused, match="Only people"):
        club.all.enter(club.cup, bot)
    club.make("Ada", begin=False, bots=True)
    club.all.enter(club.cup, bot)
    assert [one.bot for one in club.found().entrants] == [False, True]


def test_who_withdraws_is_paired_no_more_and_may_come_back(club: Club) -> None:
    club.make(*NAMES[:5], rounds=4)
    club.all.withdraw(club.cup, club.account("Ada"))
    club.finish_round()
    assert "Ada" not in {name for names in club.games() for name in names}
    club.all.enter(club.cup, club.account("Ada"))
    club.finish_round()
    assert club.found().tournament.round == 3
    assert len(club.found().playing) == 5
    while_playing = {name for names in club.games() for name in names}
    byes = {club.found().by_number[row.entrant].name for row in club.found().byes(3)}
    assert while_playing | byes == set(NAMES[:5])


def test_a_round_robin_goes_on_without_who_withdraws(club: Club) -> None:
    club.make(*NAMES[:4], system="round-robin")
    club.finish_round()
    club.all.withdraw(club.cup, club.account("Dan"))
    club.finish_round()
    found = club.found()
    assert found.tournament.round == 3
    dan = found.of_account(club.account("Dan").id)
    assert dan is not None
    alone = {row.entrant: row.points for row in found.byes(3)}
    assert alone.pop(dan.number) == 0.0
    assert list(alone.values()) == [1.0]  # whose turn against Dan it was has won


def test_of_two_who_shun_one_another_neither_meets_the_other(club: Club) -> None:
    club.all._shunned.shun(
        club.account("Ada").person, club.account("Cid").person, "block", "Cid", 0.0
    )
    club.make(*NAMES[:4], rounds=2)  # by strength Ada would meet Cid
    assert {"Ada", "Cid"} not in [set(names) for names in club.games()]


# --- When it begins and ends ---


def test_it_begins_by_itself_or_is_called_off(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4], begin=False, starts=clock.now + 600)
    late = club.cup
    club.make("Ada", begin=False, starts=clock.now + 600)
    lonely = club.cup
    club.all.sweep()
    assert club.all.get(late).tournament.status == "open"
    clock.now += 601
    club.all.sweep()
    assert club.all.get(late).tournament.status == "playing"
    assert all(row.table_id for row in club.all.get(late).rows)
    assert club.all.get(lonely).tournament.status == "off"


def test_who_looks_after_the_server_may_end_any_and_it_is_noted(club: Club) -> None:
    from tianxia.lobby.keeping import Keeping

    club.make(*NAMES[:4])
    keeping = Keeping(club.accounts)
    admin = keeping.promote("somebody", club.account("Fay").name, admin=True)
    club.all.end(club.cup, admin)
    assert club.found().tournament.status == "over"
    assert keeping.audit()[0].what == "end-tournament"
    names = club.games()[0]
    assert club.table(names[0]) == ""
    table = club.found().boards(1)[0][0].table_id
    for name in names:  # the games that were made can be played, and count for nothing here
        club.tables.add_seed(table, club.person(name), "x")
    assert club.tables.snapshot(table).status == "playing"
    assert club.all.sweep() == 0


def test_who_looks_after_the_server_renames_and_closes_any_and_it_is_noted(club: Club) -> None:
    from tianxia.lobby.keeping import Keeping

    club.make(*NAMES[:4])
    with pytest.raises(BadWish, match="name"):
        club.all.rename("Host", club.cup, " \u200b", "")
    club.all.rename("Host", club.cup, "Spring cup", "It was rude.")
    assert club.found().tournament.name == "Spring cup"
    club.all.close("Host", club.cup, "It was spam.")
    assert club.found().tournament.status == "over"
    with pytest.raises(NotNow, match="over"):
        club.all.close("Host", club.cup, "")
    deeds = Keeping(club.accounts).audit()
    assert [(one.who, one.what, one.about, one.why) for one in deeds] == [
        ("Host", "end-tournament", "Spring cup", "It was spam."),
        ("Host", "rename-tournament", "Cup → Spring cup", "It was rude."),
    ]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ({"name": " \u200b"}, "name"),
        ({"spec": "chess"}, "no such game"),
        ({"spec": f"{DUEL}(players=9)"}, "cannot be made"),
        ({"pace": ""}, "Choose a clock"),
        ({"pace": "5 minutes"}, "no such clock"),
        ({"system": "knock-out"}, "swiss, round-robin"),
        ({"system": "round-robin", "spec": THREE}, "games of two"),
        ({"rounds": 0}, "1 to 15"),
        ({"rounds": 16}, "1 to 15"),
        ({"starts": 1.0}, "lies ahead"),
    ],
)
def test_what_cannot_be(club: Club, wish: dict[str, Any], says: str) -> None:
    facts: dict[str, Any] = {"name": "Cup", "spec": DUEL, "pace": "300+5", **wish}
    with pytest.raises(TableError, match=says):
        club.all.make(club.account("Ada"), Wish(**facts))
    assert club.all.of_account(club.account("Ada").id) == []


def test_nobody_makes_very_many_and_private_ones_are_not_listed(club: Club, clock: Clock) -> None:
    for _ in range(MOST_AT_ONCE):
        club.make("Ada", begin=False, public=False)
    with pytest.raises(Refused, match="3 tournaments"):
        club.make("Ada", begin=False)
    club.all.end(club.cup, club.account("Ada"))
    club.make("Ada", begin=False)
    assert [one.id for one in club.all.listed("open")] == [club.cup]
    assert len(club.all.of_account(club.account("Ada").id)) == MOST_AT_ONCE
    assert club.all.how_many([club.cup]) == {club.cup: 1}
    far = Wish("Cup", DUEL, "3d", starts=clock.now + FURTHEST + 60)
    with pytest.raises(Refused, match="60 days"):
        club.all.make(club.account("Bea"), far)


def test_what_was_based_on_an_older_version_is_not_written(club: Club) -> None:
    club.make("Ada", "Bea", "Cid", begin=False)
    found = club.found()
    club.all.enter(club.cup, club.account("Dan"))
    assert not club.all._next_round(found)
    assert club.found().tournament.status == "open"
    with pytest.raises(Conflict), club.tables.store.writing() as connection:
        club.all._move(connection, found.tournament)


def test_the_command_ends_and_renames_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    from typer.testing import CliRunner

    from tianxia.cli import app

    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    monkeypatch.setenv("TIANXIA_DATABASE", url)
    monkeypatch.setattr(mode, "interpret", lambda: None)  # this process has settled that
    with Tables(url) as tables:
        club = Club(tables, clock)
        club.make(*NAMES[:4])
        for words in (["rename-tournament", club.cup, "Spring cup"], ["end-tournament", club.cup]):
            result = CliRunner().invoke(app, ["admin", *words, "--why", "asked for"])
            assert "Done, and noted." in result.output, result.output
        tournament = club.found().tournament
        assert (tournament.name, tournament.status) == ("Spring cup", "over")
    audit = CliRunner().invoke(app, ["admin", "audit"]).output
    assert "end-tournament" in audit
    assert "asked for" in audit
    assert CliRunner().invoke(app, ["admin", "end-tournament"]).exit_code == 2
