"""Who files games, and counts rated ones, as they end."""

from __future__ import annotations

from tianxia.ratings.played import Played
from tianxia.ratings.service import Ratings
from tianxia.tables import Tables
from tianxia.tables.caretaker import Caretaker


class Settler(Caretaker):
    """Files games, and counts rated ones, soon after their end; at the start what was left."""

    NAME = "ratings"
    LOG = "tianxia.ratings"
    WHAT = "games that ended"
    LONGEST_WAIT = 60.0
    SHORTEST_WAIT = 0.5

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self._ratings = Ratings(tables)
        self._played = Played(tables)

    def sweep(self) -> float:
        """Count all that is left; return after how long to look again."""
        self._ratings.settle()
        while self._played.settle() and not self.stopping:
            continue
        return self.LONGEST_WAIT
