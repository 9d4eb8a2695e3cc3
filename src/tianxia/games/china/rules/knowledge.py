"""Who knows what: views, sampled worlds, features, a guess of who is ahead.

Hidden are hands and deck only. Bonus tiles that lie face down are known to nobody and
exchangeable, so that a state holds how many of each colour are left, not which is where.

A view remembers the deck
as all saw it at its last shuffle, less what came openly from it (`fresh`); how many cards
each player drew from it unseen (`draws`), and which ones the viewer drew himself
(`drawn`); and for each hand the cards that are surely in it (`known`): what was taken
openly, until it may have been played. These are lower bounds by colour, not the joint
distribution that a perfect memory would give.
"""

from __future__ import annotations

import math

import numpy as np

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import MAX_SPACES, PROVINCES
from tianxia.games.china.rules.cards import drawer
from tianxia.games.china.rules.pieces import emissaries_left, occupied, owners, palaces_left
from tianxia.games.china.rules.placing import can_pay_somehow
from tianxia.games.china.rules.scoring import (
    alliance_value,
    is_scored,
    place_value,
    points_of,
    tile_value,
)
from tianxia.games.china.rules.state import EMPERORS, PHASES, STATE
from tianxia.kernel import decks
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import allocates, rule
from tianxia.kernel.views import more_fields, open_fields, seat_fields


@answers(kernel.seen, STATE)
def seen(state, seat, action, viewer):
    if state.over == 0 and c.kind_of(action) == c.CARD and drawer(state) != viewer:
        return -1
    return action


see_open = open_fields(
    STATE,
    "land phase active first course placed province target owed exhausted step reason",
    "palaces emissaries forts forts_left scored points",
    "tile_space tile_colour tiles_down tiles_taken",
    "display discard fresh deck_size hand_sizes draws known",
    "imperial played kept influence special",
)
see_own = seat_fields(STATE, c.MAX_PLAYERS, "hands drawn")
see_at_end = more_fields(STATE, "deck hands drawn")


@answers(kernel.view, STATE)
def view(state, seat, out):
    see_open(state, seat, out)
    if state.over == 0:
        see_own(state, seat, out)
    else:
        see_at_end(state, out)


# --- Sampled worlds ---


@answers(kernel.sample, STATE)
@allocates
def sample(state, rng):
    """Fill up a view: first the deck, from what may be in it; what is left are hands.

    What the others drew since then is filled in as well, at random.
    """
    viewer = int(state.viewer)
    state.viewer = 0
    if state.over != 0 or viewer == 0:
        return
    own = viewer - 1 if viewer > 0 else -1
    unseen = np.empty(c.COLOURS, np.int64)
    while True:
        for colour in range(c.COLOURS):
            unseen[colour] = unseen_cards(state, colour)
        decks.fill_deck(state, own, state.known, unseen, rng)
        decks.fill_hands(state, own, unseen, rng)
        if own == state.active or can_keep_promise(state):
            break
        empty(state, own)
    decks.fill_draws(state, own, rng)


@rule
def can_keep_promise(state):
    """Say whether a player who is committed to a palace can pay for it (CHI-80).

    Who commits to one tells something of his hand. It is the only thing that is told by an
    action alone; a world in which he could not go on is drawn anew.
    """
    if state.target == 0 or int(state.course) & EMPERORS != 0:
        return True
    province = int(state.target) - 1
    if occupied(state) & c.WITHIN[c.row_of(state), province] != 0:
        return True
    return can_pay_somehow(state, province)


@rule
def empty(state, own):
    """Take back what was drawn for the deck and for the hands of others."""
    state.deck[:] = 0
    for owner in range(int(state.seats)):
        if owner != own:
            state.hands[owner] = 0


@rule
def unseen_cards(state, colour):
    """Return how many cards of a colour are in the deck and the hands together."""
    seats = int(state.seats)
    left = c.CARDS[seats, colour] - int(state.display[colour]) - int(state.discard[colour])
    if seats == 2:
        left -= int(state.imperial[colour]) + int(state.played[colour])
        left -= int(state.kept[0, colour]) + int(state.kept[1, colour])
    return left


# --- A guess ---


@rule
def unscored_value(state, owner):
    """Return what an owner's palaces would score in provinces without a score token."""
    total = 0
    for province in range(PROVINCES):
        if not is_scored(state, province):
            total += place_value(state, c.WITHIN[c.row_of(state), province], owner)
    return total


@rule
def prospect(state, seat):
    """Return a seat's points as if the game ended now, roads left out."""
    total = points_of(state, seat) + unscored_value(state, seat)
    for number in range(c.ALLIANCES[c.row_of(state)]):
        total += alliance_value(state, number, seat)
    for colour in range(c.TILE_COLOURS):
        total += tile_value(state, colour, seat)
    return total


@answers(kernel.evaluate, STATE)
@allocates
def evaluate(state, out):
    """Guess from the points that an end now would give, compared with the best of the others.

    Twenty points ahead are nearly won.
    """
    if state.over != 0:
        kernel.utilities(state, out)
        return
    seats = int(state.seats)
    worth = np.empty(c.MAX_PLAYERS)
    for seat in range(seats):
        worth[seat] = prospect(state, seat)
    for seat in range(seats):
        best = -1.0
        for other in range(seats):
            if other != seat:
                best = max(best, worth[other])
        out[seat] = math.tanh((worth[seat] - best) / 20.0)


# --- Features ---

SPACE_PLANES = c.MAX_PLAYERS + 2 + c.TILE_COLOURS
BOARD_PART = MAX_SPACES * SPACE_PLANES
PROVINCE_PART = PROVINCES * (c.MAX_PLAYERS + 1)
CARD_PART = 7 * c.COLOURS + 2
PLAYER = 2 * c.COLOURS + c.TILE_COLOURS + 3 + 9
FEATURES = BOARD_PART + PROVINCE_PART + CARD_PART + c.MAX_PLAYERS * PLAYER + PHASES + 5


@answers(kernel.encode, STATE)
def encode(state, out):
    """Write what the viewer sees, his own seat first (a spectator's is Blue's).

    - 60 × 10 for the spaces: five for a palace by its owner, clockwise from the viewer (with
      two players the third is the Emperor's); a fortification; a tile face down; tiles
      face up by colour (3);
    - 9 × 6 for the provinces: emissaries by owner, of 8; whether it is scored;
    - 37: by colour, in tens: the viewer's hand, display, discard, what may still be in the
      deck, the Emperor's cards, cards played in this turn, influence (1 the viewer's, −1 the
      opponent's); cards in the deck, of 57; how often it ran out, of 2;
    - for each of five players, clockwise from the viewer, 25: cards surely in hand by colour,
      tiles by colour of 6, kept cards by colour in tens, special cards left (3), cards in
      hand of 3, points in hundreds, points if the game ended now but for roads in hundreds,
      palaces left of 20, emissaries left of 8, fortification left, whether it is his turn,
      whether he began, whether he plays;
    - 17: the phase; 5: pieces placed in this turn, cards to take, whether the Emperor is
      moved, whether the province was empty, whether a palace is committed to.
    """
    own = int(state.viewer) - 1 if state.viewer > 0 else 0
    out[:FEATURES] = 0
    encode_spaces(state, own, out)
    encode_provinces(state, own, out)
    encode_cards(state, own, out)
    seats = int(state.seats)
    for i in range(seats):
        first = BOARD_PART + PROVINCE_PART + CARD_PART + i * PLAYER
        encode_player(state, (own + i) % seats, out, first)
    last = BOARD_PART + PROVINCE_PART + CARD_PART + c.MAX_PLAYERS * PLAYER
    out[last + int(state.phase)] = 1.0
    last += PHASES
    out[last] = int(state.placed) / 2
    out[last + 1] = int(state.owed) / 3
    out[last + 2] = float(int(state.course) >> 1 & 1)
    out[last + 3] = float(int(state.course) >> 3 & 1)
    out[last + 4] = 1.0 if state.target != 0 else 0.0


@rule
def turned(state, own, owner):
    """Return an owner's place, counted clockwise from the viewer; the Emperor is the third."""
    seats = int(state.seats)
    if owner >= seats:
        return owner
    return owner - own + (seats if owner < own else 0)


@rule
def fill_spaces(spaces, plane, out):
    """Write ones into a plane of the spaces of a set."""
    while spaces != 0:
        out[lowest(spaces) * SPACE_PLANES + plane] = 1.0
        spaces &= spaces - 1


@rule
def encode_spaces(state, own, out):
    for owner in range(owners(state)):
        fill_spaces(int(state.palaces[owner]), turned(state, own, owner), out)
    fill_spaces(int(state.forts), c.MAX_PLAYERS, out)
    for province in range(PROVINCES):
        for i in range(c.TILES_IN_PROVINCE):
            space = int(state.tile_space[province, i]) - 1
            if space >= 0:
                plane = c.MAX_PLAYERS + 1 + int(state.tile_colour[province, i])
                out[space * SPACE_PLANES + plane] = 1.0


@rule
def encode_provinces(state, own, out):
    for province in range(PROVINCES):
        first = BOARD_PART + province * (c.MAX_PLAYERS + 1)
        for owner in range(owners(state)):
            count = int(state.emissaries[owner, province])
            out[first + turned(state, own, owner)] = count / c.EMISSARIES
        if is_scored(state, province):
            out[first + c.MAX_PLAYERS] = 1.0


@rule
def encode_cards(state, own, out):
    first = BOARD_PART + PROVINCE_PART
    for colour in range(c.COLOURS):
        possible = int(state.fresh[colour])
        if state.viewer > 0:
            out[first + colour] = int(state.hands[own, colour]) / 10
            possible -= int(state.drawn[own, colour])
        out[first + c.COLOURS + colour] = int(state.display[colour]) / 10
        out[first + 2 * c.COLOURS + colour] = int(state.discard[colour]) / 10
        out[first + 3 * c.COLOURS + colour] = possible / 10
        out[first + 4 * c.COLOURS + colour] = int(state.imperial[colour]) / 10
        out[first + 5 * c.COLOURS + colour] = int(state.played[colour]) / 10
        holder = int(state.influence[colour]) - 1
        if holder >= 0:
            out[first + 6 * c.COLOURS + colour] = 1.0 if holder == own else -1.0
    out[first + 7 * c.COLOURS] = int(state.deck_size) / 57
    out[first + 7 * c.COLOURS + 1] = int(state.exhausted) / 2


@rule
def encode_player(state, seat, out, first):
    for colour in range(c.COLOURS):
        out[first + colour] = int(state.known[seat, colour]) / 10
        if state.seats == 2:
            out[first + c.COLOURS + c.TILE_COLOURS + colour] = int(state.kept[seat, colour]) / 10
    for colour in range(c.TILE_COLOURS):
        out[first + c.COLOURS + colour] = int(state.tiles_taken[seat, colour]) / c.TILES_OF_COLOUR
    special = first + 2 * c.COLOURS + c.TILE_COLOURS
    if state.seats == 2:
        for i in range(3):
            out[special + i] = float(int(state.special[seat]) >> i & 1)
    last = special + 3
    out[last] = int(state.hand_sizes[seat]) / 3
    out[last + 1] = points_of(state, seat) / 100
    out[last + 2] = prospect(state, seat) / 100
    out[last + 3] = palaces_left(state, seat) / c.PALACES
    out[last + 4] = emissaries_left(state, seat) / c.EMISSARIES
    out[last + 5] = int(state.forts_left[seat])
    out[last + 6] = 1.0 if state.active == seat else 0.0
    out[last + 7] = 1.0 if state.first == seat else 0.0
    out[last + 8] = 1.0


@answers(kernel.limits, STATE)
def limits(state):
    return c.NUM_ACTIONS, c.MAX_LEGAL, c.MAX_CHANCE, FEATURES
