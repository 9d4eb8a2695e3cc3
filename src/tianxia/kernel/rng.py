"""A small random generator that is passed in, never part of a state.

sfc32 (Chris Doty-Humphrey, PractRand): additions, shifts and exclusive ors on 32-bit
words, kept in 64-bit fields so that nothing overflows; the same code therefore gives the
same numbers compiled and interpreted.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import given
from tianxia.kernel.errors import RngError
from tianxia.kernel.jit import entry, rule

Rng = NDArray[np.int64]
WORD = 0xFFFFFFFF
LONG = 2**63 - 1


@rule
def next32(rng):
    """Return the next 32 random bits."""
    total = (rng[0] + rng[1] + rng[3]) & WORD
    rng[3] = (rng[3] + 1) & WORD
    rng[0] = rng[1] ^ (rng[1] >> 9)
    rng[1] = (rng[2] + (rng[2] << 3)) & WORD
    rng[2] = ((((rng[2] << 21) & WORD) | (rng[2] >> 11)) + total) & WORD
    return total


@rule
def fraction(rng):
    """Return a number from 0 to below 1, a multiple of 2⁻³²."""
    return next32(rng) / (1 << 32)


@rule
def below(rng, count):
    """Return a number from 0 to `count` − 1 without bias (Lemire 2019); `count` < 2³¹."""
    product = next32(rng) * count
    low = product & WORD
    if low < count:
        least = (WORD + 1) % count
        while low < least:
            product = next32(rng) * count
            low = product & WORD
    return product >> 32


@rule
def drawn(actions, weights, count, rng):
    """Return one of `count` actions, each as likely as its weight says, a whole number."""
    if count == 1:
        return actions[0]
    total = 0
    for i in range(count):
        total += weights[i]
    left = below(rng, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return actions[i]


@rule
def seed_rng(rng, seed, stream):
    """Start `rng` at the beginning of one of many independent streams of a seed."""
    rng[0] = stream & WORD
    rng[1] = seed & WORD
    rng[2] = ((seed >> 32) ^ ((stream >> 32) << 16)) & WORD
    rng[3] = 1
    for _ in range(15):
        next32(rng)


@entry
def start_rng(rng, seed, stream):
    """Start `rng`, for Python."""
    seed_rng(rng, seed, stream)


def new_rng(seed: int, stream: int = 0) -> Rng:
    """Return a generator for Python code to pass in; raise OptionError where a seed is none."""
    rng = np.empty(4, np.int64)
    start_rng(rng, given.number("seed", seed) & LONG, given.number("stream", stream) & LONG)
    return rng


def check_rng(rng: object) -> Rng:
    """Return what `new_rng` has made; raise RngError for anything else."""
    if isinstance(rng, np.ndarray) and rng.dtype == np.int64 and rng.shape == (4,):
        return rng
    raise RngError(f"a random generator is made by tianxia.new_rng(seed); {rng!r} is none")
