"""Displacements: what may go where, whirlpools, and whether the rest can still be moved."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.piles import (
    contains,
    count_own,
    foreign_tall,
    is_due,
    pool,
    pool_count,
    pool_index,
    shift,
    touches,
    trim_due,
    unit_below,
    without,
)
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

ENOUGH = 5  # no roll gives more displacements
ORDERS: NDArray[np.int64] = np.array(list(permutations(range(c.POOLS))))


@rule
def open_half(state, army, half):
    """Return the triangles of the field that an army's units may enter (BIN-06, 07a, 22)."""
    shut = int(state.terrain[half]) | int(state.pools[half]) | foreign_tall(state, army, half)
    return c.ALL_HALF & ~shut


@rule
def movable_half(state, army, half):
    """Return where an army's piles stand that may be moved: not those waiting in whirlpools."""
    piles = int(state.held[army, half])
    inside = piles & int(state.pools[half])
    while inside != 0:
        bit = inside & -inside
        if not is_due(state, half * c.HALF + lowest(inside)):
            piles ^= bit
        inside ^= bit
    return piles


# --- Into a whirlpool ---


@rule
def blocked_pool(state, army, t):
    """Say whether two or more units of another colour keep an army out of a whirlpool."""
    return foreign_tall(state, army, c.HALF_OF[t]) & c.BIT_OF[t] != 0


@rule
def exit_refusal(state, origin, entry, count, index):
    """Say what forbids units that enter a whirlpool to come out at another (BIN-38a, R48)."""
    if index >= pool_count(state):
        return because.INTO_A_POOL
    return exit_at_refusal(state, origin, entry, count, pool(state, index))


@rule
def exit_at_refusal(state, origin, entry, count, t):
    """Say the same of a whirlpool by its triangle."""
    if t == entry:
        return because.INTO_A_POOL
    if t == origin:
        return 0 if count == state.height[origin] else because.INTO_A_POOL
    if blocked_pool(state, int(state.army) - 1, t):
        return because.FOREIGN_PILE
    return because.INTO_A_POOL if is_due(state, t) else 0


@rule
def has_exit(state, origin, entry, count):
    """Say whether a whirlpool is open to units that enter one."""
    for half in range(2):
        pools = int(state.pools[half])
        while pools != 0:
            t = half * c.HALF + lowest(pools)
            if exit_at_refusal(state, origin, entry, count, t) == 0:
                return True
            pools &= pools - 1
    return False


@rule
def entry_refusal(state, origin, entry, count):
    if blocked_pool(state, int(state.army) - 1, entry):
        return because.FOREIGN_PILE
    if not has_exit(state, origin, entry, count):
        return because.INTO_A_POOL
    if state.moves > 1 and not can_go_on(state, origin, count):
        return because.ALL_INSIDE_AT_THE_END
    return 0


@rule
def any_entry_refusal(state, origin, entry):
    """Return 0 if some number of a pile's units may enter, else what forbids the first."""
    first = 0
    for count in range(int(state.height[origin]), 0, -1):
        code = entry_refusal(state, origin, entry, count)
        if code == 0:
            return 0
        first = code if first in (0, because.INTO_A_POOL) else first
    return first


@rule
def enterable(state, origin, half):
    """Return the whirlpools of a half that some of a pile's units may enter."""
    found = 0
    beside = c.BESIDE[origin, half] & int(state.pools[half])
    while beside != 0:
        bit = beside & -beside
        if any_entry_refusal(state, origin, half * c.HALF + lowest(beside)) == 0:
            found |= bit
        beside ^= bit
    return found


# --- Whether something can be moved after an entry (BIN-39e) ---


@rule
def units_outside(state, army):
    """Return how many units of an army stand on the field, covered or not."""
    inside = 0
    for index in range(pool_count(state)):
        t = pool(state, index)
        inside += count_own(state, t, army + 1, int(state.height[t]))
    return int(state.strength[army]) - inside


@rule
def stays_outside(state, army, origin, count):
    """Say whether an army has a unit outside after `count` units left for a whirlpool."""
    low, high = without(
        int(state.held[army, 0]) & ~int(state.pools[0]),
        int(state.held[army, 1]) & ~int(state.pools[1]),
        origin,
    )
    if low | high != 0:
        return True
    outside = units_outside(state, army)
    if not contains(state.pools, origin):
        outside -= count_own(state, origin, army + 1, count)
    return outside > 0


@rule
def can_go_on(state, origin, count):
    """Say whether the army can move again after `count` units have left for a whirlpool.

    Some unit must be outside then, and a displacement must be legal that would itself
    pass this test.
    """
    army = int(state.army) - 1
    if not stays_outside(state, army, origin, count):
        return False
    left = 0 if state.height[origin] == count else unit_below(state, origin, count)
    if steps_left(state, army, origin, count, left):
        return True
    return entries_left(state, army, origin, count, left)


@rule
def steps_left(state, army, origin, count, left):
    """Say whether a pile could move to a triangle of the field, once `origin` is left so.

    `left` is 1 + the colour that comes to light there, 0 where nothing stays.
    """
    alone = int(state.height[origin]) - count < 2
    low, high = open_half(state, army, 0), open_half(state, army, 1)
    if not alone and left != army + 1:
        low, high = without(low, high, origin)
    for half in range(2):
        piles = movable_half(state, army, half)
        while piles != 0:
            t = half * c.HALF + lowest(piles)
            piles &= piles - 1
            if t == origin and left != army + 1:
                continue
            if touches(t, low, high):
                return True
    return False


@rule
def entries_left(state, army, origin, count, left):
    """Say whether entries alone can use up the displacements, where no step is left.

    Entries open no steps: whatever they leave was open to the army before. So it only
    matters how many entries can follow one another. Any pile gives one for every unit of
    the army in it, if units enter one by one, each with what it covers. A pile that is due
    keeps others from coming out at its whirlpool until it has left.
    """
    usable = 0
    dues = 0
    for index in range(pool_count(state)):
        t = pool(state, index)
        if t == origin:
            foreign = left != 0 and left != army + 1
            blocked = foreign and int(state.height[t]) - count > 1
        else:
            blocked = blocked_pool(state, army, t)
        if not blocked:
            usable |= 1 << index
        if is_due(state, t):
            dues |= left_there(state, army, t, origin, count, left) << (4 * index)
    reserve = entrants(state, army, origin, count, left)
    return most_entries(dues, usable, links(state), reserve) >= state.moves - 1


@rule
def left_there(state, army, t, origin, count, left):
    """Return how many entries a pile can give after an entry from `origin`."""
    if t != origin:
        return min(count_own(state, t, army + 1, int(state.height[t])), ENOUGH)
    if left != army + 1:
        return 0
    height = int(state.height[t])
    all_own = count_own(state, t, army + 1, height)
    return min(all_own - count_own(state, t, army + 1, count), ENOUGH)


@rule
def pools_beside(state, t):
    """Return the numbers of the whirlpools beside a triangle, as bits."""
    found = 0
    for way in range(c.WAYS):
        other = c.NEIGHBOURS[t, way]
        if other >= 0 and contains(state.pools, other):
            found |= 1 << pool_index(state, other)
    return found


@rule
def links(state):
    """Return which whirlpools lie side by side: three bits for each of them."""
    found = 0
    for index in range(pool_count(state)):
        found |= pools_beside(state, pool(state, index)) << (3 * index)
    return found


@rule
def entrants(state, army, origin, count, left):
    """Return how many entries the piles on the field can give, by the whirlpools beside them.

    Four bits for each set of whirlpools.
    """
    found = 0
    for half in range(2):
        piles = int(state.held[army, half]) & ~int(state.pools[half])
        while piles != 0:
            t = half * c.HALF + lowest(piles)
            piles &= piles - 1
            place = 4 * pools_beside(state, t)
            if place != 0:
                before = found >> place & 15
                more = left_there(state, army, t, origin, count, left)
                found += (min(before + more, ENOUGH) - before) << place
    return found


@rule
def entrants_now(dues, usable, reserve):
    """Return how many entries from the field are possible while these piles are due."""
    total = 0
    for beside in range(1, 1 << c.POOLS):
        for entry in range(c.POOLS):
            for exit_ in range(c.POOLS):
                both = (1 << entry) | (1 << exit_)
                free = entry != exit_ and usable & both == both and dues >> 4 * exit_ & 15 == 0
                if free and beside >> entry & 1 != 0:
                    total |= 1 << beside
    count = 0
    for beside in range(1, 1 << c.POOLS):
        if total >> beside & 1 != 0:
            count += reserve >> 4 * beside & 15
    return count


@rule
def entries_of(dues, usable, linked, index):
    """Return how many entries a due pile can give now: one for each unit, one, or none.

    Wholly it may come out where it was; part by part only at the third whirlpool, which
    must be free.
    """
    units = dues >> 4 * index & 15
    found = 0
    for entry in range(c.POOLS):
        if linked >> 3 * index + entry & 1 == 0 or usable >> entry & 1 == 0:
            continue
        third = c.POOLS - index - entry
        if usable >> third & 1 != 0 and dues >> 4 * third & 15 == 0:
            return units
        found = min(units, 1)
    return found


@rule
def most_entries(dues, usable, linked, reserve):
    """Return how many entries can follow one another at most.

    Piles that are due enter first, in the best order: whoever has left is in nobody's way.
    """
    best = 0
    for order in range(len(ORDERS)):
        left = dues
        total = 0
        for i in range(c.POOLS):
            index = ORDERS[order, i]
            entries = entries_of(left, usable, linked, index)
            if entries > 0:
                total += entries
                left &= ~(15 << 4 * index)
        best = max(best, total + entrants_now(left, usable, reserve))
    return best


# --- What is legal ---


@rule
def pile_refusal(state, t, otherwise):
    """Say why a pile cannot be moved or attack, where it is not the active army's."""
    top = int(state.top[t])
    if top == state.army:
        return 0
    mine = top != 0 and state.owner[top - 1] == state.active + 1
    return because.ONE_ARMY_A_TURN if mine else otherwise


@rule
def step_refusal(state, origin, way):
    """Say what forbids a displacement of some of a pile's units along a way."""
    code = pile_refusal(state, origin, because.ACROSS_A_SIDE)
    if code != 0:
        return code
    inside = contains(state.pools, origin)
    if inside and not is_due(state, origin):
        return because.OUT_ON_THE_NEXT_ROLL
    t = c.NEIGHBOURS[origin, way]
    if t < 0:
        return because.NOT_ACROSS_A_CORNER
    if contains(state.terrain, t):
        return because.TERRAIN_IS_CLOSED
    if contains(state.pools, t):
        return any_entry_refusal(state, origin, t)
    if foreign_tall(state, int(state.army) - 1, c.HALF_OF[t]) & c.BIT_OF[t] != 0:
        return because.OUT_BY_AN_ATTACK if inside else because.FOREIGN_PILE
    return 0


@rule
def legal_steps(state, out):
    army = int(state.army) - 1
    low, high = open_half(state, army, 0), open_half(state, army, 1)
    count = 0
    for half in range(2):
        piles = movable_half(state, army, half)
        while piles != 0:
            origin = half * c.HALF + lowest(piles)
            piles &= piles - 1
            to_low = low | enterable(state, origin, 0)
            to_high = high | enterable(state, origin, 1)
            for way in range(c.WAYS):  # without branches, which would often be guessed wrongly
                out[count] = c.go_along(origin, way)
                towards = c.TOWARDS[origin, way]
                count += (towards[0] & to_low) | (towards[1] & to_high) != 0
    return count


@rule
def can_step(state):
    """Say whether the active army has a legal displacement."""
    army = int(state.army) - 1
    low, high = open_half(state, army, 0), open_half(state, army, 1)
    for half in range(2):
        piles = movable_half(state, army, half)
        while piles != 0:
            origin = half * c.HALF + lowest(piles)
            piles &= piles - 1
            if touches(origin, low, high):
                return True
            if enterable(state, origin, 0) | enterable(state, origin, 1) != 0:
                return True
    return False


@rule
def goal(state):
    """Return the triangle to which the chosen displacement, or the attack, leads."""
    return c.NEIGHBOURS[int(state.origin) - 1, int(state.way) - 1]


@rule
def count_refusal(state, count):
    """Say what forbids to take so many units along on the chosen displacement."""
    origin = int(state.origin) - 1
    if count > state.height[origin]:
        return because.ACROSS_A_SIDE
    t = goal(state)
    return entry_refusal(state, origin, t, count) if contains(state.pools, t) else 0


@rule
def only_count(state):
    """Return how many units must be taken along, 0 if there is a choice."""
    only = 0
    for count in range(1, int(state.height[int(state.origin) - 1]) + 1):
        if count_refusal(state, count) == 0:
            if only != 0:
                return 0
            only = count
    return only


# --- Out of a whirlpool ---


@rule
def out_refusal(state, index):
    """Say what forbids the units that entered to come out at a whirlpool."""
    origin = int(state.origin) - 1
    return exit_refusal(state, origin, goal(state), int(state.group), index)


@rule
def first_out(state, other_than):
    """Return the first whirlpool that is open to the units that entered, or −1."""
    for index in range(pool_count(state)):
        if index != other_than and out_refusal(state, index) == 0:
            return index
    return -1


@rule
def divide_refusal(state, count):
    """Say what forbids the top `count` of the units that entered to part from the rest."""
    group = int(state.group)
    if count > group:
        return because.INTO_A_POOL
    if count == group:
        return 0
    below = unit_below(state, int(state.origin) - 1, count)
    return 0 if below == state.army else because.INTO_A_POOL


@rule
def can_divide(state):
    """Say whether the units that entered can be parted at all."""
    for count in range(1, int(state.group)):
        if divide_refusal(state, count) == 0:
            return True
    return False


@rule
def transfer(state, count):
    """Bring units out of the whirlpools: the top ones where it was chosen, the rest elsewhere."""
    origin = int(state.origin) - 1
    group = int(state.group)
    if is_pool_left(state, origin, group):
        state.due &= ~(1 << pool_index(state, origin))
    chosen = int(state.exit) - 1
    first = pool(state, chosen)
    other = first if count == group else pool(state, other_out(state, chosen))
    shift(state, origin, other, group)
    shift(state, other, first, count)  # nothing, if it is the same whirlpool
    trim_due(state)


@rule
def is_pool_left(state, origin, group):
    """Say whether a whole pile leaves a whirlpool."""
    return contains(state.pools, origin) and state.height[origin] == group


@rule
def other_out(state, chosen):
    """Return the third whirlpool: neither the entry nor the one chosen."""
    return c.POOLS - pool_index(state, goal(state)) - chosen


@rule
def step(state, count):
    """Move units onto a triangle of the field."""
    shift(state, int(state.origin) - 1, goal(state), count)
    trim_due(state)
