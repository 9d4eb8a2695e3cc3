"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.rules import components as c

BOARD = (c.SIDE, c.SIDE)
LAYOUT = (
    ("own pieces by rank", (c.RANKS - 1, *BOARD)),
    ("opposing pieces of known rank", (c.RANKS - 1, *BOARD)),
    ("opposing, unknown, never moved", BOARD),
    ("opposing, unknown, moved", BOARD),
    ("own pieces whose rank is known", BOARD),
    ("own pieces that moved", BOARD),
    ("lakes", BOARD),
    ("moves without an attack", BOARD),
    ("length of the viewer's chase", BOARD),
    ("the viewer may act", BOARD),
    ("own pieces of unknown rank", BOARD),
    ("opposing pieces of unknown rank, by rank", (c.RANKS - 1,)),
)


DIRECTIONS = 4
OTHERS = len(c.ACTIONS) - len(c.ACTIONS.of("move"))
OUTPUTS = (
    ("ranks of the set-up, and no move", (OTHERS,)),
    ("moves by direction and length, where they begin", (DIRECTIONS * (c.SIDE - 1), *BOARD)),
)
"""What a net says of actions, seen from the viewer's side of the board as features are."""


def _output_of() -> NDArray[np.int64]:
    table = np.tile(np.arange(c.NUM_ACTIONS), (2, 1))
    for action in c.ACTIONS.of("move"):
        for seat in range(2):
            origin, target = (
                square if seat == 0 else c.SQUARES - 1 - square for square in c.squares_of(action)
            )
            (row, column), (to_row, to_column) = divmod(origin, c.SIDE), divmod(target, c.SIDE)
            direction = 2 * (row == to_row) + (to_row > row or to_column > column)
            length = abs(to_row - row) + abs(to_column - column)
            plane = direction * (c.SIDE - 1) + length - 1
            table[seat, action] = OTHERS + plane * c.SQUARES + origin
    return table


OUTPUT_OF = _output_of()
"""Which of these is of each action, by seat."""
