"""From a position of a finished game: playing on against bots."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tianxia.tables.chance import LONGEST_SEED
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES, Here, Somebody, TableId
from tianxia.web.api_models import Made, Seed, Sent, Small
from tianxia.web.app_state import AppState, app_state_of, remember_name
from tianxia.web.bodies import LARGEST_NUMBER, number, read_body, text
from tianxia.web.errors import problem_of
from tianxia.web.middleware import refuse_above
from tianxia.web.pages import HOUSE_SPRITE, bot_choices, usual_bot
from tianxia.web.rendering import past_position
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.signing import page
from tianxia.web.table_routes import made

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
        seats=list(enumerate(catalogue.seat_names(kind, snapshot.game.seats, language))),
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
        origin=app_state.people.hide(context.address) if app_state.settings.rate else None,
        **promise,
    )
    return new.table_id


# --- For programs ---


class PlayOn(Sent):
    """A position of a finished game, and who plays on from there."""

    ply: Annotated[Small, Field(description="After how many actions.", examples=[12])]
    seat: Annotated[Small, Field(description="One's own; bots have the others.", examples=[0])]
    bot: Annotated[str, Field(max_length=LONGEST_BOT, examples=["sergeant"])]
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
