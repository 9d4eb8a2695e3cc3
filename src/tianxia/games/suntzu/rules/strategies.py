"""Strategy cards: when each may be played, and what it does.

Whether a player is asked depends on what all can see, never on the card he holds.
"""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.combat import card, plague_strikes, spend
from tianxia.games.suntzu.rules.payments import to_discard
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import nonzero

ALL_CARDS = (1 << c.STRATEGIES) - 1


@rule
def holds(state, seat, strategy):
    return int(state.strategy[seat]) >> strategy & 1 != 0


# --- Before and after the fights: the two in turn, until both pass in a row ---


@rule
def in_window(state):
    """Say whether strategy cards may be played freely, and nobody owes an army."""
    return state.phase in (s.BEFORE, s.AFTER) and state.owed == 0


@rule
def ask_in_turn(state, seat):
    """Ask a seat, or the other one after it; say whether both have passed.

    Who holds no card counts as passing.
    """
    state.acting = 0
    while state.passes < 2:
        if state.cards[seat] > 0 and state.turn <= c.LAST_STRATEGY_ROUND:
            state.acting = 1 << seat
            return False
        state.passes += 1
        seat = 1 - seat
    state.passes = 0
    return True


@rule
def removable(state):
    """Return where the King may take an army off the board by K2, as bits."""
    if not holds(state, c.RED, c.K2):
        return 0
    return nonzero(state.board[c.BLUE]) | nonzero(state.board[c.RED])


@rule
def addable(state):
    """Return to which of his provinces Sun Tzu may bring an army by S5, as bits.

    It comes from his reserve, where a card can still bring one back.
    """
    able = state.reserve[c.BLUE] > 0 or to_discard(state, c.BLUE) != 0
    return nonzero(state.board[c.BLUE]) if able and holds(state, c.BLUE, c.S5) else 0


@rule
def movable(state):
    """Return the steps that S1 allows, as bits: to a province that is empty or one's own."""
    steps = 0
    if holds(state, c.BLUE, c.S1):
        ours, theirs = nonzero(state.board[c.BLUE]), nonzero(state.board[c.RED])
        for step in range(len(c.STEP)):
            able = ours >> c.STEP[step, 0] & ~(theirs >> c.STEP[step, 1]) & 1
            steps |= able << step
    return steps


@rule
def window_refusal(state, seat, kind, target):
    """Return the statement that forbids to play K2, S5 or S1 so, else 0."""
    if kind == c.REMOVE:
        owner, strategy, targets = c.RED, c.K2, removable(state)
    elif kind == c.ADD:
        owner, strategy, targets = c.BLUE, c.S5, addable(state)
    else:
        owner, strategy, targets = c.BLUE, c.S1, movable(state)
    statement = statement_of(owner, strategy)
    if seat != owner:
        return statement
    if not in_window(state):
        late = state.turn > c.LAST_STRATEGY_ROUND
        return statement if late else because.BEFORE_OR_AFTER
    if targets >> target & 1 != 0:
        return 0
    return statement if holds(state, owner, strategy) else because.ONCE_EACH


@rule
def remove_army(state, province):
    spend(state, c.RED, c.K2)
    owner = c.BLUE if state.board[c.BLUE, province] > 0 else c.RED
    state.board[owner, province] -= 1
    state.reserve[owner] += 1


@rule
def move_army(state, step):
    spend(state, c.BLUE, c.S1)
    state.board[c.BLUE, c.STEP[step, 0]] -= 1
    state.board[c.BLUE, c.STEP[step, 1]] += 1


# --- In a province ---


@rule
def asks_s2(state):
    """Say whether Sun Tzu's 7, 8, 9 or 10 meets no Plague, and he holds a card."""
    high = c.SEVEN <= card(state, c.BLUE) <= c.TEN
    return high and card(state, c.RED) != c.PLAGUE and state.cards[c.BLUE] > 0


@rule
def asks_k4(state):
    return card(state, c.BLUE) == c.PLAGUE and state.cards[c.RED] > 0


@rule
def asks_k3(state):
    return plague_strikes(state) and state.cards[c.RED] > 0


@rule
def asks_recycling(state, seat):
    """Say whether a seat has played what S4 or K5 is about, and holds a card."""
    return card(state, seat) == (c.MINUS if seat == c.BLUE else c.PLAGUE) and state.cards[seat] > 0


@rule
def asked_card(state):
    """Return the strategy card that is asked for in this step, or −1."""
    if state.phase != s.FIGHT:
        return -1
    step = int(state.step)
    if step == s.ASK_S2:
        return c.S2
    if step == s.ASK_K4:
        return c.K4
    if step == s.ASK_K3:
        return c.K3
    if step in (s.RECYCLE_FIRST, s.RECYCLE_SECOND):
        return c.S4 if int(state.acting) == 1 << c.BLUE else c.K5
    return -1


@rule
def statement_of(seat, strategy):
    """Return the number of the statement about a strategy card."""
    return because.CARD_S1 + strategy if seat == c.BLUE else because.CARD_K1 + strategy


@rule
def use_refusal(state, seat, strategy):
    """Return the statement that forbids to play a card without a target, else 0."""
    if asked_card(state) != strategy:
        return statement_of(seat, strategy)
    return 0 if holds(state, seat, strategy) else because.ONCE_EACH


# --- Choosing a card ---


@rule
def choosable(state, seat):
    """Return the strategy cards that a seat may take now, as bits."""
    if state.phase == s.CHOICE:
        return ALL_CARDS
    if state.phase != s.FIGHT or state.step != s.SECOND_CARD:
        return 0
    taken = int(state.strategy[seat]) | int(state.spent[seat])
    return ALL_CARDS & ~taken & ~(1 << c.S3 if seat == c.BLUE else 0)


@rule
def choose_refusal(state, seat, strategy):
    """Return the statement that forbids to take a strategy card, else 0."""
    if choosable(state, seat) >> strategy & 1 != 0:
        return 0
    if state.phase != s.FIGHT or state.step != s.SECOND_CARD:
        return because.STRATEGY_CHOSEN
    first_only = seat == c.BLUE and strategy == c.S3
    return because.CARD_S3 if first_only else because.CHARIOTS_EVENT


@rule
def choose(state, seat, strategy):
    state.strategy[seat] = int(state.strategy[seat]) | 1 << strategy
    state.acting = int(state.acting) & ~(1 << seat)


@rule
def count_chosen(state, seats):
    """Let all know that these seats hold a card more."""
    for seat in range(2):
        state.cards[seat] += seats >> seat & 1


@rule
def begin_with_s3(state):
    """S3 shows itself as soon as both have chosen: the pawn goes one step towards Blue."""
    if holds(state, c.BLUE, c.S3):
        spend(state, c.BLUE, c.S3)
        state.track += 1
