"""Who meets whom in the next round. Pure: whoever asks says how everybody stands.

With two at a table the pairing is the best there is: a matching of minimum weight. With more
a table is a set, and the best sets are found only by trying all; good ones are found by
exchanging people until no exchange is for the better.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations

TWO = 2
BYE = -1
STARTS = 12
"""How often the search for tables begins anew where somebody would meet somebody again."""
LOPSIDED = 2
"""Who has had one seat so many times more than the other shall not have it again."""
LEVEL = 10**6
"""Each reason against a pairing outweighs all of the next kind together."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who is to be paired.

    Attributes
    ----------
    met
        How often they have met whom; those whom they must not meet count, too.
    sat
        How often they have had each seat.
    byes
        How often they had nobody to play.
    """

    number: int
    points: float = 0.0
    met: Mapping[int, int] = field(default_factory=dict)
    sat: tuple[int, ...] = (0, 0)
    byes: int = 0

    @property
    def leaning(self) -> int:
        """How many more times they have had the first of two seats."""
        return self.sat[0] - self.sat[1]


@dataclass(frozen=True, slots=True)
class Round:
    """The tables of a round, each by seat, and who has nobody to play."""

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...]


def swiss(entrants: Sequence[Entrant], size: int) -> Round:
    """Return the tables of the next round: those who stand alike meet, and nobody twice.

    Parameters
    ----------
    entrants
        As they stand, the best first.
    size
        How many sit at a table.
    """
    if len(entrants) < size:
        return Round((), tuple(one.number for one in entrants))
    found, byes = _pairs(entrants) if size == TWO else _groups(entrants, size)
    tables = [_seated([entrants[place] for place in table], n) for n, table in enumerate(found)]
    return Round(tuple(tables), tuple(entrants[place].number for place in byes))


def round_robin(numbers: Sequence[int], number: int) -> Round:
    """Return round 0, 1, … of those in which everybody meets everybody once (Berger's tables)."""
    places = [*numbers] if len(numbers) % 2 == 0 else [*numbers, BYE]
    last = len(places) - 1
    pivot = number * len(places) // 2 % last
    first = (places[pivot], places[last])
    pairs = [first if number % 2 == 0 else first[::-1]]
    pairs += [
        (places[(pivot + step) % last], places[(pivot - step) % last])
        for step in range(1, len(places) // 2)
    ]
    byes = tuple(max(pair) for pair in pairs if BYE in pair)
    return Round(tuple(pair for pair in pairs if BYE not in pair), byes)


def rounds_of(people: int) -> int:
    """Return in how many rounds everybody meets everybody once."""
    return people - 1 + people % 2


# --- Two at a table ---


def _pairs(entrants: Sequence[Entrant]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return pairs of places, the best first, and the place that is left over."""
    import networkx as nx  # type: ignore[import-untyped]  # large, and seldom wanted

    graph = nx.Graph()
    halves = _halves(entrants)
    for a, b in combinations(range(len(entrants)), TWO):
        graph.add_edge(a, b, weight=_against(entrants, halves, a, b))
    if len(entrants) % 2:
        worst = entrants[-1].points
        for place, one in enumerate(entrants):
            behind = len(entrants) - 1 - place
            weight = _weight(one.byes, 0, _gap(one.points, worst), 0, behind)
            graph.add_edge(place, BYE, weight=weight)
    matched = [tuple(sorted(pair)) for pair in nx.min_weight_matching(graph)]
    byes = [pair[1] for pair in matched if pair[0] == BYE]
    return sorted(pair for pair in matched if pair[0] != BYE), byes


def _halves(entrants: Sequence[Entrant]) -> list[int]:
    """Return half the size of the group of equal points in which each place is."""
    points = [one.points for one in entrants]
    return [points.count(value) // 2 for value in points]


def _against(entrants: Sequence[Entrant], halves: Sequence[int], a: int, b: int) -> int:
    """Return what speaks against a pair; of equal points the upper half meets the lower one."""
    one, other = entrants[a], entrants[b]
    same = one.leaning * other.leaning > 0
    lopsided = same and min(abs(one.leaning), abs(other.leaning)) >= LOPSIDED
    return _weight(
        one.met.get(other.number, 0),
        lopsided,
        _gap(one.points, other.points),
        same,
        abs(b - a - halves[a]),
    )


def _gap(points: float, others: float) -> int:
    return round(2 * (points - others)) ** 2


def _weight(*reasons: int) -> int:
    """Return a weight to which the first reason adds most."""
    weight = 0
    for reason in reasons:
        weight = weight * LEVEL + int(reason)
    return weight


# --- More at a table ---


def _groups(entrants: Sequence[Entrant], size: int) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return groups of places, the best first, and those left over: the last, in turns."""
    places = sorted(range(len(entrants)), key=lambda place: (-entrants[place].byes, place))
    playing = sorted(places[: len(places) - len(places) % size])
    byes = sorted(set(places) - set(playing))
    dice, best, least = random.Random(len(entrants)), playing, -1  # noqa: S311
    order = playing
    for _ in range(STARTS):
        order = _exchanged(entrants, order, size)
        cost = _cost(entrants, order, size)
        if least < 0 or cost < least:
            best, least = order, cost
        if least < LEVEL:
            break
        order = dice.sample(playing, len(playing))
    return sorted(tuple(sorted(best[at : at + size])) for at in range(0, len(best), size)), byes


def _exchanged(entrants: Sequence[Entrant], order: Sequence[int], size: int) -> list[int]:
    """Return people in another order, of which no exchange of two makes better tables."""
    order, better = [*order], True
    while better:
        better = False
        for a, b in combinations(range(len(order)), TWO):
            here, there = a - a % size, b - b % size
            if here == there:
                continue
            before = sum(_at_table(entrants, order[at : at + size]) for at in (here, there))
            order[a], order[b] = order[b], order[a]
            after = sum(_at_table(entrants, order[at : at + size]) for at in (here, there))
            if after < before:
                better = True
            else:
                order[a], order[b] = order[b], order[a]
    return order


def _cost(entrants: Sequence[Entrant], order: Sequence[int], size: int) -> int:
    return sum(_at_table(entrants, order[at : at + size]) for at in range(0, len(order), size))


def _at_table(entrants: Sequence[Entrant], places: Sequence[int]) -> int:
    """Return what speaks against a table: who has met before, and who stands far apart."""
    total = 0
    for a, b in combinations(places, TWO):
        one, other = entrants[a], entrants[b]
        total += one.met.get(other.number, 0) ** 2 * LEVEL + _gap(one.points, other.points)
    return total


# --- Seats ---


def _seated(table: Sequence[Entrant], board: int) -> tuple[int, ...]:
    """Return the people of a table by seat: each where they have sat least.

    Where all is equal the better one sits first at every other table.
    """
    order = table if board % 2 == 0 else table[::-1]
    seats = range(len(order))
    best = min(
        permutations(order),
        key=lambda found: sum(2 ** found[seat].sat[seat] for seat in seats),
    )
    return tuple(one.number for one in best)
