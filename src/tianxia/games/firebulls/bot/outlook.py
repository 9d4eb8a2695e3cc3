"""Who is ahead, as a small learned network sees it.

Each seat's features, with those of the table, go through the same network and give a
number; the softmax of all seats' numbers is the share of the win that each can expect. So
one network serves two players and five. It was trained on games of the quick player
against itself (``bench/firebulls_training.py``); inputs are points, what hands are worth,
the attacks that they allow, and how much of the game is left.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.bot import greed
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.ending import highest_card, points
from tianxia.games.firebulls.rules.state import ASIDE, WON
from tianxia.kernel.jit import rule

OWN = 17
"""Features of a seat."""
COMMON = 11
"""Features of the table."""
INPUTS = OWN + 4 + COMMON
HIDDEN = 24


class Network(NamedTuple):
    """What was learned: one hidden layer.

    Attributes
    ----------
    first, bias
        Shapes (INPUTS, HIDDEN) and (HIDDEN,).
    last
        Shape (HIDDEN,).
    """

    first: NDArray[np.float64]
    bias: NDArray[np.float64]
    last: NDArray[np.float64]


class Sight(NamedTuple):
    """Arrays that the network is asked with: inputs by seat, the table's, one layer, shares."""

    inputs: NDArray[np.float64]
    common: NDArray[np.float64]
    layer: NDArray[np.float64]
    shares: NDArray[np.float64]


def make_sight() -> Sight:
    """Return memory for looking at a position."""
    return Sight(
        inputs=np.zeros((c.MAX_PLAYERS, INPUTS)),
        common=np.zeros(COMMON),
        layer=np.zeros(HIDDEN),
        shares=np.zeros(c.MAX_PLAYERS),
    )


@rule
def look_at_table(state, out):
    """Write how much is left of the game, and what lies on the table."""
    draws, empty, unseen, worth, near = 0.0, 0, 0, 0, 0
    draws = int(state.deck_size) / c.DECK
    for pile in range(c.PILES):
        empty += state.piles[pile] == 0
    for kind in range(c.KINDS):
        unseen += int(state.unseen[kind])
        worth += int(state.unseen[kind]) * int(c.VALUE[kind])
    for place in range(c.PLACES):
        if state.rows[place] != 0:
            near += int(c.VALUE[int(state.rows[place]) - 1])
    cycles = c.LAST_EXHAUSTION - int(state.exhausted)
    back = 0
    for kind in range(c.ATTACK_KINDS):
        back += int(state.discard[kind])
    out[0] = draws
    out[1] = float(int(cycles == 1))
    out[2] = float(int(cycles == 2))
    out[3] = draws * float(int(cycles == 1))
    out[4] = unseen / 27
    out[5] = worth / 60
    out[6] = near / 20
    out[7] = empty / 2
    out[8] = float(int(state.general == ASIDE))
    out[9] = float(int(state.general == WON))
    out[10] = back / c.DECK


@rule
def look_at_seat(state, seat, habits, room, out):
    """Write what a seat has, and what it can do."""
    seats = int(state.seats)
    pawn = int(state.pawns[seat])
    scale = greed.look(state, seat, habits, room)
    greed.march_all(pawn, c.DIRECTIONS, scale, habits, room)
    best = highest_card(state, seat)
    loss = int(c.VALUE[best]) if best >= 0 else 0
    now = greed.best_from(pawn, room)
    _, step = greed.best_step(pawn, 0.0, 0.0, room)
    anywhere = max(0.0, room.reach[c.AT_GENERAL, 0])
    for direction in range(1, c.DIRECTIONS + 1):
        anywhere = max(anywhere, room.reach[direction, c.DIRECT - 1])
    out[0] = points(state, seat) / 10
    out[1] = loss / 10
    out[2] = scale * greed.hand_worth(room.hand, habits) / 8
    out[3] = int(state.hand_sizes[seat]) / c.HAND_LIMIT
    out[4] = now / 8
    out[5] = step / 8
    out[6] = anywhere / 8
    out[7] = room.hand[c.WARRIOR] / 2
    out[8] = float(int(seat == int(state.active)))
    out[9] = ((seat - int(state.active)) % seats) / seats
    out[10] = room.fee[0] / 3
    out[11] = float(int(pawn == 1) + int(pawn == c.DIRECTIONS))
    for i in range(c.COLOURS):
        out[12 + i] = 0.0
    for colour in range(c.COLOURS):  # counts, the largest first
        count = room.hand[colour] / 4
        for i in range(c.COLOURS):
            if count > out[12 + i]:
                count, out[12 + i] = out[12 + i], count


@rule
def look_at_all(state, habits, room, sight):
    """Write the inputs of all seats."""
    seats = int(state.seats)
    look_at_table(state, sight.common)
    for seat in range(seats):
        look_at_seat(state, seat, habits, room, sight.inputs[seat])
    late = 0.3 + 1.7 * sight.common[5] + 0.3 * sight.common[0]
    for seat in range(seats):
        most, hand, can = -10.0, -10.0, 0.0
        for other in range(seats):
            if other != seat:
                most = max(most, sight.inputs[other, 0])
                hand = max(hand, sight.inputs[other, 2])
                can = max(can, sight.inputs[other, 4])
        own = sight.inputs[seat]
        own[OWN] = own[0] - most
        own[OWN + 1] = own[2] - hand
        own[OWN + 2] = own[4] - can
        own[OWN + 3] = (own[0] - most) / late
        for i in range(COMMON):
            own[OWN + 4 + i] = sight.common[i]


@rule
def judge(inputs, network, layer):
    """Return the number of one seat."""
    for j in range(HIDDEN):
        layer[j] = network.bias[j]
    for i in range(INPUTS):
        x = inputs[i]
        if x != 0.0:
            for j in range(HIDDEN):
                layer[j] += x * network.first[i, j]
    total = 0.0
    for j in range(HIDDEN):
        total += network.last[j] * math.tanh(layer[j])
    return total


@rule
def expect(state, habits, network, room, sight):
    """Write the share of the win that each seat can expect, where a turn begins."""
    seats = int(state.seats)
    look_at_all(state, habits, room, sight)
    most, total = -1e9, 0.0
    for seat in range(seats):
        sight.shares[seat] = judge(sight.inputs[seat], network, sight.layer)
        most = max(most, sight.shares[seat])
    for seat in range(seats):
        sight.shares[seat] = math.exp(sight.shares[seat] - most)
        total += sight.shares[seat]
    for seat in range(seats):
        sight.shares[seat] /= total
