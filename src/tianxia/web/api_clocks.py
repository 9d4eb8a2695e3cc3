"""The JSON API of clocks, and of those who do not come."""

from __future__ import annotations

from fastapi import APIRouter

from tianxia.web import api_models as models
from tianxia.web.api import RESPONSES, TableId, changed
from tianxia.web.routing import Body, Here, Somebody, threaded

router = APIRouter(prefix="/api/v1", responses=RESPONSES)


@router.post("/tables/{table_id}/call-off")
@threaded
def call_off(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Call a game off before every seat has decided something; nobody has lost."""
    return changed(app_state, context, table_id, app_state.tables.timing.call_off)


@router.post("/tables/{table_id}/come-back")
@threaded
def come_back(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Play on at your seat, for which a bot has played."""
    return changed(app_state, context, table_id, app_state.tables.timing.come_back)


@router.post("/tables/{table_id}/close")
@threaded
def close(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Close a table that waits for players."""
    return changed(app_state, context, table_id, app_state.tables.timing.close)


@router.post("/tables/{table_id}/leave")
@threaded
def leave(app_state: Here, context: Somebody, table_id: TableId, _: Body) -> models.Table:
    """Leave a table that waits for players."""
    return changed(app_state, context, table_id, app_state.tables.timing.leave)


@router.post("/tables/{table_id}/fill")
@threaded
def fill(app_state: Here, context: Somebody, table_id: TableId, wish: models.Fill) -> models.Table:
    """Let bots take the free seats, so that the game begins."""
    return changed(app_state, context, table_id, app_state.tables.timing.fill, wish.bot)


@router.post("/tables/{table_id}/colour")
@threaded
def colour(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Recolour
) -> models.Table:
    """Give your seat another colour, while the table waits for players."""
    return changed(app_state, context, table_id, app_state.tables.timing.recolour, wish.colour)


@router.post("/tables/{table_id}/claim")
@threaded
def claim(
    app_state: Here, context: Somebody, table_id: TableId, wish: models.Claim
) -> models.Table:
    """Wait no longer for somebody who is silent at a table without a clock."""
    return changed(app_state, context, table_id, app_state.tables.timing.claim, wish.wish)


@router.post("/holiday")
@threaded
def holiday(app_state: Here, context: Somebody, wish: models.Holiday) -> models.Resting:
    """Begin a holiday, or end it with 0 days: your clocks by mail stand meanwhile."""
    return models.Resting(until=app_state.tables.timing.rest(context.who, wish.days))
