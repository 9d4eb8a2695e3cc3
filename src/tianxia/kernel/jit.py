"""The decorators of rules: they compile, or leave functions as they are (see `mode`).

All that needs Numba is in `tianxia.kernel.compiling` and what it imports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import cache, mode

Function = Callable[..., Any]


def allocates(function: Function) -> Function:
    """Mark a function that makes arrays, so that it is compiled with Numba's runtime.

    This goes below the decorator that compiles it. Only such a function returns arrays, and
    only to another one: who counts no references would never give them back.
    """
    function.__dict__["allocates"] = True
    return function


if TYPE_CHECKING or not mode.interpreted():
    FOLDER = cache.prepare()  # Numba reads where it is when it is imported

    from tianxia.kernel.compiling import (
        answer,
        copies,
        digest_of_sources,
        direct,
        dispatched,
        entry,
        kept,
        make,
        record_types,
        rule,
        way_in,
    )
    from tianxia.kernel.shared import shared
else:

    def _as_it_is(function: Function) -> Function:
        """Return a function that Python runs."""
        return function

    rule = kept = entry = way_in = _as_it_is

    def make(function: Function, *arguments: Any) -> None:
        """Leave it as it is."""

    def answer(call: Function, dtype: np.dtype[np.void]) -> Function:
        """Return what Python runs."""
        return call

    def copies(function: Function, runs: list[tuple[int, int]]) -> None:
        """Leave it to Python to copy."""

    def dispatched(call: Function, known: dict[Any, Function], usual: Function | None) -> None:
        """Leave it to Python to find an answer."""

    def shared(name: str, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Return a table of zeros."""
        return np.zeros(shape, np.int64)

    def record_types(dtype: np.dtype[np.void], module: str = "") -> tuple[Any, ...]:
        """Return no other names of a record than its dtypes."""
        return ()


__all__ = [
    "allocates",
    "answer",
    "copies",
    "digest_of_sources",
    "direct",
    "dispatched",
    "entry",
    "kept",
    "make",
    "record_types",
    "rule",
    "shared",
    "way_in",
]
