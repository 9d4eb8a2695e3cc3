"""The chart after a game: asked for, pushed while it is worked out, kept, and open to all."""

from __future__ import annotations

import json
import re
import time
from itertools import pairwise
from typing import Any

import pytest

from tests.web.world import Table, World
from tianxia.bots import advice
from tianxia.bots.review import Costly, Point, Review
from tianxia.tables.reviews import Looked, read, write
from tianxia.web import chances

ARMY = ["F", "B", "B", "S", "2", "2", "3", "3", "9", "M"]
JSON = {"accept": "application/json"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search a little only."""
    monkeypatch.setattr(advice, "ITERATIONS", 10)


def finished(here: World) -> Table:
    """Return a table of two people, of whom one has resigned after a few moves."""
    table = here.seated("me", "open", variant="duel")
    guest = table.guest(1)
    for tokens in (ARMY, None, None, None, None):
        for player in (table.host, guest):
            state = player.get(f"/api/v1/tables/{table.id}").json()
            actions = tokens or [state["legal"][0]["action"]]
            body = {"actions": actions, "decision": state["decision"]}
            answer = player.post(f"/api/v1/tables/{table.id}/act", body)
            assert answer.status_code == 200, answer.text
    table.host.post(f"/t/{table.id}/resign", {})
    return table


def done(table: Table) -> dict[str, Any]:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        state: dict[str, Any] = table.host.get(f"/api/v1/tables/{table.id}/review").json()
        if state["stage"] in ("done", "failed"):
            return state
        time.sleep(0.05)
    raise AssertionError("the review does not end")


def test_a_game_is_looked_back_at(here: World) -> None:
    table = finished(here)
    page = f"/t/{table.id}"
    assert 'data-post="review"' in table.host.get(page).text
    with table.host.live(table.id) as socket:
        assert table.host.post(f"{page}/review", {}).status_code in (200, 303)
        state = done(table)
        assert state["stage"] == "done"
        stages = [socket.receive() for _ in range(2)]
    assert any("chances-part" in json.dumps(stage) for stage in stages)
    plies = [point["ply"] for point in state["points"]]
    assert plies == sorted(plies)
    assert {point["seat"] for point in state["points"]} == {0, 1}
    assert all(-1 <= point["value"] <= 1 for point in state["points"])
    for visitor in (table.host, here.visitor()):  # what is over is open to all
        html = visitor.get(page).text
        assert 'class="chances"' in html
        assert len(re.findall(r"data-look=", html)) == len(state["costly"])
    french = table.host.get(page, headers={"accept-language": "fr"}).text
    assert "Comment les chances ont tourné" in french
    again = table.host.post(f"{page}/review", {})  # it is not worked out a second time
    assert again.status_code in (200, 303)
    assert done(table) == state


def test_while_a_game_lasts_there_is_none(here: World) -> None:
    table = here.seated("me", "bot:random", variant="duel")
    answer = table.host.post(f"/t/{table.id}/review", {}, headers=JSON)
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "not-over"
    assert table.host.get(f"/api/v1/tables/{table.id}/review").json()["stage"] == "none"
    assert "chances" not in table.host.get(f"/t/{table.id}").text


def test_the_end_of_a_game_in_which_no_decision_cost_anything_says_so(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = finished(here)
    nothing = Looked("done", 100, Review(9, (Point(1, 0, 0.25), Point(2, 0, 0.0)), ()))
    monkeypatch.setattr(here.app_state.reviews, "look", lambda snapshot: nothing)
    answer = table.host.get(f"/t/{table.id}/end")
    assert answer.status_code == 200
    assert "No decision cost anything worth mentioning." in answer.json()["html"]


@pytest.mark.parametrize("points", [(), (Point(0, 0, 0.25), Point(1, 1, 0.0))])
def test_a_game_that_was_given_up_at_once_has_no_chart_without_a_line(
    here: World, monkeypatch: pytest.MonkeyPatch, points: tuple[Point, ...]
) -> None:
    table = finished(here)
    nothing = Looked("done", 100, Review(2, points, ()))
    monkeypatch.setattr(here.app_state.reviews, "look", lambda snapshot: nothing)
    html = table.host.get(f"/t/{table.id}").text
    assert "before there was much to decide" in html
    assert 'class="chances"' not in html
    assert ("chance-table" in html) == bool(points)
    assert "before there was much to decide" in table.host.get(f"/t/{table.id}/end").json()["html"]


def test_a_review_is_read_as_it_was_written() -> None:
    found = Review(9, (Point(1, 0, 0.25),), (Costly(1, 0, 3, 4, 0.5),))
    assert read(write(found)) == found


def test_marks_at_the_ends_of_lines_stand_apart() -> None:
    for ends in ({0: 20.0, 1: 20.0, 2: 20.0}, {0: 270.0, 1: 270.0, 2: 14.0, 3: 270.0}, {0: 100.0}):
        marks = sorted(chances._apart(ends).values())
        assert all(b - a >= chances.APART for a, b in pairwise(marks))
        assert marks[-1] <= chances.HEIGHT - chances.BOTTOM + chances.APART
