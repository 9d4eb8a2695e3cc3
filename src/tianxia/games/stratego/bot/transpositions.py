"""What a search has found out: the scores of positions, and which moves refute others.

The same position comes about in many orders of moves. Its key is a Zobrist key: numbers for
each piece, hidden or known, on its square, for who moves, for the world and for the score so
far, since what was risked on the way there counts, too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.rules.components import PIECES, SQUARES
from tianxia.kernel.jit import rule

ENTRIES = 1 << 16
KEY, VALUE, DEPTH_SEEN, BOUND, REPLY = range(5)
"""Columns of an entry: the position, what it is worth to whoever moves, how far it was looked into,
what the score says, and the best move."""
PROVEN, AT_LEAST, AT_MOST = range(3)
"""What a score says: bounds where the search had seen enough."""
SITUATION = 2 * PIECES
"""The row of numbers for who moves, and after these two for the world."""
TOTAL_BITS = 24
PASSING = PIECES
"""The row of `refuted` for waiting."""


class Found(NamedTuple):
    """What a search has found out.

    Attributes
    ----------
    numbers
        By twice the piece, and 1 more where it is hidden, and square.
    entries
        What is known of positions: see `KEY`.
    refuted
        By piece and square: how often, and how far from the end, a step there refuted something.
    """

    numbers: NDArray[np.int64]
    entries: NDArray[np.int64]
    refuted: NDArray[np.int64]


def make_found() -> Found:
    """Return memory for what is found out."""
    rng = np.random.default_rng(5)
    return Found(
        numbers=rng.integers(1, 1 << 62, (SITUATION + 1, SQUARES)),
        entries=np.zeros((ENTRIES, REPLY + 1), np.int64),
        refuted=np.zeros((PIECES + 1, SQUARES), np.int64),
    )


@rule
def forget(found):
    """Begin a search: nothing is known."""
    found.entries[:] = 0
    found.refuted[:] = 0


@rule
def key_of(found, where, hidden, seat, world, total):
    """Return the key of a position."""
    key = (
        found.numbers[SITUATION, seat] ^ found.numbers[SITUATION, 2 + world] ^ (total << TOTAL_BITS)
    )
    for piece in range(PIECES):
        if where[piece] >= 0:
            key ^= found.numbers[2 * piece + hidden[piece], where[piece]]
    return key


@rule
def place_of(key):
    """Return which entry is a position's, or another one's that has taken its place."""
    return key & (ENTRIES - 1)


@rule
def decides(entry, key, depth, alpha, beta):
    """Say whether an entry tells what a search to a depth between two bounds would find."""
    if entry[KEY] != key or entry[DEPTH_SEEN] != depth:
        return False
    bound, score = entry[BOUND], entry[VALUE]
    return bound == PROVEN or (score >= beta if bound == AT_LEAST else score <= alpha)


@rule
def note(entry, key, score, depth, bound, move):
    """Note what was found out about a position."""
    entry[KEY], entry[VALUE], entry[DEPTH_SEEN] = key, score, depth
    entry[BOUND], entry[REPLY] = bound, move


@rule
def note_refutation(found, piece, square, depth):
    """Note that a step refuted what came before it: it is tried early from now on."""
    found.refuted[piece, square] += depth * depth
