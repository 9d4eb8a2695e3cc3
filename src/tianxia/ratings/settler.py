"""Who files games, and counts rated ones, as they end: a thread in each server process."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tianxia.ratings.played import Played
from tianxia.ratings.service import Ratings
from tianxia.tables import TableError, Tables

log = logging.getLogger("tianxia.ratings")

LONGEST_WAIT = 60.0
SHORTEST_WAIT = 0.5


class Settler:
    """Files games, and counts rated ones, soon after their end; at the start what was left."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._ratings = Ratings(tables)
        self._played = Played(tables)
        self._news = threading.Event()
        self._stop = threading.Event()
        self._unlisten: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name="tianxia-ratings", daemon=True)

    def start(self) -> Settler:
        """Begin to count."""
        self._unlisten = self._tables.hub.listen(lambda *_: self._news.set())
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; the next start counts what is left."""
        self._stop.set()
        self._news.set()
        if self._unlisten is not None:
            self._unlisten()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._ratings.settle()
                while self._played.settle() and not self._stop.is_set():
                    continue
            except TableError:
                log.warning("games that ended could not be counted; trying again")
            except Exception:
                log.exception("games that ended could not be counted")
            self._news.wait(LONGEST_WAIT)
            self._news.clear()
            self._stop.wait(SHORTEST_WAIT)
