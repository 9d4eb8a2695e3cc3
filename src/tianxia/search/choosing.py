"""How a player that makes mistakes chooses: small ones often, big ones seldom."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tianxia.kernel.rng import Rng, fraction


def softmax(values: Sequence[float], temperature: float) -> list[float]:
    """Return a weight for each value: 1 for the best, 1/e for one that is a temperature behind."""
    most = max(values)
    return [math.exp((value - most) / temperature) for value in values]


def softly(values: Sequence[float], temperature: float, rng: Rng) -> int:
    """Return the index of the best value, the first of equals; or one drawn by a softmax."""
    if temperature <= 0:
        return max(range(len(values)), key=values.__getitem__)
    return drawn(softmax(values, temperature), fraction(rng))


def drawn(weights: Sequence[float], ticket: float) -> int:
    """Return the index that a ticket, from 0 to below 1, falls on; the weights need no sum."""
    left = ticket * sum(weights)
    for index, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return index
    return max(range(len(weights)), key=weights.__getitem__)  # what rounding has left over
