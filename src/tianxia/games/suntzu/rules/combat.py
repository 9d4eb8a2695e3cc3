"""One province: whose card is worth what, who wins by how much, what a Plague destroys."""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import COUNTED_AS_6, COUNTERED, SEVERE
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many


@rule
def card(state, seat):
    """Return the kind of the card that a seat has laid in the province in question."""
    return int(state.laid[seat, int(state.province) - 1]) - 1


@rule
def has_fewer_armies(state):
    """Return who has fewer armies on the board, or −1."""
    ahead = how_many(state.board[c.BLUE]) - how_many(state.board[c.RED])
    return -1 if ahead == 0 else (c.BLUE if ahead < 0 else c.RED)


@rule
def turn_up(state, province):
    """Turn up both cards of a province; K1 is spent, Plagues are counted."""
    state.province = province + 1
    state.done = int(state.done) | 1 << province
    if card(state, c.RED) == c.SIX and state.marks[c.RED, province] > 0:
        spend(state, c.RED, c.K1)
    for seat in range(2):
        if card(state, seat) == c.PLAGUE:
            state.plagues += 1


@rule
def spend(state, seat, strategy):
    """Play a strategy card, once and for all."""
    state.strategy[seat] = int(state.strategy[seat]) & ~(1 << strategy)
    state.spent[seat] = int(state.spent[seat]) | 1 << strategy
    state.cards[seat] -= 1


@rule
def plague_strikes(state):
    """Say whether a Plague has its effect: the King's, or Sun Tzu's if not countered."""
    if card(state, c.RED) == c.PLAGUE:
        return True
    return card(state, c.BLUE) == c.PLAGUE and int(state.effects) & COUNTERED == 0


@rule
def annuls(state):
    """Say whether a Plague does away with marks and costs too."""
    return state.options.plague == 0 and plague_strikes(state)


@rule
def destroy(state):
    """Do what the Plague does: half of the armies return, or all but one."""
    province = int(state.province) - 1
    for seat in range(2):
        armies = int(state.board[seat, province])
        lost = max(armies - 1, 0) if int(state.effects) & SEVERE else armies // 2
        state.board[seat, province] -= lost
        state.reserve[seat] += lost


@rule
def bonus(kind):
    """Return what a card adds to the value of the other one, if that is what it does."""
    return kind - c.PLUS_1 + 1 if c.PLUS_1 <= kind <= c.PLUS_3 else 0


@rule
def number(state, seat):
    """Return the number of a card that has one; a countered Plague has 0."""
    kind = card(state, seat)
    if kind == c.PLAGUE:
        return 0
    if seat == c.BLUE and int(state.effects) & COUNTED_AS_6:
        return 6
    return kind + 1


@rule
def infantry_fights(state):
    """Say whether Light infantry decides: 1 against 1 while the score is not level."""
    ones = card(state, c.BLUE) == c.ONE and card(state, c.RED) == c.ONE
    return state.event == c.INFANTRY and ones and state.track != 0


@rule
def margin(state):
    """Return by how much Blue wins the province in question; negative: Red wins."""
    if plague_strikes(state):
        return 0
    if infantry_fights(state):
        return -1 if state.track > 0 else 1
    blue, red = card(state, c.BLUE), card(state, c.RED)
    added = bonus(blue) - bonus(red)
    if bonus(blue) != 0 or bonus(red) != 0:
        return added
    if c.MINUS in (blue, red):
        return (1 if red == c.MINUS else 0) - (1 if blue == c.MINUS else 0)
    return number(state, c.BLUE) - number(state, c.RED)


@rule
def winner(state):
    """Return the seat that has won the province in question, or −1."""
    won = margin(state)
    return -1 if won == 0 else (c.BLUE if won > 0 else c.RED)


@rule
def drive_out(state):
    """Remove the loser's armies; return how many the winner has to place."""
    won = margin(state)
    if won == 0:
        return 0
    province, loser = int(state.province) - 1, c.RED if won > 0 else c.BLUE
    lost = min(abs(won), int(state.board[loser, province]))
    state.board[loser, province] -= lost
    state.reserve[loser] += lost
    return abs(won) - lost


@rule
def cost(state, seat):
    """Return how many armies a seat's card costs: one for +2, two for +3."""
    return 0 if annuls(state) else int(c.PAID[card(state, seat)])
