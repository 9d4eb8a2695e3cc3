"""Whether what the Strategos believes is there, counted in games that are over.

A game is replayed from a seat: what the player of today would have believed in it, and what was
there. So a change of the beliefs is judged on the same games. `bench/league.py` prints it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import numpy as np

from tianxia.games.stratego.bot.beliefs import BESIDE_SQUARE
from tianxia.games.stratego.bot.player import OUTCOME
from tianxia.games.stratego.bot.strategos import Strategos
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, WIN
from tianxia.games.stratego.rules.components import Rank
from tianxia.games.stratego.rules.state import MOVED, SETUP
from tianxia.kernel.state import State
from tianxia.search.bot import tell

EVERY = 20
"""After how many plies beliefs are compared again."""
STAGES = {100: "to ply 100", 250: "to ply 250", 1 << 30: "later"}
ROW_NAMES = ("back row", "second row", "third row", "front row")
MOVER = "moved"
KINDS = {
    "Flag": (Rank.FLAG,),
    "Bomb": (Rank.BOMB,),
    "Miner": (Rank.MINER,),
    "Spy": (Rank.SPY,),
    "Marshal, General": (Rank.MARSHAL, Rank.GENERAL),
    "Colonel, Major": (Rank.COLONEL, Rank.MAJOR),
}
RETAKEN_FROM = Rank.COLONEL
"""From which rank on it is worth counting that a piece is retaken."""
PLIES_OF_SETUP = 2 * c.SLOTS + 1


@dataclass
class Tally:
    """Cases, how many were expected, how many came."""

    cases: int = 0
    believed: float = 0.0
    true: int = 0

    def add(self, believed: float, true: bool) -> None:
        """Count a case."""
        self.cases += 1
        self.believed += believed
        self.true += true

    def merge(self, other: Tally) -> None:
        """Count the cases of another, too."""
        self.cases += other.cases
        self.believed += other.believed
        self.true += other.true

    def shares(self) -> tuple[float, float]:
        """Return what share was believed, and what was there."""
        cases = max(self.cases, 1)
        return self.believed / cases, self.true / cases


Cell = tuple[str, str, str]
"""A kind of piece, its place, the stage of the game."""


@dataclass
class Counts:
    """What games tell of what a player believed and did.

    Attributes
    ----------
    cells
        By kind, place and stage: how often a piece was believed to be of that kind, and was.
    cover
        Captures of its best pieces beside hidden ones: believed and true protection.
    lost
        Of these: how many were retaken at once.
    sure
        Attacks that were known to fail.
    """

    games: int = 0
    cells: dict[Cell, Tally] = field(default_factory=lambda: defaultdict(Tally))
    cover: Tally = field(default_factory=Tally)
    lost: int = 0
    sure: int = 0

    def merge(self, other: Counts) -> None:
        """Count the games of another, too."""
        self.games += other.games
        self.lost += other.lost
        self.sure += other.sure
        self.cover.merge(other.cover)
        for cell, tally in other.cells.items():
            self.cells[cell].merge(tally)


class Reader:
    """Replays a game from a seat and counts.

    Parameters
    ----------
    end
        The end of the game, with its history.
    seat
        Whose beliefs are looked at.
    """

    def __init__(self, end: State, seat: int) -> None:
        self.end = end
        self.seat = seat
        self.theirs = range((1 - seat) * c.SLOTS, (2 - seat) * c.SLOTS)
        self.bot = Strategos(end.game, seat, 0)
        self.counts = Counts(games=1)
        self.taken_at = -1
        """Where its piece has just taken another beside hidden ones."""

    def read(self) -> Counts:
        """Count the whole game."""
        position = self.end.start()
        for number, (actor, action) in enumerate(self.end.history()):
            if position.fields["phase"] != SETUP and c.kind_of(action) == c.MOVE:
                self._look(position, actor, action, number)
            tell(position, action, actor, [(self.seat, self.bot)])
        return self.counts

    def _look(self, position: State, actor: int, action: int, number: int) -> None:
        origin, target = c.squares_of(action)
        if actor != self.seat:
            self.counts.lost += target == self.taken_at and self._falls(position, origin, target)
            self.taken_at = -1
            return
        view = position.view(self.seat)
        if (number - PLIES_OF_SETUP) // 2 % (EVERY // 2) == 0:
            self._compare(position, view, number - PLIES_OF_SETUP)
        other = int(position.fields["board"][target]) - 1
        if other >= 0:
            self._fight(position, view, origin, target)

    @staticmethod
    def _falls(position: State, origin: int, target: int) -> bool:
        """Say whether the piece that is attacked falls."""
        board, rank = position.fields["board"], position.fields["rank"]
        attacker, other = (int(rank[int(board[square]) - 1]) for square in (origin, target))
        return bool(OUTCOME[attacker, other] != LOSS)

    def _compare(self, position: State, view: State, ply: int) -> None:
        """Compare what every hidden piece is believed to be with what it is."""
        chances = self.bot.beliefs(view)
        stage = next(name for end, name in STAGES.items() if ply < end)
        for piece in self.theirs:
            if view.fields["square"][piece] == 0 or view.fields["rank"][piece] != 0:
                continue
            moved = int(view.fields["marks"][piece]) & MOVED
            place = MOVER if moved else ROW_NAMES[piece % c.SLOTS // c.SIDE]
            truth = int(position.fields["rank"][piece])
            for kind, ranks in KINDS.items():
                believed = float(chances[piece, list(ranks)].sum())
                self.counts.cells[kind, place, stage].add(believed, truth in ranks)

    def _fight(self, position: State, view: State, origin: int, target: int) -> None:
        fields = view.fields
        piece, other = int(fields["board"][origin]) - 1, int(fields["board"][target]) - 1
        rank, known = int(fields["rank"][piece]), int(fields["rank"][other])
        self.counts.sure += known != 0 and OUTCOME[rank, known] == LOSS
        taken = OUTCOME[rank, int(position.fields["rank"][other])] == WIN
        near = self._hidden_beside(view, target)
        if rank < RETAKEN_FROM or not taken or not near:
            return
        beating = np.flatnonzero(OUTCOME[: c.BOMB, rank] != LOSS)
        chances = self.bot.beliefs(view)
        believed = 1 - float(np.prod([1 - chances[one, beating].sum() for one in near]))
        truth = any(int(position.fields["rank"][one]) in beating for one in near)
        self.counts.cover.add(believed, truth)
        self.taken_at = target

    def _hidden_beside(self, view: State, square: int) -> list[int]:
        beside = [int(view.fields["board"][near]) - 1 for near in BESIDE_SQUARE[square]]
        return [one for one in beside if one in self.theirs and view.fields["rank"][one] == 0]
