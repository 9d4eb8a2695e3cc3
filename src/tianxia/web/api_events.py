"""The stream of what happens to somebody, for programs that play: one JSON object a line."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Scope

from tianxia.lobby.company import Company
from tianxia.tables import Snapshot, TableError, people
from tianxia.telling import PACES, WAYS
from tianxia.web import api_models as models
from tianxia.web.api import RESPONSES
from tianxia.web.app_state import AppState
from tianxia.web.connections import LEAVING
from tianxia.web.errors import Refusal
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Here, Somebody, threaded

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
BEAT_SECONDS = 15.0
"""How often an empty line says that the stream is alive."""
LINES = {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}


@router.get("/events", response_class=StreamingResponse, responses={200: LINES})
async def events(
    request: Request, app_state: Here, context: Somebody, once: Annotated[bool, Query()] = False
) -> StreamingResponse:
    """Send what happens at your tables, and who challenges you, a JSON object a line.

    First how all of them stand that are not over; with `once` nothing more.
    """
    stream = _lines(app_state, Listener.of(context), once=once, scope=request.scope)
    # nginx would keep the lines until there are some kilobytes of them.
    headers = {"x-accel-buffering": "no"}
    return StreamingResponse(stream, headers=headers, media_type="application/x-ndjson")


@dataclass(frozen=True)
class Listener:
    """Who listens: a person, and the id of their account; empty for a guest.

    `context` is how they asked, by which it is seen whether they still may.
    """

    person: str
    account: str
    context: RequestContext | None = None

    @classmethod
    def of(cls, context: RequestContext) -> Listener:
        """Return who has sent a request."""
        return cls(context.who, context.account.id if context.account else "", context)

    def is_here(self, app_state: AppState) -> bool:
        """Say whether they may still listen: whether their token is still good."""
        if self.context is None:
            return True
        try:
            app_state.see_who_is_here(self.context)
        except Refusal:
            return False
        return bool(self.context.who)


class Changed(asyncio.Queue[str | None]):
    """Tables that have changed, each once: whoever reads slowly misses none, however many wait."""

    def _init(self, maxsize: int) -> None:
        self._queue: dict[str | None, None] = {}

    def _put(self, item: str | None) -> None:
        self._queue[item] = None

    def _get(self) -> str | None:
        first = next(iter(self._queue))
        del self._queue[first]
        return first


async def _lines(
    app_state: AppState, listener: Listener, *, once: bool, scope: Scope | None = None
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    changed = Changed()
    if scope is not None:
        scope[LEAVING] = partial(_end, changed)

    def note(table_id: str, _: int) -> None:
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(changed.put_nowait, table_id)

    unlisten = app_state.tables.hub.listen(note)
    there = None if once else Presence(app_state, listener.person)
    told: dict[str, dict[str, Any]] = {}
    try:
        for table_id in await app_state.call(_own, app_state, listener):
            if line := await app_state.call(_line, app_state, listener, table_id, told):
                yield line
        if there is not None and not told:
            yield "\n"  # with it the head is sent
        due = loop.time() + BEAT_SECONDS
        while there is not None:
            await app_state.later(there.note, told)
            heard = await _heard(changed, due - loop.time())
            if heard == "":
                due += BEAT_SECONDS
            if heard is None:
                return
            more = await app_state.later(_next, app_state, listener, heard, told)
            if more is None:
                return
            if more:
                yield more
    finally:
        unlisten()
        if there is not None:
            there.end()


class Presence:
    """That a program is at all tables of which it is told, as long as it listens."""

    def __init__(self, app_state: AppState, person: str) -> None:
        self._app_state = app_state
        self._company = Company(app_state.tables)
        self._person = person
        self._page = people.new_id()
        self._at: set[str] = set()
        self._noted = 0.0

    def note(self, told: Mapping[str, Mapping[str, Any]]) -> None:
        """Be at tables that are new, leave those that are over, and stay at the others."""
        now = time.monotonic()
        open_ = {id_ for id_, one in told.items() if one.get("status") in ("waiting", "playing")}
        with suppress(TableError):
            for table_id in open_ - self._at:
                self._company.come(self._page, table_id, self._person)
                self._at.add(table_id)
            if over := self._at - open_:
                self._company.go(self._page, *over)
                self._at -= over
            if now - self._noted > BEAT_SECONDS:
                self._company.stay(self._page)
                for table_id, one in told.items():
                    if one.get("status") == "playing":  # nobody may claim that it has gone
                        self._app_state.tables.see(table_id, one.get("seat"))
                self._noted = now

    def end(self) -> None:
        """Be at none any more; whoever has hung up does not wait for that."""
        with suppress(RuntimeError):  # the server is stopping
            self._app_state.aside.submit(self._company.go, self._page, *self._at)


def _next(
    app_state: AppState, listener: Listener, table_id: str, told: dict[str, dict[str, Any]]
) -> str | None:
    """Return what to tell of a table, or a sign of life; None to whoever may no longer listen.

    Whether they may is asked only where there is something to tell: else the end of a stream would
    tell that others act, be it in secret.
    """
    more = _line(app_state, listener, table_id, told) if table_id else "\n"
    return more if not more or listener.is_here(app_state) else None


async def _heard(changed: Changed, left: float) -> str | None:
    """Return a table that has changed; "" when a sign of life is due, None where all ends.

    However much happens, and to whom, signs of life come at their own times.
    """
    if left <= 0:
        return ""
    try:
        return await asyncio.wait_for(changed.get(), left)
    except TimeoutError:
        return ""


def _end(changed: Changed) -> None:
    """End a stream, since the server stops: whatever else there was to tell is told by the next."""
    while not changed.empty():
        changed.get_nowait()
    changed.put_nowait(None)


def _own(app_state: AppState, listener: Listener) -> list[str]:
    """Return somebody's own tables that are not over, the oldest first, and their challenges."""
    tables = app_state.tables
    listed = tables.open_tables(listener.person)
    own = [table for table in listed if table.seat is not None and table.status != "over"]
    own += tables.asked_to(listener.account) if listener.account else []
    return [table.id for table in sorted(own, key=lambda table: table.created)]


def _line(
    app_state: AppState, listener: Listener, table_id: str, told: dict[str, dict[str, Any]]
) -> str:
    """Return what to tell somebody of a table; nothing where that is what was told last.

    Made of what the seat may know: what others do in secret makes no line.
    """
    try:
        seat = app_state.tables.seat_of(table_id, listener.person)
        snapshot = app_state.tables.snapshot(table_id)
    except TableError:
        return ""
    facts = _challenge(snapshot, listener) if seat is None else _turn(snapshot, seat)
    if not facts or told.get(table_id) == facts:
        return ""
    told[table_id] = facts
    return json.dumps(facts) + "\n"


def _challenge(snapshot: Snapshot, listener: Listener) -> dict[str, Any]:
    """Return who has kept a seat for somebody; nothing where nobody has."""
    kept = any(seat.reserved and seat.account == listener.account for seat in snapshot.seats)
    if snapshot.status != "waiting" or not (kept and listener.account):
        return {}
    return {
        "type": "challenge",
        "table": snapshot.id,
        "game": snapshot.game.spec,
        "pace": str(snapshot.pace),
        "rated": snapshot.rated,
        "from": [seat.name for seat in snapshot.seats if seat.kind == "person"],
    }


def _turn(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    """Return how a table stands for a seat."""
    mine = seat in snapshot.acting
    return {
        "type": "over" if snapshot.status == "over" else "turn" if mine else "table",
        "table": snapshot.id,
        "game": snapshot.game.spec,
        "status": snapshot.status,
        "seat": seat,
        "your_turn": mine,
        "decision": snapshot.decision(seat),
        "answer": snapshot.must_answer(seat),
        "ending": snapshot.ending,
        "falls": snapshot.clocks[seat].falls,
    }


@router.get("/told")
@threaded
def told(app_state: Here, context: Somebody) -> models.Messages:
    """Say what you are told of, and how."""
    return _messages(app_state, people.digest(context.who))


def _messages(app_state: AppState, digest: str) -> models.Messages:
    found = app_state.telling.wishes(digest)
    return models.Messages(told={way: [p for p in PACES if (way, p) in found] for way in WAYS})


@router.post("/told")
@threaded
def wish(app_state: Here, context: Somebody, wanted: models.Wish) -> models.Messages:
    """Choose whether to be told of your turns, in a way and at tables of a pace."""
    digest = people.digest(context.who)
    app_state.check_room(context)
    app_state.telling.wish(digest, wanted.way, wanted.pace, wanted=wanted.wanted)
    return _messages(app_state, digest)
