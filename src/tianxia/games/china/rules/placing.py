"""Placing a piece: which are legal, what forbids the others, and what placing does.

The same functions serve a player and the Emperor, whose piece he places; `owner_at_turn`
and `held` say whose piece and whose cards.
"""

from __future__ import annotations

from typing import NamedTuple

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import pieces
from tianxia.games.china.rules import state as s
from tianxia.games.china.rules import statements as because
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.cards import held, pay
from tianxia.kernel.actions import write_actions
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

# --- Paying (CHI-13, CHI-18, CHI-85) ---


@rule
def price(state, province, colour):
    """Return how many cards of a colour pay for a piece: one of the province's, else two."""
    return 1 if colour == c.COLOUR[c.row_of(state), province] else 2


@rule
def payable(state, number):
    """Return the colours of which so many cards can pay, as bits."""
    colours = 0
    for colour in range(c.COLOURS):
        colours |= int(held(state, colour) >= number) << colour
    return colours


@rule
def ways_to_pay(land, province, ones, twos):
    """Return the colours that pay in a province, as bits, by those of one card and of two."""
    return twos | (ones & 1 << c.COLOUR[land, province])


@rule
def can_pay_somehow(state, province):
    return ways_to_pay(c.row_of(state), province, payable(state, 1), payable(state, 2)) != 0


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
    return state.seats == 2 and int(state.special[int(state.active)]) & s.PROVINCES_CARD != 0


@rule
def province_refusal(state, province):
    """Return what of this turn forbids a piece in a province: CHI-80, 14, 15."""
    if state.phase == s.SPACE:
        return 0 if state.target == province + 1 else because.TILES_TURNED_FIRST
    if state.phase == s.MORE:
        if state.province != province + 1:
            return 0 if may_roam(state) else because.ONE_PROVINCE_A_TURN
        if int(state.course) & s.SINGLE != 0:
            return because.ONE_PIECE_WHERE_NONE_IS
    return 0


@rule
def tiles_hide(state, province):
    """Say whether a palace has to be committed to first (CHI-80)."""
    return state.options.tiles != 0 and state.phase != s.SPACE and pieces.face_down(state, province)


# --- What can be placed, as sets of bits: lists are made of them, refusals look into them ---


class Means(NamedTuple):
    """What a piece can be placed with now.

    Attributes
    ----------
    land
        The row of the board's tables.
    built, free
        All spaces with a palace, as bits; those without one that are no border posts.
    palaces, forts, envoys
        Whether the owner of the piece has any left.
    ones, twos
        The colours of which one card, or two, can pay, as bits.
    joins
        Whether the Emperor can go where others are, and so has to (CHI-73).
    """

    land: int
    built: int
    free: int
    palaces: bool
    forts: bool
    envoys: bool
    ones: int
    twos: int
    joins: bool


@rule
def means_of(state):
    """Return what the piece of whose turn it is can be placed with."""
    owner, land, built = pieces.owner_at_turn(state), c.row_of(state), pieces.occupied(state)
    return Means(
        land,
        built,
        ~(built | c.POSTS[land]),
        pieces.palaces_left(state, owner) > 0,
        state.forts_left[owner] > 0,
        pieces.emissaries_left(state, owner) > 0,
        payable(state, 1),
        payable(state, 2),
        state.phase == s.EMPEROR_TURN and emperor_can_join(state),
    )


@rule
def ways_into(state, means, province):
    """Return the colours that pay for a piece in a province, as bits: 0 where none may go."""
    ways = ways_to_pay(means.land, province, means.ones, means.twos)
    if ways == 0 or province_refusal(state, province) != 0:
        return 0
    return 0 if means.joins and pieces.is_empty(state, province) else ways


@rule
def can_commit(state, means, province):
    """Say whether to build a palace here is to turn tiles first (CHI-80)."""
    return means.palaces and tiles_hide(state, province)


@rule
def can_build(state, means, province):
    return means.palaces and not tiles_hide(state, province)


@rule
def inner_spaces(means, province):
    """Return a province's spaces without a palace, border posts left out."""
    return c.WITHIN[means.land, province] & means.free


@rule
def palace_spaces(state, means, province):
    return inner_spaces(means, province) if can_build(state, means, province) else 0


@rule
def fort_spaces(state, means, province):
    return inner_spaces(means, province) & ~int(state.forts) if means.forts else 0


@rule
def takes_emissary(state, means, province):
    return means.envoys and pieces.has_room(state, province)


@rule
def ways_to_post(state, means, number):
    """Return the ways to pay for a border post, as bits: 0 where it is taken."""
    ways = 0
    if means.built >> c.POST_SPACE[means.land, number] & 1 == 0:
        for way in range(c.WAYS):
            ways |= int(can_pay_post(state, number, way)) << way
    return ways


# --- Legal lists ---


@rule
def legal_pieces(state, out):
    """Write all pieces that can be placed, with all ways to pay; return how many."""
    means, count = means_of(state), 0
    for province in range(PROVINCES):
        ways = ways_into(state, means, province)
        if ways != 0:
            count = legal_in(state, means, province, ways, out, count)
    return count


@rule
def legal_in(state, means, province, ways, out, count):
    """Write what could go into a province, which can be paid for in `ways`."""
    spaces, forts, envoy = palace_spaces(state, means, province), 0, False
    if state.phase != s.SPACE:
        forts = fort_spaces(state, means, province)
        envoy = takes_emissary(state, means, province)
    if can_commit(state, means, province):
        out[count] = c.OPEN + province
        count += 1
    for colour in range(c.COLOURS):
        if ways >> colour & 1 != 0:
            count = write_spaces(spaces, c.PALACE + colour, out, count)
            count = write_spaces(forts, c.FORT + colour, out, count)
            if envoy:
                out[count] = c.emissary(province, colour)
                count += 1
    if c.NUM_POSTS[means.land] > 0 and can_build(state, means, province):
        count = legal_posts(state, means, province, out, count)
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
def legal_posts(state, means, province, out, count):
    """Write the border posts that can be taken with this province declared."""
    for number in range(c.NUM_POSTS[means.land]):
        for which in range(2):
            if c.POST_PROVINCES[means.land, number, which] == province:
                ways = ways_to_post(state, means, number)
                count = write_actions(ways, c.post(number, which, 0), out, count)
    return count


# --- Why a piece cannot be placed ---


@rule
def placing_refusal(state, action):
    """Return the statement that forbids an action of placing, in the order of the guide."""
    kind, one, two = c.kind_of(action), c.argument(action, 0), c.argument(action, 1)
    means = means_of(state)
    if kind == c.POST:
        return post_refusal(state, means, one, two, c.argument(action, 2))
    on_space = kind in (c.PALACE, c.FORT)
    province = c.PROVINCE[means.land, one] if on_space else one
    ways = ways_into(state, means, province)
    if kind == c.OPEN:
        able = ways != 0 and can_commit(state, means, province)
        return 0 if able else why_not_committed(state, means, province)
    able = ways >> two & 1 != 0
    if kind == c.EMISSARY:
        able = able and takes_emissary(state, means, province)
        return 0 if able else why_no_emissary(state, means, province, two)
    fort = kind == c.FORT
    spaces = fort_spaces(state, means, province) if fort else palace_spaces(state, means, province)
    able = able and spaces >> one & 1 != 0
    return 0 if able else why_not_on_space(state, means, one, two, fort)


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
def why_not_on_space(state, means, space, colour, fort):
    code = no_space(state, means.land, space, fort)
    if code != 0:
        return code
    province = c.PROVINCE[means.land, space]
    code = province_refusal(state, province)
    if code != 0:
        return code
    if not (means.forts if fort else means.palaces):
        return because.NO_PIECE_LEFT
    taken = means.built >> space & 1 != 0
    if fort:
        if taken or int(state.forts) >> space & 1 != 0:
            return because.FORT_ON_A_FREE_SPACE
    elif pieces.free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    elif taken:
        return because.FREE_SPACE
    if means.joins and pieces.is_empty(state, province):
        return because.EMPEROR_SEEKS_COMPANY
    if not fort and tiles_hide(state, province):
        return because.TILES_TURNED_FIRST
    return because.FORT_IS_PAID_FOR if fort else why_not_paid(state, province, colour)


@rule
def why_not_paid(state, province, colour):
    one = price(state, province, colour) == 1
    return because.CARD_OF_THE_PROVINCE if one else because.TWO_CARDS_FOR_ANY


@rule
def why_no_emissary(state, means, province, colour):
    code = province_refusal(state, province)
    if code != 0:
        return code
    if not means.envoys:
        return because.NO_PIECE_LEFT
    if pieces.majority(state, province) == 0:
        return because.PALACE_FIRST
    if not pieces.has_room(state, province):
        return because.NO_MORE_THAN_THE_MAJORITY
    return why_not_paid(state, province, colour)


@rule
def post_refusal(state, means, number, declared, way):
    """Return what forbids a border post, else 0."""
    if number >= c.NUM_POSTS[means.land]:
        return because.POSTS_AND_HARBOURS
    province = c.POST_PROVINCES[means.land, number, declared]
    code = province_refusal(state, province)
    if code != 0:
        return code
    if can_build(state, means, province) and ways_to_post(state, means, number) >> way & 1 != 0:
        return 0
    if not means.palaces:
        return because.NO_PIECE_LEFT
    if pieces.free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    if means.built >> c.POST_SPACE[means.land, number] & 1 != 0:
        return because.FREE_SPACE
    hidden = tiles_hide(state, province)
    return because.TILES_TURNED_FIRST if hidden else because.POST_IS_PAID_FOR


@rule
def why_not_committed(state, means, province):
    code = province_refusal(state, province)
    if code != 0:
        return code
    if not means.palaces:
        return because.NO_PIECE_LEFT
    if pieces.free_spaces(state, province) == 0:
        return because.PROVINCE_FULL
    if means.joins and pieces.is_empty(state, province):
        return because.EMPEROR_SEEKS_COMPANY
    if state.options.tiles == 0:
        return because.TILES_LAID
    hidden = pieces.face_down(state, province)
    return because.CARD_OF_THE_PROVINCE if hidden else because.TILES_TURNED_FIRST


# --- The Emperor (CHI-72, CHI-73) ---


@rule
def emperor_can_enter(state, province):
    """Say whether the Emperor has a piece, room and cards for a province."""
    able = False
    for colour in range(c.COLOURS):
        able = able or state.imperial[colour] >= price(state, province, colour)
    if not able:
        return False
    if pieces.free_inner(state, province) != 0 and pieces.palaces_left(state, c.EMPEROR) > 0:
        return True
    return pieces.has_room(state, province) and pieces.emissaries_left(state, c.EMPEROR) > 0


@rule
def emperor_can_join(state):
    """Say whether the Emperor can go where a piece of any kind is (CHI-73; ruling R46)."""
    for province in range(PROVINCES):
        if not pieces.is_empty(state, province) and emperor_can_enter(state, province):
            return True
    return False


@rule
def emperor_can_place(state):
    """Say whether the Emperor can place at all."""
    for province in range(PROVINCES):
        if emperor_can_enter(state, province):
            return True
    return False


# --- What placing does ---


@rule
def place(state, action):
    """Pay for a piece and put it on the board."""
    land, owner = c.row_of(state), pieces.owner_at_turn(state)
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
        pieces.take_tile(state, owner, province, one)


@rule
def place_post(state, number, declared, way):
    land = c.row_of(state)
    enter(state, c.POST_PROVINCES[land, number, declared])
    if way == 0:
        pay(state, post_colour(state, number, 0), 1)
        pay(state, post_colour(state, number, 1), 1)
    else:
        pay(state, post_colour(state, number, way - 1), 2)
    state.palaces[pieces.owner_at_turn(state)] |= 1 << c.POST_SPACE[land, number]


@rule
def enter(state, province):
    """Note where a piece goes, before it stands there."""
    state.target = 0
    if int(state.course) & s.EMPERORS != 0:
        return
    if state.placed == 0:
        state.province = province + 1
        if pieces.is_empty(state, province):
            state.course |= s.SINGLE
    elif state.province != province + 1:
        state.special[int(state.active)] &= ~s.PROVINCES_CARD  # used up (ruling R45)
    state.placed += 1
