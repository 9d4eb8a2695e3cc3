"""All that one running server has: its settings, tables, bots, and what draws and limits."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter, run_sync
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse

from tianxia.draw.languages import N_
from tianxia.draw.scene import Scene
from tianxia.tables import Advice, Advising, BotRunner, Reviews, Snapshot, Tables, UnknownTable
from tianxia.tables.advising import check
from tianxia.tables.background import thinkers
from tianxia.web import metrics
from tianxia.web.catalogue import kinds
from tianxia.web.desk import Desk, Piece, Viewer
from tianxia.web.errors import Refusal
from tianxia.web.gate import busy, refuse_above, room
from tianxia.web.preparing import Preparation
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
MOST_WAITING = 60
"""Calls that wait for a thread; whoever comes then is told to come again."""
HINTING_THREADS = 1
NO_ROWS = 2**31 - 1
"""After this row of a log there is none: only a table's own row is read."""
NOBODY = ""
"""The person that somebody is who was never here: holds no seat."""


class House:
    """What every route works with.

    Attributes
    ----------
    settings, people, limits, preparation, desk
        See there.
    tables
        The tables' service; opened when the server starts.
    """

    def __init__(
        self,
        settings: Settings,
        tables: Tables | None = None,
        preparation: Preparation | None = None,
    ) -> None:
        self.settings = settings
        self.people = People(settings.signing_key())
        self.limits = Limits(settings.rate)
        self.preparation = preparation or Preparation(kinds())
        self.desk = Desk()
        # Whoever clicks waits for one answer; all who watch can wait a little.
        self._pushing = CapacityLimiter(PUSHING_THREADS)
        self._advising = Advising()
        self._thinkers = thinkers(HINTING_THREADS, "hints")
        self._given = tables
        self._tables = tables
        self._bots: BotRunner | None = None
        self._reviews: Reviews | None = None

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

    def open(self) -> None:
        """Open the database, begin to compile the games, and let the bots play."""
        if self._tables is None:
            self._tables = Tables(self.settings.database_url)
        self._tables.store.timed = metrics.database
        self.preparation.start()
        self._bots = BotRunner(self._tables, rhythm=self.settings.bot_seconds)
        self._bots.start()

    def close(self) -> None:
        """Stop the bots; close the database unless it was given."""
        if self._bots is not None:
            self._bots.close()
            self._bots = None
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

    def check_ready(self, game: str) -> None:
        """Refuse what needs a game whose rules are not compiled yet."""
        if not self.preparation.is_ready(game):
            refusal = Refusal(503, "preparing", PREPARING)
            refusal.headers["retry-after"] = "3"
            raise refusal

    def check_table(self, table_id: str) -> None:
        """Refuse an id that is none, and a table whose game is not compiled yet."""
        if not TABLE_ID.fullmatch(table_id):
            raise UnknownTable(table_id)
        if self.preparation.done:
            return
        stored = self.tables.store.load(table_id, after=NO_ROWS)
        if stored is None:
            raise UnknownTable(table_id)
        self.check_ready(stored.head.game)

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
        return self.desk.piece(snapshot, viewer, self.reviews.look(snapshot))

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
        refuse_above(self.limits.hints.take(visit.person or visit.address))
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thinkers, self._hinted, snapshot, viewer)

    def _hinted(self, snapshot: Snapshot, viewer: Viewer) -> Hinted:
        scene = self.desk.scene(snapshot, viewer, self.desk.told(snapshot, viewer))
        together = scene.arrangement is not None
        advice = self._advising.hints(snapshot, viewer.seat, together=together)
        return snapshot, viewer, scene, advice

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


PREPARING = N_("The rules of this game are being prepared for this machine. Try again soon.")


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
