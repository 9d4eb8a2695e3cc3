"""The five events: when each is met, and what it takes."""

from __future__ import annotations

from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import first
from tianxia.games.suntzu.rules.combat import card, infantry_fights, winner
from tianxia.games.suntzu.rules.state import MARKED
from tianxia.kernel.jit import rule


@rule
def is_met(state):
    """Say whether the open event's condition is met in the province in question."""
    event = int(state.event)
    if event == c.PANDEMIC:
        played = card(state, c.BLUE) == c.PLAGUE or card(state, c.RED) == c.PLAGUE
        return played and state.plagues >= c.PLAGUES_OF_PANDEMIC
    if event == c.CHARIOTS:
        return charioteers(state) != 0
    if event == c.INFANTRY:
        return infantry_fights(state)
    return event != 0 and (has_failed(state, c.BLUE) or has_failed(state, c.RED))


@rule
def has_failed(state, seat):
    """Say whether a seat's 9 or 10 has not won, whichever the open event challenges."""
    challenged = c.NINE if state.event == c.CHAMPION else c.TEN
    return card(state, seat) == challenged and winner(state) != seat


@rule
def charioteers(state):
    """Return the seats that have just marked their third or a later 6, as bits."""
    seats = 0
    for seat in range(2):
        marks = 0
        for province in range(c.PROVINCES):
            marks += int(state.marks[seat, province])
        if int(state.effects) & MARKED << seat and marks >= c.SIXES_OF_CHARIOTS:
            seats |= 1 << seat
    return seats


@rule
def choosers(state):
    """Return who takes a second strategy card now, as bits."""
    met = state.event == c.CHARIOTS and state.options.strategies != 0
    return charioteers(state) if met else 0


@rule
def toll(state, later):
    """Return how many armies the event takes from whoever pays first, or second."""
    seat = 1 - first(state) if later else first(state)
    event = int(state.event)
    if event == c.PANDEMIC:
        return 1
    if event == c.CHAMPION and has_failed(state, seat):
        return 1
    return 2 if event == c.HERO and has_failed(state, seat) else 0
