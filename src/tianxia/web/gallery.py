"""The talk of those who watch a table: a page of its own, and for programs."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from tianxia.lobby.gallery import LONGEST, Gallery
from tianxia.tables import NotNow
from tianxia.tables.people import digest
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES, TableId
from tianxia.web.api_account import Done
from tianxia.web.api_keeping import keeping_of, shun_person
from tianxia.web.api_models import Got, Sent
from tianxia.web.app_state import AppState, app_state_of, remember_name
from tianxia.web.bodies import text
from tianxia.web.keeping import DONE, acted
from tianxia.web.moments import moment_of
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.routing import Anybody, Body, Here, Somebody, threaded
from tianxia.web.signing import page

router = APIRouter()
LONGEST_ID = 16
LONGEST_SENT = 2000


def gallery_of(app_state: AppState) -> Gallery:
    """Return the talk of those who watch."""
    return Gallery(app_state.tables, app_state.lobby.shunned)


def _facts(app_state: AppState, context: RequestContext, table_id: str) -> dict[str, Any]:
    """Return what the list of remarks shows a visitor."""
    app_state.check_table(table_id)
    person = context.who
    accounts, found = app_state.accounts, gallery_of(app_state).lines(table_id, person)
    ids = sorted({one.account for one in found if one.account})
    return {
        "remarks": found,
        "accounts": accounts.several(ids) if ids else {},
        "me": digest(person),
        "where": f"/t/{table_id}/gallery",
        "moment": partial(moment_of, language=context.language),
    }


@router.get("/t/{table_id}/gallery", include_in_schema=False)
@threaded
def gallery(request: Request, app_state: Here, table_id: str) -> Response:
    """Show what those who watch a table say."""
    return _gallery(request, table_id)


def _gallery(request: Request, table_id: str, problem: Exception | None = None) -> Response:
    app_state, context = app_state_of(request), current(request)
    if isinstance(problem, NotNow) and problem.code in ("you-play", "not-begun"):
        raise problem
    app_state.person(context)
    facts = _facts(app_state, context, table_id)
    kind = app_state.tables.snapshot(table_id).game.kind
    return page(
        "gallery",
        request,
        problem,
        title=catalogue.title_of(kind, context.language),
        back=f"/t/{table_id}",
        longest=LONGEST,
        done=DONE.get(request.query_params.get("done", ""), ""),
        nickname=context.nickname,
        **facts,
    )


@router.get("/t/{table_id}/gallery/panel", include_in_schema=False)
@threaded
def panel(
    request: Request, app_state: Here, context: Anybody, table_id: str, together: str = ""
) -> Response:
    """Send the same as a tab of the table, where somebody may read it."""
    facts = _facts(app_state, context, table_id)
    address = f"{context.base}/t/{table_id}?together={quote(together, safe='')}"
    return app_state.redrawn(
        "gallery_panel",
        request,
        context=context,
        longest=LONGEST,
        nickname=context.nickname,
        over=app_state.tables.snapshot(table_id).open_to_all,
        together=address if together else "",
        **facts,
    )


@router.get("/t/{table_id}/gallery/lines", include_in_schema=False)
@threaded
def lines(request: Request, app_state: Here, context: Anybody, table_id: str) -> Response:
    """Send the remarks once more, after one was made; nothing where they are the same."""
    facts = _facts(app_state, context, table_id)
    return app_state.redrawn("gallery_lines", request, **facts)


def overheard(app_state: AppState, context: RequestContext, table_id: str) -> dict[str, str]:
    """Return the remarks as an open page is pushed them; nothing to whoever may not read them."""
    try:
        return app_state.drawn("gallery_lines", context, **_facts(app_state, context, table_id))
    except NotNow:
        return {"version": "", "html": ""}


@router.post("/t/{table_id}/gallery/say", include_in_schema=False)
@threaded
def say(request: Request, app_state: Here, context: Anybody, table_id: str, body: Body) -> Response:
    """Say something to all who watch."""

    def step() -> str:
        app_state.check_table(table_id)
        name = text(body, "name", LONGEST_NAME, context.nickname)
        what, person = text(body, "text", LONGEST_SENT), app_state.person(context)
        gallery_of(app_state).say(table_id, person, name, what)
        if name != context.nickname:
            remember_name(context, name)
        return "said"

    return acted(request, step, _gallery, table_id)


@router.post("/t/{table_id}/gallery/mute", include_in_schema=False)
@threaded
def mute(
    request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
) -> Response:
    """Hear whoever has made a remark no more."""

    def step() -> str:
        app_state.check_table(table_id)
        remark = text(body, "remark", LONGEST_ID)
        one = gallery_of(app_state).speaker(table_id, context.who, remark)
        shun_person(app_state, context, one.person, one.name, "mute")
        return "mute"

    return acted(request, step, _gallery, table_id)


@router.post("/t/{table_id}/gallery/report", include_in_schema=False)
@threaded
def report(
    request: Request, app_state: Here, context: Anybody, table_id: str, body: Body
) -> Response:
    """Report who has made a remark, with what was said before."""

    def step() -> str:
        app_state.check_table(table_id)
        remark = text(body, "remark", LONGEST_ID)
        keeping_of(app_state).report_remark(table_id, app_state.person(context), remark)
        return "report"

    return acted(request, step, _gallery, table_id)


# --- For programs ---


class Watcher(Sent):
    """What somebody who watches says; guests give a name."""

    text: Annotated[str, Field(max_length=LONGEST_SENT, examples=["What a move!"])]
    nickname: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


class Overheard(Got):
    """A remark of somebody who watches."""

    id: str
    name: str
    at: float
    text: str


@router.get("/api/v1/tables/{table_id}/gallery", responses=RESPONSES)
@threaded
def heard(app_state: Here, context: Anybody, table_id: TableId) -> list[Overheard]:
    """List what spectators say; players can read it only after the end."""
    app_state.check_table(table_id)
    shown = gallery_of(app_state).lines(table_id, context.who)
    return [Overheard.model_validate(one) for one in shown]


@router.post("/api/v1/tables/{table_id}/gallery", status_code=201, responses=RESPONSES)
@threaded
def speak(app_state: Here, context: Somebody, table_id: TableId, wish: Watcher) -> Done:
    """Say something to all who watch."""
    app_state.check_table(table_id)
    gallery_of(app_state).say(table_id, context.who, wish.nickname, wish.text)
    return Done()
