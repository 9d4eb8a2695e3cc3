"""Who looks after tournaments: a thread in each server process.

All of them do; who does what is decided by the database: see `Tournaments`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tianxia.tables import TableError
from tianxia.tournaments.service import Tournaments

log = logging.getLogger("tianxia.tournaments")

LONGEST_WAIT = 2.0
SHORTEST_WAIT = 0.3


class Director:
    """Begins tournaments and rounds in time, and counts games soon after their end."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self._news = threading.Event()
        self._stop = threading.Event()
        self._unlisten: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name="tianxia-tournaments", daemon=True)

    def start(self) -> Director:
        """Begin, with what another process has left undone."""
        hub = self._tournaments.tables.hub
        self._unlisten = hub.listen(lambda *_: self._news.set())
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; the next start goes on."""
        self._stop.set()
        self._news.set()
        if self._unlisten is not None:
            self._unlisten()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._tournaments.sweep()
            except TableError as error:
                log.warning("tournaments could not be looked after; trying again: %s", error)
            except Exception:
                log.exception("tournaments could not be looked after")
            self._news.wait(LONGEST_WAIT)
            self._news.clear()
            self._stop.wait(SHORTEST_WAIT)
