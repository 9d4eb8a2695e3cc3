"""The public page of an account, what it has played and won; and finished games to be found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.accounts import Account
from tianxia.draw.languages import N_, translator
from tianxia.kernel import registry
from tianxia.kernel.errors import TianxiaError
from tianxia.lobby.keeping import LONGEST
from tianxia.ratings import PACES, Game, Played, Rating, Ratings, Record, Tally
from tianxia.tables import Refused
from tianxia.web import api_models as models
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES
from tianxia.web.api_account import Done
from tianxia.web.api_keeping import Complaint, Shunning, keeping_of, shun_person
from tianxia.web.app_state import AppState, app_state_of
from tianxia.web.bodies import text
from tianxia.web.keeping import DONE, acted, safety
from tianxia.web.moments import moment_of
from tianxia.web.ratings import PACE_WORDS
from tianxia.web.request_context import RequestContext, current
from tianxia.web.routing import SEE_OTHER, Anybody, Body, Here, Somebody, threaded
from tianxia.web.signing import LONGEST_NAME, page
from tianxia.web.templating import PACKAGE

router = APIRouter()
PER_PAGE = 30
SHORT = 40
"""Characters of what was chosen first that are shown; longer ones are seen at their table."""
RESULTS = {"won": N_("won"), "lost": N_("lost"), "drawn": N_("drawn")}
STREAKS = {"won": N_("{n} won"), "lost": N_("{n} lost"), "drawn": N_("{n} drawn")}
WIDE, HIGH, EDGE = 320, 90, 6
AccountName = Annotated[str, Path(max_length=LONGEST_NAME)]


def address_of(name: str) -> str:
    """Return the address of an account's page."""
    return f"/@{quote(name, safe='')}"


# --- In words ---


@dataclass(frozen=True)
class Line:
    """One line of a table of statistics."""

    what: str
    tally: Tally
    note: str = ""
    address: str = ""


@dataclass(frozen=True)
class Curve:
    """A rating, and the line that it has drawn; empty where there are too few games."""

    title: str
    pace: str
    rating: Rating
    points: str
    least: int
    most: int


@dataclass(frozen=True)
class GameWords:
    """A finished game as a list shows it."""

    table_id: str
    title: str
    options: str
    when: str
    players: list[tuple[str, str, str]]


class Words:
    """Statistics and games in somebody's language."""

    def __init__(self, app_state: AppState, language: str) -> None:
        self.app_state = app_state
        self.language = language
        self._ = translator(language, PACKAGE).gettext

    def title(self, game: str) -> str:
        """Return what a game is called, or its name where it is not installed."""
        try:
            return catalogue.title_of(registry.kind(game), self.language)
        except TianxiaError:
            return game

    def options(self, spec: str) -> str:
        """Return the options of a game that are not the usual ones."""
        try:
            return catalogue.options_in_words(registry.known(spec), self.language)
        except TianxiaError:
            return ""

    def by_game(self, record: Record) -> list[Line]:
        """Return the games, the most played first."""
        pairs = sorted(record.by_game.items(), key=lambda one: -one[1].games)
        return [Line(self.title(game), tally) for game, tally in pairs]

    def by_spec(self, record: Record) -> list[Line]:
        """Return the games with their options."""
        return [
            Line(
                self.title(spec.partition("(")[0]), tally, self.options(spec) or self._("as usual")
            )
            for spec, tally in record.by_spec.items()
        ]

    def by_seat(self, record: Record) -> list[Line]:
        """Return what came of each seat, of the games with the options played most often."""
        seats: dict[tuple[str, str, int], Tally] = {}
        for (spec, number), tally in record.by_seat.items():
            if spec not in record.by_spec:
                continue
            try:
                kind = registry.known(spec).kind
            except TianxiaError:
                continue
            side = catalogue.side_name(kind, number, self.language)
            total = seats.setdefault((kind.name, side, number), Tally())
            for result in RESULTS:
                total.add(result, getattr(tally, result))
        order = sorted(seats.items(), key=lambda one: (one[0][0], one[0][2]))
        return [Line(self.title(game), tally, side) for (game, side, _), tally in order]

    def opponents(self, record: Record) -> list[Line]:
        """Return whom somebody has met, by their names of today."""
        ids = [one.account for one in record.opponents if one.account]
        accounts = self.app_state.accounts.several(ids) if ids else {}
        lines = []
        for one in record.opponents:
            account = accounts.get(one.account)
            if account is not None:
                lines.append(Line(account.name, one.tally, "", address_of(account.name)))
            elif one.bot:
                lines.append(Line(self.bot(one.game, one.bot), one.tally, self.title(one.game)))
        return lines

    def bot(self, game: str, bot: str) -> str:
        """Return what a bot is called."""
        try:
            return catalogue.bot_title(registry.kind(game), bot, self.language)
        except TianxiaError:
            return bot

    def openings(self, record: Record) -> list[Line]:
        """Return what somebody likes to choose first, with the newest table where they did."""
        return [
            Line(
                self.title(one.game),
                one.tally,
                one.tokens if len(one.tokens) <= SHORT else f"{one.tokens[:SHORT]}…",
                f"/t/{one.table_id}",
            )
            for one in record.openings
        ]

    def curves(self, account: Account) -> list[Curve]:
        """Return the ratings of an account with their curves, the most played first."""
        ratings = Ratings(self.app_state.tables)
        known = sorted(ratings.of(account.id).items(), key=lambda one: -one[1].games)
        return [
            self._curve(game, pace, rating, ratings.curve(account.id, game, pace))
            for (game, pace), rating in known
            if pace in PACES
        ]

    def _curve(self, game: str, pace: str, rating: Rating, values: list[int]) -> Curve:
        least, most = min(values, default=0), max(values, default=0)
        return Curve(
            self.title(game), self._(PACE_WORDS[pace]), rating, polyline(values), least, most
        )

    def game(self, game: Game) -> GameWords:
        """Return a finished game as a list shows it."""
        return GameWords(
            game.table_id,
            self.title(game.game),
            self.options(game.spec),
            moment_of(game.ended, self.language),
            [
                (
                    one.name or (self.bot(game.game, one.bot) if one.bot else self._("somebody")),
                    self._(RESULTS[one.result]),
                    address_of(one.name) if one.account and one.name and not one.bot else "",
                )
                for one in game.players
            ],
        )


def polyline(values: list[int]) -> str:
    """Return the points of a curve of our size; empty for less than two values."""
    if len(values) < 2:
        return ""
    least, most = min(values), max(values)
    across = (WIDE - 2 * EDGE) / (len(values) - 1)
    up = (HIGH - 2 * EDGE) / max(1, most - least)
    return " ".join(
        f"{EDGE + place * across:.1f},{HIGH - EDGE - (value - least) * up:.1f}"
        for place, value in enumerate(values)
    )


# --- The page of an account ---


@router.get("/@{name}", include_in_schema=False)
@threaded
def profile(request: Request, app_state: Here, name: str) -> Response:
    """Show what an account has played."""
    return _profile(request, name)


def _profile(request: Request, name: str, problem: Exception | None = None) -> Response:
    app_state, context = app_state_of(request), current(request)
    account = app_state.accounts.known(name[:LONGEST_NAME])
    if account.name != name and problem is None:  # written otherwise: one address for each
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"{address_of(account.name)}{query}", SEE_OTHER)
    app_state.person(context)
    mine, words = context.account, Words(app_state, context.language)
    own = mine is not None and mine.id == account.id
    played = Played(app_state.tables)
    record = played.record(account.id, own=own)
    return page(
        "profile",
        request,
        problem,
        account=account,
        own=own,
        suspended=app_state.accounts.is_suspended(account),
        record=record,
        games=words.by_game(record),
        options=words.by_spec(record),
        seats=words.by_seat(record),
        opponents=words.opponents(record),
        openings=words.openings(record),
        streak=streak_words(record, words._),
        curves=words.curves(account),
        together=played.between(account.id, mine.id) if mine is not None and not own else None,
        newest=[words.game(one) for one in played.games(account=account.id, limit=5, own=own)],
        size=(WIDE, HIGH),
        where=address_of(account.name),
        with_talk=False,
        done=DONE.get(request.query_params.get("done", ""), ""),
        **safety(app_state, context, account.person),
    )


def streak_words(record: Record, _: Callable[[str], str]) -> str:
    """Return how the newest games have ended, in words; "" for fewer than two alike."""
    result, many = record.streak
    return _(STREAKS[result]).format(n=many) if many > 1 else ""


@router.post("/@{name}/shun", include_in_schema=False)
@threaded
def shun(request: Request, app_state: Here, context: Anybody, name: str, body: Body) -> Response:
    """Block or mute an account, or neither."""

    def step() -> str:
        how = text(body, "how", 5)
        shun_account(app_state, context, name, how)
        return how

    return acted(request, step, _profile, name)


def shun_account(app_state: AppState, context: RequestContext, name: str, how: str) -> None:
    """Block or mute an account, or neither."""
    account = app_state.accounts.known(name)
    shun_person(app_state, context, account.person, account.name, how)


@router.post("/@{name}/report", include_in_schema=False)
@threaded
def report(request: Request, app_state: Here, context: Anybody, name: str, body: Body) -> Response:
    """Report an account."""

    def step() -> str:
        reason, why = text(body, "reason", 20), text(body, "text", LONGEST, "")
        account, who = app_state.accounts.known(name), app_state.person(context)
        keeping_of(app_state).report_account(account, who, reason, why)
        return "report"

    return acted(request, step, _profile, name)


# --- Finished games ---


@dataclass(frozen=True)
class Wanted:
    """Which finished games somebody looks for."""

    game: str
    player: str
    result: str
    before: tuple[float, str] | None

    @classmethod
    def of(cls, game: str, player: str, result: str, before: str) -> Wanted:
        """Return what an address asks for.

        Raises
        ------
        Refused
            Naming what is wrong.
        """
        if result and result not in RESULTS:
            raise Refused("result", N_("The result is one of {all}."), all=", ".join(RESULTS)).of(
                __name__
            )
        if result and not player.strip():
            raise Refused("player", N_("Say whose result it is: name a player.")).of(__name__)
        return cls(game[:60], player.strip()[:LONGEST_NAME], result, _place(before))

    def query(self, **more: str) -> str:
        """Return this as the query of an address."""
        given = {"game": self.game, "player": self.player, "result": self.result, **more}
        return urlencode({name: value for name, value in given.items() if value})

    def of_account(self, app_state: AppState) -> str:
        """Return the id of the account whose games are wanted; "" for everybody's."""
        return app_state.accounts.known(self.player).id if self.player else ""

    def find(
        self, app_state: AppState, account: str, *, own: bool = False
    ) -> tuple[list[Game], str]:
        """Return a page of games, and where the next one begins; "" where there is none.

        Parameters
        ----------
        account
            That of `of_account`.
        own
            Whether it is that of who asks: then private games are listed, too.
        """
        game = registry.kind(self.game).name if self.game else ""
        games = Played(app_state.tables).games(
            game=game,
            account=account,
            result=self.result,
            before=self.before,
            limit=PER_PAGE + 1,
            own=own,
        )
        more = len(games) > PER_PAGE
        last = games[PER_PAGE - 1].key if more else (0.0, "")
        return games[:PER_PAGE], f"{last[0]!r}_{last[1]}" if more else ""


def _place(before: str) -> tuple[float, str] | None:
    """Return the place in the list after which a page begins."""
    if not before:
        return None
    at, _, table_id = before[:80].partition("_")
    try:
        return float(at), table_id
    except ValueError as error:
        raise Refused("before", N_("“before” is the “next” of another page.")).of(
            __name__
        ) from error


@router.get("/games", include_in_schema=False)
@threaded
def games(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show finished public games."""
    query = request.query_params
    given = {name: query.get(name, "") for name in ("game", "player", "result")}
    words, problem = Words(app_state, context.language), None
    shown: list[Game] = []
    following, own, mine = "", False, context.account
    try:
        wanted = Wanted.of(**given, before=query.get("before", ""))
        account = wanted.of_account(app_state)
        own = mine is not None and account == mine.id
        shown, more = wanted.find(app_state, account, own=own)
        following = f"/games?{wanted.query(before=more)}" if more else ""
    except TianxiaError as error:
        problem = error
    return page(
        "games",
        request,
        problem,
        given=given,
        kinds=[(one.name, words.title(one.name)) for one in catalogue.drawn_kinds()],
        results=RESULTS,
        shown=[words.game(one) for one in shown],
        following=following,
        chosen=any(given.values()),
        own=own,
    )


# --- For programs ---


@router.get("/api/v1/accounts/{name}", responses=RESPONSES)
@threaded
def described(app_state: Here, context: Anybody, name: AccountName) -> models.Profile:
    """Describe an account: its ratings, and what it has played in public; of your own, all."""
    tally = models.Tally.model_validate
    account, mine = app_state.accounts.known(name), context.account
    played = Played(app_state.tables)
    own = mine is not None and mine.id == account.id
    record, ratings = played.record(account.id, own=own), Ratings(app_state.tables)
    names = app_state.accounts.several([one.account for one in record.opponents if one.account])
    return models.Profile(
        name=account.name,
        bot=account.bot,
        ratings=[
            models.PaceRating(
                name=account.name,
                game=game,
                pace=pace,
                rating=rating.shown,
                deviation=rating.deviation,
                games=rating.games,
                provisional=rating.provisional,
                curve=ratings.curve(account.id, game, pace),
            )
            for (game, pace), rating in ratings.of(account.id).items()
        ],
        played=tally(record.tally),
        whole=record.whole,
        by_game={game: tally(one) for game, one in record.by_game.items()},
        by_options={spec: tally(one) for spec, one in record.by_spec.items()},
        opponents=[
            models.Met(
                name=names[one.account].name if one.account else "",
                bot=one.bot,
                game=one.game,
                **tally(one.tally).model_dump(),
            )
            for one in record.opponents
            if one.bot or one.account in names
        ],
        longest=record.longest,
        together=tally(played.between(account.id, mine.id)) if mine and not own else None,
    )


@router.post("/api/v1/accounts/{name}/shun", responses=RESPONSES)
@threaded
def shun_by_name(app_state: Here, context: Somebody, name: AccountName, wish: Shunning) -> Done:
    """Block an account (no pairing, no talk), mute it (no talk), or neither."""
    shun_account(app_state, context, name, wish.how)
    return Done()


@router.post("/api/v1/accounts/{name}/report", status_code=201, responses=RESPONSES)
@threaded
def report_by_name(app_state: Here, context: Somebody, name: AccountName, wish: Complaint) -> Done:
    """Report an account to the host."""
    account = app_state.accounts.known(name)
    keeping_of(app_state).report_account(account, context.who, wish.reason, wish.text)
    return Done()


Part = Annotated[str, Query(max_length=80)]


@router.get("/api/v1/finished", responses=RESPONSES)
@threaded
def finished(
    app_state: Here, game: Part = "", player: Part = "", result: Part = "", before: Part = ""
) -> models.Finished:
    """List finished public games, the newest first; `next` is the `before` of the next page."""
    wanted = Wanted.of(game, player, result, before)
    shown, more = wanted.find(app_state, wanted.of_account(app_state))
    return models.Finished(
        games=[
            models.FinishedGame(
                table=one.table_id,
                game=one.spec,
                ended=one.ended,
                players=[models.FinishedSeat.model_validate(who) for who in one.players],
            )
            for one in shown
        ],
        next=more or None,
    )
