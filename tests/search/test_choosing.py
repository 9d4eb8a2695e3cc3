"""What players share: choosing with mistakes, and room of a thread's own."""

from __future__ import annotations

import math
import threading
from collections import Counter

import pytest

from tianxia.kernel.rng import new_rng
from tianxia.search.choosing import drawn, softly, softmax
from tianxia.search.rooms import room


def test_who_is_a_temperature_behind_is_taken_a_third_as_often() -> None:
    weights = softmax([0.2, 0.5, 0.3], 0.1)
    assert weights == pytest.approx([math.exp(-3), 1.0, math.exp(-2)])
    assert max(softmax([-900.0, 900.0], 0.01)) == 1.0, "nothing overflows"


def test_each_is_drawn_as_often_as_its_weight_says() -> None:
    weights = [3.0, 0.0, 1.0]
    found = Counter(drawn(weights, ticket / 400) for ticket in range(400))
    assert found == {0: 300, 2: 100}


def test_without_a_temperature_the_first_of_the_best_is_chosen() -> None:
    assert {softly([0.2, 0.5, 0.5], 0.0, new_rng(seed)) for seed in range(20)} == {1}
    found = Counter(softly([0.0, 1.0], 1.0, new_rng(seed)) for seed in range(2000))
    assert found[1] / found[0] == pytest.approx(math.e, rel=0.15)


def test_rounding_leaves_the_likeliest() -> None:
    weights = [0.1] * 3 + [0.7]
    assert drawn(weights, 1.0) == 3


def test_a_thread_keeps_its_room() -> None:
    def make() -> list[int]:
        return []

    assert room(make) is room(make)
    assert room(make, "other") is room(make, "other")
    assert room(make, "other") is not room(make)
    found: list[list[int]] = []
    thread = threading.Thread(target=lambda: found.append(room(make)))
    thread.start()
    thread.join()
    assert found[0] is not room(make)
