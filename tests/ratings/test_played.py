"""Finished games: filed once, counted for whoever played, and private ones for nobody else."""

from __future__ import annotations

import threading

import pytest
import sqlalchemy as sa

from tests.ratings.test_ratings import Club
from tests.tables.helpers import BARRAGE, SETUP
from tianxia.ratings import Game, Played, Tally
from tianxia.tables import SeatPlan, Tables, schema


class Company(Club):
    """Accounts that play where everybody can see it, or not."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.played = Played(tables)

    def ended(self, winner: str, loser: str, *, public: bool = True) -> str:
        plans, tables = [SeatPlan("me"), SeatPlan("open")], self.tables
        made = tables.create(BARRAGE, plans, person=self.person(winner), public=public).table_id
        tables.take_seat(made, 1, self.person(loser))
        self.set_up(made, winner, loser)
        tables.resign(made, self.person(loser))
        self.played.settle()
        return made

    def ids_of(self, games: list[Game]) -> list[str]:
        return [game.table_id for game in games]


@pytest.fixture
def company(tables: Tables) -> Company:
    return Company(tables)


def test_games_count_for_whoever_played_them(stored: Tables) -> None:
    company = Company(stored)
    ada, bea = company.ids["Ada"], company.ids["Bea"]
    company.ended("Ada", "Bea")
    company.ended("Bea", "Ada")
    company.ended("Bea", "Ada")
    record = company.played.record(bea)
    assert record.tally == Tally(won=2, lost=1)
    assert record.by_spec == {BARRAGE: Tally(won=2, lost=1)}
    assert record.by_seat == {(BARRAGE, 0): Tally(won=2), (BARRAGE, 1): Tally(lost=1)}
    assert (record.streak, record.longest) == (("won", 2), 2)
    assert [(one.account, one.tally) for one in record.opponents] == [(ada, Tally(2, 1))]
    assert company.played.between(ada, bea) == Tally(won=1, lost=2)
    assert company.played.between(ada, company.ids["Cid"]) == Tally()


def test_a_bot_that_was_renamed_is_one_opponent(company: Company) -> None:
    tables, ada = company.tables, company.person("Ada")
    plans = [SeatPlan("me"), SeatPlan("bot", "random")]
    for name in ("sergeant", "skirmisher"):
        made = tables.create(BARRAGE, plans, person=ada, public=True).table_id
        tables.resign(made, ada)
        company.played.settle()
        with tables.store.writing() as connection:
            for table in (schema.seats, schema.played):
                mine = (table.c.table_id == made) & (table.c.seat == 1)
                connection.execute(sa.update(table).where(mine).values(bot=name))
    (opponent,) = company.played.record(company.ids["Ada"]).opponents
    assert (opponent.bot, opponent.tally) == ("skirmisher", Tally(lost=2))
    assert {game.players[1].bot for game in company.played.games()} == {"skirmisher"}


def test_private_games_are_shown_to_nobody_else(company: Company) -> None:
    ada = company.ids["Ada"]
    company.ended("Ada", "Bea", public=False)
    assert company.played.record(ada).tally.games == 0
    assert company.played.record(ada).opponents == ()
    assert company.played.record(ada, own=True).tally == Tally(won=1)
    assert company.played.games() == company.played.games(account=ada) == []
    assert company.played.games(own=True) == []  # everybody's are nobody's own
    assert len(company.played.games(account=ada, own=True)) == 1


def test_openings_are_told_to_oneself(company: Company) -> None:
    ada = company.ids["Ada"]
    newest = [company.ended("Ada", "Bea") for _ in range(2)][-1]
    (opening,) = company.played.record(ada, own=True).openings
    assert opening.tokens.split()[:2] == SETUP[:2]
    assert (opening.table_id, opening.tally) == (newest, Tally(won=2))
    assert company.played.record(ada).openings == ()


def test_public_games_are_found_page_by_page(stored: Tables) -> None:
    company = Company(stored)
    ada, bea = company.ids["Ada"], company.ids["Bea"]
    ids = [company.ended("Ada", "Bea"), company.ended("Ada", "Cid"), company.ended("Bea", "Cid")]
    find = company.played.games
    assert company.ids_of(find()) == ids[::-1]
    first = find(limit=2)
    assert company.ids_of(first + find(limit=2, before=first[-1].key)) == ids[::-1]
    assert company.ids_of(find(account=ada)) == ids[1::-1]
    assert company.ids_of(find(account=bea, result="won", game="stratego")) == ids[2:]
    assert find(game="china") == []
    assert [one.result for one in find()[0].players] == ["won", "lost"]


def test_what_has_no_result_is_not_listed_and_counts_for_nobody(company: Company) -> None:
    plans = [SeatPlan("me"), SeatPlan("open")]
    tables, ada = company.tables, company.person("Ada")
    made = tables.create(BARRAGE, plans, person=ada, public=True).table_id
    tables.take_seat(made, 1, company.person("Bea"))
    tables.timing.call_off(made, ada)
    assert company.played.settle() == 1
    assert company.played.settle() == 0
    assert company.played.games() == []
    assert company.played.record(company.ids["Ada"], own=True).tally.games == 0


def test_several_processes_file_a_game_once(company: Company) -> None:
    company.won("Ada", "Bea")
    threads = [threading.Thread(target=company.played.settle) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with company.tables.store.reading() as connection:
        count = sa.select(sa.func.count()).select_from(schema.played)
        assert connection.execute(count).scalar_one() == 2


def test_a_guest_takes_finished_games_along_and_a_deleted_account_leaves_them(
    company: Company,
) -> None:
    tables, cid = company.tables, company.accounts.get(company.ids["Cid"])
    assert cid
    plans = [SeatPlan("me"), SeatPlan("open")]
    made = tables.create(BARRAGE, plans, person="guest", public=True).table_id
    tables.take_seat(made, 1, company.person("Ada"))
    tables.resign(made, company.person("Ada"))
    company.played.settle()
    company.accounts.adopt(cid, "guest")
    assert company.played.record(cid.id).tally == Tally(won=1)
    company.accounts.delete(cid)
    assert company.played.record(cid.id).tally.games == 0
    (game,) = company.played.games()
    assert [one.account for one in game.players] == ["", company.ids["Ada"]]
    assert "Cid" not in str(game)


def test_nothing_reads_all_games(company: Company) -> None:
    statements: list[tuple[str, object]] = []

    def note(_c: object, _x: object, statement: str, given: object, *_: object) -> None:
        statements.append((statement, given))

    company.ended("Ada", "Bea")
    sa.event.listen(company.tables.store.engine, "before_cursor_execute", note)
    played, key = company.played, (5.0, "x")
    played.record("a")
    played.record("a", own=True)
    played.between("a", "b")
    for game in ("", "stratego"):
        for account in ("", "a"):
            played.games(game=game, account=account)
            played.games(game=game, account=account, own=True, before=key)
            played.games(game=game, account=account, result="won", before=key)
    played.settle()
    sa.event.remove(company.tables.store.engine, "before_cursor_execute", note)
    selects = [one for one in statements if one[0].startswith(("SELECT", "WITH"))]
    assert len(selects) >= 12
    with company.tables.store.reading() as connection:
        for statement, given in selects:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", given).all()  # type: ignore[arg-type]
            steps = [str(row[-1]) for row in plan]
            reads = [step for step in steps if step.startswith("SCAN")]
            allowed = ("mine", "COVERING INDEX ix_played_ended")
            bad = [step for step in reads if not any(one in step for one in allowed)]
            assert bad == [], statement
            if statement.startswith("SELECT played.table_id"):  # a page of a list
                assert not any("ORDER BY" in step for step in steps), (statement, steps)
