"""What a view copies: the fields that are open to all, and those that one seat knows.

A game names them once. What is not named stays zero in a view, and is hidden.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from tianxia.kernel.functions import Answer
from tianxia.kernel.jit import copies, rule
from tianxia.kernel.record import FILLERS, HEADER, SPECTATOR, SPECTATOR_VIEW


def open_fields(dtype: np.dtype[np.void], *names: str) -> Answer:
    """Return the rule ``see_open(state, seat, out)``, with which a view begins.

    It says whose view it is, and copies the options, what else of the header is the same in
    every view, and the fields that are open to all.

    Parameters
    ----------
    dtype
        The game's record.
    names
        The fields, separated by spaces; any number of such texts.
    """
    header = [name for name, _ in HEADER if name != "viewer"]
    fillers = [name for name in dtype.names or () if name in FILLERS]
    copy = _copy(dtype, [*header, *fillers, "options", *_split(names)])

    @rule
    def see_open(state, seat, out):
        copy(state, 0, out)
        out.viewer = SPECTATOR_VIEW if seat == SPECTATOR else seat + 1

    return see_open


def more_fields(dtype: np.dtype[np.void], *names: str) -> Answer:
    """Return the rule ``see(state, out)``, which copies fields that are open at some time only."""
    copy = _copy(dtype, _split(names))

    @rule
    def see(state, out):
        copy(state, 0, out)

    return see


def seat_fields(dtype: np.dtype[np.void], seats: int, *names: str) -> Answer:
    """Return the rule ``see_of(state, seat, out)``, which copies one seat's part of each field.

    A field has as many parts, all of the same size, as there are `seats`. Of somebody who
    has none, such as a spectator, nothing is copied.
    """
    copy = _copy(dtype, _split(names), seats)

    @rule
    def see_of(state, seat, out):
        if 0 <= seat < seats:
            copy(state, seat, out)

    return see_of


def _split(texts: Iterable[str]) -> list[str]:
    return " ".join(texts).split()


def _copy(dtype: np.dtype[np.void], names: list[str], parts: int = 1) -> Answer:
    """Return a function that copies one of the equal parts of each of these fields."""
    runs = _runs(dtype, names, parts)
    kinds = [(start, np.dtype(f"V{size}")) for start, size in runs]

    def copy(state: Any, part: Any, out: Any) -> None:
        for start, kind in kinds:
            place = start + part * kind.itemsize
            out.setfield(state.getfield(kind, place), kind, place)

    copies(copy, runs)
    return copy


def _runs(dtype: np.dtype[np.void], names: list[str], parts: int) -> list[tuple[int, int]]:
    """Return where the bytes of fields begin, and how many a part has; neighbours are joined.

    Raises
    ------
    ValueError
        Where the record has no such field, or it cannot be divided.
    """
    if unknown := set(names) - {*(dtype.names or ())}:
        raise ValueError(f"the record has no field {', '.join(sorted(unknown))}")
    runs: list[tuple[int, int]] = []
    for name, (kind, start, *_) in (dtype.fields or {}).items():
        if name not in names:
            continue
        if math.prod(kind.shape) % parts:
            raise ValueError(f"the field {name} has no {parts} equal parts")
        follows = parts == 1 and runs and sum(runs[-1]) == start
        begin, size = runs.pop() if follows else (start, 0)
        runs.append((begin, size + kind.itemsize // parts))
    return runs
