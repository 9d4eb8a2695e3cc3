"""What a position is worth to each player: points that are there, and what may still grow.

A worth is in points. It is a weighted sum of terms, each of which is plain to see on the
board: what palaces would score now, how far a lead may still grow, whole alliances and
half ones, roads and what may become one. The weights were fitted to the ends of games
that the quick player of `habit` played against itself (``bench/china_tuning.py``); each
has a part that shrinks with the cards that are still to come.

The same functions value the whole board and a change in one province, so that a player
who looks only at what it changes sees the same worth.
"""

from __future__ import annotations

import math
import tomllib
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.pieces import emissaries_left, occupied, owners
from tianxia.games.china.rules.roads import group_of
from tianxia.games.china.rules.scoring import is_scored, points_of
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import count_bits, lowest
from tianxia.kernel.jit import rule
from tianxia.kernel.record import MAX_SEATS

# --- Terms, each with a weight ---

PLACE = 0  # what palaces in a province would score now
LEAD = 1  # the free spaces that a leader may hope for
FOLLOW = 2  # a place behind the leader that may still become the first
WHOLE = 3  # what an alliance would score now
HALF = 4  # the lead in one of two allied provinces, while the other can be won
ROAD = 5  # what roads would score now
LONGER = 6  # free spaces by which a road may grow, two at most
THREE = 7  # three palaces in a row with room for a fourth
TWO = 8  # two with room for more
TILE_LEAD = 9  # what most tiles of a colour score
OF_TILE = 10  # each tile
OF_FORT = 11  # a fortification in supply
OF_INFLUENCE = 12  # an influence card, besides the points that it brings now
OF_COURT = 13  # what the Emperor's palaces would score now for whoever has influence
TERMS = 14

# What follows the terms among the weights: how the quick player counts its cards.
OF_CARD = TERMS  # points that a plan has to bring for each card that it takes
NEXT_PLAN = TERMS + 1  # what a hand's second best plan counts, since a turn carries out one
OF_PAIR = TERMS + 2  # two equal cards, a joker
TEMPERATURE = TERMS + 3  # how many points of a lead make winning e times as likely
RISK_EVEN = TERMS + 4  # how likely influence is lost where both have kept as many cards
RISK_ONE = TERMS + 5  # where the holder has kept one more
RISK_MORE = TERMS + 6  # and where it has kept two more, or still more
SWING = TERMS + 7  # what part counts of the influence that a card played brings at once
SPARE = TERMS + 8  # a special card that is not used yet
WEIGHT_ROWS = TERMS + 9


BY_POINTS = 0.05
"""What the points of a finished game count besides who has won."""
FINAL_TEMPERATURE = 12.0
FAR = 2
"""Free spaces from which on it does not matter how many they are."""
MOST_GROUPS = 32
WEIGHTS = files(__package__).joinpath("weights.toml")
WEIGHT_NAMES = (
    *("place", "lead", "follow", "whole", "half", "road", "longer", "three", "two"),
    *("tile_lead", "tile", "fort", "influence", "court"),
    *("card", "next_plan", "pair", "temperature"),
    *("risk_even", "risk_one", "risk_more", "swing", "spare"),
)
"""What the weights are called, in the order of the rows."""


@cache
def fitted() -> NDArray[np.float64]:
    """Return the weights that the package brings, shape (players + 1, `WEIGHT_ROWS`, 2)."""
    made = np.zeros((c.MAX_PLAYERS + 1, WEIGHT_ROWS, 2))
    for players, rows in tomllib.loads(WEIGHTS.read_text(encoding="utf-8")).items():
        made[int(players)] = [rows[name] for name in WEIGHT_NAMES]
    return made


DESK = np.dtype(
    [
        # What a term counts: a part that stays and one that shrinks with the cards to come.
        ("weights", "f8", (c.MAX_PLAYERS + 1, WEIGHT_ROWS, 2)),
        ("now", "f8", (WEIGHT_ROWS,)),  # the weights at this stage of the game
        ("palaces", "i8", (c.MAX_PLAYERS, PROVINCES)),  # by owner; border posts count in two
        ("doubled", "i8", (c.MAX_PLAYERS, PROVINCES)),  # 1 where a fortification of theirs doubles
        ("free", "i8", (PROVINCES,)),  # spaces without a palace
        ("care", "f8", (c.MAX_PLAYERS, c.COLOURS)),  # how an owner's points count to the decider
        ("swings", "f8", (c.COLOURS,)),  # what the influence brings that playing a card takes
        ("gains", "f8", (PROVINCES, 3)),  # what one piece and two bring; column 0 is unused
        ("first", "i8", (PROVINCES, 3)),  # the first of these, paid with colour 0; -1 for none
        ("surveyor", "i8"),  # 1 + the owner whose gains these are; 0 for nobody's
        ("stale", "i8"),  # provinces where they are out of date, as bits
        ("groups", "i8", (MOST_GROUPS,)),  # spaces of palaces that hang together
        ("value", "f8", (MOST_GROUPS,)),  # and what they are worth as a road
        ("worths", "f8", (MAX_SEATS,)),  # what is found for each seat
        ("won", "f8", (MAX_SEATS,)),
        ("numbers", "i8", (4,)),  # a random generator
        # Room for what the rules list, in the types of `State`: so they are compiled once.
        ("outcomes", "i8", (c.MAX_CHANCE,)),
        ("chances", "i8", (c.MAX_CHANCE,)),
        ("actions", "i4", (c.MAX_LEGAL,)),
        ("seconds", "i4", (c.MAX_LEGAL,)),
    ]
)
"""What the valuation and the quick player write to: one record for each thread.

A record and no tuple of arrays, since Numba counts references to each of these at every
call, which took longer than all the rest.
"""


def make_desk(weights: NDArray[np.float64] | None = None) -> NDArray[np.void]:
    """Return a desk, with the weights of the package unless others are given."""
    desk = np.zeros(1, np.dtype((np.record, DESK)))
    desk["weights"][0] = fitted() if weights is None else weights
    return desk


# --- Reading the board ---


@rule
def cards_to_come(state):
    """Return which part of all cards to draw is still to come, from 1 to 0."""
    seats = int(state.seats)
    deck = -c.HAND * seats - c.DISPLAY
    for colour in range(c.COLOURS):
        deck += c.CARDS[seats, colour]
    if state.exhausted == 0:
        return (deck + int(state.deck_size)) / (2.0 * deck)
    return int(state.deck_size) / (2.0 * deck) if state.exhausted == 1 else 0.0


@rule
def read_board(state, desk):
    """Write the weights of this stage, and what each owner has in each province."""
    land, seats = c.row_of(state), int(state.seats)
    stage = cards_to_come(state)
    for row in range(WEIGHT_ROWS):
        desk.now[row] = desk.weights[seats, row, 0] + stage * desk.weights[seats, row, 1]
    built = occupied(state)
    for province in range(PROVINCES):
        within = c.WITHIN[land, province]
        desk.free[province] = count_bits(within & ~built)
        for owner in range(owners(state)):
            own = int(state.palaces[owner]) & within
            desk.palaces[owner, province] = count_bits(own)
            desk.doubled[owner, province] = 1 if own & int(state.forts) != 0 else 0


# --- Provinces ---


@rule
def place_worth(desk, owner, count, province):
    """Return what an owner's palaces in a province are worth."""
    mine = desk.palaces[owner, province]
    if mine == 0:
        return 0.0
    total, before, rival = 0, 99, 0
    for other in range(count):
        palaces = desk.palaces[other, province]
        total += palaces
        if mine < palaces < before:
            before = palaces
        if other != owner and palaces > rival:
            rival = palaces
    free = desk.free[province]
    if before == 99:
        worth = float(total)
        if free > 0:
            hold = min(1.0, (mine - rival + 0.5) / (free + 1.0))
            worth = desk.now[PLACE] * total + desk.now[LEAD] * free * hold
    else:
        worth = float(before)
        if free > 0:
            reach = free / (free + 2.0 * (rival - mine))
            worth = desk.now[PLACE] * before + desk.now[FOLLOW] * reach
    return 2.0 * worth if desk.doubled[owner, province] != 0 else worth


@rule
def emperors_worth(desk, province):
    """Return what the Emperor's palaces in a province are worth to whoever has influence.

    Nobody but the holder builds for him, so that he has less to hope for than a player: only
    what he would score now counts, as far as experience says.
    """
    mine = desk.palaces[c.EMPEROR, province]
    if mine == 0:
        return 0.0
    total, before = mine, 99
    for seat in range(2):
        palaces = desk.palaces[seat, province]
        total += palaces
        if mine < palaces < before:
            before = palaces
    worth = float(total if before == 99 else before)
    if desk.free[province] > 0:
        worth *= desk.now[OF_COURT]
    return 2.0 * worth if desk.doubled[c.EMPEROR, province] != 0 else worth


# --- Alliances ---


@rule
def alliance_worth(state, desk, owner, number):
    """Return what an alliance is worth to an owner: all of it, or the hope of one half."""
    land = c.row_of(state)
    one, other = c.ALLIANCE[land, number, 0], c.ALLIANCE[land, number, 1]
    here, there = int(state.emissaries[owner, one]), int(state.emissaries[owner, other])
    if here + there == 0:
        return 0.0
    most_here, most_there, total = 0, 0, 0
    for rival in range(owners(state)):
        in_one, in_other = int(state.emissaries[rival, one]), int(state.emissaries[rival, other])
        most_here, most_there = max(most_here, in_one), max(most_there, in_other)
        total += in_one + in_other
    leads_here = 0 < here == most_here
    leads_there = 0 < there == most_there
    if leads_here and leads_there:
        return total * whole_weight(state, desk, owner, one, other)
    if not leads_here and not leads_there:
        return 0.0
    lost = other if leads_here else one
    short = max(1, most_there - there if leads_here else most_here - here)
    if short > room_for_emissaries(state, desk, lost) + desk.free[lost]:
        return 0.0
    return desk.now[HALF] * (total + 1.0) / short


@rule
def whole_weight(state, desk, owner, one, other):
    """Return what a point of an alliance counts now that one leads in both provinces.

    All of it where nobody can catch up any more, else never less than the hope of it.
    """
    if is_held(state, desk, owner, one) and is_held(state, desk, owner, other):
        return 1.0
    return max(desk.now[WHOLE], desk.now[HALF])


@rule
def is_held(state, desk, owner, province):
    """Say whether nobody can get more emissaries in a province than an owner has.

    As many would do no harm: they are paid, too (CHI-52, CHI-53).
    """
    own = int(state.emissaries[owner, province])
    room = room_for_emissaries(state, desk, province) + desk.free[province]
    for rival in range(owners(state)):
        if rival != owner:
            theirs = int(state.emissaries[rival, province])
            if theirs + min(room, emissaries_left(state, rival)) > own:
                return False
    return True


@rule
def room_for_emissaries(state, desk, province):
    """Return how many more emissaries the palaces of a province allow now (CHI-28)."""
    most, placed = 0, 0
    for owner in range(owners(state)):
        most = max(most, desk.palaces[owner, province])
        placed += int(state.emissaries[owner, province])
    return most - placed


# --- Roads ---


@rule
def group_worth(desk, land, group, forts, built):
    """Return what palaces that hang together are worth as a road, or as the hope of one.

    The longest path of a group is taken to be all of it but for loose ends; the final
    scoring is exact, but costs much more.
    """
    size = count_bits(group)
    if size < 2:
        return 0.0
    ends, reach, rest = 0, 0, group
    while rest != 0:
        near = c.NEAR[land, lowest(rest)]
        rest &= rest - 1
        reach |= near
        if count_bits(near & group) == 1:
            ends += 1
    room = count_bits(reach & ~built)
    length = size - max(0, ends - 2)
    if length >= c.LEAST_CHAIN:
        worth = desk.now[ROAD] * length + desk.now[LONGER] * min(room, 2)
        return 2.0 * worth if group & forts != 0 else worth
    if room == 0:
        return 0.0
    return desk.now[THREE] if length == 3 else desk.now[TWO] * min(room, 2) / 2.0


@rule
def roads_worth(desk, land, palaces, forts, built):
    total, rest = 0.0, palaces
    while rest != 0:
        group = group_of(land, rest)
        rest &= ~group
        total += group_worth(desk, land, group, forts, built)
    return total


# --- Tiles ---


@rule
def tiles_worth(state, desk, owner, colour):
    """Return what an owner's tiles of a colour are worth."""
    mine = int(state.tiles_taken[owner, colour])
    if mine == 0:
        return 0.0
    worth = desk.now[OF_TILE] * mine
    for other in range(owners(state)):
        if state.tiles_taken[other, colour] > mine:
            return worth
    return worth + desk.now[TILE_LEAD] * c.TILE_POINTS


# --- The whole position ---


@rule
def court_worth(state, desk, seat):
    """Return what influence cards are worth, besides the palaces that they bring."""
    worth = 0.0
    for colour in range(c.COLOURS):
        if state.influence[colour] == seat + 1:
            worth += desk.now[OF_INFLUENCE]
    return worth


@rule
def risk_of_influence(state, desk, province):
    """Return how likely the Emperor's palaces in a province will not score for their holder.

    Influence is lost to whoever has kept as many cards (CHI-71), one of which he keeps each
    turn; so it matters how many more the holder has, and how soon the province is full.
    """
    colour = c.COLOUR[c.row_of(state), province]
    holder = int(state.influence[colour]) - 1
    more = int(state.kept[holder, colour]) - int(state.kept[1 - holder, colour])
    return risk_with(desk, province, more)


@rule
def risk_with(desk, province, more):
    """Return that risk for whoever has kept so many cards more than the other."""
    soon = min(desk.free[province], FAR) / FAR
    return desk.now[RISK_EVEN + min(max(more, 0), 2)] * soon


@rule
def appraise(state, desk, out):
    """Write what the position is worth to each seat, in points; read the board before."""
    land, seats, count = c.row_of(state), int(state.seats), owners(state)
    built = occupied(state)
    for seat in range(seats):
        worth = float(points_of(state, seat))
        worth += roads_worth(desk, land, int(state.palaces[seat]), int(state.forts), built)
        for number in range(c.ALLIANCES[land]):
            worth += alliance_worth(state, desk, seat, number)
        if state.options.tiles != 0:
            for colour in range(c.TILE_COLOURS):
                worth += tiles_worth(state, desk, seat, colour)
        worth += desk.now[OF_FORT] * int(state.forts_left[seat])
        if seats == 2:
            worth += desk.now[SPARE] * count_bits(int(state.special[seat]))
        if seats == 2 and state.options.light == 0:
            worth += court_worth(state, desk, seat)
        out[seat] = worth
    for province in range(PROVINCES):
        if is_scored(state, province):
            continue
        for seat in range(seats):
            out[seat] += place_worth(desk, seat, count, province)
        holder = int(state.influence[c.COLOUR[land, province]]) - 1
        if holder >= 0:
            worth = emperors_worth(desk, province)
            risk = risk_of_influence(state, desk, province)
            out[holder] += (1.0 - risk) * worth
            out[1 - holder] += risk * worth


@rule
def chances(state, desk, out):
    """Write how likely each seat is to win, from 0 to 1.

    Where the game is over the points count a little besides, so that who cannot win any
    more still scores what he can.
    """
    seats = int(state.seats)
    if state.over == 0:
        read_board(state, desk)
        appraise(state, desk, out)
        shares_of(seats, desk.now[TEMPERATURE], out)
        return
    for seat in range(seats):
        out[seat] = float(points_of(state, seat))
    shares_of(seats, FINAL_TEMPERATURE, out)
    kernel.utilities(state, desk.won)
    for seat in range(seats):
        won = (desk.won[seat] * (seats - 1) + 1.0) / seats
        out[seat] = BY_POINTS * out[seat] + (1.0 - BY_POINTS) * won


@rule
def shares_of(seats, temperature, out):
    """Turn points into chances, by a softmax, in place."""
    most, total = out[0], 0.0
    for seat in range(seats):
        most = max(most, out[seat])
    for seat in range(seats):
        out[seat] = math.exp((out[seat] - most) / temperature)
        total += out[seat]
    for seat in range(seats):
        out[seat] /= total
