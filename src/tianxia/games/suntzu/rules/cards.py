"""Action cards: hands, what lies face down, decks and what lies under them."""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many, nonzero, pour


@rule
def is_face_down(state, seat, province):
    """Say whether a card lies in a province that only its owner has seen."""
    phase = int(state.phase)
    if phase == s.LAYING:
        return state.laid[seat, province] != 0
    return phase in (s.BEFORE, s.ORDER, s.FIGHT) and int(state.done) >> province & 1 == 0


def lies_unseen(state, seat, province):
    """Say whether all know that a card lies in a province, but not which."""
    phase = int(state["phase"])
    if phase == s.LAYING:
        return not int(state["acting"]) >> seat & 1
    return phase in (s.BEFORE, s.ORDER, s.FIGHT) and not int(state["done"]) >> province & 1


@rule
def unknown_specials(state, seat):
    """Return how many cards above 6 a seat has in its hand, drawn or face down.

    That number is known to all, though not which they are.
    """
    cards = how_many(state.hand[seat][c.BASIC :]) + how_many(state.spare[seat])
    cards += how_many(state.drawn[seat])
    for province in range(c.PROVINCES):
        if state.laid[seat, province] > c.BASIC and is_face_down(state, seat, province):
            cards += 1
    return cards


@rule
def free_provinces(state, seat):
    """Return where a seat has laid no card yet, as bits."""
    free = 0
    for province in range(c.PROVINCES):
        free |= int(state.laid[seat, province] == 0) << province
    return free


@rule
def provinces_for(state, seat, kind, free):
    """Return to which of these provinces a card of a kind may go, as bits."""
    if kind != c.SIX:
        return free
    able = 0
    for province in range(c.PROVINCES):
        able |= int(may_lay_6(state, seat, province)) << province
    return able & free


@rule
def lay_refusal(state, seat, kind, province):
    """Return the statement that forbids to lay a card, else 0."""
    free = free_provinces(state, seat)
    if free >> province & 1 == 0:
        return because.ONE_CARD_A_PROVINCE
    if nonzero(state.hand[seat]) >> kind & 1 == 0:
        return because.ONE_CARD_A_PROVINCE if kind < c.BASIC else because.HAND_OF_TEN
    able = provinces_for(state, seat, kind, free) >> province & 1 != 0
    return 0 if able else because.NO_SECOND_SIX


@rule
def may_lay_6(state, seat, province):
    """Say whether a 6 may go to a province: not if it is marked, unless K1 is held."""
    if state.marks[seat, province] == 0:
        return True
    return seat == c.RED and int(state.strategy[c.RED]) >> c.K1 & 1 != 0


@rule
def lay(state, seat, kind, province):
    """Lay a card face down; the fifth ends one's part of the phase."""
    state.hand[seat, kind] -= 1
    state.laid[seat, province] = kind + 1
    for other in range(c.PROVINCES):
        if state.laid[seat, other] == 0:
            return
    state.acting = int(state.acting) & ~(1 << seat)
    state.plies += 1


# --- Decks ---


@rule
def deck_size(state, seat):
    return how_many(state.deck[seat]) + int(state.tail_length[seat])


@rule
def weight_of_top(state, seat, kind):
    """Return how likely a kind is to lie on top of a deck, as a weight."""
    if how_many(state.deck[seat]) > 0:
        return int(state.deck[seat, kind])
    top = int(state.tail[seat, 0]) & ~s.SHOWN
    return 1 if top == c.BASIC + kind + 1 else 0


@rule
def take_top(state, seat, kind):
    """Take the deck's top card, which is of this kind."""
    if how_many(state.deck[seat]) > 0:
        state.deck[seat, kind] -= 1
        return
    length = int(state.tail_length[seat]) - 1
    for i in range(length):
        state.tail[seat, i] = state.tail[seat, i + 1]
    state.tail[seat, length] = 0
    state.tail_length[seat] = length


@rule
def put_under(state, seat, kind, shown):
    """Put a card of a kind above 6 (counted from there) under the deck."""
    state.tail[seat, int(state.tail_length[seat])] = c.BASIC + kind + 1 + (s.SHOWN if shown else 0)
    state.tail_length[seat] += 1


@rule
def top_is_known(state, seat):
    """Say whether all know the deck's top card."""
    return how_many(state.deck[seat]) == 0 and int(state.tail[seat, 0]) & s.SHOWN != 0


# --- Drawing ---


@rule
def drawer(state):
    """Return the seat that draws next, or −1 if both have drawn."""
    for seat in range(2):
        if state.taken[seat] < state.want[seat]:
            return seat
    return -1


@rule
def collect(state):
    """Take back the cards 1 to 6, remove the others, and say how many are drawn."""
    for seat in range(2):
        bonus = False
        for province in range(c.PROVINCES):
            kind = int(state.laid[seat, province]) - 1
            state.laid[seat, province] = 0
            if kind == c.ONE:
                bonus = True
            if kind >= c.BASIC:
                state.gone[seat, kind - c.BASIC] += 1
            elif kind >= 0:
                state.hand[seat, kind] += 1
        size = deck_size(state, seat)
        state.want[seat] = min(size, 3 if bonus else 2)
        state.keep[seat] = min(size, 2 if bonus else 1)
    state.done = 0
    state.phase = s.DRAWING
    if drawer(state) < 0:
        begin_keeping(state)


@rule
def draw(state, kind):
    """Give the next card to the seat whose turn it is to draw."""
    seat = drawer(state)
    take_top(state, seat, kind)
    state.taken[seat] += 1
    if state.phase == s.DEAL:
        state.hand[seat, c.BASIC + kind] += 1
        if drawer(state) < 0:
            begin_laying(state)
    else:
        state.drawn[seat, kind] += 1
        if drawer(state) < 0:
            begin_keeping(state)


@rule
def begin_keeping(state):
    """Ask who has drawn more than he may keep; the others keep all."""
    state.phase = s.KEEPING
    for seat in range(2):
        if state.want[seat] > state.keep[seat]:
            state.acting = int(state.acting) | 1 << seat
        else:
            keep_drawn(state, seat)


@rule
def keep_drawn(state, seat):
    pour(state.drawn[seat], state.hand[seat, c.BASIC :])


@rule
def choose_under(state, seat, kind):
    """Keep what was drawn but one card, which stays apart until both have chosen."""
    state.drawn[seat, kind] -= 1
    keep_drawn(state, seat)
    state.drawn[seat, kind] = 1
    state.acting = int(state.acting) & ~(1 << seat)


@rule
def put_drawn_away(state):
    """Put under the decks what was not kept."""
    for seat in range(2):
        for kind in range(c.SPECIAL):
            if state.drawn[seat, kind] > 0:
                state.drawn[seat, kind] = 0
                put_under(state, seat, kind, False)


@rule
def begin_laying(state):
    state.want[:] = 0
    state.keep[:] = 0
    state.taken[:] = 0
    state.phase = s.LAYING
    state.acting = 1 << c.BLUE | 1 << c.RED


@rule
def seat_of_top(state):
    """Return whose deck's top card chance deals with now."""
    if state.phase == s.FIGHT:
        return first(state) if state.step == s.TOP_FIRST else 1 - first(state)
    return drawer(state)


@rule
def first(state):
    """Return who decides first: the holder of the privilege, else Blue (SUN-R28)."""
    return c.BLUE if state.privilege == 0 else int(state.privilege) - 1
