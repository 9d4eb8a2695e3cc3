"""A deck whose order nobody knows, its discard, and hands that draw from it.

For records with these fields, counts by kind: `deck`, `discard`, `fresh` (the deck at its last
shuffle, less what was opened since) and, by seat, `hands` and `drawn` (from this deck); with their
sizes `deck_size`, `hand_sizes` and `draws`; and `exhausted`, how often the deck has run out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tianxia.kernel.fields import Fields, everybody, is_open, knows
from tianxia.kernel.jit import allocates, rule
from tianxia.kernel.multisets import how_many, pour, take_kind


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


# --- What a viewer has not seen, drawn at random ---


@rule
@allocates
def fill_deck(state, own, known, unseen, rng):
    """Draw the deck out of what may be in it, and put into the others' hands what surely is.

    That may be cards of its last shuffle that have not been seen since.

    Parameters
    ----------
    known
        The cards that are surely held, by seat and kind.
    unseen
        All cards of deck and hands; what the others' hands still lack is left in it.
    """
    possible, eligible = np.empty(len(state.fresh), np.int64), 0
    for kind in range(len(state.fresh)):  # a number that the compiler knows
        fresh = int(state.fresh[kind])
        if own >= 0:
            unseen[kind] -= int(state.hands[own, kind])
            fresh -= int(state.drawn[own, kind])
        for owner in range(int(state.seats)):
            if owner != own:
                state.hands[owner, kind] = known[owner, kind]
                unseen[kind] -= int(known[owner, kind])
        possible[kind] = min(unseen[kind], fresh)
        eligible += possible[kind]
    for _ in range(int(state.deck_size)):
        kind = take_kind(possible, eligible, rng)
        eligible -= 1
        unseen[kind] -= 1
        state.deck[kind] += 1


@rule
def fill_hands(state, own, cards, rng):
    """Deal cards to the others' hands that lack some; they are just enough."""
    total = how_many(cards)
    for owner in range(int(state.seats)):
        if owner != own:
            lacking = int(state.hand_sizes[owner]) - how_many(state.hands[owner])
            deal(cards, total, lacking, state.hands[owner], rng)
            total -= lacking


@rule
@allocates
def fill_draws(state, own, rng):
    """Say of what left the deck unseen which of the others drew it."""
    drawn, total = np.empty(len(state.fresh), np.int64), 0
    for kind in range(len(state.fresh)):
        drawn[kind] = int(state.fresh[kind]) - int(state.deck[kind])
        if own >= 0:
            drawn[kind] -= int(state.drawn[own, kind])
        total += drawn[kind]
    for owner in range(int(state.seats)):
        if owner != own:
            deal(drawn, total, int(state.draws[owner]), state.drawn[owner], rng)
            total -= int(state.draws[owner])


@rule
def deal(cards, total, count, target, rng):
    """Deal so many cards, of `total` that there are, at random; all of them without drawing."""
    if count == total:
        pour(cards, target)
        return
    for i in range(count):
        kind = take_kind(cards, total - i, rng)
        target[kind] += 1


# --- Invariants ---


def hidden_cards(p: Fields, sizes: Any) -> int:
    """Return how many cards a view hides, in the deck and of what each seat has."""
    deck = 0 if is_open(p) else p.deck_size
    return int(deck + sum(sizes[seat] for seat in everybody(p) if not knows(p, seat)))


def last_shuffle_fits(p: Fields) -> bool:
    """Say whether the deck at its last shuffle is what is in it and what was drawn from it."""
    left = p.fresh - p.drawn.sum(axis=0) - p.deck
    return min(left) >= 0 and sum(left) == hidden_cards(p, p.draws)
