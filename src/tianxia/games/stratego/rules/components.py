"""What is in the box: board, ranks, counts, and the numbers that actions are made of.

Squares are numbered row by row from a1 = 0 to j10 = 99, seen from Red's side. Pieces are
numbered by the square on which they were set up: piece i of Red began on square i, piece
40 + i of Blue on square 99 − i, so that both players number from their own back row,
left to right as they see it.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.actions import Actions

RED, BLUE = 0, 1
SIDE = 10
SQUARES = SIDE * SIDE
SLOTS = 40  # squares of a player's own four rows
PIECES = 2 * SLOTS


class Rank(IntEnum):
    """The ranks; 0 in a state means an unknown rank, in a set-up action an empty square."""

    UNKNOWN = 0
    SPY = 1
    SCOUT = 2
    MINER = 3
    SERGEANT = 4
    LIEUTENANT = 5
    CAPTAIN = 6
    MAJOR = 7
    COLONEL = 8
    GENERAL = 9
    MARSHAL = 10
    BOMB = 11
    FLAG = 12


RANKS = len(Rank)
RANK_SYMBOLS = "?S23456789MBF"
SPY, SCOUT, MINER = Rank.SPY + 0, Rank.SCOUT + 0, Rank.MINER + 0
GENERAL, MARSHAL = Rank.GENERAL + 0, Rank.MARSHAL + 0
BOMB, FLAG = Rank.BOMB + 0, Rank.FLAG + 0

VARIANTS = ("classic", "duel", "barrage")
CLASSIC = VARIANTS.index("classic")
COUNTS: NDArray[np.int64] = np.array(
    [  # -  S  2  3  4  5  6  7  8  9  M  B  F
        [0, 1, 8, 5, 4, 4, 4, 3, 2, 1, 1, 6, 1],
        [0, 1, 2, 2, 0, 0, 0, 0, 0, 1, 1, 2, 1],
        [0, 1, 2, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1],
    ]
)
ARMY: NDArray[np.int64] = COUNTS.sum(axis=1)

LAKES = (42, 43, 46, 47, 52, 53, 56, 57)

# --- Sets of squares: two integers of 50 bits, rows 1 to 5 and rows 6 to 10 ---
HALF = SQUARES // 2
FULL = (1 << HALF) - 1
HALF_OF: NDArray[np.int64] = np.arange(SQUARES) // HALF
BIT_OF: NDArray[np.int64] = 1 << (np.arange(SQUARES) % HALF)


def squares_as_bits(squares: list[int]) -> tuple[int, int]:
    """Return a set of squares as two integers."""
    low = sum(1 << square for square in squares if square < HALF)
    return low, sum(1 << (square - HALF) for square in squares if square >= HALF)


LAND_LOW, LAND_HIGH = squares_as_bits([s for s in range(SQUARES) if s not in LAKES])
COLUMN_A = squares_as_bits(list(range(0, SQUARES, SIDE)))[0]
NOT_A, NOT_J = FULL & ~COLUMN_A, FULL & ~(COLUMN_A << (SIDE - 1))


def _neighbours(square: int) -> list[int]:
    row, column = divmod(square, SIDE)
    steps = ((row, column - 1), (row, column + 1), (row - 1, column), (row + 1, column))
    return [r * SIDE + c for r, c in steps if 0 <= r < SIDE and 0 <= c < SIDE]


NEAR: NDArray[np.int64] = np.array([squares_as_bits(_neighbours(s)) for s in range(SQUARES)])
"""The squares beside each square, as bits: shape (100, 2)."""

# --- Actions ---

WAYS = 2 * (SIDE - 1)  # destinations along a row, then along a column

ACTIONS = Actions()
RANK = ACTIONS.add("rank", RANKS)  # for the next square of the set-up
OPEN = ACTIONS.add("open")  # chance turns nothing but tells both that the game begins
MOVE = ACTIONS.add("move", SQUARES, WAYS)

NUM_ACTIONS = len(ACTIONS)
kind_of, argument = ACTIONS.rules()
MAX_LEGAL = 33 * 4 + 8 * 14  # more than any army can have

EAST, WEST, NORTH, SOUTH = range(4)
DELTA: NDArray[np.int64] = np.array([1, -1, SIDE, -SIDE])


def move(origin: int, target: int) -> int:
    """Return the action of going from one square to another of its row or column."""
    (row, column), (to_row, to_column) = divmod(origin, SIDE), divmod(target, SIDE)
    if row == to_row and column != to_column:
        way = to_column - (to_column > column)
    elif column == to_column and row != to_row:
        way = SIDE - 1 + to_row - (to_row > row)
    else:
        raise ValueError("pieces move along a row or a column")
    return ACTIONS.join("move", origin, way)


def _targets() -> NDArray[np.int64]:
    table = np.zeros(NUM_ACTIONS, np.int64)
    for origin in range(SQUARES):
        for target in range(SQUARES):
            same = (origin // SIDE == target // SIDE) + (origin % SIDE == target % SIDE)
            if same == 1:
                table[move(origin, target)] = target
    return table


TARGET = _targets()
"""The square on which each move ends, by its action."""


def squares_of(action: int) -> tuple[int, int]:
    """Return where a move begins and ends."""
    return (action - MOVE) // WAYS, int(TARGET[action])


def _arrivals() -> NDArray[np.int16]:
    table = np.full((4, SIDE, SQUARES), -1, np.int16)
    for direction, delta in enumerate(DELTA.tolist()):
        for distance in range(1, SIDE):
            for target in range(SQUARES):
                origin = target - delta * distance
                line = target // SIDE == origin // SIDE or abs(delta) == SIDE
                if 0 <= origin < SQUARES and line:
                    table[direction, distance, target] = move(origin, target)
    return table


ARRIVAL = _arrivals()
"""The move that ends on a square: by direction, distance and square."""


def row_of(square: int, seat: int) -> int:
    """Return how many rows a square is from a seat's own edge, from 0 to 9."""
    row = square // SIDE
    return row if seat == RED else SIDE - 1 - row


def start_square(piece: int) -> int:
    """Return the square on which a piece was set up."""
    return piece if piece < SLOTS else SQUARES - 1 - (piece - SLOTS)
