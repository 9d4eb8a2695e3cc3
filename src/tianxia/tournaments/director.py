"""Who looks after tournaments."""

from __future__ import annotations

from tianxia.tables.caretaker import Caretaker
from tianxia.tournaments.service import Tournaments


class Director(Caretaker):
    """Begins tournaments and rounds in time, and counts games soon after their end."""

    NAME = "tournaments"
    LOG = "tianxia.tournaments"
    WHAT = "tournaments"
    LONGEST_WAIT = 2.0
    SHORTEST_WAIT = 1.0

    def __init__(self, tournaments: Tournaments) -> None:
        super().__init__(tournaments.tables)
        self._tournaments = tournaments

    def sweep(self) -> float:
        """Do what is due in all tournaments; return after how long to look again."""
        self._tournaments.sweep()
        return self.LONGEST_WAIT
