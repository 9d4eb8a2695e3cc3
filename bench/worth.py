"""Fit what pieces of Stratego are worth (`USUAL` in `bot/appraisal.py`) to how games end.

    uv run python bench/worth.py --games 600 --workers 2

Strategoi that look as far ahead as `master`, in fewer worlds, play one another, with tastes drawn
by a number and, one in three, a set-up of their own. Of some positions it is noted what both sides
have: pieces by rank (a rank counts as higher for each one above it that the other side has lost, as
in `worth_of`), and how many of them are hidden. A logistic regression says by how much each of
these changes the odds of winning; every game counts alike, and one in four is kept apart. It prints
points, a hundred of which are what a hundred of the tastes of today fit best to. 600 games take
about an hour on two cores. SciPy comes with OpenSpiel.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from behaviour import GAME, LONGEST, Floats, ground_of
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar

from tianxia.arena.course import shares_of
from tianxia.bots import play
from tianxia.games.stratego.bot.appraisal import (
    LAST_MINERS,
    OF_BREACH,
    OF_FEARED,
    OF_SCARCE,
    SECRET_OWN,
    USELESS_SPY,
    USUAL,
    base_of,
)
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import Rank
from tianxia.games.stratego.rules.state import MOVED, RAN, SETUP, SHOWN
from tianxia.kernel.game import Game
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State

FIRST_SEED = 900_000
TAKEN, APART = 0.06, 4
"""What part of the positions is taken, and one in how many games is kept apart."""
SPREAD, OWN_CAMP = 0.25, 0.3
"""The logarithm by which tastes differ, and how many armies follow no pattern."""
REST, WALKED, KNOWN = range(3)
HELD = 200.0
"""How firmly each number is held near that of today."""
RESAMPLED = 20
LOW = [Rank.SCOUT, Rank.MINER, Rank.SERGEANT, Rank.LIEUTENANT]


class Sample(NamedTuple):
    """Positions: pieces by seat, rank and how they are seen; what the first seat won; the game."""

    pieces: NDArray[np.int8]
    won: Floats
    game: NDArray[np.int64]


class Drawn(Strategos):
    """A player drawn by a number."""

    def __init__(self, game: Game, seat: int, seed: int, number: int) -> None:
        lot = random.Random(number)
        taste = USUAL * np.exp([lot.gauss(0, SPREAD) for _ in USUAL])
        warm = lot.choice([0.25, 0.25, 0.8])
        super().__init__(game, seat, seed, Skill(6, 3, 200_000, warm, taste=tuple(taste)))
        if lot.random() < OWN_CAMP:
            self.setup = ground_of(lot).draw(new_rng(seed, 77))


def sample_of(number: int) -> Sample:
    """Play a game and return positions of it."""
    players = [partial(Drawn, number=2 * number + seat) for seat in range(2)]
    end = play(GAME, players, FIRST_SEED + number, LONGEST)
    share = shares_of(end.utilities())[0] if end.over else 0.5
    position, lot, found = end.start(), random.Random(number), []
    for actor, action in end.history():
        if position.fields["phase"] != SETUP and lot.random() < TAKEN:
            found.append(pieces_of(position))
        position.apply(action, actor)
    count = len(found)
    return Sample(np.array(found), np.full(count, share), np.full(count, number))


def pieces_of(position: State) -> NDArray[np.int8]:
    """Return how many pieces each seat has of a rank, at rest, moved or known."""
    fields, counts = position.fields, np.zeros((2, c.RANKS, KNOWN + 1), np.int8)
    marks = fields["marks"]
    seen = np.where(marks & (RAN | SHOWN), KNOWN, np.where(marks & MOVED, WALKED, REST))
    for piece in np.flatnonzero(fields["square"]):
        counts[piece // c.SLOTS, fields["rank"][piece], seen[piece]] += 1
    return counts


def columns(own: NDArray[np.int8], other: NDArray[np.int8]) -> dict[str, Floats]:
    """Return by name what one side has, given what the other one has; both (n, ranks, 3)."""
    has, left = own.sum(2).astype(float), other.sum(2) > 0
    worth = {rank: np.zeros(len(own)) for rank in range(Rank.SCOUT, c.BOMB)}
    missing = np.zeros(len(own), np.int64)
    for rank in range(Rank.MARSHAL, Rank.SPY, -1):
        for counted in worth:
            worth[counted] += has[:, rank] * (np.minimum(rank + missing, Rank.MARSHAL) == counted)
        missing += ~left[:, rank]
    found = {Rank(rank).name: column for rank, column in worth.items()}
    found["SPY"] = has[:, Rank.SPY] * left[:, Rank.MARSHAL]
    found["SPY, useless"] = has[:, Rank.SPY] * ~left[:, Rank.MARSHAL]
    found["MARSHAL, feared for"] = -has[:, Rank.MARSHAL] * left[:, Rank.SPY]
    found["MINER, Bombs stand"] = has[:, Rank.MINER] * left[:, Rank.BOMB]
    last = left[:, Rank.BOMB] & (has[:, Rank.MINER] <= 2)
    found["MINER, one of the last"] = has[:, Rank.MINER] * last
    found["SCOUT, one of the last"] = has[:, Rank.SCOUT] * (has[:, Rank.SCOUT] <= 2)
    found["BOMB"] = has[:, Rank.BOMB]
    for seen, how in ((REST, "at rest"), (WALKED, "hidden")):
        found[f"SCOUT to LIEUTENANT, {how}"] = own[:, LOW, seen].sum(1).astype(float)
        for rank in range(Rank.CAPTAIN, c.BOMB):
            found[f"{Rank(rank).name}, {how}"] = own[:, rank, seen].astype(float)
    return found


def today(name: str) -> float:
    """Return what a column is worth by the tastes of today."""
    rank, _, how = name.partition(", ")
    special = {
        "SPY, useless": USELESS_SPY,
        "MARSHAL, feared for": USUAL[OF_FEARED],
        "MINER, Bombs stand": USUAL[OF_BREACH],
        "MINER, one of the last": LAST_MINERS,
        "SCOUT, one of the last": USUAL[OF_SCARCE],
    }
    if how in ("at rest", "hidden"):
        return 0.0 if " " in rank else SECRET_OWN[Rank[rank]] * base_of(USUAL, Rank[rank])
    return float(special[name] if how else base_of(USUAL, Rank[rank]))


class Fit(NamedTuple):
    """A regression: what is had more, what was won, the weight of each position."""

    more: Floats
    won: Floats
    weight: Floats

    def part(self, chosen: NDArray[np.bool_]) -> Fit:
        """Return the same for some positions."""
        return Fit(self.more[chosen], self.won[chosen], self.weight[chosen])

    def surprise(self, worth: Floats) -> float:
        """Return the mean negative log likelihood of how the games ended."""
        odds = self.more @ worth
        return float(self.weight @ (np.logaddexp(0, odds) - self.won * odds) / self.weight.sum())

    def near(self, usual: Floats) -> Floats:
        """Return the worths that fit best, held near the usual ones."""

        def held(worth: Floats) -> tuple[float, Floats]:
            off, odds = worth - usual, self.more @ worth
            slope = self.more.T @ (self.weight * (1 / (1 + np.exp(-odds)) - self.won))
            value = self.surprise(worth) * self.weight.sum() + HELD * off @ off
            return value, slope + 2 * HELD * off

        return np.asarray(minimize(held, usual, jac=True, method="L-BFGS-B").x)


def compared(sample: Sample) -> tuple[list[str], Fit]:
    """Return what is counted, by name, and by how much one side has more of it."""
    pieces, won, game = sample
    first, second = (columns(pieces[:, seat], pieces[:, 1 - seat]) for seat in range(2))
    more = np.stack([first[name] - second[name] for name in first], axis=1)
    counts = np.bincount(game)
    return list(first), Fit(more, won, counts[counts > 0].mean() / counts[game])


def main(arguments: Sequence[str]) -> None:
    """Play, fit, and print what everything is worth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--workers", type=int, default=1)
    chosen = parser.parse_args(arguments)
    with ProcessPoolExecutor(chosen.workers) as pool:
        parts = list(pool.map(sample_of, range(chosen.games)))
    sample = Sample(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    names, whole = compared(sample)
    apart = sample.game % APART == 0
    usual = np.array(list(map(today, names)))
    point = minimize_scalar(lambda size: whole.surprise(size * usual), (0.001, 0.01)).x
    learnt, unseen = whole.part(~apart).near(point * usual), whole.part(apart)
    print(
        f"{len(apart)} positions; in games kept apart {unseen.surprise(point * usual):.3f} nats "
        f"with the tastes of today, {unseen.surprise(learnt):.3f} with those learnt"
    )
    drawn = np.random.default_rng(1).integers(chosen.games, size=(RESAMPLED, chosen.games))
    often = [np.bincount(games, minlength=chosen.games)[sample.game] for games in drawn]
    again = [whole._replace(weight=whole.weight * one).near(point * usual) for one in often]
    found, off = whole.near(point * usual) / point, 1.96 * np.std(again, axis=0) / point
    for row in zip(names, found, off, usual, strict=True):
        print("{:30} {:6.1f} ± {:4.1f}   today {:6.1f}".format(*row))


if __name__ == "__main__":
    main(sys.argv[1:])
