"""Threads that look after tables, one of a kind in each process that serves people.

Every process has them; which one does something is decided by the database.
"""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Self

from tianxia.tables.errors import TableError
from tianxia.tables.service import Tables


class Caretaker(ABC):
    """Does what is due when tables have changed, and from time to time whatever happens.

    Attributes
    ----------
    NAME
        Of the thread, after ``tianxia-``; `LOG` of where it tells of trouble, and `WHAT` of what.
    SHORTEST_WAIT, LONGEST_WAIT
        Seconds that it sleeps: at least, however much changes, and at most after those.
    """

    NAME: ClassVar[str]
    LOG: ClassVar[str]
    WHAT: ClassVar[str]
    LONGEST_WAIT: ClassVar[float]
    SHORTEST_WAIT: ClassVar[float]

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._news = threading.Event()
        self._stop = threading.Event()
        self._unlisten: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name=f"tianxia-{self.NAME}", daemon=True)

    @abstractmethod
    def sweep(self) -> float:
        """Do what is due; return how long to wait for news after `SHORTEST_WAIT`."""

    @property
    def stopping(self) -> bool:
        """Whether no more is to be begun."""
        return self._stop.is_set()

    def start(self) -> Self:
        """Begin, with what another process has left undone."""
        self._unlisten = self.tables.hub.listen(lambda *_: self._news.set())
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; whoever starts next goes on."""
        self._stop.set()
        self._news.set()
        if self._unlisten is not None:
            self._unlisten()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        log = logging.getLogger(self.LOG)
        while not self.stopping:
            wait = self.LONGEST_WAIT
            try:
                wait = self.sweep()
            except TableError as error:
                log.warning("%s could not be looked after; trying again: %s", self.WHAT, error)
            except Exception:
                log.exception("%s could not be looked after", self.WHAT)
            self._stop.wait(self.SHORTEST_WAIT)
            self._news.wait(wait)
            self._news.clear()
