"""The state record of Stratego."""

from __future__ import annotations

from tianxia.games.stratego.rules.components import PIECES, RANKS, SQUARES
from tianxia.kernel.record import record

TRAIL = 200
"""How many moves of a chase are remembered."""

SETUP, PLAY = 0, 1

MOVED, RAN, SHOWN = 1, 2, 4
"""What everybody has seen of a piece: that it moved, that it ran, its rank in a fight."""

NOBODY, DRAW = 0, 3
"""Field `winner`: 0 while the game lasts, 1 + seat, or 3."""

STATE = record(
    options={"draw_after": "i2", "variant": "i1", "two_squares": "i1"},
    fields=[
        ("occupied", "i8", (2, 2)),  # by seat: squares as bits, rows 1-5 and 6-10
        ("movable", "i8", (2, 2)),  # of those: pieces known to be no Bomb and no Flag
        ("scouts", "i8", (2, 2)),  # of those: pieces known to be Scouts
        ("quiet", "i4"),  # moves in a row without an attack
        ("chase", "i2", (2,)),  # by seat: chase length, in plies
        ("trail_length", "i2"),  # moves remembered for the chase rule, oldest first
        ("phase", "i1"),
        ("winner", "i1"),
        ("reason", "i1"),  # number of the statement that ended the game
        ("last_target", "i1"),  # 1 + square on which the last move ended
        ("placed", "i1", (2,)),  # set-up squares decided, by seat
        ("reserve", "i1", (2, RANKS)),  # pieces still to set up, by seat and rank; 0: all
        ("pacing", "i1", (2,)),  # by seat: 1 + piece that made its last moves on one line
        ("pacing_squares", "i1", (2, 6)),  # 1 + squares on which these moves began and ended
        ("board", "i1", (SQUARES,)),  # 1 + piece by square
        ("square", "i1", (PIECES,)),  # 1 + square by piece; 0: not on the board
        ("rank", "i1", (PIECES,)),
        ("marks", "i1", (PIECES,)),  # MOVED, RAN, SHOWN
        ("trail_piece", "i1", (TRAIL,)),
        ("trail_origin", "i1", (TRAIL,)),
        ("trail_target", "i1", (TRAIL,)),
    ],
)
