"""A round as a game of its own: hands that each may hold, orders of these, solved by CFR+.

Neither player knows the other's hand, so this is a Bayesian game: each side has some hands
(`types`), all equally likely to the other, and each hand its own strategy. A few stages
take turns: orders are made up that do well, more or less, against what the other is thought
to lay; the game of all orders so far is solved by regret matching with regrets never below
0, later strategies weighing more (CFR+, Tammelin 2014); what comes out is what the other is
thought to lay. Then each hand is given what replies best to that, and the game is solved
again, a few times (double oracle, McMahan et al. 2003). Hands of one's own that one does not
hold are there so that the other does not play as if he had seen one's cards.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot.clash import (
    BLUE_ARMIES,
    LOG_ODDS,
    MOST,
    POINTS,
    Tables,
    chance_of,
    left_over,
    make_tables,
)
from tianxia.games.suntzu.bot.outlook import CARD, MANY, deck_size, worth_of_deck
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import may_lay_6
from tianxia.kernel.arrays import copy_into, place_of_most
from tianxia.kernel.jit import allocates, entry, kept, rule
from tianxia.kernel.rng import below, fraction

CLIMBS = 8
"""Passes over an order in search of a better card or exchange."""
LEAST_SPREAD = 0.15
"""How far made-up orders stray at least, in standard deviations of what cards gain."""
SELDOM = 0.03
"""Orders that a mixture takes more seldom than the likeliest by this factor are no rivals."""
GAIN = 1e-4
"""What a reply has to gain to be new, in chances of winning times hands."""
TREMBLE = 0.005
"""How often the other's hand is thought to slip, at last."""
POINT = 0.5
"""What a point is thought to gain in the last round, while orders are made up."""


class Lots(NamedTuple):
    """The orders of both sides; index 0 is Sun Tzu's side everywhere.

    Attributes
    ----------
    hands
        Hands by side and number, laid cards included; shape (2, types, 15).
    types
        How many hands each side has.
    first, room
        Where the orders of a hand begin, and how many there are.
    orders
        Orders by side and number; shape (2, orders, 5).
    share
        How likely each is, given its hand.
    cards
        `left_over` of its hand.
    value
        How likely its side wins with it, against the other's mixture.
    even
        How likely its side wins with it, if the other lays any of his orders alike.
    gain
        What a card gains on average in a province, for its side; shape (2, 5, 15).
    made, known
        How many orders of a hand there are so far, and of how many it is known how they fare.
    """

    hands: NDArray[np.int64]
    types: NDArray[np.int64]
    first: NDArray[np.int64]
    room: NDArray[np.int64]
    orders: NDArray[np.int64]
    share: NDArray[np.float64]
    cards: NDArray[np.float64]
    value: NDArray[np.float64]
    even: NDArray[np.float64]
    gain: NDArray[np.float64]
    made: NDArray[np.int64]
    known: NDArray[np.int64]


class Round(NamedTuple):
    """A round that is solved: its position, what it is weighed and looked up by, its orders."""

    state: Any
    weights: NDArray[np.float64]
    tables: Tables
    lots: Lots


class Holder(NamedTuple):
    """For whose hand orders are sought.

    Attributes
    ----------
    side, hand
        Whose it is, and its number.
    fixed
        The kind that is laid in each province already, or −1.
    left
        Scratch: the cards that are not laid in an order.
    """

    side: int
    hand: int
    fixed: NDArray[np.int64]
    left: NDArray[np.int64]


class Effort(NamedTuple):
    """How carefully a round is solved.

    Attributes
    ----------
    stages, replies, iterations
        How often orders are made up, then best replies found, and iterations of CFR+ at last.
        Each reply takes the room of one made-up order.
    spread
        How much further than the least made-up orders stray, at most.
    """

    stages: int
    replies: int
    iterations: int
    spread: float


def make_lots(hands: tuple[NDArray[np.int64], NDArray[np.int64]], rooms: list[list[int]]) -> Lots:
    """Return room for the orders of both sides' hands: so many of each hand."""
    types = max(len(side) for side in hands)
    total = max(sum(room) for room in rooms)
    lots = Lots(
        hands=np.zeros((2, types, c.KINDS), np.int64),
        types=np.array([len(side) for side in hands]),
        first=np.zeros((2, types), np.int64),
        room=np.zeros((2, types), np.int64),
        orders=np.zeros((2, total, c.PROVINCES), np.int64),
        share=np.zeros((2, total)),
        cards=np.zeros((2, total)),
        value=np.zeros((2, total)),
        even=np.zeros((2, total)),
        gain=np.zeros((2, c.PROVINCES, c.KINDS)),
        made=np.zeros((2, types), np.int64),
        known=np.zeros((2, types), np.int64),
    )
    for side in range(2):
        lots.hands[side, : len(hands[side])] = hands[side]
        lots.room[side, : len(rooms[side])] = rooms[side]
        lots.first[side, 1 : len(rooms[side])] = np.cumsum(rooms[side])[:-1]
    return lots


@entry
@allocates
def solve(view, weights, seat, fixed, effort, lots, rng):
    """Solve a round; the seat's own hand is the first of its side.

    Parameters
    ----------
    view
        A pool of one record: the position when the round began, as the seat sees it.
    fixed
        The kind that the seat has laid in each province already, or −1.
    effort
        An `Effort`.
    lots
        Filled in.
    """
    solve_round(view[0], weights, seat, fixed, effort, lots, rng)


@kept
@allocates
def solve_round(state, weights, seat, fixed, effort, lots, rng):
    """Solve a round: see `solve`."""
    stages, replies, iterations, spread = effort
    tables = make_tables(state, weights)
    solved = Round(state, weights, tables, lots)
    likely = np.zeros((2, c.PROVINCES, c.KINDS))
    think_of_hands(lots, likely)
    blues, reds = lots.orders.shape[1], lots.orders.shape[1]
    odds, turned = np.zeros((blues, reds)), np.zeros((reds, blues))
    regret, now = np.zeros((2, blues)), np.zeros((2, blues))
    rivals, masses = np.zeros((2, blues), np.int64), np.zeros((2, blues))
    free, kept = np.full((2, c.PROVINCES), -1), np.full((2, c.PROVINCES), -1)
    kept[seat] = fixed
    noise, left = np.zeros((c.PROVINCES, c.KINDS)), np.zeros(c.KINDS, np.int64)
    for stage in range(stages + replies):
        if stage < stages:
            weigh_cards(state, weights, tables, likely, lots)
        else:
            weigh_orders(lots, odds, turned)
        for side in range(2):
            count = (
                find_rivals(lots, 1 - side, rivals[side], masses[side]) if stage >= stages else 0
            )
            against = rivals[side, :count], masses[side, :count]
            for hand in range(lots.types[side]):
                laid = kept[side] if hand == 0 else free[side]
                holder = Holder(side, hand, laid, left)
                if stage < stages:
                    room = (lots.room[side, hand] - replies) * (stage + 1) // stages
                    add_made_up(state, lots, holder, room, spread, noise, rng)
                else:
                    add_reply(solved, holder, against)
        fill_cards(state, weights, lots)
        fill_odds(state, tables, lots, odds, turned)
        last = stage == stages + replies - 1
        many, slips = (iterations, TREMBLE) if last else (iterations // 4, 0.0)
        learn(lots, many, slips, odds, turned, regret, now)
        think_of_orders(lots, likely)
    weigh_cards(state, weights, tables, likely, lots)
    weigh_orders(lots, odds, turned)


# --- What cards gain on average ---


@rule
def think_of_hands(lots, likely):
    """Take it that any card of any hand may lie anywhere: how likely each card is there."""
    for side in range(2):
        total = 0
        for hand in range(lots.types[side]):
            for kind in range(c.KINDS):
                total += lots.hands[side, hand, kind]
        for hand in range(lots.types[side]):
            for kind in range(c.KINDS):
                for province in range(c.PROVINCES):
                    share = lots.hands[side, hand, kind] / total
                    likely[side, province, kind] += share


@rule
def think_of_orders(lots, likely):
    """Count how likely each card lies in each province, by the strategies."""
    for side in range(2):
        likely[side] = 0.0
        for hand in range(lots.types[side]):
            for i in range(lots.made[side, hand]):
                place = lots.first[side, hand] + i
                share = lots.share[side, place] / lots.types[side]
                for province in range(c.PROVINCES):
                    likely[side, province, lots.orders[side, place, province]] += share


@rule
def weigh_cards(state, weights, tables, likely, lots):
    """Write what each card gains on average in each province, for its side, in log-odds."""
    gain, point = lots.gain, POINT
    if state.turn < c.LAST_ROUND:
        here = c.TRACK + min(max(int(state.track), 1 - c.TRACK), c.TRACK - 1)
        point = (tables.score[here + 1] - tables.score[here - 1]) / 2
    for province in range(c.PROVINCES):
        for side in range(2):
            hand = lots.hands[side, 0]
            for kind in range(c.KINDS):
                gain[side, province, kind] = -worth_in_hand(state, weights, side, hand, kind)
        for blue in range(c.KINDS):
            for red in range(c.KINDS):
                cell = tables.cells[province, blue, red]
                worth = cell[LOG_ODDS] + point * cell[POINTS]
                for side in range(2):
                    here = MOST + int(state.reserve[side])
                    change = tables.stock[here + int(cell[BLUE_ARMIES + side])] - tables.stock[here]
                    worth += change if side == c.BLUE else -change
                gain[c.BLUE, province, blue] += likely[c.RED, province, red] * worth
                gain[c.RED, province, red] -= likely[c.BLUE, province, blue] * worth


@rule
def worth_in_hand(state, weights, side, hand, kind):
    """Return about what log-odds a side loses by laying a card, one of a hand's two or so."""
    if state.turn == c.LAST_ROUND or c.ONE < kind < c.BASIC:
        return 0.0
    turn, held = int(state.turn) + 1, 0
    for special in range(c.BASIC, c.KINDS):
        held += int(hand[special])
    if kind >= c.BASIC:
        return max(0.0, weights[turn, CARD + kind - c.BASIC] + (2 * held - 1) * weights[turn, MANY])
    deck = deck_size(state, side, held)
    plain = worth_of_deck(weights, turn, deck, 1, held - 2)
    return plain - worth_of_deck(weights, turn, deck, 2, held - 2)


# --- Making orders up ---


@rule
def add_made_up(state, lots, holder, room, spread, noise, rng):
    """Fill the orders of a hand up to so many; the first is what seems best."""
    side, hand, fixed, left = holder
    known = lots.made[side, hand]
    for i in range(known, room):
        stray(lots.gain[side], noise, spread if i > known else -1.0, rng)
        order = lots.orders[side, lots.first[side, hand] + i]
        make_up(state, side, lots.hands[side, hand], noise, fixed, left, order, rng)
    lots.made[side, hand] = room


@rule
def stray(gain, noise, spread, rng):
    """Write what cards seem to gain, for an order that is not quite the best (below 0: is)."""
    size = 0.0
    if spread >= 0:
        size = spread_of(gain) * (LEAST_SPREAD + spread * fraction(rng))
    for province in range(c.PROVINCES):
        for kind in range(c.KINDS):
            noise[province, kind] = gain[province, kind] + size * normal(rng)


@rule
def normal(rng):
    """Return a random number of mean 0 and deviation 1, nearly normal."""
    return 2.0 * (fraction(rng) + fraction(rng) + fraction(rng)) - 3.0


@rule
def spread_of(gain):
    """Return by how much cards differ in a province, as a standard deviation."""
    total = 0.0
    for province in range(c.PROVINCES):
        mean = square = 0.0
        for kind in range(c.KINDS):
            mean += gain[province, kind] / c.KINDS
            square += gain[province, kind] ** 2 / c.KINDS
        total += math.sqrt(max(square - mean * mean, 0.0)) / c.PROVINCES
    return total


@rule
def make_up(state, side, hand, gain, fixed, left, order, rng):
    """Write an order that gains much: one card after the other, then by small changes."""
    copy_into(left, hand)
    for province in range(c.PROVINCES):
        order[province] = fixed[province]
        if fixed[province] >= 0:
            left[fixed[province]] -= 1
    start = below(rng, c.PROVINCES)
    for i in range(c.PROVINCES):
        province = (start + i) % c.PROVINCES
        if fixed[province] < 0:
            order[province] = best_card(state, side, province, gain, left)
            left[order[province]] -= 1
    for _ in range(CLIMBS):
        if not make_better(state, side, gain, fixed, left, order):
            break


@rule
def best_card(state, side, province, gain, left):
    """Return which of the cards that are left gains most in a province."""
    best = -1
    for kind in range(c.KINDS):
        if left[kind] > 0 and (kind != c.SIX or may_lay_6(state, side, province)):
            if best < 0 or gain[province, kind] > gain[province, best]:
                best = kind
    return best


@rule
def make_better(state, side, gain, fixed, left, order):
    """Exchange cards with the hand or between provinces; say whether that gained anything."""
    changed = False
    for here in range(c.PROVINCES):
        if fixed[here] >= 0:
            continue
        better = best_card(state, side, here, gain, left)
        if better >= 0 and gain[here, better] > gain[here, order[here]]:
            left[order[here]] += 1
            left[better] -= 1
            order[here] = better
            changed = True
        for there in range(here):
            if fixed[there] < 0 and may_exchange(state, side, order, here, there):
                one, two = order[here], order[there]
                before = gain[here, one] + gain[there, two]
                if gain[here, two] + gain[there, one] > before + 1e-9:
                    order[here], order[there] = two, one
                    changed = True
    return changed


@rule
def may_exchange(state, side, order, here, there):
    """Say whether two cards may change places, for all that a 6 forbids."""
    if order[here] == c.SIX and not may_lay_6(state, side, there):
        return False
    return order[there] != c.SIX or may_lay_6(state, side, here)


# --- Best replies ---


@rule
def find_rivals(lots, side, rivals, masses):
    """Write which orders of a side are laid more than seldom, and how often; return how many."""
    count = 0
    for hand in range(lots.types[side]):
        first = lots.first[side, hand]
        last = first + lots.made[side, hand]
        most = lots.share[side, place_of_most(lots.share[side], first, last)]
        for order in range(first, last):
            if lots.share[side, order] >= SELDOM * most:
                rivals[count], masses[count] = order, lots.share[side, order]
                count += 1
    return count


@rule
def add_reply(solved, holder, against):
    """Add to a hand's orders what wins most often against the rivals, if it is a new one.

    It is found from the best order so far, by exchanging cards as long as that helps.
    """
    side, hand, fixed, left = holder
    lots = solved.lots
    first, made = lots.first[side, hand], lots.made[side, hand]
    order = lots.orders[side, first + made]
    best = place_of_most(lots.value[side], first, first + made)
    copy_into(order, lots.orders[side, best])
    copy_into(left, lots.hands[side, hand])
    for province in range(c.PROVINCES):
        left[order[province]] -= 1
    start = most = fares(solved, holder, order, against)
    for _ in range(CLIMBS):
        before = most
        for here in range(c.PROVINCES):
            if fixed[here] < 0:
                most = try_cards(solved, holder, here, most, order, against)
                most = try_exchanges(solved, holder, here, most, order, against)
        if most == before:
            break
    lots.made[side, hand] += 1 if most > start else 0


@rule
def try_cards(solved, holder, here, most, order, against):
    """Lay each other card in a province; keep what is better, return how an order fares then."""
    state, side, left = solved.state, holder.side, holder.left
    for kind in range(c.KINDS):
        old = order[here]
        if left[kind] > 0 and kind != old and (kind != c.SIX or may_lay_6(state, side, here)):
            order[here] = kind
            chance = fares(solved, holder, order, against)
            if chance > most + GAIN:
                most = chance
                left[old] += 1
                left[kind] -= 1
            else:
                order[here] = old
    return most


@rule
def try_exchanges(solved, holder, here, most, order, against):
    """Exchange a province's card with each before it; keep what is better, as `try_cards`."""
    for there in range(here):
        free = holder.fixed[there] < 0
        if free and may_exchange(solved.state, holder.side, order, here, there):
            order[here], order[there] = order[there], order[here]
            chance = fares(solved, holder, order, against)
            if chance > most + GAIN:
                most = chance
            else:
                order[here], order[there] = order[there], order[here]
    return most


@rule
def fares(solved, holder, order, against):
    """Return how often an order wins against rivals, times their whole mass."""
    state, weights, tables, lots = solved
    side, (rivals, masses) = holder.side, against
    cards = left_over(state, weights, side, lots.hands[side, holder.hand], order)
    total = 0.0
    for i in range(len(rivals)):
        rival, theirs = lots.orders[1 - side, rivals[i]], lots.cards[1 - side, rivals[i]]
        if side == c.BLUE:
            total += masses[i] * chance_of(state, tables, order, rival, cards, theirs)
        else:
            total += masses[i] * (1.0 - chance_of(state, tables, rival, order, theirs, cards))
    return total


# --- The game of the orders ---


@rule
def fill_cards(state, weights, lots):
    """Write what is left of each hand after each order."""
    for side in range(2):
        for hand in range(lots.types[side]):
            for i in range(lots.made[side, hand]):
                place = lots.first[side, hand] + i
                lots.cards[side, place] = left_over(
                    state, weights, side, lots.hands[side, hand], lots.orders[side, place]
                )


@rule
def fill_odds(state, tables, lots, odds, turned):
    """Write how likely Sun Tzu wins, for each new pair of his orders and the King's."""
    for hand in range(lots.types[c.BLUE]):
        for i in range(lots.made[c.BLUE, hand]):
            blue = lots.first[c.BLUE, hand] + i
            for other in range(lots.types[c.RED]):
                old = lots.known[c.RED, other] if i < lots.known[c.BLUE, hand] else 0
                for j in range(old, lots.made[c.RED, other]):
                    red = lots.first[c.RED, other] + j
                    chance = chance_of(
                        state,
                        tables,
                        lots.orders[c.BLUE, blue],
                        lots.orders[c.RED, red],
                        lots.cards[c.BLUE, blue],
                        lots.cards[c.RED, red],
                    )
                    odds[blue, red] = chance
                    turned[red, blue] = 1.0 - chance
    for side in range(2):
        copy_into(lots.known[side], lots.made[side])


@rule
def learn(lots, iterations, slips, odds, turned, regret, now):
    """Find each hand's mixture by CFR+; write it as its orders' shares.

    The other's hand slips now and then, to any of his orders (Selten's trembling hand, 1975):
    of orders that are alike against good play, that is laid which most mistakes let win.
    """
    regret[:] = 0.0
    lots.share[:] = 0.0
    for side in range(2):
        for hand in range(lots.types[side]):
            match_regrets(lots, side, hand, regret, now)
    if slips > 0.0:  # nothing is regretted yet, so all orders are alike in `now`
        answer(lots, c.BLUE, 0.0, turned, now)
        answer(lots, c.RED, 0.0, odds, now)
        for side in range(2):
            copy_into(lots.even[side], lots.value[side])
    for number in range(1, iterations + 1):
        answer(lots, c.BLUE, slips, turned, now)
        improve(lots, c.BLUE, number, regret, now)
        answer(lots, c.RED, slips, odds, now)
        improve(lots, c.RED, number, regret, now)
    for side in range(2):
        for hand in range(lots.types[side]):
            first = lots.first[side, hand]
            last = first + lots.made[side, hand]
            total = 0.0
            for order in range(first, last):
                total += lots.share[side, order]
            for order in range(first, last):
                lots.share[side, order] /= total


@rule
def answer(lots, side, slips, odds, now):
    """Write how likely a side wins with each order, against what the other does now.

    `odds` has a row for each order of the other: how likely the other wins with it.
    """
    other = 1 - side
    value = lots.value[side]
    for order in range(len(value)):
        value[order] = slips * lots.even[side, order]
    for hand in range(lots.types[other]):
        for i in range(lots.made[other, hand]):
            place = lots.first[other, hand] + i
            share = (1.0 - slips) * now[other, place] / lots.types[other]
            if share > 0.0:
                row = odds[place]
                for order in range(len(value)):
                    value[order] += share * (1.0 - row[order])


@rule
def improve(lots, side, number, regret, now):
    """Learn from the values of a side's orders; count the strategy that comes of it."""
    for hand in range(lots.types[side]):
        first = lots.first[side, hand]
        last = first + lots.made[side, hand]
        mean = 0.0
        for order in range(first, last):
            mean += now[side, order] * lots.value[side, order]
        for order in range(first, last):
            more = regret[side, order] + lots.value[side, order] - mean
            regret[side, order] = max(more, 0.0)
        match_regrets(lots, side, hand, regret, now)
        for order in range(first, last):
            lots.share[side, order] += number * now[side, order]


@rule
def match_regrets(lots, side, hand, regret, now):
    """Write a hand's strategy: each order by its regret, all alike where there is none."""
    first = lots.first[side, hand]
    last = first + lots.made[side, hand]
    total = 0.0
    for order in range(first, last):
        total += regret[side, order]
    for order in range(first, last):
        now[side, order] = regret[side, order] / total if total > 0 else 1.0 / (last - first)


@rule
def weigh_orders(lots, odds, turned):
    """Write how likely a side wins with each order against the other's mixture."""
    answer(lots, c.BLUE, 0.0, turned, lots.share)
    answer(lots, c.RED, 0.0, odds, lots.share)
