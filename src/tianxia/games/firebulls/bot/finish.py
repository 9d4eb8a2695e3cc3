"""The last turns: seats in trials end the game where that wins, and not where it loses.

The quick player (`greed`) counts points only, whether an attack empties the second pile or
not. Here a turn that may end the game is played out in each way that it could take.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.bot import greed
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.state import ASIDE, STEP, TURN, WON
from tianxia.kernel import functions as f
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.game import Game
from tianxia.kernel.jit import rule
from tianxia.kernel.record import CHANCE, Pool, blank

MOST_DRAWS = c.DIRECT
"""Seldom are more cards drawn in a turn: by an attack one for each card after the first, and one
for each Bo."""
ENDS_LOST, GOES_ON, ENDS_WON = range(3)


class Ends(NamedTuple):
    """Room for playing a turn out.

    Attributes
    ----------
    world
        The turn as it is played out.
    actions, weights
        Room for what the game writes.
    ways
        What the seat could do in the turn.
    shares
        Utilities by seat.
    numbers
        A random generator.
    """

    world: Pool
    actions: NDArray[np.int32]
    weights: NDArray[np.int32]
    ways: NDArray[np.int64]
    shares: NDArray[np.float64]
    numbers: NDArray[np.int64]


def make_ends(game: Game) -> Ends:
    """Return memory for one thread."""
    actions, weights = game.buffers()
    return Ends(
        world=blank(game.kind.dtype, 1),
        actions=actions,
        weights=weights,
        ways=np.zeros(c.AT_GENERAL + 2 + c.ATTACK_KINDS, np.int64),
        shares=np.zeros(game.seats),
        numbers=np.zeros(4, np.int64),
    )


@rule
def end_is_near(state):
    """Say whether the turn that begins may end the game (FBL-45, FBL-46)."""
    if state.exhausted == c.LAST_EXHAUSTION - 1 and state.deck_size <= MOST_DRAWS:
        return True
    if state.general not in (ASIDE, WON):
        return False
    total = most = 0
    for pile in range(c.PILES):
        total += int(state.piles[pile])
        most = max(most, int(state.piles[pile]))
    return total - most <= c.DIRECT


@rule
def finish(state, seat, habits, room, ends, rng):
    """Return what a seat does in a turn: what ends the game won, or not lost, if there is that.

    Else what the quick player does.
    """
    usual = greed.decide(state, seat, habits, room)
    found = ending(state, seat, usual, habits, room, ends, rng)
    if found == ENDS_WON:
        return usual
    count = list_ways(state, seat, habits, room, ends.ways)
    other = usual
    for i in range(count):
        way = ends.ways[i]
        if way == usual:
            continue
        comes = ending(state, seat, way, habits, room, ends, rng)
        if comes == ENDS_WON:
            return way
        if comes == GOES_ON and found == ENDS_LOST and other == usual:
            other = way
    return other


@rule
def list_ways(state, seat, habits, room, ways):
    """Write the attacks that can begin, drawing and taking; return how many there are."""
    count, pawn = 0, int(state.pawns[seat])
    greed.march_all(pawn, 1, greed.look(state, seat, habits, room), habits, room)
    for direction in range(max(pawn - 1, 1), min(pawn + 1, c.DIRECTIONS) + 1):
        if greed.reach_of(direction, pawn, room) > greed.LOST / 2:
            ways[count] = greed.laying(direction, room.line[direction, 0], room)
            count += 1
    if room.reach[c.AT_GENERAL, 0] > greed.LOST / 2:
        ways[count] = greed.laying(c.AT_GENERAL, room.line[c.AT_GENERAL, 0], room)
        count += 1
    ways[count] = c.DRAW
    count += 1
    for kind in range(c.ATTACK_KINDS):
        if state.reserve[kind] > 0:
            ways[count] = c.TAKE + kind
            count += 1
    return count


@rule
def ending(state, seat, action, habits, room, ends, rng):
    """Say how a turn ends that begins with an action: the game won, lost, or going on."""
    copy_into(ends.numbers, rng)
    ends.world[0] = state
    f.apply_action(ends.world[0], seat, action)
    while ends.world[0].over == 0 and ends.world[0].phase != TURN:
        quick(ends.world[0], habits, room, ends, ends.numbers)
    if ends.world[0].over == 0:
        return GOES_ON
    f.utilities(ends.world[0], ends.shares)
    return ENDS_WON if ends.shares[seat] > 0.0 else ENDS_LOST


@rule
def quick(state, habits, room, ends, rng):
    """Let chance act, or who may as the quick player does."""
    acting = int(state.acting)
    if acting == 0:
        action = f.random_outcome(state, ends.actions, ends.weights, rng)
        f.apply_action(state, CHANCE, action)
    else:
        seat = lowest(acting)
        if state.phase == STEP:
            action = step(state, seat, habits, room)
        else:
            action = greed.decide(state, seat, habits, room)
        f.apply_action(state, seat, action)


@rule
def step(state, seat, habits, room):
    """Return the quick player's step, who here also counts what a pushed seat loses by it.

    It knows the hands of others, since the world is a sampled one. With several others a
    loss of one of them is a part of a gain only.
    """
    pawn, left, right = int(state.pawns[seat]), 0.0, 0.0
    for other in range(int(state.seats)):
        there = int(state.pawns[other])
        if abs(there - pawn) == 1:
            loss = loss_by_push(state, other, pawn, habits, room) / (int(state.seats) - 1)
            left, right = (loss, right) if there < pawn else (left, loss)
    return greed.decide_step(state, seat, left, right, habits, room)


@rule
def loss_by_push(state, seat, there, habits, room):
    """Return how much less a seat's best attack is worth where its pawn is moved to."""
    pawn = int(state.pawns[seat])
    scale = greed.look(state, seat, habits, room)
    greed.march_all(pawn, 2, scale, habits, room)
    return greed.best_from(pawn, room) - greed.best_from(there, room)
