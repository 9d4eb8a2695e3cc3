"""What routes ask to be given, pictures as answers, and the thread in which most of them run."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import read_body
from tianxia.web.errors import Refusal
from tianxia.web.request_context import RequestContext, current

Found = TypeVar("Found")
SEE_OTHER = 303


# Asynchronous, since FastAPI would call plain functions in threads.
async def app_state_here(request: Request) -> AppState:
    """Return the state of the application."""
    return app_state_of(request)


async def context_here(request: Request) -> RequestContext:
    """Return who asks."""
    return current(request)


async def somebody(request: Request) -> RequestContext:
    """Return who asks; refuse nobody."""
    context = current(request)
    if context.person is None:
        raise Refusal(401)
    return context


async def body_here(request: Request) -> dict[str, Any]:
    """Return what was sent: see `read_body`."""
    return await read_body(request, app_state_of(request).people)


Here = Annotated[AppState, Depends(app_state_here)]
Anybody = Annotated[RequestContext, Depends(context_here)]
Somebody = Annotated[RequestContext, Depends(somebody)]
Body = Annotated[dict[str, Any], Depends(body_here)]
"""A form or JSON; where nothing is taken from it, to refuse what does not come from our pages."""


def lead_on(context: RequestContext, where: str) -> Response:
    """Lead on to an address: a form at once, the page of a table by its module."""
    if context.wants_json:
        return JSONResponse({"next": where})
    return RedirectResponse(where, SEE_OTHER)


def drawing(svg: str | None) -> Response:
    """Return a picture that browsers may keep for a day; there is none where it is None."""
    if svg is None:
        raise Refusal(404)
    # Browsers alone: the cookie of whoever asks may come with it.
    headers = {"cache-control": "private, max-age=86400"}
    return Response(svg, media_type="image/svg+xml", headers=headers)


def threaded(route: Callable[..., Found]) -> Callable[..., Awaitable[Found]]:
    """Let a route that waits for the database, or draws, run in a thread: see `AppState.call`."""

    @wraps(route)
    async def called(**given: Any) -> Found:
        app_state: AppState = given["app_state"]
        return await app_state.call(route, **given)

    # FastAPI would look for the names of annotations here, not where the route stands.
    called.__signature__ = inspect.signature(route, eval_str=True)  # type: ignore[attr-defined]
    return called
