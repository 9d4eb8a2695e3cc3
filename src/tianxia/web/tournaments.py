"""Tournaments: the list, the form that makes one, and the page of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from babel.numbers import format_decimal
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import Account
from tianxia.draw.languages import N_, translator
from tianxia.kernel import registry
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import GameType
from tianxia.tournaments import Found, Tournament, Tournaments, Wish
from tianxia.tournaments.model import ALL, SWISS
from tianxia.tournaments.service import LISTED, LONGEST_NAME, MOST_ROUNDS
from tianxia.web import catalogue, pace
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import number, text
from tianxia.web.errors import Refusal, problem_of
from tianxia.web.lobby import OPTION, pace_words
from tianxia.web.moments import moment_of
from tianxia.web.request_context import RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, threaded
from tianxia.web.sharing import code, drawing
from tianxia.web.signing import signed_in
from tianxia.web.table_routes import fields
from tianxia.web.templating import PACKAGE

router = APIRouter(include_in_schema=False)
LONGEST_ID = 40
USUAL_ROUNDS = 5
MINUTE, HOUR, DAY = 60, 3600, 86400
STARTS = (
    (0, N_("when I say so")),
    (10 * MINUTE, N_("in 10 minutes")),
    (HOUR, N_("in an hour")),
    (3 * HOUR, N_("in 3 hours")),
    (DAY, N_("in a day")),
    (7 * DAY, N_("in a week")),
)
"""After how many seconds a tournament can begin by itself."""
SYSTEMS = {SWISS: N_("Swiss"), ALL: N_("Round robin")}


def tournaments_of(app_state: AppState) -> Tournaments:
    """Return the tournaments of this server."""
    return Tournaments(app_state.accounts)


# --- In words ---


@dataclass(frozen=True)
class Card:
    """A tournament in a list."""

    id: str
    name: str
    title: str
    facts: str
    people: int
    starts: str


@dataclass(frozen=True)
class Line:
    """Somebody's line of the standings."""

    place: int
    name: str
    bot: bool
    gone: bool
    mine: bool
    numbers: tuple[str, str, str]


@dataclass(frozen=True)
class Game:
    """A table of a round: who sits there, and their points; empty while the game lasts."""

    table_id: str
    players: list[tuple[str, str]]
    mine: bool


@dataclass(frozen=True)
class Shown:
    """A tournament as somebody sees it now."""

    tournament: Tournament
    facts: str
    starts: str
    lines: list[Line]
    round: int
    games: list[Game]
    byes: list[tuple[str, str]]
    table_id: str
    entered: bool
    gone: bool
    own: bool
    guest: bool
    may_enter: bool
    enough: bool


class Words:
    """Tournaments in somebody's language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._ = translator(language, PACKAGE).gettext

    def points(self, value: float) -> str:
        """Return points as people write them."""
        return str(format_decimal(value, locale=self.language))

    def name(self, name: str) -> str:
        """Return what somebody is called; also one whose account was deleted."""
        return name or self._("deleted account")

    def title(self, tournament: Tournament) -> str:
        """Return what is played, with its options."""
        try:
            game = registry.game(tournament.spec)
        except TianxiaError:
            return tournament.spec  # not installed here any more
        options = catalogue.options_in_words(game, self.language)
        title = catalogue.title_of(game.kind, self.language)
        return f"{title} · {options}" if options else title

    def facts(self, tournament: Tournament) -> str:
        """Return pace, system, and what else is settled."""
        _ = self._
        told = [pace_words(tournament.pace, self.language), _(SYSTEMS[tournament.system])]
        if tournament.system == SWISS or tournament.round:
            words = translator(self.language, PACKAGE).ngettext(
                "{n} round", "{n} rounds", tournament.rounds
            )
            told.append(words.format(n=tournament.rounds))
        told.append(_("rated") if tournament.rated else _("not rated"))
        if tournament.bots:
            told.append(_("programs may play, too"))
        if not tournament.public:
            told.append(_("private"))
        return " · ".join(told)

    def starts(self, tournament: Tournament) -> str:
        """Return when a tournament begins by itself; empty where it does not, or has begun."""
        if tournament.starts is None or tournament.status != "open":
            return ""
        return moment_of(tournament.starts, self.language)

    def card(self, tournament: Tournament, people: int) -> Card:
        """Return a tournament as a list shows it."""
        return Card(
            tournament.id,
            tournament.name,
            self.title(tournament),
            self.facts(tournament),
            people,
            self.starts(tournament),
        )

    def shown(self, found: Found, account: Account | None, wanted: int = 0) -> Shown:
        """Return a tournament as somebody sees it; `wanted` is the round that they look at."""
        tournament = found.tournament
        mine = found.of_account(account.id) if account else None
        seen = wanted if 1 <= wanted <= tournament.round else tournament.round
        running = tournament.status in ("open", "playing")
        back = tournament.status == "playing" and mine is not None and mine.gone
        enters = (tournament.takes or back) and (tournament.bots or not (account and account.bot))
        return Shown(
            tournament,
            self.facts(tournament),
            self.starts(tournament),
            self._lines(found, mine.number if mine else 0),
            seen,
            [
                Game(
                    board[0].table_id,
                    [
                        (
                            self.name(found.by_number[row.entrant].name),
                            "" if row.points is None else self.points(row.points),
                        )
                        for row in board
                    ],
                    mine is not None and any(row.entrant == mine.number for row in board),
                )
                for board in found.boards(seen).values()
            ],
            [
                (self.name(found.by_number[row.entrant].name), self.points(row.points or 0.0))
                for row in found.byes(seen)
                if not found.by_number[row.entrant].gone or row.points
            ],
            found.table_of(account.id) if account else "",
            mine is not None,
            mine is not None and mine.gone,
            running and account is not None and (account.admin or account.id == tournament.maker),
            account is None,
            (mine is None and enters) or (mine is not None and mine.gone and running),
            len(found.entrants) >= tournament.least,
        )

    def _lines(self, found: Found, mine: int) -> list[Line]:
        lines = []
        for one in found.standings:
            who = found.by_number[one.entrant]
            numbers = (one.points, one.strength, one.quality)
            written = tuple(self.points(value) for value in numbers)
            name = self.name(who.name)
            place = one.place
            lines.append(
                Line(place, name, who.bot, who.gone, who.number == mine, written)  # type: ignore[arg-type]
            )
        return lines


# --- Pages ---


@router.get("/tournaments")
@threaded
def index(request: Request, app_state: Here, context: Anybody) -> Response:
    """List the tournaments."""
    return app_state.page(
        "tournaments",
        request,
        groups=cards(app_state, context),
        games=[
            (kind.name, catalogue.title_of(kind, context.language))
            for kind in catalogue.drawn_kinds()
        ],
        source="/tournaments/lists",
    )


def cards(app_state: AppState, context: RequestContext) -> list[tuple[str, list[Card]]]:
    """Return the tournaments that somebody may see, in groups with headings."""
    all_, words = tournaments_of(app_state), Words(context.language)
    _ = translator(context.language, PACKAGE).gettext
    own = all_.of_account(context.account.id) if context.account else []
    mine = {one.id for one in own}

    def others(status: str, limit: int = LISTED) -> list[Tournament]:
        return [one for one in all_.listed(status, limit) if one.id not in mine]

    groups = [
        (_("Yours"), own),
        (_("You can enter"), others("open")),
        (_("Being played"), others("playing")),
        (_("Finished"), others("over", 20)),
    ]
    people = all_.how_many({one.id for _, found in groups for one in found})
    return [
        (heading, [words.card(one, people.get(one.id, 0)) for one in found])
        for heading, found in groups
    ]


@router.get("/tournaments/lists")
@threaded
def listed(request: Request, app_state: Here, context: Anybody) -> Response:
    """Send the lists once more, for an open page; nothing where they are the same."""
    groups = cards(app_state, context)
    return app_state.redrawn("tournaments_lists", request, groups=groups)


@router.get("/tournaments/new/{game}")
@threaded
def new(request: Request, app_state: Here, game: str) -> Response:
    """Show the form of a new tournament."""
    return _form(request, registry.kind(game))


def _form(
    request: Request,
    kind: GameType,
    filled: dict[str, Any] | None = None,
    problem: Exception | None = None,
) -> Response:
    app_state, context = app_state_of(request), current(request)
    app_state.person(context)
    _ = translator(context.language, PACKAGE).gettext
    told = problem_of(problem, context.language) if problem else None
    offered = catalogue.options_of(kind, context.language)
    options = [one for one in offered if one.choices and one.name != COLOURS]
    return app_state.page(
        "tournament_new",
        request,
        told.status if told else 200,
        game=kind.name,
        title=catalogue.title_of(kind, context.language),
        options=options,
        paces=[group for group in pace.choices(context.language) if group[1][0][0]],
        systems=[(name, _(words)) for name, words in SYSTEMS.items()],
        starts=[(str(seconds), _(words)) for seconds, words in STARTS],
        filled=filled or {},
        problem=told.text if told else "",
        longest=LONGEST_NAME,
        most=MOST_ROUNDS,
        usual=USUAL_ROUNDS,
    )


@router.post("/tournaments/new/{game}")
@threaded
def make(request: Request, app_state: Here, context: Anybody, game: str, body: Body) -> Response:
    """Make a tournament."""
    kind, account = registry.kind(game), signed_in(context)
    try:
        spec = kind(**fields(body, OPTION)).spec
        found = begin_making(app_state, context, account, wish_of(app_state, body, spec))
    except TianxiaError as error:
        return _form(request, kind, body, error)
    return RedirectResponse(f"/tournaments/{found}", SEE_OTHER)


def wish_of(app_state: AppState, body: dict[str, Any], spec: str) -> Wish:
    """Return the tournament that a form describes."""
    after = number(body, "starts")
    return Wish(
        text(body, "name", 2 * LONGEST_NAME),
        spec,
        text(body, "pace", 20),
        text(body, "system", 20, SWISS),
        number(body, "rounds"),
        public=text(body, "public", 5, "yes") == "yes",
        rated=text(body, "rated", 5, "no") == "yes",
        bots=text(body, "bots", 5, "no") == "yes",
        starts=app_state.tables.clock() + after if after else None,
    )


def begin_making(app_state: AppState, context: RequestContext, account: Account, wish: Wish) -> str:
    """Make a tournament; return its id."""
    app_state.check_room(context)
    return tournaments_of(app_state).make(account, wish)


@router.get("/tournaments/{tournament_id}")
@threaded
def tournament(request: Request, app_state: Here, tournament_id: str) -> Response:
    """Show a tournament."""
    return _tournament(request, tournament_id)


def _shown(request: Request, tournament_id: str) -> Shown:
    app_state, context = app_state_of(request), current(request)
    found = tournaments_of(app_state).get(tournament_id[:LONGEST_ID])
    asked = request.query_params.get("round", "")
    wanted = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    return Words(context.language).shown(found, context.account, wanted)


def _tournament(request: Request, tournament_id: str, problem: Exception | None = None) -> Response:
    app_state, context = app_state_of(request), current(request)
    app_state.person(context)
    shown, words = _shown(request, tournament_id), Words(context.language)
    told = problem_of(problem, context.language) if problem else None
    return app_state.page(
        "tournament",
        request,
        told.status if told else 200,
        shown=shown,
        title=words.title(shown.tournament),
        problem=told.text if told else "",
        rest=words.points(shown.tournament.rest),
        source=f"/tournaments/{shown.tournament.id}/lists",
        query=f"round={shown.round}" if "round" in request.query_params else "",
    )


@router.get("/tournaments/{tournament_id}/lists")
@threaded
def refreshed(request: Request, app_state: Here, tournament_id: str) -> Response:
    """Send how a tournament stands once more; nothing where that is the same."""
    shown = _shown(request, tournament_id)
    return app_state.redrawn("tournament_lists", request, shown=shown)


@router.get("/tournaments/{tournament_id}/code.svg")
@threaded
def link_code(app_state: Here, context: Anybody, tournament_id: str) -> Response:
    """Draw the link to a tournament for cameras."""
    found = tournaments_of(app_state).get(tournament_id[:LONGEST_ID]).tournament
    return drawing(code(f"{context.base}/tournaments/{found.id}"))


def deeds(all_: Tournaments) -> dict[str, Callable[[str, Account], None]]:
    """Return what accounts do with a tournament, by name."""
    return {
        "enter": all_.enter,
        "withdraw": all_.withdraw,
        "begin": all_.begin,
        "end": all_.end,
    }


@router.post("/tournaments/{tournament_id}/{deed}")
@threaded
def act(
    request: Request, app_state: Here, context: Anybody, tournament_id: str, deed: str, _: Body
) -> Response:
    """Enter, withdraw, begin or end."""
    account = signed_in(context)
    try:
        do(app_state, context, tournament_id, deed, account)
    except TianxiaError as error:
        return _tournament(request, tournament_id, error)
    found = tournaments_of(app_state).get(tournament_id[:LONGEST_ID])
    table = found.table_of(account.id) if deed == "begin" else ""
    where = f"/t/{table}" if table else f"/tournaments/{found.tournament.id}"
    return RedirectResponse(where, SEE_OTHER)


def do(
    app_state: AppState, context: RequestContext, tournament_id: str, deed: str, account: Account
) -> None:
    """Do something with a tournament."""
    app_state.check_room(context)
    found = deeds(tournaments_of(app_state)).get(deed)
    if found is None:
        raise Refusal(404)
    found(tournament_id[:LONGEST_ID], account)
