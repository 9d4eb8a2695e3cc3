"""Leaderboards: the strongest accounts of each game and pace, on pages and for programs."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tianxia.draw.languages import N_, translator
from tianxia.kernel import registry
from tianxia.ratings import PACES, BotRatings, Ratings, Standing
from tianxia.web import api_models as models
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES, Name
from tianxia.web.app_state import app_state_of
from tianxia.web.errors import Refusal
from tianxia.web.request_context import current
from tianxia.web.routing import Here, threaded
from tianxia.web.templating import PACKAGE

router = APIRouter()
PACE_WORDS = {
    "quick": N_("Quick live games"),
    "calm": N_("Longer live games"),
    "mail": N_("Games over days"),
    "none": N_("Games without a clock"),
}


@router.get("/ratings", include_in_schema=False)
@threaded
def index(request: Request, app_state: Here) -> Response:
    """Show the strongest of the first game."""
    return _leaderboard(request, catalogue.kinds()[0].name)


@router.get("/ratings/{game}", include_in_schema=False)
@threaded
def leaderboard(request: Request, app_state: Here, game: str) -> Response:
    """Show the strongest of a game, by pace."""
    return _leaderboard(request, game)


def _leaderboard(request: Request, game: str) -> Response:
    app_state, context = app_state_of(request), current(request)
    kind, ratings = registry.kind(game), Ratings(app_state.tables)
    _ = translator(context.language, PACKAGE).gettext
    ours = [
        replace(one, name=catalogue.bot_title(kind, one.name, context.language))
        for one in BotRatings(app_state.tables).of(game)
    ]
    people = {pace: ratings.best(game, pace) for pace in PACES}
    leaders = [(_(PACE_WORDS[pace]), _merged(best, ours)) for pace, best in people.items() if best]
    if ours and not leaders:
        leaders = [(_("Bots"), _merged([], ours))]
    games = [(one.name, catalogue.title_of(one, context.language)) for one in catalogue.kinds()]
    title = catalogue.title_of(kind, context.language)
    return app_state.page("ratings", request, game=game, title=title, games=games, leaders=leaders)


def _merged(people: list[Standing], ours: list[Standing]) -> list[tuple[int | None, Standing]]:
    """Return everybody in order; places count people only, our bots stand between them."""
    order = sorted([*people, *ours], key=lambda one: -one.rating.sure)
    numbers = count(1)
    return [(next(numbers) if one.account else None, one) for one in order]


@router.get("/api/v1/ratings/{game}/{pace}", responses=RESPONSES)
@threaded
def best(app_state: Here, game: Name, pace: str) -> list[models.Rated]:
    """List the strongest of a game and a pace (`quick`, `calm`, `mail` or `none`), and our bots."""
    kind = registry.kind(game)
    if pace not in PACES:
        raise Refusal(
            404, "no-pace", N_("A pace is one of these: {paces}."), paces=", ".join(PACES)
        )
    people = Ratings(app_state.tables).best(kind.name, pace)
    ours = BotRatings(app_state.tables).of(kind.name)
    return [
        models.Rated(
            name=one.name,
            rating=one.rating.shown,
            deviation=one.rating.deviation,
            games=one.rating.games,
            provisional=one.rating.provisional,
            bot=one.bot,
            ours=not one.account,
        )
        for _, one in _merged(people, ours)
    ]
