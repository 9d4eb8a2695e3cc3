"""One process that thinks: ``python -m tianxia.minds.mind``, started by a crew.

It ends when its standard input does: with the crew, however that ended. It ends itself when
a thought takes far too long, and the crew starts another one; nothing is lost with it.
"""

from __future__ import annotations

import logging
import os
import threading
import time

from tianxia.logs import set_up
from tianxia.minds.processes import end_with_input
from tianxia.tables import Tables, Thinker
from tianxia.tables.errors import Unavailable
from tianxia.tables.samples import Figures, Sampler
from tianxia.tables.thinker import RHYTHM

log = logging.getLogger("tianxia.minds")

DATABASE, CREW, PACE, LOG = (
    f"TIANXIA_MIND_{name}" for name in ("DATABASE", "CREW", "RHYTHM", "LOG")
)
"""Environment variables that tell it its work."""
AGAIN_SECONDS = 5.0
"""How often is asked for a game whose code is not there, though no word has come."""
HANG_SECONDS = 60.0
WATCH_SECONDS = 1.0
HANGS = 70
"""The exit status of one that hung."""


class Ready:
    """The games whose code is there, as the crew has written it down."""

    def __init__(self, tables: Tables, crew: str) -> None:
        self._tables = tables
        self._crew = crew
        self._games: set[str] = set()
        self._changed, self._again = True, 0.0
        tables.minds_news.listen(self._note)

    def _note(self, _: str, __: int) -> None:
        self._changed = True

    def __call__(self, game: str) -> bool:
        """Say whether a game's code is there.

        News may be missed, as while the database is away: what is not there is looked for anew.
        """
        now = time.monotonic()
        if self._changed or (game not in self._games and now >= self._again):
            self._changed, self._again = False, now + AGAIN_SECONDS
            self._games = self._tables.work.ready(self._crew)
        return game in self._games


def watch(thinker: Thinker, seconds: float) -> None:
    """End this process where one thought takes longer than that."""
    while True:
        time.sleep(WATCH_SECONDS)
        busy = thinker.busy
        if busy is not None and time.monotonic() - busy[1] > seconds:
            log.error("a mind hangs at %s and is started again", busy[0])
            logging.shutdown()
            os._exit(HANGS)


def main() -> None:
    """Think until the crew ends."""
    threading.Thread(target=end_with_input, daemon=True).start()
    set_up(os.environ.get(LOG, "info"))
    try:
        tables = Tables(os.environ[DATABASE])
    except Unavailable as error:
        log.warning("a mind cannot reach the tables: %s", error)
        os._exit(1)
    rhythm = float(os.environ.get(PACE, RHYTHM))
    thinker = Thinker(tables, rhythm=rhythm, awake=Ready(tables, os.environ[CREW]))
    threading.Thread(target=watch, args=(thinker, HANG_SECONDS), daemon=True).start()
    Sampler(tables, lambda: Figures(thoughts=list(thinker.thoughts))).start()
    thinker.run()


if __name__ == "__main__":
    main()
