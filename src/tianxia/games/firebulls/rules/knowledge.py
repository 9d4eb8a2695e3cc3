"""Who knows what: views, sampled worlds, features, a guess of who is ahead.

Hidden are hands and deck only. Of the point cards everybody knows what is left in the
piles together, and nobody in which pile a card is.

A view remembers four things. The deck as everybody saw it at its last shuffle, less what
came openly from it since (`fresh`); how many cards each player drew from it unseen
(`draws`), and which ones the viewer drew himself (`drawn`); and for each hand the cards
that are surely in it (`known`): what was taken openly from the Reserve, or seen in the
General's theft, until it may have been laid. These are lower bounds by kind, not the joint
distribution that a perfect memory would give.
"""

from __future__ import annotations

import math

import numpy as np

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.answers import drawer
from tianxia.games.firebulls.rules.ending import points
from tianxia.games.firebulls.rules.state import PHASES, PUBLIC, STATE
from tianxia.kernel import decks
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import allocates, rule
from tianxia.kernel.views import more_fields, open_fields, seat_fields


@answers(kernel.seen, STATE)
def seen(state, seat, action, viewer):
    if state.over != 0:
        return action
    kind = c.kind_of(action)
    if kind == c.CARD:
        holder = drawer(state)
        return action if holder < 0 or holder == viewer else -1
    if kind == c.STEAL:
        told = int(viewer == int(state.active)) + int(viewer == int(state.victim) - 1)
        return action if told > 0 else -1
    return action


see_open = open_fields(
    STATE,
    "phase active resume owed direction warriors victim exhausted reason won",
    "general pawns rows piles unseen removed victory",
    "reserve discard fresh deck_size hand_sizes draws",
)
see_own = seat_fields(STATE, c.MAX_PLAYERS, "hands drawn")
see_memory = seat_fields(STATE, PUBLIC + 1, "known")
see_at_end = more_fields(STATE, "deck hands drawn known")


@answers(kernel.view, STATE)
def view(state, seat, out):
    see_open(state, seat, out)
    see_memory(state, PUBLIC, out)
    if state.over == 0:
        see_own(state, seat, out)
        see_memory(state, seat, out)
    else:
        see_at_end(state, out)


# --- Sampled worlds ---


@answers(kernel.sample, STATE)
@allocates
def sample(state, rng):
    """Fill up a view: first the deck, from what may be in it; what is left are hands.

    What other seats remember of their own is filled in as well: their draws at random out
    of what left the deck, their bounds of hands as everybody knows them.
    """
    viewer = int(state.viewer)
    state.viewer = 0
    if state.over != 0 or viewer == 0:
        return
    own = viewer - 1 if viewer > 0 else -1
    unseen = np.empty(c.ATTACK_KINDS, np.int64)
    for kind in range(c.ATTACK_KINDS):
        unseen[kind] = c.ATTACK_CARDS[kind] - int(state.reserve[kind]) - int(state.discard[kind])
    decks.fill_deck(state, own, state.known[own if own >= 0 else PUBLIC], unseen, rng)
    decks.fill_hands(state, own, unseen, rng)
    decks.fill_draws(state, own, rng)
    for owner in range(int(state.seats)):
        if owner != own:
            for other in range(int(state.seats)):
                copy_into(state.known[owner, other], state.known[PUBLIC, other])


# --- Features and a guess ---

TABLE = c.PLACES * c.KINDS
PLAYER = c.KINDS + c.DIRECTIONS + c.ATTACK_KINDS + 4
SUPPLY = TABLE + c.KINDS + c.PILES + 3
PLAYERS = SUPPLY + 4 * c.ATTACK_KINDS + 2
COURSE = PLAYERS + c.MAX_PLAYERS * PLAYER
FEATURES = COURSE + PHASES + c.MAX_PLAYERS + 7 + 4


@answers(kernel.encode, STATE)
def encode(state, out):
    """Write what the viewer sees, his own seat first (a spectator's is Blue's).

    - 9 × 16: which kind of point card lies on each place of the rows;
    - 16: share of each kind that is still in the piles; 3: share of each pile that is left;
      3: the General in the piles, aside, won;
    - 4 × 6: attack cards by kind: in the viewer's hand, in the Reserve, in the discard, and
      those that may still be in the deck, in tens; 1: cards in the deck, of 54; 1: how often
      it ran out, of 3;
    - for each of five players, clockwise from the viewer, 31: Victory pile by kind (share of
      the kind), direction of the pawn (5), cards that are surely in hand by kind in tens,
      cards in hand in tens, points in fifties, whether it is his turn, whether he plays;
    - 20: the phase; 5: who decides next, from the viewer; 7: no attack, directions 1 to 5, the
      General; 4: cards won in this turn, Warriors that cost a fee, draws owed, opponent
      who loses a card next (all in tens).
    """
    own = int(state.viewer) - 1 if state.viewer > 0 else 0
    row = own if state.viewer > 0 else PUBLIC
    seats = int(state.seats)
    out[:FEATURES] = 0
    for place in range(c.PLACES):
        if state.rows[place] != 0:
            out[place * c.KINDS + int(state.rows[place]) - 1] = 1.0
    for kind in range(c.KINDS):
        out[TABLE + kind] = int(state.unseen[kind]) / c.POINT_CARDS[kind]
    for pile in range(c.PILES):
        out[TABLE + c.KINDS + pile] = int(state.piles[pile]) / c.PILE
    out[TABLE + c.KINDS + c.PILES + int(state.general)] = 1.0
    for kind in range(c.ATTACK_KINDS):
        possible = int(state.fresh[kind])
        if state.viewer > 0:
            out[SUPPLY + kind] = int(state.hands[own, kind]) / 10
            possible -= int(state.drawn[own, kind])
        out[SUPPLY + c.ATTACK_KINDS + kind] = int(state.reserve[kind]) / 10
        out[SUPPLY + 2 * c.ATTACK_KINDS + kind] = int(state.discard[kind]) / 10
        out[SUPPLY + 3 * c.ATTACK_KINDS + kind] = possible / 10
    out[SUPPLY + 4 * c.ATTACK_KINDS] = int(state.deck_size) / c.DECK
    out[SUPPLY + 4 * c.ATTACK_KINDS + 1] = int(state.exhausted) / 3
    for i in range(seats):
        encode_player(state, (own + i) % seats, row, out, PLAYERS + i * PLAYER)
    out[COURSE + int(state.phase)] = 1.0
    if state.acting != 0:
        out[COURSE + PHASES + (int(state.active) - own) % seats] = 1.0
    out[COURSE + PHASES + c.MAX_PLAYERS + int(state.direction)] = 1.0
    last = COURSE + PHASES + c.MAX_PLAYERS + 7
    for i in range(c.DIRECT):
        out[last] += 0.1 if state.won[i] != 0 else 0.0
    out[last + 1] = int(state.warriors) / 10
    out[last + 2] = int(state.owed) / 10
    if state.victim != 0:
        out[last + 3] = ((int(state.victim) - 1 - own) % seats) / 10


@rule
def encode_player(state, seat, row, out, first):
    for kind in range(c.KINDS):
        out[first + kind] = int(state.victory[seat, kind]) / c.POINT_CARDS[kind]
    if state.pawns[seat] != 0:
        out[first + c.KINDS + int(state.pawns[seat]) - 1] = 1.0
    for kind in range(c.ATTACK_KINDS):
        out[first + c.KINDS + c.DIRECTIONS + kind] = int(state.known[row, seat, kind]) / 10
    last = first + c.KINDS + c.DIRECTIONS + c.ATTACK_KINDS
    out[last] = int(state.hand_sizes[seat]) / 10
    out[last + 1] = points(state, seat) / 50
    out[last + 2] = 1.0 if state.active == seat else 0.0
    out[last + 3] = 1.0


@answers(kernel.evaluate, STATE)
def evaluate(state, out):
    """Guess from points and cards in hand, compared with the best of the others.

    A card in hand counts as half a point; twelve points ahead are nearly won.
    """
    if state.over != 0:
        kernel.utilities(state, out)
        return
    seats = int(state.seats)
    for seat in range(seats):
        best = -1.0
        for other in range(seats):
            if other != seat:
                best = max(best, points(state, other) + 0.5 * int(state.hand_sizes[other]))
        mine = points(state, seat) + 0.5 * int(state.hand_sizes[seat])
        out[seat] = math.tanh((mine - best) / 12.0)


@answers(kernel.limits, STATE)
def limits(state):
    return c.NUM_ACTIONS, c.MAX_LEGAL, c.MAX_CHANCE, FEATURES
