"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

from tianxia.games.binfa.rules.components import CIRCLES, MAX_PLAYERS, TRIANGLES
from tianxia.games.binfa.rules.state import PHASES

LAYOUT = (
    ("height of the pile, by who commands it", (MAX_PLAYERS, TRIANGLES)),
    ("units, by owner", (MAX_PLAYERS, TRIANGLES)),
    ("the army that moves", (TRIANGLES,)),
    ("high ground", (TRIANGLES,)),
    ("whirlpools", (TRIANGLES,)),
    ("the triangle in question", (TRIANGLES,)),
    ("pawns on the ring, by owner", (MAX_PLAYERS, CIRCLES)),
    ("supplies, by seat", (MAX_PLAYERS,)),
    ("units left, by seat", (MAX_PLAYERS,)),
    ("may act, by seat", (MAX_PLAYERS,)),
    ("phase", (PHASES,)),
    ("high die, low die, moves left, rolled", (4,)),
)
