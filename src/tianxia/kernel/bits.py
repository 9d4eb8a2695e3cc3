"""Sets of squares as bits of a 64-bit integer."""

from __future__ import annotations

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


def lowest(bits):
    """Return the index of the lowest set bit of a positive integer."""
    return (int(bits) & -int(bits)).bit_length() - 1


def count_bits(bits):
    """Return how many bits of a non-negative integer are set."""
    return int(bits).bit_count()


@intrinsic
def _cttz(_context, bits):
    def generate(_, builder, __, args):
        return builder.cttz(args[0], cgutils.true_bit)

    return types.int64(types.int64), generate


@intrinsic
def _ctpop(_context, bits):
    def generate(_, builder, __, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@overload(lowest)
def _lowest(bits):
    return lambda bits: _cttz(bits)


@overload(count_bits)
def _count_bits(bits):
    return lambda bits: _ctpop(bits)
