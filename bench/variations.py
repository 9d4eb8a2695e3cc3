"""Tuning by self-play: games between random variations of what a bot thinks matters.

Each pair of games is played between two vectors of numbers: the usual ones, each varied by
`SPREAD` up or down with signs drawn by lot, against the same with all signs turned round; the
second game of a pair has seats exchanged. All pairs are noted in a log, with the numbers that
they were played around, and a run goes on from there. For each number the log tells by how much
of a game more of it wins, and how sure that is: the slope of a least-squares fit through all
pairs (Spall, *Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation*, 1992, without the steps).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tianxia.arena.course import shares_of
from tianxia.bots import play
from tianxia.kernel.game import Game
from tianxia.search.bot import Maker

Numbers = NDArray[np.float64]
Pairs = list[tuple[int, float]]
SPREAD = 0.3
"""The logarithm of the factor by which each number is varied."""


@dataclass(frozen=True)
class Tuning:
    """What is tuned, and how a pair of games is played.

    Attributes
    ----------
    log
        Where all pairs are noted, one object of JSON a line.
    names, usual
        Of the numbers, and the numbers that are varied.
    varied
        Makes other numbers of these: takes by what logarithm each is to change.
    share
        Plays the two games of a pair, given both vectors and the number of the pair, and
        returns the share of wins of the first.
    """

    log: Path
    names: tuple[str, ...]
    usual: Numbers
    varied: Callable[[Numbers, Numbers], Numbers]
    share: Callable[[Numbers, Numbers, int], float]

    def signs(self, number: int) -> NDArray[np.int64]:
        """Return the signs of a pair."""
        return np.random.default_rng(number).choice((-1, 1), len(self.names))

    def pair(self, number: int) -> float:
        """Play a pair; return how often the first vector wins."""
        change = SPREAD * self.signs(number)
        return self.share(self.varied(self.usual, change), self.varied(self.usual, -change), number)

    def read(self) -> list[tuple[Pairs, Numbers]]:
        """Return the pairs played, number and share, by the numbers that they were around."""
        found: list[tuple[Pairs, Numbers]] = []
        for step in map(json.loads, self.log.read_text().splitlines() if self.log.exists() else []):
            if "around" in step:
                usual = [step["around"].get(name, 0.0) for name in self.names]
                found.append(([], np.array(usual)))
            else:
                found[-1][0].append((step["pair"], step["won"]))
        return found

    def play(self, count: int, workers: int) -> None:
        """Play so many pairs more around the usual numbers."""
        played = self.read()
        with self.log.open("a") as log, ProcessPoolExecutor(workers) as pool:
            if not played or not np.array_equal(played[-1][1], self.usual):
                named = dict(zip(self.names, self.usual.tolist(), strict=True))
                log.write(json.dumps({"around": named}) + "\n")
                played.append(([], self.usual))
            first = 1 + max((number for number, _ in played[-1][0]), default=-1)
            numbers = range(first, first + count)
            for number, won in zip(numbers, pool.map(self.pair, numbers), strict=True):
                log.write(json.dumps({"pair": number, "won": won}) + "\n")
                log.flush()

    def show(self) -> None:
        """Print what more of each number wins, around each vector that was varied."""
        for pairs, around in self.read():
            if len(pairs) > len(self.names):
                self._show(pairs, around)

    def _show(self, pairs: Pairs, around: Numbers) -> None:
        signs = np.array([self.signs(number) for number, _ in pairs])
        won = np.array([won - 0.5 for _, won in pairs])
        slopes, *_ = np.linalg.lstsq(signs, won, rcond=None)
        error = float(np.std(won - signs @ slopes)) / len(won) ** 0.5
        print(f"{self.log.name}: {len(won)} pairs; what e^{SPREAD} times as much wins, in %")
        for name, usual, slope in zip(self.names, around, slopes, strict=True):
            print(f"{name:14} {usual:8.3f} {100 * slope:+6.2f} ± {100 * error:.2f}")


def two_games(game: Game, makers: Sequence[Maker], seed: int, longest: int | None = None) -> float:
    """Return the first one's share of wins in two games with the same chance, seats exchanged."""
    won = 0.0
    for seat in range(2):
        order = makers if seat == 0 else makers[::-1]
        result = play(game, order, seed, longest)
        won += shares_of(result.utilities())[seat] if result.over else 0.5
    return won / 2


def factors(usual: Numbers, change: Numbers) -> Numbers:
    """Return every number times e to the power of its change."""
    return usual * np.exp(change)


def run(tunings: Sequence[Tuning], about: str) -> None:
    """Read the command line, and play pairs or show what they tell, one tuning after the other."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("pairs", type=int, nargs="?", default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes that play")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    for tuning in tunings:
        if arguments.pairs:
            tuning.play(arguments.pairs, arguments.workers)
        if arguments.show:
            tuning.show()
