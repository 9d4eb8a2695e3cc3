"""One round, resolved at once: what two orders against one another come to.

An order is five kinds of cards, one for each province. What a pair of cards does in a province
is looked up in tables made once for a round, so that a pair of orders costs some 20 ns; the
full rules would take a hundred times as long. Only these are simplified: armies that the
reserve is short of come from the neighbours that can best spare them, or else from others, and
are counted when all fights are over; whether those that come back from fights are there before that
depends on who decides the order only; of the strategy cards only a K4 that the King is known to
hold is played meanwhile, and of the events the Pandemic and War chariots are left out.

Everything is told from Sun Tzu's side: rows are his orders, columns the King's.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot.outlook import (
    FURTHEST,
    LEAN,
    LOST,
    worth_of_bound,
    worth_of_cards,
    worth_of_mark,
    worth_of_province,
    worth_of_reserve,
    worth_of_score,
    worth_of_tricks,
)
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.combat import has_fewer_armies
from tianxia.games.suntzu.rules.state import BEFORE, COLLECTING, FINAL, LAYING
from tianxia.kernel.jit import allocates, entry, kept, rule

LOG_ODDS, POINTS, BLUE_ARMIES, RED_ARMIES, ARMIES_AFTER, BOUND, LOOKED_UP = range(7)
"""Columns of the tables: log-odds, points of a scoring, changes of both reserves, armies there,
points of the scoring that comes next if nothing changes."""
MOST = 64  # room for reserves from −MOST to MOST
IN_TIME, CHOOSES = 0.5, 0.5
"""What part of the armies that come back to a reserve is there when others are needed, and how
much more of it for whoever decides in which order provinces are fought for, less for the other."""


class Tables(NamedTuple):
    """What a round is looked up in.

    Attributes
    ----------
    cells
        What each pair of cards comes to in each province; shape (5, 16, 15, columns), where the
        last of Sun Tzu's kinds is a countered Plague.
    base, score, stock
        Log-odds that no fight changes, of each place of the pawn, of each reserve.
    k4
        Whether the King can counter a Plague, and the log-odds that change when he has: shape (2,).
    order
        Scratch: Sun Tzu's order with one of its Plagues countered.
    bound
        Log-odds of each place to which the next scoring would bring the pawn.
    held
        Log-odds of holding a province with so many armies, and what it scores now with any.
    coming
        What each province scores the next time.
    in_time
        By side: what part of the armies that come back is there when others are needed.
    room
        Scratch: armies of a side in each province, and how many of them are new.
    """

    cells: NDArray[np.float64]
    base: NDArray[np.float64]
    score: NDArray[np.float64]
    stock: NDArray[np.float64]
    k4: NDArray[np.float64]
    order: NDArray[np.int64]
    bound: NDArray[np.float64]
    held: NDArray[np.float64]
    coming: NDArray[np.int64]
    in_time: NDArray[np.float64]
    room: NDArray[np.int64]


@kept
@allocates
def make_tables(state, weights):
    """Return all that pairs of orders are looked up in."""
    tables = Tables(
        np.zeros((c.PROVINCES, c.KINDS + 1, c.KINDS, LOOKED_UP)),
        np.zeros(1),
        np.zeros(2 * c.TRACK + 1),
        np.zeros(2 * MOST + 1),
        np.zeros(2),
        np.zeros(c.PROVINCES, np.int64),
        np.zeros(2 * FURTHEST + 1),
        np.zeros((c.PROVINCES, c.ARMIES + 1)),
        np.zeros(c.PROVINCES, np.int64),
        np.full(2, IN_TIME),
        np.zeros((2, c.PROVINCES), np.int64),
    )
    chooser = decider(state)
    if chooser >= 0:
        tables.in_time[chooser] += CHOOSES
        tables.in_time[1 - chooser] -= CHOOSES
    for province in range(c.PROVINCES):
        for blue in range(c.KINDS + 1):
            for red in range(c.KINDS):
                cell = tables.cells[province, blue, red]
                fill_cell(state, weights, province, blue, red, cell)
    fill_shares(state, weights, tables)
    return tables


@rule
def fill_cell(state, weights, province, blue, red, cell):
    """Write what a pair of cards comes to in a province; where it is over, what holds there."""
    armies = int(state.board[c.BLUE, province]) - int(state.board[c.RED, province])
    stand = int(state.stands[province]) - 1
    turn = int(state.turn)
    after, worth = armies, 0.0
    cell[BLUE_ARMIES] = 0
    cell[RED_ARMIES] = 0
    if int(state.done) >> province & 1 == 0:
        after = armies_after(state, armies, blue, red)
        cell[BLUE_ARMIES] = max(armies, 0) - max(after, 0)
        cell[RED_ARMIES] = max(-armies, 0) - max(-after, 0)
        if state.options.plague != 0 or c.PLAGUE not in (blue, red):
            worth += pay(state, weights, stand, c.BLUE, blue, cell)
            worth -= pay(state, weights, stand, c.RED, red, cell)
        worth += toll(state, weights, c.BLUE, blue, red, cell)
        worth -= toll(state, weights, c.RED, red, blue, cell)
    cell[ARMIES_AFTER] = after
    cell[POINTS] = 0
    if turn % 3 == 0 and after != 0 and not is_scored(state):
        points = int(c.STANDS[stand, (turn - 1) // 3])
        cell[POINTS] = points if after > 0 else -points
    cell[BOUND] = 0
    if turn < c.LAST_ROUND:
        worth += worth_of_province(weights, turn + 1, stand, after)
        points = int(c.STANDS[stand, turn // 3]) if after != 0 else 0
        cell[BOUND] = points if after > 0 else -points
    cell[LOG_ODDS] = worth


@rule
def is_scored(state):
    """Say whether the pawn has moved already for this round."""
    return state.phase in (COLLECTING, FINAL)


@rule
def armies_after(state, armies, blue, red):
    """Return the armies of a province after a fight; negative: the King's."""
    if c.PLAGUE in (blue, red):
        lost = abs(armies) // 2
        return armies - lost if armies > 0 else armies + lost
    if state.event == c.INFANTRY and blue == c.ONE and red == c.ONE and state.track != 0:
        return armies + (-1 if state.track > 0 else 1)
    return armies + int(c.MARGIN[blue, red])


@rule
def pay(state, weights, stand, seat, kind, cell):
    """Take the armies that a card costs; return what else that is worth to its owner."""
    turn = int(state.turn)
    if kind == c.SIX:
        cell[BLUE_ARMIES + seat] -= 1
        return worth_of_mark(weights, turn + 1, stand) if turn < c.LAST_ROUND else 0.0
    armies = int(c.PAID[kind])
    cell[BLUE_ARMIES + seat] -= armies
    return armies * weights[turn + 1, LOST] if turn < c.LAST_ROUND else 0.0


@rule
def toll(state, weights, seat, kind, other, cell):
    """Take the armies that an event costs whose 9 or 10 has not won."""
    armies = 0
    won = c.PLAGUE not in (kind, other) and c.MARGIN[kind, other] > 0
    if state.event == c.CHAMPION and kind == c.NINE and not won:
        armies = 1
    elif state.event == c.HERO and kind == c.TEN and not won:
        armies = 2
    cell[BLUE_ARMIES + seat] -= armies
    return armies * weights[state.turn + 1, LOST] if state.turn < c.LAST_ROUND else 0.0


@rule
def fill_shares(state, weights, tables):
    """Write what does not depend on both cards of a province."""
    turn = min(int(state.turn) + 1, c.LAST_ROUND)
    tables.base[0] = weights[turn, LEAN]
    for seat in range(2):
        tables.base[0] += worth_of_tricks(weights, turn, int(state.strategy[seat]), seat)
        sign = 1 if seat == c.BLUE else -1
        tables.base[0] += sign * int(state.aside[seat]) * weights[turn, LOST]
    if int(state.strategy[c.RED]) >> c.K4 & 1 != 0:
        tables.k4[0] = 1.0
        tables.k4[1] = -worth_of_tricks(weights, turn, 1 << c.K4, c.RED)
    for track in range(-c.TRACK, c.TRACK + 1):
        tables.score[c.TRACK + track] = worth_of_score(weights, turn, track)
    for armies in range(-MOST, MOST + 1):
        tables.stock[MOST + armies] = worth_of_reserve(weights, turn, armies)
    for place in range(-FURTHEST, FURTHEST + 1):
        tables.bound[FURTHEST + place] = worth_of_bound(weights, turn, place)
    for province in range(c.PROVINCES):
        stand = int(state.stands[province]) - 1
        if state.turn < c.LAST_ROUND:
            tables.coming[province] = c.STANDS[stand, int(state.turn) // 3]
        for armies in range(1, c.ARMIES + 1):
            if state.turn < c.LAST_ROUND:
                tables.held[province, armies] = worth_of_province(weights, turn, stand, armies)
        if state.turn % 3 == 0 and not is_scored(state):
            tables.held[province, 0] = c.STANDS[stand, (int(state.turn) - 1) // 3]


@rule
def chance_of(state, tables, blue, red, blue_cards, red_cards):
    """Return how likely Sun Tzu wins after two orders, with `left_over` of both hands.

    After the last round that is sure: 1, 0, or a half for a draw. Who holds K4 counters the
    Plague that hurts him most, if any does more than the card is worth later.
    """
    chance = fought_out(state, tables, blue, red, blue_cards, red_cards, tables.base[0])
    if tables.k4[0] == 0.0:
        return chance
    base, order = tables.base[0] + tables.k4[1], tables.order
    for province in range(c.PROVINCES):
        if blue[province] == c.PLAGUE and int(state.done) >> province & 1 == 0:
            for other in range(c.PROVINCES):
                order[other] = c.ZERO if other == province else blue[other]
            countered = fought_out(state, tables, order, red, blue_cards, red_cards, base)
            chance = min(chance, countered)
    return chance


@rule
def fought_out(state, tables, blue, red, blue_cards, red_cards, base):
    """Return the same with nothing countered but what an order gives as `ZERO`."""
    worth, points, bound = base, 0.0, 0.0
    mine, other = int(state.reserve[c.BLUE]), int(state.reserve[c.RED])
    back = their_back = 0
    for province in range(c.PROVINCES):
        cell = tables.cells[province, blue[province], red[province]]
        worth += cell[LOG_ODDS]
        points += cell[POINTS]
        bound += cell[BOUND]
        mine += int(cell[BLUE_ARMIES])
        other += int(cell[RED_ARMIES])
        back += max(int(cell[BLUE_ARMIES]), 0)
        their_back += max(int(cell[RED_ARMIES]), 0)
    last = state.turn == c.LAST_ROUND
    if last:  # cards left are armies, and nothing else any more
        mine += int(blue_cards)
        other += int(red_cards)
    else:
        worth += blue_cards - red_cards
    missing = too_few(mine, back, tables.in_time[c.BLUE])
    their_missing = too_few(other, their_back, tables.in_time[c.RED])
    if missing > 0:
        lost, scored, scores = shortage(state, tables, blue, red, c.BLUE, missing)
        worth, points, mine = worth - lost, points - scored, mine + missing
        bound -= scores
    if their_missing > 0:
        lost, scored, scores = shortage(state, tables, blue, red, c.RED, their_missing)
        worth, points, other = worth + lost, points + scored, other + their_missing
        bound += scores
    track = min(max(int(state.track) + int(points), -c.TRACK), c.TRACK)
    if last:
        ahead = track if track != 0 else mine - other
        return 0.5 if ahead == 0 else (1.0 if ahead > 0 else 0.0)
    if state.turn % 3 == 0 and abs(track) == c.TRACK:
        return 1.0 if track > 0 else 0.0
    worth += tables.score[c.TRACK + track] + tables.stock[MOST + mine] - tables.stock[MOST + other]
    worth += tables.bound[min(max(track + int(bound), -FURTHEST), FURTHEST) + FURTHEST]
    return 1.0 / (1.0 + math.exp(-worth))


@rule
def too_few(left, back, in_time):
    """Return how many armies are missing that a reserve should give.

    So many are `left` in the end, `back` of them came from fights, only a part of them in time.
    """
    return max(int((1.0 - in_time) * back - left), -left, 0) if left < back else 0


@rule
def decider(state):
    """Return who decides the order of this round's fights, or −1 (SUN-13, SUN-14)."""
    fewer = has_fewer_armies(state)
    if state.turn > 1 and state.phase in (LAYING, BEFORE) and fewer >= 0:
        return fewer
    return int(state.privilege) - 1


@rule
def shortage(state, tables, blue, red, seat, missing):
    """Return the log-odds and the points that a side loses with armies missing in its reserve.

    The points are those of this round's scoring, and of the one that comes after it.

    Who decides the order lets a province run short for which others can pay at the least cost;
    the other has it run short where that costs most.
    """
    costs = count_armies(state, tables, blue, red, seat)
    left, new = tables.room[0], tables.room[1]
    dear = tables.in_time[seat] < IN_TIME
    lost = points = bound = 0.0
    for _ in range(missing):
        short, source, worst = -1, -1, 0.0
        for target in range(c.PROVINCES + 1):
            if (new[target] if target < c.PROVINCES else costs) > 0:
                pays = who_pays(tables, target)
                price = price_of(tables, pays, left[pays]) if pays >= 0 else 0.0
                if short < 0 or (price > worst if dear else price < worst):
                    short, source, worst = target, pays, price
        if source < 0:
            break
        if short < c.PROVINCES:
            new[short] -= 1
        else:
            costs -= 1
        lost += tables.held[source, left[source]]
        left[source] -= 1
        if left[source] > 0:
            lost -= tables.held[source, left[source]]
        else:
            points += tables.held[source, 0]
            bound += tables.coming[source]
    return lost, points, bound


@rule
def who_pays(tables, target):
    """Return which province pays best for an army in another: neighbours first (SUN-24, SUN-25).

    When no other can pay, fewer are placed there. A cost is paid by any.
    """
    left = tables.room[0]
    best, least, nearest = -1, 0.0, -1
    for province in range(c.PROVINCES):
        if left[province] <= 0 or province == target:
            continue
        near = 1 if target == c.PROVINCES or c.NEAR[target] >> province & 1 != 0 else 0
        price = price_of(tables, province, left[province])
        if near > nearest or (near == nearest and price < least):
            best, least, nearest = province, price, near
    if best < 0 and target < c.PROVINCES and left[target] > 0:
        return target
    return best


@rule
def price_of(tables, province, armies):
    """Return about what it costs to take one of so many armies from a province."""
    if armies == 1:
        return tables.held[province, 1] + tables.held[province, 0]
    return tables.held[province, armies] - tables.held[province, armies - 1] - 1e-3 * armies


@rule
def count_armies(state, tables, blue, red, seat):
    """Write a side's armies in each province, and how many of them are new; return what it pays."""
    left, new = tables.room[0], tables.room[1]
    sign, costs = (1 if seat == c.BLUE else -1), 0
    for province in range(c.PROVINCES):
        cell = tables.cells[province, blue[province], red[province]]
        before = sign * (int(state.board[c.BLUE, province]) - int(state.board[c.RED, province]))
        before, after = max(before, 0), max(sign * int(cell[ARMIES_AFTER]), 0)
        left[province], new[province] = after, max(after - before, 0)
        costs += before - after - int(cell[BLUE_ARMIES + seat])
    return costs


@rule
def left_over(state, weights, seat, hand, order):
    """Return what the rest of a hand is worth to its owner: see `chance_of`."""
    if state.turn < c.LAST_ROUND:
        return worth_of_cards(state, weights, seat, hand, order)
    cards = 0
    for kind in range(c.BASIC, c.KINDS):
        cards += int(hand[kind])
    for province in range(c.PROVINCES):
        cards -= 1 if order[province] >= c.BASIC else 0
    return float(min(cards, int(state.aside[seat])))


@entry
def leftovers(view, weights, seat, hands, orders, out):
    """Write `left_over` of hands, each after an order of its own."""
    state = view[0]
    for i in range(len(orders)):
        out[i] = left_over(state, weights, seat, hands[i], orders[i])


@entry
@allocates
def prospects(view, weights, seat, hand, order, replies, shares, cards, out):
    """Weigh an order of a seat against replies, in a position during or after a round.

    Parameters
    ----------
    view
        A pool of one record. Where a province is `done` its armies stay; no fight is begun.
    seat, hand, order
        Whose order, of which hand (laid cards included, by kind).
    replies, shares, cards
        The other's orders, how likely each is, and `left_over` of his hands.
    out
        One element: how likely `seat` wins.
    """
    state = view[0]
    tables = make_tables(state, weights)
    own = left_over(state, weights, seat, hand, order)
    total = mass = 0.0
    for i in range(len(replies)):
        if seat == c.BLUE:
            odds = chance_of(state, tables, order, replies[i], own, cards[i])
        else:
            odds = 1.0 - chance_of(state, tables, replies[i], order, cards[i], own)
        total += shares[i] * odds
        mass += shares[i]
    out[0] = total / mass
