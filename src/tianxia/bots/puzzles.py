"""Puzzles: positions in which one decision is clearly best, found in games and kept in a file.

A puzzle is the view of one seat and nothing else: neither who looks for the answer nor who
solves it knows what is hidden. It is looked for by the game's adviser with its best player, who
has just come and knows only this view; a player who takes ten times as long has to find the same
action, clearly ahead of the next. A game ships its puzzles beside its words, in `puzzles.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from tianxia.bots.advice import adviser, prospects
from tianxia.bots.match import play
from tianxia.bots.registry import make
from tianxia.draw.languages import LANGUAGES
from tianxia.kernel import registry
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Bot
from tianxia.search.levels import BEST
from tianxia.search.thinking import Finding

FILE = "puzzles.json"
LEAST_CHOICES = 4
"""Where fewer actions are legal, nothing is to be found."""
LEAST_LEAD = 0.15
"""How much more the best action is worth than the next, in utility from -1 to 1."""
LOST, WON = -0.9, 0.9
"""Where the best is worth less, or the next more, the game is decided anyhow."""
MOST_A_GAME = 2
"""Puzzles from one game: others are more different."""
LOOKS = 16
"""Decisions of a game that are looked at."""
SPARRING = ("apprentice", "journeyman", "expert")
"""Who play the games, in turn: all kinds of positions, and quickly."""
SOLVERS = ("apprentice", "expert")
"""Who finds the answer says how hard it is: see `Puzzle.level`."""
TRIES, ENOUGH = 3, 2
LOOKS_STREAM = 1 << 43


class PuzzleError(TianxiaError):
    """Puzzles that cannot be shown or made."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one decision is clearly best.

    Attributes
    ----------
    position
        The notation of a seat's view.
    answer, next
        The best action and the one after it, as tokens.
    prospects, next_prospects
        What the seat can expect after them, from 0 (lost) to 100 (won).
    level
        1: a weak player finds it, 2: a strong one does, 3: only the best.
    reason
        Why the answer is best, a sentence in each language.
    """

    position: str
    answer: str
    next: str
    prospects: int
    next_prospects: int
    level: int
    reason: dict[str, str]

    def view(self) -> State:
        """Return what the seat knows.

        Raises
        ------
        NotationError
            Where the installed rules know no such position.
        """
        return registry.position(self.position)


@dataclass
class Book:
    """The puzzles of a game, and how far they have been looked for.

    Attributes
    ----------
    rules
        The version of the rules that they belong to.
    searched
        How many games with which options have been looked at; see `seed_of`.
    """

    game: str
    rules: int
    searched: dict[str, int] = field(default_factory=dict)
    puzzles: list[Puzzle] = field(default_factory=list)

    @classmethod
    def read(cls, text: str) -> Book:
        """Read a book.

        Raises
        ------
        PuzzleError
            Where the text is none.
        """
        try:
            written = json.loads(text)
            puzzles = [Puzzle(**one) for one in written.pop("puzzles")]
            return cls(**written, puzzles=puzzles)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise PuzzleError(f"this is no file of puzzles: {error}") from error

    def write(self) -> str:
        """Return the book as text, a line a puzzle."""
        head = json.dumps({"game": self.game, "rules": self.rules, "searched": self.searched})
        lines = (json.dumps(asdict(one), ensure_ascii=False) for one in self.puzzles)
        return f'{head[:-1]}, "puzzles": [\n' + ",\n".join(lines) + "\n]}\n"

    def check(self, kind: GameType) -> None:
        """Refuse a book of another game, or of another version of its rules."""
        if self.game != kind.name:
            raise PuzzleError(f"these are puzzles of {self.game}, not of {kind.name}")
        if self.rules != kind.rules_version:
            raise OtherRules(
                f"these puzzles of {self.game} were made for version {self.rules} of its rules; "
                f"version {kind.rules_version} is installed: `tianxia puzzles` makes new ones"
            )


class OtherRules(PuzzleError):
    """Puzzles that were made for another version of the rules."""


@lru_cache(64)
def shipped(kind: GameType) -> Book:
    """Return the puzzles that come with a game; a book without any where there are none.

    Raises
    ------
    PuzzleError
        Where they belong to other rules than are installed.
    """
    package = str(getattr(kind.words, "__package__", None) or "tianxia.bots")
    file = files(import_module(package)) / FILE
    if not file.is_file():
        return Book(kind.name, kind.rules_version)
    book = Book.read(file.read_text(encoding="utf-8"))
    book.check(kind)
    return book


def opened(file: Path, kind: GameType) -> Book:
    """Return the book of a file, a new one where there is none.

    Raises
    ------
    PuzzleError
        Where the file is something else.
    """
    if not file.exists():
        return Book(kind.name, kind.rules_version)
    try:
        book = Book.read(file.read_text(encoding="utf-8"))
        book.check(kind)
    except (PuzzleError, UnicodeDecodeError) as error:
        raise PuzzleError(f"{file}: {error}; name another file with --out") from error
    return book


def save(book: Book, file: Path) -> None:
    """Write a book so that a file is there as a whole at any time."""
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f"{file.name}.new")
    beside.write_text(book.write(), encoding="utf-8")
    beside.replace(file)


# --- Looking for them ---


def search(book: Book, game: Game, seed: int) -> Iterator[int]:
    """Look through one game after another for puzzles, for ever; yield how many it gave.

    Who stops and goes on later with the same book finds what he would have found.
    """
    while True:
        number = book.searched.get(game.spec, 0)
        found = 0
        for view in decisions(self_play(game, seed + number), seed + number):
            puzzle = made_of(view, book)
            if puzzle is not None:
                book.puzzles.append(puzzle)
                found += 1
            if found == MOST_A_GAME:
                break
        book.searched[game.spec] = number + 1
        yield found


def self_play(game: Game, seed: int) -> State:
    """Return a game between bots."""
    return play(game, [SPARRING[seed % len(SPARRING)]] * game.seats, seed)


def decisions(end: State, seed: int) -> Iterator[State]:
    """Yield the views in which some decisions of a game were made, in an order by lot."""
    state, found = end.start(), []
    for seat, action in end.history():
        if seat != CHANCE and len(state.legal_actions(seat)) >= LEAST_CHOICES:
            found.append(state.view(seat))
        state.apply(action, seat)
    rng = new_rng(seed, LOOKS_STREAM)
    for _ in range(min(LOOKS, len(found))):
        yield _drawn(found, rng)


def _drawn(views: list[State], rng: Rng) -> State:
    return views.pop(below(rng, len(views)))


def made_of(view: State, book: Book) -> Puzzle | None:
    """Return the puzzle that a view is, unless it is none or too much like the others."""
    seat = view.viewer
    assert seat is not None  # noqa: S101
    first = clear(weighed_by(make(BEST, view.game, seat, 1), view))
    if first is None or first != clear(weighed_by(make(BEST, view.game, seat, 2), view)):
        return None
    level = level_of(view, first)
    easy = sum(one.level == 1 for one in book.puzzles)
    known = {one.position for one in book.puzzles}
    if view.notation() in known or (level == 1 and 2 * easy > len(book.puzzles)):
        return None
    found = patiently(view, 1)
    return written(view, found, level) if clear(found) == first else None


def patiently(view: State, seed: int) -> Sequence[Finding]:
    """Return what the actions of a view are worth to who takes ten times as long."""
    seat = view.viewer
    assert seat is not None  # noqa: S101
    return weighed_by(adviser(view.game.kind).patient(view.game, seat, seed), view)


def weighed_by(bot: Bot, view: State) -> Sequence[Finding]:
    """Return what a bot that has just come thinks of a view."""
    return adviser(view.game.kind).weigh(bot, view)


def clear(findings: Sequence[Finding]) -> int | None:
    """Return the action that is clearly best, None where none is."""
    if len(findings) < 2:
        return None
    best, *rest = sorted(findings, key=lambda one: -one.value)
    if best.action != findings[0].action or best.value - rest[0].value < LEAST_LEAD:
        return None
    return best.action if best.value > LOST and rest[0].value < WON else None


def level_of(view: State, answer: int) -> int:
    """Return how hard it is to find an answer: see `Puzzle.level`."""
    seat = view.viewer
    assert seat is not None  # noqa: S101
    for level, name in enumerate(SOLVERS, 1):
        bots = (make(name, view.game, seat, seed) for seed in range(TRIES))
        if sum(bot.choose(view) == answer for bot in bots) >= ENOUGH:
            return level
    return len(SOLVERS) + 1


def written(view: State, findings: Sequence[Finding], level: int) -> Puzzle:
    """Return a puzzle as it is kept."""
    seat = view.viewer
    assert seat is not None  # noqa: S101
    best, second = sorted(findings, key=lambda one: -one.value)[:2]
    reason = adviser(view.game.kind).reason
    return Puzzle(
        view.notation(),
        view.text(best.action, seat),
        view.text(second.action, seat),
        prospects(best.value, view.seats),
        prospects(second.value, view.seats),
        level,
        {language: reason(view, seat, best.action, language) for language in LANGUAGES},
    )


def again(puzzle: Puzzle, seed: int) -> bool:
    """Say whether the best bot at ten times its time, with this seed, gives the same answer."""
    view = puzzle.view()
    seat = view.viewer
    assert seat is not None  # noqa: S101
    return patiently(view, seed)[0].action == view.parse(puzzle.answer, seat)
