"""Piles: ordered stacks of units on triangles, and the sets that are kept of them.

All piles lie one after the other in `units`, so that equal positions are equal bytes
whatever way they were reached; a displacement turns a part of that row round.
"""

from __future__ import annotations

from tianxia.games.binfa.rules.components import (
    BESIDE,
    BIT_OF,
    COLOURS,
    HALF,
    HALF_OF,
    TRIANGLES,
    UNITS,
)
from tianxia.kernel.bits import count_bits, lowest
from tianxia.kernel.jit import rule


@rule
def contains(halves, t):
    """Say whether a set of triangles, as two halves, has one."""
    return int(halves[HALF_OF[t]]) & BIT_OF[t] != 0


@rule
def touches(t, low, high):
    """Say whether a triangle of a set lies beside a triangle."""
    return (BESIDE[t, 0] & low) | (BESIDE[t, 1] & high) != 0


@rule
def without(low, high, t):
    """Return a set of triangles but for one."""
    if t < HALF:
        return low & ~BIT_OF[t], high
    return low, high & ~BIT_OF[t]


@rule
def offset(state, t):
    """Return where the pile of a triangle begins in the row of all units."""
    total = 0
    for other in range(t):
        total += int(state.height[other])
    return total


@rule
def unit_below(state, t, depth):
    """Return 1 + the colour of the unit that `depth` units of a pile lie on."""
    return int(state.units[offset(state, t) + int(state.height[t]) - 1 - depth])


@rule
def count_own(state, t, colour, depth):
    """Return how many of the top `depth` units of a pile have a colour (1 + army)."""
    end = offset(state, t) + int(state.height[t])
    count = 0
    for i in range(end - depth, end):
        count += int(state.units[i]) == colour
    return count


@rule
def crown(state, t, colour):
    """Note the top unit of a pile, 1 + colour or 0, and whether two or more stand there."""
    half, bit = HALF_OF[t], BIT_OF[t]
    old = int(state.top[t])
    if old != colour:
        if old != 0:
            state.held[old - 1, half] &= ~bit
        if colour != 0:
            state.held[colour - 1, half] |= bit
        state.top[t] = colour
    if state.height[t] > 1:
        state.tall[half] |= bit
    else:
        state.tall[half] &= ~bit


@rule
def reverse(units, first, end):
    last = end - 1
    while first < last:
        unit = units[first]
        units[first] = units[last]
        units[last] = unit
        first += 1
        last -= 1


@rule
def turn(units, first, middle, end):
    """Exchange two neighbouring parts of the row: turn each round, then both together."""
    for i in range(3):
        reverse(units, middle if i == 1 else first, middle if i == 0 else end)


@rule
def carry(units, place, goal):
    """Put one unit of the row before another place; those between make room."""
    unit = units[place]
    while place < goal - 1:
        units[place] = units[place + 1]
        place += 1
    while place > goal:
        units[place] = units[place - 1]
        place -= 1
    units[place] = unit


@rule
def shift(state, origin, target, count):
    """Move the top `count` units of a pile, in their order, onto another triangle."""
    if origin == target:
        return
    colour = int(state.top[origin])
    end = offset(state, origin) + int(state.height[origin])
    first = end - count
    left = int(state.units[first - 1]) if state.height[origin] > count else 0
    goal = offset(state, target) + int(state.height[target])
    if count == 1:
        carry(state.units, first, goal)
    else:
        turn(state.units, min(goal, first), end if goal >= end else first, max(goal, end))
    state.height[origin] -= count
    state.height[target] += count
    crown(state, origin, left)
    crown(state, target, colour)


@rule
def add(state, t, army):
    """Put one unit on top of a pile."""
    place = offset(state, t) + int(state.height[t])
    for i in range(UNITS - 1, place, -1):
        state.units[i] = state.units[i - 1]
    state.units[place] = army + 1
    state.height[t] += 1
    state.strength[army] += 1
    crown(state, t, army + 1)


@rule
def remove(state, t):
    """Take a whole pile off the board."""
    first = offset(state, t)
    height = int(state.height[t])
    for i in range(first, first + height):
        state.strength[int(state.units[i]) - 1] -= 1
    for i in range(first, UNITS - height):
        state.units[i] = state.units[i + height]
    state.units[UNITS - height :] = 0
    state.height[t] = 0
    crown(state, t, 0)


@rule
def remove_all(state, low, high):
    """Take the piles of a set of triangles off the board."""
    while low != 0:
        remove(state, lowest(low))
        low &= low - 1
    while high != 0:
        remove(state, HALF + lowest(high))
        high &= high - 1


@rule
def pull(state, army):
    """Take every unit of an army out of all piles; what it covered comes to light."""
    read = 0
    write = 0
    for t in range(TRIANGLES):
        height = int(state.height[t])
        left = 0
        for i in range(read, read + height):
            if int(state.units[i]) != army + 1:
                state.units[write] = state.units[i]
                write += 1
                left += 1
        read += height
        if left != height:
            state.height[t] = left
            crown(state, t, int(state.units[write - 1]) if left > 0 else 0)
    state.units[write:read] = 0
    state.strength[army] = 0


# --- Whirlpools ---


@rule
def pool(state, index):
    """Return the triangle of a whirlpool, by its number in the order of triangles."""
    low, high = int(state.pools[0]), int(state.pools[1])
    for _ in range(index):
        if low != 0:
            low &= low - 1
        else:
            high &= high - 1
    return lowest(low) if low != 0 else HALF + lowest(high)


@rule
def pool_count(state):
    return count_bits(int(state.pools[0])) + count_bits(int(state.pools[1]))


@rule
def pool_index(state, t):
    """Return the number of a whirlpool, by its triangle."""
    below = BIT_OF[t] - 1
    if t < HALF:
        return count_bits(int(state.pools[0]) & below)
    return count_bits(int(state.pools[0])) + count_bits(int(state.pools[1]) & below)


@rule
def is_due(state, t):
    """Say whether the pile in a whirlpool has yet to leave on this roll."""
    return int(state.due) >> pool_index(state, t) & 1 != 0


@rule
def trim_due(state):
    """Forget what was due where the active army's pile is gone, or another came to light."""
    if state.due == 0:
        return
    for index in range(pool_count(state)):
        if state.top[pool(state, index)] != state.army:
            state.due &= ~(1 << index)


@rule
def foreign_tall(state, army, half):
    """Return the triangles of a half on which two or more units are not this army's."""
    return int(state.tall[half]) & ~int(state.held[army, half])


@rule
def occupied(state, half):
    """Return the triangles of a half on which units stand."""
    found = 0
    for army in range(COLOURS):
        found |= int(state.held[army, half])
    return found


@rule
def owners_of(state, armies):
    """Return the seats, as bits, that command some of a set of armies."""
    seats = 0
    for army in range(COLOURS):
        if armies >> army & 1 != 0:
            seats |= 1 << (int(state.owner[army]) - 1)
    return seats
