"""What a mind does next: fair between people, not between their tables.

Whoever has many tables waits for the first of them as long as everybody else, and for the
others longer. This is start-time fair queueing: each group has a clock of its own, which
runs with the time that it was given; the group whose clock is furthest behind is next. Who
comes late starts at the present time and so is next at once, but has not saved anything up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

BOTS_ONLY = 4.0
"""Games at which nobody plays wait for people's: their clocks run so many times as fast."""
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do.

    Attributes
    ----------
    key
        What it is; there is one job of each key.
    due
        When it may begin, by `time.monotonic`.
    group
        Whose it is.
    weight
        How fast the group's clock runs meanwhile.
    urgent
        Whether somebody sits there and waits for just this.
    """

    key: str
    due: float
    group: str
    weight: float = 1.0
    urgent: bool = False


class Agenda:
    """Jobs, each at its time. Safe to use from many threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._jobs: dict[str, Job] = {}
        self._given: dict[str, float] = {}  # the clocks of the groups
        self._now = 0.0  # the clock of what was taken last
        self._woken = False

    def put(self, job: Job) -> None:
        """Plan a job, in the place of one with the same key."""
        with self._changed:
            self._jobs[job.key] = job
            self._changed.notify()

    def drop(self, key: str) -> None:
        """Forget a job."""
        with self._changed:
            self._jobs.pop(key, None)

    def wake(self) -> None:
        """End the waiting of `take`, now or the next time."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def take(self, seconds: float, fits: Callable[[Job], bool] = lambda job: True) -> Job | None:
        """Return what is to be done next, and forget it; None where nothing is due in time.

        Parameters
        ----------
        seconds
            How long to wait for something that is due.
        fits
            Which jobs are meant.
        """
        end = self._clock() + seconds
        with self._changed:
            while True:
                now = self._clock()
                jobs = [job for job in self._jobs.values() if fits(job)]
                due = [job for job in jobs if job.due <= now]
                if due:
                    return self._begin(min(due, key=self._rank))
                if self._woken or now >= end:
                    self._woken = False
                    return None
                self._changed.wait(min([end, *(job.due for job in jobs)]) - now)

    def _rank(self, job: Job) -> tuple[bool, float, float]:
        return not job.urgent, max(self._given.get(job.group, 0.0), self._now), job.due

    def _begin(self, job: Job) -> Job:
        del self._jobs[job.key]
        if not job.urgent:
            self._now = max(self._given.get(job.group, 0.0), self._now)
        return job

    def spent(self, job: Job, seconds: float) -> None:
        """Say how long a job took."""
        with self._changed:
            begun = max(self._given.pop(job.group, 0.0), self._now)
            self._given[job.group] = begun + seconds * job.weight
            while len(self._given) > REMEMBERED:
                del self._given[next(iter(self._given))]
