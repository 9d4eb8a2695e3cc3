"""Who won how often: shares of the win with 95 % intervals, time, faults.

A player's share is the mean of 1 for a win, 1/k for a win together with others, 0 for a
loss. Games of a round have their dice in common and change seats, so rounds are independent
and games are not: the interval is Student's for the means of the rounds. Two rounds are added
to them, one all won and one all lost, as Agresti and Caffo (2000) add games, so that few rounds,
or rounds that all came out alike, do not promise too much.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tianxia.arena.course import FAILED, ILLEGAL, SILENT, Outcome

Z95 = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""


def student(degrees: int) -> float:
    """Return how many standard errors 95 % lie within, by Student's distribution.

    The beginning of its series (Abramowitz and Stegun 26.7.5); a little low for 2 degrees.

    >>> [round(student(degrees), 2) for degrees in (4, 10, 100)]
    [2.77, 2.23, 1.98]
    """
    z, n = Z95, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def interval(rounds: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the 95 % interval of a share, from the shares in each round's games.

    A round counts by its games: one that was broken off counts less.

    >>> low, high = interval([[1.0, 0.0]] * 50 + [[1.0, 1.0]] * 50)
    >>> round(low, 3), round(high, 3)
    (0.694, 0.796)
    """
    if not rounds:
        return 0.0, 1.0
    games = sum(map(len, rounds))
    usual = games / len(rounds)
    count = len(rounds) + 2
    sums = [*((sum(one), len(one)) for one in rounds), (usual, usual), (0.0, usual)]
    middle = sum(won for won, _ in sums) / (games + 2 * usual)
    squares = sum(((won - middle * size) / usual) ** 2 for won, size in sums)
    error = student(count - 1) * math.sqrt(squares / (count * (count - 1)))
    return max(middle - error, 0.0), min(middle + error, 1.0)


@dataclass
class Standing:
    """What one player, or all of one name together, has reached.

    Attributes
    ----------
    name, places
        The name, and how many of the players have it.
    games
        Games counted once for each seat that the name had in them.
    wins, joint, losses
        Won alone, won with others (a draw between two), lost.
    share, low, high
        The share of the win, and its 95 % interval.
    decisions, seconds, slowest
        How many, their mean time, the longest.
    cpu
        The mean time of the processor for a decision; None where it is not known.
    late, illegal, silent, failed
        Late answers; games lost by an illegal answer, by none, by an error.
    """

    name: str
    places: int = 0
    games: int = 0
    wins: int = 0
    joint: int = 0
    losses: int = 0
    share: float = 0.0
    low: float = 0.0
    high: float = 1.0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float | None = 0.0
    late: int = 0
    illegal: int = 0
    silent: int = 0
    failed: int = 0
    _rounds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list), repr=False)

    def add(self, outcome: Outcome, seat: int) -> None:
        """Count a seat of a game."""
        share = outcome.shares[seat]
        self.games += 1
        self.wins += share == 1
        self.joint += 0 < share < 1
        self.losses += share == 0
        self.seconds += outcome.seconds[seat]
        self.decisions += outcome.decisions[seat]
        cpu = outcome.cpu[seat] if seat < len(outcome.cpu) else None
        self.cpu = None if cpu is None or self.cpu is None else self.cpu + cpu
        self.slowest = max(self.slowest, outcome.slowest[seat])
        self.late += outcome.late[seat]
        if outcome.fault == seat:
            self.illegal += outcome.end == ILLEGAL
            self.silent += outcome.end == SILENT
            self.failed += outcome.end == FAILED
        self._rounds[outcome.round].append(share)

    def finish(self) -> Standing:
        """Work out means and interval."""
        if self.games:
            self.share = sum(map(sum, self._rounds.values())) / self.games
            self.low, self.high = interval(list(self._rounds.values()))
        self.seconds /= max(self.decisions, 1)
        self.cpu = None if self.cpu is None else self.cpu / max(self.decisions, 1)
        return self


def standings(players: Sequence[str], outcomes: Iterable[Outcome]) -> list[Standing]:
    """Return a standing for each name, the best first."""
    table = {name: Standing(name) for name in players}
    for name in players:
        table[name].places += 1
    for outcome in outcomes:
        for seat, player in enumerate(outcome.seats):
            table[players[player]].add(outcome, seat)
    found = [standing.finish() for standing in table.values()]
    return sorted(found, key=lambda standing: -standing.share)


def by_seat(seats: int, outcomes: Iterable[Outcome]) -> list[Standing]:
    """Return what each seat has reached, whoever sat there."""
    table = [Standing(str(seat), places=1) for seat in range(seats)]
    for outcome in outcomes:
        for seat in range(seats):
            table[seat].add(outcome, seat)
    return [standing.finish() for standing in table]
