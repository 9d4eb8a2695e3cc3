"""Playing a plan on a Ray cluster: each of its processors takes a game at a time.

What a game is made of follows from its fixture, so it does not matter where it is played, and
one whose process or machine dies is played again elsewhere. Everything is kept here.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from functools import cache
from itertools import islice
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import tianxia
from tianxia.arena.archive import Finished
from tianxia.arena.made import Made
from tianxia.arena.plan import Fixture, Plan
from tianxia.arena.table import Table
from tianxia.kernel.errors import TianxiaError

TRIES = 10
"""How often a game is begun again whose process has died."""
AHEAD = 2
"""Games that are handed out for each processor, so that none has to wait for the next."""
PAUSE = 5.0
"""Seconds after which it is looked whether the cluster has grown."""
PATIENCE = 10.0
"""Seconds after which nobody is taken to listen at an address."""


def play(
    plan: Plan, fixtures: list[Fixture], address: str, limit: int | None = None
) -> Iterator[Finished]:
    """Play games on a cluster; yield each when it is done.

    Parameters
    ----------
    address
        As for ``ray.init``: ``HOST:PORT``, ``ray://HOST:PORT``, or ``auto``.
    limit
        How many are played at a time; None is one for each processor.

    Raises
    ------
    TianxiaError
        Where there is no cluster, it has another Tianxia, or games do not come to an end there.
    """
    if not fixtures:
        return
    ray = _joined(address)
    made = Made.now(tianxia.game(plan.game), plan.players)
    job = ray.remote(num_cpus=1, max_retries=TRIES)(_play)
    waiting = iter(fixtures)
    running: list[Any] = []
    try:
        while True:
            most = limit or max(AHEAD * int(ray.cluster_resources().get("CPU", 0)), 1)
            free = islice(waiting, max(most - len(running), 0))
            running += [job.remote(plan, made, fixture) for fixture in free]
            if not running:
                return
            done, running = ray.wait(running, timeout=PAUSE)
            yield from map(ray.get, done)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None)
        if isinstance(cause, TianxiaError):
            raise cause from error
        first = str(error).strip().partition("\n")[0]
        text = f"the cluster has failed ({first}); the same command goes on from here"
        raise TianxiaError(text) from error
    finally:
        ray.shutdown()


def _joined(address: str) -> ModuleType:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise TianxiaError('a cluster needs Ray: pip install ".[ray]" in a clone') from error
    try:
        _demand_listener(address)
        ray.init(address, log_to_driver=False, logging_level="error")
    except (OSError, RuntimeError, ValueError) as error:
        first = str(error).strip().partition("\n")[0]
        raise TianxiaError(f"no Ray cluster answers at {address}: {first}") from error
    return ray


def _demand_listener(address: str) -> None:
    """Raise OSError or ValueError where nothing listens: Ray would try for minutes."""
    found = urlsplit(address if "://" in address else f"//{address}")
    if found.hostname and found.port:
        socket.create_connection((found.hostname, found.port), PATIENCE).close()


# --- In a process of the cluster ---


def _play(plan: Plan, made: Made, fixture: Fixture) -> Finished:
    found = made.differences(Made.now(tianxia.game(plan.game), plan.players))
    if found:
        text = f"a machine of the cluster has something else installed: {'; '.join(found)}"
        raise TianxiaError(text)
    return _table(plan).play(fixture)


@cache
def _table(plan: Plan) -> Table:
    tianxia.game(plan.game).prepare()
    table = Table(plan, None)
    table.warm_up()
    return table
