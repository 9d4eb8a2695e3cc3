"""A server in the test's own process: visitors ask it through ASGI, without a network.

The application runs in an event loop of a thread of its own; visitors are plain objects
that wait for their answers, each with cookies of its own.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from fastapi import FastAPI

from tianxia.kernel.state import State
from tianxia.tables import Mind, Minds, Tables, Thinker
from tianxia.web.app import create_app
from tianxia.web.app_state import AppState
from tianxia.web.catalogue import kinds
from tianxia.web.settings import Settings

SECRET = "a secret for tests only"
BASE = "http://table.test"
PATIENCE = 120.0
QUICK = Settings(secret=SECRET, rate=0, bot_seconds=0)
Answer = TypeVar("Answer")


class Awake(Minds):
    """Minds of which each is ready."""

    def stages(self) -> dict[str, Mind]:
        return {kind.name: Mind("ready", 100) for kind in kinds()}


class World:
    """A running application."""

    def __init__(self, app: FastAPI, *, thinks: bool = True) -> None:
        self.app = app
        self.thinks = thinks
        self.app_state: AppState = app.state.app_state
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @contextmanager
    def running(self) -> Iterator[World]:
        self._thread.start()
        lifespan = self.app.router.lifespan_context(self.app)
        self.wait(lifespan.__aenter__())
        # What thinks is a process of its own in a server, and a thread here.
        mind = Thinker(self.app_state.tables, rhythm=self.app_state.settings.bot_seconds)
        if self.thinks:
            mind.start()
        try:
            yield self
        finally:
            mind.close()
            self.wait(lifespan.__aexit__(None, None, None))
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(PATIENCE)
            self._loop.close()

    def wait(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def visitor(self, address: str = "192.0.2.1", **headers: str) -> Visitor:
        return Visitor(self, address, {name.replace("_", "-"): v for name, v in headers.items()})

    def seated(self, *seats: str, game: str = "stratego", **options: Any) -> Table:
        """Return a new table; whoever opens it sits at the seat ``me``."""
        host = self.visitor()
        host.become()
        wish = {"game": game, "options": options, "seats": list(seats), "nickname": "Ada"}
        answer = host.post("/api/v1/tables", wish)
        assert answer.status_code == 201, answer.text
        return Table(self, host, answer.json()["table"])


class Visitor:
    """Somebody with a browser: cookies, headers, an address."""

    def __init__(self, world: World, address: str, headers: Mapping[str, str]) -> None:
        self.world = world
        self.address = address
        self.answered: list[bytes] = []
        self.pushed: list[bytes] = []
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(world.app, client=(address, 1)),
            base_url=BASE,
            headers={"accept": "text/html", "sec-fetch-site": "same-origin", **headers},
            follow_redirects=False,
        )

    @property
    def received(self) -> list[bytes]:
        """All answers in their order, then all pushes in theirs: between the two is none."""
        return self.answered + self.pushed

    def ask(self, method: str, path: str, **arguments: Any) -> httpx.Response:
        answer = self.world.wait(self.client.request(method, path, **arguments))
        self.answered.append(answer.content)
        return answer

    def get(self, path: str, **arguments: Any) -> httpx.Response:
        return self.ask("GET", path, **arguments)

    def post(self, path: str, body: Any = None, **arguments: Any) -> httpx.Response:
        if body is not None:
            arguments["json"] = body
        return self.ask("POST", path, **arguments)

    def become(self) -> None:
        """Be somebody: get the cookie that pages with forms set."""
        app_state = self.world.app_state
        signed = app_state.people.sign(app_state.people.new())
        self.client.cookies.set("tianxia_person", signed, domain=urlsplit(BASE).hostname or "")

    @property
    def person(self) -> str:
        return self.world.app_state.people.read(self.client.cookies["tianxia_person"]) or ""

    def token(self) -> str:
        """Return what this visitor's forms carry."""
        return self.world.app_state.people.form_token(self.person)

    @contextmanager
    def live(self, table: str, version: str = "", **headers: str) -> Iterator[Socket]:
        """Open the WebSocket of a table, knowing a version already."""
        socket = Socket(self, f"/t/{table}/live?version={version}", headers)
        self.world.wait(socket.begin())
        try:
            yield socket
        finally:
            self.world.wait(socket.leave())


class Socket:
    """A WebSocket as a browser holds it."""

    def __init__(self, visitor: Visitor, path: str, headers: Mapping[str, str]) -> None:
        self.visitor = visitor
        self.accepted = False
        self.closed: int | None = None
        self.status: int | None = None
        self.denied = b""
        path, _, query = path.partition("?")
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
        language = visitor.client.headers.get("accept-language", "")
        sent = {"host": "table.test", "origin": BASE, "cookie": cookies}
        sent |= {"accept-language": language, **headers}
        self._scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in sent.items() if value],
            "client": (visitor.address, 1),
            "server": ("table.test", 80),
            "subprotocols": [],
            "state": {},
            "extensions": {"websocket.http.response": {}},
        }
        self._inbox: asyncio.Queue[dict[str, Any]]
        self._outbox: asyncio.Queue[dict[str, Any]]
        self._task: asyncio.Task[None]

    async def begin(self) -> None:
        self._inbox, self._outbox = asyncio.Queue(), asyncio.Queue()
        await self._outbox.put({"type": "websocket.connect"})
        app = self.visitor.world.app
        self._task = asyncio.create_task(app(self._scope, self._outbox.get, self._take))
        while not (self.accepted or self._task.done()):
            await asyncio.sleep(0.001)

    async def _take(self, message: Any) -> None:
        kind = message["type"]
        if kind == "websocket.accept":
            self.accepted = True
        elif kind == "websocket.close":
            self.closed = message.get("code", 1000)
            await self._inbox.put(message)
        elif kind == "websocket.http.response.start":
            self.status = message["status"]
        elif kind == "websocket.http.response.body":
            self.denied += message.get("body", b"")
        else:
            self.visitor.pushed.append(message["text"].encode())
            await self._inbox.put(message)

    async def leave(self) -> None:
        await self._outbox.put({"type": "websocket.disconnect", "code": 1001})
        await asyncio.wait_for(self._task, PATIENCE)

    def receive(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """Return the next message."""
        message = self.visitor.world.wait(asyncio.wait_for(self._inbox.get(), seconds))
        assert message["type"] == "websocket.send", message
        found: dict[str, Any] = json.loads(message["text"])
        return found

    def rest(self) -> Iterator[dict[str, Any]]:
        """Return what comes until nothing comes for a while."""
        with suppress(TimeoutError):
            while True:
                yield self.receive(0.3)

    def silent(self, seconds: float = 0.3) -> bool:
        """Say whether nothing comes for a while."""
        try:
            self.visitor.world.wait(asyncio.wait_for(self._inbox.get(), seconds))
        except TimeoutError:
            return True
        return False

    def send(self, frame: str | bytes) -> None:
        part = {"text": frame} if isinstance(frame, str) else {"bytes": frame}
        self.visitor.world.wait(self._outbox.put({"type": "websocket.receive", **part}))

    def end(self) -> int | None:
        """Wait until the server closes; return its code."""
        self.visitor.world.wait(asyncio.wait_for(asyncio.shield(self._task), PATIENCE))
        return self.closed


class Table:
    """A table in a world, with the visitor who made it."""

    def __init__(self, world: World, host: Visitor, table_id: str) -> None:
        self.world = world
        self.host = host
        self.id = table_id

    def guest(self, seat: int, **headers: str) -> Visitor:
        """Return somebody new who sits down at a free seat."""
        guest = self.world.visitor(address="192.0.2.2", **headers)
        guest.become()
        seed = {"seed": "a seed of Bo"}  # what makes chance honest
        answer = guest.post(f"/t/{self.id}/sit", {"seat": seat, "name": "Bo", **seed})
        assert answer.status_code == 200, answer.text
        return guest

    def facts(self, visitor: Visitor | None = None) -> dict[str, Any]:
        answer = (visitor or self.host).get(f"/api/v1/tables/{self.id}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def act(self, visitor: Visitor, *actions: int, decision: int | None = None) -> httpx.Response:
        if decision is None:
            decision = self.facts(visitor)["decision"]
        return visitor.post(f"/t/{self.id}/act", {"actions": actions, "decision": decision})

    def set_up(self, visitor: Visitor, seed: int = 0) -> list[int]:
        """Send a whole phase of secret choices for a visitor; return the actions."""
        seat = self.facts(visitor)["seat"]
        state = self.world.app_state.tables.snapshot(self.id).state
        actions = chosen(state, seat, random.Random(seed))
        answer = self.act(visitor, *actions)
        assert answer.status_code == 200, answer.text
        return actions

    def state(self) -> tuple[int, bytes]:
        snapshot = self.world.app_state.tables.snapshot(self.id)
        return snapshot.version, snapshot.state.to_bytes()


def chosen(state: State, seat: int, dice: random.Random) -> list[int]:
    """Return random actions of a seat until it is done for now."""
    state, actions = state.clone(), list[int]()
    plies = state.plies
    while seat in state.acting and state.plies == plies:
        actions.append(dice.choice(state.legal_actions(seat)))
        state.apply(actions[-1], seat)
    return actions


@contextmanager
def world(
    settings: Settings = QUICK,
    tables: Tables | None = None,
    awake: bool = True,
) -> Iterator[World]:
    """Run an application; its tables are in memory, and its minds awake or not there."""
    opened = tables or Tables("sqlite://")
    app = create_app(settings, tables=opened, minds=Awake(opened) if awake else None)
    try:
        with World(app, thinks=awake).running() as running:
            yield running
    finally:
        opened.close()
