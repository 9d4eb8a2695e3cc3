"""Ratings of accounts, from rated games at tables."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from tests.tables.helpers import BARRAGE, SETUP
from tianxia.accounts import Accounts
from tianxia.ratings import Rating, Ratings
from tianxia.ratings.service import NEW, rate
from tianxia.tables import NotNow, Refused, SeatPlan, Snapshot, Tables, Unavailable, schema

SECRET = "a secret for tests only"
THREE = "blind-duel(players=3)"


class Club:
    """Accounts that play rated games."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.accounts = Accounts(tables, SECRET)
        self.ids = {
            name: self.accounts.register(name, password=f"a long password of {name}").id
            for name in ("Ada", "Bea", "Cid")
        }
        self.ratings = Ratings(tables)

    def person(self, name: str) -> str:
        return self.accounts.person(self.ids[name])

    def table(self, *names: str, spec: str = BARRAGE, pace: str = "300+5") -> str:
        plans = [SeatPlan("me"), *[SeatPlan("open")] * (len(names) - 1)]
        made = self.tables.create(spec, plans, person=self.person(names[0]), pace=pace, rated=True)
        for seat, name in enumerate(names[1:], 1):
            self.tables.take_seat(made.table_id, seat, self.person(name))
        return made.table_id

    def set_up(self, table_id: str, *names: str) -> None:
        for seat, name in enumerate(names):
            snapshot = self.tables.snapshot(table_id)
            state, actions = snapshot.state, []
            for token in SETUP:
                actions.append(state.parse(token, seat))
                state.apply(actions[-1], seat)
            self.tables.act(table_id, self.person(name), actions, snapshot.decision(seat))

    def won(self, winner: str, loser: str) -> str:
        table_id = self.table(winner, loser)
        self.set_up(table_id, winner, loser)
        self.tables.resign(table_id, self.person(loser))
        return table_id

    def of(self, name: str, pace: str = "quick") -> Rating:
        return self.ratings.of(self.ids[name]).get(("stratego", pace), NEW)


@pytest.fixture
def club(tables: Tables) -> Club:
    return Club(tables)


def test_who_wins_goes_up_and_both_are_surer(club: Club) -> None:
    club.won("Ada", "Bea")
    assert club.ratings.settle() == 1
    ada, bea = club.of("Ada"), club.of("Bea")
    assert ada.shown > 1500 > bea.shown
    assert ada.sigma < NEW.sigma
    assert ada.provisional
    assert ada.games == 1
    assert club.ratings.settle() == 0  # a game counts once


def test_ties_and_more_than_two() -> None:
    same = rate([NEW, NEW], [0, 0])
    assert same[0].mu == same[1].mu == pytest.approx(NEW.mu)
    three = rate([NEW, NEW, NEW], [1, 0, 1])
    assert three[1].mu > three[0].mu == pytest.approx(three[2].mu)


def test_games_and_paces_have_ratings_of_their_own(club: Club) -> None:
    club.won("Ada", "Bea")
    club.ratings.settle()
    assert set(club.ratings.of(club.ids["Ada"])) == {("stratego", "quick")}


def test_what_ends_before_everybody_has_decided_does_not_count(club: Club) -> None:
    called_off = club.table("Ada", "Bea")
    club.tables.timing.call_off(called_off, club.person("Ada"))
    resigned = club.table("Ada", "Bea")
    club.tables.resign(resigned, club.person("Ada"))
    assert club.ratings.settle() == 0
    assert club.of("Ada") == NEW


def test_what_does_not_count_is_looked_at_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """After every move anywhere it is looked what has ended."""
    called_off = club.table("Ada", "Bea")
    club.tables.timing.call_off(called_off, club.person("Ada"))
    looked, usual = list[str](), club.tables.snapshot

    def look(table_id: str) -> Snapshot:
        looked.append(table_id)
        if len(looked) == 1:
            raise Unavailable
        return usual(table_id)

    monkeypatch.setattr(club.tables, "snapshot", look)
    with pytest.raises(Unavailable):
        club.ratings.settle()
    for _ in range(3):
        assert club.ratings.settle() == 0
    assert looked == [called_off] * 2
    monkeypatch.undo()
    club.won("Ada", "Bea")
    assert club.ratings.settle() == 1


def test_all_at_a_rated_table_have_accounts(club: Club) -> None:
    with pytest.raises(Refused, match="accounts"):
        club.tables.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="guest", rated=True)
    plans = [SeatPlan("me"), SeatPlan("open")]
    made = club.tables.create(BARRAGE, plans, person=club.person("Ada"), rated=True)
    with pytest.raises(Refused, match="accounts"):
        club.tables.take_seat(made.table_id, 1, "guest")
    with pytest.raises(NotNow, match="rated"):
        club.tables.timing.fill(made.table_id, club.person("Ada"))
    with pytest.raises(Refused, match="accounts"):
        club.tables.create(
            BARRAGE,
            [SeatPlan("me"), SeatPlan("bot", "random")],
            person=club.person("Ada"),
            rated=True,
        )


def test_a_rematch_at_which_bots_sit_is_not_rated(club: Club) -> None:
    table_id = club.table("Ada", "Bea", "Cid", spec=THREE)
    club.tables.resign(table_id, club.person("Cid"))  # a bot plays on
    club.tables.timing.call_off(table_id, club.person("Ada"))
    following = club.tables.snapshot(club.tables.rematch(table_id, club.person("Ada")))
    assert [one.kind for one in following.seats] == ["bot", "person", "open"]
    assert not following.rated
    again = club.table("Ada", "Bea", spec=BARRAGE)
    club.tables.timing.call_off(again, club.person("Ada"))
    assert club.tables.snapshot(club.tables.rematch(again, club.person("Bea"))).rated


def test_worked_out_again_from_the_stored_games_they_are_the_same(club: Club) -> None:
    for winner, loser in (("Ada", "Bea"), ("Bea", "Cid"), ("Cid", "Ada"), ("Ada", "Cid")):
        club.won(winner, loser)
        club.ratings.settle()
    before = [club.ratings.of(one) for one in club.ids.values()]
    with club.tables.store.writing() as connection:
        connection.execute(sa.update(schema.ratings).values(mu=99.0))
        connection.execute(sa.update(schema.results).values(mu=99.0))
    assert club.ratings.recompute() == 4
    assert [club.ratings.of(one) for one in club.ids.values()] == before
    curve = club.ratings.curve(club.ids["Ada"], "stratego", "quick")
    assert curve[-1] == club.of("Ada").shown
    assert len(curve) == 3


def test_who_goes_leaves_the_ratings_of_the_others(club: Club) -> None:
    """With an account that is deleted in mid-game, and under other rules than the games'."""
    club.won("Ada", "Bea")
    club.won("Cid", "Ada")
    club.ratings.settle()
    before = club.of("Ada")
    playing = club.table("Ada", "Bea")
    club.set_up(playing, "Ada", "Bea")
    bea = club.accounts.get(club.ids["Bea"])
    assert bea is not None
    club.accounts.delete(bea)
    assert club.ratings.settle() == 1
    after = club.of("Ada")
    assert after.mu > before.mu
    assert [one.name for one in club.ratings.best("stratego", "quick")] == ["Ada", "Cid"]
    with club.tables.store.writing() as connection:
        connection.execute(sa.update(schema.tables).values(rules_version=10**6))
    club.tables._lives.clear()
    assert club.ratings.recompute() == 3
    assert (club.of("Ada"), club.of("Cid").games) == (after, 1)


def test_games_that_end_while_ratings_are_worked_out_count_once(club: Club) -> None:
    for _ in range(3):
        club.won("Ada", "Bea")
    club.ratings.settle()
    club.won("Bea", "Ada")
    threads = [
        threading.Thread(target=club.ratings.recompute),
        threading.Thread(target=club.ratings.settle),
        threading.Thread(target=club.ratings.settle),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    club.ratings.settle()
    before = club.of("Ada")
    assert before.games == 4
    club.ratings.recompute()
    assert club.of("Ada") == before


def test_the_best_come_first(club: Club) -> None:
    club.won("Ada", "Bea")
    club.won("Ada", "Cid")
    club.ratings.settle()
    best = club.ratings.best("stratego", "quick")
    assert best[0].name == "Ada"
    assert len(best) == 3
    assert club.ratings.best("china", "quick") == []


def test_lists_take_no_look_at_all_games(club: Club) -> None:
    for query, index in (
        (
            "SELECT * FROM ratings WHERE game = 'x' AND pace = 'y' ORDER BY points DESC LIMIT 9",
            "ix_ratings_game_pace_points",
        ),
        (
            "SELECT mu FROM results WHERE account='a' AND game='x' AND pace='y' ORDER BY number",
            "ix_results_account_game_pace_number",
        ),
        ("SELECT id FROM tables WHERE rated = 1 AND updated >= 5", "ix_tables_rated_updated"),
    ):
        with club.tables.store.reading() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
        assert [index in row[-1] for row in plan] == [True], plan
