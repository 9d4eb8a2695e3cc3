"""What the server counts about itself, for Prometheus: at ``/metrics``, never what was played.

Whoever does the work feeds these objects; they cost a microsecond each. Several processes
count together where ``PROMETHEUS_MULTIPROC_DIR`` names a folder of theirs before the first
import of this module.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import reduce
from itertools import pairwise
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector

from tianxia.tables import Tables
from tianxia.tables.samples import BOUNDS, SLOT_SECONDS, Figures, Samples, within
from tianxia.web.settings import SettingsError

KIND = "text/plain; version=0.0.4; charset=utf-8"
TOGETHER = "PROMETHEUS_MULTIPROC_DIR"
STATES = ("waiting", "playing", "over")
if TOGETHER in os.environ and not Path(os.environ[TOGETHER] or "-").is_dir():
    raise SettingsError(f"{TOGETHER} should be a folder that there is, and that is empty")
OWN = CollectorRegistry()
ProcessCollector(registry=OWN)

ANSWERS = Histogram(
    "tianxia_answer_seconds",
    "How long answers took, by the form of the address, the method and the hundreds of the status.",
    ("route", "method", "status"),
    buckets=BOUNDS,
    registry=OWN,
)
REFUSALS = Counter(
    "tianxia_refusals",
    "Requests refused or failed, by status and code.",
    ("status", "code"),
    registry=OWN,
)
CONNECTIONS = Gauge(
    "tianxia_connections", "Open connections.", registry=OWN, multiprocess_mode="livesum"
)
DROPPED = Counter(
    "tianxia_connections_dropped",
    "Connections refused or let go, by reason.",
    ("reason",),
    registry=OWN,
)
WEBSOCKETS = Gauge("tianxia_websockets", "Open pages.", registry=OWN, multiprocess_mode="livesum")
PUSHES = Counter(
    "tianxia_pushes", "What was pushed to open pages, by kind.", ("kind",), registry=OWN
)
WORK = Counter(
    "tianxia_work_seconds", "The processor's time of what was read and drawn.", registry=OWN
)
DATABASE = Histogram(
    "tianxia_database_seconds",
    "How long the database took, by kind of transaction, waiting for it included.",
    ("kind",),
    buckets=BOUNDS,
    registry=OWN,
)


def database(kind: str, seconds: float) -> None:
    """Note how long a transaction took: what `Store.timed` is set to."""
    DATABASE.labels(kind).observe(seconds)


def counted() -> Figures:
    """Return how far this process has counted, for `tianxia.tables.samples`."""
    answers = [one for metric in ANSWERS.collect() for one in metric.samples]
    hundreds = {"4xx": 0, "5xx": 0}
    for one in answers:
        if one.name.endswith("_count") and (status := one.labels["status"]) in hundreds:
            hundreds[status] += int(one.value)
    return Figures(
        answers=_times(ANSWERS),
        refused=hundreds["4xx"],
        failed=hundreds["5xx"],
        pushes=_total(PUSHES, "_total"),
        pages=_total(WEBSOCKETS, ""),
        database=_times(DATABASE),
    )


def _times(histogram: Histogram) -> list[int]:
    """Return the counts of a histogram by `BOUNDS`, whatever its labels."""
    upto: dict[float, float] = dict.fromkeys((*BOUNDS, float("inf")), 0.0)
    for metric in histogram.collect():
        for one in metric.samples:
            if one.name.endswith("_bucket"):
                upto[float(one.labels["le"])] += one.value
    sums = [0, *(int(value) for value in upto.values())]
    return [after - before for before, after in pairwise(sums)]


def _total(metric: Counter | Gauge, ending: str) -> int:
    name = f"{next(iter(metric.describe())).name}{ending}"
    return int(sum(s.value for m in metric.collect() for s in m.samples if s.name == name))


class Asked(Collector):
    """What the database knows when somebody asks: tables by state, and bots that wait."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def collect(self) -> Iterable[Metric]:
        """Return the present figures."""
        family = GaugeMetricFamily("tianxia_tables", "Tables by state.", labels=["state"])
        states = dict.fromkeys(STATES, 0) | dict(self._tables.store.states())
        for state, number in states.items():
            family.add_metric([state], number)
        yield family
        waiting, oldest = self._tables.work.queue(self._tables.clock())
        text = "Tables at which a bot is to move."
        yield GaugeMetricFamily("tianxia_bots_waiting", text, value=waiting)
        text = "How long the one of them has waited that has waited longest."
        yield GaugeMetricFamily("tianxia_bot_queue_seconds", text, value=oldest)
        yield self._thoughts()

    def _thoughts(self) -> Metric:
        """Return how long bots have thought lately, as minds have written it down."""
        text = "How long decisions of bots took in the last five to ten minutes, by quantile."
        family = GaugeMetricFamily("tianxia_think_seconds", text, labels=["quantile"])
        now = self._tables.clock()
        slots = Samples(self._tables.store).since(now - SLOT_SECONDS, now)
        lately = reduce(Figures.beside, (one for one in slots if one), Figures())
        for part in (0.5, 0.95):
            if (seconds := within(lately.thoughts, part)) is not None:
                family.add_metric([str(part)], seconds)
        return family


def forget(pid: int | None) -> None:
    """Count open connections and pages of a process that has ended no longer."""
    if pid and TOGETHER in os.environ:
        mark_process_dead(pid)


def exposition(tables: Tables) -> bytes:
    """Return all of it as Prometheus reads it."""
    asked = CollectorRegistry()
    if TOGETHER in os.environ:
        MultiProcessCollector(asked)
    else:
        asked.register(OWN)
    asked.register(Asked(tables))
    return generate_latest(asked)
