"""The routes of talk at a table, for its page; programs have them under ``/api/v1`` too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tianxia.tables.talking import Talking
from tianxia.web.api_models import LONGEST_SENT
from tianxia.web.app_state import app_state_of
from tianxia.web.bodies import flag, is_action, listed, number, read_body, text
from tianxia.web.request_context import current
from tianxia.web.table_routes import SEE_OTHER, do

router = APIRouter(include_in_schema=False)
MOST_SEATS = 32


@router.get("/t/{table_id}/talk")
async def talk(request: Request, table_id: str) -> Response:
    """Send what the visitor may read of the talk of a table."""
    return await _now(request, table_id)


@router.post("/t/{table_id}/say")
async def say(request: Request, table_id: str) -> Response:
    """Say something, or write a pact down: to some seats, or to all."""

    def wish(talking: Talking, body: dict[str, Any]) -> tuple[Any, ...]:
        to = None
        if body.get("to") is not None:
            to = listed(body, "to", MOST_SEATS, is_action)
        what = talking.propose if body.get("pact") else talking.say
        return what, text(body, "text", LONGEST_SENT), to

    return await _do(request, table_id, wish)


@router.post("/t/{table_id}/answer-pact")
async def answer_pact(request: Request, table_id: str) -> Response:
    """Agree to a pact, decline it, or withdraw one's own."""
    return await _do(
        request,
        table_id,
        lambda talking, body: (talking.answer_pact, text(body, "pact", 40), flag(body, "accept")),
    )


@router.post("/t/{table_id}/mark-pact")
async def mark_pact(request: Request, table_id: str) -> Response:
    """Say that a pact was kept or broken."""
    return await _do(
        request,
        table_id,
        lambda talking, body: (talking.mark_pact, text(body, "pact", 40), flag(body, "kept")),
    )


@router.post("/t/{table_id}/mute")
async def mute(request: Request, table_id: str) -> Response:
    """Hear a seat no more, or again."""
    return await _do(
        request,
        table_id,
        lambda talking, body: (talking.mute, number(body, "seat"), flag(body, "off")),
    )


@router.post("/t/{table_id}/open-talk")
async def open_talk(request: Request, table_id: str) -> Response:
    """Agree that everybody may read, after the end."""
    return await _do(request, table_id, lambda talking, body: (talking.open_up,))


Wish = Callable[[Talking, dict[str, Any]], tuple[Any, ...]]
"""What is to be called for what was sent, and with what after table and person."""


async def _do(request: Request, table_id: str, wish: Wish) -> Response:
    app_state, context = app_state_of(request), current(request)
    what, *arguments = wish(app_state.tables.talk, await read_body(request, app_state.people))
    await do(app_state, context, table_id, what, *arguments)
    return await _now(request, table_id)


async def _now(request: Request, table_id: str) -> Response:
    """Answer with what the visitor may read now; a form leads back to the table."""
    app_state, context = app_state_of(request), current(request)
    if not context.wants_json and request.method == "POST":
        return RedirectResponse(f"/t/{table_id}", SEE_OTHER)
    _, piece = await app_state.call(app_state.talk, table_id, context)
    return JSONResponse({"version": piece.version, "html": piece.html})
