"""Pieces on the board: who has what where, what is left in supply, what there is room for.

An owner is a seat or, with two players, the Emperor.
"""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.state import EMPERORS
from tianxia.kernel.bits import count_bits
from tianxia.kernel.jit import rule


@rule
def owners(state):
    """Return how many have pieces: the seats, and with two players the Emperor (CHI-67)."""
    return 3 if state.seats == 2 else int(state.seats)


@rule
def owner_at_turn(state):
    """Return whose piece is placed now: the active player's or the Emperor's."""
    return c.EMPEROR if int(state.course) & EMPERORS != 0 else int(state.active)


@rule
def occupied(state):
    """Return the spaces with a palace."""
    spaces = int(state.palaces[0])
    for owner in range(1, c.MAX_PLAYERS):
        spaces |= int(state.palaces[owner])
    return spaces


@rule
def free_spaces(state, province):
    """Return a province's spaces without a palace, border posts included."""
    return c.WITHIN[c.row_of(state), province] & ~occupied(state)


@rule
def free_inner(state, province):
    """Return a province's spaces without a palace, border posts left out."""
    return free_spaces(state, province) & ~c.POSTS[c.row_of(state)]


@rule
def majority(state, province):
    """Return the largest number of palaces that one owner has in a province (CHI-28)."""
    most = 0
    within = c.WITHIN[c.row_of(state), province]
    for owner in range(owners(state)):
        most = max(most, count_bits(int(state.palaces[owner]) & within))
    return most


@rule
def emissaries_in(state, province):
    total = 0
    for owner in range(owners(state)):
        total += int(state.emissaries[owner, province])
    return total


@rule
def is_empty(state, province):
    """Say whether no piece of any kind is in a province (CHI-15; ruling R03)."""
    within = c.WITHIN[c.row_of(state), province]
    return (occupied(state) | int(state.forts)) & within == 0 and emissaries_in(
        state, province
    ) == 0


@rule
def has_room(state, province):
    """Say whether one more emissary may go into a province (CHI-28, CHI-29)."""
    return emissaries_in(state, province) < majority(state, province)


@rule
def palaces_left(state, owner):
    return c.PALACES - count_bits(int(state.palaces[owner]))


@rule
def emissaries_left(state, owner):
    left = c.EMISSARIES
    for province in range(PROVINCES):
        left -= int(state.emissaries[owner, province])
    return left


@rule
def pieces_left(state, owner):
    """Return how many pieces are in supply: what decides ties (CHI-60)."""
    return palaces_left(state, owner) + emissaries_left(state, owner) + int(state.forts_left[owner])


@rule
def anything_to_place(state):
    """Say whether anybody has a piece that the board has room for, cards aside (CHI-49)."""
    free = ((1 << c.SPACES[c.row_of(state)]) - 1) & ~occupied(state)
    if free != 0:
        for owner in range(owners(state)):
            if palaces_left(state, owner) > 0:
                return True
            if state.forts_left[owner] > 0 and free & ~int(state.forts) != 0:
                return True
    envoys = False
    for owner in range(owners(state)):
        envoys = envoys or emissaries_left(state, owner) > 0
    if envoys:
        for province in range(PROVINCES):
            if has_room(state, province):
                return True
    return False


# --- Bonus tiles (CHI-79 to 81) ---


@rule
def face_down(state, province):
    """Say whether a province has tiles that are not turned up yet."""
    for i in range(c.TILES_IN_PROVINCE):
        if state.tile_space[province, i] != 0 and state.tile_colour[province, i] == 0:
            return True
    return False


@rule
def take_tile(state, owner, province, space):
    """Give the tile that lies on a space, if any, to whoever builds there (CHI-81)."""
    for i in range(c.TILES_IN_PROVINCE):
        if state.tile_space[province, i] == space + 1:
            state.tiles_taken[owner, int(state.tile_colour[province, i]) - 1] += 1
            for j in range(i, c.TILES_IN_PROVINCE - 1):
                state.tile_space[province, j] = state.tile_space[province, j + 1]
                state.tile_colour[province, j] = state.tile_colour[province, j + 1]
            state.tile_space[province, c.TILES_IN_PROVINCE - 1] = 0
            state.tile_colour[province, c.TILES_IN_PROVINCE - 1] = 0
            return


@rule
def next_to_turn(state):
    """Return a province with a palace whose tiles are face down, or −1 (ruling R50)."""
    if state.options.tiles != 0:
        land, built = c.row_of(state), occupied(state)
        for province in range(PROVINCES):
            if built & c.WITHIN[land, province] != 0 and face_down(state, province):
                return province
    return -1
