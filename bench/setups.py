"""Fit which rank of Stratego belongs in which row (`MERITS` in `bot/camps.py`) to how games end.

    uv run python bench/setups.py --games 6000 --workers 2
    uv run python bench/setups.py --meet --games 200 --depth 3   # set-ups of master against any

Strategoi that look one move ahead play with set-ups that are varied far beyond what is sensible, a
third of them bettered by the table of today. A ridge regression says what each rank in each row,
each step of the Flag from the edge and each side of it without a Bomb changes, in thousandths of a
game. With `--meet` set-ups of `master` (`camps.camp`) meet sensible ones drawn at random. 6 000
games take about half an hour on two cores.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray
from variations import two_games

import tianxia
from tianxia.arena.course import shares_of
from tianxia.bots import play
from tianxia.games.stratego.bot import camps
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.games.stratego.face import deployment
from tianxia.games.stratego.face.deployment import Setup
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import Rank
from tianxia.kernel.game import Game
from tianxia.search.bot import Maker

GAME = tianxia.game("stratego")
LONGEST, FIRST_SEED = 1600, 400_000
WORLDS, NODES, BETTERED = 6, 20_000, Skill().swaps
SWAPS, TOLERATED, FAR_SWAPS, MOVED_FLAGS = (0, 10, 40, 120, 400), (0, 1, 2, 3), 0.3, 0.1
"""How many swaps vary a set-up, how many faults it may have, and what part of the swaps goes
further than three steps, or takes the Flag along."""
FOLDS, HELD = 8, 1000.0
"""Parts that are kept apart in turn, and how firmly numbers are held near nothing."""
ROWS = c.SLOTS // c.SIDE
EDGE, OPEN = c.RANKS * ROWS, c.RANKS * ROWS + 1
Floats = NDArray[np.float64]


class Placed(Strategos):
    """The best player with a given set-up, who looks no further than told."""

    def __init__(self, game: Game, seat: int, seed: int, setup: Setup, depth: int) -> None:
        super().__init__(game, seat, seed, Skill(WORLDS, depth, NODES))
        self.setup = setup


def wild(lot: random.Random) -> Setup:
    """Return a set-up, bettered or not, after many swaps, some of them foolish."""
    setup = camps.camp(c.CLASSIC, lot.getrandbits(40), lot.choice((0, 0, BETTERED)))
    tolerated = lot.choice(TOLERATED)
    for _ in range(lot.choice(SWAPS)):
        one, other = lot.sample(range(c.SLOTS), 2)
        if deployment.distance(one, other) > 3 and lot.random() > FAR_SWAPS:
            continue
        if c.FLAG in (setup[one], setup[other]) and lot.random() > MOVED_FLAGS:
            continue
        setup[one], setup[other] = setup[other], setup[one]
        if len(deployment.faults(setup)) > tolerated:
            setup[one], setup[other] = setup[other], setup[one]
    return setup


def facts(setup: Setup) -> Floats:
    """Return what is counted of a set-up: ranks by row, the Flag's steps to the edge, its doors."""
    found = np.zeros(OPEN + 1)
    for slot, rank in enumerate(setup):
        found[rank * ROWS + slot // c.SIDE] += 1
    flag = setup.index(c.FLAG)
    column = flag % c.SIDE
    found[EDGE] = min(column, c.SIDE - 1 - column)
    found[OPEN] = sum(setup[slot] != c.BOMB for slot in deployment.beside(flag))
    return found


def placed(setup: Setup, depth: int) -> Maker:
    """Return what makes a player with a set-up."""
    return partial(Placed, setup=setup, depth=depth)


def tried(number: int) -> tuple[Floats, float]:
    """Play a game; return by what the first set-up differs from the second, and what it won."""
    lot = random.Random(number)
    first, second = wild(lot), wild(lot)
    end = play(GAME, [placed(first, 1), placed(second, 1)], FIRST_SEED + number, LONGEST)
    won = float(shares_of(end.utilities())[0]) if end.over else 0.5
    return facts(first) - facts(second), won


def met(number: int, depth: int) -> float:
    """Return what a bettered set-up wins against a sensible one in two games."""
    setups = (
        camps.camp(c.CLASSIC, 2 * number, BETTERED),
        camps.camp(c.CLASSIC, 2 * number + 1, 0),
    )
    players = [placed(setup, depth) for setup in setups]
    return two_games(GAME, players, FIRST_SEED + number, LONGEST)


def ridge(more: Floats, won: Floats) -> Floats:
    """Return what each fact changes, in shares of a game."""
    scale = more.std(axis=0) + 1e-9
    even = more / scale
    held = even.T @ even + HELD * np.eye(even.shape[1])
    return np.asarray(np.linalg.solve(held, even.T @ (won - 0.5)) / scale)


def fit(games: Sequence[tuple[Floats, float]]) -> None:
    """Print the table, and how well tables of the other games foresee those kept apart."""
    more, won = np.array([more for more, _ in games]), np.array([share for _, share in games])
    part = np.arange(len(won)) % FOLDS
    foreseen = np.zeros(len(won))
    for fold in range(FOLDS):
        foreseen[part == fold] = more[part == fold] @ ridge(more[part != fold], won[part != fold])
    agreed = np.corrcoef(foreseen, won)[0, 1]
    print(
        f"{len(won)} games; foreseen and true results of games kept apart correlate by {agreed:.2f}"
    )
    table = np.round(1000 * ridge(more, won)).astype(int)
    for rank in range(1, c.RANKS):
        print(f"{Rank(rank).name:12}", *(f"{n:5}" for n in table[rank * ROWS : (rank + 1) * ROWS]))
    print(f"a step from the edge {table[EDGE]}, a side without a Bomb {table[OPEN]}")


def main(arguments: Sequence[str]) -> None:
    """Play and say what came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=6000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--meet", action="store_true")
    parser.add_argument("--depth", type=int, default=1)
    chosen = parser.parse_args(arguments)
    with ProcessPoolExecutor(chosen.workers) as pool:
        if not chosen.meet:
            fit(list(pool.map(tried, range(chosen.games), chunksize=8)))
            return
        won = list(pool.map(partial(met, depth=chosen.depth), range(chosen.games // 2)))
    error = 196 * np.std(won) / len(won) ** 0.5
    print(f"bettered set-ups won {100 * np.mean(won):.1f} ± {error:.1f} % of {2 * len(won)} games")


if __name__ == "__main__":
    main(sys.argv[1:])
