"""What a tournament is, and how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tianxia.kernel import registry
from tianxia.kernel.game import Game
from tianxia.tables.clocks import Pace
from tianxia.tournaments.pairing import rounds_of
from tianxia.tournaments.standings import Score, Standing, standings

System = Literal["swiss", "round-robin"]
Status = Literal["open", "playing", "over", "off"]
SYSTEMS: tuple[System, ...] = ("swiss", "round-robin")
SWISS, ALL = SYSTEMS
COME_SECONDS = 120.0
"""How long a live game waits for those who were paired; by mail as long as for a decision."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A tournament that somebody wants to make.

    Attributes
    ----------
    rounds
        Of a Swiss tournament; everybody meets everybody in as many as it takes.
    starts
        When it begins by itself; None: when its maker says so.
    bots
        Whether accounts of programs may enter.
    """

    name: str
    spec: str
    pace: str
    system: str = SWISS
    rounds: int = 5
    public: bool = True
    rated: bool = True
    bots: bool = False
    starts: float | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament's own row.

    Attributes
    ----------
    maker
        The account that has made it; empty once that is deleted.
    status
        ``open`` (one can enter), ``playing``, ``over``, or ``off``: it never began.
    round
        1, 2, …; 0 before the first.
    due
        Until when people may come to the games of this round.
    """

    id: str
    name: str
    maker: str
    spec: str
    pace: str
    system: System
    rounds: int
    public: bool
    rated: bool
    bots: bool
    created: float
    starts: float | None
    status: Status
    round: int
    due: float | None
    version: int

    @property
    def game(self) -> Game:
        """What is played."""
        return registry.game(self.spec)

    @property
    def size(self) -> int:
        """How many sit at a table."""
        return self.game.seats

    @property
    def least(self) -> int:
        """How many people it takes."""
        return max(3, self.size)

    @property
    def takes(self) -> bool:
        """Whether one can enter: before it begins, and in the first half of a Swiss one.

        The rounds before that bring whoever comes late nothing.
        """
        early = self.system == SWISS and 2 * self.round <= self.rounds
        return self.status == "open" or (self.status == "playing" and early)

    @property
    def come_seconds(self) -> float:
        """How long a game waits for those who were paired."""
        pace = Pace.read(self.pace)
        return pace.base if pace.kind == "mail" else COME_SECONDS

    @property
    def rest(self) -> float:
        """What a round is worth to whom it has brought nobody to play.

        As much as a win of two; at larger tables as a middling place. In a round robin
        everybody rests equally often.
        """
        if self.system == ALL:
            return 0.0
        return 1.0 if self.size == 2 else (self.size - 1) / 2

    def rounds_with(self, people: int) -> int:
        """Return how many rounds there are with so many people: nobody meets twice."""
        if self.system == ALL:
            return rounds_of(people)
        return min(self.rounds, rounds_of(people)) if self.size == 2 else self.rounds


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who plays in a tournament.

    Attributes
    ----------
    number
        1, 2, …
    account, name
        Empty once the account is deleted.
    strength
        The rating when they entered.
    gone
        Whether they have withdrawn, or were missing at a game, and are paired no more.
    """

    number: int
    account: str
    name: str
    person: str
    bot: bool
    strength: float
    gone: bool


@dataclass(frozen=True, slots=True)
class Row:
    """An entrant's round; `board` is None for who had nobody to play."""

    round: int
    entrant: int
    board: int | None
    seat: int
    table_id: str
    points: float | None


@dataclass(frozen=True)
class Found:
    """A tournament as it stands."""

    tournament: Tournament
    entrants: tuple[Entrant, ...]
    rows: tuple[Row, ...]

    @cached_property
    def by_number(self) -> dict[int, Entrant]:
        """The entrants by their numbers."""
        return {one.number: one for one in self.entrants}

    def of_account(self, account: str) -> Entrant | None:
        """Return the entrant that an account is."""
        return next((one for one in self.entrants if one.account == account != ""), None)

    @cached_property
    def standings(self) -> list[Standing]:
        """How all stand, the best first; at first by the ratings with which they came."""
        order = sorted(self.entrants, key=lambda one: (-one.strength, one.number))
        scores = [Score(r.round, r.entrant, r.board, r.points, r.seat) for r in self.rows]
        return standings([one.number for one in order], scores, self.tournament.size)

    @cached_property
    def playing(self) -> list[int]:
        """The numbers of those who are still paired."""
        return [one.number for one in self.entrants if not one.gone]

    def boards(self, number: int) -> dict[int, list[Row]]:
        """Return the tables of a round, each by seat."""
        found: dict[int, list[Row]] = {}
        for row in sorted(self.rows, key=lambda row: (row.board or 0, row.seat)):
            if row.round == number and row.board is not None:
                found.setdefault(row.board, []).append(row)
        return found

    def byes(self, number: int) -> list[Row]:
        """Return who had nobody to play in a round."""
        return [row for row in self.rows if row.round == number and row.board is None]

    def table_of(self, account: str) -> str:
        """Return the table at which somebody has to play now; empty where there is none."""
        mine, now = self.of_account(account), self.tournament.round
        if mine is None or self.tournament.status != "playing":
            return ""
        rows: Sequence[Row] = [one for one in self.rows if one.entrant == mine.number]
        return next((r.table_id for r in rows if r.round == now and r.points is None), "")
