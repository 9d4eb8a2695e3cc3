"""What a click, a page or a list asks of the database is found by an index."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from tests.tables.helpers import BARRAGE, do, people, ready
from tianxia.tables import SeatPlan, Tables
from tianxia.tables.samples import Figures, Sampler
from tianxia.tables.store import Remark

LARGE = ("tables", "entries", "seats", "holders", "keys", "talk", "leases", "reviews")
"""Relations that grow with every table."""


class Heard:
    """All statements that a database is asked."""

    def __init__(self, engine: sa.Engine) -> None:
        self.statements: dict[str, Any] = {}
        sa.event.listen(engine, "before_cursor_execute", self._note)

    def _note(self, _: object, __: object, text: str, values: Any, *rest: Any) -> None:
        many = rest[1]
        if text.lstrip().startswith(("SELECT", "UPDATE", "DELETE")):
            self.statements.setdefault(text, values[0] if many else values)


def plan(connection: sa.Connection, text: str, values: Any) -> str:
    """Return how the database would find what is asked for."""
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)
        return "\n".join(str(row[3]) for row in rows)
    connection.exec_driver_sql("SET LOCAL enable_seqscan = off")  # few rows are looked through
    rows = connection.exec_driver_sql(f"EXPLAIN {text}", values)
    return "\n".join(str(row[0]) for row in rows)


def looked_through(found: str, large: Collection[str] = LARGE) -> list[str]:
    """Return the relations of a plan that are read from one end to the other."""
    scans = re.findall(r"(?:SCAN|Seq Scan on) (\w+)(?! USING (?:COVERING )?INDEX)", found)
    return [name for name in scans if name in large]


def looks(tables: Tables, heard: Heard, large: Collection[str] = LARGE) -> dict[str, list[str]]:
    """Return what was asked of a database that reads a whole relation, and which."""
    found = {}
    for text, values in list(heard.statements.items()):
        if "alembic" in text or text.startswith("SELECT pg_notify"):
            continue
        with tables.store.writing() as connection:
            if scans := looked_through(plan(connection, text, values), large):
                found[" ".join(text.split())] = scans
    return found


def use(tables: Tables) -> None:
    """Do once what servers and minds do all the time."""
    table_id = ready(tables)
    do(tables, table_id, 0, "e4-e5")
    tables.take_back(table_id, "ann")
    key = tables.seat_key(table_id, 1, "bob")
    tables.enter(table_id, key, "bob's phone")
    tables.open_tables("ann")
    tables.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="ann", origin="here")
    bots = [SeatPlan("bot", "random")] * 2
    other = tables.create(BARRAGE, bots, person="ann", origin="here").table_id
    tables.store.add_remark(table_id, Remark(1, "x", "say", 0, 3, 1.0, "hello", ""), [])
    tables.store.talk(table_id)
    tables.store.talk_numbers([table_id])
    tables.store.versions([table_id])
    turn = tables.work.turns([other])[0]
    tables.work.claim(turn, "somebody", 0.0, 1.0)
    tables.work.fail(turn, "somebody")
    tables.work.turns()
    tables.store.keep_review(table_id, "{}")
    tables.store.review(table_id)
    Sampler(tables, Figures).sweep()
    tables.resign(table_id, "ann")
    tables.rematch(table_id, "ann")
    tables._lives.clear()
    tables.snapshot(table_id)


def test_who_looks_at_a_table_in_memory_asks_the_database_once(stored: Tables) -> None:
    table_id, asked = ready(stored), list[str]()
    stored.look(table_id, "ann")
    sa.event.listen(
        stored.store.engine, "before_cursor_execute", lambda *given: asked.append(given[2])
    )
    for person in ("ann", "somebody else", ""):
        asked.clear()
        snapshot, place = stored.look(table_id, person)
        assert sum(text.startswith("SELECT") for text in asked) == 1
        assert snapshot.id == table_id
        assert place.seat == (0 if person == "ann" else None)
        assert not place.away
    assert stored.look(table_id, "ann")[1].key == stored.seat_key(table_id, 0, "ann")


def test_no_statement_looks_through_all(stored: Tables) -> None:
    people(stored)
    heard = Heard(stored.store.engine)
    use(stored)
    assert len(heard.statements) > 20
    assert looks(stored, heard) == {}


def test_quotas_are_counted_by_whose_tables_they_are(tables: Tables) -> None:
    """Not through all tables that wait, or are played at; PostgreSQL chooses by what there is."""
    heard = Heard(tables.store.engine)
    tables.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="ann", origin="here")
    counts = {text: values for text, values in heard.statements.items() if "count(" in text}
    used = set()
    for text, values in counts.items():
        with tables.store.writing() as connection:
            used |= set(re.findall(r"ix_tables_\w+", plan(connection, text, values)))
    assert used == {"ix_tables_maker_status_updated", "ix_tables_origin_status_updated"}


def test_a_look_through_all_is_noticed(stored: Tables) -> None:
    people(stored)
    with stored.store.writing() as connection:
        found = plan(connection, "SELECT id FROM tables WHERE ending = 'rules'", ())
    assert looked_through(found) == ["tables"]


def test_a_log_is_read_once_and_then_only_what_is_new(stored: Tables, url: str) -> None:
    table_id = ready(stored)
    with Tables(url) as other:
        other.snapshot(table_id)
        do(stored, table_id, 0, "e4-e5")
        loaded: list[int] = []
        load = other.store.load

        def note(table_id: str, after: int = 0) -> Any:
            found = load(table_id, after)
            assert found is not None
            loaded.append(len(found.rows))
            return found

        other.store.load = note  # type: ignore[method-assign]
        assert other.snapshot(table_id).version == stored.snapshot(table_id).version
        other.snapshot(table_id)
    assert loaded == [1]


def test_tables_leave_memory_those_first_that_nobody_asked_for(stored: Tables, url: str) -> None:
    ids = [people(stored) for _ in range(6)]
    with Tables(url, cached=3) as few:
        for table_id in [*ids, ids[0]]:
            few.snapshot(table_id)
        assert list(few._lives) == [ids[4], ids[5], ids[0]]
