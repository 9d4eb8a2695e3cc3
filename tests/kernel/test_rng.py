"""The random generator: sfc32 as published, without bias, the same compiled and not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from tianxia.kernel.rng import below, new_rng, next32, seed_rng

WORD = 0xFFFFFFFF


def sfc32(a: int, b: int, c: int, counter: int = 1) -> Iterator[int]:
    """Give the numbers of the published generator, written independently of ours."""
    while True:
        result = (a + b + counter) % 2**32
        counter = (counter + 1) % 2**32
        a = b ^ (b >> 9)
        b = (c + (c << 3)) % 2**32
        c = ((c << 21) % 2**32 | c >> 11) % 2**32
        c = (c + result) % 2**32
        yield result


def words(count: int, seed: int, stream: int = 0) -> list[int]:
    rng = new_rng(seed, stream)
    return [int(next32(rng)) for _ in range(count)]


@pytest.mark.parametrize(
    ("seed", "stream", "start"),
    [
        (0, 0, (0, 0, 0)),
        (5, 7, (7, 5, 0)),
        (2**40 + 3, 0, (0, 3, 2**8)),
        (9, 2**33 + 1, (1, 9, 2**17)),
    ],
)
def test_numbers_are_those_of_sfc32(seed: int, stream: int, start: tuple[int, int, int]):
    published = sfc32(*start)
    expected = [next(published) for _ in range(215)][15:]  # the first 15 mix the seed
    assert words(200, seed, stream) == expected


def test_reference_numbers_never_change():
    assert words(4, 42) == [1251167922, 656401615, 478193053, 3278332503]
    assert words(3, 42, 1) == [298173413, 2336848690, 85625351]


def test_state_stays_in_32_bits():
    rng = new_rng(2**63 - 1, 2**40)
    for _ in range(1000):
        next32(rng)
        assert all(0 <= int(word) <= WORD for word in rng)


def test_streams_and_seeds_differ():
    seeds = [0, 1, 2, 2**31, 2**32, 2**32 + 1, 2**50, 2**62]
    starts = {tuple(words(4, seed, stream)) for seed in seeds for stream in range(50)}
    assert len(starts) == len(seeds) * 50


def test_negative_and_huge_seeds_are_taken():
    assert words(3, -1) == words(3, 2**63 - 1)
    assert words(3, 2**70 + 5) == words(3, 5)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 40, 1000, 2**31 - 1])
def test_below_stays_below(count: int):
    rng = new_rng(count)
    drawn = [int(below(rng, count)) for _ in range(2000)]
    assert min(drawn) >= 0
    assert max(drawn) < count


@pytest.mark.parametrize("count", [2, 3, 5, 6, 7, 13])
def test_below_is_uniform(count: int):
    rng, trials = new_rng(count, 3), 60_000
    found = Counter(int(below(rng, count)) for _ in range(trials))
    expected = trials / count
    chi = sum((found[i] - expected) ** 2 / expected for i in range(count))
    assert chi < 2 * count + 30  # beyond that chance is less than one in a million


@pytest.mark.parametrize("count", [3, 2**31 - 1, 3 * 2**29])
def test_below_rejects_exactly_what_would_bias(count: int):
    """Compare with the definition: every result comes from equally many 32-bit words."""
    least = 2**32 % count
    rng, copy = new_rng(1, count), new_rng(1, count)
    for _ in range(500):
        result = int(below(rng, count))
        word = int(next32(copy))
        while (word * count) % 2**32 < least:
            word = int(next32(copy))
        assert result == word * count >> 32
    assert (rng == copy).all()


def test_the_same_numbers_without_compiling():
    program = (
        "import json; from tianxia.kernel.rng import *; rng = new_rng(77, 5);"
        "print(json.dumps([int(below(rng, n)) for n in range(1, 400)]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    rng = new_rng(77, 5)
    assert json.loads(done.stdout) == [int(below(rng, n)) for n in range(1, 400)]


def test_seeding_overwrites_everything():
    rng = np.full(4, 123, np.int64)
    seed_rng(rng, 8, 9)
    assert (rng == new_rng(8, 9)).all()
