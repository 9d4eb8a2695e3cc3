"""What a decision between the fights changes, on a copy of a view: enough to weigh it.

The full rules need a full state and ask further questions; here a decision is done with in
one step, and fights that are still to come are left to `clash`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.kernel.record import Pool
from tianxia.kernel.state import State

Outcomes = list[list[Pool]]
"""Copies of a view: whose action it was chooses one of the lists, the other seat a copy in it."""

ANSWERS = {s.ASK_S2: s.COUNTED_AS_6, s.ASK_K4: s.COUNTERED, s.ASK_K3: s.SEVERE}
"""What a strategy card does that is asked for in a step."""
LAST_USE = 4
"""The last round in which S4 and K5 are worth it: a card put under the deck comes late."""


def as_begun(view: State, seat: int) -> State:
    """Return the view as it would be if both were still laying and none of one's cards lay.

    Nothing tells any more how far the other has got, so the same round looks the same.
    """
    pool = view.record
    pool["acting"] = 3
    pool["plies"] = pool["sealed"] = 0
    for province in range(c.PROVINCES):
        card = int(pool["laid"][0][seat][province])
        if card:
            pool["hand"][0][seat][card - 1] += 1
            pool["laid"][0][seat][province] = 0
    return State(view.game, pool)


def give(record: Any, seat: int, special: int) -> None:
    """Discard a card for an army."""
    record["hand"][seat][c.BASIC + special] -= 1
    record["spare"][seat][special] += 1
    record["aside"][seat] -= 1
    record["reserve"][seat] += 1


def armies_of(record: Any, seat: int, province: int) -> int:
    """Return a seat's armies in a province, the other's as a number below 0."""
    return int(record["board"][seat][province]) - int(record["board"][1 - seat][province])


def armies_left(armies: int, mine: int, other: int) -> int:
    """Return `armies_of` a province after a fight of two kinds of cards."""
    if c.PLAGUE in (mine, other):
        lost = abs(armies) // 2
        return armies - lost if armies > 0 else armies + lost
    return armies + int(c.MARGIN[mine, other])


def after(view: State, seat: int, action: int, given: int = -1) -> Outcomes:
    """Return what becomes of a view when an action of the seat has been done with.

    What an action leaves open (where the rest of a debt comes from, and the armies of who wins)
    is counted in every way there is. `given` is the special card that is discarded for an army
    first, −1 for none.
    """
    pool = view.record
    record = pool[0]
    if given >= 0:
        give(record, seat, given)
    if c.kind_of(action) == c.REINFORCE:
        give(record, seat, c.argument(action, 0))
        action = c.RESERVE
    if record["phase"] == s.FIGHT and record["step"] in (s.ASK_S2, s.ASK_K4, s.ASK_K3):
        return _answered(pool, seat, action)
    match c.ACTIONS.split(action):
        case ("reserve",):
            return _found(pool, seat, -1)
        case "army", province:
            return _found(pool, seat, province)
        case ("pass",) if record["phase"] == s.FINAL:
            record["aside"][seat] = 0  # no more armies come
        case "use", strategy:
            _spend(record, seat, strategy)
            if int(record["turn"]) <= LAST_USE:  # the card played comes again
                played = record["laid"][seat][int(record["province"]) - 1]
                record["hand"][seat][int(played) - 1] += 1
        case "remove", province:
            _spend(record, seat, c.K2)
            owner = c.BLUE if record["board"][c.BLUE][province] > 0 else c.RED
            _move(record, owner, province, -1)
        case "add", province:
            _spend(record, seat, c.S5)
            _move(record, seat, province, 1)
        case "move", step:
            _spend(record, seat, c.S1)
            origin, target = c.STEPS[step]
            record["board"][seat][origin] -= 1
            record["board"][seat][target] += 1
    return [[pool]]


def fought(view: State, seat: int, province: int, cards: tuple[int, int]) -> Outcomes:
    """Return what becomes of a view when a province is fought for.

    `cards` are both kinds, Sun Tzu's first. Strategy cards and events are left out.
    """
    pool = view.record
    record = pool[0]
    record["province"] = province + 1
    record["done"] = int(record["done"]) | 1 << province
    record["laid"][:, province] = np.array(cards) + 1
    record["effects"] = 0
    return _fought_out(pool, seat, s.NO_STEP)


def _spend(record: Any, seat: int, card: int) -> None:
    record["strategy"][seat] = int(record["strategy"][seat]) & ~(1 << card)


def _move(record: Any, seat: int, province: int, armies: int) -> None:
    """Bring armies from the reserve to a province, or back."""
    record["board"][seat][province] += armies
    record["reserve"][seat] -= armies


def _withdraw(record: Any, province: int, left: int) -> tuple[int, int]:
    """Take back the armies that a fight costs; return who holds the province, and his new ones.

    `left` are Sun Tzu's armies when all is done, the King's as a number below 0.
    """
    for seat, armies in ((c.BLUE, left), (c.RED, -left)):
        here = int(record["board"][seat][province])
        _move(record, seat, province, min(max(armies, 0) - here, 0))
    winner = c.BLUE if left > 0 else c.RED
    return winner, abs(left) - int(record["board"][winner][province])


def _found(pool: Pool, seat: int, origin: int) -> Outcomes:
    """Find an army in a province (−1: the reserve), and what else is owed in every way there is."""
    record = pool[0]
    step = int(record["step"]) if record["phase"] == s.FIGHT else s.NO_STEP
    if step == s.PLACE:
        return [[placed] for placed in _place(pool, seat, origin)]
    if step == s.NO_STEP:  # S5
        record["reserve"][seat] -= int(record["owed"])
        record["board"][seat][int(record["province"]) - 1] += int(record["owed"])
        return [[pool]]
    found = _paid(pool, seat, origin)
    if step in (s.TOLL_FIRST, s.TOLL_SECOND):
        return [[paid] for paid in found]
    return [outcome for paid in found for outcome in _fought_out(paid, seat, step)]


def _paid(pool: Pool, seat: int, origin: int) -> list[Pool]:
    """Pay an army from a province (−1: the reserve), and the rest of a debt in every way there is.

    Who has too few armies pays what he can.
    """
    stock, board = int(pool[0]["reserve"][seat]), pool[0]["board"][seat]
    owed = min(int(pool[0]["owed"]), stock + int(board.sum()))
    comes_back = pool[0]["step"] not in (s.MARK_FIRST, s.MARK_SECOND)
    found = []
    for others in combinations_with_replacement(range(-1, c.PROVINCES), owed - 1):
        taken = np.bincount([1 + origin, *(1 + one for one in others)], minlength=1 + c.PROVINCES)
        if taken[0] > stock or (taken[1:] > board).any():
            continue
        paid = pool.copy()
        paid[0]["reserve"][seat] -= taken[0]
        paid[0]["board"][seat] -= taken[1:]
        paid[0]["aside"][seat] += owed * comes_back
        found.append(paid)
    return found


def _fought_out(pool: Pool, seat: int, step: int) -> Outcomes:
    """End the fight for the province in question, in which the seat has just done with a step."""
    record = pool[0]
    province = int(record["province"]) - 1
    kinds = [int(record["laid"][side][province]) - 1 for side in range(2)]
    countered = int(record["effects"]) & s.COUNTERED != 0
    strikes = kinds[c.RED] == c.PLAGUE or (kinds[c.BLUE] == c.PLAGUE and not countered)
    if not strikes or record["options"]["plague"] != 0:
        for side, kind in enumerate(kinds):
            _pay_rest(record, side, kind, step if side == seat else step - 1)
    armies = armies_of(record, c.BLUE, province)
    if not strikes:
        left = armies + _margin(int(record["effects"]), *kinds)
    elif step >= s.MARK_FIRST:
        left = armies  # it has struck already
    elif int(record["effects"]) & s.SEVERE:
        left = max(-1, min(1, armies))
    else:
        left = armies_left(armies, *kinds)
    winner, owed = _withdraw(record, province, left)
    pools = _placed(pool, winner, province, owed)
    return [[placed] for placed in pools] if winner == seat else [pools]


def _pay_rest(record: Any, seat: int, kind: int, step: int) -> None:
    """Pay for a card, mark and cost, from the reserve what was not paid up to a step."""
    cost = int(c.PAID[kind]) if step < s.COST_FIRST else 0
    record["aside"][seat] += cost
    record["reserve"][seat] -= cost + (kind == c.SIX and step < s.MARK_FIRST)


def _margin(effects: int, blue: int, red: int) -> int:
    """Return by how much Sun Tzu's card wins over the King's where no Plague strikes."""
    if effects & s.COUNTED_AS_6 and red <= c.TEN:
        return c.SIX - red
    return int(c.MARGIN[c.ZERO if blue == c.PLAGUE else blue, red])


def _place(pool: Pool, seat: int, origin: int) -> list[Pool]:
    """Place an army from a province (−1: the reserve), and the others in every way there is."""
    record = pool[0]
    province = int(record["province"]) - 1
    if origin >= 0:
        _move(record, seat, origin, -1)
    _move(record, seat, province, 1)
    return _placed(pool, seat, province, int(record["owed"]) - 1)


def _placed(pool: Pool, seat: int, province: int, owed: int) -> list[Pool]:
    """Place so many armies in a province, in every way there is.

    They come from the reserve, then from neighbours, then from anywhere (SUN-24, SUN-25).
    """
    board, stock = pool[0]["board"][seat].tolist(), int(pool[0]["reserve"][seat])
    taken = max(min(stock, owed), 0)
    found = []
    for left in _gathered(board, province, owed - taken):
        left[province] += taken + sum(board) - sum(left)
        found.append(pool.copy())
        found[-1][0]["board"][seat] = left
        found[-1][0]["reserve"][seat] = stock - taken
    return found


def _gathered(board: list[int], target: int, wanted: int) -> Iterator[list[int]]:
    """Yield what is left in the provinces after so many armies, or all, were taken from others."""
    others = [one for one in range(c.PROVINCES) if one != target]
    near = [one for one in others if c.NEAR[target] >> one & 1]
    total = sum(board[one] for one in near)
    if wanted > total:
        wanted -= total
        board = [0 if one in near else armies for one, armies in enumerate(board)]
        near = others
        wanted = min(wanted, sum(board[one] for one in near))
    for shares in product(*(range(min(board[one], wanted) + 1) for one in near)):
        if sum(shares) == wanted:
            left = list(board)
            for one, share in zip(near, shares, strict=True):
                left[one] -= share
            yield left


def _answered(pool: Pool, seat: int, action: int) -> Outcomes:
    """Answer whether to play a strategy card; then the province in question is fought out."""
    record = pool[0]
    step = int(record["step"])
    if action != c.PASS:
        _spend(record, seat, c.argument(action, 0))
        record["effects"] = int(record["effects"]) | ANSWERS[step]
    return _fought_out(pool, seat, step)
