"""Puzzles: positions in which one decision is clearly best, found in games and kept in a file.

A puzzle is the view of one seat and nothing else: neither who looks for the answer nor who
solves it knows what is hidden. It is looked for by the game's adviser with its best player, who
has just come and knows only this view; the best player, given several times as long, has to find
the same action, clearly ahead of the next. A game ships its puzzles beside its words, in
`puzzles.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import import_module
from importlib.resources import files
from itertools import count
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
LEAST_LEAD = 0.1
"""How much more the best action is worth than the next, in utility from -1 to 1, where a book says
nothing else."""
GLANCE, GLANCED = "expert", 0.3
"""Who looks first, quickly: where nothing has such a part of the lead, nothing is clearly best."""
LOST, WON = -0.9, 0.9
"""Where the best is worth less, or the next more, the game is decided anyhow."""
MOST_A_GAME = 2
"""Puzzles from one game: others are more different."""
EASY = 0.75
"""No greater part of the puzzles is easy."""
FEW, ONE_OF = 4, 3
"""Of more than a few puzzles so many have the same reason at most: every third."""
LOOKS = 64
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
    lead
        How much more the best action is worth than the next at least, in utility from -1 to 1: in
        games that few decisions decide it is more, in those that many decide it is less.
    searched
        How many games have been looked at, by where they come from: see `search`.
    """

    game: str
    rules: int
    lead: float = LEAST_LEAD
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
            raise PuzzleError(f"this is not a file of puzzles: {error}") from error

    def write(self) -> str:
        """Return the book as text, a line a puzzle."""
        known = {"game": self.game, "rules": self.rules, "lead": self.lead}
        head = json.dumps(known | {"searched": self.searched})
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


def opened(file: Path, kind: GameType, lead: float = LEAST_LEAD) -> Book:
    """Return the book of a file, a new one, of puzzles with this lead, where there is none.

    Raises
    ------
    PuzzleError
        Where the file is something else.
    """
    if not file.exists():
        return Book(kind.name, kind.rules_version, lead)
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


def search(book: Book, source: str, ends: Iterable[State], seed: int) -> Iterator[int]:
    """Look through one game after another for puzzles; yield how many each gave.

    Parameters
    ----------
    source
        Where the games come from: what `Book.searched` counts them under.
    ends
        Their last positions, without those that were looked at before.
    """
    for end in ends:
        number = book.searched.get(source, 0)
        found = 0
        for view in decisions(end, seed + number):
            puzzle = made_of(view, book)
            if puzzle is not None:
                book.puzzles.append(puzzle)
                found += 1
            if found == MOST_A_GAME:
                break
        book.searched[source] = number + 1
        yield found


def self_played(book: Book, game: Game, seed: int) -> Iterator[State]:
    """Play games between bots, for ever; who goes on later with a book gets those that follow."""
    for number in count(seed + book.searched.get(game.spec, 0)):
        yield play(game, [SPARRING[number % len(SPARRING)]] * game.seats, number)


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
    seat = seat_of(view)
    if clear(weighed_by(make(GLANCE, view.game, seat, 1), view), GLANCED * book.lead) is None:
        return None
    first = clear(weighed_by(make(BEST, view.game, seat, 1), view), book.lead)
    if first is None or is_alike(view, first, book):
        return None
    level = level_of(view, first)
    easy = sum(one.level == 1 for one in book.puzzles)
    if level == 1 and easy > EASY * len(book.puzzles):
        return None
    found = patiently(view, 2)
    agreed = clear(found, book.lead) == first
    return written(view, found, level) if agreed and tells(view, found) else None


def seat_of(view: State) -> int:
    """Return whose view it is."""
    assert view.viewer is not None  # noqa: S101
    return view.viewer


def is_alike(view: State, answer: int, book: Book) -> bool:
    """Say whether a position is there already, or too many with the same reason."""
    reason = why(view, answer)
    same = sum(one.reason[LANGUAGES[0]] == reason for one in book.puzzles)
    known = any(one.position == view.notation() for one in book.puzzles)
    return known or (same >= FEW and same * ONE_OF > len(book.puzzles))


def why(view: State, action: int, language: str = LANGUAGES[0]) -> str:
    """Return why an action is good, as hints say it."""
    seat = seat_of(view)
    return adviser(view.game.kind).reason(view, seat, action, language)


def patiently(view: State, seed: int) -> Sequence[Finding]:
    """Return what the actions of a view are worth to the patient player."""
    seat = seat_of(view)
    return weighed_by(adviser(view.game.kind).patient(view.game, seat, seed), view)


def weighed_by(bot: Bot, view: State) -> Sequence[Finding]:
    """Return what a bot that has just come thinks of a view."""
    return adviser(view.game.kind).weigh(bot, view)


def ranked(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings by their worth, the best first."""
    return sorted(findings, key=lambda one: -one.value)


def clear(findings: Sequence[Finding], lead: float) -> int | None:
    """Return the action that is clearly best, None where none is."""
    if len(findings) < 2:
        return None
    best, second, *_ = ranked(findings)
    if best.action != findings[0].action or best.value - second.value < lead:
        return None
    return best.action if best.value > LOST and second.value < WON else None


def tells(view: State, findings: Sequence[Finding]) -> bool:
    """Say whether the reason for the best action is another one than that for the next."""
    best, second, *_ = ranked(findings)
    return why(view, best.action) != why(view, second.action)


def level_of(view: State, answer: int) -> int:
    """Return how hard it is to find an answer: see `Puzzle.level`."""
    seat = seat_of(view)
    for level, name in enumerate(SOLVERS, 1):
        bots = (make(name, view.game, seat, seed) for seed in range(TRIES))
        if sum(bot.choose(view) == answer for bot in bots) >= ENOUGH:
            return level
    return len(SOLVERS) + 1


def written(view: State, findings: Sequence[Finding], level: int) -> Puzzle:
    """Return a puzzle as it is kept."""
    seat = seat_of(view)
    best, second, *_ = ranked(findings)
    return Puzzle(
        view.notation(),
        view.text(best.action, seat),
        view.text(second.action, seat),
        prospects(best.value, view.seats),
        prospects(second.value, view.seats),
        level,
        {language: why(view, best.action, language) for language in LANGUAGES},
    )


def again(puzzle: Puzzle, seed: int) -> bool:
    """Say whether the patient player, with this seed, gives the same answer."""
    view = puzzle.view()
    return patiently(view, seed)[0].action == view.parse(puzzle.answer, seat_of(view))
