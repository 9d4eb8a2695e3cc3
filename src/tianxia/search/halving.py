"""Sequential halving: all candidates are tried in a few worlds, the better half in more, and so on.

Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits* (2013).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.search.bot import is_late

Candidates = NDArray[np.int64]
CHUNK = 100
"""Trials between two looks at the clock."""
MARGIN = 0.02
"""Seconds before a deadline at which trying stops."""


class Worlds(NamedTuple):
    """The worlds `first` to `last` − 1 of a seed, the same for all that is tried in them."""

    seed: int
    first: int
    last: int


def halved(
    count: int,
    trials: int,
    try_in: Callable[[Candidates, int, int], None],
    best_first: Callable[[Candidates], Candidates],
    deadline: float | None = None,
    least: int = 1,
) -> Iterator[Candidates]:
    """Try candidates, fewer of them in each round; yield those of the round, the best first.

    Parameters
    ----------
    count
        How many candidates there are: they are numbered from 0.
    trials
        Candidates times worlds, in all rounds together, where no deadline comes first.
    try_in
        Tries candidates, in ascending order, in the worlds from one number to before another.
    best_first
        Puts candidates that have been tried in order.
    deadline
        A time of `search.bot.now` at which to stop, after a look at each.
    least
        In how many more worlds every candidate of a round is tried, whatever `trials` says.
    """
    alive, tried = np.arange(count), 0
    rounds = max(1, math.ceil(math.log2(count)))
    for _ in range(rounds):
        last = tried + max(least, trials // (rounds * len(alive)))
        late = False
        while tried < last and not late:
            part = last - tried if deadline is None else max(1, CHUNK // len(alive))
            first, tried = tried, min(tried + part, last)
            try_in(alive, first, tried)
            late = is_late(deadline, MARGIN)
        order = best_first(alive)
        yield order
        if late:
            return
        alive = np.sort(order[: (len(order) + 1) // 2])


__all__ = ["Worlds", "halved"]
