"""Five levels, with the same names in every game: how long a bot thinks, how often it errs.

A game without a better player of its own offers these; one that has gives its own makers
the same names. No level cheats: all search from the same views.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from tianxia.search.bot import Maker
from tianxia.search.thinking import Budget, Searcher


@dataclass(frozen=True)
class Level:
    """How strong a bot is.

    Attributes
    ----------
    iterations
        Simulations for a decision.
    noise
        How often, in per cent, it takes any legal action instead of the best.
    """

    iterations: int
    noise: int


LEVELS: Mapping[str, Level] = {
    "novice": Level(20, 35),
    "apprentice": Level(120, 15),
    "journeyman": Level(600, 5),
    "expert": Level(4000, 0),
    "master": Level(30_000, 0),
}
"""From one that a child beats to the best at about a second a decision."""


def searchers(budget: Budget | None = None) -> dict[str, Maker]:
    """Return a searching bot for each level; all but iterations is as in `budget`."""
    usual = budget or Budget()
    return {
        name: partial(
            Searcher, budget=replace(usual, iterations=level.iterations), noise=level.noise
        )
        for name, level in LEVELS.items()
    }
