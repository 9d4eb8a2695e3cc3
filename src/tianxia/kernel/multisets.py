"""Draws from multisets, such as a deck whose order nobody knows: counts by kind."""

from __future__ import annotations

from tianxia.kernel.jit import rule
from tianxia.kernel.rng import below


@rule
def nonzero(counts):
    """Return which of some counts are above 0, as bits: the kinds of which there are any."""
    kinds = 0
    for kind in range(len(counts)):
        kinds |= int(counts[kind] > 0) << kind
    return kinds


@rule
def how_many(counts):
    """Return how many there are, all kinds together."""
    number = 0
    for kind in range(len(counts)):
        number += int(counts[kind])
    return number


@rule
def pour(source, target):
    """Put all that there are of each kind elsewhere."""
    for kind in range(len(source)):
        target[kind] += int(source[kind])
        source[kind] = 0


@rule
def draw_outcomes(counts, kinds, first, actions, weights):
    """Write a draw as outcomes of chance, action `first` + kind; return how many can come."""
    number = 0
    for kind in range(kinds):
        if counts[kind] > 0:
            actions[number] = first + kind
            weights[number] = counts[kind]
            number += 1
    return number


@rule
def kind_at(counts, left):
    """Return the kind of one of them, those of a kind side by side: `left` come before it."""
    kind = 0
    while left >= counts[kind]:
        left -= counts[kind]
        kind += 1
    return kind


@rule
def random_kind(counts, total, rng):
    """Return a kind, each as likely as there are of it among `total`."""
    return kind_at(counts, below(rng, total))


@rule
def take_kind(counts, total, rng):
    """Take one out of `total` at random; return its kind."""
    kind = random_kind(counts, total, rng)
    counts[kind] -= 1
    return kind
