"""A raider and a guard on a board where all else stands still: who wins, solved exactly.

The raider moves, then the guard, and so on; where the raider wins follows from the end
backwards (`solve_chase`), for all squares of both at once. A raider is taken as soon as it is
beside a piece of ours that stops it, and has won when it is on our Flag.

Squares are *cells* here: those of a board with an edge around it, 12 by 12, so that
neighbours are at fixed distances and whole rows can be worked on at a time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.rules.components import RANKS, SIDE, SQUARES
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.jit import rule

WIDTH = SIDE + 2
CELLS = WIDTH * WIDTH
BESIDE = (1, -1, WIDTH, -WIDTH)
FARTHEST = 12
"""Raiders that need more moves are not looked at."""
MOST_RUNS = 4
"""The same for those that run: in so many moves they are everywhere."""
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
    threats, left, thin
        By cell: how likely a raider stands there; how likely one that the best guard does not
        stop, and the second best.
    taken
        By rank and cell: how likely a guard of ours falls to whoever goes with that raider.
    stops, covers
        By rank of ours: whether it stops the raiders; whether it does so where it stands.
    raiders
        Pieces of theirs that are looked at one by one.
    clear, line, reached
        By cell: 1 where a Scout can pass; where it can begin a run along one way, and along any.
    """

    open_: Cells
    covered: NDArray[np.int8]
    free: Cells
    steps: NDArray[np.int64]
    lost: Cells
    safe: Cells
    threats: NDArray[np.float64]
    left: NDArray[np.float64]
    thin: NDArray[np.float64]
    taken: NDArray[np.float64]
    stops: NDArray[np.bool_]
    covers: NDArray[np.bool_]
    raiders: NDArray[np.int64]
    clear: Cells
    line: Cells
    reached: Cells


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
        thin=np.zeros(CELLS),
        taken=np.zeros((RANKS, CELLS)),
        stops=np.zeros(RANKS, np.bool_),
        covers=np.zeros(RANKS, np.bool_),
        raiders=np.zeros(MOST_OTHERS, np.int64),
        clear=np.zeros(CELLS, np.uint8),
        line=np.zeros(CELLS, np.uint8),
        reached=np.zeros(CELLS, np.uint8),
    )


@rule
def cover(chase, cell, change):
    """Count a guard's neighbouring cells, or count them no more."""
    for way in BESIDE:
        chase.covered[cell + way] += change


# --- How far it is, if no piece of ours moves ---


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
def run_home(chase, home):
    """Write the same for raiders that run."""
    chase.steps[:] = 0
    chase.safe[:] = 0
    chase.safe[home] = 1
    copy_into(chase.clear, chase.free)
    for moves in range(1, MOST_RUNS + 1):
        run(chase)
        for cell in range(CELLS):
            if chase.reached[cell] != 0 and chase.steps[cell] == 0:
                chase.steps[cell] = moves
                chase.safe[cell] = chase.free[cell] & (chase.covered[cell] == 0)


@rule
def run(chase):
    """Write `reached`: from where a run ends on a cell that is safe, over those that are clear."""
    safe, clear, line, reached = chase.safe, chase.clear, chase.line, chase.reached
    reached[:] = 0
    for way in BESIDE:
        line[:] = 0
        for i in range(CELLS - 2 * WIDTH):
            cell = CELLS - WIDTH - 1 - i if way > 0 else WIDTH + i  # from where runs end
            line[cell] = safe[cell + way] | (clear[cell + way] & line[cell + way])
            reached[cell] |= line[cell]


# --- Who wins, if a guard does ---


@rule
def solve_chase(chase, home, runs):
    """Write `lost`: who wins a chase, by the cells of the guard and of the raider to move.

    `runs` says whether the raider runs like a Scout, or takes single steps.
    """
    chase.lost[:] = 0
    if not runs:
        for guard in range(WIDTH, CELLS - WIDTH):
            for way in BESIDE:
                chase.lost[guard, home + way] = 1
    for _ in range(MOST_RUNS if runs else FARTHEST):
        changed = False
        for guard in range(WIDTH, CELLS - WIDTH):
            if chase.free[guard] != 0:
                find_safe(chase, guard)
                if runs:
                    come_running(chase, guard, home)
                else:
                    come_walking(chase)
                changed |= note_lost(chase, guard)
        if not changed:
            return


@rule
def find_safe(chase, guard):
    """Write where a raider can go, and win whatever the guard does then."""
    safe, lost = chase.safe, chase.lost
    for cell in range(CELLS):
        safe[cell] = lost[guard, cell] & chase.open_[cell] & (chase.covered[cell] == 0)
    for way in BESIDE:
        if chase.free[guard + way] != 0:
            for cell in range(CELLS):
                safe[cell] &= lost[guard + way, cell]
    safe[guard] = 0
    for way in BESIDE:
        safe[guard + way] = 0


@rule
def come_walking(chase):
    """Write from where a step leads to a cell that is safe."""
    safe = chase.safe
    for cell in range(WIDTH, CELLS - WIDTH):
        beside = safe[cell - 1] | safe[cell + 1]
        chase.reached[cell] = beside | safe[cell - WIDTH] | safe[cell + WIDTH]


@rule
def come_running(chase, guard, home):
    """Write from where a run leads to our Flag, or to an empty cell that is safe."""
    for cell in range(CELLS):
        chase.clear[cell] = chase.free[cell]
        chase.safe[cell] &= chase.free[cell]
    chase.clear[guard] = 0
    chase.safe[home] = 1
    run(chase)


@rule
def note_lost(chase, guard):
    """Add the cells that were reached to those that win; say whether some are new."""
    changed = False
    for cell in range(WIDTH, CELLS - WIDTH):
        if chase.reached[cell] > chase.lost[guard, cell]:
            chase.lost[guard, cell] = 1
            changed = True
    return changed
