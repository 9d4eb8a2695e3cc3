"""Who walks with a raider: a guard that its escort takes stops nobody."""

from __future__ import annotations

from tianxia.games.stratego.bot.evidence import distance
from tianxia.games.stratego.rules.answers import TIE, WIN, remains
from tianxia.games.stratego.rules.components import BOMB, SLOTS
from tianxia.kernel.jit import rule

ESCORT_STEPS = 2
"""How many steps from a raider its escort goes."""


@rule
def taken(state, raider, rank):
    """Return how likely a guard of a rank falls to a known piece that goes with a raider.

    Where both fall the raider is free, too, but who would lose as much may not dare: a half.
    What nobody has seen yet is no escort: almost every piece would have one.
    """
    square = int(state.square[raider]) - 1
    side = raider // SLOTS
    most = 0.0
    for piece in range(side * SLOTS, side * SLOTS + SLOTS):
        known = int(state.rank[piece])
        if piece == raider or state.square[piece] == 0 or not 0 < known < BOMB:
            continue
        if distance(square, int(state.square[piece]) - 1) <= ESCORT_STEPS:
            outcome = remains(known, rank)
            most = max(most, 1.0 if outcome == WIN else 0.5 if outcome == TIE else 0.0)
    return most
