"""A random piece, straight from the sets of spaces, without a list of all that can be placed."""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.answers import legal_others
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.cards import held
from tianxia.games.china.rules.pieces import (
    emissaries_left,
    has_room,
    occupied,
    owner_at_turn,
    palaces_left,
)
from tianxia.games.china.rules.placing import province_refusal, tiles_hide
from tianxia.games.china.rules.state import MORE, STATE, TURN
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import member
from tianxia.kernel.bits import count_bits
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.rng import below


@answers(kernel.random_action, STATE)
def random_action(state, seat, actions, rng):
    land = c.row_of(state)
    listed = state.phase not in (TURN, MORE) or c.NUM_POSTS[land] > 0
    if listed:
        return actions[below(rng, kernel.legal_actions(state, seat, actions))]
    others = legal_others(state, seat, actions, 0)
    owner, built = owner_at_turn(state), occupied(state)
    palaces = palaces_left(state, owner) > 0
    envoys = emissaries_left(state, owner) > 0
    ones, twos = payable(state, 1), payable(state, 2)
    pieces = 0
    for province in range(PROVINCES):
        ways = ways_to_pay(land, province, ones, twos)
        if ways != 0 and province_refusal(state, province) == 0:
            pieces += pieces_in(state, land, province, ways, built, palaces, envoys)
        actions[others + province] = pieces
    number = below(rng, pieces + others)
    if number >= pieces:
        return actions[number - pieces]
    province = 0
    while number >= actions[others + province]:
        province += 1
    if province > 0:
        number -= int(actions[others + province - 1])
    ways = ways_to_pay(land, province, ones, twos)
    return piece_in(state, land, province, ways, built, palaces, envoys, number)


@rule
def payable(state, price):
    """Return the colours of which so many cards can pay, as bits."""
    colours = 0
    for colour in range(c.COLOURS):
        colours |= int(held(state, colour) >= price) << colour
    return colours


@rule
def ways_to_pay(land, province, ones, twos):
    """Return the colours that can pay for a piece in a province, as bits."""
    return twos | (ones & 1 << c.COLOUR[land, province])


@rule
def places_in(state, land, province, built, palaces):
    """Return where palaces and fortifications can stand, and whether tiles hide it."""
    free = c.WITHIN[land, province] & ~built
    forts = free & ~int(state.forts) if state.forts_left[owner_at_turn(state)] != 0 else 0
    hidden = palaces and tiles_hide(state, province)
    return free if palaces and not hidden else 0, forts, hidden


@rule
def pieces_in(state, land, province, ways, built, palaces, envoys):
    """Count what could go into a province, with all ways to pay."""
    spaces, forts, hidden = places_in(state, land, province, built, palaces)
    each = count_bits(spaces) + count_bits(forts)
    if envoys and has_room(state, province):
        each += 1
    return count_bits(ways) * each + int(hidden)


@rule
def piece_in(state, land, province, ways, built, palaces, envoys, number):
    """Return the piece of that number in a province, in the order of `legal_actions`."""
    spaces, forts, hidden = places_in(state, land, province, built, palaces)
    if hidden:
        if number == 0:
            return c.OPEN + province
        number -= 1
    room, wide = count_bits(spaces), count_bits(forts)
    each = room + wide
    if envoys and has_room(state, province):
        each += 1
    colour, number = member(ways, number // each), number % each
    if number < room:
        return c.palace(member(spaces, number), colour)
    number -= room
    if number < wide:
        return c.fort(member(forts, number), colour)
    return c.emissary(province, colour)
