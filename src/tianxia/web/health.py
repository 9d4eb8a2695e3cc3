"""Whether the server can do its work: for those who watch over it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from tianxia import __version__
from tianxia.tables import TableError
from tianxia.web.app_state import AppState
from tianxia.web.catalogue import kinds
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import Anybody, Here, threaded

router = APIRouter(include_in_schema=False)
NOWHERE = "no-such-table"
LATER = "5"
"""Seconds after which to ask again."""


@router.get("/healthz")
@threaded
def healthz(app_state: Here, context: Anybody) -> Response:
    """Say whether this process answers and reaches its database: 200, else 503."""
    database = _database_answers(app_state, context)
    facts = {"version": __version__, "database": "ok" if database else "unavailable"}
    return _answer(well=database, facts=facts)


@router.get("/readyz")
@threaded
def readyz(app_state: Here) -> Response:
    """Say for which games there are minds: 200 where for all, else 503."""
    minds = {kind.name: app_state.minds.look(kind.name) for kind in kinds()}
    games = {name: asdict(mind) for name, mind in minds.items()}
    return _answer(
        well=all(mind.stage == "ready" for mind in minds.values()), facts={"games": games}
    )


def _answer(*, well: bool, facts: dict[str, Any]) -> Response:
    headers = {"cache-control": "no-store"} | ({} if well else {"retry-after": LATER})
    return JSONResponse({"ok": well, **facts}, 200 if well else 503, headers)


def _database_answers(app_state: AppState, context: RequestContext) -> bool:
    try:
        app_state.tables.store.version(NOWHERE)
    except TableError as error:
        context.error = error
        return False
    return True
