"""Clocks of seats: how much time there is, and what a log says of how it was spent.

Pure arithmetic over moments that are passed in. Clocks follow from public facts alone: from
when a seat began and ceased to be asked. What a seat does in secret meanwhile changes
nothing, so a clock tells nothing of it.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from tianxia.draw.languages import N_
from tianxia.tables.errors import Refused

log = logging.getLogger("tianxia.tables")

DAY = 86400.0
MOST_LAG = 1.0
"""Seconds on the way to us that a turn is forgiven at most."""
SHORTEST, LONGEST = 10, 3 * 3600
"""Seconds with which a live clock may begin."""
MOST_GAIN = 180
DAYS = (1, 2, 3, 7)
QUICK = 600.0
"""A live game whose players have less than this for forty turns is a quick one."""
USUAL_TURNS = 40
RETURN_SHARE = 10
"""Who comes back has at least this part of what the clock began with."""
TWO = 2
JUMP = 0.5
"""The system's clock may be off by so much before we say that it has jumped."""
DRIFT = 0.0005
"""How fast we follow it otherwise, in seconds a second."""

_LIVE = re.compile(r"([0-9]{1,5})\+([0-9]{1,3})")
_MAIL = re.compile(r"([1-9])d")


@dataclass(frozen=True, slots=True)
class Pace:
    """How much time players have.

    Attributes
    ----------
    kind
        ``none``; ``live``: a bank of seconds and a gain for each turn; ``mail``: so long for
        each decision.
    base, gain
        In seconds.
    """

    kind: Literal["none", "live", "mail"] = "none"
    base: float = inf
    gain: float = 0.0

    @classmethod
    def read(cls, text: str) -> Pace:
        """Return a pace as it is written: ``300+5`` (seconds), ``3d`` (days), or nothing.

        Raises
        ------
        Refused
            For anything else.
        """
        if not text:
            return cls()
        if (mail := _MAIL.fullmatch(text)) and int(mail[1]) in DAYS:
            return cls("mail", int(mail[1]) * DAY)
        live = _LIVE.fullmatch(text)
        if live and SHORTEST <= int(live[1]) <= LONGEST and int(live[2]) <= MOST_GAIN:
            return cls("live", float(live[1]), float(live[2]))
        raise Refused(
            "pace",
            N_(
                "There is no such clock as “{pace}”. Give seconds to begin with and seconds for "
                "each turn, as in 300+5, or days for each decision (1d, 2d, 3d, 7d)."
            ),
            pace=text[:20],
        )

    def __str__(self) -> str:
        if self.kind == "mail":
            return f"{self.base / DAY:.0f}d"
        return f"{self.base:.0f}+{self.gain:.0f}" if self.kind == "live" else ""

    @property
    def category(self) -> Literal["quick", "calm", "mail", "none"]:
        """What is rated together: ``quick``, ``calm``, ``mail``; ``none`` without a clock."""
        if self.kind != "live":
            return self.kind
        return "quick" if self.base + USUAL_TURNS * self.gain < QUICK else "calm"


@dataclass(slots=True)
class Clocks:
    """The clocks of a table's seats.

    Attributes
    ----------
    left
        Seconds that each seat has; of one that is running, when it began to run.
    since
        When a seat's clock began to run; None where it stands.
    away
        Until when a seat is on holiday.
    gains
        What turns have gained, by the last entry of each: it goes when that is taken back.
    """

    pace: Pace
    left: list[float]
    since: list[float | None]
    away: list[float]
    gains: dict[int, tuple[int, float]] = field(default_factory=dict)

    @classmethod
    def of(cls, pace: Pace, seats: int) -> Clocks:
        """Return the clocks of a table before the game."""
        return cls(pace, [pace.base] * seats, [None] * seats, [0.0] * seats)

    def copy(self) -> Clocks:
        """Return clocks that can be changed."""
        return Clocks(self.pace, [*self.left], [*self.since], [*self.away], dict(self.gains))

    # --- Reading them ---

    def used(self, seat: int, at: float) -> float:
        """Return for how many seconds a seat has been asked; 0 where it is not."""
        since = self.since[seat]
        return 0.0 if since is None else max(0.0, at - since)

    def falls(self, seat: int) -> float | None:
        """Return when a seat's flag falls unless it acts; None where it cannot."""
        since = self.since[seat]
        return None if since is None or self.pace.kind == "none" else since + self.left[seat]

    @property
    def deadline(self) -> float | None:
        """When the next flag falls."""
        falls = [fall for seat in range(len(self.left)) if (fall := self.falls(seat)) is not None]
        return min(falls, default=None)

    def fallen(self, at: float) -> list[int]:
        """Return the seats whose time is over."""
        falls = ((seat, self.falls(seat)) for seat in range(len(self.left)))
        return [seat for seat, fall in falls if fall is not None and fall <= at]

    # --- Changing them ---

    def ask(
        self, asked: Collection[int], at: float, entry: int, actor: int | None, spent: float
    ) -> None:
        """Let the clocks of those run who are asked, and of nobody else.

        Parameters
        ----------
        entry, actor, spent
            The entry of the log that has changed it, who acted with it, and how many seconds
            the turn has cost that seat.
        """
        for seat, since in enumerate(self.since):
            if seat in asked and since is None:
                self._start(seat, at)
            elif seat not in asked and since is not None:
                self._stop(seat, at, entry, spent if seat == actor else None)

    def _start(self, seat: int, at: float) -> None:
        if self.pace.kind == "mail":
            self.left[seat] = self.pace.base
        self.since[seat] = max(at, self.away[seat]) if self.pace.kind == "mail" else at

    def _stop(self, seat: int, at: float, entry: int, spent: float | None) -> None:
        """Stop a clock; who has acted (`spent` is a number) gains for the turn."""
        used = self.used(seat, at)
        self.since[seat] = None
        if self.pace.kind != "live":
            return
        self.left[seat] = max(0.0, self.left[seat] - (used if spent is None else spent))
        if spent is None:
            return
        gained = self.left[seat] + self.pace.gain
        if len(self.left) > TWO:  # a bank holds no more than it began with
            gained = max(self.left[seat], min(gained, self.pace.base))
        self.gains[entry] = seat, gained - self.left[seat]
        self.left[seat] = gained

    def decided(self, seat: int, at: float) -> None:
        """Note that a seat has openly decided something and is asked again at once."""
        if self.since[seat] is not None and self.pace.kind != "live":
            self._start(seat, at)

    def forget(self, entries: Collection[int]) -> None:
        """Take back what the turns have gained to which these entries belong."""
        for entry in self.gains.keys() & set(entries):
            seat, gain = self.gains.pop(entry)
            self.left[seat] = max(0.0, self.left[seat] - gain)

    def pause(self, seat: int | None, at: float, seconds: float) -> None:
        """Begin a holiday of a seat, or (None) let all clocks that run have stood for so long.

        Less than no time makes up for a clock of the machine that was put back.
        """
        if seat is not None:
            self.rest(seat, at, at + seconds)
        else:
            self.since = [None if since is None else since + seconds for since in self.since]

    def rest(self, seat: int, at: float, until: float) -> None:
        """Let a seat be on holiday until then."""
        since, before = self.since[seat], max(at, self.away[seat])
        self.away[seat] = until
        if self.pace.kind == "mail" and since is not None:
            self.since[seat] = since + until - before  # what was used before the holiday stays used

    def come_back(self, seat: int) -> None:
        """Give time to somebody for whom a bot has played."""
        if self.pace.kind == "live":
            least = max(self.pace.gain, self.pace.base / RETURN_SHARE)
            self.left[seat] = max(self.left[seat], least)


class SteadyClock:
    """The time of day that does not jump when somebody sets the machine's clock.

    It goes with the monotonic clock and follows the system's slowly; a jump is logged once
    and not followed until the process is started again.
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._last = steady()
        self._offset = wall() - self._last
        self._jumped = False
        self._lock = threading.Lock()

    def __call__(self) -> float:
        """Return the seconds since 1970."""
        with self._lock:
            now = self._steady()
            off = self._wall() - now - self._offset
            if abs(off) > JUMP and not self._jumped:
                log.warning(
                    "the clock of this machine has jumped by %.1f s; ours goes on as it was until "
                    "Tianxia is started again",
                    off,
                )
            self._jumped = abs(off) > JUMP
            if not self._jumped:
                most = (now - self._last) * DRIFT
                self._offset += max(-most, min(off, most))
            self._last = now
            return now + self._offset
