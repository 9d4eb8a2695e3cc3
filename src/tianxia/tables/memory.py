"""What a process keeps of tables: the last that were asked for, and more with open pages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
CHANCES = 4


class Remembered(OrderedDict[str, Value], Generic[Value]):
    """Things by table, those last kept at the end; not safe from many threads by itself.

    Parameters
    ----------
    usual
        How many are kept.
    most
        How many are kept where the pages of so many tables are open: what is shown there will
        be asked for again at the next move, and is dear to make anew.
    watched
        Says whether pages of a table are open.
    """

    def __init__(self, usual: int, most: int, watched: Callable[[str], bool]) -> None:
        super().__init__()
        self._usual = usual
        self._most = most
        self._watched = watched

    def keep(self, table_id: str, value: Value) -> None:
        """Keep something as the last, and forget what is too much."""
        self[table_id] = value
        self.move_to_end(table_id)
        for _ in range(min(CHANCES, len(self) - self._usual)):
            oldest = next(iter(self))
            if len(self) <= self._most and self._watched(oldest):
                self.move_to_end(oldest)
            else:
                del self[oldest]
