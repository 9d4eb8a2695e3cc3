"""Threads for what can wait: bots, hints, the weighing of finished games.

Compiled code thinks without the interpreter's lock, but on the processors that answers need,
too. Where the system lets single threads step back (Linux), these do.
"""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

NICENESS = 10


def step_back() -> None:
    """Let this thread get what processor time others leave; for the rest of its life."""
    if sys.platform == "linux":
        # There, a thread has a niceness of its own.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def thinkers(threads: int, name: str) -> ThreadPoolExecutor:
    """Return threads for work that others do not wait for."""
    return ThreadPoolExecutor(threads, f"tianxia-{name}", initializer=step_back)
