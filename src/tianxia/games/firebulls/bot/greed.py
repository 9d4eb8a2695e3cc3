"""The quick player: what an attack is worth now against what a card more is worth later.

It thinks as the Drover does (`player`), in compiled code, so that a search can play
thousands of turns with it. What it goes by are its *habits*, numbers in points that were
tuned by play against one another (``bench/firebulls_training.py``):

- a hand is worth something by the number of cards of each colour, by the number of colours
  and by its Warriors, and less when the deck will not come round again;
- an attack is worth its points, powers and bonus cards, less what the hand loses;
- a card gained is worth what the hand gains, and a share of what the best attack gains.

It sees what its seat may know, even where it is asked about a full state.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.answers import earlier
from tianxia.games.firebulls.rules.attack import cards_won
from tianxia.games.firebulls.rules.ending import colour_of
from tianxia.games.firebulls.rules.state import ASIDE, FEE_DUE, NEXT_CARD, POWER, STEP, TURN
from tianxia.kernel.jit import rule

# --- Habits: one array, so that they can be tuned without compiling anew ---

MANY = 12
"""A count of a colour in hand never reaches this: ten Bulls are all there are."""
OF_COUNT = 0  # a hand's worth by the number of its Bulls of a colour
OF_COLOURS = OF_COUNT + MANY  # by the number of its colours
OF_WARRIOR = OF_COLOURS + c.COLOURS + 1  # of each Warrior
OF_HOPE = OF_WARRIOR + 1  # what an attack in the next turn is worth, compared with one now
OF_LAST_DRAWS = OF_HOPE + 1  # a hand's worth falls when fewer draws a player are left
ROUND = OF_LAST_DRAWS + 1  # draws that a reshuffled deck is thought to give
OF_POWERS = ROUND + 1  # of Bo, Colonel, General
BONUS = OF_POWERS + 3  # a card drawn for a second or third point card
UNSEEN = BONUS + 1  # a card drawn, more than one taken
FULL = UNSEEN + 1  # share of a card's worth that is left where the hand is full
BIAS = FULL + 1  # what is asked of an attack
HABITS = BIAS + 1

LOST = -1e9
"""Worse than anything."""


class Room(NamedTuple):
    """Arrays that the quick player writes into, so that it allocates nothing.

    Attributes
    ----------
    hand, rest, paid
        Attack cards by kind: those in hand, those left in the middle of an attack, and
        the payment for one card.
    first
        Payment for the first card of each direction: shape (7, 6).
    line, length
        Kinds of point cards along each direction, nearest first, and how many.
    gain
        What each kind of point card gives, its power included.
    fee
        What the next fees cost, the cheapest first.
    reach
        By direction: the worth of attacks on up to one, two, three cards: shape (7, 3).
    scores
        By kind of card: the worth of taking it, and of drawing it: shape (2, 6).
    """

    hand: NDArray[np.int64]
    rest: NDArray[np.int64]
    paid: NDArray[np.int64]
    first: NDArray[np.int64]
    line: NDArray[np.int64]
    length: NDArray[np.int64]
    gain: NDArray[np.float64]
    fee: NDArray[np.float64]
    reach: NDArray[np.float64]
    scores: NDArray[np.float64]


FEES = int(c.ATTACK_CARDS[c.WARRIOR])


def make_room() -> Room:
    """Return memory for the quick player."""
    whole, real = np.int64, np.float64
    ends = c.AT_GENERAL + 1
    return Room(
        hand=np.zeros(c.ATTACK_KINDS, whole),
        rest=np.zeros(c.ATTACK_KINDS, whole),
        paid=np.zeros(c.ATTACK_KINDS, whole),
        first=np.zeros((ends, c.ATTACK_KINDS), whole),
        line=np.zeros((ends, c.DIRECT), whole),
        length=np.zeros(ends, whole),
        gain=np.zeros(c.KINDS, real),
        fee=np.zeros(FEES, real),
        reach=np.zeros((ends, c.DIRECT), real),
        scores=np.zeros((2, c.ATTACK_KINDS), real),
    )


# --- What it looks at ---


@rule
def worth_of(kind, colour):
    """Return the points that a card brings whoever has pawns of a colour."""
    return int(c.VALUE[kind]) + int(c.HAS_COLOUR[kind, colour])


@rule
def look(state, seat, habits, room):
    """Read hand, lines, gains and fees; return what a hand's worth is to be multiplied by."""
    for kind in range(c.ATTACK_KINDS):
        room.hand[kind] = int(state.hands[seat, kind])
    colour = colour_of(state, seat)
    for kind in range(c.KINDS):
        room.gain[kind] = float(worth_of(kind, colour))
    room.gain[c.BO] += habits[OF_POWERS]
    room.gain[c.COLONEL] += habits[OF_POWERS + 1]
    room.gain[c.GENERAL] += habits[OF_POWERS + 2]
    look_at_lines(state, room)
    look_at_fees(state, seat, room)
    draws = int(state.deck_size) + habits[ROUND] * (c.LAST_EXHAUSTION - 1 - int(state.exhausted))
    return min(max(draws / (habits[OF_LAST_DRAWS] * int(state.seats)), 0.05), 1.0)


@rule
def look_at_lines(state, room):
    for direction in range(1, c.DIRECTIONS + 1):
        count = 0
        for i in range(c.DIRECT):
            kind = int(state.rows[int(c.LINE[direction, i])])
            if kind != 0:
                room.line[direction, count] = kind - 1
                count += 1
        room.length[direction] = count
    room.line[c.AT_GENERAL, 0] = c.GENERAL
    room.length[c.AT_GENERAL] = int(state.general == ASIDE)


@rule
def look_at_fees(state, seat, room):
    """List what giving up one's earlier cards costs, those for Warriors already laid left out."""
    count, colour = -int(state.warriors), colour_of(state, seat)
    for i in range(FEES):
        room.fee[i] = 0.0
    for worth in range(int(c.VALUE[c.GENERAL]) + 1):
        for kind in range(c.KINDS):
            if state.victory[seat, kind] > 0 and worth_of(kind, colour) == worth:
                for _ in range(earlier(state, kind) if seat == state.active else 0):
                    if 0 <= count < FEES:
                        room.fee[count] = float(worth)
                    count += 1
        if count >= FEES or seat != state.active:
            return


@rule
def hand_worth(cards, habits):
    """Return what a hand is worth, in points."""
    total, colours = 0.0, 0
    for colour in range(c.COLOURS):
        total += habits[OF_COUNT + cards[colour]]
        colours += cards[colour] > 0
    return total + habits[OF_COLOURS + colours] + habits[OF_WARRIOR] * cards[c.WARRIOR]


# --- Payments ---


@rule
def price(cards, colour, count, habits):
    """Return what laying some Bulls of a colour costs, with Warriors for those that lack."""
    laid = min(cards[colour], count)
    lacking = count - laid
    if lacking > cards[c.WARRIOR]:
        return -LOST
    held = OF_COUNT + cards[colour]
    return habits[held] - habits[held - laid] + lacking * (1.0 + habits[OF_WARRIOR])


@rule
def lay_down(cards, colour, count, paid):
    """Add Bulls of a colour to a payment, and Warriors for those that lack."""
    laid = min(cards[colour], count)
    paid[colour] += laid
    paid[c.WARRIOR] += count - laid


@rule
def pay_one_colour(cards, count, habits, paid):
    """Write the cheapest payment of so many of one colour; return its price."""
    best, least = 0, -LOST
    for colour in range(c.COLOURS):
        cost = price(cards, colour, count, habits)
        if cost < least:
            best, least = colour, cost
    if least < -LOST:
        lay_down(cards, best, count, paid)
    return least


@rule
def pay_two_colours(cards, many, few, limit, habits, paid):
    """Write the cheapest payment of two colours, if it costs less than the limit."""
    best, other, least = -1, -1, limit
    for colour in range(c.COLOURS):
        cost = price(cards, colour, many, habits)
        for second in range(c.COLOURS if cost < least else 0):
            if second != colour:
                lacking = max(many - cards[colour], 0) + max(few - cards[second], 0)
                both = cost + price(cards, second, few, habits)
                if both < least and lacking <= cards[c.WARRIOR]:
                    best, other, least = colour, second, both
    if best >= 0:
        paid[:] = 0
        lay_down(cards, best, many, paid)
        lay_down(cards, other, few, paid)
    return least


@rule
def pay(cards, kind, habits, paid):
    """Write the cheapest way to take a kind of point card; say whether there is one."""
    paid[:] = 0
    if kind < c.WHITE_WU:
        colour, count = (kind, 1) if kind < c.WU else (kind - c.WU, 2)
        lay_down(cards, colour, count, paid)
        return paid[c.WARRIOR] <= cards[c.WARRIOR]
    if kind == c.BO:
        for colour in range(c.COLOURS):
            lay_down(cards, colour, 1, paid)
        return paid[c.WARRIOR] <= cards[c.WARRIOR]
    if kind == c.COLONEL:
        cost = pay_one_colour(cards, 5, habits, paid)
        return pay_two_colours(cards, 3, 3, cost, habits, paid) < -LOST
    if kind == c.GENERAL:
        cost = pay_one_colour(cards, 7, habits, paid)
        return pay_two_colours(cards, 4, 3, cost, habits, paid) < -LOST
    count = 1 if kind == c.FORTIFICATION else (3 if kind == c.XI else 2)
    return pay_one_colour(cards, count, habits, paid) < -LOST


@rule
def payment_number(kind, paid):
    """Return the number of a payment."""
    for i in range(int(c.WAY_COUNT[kind])):
        number = int(c.WAYS[kind, i])
        same = True
        for card in range(c.ATTACK_KINDS):
            if c.PAYMENT[number, card] != paid[card]:
                same = False
                break
        if same:
            return number
    return -1


@rule
def laying(direction, kind, room):
    """Return the action of attacking along a direction with the payment found for it."""
    return c.attack(direction, payment_number(kind, room.first[direction]))


# --- Attacks ---


@rule
def march(direction, won, scale, habits, room):
    """Write what attacks along a direction are worth, on at most one, two, three cards."""
    for card in range(c.ATTACK_KINDS):
        room.rest[card] = room.hand[card]
    total, before, best, warriors = 0.0, LOST, LOST, 0
    for i in range(c.DIRECT):
        if i < room.length[direction] and total > LOST:
            kind = room.line[direction, i]
            if pay(room.rest, kind, habits, room.paid):
                if i == 0:  # most attacks cannot even begin
                    before = hand_worth(room.rest, habits)
                for card in range(c.ATTACK_KINDS):
                    room.rest[card] -= room.paid[card]
                    if i == 0:
                        room.first[direction, card] = room.paid[card]
                for _ in range(room.paid[c.WARRIOR]):
                    total -= room.fee[warriors]
                    warriors += 1
                after = hand_worth(room.rest, habits)
                total += room.gain[kind] - scale * (before - after)
                total += scale * habits[BONUS] if won + i > 0 else 0.0
                before = after
                best = max(best, total)
            else:
                total = LOST
        room.reach[direction, i] = best
    return best


@rule
def march_all(pawn, far, scale, habits, room):
    """Look at all attacks that a pawn can make from where it is, or a step away."""
    for direction in range(max(pawn - far, 1), min(pawn + far, c.DIRECTIONS) + 1):
        march(direction, 0, scale, habits, room)
    march(c.AT_GENERAL, 0, scale, habits, room)


@rule
def reach_of(direction, pawn, room):
    """Return the worth of the best attack of a pawn along a direction."""
    return room.reach[direction, (c.DIRECT if direction == pawn else c.DEVIATED) - 1]


@rule
def best_from(pawn, room):
    """Return the worth of a pawn's best attack; 0 where none pays."""
    best = max(0.0, room.reach[c.AT_GENERAL, 0])
    for direction in range(max(pawn - 1, 1), min(pawn + 1, c.DIRECTIONS) + 1):
        best = max(best, reach_of(direction, pawn, room))
    return best


@rule
def best_step(pawn, left, right, room):
    """Return the step after which the best attack is worth most, and that worth.

    `left` and `right` are what it is worth besides to step there.
    """
    action, best = c.STAY + 0, best_from(pawn, room)
    if pawn > 1:
        worth = best_from(pawn - 1, room) + left
        if worth > best:
            action, best = c.LEFT + 0, worth
    if pawn < c.DIRECTIONS:
        worth = best_from(pawn + 1, room) + right
        if worth > best:
            action, best = c.RIGHT + 0, worth
    return action, best


# --- Decisions ---


@rule
def gather_scores(state, seat, scale, now, habits, room):
    """Write the worth of each card, taken openly or drawn."""
    pawn = int(state.pawns[seat])
    before = hand_worth(room.hand, habits)
    full = habits[FULL] if state.hand_sizes[seat] >= c.HAND_LIMIT else 1.0
    for kind in range(c.ATTACK_KINDS):
        drawn = int(state.fresh[kind]) - int(state.drawn[seat, kind])
        if drawn > 0 or state.reserve[kind] > 0:
            room.hand[kind] += 1
            gained = full * scale * (hand_worth(room.hand, habits) - before)
            march_all(pawn, 2, scale, habits, room)
            room.hand[kind] -= 1
            room.scores[0, kind] = gained + habits[OF_HOPE] * (best_from(pawn, room) - now)
            _, best = best_step(pawn, 0.0, 0.0, room)
            room.scores[1, kind] = gained + habits[OF_HOPE] * (best - now)


@rule
def draw_score(state, seat, habits, room):
    """Return the worth of drawing: the mean over the cards that may be in the deck."""
    total, weight = 0.0, 0
    for kind in range(c.ATTACK_KINDS):
        count = int(state.fresh[kind]) - int(state.drawn[seat, kind])
        if count > 0:
            total += count * room.scores[1, kind]
            weight += count
    return habits[UNSEEN] + (total / weight if weight > 0 else 0.0)


@rule
def decide_turn(state, seat, habits, room):
    scale = look(state, seat, habits, room)
    pawn = int(state.pawns[seat])
    march_all(pawn, 1, scale, habits, room)
    now = best_from(pawn, room)
    aim, most = 0, LOST
    for direction in range(max(pawn - 1, 1), min(pawn + 1, c.DIRECTIONS) + 1):
        worth = reach_of(direction, pawn, room)
        if worth > most:
            aim, most = direction, worth
    if room.reach[c.AT_GENERAL, 0] > most:
        aim, most = c.AT_GENERAL, room.reach[c.AT_GENERAL, 0]
    action = 0
    if aim > 0 and most > LOST / 2:
        kind = room.line[aim, 0]
        action = laying(aim, kind, room)
    most -= habits[BIAS]
    gather_scores(state, seat, scale, now, habits, room)
    worth = draw_score(state, seat, habits, room)
    if worth > most:
        action, most = c.DRAW + 0, worth
    for kind in range(c.ATTACK_KINDS):
        if state.reserve[kind] > 0 and room.scores[0, kind] > most:
            action, most = c.TAKE + kind, room.scores[0, kind]
    return action


@rule
def decide_next_card(state, seat, habits, room):
    scale = look(state, seat, habits, room)
    direction = int(state.direction)
    won = cards_won(state)
    limit = c.DIRECT if direction == state.pawns[seat] else c.DEVIATED
    room.length[direction] = min(room.length[direction], limit - won)
    if march(direction, won, scale, habits, room) <= 0:
        return c.STOP + 0
    return laying(direction, room.line[direction, 0], room)


@rule
def decide_step(state, seat, left, right, habits, room):
    """Return the best step; `left` and `right` as for `best_step`."""
    pawn = int(state.pawns[seat])
    scale = look(state, seat, habits, room)
    march_all(pawn, 2, scale, habits, room)
    action, _ = best_step(pawn, left, right, room)
    return action


@rule
def cheapest_fee(state, seat):
    """Return the fee that costs fewest points."""
    best, least, colour = 0, 1000, colour_of(state, seat)
    for kind in range(c.KINDS):
        if worth_of(kind, colour) < least and earlier(state, kind) > 0:
            best, least = kind, worth_of(kind, colour)
    return c.FEE + best


@rule
def least_use(state, seat, habits, room):
    """Return the surplus card without which the hand, and what it can attack, is worth most."""
    scale, pawn = look(state, seat, habits, room), int(state.pawns[seat])
    best, most = 0, LOST
    for kind in range(c.ATTACK_KINDS):
        if room.hand[kind] > 0:
            room.hand[kind] -= 1
            march_all(pawn, 1, scale, habits, room)
            worth = scale * hand_worth(room.hand, habits) + habits[OF_HOPE] * best_from(pawn, room)
            room.hand[kind] += 1
            if worth > most:
                best, most = kind, worth
    return c.DROP + best


@rule
def decide(state, seat, habits, room):
    """Return what the quick player does."""
    phase = int(state.phase)
    if phase == TURN:
        return decide_turn(state, seat, habits, room)
    if phase == STEP:
        return decide_step(state, seat, 0.0, 0.0, habits, room)
    if phase == NEXT_CARD:
        return decide_next_card(state, seat, habits, room)
    if phase == POWER:
        return c.USE + 0
    if phase == FEE_DUE:
        return cheapest_fee(state, seat)
    return least_use(state, seat, habits, room)
