"""What a decision between the fights changes, on a copy of a view: enough to weigh it.

The full rules need a full state and ask further questions; here a decision is done with in
one step, and fights that are still to come are left to `clash`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from tianxia.games.suntzu.components import (
    ADD,
    ARMY,
    BASIC,
    BLUE,
    CHOOSE,
    K3,
    K4,
    MARGIN,
    MOVE,
    NEAR,
    PAID,
    PASS,
    PLAGUE,
    PROVINCES,
    RED,
    REINFORCE,
    REMOVE,
    RESERVE,
    S1,
    S2,
    S5,
    SIX,
    STEPS,
    USE,
    ZERO,
)
from tianxia.games.suntzu.components import K2 as REMOVER
from tianxia.games.suntzu.state import (
    ASK_K3,
    ASK_K4,
    ASK_S2,
    COST_FIRST,
    COST_SECOND,
    COUNTERED,
    FIGHT,
    FINAL,
    PLACE,
    TOLL_FIRST,
    TOLL_SECOND,
)
from tianxia.kernel.record import Pool
from tianxia.kernel.state import State

LAST_USE = 4
"""The last round in which S4 and K5 are worth it: a card put under the deck comes late."""


def as_begun(view: State, seat: int) -> State:
    """Return the view as it would be if both were still laying and none of one's cards lay.

    Nothing tells any more how far the other has got, so the same round looks the same.
    """
    pool = view.record
    pool["acting"] = 3
    pool["plies"] = pool["sealed"] = 0
    for province in range(PROVINCES):
        card = int(pool["laid"][0][seat][province])
        if card:
            pool["hand"][0][seat][card - 1] += 1
            pool["laid"][0][seat][province] = 0
    return State(view.game, pool)


def give(record: Any, seat: int, special: int) -> None:
    """Discard a card for an army."""
    record["hand"][seat][BASIC + special] -= 1
    record["spare"][seat][special] += 1
    record["aside"][seat] -= 1
    record["reserve"][seat] += 1


def armies_of(record: Any, seat: int, province: int) -> int:
    """Return a seat's armies in a province, the other's as a number below 0."""
    return int(record["board"][seat][province]) - int(record["board"][1 - seat][province])


def armies_left(armies: int, mine: int, other: int) -> int:
    """Return `armies_of` a province after a fight of two kinds of cards."""
    if PLAGUE in (mine, other):
        lost = abs(armies) // 2
        return armies - lost if armies > 0 else armies + lost
    return armies + int(MARGIN[mine, other])


def after(view: State, seat: int, action: int, given: int = -1) -> list[Pool]:
    """Return copies of a view in which an action of the seat has been done with.

    There are several where the rest of a debt can be paid in several ways. `given` is the
    special card that is discarded for an army first, −1 for none.
    """
    pool = view.record
    record = pool[0]
    if given >= 0:
        give(record, seat, given)
    if action < PASS:
        give(record, seat, action - REINFORCE)
        action = RESERVE
    if record["phase"] == FIGHT and record["step"] in (ASK_S2, ASK_K4, ASK_K3):
        _answer(record, seat, action)
    elif action != PASS and action < USE:
        origin = action - ARMY if action >= ARMY else -1
        if record["phase"] == FIGHT and record["step"] == PLACE:
            return _place(pool, seat, origin)
        _pay(record, seat, origin)
    elif action == PASS:
        if record["phase"] == FINAL:
            record["aside"][seat] = 0  # no more armies come
    elif action < REMOVE:
        _spend(record, seat, action - USE)
        if int(record["turn"]) <= LAST_USE:  # the card played comes again
            record["hand"][seat][int(record["laid"][seat][int(record["province"]) - 1]) - 1] += 1
    elif action < ADD:
        _spend(record, seat, REMOVER)
        owner = BLUE if record["board"][BLUE][action - REMOVE] > 0 else RED
        _move(record, owner, action - REMOVE, -1)
    elif action < MOVE:
        _spend(record, seat, S5)
        _move(record, seat, action - ADD, 1)
    elif action < CHOOSE:
        _spend(record, seat, S1)
        origin, target = STEPS[action - MOVE]
        record["board"][seat][origin] -= 1
        record["board"][seat][target] += 1
    return [pool]


def fought(view: State, province: int, cards: tuple[int, int]) -> tuple[int, list[Pool]]:
    """Return who can choose when a province is fought for, and copies of a view after each choice.

    `cards` are both kinds, Sun Tzu's first. Strategy cards and events are left out.
    """
    pool = view.record
    record = pool[0]
    left = armies_left(armies_of(record, BLUE, province), *cards)
    record["done"] = int(record["done"]) | 1 << province
    for seat, kind in enumerate(cards):
        paid = int(PAID[kind])
        record["aside"][seat] += paid
        record["reserve"][seat] -= paid + (kind == SIX)
    winner, owed = _withdraw(record, province, left)
    return winner, _placed(pool, winner, province, owed)


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
    for seat, armies in ((BLUE, left), (RED, -left)):
        here = int(record["board"][seat][province])
        _move(record, seat, province, min(max(armies, 0) - here, 0))
    winner = BLUE if left > 0 else RED
    return winner, abs(left) - int(record["board"][winner][province])


def _pay(record: Any, seat: int, province: int) -> None:
    """Pay an army from a province (−1: the reserve), and what else is owed from the reserve."""
    owed = int(record["owed"])
    if province >= 0:
        _move(record, seat, province, -1)
    record["reserve"][seat] -= owed
    if record["phase"] != FIGHT:
        record["board"][seat][int(record["province"]) - 1] += owed
    elif record["step"] in (COST_FIRST, COST_SECOND, TOLL_FIRST, TOLL_SECOND):
        record["aside"][seat] += owed


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
    others = [one for one in range(PROVINCES) if one != target]
    near = [one for one in others if NEAR[target] >> one & 1]
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


def _answer(record: Any, seat: int, action: int) -> None:
    """Fight out the province in question, with a strategy card or without."""
    province = int(record["province"]) - 1
    card = action - USE if action != PASS else -1
    if card >= 0:
        _spend(record, seat, card)
    armies = armies_of(record, BLUE, province)
    blue, red = (int(record["laid"][side][province]) - 1 for side in range(2))
    countered = int(record["effects"]) & COUNTERED != 0
    if seat == RED and (card == K4 or (countered and card != K3)):
        left = armies + int(MARGIN[ZERO, red])
    elif seat == RED and card == K3:
        left = max(-1, min(1, armies))
    elif seat == BLUE and card == S2:
        left = armies + (5 - red if red <= 9 else int(MARGIN[blue, red]))
    else:
        left = armies_left(armies, blue, red)
    winner, new = _withdraw(record, province, left)
    _move(record, winner, province, new)
