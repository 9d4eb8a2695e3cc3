"""The powers of Bo, Colonel and General, usable at once by whoever wins the card (FBL-10)."""

from __future__ import annotations

from tianxia.games.firebulls.rules.cards import (
    lose,
    note_shown,
    note_theft,
    opponents_hold_cards,
)
from tianxia.games.firebulls.rules.components import BO, COLONEL, GENERAL
from tianxia.kernel.decks import gain
from tianxia.kernel.jit import rule


@rule
def has_power(state, kind):
    """Say whether winning a kind has a power that can do anything now."""
    if kind == BO:
        return state.deck_size > 0
    return kind in (COLONEL, GENERAL) and opponents_hold_cards(state)


@rule
def next_victim(state, after):
    """Return the next opponent, clockwise after a seat, who has a card; −1 when all were met."""
    seat = (after + 1) % int(state.seats)
    while seat != state.active:
        if state.hand_sizes[seat] > 0:
            return seat
        seat = (seat + 1) % int(state.seats)
    return -1


@rule
def throw_away(state, victim, kind):
    """Put a card from a hand face up on the discard, as a Colonel's power does."""
    lose(state, victim, kind)
    state.discard[kind] += 1
    note_shown(state, victim, kind, 1)


@rule
def steal(state, victim, kind):
    """Put a card from a hand into the active player's, as the General's power does."""
    thief = int(state.active)
    lose(state, victim, kind)
    gain(state, thief, kind)
    note_theft(state, victim, thief, kind)
