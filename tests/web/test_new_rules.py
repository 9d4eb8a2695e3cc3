"""What a page says of a running game when the rules have been corrected."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from tests.web.world import Table, World, world
from tianxia.tables import log as logs


@pytest.fixture
def alone() -> Iterator[World]:
    """Run a server of whose tables others do not know."""
    with world() as running:
        yield running


def begun(alone: World, *, fits: bool, position: str = "") -> Table:
    """Return a running game of earlier rules, which the present ones go on with or not."""
    table = alone.seated("me", "open", variant="duel")
    table.guest(1)
    tables = alone.app_state.tables
    with tables.store.writing() as connection:
        connection.execute(sa.text("UPDATE tables SET rules_version = 0"))
        if not fits:
            packed = {"p": logs.pack([position], "")}
            connection.execute(sa.text("UPDATE entries SET position = :p"), packed)
    tables._lives.clear()
    return table


def test_it_goes_on_and_says_so(alone: World) -> None:
    table = begun(alone, fits=True)
    page = table.host.get(f"/t/{table.id}").text
    assert "The rules have been corrected." in page
    assert 'id="stuck"' not in page
    assert table.set_up(table.host)


@pytest.mark.parametrize("readable", [True, False])
def test_it_is_shown_as_it_stood_and_its_people_end_it(alone: World, readable: bool) -> None:
    import tianxia

    state = tianxia.game("stratego(variant=duel)").new()
    state.apply(state.legal_actions(0)[0], 0)
    table = begun(alone, fits=False, position=state.notation() if readable else "unreadable")
    page = table.host.get(f"/t/{table.id}").text
    assert 'id="stuck"' in page
    assert 'data-post="abort"' in page
    assert 'data-post="resign"' in page
    assert 'data-post="take-back"' not in page
    assert ("<svg" in page.split('id="board"')[1].split("</div>")[0]) is readable
    assert table.facts()["may"]["abort"]
    assert (table.facts()["notation"] != "") is readable
    assert 'data-post="abort"' not in alone.visitor().get(f"/t/{table.id}").text
    answer = table.host.post(f"/t/{table.id}/abort", {}).json()["html"]
    assert answer.count("Red wants to end the game without a result.") == 2  # said, and in the log
    assert 'data-post="abort"' not in answer


@pytest.fixture
def unthinking() -> Iterator[World]:
    """Run a server whose bots do not move."""
    with world(awake=False) as running:
        yield running


def test_all_agree(unthinking: World) -> None:
    table = unthinking.seated("me", "bot:random", variant="duel")
    with unthinking.app_state.tables.store.writing() as connection:
        packed = {"p": logs.pack(["unreadable"], "")}
        connection.execute(sa.text("UPDATE tables SET rules_version = 0"))
        connection.execute(sa.text("UPDATE entries SET position = :p"), packed)
    unthinking.app_state.tables._lives.clear()
    assert table.host.post(f"/api/v1/tables/{table.id}/abort", {}).json()["ending"] == "abort"
    page = table.host.get(f"/t/{table.id}").text
    assert "The game was ended without a result." in page
    assert table.host.get(f"/t/{table.id}/transcript").status_code == 200
