"""The quick player: what everybody is taken to do in a look ahead.

It values a plan, one piece or two in a province, by how it changes the worth of the board
to it and to the others (`worth`), and carries out the best that its cards pay for. Then
it takes the card with which the best plan of its next turn is worth the most. It is
written for speed: a turn costs some ten microseconds.
"""

from __future__ import annotations

import numpy as np

from tianxia.games.china.bot.worth import (
    MOST_GROUPS,
    NEXT_PLAN,
    OF_CARD,
    OF_FORT,
    OF_PAIR,
    OF_TILE,
    SWING,
    alliance_worth,
    emperors_worth,
    group_worth,
    place_worth,
    read_board,
    risk_of_influence,
    risk_with,
    room_for_emissaries,
    tiles_worth,
)
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.pieces import (
    emissaries_left,
    free_inner,
    is_empty,
    occupied,
    owner_at_turn,
    palaces_left,
)
from tianxia.games.china.rules.placing import can_pay_post, tiles_hide
from tianxia.games.china.rules.roads import group_of
from tianxia.games.china.rules.scoring import is_scored
from tianxia.games.china.rules.state import EMPEROR_TURN, KEEPING, MORE, SINGLE, SPACE, TAKING
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

IMPOSSIBLE = -99.0


@rule
def habit(state, desk, seat):
    """Return what the quick player does now; always a legal action."""
    phase = int(state.phase)
    if phase == TAKING:
        action = card_to_take(state, desk, seat)
    elif phase == KEEPING:
        action = card_to_keep(state, desk, seat)
    elif phase == EMPEROR_TURN:
        action = emperors_piece(state, desk, seat)
    elif phase in (MORE, SPACE):
        action = next_piece(state, desk, seat)
    else:
        action = begin_turn(state, desk, seat)
    if kernel.refusal(state, seat, action) != 0:
        kernel.legal_actions(state, seat, desk.actions[:])
        action = np.int64(desk.actions[0])
    forget(state, desk, action)
    return action


@rule
def forget(state, desk, action):
    """Note which plans an action puts out of date."""
    land = c.row_of(state)
    if action < c.POST:
        desk.stale |= c.TOUCHED[land, province_of(land, action)]
    elif action < c.STOP:
        desk.surveyor = 0


# --- What pieces bring ---


@rule
def take_sides(state, desk, seat):
    """Write how everybody's points count for a seat: its own, and the others' against it."""
    seats = int(state.seats)
    for owner in range(seats):
        for colour in range(c.COLOURS):
            desk.care[owner, colour] = 1.0 if owner == seat else -1.0 / (seats - 1)
    if seats == 2:
        for colour in range(c.COLOURS):
            holder = int(state.influence[colour]) - 1
            desk.care[c.EMPEROR, colour] = desk.care[holder, colour] if holder >= 0 else 0.0


@rule
def survey(state, desk, seat, owner):
    """Write for each province what an owner's pieces there would bring to a seat."""
    if desk.surveyor != owner + 1:
        desk.surveyor = owner + 1
        desk.stale = (1 << PROVINCES) - 1
    if desk.stale == 0:
        return
    read_board(state, desk)
    take_sides(state, desk, seat)
    find_swings(state, desk, owner)
    count = find_groups(state, desk, owner)
    for province in range(PROVINCES):
        if desk.stale >> province & 1 != 0:
            survey_province(state, desk, owner, province, count)
    desk.stale = 0


@rule
def find_swings(state, desk, owner):
    """Write for each colour what it brings a player to play a card of it and to keep it.

    Who has kept as many cards as the holder takes the influence (CHI-70, CHI-71), and with it
    what the Emperor's palaces score, before the Emperor moves.
    """
    desk.swings[:] = 0.0
    if state.seats != 2 or state.options.light != 0 or owner == c.EMPEROR:
        return
    land = c.row_of(state)
    for province in range(PROVINCES):
        colour = c.COLOUR[land, province]
        holder = int(state.influence[colour]) - 1
        more = int(state.kept[owner, colour]) + 1 - int(state.kept[1 - owner, colour])
        if holder == owner or (holder >= 0 and more < 0) or is_scored(state, province):
            continue
        gain = 1.0 - 2.0 * risk_with(desk, province, more)
        if holder >= 0:
            gain += 1.0 - 2.0 * risk_of_influence(state, desk, province)
        desk.swings[colour] += desk.now[SWING] * gain * emperors_worth(desk, province)


@rule
def balance(state, desk, province):
    """Return what the palaces of a province mean for whoever decides."""
    total, colour = 0.0, c.COLOUR[c.row_of(state), province]
    seats, count = int(state.seats), owners_of(state)
    for seat in range(seats):
        if desk.palaces[seat, province] != 0:
            total += desk.care[seat, colour] * place_worth(desk, seat, count, province)
    if count > seats and desk.care[c.EMPEROR, colour] != 0.0:
        sure = 1.0 - 2.0 * risk_of_influence(state, desk, province)  # what one loses, the other has
        total += desk.care[c.EMPEROR, colour] * sure * emperors_worth(desk, province)
    return total


@rule
def owners_of(state):
    return 3 if state.seats == 2 else int(state.seats)


@rule
def alliances_balance(state, desk, province):
    """Return what the alliances of a province mean for whoever decides."""
    land, total, i = c.row_of(state), 0.0, 0
    while c.ALLIED[land, province, i] >= 0:
        number = c.ALLIED[land, province, i]
        for seat in range(int(state.seats)):
            total += desk.care[seat, 0] * alliance_worth(state, desk, seat, number)
        i += 1
    return total


@rule
def find_groups(state, desk, owner):
    """Write an owner's groups of palaces and what they are worth; return their number."""
    if owner >= state.seats:
        return 0
    land, built, count = c.row_of(state), occupied(state), 0
    rest = int(state.palaces[owner])
    while rest != 0 and count < MOST_GROUPS:
        group = group_of(land, rest)
        rest &= ~group
        desk.groups[count] = group
        desk.value[count] = group_worth(desk, land, group, int(state.forts), built)
        count += 1
    return count


@rule
def union_with(state, desk, space, groups, left_out):
    """Return the group that a palace on a space would make; some groups are left out."""
    land = c.row_of(state)
    union = 1 << space
    for i in range(groups):
        if left_out >> i & 1 == 0 and desk.groups[i] & c.NEAR[land, space] != 0:
            union |= desk.groups[i]
    return union


@rule
def space_worth(state, desk, owner, space, groups, left_out, forts):
    """Return what a palace on this very space brings: for roads, and its tile."""
    if owner >= state.seats:
        return 0.0
    worth = tile_worth(state, desk, owner, space)
    union = union_with(state, desk, space, groups, left_out)
    if union != 1 << space:
        built = occupied(state) | 1 << space
        worth += group_worth(desk, c.row_of(state), union, forts, built)
        for i in range(groups):
            if left_out >> i & 1 == 0 and desk.groups[i] & union != 0:
                worth -= desk.value[i]
    return worth


@rule
def tile_worth(state, desk, owner, space):
    """Return what the tile on a space, if any, would bring."""
    if state.options.tiles == 0:
        return 0.0
    for province in range(PROVINCES):
        for i in range(c.TILES_IN_PROVINCE):
            if state.tile_space[province, i] == space + 1:
                colour = int(state.tile_colour[province, i]) - 1
                if colour < 0:
                    return desk.now[OF_TILE]
                before = tiles_worth(state, desk, owner, colour)
                state.tiles_taken[owner, colour] += 1
                after = tiles_worth(state, desk, owner, colour)
                state.tiles_taken[owner, colour] -= 1
                return after - before
    return 0.0


@rule
def best_space(state, desk, owner, spaces, groups, left_out):
    """Return the best of some spaces for a palace, and what it brings as such."""
    best, most = -1, IMPOSSIBLE
    forts = int(state.forts)
    if spaces & forts != 0:
        spaces &= forts  # to double is worth more than any road
    while spaces != 0:
        space = lowest(spaces)
        spaces &= spaces - 1
        worth = space_worth(state, desk, owner, space, groups, left_out, forts)
        if worth > most:
            best, most = space, worth
    return best, most


@rule
def offer(desk, province, pieces, gain, first):
    """Note a plan if it is the best of its size in its province."""
    if gain > desk.gains[province, pieces]:
        desk.gains[province, pieces] = gain
        desk.first[province, pieces] = first


@rule
def survey_province(state, desk, owner, province, groups):
    """Write the best plan of one piece in a province, and of two."""
    for pieces in range(1, 3):
        desk.gains[province, pieces] = IMPOSSIBLE
        desk.first[province, pieces] = -1
    lonely = is_empty(state, province)
    spaces = free_inner(state, province)
    before = balance(state, desk, province)
    room = room_for_emissaries(state, desk, province)
    envoy = IMPOSSIBLE
    if emissaries_left(state, owner) > 0 and (room > 0 or spaces != 0):
        envoy = survey_emissaries(state, desk, owner, province, room)
    if spaces != 0 and palaces_left(state, owner) > 0:
        survey_palaces(state, desk, owner, province, groups, before, lonely, envoy)
        if not lonely and owner < state.seats and state.forts_left[owner] > 0:
            survey_fort(state, desk, owner, province, groups, before)


@rule
def survey_emissaries(state, desk, owner, province, room):
    """Look at one emissary, and at two; return what one brings, if need be after a palace."""
    action = c.emissary(province, 0)
    before = alliances_balance(state, desk, province)
    state.emissaries[owner, province] += 1
    one = alliances_balance(state, desk, province) - before
    if room > 0:
        offer(desk, province, 1, one, action)
    if room > 1 and emissaries_left(state, owner) > 0:
        state.emissaries[owner, province] += 1
        offer(desk, province, 2, alliances_balance(state, desk, province) - before, action)
        state.emissaries[owner, province] -= 1
    state.emissaries[owner, province] -= 1
    return one


@rule
def survey_palaces(state, desk, owner, province, groups, before, lonely, envoy):
    """Look at a palace, and at a second palace or an emissary after it.

    `envoy` is what an emissary brings who finds room.
    """
    spaces, forts = free_inner(state, province), int(state.forts)
    space, bonus = best_space(state, desk, owner, spaces, groups, 0)
    action = c.palace(space, 0)
    doubled = desk.doubled[owner, province]
    if forts >> space & 1 != 0:
        desk.doubled[owner, province] = 1
    desk.palaces[owner, province] += 1
    desk.free[province] -= 1
    one = balance(state, desk, province) - before + bonus
    offer(desk, province, 1, one, action)
    if not lonely:
        rest = spaces & ~(1 << space)
        if rest != 0 and palaces_left(state, owner) > 1:
            bonus += second_space(state, desk, owner, rest, space, groups)
            desk.palaces[owner, province] += 1
            desk.free[province] -= 1
            offer(desk, province, 2, balance(state, desk, province) - before + bonus, action)
            desk.palaces[owner, province] -= 1
            desk.free[province] += 1
        if room_for_emissaries(state, desk, province) > 0:
            offer(desk, province, 2, one + envoy, action)
    desk.palaces[owner, province] -= 1
    desk.free[province] += 1
    desk.doubled[owner, province] = doubled


@rule
def second_space(state, desk, owner, spaces, space, groups):
    """Return what the best of some spaces brings for roads after a palace on another one."""
    if groups + 1 >= MOST_GROUPS:
        return 0.0
    union, merged = union_with(state, desk, space, groups, 0), 0
    for i in range(groups):
        if desk.groups[i] & union != 0:
            merged |= 1 << i
    desk.groups[groups] = union
    desk.value[groups] = group_worth(
        desk, c.row_of(state), union, int(state.forts), occupied(state) | 1 << space
    )
    _, worth = best_space(state, desk, owner, spaces, groups + 1, merged)
    return worth


@rule
def survey_fort(state, desk, owner, province, groups, before):
    """Look at a fortification with a palace on it."""
    if desk.doubled[owner, province] != 0:
        return
    forts = int(state.forts)
    spaces = free_inner(state, province) & ~forts
    best, most = -1, IMPOSSIBLE
    while spaces != 0:
        space = lowest(spaces)
        spaces &= spaces - 1
        worth = space_worth(state, desk, owner, space, groups, 0, forts | 1 << space)
        if worth > most:
            best, most = space, worth
    if best < 0:
        return
    desk.doubled[owner, province] = 1
    desk.palaces[owner, province] += 1
    desk.free[province] -= 1
    gain = balance(state, desk, province) - before + most - desk.now[OF_FORT]
    desk.palaces[owner, province] -= 1
    desk.free[province] += 1
    desk.doubled[owner, province] = 0
    offer(desk, province, 2, gain, c.fort(best, 0))


# --- Cards ---


@rule
def own_cards(hand, colour):
    """Return how many pieces a hand pays for in a province of a colour, two at most."""
    pieces = int(hand[colour])
    for other in range(c.COLOURS):
        if other != colour and hand[other] >= 2:
            pieces += 1
            break
    return min(pieces, 2)


@rule
def net_gain(state, desk, hand, province, pieces):
    """Return what a plan brings, less what its cards are worth."""
    colour = c.COLOUR[c.row_of(state), province]
    own = min(int(hand[colour]), pieces)
    gain = desk.gains[province, pieces] - desk.now[OF_CARD] * (own + 2 * (pieces - own))
    return gain + swing(desk, hand, colour, own, pieces)


@rule
def swing(desk, hand, colour, own, pieces):
    """Return what keeping the best of the cards brings with which a plan is paid."""
    best = desk.swings[colour] if own > 0 else 0.0
    if pieces > own:
        for other in range(c.COLOURS):
            if other != colour and hand[other] >= 2:
                return max(best, desk.swings[other])
    return best


@rule
def hand_worth(state, desk, hand):
    """Return the worth of a hand: its best plan, a little for the next, and for a pair."""
    best, second = 0.0, 0.0
    land = c.row_of(state)
    for province in range(PROVINCES):
        paid, most = own_cards(hand, c.COLOUR[land, province]), 0.0
        for pieces in range(1, paid + 1):
            most = max(most, net_gain(state, desk, hand, province, pieces))
        if most > best:
            best, second = most, best
        elif most > second:
            second = most
    worth = best + desk.now[NEXT_PLAN] * second
    for colour in range(c.COLOURS):
        if hand[colour] >= 2:
            worth += desk.now[OF_PAIR]
    return worth


@rule
def card_to_take(state, desk, seat):
    """Return the card with which the next turn is worth the most."""
    survey(state, desk, seat, seat)
    hand = state.hands[seat]
    best, most, hope, cards = c.DECK, IMPOSSIBLE, 0.0, 0
    for colour in range(c.COLOURS):
        hand[colour] += 1
        worth = hand_worth(state, desk, hand)
        hand[colour] -= 1
        hope += int(state.deck[colour]) * worth
        cards += int(state.deck[colour])
        if state.display[colour] > 0 and worth > most:
            best, most = c.TAKE + colour, worth
    if cards > 0 and hope / cards > most:
        best = c.DECK
    return best


@rule
def card_to_keep(state, desk, seat):
    """Return which card played stays open: the one that brings influence (CHI-69)."""
    best, most = c.KEEP, IMPOSSIBLE
    read_board(state, desk)
    for colour in range(c.COLOURS):
        if state.played[colour] == 0:
            continue
        palaces = 0.5
        for province in range(PROVINCES):
            if c.COLOUR[c.row_of(state), province] == colour and not is_scored(state, province):
                palaces += desk.palaces[c.EMPEROR, province] + 0.2 * desk.free[province]
        mine, theirs = int(state.kept[seat, colour]) + 1, int(state.kept[1 - seat, colour])
        if state.influence[colour] == seat + 1:
            worth = 0.3 * palaces / (1.0 + mine - theirs)
        elif mine >= theirs:
            worth = palaces
        else:
            worth = 0.3 * palaces / (1.0 + theirs - mine)
        if worth > most:
            best, most = c.KEEP + colour, worth
    return best


# --- A turn ---


@rule
def paid_with(state, seat, action):
    """Return a placing that pays with colour 0 as one that pays as well as can be.

    With the province's own colour if there is such a card, else with a pair.
    """
    for colour in range(c.COLOURS):
        if kernel.refusal(state, seat, action + colour) == 0:
            land = c.row_of(state)
            if c.COLOUR[land, province_of(land, action)] == colour:
                return action + colour
    for colour in range(c.COLOURS):
        if kernel.refusal(state, seat, action + colour) == 0:
            return action + colour
    return -1


@rule
def province_of(land, action):
    """Return the province of a placing."""
    place = c.argument(action, 0)
    return place if c.kind_of(action) == c.EMISSARY else int(c.PROVINCE[land, place])


@rule
def begin_turn(state, desk, seat):
    """Return the first action of the best plan, or an exchange where none brings anything."""
    survey(state, desk, seat, seat)
    hand, land = state.hands[seat], c.row_of(state)
    where, pieces, most = -1, 0, 0.0
    for province in range(PROVINCES):
        paid = own_cards(hand, c.COLOUR[land, province])
        for number in range(1, paid + 1):
            gain = net_gain(state, desk, hand, province, number)
            if gain > most:
                where, pieces, most = province, number, gain
    if c.NUM_POSTS[land] > 0:
        action, gain = best_post(state, desk, seat)
        if gain > most:
            return action
    if where < 0:
        return card_to_give(state, desk, seat)
    action = desk.first[where, pieces]
    if action < c.FORT and tiles_hide(state, where):
        return c.OPEN + where
    return paid_with(state, seat, action)


@rule
def card_to_give(state, desk, seat):
    """Return the exchange of the card without which the hand is worth the most."""
    hand = state.hands[seat]
    best, most = c.PASS, IMPOSSIBLE
    for colour in range(c.COLOURS):
        if hand[colour] > 0:
            hand[colour] -= 1
            worth = hand_worth(state, desk, hand)
            hand[colour] += 1
            if worth > most:
                best, most = c.EXCHANGE + colour, worth
    return best


@rule
def best_post(state, desk, seat):
    """Return the best border post that can be paid for, and what it brings."""
    land = c.row_of(state)
    best, most = -1, IMPOSSIBLE
    groups, built = find_groups(state, desk, seat), occupied(state)
    if palaces_left(state, seat) == 0:
        return best, most
    for number in range(c.NUM_POSTS[land]):
        if built >> c.POST_SPACE[land, number] & 1 != 0:
            continue
        for way in range(c.WAYS):
            if can_pay_post(state, number, way):
                gain = post_gain(state, desk, seat, number, groups) - 2 * desk.now[OF_CARD]
                if gain > most:
                    which = 1 if tiles_hide(state, c.POST_PROVINCES[land, number, 0]) else 0
                    best, most = c.post(number, which, way), gain
                break
    return best, most


@rule
def post_gain(state, desk, seat, number, groups):
    land = c.row_of(state)
    space, forts = c.POST_SPACE[land, number], int(state.forts)
    gain = space_worth(state, desk, seat, space, groups, 0, forts)
    for which in range(2):
        province = c.POST_PROVINCES[land, number, which]
        gain -= balance(state, desk, province)
        desk.palaces[seat, province] += 1
        desk.free[province] -= 1
        gain += balance(state, desk, province)
        desk.palaces[seat, province] -= 1
        desk.free[province] += 1
    return gain


@rule
def next_piece(state, desk, seat):
    """Return the second piece, or the palace committed to; or that there is none."""
    read_board(state, desk)
    owner = owner_at_turn(state)
    take_sides(state, desk, seat)
    committed = state.phase == SPACE
    province = (int(state.target) if committed else int(state.province)) - 1
    groups = find_groups(state, desk, owner)
    if committed:
        space, _ = best_space(state, desk, owner, free_inner(state, province), groups, 0)
        return paid_with(state, seat, c.palace(space, 0)) if space >= 0 else -1
    if int(state.course) & SINGLE != 0:
        return c.STOP
    survey_province(state, desk, owner, province, groups)
    if desk.first[province, 1] < 0:
        return c.STOP
    action = paid_with(state, seat, desk.first[province, 1])
    if action < 0:
        return c.STOP
    own = c.argument(action, 1) == c.COLOUR[c.row_of(state), province]
    cost = desk.now[OF_CARD] * (1 if own else 2)
    return action if desk.gains[province, 1] > cost else c.STOP


@rule
def emperors_piece(state, desk, seat):
    """Return the Emperor's piece that helps most, or that it places none (CHI-72)."""
    survey(state, desk, seat, c.EMPEROR)
    best, most = c.DECLINE, 0.0
    for province in range(PROVINCES):
        if desk.gains[province, 1] <= most:
            continue
        action = desk.first[province, 1]
        if action < c.FORT and tiles_hide(state, province):
            action = c.OPEN + province
            if kernel.refusal(state, seat, action) != 0:
                continue
        else:
            action = paid_with(state, seat, action)
            if action < 0:
                continue
        best, most = action, desk.gains[province, 1]
    return best
