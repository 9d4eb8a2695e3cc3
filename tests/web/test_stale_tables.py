"""Tables that other versions, other games or a broken disk have left behind break nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from tests.web.conftest import Log
from tests.web.world import Table, World, world

STALE = {
    "removed game": "UPDATE tables SET game = 'ludo', spec = 'ludo(pieces=3)' WHERE id = :t",
    "removed option": "UPDATE tables SET spec = 'stratego(wings=yes)' WHERE id = :t",
    "no description": "UPDATE tables SET spec = '((' WHERE id = :t",
    "more seats": "UPDATE tables SET game = 'china', spec = 'china(players=5)' WHERE id = :t",
    "other rules": "UPDATE tables SET rules_version = 999 WHERE id = :t",
}
DAMAGED = {
    "status": "UPDATE tables SET status = 'odd' WHERE id = :t",
    "no seats": "DELETE FROM seats WHERE table_id = :t",
    "odd seat": "UPDATE seats SET kind = 'ghost' WHERE table_id = :t",
    "holder": "UPDATE holders SET seat = 77 WHERE table_id = :t",
}
ROWS = {
    "action": "UPDATE entries SET action = 99999 WHERE table_id = :t AND kind = 'act'",
    "json": "UPDATE entries SET undone = '[1,' WHERE table_id = :t AND number = 1",
    "position": "UPDATE entries SET position = x'00ff00ff' WHERE table_id = :t",
}


@pytest.fixture
def alone() -> Iterator[World]:
    """Run a server of whose tables others do not know."""
    with world() as running:
        yield running


def change(table: Table, statement: str) -> None:
    """Change what is stored of a table, and forget what is in memory of it."""
    tables = table.world.app_state.tables
    with tables.store.writing() as connection:
        connection.execute(sa.text(statement), {"t": table.id})
    tables._lives.clear()


def public(running: World) -> Table:
    host = running.visitor()
    host.become()
    wish = {"game": "stratego", "seats": ["me", "open"], "nickname": "Ada", "public": True}
    return Table(running, host, host.post("/api/v1/tables", wish).json()["table"])


@pytest.mark.parametrize("what", [*STALE, *DAMAGED])
def test_a_table_that_cannot_be_shown_breaks_no_list(alone: World, what: str, log: Log) -> None:
    table, good = public(alone), public(alone)
    change(table, {**STALE, **DAMAGED}[what])
    log.clear()
    stranger = alone.visitor()
    for visitor in (stranger, table.host):
        page, listed = visitor.get("/"), visitor.get("/api/v1/tables")
        assert page.status_code == listed.status_code == 200
        assert good.id in page.text
        assert good.id in listed.text
    assert (table.id in stranger.get("/").text) is (what in ("other rules", "holder"))
    found = [line["table"] for line in log.lines() if line["message"] == "damaged table"]
    assert found == ([table.id] if what in DAMAGED or what == "more seats" else [])
    for path in (f"/t/{table.id}", f"/api/v1/tables/{table.id}"):
        assert table.host.get(path).status_code < 500


@pytest.mark.parametrize("what", ["removed game", "removed option", "more seats"])
def test_ones_own_table_is_listed_with_a_sentence(alone: World, what: str) -> None:
    table = public(alone)
    change(table, STALE[what])
    page = table.host.get("/").text
    assert table.id in page
    assert "cannot be shown" in page
    assert [one["id"] for one in table.host.get("/api/v1/tables").json()["mine"]] == [table.id]


@pytest.mark.parametrize("what", ROWS)
def test_a_damaged_row_is_told_of_once(alone: World, what: str, log: Log) -> None:
    table = alone.seated("me", "open", variant="duel")
    table.guest(1)
    table.set_up(table.host)
    change(table, ROWS[what])
    log.clear()
    answers = [table.host.get(f"/t/{table.id}") for _ in range(3)]
    if what == "position":  # only who looks back reads it
        assert {answer.status_code for answer in answers} == {200}
        return
    assert {answer.status_code for answer in answers} == {409}
    assert "cannot be read" in answers[0].text
    found = [line for line in log.lines() if line["message"] == "damaged table"]
    assert len(found) == 1
    assert found[0]["table"] == table.id
    assert found[0]["cause"]
    assert "99999" not in str(found)
    assert table.host.get("/").status_code == 200
