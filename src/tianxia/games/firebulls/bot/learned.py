"""What the quick player and the network go by: `learned.json`, as arrays.

``bench/firebulls_training.py`` writes that file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.bot import greed
from tianxia.games.firebulls.bot.outlook import Network
from tianxia.games.firebulls.rules.components import COLOURS

FILE = "learned.json"
BULLS = 6
"""Bulls of a colour beyond this number are worth as much as this one."""
SCALARS = {
    "warrior": greed.OF_WARRIOR,
    "hope": greed.OF_HOPE,
    "last_draws": greed.OF_LAST_DRAWS,
    "round": greed.ROUND,
    "bo": greed.OF_POWERS,
    "colonel": greed.OF_POWERS + 1,
    "general": greed.OF_POWERS + 2,
    "bonus": greed.BONUS,
    "unseen": greed.UNSEEN,
    "full": greed.FULL,
    "bias": greed.BIAS,
}
"""Where the habits that are one number stand; `greed` says what they mean."""


class Learned(NamedTuple):
    """What is handed to compiled code: the quick player's habits, and the network."""

    habits: NDArray[np.float64]
    network: Network


def habits_of(table: Mapping[str, Any]) -> NDArray[np.float64]:
    """Return habits as `greed` reads them.

    Parameters
    ----------
    table
        ``bulls``: what the first to the sixth Bull of a colour adds to a hand, in points;
        ``colours``: what a hand of two to five colours is worth for that; `SCALARS`.
    """
    habits = np.zeros(greed.HABITS)
    for count in range(1, greed.MANY):
        added = table["bulls"][min(count, BULLS) - 1]
        habits[greed.OF_COUNT + count] = habits[greed.OF_COUNT + count - 1] + added
    habits[greed.OF_COLOURS + 2 : greed.OF_COLOURS + COLOURS + 1] = table["colours"]
    for name, place in SCALARS.items():
        habits[place] = table[name]
    return habits


@cache
def learned() -> Learned:
    """Return what the file holds."""
    text = (resources.files(__package__) / FILE).read_text("utf-8")
    table = json.loads(text)
    layers = {name: np.array(numbers, float) for name, numbers in table["network"].items()}
    return Learned(habits_of(table["habits"]), Network(**layers))
