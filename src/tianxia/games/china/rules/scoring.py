"""Points: provinces, harbours, alliances, tiles; scores and winners (CHI-34 to 40, 50 to 60)."""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.pieces import emissaries_in, occupied, owners, pieces_left
from tianxia.games.china.rules.roads import road_points
from tianxia.games.china.rules.state import STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many
from tianxia.kernel.results import share_win


@rule
def is_scored(state, province):
    return int(state.scored) >> province & 1 != 0


@rule
def next_complete(state):
    """Return a province that is full and has no score token, or −1 (CHI-34)."""
    land, built = c.row_of(state), occupied(state)
    for province in range(PROVINCES):
        if c.WITHIN[land, province] & ~built == 0 and not is_scored(state, province):
            return province
    return -1


@rule
def place_value(state, spaces, owner):
    """Return what an owner's place among those who build on some spaces is worth.

    First places score all palaces there, others what one of those just before them has
    (CHI-35 to 38; ruling R11); a fortification of one's own doubles (CHI-64).
    """
    own = int(state.palaces[owner]) & spaces
    count = count_bits(own)
    if count == 0:
        return 0
    total, before = 0, 99
    for other in range(owners(state)):
        palaces = count_bits(int(state.palaces[other]) & spaces)
        total += palaces
        if count < palaces < before:
            before = palaces
    value = total if before == 99 else before
    return 2 * value if own & int(state.forts) != 0 else value


@rule
def score_spaces(state, province):
    """Score a province and put a token there (CHI-40), or the harbours (CHI-90).

    The harbours are scored as one more province, number `PROVINCES`.
    """
    land = c.row_of(state)
    harbours = province == PROVINCES
    spaces = c.HARBOURS[land] if harbours else c.WITHIN[land, province]
    source = c.HARBOUR_POINTS if harbours else c.PALACE_POINTS
    for owner in range(owners(state)):
        value = place_value(state, spaces, owner)
        if owner < state.seats:
            state.points[owner, source] += value
        else:
            score_influence(state, c.COLOUR[land, province % PROVINCES], value)
    if not harbours:
        state.scored = int(state.scored) | 1 << province


@rule
def score_influence(state, colour, value):
    """Give the Emperor's points to whoever holds the influence card, if anybody (CHI-74)."""
    if state.influence[colour] != 0:
        state.points[int(state.influence[colour]) - 1, c.INFLUENCE_POINTS] += value


@rule
def leads(state, owner, province):
    """Say whether an owner has the most emissaries in a province, ties included (CHI-52)."""
    mine = int(state.emissaries[owner, province])
    if mine == 0:
        return False
    for other in range(owners(state)):
        if state.emissaries[other, province] > mine:
            return False
    return True


@rule
def alliance_value(state, number, owner):
    """Return what an alliance pays an owner (CHI-52, CHI-53)."""
    land = c.row_of(state)
    one, other = c.ALLIANCE[land, number, 0], c.ALLIANCE[land, number, 1]
    if leads(state, owner, one) and leads(state, owner, other):
        return emissaries_in(state, one) + emissaries_in(state, other)
    return 0


@rule
def score_alliance(state, number):
    for seat in range(int(state.seats)):
        state.points[seat, c.ALLIANCE_POINTS] += alliance_value(state, number, seat)


@rule
def road_value(state, seat):
    return road_points(c.row_of(state), int(state.palaces[seat]), int(state.forts))


@rule
def score_roads(state, seat):
    state.points[seat, c.ROAD_POINTS] += road_value(state, seat)


@rule
def tile_value(state, colour, owner):
    """Return what the tiles of a colour pay an owner (CHI-82)."""
    mine = int(state.tiles_taken[owner, colour])
    if mine == 0:
        return 0
    for other in range(owners(state)):
        if state.tiles_taken[other, colour] > mine:
            return 0
    return c.TILE_POINTS


@rule
def score_tiles(state, colour):
    for seat in range(int(state.seats)):
        state.points[seat, c.BONUS_POINTS] += tile_value(state, colour, seat)


# --- Results ---


@rule
def points_of(state, seat):
    return how_many(state.points[seat])


@rule
def standing(state, seat):
    """Return a number by which seats are ranked: points, then pieces in supply (CHI-60)."""
    return points_of(state, seat) * 64 + pieces_left(state, seat)


@answers(kernel.scores, STATE)
def scores(state, out):
    for seat in range(int(state.seats)):
        out[seat] = points_of(state, seat)


@answers(kernel.utilities, STATE)
def utilities(state, out):
    for seat in range(int(state.seats)):
        out[seat] = standing(state, seat)
    share_win(int(state.seats), out)
