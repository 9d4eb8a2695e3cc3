"""Who walks with a raider: a guard that its escort takes stops nobody."""

from __future__ import annotations

from tianxia.games.stratego.bot.evidence import distance
from tianxia.games.stratego.rules.answers import TIE, WIN, remains
from tianxia.games.stratego.rules.components import BOMB, SLOTS
from tianxia.kernel.jit import rule

ESCORT_STEPS, WAITING_STEPS = 2, 3
"""How many steps from a raider its escort goes, and from our Flag it waits for it."""


@rule
def taken(state, raider, rank, home):
    """Return how likely a guard of a rank falls to a known piece that goes with a raider.

    Or to one that waits for it at our Flag. Where both fall the raider is free, too, but who would
    lose as much may not dare: a half. What nobody has seen yet is no escort: almost every piece
    would have one.
    """
    square = int(state.square[raider]) - 1
    side = raider // SLOTS
    most = 0.0
    for piece in range(side * SLOTS, side * SLOTS + SLOTS):
        known = int(state.rank[piece])
        if piece == raider or state.square[piece] == 0 or not 0 < known < BOMB:
            continue
        at = int(state.square[piece]) - 1
        waits = home >= 0 and distance(home, at) <= WAITING_STEPS
        if waits or distance(square, at) <= ESCORT_STEPS:
            outcome = remains(known, rank)
            most = max(most, 1.0 if outcome == WIN else 0.5 if outcome == TIE else 0.0)
    return most
