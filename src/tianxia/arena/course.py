"""One game of an arena: timed, with the faults of players told apart from their play."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tianxia.bots.match import CHANCE_STREAM
from tianxia.bots.program import IllegalAnswer, NoAnswer, ProgramError, Resigned
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import NO_ACTION, State
from tianxia.search.bot import Bot, BotError, now, tell
from tianxia.search.opinions import Opinion, opinion

RULES, CUT = "rules", "cut"
ILLEGAL, SILENT, FAILED, RESIGNED = "illegal", "silent", "failed", "resigned"
"""How a game ended: by the rules, broken off, or by a player who is at fault or gives up."""
GRACE = 0.1
"""A late answer is one that took this share longer than its time, and `MOMENT` seconds."""
MOMENT = 0.05
CALLING = ("arena/course.py", "arena/players.py", "arena/table.py", "bots/registry.py")
"""The files that call bots: their lines say nothing of an error."""


@dataclass
class Outcome:
    """What came of a game; lists are by seat.

    Attributes
    ----------
    number, round, seats
        As in its fixture.
    end, fault
        How it ended, and the seat that lost by its fault or by giving up; −1: none.
    shares
        Each seat's share of the win: 1, 1/k for k joint winners, or 0.
    scores
        Points as players count them.
    actions
        All actions of the game, chance included.
    decisions, seconds, slowest, late
        A seat's decisions, their time together, the longest one, how many came late, by the
        plan's clock. What a bot observed since its last decision is part of the time of the next.
    note
        What went wrong, in words.
    cpu
        The processor's time for all that a seat did; None where nobody knows it, as of a
        program outside on some systems.
    names
        What a program outside calls itself; empty for others.
    stood
        The utility that the position promised to the seat at fault, by the game's own rough guess;
        None where nobody was at fault.
    """

    number: int
    round: int
    seats: list[int]
    end: str
    fault: int
    shares: list[float]
    scores: list[float]
    actions: int
    decisions: list[int]
    seconds: list[float]
    slowest: list[float]
    late: list[int]
    note: str = ""
    cpu: list[float | None] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    stood: float | None = None


@dataclass
class Fault(Exception):
    """A player does not do its part."""

    end: str
    seat: int
    note: str


@dataclass
class Clock:
    """How long the decisions of one seat took.

    Attributes
    ----------
    observed
        Seconds that it has observed since its last decision: they are part of the next.
    cpu
        Seconds of this process while it decided or observed.
    reading
        What tells the time.
    """

    limit: float | None
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    late: int = 0
    observed: float = 0.0
    cpu: float = 0.0
    reading: Callable[[], float] = time.monotonic

    @contextmanager
    def observing(self) -> Iterator[None]:
        """Let what is done meanwhile count as observing."""
        begun, spent = self.reading(), time.process_time()
        try:
            yield
        finally:
            self.observed += max(self.reading() - begun, 0.0)  # a program that ends has no clock
            self.cpu += time.process_time() - spent

    def decided(self) -> None:
        """Count what was observed last as a decision: see `observing`."""
        seconds, self.observed = self.observed, 0.0
        self.decisions += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        if self.limit is not None and seconds > self.limit * (1 + GRACE) + MOMENT:
            self.late += 1


@dataclass
class Course:
    """A game while it is played.

    Attributes
    ----------
    state
        The position; its history is the game.
    bots
        Who plays, by seat; the list is filled before `play`.
    seed
        For chance. The n-th draw of the game uses the n-th numbers of the seed, whatever
        else has happened.
    opinions
        What bots thought of each decision, in order.
    """

    game: Game
    bots: Sequence[Bot]
    seed: int
    seconds: float | None = None
    longest: int = 20_000
    state: State = field(init=False)
    clocks: list[Clock] = field(init=False)
    opinions: list[Opinion | None] = field(default_factory=list)
    actions: int = 0
    draws: int = 0

    def __post_init__(self) -> None:
        """Set up."""
        self.state = self.game.new()
        self.clocks = [Clock(self.seconds) for _ in range(self.game.seats)]

    def play(self) -> str:
        """Play to the end; return `RULES` or `CUT`, or raise `Fault`."""
        while not self.state.over:
            if self.actions >= self.longest:
                return CUT
            actor = min(self.state.acting, default=CHANCE)
            action = self._draw() if actor == CHANCE else self._ask(actor)
            self._tell(action, actor)
            self.actions += 1
        return RULES

    def _draw(self) -> int:
        if len(self.state.chance_weights()) > 1:
            self.draws += 1
        return self.state.draw_chance(new_rng(self.seed, CHANCE_STREAM + self.draws))

    def _ask(self, seat: int) -> int:
        """Let a bot decide, under the clock."""
        view = self.state.view(seat)
        clock = self.clocks[seat]
        left = None if self.seconds is None else self.seconds - clock.observed
        deadline = None if left is None else now() + left
        try:
            with clock.observing():
                action = self.bots[seat].choose(view, deadline)
        except (Exception, SystemExit) as error:
            raise fault_of(seat, error) from error
        finally:
            clock.decided()
        statement = self.state.refusal(action, seat)
        if statement is not None:
            raise Fault(ILLEGAL, seat, self._wrong(action, statement))
        try:
            self.opinions.append(opinion(self.bots[seat], view))
        except (Exception, SystemExit) as error:
            raise fault_of(seat, error) from error
        return action

    def _wrong(self, action: object, statement: str) -> str:
        if statement == NO_ACTION:
            return f"{action!r} is not an action; actions are 0 to {self.game.num_actions - 1}"
        return f"action {action!r} is refused by {statement}"

    def _tell(self, action: int, actor: int) -> None:
        """Apply an action; each bot that observes it badly is at fault itself."""
        listeners = [Listener(s, b, self.clocks[s]) for s, b in enumerate(self.bots)]
        tell(self.state, action, actor, enumerate(listeners))


@dataclass
class Listener:
    """A bot whose errors and time while it observes are its own."""

    seat: int
    bot: Bot
    clock: Clock

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Hand on."""
        try:
            with self.clock.observing():
                self.bot.observe(actor, action, view)
        except (Exception, SystemExit) as error:
            raise fault_of(self.seat, error) from error

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Hand on."""
        return self.bot.choose(view, deadline)


def fault_of(seat: int, error: BaseException) -> Fault:
    """Return what a player has done wrong."""
    if isinstance(error, IllegalAnswer):
        return Fault(ILLEGAL, seat, str(error))
    if isinstance(error, NoAnswer):
        return Fault(SILENT, seat, str(error))
    if isinstance(error, Resigned):
        return Fault(RESIGNED, seat, "")
    if isinstance(error, ProgramError | BotError):
        return Fault(FAILED, seat, str(error))
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if not Path(one.filename).as_posix().endswith(CALLING)]
    place = "".join(f" at {Path(one.filename).name}:{one.lineno}" for one in own[-1:])
    return Fault(FAILED, seat, f"{type(error).__name__}{place}: {error}")


def shares_of(utilities: Sequence[float]) -> list[float]:
    """Return each seat's share of the win from its utility, (n·share − 1)/(n − 1)."""
    seats = len(utilities)
    return [round((value * (seats - 1) + 1) / seats, 9) for value in utilities]


def forfeited(seats: int, loser: int) -> list[float]:
    """Return the shares where one player has lost by his own fault."""
    return [0.0 if seat == loser else 1 / (seats - 1) for seat in range(seats)]
