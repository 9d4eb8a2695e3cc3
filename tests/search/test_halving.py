"""Sequential halving: who is tried, in which worlds, and when it ends."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tianxia.search import halving
from tianxia.search.bot import clocked
from tianxia.search.halving import CHUNK, halved


class Trial:
    """Candidates of which each is worth its own number."""

    def __init__(self) -> None:
        self.tries: list[tuple[list[int], int, int]] = []

    def try_in(self, alive: NDArray[np.int64], first: int, last: int) -> None:
        self.tries.append((alive.tolist(), first, last))

    def best_first(self, alive: NDArray[np.int64]) -> NDArray[np.int64]:
        return alive[::-1]

    def rounds(self, count: int, trials: int, **given: float) -> list[list[int]]:
        found = halved(count, trials, self.try_in, self.best_first, **given)  # type: ignore[arg-type]
        return [order.tolist() for order in found]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 37])
def test_the_worse_half_falls_out_until_two_are_left(count: int) -> None:
    trial = Trial()
    rounds = trial.rounds(count, 1000)
    assert rounds[0] == list(range(count))[::-1]
    for before, after in itertools.pairwise(rounds):
        assert after == before[: math.ceil(len(before) / 2)]
    assert len(rounds[-1]) == min(count, 2)


def test_all_of_a_round_meet_the_same_new_worlds_within_the_budget() -> None:
    trial = Trial()
    trial.rounds(10, 400)
    assert [alive for alive, _, _ in trial.tries] == [
        [*range(10)],
        [*range(5, 10)],
        [7, 8, 9],
        [8, 9],
    ]
    assert [(first, last) for _, first, last in trial.tries] == [
        (0, 10),
        (10, 30),
        (30, 63),
        (63, 113),
    ]
    assert sum(len(alive) * (last - first) for alive, first, last in trial.tries) <= 400


def test_each_candidate_of_a_round_is_tried_in_the_least_number_of_worlds() -> None:
    trial = Trial()
    trial.rounds(8, 1, least=4)
    assert [(first, last) for _, first, last in trial.tries] == [(0, 4), (4, 8), (8, 12)]


def test_a_clock_cuts_rounds_into_chunks_and_ends_after_one() -> None:
    trial = Trial()
    with clocked(lambda: 0.0):
        whole = trial.rounds(4, 4000, deadline=1.0)
    assert max(len(alive) * (last - first) for alive, first, last in trial.tries) == CHUNK
    assert whole == [[3, 2, 1, 0], [3, 2]]
    late = Trial()
    with clocked(lambda: 1.0 - halving.MARGIN / 2):
        assert late.rounds(4, 4000, deadline=1.0) == [[3, 2, 1, 0]]
    assert late.tries == [([0, 1, 2, 3], 0, CHUNK // 4)]
