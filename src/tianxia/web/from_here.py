"""From a position of a finished game: playing on against bots, and looking at it together."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.lobby.together import Look, Together
from tianxia.tables.chance import LONGEST_SEED
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES, Anybody, Here, Somebody, TableId
from tianxia.web.api_models import Made, Seed, Sent, Small
from tianxia.web.app_state import AppState, app_state_of, remember_name
from tianxia.web.bodies import LARGEST_NUMBER, number, read_body, text
from tianxia.web.errors import problem_of
from tianxia.web.middleware import refuse_above
from tianxia.web.pages import HOUSE_SPRITE, bot_choices, usual_bot
from tianxia.web.rendering import past_position
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.signing import page
from tianxia.web.table_routes import SEE_OTHER, made
from tianxia.web.waiting import Known, Seconds, newer

router = APIRouter()
LONGEST_BOT = 60
Ply = Annotated[int, Query(ge=0, le=LARGEST_NUMBER)]


@router.get("/t/{table_id}/from", include_in_schema=False)
async def from_here(request: Request, table_id: str, ply: Ply = LARGEST_NUMBER) -> Response:
    """Show what one can do with a position of a finished game."""
    return await app_state_of(request).call(_page, request, table_id, ply)


def _page(
    request: Request, table_id: str, ply: int, problem: Exception | None = None, filled: Any = None
) -> Response:
    app_state, context = app_state_of(request), current(request)
    snapshot, viewer = app_state.look(table_id, context)
    ply, position = past_position(snapshot, ply)
    kind, language = snapshot.game.kind, context.language
    asked = position.acting[0] if position.acting else 0
    return page(
        "from_here",
        request,
        problem,
        sprite=HOUSE_SPRITE,
        title=catalogue.title_of(kind, language),
        table=table_id,
        ply=ply,
        last=len(snapshot.plies_notations) - 1,
        over=position.over,
        seats=list(enumerate(catalogue.seat_names(snapshot.game, language))),
        acting=position.acting,
        bots=bot_choices(kind, language),
        pictured=kind.scene is not None,
        filled=filled
        or {
            "seat": asked if viewer.seat is None else viewer.seat,
            "bot": f"bot:{usual_bot(kind)}",
        },
    )


@router.post("/t/{table_id}/play-on", include_in_schema=False)
async def play_on(request: Request, table_id: str) -> Response:
    """Make a table that goes on from a position, against bots."""
    app_state, context = app_state_of(request), current(request)
    body = await read_body(request, app_state.people)
    ply, seat = number(body, "ply"), number(body, "seat")
    bot = text(body, "bot", LONGEST_BOT).removeprefix("bot:")
    name = text(body, "nickname", LONGEST_NAME, context.nickname)
    promise = {"draft": text(body, "promise", 40, ""), "seed": text(body, "seed", LONGEST_SEED, "")}
    try:
        table = await _played_on(app_state, context, table_id, (ply, seat, bot), name, promise)
    except Exception as error:
        if context.wants_json or problem_of(error, context.language).status not in (409, 422):
            raise
        filled = {"seat": seat, "bot": f"bot:{bot}"}
        return await app_state.call(_page, request, table_id, ply, error, filled)
    return made(context, table)


async def _played_on(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    where: tuple[int, int, str],
    nickname: str,
    promise: dict[str, str],
) -> str:
    """Make the table; return its id."""
    await app_state.call(app_state.check_table, table_id)
    refuse_above(app_state.limits.creations.take(context.address))
    person = app_state.person(context)
    if nickname:
        remember_name(context, nickname)
    new = await app_state.call(
        app_state.tables.play_on,
        table_id,
        *where,
        person=person,
        nickname=nickname,
        origin=app_state.origin_of(context),
        **promise,
    )
    return new.table_id


@router.post("/t/{table_id}/together", include_in_schema=False)
async def together(request: Request, table_id: str) -> Response:
    """Begin to look at a position with others."""
    app_state, context = app_state_of(request), current(request)
    ply = number(await read_body(request, app_state.people), "ply")
    look = await _opened(app_state, context, table_id, ply)
    return RedirectResponse(f"/t/{table_id}?together={look}", SEE_OTHER)


async def _opened(app_state: AppState, context: RequestContext, table_id: str, ply: int) -> str:
    await app_state.call(app_state.check_table, table_id)
    refuse_above(app_state.limits.creations.take(context.address))
    name = _name(context)
    return await app_state.call(Together(app_state.tables).open, table_id, ply, name)


def _name(context: RequestContext) -> str:
    """Return what somebody is called who steps."""
    return context.account.name if context.account else context.nickname


# --- For programs ---


class PlayOn(Sent):
    """A position of a finished game, and who plays on from there."""

    ply: Annotated[Small, Field(description="After how many actions.", examples=[12])]
    seat: Annotated[Small, Field(description="One's own; bots have the others.", examples=[0])]
    bot: Annotated[str, Field(max_length=LONGEST_BOT, examples=["skirmisher"])]
    nickname: Annotated[str, Field(max_length=LONGEST_NAME, examples=["Ada"])] = ""
    promise: Annotated[
        str, Field(max_length=40, description="From `POST /promise`: shown before your seed.")
    ] = ""
    seed: Seed = ""


@router.post("/api/v1/tables/{table_id}/play-on", status_code=201, responses=RESPONSES)
async def api_play_on(app_state: Here, context: Somebody, table_id: TableId, wish: PlayOn) -> Made:
    """Play on from a position of a finished game, against bots: practice that counts nowhere."""
    promise = {"draft": wish.promise, "seed": wish.seed}
    where = (wish.ply, wish.seat, wish.bot)
    table = await _played_on(app_state, context, table_id, where, wish.nickname, promise)
    key = (await app_state.call(app_state.look, table, context))[1].key
    return Made(table=table, keys={wish.seat: key})


class Position(Sent):
    """A position of a finished game."""

    ply: Annotated[Small, Field(description="After how many actions.", examples=[12])]


class LookId(BaseModel):
    """The id of a look: whoever has it follows and steps."""

    look: str


class Stepped(BaseModel):
    """Where those are who look at a game together; `name` has stepped there."""

    version: str
    number: int
    ply: int
    name: str


def _stepped(look: Look) -> Stepped:
    return Stepped(version=look.version, number=look.number, ply=look.ply, name=look.name)


LookPath = Annotated[str, Path(max_length=64)]


@router.post("/api/v1/tables/{table_id}/together", status_code=201, responses=RESPONSES)
async def api_together(
    app_state: Here, context: Somebody, table_id: TableId, wish: Position
) -> LookId:
    """Begin to look at a finished game with others: when one steps, the others follow."""
    return LookId(look=await _opened(app_state, context, table_id, wish.ply))


@router.get("/api/v1/tables/{table_id}/together/{look}", responses=RESPONSES)
async def api_look(
    app_state: Here,
    context: Anybody,
    table_id: TableId,
    look: LookPath,
    version: Known = "",
    wait: Seconds = 0,
) -> Stepped:
    """Say where those are who look at a finished game together; on demand wait for a step."""
    shared = Together(app_state.tables)

    async def found() -> Stepped:
        return _stepped(await app_state.call(shared.look, table_id, look))

    async with app_state.tables.lobby.subscribe(look) as news:
        return await newer(found, news, version, wait)


@router.post("/api/v1/tables/{table_id}/together/{look}", responses=RESPONSES)
async def api_step(
    app_state: Here, context: Somebody, table_id: TableId, look: LookPath, wish: Position
) -> Stepped:
    """Step to a position, for all who look at a finished game together."""
    step = Together(app_state.tables).step
    return _stepped(await app_state.call(step, table_id, look, wish.ply, _name(context)))
