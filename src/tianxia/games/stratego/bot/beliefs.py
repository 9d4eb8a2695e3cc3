"""What a seat can work out about the opposing pieces, by exact counting.

The view names every rank that was shown, so the ranks that are left are known exactly.
Of an unknown piece that moved we know that it is neither a Bomb nor a Flag; one that ran is a
Scout and known. The Flag lies among the unmoved pieces, likelier where people put Flags
(`FLAG_BY_ROW`, `guarded`); the Bombs are any others of those; all else is shuffled over
the rest. The chances below are exact for just these assumptions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.rules.components import (
    BOMB,
    COUNTS,
    FLAG,
    RANKS,
    SIDE,
    SLOTS,
    SQUARES,
    row_of,
)
from tianxia.games.stratego.rules.state import MOVED

FLAG_BY_ROW = (1.0, 0.3, 0.12, 0.12)
"""How much likelier the Flag stands on its own back row than further in front."""

Lists = list[list[int]]


def beside(square: int) -> list[int]:
    """Return the squares next to one, lakes included."""
    row, column = divmod(square, SIDE)
    steps = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    return [r * SIDE + c for r, c in steps if 0 <= r < SIDE and 0 <= c < SIDE]


BESIDE_SQUARE: Lists = [beside(square) for square in range(SQUARES)]


class Beliefs:
    """The chances of each rank for each opposing piece on the board.

    Attributes
    ----------
    pieces
        The opposing pieces on the board, by number.
    left
        How many pieces of each rank the opponent still has.
    chances
        Shape (pieces, ranks); rows sum to one.
    """

    def __init__(
        self, variant: int, owner: int, square: list[int], rank: list[int], marks: list[int]
    ) -> None:
        army = range(owner * SLOTS, owner * SLOTS + SLOTS)
        self.owner = owner
        self.pieces = [piece for piece in army if square[piece]]
        self.left: list[int] = COUNTS[variant].tolist()
        for piece in army:
            if rank[piece] and not square[piece]:
                self.left[rank[piece]] -= 1
        self.unmoved = {
            square[piece] - 1
            for piece in self.pieces
            if not rank[piece] and not marks[piece] & MOVED
        }
        self.chances: NDArray[np.float64] = np.zeros((len(self.pieces), RANKS))
        self._fill([square[piece] - 1 for piece in self.pieces], [rank[p] for p in self.pieces])

    def _fill(self, squares: list[int], ranks: list[int]) -> None:
        hidden = np.array(self.left, float)
        for rank in ranks:
            hidden[rank] -= rank != 0
        movers = hidden[:BOMB] / max(hidden[:BOMB].sum(), 1)
        flags = self._flag_chances()
        others = max(len(flags) - 1, 1)
        for row, (square, rank) in enumerate(zip(squares, ranks, strict=True)):
            chances = self.chances[row]
            if rank:
                chances[rank] = 1
            elif square not in flags:
                chances[:BOMB] = movers
            else:
                chances[FLAG] = flags[square]
                chances[BOMB] = (1 - flags[square]) * hidden[BOMB] / others
                chances[:BOMB] = movers * max(1 - chances[FLAG] - chances[BOMB], 0)

    def _flag_chances(self) -> dict[int, float]:
        """Return the chance of the Flag for the square of each unmoved unknown piece."""
        weights = {square: self._flag_weight(square) for square in self.unmoved}
        total = sum(weights.values())
        return {square: weight / total for square, weight in weights.items()}

    def _flag_weight(self, square: int) -> float:
        return FLAG_BY_ROW[row_of(square, self.owner)] * (1 + self._guarded(square))

    def _guarded(self, square: int) -> float:
        """Return the share of the neighbouring squares that an unmoved piece holds."""
        around = BESIDE_SQUARE[square]
        return sum(other in self.unmoved for other in around) / len(around)
