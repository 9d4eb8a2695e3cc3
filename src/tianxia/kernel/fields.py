"""A record as Python sees it at leisure: whole numbers that do not overflow."""

from __future__ import annotations

from typing import Any

import numpy as np

from tianxia.kernel.errors import NotationError


class Fields:
    """The fields of a record as attributes: ints, and copies as arrays of 64 bits.

    What is set must fit, and fills an array from its beginning; the rest becomes zero.
    """

    __slots__ = ("_record",)
    _record: Any

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        value = self._record[name]
        if isinstance(value, np.void):
            return Fields(value)
        return value.astype(np.int64) if value.ndim else int(value)

    def __setattr__(self, name: str, value: Any) -> None:
        given = np.asarray(value, np.int64)
        room = np.zeros(np.shape(self._record[name]), np.int64)
        room[tuple(map(slice, given.shape))] = given
        self._record[name] = room
        if (self._record[name] != room).any():
            raise NotationError(f"{name} has no room for {value}")

    def __getitem__(self, name: str) -> Any:
        """Let it stand where a record does."""
        return getattr(self, name)


class Frozen(Fields):
    """The fields of a record that does not change meanwhile: each is looked up once."""

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        elif isinstance(value, Fields):
            value = Frozen(self._record[name])
        self.__dict__[name] = value  # is found before this function, from now on
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{name} is only to be read")


class Part(Fields):
    """The fields of one seat: of each array its row, of everything else all."""

    __slots__ = ("_whole", "seat")
    _whole: Fields
    seat: int

    def __init__(self, whole: Fields, seat: int) -> None:
        object.__setattr__(self, "_whole", whole)
        object.__setattr__(self, "seat", seat)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._whole, name)
        if not isinstance(value, np.ndarray):
            return value
        return value[self.seat] if value.ndim > 1 else int(value[self.seat])

    def __setattr__(self, name: str, value: Any) -> None:
        rows = getattr(self._whole, name)
        given = np.zeros_like(rows[self.seat])
        given[tuple(map(slice, np.shape(value)))] = value
        rows[self.seat] = given
        setattr(self._whole, name, rows)


def everybody(p: Fields) -> range:
    """Return all seats."""
    return range(p.seats)


def knows(p: Fields, seat: int) -> bool:
    """Say whether the position tells what a seat has and remembers in secret."""
    return p.viewer in (0, seat + 1) or bool(p.over)


def is_open(p: Fields, seat: int = 0) -> bool:
    """Say whether nothing is hidden in the position."""
    return p.viewer == 0 or bool(p.over)
