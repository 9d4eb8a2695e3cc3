"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

import numpy as np

from tianxia.games.stratego.rules.components import (
    ACTIONS,
    NUM_ACTIONS,
    RANKS,
    SIDE,
    SQUARES,
    move,
    squares_of,
)

BOARD = (SIDE, SIDE)
LAYOUT = (
    ("own pieces by rank", (RANKS - 1, *BOARD)),
    ("opposing pieces of known rank", (RANKS - 1, *BOARD)),
    ("opposing, unknown, never moved", BOARD),
    ("opposing, unknown, moved", BOARD),
    ("own pieces whose rank is known", BOARD),
    ("own pieces that moved", BOARD),
    ("lakes", BOARD),
    ("moves without an attack", BOARD),
    ("length of the viewer's chase", BOARD),
    ("the viewer may act", BOARD),
    ("own pieces of unknown rank", BOARD),
)


TURNED = np.tile(np.arange(NUM_ACTIONS), (2, 1))
"""Actions as each side sees them: Blue's moves on a board that is turned as its features are."""
for action in ACTIONS.of("move"):
    TURNED[1, action] = move(*(SQUARES - 1 - square for square in squares_of(action)))
