"""What gives advice: hints during a game, and what each decision was worth after it.

A game gives a module with these three functions as `GameType.advice`. A game without one is
advised by tree search (`tianxia.bots.advice`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tianxia.kernel.errors import ViewError
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

PATIENCE = 10
"""How many times as long as the best player a patient one takes."""


def seat_of(view: State) -> int:
    """Return the seat that is advised; raise ViewError for what is not a seat's view."""
    if view.viewer is None or view.viewer < 0:
        raise ViewError("advice is given from a seat's view; take one with state.view(seat)")
    return view.viewer


class Adviser(Protocol):
    """Weighs what a seat can do, from what that seat may know and nothing else."""

    def weigh(self, bot: Bot, view: State) -> Sequence[Finding]:
        """Return what the legal actions of a seat are worth, the best first.

        Parameters
        ----------
        bot
            The game's best player (the level ``master``, where there is one), which has
            observed the game so far from the seat that is asked. It stays as it was.
        view
            What that seat, ``view.viewer``, may know; it may act.

        Returns
        -------
        sequence of Finding
            `value` is the utility that the seat expects, from -1 to 1, and `share` how much
            of the answer the action is. At least three, or all where fewer are legal; none
            twice. The same bot and view give the same answer, within about a second.
        """

    def reason(self, view: State, seat: int, action: int, language: str) -> str:
        """Return one short plain sentence: why an action is good, or what it does.

        Parameters
        ----------
        view
            What the seat may know; the action is legal for it.
        language
            One of `tianxia.draw.languages.LANGUAGES`.
        """

    def patient(self, game: Game, seat: int, seed: int) -> Bot:
        """Return the game's best player, who takes `PATIENCE` times as long when it weighs."""
