"""What a bot is: a player that is told what one seat may know, and nothing else.

The protocol stands here, below the games, so that a game's folder can hold its own
player; names, rebuilding and whole games are in `tianxia.bots`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State


class BotError(TianxiaError):
    """What was given as a bot does not do what a bot does."""


class Bot(Protocol):
    """A player of one seat. It never meets a state, only views of its own seat.

    All that a bot remembers it must have learnt in `observe`; `choose` leaves it as it
    was. A bot can then be rebuilt from what its seat has seen, and goes on as if it had
    never been stopped. Chance of its own comes from its seed and from what it has seen.
    """

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Take note of an action, after it was applied.

        What other seats choose in secret a bot is not told of at all: how often they
        choose might tell it something.

        Parameters
        ----------
        actor
            The seat that acted, the bot's own included, or CHANCE.
        action
            The action as this seat has seen it; None for a draw that it has not seen.
        view
            What the seat may know now.
        """

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return one of ``view.legal_actions(seat)``.

        Parameters
        ----------
        view
            What the seat may know now; it may act.
        deadline
            When an answer is expected at the latest, by `now`; None lets the bot take the
            time it is used to.
        """


class Player:
    """What a bot has whose views tell all that it uses: a seat, a seed, and its decisions' number.

    Attributes
    ----------
    decided
        How many actions of its own there were: which numbers of the seed come next.
    """

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.game = game
        self.seat = seat
        self.seed = seed
        self.decided = 0

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count its own actions."""
        self.decided += actor == self.seat


Maker = Callable[[Game, int, int], Bot]
"""Makes a bot: ``maker(game, seat, seed)``. A class of bots is one."""


Hearing = list[tuple[int, Bot, int | None]]
"""Who is told of an action: (seat, bot, the action as that seat sees it)."""


def hearing(state: State, action: int, actor: int, bots: Iterable[tuple[int, Bot]]) -> Hearing:
    """Return which bots are to observe an action, and as what. Ask before applying it."""
    known = [(seat, bot, state.seen(action, actor, seat)) for seat, bot in bots]
    return [entry for entry in known if actor == CHANCE or entry[2] is not None]


def tell(state: State, action: int, actor: int, bots: Iterable[tuple[int, Bot]]) -> None:
    """Apply an action and let each bot observe it from its own seat."""
    listeners = hearing(state, action, actor, bots)
    state.apply(action, actor)
    for seat, bot, known in listeners:
        bot.observe(actor, known, state.view(seat))


def is_late(deadline: float | None, margin: float) -> bool:
    """Say whether less than so many seconds of a bot's time are left; None is no clock."""
    return deadline is not None and now() > deadline - margin


_clock: Callable[[], float] = time.monotonic


def now() -> float:
    """Return the time by which deadlines are set.

    It is that of `time.monotonic`, but where a match counts the processor's time.
    """
    return _clock()


@contextmanager
def clocked(clock: Callable[[], float]) -> Iterator[None]:
    """Let all deadlines of this process be times of a clock meanwhile: see `now`."""
    global _clock  # noqa: PLW0603  (bots ask for it wherever they are, in threads as well)
    before, _clock = _clock, clock
    try:
        yield
    finally:
        _clock = before
