"""A random card laid, straight from the hand, without a list of all cards and provinces."""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import free_provinces, provinces_for
from tianxia.games.suntzu.rules.payments import to_discard
from tianxia.games.suntzu.rules.state import LAYING, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import member
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.multisets import nonzero
from tianxia.kernel.rng import below

BELOW_6 = (1 << c.SIX) - 1


@answers(kernel.random_action, STATE)
def random_action(state, seat, actions, rng):
    if state.phase != LAYING:
        return actions[below(rng, kernel.legal_actions(state, seat, actions))]
    free, open_to_6 = free_provinces(state, seat), 0
    cards = nonzero(state.hand[seat])
    places = count_bits(free)
    if cards >> c.SIX & 1 != 0:
        open_to_6 = provinces_for(state, seat, c.SIX, free)
    low = places * count_bits(cards & BELOW_6)
    sixes = count_bits(open_to_6)
    specials = cards >> c.BASIC
    high = places * count_bits(specials)
    spare = to_discard(state, seat)
    number = below(rng, low + sixes + high + count_bits(spare))
    if number < low:
        return c.laying(member(cards, number // places), member(free, number % places))
    number -= low
    if number < sixes:
        return c.laying(c.SIX, member(open_to_6, number))
    number -= sixes
    if number < high:
        kind = c.BASIC + member(specials, number // places)
        return c.laying(kind, member(free, number % places))
    return c.REINFORCE + member(spare, number - high)
