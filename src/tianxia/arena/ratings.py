"""Ratings over many bots: Bradley and Terry's model, on Elo's scale.

Player i wins a game among the players J with probability exp(r_i) / Σ_J exp(r_j); a win
together with others counts as a share for each. Ratings are the most likely ones, with a
weak prior as if each had won half of one game against an average player, so that nobody's
rating is infinite. Intervals take the rounds of the arena as independent, and not
the games in them (a sandwich estimate of the variance, with the prior in it, and Student's
distribution); of fewer than `FEW` rounds they are never narrower than those of independent games.

Bradley and Terry 1952; for more than two players Luce's choice axiom (1959).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tianxia.arena.course import Outcome
from tianxia.arena.standings import Z95, student

ELO = 400 / math.log(10)
"""Points for a factor of e in the odds: 400 are 10 to 1."""
FEW = 30
STEPS = 100
ENOUGH = 1e-10

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """A player's rating, the mean of all being 0, with its 95 % interval."""

    name: str
    points: float
    low: float
    high: float


def ratings(players: Sequence[str], outcomes: Iterable[Outcome]) -> list[Rating]:
    """Return a rating for each name, the best first."""
    names = list(dict.fromkeys(players))
    place = [names.index(name) for name in players]
    rounds: dict[int, list[tuple[list[int], list[float]]]] = {}
    for outcome in outcomes:
        seats = [place[player] for player in outcome.seats]
        rounds.setdefault(outcome.round, []).append((seats, outcome.shares))
    games = list(rounds.values())
    strength = _most_likely(len(names), games)
    spread = _spread(strength, games)
    found = [
        Rating(name, ELO * value, ELO * (value - Z95 * error), ELO * (value + Z95 * error))
        for name, value, error in zip(names, strength.tolist(), spread.tolist(), strict=True)
    ]
    return sorted(found, key=lambda rating: -rating.points)


Games = list[list[tuple[list[int], list[float]]]]


def _slopes(strength: Floats, games: Games) -> tuple[Floats, Floats]:
    """Return the gradient of the log likelihood by round, and its curvature."""
    gradient = np.zeros((len(games), len(strength)))
    curvature = np.zeros((len(strength), len(strength)))
    for number, one in enumerate(games):
        for seats, shares in one:
            chance = np.exp(strength[seats] - strength[seats].max())
            chance /= chance.sum()
            np.add.at(gradient[number], seats, np.asarray(shares) - chance)
            bend = np.diag(chance) - np.outer(chance, chance)
            np.add.at(curvature, np.ix_(seats, seats), bend)
    return gradient, curvature


def _prior(strength: Floats) -> tuple[Floats, Floats]:
    """Return the same of half a win in one game against a player of strength 0."""
    chance = 1 / (1 + np.exp(-strength))
    return 0.5 - chance, np.diag(chance * (1 - chance))


def _most_likely(count: int, games: Games) -> Floats:
    """Climb by Newton's method; the likelihood has one summit."""
    strength = np.zeros(count)
    for _ in range(STEPS):
        gradient, curvature = _slopes(strength, games)
        pull, hold = _prior(strength)
        step = np.linalg.solve(curvature + hold, gradient.sum(axis=0) + pull)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < ENOUGH:
            break
    centred: Floats = strength - strength.mean()
    return centred


def _spread(strength: Floats, games: Games) -> Floats:
    """Return the standard error of each strength, counted from the mean of all."""
    gradient, curvature = _slopes(strength, games)
    inverse = np.linalg.inv(curvature + _prior(strength)[1])
    centre = np.eye(len(strength)) - 1 / len(strength)
    hold = _prior(strength)[1]
    rounds = len(games)
    meat = gradient.T @ gradient * (rounds / max(rounds - 1, 1)) + hold
    variance = np.diag(centre @ inverse @ meat @ inverse @ centre)
    if rounds < FEW:
        variance = np.maximum(variance, np.diag(centre @ inverse @ centre))
    errors: Floats = np.sqrt(variance) * (student(max(rounds - 1, 1)) / Z95)
    return errors
