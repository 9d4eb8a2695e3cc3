"""A whole game between bots, in plain Python: for tests, the command line and trials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tianxia.bots.registry import called, made, maker
from tianxia.kernel import given
from tianxia.kernel.errors import IllegalAction, TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, Maker, tell

Answer = TypeVar("Answer")

CHANCE_STREAM = 1 << 32
"""Keeps chance's numbers apart from those that bots draw from a seed."""


def play(
    game: Game | str,
    makers: str | Maker | Sequence[str | Maker],
    seed: int = 0,
    longest: int | None = None,
) -> State:
    """Play a game between bots; return its last position, whose history is the game.

    Parameters
    ----------
    game
        A game or its description.
    makers
        The name of a bot, or what makes it (such as its class); one for each seat, or a single
        one for all.
    seed
        For chance and for the bots: bot s of n gets ``n · seed + s``, so that no two
        bots of two games draw alike.
    longest
        Where the game is broken off, in actions; None plays it to its end.

    Raises
    ------
    IllegalAction
        Where a bot chooses what the rules forbid. Like any error of a bot it has a note that
        says whose.
    """
    game, seed = game_of(game), given.number("seed", seed)
    longest = None if longest is None else given.whole("longest", longest, 0)
    chosen = one_each(makers, game.seats, f"{game.spec} needs {game.seats} bots")
    bots = [
        Noted(making, game, seat, game.seats * seed + seat) for seat, making in enumerate(chosen)
    ]
    state, rng = game.new(), new_rng(seed, CHANCE_STREAM)
    taken = 0
    while not state.over and (longest is None or taken < longest):
        actor = min(state.acting, default=CHANCE)
        if actor == CHANCE:
            action = state.draw_chance(rng)
        else:
            action = bots[actor].choose(state.view(actor))
        try:
            tell(state, action, actor, enumerate(bots))
        except IllegalAction as error:
            if not hasattr(error, "__notes__"):  # none of those who were told it
                bots[actor].note(error)
            raise
        taken += 1
    return state


def one_each(
    makers: str | Maker | Sequence[str | Maker], count: int, needed: str
) -> list[str | Maker]:
    """Return so many makers of bots, of those that are given or of a single one.

    Raises
    ------
    TianxiaError
        For another number of them; `needed` begins its text.
    """
    if isinstance(makers, str) or callable(makers):
        return [makers] * count
    if not isinstance(makers, Sequence):
        raise TianxiaError(f"{needed}, by name or as what makes them, not {makers!r}")
    if len(makers) != count:
        raise TianxiaError(f"{needed}, not {len(makers)}")
    return list(makers)


class Noted:
    """A bot whose errors have a note that says whose they are."""

    def __init__(self, one: str | Maker, game: Game, seat: int, seed: int) -> None:
        self.seat = seat
        self.name = called(one)
        self.bot: Bot = self._noting(lambda: made(maker(one, game), game, seat, seed))

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Hand on."""
        self._noting(lambda: self.bot.observe(actor, action, view))

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Hand on."""
        return self._noting(lambda: self.bot.choose(view, deadline))

    def note(self, error: Exception) -> None:
        """Note that an error is this bot's."""
        error.add_note(f"This is an error of the bot of seat {self.seat}, {self.name}.")

    def _noting(self, call: Callable[[], Answer]) -> Answer:
        try:
            return call()
        except Exception as error:
            self.note(error)
            raise
