"""How everybody stands. Pure: what came of each round goes in.

Who has more points is better. Those who have equally many are told apart by how strong the people
were whom they have met (`strength`: Buchholz), then by how strong those were whom they have beaten
(`quality`: Sonneborn-Berger); who is equal in that, too, shares a place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

HALF = 0.5


@dataclass(frozen=True, slots=True)
class Score:
    """What came of a round for somebody.

    Attributes
    ----------
    board
        At which table; those of a board have met. None: they had nobody to play.
    points
        None while the game lasts.
    seat
        Where they sat.
    """

    round: int
    entrant: int
    board: int | None
    points: float | None
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """Somebody's place; equal ones share it."""

    entrant: int
    place: int
    points: float
    strength: float
    quality: float


def points_of(places: Sequence[int]) -> list[float]:
    """Return the points of a game: one for each whom somebody leaves behind, half for a tie."""
    return [
        sum(1.0 if mine < other else HALF for other in places if mine <= other) - HALF
        for mine in places
    ]


def standings(entrants: Sequence[int], scores: Iterable[Score], size: int) -> list[Standing]:
    """Return how all stand, the best first; of equal ones who comes first in `entrants`.

    Parameters
    ----------
    size
        How many sit at a table.
    """
    known = [one for one in scores if one.points is not None]
    points: dict[int, float] = defaultdict(float)
    boards: dict[tuple[int, int], list[Score]] = defaultdict(list)
    for one in known:
        points[one.entrant] += one.points or 0.0
        if one.board is not None:
            boards[one.round, one.board].append(one)
    strength: dict[int, float] = defaultdict(float)
    quality: dict[int, float] = defaultdict(float)
    for one in known:
        if one.board is None:  # as if they had met people like themselves
            strength[one.entrant] += points[one.entrant] * (size - 1)
            continue
        for other in boards[one.round, one.board]:
            if other.entrant != one.entrant:
                strength[one.entrant] += points[other.entrant]
                quality[one.entrant] += points[other.entrant] * _share(one, other)

    def key(entrant: int) -> tuple[float, float, float]:
        return points[entrant], strength[entrant], quality[entrant]

    order = sorted(entrants, key=key, reverse=True)
    keys = [key(entrant) for entrant in order]
    return [
        Standing(entrant, keys.index(mine) + 1, *mine)
        for entrant, mine in zip(order, keys, strict=True)
    ]


def _share(one: Score, other: Score) -> float:
    """Return 1 for a win over somebody, a half for a tie."""
    mine, theirs = one.points or 0.0, other.points or 0.0
    return 1.0 if mine > theirs else HALF if mine == theirs else 0.0
