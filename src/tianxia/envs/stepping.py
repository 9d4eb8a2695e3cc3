"""The compiled half of `tianxia.envs.vector`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import functions as f
from tianxia.kernel.batches import act, actor, observe_one, settle, write_mask
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.multisets import how_many, kind_at
from tianxia.kernel.record import Pool

SCALE = 30
"""What a feature of 1 is as int8: halves, thirds, fifths, tenths are exact, and counts up to 4."""
THIRTY, FURTHEST = np.float32(SCALE), np.int32(127)
BLOCK = 64
"""How many places of a mask are counted at once."""
AHEAD, UP = np.int32(128), np.float32(128.5)
"""Added before a number is cut, so that it is rounded, negative ones too."""


class Arrays(NamedTuple):
    """What `VectorEnv` and its compiled half share: see there.

    Attributes
    ----------
    small, final_small
        Observations as int8; without features where they are float32.
    """

    pool: Pool
    rngs: NDArray[np.int64]
    taken: NDArray[np.int64]
    small: NDArray[np.int8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_small: NDArray[np.int8]


class Desk(NamedTuple):
    """Room for one thread.

    Attributes
    ----------
    rows, final_rows, stride
        Where features go: row ``stride * i`` for game i. With int8 there is one row only.
    """

    start: Pool
    blank: Pool
    known: Pool
    rows: NDArray[np.float32]
    final_rows: NDArray[np.float32]
    stride: int
    listed: NDArray[np.int32]
    weights: NDArray[np.int32]
    utility: NDArray[np.float64]


class Room(NamedTuple):
    """Room for what a seat sees of one game."""

    blank: Pool
    known: Pool
    listed: NDArray[np.int32]


@rule
def encode_as(state, seat, room, features):
    """Write what a seat sees as features."""
    room.known[0] = room.blank[0]
    observe_one(state, seat, room.known[0])
    f.encode(room.known[0], features)


@entry
def look_once(pool, seat, room, features, mask):
    """Write what a seat sees of one game, and a one for each action that it may take."""
    encode_as(pool[0], seat, room, features)
    write_mask(pool[0], seat, room.listed, mask)


@rule
def see(state, seat, desk, features, small):
    """Write what a seat sees as features, and as int8 where these are wanted."""
    encode_as(state, seat, desk, features)
    for i in range(len(small)):  # in 32 bits throughout, and whole numbers are compared sooner
        scaled = np.int32(features[i] * THIRTY + UP) - AHEAD
        small[i] = min(max(scaled, -FURTHEST), FURTHEST)


@rule
def look(arrays, desk, i):
    """Fill in who acts, what this seat sees and what it may do."""
    state = arrays.pool[i]
    seat = actor(state)
    arrays.seats[i] = seat
    see(state, seat, desk, desk.rows[i * desk.stride], arrays.small[i])
    write_mask(state, seat, desk.listed, arrays.masks[i])


@rule
def begin(arrays, desk, i):
    """Start a game anew, up to the first decision."""
    arrays.pool[i] = desk.start[0]
    arrays.taken[i] = 0
    settle(arrays.pool[i], arrays.rngs[i], desk.listed, desk.weights)


@entry
def start_all(arrays, desk, first, last):
    """Begin some of the games."""
    for i in range(first, last):
        begin(arrays, desk, i)
        arrays.rewards[i, :] = 0
        arrays.terminated[i] = False
        arrays.truncated[i] = False
        look(arrays, desk, i)


@entry
def first_illegal(masks, actions):
    """Return the first game in which an action is not legal; as many as there are if none is."""
    for i in range(len(actions)):
        action = actions[i]
        if not 0 <= action < masks.shape[1] or masks[i, action] == 0:
            return i
    return len(actions)


@rule
def place_of_one(mask, left):
    """Return the place of the one in a mask that `left` others come before."""
    place = 0
    passed = how_many(mask[:BLOCK])
    while passed <= left:
        left -= passed
        place += BLOCK
        passed = how_many(mask[place : place + BLOCK])
    return place + kind_at(mask[place:], left)


@entry
def choose_all(masks, shares, out):
    """Write an action for each game: the one at a share, from 0 to 1, of those that are legal."""
    for i in range(len(out)):
        out[i] = place_of_one(masks[i], int(shares[i] * how_many(masks[i])))


@entry
def step_all(arrays, desk, actions, longest, first, last):
    """Take an action in some of the games; those that are over begin again."""
    for i in range(first, last):
        state = arrays.pool[i]
        seat = int(arrays.seats[i])
        act(state, seat, actions[i], arrays.rngs[i], desk.listed, desk.weights)
        arrays.taken[i] += 1
        over = state.over != 0
        cut = not over and arrays.taken[i] >= longest
        arrays.rewards[i, :] = 0
        arrays.terminated[i] = over
        arrays.truncated[i] = cut
        if over:
            f.utilities(state, desk.utility)
            for other in range(arrays.rewards.shape[1]):
                arrays.rewards[i, other] = desk.utility[other]
        if over or cut:
            watcher = seat if over else actor(state)
            see(state, watcher, desk, desk.final_rows[i * desk.stride], arrays.final_small[i])
            begin(arrays, desk, i)
        look(arrays, desk, i)
