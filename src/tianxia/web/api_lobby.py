"""The lobby in the JSON API: who waits, pairing, challenges."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request

from tianxia.kernel import registry
from tianxia.lobby import Seek
from tianxia.lobby.company import Company
from tianxia.tables import Summary
from tianxia.web.api import RESPONSES, TableId, seats_listed
from tianxia.web.api_account import Done
from tianxia.web.api_models import GameName, Nickname, Options, Sent
from tianxia.web.app_state import AppState
from tianxia.web.lobby import Filter, accepted, begin_seek, challenged, listed
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Here, Somebody, threaded
from tianxia.web.signing import signed_in
from tianxia.web.waiting import Seconds, newer

router = APIRouter(prefix="/api/v1", responses=RESPONSES)
SeekId = Annotated[str, Path(max_length=40)]
PaceName = Annotated[str, Field(max_length=12, description="Empty: without a clock.")]
RATED = "Whether it counts for the ratings, where all who play have accounts and want that."


class NewSeek(Sent):
    """What somebody wants to play."""

    game: GameName
    options: Options = Field(default_factory=dict)
    pace: PaceName = ""
    nickname: Nickname = ""
    rated: Annotated[bool, Field(description=RATED)] = False


class NewChallenge(NewSeek):
    """Whom somebody wants to play."""

    to: Nickname


class SeekInfo(BaseModel):
    """Somebody who waits; `table` is where they have met."""

    id: str
    name: str
    game: str
    pace: str
    rated: bool
    table: str | None
    version: str = ""


class Row(BaseModel):
    """A table in a list."""

    id: str
    game: str
    pace: str
    rated: bool
    status: str
    seats: list[dict[str, str]]


class LobbyInfo(BaseModel):
    """What the lobby shows now."""

    seeks: list[SeekInfo]
    waiting: list[Row]
    playing: list[Row]
    asked: list[Row]
    here: list[str]
    count: int


def _row(table: Summary) -> Row:
    return Row(
        id=table.id,
        game=table.spec,
        pace=table.pace,
        rated=table.rated,
        status=table.status,
        seats=seats_listed(table),
    )


class Attendance(BaseModel):
    """Who has a table open now: the people of seats, accounts that watch, and other watchers."""

    seats: list[int]
    names: list[str]
    guests: int


def _seek(seek: Seek) -> SeekInfo:
    table = seek.table_id or None
    return SeekInfo(
        id=seek.id,
        name=seek.name,
        game=seek.spec,
        pace=seek.pace,
        rated=seek.rated,
        table=table,
        version=table or "waits",
    )


@router.get("/lobby")
@threaded
def lobby(
    request: Request,
    app_state: Here,
    context: Anybody,
    game: Annotated[str, Query(max_length=60)] = "",
    pace: Annotated[str, Query(max_length=12)] = "any",
    players: Annotated[int, Query(ge=0, le=16)] = 0,
    least: Annotated[int | None, Query(ge=0, le=9999)] = None,
    most: Annotated[int | None, Query(ge=0, le=9999)] = None,
) -> LobbyInfo:
    """List who is waiting, open and running public tables, challenges, and who is here."""
    lobby, tables, person = app_state.lobby, app_state.tables, context.who
    if game:
        registry.kind(game)  # unknown ones are refused
    if person:
        lobby.visit(person)
    here, account = lobby.here(), context.account
    found = listed(app_state, person, Filter.of(request))
    return LobbyInfo(
        seeks=[_seek(one) for one in found.seeks],
        waiting=[_row(one) for one in found.waiting],
        playing=[_row(one) for one in found.playing],
        asked=[_row(one) for one in tables.asked_to(account.id)] if account else [],
        here=list(here.names),
        count=here.count,
    )


@router.post("/lobby/seeks", status_code=201)
@threaded
def new_seek(app_state: Here, context: Somebody, wish: NewSeek) -> SeekInfo:
    """Wait for others who want the same; where they are, `table` is there at once."""
    game = registry.kind(wish.game)(**wish.options)
    terms = (game.spec, wish.pace, wish.nickname)
    return _seek(begin_seek(app_state, context, *terms, rated=wish.rated))


@router.get("/lobby/seeks/{seek}")
async def seek(app_state: Here, context: Somebody, seek: SeekId, wait: Seconds = 0) -> SeekInfo:
    """Say whether somebody was found; on demand wait. Whoever stops asking is no longer waiting."""

    async def look() -> SeekInfo:
        return await app_state.call(_looked, app_state, context, seek)

    async with app_state.tables.lobby.subscribe(seek) as news:
        return await newer(look, news, "waits", wait)


def _looked(app_state: AppState, context: RequestContext, seek: str) -> SeekInfo:
    app_state.see_who_is_here(context)
    return _seek(app_state.lobby.look(seek, context.who))


@router.delete("/lobby/seeks/{seek}")
@threaded
def end_seek(app_state: Here, context: Somebody, seek: SeekId) -> Done:
    """Wait no longer."""
    app_state.lobby.give_up(seek, context.who)
    return Done()


@router.post("/challenges", status_code=201)
@threaded
def challenge(app_state: Here, context: Somebody, wish: NewChallenge) -> dict[str, Any]:
    """Challenge somebody who has an account: a table waits for them alone."""
    game = registry.kind(wish.game)(**wish.options)
    terms = (wish.to, game, wish.pace, wish.nickname)
    table = challenged(app_state, context, *terms, rated=wish.rated)
    return {"table": table}


@router.post("/tables/{table_id}/accept")
@threaded
def accept(app_state: Here, context: Somebody, table_id: TableId) -> Done:
    """Accept a challenge: take the seat that is kept for your account."""
    account = signed_in(context)
    app_state.check_table(table_id)
    accepted(app_state, table_id, account.id, context.person)
    return Done()


@router.post("/tables/{table_id}/decline")
@threaded
def decline(app_state: Here, context: Somebody, table_id: TableId) -> Done:
    """Decline a challenge: the seat is anybody's then."""
    account = signed_in(context)
    app_state.check_table(table_id)
    app_state.tables.decline(table_id, account.id)
    return Done()


@router.get("/tables/{table_id}/company")
@threaded
def company(app_state: Here, context: Anybody, table_id: TableId) -> Attendance:
    """Say who has a table open, in a browser or by the stream of events."""
    snapshot, _ = app_state.look(table_id, context)
    present = Company(app_state.tables).at(snapshot.id)
    return Attendance(seats=list(present.seats), names=list(present.names), guests=present.guests)
