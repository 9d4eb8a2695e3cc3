"""Terrain and whirlpools: where a marker may lie, and what chance prefers."""

from __future__ import annotations

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.piles import contains, pool_count, without
from tianxia.games.binfa.rules.state import RANGES
from tianxia.kernel.bits import count_bits, lowest
from tianxia.kernel.jit import rule

PREFERENCE = 10
"""With `ranges`, how many times likelier a triangle beside exactly one marker is."""


@rule
def terrain_count(state):
    return count_bits(int(state.terrain[0])) + count_bits(int(state.terrain[1]))


@rule
def next_is_pool(state):
    """Say whether all terrain lies already."""
    return terrain_count(state) == state.options.terrain


@rule
def map_complete(state):
    pools = c.POOLS if state.options.level == 4 else 0
    return next_is_pool(state) and pool_count(state) == pools


@rule
def reaches(low, high, start, wanted_low, wanted_high):
    """Say whether one can walk from a triangle to all of a set, over the triangles of another.

    `low`, `high` is where one may walk, `start` and the wanted triangles among them.
    """
    fresh_low, fresh_high = 0, 0
    if start < c.HALF:
        fresh_low = c.BIT_OF[start]
    else:
        fresh_high = c.BIT_OF[start]
    while True:
        low &= ~fresh_low
        high &= ~fresh_high
        if wanted_low & low == 0 and wanted_high & high == 0:
            return True
        if fresh_low == 0 and fresh_high == 0:
            return False
        next_low, next_high = 0, 0
        while fresh_low != 0:
            here = lowest(fresh_low)
            fresh_low &= fresh_low - 1
            next_low |= c.BESIDE[here, 0]
            next_high |= c.BESIDE[here, 1]
        while fresh_high != 0:
            here = c.HALF + lowest(fresh_high)
            fresh_high &= fresh_high - 1
            next_low |= c.BESIDE[here, 0]
            next_high |= c.BESIDE[here, 1]
        fresh_low = next_low & low
        fresh_high = next_high & high


@rule
def open_corners(low, high, t):
    """Count the corners of a triangle round which one can walk from neighbour to neighbour."""
    count = 0
    for way in range(c.WAYS):
        low_part, high_part = c.CORNERS[t, way, 0], c.CORNERS[t, way, 1]
        count += low & low_part == low_part and high & high_part == high_part
    return count


@rule
def cuts_off(state, t):
    """Say whether a marker on a free triangle would leave the open field in pieces.

    The field was in one piece, so only the neighbours have to find to one another. Mostly
    they do round the corners between them: one corner joins two neighbours, two join three.
    """
    low = c.ALL_HALF & ~(int(state.terrain[0]) | int(state.pools[0]))
    high = c.ALL_HALF & ~(int(state.terrain[1]) | int(state.pools[1]))
    near_low, near_high = c.BESIDE[t, 0] & low, c.BESIDE[t, 1] & high
    if open_corners(low, high, t) >= count_bits(near_low) + count_bits(near_high) - 1:
        return False
    low, high = without(low, high, t)
    if near_low != 0:
        return not reaches(low, high, lowest(near_low), near_low, near_high)
    return near_high != 0 and not reaches(low, high, c.HALF + lowest(near_high), 0, near_high)


@rule
def marker_refusal(state, t):
    """Say what forbids the next marker to lie on a triangle."""
    if contains(state.terrain, t) or contains(state.pools, t):
        return because.POOLS_ARE_LAID if next_is_pool(state) else because.TERRAIN_IS_LAID
    return because.NOTHING_CUT_OFF if cuts_off(state, t) else 0


@rule
def marker_weight(state, t):
    """Return how likely chance is to put the next marker on a triangle."""
    if state.options.map != RANGES or next_is_pool(state):
        return 1
    beside = 0
    for way in range(c.WAYS):
        other = c.NEIGHBOURS[t, way]
        beside += other >= 0 and contains(state.terrain, other)
    return PREFERENCE if beside == 1 else 1


@rule
def chance_markers(state, actions, weights):
    count = 0
    for t in range(c.TRIANGLES):
        if marker_refusal(state, t) == 0:
            actions[count] = c.SPOT + t
            weights[count] = marker_weight(state, t)
            count += 1
    return count


@rule
def put_marker(state, t):
    half = c.HALF_OF[t]
    if next_is_pool(state):
        state.pools[half] |= c.BIT_OF[t]
    else:
        state.terrain[half] |= c.BIT_OF[t]
