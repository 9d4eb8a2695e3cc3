"""What Numba does with arrays only with its runtime, mostly by making another one."""

from __future__ import annotations

from tianxia.kernel.jit import rule


@rule
def copy_into(target, source):
    """Copy an array of one dimension into another that shares no memory with it.

    ``target[:] = source`` makes a copy first, since they might.
    """
    for i in range(len(source)):
        target[i] = source[i]


@rule
def place_of_most(values, first, last):
    """Return the place of the greatest of some values, the first one of equals."""
    best = first
    for place in range(first + 1, last):
        if values[place] > values[best]:
            best = place
    return best
