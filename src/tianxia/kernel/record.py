"""State records: flat, without padding, each starting with the same header."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tianxia.kernel import mode

SPECTATOR = -1
"""The seat of somebody who only watches."""
CHANCE = -2
"""The seat of dice, draws and steps that nobody decides."""
MAX_SEATS = 7
NO_SEATS = {SPECTATOR: "a spectator", CHANCE: "chance"}

HEADER: list[tuple[str, str]] = [
    ("acting", "i1"),  # bit p: seat p may act now; zero and not over: chance acts
    ("over", "i1"),
    ("seats", "i1"),
    ("viewer", "i1"),  # 0: a full state; seat + 1: that seat's view; −1: a spectator's
    ("sealed", "i4"),  # nobody may take back an action before this ply
    ("plies", "i4"),
]
SPECTATOR_VIEW = -1
INTERPRETED = mode.interpreted()

Pool = NDArray[np.void]
Field = tuple[str, Any] | tuple[str, Any, tuple[int, ...]]

FILLERS = {"filler", "filler_1", "filler_2"}
_TAKEN = {*dir(np.record), *(name for name, _ in HEADER), "options", *FILLERS}


def _padding(dtype: np.dtype[Any]) -> bool:
    """Say whether a dtype (or one nested in it) has bytes that belong to no field."""
    if dtype.subdtype:
        return _padding(dtype.subdtype[0])
    if dtype.fields is None:
        return False
    inner = [kind for kind, *_ in dtype.fields.values()]
    return sum(kind.itemsize for kind in inner) != dtype.itemsize or any(map(_padding, inner))


def _whole(dtype: np.dtype[Any]) -> bool:
    """Say whether all that a dtype holds is signed whole numbers."""
    if dtype.fields is None:
        return dtype.base.kind == "i"
    return all(_whole(kind.base) for kind, *_ in dtype.fields.values())


def _filled(front: list[Field], alignment: int, name: str) -> list[Field]:
    """Return fields filled up with zeros, so that what follows is aligned."""
    gap = -np.dtype(front).itemsize % alignment
    return [*front, (name, "i1", (gap,))] if gap else front


def record(options: Mapping[str, DTypeLike], fields: Sequence[Field]) -> np.dtype[np.void]:
    """Build a game's state record: header, options, fields.

    Parameters
    ----------
    options
        Name and integer type of every option, in order; becomes the field ``options``.
    fields
        The game's own fields as ``(name, type)`` or ``(name, type, shape)``, sorted by
        the size of their elements; what is missing to a full word is filled up with zeros.

    Raises
    ------
    ValueError
        Where fields are not naturally aligned (padding would make equal positions
        unequal bytes), a name is one that ``np.record`` needs itself, or a field holds
        other numbers than signed whole ones (Numba would let a difference of two unsigned
        ones wrap around; fractions and truth values are not written as notation).
    """
    for name in (*options, *(field[0] for field in fields)):
        if name in _TAKEN or not name.isidentifier():
            raise ValueError(f"a state's field cannot be called {name!r}: take another name")
    chosen = np.dtype(list(options.items()), align=True)
    first = np.dtype([("first", *fields[0][1:])], align=True) if fields else np.dtype("i1")
    front = _filled(list(HEADER), chosen.alignment, "filler_1")
    front = _filled([*front, ("options", chosen)], first.alignment, "filler")
    layout = [*front, *fields]
    dtype = np.dtype(layout, align=True)
    used = sum(kind.itemsize for kind, *_ in (dtype.fields or {}).values())
    if used != dtype.itemsize:
        dtype = np.dtype([*layout, ("filler_2", "i1", (dtype.itemsize - used,))], align=True)
    if _padding(dtype):
        raise ValueError("this layout has gaps: sort its fields by size, largest first")
    if not _whole(dtype):
        raise ValueError("a state's numbers are signed and whole: take i1, i2, i4 or i8")
    return dtype


def blank(dtype: np.dtype[np.void], count: int = 1) -> Pool:
    """Return `count` records of zeros: every field unknown.

    Interpreted rules need records whose fields are attributes; compiled ones must not
    get them, since they are slow to hand over.
    """
    return np.zeros(count, _kind(dtype))


def room(dtype: np.dtype[np.void], count: int) -> Pool:
    """Return `count` records with anything in them, to be overwritten.

    Unlike zeros, NumPy takes them from huge pages where the system has these, and half
    of the time of filling many new records is the system's handing out of pages.
    """
    return np.empty(count, _kind(dtype))


def twin(pool: Pool) -> Pool:
    """Return a copy, made by `memcpy`: NumPy copies records field by field."""
    return np.ndarray(len(pool), pool.dtype, bytearray(pool.tobytes()))


def _kind(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    return with_attributes(dtype) if INTERPRETED else dtype


@cache
def with_attributes(dtype: np.dtype[np.void]) -> np.dtype[np.void]:
    """Return the same layout with fields that are attributes, for rules that Python runs.

    They are properties, ten times as fast as the attributes of `np.record`.
    """
    fields = dict(dtype.fields or {})
    layout = {
        "names": list(fields),
        "formats": [_inner(kind) for kind, *_ in fields.values()],
        "offsets": [offset for _, offset, *_ in fields.values()],
        "itemsize": dtype.itemsize,
    }
    properties = {name: property(itemgetter(name), _setter(name)) for name in fields}
    record = type("Record", (np.void,), {"__slots__": (), **properties})
    return np.dtype((record, np.dtype(layout)))  # type: ignore[call-overload]


def _inner(kind: np.dtype[Any]) -> np.dtype[Any]:
    base = with_attributes(kind.base) if kind.base.fields else kind.base
    return np.dtype((base, kind.shape))


def _setter(name: str) -> Callable[[Any, Any], None]:
    def set_field(record: Any, value: Any) -> None:
        record[name] = value

    return set_field


def viewer_code(seat: int) -> int:
    """Return how a record writes whose view it is."""
    return SPECTATOR_VIEW if seat == SPECTATOR else seat + 1
