"""Supplies: the store, the pawns on the ring, and what they bring."""

from __future__ import annotations

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import statements as because
from tianxia.kernel.jit import rule


@rule
def store(state):
    """Return how many supplies no army has."""
    left = c.SUPPLIES
    for army in range(c.COLOURS):
        left -= int(state.supplies[army])
    return left


@rule
def draw_supplies(state, army, wanted):
    """Give an army supplies, as far as the store has them (BIN-30b)."""
    state.supplies[army] += min(wanted, store(state))


@rule
def seat_has_supplies(state, seat):
    """Say whether a living army of a seat has a supply."""
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1 and state.supplies[army] > 0:
            return True
    return False


@rule
def landing(state, distance):
    """Return the circle on which the active army's pawn would end."""
    return (int(state.pawns[int(state.army) - 1]) - 1 + distance) % c.CIRCLES


@rule
def distance_refusal(state, distance):
    high, low = int(state.high), int(state.low)
    one = distance == low or distance == high  # noqa: PLR1714  (Numba wants like types)
    if not one and distance != high + low:
        return because.BY_A_DIE_OR_BOTH
    circle = landing(state, distance)
    for army in range(c.COLOURS):
        if state.pawns[army] == circle + 1:
            return because.CIRCLE_IS_TAKEN
    return 0


@rule
def distance_by(state, dice):
    """Return how far the pawn goes by the lower die (1), the higher (2), or both (3)."""
    low = int(state.low) if dice & 1 != 0 else 0
    return low + (int(state.high) if dice & 2 != 0 else 0)


@rule
def legal_distances(state, out):
    count = 0
    for dice in range(1, 4):
        distance = distance_by(state, dice)
        again = dice == 2 and state.high == state.low
        if not again and distance_refusal(state, distance) == 0:
            out[count] = c.pawn_by(distance)
            count += 1
    return count


@rule
def can_go(state):
    """Say whether some end of the pawn's move is free."""
    for dice in range(1, 4):
        if distance_refusal(state, distance_by(state, dice)) == 0:
            return True
    return False


@rule
def stands_in(state, army, sector):
    """Say whether an army commands a triangle of the field in a sector (BIN-31a)."""
    first = c.BASE * sector
    base = c.BASE_HALF * c.BIT_OF[first]
    half = c.HALF_OF[first]
    field = c.ALL_HALF & ~int(state.pools[half])
    return int(state.held[army, half]) & field & base != 0


@rule
def go(state, distance):
    """Move the pawn and take what it brings; say whether a choice is left (BIN-30a to 32a)."""
    army = int(state.army) - 1
    circle = landing(state, distance)
    state.pawns[army] = circle + 1
    colour = c.CIRCLE_COLOUR[circle]
    if colour == army:
        draw_supplies(state, army, distance)
        return False
    owner = int(state.owner[colour])
    alive = int(state.alive) >> colour & 1 != 0
    if circle % c.SIDE == c.CENTRE and alive and owner != state.active + 1:
        state.raid = colour + 1
        state.distance = distance
        return True
    if stands_in(state, army, colour):
        draw_supplies(state, army, distance)
    return False


@rule
def raid(state):
    """Take from the army whose centre it is, as far as it has supplies (BIN-32b)."""
    victim = int(state.raid) - 1
    taken = min(int(state.distance), int(state.supplies[victim]))
    state.supplies[victim] -= taken
    state.supplies[int(state.army) - 1] += taken
