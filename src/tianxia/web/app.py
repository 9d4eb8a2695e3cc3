"""The application: `create_app` puts the house, its routes and its gate together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from tianxia import __version__
from tianxia.kernel.errors import TianxiaError
from tianxia.logs import set_up
from tianxia.tables import Minds, Tables
from tianxia.web import api, api_talk, health, live, pages, seats, talking, watch
from tianxia.web.errors import Refusal, on_error, on_invalid
from tianxia.web.gate import Gate
from tianxia.web.house import House
from tianxia.web.settings import Settings


def create_app(
    settings: Settings | None = None,
    *,
    tables: Tables | None = None,
    minds: Minds | None = None,
) -> FastAPI:
    """Return the application.

    Parameters
    ----------
    settings
        What can be set; from the environment if not given.
    tables
        The tables' service; opened from the settings, when the server starts, if not given.
    minds
        What knows how far the minds of each game are; asks the database if not given.
    """
    house = House(settings or Settings.from_environment(), tables, minds)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await house.call(house.open)
        yield
        await house.call(house.close)

    app = FastAPI(
        title="Tianxia",
        version=__version__,
        summary="Tables of strategy games: all that the pages can do, for programs.",
        description=api.DESCRIPTION,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.house = house
    for module in (pages, seats, talking, live, api, api_talk, health, watch):
        app.include_router(module.router)
    app.include_router(api.docs)
    for kind in (TianxiaError, Refusal, HTTPException):
        app.add_exception_handler(kind, on_error)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=5)
    app.add_middleware(Gate, house.settings, house.people, house.limits)
    return app


def from_environment() -> FastAPI:
    """Return the application of a worker process, set by the environment alone."""
    settings = Settings.from_environment()
    set_up(settings.log_level)
    return create_app(settings)
