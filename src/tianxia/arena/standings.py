"""Who won how often: shares of the win with 95 % intervals, time, faults.

A player's share is the mean of 1 for a win, 1/k for a win together with others, 0 for a
loss. Games of a round have their dice in common, so they are no independent games; the
interval is Wilson's for as many independent games as vary like the means of the rounds
(an effective number of games, as in surveys of clusters), never for more than were played.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tianxia.arena.course import FAILED, ILLEGAL, SILENT, Outcome

Z95 = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""


def wilson(share: float, games: float, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval for a share seen in so many independent games.

    >>> low, high = wilson(0.5, 100)
    >>> round(low, 3), round(high, 3)
    (0.404, 0.596)
    """
    if games <= 0:
        return 0.0, 1.0
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max((middle - spread) / scale, 0.0), min((middle + spread) / scale, 1.0)


def effective_games(rounds: Sequence[Sequence[float]]) -> float:
    """Return how many independent games vary as much as these rounds of shares do."""
    games = sum(map(len, rounds))
    if len(rounds) < 2:
        return min(games, 1)
    mean = sum(map(sum, rounds)) / games
    usual = games / len(rounds)
    spread = sum(((sum(one) - mean * len(one)) / usual) ** 2 for one in rounds)
    variance = spread / (len(rounds) * (len(rounds) - 1))
    if variance < 1e-12:
        return games
    return min(games, mean * (1 - mean) / variance)


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
            games = effective_games(list(self._rounds.values()))
            self.low, self.high = wilson(self.share, games)
        self.seconds /= max(self.decisions, 1)
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
