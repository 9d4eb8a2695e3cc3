"""Who can still stop a raider on its way to our Flag: a chase, solved exactly.

The search looks a few moves ahead, a Miner that walks along the edge of the board needs ten.
So that walk is looked at by itself. The raider moves, then one guard of ours, and so on, while
all other pieces stay where they are; where the raider wins follows from the end backwards
(`solve_chase`), for all squares of both at once. A raider is taken as soon as it is beside a
piece of ours that stops it, and has won when it is on our Flag.

Miners pass our Bombs, and whoever is no weaker stops them. Where a way to our Flag is open to
all, the nearest others are looked at too, each with those of ours that probably stop it.

Squares are *cells* here: those of a board with an edge around it, 12 by 12, so that
neighbours are at fixed distances and whole rows can be worked on at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.components import (
    BOMB,
    FIRST_MOVE,
    FLAG,
    LAKES,
    MINER,
    RANKS,
    SIDE,
    SLOTS,
    SQUARES,
    TARGET,
    WAYS,
)
from tianxia.games.stratego.evidence import distance
from tianxia.games.stratego.rules import LOSS, remains
from tianxia.games.stratego.state import MOVED
from tianxia.games.stratego.tactics import STEP
from tianxia.kernel.jit import rule

WIDTH = SIDE + 2
CELLS = WIDTH * WIDTH
BESIDE = (1, -1, WIDTH, -WIDTH)
GUARDS = 6
"""How many guards are tried, those nearest to our Flag first."""
FARTHEST = 12
"""Raiders that need more moves are not looked at."""
FADE = 0.85
"""What is left of a threat for each move that the raider still has to make: it may want
something else."""
UNLIKELY = 0.05
STOPPING = 0.5
"""How likely a rank has to stop a piece that we do not know to count as a guard against it."""
MOST_OTHERS = 3
"""How many raiders are looked at besides Miners."""
CELL = np.array([(square // SIDE + 1) * WIDTH + square % SIDE + 1 for square in range(SQUARES)])
"""The cell of each square."""

Cells = NDArray[np.uint8]


class Chase(NamedTuple):
    """Room for a chase.

    Attributes
    ----------
    open_
        By cell: 1 where a raider can go.
    covered
        By cell: how many pieces of ours take a raider there.
    free
        By cell: 1 where a guard can go.
    steps
        By cell: moves that a raider needs to our Flag if we do nothing, 0 where it cannot come.
    lost
        By the guard's cell and the raider's, who moves next: 1 where the raider gets there.
    safe
        By cell: 1 where a raider can go and the guard cannot prevent it from winning.
    threats, left
        By cell: how likely a raider stands there; the same without those that are stopped.
    stops
        By rank of ours: whether it stops the raiders.
    raiders
        Pieces of theirs that are looked at one by one.
    """

    open_: Cells
    covered: NDArray[np.int8]
    free: Cells
    steps: NDArray[np.int64]
    lost: Cells
    safe: Cells
    threats: NDArray[np.float64]
    left: NDArray[np.float64]
    stops: NDArray[np.bool_]
    raiders: NDArray[np.int64]


def make_chase() -> Chase:
    """Return room for chases."""
    return Chase(
        open_=np.zeros(CELLS, np.uint8),
        covered=np.zeros(CELLS, np.int8),
        free=np.zeros(CELLS, np.uint8),
        steps=np.zeros(CELLS, np.int64),
        lost=np.zeros((CELLS, CELLS), np.uint8),
        safe=np.zeros(CELLS, np.uint8),
        threats=np.zeros(CELLS),
        left=np.zeros(CELLS),
        stops=np.zeros(RANKS, np.bool_),
        raiders=np.zeros(MOST_OTHERS, np.int64),
    )


@rule
def lay_out(state, seat, origin, target, passes_bombs, chase):
    """Write where raiders and guards can go once our piece has gone from origin to target."""
    stops = chase.stops
    chase.open_[:] = 0
    chase.free[:] = 0
    chase.covered[:] = 0
    moved = int(state.board[origin]) - 1
    for square in range(SQUARES):
        piece = int(state.board[square]) - 1
        if square == origin:
            piece = -1
        elif square == target and (piece < 0 or stops[int(state.rank[moved])]):
            piece = moved  # who attacks and is too weak may be gone instead
        cell = CELL[square]
        rank = int(state.rank[piece]) if piece >= 0 and piece // SLOTS == seat else 0
        closed = rank == FLAG or (rank == BOMB and not passes_bombs)
        chase.free[cell] = 1 if piece < 0 else 0
        chase.open_[cell] = 0 if closed or stops[rank] else 1
        if stops[rank]:
            cover(chase, cell, 1)
    for lake in LAKES:
        chase.open_[CELL[lake]] = 0
        chase.free[CELL[lake]] = 0


@rule
def cover(chase, cell, change):
    """Count a guard's neighbouring cells, or count them no more."""
    for way in BESIDE:
        chase.covered[cell + way] += change


@rule
def walk_home(chase, home):
    """Write how many moves a raider needs to our Flag from each cell, if no piece moves."""
    chase.steps[:] = 0
    for way in BESIDE:
        if chase.open_[home + way] != 0:
            chase.steps[home + way] = 1
    for reached in range(1, FARTHEST):
        for cell in range(WIDTH, CELLS - WIDTH):
            if chase.steps[cell] != reached or chase.covered[cell] != 0:
                continue  # who goes there is taken, so nobody comes from further by it
            for way in BESIDE:
                if chase.steps[cell + way] == 0 and chase.open_[cell + way] != 0:
                    chase.steps[cell + way] = reached + 1


@rule
def solve_chase(chase, home):
    """Write `lost`: who wins a chase, by the cells of the guard and of the raider to move."""
    lost, safe = chase.lost, chase.safe
    lost[:] = 0
    for guard in range(WIDTH, CELLS - WIDTH):
        for way in BESIDE:
            lost[guard, home + way] = 1
    for _ in range(FARTHEST):
        changed = False
        for guard in range(WIDTH, CELLS - WIDTH):
            if chase.free[guard] == 0:
                continue
            for cell in range(CELLS):
                safe[cell] = lost[guard, cell] & chase.open_[cell] & (chase.covered[cell] == 0)
            for way in BESIDE:
                if chase.free[guard + way] != 0:
                    for cell in range(CELLS):
                        safe[cell] &= lost[guard + way, cell]
            safe[guard] = 0
            for way in BESIDE:
                safe[guard + way] = 0
            for cell in range(WIDTH, CELLS - WIDTH):
                reached = safe[cell - 1] | safe[cell + 1] | safe[cell - WIDTH] | safe[cell + WIDTH]
                if reached > lost[guard, cell]:
                    lost[guard, cell] = 1
                    changed = True
        if not changed:
            return


@rule
def miners_of(state, seat, chances, threats):
    """Write by cell how likely a Miner of theirs stands there; return how many there may be."""
    threats[:] = 0.0
    count = 0
    for piece in range((1 - seat) * SLOTS, (1 - seat) * SLOTS + SLOTS):
        if state.square[piece] != 0 and chances[piece, MINER] > UNLIKELY:
            threats[CELL[int(state.square[piece]) - 1]] = chances[piece, MINER]
            count += 1
    return count


@rule
def is_open(state, seat, home):
    """Say whether more than Miners may come beside our Flag."""
    for way in range(4):
        near = STEP[home, way]
        if near >= 0:
            piece = int(state.board[near]) - 1
            if piece < 0 or piece // SLOTS != seat or state.rank[piece] != BOMB:
                return True
    return False


@rule
def others_of(state, seat, chances, home, raiders):
    """Write the most dangerous pieces of theirs besides Miners; return how many."""
    count = 0
    while count < MOST_OTHERS:
        best, most = -1, UNLIKELY
        for piece in range((1 - seat) * SLOTS, (1 - seat) * SLOTS + SLOTS):
            if state.square[piece] == 0 or int(state.marks[piece]) & MOVED == 0:
                continue
            chance = 1.0 - chances[piece, MINER]
            weight = chance * FADE ** distance(int(state.square[piece]) - 1, home)
            if weight > most and not listed(raiders, count, piece):
                best, most = piece, weight
        if best < 0:
            return count
        raiders[count] = best
        count += 1
    return count


@rule
def listed(pieces, count, piece):
    """Say whether a piece is among the first so many."""
    for i in range(count):
        if pieces[i] == piece:
            return True
    return False


@rule
def stop_miners(stops):
    """Write which ranks of ours stop a Miner."""
    for rank in range(RANKS):
        stops[rank] = MINER <= rank < BOMB


@rule
def stop_other(chances, piece, stops):
    """Write which ranks of ours probably stop a piece that is no Miner."""
    stops[:] = False
    movable = 1e-9
    for other in range(1, BOMB):
        movable += chances[piece, other] if other != MINER else 0.0
    for rank in range(1, BOMB):
        stopped = 0.0
        for other in range(1, BOMB):
            if other != MINER and remains(rank, other) != LOSS:
                stopped += chances[piece, other]
        stops[rank] = stopped / movable >= STOPPING


@rule
def worst(chase, threats):
    """Return how pressing the worst of the raiders is, where nobody stops it: from 0 to 1.

    Its chance squared: nearly every piece that moves may be a Miner, and a guard that is kept
    at home against all of them is missed elsewhere.
    """
    found = 0.0
    for cell in range(CELLS):
        if threats[cell] > 0.0 and chase.steps[cell] > 0:
            found = max(found, threats[cell] ** 2 * FADE ** (chase.steps[cell] - 1))
    return found


@rule
def unguarded(state, seat, origin, target, home, passes_bombs, chase):
    """Return how pressing the raids on our Flag are that no guard can stop after a move of ours.

    The raiders are those of `chase.threats`, the guards those of `chase.stops`.
    """
    left, stops = chase.left, chase.stops
    lay_out(state, seat, origin, target, passes_bombs, chase)
    walk_home(chase, CELL[home])
    left[:] = chase.threats
    if stops[int(state.rank[int(state.board[origin]) - 1])]:
        left[CELL[target]] = 0.0  # taken, if it stood there
    danger = worst(chase, left)
    nearest = -1
    for _ in range(GUARDS):
        if danger == 0.0:
            break
        nearest = next_guard(state, seat, home, stops, nearest)
        if nearest < 0:
            break
        piece = nearest % SLOTS + seat * SLOTS
        square = int(state.square[piece]) - 1
        stands = CELL[target if square == origin else square]
        cover(chase, stands, -1)  # it goes about now
        chase.free[stands] = chase.open_[stands] = 1
        solve_chase(chase, CELL[home])
        for cell in range(CELLS):
            if chase.lost[stands, cell] == 0:
                left[cell] = 0.0
        cover(chase, stands, 1)
        chase.free[stands] = chase.open_[stands] = 0
        danger = worst(chase, left)
    return danger


@rule
def next_guard(state, seat, home, stops, before):
    """Return the guard that is next nearest to our Flag, as distance · 40 + slot, or -1."""
    best = -1
    for slot in range(SLOTS):
        piece = seat * SLOTS + slot
        if state.square[piece] == 0 or not stops[int(state.rank[piece])]:
            continue
        key = distance(int(state.square[piece]) - 1, home) * SLOTS + slot
        if key > before and (best < 0 or key < best):
            best = key
    return best


@rule
def try_moves(state, seat, legal, count, home, passes_bombs, chase, out):
    """Raise `out` to what the raiders of `chase.threats` threaten after each move."""
    for i in range(count):
        number = legal[i] - FIRST_MOVE
        origin, target = number // WAYS, int(TARGET[number])
        out[i] = max(out[i], unguarded(state, seat, origin, target, home, passes_bombs, chase))


@rule
def watch_flag(state, seat, chances, legal, count, home, chase, out):
    """Write how pressing the raids on our Flag are that no guard can stop after each legal move."""
    out[:count] = 0.0
    if home < 0:
        return
    if miners_of(state, seat, chances, chase.threats) > 0:
        stop_miners(chase.stops)
        try_moves(state, seat, legal, count, home, True, chase, out)
    if not is_open(state, seat, home):
        return
    for i in range(others_of(state, seat, chances, home, chase.raiders)):
        raider = chase.raiders[i]
        chase.threats[:] = 0.0
        chase.threats[CELL[int(state.square[raider]) - 1]] = 1.0 - chances[raider, MINER]
        stop_other(chances, raider, chase.stops)
        try_moves(state, seat, legal, count, home, False, chase, out)
