"""How far the minds of each game are, as pages and whoever watches over a server are told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, cast

from tianxia.tables.errors import Unavailable
from tianxia.tables.service import Tables

Awareness = Literal["asleep", "waking", "ready", "failed"]
BEST = ("ready", "waking", "asleep", "failed")
"""Where machines differ, the best one counts."""
LASTS_SECONDS = 5.0
"""After this long the database is asked again, though no word has come."""
ALIVE_SECONDS = 35.0
"""Of a machine that was not heard of for so long nothing is expected any more."""
SECONDS_STEP = 5


@dataclass(frozen=True)
class Mind:
    """How far the minds of a game are.

    Attributes
    ----------
    stage
        ``asleep`` where nobody thinks for the game yet, ``waking`` while its code is compiled.
    part
        How much of that is done, in per cent, in steps of ten.
    seconds
        About how long it takes still, in steps of five; None where nobody knows.
    behind
        Whether the code of another game is compiled first.
    """

    stage: Awareness
    part: int = 0
    seconds: int | None = None
    behind: bool = False


ASLEEP = Mind("asleep")


class Minds:
    """The minds of all machines that share a database. Safe to use from many threads."""

    def __init__(self, tables: Tables, clock: Callable[[], float] = time.monotonic) -> None:
        self._tables = tables
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, Mind] = {}
        self._until = 0.0
        self._unlisten = tables.minds_news.listen(self._note)

    def close(self) -> None:
        """Listen no longer."""
        self._unlisten()

    def _note(self, _: str, __: int) -> None:
        self._until = 0.0

    def look(self, game: str) -> Mind:
        """Return how far the minds of a game are."""
        stages = self.stages()
        mind = stages.get(game, ASLEEP)
        if mind.stage != "asleep":
            return mind
        return replace(mind, behind=any(one.stage == "waking" for one in stages.values()))

    def stages(self) -> dict[str, Mind]:
        """Return how far the minds of all games are that somebody thinks for."""
        with self._lock:
            if self._clock() >= self._until:
                self._until = self._clock() + LASTS_SECONDS
                with suppress(Unavailable):  # what was known last is told until it is back
                    self._known = self._read()
            return self._known

    def _read(self) -> dict[str, Mind]:
        found: dict[str, Mind] = {}
        for game, stage, part, seconds in self._tables.work.minds(time.time() - ALIVE_SECONDS):
            left = None if seconds is None else -(-seconds // SECONDS_STEP) * SECONDS_STEP
            mind = Mind(cast(Awareness, stage), part, left)
            known = found.get(game)
            if known is None or _rank(mind) < _rank(known):
                found[game] = mind
        return found


def _rank(mind: Mind) -> tuple[int, int]:
    return BEST.index(mind.stage), -mind.part
