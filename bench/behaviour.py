"""Fit what moves tell of pieces in Stratego (`bot/behaviour.json`) to games of many players.

    uv run python bench/behaviour.py --games 200 --workers 2

Every player is drawn by a number. A third are the five styles that may be counted, one in eight is
the Skirmisher; of the others set-up, thinking and tastes are drawn, and what they lean towards, a
mixture of two of the five. The four other styles of the league are in none of them: what is
believed of those (`bench/league.py` prints it) is a test. Some of the decisions are taken, with all
moves that there were and the true ranks; one game in six is kept apart. The weights are those under
which the moves that were made are likeliest, each rank held near the mean of all ranks. 200 games
take some ten minutes on two cores. SciPy comes with OpenSpiel.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import tianxia
from tianxia.bots import play
from tianxia.games.stratego.bot import behaviour
from tianxia.games.stratego.bot.appraisal import USUAL
from tianxia.games.stratego.bot.behaviour import LIKINGS, THINGS, list_moves, make_scene
from tianxia.games.stratego.bot.league import (
    EVENLY,
    FITTING,
    LEAGUE,
    PLAYING_STYLES,
    Ground,
    Stranger,
    Style,
)
from tianxia.games.stratego.bot.player import Skirmisher
from tianxia.games.stratego.bot.strategos import Skill
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import Rank
from tianxia.games.stratego.rules.state import SETUP
from tianxia.kernel.state import State
from tianxia.search.bot import Maker
from tianxia.search.leaning import breed

GAME = tianxia.game("stratego")
LONGEST, FIRST_SEED = 1600, 500_000
TAKEN, APART = 0.4, 6
"""What part of the decisions is taken, and one in how many games is kept apart."""
TOWARDS_MEAN, TOWARDS_ZERO = 3.0, 0.1
"""How firmly a rank's weights are held near the mean of all, and that near nothing."""
Floats = NDArray[np.float64]


# --- Games ---


class Drawn(Stranger):
    """A player drawn by a number."""

    def __init__(self, game: tianxia.Game, seat: int, seed: int, number: int) -> None:
        lot = random.Random(number)
        leanings = [PLAYING_STYLES[name].leaning for name in FITTING]
        bred = breed(number, leanings, range(len(USUAL)))
        super().__init__(game, seat, seed, Style(bred.leaning, bred.taste, ground_of(lot)))
        self.skill = Skill(
            worlds=lot.choice([3, 4, 6]),
            depth=lot.choice([1, 2, 2]),
            nodes=3000,
            temperature=lot.choice([0.3, 0.6, 1.2, 2.5]),
        )


def ground_of(lot: random.Random) -> Ground:
    """Return where a player likes its pieces: most ranks prefer some rows."""
    rows = {
        rank: tuple(int(3 * lot.random() ** 1.5 + 0.3) for _ in range(4))
        for rank in range(Rank.SPY, Rank.FLAG)
        if lot.random() < 0.7
    }
    walls = lot.choice([(2, 3), (3,), (1, 2), (0, 1, 2)])
    corner = tuple(lot.randint(1, 4) for _ in range(5))
    return Ground({rank: row if any(row) else EVENLY for rank, row in rows.items()}, corner, walls)


def drawn(number: int) -> Maker:
    """Return what makes the player of a number."""
    lot = random.Random(number).random()
    if lot < 1 / 8:
        return Skirmisher
    if lot < 1 / 8 + 1 / 3:
        return LEAGUE.maker(FITTING[number % len(FITTING)])
    return partial(Drawn, number=number)


class Decisions(NamedTuple):
    """Moves that there were: their features and ranks, how many each time, which was made."""

    features: Floats
    ranks: NDArray[np.int64]
    counts: NDArray[np.int64]
    made: NDArray[np.int64]


def decisions_of(number: int) -> Decisions:
    """Play a game and return decisions of both sides."""
    end = play(GAME, [drawn(2 * number), drawn(2 * number + 1)], FIRST_SEED + number, LONGEST)
    found = list(read(end, random.Random(number)))
    features, ranks, made = zip(*found, strict=True)
    counts = np.array([len(one) for one in ranks])
    return Decisions(np.vstack(features), np.hstack(ranks), counts, np.array(made))


def read(end: State, lot: random.Random) -> Iterator[tuple[Floats, NDArray[np.int64], int]]:
    """Yield decisions of a game: features of all moves, their ranks, which was made."""
    position, scene = end.start(), make_scene()
    past = np.array([[-1, -1, 0]] * 2)
    table, ranks = np.zeros((c.MAX_LEGAL, THINGS)), np.zeros(c.MAX_LEGAL, np.int64)
    for actor, action in end.history():
        if position.fields["phase"] != SETUP and c.kind_of(action) == c.MOVE:
            if lot.random() < TAKEN:
                truth = np.eye(c.RANKS)[position.fields["rank"]]
                view, seat = position.view(1 - actor), 1 - actor
                count, made = list_moves(
                    view.record, seat, action, truth, scene, past[actor], table, ranks
                )
                yield table[:count].copy(), ranks[:count].copy(), made
            origin, _ = c.squares_of(action)
            past[actor] = position.fields["board"][origin] - 1, origin, past[actor][2] + 1
        position.apply(action, actor)


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Return the decisions of several games as one."""
    return Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))


# --- The fit ---


def surprise(weights: Floats, moves: Decisions) -> tuple[float, Floats]:
    """Return the mean negative log likelihood of what was done, and its slope by weights."""
    starts = np.concatenate([[0], np.cumsum(moves.counts)[:-1]])
    liked = np.einsum("ij,ij->i", moves.features, weights[moves.ranks])
    liked -= np.repeat(np.maximum.reduceat(liked, starts), moves.counts)
    chances = np.exp(liked)
    sums = np.add.reduceat(chances, starts)
    chances /= np.repeat(sums, moves.counts)
    done = starts + moves.made
    value = (np.log(sums) - liked[done]).mean()
    chances[done] -= 1
    slope = np.zeros_like(weights)
    for rank in range(Rank.SPY, Rank.BOMB):
        own = moves.ranks == rank
        slope[rank] = chances[own] @ moves.features[own] / len(done)
    return float(value), slope


def fit(moves: Decisions) -> Floats:
    """Return the weights by rank and feature."""
    shape, count = (c.RANKS + 1, THINGS), len(moves.made)

    def held(flat: Floats) -> tuple[float, Floats]:
        mean, off = flat.reshape(shape)[0], flat.reshape(shape)[1:]
        value, slope = surprise(mean + off, moves)
        value += (TOWARDS_MEAN * (off**2).sum() + TOWARDS_ZERO * (mean**2).sum()) / count
        by_mean = slope.sum(0) + 2 * TOWARDS_ZERO / count * mean
        return value, np.vstack([by_mean, slope + 2 * TOWARDS_MEAN / count * off]).ravel()

    options = {"maxiter": 100}
    found = minimize(held, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B", options=options)
    mean, off = found.x.reshape(shape)[0], found.x.reshape(shape)[1:]
    return np.asarray(mean + off)


def main(arguments: Sequence[str]) -> None:
    """Play, fit, say how well it foresees games that it has not seen, and write the weights."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(behaviour.__file__).with_suffix(".json"))
    chosen = parser.parse_args(arguments)
    with ProcessPoolExecutor(chosen.workers) as pool:
        games = list(pool.map(decisions_of, range(chosen.games)))
    weights = fit(joined([moves for i, moves in enumerate(games) if i % APART]))
    apart = joined(games[::APART])
    print(
        f"{len(apart.made)} decisions kept apart: {surprise(weights, apart)[0]:.3f} nats each, "
        f"{np.log(apart.counts).mean():.3f} if all moves were alike"
    )
    rows = (
        f" {json.dumps(name)}: {json.dumps(weights[Rank.SPY : Rank.BOMB, i].round(2).tolist())}"
        for i, name in enumerate(LIKINGS)
    )
    chosen.out.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
