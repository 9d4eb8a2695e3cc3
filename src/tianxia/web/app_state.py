"""All that one running server has: its settings, tables, bots, and what draws and limits."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar
from urllib.parse import quote

from anyio import CapacityLimiter
from anyio.to_thread import current_default_thread_limiter, run_sync
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse

from tianxia.accounts import Accounts, tokens
from tianxia.draw.scene import Scene
from tianxia.lobby import Lobby
from tianxia.tables import Advice, Asking, Minds, Reviews, Snapshot, Tables, UnknownTable
from tianxia.tables.advising import check
from tianxia.tables.errors import NoAnswer
from tianxia.tables.hub import Subscription
from tianxia.tables.keeper import Keeper
from tianxia.telling import Telling
from tianxia.telling.service import SERVICES
from tianxia.web import metrics
from tianxia.web.errors import no_token
from tianxia.web.guiding import advised
from tianxia.web.middleware import busy, refuse_above, room
from tianxia.web.parts import Piece
from tianxia.web.rendering import Renderer, Viewer
from tianxia.web.request_context import (
    NAME_COOKIE,
    SESSION_COOKIE,
    RequestContext,
    asking,
    current,
)
from tianxia.web.security import Limits, People
from tianxia.web.settings import Settings
from tianxia.web.static import static
from tianxia.web.talk import talk_piece
from tianxia.web.templating import render

if TYPE_CHECKING:
    from tianxia.web.live import Line

Found = TypeVar("Found")


class Versioned(Protocol):
    """What has a version that changes with it."""

    @property
    def version(self) -> str:
        """As pages and programs know it."""


Shown = TypeVar("Shown", bound=Versioned)
Hinted = tuple[Snapshot, Viewer, Scene, Advice]
"""What a hint is told from."""
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
PUSHING_THREADS, READING_THREADS = 1, 3
"""Threads take turns: the fewer of them draw for others, the sooner a click has its own."""
ADVICE_SECONDS = 60.0
"""How long to wait for a hint; minds that wake up can take as long."""
LETTERS = 8
"""Letters on their way at once: more than are sent to one address in a row, so that how long the
next one takes does not tell whether these were sent, and somebody has that address."""
LOOK_AGAIN_SECONDS = 2.0
"""After how long to look for an answer of which no word has come."""
MOST_WAITING = 60
"""Calls that wait for a thread; whoever comes then is told to come again."""


class AppState:
    """What every route works with.

    Attributes
    ----------
    settings, people, limits, renderer
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
        self.renderer = Renderer(self._is_watched)
        # Whoever clicks waits for one answer; all who watch can wait a little.
        self._pushing = CapacityLimiter(PUSHING_THREADS)
        self._reading = CapacityLimiter(READING_THREADS)
        self._given = tables
        self._tables = tables
        if minds is not None:
            self.minds = minds
        self._unlisten: Callable[[], None] | None = None
        self.lines: dict[str, Line] = {}
        """Open pages by the names that they have given themselves."""
        # What nobody waits for: letters.
        self.aside = ThreadPoolExecutor(LETTERS, "aside")
        self._keeper: Keeper | None = None

    @property
    def tables(self) -> Tables:
        """The tables' service."""
        if self._tables is None:
            self.open()
        assert self._tables is not None  # noqa: S101
        return self._tables

    @cached_property
    def accounts(self) -> Accounts:
        """The accounts."""
        return Accounts(self.tables, self.settings.signing_key())

    @cached_property
    def lobby(self) -> Lobby:
        """How people meet."""
        return Lobby(self.tables)

    @cached_property
    def reviews(self) -> Reviews:
        """The reviews of finished games."""
        return Reviews(self.tables)

    @cached_property
    def minds(self) -> Minds:
        """How far the minds of each game are."""
        return Minds(self.tables)

    @cached_property
    def telling(self) -> Telling:
        """What people want to be told."""
        services = filter(None, map(str.strip, self.settings.push.split(",")))
        return Telling(self.tables, (*SERVICES, *services))

    def open(self) -> None:
        """Open the database, and begin to hear of minds."""
        if self._tables is None:
            self._tables = Tables(self.settings.database_url)
        self._tables.store.timed = metrics.database
        hub = self._tables.hub
        _ = self.minds  # hears first

        tables = self._tables

        def tell(game: str, _: int) -> None:
            for table_id in hub.watched():
                if tables.may_show_minds(table_id, game):
                    hub.wake(table_id)

        self._unlisten = tables.minds_news.listen(tell)
        self._keeper = Keeper(self._tables).start()

    def close(self) -> None:
        """Close the database unless it was given."""
        self.aside.shutdown(wait=False, cancel_futures=True)
        if self._unlisten is not None:
            self._unlisten()
            self._unlisten = None
        if self._keeper is not None:
            self._keeper.close()
            self._keeper = None
        for name in ("minds", "reviews"):
            if (made := vars(self).pop(name, None)) is not None:
                made.close()
        for name in ("accounts", "lobby", "telling"):
            vars(self).pop(name, None)
        if self._tables is not None and self._given is None:
            self._tables.close()
            self._tables = None

    # --- Who asks ---

    async def identify(self, context: RequestContext) -> None:
        """Find out which account has sent a key, if one has."""
        if context.key:
            await self.call(self._identify, context)

    def _identify(self, context: RequestContext) -> None:
        accounts, now = self.accounts, self.tables.clock()
        if context.key.startswith(tokens.PREFIX):
            by_token = accounts.tokens.find(context.key, now)
            account = by_token[0] if by_token else None
            context.scopes = by_token[1].scopes if by_token else frozenset()
            context.token = by_token[1].id if by_token else ""
        else:
            found = accounts.sessions.find(context.key, now)
            account, context.session = found or (None, None)
        if account is None or accounts.is_suspended(account):
            context.session = None
            if not context.known_by_token:
                context.drop_cookie(SESSION_COOKIE)
            return
        context.account = accounts.at_home(account)
        context.person = accounts.person(account.id)
        renewed = context.session is not None and accounts.sessions.renew(context.session, now)
        if renewed and not context.known_by_token:
            context.set_cookie(SESSION_COOKIE, context.key)

    def _is_watched(self, table_id: str) -> bool:
        return self._tables is not None and self._tables.hub.is_watched(table_id)

    def see_who_is_here(self, context: RequestContext) -> bool:
        """Let whoever asks be nobody where the session of an open page has ended meanwhile.

        Returns
        -------
        bool
            Whether they are who they were.

        Raises
        ------
        Refusal
            Where it was a program's, by a token that is none any more.
        """
        accounts, now = self.accounts, self.tables.clock()
        if context.session is not None:
            goes_on = accounts.sessions.alive(context.session.id, now)
        else:
            goes_on = not context.token or accounts.tokens.alive(context.token, now)
        if goes_on:
            return True
        if context.known_by_token:
            raise no_token()
        context.session = context.account = context.person = None
        return False

    # --- Asking the tables ---

    async def call(self, function: Callable[..., Found], *arguments: Any, **named: Any) -> Found:
        """Call a function that may wait for the database, or draw, in a thread.

        Whoever asks is charged for it. Where too many wait already nobody waits any longer.
        """
        context = asking.get()
        if context is None:
            return await run_in_threadpool(function, *arguments, **named)
        limiter = self._reading if context.reads else current_default_thread_limiter()
        if limiter.statistics().tasks_waiting >= MOST_WAITING:
            raise busy()
        with room(self.limits.calls, context.address):
            return await self._charged(context, limiter, partial(function, *arguments, **named))

    async def _charged(
        self,
        context: RequestContext,
        limiter: CapacityLimiter,
        function: Callable[[], Found],
    ) -> Found:
        spent = [0.0]

        def timed() -> Found:
            begun = time.thread_time()
            try:
                return function()
            finally:
                spent[0] = time.thread_time() - begun

        try:
            return await run_sync(timed, limiter=limiter)
        finally:
            self.limits.work.spend(context.address, spent[0])
            metrics.WORK.inc(spent[0])

    async def later(self, function: Callable[..., Found], *arguments: Any) -> Found:
        """Call a function for an open page, after those who have clicked.

        It waits as long as it takes: a page that were refused would come again, and coming
        costs far more than staying.
        """
        return await run_sync(function, *arguments, limiter=self._pushing)

    async def enter(self, table_id: str, context: RequestContext) -> tuple[Snapshot, Viewer]:
        """Return a table to a page that opens, which waits and is charged for it: see `look`."""
        look = partial(self.look, table_id, context)
        return await self._charged(context, self._pushing, look)

    def check_room(self, context: RequestContext) -> None:
        """Refuse whoever makes too much: tables, accounts, names that are tried, and the like."""
        refuse_above(self.limits.creations.take(context.address))

    def check_table(self, table_id: str) -> None:
        """Refuse an id that is none."""
        if not TABLE_ID.fullmatch(table_id):
            raise UnknownTable(table_id)

    def look(
        self,
        table_id: str,
        context: RequestContext,
        heard: int | None = None,
        *,
        anew: bool = True,
    ) -> tuple[Snapshot, Viewer]:
        """Return a table as it is now, and who the visitor is there.

        Parameters
        ----------
        heard
            The version of which word has come, if any: see `Tables.live`.
        anew
            Whether to see first if they still are who they were.
        """
        self.check_table(table_id)
        if anew:
            self.see_who_is_here(context)
        snapshot, place = self.tables.look(table_id, context.who, heard)
        key = place.key if context.may_all else ""
        viewer = Viewer(place.seat, context.language, context.base, key, place.away)
        if snapshot.status == "waiting" and place.seat is None:
            account = context.account
            viewer = replace(
                viewer,
                guest=snapshot.rated and account is None,
                asked=snapshot.kept_for(account.id) if account else None,
            )
        return snapshot, viewer

    def piece(
        self, table_id: str, context: RequestContext, heard: int | None = None, known: str = ""
    ) -> Piece:
        """Return what a visitor sees of a table now.

        Parameters
        ----------
        heard
            As of `look`.
        known
            What an open page shows. Where it is that still, whether its session goes on is not
            asked: else that would come to light just when others act in secret.
        """
        return self.shown_of(self.piece_of, table_id, context, known, heard)

    def shown_of(
        self,
        draw: Callable[[Snapshot, Viewer], Shown],
        table_id: str,
        context: RequestContext,
        known: str,
        heard: int | None = None,
    ) -> Shown:
        """Return what `draw` makes of a table for a visitor; `heard` and `known` as of `piece`."""
        found = draw(*self.look(table_id, context, heard, anew=not known))
        if known and found.version != known and not self.see_who_is_here(context):
            return draw(*self.look(table_id, context, heard))
        return found

    def piece_of(self, snapshot: Snapshot, viewer: Viewer) -> Piece:
        """Return what a viewer sees of a table."""
        mind = self.minds.look(snapshot.game.name)
        return self.renderer.piece(snapshot, viewer, self.reviews.look(snapshot), mind)

    def talk(self, table_id: str, context: RequestContext) -> tuple[Viewer, Piece]:
        """Return what a visitor may read of a table's talk now, and as whom."""
        snapshot, viewer = self.look(table_id, context)
        heard = self.tables.talk.heard(table_id, viewer.code)
        return viewer, talk_piece(snapshot, heard, viewer, self.renderer.armies(snapshot))

    async def hints(self, table_id: str, context: RequestContext) -> Hinted:
        """Return what a visitor could do at a table; who asks waits, nobody else does.

        Raises
        ------
        NotYourSeat, NotNow
            Where no hints are given, saying why.
        """
        snapshot, viewer = await self.call(self.look, table_id, context)
        check(snapshot, viewer.seat)
        if (told := await self.call(self._guided, snapshot, viewer)) is not None:
            return snapshot, viewer, *told
        mind = await self.call(self.minds.look, snapshot.game.name)
        if mind.stage == "failed":
            raise NoAnswer
        refuse_above(self.limits.hints.take(context.person or context.address))
        scene = await self.call(self._scene, snapshot, viewer)
        asking, together = Asking(self.tables), scene.arrangement is not None
        asked = await self.call(asking.ask, snapshot, viewer.seat, together=together)
        with self.tables.asked.subscribe(asked) as news:
            advice = await self._advice(asking, asked, news)
        return snapshot, viewer, scene, advice

    def _guided(self, snapshot: Snapshot, viewer: Viewer) -> tuple[Scene, Advice] | None:
        """Return what a guided game asks for, as a hint."""
        scene = self._scene(snapshot, viewer)
        advice = advised(snapshot, viewer.seat, together=scene.arrangement is not None)
        return None if advice is None else (scene, advice)

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
        return self.renderer.scene(snapshot, viewer, self.renderer.told(snapshot, viewer))

    # --- Pages ---

    @contextmanager
    def answering(
        self, table_id: str, context: RequestContext, page: str
    ) -> Iterator[Callable[[Piece], None]]:
        """Push nothing to the open page that has sent a request, until it is answered.

        It gets by the answer what it would be pushed: both together would be drawn and sent twice.
        Yields what is to be told which piece the answer brings.
        """
        line = self.lines.get(page)
        if line is None or not line.is_at(table_id, context.person):
            yield lambda _: None
            return
        with line.held():
            yield line.has

    def person(self, context: RequestContext) -> str:
        """Return who a visitor is; somebody who was never here becomes somebody."""
        return context.person or context.become(self.people.new(), self.people)

    def origin_of(self, context: RequestContext) -> str | None:
        """Return a digest of a visitor's address, None where nothing is limited."""
        return self.people.hide(context.address) if self.settings.rate else None

    def page(
        self,
        name: str,
        request: Request,
        status: int = 200,
        /,
        boards: tuple[str, ...] = (),
        **values: Any,
    ) -> HTMLResponse:
        """Return a page of ours."""
        context = current(request)
        values |= {
            "context": context,
            "sheets": static().sheets(*boards),
            "switch": _switch(request),
            "path": request.url.path,
        }
        if context.person is not None:
            values["form_token"] = self.people.form_token(context.person)
        return HTMLResponse(render(name, context.language, **values), status)

    def redrawn(self, name: str, request: Request, /, **values: Any) -> JSONResponse:
        """Return lists once more, for an open page; nothing where they are the same."""
        drawn = self.drawn(name, current(request), **values)
        if request.query_params.get("version") == drawn["version"]:
            del drawn["html"]
        return JSONResponse(drawn)

    def drawn(self, name: str, visitor: RequestContext, /, **values: Any) -> dict[str, str]:
        """Return a part of a page as it is now, and its version, which is its digest."""
        token = self.people.form_token(visitor.person) if visitor.person else ""
        html = render(name, visitor.language, form_token=token, **values)
        return {"version": hashlib.blake2b(html.encode(), digest_size=9).hexdigest(), "html": html}


def app_state_of(connection: HTTPConnection) -> AppState:
    """Return the state of the application to which a request came."""
    app_state = connection.app.state.app_state
    assert isinstance(app_state, AppState)  # noqa: S101
    return app_state


def remember_name(context: RequestContext, nickname: str) -> None:
    """Keep the name that somebody gave at a table, for the next one."""
    context.set_cookie(NAME_COOKIE, quote(nickname))


def _switch(request: Request) -> Callable[[str, str], str]:
    """Return what makes the links that choose a language or theme on this page."""
    path = quote(request.url.path)

    def switch(name: str, value: str) -> str:
        return f"{path}?{name}={value}"

    return switch
