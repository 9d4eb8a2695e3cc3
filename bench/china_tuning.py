"""Fit the weights of China's valuation to games that the quick player plays against himself.

    uv run python bench/china_tuning.py [games] [--write]

For each number of players: games of `habit`, one action in twenty-five taken at random so
that boards differ; at one turn's end in four, what every term of `worth` says of every
seat. Then least squares, with a pull towards the weights in use (ridge): which weights, a
part that stays and a part that shrinks with the cards to come, foretell best by how much a
seat will end ahead of the mean of the others. Last the temperature, by the likelihood of
who has won. Printed is how much of the final margins is explained, before and after;
``--write`` keeps the weights in the package. The games follow from the seed, so the data
are made anew and not stored.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tianxia
from tianxia.games.china.bot import worth
from tianxia.games.china.bot.habit import habit
from tianxia.games.china.bot.plans import settle
from tianxia.games.china.bot.worth import TERMS, appraise, cards_to_come, read_board
from tianxia.games.china.rules.scoring import points_of
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.rng import below, new_rng, seed_rng

SPECS = {
    2: ("china(players=2)", "china(players=2,fortifications=yes,tiles=yes)"),
    3: ("china", "china(fortifications=yes)", "china(tiles=yes)", "china(board=border)"),
    4: ("china(players=4)", "china(players=4,fortifications=yes,tiles=yes)"),
    5: ("china(players=5)", "china(players=5,fortifications=yes,tiles=yes)"),
}
PULL = 60.0
"""How hard the old weights pull, in samples whose terms are as large as usual."""
HEAD = worth.WEIGHTS.read_text(encoding="utf-8").partition("\n\n")[0]


@entry
def self_play(pool, begin, desks, seed, games, terms, points, stage, moves, final, rng):
    """Play games; write the terms of each seat at some turns' ends; return how many."""
    found, desk = 0, desks[0]
    for game in range(games):
        seed_rng(rng, seed, game)
        pool[0] = begin[0]
        state = pool[0]
        first, active = found, -1
        desk.surveyor = 0
        while state.over == 0:
            settle(state, desk, rng)
            if state.over != 0:
                break
            if active >= 0 and state.active != active and below(rng, 4) == 0:
                found = note(state, desk, terms, points, stage, moves, found)
            active = int(state.active)
            seat = lowest(int(state.acting))
            action = habit(state, desk, seat)
            if below(rng, 25) == 0:
                count = kernel.legal_actions(state, seat, desk.actions[:])
                action = np.int64(desk.actions[below(rng, count)])
                desk.surveyor = 0
            kernel.apply_action(state, seat, action)
        for i in range(first, found):
            for seat in range(int(state.seats)):
                final[i, seat] = points_of(state, seat)
    return found


@rule
def note(state, desk, terms, points, stage, moves, found):
    """Write the terms of each seat, each with weight 1 and all others with 0."""
    if found == len(terms):
        return found
    read_board(state, desk)
    stage[found] = cards_to_come(state)
    moves[found, int(state.active)] = 1.0
    for seat in range(int(state.seats)):
        points[found, seat] = points_of(state, seat)
    for term in range(TERMS):
        for other in range(TERMS):
            desk.now[other] = 1.0 if other == term else 0.0
        appraise(state, desk, desk.worths)
        for seat in range(int(state.seats)):
            terms[found, seat, term] = desk.worths[seat] - points[found, seat]
    read_board(state, desk)
    return found + 1


class Samples(NamedTuple):
    """Turn ends: terms (samples, seats, terms), points now, cards to come, final points.

    `moves` has 1 for the seat whose turn comes, else 0.
    """

    terms: NDArray[np.float64]
    points: NDArray[np.float64]
    stage: NDArray[np.float64]
    moves: NDArray[np.float64]
    final: NDArray[np.float64]


def play(players: int, games: int, weights: NDArray[np.float64], seed: int) -> Samples:
    """Return samples of self-play."""
    parts = []
    desk = worth.make_desk(weights)
    for number, spec in enumerate(SPECS[players]):
        game = tianxia.game(spec)
        most = games * 30
        terms, stage = np.zeros((most, players, TERMS)), np.zeros(most)
        points, moves, final = (np.zeros((most, players)) for _ in range(3))
        pool, rng = game.blank(), new_rng(seed)
        begin = game.new().record
        found = self_play(
            *(pool, begin, desk, seed + number, games, terms, points, stage, moves, final, rng)
        )
        parts.append(tuple(each[:found] for each in (terms, points, stage, moves, final)))
    return Samples(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def margin(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each seat is ahead of the mean of the others."""
    seats = values.shape[1]
    return (values * seats - values.sum(axis=1, keepdims=True)) / (seats - 1)


def by_stage(values: NDArray[np.float64], stage: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return terms twice: as they are, and times the cards to come."""
    return np.concatenate([values, values * stage[:, None, None]], axis=2)


def fit(samples: Samples, old: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return new weights of the terms, shape (terms, 2).

    Whose turn comes is a term as well, which is left out of the result: without it the
    others would learn that who has just moved looks better than he is.
    """
    together = np.concatenate([samples.terms, samples.moves[:, :, None]], axis=2)
    terms = margin(by_stage(together, samples.stage))
    terms = terms.reshape(-1, 2 * TERMS + 2)
    wanted = (margin(samples.final) - margin(samples.points)).reshape(-1)
    before = np.concatenate([old[:TERMS], np.zeros((1, 2))]).T.reshape(-1)
    scale = terms.std(axis=0) + 1e-9
    scaled = terms / scale
    pull = PULL * samples.terms.shape[1]
    left = scaled.T @ scaled + pull * np.eye(2 * TERMS + 2)
    right = scaled.T @ (wanted - terms @ before)
    change = np.linalg.solve(left, right) / scale
    seen = terms.std(axis=0) > 1e-6
    return (before + np.where(seen, change, 0.0)).reshape(2, TERMS + 1).T[:TERMS]


def worths(samples: Samples, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each sample is worth to each seat."""
    flat = weights[:TERMS].T.reshape(-1)
    return samples.points + by_stage(samples.terms, samples.stage) @ flat


def explained(samples: Samples, weights: NDArray[np.float64]) -> float:
    """Return which part of the variance of the final margins the worths explain."""
    wanted = margin(samples.final)
    return float(1 - ((margin(worths(samples, weights)) - wanted) ** 2).mean() / wanted.var())


def likelihood(samples: Samples, weights: NDArray[np.float64], heat: NDArray[np.float64]) -> float:
    """Return the mean logarithm of the chance that was given to who has won."""
    values = worths(samples, weights) / (heat[0] + heat[1] * samples.stage)[:, None]
    values -= values.max(axis=1, keepdims=True)
    logs = values - np.log(np.exp(values).sum(axis=1, keepdims=True))
    won = samples.final == samples.final.max(axis=1, keepdims=True)
    return float(((logs * won).sum(axis=1) / won.sum(axis=1)).mean())


def temperature(samples: Samples, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the temperature, what stays of it and what shrinks, that is the likeliest."""
    tries = [np.array([a, b]) for a in np.arange(0.5, 8, 0.5) for b in np.arange(0, 16, 1.0)]
    return max(tries, key=lambda heat: likelihood(samples, weights, heat))


def main(games: int, write: bool) -> None:
    """Fit all, print what it brought, and keep it."""
    weights = worth.fitted().copy()
    for players in SPECS:
        samples = play(players, games, weights, seed=7)
        old = weights[players].copy()
        weights[players, :TERMS] = fit(samples, old)
        weights[players, worth.TEMPERATURE] = temperature(samples, weights[players])
        fresh = play(players, games // 3, weights, seed=70_000)
        print(
            f"{players} players, {len(samples.stage)} samples: explained"
            f" {explained(fresh, old):.3f}, now {explained(fresh, weights[players]):.3f};"
            f" mean final score {fresh.final.mean():.1f}"
        )
        for name, row in _rows(weights[players]):
            print(f"  {name:12} {row}")
    if write:
        parts = [HEAD] + [
            "\n".join([f"[{n}]", *(f"{name} = {row}" for name, row in _rows(weights[n]))])
            for n in SPECS
        ]
        Path(str(worth.WEIGHTS)).write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _rows(weights: NDArray[np.float64]) -> list[tuple[str, list[float]]]:
    return list(zip(worth.WEIGHT_NAMES, weights.round(3).tolist(), strict=True))


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(numbers[0] if numbers else 1500, "--write" in sys.argv)
