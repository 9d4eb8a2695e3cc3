"""What is lost: encircled piles, the drowned, armies that fall; and how a game ends."""

from __future__ import annotations

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.piles import (
    foreign_tall,
    owners_of,
    pool,
    pool_count,
    pull,
    remove,
    remove_all,
    touches,
    trim_due,
    without,
)
from tianxia.games.binfa.rules.state import ENDED
from tianxia.kernel.bits import count_bits, lowest
from tianxia.kernel.jit import rule

# --- The end ---


@rule
def forget_roll(state):
    """Clear all that belongs to a roll."""
    state.high = 0
    state.low = 0
    state.moves = 0
    state.due = 0
    state.origin = 0
    state.way = 0
    state.foe = 0
    state.group = 0
    state.exit = 0
    state.step = 0
    state.vacated = 0
    state.escape = 0
    state.refuges[0] = 0
    state.refuges[1] = 0
    state.raid = 0
    state.distance = 0


@rule
def finish(state, winners, reason):
    forget_roll(state)
    state.army = 0
    state.rolled = 0
    state.phase = ENDED
    state.acting = 0
    state.over = 1
    state.winners = winners
    state.reason = reason


@rule
def seat_units(state, seat):
    """Return how many units a seat has on the board."""
    total = 0
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1:
            total += int(state.strength[army])
    return total


@rule
def seat_supplies(state, seat):
    total = 0
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1:
            total += int(state.supplies[army])
    return total


@rule
def finish_by_count(state):
    """End by length: most units, then most supplies, else a draw among the tied (BIN-51)."""
    best = -1
    winners = 0
    for seat in range(int(state.seats)):
        worth = 100 * seat_units(state, seat) + seat_supplies(state, seat)
        if worth > best:
            best = worth
            winners = 0
        if worth == best:
            winners |= 1 << seat
    finish(state, winners, because.TURN_LIMIT)


# --- Armies that fall ---


@rule
def fallen_now(state):
    """Return the armies, as bits, that have too few units left (BIN-12)."""
    armies = 0
    for army in range(c.COLOURS):
        if int(state.alive) >> army & 1 != 0 and state.strength[army] <= c.FALLS_AT:
            armies |= 1 << army
    return armies


@rule
def active_stands(state):
    """Say whether the army of this turn has not fallen."""
    return int(state.alive) >> (int(state.army) - 1) & 1 != 0


@rule
def settle(state, drowned):
    """Remove armies that fall by what was just lost, pass on their supplies, see who is left.

    Supplies go to the army of this turn; but to the store if whirlpools took the units,
    or if that army itself has fallen.
    """
    armies = fallen_now(state)
    if armies == 0:
        return
    state.alive = int(state.alive) & ~armies
    heir = int(state.army) - 1
    for army in range(c.COLOURS):
        if armies >> army & 1 != 0:
            pull(state, army)
            state.pawns[army] = 0
            if not drowned and active_stands(state):
                state.supplies[heir] += state.supplies[army]
            state.supplies[army] = 0
    trim_due(state)
    left = owners_of(state, int(state.alive))
    if left & (left - 1) == 0:
        finish(state, left if left != 0 else owners_of(state, armies), because.LAST_OWNER)


# --- Encirclement ---


@rule
def encircled(state, t):
    """Say whether a pile of two or more on the field has no side open (BIN-10a to 11c, 23)."""
    return enemies_around(state, t, -1) > 0


@rule
def enemies_around(state, t, but_for):
    """Count the enemies that close sides of a pile, or return −1 if a side is open.

    One neighbour can be left out, as if it were closed by terrain.
    """
    army = int(state.top[t]) - 1
    low, high = closing(state, army, 0), closing(state, army, 1)
    open_low = c.ALL_HALF & ~(low | int(state.terrain[0]))
    open_high = c.ALL_HALF & ~(high | int(state.terrain[1]))
    if but_for >= 0:
        low, high = without(low, high, but_for)
        open_low, open_high = without(open_low, open_high, but_for)
    if touches(t, open_low, open_high):
        return -1
    return count_bits(c.BESIDE[t, 0] & low) + count_bits(c.BESIDE[t, 1] & high)


@rule
def closing(state, army, half):
    """Return the triangles of a half whose piles close sides of an army's piles."""
    return foreign_tall(state, army, half) & ~int(state.pools[half])


@rule
def encircled_half(state, half):
    """Return a half's encircled piles."""
    piles = int(state.tall[half]) & ~int(state.pools[half])
    found = 0
    while piles != 0:
        bit = piles & -piles
        if encircled(state, half * c.HALF + lowest(piles)):
            found |= bit
        piles ^= bit
    return found


@rule
def capture(state):
    """Take all encircled piles, other colours before the active army's, until none is left."""
    while state.over == 0:
        low, high = encircled_half(state, 0), encircled_half(state, 1)
        if low | high == 0:
            return
        army = int(state.army) - 1
        others_low = low & ~int(state.held[army, 0])
        others_high = high & ~int(state.held[army, 1])
        if others_low | others_high != 0:
            low, high = others_low, others_high
        remove_all(state, low, high)
        settle(state, False)


# --- Whirlpools ---


@rule
def drown(state, due_only):
    """Lose the active army's piles in whirlpools: all of them, or those yet to leave."""
    lost = 0
    for index in range(pool_count(state)):
        t = pool(state, index)
        due = int(state.due) >> index & 1 != 0
        if state.top[t] == state.army and (due or not due_only):
            remove(state, t)
            lost += 1
    state.due = 0
    if lost != 0:
        settle(state, True)
