"""From a position of a finished game: playing on against bots, and looking at it together."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.lobby.together import Together
from tianxia.tables.chance import LONGEST_SEED
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES, TableId, keys_of
from tianxia.web.api_models import BotName, Got, Made, Nickname, Promised, Seed, Sent, Small
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import LARGEST_NUMBER, number, text
from tianxia.web.errors import problem_of
from tianxia.web.pages import HOUSE_SPRITE, bot_choices, level_words, usual_bot
from tianxia.web.rendering import past_position
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, Somebody, threaded
from tianxia.web.signing import page
from tianxia.web.story import Told
from tianxia.web.table_routes import host_of, made, once
from tianxia.web.waiting import Known, Seconds, newer

router = APIRouter()
LONGEST_BOT = 60
Ply = Annotated[int, Query(ge=0, le=LARGEST_NUMBER)]


@router.get("/t/{table_id}/from", include_in_schema=False)
@threaded
def from_here(
    request: Request, app_state: Here, table_id: str, ply: Ply = LARGEST_NUMBER
) -> Response:
    """Show what one can do with a position of a finished game."""
    return _page(request, table_id, ply)


def _page(
    request: Request, table_id: str, ply: int, problem: Exception | None = None, filled: Any = None
) -> Response:
    app_state, context = app_state_of(request), current(request)
    snapshot, viewer = app_state.look(table_id, context)
    ply, position = past_position(snapshot, ply)
    kind, language = snapshot.game.kind, context.language
    asked = position.acting[0] if position.acting else 0
    last = len(snapshot.plies_notations) - 1
    told = app_state.renderer.told(snapshot, viewer)
    at, stops = _place(ply, last, told)
    plates = app_state.renderer.scene(snapshot, viewer, told).plates
    return page(
        "from_here",
        request,
        problem,
        sprite=HOUSE_SPRITE,
        title=catalogue.title_of(kind, language),
        table=table_id,
        ply=ply,
        at=at,
        stops=stops,
        over=position.over,
        seats=list(enumerate(catalogue.called_by_now(snapshot.game, plates, language))),
        acting=position.acting,
        bots=bot_choices(kind, language),
        levels=level_words(kind, language),
        pictured=kind.scene is not None,
        filled=filled
        or {
            "seat": asked if viewer.seat is None else viewer.seat,
            "bot": f"bot:{usual_bot(kind)}",
        },
    )


def _place(ply: int, last: int, told: Told) -> tuple[int, int]:
    """Return which position this is, and of how many: those to which lines of the log led."""
    stops = sorted({0, last, *(line.ply for line in told.lines if line.ply)})
    return bisect_right(stops, ply) - 1, len(stops) - 1


@router.post("/t/{table_id}/play-on", include_in_schema=False)
@threaded
def play_on(
    request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
) -> Response:
    """Make a table that goes on from a position, against bots."""
    ply, seat = number(body, "ply"), number(body, "seat")
    bot = text(body, "bot", LONGEST_BOT).removeprefix("bot:")
    name = text(body, "nickname", LONGEST_NAME, context.nickname)
    promise = text(body, "promise", 40, ""), text(body, "seed", LONGEST_SEED, "")
    try:
        table = _played_on(app_state, context, table_id, (ply, seat, bot), name, promise)
    except Exception as error:
        if context.wants_json or problem_of(error, context.language).status not in (409, 422):
            raise
        filled = {"seat": seat, "bot": f"bot:{bot}"}
        return _page(request, table_id, ply, error, filled)
    return made(context, table)


def _played_on(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    where: tuple[int, int, str],
    nickname: str,
    promise: tuple[str, str],
) -> str:
    """Make the table; return its id."""
    app_state.check_table(table_id)
    person = host_of(app_state, context, nickname)
    make = partial(
        app_state.tables.play_on,
        table_id,
        *where,
        person=person,
        nickname=nickname,
        origin=app_state.origin_of(context),
        draft=promise[0],
        seed=promise[1],
    )
    game = app_state.tables.snapshot(table_id).game
    return once(app_state, person, promise[0], game, make)


@router.post("/t/{table_id}/together", include_in_schema=False)
@threaded
def together(app_state: Here, context: Anybody, table_id: str, body: Body) -> Response:
    """Begin to look at a position with others."""
    look = _opened(app_state, context, table_id, number(body, "ply"))
    return RedirectResponse(f"/t/{table_id}?together={look}", SEE_OTHER)


def _opened(app_state: AppState, context: RequestContext, table_id: str, ply: int) -> str:
    app_state.check_table(table_id)
    app_state.check_room(context)
    return Together(app_state.tables).open(table_id, ply, _name(context))


def _name(context: RequestContext) -> str:
    """Return what somebody is called who steps."""
    return context.account.name if context.account else context.nickname


# --- For programs ---


class PlayOn(Sent):
    """A position of a finished game, and who plays on from there."""

    ply: Annotated[Small, Field(description="After how many actions.", examples=[12])]
    seat: Annotated[Small, Field(description="One's own; bots have the others.", examples=[0])]
    bot: BotName
    nickname: Nickname = ""
    promise: Promised = ""
    seed: Seed = ""


@router.post("/api/v1/tables/{table_id}/play-on", status_code=201, responses=RESPONSES)
@threaded
def api_play_on(app_state: Here, context: Somebody, table_id: TableId, wish: PlayOn) -> Made:
    """Play on from a position of a finished game, against bots: practice that counts nowhere."""
    where, promise = (wish.ply, wish.seat, wish.bot), (wish.promise, wish.seed)
    table = _played_on(app_state, context, table_id, where, wish.nickname, promise)
    return Made(table=table, keys=keys_of(app_state, table, context))


class Position(Sent):
    """A position of a finished game."""

    ply: Annotated[Small, Field(description="After how many actions.", examples=[12])]


class LookId(BaseModel):
    """The id of a look: whoever has it follows and steps."""

    look: str


class Stepped(Got):
    """Where those are who look at a game together; `name` has stepped there."""

    version: str
    number: int
    ply: int
    name: str


LookPath = Annotated[str, Path(max_length=64)]


@router.post("/api/v1/tables/{table_id}/together", status_code=201, responses=RESPONSES)
@threaded
def api_together(app_state: Here, context: Somebody, table_id: TableId, wish: Position) -> LookId:
    """Begin to look at a finished game with others: when one steps, the others follow."""
    return LookId(look=_opened(app_state, context, table_id, wish.ply))


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
        return Stepped.model_validate(await app_state.call(shared.look, table_id, look))

    async with app_state.tables.lobby.subscribe(look) as news:
        return await newer(found, news, version, wait)


@router.post("/api/v1/tables/{table_id}/together/{look}", responses=RESPONSES)
@threaded
def api_step(
    app_state: Here, context: Somebody, table_id: TableId, look: LookPath, wish: Position
) -> Stepped:
    """Step to a position, for all who look at a finished game together."""
    stepped = Together(app_state.tables).step(table_id, look, wish.ply, _name(context))
    return Stepped.model_validate(stepped)
