"""Sets of squares as bits of a 64-bit integer.

In compiled code both are one instruction: see `tianxia.kernel.compiling`.
"""

from __future__ import annotations


def lowest(bits):
    """Return the index of the lowest set bit of a positive integer."""
    return (int(bits) & -int(bits)).bit_length() - 1


def count_bits(bits):
    """Return how many bits of a non-negative integer are set."""
    return int(bits).bit_count()
