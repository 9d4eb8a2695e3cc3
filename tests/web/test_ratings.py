"""Leaderboards on pages and for programs."""

from __future__ import annotations

from tests.web.world import World


def test_leaderboards_are_shown_for_each_game(here: World) -> None:
    visitor = here.visitor()
    assert "No rated game has ended yet." in visitor.get("/ratings").text
    assert visitor.get("/ratings/stratego").status_code == 200
    assert visitor.get("/ratings/nothing").status_code == 404
    assert visitor.get("/api/v1/ratings/stratego/quick").json() == []
    assert visitor.get("/api/v1/ratings/stratego/never").status_code == 404


def test_guests_make_no_rated_tables(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    new = {"game": "stratego", "seats": ["me", "open"], "rated": True}
    answer = visitor.post("/api/v1/tables", new)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "accounts-only"
    assert 'name="rated"' not in visitor.get("/new/stratego").text
