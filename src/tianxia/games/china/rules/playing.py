"""A random piece, straight from the sets of spaces, without a list of all that can be placed."""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.answers import legal_others
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.placing import (
    can_commit,
    fort_spaces,
    means_of,
    palace_spaces,
    takes_emissary,
    ways_into,
)
from tianxia.games.china.rules.state import MORE, STATE, TURN
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import member
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.rng import below


@answers(kernel.random_action, STATE)
def random_action(state, seat, actions, rng):
    listed = state.phase not in (TURN, MORE) or c.NUM_POSTS[c.row_of(state)] > 0
    if listed:
        return actions[below(rng, kernel.legal_actions(state, seat, actions))]
    others = legal_others(state, seat, actions, 0)
    means, pieces = means_of(state), 0
    for province in range(PROVINCES):
        ways = ways_into(state, means, province)
        if ways != 0:
            pieces += pieces_in(state, means, province, ways)
        actions[others + province] = pieces
    number = below(rng, pieces + others)
    if number >= pieces:
        return actions[number - pieces]
    province = 0
    while number >= actions[others + province]:
        province += 1
    if province > 0:
        number -= int(actions[others + province - 1])
    return piece_in(state, means, province, ways_into(state, means, province), number)


@rule
def pieces_in(state, means, province, ways):
    """Count what could go into a province, with all ways to pay."""
    each = count_bits(palace_spaces(state, means, province))
    each += count_bits(fort_spaces(state, means, province))
    each += int(takes_emissary(state, means, province))
    return count_bits(ways) * each + int(can_commit(state, means, province))


@rule
def piece_in(state, means, province, ways, number):
    """Return the piece of that number in a province, in the order of `legal_actions`."""
    if can_commit(state, means, province):
        if number == 0:
            return c.OPEN + province
        number -= 1
    spaces, forts = palace_spaces(state, means, province), fort_spaces(state, means, province)
    room, wide = count_bits(spaces), count_bits(forts)
    each = room + wide + int(takes_emissary(state, means, province))
    colour, number = member(ways, number // each), number % each
    if number < room:
        return c.palace(member(spaces, number), colour)
    number -= room
    if number < wide:
        return c.fort(member(forts, number), colour)
    return c.emissary(province, colour)
