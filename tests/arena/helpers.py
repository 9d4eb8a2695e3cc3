"""Players that do wrong, and matches small enough for tests."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import tianxia
from tianxia.arena import Archive, Outcome, Plan, run
from tianxia.search.bot import is_late
from tianxia.search.opinions import Opinion
from tianxia.search.uniform import Uniform

ROOT = Path(__file__).resolve().parent.parent.parent
BARRAGE = "stratego(variant=barrage)"
LINE_BOT = f"exec:{sys.executable} {ROOT / 'examples' / 'line_bot.py'}"
HERE = "tests.arena.helpers"


def match(folder: Path, *players: str, spec: str = BARRAGE, **wishes: Any) -> list[Outcome]:
    """Play a match in this process; return its games in order."""
    plan = Plan(spec, players, **{"games": 2, "longest": 60, **wishes})
    return sorted(run(Archive(folder, plan), workers=1), key=lambda outcome: outcome.number)


class Cheat(Uniform):
    """Plays what nobody may play, in its third decision."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        return 10**6 if self.decided == 2 else super().choose(view, deadline)


class Leaving(Uniform):
    """Ends the process that it plays in."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        raise SystemExit(3)


class Hasty(Uniform):
    """Knows nothing of deadlines."""

    def choose(self, view: tianxia.State) -> int:  # type: ignore[override]
        return super().choose(view)


class Slow(Uniform):
    """Takes longer than it may."""

    slept = 0.0

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        if self.decided < 3:
            time.sleep(0.08)
            Slow.slept += 0.08
        return super().choose(view, deadline)


class Brooding(Uniform):
    """Thinks while others act."""

    def observe(self, actor: int, action: int | None, view: tianxia.State) -> None:
        if 0 < self.decided < 3:
            time.sleep(0.08)
        super().observe(actor, action, view)


class Broken(Uniform):
    """Has an error."""

    def observe(self, actor: int, action: int | None, view: tianxia.State) -> None:
        raise ZeroDivisionError("one by none")


class Witness(Uniform):
    """Writes down what it was told."""

    told: list[tuple[int, int, int | None]] = []  # noqa: RUF012  (of all witnesses)

    def observe(self, actor: int, action: int | None, view: tianxia.State) -> None:
        self.told.append((self.seat, actor, action))
        super().observe(actor, action, view)


def program(folder: Path, body: str) -> str:
    """Return a player that is a Python program of a few lines."""
    file = folder / f"program{abs(hash(body))}.py"
    file.write_text(body, encoding="utf-8")
    return f"exec:{sys.executable} {file}"


class SlowAtFirst(Uniform):
    """Loads something in its first decision of all."""

    done = False

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        if not SlowAtFirst.done:
            time.sleep(0.6)
            SlowAtFirst.done = True
        return super().choose(view, deadline)


class Thoughtful(Uniform):
    """Says what it thinks: that all is equally likely, and that it wins five games of eight."""

    def opinion(self, view: tianxia.State) -> Opinion:
        count = len(view.legal_actions(self.seat))
        return Opinion([1 / count] * count, 0.25)


class Stubborn:
    """Takes the first legal action with an even seed, the last one with an odd seed."""

    def __init__(self, game: tianxia.Game, seat: int, seed: int) -> None:
        self.seat, self.place = seat, -(seed % 2)

    def observe(self, actor: int, action: int | None, view: tianxia.State) -> None:
        """Remember nothing."""

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        return view.legal_actions(self.seat)[self.place]


class Busy(Uniform):
    """Sleeps longer than it may, then works as long as it may, by the clock of its deadline."""

    worked: list[float] = []  # noqa: RUF012  (of all that are busy)

    def choose(self, view: tianxia.State, deadline: float | None = None) -> int:
        if deadline is not None:
            time.sleep(0.03)
            begun = time.process_time()
            while not is_late(deadline, 0.0):
                pass
            self.worked.append(time.process_time() - begun)
        return super().choose(view, deadline)
