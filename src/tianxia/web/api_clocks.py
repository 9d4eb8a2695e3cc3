"""The JSON API of clocks, and of those who do not come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request

from tianxia.tables.timing import Timing
from tianxia.web import api_models as models
from tianxia.web.api import RESPONSES, Here, Somebody, TableId, table_of
from tianxia.web.bodies import read_body
from tianxia.web.table_routes import do

router = APIRouter(prefix="/api/v1", responses=RESPONSES)


async def _plain(
    app_state: Here,
    context: Somebody,
    table_id: str,
    what: Callable[[Timing], Callable[..., Any]],
    *arguments: Any,
) -> models.Table:
    await do(app_state, context, table_id, what(app_state.tables.timing), *arguments)
    return await app_state.call(table_of, app_state, table_id, context)


@router.post("/tables/{table_id}/call-off")
async def call_off(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Call a game off before every seat has decided something; nobody has lost."""
    await read_body(request, app_state.people)
    return await _plain(app_state, context, table_id, lambda timing: timing.call_off)


@router.post("/tables/{table_id}/come-back")
async def come_back(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Play on at your seat, for which a bot has played."""
    await read_body(request, app_state.people)
    return await _plain(app_state, context, table_id, lambda timing: timing.come_back)


@router.post("/tables/{table_id}/close")
async def close(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Close a table that waits for players."""
    await read_body(request, app_state.people)
    return await _plain(app_state, context, table_id, lambda timing: timing.close)


@router.post("/tables/{table_id}/leave")
async def leave(
    request: Request, app_state: Here, context: Somebody, table_id: TableId
) -> models.Table:
    """Leave a table that waits for players."""
    await read_body(request, app_state.people)
    return await _plain(app_state, context, table_id, lambda timing: timing.leave)


@router.post("/tables/{table_id}/fill")
async def fill(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Fill
) -> models.Table:
    """Let bots take the free seats, so that the game begins."""
    return await _plain(app_state, context, table_id, lambda timing: timing.fill, wish.bot)


@router.post("/tables/{table_id}/claim")
async def claim(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Claim
) -> models.Table:
    """Wait no longer for somebody who is silent at a table without a clock."""
    return await _plain(app_state, context, table_id, lambda timing: timing.claim, wish.wish)


@router.post("/holiday")
async def holiday(app_state: Here, context: Somebody, wish: models.Holiday) -> models.Resting:
    """Begin a holiday, or end it with 0 days: your clocks by mail stand meanwhile."""
    rest = app_state.tables.timing.rest
    return models.Resting(until=await app_state.call(rest, context.person, wish.days))
