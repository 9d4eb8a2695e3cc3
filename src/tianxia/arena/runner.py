"""Playing a plan: on all cores, one process and one game at a time for each, or on a cluster."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from types import FrameType

import tianxia
from tianxia.arena import cluster
from tianxia.arena.archive import Archive, Finished
from tianxia.arena.course import Outcome
from tianxia.arena.plan import Fixture, Plan
from tianxia.arena.players import demand_programs
from tianxia.arena.table import Table
from tianxia.kernel.errors import TianxiaError


def run(archive: Archive, workers: int | None = None, ray: str | None = None) -> Iterator[Outcome]:
    """Play what a plan still lacks; yield each game when it is done and kept.

    Parameters
    ----------
    workers
        How many processes; None is one for each core. With 1 this process plays itself. With
        more, a script needs ``if __name__ == "__main__":``, since they are started anew.
    ray
        The address of a Ray cluster that plays instead, `workers` games at a time.

    Raises
    ------
    TianxiaError
        Where a process was killed, a program outside is not there, games of another generation
        are, or a cluster cannot play.
    """
    plan = archive.plan
    if ray is None:
        tianxia.game(plan.game).prepare()  # compiled once, here, and not in every process
        Table(plan, archive.folder).warm_up()
        demand_programs(plan.players)
    with archive.lock():
        done = {outcome.number for outcome in archive.outcomes()}
        fixtures = [fixture for fixture in plan.fixtures() if fixture.number not in done]
        if done and fixtures:
            archive.check_generation()
        for finished in _finished(archive, fixtures, workers, ray):
            archive.keep(finished)
            yield finished.outcome


def _finished(
    archive: Archive, fixtures: list[Fixture], workers: int | None, ray: str | None
) -> Iterator[Finished]:
    if ray is not None:
        return cluster.play(archive.plan, fixtures, ray, workers)
    count = min(workers or os.cpu_count() or 1, len(fixtures))
    if count <= 1:
        return _alone(archive.plan, archive.folder, fixtures)
    return _shared(archive.plan, archive.folder, fixtures, count)


def _alone(plan: Plan, folder: Path, fixtures: list[Fixture]) -> Iterator[Finished]:
    table = Table(plan, folder)
    try:
        for fixture in fixtures:
            yield table.play(fixture)
    finally:
        table.bench.close()


def _shared(plan: Plan, folder: Path, fixtures: list[Fixture], count: int) -> Iterator[Finished]:
    # Other ways of starting processes would copy this one's threads half-way.
    context = get_context("spawn")
    pool = ProcessPoolExecutor(count, context, _open, (plan, folder))
    finished = False
    try:
        with _unheard():
            jobs = [pool.submit(_play, fixture) for fixture in fixtures]
        for job in as_completed(jobs):
            yield job.result()
        finished = True
    except BrokenProcessPool as error:
        raise TianxiaError("a process was killed; the same command goes on from here") from error
    finally:
        pool.shutdown(wait=finished, cancel_futures=True)
        if not finished:
            for process in active_children():
                process.terminate()


@contextmanager
def _unheard() -> Iterator[None]:
    """Keep Ctrl-C from processes that are started meanwhile; it reaches this one afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- In a process ---

_table: Table | None = None


def _open(plan: Plan, folder: Path) -> None:
    """Prepare a process: it ends when it is told to, and takes its programs with it."""
    global _table  # noqa: PLW0603  (the one thing that a process keeps between games)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _table = Table(plan, folder)
    _table.warm_up()


def _end_with_parent() -> None:
    """End when the process that takes the games has been killed."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _stop(0, None)


def _stop(_number: int, _frame: FrameType | None) -> None:
    if _table is not None:
        _table.bench.close()
    os._exit(1)


def _play(fixture: Fixture) -> Finished:
    assert _table is not None  # noqa: S101
    return _table.play(fixture)
