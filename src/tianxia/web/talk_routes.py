"""The routes of talk at tables: for programs under ``/api/v1``, and for the page of a table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tianxia.tables.hub import ear
from tianxia.tables.talk import Line, Pact, Talk
from tianxia.web import api_models as models
from tianxia.web.api import RESPONSES, Anybody, Here, Somebody, TableId
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import flag, is_action, listed, number, read_body, text
from tianxia.web.request_context import RequestContext, current
from tianxia.web.table_routes import SEE_OTHER, do
from tianxia.web.waiting import Known, Seconds, newer

router = APIRouter()
api = APIRouter(prefix="/api/v1/tables/{table_id}", responses=RESPONSES)
page = APIRouter(prefix="/t/{table_id}", include_in_schema=False)
MOST_SEATS = 32
PactId = Annotated[str, Path(max_length=40, examples=["4f1c09ab77de"])]


@api.get("/talk")
async def talk(
    app_state: Here,
    context: Anybody,
    table_id: TableId,
    version: Known = "",
    wait: Seconds = 0,
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
    found = models.Talk(
        version="",
        on=snapshot.talk,
        seat=viewer.seat,
        lines=[_line(line) for line in heard.lines],
        pacts=[_pact(pact) for pact in heard.pacts],
        muted=sorted(heard.muted),
        opened=sorted(heard.opened),
    )
    found.version = hashlib.blake2b(found.model_dump_json().encode(), digest_size=9).hexdigest()
    return found


def _line(line: Line) -> models.TalkLine:
    return models.TalkLine(
        id=line.id,
        kind=line.kind,
        seat=line.seat,
        to=list(line.to),
        at=line.at,
        text=line.text,
        pact=line.pact,
        open=line.open,
    )


def _pact(pact: Pact) -> models.Pact:
    return models.Pact(
        id=pact.id,
        seat=pact.seat,
        parties=list(pact.parties),
        at=pact.at,
        text=pact.text,
        state=pact.state,
        agreed=sorted(pact.agreed),
        declined=sorted(pact.declined),
        marks=pact.marks,
    )


async def _do(
    app_state: AppState,
    context: RequestContext,
    table_id: str,
    what: Callable[..., Any],
    *arguments: Any,
) -> models.Talk:
    await do(app_state, context, table_id, what, *arguments)
    return await app_state.call(_talk, app_state, table_id, context)


@api.post("/talk")
async def say(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Say
) -> models.Talk:
    """Say something to some seats, or to all at the table."""
    return await _do(app_state, context, table_id, app_state.tables.talk.say, wish.text, wish.to)


@api.post("/pacts")
async def propose(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Say
) -> models.Talk:
    """Write a pact down, for some seats to agree to, or for all at the table."""
    return await _do(
        app_state, context, table_id, app_state.tables.talk.propose, wish.text, wish.to
    )


@api.post("/pacts/{pact}/answer")
async def answer(
    app_state: Here, context: Somebody, table_id: TableId, pact: PactId, wish: models.Answer
) -> models.Talk:
    """Agree to a pact, decline it, or withdraw your own."""
    return await _do(
        app_state, context, table_id, app_state.tables.talk.answer_pact, pact, wish.accept
    )


@api.post("/pacts/{pact}/mark")
async def mark(
    app_state: Here, context: Somebody, table_id: TableId, pact: PactId, wish: models.Mark
) -> models.Talk:
    """Say that a pact was kept, or broken."""
    return await _do(app_state, context, table_id, app_state.tables.talk.mark_pact, pact, wish.kept)


@api.post("/mute")
async def mute(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Mute
) -> models.Talk:
    """Mute a seat, or hear it again; nobody else is told."""
    return await _do(app_state, context, table_id, app_state.tables.talk.mute, wish.seat, wish.off)


@api.post("/open-talk")
async def open_talk(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Talk:
    """Agree, after the end, that everybody may read what was said among those who all agree."""
    await read_body(request, app_state.people)
    return await _do(app_state, context, table_id, app_state.tables.talk.open_up)


# --- For the page ---

Wish = Callable[[Talk, dict[str, Any]], tuple[Any, ...]]
"""What is to be called for what was sent, and with what after table and person."""


def _say(talk: Talk, body: dict[str, Any]) -> tuple[Any, ...]:
    to = None if body.get("to") is None else listed(body, "to", MOST_SEATS, is_action)
    what = talk.propose if body.get("pact") else talk.say
    return what, text(body, "text", models.LONGEST_SENT), to


WISHES: dict[str, Wish] = {
    "say": _say,
    "answer-pact": lambda talk, body: (
        talk.answer_pact,
        text(body, "pact", 40),
        flag(body, "accept"),
    ),
    "mark-pact": lambda talk, body: (talk.mark_pact, text(body, "pact", 40), flag(body, "kept")),
    "mute": lambda talk, body: (talk.mute, number(body, "seat"), flag(body, "off")),
    "open-talk": lambda talk, body: (talk.open_up,),
}


def _route(wish: Wish) -> Callable[..., Any]:
    async def posted(request: Request, table_id: str) -> Response:
        app_state, context = app_state_of(request), current(request)
        what, *arguments = wish(app_state.tables.talk, await read_body(request, app_state.people))
        await do(app_state, context, table_id, what, *arguments)
        if not context.wants_json:  # a form leads back to the table
            return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
        return await show(request, table_id)

    return posted


for path, wish in WISHES.items():
    page.add_api_route(f"/{path}", _route(wish), methods=["POST"])


@page.get("/talk")
async def show(request: Request, table_id: str) -> Response:
    """Send what the visitor may read of the talk of a table."""
    app_state = app_state_of(request)
    _, piece = await app_state.call(app_state.talk, table_id, current(request))
    return JSONResponse({"version": piece.version, "html": piece.html})


router.routes += api.routes + page.routes
