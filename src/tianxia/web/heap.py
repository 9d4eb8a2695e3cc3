"""What the collector of garbage looks at: not all that a server keeps.

A thousand tables with open pages are some million objects. Python looks at all of them whenever
their number has grown by a quarter, and for a second nobody is answered. Here what has lived for
a moment is put aside (`gc.freeze`): it is freed as ever when nobody refers to it any more, but the
collector passes it by. Only cycles among it stay, until everything is looked at once more, which
happens when the memory in use has doubled.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Callable
from contextlib import suppress

PAUSE_SECONDS = 10.0
THRESHOLDS = 20_000, 5, 1_000
"""Of Python's own looks at the newest: seldom, for each look costs more than what it frees. It
has nothing old to look at, since that is put aside."""
M_ARENA_MAX = -8
ARENAS = 2
"""Of glibc: it has many, so that threads need not wait for one another. Ours wait for the
interpreter anyhow, and each arena keeps what its largest answer has needed."""


class Heap:
    """Puts aside what has lived for a moment.

    `blocks` counts the memory in use. Objects would be counted one by one; and a list of these
    would hold a tuple, too, that another thread is just making, which would fail.
    """

    def __init__(self, blocks: Callable[[], int] = sys.getallocatedblocks) -> None:
        self._blocks = blocks
        self._looked_at = 0

    def tidy(self) -> None:
        """Free what nobody can reach, and put the rest aside."""
        everything = self._blocks() > 2 * self._looked_at
        if everything:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        if everything:
            self._looked_at = self._blocks()

    async def keep_tidy(self) -> None:
        """Do so again and again, until cancelled."""
        _ask_glibc("mallopt", M_ARENA_MAX, ARENAS)
        usual = gc.get_threshold()
        gc.set_threshold(*THRESHOLDS)
        try:
            while True:
                await asyncio.sleep(PAUSE_SECONDS)
                self.tidy()
        finally:
            gc.set_threshold(*usual)
            gc.unfreeze()


def give_back() -> None:
    """Return to the system what only the start has needed: some MB, where glibc can be asked."""
    gc.collect()
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(name: str, *numbers: int) -> None:
    """Call a function that only glibc has; elsewhere do nothing."""
    with suppress(AttributeError, OSError, TypeError):
        getattr(ctypes.CDLL(None), name)(*numbers)
