"""How an army has stood since the last attack: who comes back to where he was gets nowhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.rules.components import SLOTS
from tianxia.kernel.state import State

Squares = Sequence[int] | NDArray[np.int8]


class Arrangements:
    """What a player remembers of how its own army has stood.

    Parameters
    ----------
    seat
        Whose army it is.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.stood: Counter[bytes] = Counter()

    def note(self, actor: int, view: State) -> None:
        """Remember how the army stands after an action; an attack makes all that was forgotten."""
        if view.fields["quiet"] == 0:
            self.stood.clear()
        if actor == self.seat:
            self.stood[bytes(self._army(view.fields["square"]))] += 1

    def repeats(self, squares: Squares, piece: int, target: int) -> int:
        """Return how often the army stood as it would after a quiet move.

        Parameters
        ----------
        squares
            By piece: 1 + its square, 0 for those that fell.
        piece, target
            Which of its pieces moves, and to which square.
        """
        army = self._army(squares)
        army[piece - self.seat * SLOTS] = target + 1
        return self.stood[bytes(army)]

    def _army(self, squares: Squares) -> bytearray:
        first = self.seat * SLOTS
        return bytearray(squares[first : first + SLOTS])


__all__ = ["Arrangements"]
