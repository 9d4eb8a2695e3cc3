"""The rows of point cards: slide towards the pawns, refill from the piles (FBL-40 to 44)."""

from __future__ import annotations

from tianxia.games.firebulls.rules.components import GENERAL, PILES, PLACES
from tianxia.games.firebulls.rules.state import ASIDE
from tianxia.kernel.jit import rule


@rule
def can_slide(state):
    """Say whether a card has an empty place before it."""
    for place in range(PILES, PLACES):
        if state.rows[place] != 0 and state.rows[place - PILES] == 0:
            return True
    return False


@rule
def slide(state):
    """Move all cards towards the pawns."""
    for row in range(PILES):
        free = row
        for place in range(row, PLACES, PILES):
            if state.rows[place] != 0:
                kind = int(state.rows[place])
                state.rows[place] = 0
                state.rows[free] = kind
                free += PILES


@rule
def next_gap(state):
    """Return the place that is filled next, row by row and nearest first; −1 if none can be."""
    for row in range(PILES):
        if state.piles[row] > 0:
            for place in range(row, PLACES, PILES):
                if state.rows[place] == 0:
                    return place
    return -1


@rule
def reveal(state, kind):
    """Turn a card of the pile whose row has the next gap; the General goes aside (FBL-44)."""
    place = next_gap(state)
    state.piles[place % PILES] -= 1
    state.unseen[kind] -= 1
    if kind == GENERAL:
        state.general = ASIDE
    else:
        state.rows[place] = kind + 1
