"""Whether the server can do its work: for those who watch over it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tianxia import __version__
from tianxia.tables import TableError
from tianxia.web.house import House, house_of
from tianxia.web.visit import asking

router = APIRouter(include_in_schema=False)
NOWHERE = "no-such-table"


@router.get("/healthz")
async def healthz(request: Request) -> Response:
    """Say whether the database answers and all rules are compiled: 200, else 503."""
    house = house_of(request)
    database = await house.call(_database_answers, house)
    stages = house.preparation.stages()
    well = database and house.preparation.done
    facts: dict[str, Any] = {
        "ok": well,
        "version": __version__,
        "database": "ok" if database else "unavailable",
        "games": stages,
    }
    return JSONResponse(facts, 200 if well else 503, {"cache-control": "no-store"})


def _database_answers(house: House) -> bool:
    try:
        house.tables.store.version(NOWHERE)
    except TableError as error:
        if (visit := asking.get()) is not None:
            visit.error = error
        return False
    return True
