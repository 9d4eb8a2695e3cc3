"""Processes of ours: they have a low priority, and end with the one that has started them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tianxia.kernel import mode

NICENESS = "TIANXIA_NICENESS"
"""The environment variable that says by how much our processes give way to others: 0 to 19."""
USUAL_NICENESS = 10
GOODBYE_SECONDS = 3.0
Process = subprocess.Popen[str]


def processors() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start(
    module: str,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    talks: bool = False,
) -> Process:
    """Start one of our modules as a process.

    Parameters
    ----------
    environment
        What differs from ours.
    talks
        Whether somebody reads its standard output.
    """
    options: dict[str, Any] = {}
    if sys.platform == "win32":
        options["creationflags"] = subprocess.BELOW_NORMAL_PRIORITY_CLASS
    else:
        # Ctrl-C in the terminal is for us; they hear of it by the end of their input. In a session
        # of its own a process is scheduled without regard for its priority (man sched, autogroup).
        options["process_group"] = 0
    process = subprocess.Popen(  # noqa: S603  (ourselves)
        [sys.executable, "-m", module, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE if talks else subprocess.DEVNULL,
        text=True,
        env={**os.environ, mode.RULES: mode.BOTS, **(environment or {})},
        **options,
    )
    if sys.platform != "win32":
        niceness = int(os.environ.get(NICENESS) or USUAL_NICENESS)
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
    return process


def end_with_input() -> None:
    """Wait for the end of the standard input, then end this process at once."""
    sys.stdin.buffer.read()
    os._exit(0)


def end(processes: Sequence[Process]) -> None:
    """End processes, without asking them."""
    for process in processes:
        with suppress(OSError):
            process.kill()
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(GOODBYE_SECONDS)
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
