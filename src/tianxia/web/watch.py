"""What watches over the server may ask: `tianxia.web.metrics`, from the addresses allowed."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tianxia.web import metrics
from tianxia.web.errors import Refusal
from tianxia.web.routing import Here, threaded
from tianxia.web.security import Networks
from tianxia.web.settings import Settings

router = APIRouter(include_in_schema=False)
LOOPBACK = Networks("127.0.0.0/8, ::1")
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""What says that somebody else stands behind an address."""


@router.get("/metrics")
@threaded
def everything(request: Request, app_state: Here) -> Response:
    """Send all figures to whom they are for; to others there is no such page."""
    if not may_watch(request, app_state.settings):
        raise Refusal(404)
    return Response(metrics.exposition(app_state.tables), media_type=metrics.KIND)


def may_watch(request: Request, settings: Settings) -> bool:
    """Say whether a request comes from an address that may see the figures.

    Unless some are set only this machine may, and nobody behind a proxy: an unnamed one would
    make everybody seem to be this machine.
    """
    host = request.client.host if request.client else ""
    forwarded = any(name in request.headers for name in FORWARDED)
    if forwarded and not settings.proxies:
        return False
    if settings.metrics:
        return host in Networks(settings.metrics)
    return not settings.proxies and host in LOOPBACK
