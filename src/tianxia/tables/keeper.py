"""Who looks after clocks: a thread in each process that serves people.

Every process watches all clocks of the database and lets flags fall in time. Which of them
does it is decided by the commit: see `Timing.flag`.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from tianxia.tables.errors import TableError, Unavailable
from tianxia.tables.service import Tables

log = logging.getLogger("tianxia.tables")

LONGEST_WAIT = 1.0
"""How long a keeper sleeps at most; changes wake it."""
SHORTEST_WAIT = 0.02
BEAT_SECONDS = 5.0
"""How often it is noted that somebody is there."""
GAP_SECONDS = 15.0
"""Where nobody was there for so long, clocks have stood."""
AGAIN_SECONDS = 30.0
"""After how long a table is looked at again whose flag could not fall."""


class Keeper:
    """Lets flags fall; one of these per process that serves people."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._stop = threading.Event()
        self._news = threading.Event()
        self._failed: dict[str, float] = {}
        self._next_beat = 0.0
        self._unlisten: Callable[[], None] | None = None
        self._thread = threading.Thread(target=self._run, name="tianxia-clocks", daemon=True)

    def start(self) -> Keeper:
        """Forgive the time in which nobody was there, then begin to watch."""
        self.catch_up()
        self._unlisten = self._tables.hub.listen(lambda *_: self._news.set())
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(5)
        if self._unlisten is not None:
            self._unlisten()

    def catch_up(self) -> None:
        """Forgive running clocks the time in which no process was there.

        A clock of the machine that was set meanwhile, forwards or back, is made up for with it.
        """
        last, now = self._tables.store.last_beat(), self._tables.clock()
        if last is not None and not -BEAT_SECONDS <= now - last <= GAP_SECONDS:
            log.warning("clocks have stood for %.0f s: nobody was there to serve", now - last)
            self._tables.timing.stand_still(last, now)
        self._beat(now)

    def sweep(self) -> float:
        """Let all flags fall whose time has come; return after how long to look again."""
        now = self._tables.clock()
        for table_id in self._tables.store.fallen(now):
            if self._failed.get(table_id, 0.0) <= now:
                self._fall(table_id, now)
        following = self._tables.store.next_deadline()
        if following is not None and now >= self._next_beat:
            self._beat(now)
        wait = LONGEST_WAIT if following is None else following - self._tables.clock()
        return max(SHORTEST_WAIT, min(LONGEST_WAIT, wait))

    def _beat(self, now: float) -> None:
        self._next_beat = now + BEAT_SECONDS
        self._tables.store.beat(now)

    def _fall(self, table_id: str, now: float) -> None:
        try:
            self._tables.timing.flag(table_id)
            self._failed.pop(table_id, None)
        except Unavailable:
            raise
        except TableError as error:
            self._failed[table_id] = now + AGAIN_SECONDS
            log.warning("the flag at table %s cannot fall: %s", table_id, error)

    def _run(self) -> None:
        wait = 0.0
        while not self._stop.is_set():
            self._news.wait(wait)
            self._news.clear()
            try:
                wait = self.sweep()
            except Unavailable:
                log.warning("the clocks cannot reach the tables; trying again")
                wait = LONGEST_WAIT
            except Exception:
                log.exception("the clocks could not be looked after")
                wait = LONGEST_WAIT
            self._stop.wait(SHORTEST_WAIT)
