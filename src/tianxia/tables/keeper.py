"""Who looks after clocks, and writes down who is there.

Every process watches all clocks of the database and lets flags fall in time. Which of them
does it is decided by the commit: see `Timing.flag`.
"""

from __future__ import annotations

import logging
from typing import Self

from tianxia.tables.caretaker import Caretaker
from tianxia.tables.errors import TableError, Unavailable
from tianxia.tables.service import Tables

log = logging.getLogger("tianxia.tables")

SEEN_SECONDS = 0.5
"""How often it is written down who was there, however much happens."""
BEAT_SECONDS = 5.0
"""How often it is noted that somebody is there."""
GAP_SECONDS = 15.0
"""Where nobody was there for so long, clocks have stood."""
AGAIN_SECONDS = 30.0
"""After how long a table is looked at again whose flag could not fall."""


class Keeper(Caretaker):
    """Lets flags fall; one of these per process that serves people."""

    NAME = "clocks"
    LOG = log.name
    WHAT = "clocks"
    LONGEST_WAIT = 1.0
    SHORTEST_WAIT = 0.1

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._failed: dict[str, float] = {}
        self._next_beat = self._next_note = 0.0

    def start(self) -> Self:
        """Forgive the time in which nobody was there, then begin to watch."""
        self.catch_up()
        return super().start()

    def catch_up(self) -> None:
        """Forgive running clocks the time in which no process was there.

        A clock of the machine that was set meanwhile, forwards or back, is made up for with it.
        """
        last, now = self.tables.store.last_beat(), self.tables.clock()
        away = last is not None and not -BEAT_SECONDS <= now - last <= GAP_SECONDS
        if last is not None and away and (now > last or not self._others_there(last)):
            log.info("clocks were paused for %.0f s, while no server was running", now - last)
            self.tables.timing.stand_still(last, now)
        self._beat(now)

    def _others_there(self, last: float) -> bool:
        """Say whether another process looks after clocks, by one that this machine's is behind.

        What is to be made up for with clocks that were put back would let flags fall there.
        """
        self._stop.wait(BEAT_SECONDS + self.LONGEST_WAIT)
        return self.tables.store.last_beat() != last

    def sweep(self) -> float:
        """Let all flags fall whose time has come; return after how long to look again."""
        now = self.tables.clock()
        if not 0 <= self._next_note - now <= SEEN_SECONDS:
            self._next_note = now + SEEN_SECONDS
            self.tables.note_seen()
        following = self.tables.store.next_deadline()
        if following is not None and following <= now:
            self._let_fall(now)
            following = self.tables.store.next_deadline()
        if following is not None and now >= self._next_beat:
            self._beat(now)
        wait = self.LONGEST_WAIT
        if following is not None:
            wait = min(wait, following - self.tables.clock())
        return max(0.0, wait - self.SHORTEST_WAIT)  # it is slept before

    def _let_fall(self, now: float) -> None:
        self._failed = {table: again for table, again in self._failed.items() if again > now}
        for table_id in self.tables.store.fallen(now):
            if table_id not in self._failed:
                self._fall(table_id, now)

    def _beat(self, now: float) -> None:
        self._next_beat = now + BEAT_SECONDS
        self.tables.store.beat(now)

    def _fall(self, table_id: str, now: float) -> None:
        try:
            self.tables.timing.flag(table_id)
        except Unavailable:
            raise
        except TableError as error:
            self._failed[table_id] = now + AGAIN_SECONDS
            log.warning("the flag at table %s cannot fall: %s", table_id, error)
