"""The lobby: who waits for others, what is being played, who is here; and challenges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import AccountError
from tianxia.draw.languages import N_, translator
from tianxia.kernel import registry
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.game import Game
from tianxia.kernel.options import LONGEST_SPEC
from tianxia.lobby import Seek
from tianxia.ratings import NEW, Ratings
from tianxia.tables import NotNow, Summary, TableError
from tianxia.tables.clocks import Pace
from tianxia.web import catalogue, pace
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import flag, text
from tianxia.web.pages import HOUSE_SPRITE, TableCard, table_card
from tianxia.web.request_context import LONGEST_NAME, RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, lead_on, threaded
from tianxia.web.signing import page, signed_in
from tianxia.web.templating import PACKAGE

router = APIRouter(include_in_schema=False)
LONGEST_ID = 40
OPTION = "option-"


@dataclass(frozen=True)
class SeekWords:
    """Somebody who waits, as the list shows it."""

    id: str
    name: str
    spec: str
    title: str
    options: str
    pace: str
    pace_words: str
    rated: bool


@dataclass(frozen=True)
class Lists:
    """What the lobby shows somebody now."""

    seeks: list[SeekWords]
    waiting: list[TableCard]
    playing: list[TableCard]
    asked: list[TableCard]
    names: tuple[str, ...]
    count: int
    guests: int
    signed_in: bool


def pace_words(text: str, language: str) -> str:
    """Return a pace in words."""
    words = pace.in_words(Pace.read(text), language)
    return words or translator(language, PACKAGE).gettext("no clock")


def seek_words(seek: Seek, language: str) -> SeekWords:
    """Return a seek as the list shows it."""
    _ = translator(language, PACKAGE).gettext
    game = registry.game(seek.spec)
    return SeekWords(
        seek.id,
        seek.name or _("somebody"),
        seek.spec,
        catalogue.title_of(game.kind, language),
        catalogue.options_in_words(game, language),
        seek.pace,
        pace_words(seek.pace, language),
        seek.rated,
    )


@dataclass(frozen=True)
class Filter:
    """Which games, paces and people somebody wants to see; None: all.

    Attributes
    ----------
    options
        Of `game`, by name, as forms send them.
    least, most
        The ratings that everybody at a table has, in its game and pace. Guests have none.
    """

    game: str = ""
    pace: str | None = None
    people: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    least: int | None = None
    most: int | None = None

    @classmethod
    def of(cls, request: Request) -> Filter:
        """Return what the address asks for."""
        query = request.query_params
        game = query.get("game", "")[:60]
        options = {
            name.removeprefix(OPTION): value[:LONGEST_ID]
            for name, value in query.items()
            if game and value and name.startswith(OPTION)
        }
        return cls(
            game,
            query["pace"][:12] if query.get("pace", "any") != "any" else None,
            _number(query.get("players", "")) or 0,
            options,
            _number(query.get("least", "")),
            _number(query.get("most", "")),
        )

    @property
    def rated(self) -> bool:
        """Whether ratings matter."""
        return self.least is not None or self.most is not None

    def fits(self, spec: str, pace: str) -> bool:
        """Say whether somebody wants to see this."""
        named = not self.game or spec.partition("(")[0] == self.game
        paced = self.pace is None or pace == self.pace
        return named and paced and (not (self.people or self.options) or self._suits(spec))

    def _suits(self, spec: str) -> bool:
        game = registry.known(spec)
        given = {name: catalogue.sent(value) for name, value in game.options.items()}
        as_wanted = all(given.get(name) == value for name, value in self.options.items())
        return as_wanted and (not self.people or game.seats == self.people)

    def between(self, points: int) -> bool:
        """Say whether a rating is one that somebody wants to see."""
        above = self.least is None or points >= self.least
        return above and (self.most is None or points <= self.most)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else None


@dataclass(frozen=True)
class Listed:
    """What fits a filter: who waits, and public tables that wait or are played."""

    seeks: list[Seek]
    waiting: list[Summary]
    playing: list[Summary]


def listed(app_state: AppState, person: str, wanted: Filter) -> Listed:
    """Return what somebody wants to see of the lobby."""
    lobby, tables = app_state.lobby, app_state.tables
    seeks = [one for one in lobby.seeks(person) if wanted.fits(one.spec, one.pace)]
    waiting, playing = (
        [one for one in found if wanted.fits(one.spec, one.pace)]
        for found in (tables.waiting(), tables.watchable())
    )
    if not wanted.rated:
        return Listed(seeks, waiting, playing)
    people = {one.id: _accounts_at(one) for one in (*waiting, *playing)}
    accounts = {one.account for one in seeks} | {who for found in people.values() for who in found}
    known = Ratings(tables).several(accounts)

    def fits(accounts: Iterable[str], spec: str, clock: str) -> bool:
        game, category = spec.partition("(")[0], Pace.read(clock).category
        return all(
            who and wanted.between(known.get((who, game, category), NEW).shown) for who in accounts
        )

    return Listed(
        [one for one in seeks if fits([one.account], one.spec, one.pace)],
        [one for one in waiting if fits(people[one.id], one.spec, one.pace)],
        [one for one in playing if fits(people[one.id], one.spec, one.pace)],
    )


def _accounts_at(table: Summary) -> list[str]:
    """Return the accounts of the people at a table; of a guest an empty one."""
    return [seat.account for seat in table.seats if seat.kind == "person"]


def lists(app_state: AppState, context: RequestContext, wanted: Filter) -> Lists:
    """Return what the lobby shows a visitor now, who is here by that."""
    lobby, tables, person = app_state.lobby, app_state.tables, context.who
    if context.person:
        lobby.visit(person)
    language, here = context.language, lobby.here()
    found, account = listed(app_state, person, wanted), context.account
    return Lists(
        [seek_words(seek, language) for seek in found.seeks],
        [table_card(table, language) for table in found.waiting],
        [table_card(table, language) for table in found.playing],
        [table_card(one, language) for one in tables.asked_to(account.id)] if account else [],
        here.names,
        here.count,
        max(0, here.count - len(here.names)),
        account is not None,
    )


def option_choices(wanted: Filter, language: str) -> list[catalogue.OptionWords]:
    """Return the options of the game that is wanted, of which one value can be chosen."""
    if wanted.game not in registry.games():
        return []
    found = catalogue.options_of(registry.kind(wanted.game), language)
    apart = (catalogue.PLAYERS, COLOURS)
    return [one for one in found if one.choices and one.name not in apart]


@router.get("/lobby")
@threaded
def lobby(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show who waits and what is being played."""
    return _lobby(request, Challenge(to=request.query_params.get("to", "")[:LONGEST_NAME]))


@dataclass(frozen=True)
class Challenge:
    """What the form of a challenge is filled in with."""

    to: str = ""
    game: str = ""
    pace: str = ""
    rated: bool = True


def _lobby(request: Request, asks: Challenge, problem: Exception | None = None) -> Response:
    """Return the page, where a challenge was refused with the reason and what was filled in."""
    app_state, context = app_state_of(request), current(request)
    app_state.person(context)
    wanted = Filter.of(request)
    return page(
        "lobby",
        request,
        problem,
        sprite=HOUSE_SPRITE,
        lists=lists(app_state, context, wanted),
        wanted=wanted,
        options=option_choices(wanted, context.language),
        games=[
            (kind.name, catalogue.title_of(kind, context.language))
            for kind in catalogue.drawn_kinds()
        ],
        paces=pace.choices(context.language),
        nickname=context.nickname,
        query=request.url.query,
        asks=asks,
    )


@router.get("/lobby/lists")
@threaded
def refreshed(request: Request, app_state: Here, context: Anybody) -> Response:
    """Send the lists once more, for an open page; nothing where they are the same."""
    found = lists(app_state, context, Filter.of(request))
    return app_state.redrawn("lobby_lists", request, lists=found)


@router.post("/lobby/seeks")
@threaded
def seek(app_state: Here, context: Anybody, body: Body) -> Response:
    """Wait for others, or begin at once where they are here."""
    spec, clock = text(body, "game", LONGEST_SPEC), text(body, "pace", 20, "")
    nickname = text(body, "nickname", LONGEST_NAME, context.nickname)
    rated = flag(body, "rated", False)
    found = begin_seek(app_state, context, spec, clock, nickname, rated=rated)
    where = f"/t/{found.table_id}" if found.table_id else f"/lobby/wait/{found.id}"
    return RedirectResponse(where, SEE_OTHER)


def begin_seek(
    app_state: AppState,
    context: RequestContext,
    spec: str,
    clock: str,
    nickname: str,
    *,
    rated: bool = False,
) -> Seek:
    """Let a visitor wait for others."""
    app_state.check_room(context)
    person = app_state.person(context)
    game, clock = registry.game(spec), str(Pace.read(clock))
    origin = app_state.origin_of(context)
    return app_state.lobby.seek(person, nickname, game, clock, rated=rated, origin=origin)


@router.get("/lobby/wait/{seek_id}")
@threaded
def wait(request: Request, app_state: Here, context: Anybody, seek_id: str) -> Response:
    """Show that somebody is looked for; without a script the page asks again by itself."""
    found = app_state.lobby.look(seek_id[:LONGEST_ID], context.who)
    if found.table_id:
        return RedirectResponse(f"/t/{found.table_id}", SEE_OTHER)
    app_state.person(context)
    words = seek_words(found, context.language)
    game = registry.game(found.spec).kind.name
    return app_state.page("seek", request, seek=words, game=game)


@router.post("/lobby/wait/{seek_id}/end")
@threaded
def give_up(app_state: Here, context: Anybody, seek_id: str, _: Body) -> Response:
    """Wait no longer."""
    app_state.lobby.give_up(seek_id[:LONGEST_ID], context.who)
    return RedirectResponse("/lobby", SEE_OTHER)


@router.post("/lobby/challenges")
@threaded
def challenge(request: Request, app_state: Here, context: Anybody, body: Body) -> Response:
    """Challenge somebody: a table waits for them alone."""
    to, spec = text(body, "to", LONGEST_NAME), text(body, "game", LONGEST_SPEC)
    clock, nickname = text(body, "pace", 20, ""), text(body, "nickname", LONGEST_NAME, "")
    rated = flag(body, "rated", False)
    try:
        game = _for_two(registry.game(spec))
        table_id = challenged(app_state, context, to, game, clock, nickname, rated=rated)
    except (AccountError, TableError) as error:
        if context.wants_json:
            raise
        return _lobby(request, Challenge(to, spec, clock, rated), error)
    return RedirectResponse(f"/t/{table_id}", SEE_OTHER)


def _for_two(game: Game) -> Game:
    """Return a game as two play it: the form asks for no options, and names one other player."""
    players = next((one for one in game.kind.options if one.name == catalogue.PLAYERS), None)
    if game.spec != game.kind.name or players is None or "2" not in map(str, players.values):
        return game
    return registry.game(game, **{catalogue.PLAYERS: 2})


def challenged(
    app_state: AppState,
    context: RequestContext,
    to: str,
    game: Game,
    clock: str,
    nickname: str,
    *,
    rated: bool = False,
) -> str:
    """Make the table of a challenge; return its id."""
    app_state.check_room(context)
    person, other = app_state.person(context), app_state.accounts.known(to)
    if context.account is not None and other.id == context.account.id:
        raise NotNow("yourself", N_("That is you.")).of(__name__)
    if app_state.lobby.blocks(person, other.person):
        raise NotNow("not-asked", N_("{name} does not want to be challenged."), name=other.name).of(
            __name__
        )
    asked, origin = (other.id, other.name), app_state.origin_of(context)
    made = app_state.lobby.challenge(
        person, nickname, asked, game, clock, rated=rated, origin=origin
    )
    return made.table_id


@router.post("/t/{table_id}/decline")
@threaded
def decline(app_state: Here, context: Anybody, table_id: str, _: Body) -> Response:
    """Decline a challenge."""
    account = signed_in(context)
    app_state.check_table(table_id)
    app_state.tables.decline(table_id, account.id)
    return lead_on(context, "/lobby")


@router.post("/t/{table_id}/accept")
@threaded
def accept(app_state: Here, context: Anybody, table_id: str, _: Body) -> Response:
    """Take the seat that is kept for one's account."""
    account = signed_in(context)
    app_state.check_table(table_id)
    accepted(app_state, table_id, account.id, context.person)
    return lead_on(context, f"/t/{table_id}")


def accepted(app_state: AppState, table_id: str, account_id: str, person: Any) -> None:
    """Seat an account where a seat is kept for it; pressed twice, it sits there already."""
    if app_state.tables.seat_of(table_id, person) is not None:
        return
    place = app_state.tables.snapshot(table_id).kept_for(account_id)
    if place is None:
        raise NotNow("not-asked", N_("No seat is kept for you here.")).of(__name__)
    app_state.tables.take_seat(table_id, place, person)
