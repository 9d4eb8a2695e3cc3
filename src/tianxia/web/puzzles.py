"""Puzzles: pages, and for programs. What is shown is one seat's view; the answer stays here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.bots.puzzles import Book, OtherRules, Puzzle, shipped
from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Arrangement, Gesture, Scene, SceneRequest, Step
from tianxia.kernel import registry
from tianxia.kernel.errors import ParseError
from tianxia.kernel.game import GameType
from tianxia.kernel.state import NO_ACTION, State
from tianxia.web import catalogue
from tianxia.web.api import RESPONSES
from tianxia.web.api_models import Sent
from tianxia.web.app_state import app_state_of
from tianxia.web.bodies import is_action, text
from tianxia.web.errors import Problem, Refusal, refused, respond, usual
from tianxia.web.hints import action_label
from tianxia.web.plain import plain_scene
from tianxia.web.rendering import Viewer, as_json, sprite_of
from tianxia.web.request_context import current
from tianxia.web.routing import Anybody, Body, Here, threaded
from tianxia.web.sharing import preview_of_game
from tianxia.web.templating import PACKAGE, embedded

router = APIRouter()
LEVELS = (N_("easy"), N_("medium"), N_("hard"))
LONGEST_TOKEN = 80
OTHER_RULES = N_(
    "The puzzles of this game were made for another version of its rules than is installed; "
    "the host can make new ones with “tianxia puzzles”."
)
NONE = N_("There are no puzzles of this game yet.")
NO_SUCH = N_("There is no puzzle {number} of this game; it has {n}.")
RIGHT = N_("Correct.")
WRONG = N_("Something else is clearly better. Look again.")


# --- What there is ---


def book_of(kind: GameType) -> Book:
    """Return the puzzles of a game; refuse a game without any."""
    try:
        book = shipped(kind)
    except OtherRules as error:
        raise Refusal(404, "other-rules", OTHER_RULES) from error
    if not book.puzzles:
        raise Refusal(404, "no-puzzles", NONE)
    return book


def puzzle_of(game: str, number: str) -> tuple[GameType, Book, int]:
    """Return a game, its puzzles, and the number of one that there is."""
    kind = registry.kind(game)
    book, count = book_of(kind), len(book_of(kind).puzzles)
    known = number.isascii() and number.isdecimal() and len(number) < 6
    if not known or not 1 <= int(number) <= count:
        raise Refusal(404, "no-such-puzzle", NO_SUCH, number=number[:20], n=count)
    return kind, book, int(number)


def of_today(count: int, now: float) -> int:
    """Return the number of the puzzle of the day, the same for all, by the date in UTC."""
    return datetime.fromtimestamp(now, UTC).date().toordinal() % count + 1


def with_puzzles(kinds: list[GameType]) -> list[tuple[GameType, int]]:
    """Return the games that have puzzles, and how many."""
    found = []
    for kind in kinds:
        try:
            found.append((kind, len(book_of(kind).puzzles)))
        except Refusal:
            continue  # a game without puzzles
    return found


# --- In words ---


class Shown:
    """A puzzle as somebody is shown it."""

    def __init__(self, kind: GameType, puzzle: Puzzle, language: str) -> None:
        self.kind, self.puzzle, self.language = kind, puzzle, language
        self.view: State = puzzle.view()
        viewer = self.view.viewer
        assert viewer is not None  # noqa: S101  (a test replays each)
        self.seat = viewer
        request = SceneRequest(self.view, self.seat, language, (), "puzzle-")
        self.scene: Scene = (kind.scene or plain_scene)(request)

    @property
    def side(self) -> str:
        """What the seat is called."""
        return catalogue.called_by_now(self.view.game, self.scene.plates, self.language)[self.seat]

    def label(self, action: int) -> str:
        """Return what an action does."""
        return action_label(self.view, Viewer(self.seat, self.language, ""), self.scene, action)

    def gestures(self) -> list[Gesture]:
        """Return how each action is made; of a row of choices, its pieces one by one."""
        legal = set(self.view.legal_actions(self.seat))
        found = [*self.scene.gestures, *_one_by_one(self.scene.arrangement)]
        return [replace(one, label=self.label(one.action)) for one in found if one.action in legal]

    def actions(self) -> list[dict[str, Any]]:
        """Return what is legal."""
        legal = self.view.legal_actions(self.seat)
        return [
            {"action": one, "token": self.view.text(one, self.seat), "label": self.label(one)}
            for one in legal
        ]

    def judged(self, action: int) -> dict[str, Any]:
        """Return what is said of an answer.

        Raises
        ------
        Refusal
            For what is not an action here.
        """
        right = action == self.view.parse(self.puzzle.answer, self.seat)
        text = translator(self.language, PACKAGE).gettext(RIGHT if right else WRONG)
        told = {"right": right, "label": self.label(action), "text": text}
        return told | {"solution": self.solution() if right else None}

    def solution(self) -> dict[str, Any]:
        """Return the answer and why it is best."""
        one, parse = self.puzzle, self.view.parse
        best, second = parse(one.answer, self.seat), parse(one.next, self.seat)
        _ = translator(self.language, PACKAGE).gettext
        compared = _("Prospects: {n} of 100. With the next best, {m}: {move}")
        return {
            "action": best,
            "token": one.answer,
            "label": self.label(best),
            "reason": one.reason[self.language],
            "prospects": one.prospects,
            "compared": compared.format(
                n=one.prospects, m=one.next_prospects, move=self.label(second)
            ),
        }

    def refusal(self, action: int) -> Problem | None:
        """Return why an action cannot be taken here, None where it can."""
        statement = self.view.refusal(action, self.seat)
        if statement is None:
            return None
        if statement == NO_ACTION:
            return usual(422, self.language, "no-action", N_("That is not an action of this game."))
        return refused(statement, self.language)


def _one_by_one(arrangement: Arrangement | None) -> Iterator[Gesture]:
    """Yield what puts one piece on one slot, where actions name their slot."""
    if arrangement is None:
        return
    for kind in arrangement.kinds:
        for slot, offset in zip(arrangement.slots, arrangement.offsets, strict=False):
            clicks = (Step("one", (kind.element,)), Step("one", (slot,)))
            yield Gesture(kind.action + offset, clicks[not kind.element :], kind.label, final=False)


def shown(game: str, number: str, language: str) -> tuple[Shown, int, int]:
    """Return a puzzle as somebody is shown it, its number, and how many there are."""
    kind, book, which = puzzle_of(game, number)
    return Shown(kind, book.puzzles[which - 1], language), which, len(book.puzzles)


# --- Pages ---


@router.get("/puzzles", include_in_schema=False)
@threaded
def index(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show the puzzle of the day of each game."""
    now = app_state.tables.clock()
    games = [
        {
            "name": kind.name,
            "title": catalogue.title_of(kind, context.language),
            "picture": catalogue.picture_of(kind.name),
            "count": count,
            "today": of_today(count, now),
        }
        for kind, count in with_puzzles(catalogue.kinds())
    ]
    return app_state.page("puzzles", request, games=games)


@router.get("/puzzles/{game}", include_in_schema=False)
@threaded
def today(app_state: Here, game: str) -> Response:
    """Lead to the puzzle of the day."""
    count = len(book_of(registry.kind(game)).puzzles)
    number = of_today(count, app_state.tables.clock())
    return RedirectResponse(f"/puzzles/{game}/{number}", 303)


@router.get("/puzzles/{game}/{number}", include_in_schema=False)
@threaded
def puzzle(request: Request, app_state: Here, game: str, number: str) -> Response:
    """Show a puzzle."""
    return _puzzle_page(request, game, number)


def _puzzle_page(
    request: Request,
    game: str,
    number: str,
    told: dict[str, Any] | None = None,
    problem: Problem | None = None,
) -> Response:
    app_state, context = app_state_of(request), current(request)
    one, which, count = shown(game, number, context.language)
    app_state.person(context)
    rules = catalogue.rulebook_of(one.kind) is not None
    return app_state.page(
        "puzzle",
        request,
        problem.status if problem else 200,
        boards=(game,),
        sprite=sprite_of(one.view.game),
        game=game,
        title=catalogue.title_of(one.kind, context.language),
        preview=preview_of_game(one.kind, context.language),
        options=catalogue.options_in_words(one.view.game, context.language),
        level=LEVELS[one.puzzle.level - 1],
        side=one.side,
        scene=one.scene,
        actions=one.actions(),
        gestures=embedded({"gestures": [as_json(gesture) for gesture in one.gestures()]}),
        number=which,
        count=count,
        today=of_today(count, app_state.tables.clock()),
        told=told,
        problem=problem,
        rules=catalogue.rules_address(one.view.game) if rules else "",
    )


@router.post("/puzzles/{game}/{number}", include_in_schema=False)
@threaded
def answer(
    request: Request, app_state: Here, context: Anybody, game: str, number: str, body: Body
) -> Response:
    """Judge an answer, or show the solution: for our own page, with and without its module."""
    one, _which, _count = shown(game, number, context.language)
    problem, told = None, None
    if body.get("wish") == "solution":
        told = {"right": False, "label": "", "text": "", "solution": one.solution()}
    else:
        action = _read(one, text(body, "action", LONGEST_TOKEN))
        problem = one.refusal(action)
        told = one.judged(action) if problem is None else None
    return _puzzle_page(request, game, number, told, problem)


def _read(one: Shown, token: str) -> int:
    """Return the action that a token means."""
    try:
        return one.view.parse(token, one.seat)
    except ParseError as error:
        raise Refusal(422, "no-action", N_("That is not an action of this game.")) from error


# --- For programs ---

Game = Annotated[str, Path(max_length=60, examples=["firebulls"])]
Number = Annotated[str, Path(max_length=20, examples=["1"])]


class PuzzleGame(BaseModel):
    """A game that has puzzles."""

    game: str
    title: str
    count: int
    today: Annotated[int, Field(description="The number of the puzzle of the day, in UTC")]


class PuzzleAction(BaseModel):
    """Something that can be done."""

    action: int
    token: str
    label: str


class PuzzleInfo(BaseModel):
    """A puzzle; `position` is the notation of what its seat knows."""

    game: str
    number: int
    count: int
    rules_version: int
    position: str
    seat: int
    side: str
    level: Annotated[int, Field(description="1 easy, 2 medium, 3 hard")]
    text: Annotated[str, Field(description="The position as plain text")]
    asked: str
    actions: list[PuzzleAction]


class PuzzleTry(Sent):
    """An answer: the number of an action, or its token."""

    action: Annotated[int | str, Field(examples=["4:b"])]


class Solution(BaseModel):
    """The best action, and why."""

    action: int
    token: str
    label: str
    reason: str
    prospects: Annotated[int, Field(description="From 0 (lost) to 100 (won)")]
    compared: str


class Judged(BaseModel):
    """What an answer is worth; `label` is what was answered."""

    right: bool
    label: str
    text: str
    solution: Solution | None


api = APIRouter(prefix="/api/v1", responses=RESPONSES)


@api.get("/puzzles")
@threaded
def puzzle_games(app_state: Here, context: Anybody) -> list[PuzzleGame]:
    """List the games that have puzzles, and which one is that of the day."""
    now = app_state.tables.clock()
    return [
        PuzzleGame(
            game=kind.name,
            title=catalogue.title_of(kind, context.language),
            count=count,
            today=of_today(count, now),
        )
        for kind, count in with_puzzles(catalogue.kinds())
    ]


@api.get("/puzzles/{game}/{number}")
@threaded
def puzzle_info(app_state: Here, context: Anybody, game: Game, number: Number) -> PuzzleInfo:
    """Show a puzzle: what its seat knows and can do."""
    one, which, count = shown(game, number, context.language)
    return PuzzleInfo(
        game=game,
        number=which,
        count=count,
        rules_version=one.kind.rules_version,
        position=one.puzzle.position,
        seat=one.seat,
        side=one.side,
        level=one.puzzle.level,
        text=one.scene.text,
        asked=one.scene.asked,
        actions=[PuzzleAction(**action) for action in one.actions()],
    )


@api.post("/puzzles/{game}/{number}", response_model=Judged)
@threaded
def puzzle_try(
    app_state: Here, context: Anybody, game: Game, number: Number, wish: PuzzleTry
) -> Any:
    """Judge an answer to a puzzle; you can try as often as you like."""
    one, _which, _count = shown(game, number, context.language)
    action = wish.action if isinstance(wish.action, int) else _read(one, wish.action)
    problem = one.refusal(action) if is_action(action) else usual(422, context.language)
    return one.judged(action) if problem is None else respond(context, problem)


@api.get("/puzzles/{game}/{number}/solution")
@threaded
def puzzle_solution(app_state: Here, context: Anybody, game: Game, number: Number) -> Solution:
    """Tell the best action of a puzzle, and why it is best."""
    return Solution(**shown(game, number, context.language)[0].solution())


router.routes += api.routes
