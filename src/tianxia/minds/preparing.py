"""Compiling what a game's bots need, into this machine's cache, step by step.

``python -m tianxia.minds.preparing GAME first 0/2`` does the first of two lanes of steps and
writes a line for each; the process that ends last writes down that the code is there.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Literal, cast, get_args

from tianxia.kernel import mode
from tianxia.kernel.cache import GROUP, prepare
from tianxia.kernel.sources import digest_of_module
from tianxia.logs import set_up
from tianxia.minds.processes import Process, end, end_with_input, processors, start

LINE = "prepared"
LANES = 2
"""Processes that compile for one game, where there are as many processors."""
Phase = Literal["first", "later", "positions"]
"""What a bot's first moves take, all else that bots need, and what compiled positions take."""
PHASES: tuple[Phase, ...] = get_args(Phase)
LOOK_SECONDS = 0.1
STEPS = 10
"""How often people are told how far it is."""


def installed() -> list[str]:
    """Return the names of the games that other processes find, too."""
    return sorted(point.name for point in entry_points(group=GROUP))


@cache
def mark_of(game: str, phase: Phase) -> Path:
    """Return the file that says that a game's code is there, for the sources as they are."""
    (point,) = entry_points(group=GROUP, name=game)
    return prepare() / f"{phase}-{game}-{digest_of_module(point.module)}"


def is_warm(game: str, phase: Phase = "first") -> bool:
    """Say whether what a game's bots need was compiled on this machine before."""
    return mark_of(game, phase).exists()


class Preparing:
    """The code of one game, while processes compile it.

    Attributes
    ----------
    done, of
        How many steps are done, of how many; 0 of 0 as long as nobody knows.
    """

    def __init__(self, game: str, phase: Phase = "first") -> None:
        self.game, self.phase = game, phase
        self.done, self.of = 0, 0
        self._begun = time.monotonic()
        shares = min(LANES, processors())
        self._processes = [
            start(
                "tianxia.minds.preparing",
                *(game, phase, f"{share}/{shares}"),
                environment={mode.RULES: "" if phase == "positions" else mode.BOTS},
                talks=True,
            )
            for share in range(shares)
        ]
        for process in self._processes:
            threading.Thread(target=self._count, args=(process,), daemon=True).start()

    def _count(self, process: Process) -> None:
        assert process.stdout is not None  # noqa: S101
        with suppress(ValueError):  # closed
            for line in process.stdout:
                word, _, rest = line.partition(" ")
                if word == LINE:
                    self.of = int(rest.split()[0])
                    self.done += 1

    @property
    def status(self) -> int | None:
        """None while it goes on, then 0 where all went well."""
        ended = [process.poll() for process in self._processes]
        failed = [status for status in ended if status]
        return failed[0] if failed else None if None in ended else 0

    @property
    def part(self) -> int:
        """How much is done, in per cent, in steps of ten."""
        return self.done * STEPS // self.of * (100 // STEPS) if self.of else 0

    @property
    def seconds_since(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._begun

    @property
    def seconds_left(self) -> int | None:
        """About how long it takes still; None where nobody knows."""
        if not self.done:
            return None
        return max(1, round(self.seconds_since * (self.of - self.done) / self.done))

    def wait(self, show: Callable[[int, int], None] = lambda done, of: None) -> bool:
        """Wait until it has ended, showing how far it is; say whether all went well."""
        try:
            while self.status is None:
                show(self.done, self.of)
                time.sleep(LOOK_SECONDS)
            return self.status == 0
        finally:
            self.close()

    def close(self) -> None:
        """End it, done or not."""
        end(self._processes)


def do_share(game: str, phase: Phase, share: int, of: int) -> Iterator[str]:
    """Do one share of the steps; yield after each how many there are in all, and its name."""
    from tianxia.bots import waking
    from tianxia.kernel.registry import game as game_of

    steps = getattr(waking, f"{phase}_steps")(game_of(game).kind)
    for step in steps:
        if step.lane % of == share:
            step.do()
            yield f"{len(steps)} {step.name}"
    mark = mark_of(game, phase)
    parts = [mark.with_name(f"{mark.name}.{one}-of-{of}") for one in range(of)]
    parts[share].touch()
    if all(part.exists() for part in parts):
        mark.touch()


def main(arguments: list[str]) -> int:
    """Do one share of a game's steps."""
    threading.Thread(target=end_with_input, daemon=True).start()
    set_up("error")
    game, phase, share = arguments
    for line in do_share(game, cast(Phase, phase), *map(int, share.split("/"))):
        sys.stdout.write(f"{LINE} {line}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(status)  # a thread waits for the end of the standard input
