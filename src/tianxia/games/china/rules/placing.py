"""Placing a piece: which are legal, what forbids the others, and what placing does.

The same functions serve a player and the Emperor, whose piece he places; `owner_at_turn`
and `held` say whose piece and whose cards.
"""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import statements as because
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.cards import held, pay
from tianxia.games.china.rules.pieces import (
    emissaries_in,
    emissaries_left,
    face_down,
    free_inner,
    free_spaces,
    has_room,
    is_empty,
    majority,
    occupied,
    owner_at_turn,
    palaces_left,
    take_tile,
)
from tianxia.games.china.rules.state import (
    EMPEROR_TURN,
    EMPERORS,
    MORE,
    PROVINCES_CARD,
    SINGLE,
    SPACE,
)
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

# --- Paying (CHI-13, CHI-18, CHI-85) ---


@rule
def price(state, province, colour):
    """Return how many cards of a colour pay for a piece: one of the province's, else two."""
    return 1 if colour == c.COLOUR[c.row_of(state), province] else 2


@rule
def can_pay(state, province, colour):
    return held(state, colour) >= price(state, province, colour)


@rule
def can_pay_somehow(state, province):
    for colour in range(c.COLOURS):
        if can_pay(state, province, colour):
            return True
    return False


@rule
def post_colour(state, number, which):
    """Return the colour of one of the two provinces of a post."""
    land = c.row_of(state)
    return c.COLOUR[land, c.POST_PROVINCES[land, number, which]]


@rule
def can_pay_post(state, number, way):
    one, other = post_colour(state, number, 0), post_colour(state, number, 1)
    if way == 0:
        return held(state, one) > 0 and held(state, other) > 0
    return held(state, one if way == 1 else other) >= 2


# --- Where the rules of a turn let a piece go ---


@rule
def may_roam(state):
    """Say whether the second piece may go into another province (CHI-77)."""
    return state.seats == 2 and int(state.special[int(state.active)]) & PROVINCES_CARD != 0


@rule
def province_refusal(state, province):
    """Return what of this turn forbids a piece in a province: CHI-80, 14, 15."""
    if state.phase == SPACE:
        return 0 if state.target == province + 1 else because.TILES_TURNED_FIRST
    if state.phase == MORE:
        if state.province != province + 1:
            return 0 if may_roam(state) else because.ONE_PROVINCE_A_TURN
        if int(state.course) & SINGLE != 0:
            return because.ONE_PIECE_WHERE_NONE_IS
    return 0


@rule
def tiles_hide(state, province):
    """Say whether a palace has to be committed to first (CHI-80)."""
    return state.options.tiles != 0 and state.phase != SPACE and face_down(state, province)


# --- Legal lists ---


@rule
def legal_pieces(state, out):
    """Write all pieces that can be placed, with all ways to pay; return how many."""
    count = 0
    owner, built = owner_at_turn(state), occupied(state)
    palaces = palaces_left(state, owner) > 0
    envoys = state.phase != SPACE and emissaries_left(state, owner) > 0
    joins = state.phase == EMPEROR_TURN and emperor_can_join(state)
    for province in range(PROVINCES):
        if province_refusal(state, province) != 0 or not can_pay_somehow(state, province):
            continue
        if joins and is_empty(state, province):
            continue
        build = palaces
        if build and tiles_hide(state, province):
            build = False
            out[count] = c.OPEN + province
            count += 1
        count = legal_in(state, province, built, build, envoys, out, count)
    return count


@rule
def legal_in(state, province, built, build, envoys, out, count):
    """Write what could go into a province.

    `built` are all spaces with a palace; `build` and `envoys` say whether palaces and
    emissaries are left, and allowed now.
    """
    land, owner = c.row_of(state), owner_at_turn(state)
    free = c.WITHIN[land, province] & ~(built | c.POSTS[land])
    fortify = free & ~int(state.forts)
    if state.phase == SPACE or state.forts_left[owner] == 0:
        fortify = 0
    envoy, sent = envoys and has_room(state, province), c.emissary(province, 0)
    for colour in range(c.COLOURS):
        if can_pay(state, province, colour):
            if build:
                count = write_spaces(free, c.PALACE + colour, out, count)
            count = write_spaces(fortify, c.FORT + colour, out, count)
            if envoy:
                out[count] = sent + colour
                count += 1
    if build and c.NUM_POSTS[land] > 0:
        count = legal_posts(state, province, built, out, count)
    return count


@rule
def write_spaces(spaces, first, out, count):
    """Write an action for each space of a set."""
    while spaces != 0:
        out[count] = first + lowest(spaces) * c.COLOURS
        spaces &= spaces - 1
        count += 1
    return count


@rule
def legal_posts(state, province, built, out, count):
    """Write the border posts that can be taken with this province declared."""
    land = c.row_of(state)
    for number in range(c.NUM_POSTS[land]):
        if built >> c.POST_SPACE[land, number] & 1 != 0:
            continue
        for which in range(2):
            if c.POST_PROVINCES[land, number, which] == province:
                for way in range(c.WAYS):
                    if can_pay_post(state, number, way):
                        out[count] = c.post(number, which, way)
                        count += 1
    return count


# --- Refusals ---


@rule
def placing_refusal(state, action):
    """Return the statement that forbids an action of placing, in the order of the guide."""
    kind, one, two = c.kind_of(action), c.argument(action, 0), c.argument(action, 1)
    if kind in (c.PALACE, c.FORT):
        return space_refusal(state, one, two, kind == c.FORT)
    if kind == c.EMISSARY:
        return emissary_refusal(state, one, two)
    if kind == c.POST:
        return post_refusal(state, one, two, c.argument(action, 2))
    return open_refusal(state, one)


@rule
def no_space(state, land, space, fort):
    """Say why a board has no such space for a palace or, with `fort`, a fortification."""
    if space >= c.SPACES[land]:
        return because.FREE_SPACE
    if fort and c.DISPUTED[land] != 0:
        return because.POSTS_AND_HARBOURS
    if c.POSTS[land] >> space & 1 != 0:
        return because.POST_IS_PAID_FOR
    return because.FORTIFICATIONS_CHOSEN if fort and state.options.fortifications == 0 else 0


@rule
def space_refusal(state, space, colour, fort):
    land, owner = c.row_of(state), owner_at_turn(state)
    code = no_space(state, land, space, fort)
    if code != 0:
        return code
    province = c.PROVINCE[land, space]
    code = province_refusal(state, province)
    if code != 0:
        return code
    if (int(state.forts_left[owner]) if fort else palaces_left(state, owner)) == 0:
        return because.NO_PIECE_LEFT
    taken = occupied(state) >> space & 1 != 0
    if fort:
        if taken or int(state.forts) >> space & 1 != 0:
            return because.FORT_ON_A_FREE_SPACE
    elif free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    elif taken:
        return because.FREE_SPACE
    if crowds_out(state, province):
        return because.EMPEROR_SEEKS_COMPANY
    if not fort and tiles_hide(state, province):
        return because.TILES_TURNED_FIRST
    return payment_refusal(state, province, colour, because.FORT_IS_PAID_FOR if fort else 0)


@rule
def payment_refusal(state, province, colour, code):
    """Return 0 if the cards are there, else the code or, for 0, CHI-13 or 18."""
    if can_pay(state, province, colour):
        return 0
    if code != 0:
        return code
    one = price(state, province, colour) == 1
    return because.CARD_OF_THE_PROVINCE if one else because.TWO_CARDS_FOR_ANY


@rule
def emissary_refusal(state, province, colour):
    code = province_refusal(state, province)
    if code != 0:
        return code
    if emissaries_left(state, owner_at_turn(state)) == 0:
        return because.NO_PIECE_LEFT
    if majority(state, province) == 0:
        return because.PALACE_FIRST
    if emissaries_in(state, province) >= majority(state, province):
        return because.NO_MORE_THAN_THE_MAJORITY
    return payment_refusal(state, province, colour, 0)


@rule
def post_refusal(state, number, declared, way):
    """Say what forbids a post."""
    land = c.row_of(state)
    if number >= c.NUM_POSTS[land]:
        return because.POSTS_AND_HARBOURS
    province = c.POST_PROVINCES[land, number, declared]
    code = province_refusal(state, province)
    if code != 0:
        return code
    if palaces_left(state, owner_at_turn(state)) == 0:
        return because.NO_PIECE_LEFT
    if free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    if occupied(state) >> c.POST_SPACE[land, number] & 1 != 0:
        return because.FREE_SPACE
    if tiles_hide(state, province):
        return because.TILES_TURNED_FIRST
    return 0 if can_pay_post(state, number, way) else because.POST_IS_PAID_FOR


@rule
def open_refusal(state, province):
    code = province_refusal(state, province)
    if code != 0:
        return code
    if palaces_left(state, owner_at_turn(state)) == 0:
        return because.NO_PIECE_LEFT
    if free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    if crowds_out(state, province):
        return because.EMPEROR_SEEKS_COMPANY
    if state.options.tiles == 0:
        return because.TILES_LAID
    if not face_down(state, province):
        return because.TILES_TURNED_FIRST
    return 0 if can_pay_somehow(state, province) else because.CARD_OF_THE_PROVINCE


# --- The Emperor (CHI-72, CHI-73) ---


@rule
def emperor_can_enter(state, province):
    """Say whether the Emperor has a piece, room and cards for a province."""
    able = False
    for colour in range(c.COLOURS):
        able = able or state.imperial[colour] >= price(state, province, colour)
    if not able:
        return False
    if free_inner(state, province) != 0 and palaces_left(state, c.EMPEROR) > 0:
        return True
    return has_room(state, province) and emissaries_left(state, c.EMPEROR) > 0


@rule
def emperor_can_join(state):
    """Say whether the Emperor can go where a piece of any kind is (CHI-73; ruling R46)."""
    for province in range(PROVINCES):
        if not is_empty(state, province) and emperor_can_enter(state, province):
            return True
    return False


@rule
def emperor_can_place(state):
    """Say whether the Emperor can place at all."""
    for province in range(PROVINCES):
        if emperor_can_enter(state, province):
            return True
    return False


@rule
def crowds_out(state, province):
    """Say whether the Emperor wants an empty province and could go elsewhere (CHI-73)."""
    if state.phase != EMPEROR_TURN:
        return False
    return is_empty(state, province) and emperor_can_join(state)


# --- What placing does ---


@rule
def place(state, action):
    """Pay for a piece and put it on the board."""
    land, owner = c.row_of(state), owner_at_turn(state)
    kind, one, two = c.kind_of(action), c.argument(action, 0), c.argument(action, 1)
    if kind == c.POST:
        place_post(state, one, two, c.argument(action, 2))
        return
    province = one if kind == c.EMISSARY else c.PROVINCE[land, one]
    enter(state, province)
    pay(state, two, price(state, province, two))
    if kind == c.EMISSARY:
        state.emissaries[owner, province] += 1
    elif kind == c.FORT:
        state.forts |= 1 << one
        state.forts_left[owner] -= 1
    else:
        state.palaces[owner] |= 1 << one
        take_tile(state, owner, province, one)


@rule
def place_post(state, number, declared, way):
    land = c.row_of(state)
    enter(state, c.POST_PROVINCES[land, number, declared])
    if way == 0:
        pay(state, post_colour(state, number, 0), 1)
        pay(state, post_colour(state, number, 1), 1)
    else:
        pay(state, post_colour(state, number, way - 1), 2)
    state.palaces[owner_at_turn(state)] |= 1 << c.POST_SPACE[land, number]


@rule
def enter(state, province):
    """Note where a piece goes, before it stands there."""
    state.target = 0
    if int(state.course) & EMPERORS != 0:
        return
    if state.placed == 0:
        state.province = province + 1
        if is_empty(state, province):
            state.course |= SINGLE
    elif state.province != province + 1:
        state.special[int(state.active)] &= ~PROVINCES_CARD  # used up (ruling R45)
    state.placed += 1
