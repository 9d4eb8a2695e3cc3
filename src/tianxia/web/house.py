"""All that one running server has: its settings, tables, bots, and what draws and limits."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter, run_sync
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from tianxia.draw.scene import Scene
from tianxia.tables import Advice, Asking, Minds, Reviews, Snapshot, Tables, UnknownTable
from tianxia.tables.advising import check
from tianxia.tables.errors import NoAnswer
from tianxia.tables.hub import Subscription
from tianxia.web import metrics
from tianxia.web.desk import Desk, Piece, Viewer
from tianxia.web.gate import busy, refuse_above, room
from tianxia.web.security import Limits, People
from tianxia.web.settings import Settings
from tianxia.web.static import static
from tianxia.web.talk import talk_piece
from tianxia.web.templating import render
from tianxia.web.visit import NAME_COOKIE, Visit, asking, current

Found = TypeVar("Found")
Hinted = tuple[Snapshot, Viewer, Scene, Advice]
"""What a hint is told from."""
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
PUSHING_THREADS = 1
ADVICE_SECONDS = 60.0
"""How long to wait for a hint; minds that wake up can take as long."""
LOOK_AGAIN_SECONDS = 2.0
"""After how long to look for an answer of which no word has come."""
MOST_WAITING = 60
"""Calls that wait for a thread; whoever comes then is told to come again."""
NOBODY = ""
"""The person that somebody is who was never here: holds no seat."""


class House:
    """What every route works with.

    Attributes
    ----------
    settings, people, limits, desk
        See there.
    tables
        The tables' service; opened when the server starts.
    """

    def __init__(
        self,
        settings: Settings,
        tables: Tables | None = None,
        minds: Minds | None = None,
    ) -> None:
        self.settings = settings
        self.people = People(settings.signing_key())
        self.limits = Limits(settings.rate)
        self.desk = Desk()
        # Whoever clicks waits for one answer; all who watch can wait a little.
        self._pushing = CapacityLimiter(PUSHING_THREADS)
        self._given = tables
        self._tables = tables
        self._reviews: Reviews | None = None
        self._minds = minds
        self._unlisten: Callable[[], None] | None = None

    @property
    def tables(self) -> Tables:
        """The tables' service."""
        if self._tables is None:
            self.open()
        assert self._tables is not None  # noqa: S101
        return self._tables

    @property
    def reviews(self) -> Reviews:
        """The reviews of finished games."""
        if self._reviews is None:
            self._reviews = Reviews(self.tables)
        return self._reviews

    @property
    def minds(self) -> Minds:
        """How far the minds of each game are."""
        if self._minds is None:
            self._minds = Minds(self.tables)
        return self._minds

    def open(self) -> None:
        """Open the database, and begin to hear of minds."""
        if self._tables is None:
            self._tables = Tables(self.settings.database_url)
        self._tables.store.timed = metrics.database
        hub = self._tables.hub
        _ = self.minds  # hears first

        def tell(_: str, __: int) -> None:
            for table_id in hub.watched():
                hub.wake(table_id)

        self._unlisten = self._tables.minds_news.listen(tell)

    def close(self) -> None:
        """Close the database unless it was given."""
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        if self._minds is not None:
            self._minds.close()
            self._minds = None
        if self._reviews is not None:
            self._reviews.close()
            self._reviews = None
        if self._tables is not None and self._given is None:
            self._tables.close()
            self._tables = None

    # --- Asking the tables ---

    async def call(self, function: Callable[..., Found], *arguments: Any, **named: Any) -> Found:
        """Call a function that may wait for the database, or draw, in a thread.

        Whoever asks is charged for it. Where too many wait already nobody waits any longer.
        """
        visit = asking.get()
        if visit is None:
            return await run_in_threadpool(function, *arguments, **named)
        if current_default_thread_limiter().statistics().tasks_waiting >= MOST_WAITING:
            raise busy()
        spent = [0.0]

        def timed() -> Found:
            begun = time.thread_time()
            try:
                return function(*arguments, **named)
            finally:
                spent[0] = time.thread_time() - begun

        try:
            with room(self.limits.calls, visit.address):
                return await run_in_threadpool(timed)
        finally:
            self.limits.work.spend(visit.address, spent[0])
            metrics.WORK.inc(spent[0])

    async def look_again(self, table_id: str, visit: Visit) -> Piece:
        """Return what a visitor sees of a table now, after those who have clicked."""
        return await run_sync(self.piece, table_id, visit, limiter=self._pushing)

    def check_table(self, table_id: str) -> None:
        """Refuse an id that is none."""
        if not TABLE_ID.fullmatch(table_id):
            raise UnknownTable(table_id)

    def viewer(self, snapshot: Snapshot, visit: Visit) -> Viewer:
        """Return who a visitor is at a table."""
        person = visit.person or NOBODY
        seat = self.tables.seat_of(snapshot.id, person) if person else None
        key = self.tables.seat_key(snapshot.id, seat, person) if seat is not None else ""
        return Viewer(seat, visit.language, visit.base, key)

    def look(self, table_id: str, visit: Visit) -> tuple[Snapshot, Viewer]:
        """Return a table as it is now, and who the visitor is there."""
        self.check_table(table_id)
        snapshot = self.tables.snapshot(table_id)
        return snapshot, self.viewer(snapshot, visit)

    def piece(self, table_id: str, visit: Visit) -> Piece:
        """Return what a visitor sees of a table now."""
        snapshot, viewer = self.look(table_id, visit)
        return self.piece_of(snapshot, viewer)

    def piece_of(self, snapshot: Snapshot, viewer: Viewer) -> Piece:
        """Return what a viewer sees of a table."""
        mind = self.minds.look(snapshot.game.name)
        return self.desk.piece(snapshot, viewer, self.reviews.look(snapshot), mind)

    def talk(self, table_id: str, visit: Visit) -> tuple[Viewer, Piece]:
        """Return what a visitor may read of a table's talk now, and as whom."""
        snapshot, viewer = self.look(table_id, visit)
        heard = self.tables.talk.heard(table_id, viewer.code)
        return viewer, talk_piece(snapshot, heard, viewer, self.desk.armies(snapshot))

    async def hints(self, table_id: str, visit: Visit) -> Hinted:
        """Return what a visitor could do at a table; who asks waits, nobody else does.

        Raises
        ------
        NotYourSeat, NotNow
            Where no hints are given, saying why.
        """
        snapshot, viewer = await self.call(self.look, table_id, visit)
        check(snapshot, viewer.seat)
        mind = await self.call(self.minds.look, snapshot.game.name)
        if mind.stage == "failed":
            raise NoAnswer
        refuse_above(self.limits.hints.take(visit.person or visit.address))
        scene = await self.call(self._scene, snapshot, viewer)
        asking, together = Asking(self.tables), scene.arrangement is not None
        asked = await self.call(asking.ask, snapshot, viewer.seat, together=together)
        with self.tables.asked.subscribe(asked) as news:
            advice = await self._advice(asking, asked, news)
        return snapshot, viewer, scene, advice

    async def _advice(self, asking: Asking, asked: str, news: Subscription) -> Advice:
        """Wait for a mind's answer."""
        loop = asyncio.get_running_loop()
        end = loop.time() + ADVICE_SECONDS
        while (advice := await self.call(asking.answer, asked)) is None:
            if loop.time() >= end:
                raise NoAnswer
            with suppress(TimeoutError):
                await asyncio.wait_for(anext(news, None), LOOK_AGAIN_SECONDS)
        return advice

    def _scene(self, snapshot: Snapshot, viewer: Viewer) -> Scene:
        return self.desk.scene(snapshot, viewer, self.desk.told(snapshot, viewer))

    async def talk_again(self, table_id: str, visit: Visit) -> tuple[Viewer, Piece]:
        """Return the same, after those who have clicked."""
        return await run_sync(self.talk, table_id, visit, limiter=self._pushing)

    # --- Pages ---

    def person(self, visit: Visit) -> str:
        """Return who a visitor is; somebody who was never here becomes somebody."""
        return visit.person or visit.become(self.people.new(), self.people)

    def page(
        self,
        name: str,
        request: Request,
        status: int = 200,
        /,
        boards: tuple[str, ...] = (),
        **context: Any,
    ) -> HTMLResponse:
        """Return a page of ours."""
        visit = current(request)
        context |= {"visit": visit, "sheets": static().sheets(*boards), "switch": _switch(request)}
        if visit.person is not None:
            context["form_token"] = self.people.form_token(visit.person)
        return HTMLResponse(render(name, visit.language, **context), status)


def house_of(connection: HTTPConnection) -> House:
    """Return the house to which a request came."""
    house = connection.app.state.house
    assert isinstance(house, House)  # noqa: S101
    return house


def remember_name(visit: Visit, nickname: str) -> None:
    """Keep the name that somebody gave at a table, for the next one."""
    visit.set_cookie(NAME_COOKIE, quote(nickname))


def _switch(request: Request) -> Callable[[str, str], str]:
    """Return what makes the links that choose a language or theme on this page."""
    path = quote(request.url.path)

    def switch(name: str, value: str) -> str:
        return f"{path}?{name}={value}"

    return switch
