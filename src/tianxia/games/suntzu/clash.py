"""One round, resolved at once: what two orders against one another come to.

An order is five kinds of cards, one for each province. What a pair of cards does in a province
is looked up in tables made once for a round, so that a pair of orders costs some 20 ns; the
full rules would take a hundred times as long. Only these are simplified: armies that the
reserve is short of count as missing (a weight of the outlook) instead of coming from other
provinces, nobody plays a strategy card meanwhile, and of the events the Pandemic and War
chariots are left out.

Everything is told from Sun Tzu's side: rows are his orders, columns the King's.
"""

from __future__ import annotations

import math

import numpy as np

from tianxia.games.suntzu.components import (
    BASIC,
    BLUE,
    CHAMPION,
    HERO,
    INFANTRY,
    KINDS,
    LAST_ROUND,
    MARGIN,
    NINE,
    ONE,
    PLAGUE,
    PLUS_1,
    PLUS_3,
    PROVINCES,
    RED,
    SIX,
    STANDS,
    TEN,
    TRACK,
)
from tianxia.games.suntzu.outlook import (
    LEAN,
    LOST,
    worth_of_cards,
    worth_of_mark,
    worth_of_province,
    worth_of_reserve,
    worth_of_score,
    worth_of_tricks,
)
from tianxia.games.suntzu.state import COLLECTING, FINAL
from tianxia.kernel.jit import entry, rule

WORTH, POINTS, BLUE_ARMIES, RED_ARMIES, LOOKED_UP = range(5)
"""Columns of the tables: log-odds, points of a scoring, changes of both reserves."""
MOST = 64  # room for reserves from −MOST to MOST


@rule
def fill_tables(state, weights, tables):
    """Write what each pair of cards comes to in each province; shape (5, 15, 15, 4)."""
    for province in range(PROVINCES):
        for blue in range(KINDS):
            for red in range(KINDS):
                fill_cell(state, weights, province, blue, red, tables[province, blue, red])


@rule
def fill_cell(state, weights, province, blue, red, cell):
    """Write what a pair of cards comes to in a province; where it is over, what holds there."""
    armies = int(state.board[BLUE, province]) - int(state.board[RED, province])
    stand = int(state.stands[province]) - 1
    turn = int(state.turn)
    after, worth = armies, 0.0
    cell[BLUE_ARMIES] = 0
    cell[RED_ARMIES] = 0
    if int(state.done) >> province & 1 == 0:
        after = armies_after(state, armies, blue, red)
        cell[BLUE_ARMIES] = max(armies, 0) - max(after, 0)
        cell[RED_ARMIES] = max(-armies, 0) - max(-after, 0)
        if state.options.plague != 0 or PLAGUE not in (blue, red):
            worth += pay(state, weights, stand, BLUE, blue, cell)
            worth -= pay(state, weights, stand, RED, red, cell)
        worth += toll(state, weights, BLUE, blue, red, cell)
        worth -= toll(state, weights, RED, red, blue, cell)
    cell[POINTS] = 0
    if turn % 3 == 0 and after != 0 and not is_scored(state):
        points = int(STANDS[stand, (turn - 1) // 3])
        cell[POINTS] = points if after > 0 else -points
    if turn < LAST_ROUND:
        worth += worth_of_province(weights, turn + 1, stand, after)
    cell[WORTH] = worth


@rule
def is_scored(state):
    """Say whether the pawn has moved already for this round."""
    return state.phase in (COLLECTING, FINAL)


@rule
def armies_after(state, armies, blue, red):
    """Return the armies of a province after a fight; negative: the King's."""
    if PLAGUE in (blue, red):
        lost = abs(armies) // 2
        return armies - lost if armies > 0 else armies + lost
    if state.event == INFANTRY and blue == ONE and red == ONE and state.track != 0:
        return armies + (-1 if state.track > 0 else 1)
    return armies + int(MARGIN[blue, red])


@rule
def pay(state, weights, stand, seat, kind, cell):
    """Take the armies that a card costs; return what else that is worth to its owner."""
    turn = int(state.turn)
    if kind == SIX:
        cell[BLUE_ARMIES + seat] -= 1
        return worth_of_mark(weights, turn + 1, stand) if turn < LAST_ROUND else 0.0
    armies = kind - PLUS_1 if PLUS_1 < kind <= PLUS_3 else 0
    cell[BLUE_ARMIES + seat] -= armies
    return armies * weights[turn + 1, LOST] if turn < LAST_ROUND else 0.0


@rule
def toll(state, weights, seat, kind, other, cell):
    """Take the armies that an event costs whose 9 or 10 has not won."""
    armies = 0
    won = PLAGUE not in (kind, other) and MARGIN[kind, other] > 0
    if state.event == CHAMPION and kind == NINE and not won:
        armies = 1
    elif state.event == HERO and kind == TEN and not won:
        armies = 2
    cell[BLUE_ARMIES + seat] -= armies
    return armies * weights[state.turn + 1, LOST] if state.turn < LAST_ROUND else 0.0


@rule
def fill_shares(state, weights, base, score, stock):
    """Write the log-odds that no fight changes, of each place of the pawn, of each reserve."""
    turn = min(int(state.turn) + 1, LAST_ROUND)
    base[0] = weights[turn, LEAN]
    for seat in range(2):
        base[0] += worth_of_tricks(weights, turn, int(state.strategy[seat]), seat)
        sign = 1 if seat == BLUE else -1
        base[0] += sign * int(state.aside[seat]) * weights[turn, LOST]
    for track in range(-TRACK, TRACK + 1):
        score[TRACK + track] = worth_of_score(weights, turn, track)
    for armies in range(-MOST, MOST + 1):
        stock[MOST + armies] = worth_of_reserve(weights, turn, armies)


@rule
def chance_of(state, tables, base, score, stock, blue, red, cards):
    """Return how likely Sun Tzu wins after two orders; `cards` are the log-odds of the hands.

    After the last round that is sure: 1, 0, or a half for a draw. There `cards` is what
    Sun Tzu could still add to his reserve, less what the King could.
    """
    worth, points = base[0] + cards, 0.0
    mine, other = float(state.reserve[BLUE]), float(state.reserve[RED])
    for province in range(PROVINCES):
        cell = tables[province, blue[province], red[province]]
        worth += cell[WORTH]
        points += cell[POINTS]
        mine += cell[BLUE_ARMIES]
        other += cell[RED_ARMIES]
    track = min(max(int(state.track) + int(points), -TRACK), TRACK)
    if state.turn == LAST_ROUND:
        ahead = track if track != 0 else int(mine - other + cards)
        return 0.5 if ahead == 0 else (1.0 if ahead > 0 else 0.0)
    if state.turn % 3 == 0 and abs(track) == TRACK:
        return 1.0 if track > 0 else 0.0
    worth += score[TRACK + track] + stock[MOST + int(mine)] - stock[MOST + int(other)]
    return 1.0 / (1.0 + math.exp(-worth))


@rule
def left_over(state, weights, seat, hand, order):
    """Return what the rest of a hand is worth to its owner: see `chance_of`."""
    if state.turn < LAST_ROUND:
        return worth_of_cards(weights, int(state.turn) + 1, hand, order)
    cards = 0
    for kind in range(BASIC, KINDS):
        cards += int(hand[kind])
    for province in range(PROVINCES):
        cards -= 1 if order[province] >= BASIC else 0
    return float(min(cards, int(state.aside[seat])))


@entry
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
    tables = np.zeros((PROVINCES, KINDS, KINDS, LOOKED_UP))
    base, score, stock = np.zeros(1), np.zeros(2 * TRACK + 1), np.zeros(2 * MOST + 1)
    fill_tables(state, weights, tables)
    fill_shares(state, weights, base, score, stock)
    own = left_over(state, weights, seat, hand, order)
    total = mass = 0.0
    for i in range(len(replies)):
        if seat == BLUE:
            odds = chance_of(state, tables, base, score, stock, order, replies[i], own - cards[i])
        else:
            odds = 1.0 - chance_of(
                state, tables, base, score, stock, replies[i], order, cards[i] - own
            )
        total += shares[i] * odds
        mass += shares[i]
    out[0] = total / mass
