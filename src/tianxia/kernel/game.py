"""The Python face, first half: games and what can be done with many positions at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from operator import index
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import compiled, functions, given, jit, mode
from tianxia.kernel.colours import COLOURS, Colours
from tianxia.kernel.errors import NotationError, OptionError, SeatError, TianxiaError, ViewError
from tianxia.kernel.fields import Frozen
from tianxia.kernel.notation import Notation, usual
from tianxia.kernel.options import Option, Value, check, misdeclared, write_spec
from tianxia.kernel.record import CHANCE, NO_SEATS, SPECTATOR, Pool, blank, room, twin
from tianxia.kernel.rng import LONG, new_rng

if TYPE_CHECKING:
    from tianxia.kernel.state import State

log = logging.getLogger("tianxia")


class Words(Protocol):
    """How a game names actions and tells of them: a module, usually ``words.py``.

    Tokens have no language and no spaces within them; sentences have one.
    """

    def write(self, state: State, action: int, seat: int) -> str:
        """Return an action of `seat` in this position as one token."""

    def read(self, state: State, text: str, seat: int) -> int:
        """Return the action that a token means; raise ParseError with a hint."""

    def describe(
        self, state: State, action: int, seat: int, viewer: int | None, language: str
    ) -> str:
        """Return a sentence for the log, as the viewer (None: who knows all) may read it."""

    def diagram(self, state: State, language: str) -> str:
        """Return the position as several lines of plain text."""


@dataclass(frozen=True)
class Standing:
    """An answer that a seat can give in advance, and keep until it says otherwise.

    Attributes
    ----------
    name
        As it is stored and sent.
    text
        What it does, in English; the words of a game translate it.
    answer
        Returns the action, or None for a decision that it is not about:
        ``answer(view, seat)``. It is asked with a spectator's view, so that when and what is
        answered tells nothing hidden.
    offered
        Says whether a game with these options has such decisions at all.
    about
        What comes of it as long as it stands, in a sentence for whoever asks what it is.
    statements
        Ids of the rules that it is about.
    """

    name: str
    text: str
    answer: Callable[[State, int], int | None]
    offered: Callable[[Mapping[str, Value]], bool] = lambda options: True
    about: str = ""
    statements: tuple[str, ...] = ()


@dataclass(frozen=True)
class FirstGame:
    """What somebody should play who meets a game for the first time.

    Attributes
    ----------
    options
        What differs from the usual options.
    text
        What that is, as one English sentence; the words of a game translate it.
    """

    options: Mapping[str, Value]
    text: str


Part = tuple[Any, tuple[Any, ...]]
"""A compiled function, and arguments of the types that it is called with."""


@dataclass(frozen=True, eq=False)
class GameType:
    """A set of rules: what a game's folder gives to the house.

    Attributes
    ----------
    name, rules_version
        The version changes with behaviour only; transcripts carry it.
    dtype
        The state record; the game answers the kernel's functions for it.
    options
        Declared options. One called ``players`` gives the number of seats.
    notation
        How a position is written on one line, and what makes it possible; without it, each
        field as numbers.
    statements
        The codes that `refusal` returns, each with its statement's id.
    rulebook
        Returns the text of a statement in a language: ``rulebook("STR-08", "en")``.
    seat_names
        What the seats are called, in English; the words of a game translate them.
    armies
        The house's army of each seat, which is its colour and emblem on pages and pictures:
        names from `tianxia.draw.armies`. Where the position decides, a scene says it.
    colours
        Where seats choose their colours, by the option that this makes: then `armies` are by
        colour, and unless they are drawn `seat_names` too. None: all that is by seat.
    bots
        Makers of bots by name: ``maker(game, seat, seed)``, or the dotted name of the module
        whose `MAKERS` has it, imported when it is wanted.
    manners
        How bots of its own play that are no level, in a few English words each that stand after
        the bot's title; the words of a game translate them.
    formerly
        What bots were called in earlier versions, each with its present name: tables, ratings
        and arenas that were stored under the old one go on.
    parts
        The dotted name of the module whose ``parts(game)`` gives what its best bot thinks with
        that is kept by itself, each with arguments of the types that it is called with, the
        last used first: a second process compiles them meanwhile.
    scene
        Draws a position for a viewer: see `tianxia.draw.scene`.
    own_boards
        How people draw boards of their own: see `tianxia.draw.own_boards`. None: they cannot.
    layout
        The parts of what `encode` writes, in order, with their shapes: for whoever learns.
    outputs, output_of
        The parts of what a net says of actions, planes over the board last, and which output is
        of each action, an array of the shape (seats, actions): see `Game.outputs`.
    standing
        The answers that a seat can give in advance.
    obvious
        The answer to a question of which everybody sees that it has only one, or None:
        ``obvious(view, seat)``, asked with a spectator's view. Tables do not ask such questions.
    advice
        The module that gives hints and weighs decisions, by name, so that it is imported
        when it is needed: see `tianxia.search.advice`. Empty: tree search does it.
    consistent
        Says what is wrong with a combination of options, or None.
    pitch
        Why to play it, in one English sentence; the words of a game translate it.
    first_game
        What newcomers are offered, or None where the usual options suit them.
    in_play
        Says whether a statement matters in a game with these options:
        ``in_play("BIN-24", options)``. Rule pages for a table leave out what does not.
    """

    name: str
    title: str
    rules_version: int
    dtype: np.dtype[np.void]
    words: Words
    statements: Mapping[int, str]
    options: Sequence[Option] = ()
    notation: Notation | None = None
    seats: int = 2
    rulebook: Callable[[str, str], str] = lambda statement, language: ""
    seat_names: Sequence[str] = ()
    armies: Sequence[str] = ()
    colours: Colours | None = None
    bots: Mapping[str, Callable[[Game, int, int], Any] | str] = field(default_factory=dict)
    manners: Mapping[str, str] = field(default_factory=dict)
    formerly: Mapping[str, str] = field(default_factory=dict)
    parts: str = ""
    scene: Callable[[Any], Any] | None = None
    own_boards: Any = None
    layout: Sequence[tuple[str, tuple[int, ...]]] = ()
    outputs: Sequence[tuple[str, tuple[int, ...]]] = ()
    output_of: NDArray[np.int64] | None = None
    standing: Sequence[Standing] = ()
    obvious: Callable[[State, int], int | None] | None = None
    advice: str = ""
    consistent: Callable[[Mapping[str, Value]], OptionError | None] = lambda options: None
    pitch: str = ""
    first_game: FirstGame | None = None
    in_play: Callable[[str, Mapping[str, Value]], bool] = lambda statement, options: True

    def __call__(self, **options: object) -> Game:
        """Return the game with these options."""
        try:
            return Game(self, check(self.options, options, self.name))
        except OptionError as error:
            error.package = getattr(self.words, "__package__", None) or ""
            raise

    def statement(self, code: int) -> str:
        """Return the id of the statement with a code that `refusal` gives.

        Raises
        ------
        TianxiaError
            Where the game has not named it.
        """
        if code not in self.statements:
            raise TianxiaError(
                f"refusal gives {code} in {self.name}, and its statements name no such code"
            )
        return self.statements[code]


@dataclass(frozen=True)
class Playouts:
    """What random games gave.

    Attributes
    ----------
    games, actions
        How many games were played, and actions taken in them, those of chance included.
    seconds
        Wall time of the compiled run.
    utilities
        The mean utility of each seat over the games that ended; shape (seats,).
    cut
        How many games were stopped at `max_plies` actions.
    """

    games: int
    actions: int
    seconds: float
    utilities: NDArray[np.float64]
    cut: int


class Game:
    """A game with its options chosen; makes states. Equal games compare equal.

    Attributes
    ----------
    kind, options, seats
        The set of rules, the value of every option, the number of seats.
    actors
        The seats and CHANCE: all who can be the actor of an action.
    num_actions
        One more than the largest action; chance's actions included.
    max_legal, max_chance
        No list of legal actions or of chance's outcomes is ever longer.
    features
        The length of what `State.encode` returns.
    """

    def __init__(self, kind: GameType, options: Mapping[str, Value]) -> None:
        _check_kind(kind)
        wrong = kind.consistent(options)
        if wrong is not None:
            raise wrong
        self.kind = kind
        self.options: Mapping[str, Value] = MappingProxyType(dict(options))  # games are shared
        self.seats = int(options.get("players", kind.seats))
        self.actors = frozenset((CHANCE, *range(self.seats)))
        sizes = functions.interpreted(functions.limits, self.blank())
        self.num_actions, self.max_legal, self.max_chance, self.features = map(int, sizes)
        self._longest = max(self.max_legal, 2 * self.max_chance)

    @property
    def name(self) -> str:
        """The name of the set of rules."""
        return self.kind.name

    @property
    def rules_version(self) -> int:
        """The version of the rules; it changes only when their behaviour does."""
        return self.kind.rules_version

    @cached_property
    def chosen(self) -> dict[int, int]:
        """The colours that seats have, by seat, where they choose them; else none.

        Unless colours are drawn all have one, and those that nobody plays with come last.
        """
        return self.kind.colours.of(self.options[COLOURS]) if self.kind.colours else {}

    @cached_property
    def colours(self) -> tuple[int, ...]:
        """Whose name and army each seat has: its own number's, or those of the colour chosen."""
        kind = self.kind
        if kind.colours is None or kind.colours.drawn:
            return tuple(range(max(self.seats, len(kind.armies))))
        return tuple(self.chosen.values())

    @property
    def armies(self) -> tuple[str, ...]:
        """The house's army of each seat that the game names, and then those of no seat."""
        armies = self.kind.armies
        return tuple(armies[colour] for colour in self.colours if colour < len(armies))

    @property
    def seat_names(self) -> tuple[str, ...]:
        """What the seats are called, in English, those that the game names."""
        names = self.kind.seat_names
        return tuple(names[colour] for colour in self.colours[: self.seats] if colour < len(names))

    def coloured(self, chosen: Mapping[int, int]) -> Game:
        """Return the same game where seats have these colours; it has some to be chosen.

        Raises
        ------
        OptionError
            Where two are the same, or other options do not go with them.
        """
        assert self.kind.colours is not None  # noqa: S101
        return self.kind(**{**self.options, COLOURS: self.kind.colours.written(chosen)})

    @cached_property
    def uncoloured(self) -> Game:
        """The same game where nobody has chosen a colour, if other options go with that."""
        if not self.kind.colours or self.options[COLOURS] == self.kind.colours.usual:
            return self
        with suppress(OptionError):
            return self.coloured({})
        return self

    @cached_property
    def spec(self) -> str:
        """The shortest text that `tianxia.game` turns into this game again."""
        return write_spec(self.name, self.kind.options, self.options)

    def __repr__(self) -> str:
        return f"tianxia.game({self.spec!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.kind is other.kind and self.options == other.options

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        from tianxia.kernel.registry import known

        return known, (self.spec,)

    @property
    def notation(self) -> Notation:
        """How positions are written and read, and what makes them possible."""
        return self.kind.notation or usual(self.kind.dtype)

    @property
    def layout(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The parts of what `State.encode` returns, in order, each with its name and shape."""
        return tuple(self.kind.layout) or (("features", (self.features,)),)

    @property
    def outputs(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The parts of what a net says of actions, in order, each with its name and shape.

        Usually one number an action. A game that is played on a grid may have planes, as its
        features have: then like moves stand in one plane, at the squares where they begin, and
        are seen from the viewer's side of the board if features are.
        """
        return tuple(self.kind.outputs) or (("actions", (self.num_actions,)),)

    @cached_property
    def output_of(self) -> NDArray[np.int64]:
        """Which of a net's outputs is of each action of each seat; shape (seats, actions)."""
        if self.kind.output_of is not None:
            return self.kind.output_of
        return np.broadcast_to(np.arange(self.num_actions), (self.seats, self.num_actions))

    # --- Positions ---

    def blank(self, viewer: int = 0) -> Pool:
        """Return a record in which only seats, options and viewer are filled in."""
        pool = twin(self._blank)
        if viewer:
            pool["viewer"] = viewer
        return pool

    @cached_property
    def _blank(self) -> Pool:
        pool = blank(self.kind.dtype)
        pool["seats"] = self.seats
        for option in self.kind.options:
            value = self.options[option.name]
            pool["options"][option.name] = option.store(value)
            if option.text and option.is_own(value):
                pool["options"][option.text.field] = option.text.numbers(str(value))
        return pool

    def new(self) -> State:
        """Return the start of a game."""
        from tianxia.kernel.state import State

        return State.begin(self)

    def from_bytes(self, data: bytes) -> State:
        """Return the state whose `to_bytes` this is.

        Raises
        ------
        NotationError
            Where the bytes are too few or many, or belong to other options.
        """
        from tianxia.kernel.state import State

        size = self.kind.dtype.itemsize
        if not isinstance(data, bytes | bytearray | memoryview):
            raise NotationError(f"a state is read from bytes, not from {type(data).__name__}")
        if len(data) != size:
            raise NotationError(f"a state of {self.name} has {size} bytes, not {len(data)}")
        pool = blank(self.kind.dtype)
        pool.view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        mine = self.blank()
        if pool["seats"][0] != mine["seats"][0] or pool["options"][0] != mine["options"][0]:
            raise NotationError(f"these bytes are a state of other options than {self.spec}")
        if not -1 <= pool["viewer"][0] <= self.seats:
            raise NotationError(f"these bytes are the view of nobody who is in {self.spec}")
        self._check(pool)
        return State(self, pool)

    def from_record(self, record: Any) -> State:
        """Return the state of a record that this game's own rules have made, without checking it.

        This is for pools: ``game.from_record(pool[i : i + 1])`` after a step or of a sample.
        Compiled rules trust their records: what comes from outside goes through `from_bytes`.

        Raises
        ------
        NotationError
            For what is not one record of this game's type.
        """
        from tianxia.kernel.state import State

        wanted = self._blank.dtype
        if not isinstance(record, np.ndarray) or record.shape != (1,) or record.dtype != wanted:
            raise NotationError(f"a record of {self.name} is an array of one: pool[i : i + 1]")
        return State(self, twin(record))

    def read(self, text: str, viewer: int) -> Pool:
        """Return the record of a position from its notation's tokens.

        Parameters
        ----------
        viewer
            Whose view it is, as records write it: see `tianxia.kernel.record.viewer_code`.

        Raises
        ------
        NotationError
            Where this is not a position in which the game can go on.
        """
        pool = self.blank(viewer)
        self.notation.load(text, pool)
        self._demand_course(pool)
        return pool

    def _demand_course(self, pool: Pool) -> None:
        """Demand that whoever has to act can, as far as the viewer may know.

        The rules are asked uncompiled, so that a field that leads them astray is an error.
        """
        acting, viewer = int(pool["acting"][0]), int(pool["viewer"][0])
        actions, weights = self.buffers()
        for seat in range(self.seats):
            if acting >> seat & 1 and viewer in (0, seat + 1):
                if not functions.interpreted(functions.legal_actions, pool, seat, actions):
                    raise NotationError(f"seat {seat} would have nothing to do")
        by_chance = not acting and not pool["over"][0] and viewer == 0
        if by_chance and not functions.interpreted(
            functions.chance_outcomes, pool, actions, weights
        ):
            raise NotationError("chance would have nothing to do")

    def _check(self, pool: Pool) -> None:
        """Refuse bytes that are not a position: compiled rules trust their records.

        What can be written as notation and read back to the same bytes is a position, where
        nothing makes it impossible.
        """
        again = self.blank(int(pool["viewer"][0]))
        text = f"these bytes are not a position of {self.spec}"
        try:
            self.notation.fill(self.notation.dump(pool[0]), again)
            same = again.tobytes() == pool.tobytes()
            if same:
                self.notation.demand_possible(Frozen(again[0]))
                self._demand_course(again)
        except (LookupError, OverflowError, ValueError) as error:
            raise NotationError(f"{text}: {error}") from error
        if not same:
            raise NotationError(text)

    def check_seat(self, seat: int, *others: int) -> int:
        """Return a seat of this game as an int; raise SeatError for anything else."""
        try:
            number = index(seat)
        except TypeError:
            number = -9
        if 0 <= number < self.seats or number in others:
            return number
        text = f"{seat!r} is not a seat here; {self.spec} has seats 0 to {self.seats - 1}"
        more = "".join(f", and {other} is {NO_SEATS[other]}" for other in others)
        raise SeatError(text + more)

    def buffers(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return room for the longest list of actions, and for the weights of chance."""
        return self.list_room(), np.empty(max(self.max_chance, 1), np.int32)

    def list_room(self) -> NDArray[np.int32]:
        """Return room for the longest list of actions, or of chance's with their weights."""
        return np.empty(self._longest, np.int32)

    # --- Many at once ---

    @cached_property
    def ply(self) -> Callable[[Pool, int, int, NDArray[np.int32]], int]:
        """The compiled function behind `State.apply`: see `tianxia.kernel.compiled.ply`."""
        return _prepared(self.kind)[0]

    @cached_property
    def look_as(self) -> Callable[[Pool, int, Pool, NDArray[np.int32]], int]:
        """The compiled function behind `State.view`: see `tianxia.kernel.compiled.look_as`."""
        return _prepared(self.kind)[1]

    def prepare(self) -> None:
        """Compile what play needs; after the first time on a machine this loads files."""
        _prepared(self.kind)

    def playouts(self, n: int, seed: int = 0, threads: int = 1, max_plies: int = 20000) -> Playouts:
        """Play random games in compiled code.

        Parameters
        ----------
        n
            How many games. Game i always takes the same course for the same seed.
        threads
            Threads to share the games; compiled code does not hold the interpreter up.
        max_plies
            Where a game is cut, in actions, those of chance included.
        """
        n, threads = given.whole("n", n, 0), given.whole("threads", threads, 1)
        max_plies, seed = given.whole("max_plies", max_plies, 0), given.number("seed", seed) & LONG
        begin = self.new()._pool
        edges = [n * i // threads for i in range(threads + 1)]
        shares = [compiled.Games(a, b, seed, max_plies) for a, b in pairwise(edges)]
        jobs = [_PlayoutJob(self, begin, share) for share in shares]
        _PlayoutJob(self, begin, compiled.Games(0, 0, seed, max_plies)).run()  # compiles
        clock = time.perf_counter()
        if threads == 1:
            jobs[0].run()
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(_PlayoutJob.run, jobs))
        seconds = time.perf_counter() - clock
        totals = np.sum([job.totals[:2] for job in jobs], axis=0)
        gains = np.sum([job.gains[0, : self.seats] for job in jobs], axis=0)
        ended = max(n - int(totals[1]), 1)
        return Playouts(n, int(totals[0]), seconds, gains / ended, int(totals[1]))

    def samples(self, view: State, n: int, seed: int = 0) -> Pool:
        """Return `n` full states that agree with all that the view's viewer may know.

        The result is a structured array; ``game.from_bytes(a[i].tobytes())`` makes a
        `State` of one of them.
        """
        if getattr(view, "viewer", None) is None:
            raise ViewError("samples are drawn from a view; take one with state.view(seat)")
        if view.game != self:
            raise ViewError(f"this is a view of {view.game.spec}, not of {self.spec}")
        out = room(self.kind.dtype, given.whole("n", n, 0))
        compiled.samples(view._pool, out, new_rng(seed))
        return out


@cache
def _check_kind(kind: GameType) -> None:
    """Say what a game forgets or declares wrongly, before the compiler does."""
    missing = functions.unanswered(kind.dtype)
    if missing:
        raise TianxiaError(
            f"the game {kind.name!r} gives no answer for its record to "
            f"{', '.join(missing)}: see tianxia.kernel.functions"
        )
    names = [name for name, _ in kind.layout]
    wrong = misdeclared(kind.options, kind.dtype["options"].fields or {})
    if not wrong and len(set(names)) < len(names):
        wrong = f"two parts of its layout have the same name: {', '.join(names)}"
    if wrong:
        raise TianxiaError(f"the game {kind.name!r} is declared wrongly: {wrong}")


@cache
def _prepared(kind: GameType) -> tuple[Callable[..., int], Callable[..., int]]:
    """Compile what play needs, saying so where it takes its time; return `ply` and `look_as`."""
    if mode.positions_interpreted():
        return compiled.ply, compiled.look_as
    sources = jit.digest_of_sources(compiled.__name__, jit.record_types(kind.dtype))
    marker = jit.FOLDER / f"{kind.name}-{sources}.ready"
    known = marker.exists()
    if not known:
        log.warning("Preparing the rules of %s for this machine, once…", kind.title)
    begun = time.perf_counter()
    game = kind()
    start, room = game.blank(), game.list_room()
    ply = jit.direct(compiled.ply, start, 0, compiled.START, room)
    look_as = jit.direct(compiled.look_as, start, 0, game.blank(1), room)
    if not known:
        log.warning("… ready after %.1f s.", time.perf_counter() - begun)
        if jit.FOLDER.exists():
            marker.touch()
    return ply, look_as


class _PlayoutJob:
    """Some of the games of `Game.playouts`, with the memory that one thread needs."""

    def __init__(self, game: Game, begin: Pool, games: compiled.Games) -> None:
        self.totals = np.zeros(6, np.int64)
        self.gains = np.zeros((2, 8))
        self.arguments = (begin.copy(), begin, games, *game.buffers(), self.gains, self.totals)

    def run(self) -> None:
        compiled.playouts(*self.arguments)


__all__ = ["CHANCE", "SPECTATOR", "FirstGame", "Game", "GameType", "Playouts", "Words"]
