"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

from tianxia.games.stratego.rules.components import RANKS, SIDE

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
