"""Set-ups of the best player, and how often each rank stands where in anybody's.

A set-up begins as a drawn pattern of the library, mirrored or not, and is varied by swaps that
keep it sensible (`deployment.faults`), then by swaps that add to its `merit`. `habit` is what is
thought of an unknown army before it has done anything: the patterns of the library and of the
Skirmisher, both ways round, each rank blurred over the squares around its own, and a share of what
any army might be.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.face import deployment
from tianxia.games.stratego.face.deployment import Setup, mirrored
from tianxia.games.stratego.rules.components import (
    BOMB,
    CLASSIC,
    COUNTS,
    FLAG,
    RANKS,
    SIDE,
    SLOTS,
)
from tianxia.kernel.rng import new_rng

USUAL_BLUR = (1.2, 1.5)
BLURS = {BOMB: (1.2, 3.0), FLAG: (0.8, 6.0)}
"""How far a rank may stand from where a pattern has it, in steps (standard deviation), and how
much rarer it stands a row off than a column off; the Flag hardly ever does."""
ANYHOW = 0.6
"""The share of armies that follow no pattern, only habits of rows."""
EVEN_ROWS = (25, 25, 25, 25)
ROWS = (
    EVEN_ROWS,
    (2, 15, 78, 5),
    (18, 19, 21, 42),
    (57, 36, 4, 3),
    (14, 36, 37, 13),
    (7, 27, 35, 31),
    (8, 21, 28, 43),
    (5, 29, 36, 30),
    (2, 6, 67, 25),
    (2, 6, 22, 70),
    (2, 3, 45, 50),
    (45, 27, 18, 10),
    (86, 10, 3, 1),
)
"""How many in a hundred of each rank stand in each row of such an army, from the back: Miners stay
at home, the Spy waits behind those who go ahead. So two programs set up that nobody here had
written for that; both agree, with hardly an exception. Bombs stand in front, too, where strong
pieces run into them: so in most armies of public bots."""
MERITS = (
    (0, 0, 0, 0),
    (-43, -7, 23, -31),
    (0, 0, -3, 3),
    (9, -1, -20, -15),
    (6, 4, -4, -8),
    (-1, 4, 1, -4),
    (3, 3, -4, -1),
    (3, 8, -3, -9),
    (-12, 6, 3, -2),
    (-74, -13, 16, 11),
    (-48, -30, 17, 7),
    (-5, -12, 4, 23),
    (65, 1, -57, -203),
)
"""What a rank is worth in each row, from the back, in thousandths of a game: how 8 000 games with
all kinds of set-ups ended (`bench/setups.py`)."""


@cache
def habit(variant: int) -> NDArray[np.float64]:
    """Return how likely each rank stands on each set-up square: shape (40, ranks).

    Given that there is a piece; columns add up to the counts of the variant.
    """
    drawn = np.zeros((SLOTS, RANKS))
    for pattern in deployment.PATTERNS[variant]:
        for setup in (pattern, mirrored(pattern)):
            for slot, rank in enumerate(setup):
                drawn[slot, rank] += 1
    table = np.zeros((SLOTS, RANKS))
    for rank in range(1, RANKS):
        if COUNTS[variant, rank] == 0:
            continue
        blurred = _kernel(*BLURS.get(rank, USUAL_BLUR)) @ drawn[:, rank]
        usual, loose = blurred / blurred.sum(), _by_row(variant, rank)
        table[:, rank] = COUNTS[variant, rank] * ((1 - ANYHOW) * usual + ANYHOW * loose)
    return np.round(table, 9)


def _kernel(width: float, across: float) -> NDArray[np.float64]:
    """Return how much of a rank on one square counts on another."""
    row, column = np.divmod(np.arange(SLOTS), SIDE)
    steps = across * (row[:, None] - row) ** 2 + (column[:, None] - column) ** 2
    near: NDArray[np.float64] = np.exp(-steps / (2 * width**2))
    return near


def _by_row(variant: int, rank: int) -> NDArray[np.float64]:
    """Return where a rank stands in an army without a pattern; of small ones we know little."""
    rows = ROWS[rank] if variant == CLASSIC or rank >= BOMB else EVEN_ROWS
    return np.repeat(rows, SIDE) / (SIDE * sum(rows))


def camp(variant: int, seed: int, tries: int) -> Setup:
    """Return a set-up of the library, in the large game after so many tries to better it."""
    rng = new_rng(seed)
    setup = deployment.deploy(variant, rng)
    return deployment.varied(setup, rng, tries, merit) if variant == CLASSIC else setup


def merit(setup: Setup) -> int:
    """Return how good a set-up is, in thousandths of a game."""
    return sum(MERITS[rank][slot // SIDE] for slot, rank in enumerate(setup))
