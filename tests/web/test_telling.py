"""The pages about being told, and the stream for programs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
import sqlalchemy as sa

from tests.web.test_accounts import registered
from tests.web.world import BASE, Visitor, World
from tianxia.tables import people, schema
from tianxia.web import api_events, live
from tianxia.web.connections import LEAVING
from tianxia.web.telling import stop_token

SECRET = "a secret for tests only"


def test_the_page_says_what_one_is_told(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor = here.visitor()
    page = visitor.get("/told").text
    assert "mail" not in page.partition("<main")[2].replace('data-pace="mail"', "")
    assert page.count("data-way=") == 4  # this server sends no letters
    mail: Any = {"smtp": "smtp://mail.test", "mail_from": "us@mail.test", "public_url": BASE}
    monkeypatch.setattr(here.app_state, "settings", replace(here.app_state.settings, **mail))
    page = visitor.get("/told").text
    assert page.count("data-way=") == 8
    assert page.count(" checked") == 6
    answer = visitor.post("/told/wish", {"way": "push", "pace": "mail", "wanted": False})
    assert answer.status_code == 200, answer.text
    assert visitor.get("/told").text.count(" checked") == 5
    assert visitor.post("/told/wish", {"way": "x", "pace": "y", "wanted": True}).status_code == 422


def test_only_push_services_are_taken(here: World) -> None:
    body = {"endpoint": "https://10.0.0.1/x", "p256dh": "a", "auth": "b"}
    assert here.visitor().post("/told/subscribe", body).status_code == 422
    body["endpoint"] = "https://fcm.googleapis.com/fcm/send/x"
    assert here.visitor().post("/told/subscribe", body).status_code == 201


def test_letters_end_by_a_link_that_asks_first(here: World) -> None:
    digest = people.digest("somebody")
    token = stop_token(SECRET, digest)
    stranger = here.visitor()
    assert "Stop e-mails" in stranger.get(f"/told/stop/{token}").text
    assert ("mail", "mail") in here.app_state.telling.wishes(digest)
    assert stranger.post(f"/told/stop/{token}", {}).status_code == 200
    assert ("mail", "mail") not in here.app_state.telling.wishes(digest)
    assert stranger.get(f"/told/stop/{token[:-1]}").status_code == 404


def test_the_app_can_be_installed(here: World) -> None:
    visitor = here.visitor()
    manifest = visitor.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    assert visitor.get(json.loads(manifest.text)["icons"][0]["src"]).status_code == 200
    assert "showNotification" in visitor.get("/sw.js").text


def test_a_program_is_told_how_its_tables_stand(here: World) -> None:
    table = here.seated("me", "bot:random", game="stratego")
    answer = table.host.get("/api/v1/events?once=true")
    assert answer.status_code == 200, answer.text
    assert answer.headers["x-accel-buffering"] == "no"  # nginx hands each line on at once
    lines = answer.text.splitlines()
    (event,) = [json.loads(line) for line in lines]
    assert (event["type"], event["table"], event["seat"]) == ("turn", table.id, 0)
    assert here.visitor().get("/api/v1/events?once=true").status_code == 401


def test_a_program_chooses_what_it_is_told(here: World) -> None:
    visitor = here.visitor()
    visitor.become()
    wish = {"way": "mail", "pace": "mail", "wanted": False}
    sent = visitor.post("/api/v1/told", wish)
    assert sent.status_code == 200, sent.text
    answer = sent.json()
    assert answer["told"]["mail"] == ["none"]
    assert visitor.get("/api/v1/told").json() == answer


# --- The stream, as long as it is open ---


class Stream:
    """The stream of events as a program holds it: the head, and what comes after it."""

    def __init__(self, here: World, key: str) -> None:
        self._here = here
        self.status = 0
        self.ended = False
        self.scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http",
            "method": "GET",
            "path": "/api/v1/events",
            "raw_path": b"/api/v1/events",
            "root_path": "",
            "query_string": b"",
            "headers": [(b"host", b"table.test"), (b"authorization", f"Bearer {key}".encode())],
            "client": ("192.0.2.1", 1),
            "server": ("table.test", 80),
            "state": {},
        }

    async def _begin(self) -> None:
        self._got: asyncio.Queue[bytes] = asyncio.Queue()
        self._left = asyncio.Event()
        asked = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict[str, object]:
            if asked:
                return asked.pop()
            await self._left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                return
            self.ended = not message.get("more_body")
            if message.get("body"):
                self._got.put_nowait(message["body"])

        self._task = asyncio.create_task(self._here.app(self.scope, receive, send))

    def __enter__(self) -> Stream:
        self._here.wait(self._begin())
        return self

    def __exit__(self, *_: object) -> None:
        async def leave() -> None:
            self._left.set()
            await asyncio.wait_for(self._task, 30)

        self._here.wait(leave())

    def line(self, seconds: float = 30.0) -> str:
        return self._here.wait(asyncio.wait_for(self._got.get(), seconds)).decode()

    def wait(self) -> list[str]:
        """Wait until it ends by itself; return what came before."""

        async def end() -> list[str]:
            await asyncio.wait_for(asyncio.shield(self._task), 30)
            return [self._got.get_nowait().decode() for _ in range(self._got.qsize())]

        return self._here.wait(end())


def _token(here: World, name: str) -> tuple[Visitor, str, str]:
    """Return an account, the id of a token that it has made, and the token."""
    owner = registered(here, name)
    wish = {"name": "mine", "scopes": ["read", "play", "talk"], "days": 3}
    made = owner.post("/api/v1/account/tokens", wish).json()
    return owner, made["id"], made["key"]


def test_a_stream_begins_at_once(here: World) -> None:
    _, _, key = _token(here, "Streamer 1")
    with Stream(here, key) as stream:
        assert stream.line() == "\n"
        assert stream.status == 200


@pytest.mark.parametrize("how", ["revoked", "too old", "suspended", "signed out", "news"])
def test_a_stream_ends_with_its_token(
    here: World, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how != "news":
        monkeypatch.setattr(api_events, "BEAT_SECONDS", 0.2)
    owner, token, key = _token(here, f"Str {how}")
    if how == "signed out":
        key = owner.client.cookies["tianxia_session"]
    made = owner.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    account, accounts = owner.get("/api/v1/account").json(), here.app_state.accounts
    with Stream(here, key) as stream:
        assert made["table"] in stream.line()
        if how in ("revoked", "news"):
            owner.ask("DELETE", f"/api/v1/account/tokens/{token}")
        elif how == "signed out":
            owner.post("/api/v1/sign-out")
        else:
            table, later = (
                (schema.tokens, {"expires": 1.0})
                if how == "too old"
                else (schema.accounts, {"suspended": 1e12})
            )
            ids = {schema.tokens: token, schema.accounts: account["id"]}
            with here.app_state.tables.store.writing() as connection:
                changed = sa.update(table).where(table.c.id == ids[table]).values(**later)
                connection.execute(changed)
        guest = here.visitor()
        guest.become()
        sat = guest.post(f"/api/v1/tables/{made['table']}/sit", {"seat": 1})
        assert sat.status_code == 200, sat.text
        rest = stream.wait()
        assert stream.ended
        assert not "".join(rest).strip()
    assert accounts.get(account["id"]) is not None


def test_an_open_page_by_a_token_ends_with_it(here: World) -> None:
    owner, token, key = _token(here, "Streamer 3")
    table = owner.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    program = here.visitor()
    with program.live(table["table"], authorization=f"Bearer {key}") as socket:
        assert "/seat/" in socket.receive()["html"]
        owner.ask("DELETE", f"/api/v1/account/tokens/{token}")
        guest = here.visitor()
        guest.become()
        guest.post(f"/api/v1/tables/{table['table']}/sit", {"seat": 1})
        assert socket.end() == 1008


def test_a_quiet_open_page_by_a_token_ends_with_it(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.2)
    owner, token, key = _token(here, "Streamer 4")
    table = owner.post("/api/v1/tables", {"game": "stratego", "seats": ["me", "open"]}).json()
    with here.visitor().live(table["table"], authorization=f"Bearer {key}") as socket:
        socket.receive()
        owner.ask("DELETE", f"/api/v1/account/tokens/{token}")
        assert socket.end() == 1008


def test_a_stream_ends_when_the_server_stops(here: World) -> None:
    _, _, key = _token(here, "Streamer 5")
    with Stream(here, key) as stream:
        stream.line()
        ending = cast(Callable[[], None], stream.scope[LEAVING])
        here._loop.call_soon_threadsafe(ending)
        assert stream.wait() == []
        assert stream.ended


def test_whoever_waits_by_a_token_that_ends_is_refused(here: World) -> None:
    owner, token, key = _token(here, "Streamer 6")
    wish = {"game": "stratego", "options": {"variant": "barrage"}, "pace": "7d"}
    seek = owner.post("/api/v1/lobby/seeks", wish).json()["id"]
    program = here.visitor(authorization=f"Bearer {key}")
    asked = program.client.request("GET", f"/api/v1/lobby/seeks/{seek}?wait=20")
    answer = asyncio.run_coroutine_threadsafe(asked, here._loop)
    deadline = time.monotonic() + 10
    while not here.app_state.tables.lobby.is_watched(seek) and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)  # it has looked, and waits
    owner.ask("DELETE", f"/api/v1/account/tokens/{token}")
    other = here.visitor()
    other.become()
    assert other.post("/api/v1/lobby/seeks", wish).json()["table"]
    assert answer.result(30).status_code == 401
