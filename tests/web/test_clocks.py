"""Clocks as pages and programs get them."""

from __future__ import annotations

import re

from tests.web.world import Table, World


def table_with(here: World, *seats: str, **more: object) -> Table:
    """Return a table of Stratego whose maker sits at the seat ``me``."""
    host = here.visitor()
    host.become()
    answer = host.post("/api/v1/tables", {"game": "stratego", "seats": list(seats), **more})
    return Table(here, host, answer.json()["table"])


def test_a_clock_stands_at_each_seat(here: World) -> None:
    table = table_with(here, "me", "open", pace="300+5")
    page = table.host.get(f"/t/{table.id}").text
    assert "5 min, and 5 s more for each turn" in page
    assert re.findall(r'data-left="([\d.]+)"', page) == ["300.0", "300.0"]


def test_a_pace_that_there_is_not_is_named_in_the_form(here: World) -> None:
    visitor = here.visitor()
    visitor.get("/new/stratego")
    answer = visitor.post("/tables", {"game": "stratego", "seat0": "me", "pace": "5"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "pace"


def test_the_time_here_is_told_to_pages(here: World) -> None:
    table = table_with(here, "me", "open", pace="300+5")
    told = table.host.get(f"/t/{table.id}/clock").json()
    assert told["wishes"] == []
    assert abs(told["now"] - here.app_state.tables.clock()) < 60


def test_a_waiting_table_is_closed_and_shown_so(here: World) -> None:
    table = table_with(here, "me", "open")
    page = table.host.get(f"/t/{table.id}").text
    assert 'id="do-close"' in page
    assert 'id="do-fill"' in page
    assert table.host.post(f"/t/{table.id}/close", {}).status_code == 200
    stranger = here.visitor().get(f"/t/{table.id}").text
    assert "The table was closed before the game began." in stranger
    assert "sit-form" not in stranger
    assert 'href="/">Other games' in stranger
    assert 'id="stepper"' not in stranger  # there is nothing to look back on
    assert 'id="do-rematch"' not in table.host.get(f"/t/{table.id}").text


def test_bots_fill_a_table_and_the_game_can_be_called_off(here: World) -> None:
    table = table_with(here, "me", "open")
    assert table.host.post(f"/t/{table.id}/fill", {}).status_code == 200
    assert 'id="do-call-off"' in table.host.get(f"/t/{table.id}").text
    assert table.host.post(f"/t/{table.id}/call-off", {}).status_code == 200
    assert "The game was called off; nobody has lost." in table.host.get(f"/t/{table.id}").text


def test_what_a_silent_seat_allows_is_checked(here: World) -> None:
    table = table_with(here, "me", "bot:random")
    for wish, status in (("claim", 409), ("cake", 409), (7, 400)):
        assert table.host.post(f"/t/{table.id}/claim", {"wish": wish}).status_code == status
