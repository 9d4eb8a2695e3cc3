"""Two players: kept cards and influence (CHI-69 to 71)."""

from __future__ import annotations

from tianxia.games.china.rules.components import COLOURS
from tianxia.games.china.rules.state import KEEP_ALL
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import pour


@rule
def colours_played(state):
    """Return how many colours were played in this turn."""
    count = 0
    for colour in range(COLOURS):
        count += int(state.played[colour] > 0)
    return count


@rule
def keep(state, colour):
    """Keep a card that was played, and see who has the influence of its colour now."""
    seat = int(state.active)
    state.played[colour] -= 1
    state.kept[seat, colour] += 1
    if state.influence[colour] == 0 or state.kept[seat, colour] >= state.kept[1 - seat, colour]:
        state.influence[colour] = seat + 1


@rule
def keep_without_asking(state):
    """Keep all cards played, or the only colour, where that is the rule; else return False."""
    if state.options.keep == KEEP_ALL:
        for colour in range(COLOURS):
            while state.played[colour] > 0:
                keep(state, colour)
        return True
    if colours_played(state) > 1:
        return False
    for colour in range(COLOURS):
        if state.played[colour] > 0:
            keep(state, colour)
    pour(state.played, state.discard)
    return True
