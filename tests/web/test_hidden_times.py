"""When something comes, or ends, tells nothing of what others do in secret."""

from __future__ import annotations

import asyncio
import time

import pytest

from tests.web.test_accounts import form, registered
from tests.web.test_telling import Stream
from tests.web.world import Table, Visitor, World
from tianxia.web import api_events, live

QUIET = 0.5
"""Seconds for which nothing must come."""


def playing(here: World, name: str, *, talk: bool = False) -> tuple[Table, Visitor, Visitor]:
    """Return a table where two set up in secret: an account, and a guest."""
    owner = registered(here, name)
    wish = {"game": "stratego", "options": {"variant": "duel"}, "seats": ["me", "open"]}
    made = owner.post("/api/v1/tables", wish | {"talk": talk})
    assert made.status_code == 201, made.text
    table = Table(here, owner, made.json()["table"])
    return table, owner, table.guest(1)


def places_one(table: Table, guest: Visitor) -> None:
    """Let somebody place one piece, which nobody else may notice."""
    legal = table.facts(guest)["legal"]
    assert table.act(guest, legal[-1]["action"]).status_code == 200


def token_of(owner: Visitor) -> tuple[str, str]:
    wish = {"name": "mine", "scopes": ["read", "play"], "days": 3}
    made = owner.post("/api/v1/account/tokens", wish).json()
    return made["id"], made["key"]


def test_signs_of_life_come_at_their_own_times(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_events, "BEAT_SECONDS", 0.8)
    table, owner, guest = playing(here, "Timer 1")
    with Stream(here, token_of(owner)[1]) as stream:
        assert table.id in stream.line()
        end = time.monotonic() + 2.4
        while time.monotonic() < end:  # more often than there are signs of life
            places_one(table, guest)
            guest.post(f"/t/{table.id}/take-back", {})
            time.sleep(0.1)
        assert [stream.line(0.01) for _ in range(2)] == ["\n", "\n"]


def test_a_stream_whose_token_has_ended_does_not_end_by_what_is_secret(here: World) -> None:
    table, owner, guest = playing(here, "Timer 2")
    token, key = token_of(owner)
    with Stream(here, key) as stream:
        assert table.id in stream.line()
        owner.ask("DELETE", f"/api/v1/account/tokens/{token}")
        places_one(table, guest)
        with pytest.raises(TimeoutError):
            stream.line(QUIET)
        assert not stream.ended
        table.set_up(guest)
        assert stream.wait() == []


def test_a_page_whose_session_has_ended_changes_by_nothing_secret(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)
    table, owner, guest = playing(here, "Timer 3")
    with owner.live(table.id) as socket:
        assert "/seat/" in socket.receive()["html"]
        owner.post("/sign-out", data=form(owner))
        places_one(table, guest)
        assert socket.silent(QUIET)
        table.set_up(guest)
        assert "/seat/" not in str(socket.receive())


def test_a_page_whose_session_has_ended_is_a_watchers_by_the_next_sign_of_life(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.3)
    table, owner, _ = playing(here, "Timer 4")
    with owner.live(table.id) as socket:
        assert "/seat/" in socket.receive()["html"]
        owner.post("/sign-out", data=form(owner))
        messages = (socket.receive(10) for _ in range(20))
        shown = next(message for message in messages if "html" in message or "parts" in message)
        assert "/seat/" not in str(shown)


def test_a_page_that_talk_finds_without_a_session_does_not_wait_for_what_is_secret(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 1e6)
    table, owner, guest = playing(here, "Timer 6", talk=True)
    with owner.live(table.id) as socket:
        assert "/seat/" in str([socket.receive(), socket.receive()])
        owner.post("/sign-out", data=form(owner))
        assert guest.post(f"/api/v1/tables/{table.id}/talk", {"text": "Hello"}).status_code == 200
        shown = [message for message in socket.rest() if "talk" not in message]
        assert len(shown) == 1
        assert "/seat/" not in str(shown)
        places_one(table, guest)
        assert socket.silent(QUIET)


def test_whoever_waits_in_a_session_that_ends_is_answered_by_nothing_secret(here: World) -> None:
    table, owner, guest = playing(here, "Timer 5")
    facts = table.facts(owner)
    other = here.visitor()  # another browser tab of the same session
    other.client.cookies.update(owner.client.cookies)
    path = f"/api/v1/tables/{table.id}?version={facts['version']}&wait=20"
    waiting = asyncio.run_coroutine_threadsafe(other.client.request("GET", path), here._loop)
    time.sleep(QUIET)
    owner.post("/sign-out", data=form(owner))
    places_one(table, guest)
    time.sleep(QUIET)
    assert not waiting.done()
    table.set_up(guest)
    assert waiting.result(30).json()["seat"] is None
