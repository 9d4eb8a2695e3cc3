"""``tianxia bench``: how fast games run here. Medians of several runs, never rounded up."""

from __future__ import annotations

import math
import platform
import random
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

import tianxia
from tianxia.cli.playing import game_of
from tianxia.kernel.game import Game
from tianxia.kernel.state import State

UNITS = ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k"), (1, ""))
LONGEST = 20_000


@dataclass(frozen=True)
class Measure:
    """What several runs gave, in things per second.

    Attributes
    ----------
    name, unit
        What was measured.
    rates
        One for each run.
    """

    name: str
    unit: str
    rates: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the runs."""
        return statistics.median(self.rates)


def rounded_down(rate: float) -> str:
    """Return a rate with three digits; the rest is cut off, not rounded.

    >>> rounded_down(3_459_999.0)
    '3.45 M'
    """
    for size, letter in UNITS:
        if rate >= size:
            value = rate / size
            places = 2 if value < 10 else 1 if value < 100 else 0
            cut = math.floor(value * 10**places) / 10**places
            return f"{cut:.{places}f} {letter}".rstrip()
    return f"{rate:.2g}"


def bench_games(
    spec: str | None, options: Sequence[str], runs: int, seconds: float, seed: int
) -> None:
    """Measure one game, or all, and write a table for each."""
    console = Console(highlight=False)
    names = [spec] if spec is not None else tianxia.games()
    games = [game_of(name, options) for name in names]
    console.print(machine(), style="dim")
    for game in games:
        with console.status(f"measuring {game.spec}…"):
            table = _table(game, runs, seconds, seed)
        console.print(table)
    console.print(
        f"One core; {runs} {'run' if runs == 1 else 'runs'} of about {seconds:g} s each; "
        "digits are cut off, not rounded up. Actions are those of whole random games, set-up and "
        "chance included; the samples are drawn from what seat 0 sees halfway through one.",
        style="dim",
    )


def machine() -> str:
    """Return what was measured on: processor and versions."""
    name = platform.processor() or platform.machine()
    with suppress(OSError, StopIteration):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        models = (line.partition(":")[2] for line in lines if line.startswith("model name"))
        name = next(models).strip()
    packages = ("numba", "numpy")
    versions = " · ".join(f"{package} {metadata.version(package)}" for package in packages)
    return f"{name} · Python {platform.python_version()} · {versions}"


def _table(game: Game, runs: int, seconds: float, seed: int) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(game.spec, style="bold", no_wrap=True)
    table.add_column("median", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("lowest to highest", justify="right", no_wrap=True, style="dim")
    for measure in measures(game, runs, seconds, seed):
        low, high = rounded_down(min(measure.rates)), rounded_down(max(measure.rates))
        median = rounded_down(measure.median)
        table.add_row(measure.name, median, f"{measure.unit}/s", f"{low} to {high}")
    table.add_row("state record", str(game.kind.dtype.itemsize), "bytes", "")
    return table


def measures(game: Game, runs: int, seconds: float, seed: int) -> list[Measure]:
    """Measure random play, samples and the Python loop."""
    view = halfway(game, seed)
    return [
        Measure("random play, compiled", "actions", _random_play(game, runs, seconds, seed)),
        Measure("samples of one view, compiled", "worlds", _samples(game, view, runs, seconds)),
        Measure("legal_actions + apply, Python", "actions", _loop(game, runs, seconds, seed)),
    ]


def _several(
    run: Callable[[int], tuple[int, float]], runs: int, seconds: float
) -> tuple[float, ...]:
    """Run something often enough that it takes about so many seconds; return its rates."""
    amount = 1
    _done, took = run(amount)
    while took < seconds / 4 and amount < 1 << 30:
        amount = max(2 * amount, min(int(amount * seconds / 3 / max(took, 1e-6)), 64 * amount))
        _done, took = run(amount)
    amount = max(1, int(amount * seconds / max(took, 1e-6)))
    results = [run(amount) for _ in range(runs)]
    return tuple(done / took for done, took in results)


def _random_play(game: Game, runs: int, seconds: float, seed: int) -> tuple[float, ...]:
    def run(amount: int) -> tuple[int, float]:
        result = game.playouts(amount, seed=seed, max_plies=LONGEST)
        return result.actions, result.seconds

    return _several(run, runs, seconds)


def _samples(game: Game, view: State, runs: int, seconds: float) -> tuple[float, ...]:
    batch = 1_000
    game.samples(view, 1)  # compiles outside the clock

    def run(amount: int) -> tuple[int, float]:
        begun = time.perf_counter()
        for number in range(amount):
            game.samples(view, batch, seed=number)
        return amount * batch, time.perf_counter() - begun

    return _several(run, runs, seconds)


def _loop(game: Game, runs: int, seconds: float, seed: int) -> tuple[float, ...]:
    def run(amount: int) -> tuple[int, float]:
        number = random.Random(seed)  # noqa: S311  (nobody's secret)
        done = 0
        begun = time.perf_counter()
        for _ in range(amount):
            done += len_of_game(game, number.random)
        return done, time.perf_counter() - begun

    return _several(run, runs, seconds)


def len_of_game(game: Game, number: Callable[[], float]) -> int:
    """Play a random game in plain Python; return how many actions it took."""
    state = game.new()
    done = 0
    while not state.over and done < LONGEST:
        _random_step(state, number)
        done += 1
    return done


def _random_step(state: State, number: Callable[[], float]) -> None:
    """Let the first seat that may act, or chance, take any action."""
    acting = state.acting
    seat = acting[0] if acting else tianxia.CHANCE
    legal = state.legal_actions(seat)
    state.apply(legal[int(number() * len(legal))], seat)


def halfway(game: Game, seed: int) -> State:
    """Return what seat 0 sees halfway through a random game."""
    length = len_of_game(game, random.Random(seed).random)  # noqa: S311  (nobody's secret)
    number = random.Random(seed).random  # noqa: S311  (nobody's secret)
    state = game.new()
    for _ in range(length // 2):
        _random_step(state, number)
    return state.view(0)
