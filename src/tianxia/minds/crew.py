"""The processes that think on this machine, those that compile for them, and who watches both.

Code is compiled in the order in which people ask for it: first for the game of the newest
table, then for the others. A game has processes of its own for that, and there are those of
one game at a time. All have a lower priority than those that answer people.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from tianxia.minds.mind import CREW, DATABASE, LOG, PACE
from tianxia.minds.preparing import Phase, Preparing, installed, is_warm
from tianxia.minds.processes import GOODBYE_SECONDS, Process, end, processors, start
from tianxia.tables import Tables
from tianxia.tables.errors import Unavailable
from tianxia.tables.leases import HOST

log = logging.getLogger("tianxia.minds")

LOOK_SECONDS = 0.25
BEAT_SECONDS = 10.0
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 30.0
"""Seconds until a mind that has ended is started again; twice as long each time."""
LASTED_SECONDS = 60.0
"""A mind that lasted so long was well."""
TRIES = 3


@dataclass
class Seat:
    """The place of one mind, whichever process has it."""

    process: Process | None = None
    begun: float = 0.0
    pause: float = SHORTEST_PAUSE
    again: float = 0.0


@dataclass
class Code:
    """How far the code of a game is."""

    game: str
    phase: Phase | Literal["done"] = "first"
    stage: str = "asleep"
    preparing: Preparing | None = None
    told: int = -1
    tries: int = 0


class Crew:
    """All minds of a machine."""

    def __init__(
        self,
        tables: Tables,
        thinkers: int | None = None,
        *,
        games: Sequence[str] | None = None,
        rhythm: float = 0.6,
        log_level: str = "info",
        warm: Callable[[str, Phase], bool] = is_warm,
    ) -> None:
        """Prepare; `start` begins.

        Parameters
        ----------
        thinkers
            How many processes think; None: as many as there are processors.
        games
            Whose code is made ready; None: of all that are installed.
        rhythm
            See `tianxia.tables.thinker.Thinker`.
        """
        self.name = f"{HOST[:40]}/{os.getpid()}/{id(self):x}"[:60]
        self._tables = tables
        self._seats = [Seat() for _ in range(processors() if thinkers is None else thinkers)]
        self._codes = {game: Code(game) for game in (installed() if games is None else games)}
        self._warm = warm
        self._environment = {
            DATABASE: tables.store.url.render_as_string(hide_password=False),
            CREW: self.name,
            PACE: str(rhythm),
            LOG: log_level,
        }
        self._stop = threading.Event()
        self._renew = threading.Event()
        self._next_beat = 0.0
        self._thread = threading.Thread(target=self._run, name="tianxia-crew", daemon=True)

    def start(self) -> Crew:
        """Start the processes, and begin to watch them."""
        if self._seats:
            self._thread.start()
        return self

    def renew(self) -> None:
        """Replace all processes that think, such as by those of a newer version."""
        self._renew.set()

    def close(self) -> None:
        """End all processes; what they think about is thought about again by others."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(GOODBYE_SECONDS)
        end([seat.process for seat in self._seats if seat.process is not None])
        for code in self._codes.values():
            if code.preparing is not None:
                code.preparing.close()
        with suppress(Unavailable):
            self._tables.work.forget_minds(self.name)

    def __enter__(self) -> Crew:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def processes(self) -> list[int]:
        """Return the numbers of the processes that think."""
        return [seat.process.pid for seat in self._seats if seat.process is not None]

    # --- Watching ---

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._watch()
            except Unavailable:
                log.warning("the crew cannot reach the tables; trying again")
            except Exception:
                log.exception("the crew could not look after its minds")
            self._stop.wait(LOOK_SECONDS)

    def _watch(self) -> None:
        now = time.monotonic()
        if self._renew.is_set():
            self._renew.clear()
            for seat in self._seats:
                if seat.process is not None:
                    end([seat.process])
                seat.process, seat.again = None, now
        for seat in self._seats:
            self._look_after(seat, now)
        self._make_ready()
        if now >= self._next_beat:
            self._next_beat = now + BEAT_SECONDS
            self._tables.work.beat(self.name, time.time())

    def _look_after(self, seat: Seat, now: float) -> None:
        """Start a mind, anew where it has ended."""
        process = seat.process
        if process is not None:
            status = process.poll()
            if status is None:
                return
            log.error("a mind has ended (%s); another one takes its place", status)
            end([process])
            seat.process = None
            seat.pause = SHORTEST_PAUSE if now - seat.begun > LASTED_SECONDS else seat.pause
            seat.again, seat.pause = now + seat.pause, min(2 * seat.pause, LONGEST_PAUSE)
        if now >= seat.again:
            seat.begun = now
            seat.process = start("tianxia.minds.mind", environment=self._environment)

    # --- Compiling ---

    def _make_ready(self) -> None:
        """Compile for the game that is wanted most; what nobody waits for is put off for it.

        First what the first moves take, for all games; then all else.
        """
        for code in self._codes.values():
            while code.phase != "done" and code.preparing is None:
                if not self._warm(code.game, code.phase):
                    break
                self._advance(code)
        waiting = [code for code in self._codes.values() if code.phase != "done"]
        waiting = [code for code in waiting if code.stage != "failed"]
        if not waiting:
            return
        played = self._tables.work.wanted()
        order = [*played, *self._codes]
        wanted = min(waiting, key=lambda code: (code.phase != "first", order.index(code.game)))
        begun = next((code for code in waiting if code.preparing is not None), wanted)
        people_wait = begun.phase == "first" and begun.game in played
        if people_wait or wanted.phase != "first":
            wanted = begun
        elif begun is not wanted:
            self._put_off(begun)
        self._go_on(wanted)

    def _put_off(self, code: Code) -> None:
        """End what compiles for a game; what it has compiled is kept, and passed over later.

        It must not stand still instead: it may be alone at what another game needs, too.
        """
        assert code.preparing is not None  # noqa: S101
        code.preparing.close()
        code.preparing = None

    def _advance(self, code: Code) -> None:
        """Note that one phase is over: once that is told, or nobody would think for the game."""
        if code.phase == "first":
            self._tell(code, "ready")
            code.phase = "later"
        else:
            code.phase = "done"

    def _go_on(self, code: Code) -> None:
        """Compile for a game, say how far it is, and whether it is done."""
        if code.preparing is None and code.phase != "done":
            code.preparing = Preparing(code.game, code.phase)
            if code.phase == "first":
                self._tell(code, "waking")
        preparing = code.preparing
        assert preparing is not None  # noqa: S101
        status = preparing.status
        if status is None:
            if code.phase == "first" and preparing.part != code.told:
                self._tell(code, "waking")
            return
        code.preparing = None
        preparing.close()
        if status == 0:
            seconds = round(preparing.seconds_since, 1)
            event = {"game": code.game, "phase": code.phase, "seconds": seconds}
            log.info("compiled", extra={"event": event})
            self._advance(code)
            return
        code.tries += 1
        log.error("compiling for %s has ended with %s", code.game, status)
        if code.tries >= TRIES and code.phase == "first":
            self._tell(code, "failed")
        elif code.tries >= TRIES:
            code.phase = "done"  # what is missing is compiled where it is needed

    def _tell(self, code: Code, stage: str) -> None:
        done = code.preparing.part if code.preparing else 0
        left = code.preparing.seconds_left if code.preparing else None
        part = 100 if stage == "ready" else done
        self._tables.work.note_mind(self.name, code.game, stage, part, left, time.time())
        code.stage, code.told = stage, done
        self._tables.minds_news.publish(code.game, part)
