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
    east, west, north, south = moves_each_way(state, seat)
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
def count_both(low, high, free_low, free_high):
    """Count the squares of a set that are in another, too."""
    return count_bits(low & free_low) + count_bits(high & free_high)


@rule
def moves_each_way(state, seat):
    """Count the moves of all pieces east, west, north, south, repetition rules aside.

    All four are followed at once: a loop for each would end four times where nobody expects it.
    """
    free = ~state.occupied[seat, 0], ~state.occupied[seat, 1]
    pieces = state.movable[seat, 0], state.movable[seat, 1]
    east = count_both(*shifted(*pieces, EAST), *free)
    west = count_both(*shifted(*pieces, WEST), *free)
    north = count_both(*shifted(*pieces, NORTH), *free)
    south = count_both(*shifted(*pieces, SOUTH), *free)
    scouts = state.scouts[seat, 0], state.scouts[seat, 1]
    e_low, e_high = shifted(*scouts, EAST)
    w_low, w_high = shifted(*scouts, WEST)
    n_low, n_high = shifted(*scouts, NORTH)
    s_low, s_high = shifted(*scouts, SOUTH)
    other = 1 - seat
    low, high = free[0] & ~state.occupied[other, 0], free[1] & ~state.occupied[other, 1]
    while (e_low | w_low | n_low | s_low) & low | (e_high | w_high | n_high | s_high) & high != 0:
        e_low, e_high = shifted(e_low & low, e_high & high, EAST)
        w_low, w_high = shifted(w_low & low, w_high & high, WEST)
        n_low, n_high = shifted(n_low & low, n_high & high, NORTH)
        s_low, s_high = shifted(s_low & low, s_high & high, SOUTH)
        east += count_both(e_low, e_high, *free)
        west += count_both(w_low, w_high, *free)
        north += count_both(n_low, n_high, *free)
        south += count_both(s_low, s_high, *free)
    return east, west, north, south


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
