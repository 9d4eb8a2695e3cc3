"""Attacks: who may attack what, and how the attacked pile retreats.

A retreat goes in steps: 1 is the first; after a double 6 the top group of it retreats again
in step 2, and the other group, if there is one, in step 3.
"""

from __future__ import annotations

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.losses import settle
from tianxia.games.binfa.rules.moving import goal, pile_refusal
from tianxia.games.binfa.rules.piles import (
    contains,
    foreign_tall,
    occupied,
    remove,
    shift,
    touches,
    trim_due,
    unit_below,
)
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

# --- Announcing ---


@rule
def outmatched(state, origin, t):
    """Say whether a pile may attack what stands on a triangle beside it (BIN-14a)."""
    top = int(state.top[t])
    if top == 0 or contains(state.pools, t):
        return False
    return top != state.army and state.height[origin] > state.height[t]


@rule
def attack_refusal(state, origin, way):
    code = pile_refusal(state, origin, because.TALLER_THAN_THE_TARGET)
    if code != 0:
        return code
    t = c.NEIGHBOURS[origin, way]
    if t < 0:
        return because.NOT_ACROSS_A_CORNER
    return 0 if outmatched(state, origin, t) else because.TALLER_THAN_THE_TARGET


@rule
def foreign(state, army, half):
    """Return the triangles on which piles stand whose top unit is of another army."""
    return occupied(state, half) & ~int(state.held[army, half])


@rule
def legal_attacks(state, out, count):
    army = int(state.army) - 1
    low, high = foreign(state, army, 0), foreign(state, army, 1)
    for half in range(2):
        piles = int(state.held[army, half]) & int(state.tall[half])
        while piles != 0:
            origin = half * c.HALF + lowest(piles)
            piles &= piles - 1
            if not touches(origin, low, high):
                continue
            for way in range(c.WAYS):
                t = c.NEIGHBOURS[origin, way]
                if t >= 0 and outmatched(state, origin, t):
                    out[count] = c.attack_along(origin, way)
                    count += 1
    return count


@rule
def stands_as_announced(state):
    """Say whether an attack can still be carried out, after the drowning of a double."""
    origin, t = int(state.origin) - 1, goal(state)
    same = state.top[origin] == state.army and state.top[t] == state.foe
    return same and outmatched(state, origin, t)


# --- Retreating ---


@rule
def closed_side(state):
    """Return the triangle of the attackers, to which nobody retreats."""
    return int(state.origin) - 1 if state.step == 1 else goal(state)


@rule
def retreat_refusal(state, way):
    """Say what forbids the pile that has to retreat to do so along a way."""
    here = int(state.vacated) - 1
    t = c.NEIGHBOURS[here, way]
    if t < 0:
        return because.NOT_ACROSS_A_CORNER
    if t == closed_side(state):
        return because.TARGET_RETREATS
    if contains(state.terrain, t):
        return because.TERRAIN_IS_CLOSED
    if contains(state.pools, t):
        return because.POOL_IF_NOTHING_ELSE
    army = int(state.top[here]) - 1
    return because.FOREIGN_PILE if foreign_tall(state, army, c.HALF_OF[t]) & c.BIT_OF[t] != 0 else 0


@rule
def first_retreat(state, other_than):
    """Return the first way on which the pile can retreat, or −1."""
    for way in range(c.WAYS):
        if way != other_than and retreat_refusal(state, way) == 0:
            return way
    return -1


@rule
def split_refusal(state, count):
    """Say what forbids the top `count` units to retreat apart from the rest."""
    here = int(state.vacated) - 1
    height = int(state.height[here])
    if count == height:
        return 0
    if count > height or unit_below(state, here, count) != state.top[here]:
        return because.TARGET_RETREATS
    return 0


@rule
def can_split(state):
    """Say whether the pile that has to retreat can part at all."""
    for count in range(1, int(state.height[int(state.vacated) - 1])):
        if split_refusal(state, count) == 0:
            return True
    return False


@rule
def retreat(state, way, count):
    """Let the top `count` units retreat along a way, and the rest along the other."""
    here = int(state.vacated) - 1
    other = first_retreat(state, way)
    first = c.NEIGHBOURS[here, way]
    rest = int(state.height[here]) - count
    shift(state, here, first, count)
    if rest > 0:
        shift(state, here, c.NEIGHBOURS[here, other], rest)
    if state.step == 1 and state.high == state.low:
        state.refuges[0] = first + 1
        state.refuges[1] = c.NEIGHBOURS[here, other] + 1 if rest > 0 else 0
    state.vacated = 0
    state.escape = 0


@rule
def beside_pool(state, t, other_than):
    """Say whether a whirlpool lies beside a triangle, but for one that does not count."""
    for way in range(c.WAYS):
        other = c.NEIGHBOURS[t, way]
        if other >= 0 and other != other_than and contains(state.pools, other):
            return True
    return False


@rule
def lose_retreaters(state):
    """Take off a pile that cannot retreat; say whether a whirlpool took it (BIN-20, 43b)."""
    here = int(state.vacated) - 1
    drowned = beside_pool(state, here, closed_side(state))
    state.vacated = 0
    remove(state, here)
    settle(state, drowned)
    return drowned


# --- Following ---


@rule
def advance(state):
    """Move the attackers onto the triangle that was attacked (BIN-16b)."""
    origin = int(state.origin) - 1
    shift(state, origin, goal(state), int(state.height[origin]))
    trim_due(state)


@rule
def follow_into_pool(state):
    """Make the attackers' second step where a whirlpool took the defenders (BIN-45)."""
    here = goal(state)
    army = int(state.army) - 1
    for way in range(c.WAYS):
        t = c.NEIGHBOURS[here, way]
        if t < 0 or t == state.origin - 1 or contains(state.pools, t):
            continue
        if state.top[t] == army + 1 and state.height[t] > 1:
            shift(state, here, t, int(state.height[here]))
            return
    remove(state, here)
    settle(state, True)


@rule
def next_group(state):
    """Turn to the next group that has to retreat again; say whether there is one."""
    while state.step < 3:
        state.step += 1
        refuge = int(state.refuges[int(state.step) - 2])
        if refuge != 0 and state.top[refuge - 1] == state.foe:
            state.vacated = refuge
            return True
    return False


@rule
def occupation_refusal(state, way):
    """Say what forbids the attackers to end on a triangle of the first retreat."""
    t = c.NEIGHBOURS[goal(state), way]
    refuge = t >= 0 and (t + 1 == state.refuges[0] or t + 1 == state.refuges[1])
    return 0 if refuge and state.height[t] == 0 else because.TWO_TRIANGLES_AWAY


@rule
def first_occupation(state, other_than):
    """Return the first way on which the attackers can take a vacated triangle, or −1."""
    for way in range(c.WAYS):
        if way != other_than and occupation_refusal(state, way) == 0:
            return way
    return -1


@rule
def occupy(state, way):
    here = goal(state)
    shift(state, here, c.NEIGHBOURS[here, way], int(state.height[here]))
