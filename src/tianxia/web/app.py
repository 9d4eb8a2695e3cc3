"""The application: `create_app` puts its state, its routes and its middleware together."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from tianxia import __version__
from tianxia.kernel import mode
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.registry import game
from tianxia.logs import set_up
from tianxia.minds.preparing import installed
from tianxia.ratings import Settler
from tianxia.tables import Minds, Tables
from tianxia.tables.samples import Sampler
from tianxia.tournaments import Director
from tianxia.web import (
    account,
    api,
    api_account,
    api_boards,
    api_clocks,
    api_events,
    api_keeping,
    api_lobby,
    api_tournaments,
    boards,
    from_here,
    gallery,
    health,
    holidays,
    keeping,
    live,
    lobby,
    manual,
    metrics,
    overview,
    pages,
    profiles,
    puzzles,
    ratings,
    sharing,
    signing,
    table_routes,
    talk_routes,
    telling,
    tournaments,
    watch,
)
from tianxia.web.app_state import AppState
from tianxia.web.errors import Refusal, on_error, on_invalid
from tianxia.web.heap import Heap
from tianxia.web.middleware import RequestMiddleware
from tianxia.web.settings import Settings
from tianxia.web.templating import Ahead

ROUTED = (
    table_routes,
    live,
    pages,
    signing,
    account,
    lobby,
    api_account,
    api_keeping,
    api_lobby,
    from_here,
    gallery,
    keeping,
    overview,
    api,
    api_clocks,
    api_events,
    talk_routes,
    health,
    telling,
    holidays,
    ratings,
    profiles,
    watch,
    sharing,
    puzzles,
    tournaments,
    api_tournaments,
    boards,
    api_boards,
)
"""What answers requests: clicks first, for routes are tried one after the other; the rest in the
order in which the page about the API lists it."""
SWITCH_SECONDS = 0.0005
"""How long a thread that draws may keep others from running: an answer passes through several
threads, and at Python's usual 5 ms it waited at each step for what is drawn for those who watch."""


def create_app(
    settings: Settings | None = None,
    *,
    tables: Tables | None = None,
    minds: Minds | None = None,
    ahead: bool = False,
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
    ahead
        Whether this is a server of its own: another process compiles the templates before anybody
        asks for them, and what is kept is put aside (`heap`).
    """
    app_state = AppState(settings or Settings.from_environment(), tables, minds)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await app_state.call(app_state.open)
        teller = telling.teller_of(app_state, app_state.telling).start()
        settler = Settler(app_state.tables).start()
        director = Director(tournaments.tournaments_of(app_state)).start()
        sampler = Sampler(app_state.tables, metrics.counted).start()
        templates = Ahead(awake=ahead)
        tidying = asyncio.create_task(Heap().keep_tidy()) if ahead else None
        if ahead:
            sys.setswitchinterval(SWITCH_SECONDS)
            await app_state.call(load_rules)
        yield
        if tidying is not None:
            tidying.cancel()
        await app_state.call(templates.close)
        await app_state.call(sampler.close)
        await app_state.call(director.close)
        await app_state.call(settler.close)
        await app_state.call(teller.close)
        await app_state.call(app_state.close)
        metrics.forget(os.getpid())

    app = api.Described(
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
    app.state.app_state = app_state
    for module in ROUTED:  # as they are: `include_router` builds all of each route again
        app.router.routes += module.router.routes
    app.router.routes += [*api.docs.routes, *manual.routes()]
    for kind in (TianxiaError, Refusal, HTTPException):
        app.add_exception_handler(kind, on_error)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=5)
    app.add_middleware(
        RequestMiddleware,
        app_state.settings,
        app_state.people,
        app_state.limits,
        app_state.identify,
    )
    return app


def load_rules() -> None:
    """Load the rules of all games where they are compiled, so that no click waits for that."""
    for name in () if mode.interpreted() else installed():
        game(name).prepare()


def from_environment() -> FastAPI:
    """Return the application of a worker process, set by the environment alone."""
    settings = Settings.from_environment()
    set_up(settings.log_level)
    return create_app(settings, ahead=True)
