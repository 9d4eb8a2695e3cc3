"""The WebSocket of an open table: pushes a viewer's piece when it has changed, and only then."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocket, WebSocketDisconnect

from tianxia.lobby import company
from tianxia.lobby.company import Company
from tianxia.lobby.gallery import ear as gallery_ear
from tianxia.tables import Snapshot, Subscription, TableError, people
from tianxia.tables.hub import ear
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.errors import Refusal
from tianxia.web.gallery import overheard
from tianxia.web.metrics import PUSHES
from tianxia.web.parts import Piece
from tianxia.web.rendering import Viewer
from tianxia.web.request_context import RequestContext, current

router = APIRouter()
BEAT_SECONDS = 20.0
PAUSE_SECONDS = 1.0
"""Many may come at once: who is here is told no more often than this."""
LONGEST_LOOK = 32
LONGEST_PAGE = 40
LARGEST_FRAME = 4096
POLICY = 1008
TOO_BIG = 1009
GONE = 1001


class FrameRefused(Exception):
    """A frame that is not taken; the connection ends with this code."""

    def __init__(self, close: int, code: str) -> None:
        super().__init__(code)
        self.close = close
        self.code = code


@router.websocket("/t/{table_id}/live")
async def live(socket: WebSocket, table_id: str) -> None:
    """Keep an open page up to date."""
    app_state, context = app_state_of(socket), current(socket)
    # Subscribed first, looked at then: nothing falls between the two.
    async with app_state.tables.hub.subscribe(table_id) as news:
        snapshot, viewer = await app_state.enter(table_id, context)
        await socket.accept()
        line = Line(socket, app_state, context, table_id)
        line.seat = seat_played(snapshot, viewer)
        named = socket.query_params.get("page", "")[:LONGEST_PAGE]
        tasks = [line.write(news), line.beat(), _read(socket, app_state)]
        if snapshot.talk:
            tasks.append(line.write_talk())
        if "gallery" in socket.query_params:
            tasks.append(line.write_gallery())
        if "company" in socket.query_params:
            tasks.append(line.write_company())
        if named:
            app_state.lines[named] = line
        try:
            await _race(*map(asyncio.create_task, tasks))
        except FrameRefused as refused:
            context.code, context.refused = refused.code, True
            with suppress(RuntimeError):
                await socket.close(refused.close, refused.code)
        except WebSocketDisconnect:
            pass
        finally:
            if app_state.lines.get(named) is line:
                del app_state.lines[named]


def seat_played(snapshot: Snapshot, viewer: Viewer) -> int | None:
    """Return the seat whose presence is noted: that of the viewer, while a game is played."""
    return viewer.seat if snapshot.status == "playing" else None


class Line:
    """What is sent to one open page."""

    def __init__(
        self, socket: WebSocket, app_state: AppState, context: RequestContext, table_id: str
    ) -> None:
        self._socket = socket
        self._app_state = app_state
        self._later = app_state.later
        self._context = context
        self._person = context.person  # whom the page is drawn for
        self._table = table_id
        self._known = socket.query_params.get("version", "")[:80]
        self._known_talk = socket.query_params.get("talk", "")[:80]
        self._piece: Piece | None = None  # the page has it
        self._known_gallery = socket.query_params.get("gallery", "")[:80]
        self._company = Company(app_state.tables)
        self._look = socket.query_params.get("company", "")[:LONGEST_LOOK]
        self._page = ""  # whose presence is noted as one of those who are at the table
        self._ear: Subscription | None = None
        self._news: Subscription | None = None
        self._held = self._holds = 0
        self._free = asyncio.Event()
        self._free.set()
        self.seat: int | None = None  # whose presence is noted

    async def write(self, news: Subscription) -> None:
        """Send the viewer's piece now, and whenever it is another."""
        heard: int | None = None
        self._news = news
        while True:
            await self._free.wait()
            holds = self._holds
            asked = self._draw, self._table, self._context, self._known, heard
            piece = await self._later(self._app_state.shown_of, *asked)
            if holds != self._holds:
                continue  # it was answered meanwhile, and has what may be newer
            if piece.version != self._known:
                base = self._piece if self._piece and self._piece.version == self._known else None
                await self._send(piece.since(base))
            self.has(piece)
            heard = await anext(news, None)
            if heard is None:
                return

    def _draw(self, snapshot: Snapshot, viewer: Viewer) -> Piece:
        """Return what the viewer sees now, and note their seat: a game may have begun meanwhile."""
        self.seat = seat_played(snapshot, viewer)
        return self._app_state.piece_of(snapshot, viewer)

    def is_at(self, table_id: str, person: str | None) -> bool:
        """Say whether this is somebody's page of a table."""
        return person is not None and (self._table, self._context.person) == (table_id, person)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Push nothing meanwhile."""
        self._held += 1
        self._holds += 1
        self._free.clear()
        try:
            yield
        finally:
            self._held -= 1
            if not self._held:
                self._free.set()

    def has(self, piece: Piece) -> None:
        """Note what the page shows now."""
        if piece.version != self._known and self._ear is not None:
            self._ear.wake()  # seats may have other names, the game may be over
        self._known, self._piece = piece.version, piece

    async def write_talk(self) -> None:
        """Send what the viewer may read of the talk now, and whenever that is something else.

        Woken by what is said to the viewer's seat and by what the page is sent anyway; so
        neither what comes nor when it comes tells of what others say in private.
        """
        while True:
            viewer, _ = await self._later(self._app_state.talk, self._table, self._context)
            name = ear(self._table, viewer.code)
            async with self._app_state.tables.talk.hub.subscribe(name) as self._ear:
                if not await self._talk_of(viewer.code, self._ear):
                    return

    async def _talk_of(self, seat: int, news: Subscription) -> bool:
        """Send the talk as long as the viewer has the same seat; False when all is over."""
        while True:
            viewer, piece = await self._later(self._app_state.talk, self._table, self._context)
            self._notice()
            if viewer.code != seat:
                return True
            if piece.version != self._known_talk:
                self._known_talk = piece.version
                await self._send({"talk": {"version": piece.version, "html": piece.html}})
            if await anext(news, None) is None:
                return False

    async def write_gallery(self) -> None:
        """Send what those who watch say, now and whenever there is more, to whoever may read it.

        Pages to which that is new, as after the end, ask for it themselves (`gallery.js`).
        """
        async with self._app_state.tables.lobby.subscribe(gallery_ear(self._table)) as news:
            while True:
                drawn = await self._later(overheard, self._app_state, self._context, self._table)
                if drawn["version"] != self._known_gallery:
                    self._known_gallery = drawn["version"]
                    await self._send({"gallery": drawn})
                if await anext(news, None) is None:
                    return

    async def write_company(self) -> None:
        """Send who is at the table, now and whenever that changes; be among them meanwhile."""
        tables, told = self._app_state.tables, None
        async with tables.lobby.subscribe(company.ear(self._table)) as news:
            self._page = people.new_id()
            try:
                with suppress(TableError):
                    await self._later(self._come, self._page)
                while True:
                    found = await self._later(self._company.at, self._table, self._look)
                    if found != told:
                        await self._send({"company": asdict(found)})
                        told = found
                    await asyncio.sleep(PAUSE_SECONDS)
                    if await anext(news, None) is None:
                        return
            finally:
                with suppress(TableError):
                    await run_in_threadpool(self._company.go, self._page, self._table)

    def _come(self, page: str) -> None:
        context = self._context
        name = context.account.name if context.account else context.nickname
        self._company.come(page, self._table, context.person or page, self._look, name)

    async def beat(self) -> None:
        """Send a sign of life now and then, however much or little happens."""
        tables = self._app_state.tables
        tables.see(self._table, self.seat)
        with suppress(TableError):  # no reason to end a line
            await self._later(tables.note_seen)
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            if self._context.session or self._context.token:
                await self._later(self._app_state.see_who_is_here, self._context)
                self._notice()
            await self._send({"beat": 1})
            tables.see(self._table, self.seat, self._page)

    def _notice(self) -> None:
        """Let the page show what a stranger sees as soon as it is known that its session has ended.

        Else it would with the next version of the table, and tell of what others do in secret.
        """
        if self._context.person != self._person and self._news is not None:
            self._person = self._context.person
            self._news.wake()

    async def _send(self, message: dict[str, object]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        await self._socket.send_text(text)
        PUSHES.labels(next(iter(message)).replace("version", "table")).inc()


async def _race(*tasks: asyncio.Task[None]) -> None:
    """Wait until the first of the tasks ends, end the others, and raise what it raised."""
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def _read(socket: WebSocket, app_state: AppState) -> None:
    """Take what the page sends: signs of life, nothing else; ends with the connection."""
    key = str(id(socket))
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        content = message.get("text")
        if content is None:
            raise FrameRefused(1003, "malformed")
        if len(content) > LARGEST_FRAME or len(content.encode()) > LARGEST_FRAME:
            raise FrameRefused(TOO_BIG, "too-large")
        if app_state.limits.frames.take(key) > 0:
            raise FrameRefused(POLICY, "too-many")
        _check_frame(content)


def _check_frame(content: str) -> None:
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FrameRefused(POLICY, "malformed") from error
    if not isinstance(value, dict):
        raise FrameRefused(POLICY, "malformed")


__all__ = ["Refusal", "router"]
