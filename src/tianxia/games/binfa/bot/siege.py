"""How near an army is to taking a pile: distances, and what a siege of it costs.

A *siege* closes every side of a pile that belongs to others: each gap gets two units from
a pile that can spare them. Its cost is a number of displacements, estimated from the
distances of the piles to the gaps. A lone unit (BIN-11a), or a pile beside a whirlpool
(BIN-43a), has to be attacked besides; a pile beside one of its own colour is never
encircled (BIN-11c) but can be driven away by a taller one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.moving import open_half
from tianxia.games.binfa.rules.piles import contains
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

FAR = 99
MOST_PILES = 8
"""Piles of an army that are looked at, from the first triangle on."""
AROUND = 4
"""Displacements from one side of a pile to the next, round their common corner."""
MOST_ROLLS = 20
DEAREST = 30
"""Sieges that cost more are not looked at."""

ENCIRCLE, BY_DICE, DRIVE, NEVER = range(4)
"""How a pile may be taken."""


def _odds() -> NDArray[np.float64]:
    """Return how likely a turn is to give so many displacements: by rolls, by number.

    A double ends the turn; every other roll gives the difference of the dice.
    """
    odds = np.zeros((MOST_ROLLS + 1, DEAREST + 1))
    odds[:, 0] = 1
    for rolls in range(1, MOST_ROLLS + 1):
        for wanted in range(1, DEAREST + 1):
            for moves in range(1, c.SIX):
                left = max(wanted - moves, 0)
                odds[rolls, wanted] += 2 * (c.SIX - moves) / c.SIX**2 * odds[rolls - 1, left]
    return odds


ODDS = _odds()
"""Shape (rolls, displacements)."""
HIT, MISS = 11 / 36, 20 / 36
"""Of an attack: a six on either die; neither a six nor a double."""
HITS: NDArray[np.float64] = HIT * np.array(
    [(1 - MISS**rolls) / (1 - MISS) for rolls in range(MOST_ROLLS + 1)]
)
"""How likely so many attacks in a row are to bring a six before a double ends the turn."""


@rule
def flood(low, high, start, row):
    """Write the distance of every triangle from one, over the open triangles of two halves."""
    for t in range(c.TRIANGLES):
        row[t] = FAR
    fresh_low, fresh_high = 0, 0
    if start < c.HALF:
        fresh_low = c.BIT_OF[start]
    else:
        fresh_high = c.BIT_OF[start]
    distance = 0
    while fresh_low != 0 or fresh_high != 0:
        low &= ~fresh_low
        high &= ~fresh_high
        next_low, next_high = 0, 0
        while fresh_low != 0:
            here = lowest(fresh_low)
            fresh_low &= fresh_low - 1
            row[here] = distance
            next_low |= c.BESIDE[here, 0]
            next_high |= c.BESIDE[here, 1]
        while fresh_high != 0:
            here = c.HALF + lowest(fresh_high)
            fresh_high &= fresh_high - 1
            row[here] = distance
            next_low |= c.BESIDE[here, 0]
            next_high |= c.BESIDE[here, 1]
        fresh_low = next_low & low
        fresh_high = next_high & high
        distance += 1


@rule
def muster(state, army, camp, ways, open_):
    """Note an army's piles of two or more units, and their distances; return how many.

    `ways` has a row of distances for each triangle from which they were asked for last, `open_`
    the open triangles (two halves) for which it was made: mostly it still holds.
    """
    low, high = open_half(state, army, 0), open_half(state, army, 1)
    count = 0
    for half in range(2):
        piles = int(state.held[army, half]) & int(state.tall[half])
        while piles != 0 and count < MOST_PILES:
            t = half * c.HALF + lowest(piles)
            piles &= piles - 1
            camp[count] = t
            if open_[t, 0] != low or open_[t, 1] != high:
                open_[t, 0], open_[t, 1] = low, high
                flood(low, high, t, ways[t])
            count += 1
    return count


@rule
def is_tall(state, t):
    return int(state.tall[c.HALF_OF[t]]) & c.BIT_OF[t] != 0


@rule
def way_to_take(state, t):
    """Say how a pile may be taken: by encirclement, or with the dice, or by driving it off."""
    kind = ENCIRCLE if state.height[t] > 1 else BY_DICE
    for way in range(c.WAYS):
        other = c.NEIGHBOURS[t, way]
        if other < 0:
            continue
        if contains(state.pools, other):
            kind = BY_DICE
        elif is_tall(state, other) and state.top[other] == state.top[t]:
            return DRIVE
    return kind


@rule
def siege_cost(state, t, count, camp, ways, spare):
    """Estimate the displacements in which `count` mustered piles close in on a pile.

    The gap that is hardest to reach is filled first, each from the nearest pile that can
    spare two units; a second gap filled from the same pile shares a part of the way.
    """
    gap_0, gap_1, gap_2 = gaps_around(state, t, count, camp, spare)
    cost = 0
    last = -1  # the pile that filled a gap, and how far it went
    went = 0
    while gap_0 >= 0:
        far, chosen, place = -1, -1, 0
        for g in range(c.WAYS):
            gap = gap_0 if g == 0 else (gap_1 if g == 1 else gap_2)
            near, source = nearest(gap, count, camp, ways, spare) if gap >= 0 else (-1, -1)
            if near > far:
                far, chosen, place = near, source, g
        if far >= FAR:
            return FAR
        cost += min(far, max((far - went + AROUND + 1) // 2, 1)) if chosen == last else far
        last, went = chosen, far
        spare[chosen] -= 2
        if place == 0:
            gap_0 = gap_1
        if place < 2:
            gap_1 = gap_2
        gap_2 = -1
    return cost


@rule
def gaps_around(state, t, count, camp, spare):
    """Return the triangles beside a pile, −1 for none, that nobody's pile closes yet.

    Into `spare` comes the height of each mustered pile, without the units that close one.
    """
    gap_0, gap_1, gap_2 = -1, -1, -1
    for i in range(count):
        spare[i] = int(state.height[camp[i]])
    for way in range(c.WAYS):
        other = c.NEIGHBOURS[t, way]
        if other < 0 or contains(state.terrain, other) or contains(state.pools, other):
            continue
        if is_tall(state, other):
            for i in range(count):
                if camp[i] == other:
                    spare[i] -= 2
        elif gap_0 < 0:
            gap_0 = other
        elif gap_1 < 0:
            gap_1 = other
        else:
            gap_2 = other
    return gap_0, gap_1, gap_2


@rule
def nearest(gap, count, camp, ways, spare):
    """Return the distance of the nearest pile that can spare two units, and its number."""
    best, source = FAR, -1
    for i in range(count):
        if spare[i] > 1 and ways[camp[i], gap] < best:
            best, source = ways[camp[i], gap], i
    return best, source


@rule
def tallest(state, count, camp):
    """Return the height of the tallest of the mustered piles."""
    best = 0
    for i in range(count):
        best = max(best, int(state.height[camp[i]]))
    return best


@rule
def drive_cost(state, t, count, camp, ways):
    """Return the displacements that bring a taller pile beside one."""
    best = FAR
    for i in range(count):
        if state.height[camp[i]] <= state.height[t]:
            continue
        for way in range(c.WAYS):
            other = c.NEIGHBOURS[t, way]
            if other >= 0:
                best = min(best, ways[camp[i], other])
    return best
