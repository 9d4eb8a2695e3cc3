"""What the server counts about itself, for Prometheus: at ``/metrics``, never what was played.

Whoever does the work feeds these objects; they cost a microsecond each. Several processes
count together where ``PROMETHEUS_MULTIPROC_DIR`` names a folder of theirs before the first
import of this module.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

KIND = "text/plain; version=0.0.4; charset=utf-8"
SHORT = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.5, 5.0, 10.0)
LONG = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
STATES = ("waiting", "playing", "over")
OWN = CollectorRegistry()
ProcessCollector(registry=OWN)

ANSWERS = Histogram(
    "tianxia_answer_seconds",
    "How long answers took, by the form of the address, the method and the hundreds of the status.",
    ("route", "method", "status"),
    buckets=SHORT,
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
    buckets=SHORT,
    registry=OWN,
)
BOT_QUEUE = Histogram(
    "tianxia_bot_queue_seconds",
    "How long bots waited until one thought for them.",
    buckets=LONG,
    registry=OWN,
)
BOT_THINKING = Histogram(
    "tianxia_bot_thinking_seconds",
    "How long bots thought about a decision, by game.",
    ("game",),
    buckets=LONG,
    registry=OWN,
)


def database(kind: str, seconds: float) -> None:
    """Note how long a transaction took: what `Store.timed` is set to."""
    DATABASE.labels(kind).observe(seconds)


class Tables(Collector):
    """The tables by state, counted when somebody asks."""

    def __init__(self, count: Callable[[], Mapping[str, int]]) -> None:
        self._count = count

    def collect(self) -> Iterable[Metric]:
        """Return their number by state."""
        family = GaugeMetricFamily("tianxia_tables", "Tables by state.", labels=["state"])
        for state, number in (dict.fromkeys(STATES, 0) | dict(self._count())).items():
            family.add_metric([state], number)
        yield family


def exposition(count: Callable[[], Mapping[str, int]]) -> bytes:
    """Return all of it as Prometheus reads it."""
    asked = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(asked)
    else:
        asked.register(OWN)
    asked.register(Tables(count))
    return generate_latest(asked)
