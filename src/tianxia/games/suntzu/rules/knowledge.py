"""Who knows what: views, sampled worlds, features, a guess of who is ahead.

A view shows its owner's hand, cards laid and drawn, deck (he can count what is left in it)
and what he put under it, in order; of the other player it shows how many cards above 6 he
has (`hidden`), all that left the game or was turned up, and what went under his deck for
all to see. A card of the latter kind that is drawn again counts as hidden from then on.
While both choose in secret the other one looks as he did when the phase began.
"""

from __future__ import annotations

import math

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules.cards import (
    drawer,
    is_face_down,
    may_lay_6,
    top_is_known,
    unknown_specials,
)
from tianxia.games.suntzu.rules.events import choosers
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many, take_kind
from tianxia.kernel.rng import below
from tianxia.kernel.views import open_fields, seat_fields


@answers(kernel.seen, s.STATE)
def seen(state, seat, action, viewer):
    if state.over != 0 or seat == viewer:
        return action
    kind = c.kind_of(action)
    if kind == c.DRAW:
        owner = max(drawer(state), 0)
        return action if owner == viewer or top_is_known(state, owner) else -1
    if kind in (c.LAY, c.REINFORCE):
        return -1 if state.phase == s.LAYING else action
    return -1 if kind in (c.CHOOSE, c.UNDER) else action


see_open = open_fields(
    s.STATE,
    "phase step turn winner reason track tally stands done province effects owed passes",
    "event events_left plagues privilege board marks",
    "gone want keep taken tail_length cards spent",
)
see_own = seat_fields(s.STATE, 2, "reserve aside hand laid spare drawn deck tail strategy")


@answers(kernel.view, s.STATE)
def view(state, seat, out):
    see_open(state, seat, out)
    for owner in range(2):
        if owner == seat or state.over != 0:
            see_own(state, owner, out)
        else:
            see_backs(state, owner, out)


@rule
def see_backs(state, owner, out):
    """Write what all know of a player's cards; reinforcements while laying are unseen."""
    given = how_many(state.spare[owner])
    out.reserve[owner] = int(state.reserve[owner]) - given
    out.aside[owner] = int(state.aside[owner]) + given
    for province in range(c.PROVINCES):
        if not is_face_down(state, owner, province):
            out.laid[owner, province] = state.laid[owner, province]
    for i in range(s.TAIL):
        if int(state.tail[owner, i]) & s.SHOWN:
            out.tail[owner, i] = state.tail[owner, i]
    out.hidden[owner] = unknown_specials(state, owner)


# --- Sampled worlds ---


@answers(kernel.sample, s.STATE)
def sample(state, rng):
    viewer = int(state.viewer)
    if state.over == 0 and viewer != 0:
        for owner in range(2):
            if viewer != owner + 1:
                sample_cards(state, owner, rng)
                sample_strategies(state, owner, rng)
                sample_laid(state, owner, rng)
                sample_drawn(state, owner, rng)
    state.viewer = 0


@rule
def take_card(cards, rng):
    """Take a card at random; return its kind."""
    return take_kind(cards, how_many(cards), rng)


@rule
def sample_cards(state, owner, rng):
    """Deal what nobody has seen of a player's cards to his hand, under his deck, to his deck."""
    deck = state.deck[owner]
    for kind in range(c.SPECIAL):
        deck[kind] = c.COPIES[int(state.options.deck), kind] - int(state.gone[owner, kind])
    state.hand[owner, : c.BASIC] = 1
    for province in range(c.PROVINCES):
        card = int(state.laid[owner, province])
        if card > c.BASIC:
            deck[card - 1 - c.BASIC] -= 1
        elif card > 0:
            state.hand[owner, card - 1] -= 1
    length = int(state.tail_length[owner])
    for i in range(length):
        if state.tail[owner, i] != 0:
            deck[(int(state.tail[owner, i]) & ~s.SHOWN) - 1 - c.BASIC] -= 1
    while state.hidden[owner] > 0:
        kind = take_card(deck, rng)
        state.hand[owner, c.BASIC + kind] += 1
        state.hidden[owner] -= 1
    for i in range(length):
        if state.tail[owner, i] == 0:
            kind = take_card(deck, rng)
            state.tail[owner, i] = c.BASIC + kind + 1


@rule
def sample_strategies(state, owner, rng):
    """Give a player strategy cards that he has not spent. S3 would have been shown."""
    finished = int(state.acting) >> owner & 1 == 0
    count = int(state.cards[owner])
    free = (1 << c.STRATEGIES) - 1 & ~int(state.spent[owner])
    if state.phase == s.CHOICE:
        count += 1 if finished else 0
    else:
        if owner == c.BLUE:
            free &= ~(1 << c.S3)
        if state.phase == s.FIGHT and state.step == s.SECOND_CARD:
            count += 1 if finished and choosers(state) >> owner & 1 else 0
    held = 0
    while count > 0:
        strategy = below(rng, c.STRATEGIES)
        if free >> strategy & 1 != 0:
            free &= ~(1 << strategy)
            held |= 1 << strategy
            count -= 1
    state.strategy[owner] = held


@rule
def sample_laid(state, owner, rng):
    """Lay cards of the hand face down where the viewer has seen backs."""
    if state.phase == s.LAYING and int(state.acting) >> owner & 1 != 0:
        return  # he may not have begun
    kept = -1
    if state.phase != s.FIGHT and state.owed > 0 and owner == c.BLUE:
        kept = keep_one(state, rng)  # S5 with an empty reserve: he has a card to discard
    for province in range(c.PROVINCES):
        backs = state.phase == s.LAYING or is_face_down(state, owner, province)
        if backs and state.laid[owner, province] == 0:
            kind = card_to_lay(state, owner, province, rng)
            state.hand[owner, kind] -= 1
            state.laid[owner, province] = kind + 1
    if kept >= 0:
        state.hand[owner, kept] += 1


@rule
def keep_one(state, rng):
    """Take a card above 6 out of Blue's hand; return its kind."""
    if how_many(state.hand[c.BLUE][c.BASIC :]) == 0:
        return -1
    return c.BASIC + take_card(state.hand[c.BLUE][c.BASIC :], rng)


@rule
def card_to_lay(state, owner, province, rng):
    """Return the kind of a random card of a hand that may be laid in a province."""
    no_6 = not may_lay_6(state, owner, province)
    cards = how_many(state.hand[owner])
    if no_6:
        cards -= int(state.hand[owner, c.SIX])
    left, kind = below(rng, cards), 0
    while True:
        if not (no_6 and kind == c.SIX):
            left -= int(state.hand[owner, kind])
            if left < 0:
                return kind
        kind += 1


@rule
def sample_drawn(state, owner, rng):
    """Take out of the hand what was drawn, or what is to go under the deck."""
    count = 0
    if state.phase == s.DRAWING:
        count = int(state.taken[owner])
    elif state.phase == s.KEEPING and state.want[owner] > state.keep[owner]:
        count = int(state.want[owner]) if int(state.acting) >> owner & 1 != 0 else 1
    for _ in range(count):
        kind = take_card(state.hand[owner][c.BASIC :], rng)
        state.drawn[owner, kind] += 1


# --- Features and a guess ---

PER_PROVINCE = 12
PER_SEAT = 105
OF_BOTH = 50
FEATURES = OF_BOTH + c.PROVINCES * PER_PROVINCE + 2 * PER_SEAT


@answers(kernel.encode, s.STATE)
def encode(state, out):
    """Write 320 features, the viewer's own side first (a spectator's: Blue's).

    0-49: phase (15, one of them 1), step (17, likewise), round, score, who has the
    privilege (own, other), armies owed, Plagues played, open event (5), events left (5),
    may act, effects (as a share).
    Then 12 for each province: armies own, other; marks own, other; value now, at the next
    scoring, at the last; turned up; in question; not yet the last scoring; held by own, by other.
    Then 105 for each player: reserve, aside, hidden cards, cards under the deck, strategy
    cards, wanted, kept and taken cards (8); strategy cards held (5) and spent (5); hand
    (15); gone, drawn and deck (9 each, spare cards among the gone); laid: 5 × 9 for its
    number, bonus and name (see `encode_card`).
    """
    own = c.RED if state.viewer == c.RED + 1 else c.BLUE
    out[:FEATURES] = 0
    out[int(state.phase)] = 1.0
    out[15 + int(state.step)] = 1.0
    out[32] = int(state.turn) / c.LAST_ROUND
    out[33] = int(state.track) / c.TRACK * (1 if own == c.BLUE else -1)
    out[34] = 1.0 if state.privilege == own + 1 else 0.0
    out[35] = 1.0 if state.privilege == 2 - own else 0.0
    out[36] = int(state.owed) / 9
    out[37] = int(state.plagues) / 4
    if state.event != 0:
        out[37 + int(state.event)] = 1.0
    for event in range(c.EVENTS):
        out[43 + event] = int(state.events_left) >> event & 1
    out[48] = int(state.acting) >> own & 1
    out[49] = int(state.effects) / 31
    for province in range(c.PROVINCES):
        encode_province(state, own, province, out, OF_BOTH + province * PER_PROVINCE)
    base = OF_BOTH + c.PROVINCES * PER_PROVINCE
    encode_seat(state, own, out, base)
    encode_seat(state, 1 - own, out, base + PER_SEAT)


@rule
def encode_province(state, own, province, out, base):
    other = 1 - own
    out[base] = int(state.board[own, province]) / 9
    out[base + 1] = int(state.board[other, province]) / 9
    out[base + 2] = int(state.marks[own, province])
    out[base + 3] = int(state.marks[other, province])
    stand, scoring = int(state.stands[province]) - 1, (int(state.turn) - 1) // 3
    if stand >= 0:
        out[base + 4] = c.STANDS[stand, scoring] / 5
        out[base + 5] = c.STANDS[stand, scoring + 1] / 5 if scoring < 2 else 0.0
        out[base + 6] = c.STANDS[stand, 2] / 5
    out[base + 7] = int(state.done) >> province & 1
    out[base + 8] = 1.0 if state.province == province + 1 else 0.0
    out[base + 9] = 1.0 if scoring < 2 else 0.0
    out[base + 10] = 1.0 if state.board[own, province] > 0 else 0.0
    out[base + 11] = 1.0 if state.board[other, province] > 0 else 0.0


@rule
def encode_seat(state, seat, out, base):
    out[base] = int(state.reserve[seat]) / 21
    out[base + 1] = int(state.aside[seat]) / 21
    out[base + 2] = int(state.hidden[seat]) / 14
    out[base + 3] = int(state.tail_length[seat]) / s.TAIL
    out[base + 4] = int(state.cards[seat])
    out[base + 5] = int(state.want[seat]) / 3
    out[base + 6] = int(state.keep[seat]) / 2
    out[base + 7] = int(state.taken[seat]) / 4
    for strategy in range(c.STRATEGIES):
        out[base + 8 + strategy] = int(state.strategy[seat]) >> strategy & 1
        out[base + 13 + strategy] = int(state.spent[seat]) >> strategy & 1
    copy_into(out[base + 18 :], state.hand[seat])
    for kind in range(c.SPECIAL):
        out[base + 33 + kind] = int(state.gone[seat, kind]) + int(state.spare[seat, kind])
        out[base + 42 + kind] = state.drawn[seat, kind]
        out[base + 51 + kind] = state.deck[seat, kind]
    for province in range(c.PROVINCES):
        if state.laid[seat, province] != 0:
            encode_card(int(state.laid[seat, province]) - 1, out, base + 60 + 9 * province)


@rule
def encode_card(kind, out, base):
    """Write a card: there is one; number / 10; is 1; is 6; above 6; +n; n / 3; −1; Plague."""
    out[base] = 1.0
    if kind < 10:
        out[base + 1] = (kind + 1) / 10
        out[base + 2] = 1.0 if kind == 0 else 0.0
        out[base + 3] = 1.0 if kind == c.SIX else 0.0
        out[base + 4] = 1.0 if kind > c.SIX else 0.0
    elif kind < 13:
        out[base + 5] = 1.0
        out[base + 6] = (kind - 9) / 3
    else:
        out[base + (7 if kind == 13 else 8)] = 1.0


@answers(kernel.evaluate, s.STATE)
def evaluate(state, out):
    """Write a guess: the score as it would be if nothing changed, and armies on the board.

    Later scorings count less, since much will have changed by then.
    """
    if state.phase == s.END:
        gain = 0.0 if state.winner == s.DRAWN_GAME else (1.0 if state.winner == 1 else -1.0)
    else:
        points, trust = 1.0 * int(state.track), 0.8
        first = int(state.turn) // 3 if state.phase == s.KEEPING else (int(state.turn) - 1) // 3
        for scoring in range(first, 3):
            for province in range(c.PROVINCES):
                stand = int(state.stands[province]) - 1
                if stand >= 0:
                    here = hold(state, c.BLUE, province) - hold(state, c.RED, province)
                    points += trust * here * c.STANDS[stand, scoring]
            trust *= 0.5
        gain = math.tanh(points / 8.0)
    out[0] = gain
    out[1] = -gain


@rule
def hold(state, seat, province):
    """Return how firmly a seat holds a province: 0, or up to 1 for many armies."""
    armies = int(state.board[seat, province])
    return 0.0 if armies == 0 else min(0.5 + 0.1 * armies, 1.0)


@answers(kernel.limits, s.STATE)
def limits(state):
    return c.NUM_ACTIONS, c.MAX_LEGAL, c.MAX_CHANCE, FEATURES
