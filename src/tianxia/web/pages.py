"""Pages that people read: games, new tables, rules, about; and their static files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tianxia import __version__
from tianxia.bots import titles
from tianxia.draw.armies import armies_of
from tianxia.draw.guides import guide_of
from tianxia.draw.languages import LANGUAGES, N_, labelled, package_of, translator
from tianxia.draw.own_boards import OwnBoards
from tianxia.draw.pictures import sprite
from tianxia.kernel import registry
from tianxia.kernel.colours import COLOURS
from tianxia.kernel.errors import TianxiaError, UnknownGame
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.options import LONGEST_SPEC
from tianxia.tables import SeatInfo, SeatPlan, Summary
from tianxia.tables.clocks import Pace
from tianxia.web import catalogue, pace
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.boards import offered
from tianxia.web.errors import Refusal
from tianxia.web.request_context import THEMES, current
from tianxia.web.routing import Anybody, Here, drawing, threaded
from tianxia.web.rules import rules_page, rules_picture
from tianxia.web.sharing import preview_of_game
from tianxia.web.static import static
from tianxia.web.templating import PACKAGE

router = APIRouter(include_in_schema=False)
HOUSE_SPRITE = Markup(sprite())  # noqa: S704  (a file of ours)
LONGEST_FIELD, LONGEST_BOARD = 400, LONGEST_SPEC
"""Of what a form is filled in with again."""
ROBOTS = "User-agent: *\nDisallow: /t/\nDisallow: /new/\nDisallow: /api/\n"


@dataclass(frozen=True)
class GameCard:
    """A game on the home page."""

    name: str
    title: str
    pitch: str
    summary: str
    players: str
    picture: Markup
    rules: bool
    guided: bool


@dataclass(frozen=True)
class TableCard:
    """A table in a list; of its players the army and the name. `terms`: options and clock."""

    id: str
    title: str
    terms: str
    players: list[tuple[str, str]]
    note: str
    your_turn: bool


ChoiceGroup = tuple[str, list[tuple[str, str]]]
"""A heading, and what can be chosen under it: as it is sent, and in words."""


@dataclass(frozen=True)
class SeatChoice:
    """Who may sit at one seat, in the form of a new table; `colour` is the one it usually has."""

    army: str
    name: str
    groups: list[ChoiceGroup]
    usual: str
    colour: str


@router.get("/")
@threaded
def home(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show the games, one's own tables, and those that wait for players."""
    listed = app_state.tables.open_tables(context.who)
    listed.sort(key=_urgency)
    now, account = app_state.tables.clock(), context.account
    cards = [(table, table_card(table, context.language, now)) for table in listed]
    asked = app_state.tables.asked_to(account.id) if account else []
    return app_state.page(
        "home",
        request,
        sprite=HOUSE_SPRITE,
        games=[game_card(kind, context.language) for kind in catalogue.drawn_kinds()],
        asked=[table_card(table, context.language) for table in asked],
        mine=[card for table, card in cards if table.seat is not None][:30],
        waiting=[card for table, card in cards if table.seat is None],
    )


def _urgency(table: Summary) -> tuple[bool, bool, float, float]:
    """Return where one of somebody's tables stands: what waits for them first.

    Not by its last change: that may have been secret.
    """
    falls = table.falls if table.your_turn and table.falls else inf
    return not table.your_turn, table.status == "over", falls, -table.created


def game_card(kind: GameType, language: str) -> GameCard:
    """Return a game as the home page shows it."""
    _ = translator(language, PACKAGE).gettext
    most = catalogue.most_seats(kind)
    least = least_seats(kind)
    players = _("{n} players") if least == most else _("{least} to {n} players")
    return GameCard(
        kind.name,
        catalogue.title_of(kind, language),
        catalogue.pitch_of(kind, language),
        catalogue.summary_of(kind.name, language),
        players.format(n=most, least=least),
        catalogue.picture_of(kind.name),
        catalogue.rulebook_of(kind) is not None,
        guide_of(kind) is not None,
    )


def least_seats(kind: GameType) -> int:
    """Return the smallest number of seats that a game can have."""
    players = next((option for option in kind.options if option.name == catalogue.PLAYERS), None)
    return min(int(value) for value in players.values) if players else kind.seats


def table_card(table: Summary, language: str, now: float | None = None) -> TableCard:
    """Return a table as a list shows it; `now` for how long one still has for one's turn."""
    _ = translator(language, PACKAGE).gettext
    try:
        game = registry.game(table.spec)
        if game.seats != len(table.seats):
            raise UnknownGame(table.spec)
    except TianxiaError:
        note = _("cannot be shown: this server does not have its game any more, or another one")
        return TableCard(table.id, table.game, "", [], note, your_turn=False)
    names = [_card_name(info, game.kind, language) for info in table.seats]
    if table.status == "waiting":
        note = _("waits for players")
    elif table.status == "over":
        note = _("is over")
    elif table.your_turn and table.falls and now is not None:
        left = pace.roughly(max(0.0, table.falls - now), language)
        note = _("your turn, {left} left").format(left=left)
    else:
        note = _("your turn") if table.your_turn else _("being played")
    terms = (
        catalogue.options_in_words(game, language),
        pace.in_words(Pace.read(table.pace), language),
        _("rated game") if table.rated else "",
    )
    return TableCard(
        table.id,
        catalogue.title_of(game.kind, language),
        " · ".join(filter(None, terms)),
        list(zip(armies_of(game.armies, game.seats), names, strict=True)),
        note,
        table.your_turn,
    )


def _card_name(info: SeatInfo, kind: GameType, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    if info.kind == "bot":
        return catalogue.bot_title(kind, info.bot, language)
    if info.kind == "open":
        return info.name if info.reserved and info.name else _("free seat")
    return info.name or _("somebody")


@router.get("/pictures/{game}/{option}/{value}.svg")
@threaded
def picture(app_state: Here, game: str, option: str, value: str) -> Response:
    """Draw the board of a new game with one option that is not the usual one."""
    return drawing(catalogue.drawn_with(game, option, value))


@router.get("/new/{game}")
@threaded
def new(request: Request, app_state: Here, game: str) -> Response:
    """Show the form of a new table; the address may fill fields of it in."""
    return new_page(request, game, request.query_params)


def new_page(
    request: Request, game: str, filled: Mapping[str, Any], problem: str = "", status: int = 200
) -> Response:
    """Return the form of a new table, with what is filled in and what was wrong in it."""
    app_state, context = app_state_of(request), current(request)
    kind = registry.kind(game)
    own, person = OwnBoards.of(kind), app_state.person(context)
    boards = {f"own-{own.option}", f"option-{own.option}"} if own else set()
    filled = {
        name: value[: LONGEST_BOARD if name in boards else LONGEST_FIELD]
        for name, value in filled.items()
        if isinstance(value, str)
    }
    first = None if problem else first_game(kind, context.language)
    if first and is_new_to(kind, app_state, person):
        first.fill_in(filled)
    return app_state.page(
        "new",
        request,
        status,
        sprite=HOUSE_SPRITE,
        game=game,
        title=catalogue.title_of(kind, context.language),
        preview=preview_of_game(kind, context.language),
        seats=seat_choices(kind, context.language),
        levels=level_words(kind, context.language),
        others=manners(kind, context.language),
        colours=catalogue.colours_of(kind, context.language),
        colours_drawn=bool(kind.colours and kind.colours.drawn),
        options=[
            one for one in catalogue.options_of(kind, context.language) if one.name != COLOURS
        ],
        talk=talk_choices(kind, context.language),
        paces=pace.choices(context.language),
        rules=catalogue.rulebook_of(kind) is not None,
        guided=guide_of(kind) is not None,
        problem=problem,
        filled=filled,
        longest=LONGEST_BOARD,
        drawn=own.option if own else "",
        own_boards=offered(app_state, person, kind, context.language),
        first=(first.text, *first.other_way(filled)) if first else None,
    )


@dataclass(frozen=True)
class FirstGameWords:
    """What newcomers to a game are offered: in words, and as fields of the form.

    `usual` are the same fields as they are for others.
    """

    game: str
    text: str
    fields: dict[str, str]
    usual: dict[str, str]

    def fill_in(self, filled: dict[str, Any]) -> None:
        """Choose it in a form for which no option was chosen yet."""
        if not any(name.startswith("option-") for name in filled):
            filled.update(self.fields)

    def other_way(self, filled: Mapping[str, Any]) -> tuple[str, bool]:
        """Return the form's address for what is not chosen in it, and whether this one is."""
        chosen = all(filled.get(name) == value for name, value in self.fields.items())
        fields = self.usual if chosen else self.fields
        return f"/new/{self.game}?{urlencode(fields)}", chosen


def first_game(kind: GameType, language: str) -> FirstGameWords | None:
    """Return what newcomers are offered; None where the usual options suit them."""
    first = kind.first_game
    if first is None:
        return None
    text = translator(language, package_of(kind)).gettext(first.text)
    usual = {one.name: one.default for one in kind.options if one.name in first.options}
    fields, others = (
        {f"option-{name}": catalogue.sent(value) for name, value in options.items()}
        for options in (first.options, usual)
    )
    return FirstGameWords(kind.name, text, fields, others)


def is_new_to(kind: GameType, app_state: AppState, person: str) -> bool:
    """Say whether somebody has sat at no table of a game."""
    known = app_state.tables.open_tables(person)
    return not any(one.seat is not None and one.game == kind.name for one in known)


def seat_choices(kind: GameType, language: str) -> list[SeatChoice]:
    """Return who may sit where, for the form of a new table."""
    _ = translator(language, PACKAGE).gettext
    most = catalogue.most_seats(kind)
    people = (_("People"), [("me", _("me")), ("open", _("a friend, by a link"))])
    groups = [people, *bot_choices(kind, language)]
    armies, colours = armies_of(kind.armies, most), kind.colours
    return [
        SeatChoice(
            armies[seat],
            _("Seat {n}").format(n=seat + 1)
            if colours
            else catalogue.side_name(kind, seat, language),
            groups,
            "me" if seat == 0 else f"bot:{usual_bot(kind)}",
            colours.names[seat] if colours and not colours.drawn else "",
        )
        for seat in range(most)
    ]


def bot_choices(kind: GameType, language: str) -> list[ChoiceGroup]:
    """Return which bots may sit at a seat: the levels in order, then the others."""
    _ = translator(language, PACKAGE).gettext
    groups = [
        (_("Bots by level"), catalogue.levels(kind)),
        (_("Other bots"), catalogue.other_bots(kind)),
    ]
    return [
        (name, [(f"bot:{bot}", catalogue.bot_title(kind, bot, language)) for bot in bots])
        for name, bots in groups
        if bots
    ]


def level_words(kind: GameType, language: str) -> list[str]:
    """Return what to expect of each level, to stand below a list that has no room for it."""
    _ = translator(language, PACKAGE).gettext
    return [
        labelled(catalogue.bot_title(kind, bot, language), _(catalogue.LEVEL_WORDS[bot]), language)
        for bot in catalogue.levels(kind)
    ]


def manners(kind: GameType, language: str) -> list[str]:
    """Return how each bot plays that is no level, to stand below the levels."""
    return [
        labelled(catalogue.bot_title(kind, bot, language), words, language)
        for bot in catalogue.other_bots(kind)
        if (words := titles.manner(kind, bot, language))
    ]


def usual_bot(kind: GameType, level: str = catalogue.USUAL_LEVEL) -> str:
    """Return the bot that is offered first: a middle level, else the best there is."""
    levels = catalogue.levels(kind)
    if level in levels:
        return level
    return levels[-1] if levels else catalogue.bot_names(kind)[-1]


def at_once(kind: GameType, *, newcomer: bool) -> tuple[Game, list[SeatPlan]]:
    """Return what "Play now" means: the usual game, or a newcomer's, against bots."""
    first = kind.first_game if newcomer else None
    game = kind(**(first.options if first else {}))
    bot = usual_bot(kind, catalogue.FIRST_LEVEL if newcomer else catalogue.USUAL_LEVEL)
    return game, [SeatPlan("me"), *[SeatPlan("bot", bot)] * (game.seats - 1)]


def talk_choices(kind: GameType, language: str) -> list[tuple[str, str]]:
    """Return whether there may be talk, for the form of a new table; the usual one first."""
    _ = translator(language, PACKAGE).gettext
    yes, no = ("yes", _("yes")), ("no", _("no"))
    if catalogue.most_seats(kind) == 2:
        return [no, yes]
    if least_seats(kind) > 2:
        return [yes, no]
    return [("usual", _("only where three or more play")), yes, no]


@router.get("/learn/{game}")
@threaded
def learn(request: Request, app_state: Here, context: Anybody, game: str) -> Response:
    """Offer the guided first game of a game."""
    kind, language = registry.kind(game), context.language
    if guide_of(kind) is None:
        raise Refusal(404, "no-guide", N_("This game has no guided first game."))
    return app_state.page(
        "learn",
        request,
        sprite=HOUSE_SPRITE,
        game=game,
        title=catalogue.title_of(kind, language),
        summary=catalogue.summary_of(kind.name, language) or catalogue.pitch_of(kind, language),
        preview=preview_of_game(kind, language),
    )


@router.get("/rules")
@threaded
def rules_index(request: Request, app_state: Here, context: Anybody) -> Response:
    """List the rulebooks."""
    language = context.language
    games = [game_card(kind, language) for kind in catalogue.kinds() if catalogue.rulebook_of(kind)]
    return app_state.page("rules_index", request, games=games, sprite=HOUSE_SPRITE)


@router.get("/rules/{game}")
@threaded
def rules(request: Request, app_state: Here, context: Anybody, game: str) -> Response:
    """Show a rulebook; of a table's game (`?for=`) only what matters there."""
    language, theme = context.language, context.theme
    kind = registry.kind(game)
    wanted = registry.game(request.query_params.get("for", game))
    found = rules_page(wanted.spec if wanted.kind is kind else game, language, theme)
    if found is None:
        raise Refusal(404, "no-rules", N_("This game has no rulebook here."))
    return app_state.page(
        "rules",
        request,
        game=game,
        title=catalogue.title_of(kind, language),
        preview=preview_of_game(kind, language),
        text=found.html,
        contents=found.contents,
        partly=found.partly,
        guided=guide_of(kind) is not None,
    )


@router.get("/rules/{game}/{language}/{theme}/{name}.svg")
@threaded
def rules_picture_file(
    app_state: Here, game: str, language: str, theme: str, name: str
) -> Response:
    """Draw a picture of a rulebook."""
    if language not in LANGUAGES or theme not in THEMES:
        raise Refusal(404)
    return drawing(rules_picture(game, language, theme, name))


@router.get("/about")
async def about(request: Request, app_state: Here) -> Response:
    """Say what this is."""
    return app_state.page("about", request, version=__version__)


@router.get("/privacy")
async def privacy(request: Request, app_state: Here) -> Response:
    """Say what is sent to whom."""
    return app_state.page("privacy", request)


@router.get("/robots.txt")
async def robots() -> Response:
    """Keep tables out of search engines."""
    return PlainTextResponse(ROBOTS)


@router.get("/static/{digest}/{name:path}")
async def static_file(request: Request, digest: str, name: str) -> Response:
    """Send a static file."""
    found = static().respond(digest, name, request)
    if found is None:
        raise Refusal(404)
    return found


__all__: Sequence[Any] = ["new_page", "router"]
