"""A random move, straight from the sets of squares, without a list of all moves."""

from __future__ import annotations

from tianxia.games.stratego.rules.answers import restricted, shifted
from tianxia.games.stratego.rules.components import ARRIVAL, EAST, HALF, NORTH, SOUTH, WEST
from tianxia.games.stratego.rules.state import SETUP, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import member
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.rng import below


@answers(kernel.random_action, STATE)
def random_action(state, seat, actions, rng):
    if state.phase == SETUP or restricted(state, seat):
        return actions[below(rng, kernel.legal_actions(state, seat, actions))]
    east, west = moves_in(state, seat, EAST), moves_in(state, seat, WEST)
    north, south = moves_in(state, seat, NORTH), moves_in(state, seat, SOUTH)
    number = below(rng, east + west + north + south)
    if number < east:
        return move_in(state, seat, EAST, number)
    number -= east
    if number < west:
        return move_in(state, seat, WEST, number)
    number -= west
    if number < north:
        return move_in(state, seat, NORTH, number)
    return move_in(state, seat, SOUTH, number - north)


@rule
def moves_in(state, seat, direction):
    """Count the moves of all pieces in one direction, repetition rules aside."""
    free_low, free_high = ~state.occupied[seat, 0], ~state.occupied[seat, 1]
    low, high = shifted(state.movable[seat, 0], state.movable[seat, 1], direction)
    count = count_bits(low & free_low) + count_bits(high & free_high)
    other = 1 - seat
    open_low = free_low & ~state.occupied[other, 0]
    open_high = free_high & ~state.occupied[other, 1]
    low, high = shifted(state.scouts[seat, 0], state.scouts[seat, 1], direction)
    while True:
        low, high = shifted(low & open_low, high & open_high, direction)
        if low | high == 0:
            return count
        count += count_bits(low & free_low) + count_bits(high & free_high)


@rule
def move_in(state, seat, direction, number):
    """Return the move of that number in one direction, in the order of `legal_actions`."""
    free_low, free_high = ~state.occupied[seat, 0], ~state.occupied[seat, 1]
    low, high = shifted(state.movable[seat, 0], state.movable[seat, 1], direction)
    other = 1 - seat
    open_low = free_low & ~state.occupied[other, 0]
    open_high = free_high & ~state.occupied[other, 1]
    far_low, far_high = shifted(state.scouts[seat, 0], state.scouts[seat, 1], direction)
    distance = 1
    while True:
        low, high = low & free_low, high & free_high
        count = count_bits(low) + count_bits(high)
        if number < count:
            return ARRIVAL[direction, distance, square_of(low, high, number)]
        number -= count
        far_low, far_high = shifted(far_low & open_low, far_high & open_high, direction)
        low, high = far_low, far_high
        distance += 1


@rule
def square_of(low, high, number):
    """Return the square of that number in a set, the lowest first."""
    count = count_bits(low)
    if number < count:
        return member(low, number)
    return HALF + member(high, number - count)
