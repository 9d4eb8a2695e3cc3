"""The page of one's holidays, during which clocks stand in games that are played over days."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.tables import Refused
from tianxia.tables.timing import HOLIDAYS
from tianxia.web.app_state import app_state_of
from tianxia.web.bodies import number
from tianxia.web.moments import day_of
from tianxia.web.request_context import current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.signing import page

router = APIRouter(include_in_schema=False)
USUAL_DAYS = 7


@router.get("/holidays")
@threaded
def holidays(request: Request, app_state: Here) -> Response:
    """Show whether one is on holiday, and how many days are left."""
    return _holidays(request)


def _holidays(request: Request, problem: Exception | None = None) -> Response:
    app_state, context = app_state_of(request), current(request)
    app_state.person(context)
    holiday = app_state.tables.timing.holiday(context.who)
    return page(
        "holidays",
        request,
        problem,
        until=day_of(holiday.until, context.language) if holiday.until else "",
        left=holiday.left,
        usual=min(USUAL_DAYS, holiday.left),
        most=HOLIDAYS,
    )


@router.post("/holidays")
@threaded
def rest(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Begin a holiday, or end it with 0 days."""
    days = number(body, "days")
    try:
        app_state.tables.timing.rest(app_state.person(context), days)
    except Refused as error:
        return _holidays(request, error)
    return RedirectResponse("/holidays", SEE_OTHER)
