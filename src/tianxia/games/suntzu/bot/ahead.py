"""The last round but one, valued by the last one.

When all cards have been drawn both know both hands, and no table of weights tells what they
are good for then: a 9 is nothing to whoever meets a Plague with it, a −1 on two armies holds them.
So each pair of promising orders is carried out, as simply as in `clash`, and the last round
that comes of it is solved as a game of its own; then the round of these orders is solved anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.suntzu.bot.clash import (
    BLUE_ARMIES,
    count_armies,
    make_tables,
    shortage,
    too_few,
)
from tianxia.games.suntzu.bot.mixing import (
    TREMBLE,
    Effort,
    Lots,
    fill_cards,
    learn,
    make_lots,
    solve_round,
    weigh_orders,
)
from tianxia.games.suntzu.bot.outlook import deck_size
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.jit import allocates, entry, rule
from tianxia.kernel.multisets import how_many
from tianxia.kernel.record import Pool
from tianxia.kernel.rng import Rng, new_rng, seed_rng

ROOM, BRIEF = 20, Effort(1, 12, 40, 1.3)
"""How thoroughly each last round is solved: orders of each hand, and `mixing.Effort`."""
MIXED = 400
"""Iterations of CFR+ for the round before it."""


class Sequel(NamedTuple):
    """Room for last rounds that are solved.

    Attributes
    ----------
    pool
        A pool of one record, for the position in which one begins.
    lots
        Its orders.
    seed, rng
        What random numbers begin with in each of them, and the generator.
    """

    pool: Pool
    lots: Lots
    seed: int
    rng: Rng


def make_sequel(view: Pool, few: Lots, seed: int) -> Sequel:
    """Return room for the last rounds that come of a round of two hands."""
    lots = make_lots((few.hands[0, :1], few.hands[1, :1]), [[ROOM], [ROOM]])
    return Sequel(view.copy(), lots, seed, new_rng(0))


def promising(lots: Lots, side: int, most: int) -> NDArray[np.int64]:
    """Return the best orders of a side's only hand, and different ones; shape (orders, 5).

    Each has a card in a province where no better one has it, as long as there are such.
    """
    made = int(lots.made[side, 0])
    orders, firsts = np.unique(lots.orders[side, :made], axis=0, return_index=True)
    values = lots.value[side, :made][firsts]
    ranked = orders[np.argsort(-values, kind="stable")]
    covered: set[tuple[int, int]] = set()
    fresh: list[int] = []
    others: list[int] = []
    for number, order in enumerate(ranked.tolist()):
        cards = set(enumerate(order))
        (others if cards <= covered else fresh).append(number)
        covered |= cards
    return np.asarray(ranked[[*fresh, *others][:most]], np.int64)


def look_ahead(view: Pool, weights: NDArray[np.float64], lots: Lots, most: int, seed: int) -> Lots:
    """Return a round that was solved with so many orders of a side, valued by the last round.

    Parameters
    ----------
    view
        A pool of one record: the position when the round but last began; nobody draws after it.
    lots
        The same round, solved by `mixing.solve`, with one hand of each side.
    """
    picked = [promising(lots, side, most) for side in range(2)]
    few = lots_of_orders(lots.hands[:, 0], picked)
    few.gain[:] = lots.gain
    settle(view, weights, few, chances_ahead(view, weights, few, seed))
    return few


def lots_of_orders(hands: NDArray[np.int64], orders: list[NDArray[np.int64]]) -> Lots:
    """Return a round of two hands, by side, with these orders of each; nothing is solved yet."""
    few = make_lots((hands[:1], hands[1:]), [[len(side)] for side in orders])
    for side, those in enumerate(orders):
        few.orders[side, : len(those)] = those
        few.made[side, 0] = len(those)
    return few


def chances_ahead(
    view: Pool, weights: NDArray[np.float64], few: Lots, seed: int
) -> NDArray[np.float64]:
    """Return how likely Sun Tzu wins after each pair of orders; shape (his, the King's)."""
    odds = np.zeros((int(few.made[c.BLUE, 0]), int(few.made[c.RED, 0])))
    fill_ahead(view, weights, few, make_sequel(view, few, seed), odds)
    return odds


@entry
@allocates
def fill_ahead(view, weights, few, sequel, odds):
    """Write how likely Sun Tzu wins after each pair."""
    state = view[0]
    tables = make_tables(state, weights)
    for i in range(len(odds)):
        for j in range(odds.shape[1]):
            odds[i, j] = chance_ahead(state, weights, tables, few, i, j, sequel)


@entry
@allocates
def settle(view, weights, few, chances):
    """Solve the round of a few orders, where it is known what each pair of them comes to."""
    most = few.orders.shape[1]
    odds, turned = np.zeros((most, most)), np.zeros((most, most))
    for i in range(len(chances)):
        for j in range(chances.shape[1]):
            odds[i, j] = chances[i, j]
            turned[j, i] = 1.0 - chances[i, j]
    fill_cards(view[0], weights, few)  # decisions between the fights are weighed by the table
    learn(few, MIXED, TREMBLE, odds, turned, np.zeros((2, most)), np.zeros((2, most)))
    weigh_orders(few, odds, turned)


@rule
@allocates
def chance_ahead(state, weights, tables, few, i, j, sequel):
    """Return how likely Sun Tzu wins after two orders; K4 counters the Plague that it best does."""
    blue, red = few.orders[c.BLUE, i], few.orders[c.RED, j]
    begin_last(state, tables, few, blue, red, sequel)
    chance = solved_chance(weights, sequel)
    if tables.k4[0] == 0.0:
        return chance
    for province in range(c.PROVINCES):
        if blue[province] == c.PLAGUE:
            for other in range(c.PROVINCES):
                tables.order[other] = c.ZERO if other == province else blue[other]
            begin_last(state, tables, few, tables.order, red, sequel)
            sequel.lots.hands[c.BLUE, 0, c.PLAGUE] -= 1  # it is laid, too
            sequel.pool[0].strategy[c.RED] = int(state.strategy[c.RED]) & ~(1 << c.K4)
            chance = min(chance, solved_chance(weights, sequel))
    return chance


@rule
@allocates
def solved_chance(weights, sequel):
    """Return how likely Sun Tzu wins a last round."""
    last, rng = sequel.lots, sequel.rng
    seed_rng(rng, sequel.seed, 0)
    last.made[:] = 0
    last.known[:] = 0
    fixed = np.full(c.PROVINCES, -1)
    solve_round(sequel.pool[0], weights, c.BLUE, fixed, BRIEF, last, rng)
    chance = 0.0
    for order in range(last.made[c.BLUE, 0]):
        chance += last.share[c.BLUE, order] * last.value[c.BLUE, order]
    return chance


@rule
def begin_last(state, tables, few, blue, red, sequel):
    """Write the position and the hands with which the last round begins after two orders."""
    last = sequel.lots
    sequel.pool[0] = state
    then = sequel.pool[0]
    then.turn = c.LAST_ROUND
    then.phase = LAYING
    then.done = 0
    for seat in range(2):
        order = blue if seat == c.BLUE else red
        copy_into(last.hands[seat, 0], few.hands[seat, 0])
        back, left = 0, int(state.reserve[seat])
        for province in range(c.PROVINCES):
            kind = order[province]
            if c.BASIC <= kind < c.KINDS:
                last.hands[seat, 0, kind] -= 1
            if state.options.plague != 0 or c.PLAGUE not in (blue[province], red[province]):
                if kind == c.SIX:
                    then.marks[seat, province] = int(state.marks[seat, province]) + 1
                then.aside[seat] = int(then.aside[seat]) + c.PAID[kind]
            cell = tables.cells[province, blue[province], red[province]]
            back += max(int(cell[BLUE_ARMIES + seat]), 0)
            left += int(cell[BLUE_ARMIES + seat])
        missing = too_few(left, back, tables.in_time[seat])
        if missing > 0:
            shortage(state, tables, blue, red, seat, missing)
        else:
            count_armies(state, tables, blue, red, seat)
        for province in range(c.PROVINCES):
            then.board[seat, province] = tables.room[0, province]
        then.reserve[seat] = left + missing


@entry
def draws_before_last(view, hands):
    """Say whether a card is drawn before the last round."""
    state = view[0]
    for seat in range(2):
        if deck_size(state, seat, how_many(hands[seat, c.BASIC :])) > 0:
            return True
    return False
