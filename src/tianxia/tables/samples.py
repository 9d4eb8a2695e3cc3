"""What processes count, kept for a day: a host sees how it went without any other program.

Each process writes a row of its own, over and over for five minutes, then the next one. So
no two write the same row, and a process that is killed takes a minute's figures with it at most.
"""

from __future__ import annotations

import json
import os
import secrets
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import reduce
from typing import Any

import sqlalchemy as sa

from tianxia.tables import schema
from tianxia.tables.caretaker import Caretaker
from tianxia.tables.errors import TableError
from tianxia.tables.leases import HOST
from tianxia.tables.service import Tables
from tianxia.tables.store import Store

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds up to which times are counted together; the last count is of those beyond."""
SLOT_SECONDS = 300
SLOTS = 24 * 3600 // SLOT_SECONDS
OF_ALL = ("waiting", "playing", "ended", "bots", "oldest")
"""What each process finds alike in the database."""


def spread() -> list[int]:
    """Return counts of times: none yet."""
    return [0] * (len(BOUNDS) + 1)


def count(times: list[int], seconds: float) -> None:
    """Count how long something took."""
    times[bisect_left(BOUNDS, seconds)] += 1


def within(times: Sequence[int], part: float) -> float | None:
    """Return the seconds within which that part of them was; None where there are none.

    Between two bounds times are taken to be spread evenly.
    """
    wanted, below, low = part * sum(times), 0, 0.0
    if not wanted:
        return None
    for many, high in zip(times, BOUNDS, strict=False):
        if below + many >= wanted:
            return low + (high - low) * (wanted - below) / many
        below, low = below + many, high
    return BOUNDS[-1]


@dataclass(frozen=True)
class Figures:
    """What happened in some time, in one process or in all.

    Attributes
    ----------
    answers, database, thoughts
        How long each took: counts by `BOUNDS`.
    refused, failed
        Answers that said so: 4xx, 5xx.
    pages
        Open at a time.
    waiting, playing, ended
        Tables.
    bots, oldest
        Tables at which a bot is to move, and the seconds for which the first of them has waited.
    """

    answers: list[int] = field(default_factory=spread)
    refused: int = 0
    failed: int = 0
    pushes: int = 0
    pages: int = 0
    database: list[int] = field(default_factory=spread)
    thoughts: list[int] = field(default_factory=spread)
    waiting: int = 0
    playing: int = 0
    ended: int = 0
    bots: int = 0
    oldest: float = 0.0

    @classmethod
    def read(cls, text: str) -> Figures:
        """Return what a row holds; another version's row may hold less, or something else."""
        found, whole = json.loads(text), asdict(cls())
        return cls(**{n: found[n] for n in whole if _alike(found.get(n), whole[n])})

    def then(self, later: Figures) -> Figures:
        """Return this with what came after it in the same five minutes.

        What is there at a time is the most of both.
        """
        return _joined(self, later, (*OF_ALL, "pages"))

    def before(self, following: Figures) -> Figures:
        """Return this with the next five minutes: games that end there are others."""
        at_a_time = tuple(name for name in OF_ALL if name != "ended")
        return _joined(self, following, (*at_a_time, "pages"))

    def beside(self, other: Figures) -> Figures:
        """Return this with what another process has counted meanwhile."""
        return _joined(self, other, OF_ALL)

    def since(self, before: Figures) -> Figures:
        """Return what has happened since counters stood like that; the rest as it is now."""
        mine, known = asdict(self), asdict(before)
        for name, value in mine.items():
            if isinstance(value, list):
                mine[name] = [one - other for one, other in zip(value, known[name], strict=True)]
            elif name not in (*OF_ALL, "pages"):
                mine[name] = value - known[name]
        return Figures(**mine)


def _alike(value: object, usual: object) -> bool:
    if isinstance(usual, list):
        return isinstance(value, list) and len(value) == len(usual)
    return isinstance(value, int | float)


def _joined(one: Figures, other: Figures, most: tuple[str, ...]) -> Figures:
    joined: dict[str, Any] = {}
    for name in (each.name for each in fields(Figures)):
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, list):
            joined[name] = [sum(pair) for pair in zip(mine, theirs, strict=True)]
        else:
            joined[name] = max(mine, theirs) if name in most else mine + theirs
    return Figures(**joined)


class Samples:
    """The figures of all processes of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, slot: int, process: str, figures: Figures) -> None:
        """Write what a process has counted in five minutes, in the place of what it had."""
        text = json.dumps(asdict(figures), separators=(",", ":"))
        self._store.put(schema.samples, {"slot": slot, "process": process}, {"figures": text})

    def forget(self, slot: int) -> None:
        """Drop what is older than a day."""
        with self._store.writing() as connection:
            old = schema.samples.c.slot < slot - SLOTS
            connection.execute(sa.delete(schema.samples).where(old))

    def since(self, at: float, until: float) -> list[Figures | None]:
        """Return the figures of each five minutes between two moments, those of both included.

        None where nobody was there.
        """
        sample, first, last = schema.samples.c, int(at // SLOT_SECONDS), int(until // SLOT_SECONDS)
        query = sa.select(sample.slot, sample.figures).where(sample.slot.between(first, last))
        slots: list[list[Figures]] = [[] for _ in range(first, last + 1)]
        for slot, text in self._store.rows(query):
            slots[slot - first].append(Figures.read(text))
        return [reduce(Figures.beside, slot) if slot else None for slot in slots]

    def day(self, now: float) -> list[Figures | None]:
        """Return the figures of the last day, the newest last."""
        return self.since(now - (SLOTS - 1) * SLOT_SECONDS, now)


class Sampler(Caretaker):
    """Keeps what a process counts; one of these in each."""

    NAME = "samples"
    LOG = "tianxia.tables"
    WHAT = "figures"
    LONGEST_WAIT = 0.0
    SHORTEST_WAIT = 60.0

    def __init__(self, tables: Tables, counted: Callable[[], Figures]) -> None:
        """Begin to count from here; `counted` says how far counters are."""
        super().__init__(tables)
        self._process = f"{HOST}/{os.getpid()}/{secrets.token_hex(4)}"
        self._samples = Samples(tables.store)
        self._counted = counted
        self._before = counted()
        self._slot, self._figures = -1, Figures()

    def close(self) -> None:
        """Keep the rest, and stop."""
        super().close()
        try:
            self.sweep()
        except TableError:
            return  # the last minute is lost

    def sweep(self) -> float:
        """Keep what was counted since the last time."""
        now, counted = self.tables.clock(), self._counted()
        slot, more = int(now // SLOT_SECONDS), counted.since(self._before)
        self._before = counted
        if new := slot != self._slot:
            self._slot, self._figures = slot, Figures()
        self._figures = self._figures.then(more)
        bots, oldest = self.tables.work.queue(now)
        busy = self.tables.store.busy(slot * SLOT_SECONDS)
        there = Figures(bots=bots, oldest=round(oldest, 1), **busy)  # type: ignore[arg-type]
        self._figures = self._figures.then(there)
        self._samples.keep(slot, self._process, self._figures)
        if new:
            self._samples.forget(slot)
        return self.LONGEST_WAIT
