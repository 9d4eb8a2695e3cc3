"""The routes of talk at tables: for programs under ``/api/v1``, and for the page of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tianxia.tables import Tables
from tianxia.tables.hub import ear
from tianxia.web import api_models as models
from tianxia.web.api import RESPONSES, TableId
from tianxia.web.app_state import AppState
from tianxia.web.bodies import flag, is_action, listed, number, text
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Body, Here, Somebody, threaded
from tianxia.web.table_routes import Wish, do, wished
from tianxia.web.waiting import Known, Seconds, newer, versioned

router = APIRouter()
api = APIRouter(prefix="/api/v1/tables/{table_id}", responses=RESPONSES)
page = APIRouter(prefix="/t/{table_id}", include_in_schema=False)
MOST_SEATS = 32
PactId = Annotated[str, Path(max_length=40, examples=["4f1c09ab77de"])]


@api.get("/talk")
async def talk(
    app_state: Here, context: Anybody, table_id: TableId, version: Known = "", wait: Seconds = 0
) -> models.Talk:
    """Say what the asker may read of a table's talk; on demand wait for something new."""
    _, viewer = await app_state.call(app_state.look, table_id, context)
    async with app_state.tables.talk.hub.subscribe(ear(table_id, viewer.code)) as news:
        return await newer(
            lambda: app_state.call(_talk, app_state, table_id, context), news, version, wait
        )


def _talk(app_state: AppState, table_id: str, context: RequestContext) -> models.Talk:
    snapshot, viewer = app_state.look(table_id, context)
    heard = app_state.tables.talk.heard(table_id, viewer.code)
    return versioned(
        models.Talk(
            version="",
            on=snapshot.talk,
            seat=viewer.seat,
            lines=[models.TalkLine.model_validate(line) for line in heard.lines],
            pacts=[models.Pact.model_validate(pact) for pact in heard.pacts],
            muted=sorted(heard.muted),
            opened=sorted(heard.opened),
        )
    )


def _do(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    what: Callable[..., Any],
    *arguments: Any,
) -> models.Talk:
    do(app_state, context, table_id, what, *arguments)
    return _talk(app_state, table_id, context)


@api.post("/talk")
@threaded
def say(app_state: Here, context: Somebody, table_id: TableId, wish: models.Say) -> models.Talk:
    """Say something to some seats, or to all at the table."""
    return _do(app_state, context, table_id, app_state.tables.talk.say, wish.text, wish.to)


@api.post("/pacts")
@threaded
def propose(app_state: Here, context: Somebody, table_id: TableId, wish: models.Say) -> models.Talk:
    """Write a pact down, for some seats to agree to, or for all at the table."""
    return _do(app_state, context, table_id, app_state.tables.talk.propose, wish.text, wish.to)


@api.post("/pacts/{pact}/answer")
@threaded
def answer(
    app_state: Here, context: Somebody, table_id: TableId, pact: PactId, wish: models.Answer
) -> models.Talk:
    """Agree to a pact, decline it, or withdraw your own."""
    return _do(app_state, context, table_id, app_state.tables.talk.answer_pact, pact, wish.accept)


@api.post("/pacts/{pact}/mark")
@threaded
def mark(
    app_state: Here, context: Somebody, table_id: TableId, pact: PactId, wish: models.Mark
) -> models.Talk:
    """Say that a pact was kept, or broken."""
    return _do(app_state, context, table_id, app_state.tables.talk.mark_pact, pact, wish.kept)


@api.post("/mute")
@threaded
def mute(app_state: Here, context: Somebody, table_id: TableId, wish: models.Mute) -> models.Talk:
    """Mute a seat, or hear it again; nobody else is told."""
    return _do(app_state, context, table_id, app_state.tables.talk.mute, wish.seat, wish.off)


@api.post("/open-talk")
@threaded
def open_talk(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Talk:
    """Agree, after the end, that everybody may read what was said among those who all agree."""
    return _do(app_state, context, table_id, app_state.tables.talk.open_up)


# --- For the page ---


def _say(tables: Tables, body: dict[str, Any]) -> tuple[Any, ...]:
    to = None if body.get("to") is None else listed(body, "to", MOST_SEATS, is_action)
    what = tables.talk.propose if body.get("pact") else tables.talk.say
    return what, text(body, "text", models.LONGEST_SENT), to


WISHES: dict[str, Wish] = {
    "say": _say,
    "answer-pact": lambda tables, body: (
        tables.talk.answer_pact,
        text(body, "pact", 40),
        flag(body, "accept"),
    ),
    "mark-pact": lambda tables, body: (
        tables.talk.mark_pact,
        text(body, "pact", 40),
        flag(body, "kept"),
    ),
    "mute": lambda tables, body: (tables.talk.mute, number(body, "seat"), flag(body, "off")),
    "open-talk": lambda tables, _: (tables.talk.open_up,),
}


def _shown(_: Request, app_state: AppState, context: RequestContext, table_id: str) -> Response:
    return JSONResponse(app_state.talk(table_id, context)[1].whole())


for path, wish in WISHES.items():
    page.add_api_route(f"/{path}", wished(wish, _shown), methods=["POST"])


@page.get("/talk")
@threaded
def show(request: Request, app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send what the visitor may read of the talk of a table."""
    return _shown(request, app_state, context, table_id)


router.routes += api.routes + page.routes
