"""Finding armies: for a mark, a cost, a toll or a place; shortages, reinforcement.

Who owes is asked for one army at a time, and only where there is something to choose.
"""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.cards import first, unknown_specials
from tianxia.games.suntzu.rules.combat import winner
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import nonzero


@rule
def debtor(state):
    """Return the seat whose turn to find armies it is in this step."""
    step = int(state.step)
    if state.phase != s.FIGHT:  # S5
        return c.BLUE
    if step == s.PLACE:
        return winner(state)
    earlier = step in (s.MARK_FIRST, s.COST_FIRST, s.TOLL_FIRST)
    return first(state) if earlier else 1 - first(state)


@rule
def reserve_first(state):
    """Say whether the reserve must be empty before armies come from the board."""
    step = int(state.step)
    chosen = step in (s.COST_FIRST, s.COST_SECOND)
    toll = step in (s.TOLL_FIRST, s.TOLL_SECOND)
    return not (chosen or (toll and state.event != c.PANDEMIC))


@rule
def sources(state, seat):
    """Return the provinces from which an army may be taken, as bits.

    For a place in a province: its neighbours, and when these are empty any other.
    """
    if state.phase != s.FIGHT:
        return 0
    held = nonzero(state.board[seat])
    if state.step != s.PLACE:
        return held
    target = int(state.province) - 1
    held &= ~(1 << target)
    near = held & c.NEAR[target]
    return near if near != 0 else held


@rule
def may_reinforce(state, seat):
    """Say whether, for all that everybody knows, a seat could reinforce."""
    return state.aside[seat] > 0 and unknown_specials(state, seat) > 0


@rule
def to_discard(state, seat):
    """Return the kinds of cards above 6 that a seat may discard for an army now, as bits."""
    if state.aside[seat] == 0 or (state.owed > 0 and state.reserve[seat] > 0):
        return 0
    return nonzero(state.hand[seat]) >> c.BASIC


@rule
def reinforce(state, seat, kind):
    """Discard a card for good, and take back an army; while laying nobody sees it."""
    state.hand[seat, c.BASIC + kind] -= 1
    if state.phase == s.LAYING:
        state.spare[seat, kind] += 1
    else:
        state.gone[seat, kind] += 1
    state.aside[seat] -= 1
    state.reserve[seat] += 1


@rule
def pay(state, seat, province):
    """Take an army from a province (−1: the reserve) to where it is owed."""
    if province < 0:
        state.reserve[seat] -= 1
    else:
        state.board[seat, province] -= 1
    step = int(state.step)
    if state.phase != s.FIGHT or step == s.PLACE:
        state.board[seat, int(state.province) - 1] += 1
    elif step in (s.MARK_FIRST, s.MARK_SECOND):
        state.marks[seat, int(state.province) - 1] += 1
        state.effects = int(state.effects) | s.MARKED << seat
    else:
        state.aside[seat] += 1
    state.owed -= 1


@rule
def settle(state):
    """Pay as long as there is nothing to choose; say whether the debt is done with.

    Else the debtor is asked.
    """
    seat = debtor(state)
    state.acting = 0
    while state.owed > 0:
        places, left = sources(state, seat), int(state.reserve[seat])
        if left > 0 and (places == 0 or reserve_first(state)):
            pay(state, seat, -1)
        elif left == 0 and may_reinforce(state, seat):
            break
        elif left == 0 and places == 0:
            state.owed = 0  # he pays what he can
        elif left == 0 and places & (places - 1) == 0:
            pay(state, seat, lowest(places))
        else:
            break
    if state.owed == 0:
        return True
    state.acting = 1 << seat
    return False


# --- What is legal ---


@rule
def statement_of_debt(state):
    """Return the statement by which armies are owed now."""
    step = int(state.step)
    if state.phase != s.FIGHT:
        return because.CARD_S5
    if step == s.PLACE:
        return because.ALL_ARMIES_PLACED
    if step in (s.MARK_FIRST, s.MARK_SECOND):
        return because.SIX_COSTS_AN_ARMY
    if step in (s.COST_FIRST, s.COST_SECOND):
        return because.STRONG_CARDS_COST
    if state.event == c.PANDEMIC:
        return because.PANDEMIC_EVENT
    return because.CHAMPION_EVENT if state.event == c.CHAMPION else because.HERO_EVENT


@rule
def source_refusal(state, seat, province):
    """Return the statement that forbids to take an army from a province, else 0."""
    if state.owed == 0:
        return because.FROM_NEIGHBOURS_FIRST
    if sources(state, seat) >> province & 1 != 0:
        return 0
    if state.step != s.PLACE:
        return statement_of_debt(state)
    near = sources(state, seat) & c.NEAR[int(state.province) - 1] != 0
    return because.FROM_NEIGHBOURS_FIRST if near else because.THEN_FROM_ANYWHERE


@rule
def reserve_refusal(state, seat):
    """Return the statement that forbids to pay from the reserve, else 0."""
    if state.owed == 0:
        return because.FROM_NEIGHBOURS_FIRST
    free = state.reserve[seat] > 0 and not reserve_first(state)
    return 0 if free else statement_of_debt(state)


@rule
def reinforce_refusal(state, seat, kind):
    """Return the statement that forbids to discard a card for an army, else 0."""
    if to_discard(state, seat) >> kind & 1 != 0:
        return 0
    too_early = state.owed > 0 and state.reserve[seat] > 0
    return because.REINFORCEMENT if too_early else because.REINFORCED_BY_WHAT


@rule
def default_refusal(state, seat):
    """Return the statement that forbids to decline while armies are owed, else 0."""
    if state.reserve[seat] > 0 or sources(state, seat) != 0:
        return statement_of_debt(state)
    return 0
