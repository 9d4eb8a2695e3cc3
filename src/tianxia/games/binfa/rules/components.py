"""What is in the box: the field, the ring, counts, dice, and the numbers of actions.

The field is a hexagon of 96 triangles in six sectors, numbered clockwise from red.
Triangle 16·sector + row² + place lies in a row (0 at the centre to 3) of its sector, at a
place from 0 to 2·row, clockwise. A triangle has three ways out: way 0 to its anticlockwise
and way 1 to its clockwise neighbour, way 2 to the next row outwards (from even places) or
inwards (from odd ones).

Sets of triangles are pairs of 48-bit masks: sectors 0 to 2, sectors 3 to 5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.actions import Actions
from tianxia.kernel.errors import N_, Worded

COLOURS = 6
LETTERS = "roygbp"
"""Red, orange, yellow, green, blue, purple: sectors, armies and their bases, clockwise."""
MAX_PLAYERS = 6
ARMY = 12  # units
SUPPLIED = 3  # from that level on a roll costs a supply (BIN-28a)
FALLS_AT = 3  # an army of so many units or fewer is eliminated (BIN-12)
UNITS = COLOURS * ARMY
SUPPLIES = 60
TERRAIN = 9
POOLS = 3  # whirlpools

# --- The field ---

ROWS = 4
BASE = ROWS * ROWS  # triangles of a sector
TRIANGLES = COLOURS * BASE
WAYS = 3
HALF = TRIANGLES // 2


def triangle(sector: int, row: int, place: int) -> int:
    """Return the number of a triangle."""
    return BASE * (sector % COLOURS) + row * row + place


def _neighbours(sector: int, row: int, place: int) -> list[int]:
    """Return the triangles along ways 0, 1 and 2; −1 beyond the border."""
    last = 2 * row
    before = (sector, row, place - 1) if place > 0 else (sector - 1, row, last)
    after = (sector, row, place + 1) if place < last else (sector + 1, row, 0)
    if place % 2:
        radial = triangle(sector, row - 1, place - 1)
    else:
        radial = triangle(sector, row + 1, place + 1) if row + 1 < ROWS else -1
    return [triangle(*before), triangle(*after), radial]


NEIGHBOURS: NDArray[np.int64] = np.array(
    [
        _neighbours(sector, row, place)
        for sector in range(COLOURS)
        for row in range(ROWS)
        for place in range(2 * row + 1)
    ]
)
"""Shape (triangles, ways)."""
SECTOR: NDArray[np.int64] = np.arange(TRIANGLES) // BASE
HALF_OF: NDArray[np.int64] = np.arange(TRIANGLES) // HALF
BIT_OF: NDArray[np.int64] = np.array([1 << t % HALF for t in range(TRIANGLES)])


def as_set(triangles: Iterable[int]) -> list[int]:
    """Return triangles as a set, without those beyond the border (−1)."""
    return [sum(1 << t % HALF for t in triangles if t // HALF == half) for half in range(2)]


BESIDE: NDArray[np.int64] = np.array([as_set(ways) for ways in NEIGHBOURS.tolist()])
"""Neighbours as sets: shape (triangles, 2)."""
TOWARDS: NDArray[np.int64] = np.array([[as_set([t]) for t in ways] for ways in NEIGHBOURS.tolist()])
"""The neighbour along a way as a set: shape (triangles, ways, 2)."""
ALL_HALF = (1 << HALF) - 1
BASE_HALF = (1 << BASE) - 1  # of the first sector of a half


def _corners() -> NDArray[np.int64]:
    """Return what lies round each corner of a triangle, between its neighbours there."""
    near = NEIGHBOURS.tolist()
    found = np.full((TRIANGLES, WAYS, 2), ALL_HALF)
    for here, way in product(range(TRIANGLES), range(WAYS)):
        first, last = near[here][way], near[here][(way + 1) % WAYS]
        for second, fourth in product(near[first], near[last]):
            third = set(near[second]) & set(near[fourth]) - {first, last}
            around = {first, second, *third, fourth, last}
            if not around & {-1, here} and len(around) == 5:
                found[here, way] = as_set(around)
    return found


CORNERS: NDArray[np.int64] = _corners()
"""The five other triangles round the corner between a way and the next, as a set: shape
(triangles, ways, 2); all triangles where the corner lies on the border."""

# --- The ring ---

SIDE = 7  # circles along a sector
CENTRE = 3
CIRCLES = COLOURS * SIDE
PATTERN = (-2, 2, 0, 0, 0, -1, 1)
"""Colours of a side, as steps from its own. The three in the middle are the booklet's; the
four others are reconstructed: every colour three times at home and four times abroad, never
on the opposite side."""
CIRCLE_COLOUR: NDArray[np.int64] = np.array(
    [(side + step) % COLOURS for side in range(COLOURS) for step in PATTERN]
)
OUTSIDE: NDArray[np.int64] = np.array(
    [triangle(side, ROWS - 1, place) for side in range(COLOURS) for place in range(SIDE)]
)
"""The triangle that each circle touches."""

# --- Dice ---

SIX = 6
DICE: NDArray[np.int64] = np.array([(h, low) for h in range(1, 7) for low in range(1, h + 1)])
"""The outcomes of two dice, the larger number first: shape (21, 2)."""
ROLLS = len(DICE)
ROLL_WEIGHTS: NDArray[np.int32] = np.where(DICE[:, 0] == DICE[:, 1], 1, 2).astype(np.int32)
"""In how many of 36 throws each comes."""
TICKETS: NDArray[np.int64] = np.repeat(np.arange(ROLLS), ROLL_WEIGHTS)
"""Which outcome each of the 36 throws is, in the order of `DICE`."""

# --- Actions of players ---

LONGEST = 2 * SIX

ACTIONS = Actions()
SPOT = ACTIONS.add("spot", TRIANGLES)  # for a marker, or a unit in the set-up
CIRCLE = ACTIONS.add("circle", CIRCLES)
MOVE_ARMY = ACTIONS.add("move", COLOURS)
SUPPLY_ARMY = ACTIONS.add("supply", COLOURS)
ROLL = ACTIONS.add("roll")
STOP = ACTIONS.add("stop")
ATTACK = ACTIONS.add("attack", TRIANGLES, WAYS)  # from a triangle, along a way
GO = ACTIONS.add("go", TRIANGLES, WAYS)
COUNT = ACTIONS.add("count", range(1, UNITS + 1))  # of units
OUT = ACTIONS.add("out", POOLS)  # a whirlpool
PAWN = ACTIONS.add("pawn", range(1, LONGEST + 1))  # a distance
TAKE = ACTIONS.add("take")
BANK = ACTIONS.add("bank")
LEAVE = ACTIONS.add("leave")

# --- Actions of chance ---

COLOUR = ACTIONS.add("colour", COLOURS)
OPEN = ACTIONS.add("open")
ROLLED = ACTIONS.add("rolled", ROLLS)
PASS = ACTIONS.add("pass")

NUM_ACTIONS = len(ACTIONS)
kind_of, argument = ACTIONS.rules()
attack_along, go_along, count_of, pawn_by = map(ACTIONS.packer, ("attack", "go", "count", "pawn"))

MAX_LEGAL = TRIANGLES * WAYS + 2
MAX_CHANCE = TRIANGLES

# --- Names ---

TRIANGLE_NAME = re.compile(r"([roygbp])([1-9][0-9]?)")


def triangle_name(number: int) -> str:
    """Return a triangle as people write it, such as ``r5``."""
    return f"{LETTERS[number // BASE]}{number % BASE + 1}"


def _number(name: str, size: int, wrong: str) -> int:
    match = TRIANGLE_NAME.fullmatch(name)
    if not match or int(match[2]) > size:
        raise Worded(wrong, name=f"{name[:20]!r}", most=size)
    return size * LETTERS.index(match[1]) + int(match[2]) - 1


def triangle_number(name: str) -> int:
    """Return the number of a triangle; raise TianxiaError if there is none of that name."""
    return _number(name, BASE, N_("{name} is not a triangle; they are r1 to r{most}, … p{most}"))


def circle_name(number: int) -> str:
    """Return a circle of the ring as people write it, such as ``r4``."""
    return f"{LETTERS[number // SIDE]}{number % SIDE + 1}"


def circle_number(name: str) -> int:
    """Return the number of a circle; raise TianxiaError if there is none of that name."""
    return _number(name, SIDE, N_("{name} is not a circle; they are r1 to r{most}, … p{most}"))
