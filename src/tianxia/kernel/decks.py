"""A deck whose order nobody knows, its discard, and hands that draw from it.

For records with these fields, counts by kind: `deck`, `discard`, `fresh` (the deck at its last
shuffle, less what was opened since) and, by seat, `hands` and `drawn` (from this deck); with their
sizes `deck_size`, `hand_sizes` and `draws`; and `exhausted`, how often the deck has run out.
"""

from __future__ import annotations

from typing import Any

from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many


@rule
def gain(state, seat, kind):
    """Put a card into a hand."""
    state.hands[seat, kind] += 1
    state.hand_sizes[seat] += 1


@rule
def leave_deck(state, kind, last):
    """Take a card off the deck; count it if that was the last.

    With nothing to shuffle that counts as the `last` time that the deck runs out.
    """
    state.deck[kind] -= 1
    state.deck_size -= 1
    if state.deck_size == 0:
        state.exhausted += 1
        if how_many(state.discard) == 0:
            state.exhausted = last


@rule
def draw(state, seat, kind):
    """Put a card that has left the deck into a hand, unseen by the others."""
    gain(state, seat, kind)
    state.drawn[seat, kind] += 1
    state.draws[seat] += 1


@rule
def shuffle(state):
    """Make the discard the new deck, which everybody has seen."""
    state.deck_size += how_many(state.discard)
    state.deck = state.discard
    state.fresh = state.discard
    state.discard[:] = 0
    state.drawn[:] = 0
    state.draws[:] = 0


# --- Invariants ---


def hidden_cards(p: Fields, sizes: Any) -> int:
    """Return how many cards a view hides, in the deck and of what each seat has."""
    deck = 0 if is_open(p) else p.deck_size
    return int(deck + sum(sizes[seat] for seat in everybody(p) if not knows(p, seat)))


def last_shuffle_fits(p: Fields) -> bool:
    """Say whether the deck at its last shuffle is what is in it and what was drawn from it."""
    left = p.fresh - p.drawn.sum(axis=0) - p.deck
    return min(left) >= 0 and sum(left) == hidden_cards(p, p.draws)
