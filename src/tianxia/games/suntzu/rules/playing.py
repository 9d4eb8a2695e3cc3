"""A random card laid, straight from the hand, without a list of all cards and provinces."""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import may_lay_6
from tianxia.games.suntzu.rules.state import LAYING, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import member
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.rng import below

BELOW_6 = (1 << c.SIX) - 1


@answers(kernel.random_action, STATE)
def random_action(state, seat, actions, rng):
    if state.phase != LAYING:
        return actions[below(rng, kernel.legal_actions(state, seat, actions))]
    free, open_to_6 = free_provinces(state, seat), 0
    cards = cards_held(state, seat)
    places = count_bits(free)
    if cards >> c.SIX & 1 != 0:
        open_to_6 = provinces_for_6(state, seat, free)
    low = places * count_bits(cards & BELOW_6)
    sixes = count_bits(open_to_6)
    specials = cards >> c.BASIC
    high = places * count_bits(specials)
    spare = count_bits(specials) if state.aside[seat] > 0 else 0
    number = below(rng, low + sixes + high + spare)
    if number < low:
        return c.laying(member(cards, number // places), member(free, number % places))
    number -= low
    if number < sixes:
        return c.laying(c.SIX, member(open_to_6, number))
    number -= sixes
    if number < high:
        kind = c.BASIC + member(specials, number // places)
        return c.laying(kind, member(free, number % places))
    return c.REINFORCE + member(specials, number - high)


@rule
def free_provinces(state, seat):
    """Return the provinces where the seat has laid no card yet, as bits."""
    free = 0
    for province in range(c.PROVINCES):
        free |= int(state.laid[seat, province] == 0) << province
    return free


@rule
def provinces_for_6(state, seat, free):
    """Return the free provinces to which a 6 may go, as bits."""
    able = 0
    for province in range(c.PROVINCES):
        able |= int(may_lay_6(state, seat, province)) << province
    return able & free


@rule
def cards_held(state, seat):
    """Return the kinds of cards in the hand, as bits."""
    held = 0
    for kind in range(c.KINDS):
        held |= int(state.hand[seat, kind] > 0) << kind
    return held
