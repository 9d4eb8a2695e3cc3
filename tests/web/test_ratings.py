"""Leaderboards on pages and for programs."""

from __future__ import annotations

import re

from tests.web.test_accounts import PASSWORD, form, registered
from tests.web.world import World
from tianxia.ratings import BotRatings
from tianxia.ratings.bots import Match


def test_leaderboards_are_shown_for_each_game(here: World) -> None:
    visitor = here.visitor()
    assert "No rated game has ended yet." in visitor.get("/ratings").text
    assert visitor.get("/ratings/stratego").status_code == 200
    assert visitor.get("/ratings/nothing").status_code == 404
    assert visitor.get("/api/v1/ratings/stratego/quick").json() == []
    never = visitor.get("/api/v1/ratings/stratego/never")
    assert never.status_code == 404
    assert "quick, calm, mail, none" in never.json()["error"]["text"]


def test_guests_make_no_rated_tables(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    new = {"game": "stratego", "seats": ["me", "open"], "rated": True}
    answer = visitor.post("/api/v1/tables", new)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "accounts-only"
    assert 'name="rated"' not in visitor.get("/new/stratego").text


def test_bots_sit_at_no_rated_table(here: World) -> None:
    visitor = registered(here, "No bots")
    new = {"game": "stratego", "seats": ["me", "bot:random"], "rated": True}
    answer = visitor.post("/api/v1/tables", new)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "rated")
    assert "bots do not sit there" in answer.json()["error"]["text"]


def test_a_guest_is_told_before_sitting_down_that_a_table_is_rated(here: World) -> None:
    host = registered(here, "Rated Host")
    new = {"game": "stratego", "seats": ["me", "open"], "rated": True}
    table = host.post("/api/v1/tables", new).json()["table"]
    guest, other = here.visitor(), registered(here, "Rated Other")
    guest.become()
    page = guest.get(f"/t/{table}").text
    assert "You are here as a guest" in page
    assert 'id="sit-form"' not in page  # what would be refused is not offered
    for way in ("register", "sign-in"):
        assert f'href="/{way}?next=/t/{table}"' in page
    known = other.get(f"/t/{table}").text
    assert 'id="sit-form"' in known
    assert "Rated: the result counts" in known
    with guest.live(table) as socket:
        assert "You are here as a guest" in str(socket.receive())  # pushed no otherwise
    # With an account the way leads back to the table.
    assert f'name="next" value="/t/{table}"' in guest.get(f"/register?next=/t/{table}").text
    fields = form(guest, name="Rated Guest", password=PASSWORD, next=f"/t/{table}")
    codes = guest.post("/register", data=fields).text
    assert f'class="button primary" href="/t/{table}"' in codes
    assert guest.post(f"/t/{table}/sit", {"seat": 1, "name": ""}).status_code == 200
    unrated = here.seated("me", "open")
    assert "You are here as a guest" not in here.visitor().get(f"/t/{unrated.id}").text


def test_our_bots_have_lines_of_their_own(here: World) -> None:
    bots = BotRatings(here.app_state.tables)
    bots.add([Match(f"arena {n}", "suntzu", ("random", "strategist"), (1, 0)) for n in range(3)])
    page = here.visitor().get("/ratings/suntzu").text
    assert [*re.findall(r"<tr class=\"is-bot\"><td>(.)</td>", page)] == ["–", "–"]
    assert page.index("Strategist") < page.index("Random")
    found = here.visitor().get("/api/v1/ratings/suntzu/quick").json()
    assert [(one["bot"], one["ours"], one["games"]) for one in found] == [(True, True, 3)] * 2
    assert found[0]["rating"] > 1500 > found[1]["rating"]
