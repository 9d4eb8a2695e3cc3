"""Strangers to measure the best player by: nine styles of play, each with its own set-ups.

What the other bots believe is fitted to games with some of them and measured on the others
(`FITTING`, `MEASURING`). A style is a quick search that leans towards what it likes:
points for a move, on top of what the search says of it. So it plays sensibly and yet otherwise than
the Strategos expects. They are no levels for people: the arena finds them as
``tianxia.games.stratego.bot.league:baiter`` and so on, `bench/league.py` plays all of them.

In the small variants they set up as everybody does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tianxia.games.stratego.bot.appraisal import (
    OF_BAIT,
    OF_BREACH,
    OF_CALM,
    OF_CAUTION,
    OF_GIVEN_AWAY,
    OF_PACE,
    OF_RISK,
    OF_SHELTER,
    OF_TOLD,
    USUAL,
)
from tianxia.games.stratego.bot.behaviour import PREY_WORTH
from tianxia.games.stratego.bot.player import OUTCOME
from tianxia.games.stratego.bot.strategos import Skill, Strategos, Weighed
from tianxia.games.stratego.face.deployment import LANES, SETUP_ROWS, Setup, beside, distance
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import WIN
from tianxia.games.stratego.rules.components import Rank
from tianxia.games.stratego.rules.state import MOVED, RAN, SHOWN
from tianxia.kernel.game import Game
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.kernel.state import State
from tianxia.search.leaning import League, factors
from tianxia.search.leaning import Style as Leaner

STRONG, GREAT = Rank.MAJOR, Rank.COLONEL
"""From which rank on a piece is worth an ambush, and worth hiding."""

# --- Set-ups ---

ORDER = (
    *(Rank.BOMB, Rank.MARSHAL, Rank.GENERAL, Rank.SPY, Rank.COLONEL, Rank.MINER, Rank.MAJOR),
    *(Rank.CAPTAIN, Rank.LIEUTENANT, Rank.SERGEANT, Rank.SCOUT),
)
"""Who chooses its place first; the Flag does before all."""
EVENLY = (1, 1, 1, 1)
NEARBY = 12
"""How much likelier a place is that is at most two steps from whom a rank stays with."""
OPENERS = 3
"""How many of the squares without a lake before them hold what can move, at least."""


@dataclass(frozen=True)
class Ground:
    """Where a style likes its pieces; a set-up is drawn at random within that.

    Attributes
    ----------
    rows
        By rank: weights of the rows, the back row first; evenly where nothing is said.
    corner
        Weights of the Flag's column, by its steps from the nearer edge.
    walls
        How many Bombs stand beside the Flag, if there is room: one of these numbers.
    close
        By rank: the rank near which it stands.
    """

    rows: Mapping[int, tuple[int, int, int, int]] = field(default_factory=dict)
    corner: tuple[int, int, int, int, int] = (3, 2, 2, 2, 1)
    walls: tuple[int, ...] = (2, 3)
    close: Mapping[int, int] = field(default_factory=dict)

    def draw(self, rng: Rng) -> Setup:
        """Return a set-up of the classic army."""
        while True:
            setup = self._drawn(rng)
            doors = [setup[c.SLOTS - c.SIDE + column] for column in LANES]
            if sum(rank < Rank.BOMB for rank in doors) >= OPENERS:
                return setup

    def _drawn(self, rng: Rng) -> Setup:
        setup: Setup = [0] * c.SLOTS
        left = c.COUNTS[c.CLASSIC].tolist()
        flag = self._flag(rng)
        setup[flag] = int(Rank.FLAG)
        around = list(beside(flag))
        for _ in range(min(self.walls[below(rng, len(self.walls))], len(around))):
            setup[around.pop(below(rng, len(around)))] = int(Rank.BOMB)
            left[Rank.BOMB] -= 1
        for rank in ORDER:
            for _ in range(left[rank]):
                slot = weighted(rng, [self._weight(setup, slot, rank) for slot in range(c.SLOTS)])
                setup[slot] = int(rank)
        return setup

    def _flag(self, rng: Rng) -> int:
        rows = self.rows.get(Rank.FLAG, (1, 0, 0, 0))
        return weighted(
            rng,
            [
                rows[row] * self.corner[min(column, c.SIDE - 1 - column)]
                for row in range(SETUP_ROWS)
                for column in range(c.SIDE)
            ],
        )

    def _weight(self, setup: Setup, slot: int, rank: int) -> int:
        """Return how well a free square suits a rank; one at least, so that all find a place."""
        if setup[slot]:
            return 0
        weight = 1 + 10 * self.rows.get(rank, EVENLY)[slot // c.SIDE]
        friend = self.close.get(rank)
        if friend is not None and distance(slot, setup.index(friend)) <= 2:
            weight *= NEARBY
        return weight


def weighted(rng: Rng, weights: list[int]) -> int:
    """Return an index, drawn by its weight."""
    ticket = below(rng, sum(weights))
    for index, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return index
    raise ValueError("nothing has any weight")


# --- What a style sees ---


@dataclass(frozen=True)
class Step:
    """A legal move, as a style looks at it."""

    origin: int
    target: int
    piece: int
    rank: int
    other: int
    """The piece that it attacks, or −1."""


class Sight:
    """A view, as a style looks at it: squares from 0, pieces by number, −1 for none."""

    def __init__(self, view: State, seat: int, decided: int) -> None:
        fields = view.fields
        self.seat = seat
        self.decided = decided
        self.board: list[int] = [piece - 1 for piece in fields["board"].tolist()]
        self.square: list[int] = [square - 1 for square in fields["square"].tolist()]
        self.rank: list[int] = fields["rank"].tolist()
        self.marks: list[int] = fields["marks"].tolist()
        self.own = self._army(seat)
        self.known = [p for p in self._army(1 - seat) if 0 < self.rank[p] < Rank.BOMB]
        """Opposing pieces that can move and whose rank is known."""

    def _army(self, seat: int) -> list[int]:
        first = seat * c.SLOTS
        return [piece for piece in range(first, first + c.SLOTS) if self.square[piece] >= 0]

    def step(self, action: int) -> Step:
        """Return what a move is."""
        origin, target = c.squares_of(action)
        piece = self.board[origin]
        return Step(origin, target, piece, self.rank[piece], self.board[target])

    def hides(self, piece: int) -> bool:
        """Say whether a piece's rank has not been seen."""
        return self.marks[piece] & (SHOWN | RAN) == 0

    def rests(self, piece: int) -> bool:
        """Say whether a piece has never moved."""
        return self.marks[piece] & MOVED == 0

    def row(self, square: int) -> int:
        """Return how far a square is from one's own edge, from 0 to 9."""
        return c.row_of(square, self.seat)

    def forward(self, step: Step) -> int:
        """Return how many rows a move goes ahead."""
        return self.row(step.target) - self.row(step.origin)

    def nearer(self, step: Step, least: int, beaten: bool = False) -> int:
        """Return by how much a move comes nearer to the next known piece of a rank and more.

        With `beaten` only to those that the mover takes.
        """
        prey = [
            self.square[other]
            for other in self.known
            if self.rank[other] >= least and not (beaten and not takes(step.rank, self.rank[other]))
        ]
        if not prey:
            return 0
        here, there = (
            min(distance(square, goal) for goal in prey) for square in (step.origin, step.target)
        )
        return here - there

    def where(self, rank: int) -> int:
        """Return the square of an own piece of a rank, or −1."""
        return next((self.square[piece] for piece in self.own if self.rank[piece] == rank), -1)

    def after(self, step: Step) -> dict[int, int]:
        """Return the squares of one's own pieces after a quiet move."""
        return {p: step.target if p == step.piece else self.square[p] for p in self.own}

    def baits(self, places: Mapping[int, int]) -> int:
        """Count the cheap pieces that a known one may come to take, each before a hidden avenger.

        The General is bait, too, where the Spy waits for the Marshal.
        """
        return sum(
            1
            for foe in self.known
            if self.rank[foe] >= STRONG
            for bait, square in places.items()
            if distance(square, self.square[foe]) <= 2
            and takes(self.rank[foe], self.rank[bait])
            and (
                PREY_WORTH[self.rank[bait]] < PREY_WORTH[self.rank[foe]] / 2
                or self.rank[bait] == Rank.GENERAL
            )
            and any(
                self._avenges(one, foe) and distance(at, square) == 1
                for one, at in self._others(places, bait)
            )
        )

    def _avenges(self, piece: int, foe: int) -> bool:
        return self.hides(piece) and takes(self.rank[piece], self.rank[foe])

    @staticmethod
    def _others(places: Mapping[int, int], bait: int) -> Iterator[tuple[int, int]]:
        return ((piece, at) for piece, at in places.items() if piece != bait)


def takes(attacker: int, defender: int) -> bool:
    """Say whether a rank that attacks another stays."""
    return attacker < Rank.BOMB and OUTCOME[attacker, defender] == WIN


# --- What styles like about a move, in points ---


def baits(sight: Sight, step: Step) -> float:
    """Leave a cheap piece where a strong one may take it and is taken in turn."""
    if step.other >= 0 or not any(sight.rank[foe] >= STRONG for foe in sight.known):
        return 0.0
    now = {piece: sight.square[piece] for piece in sight.own}
    return 5.0 * (sight.baits(sight.after(step)) - sight.baits(now))


def bluffs(sight: Sight, step: Step) -> float:
    """Walk up to known strong pieces with weak ones that hide, and stay there."""
    weak = Rank.SCOUT <= step.rank <= Rank.CAPTAIN and step.rank != Rank.MINER
    if step.other >= 0 or not weak or not sight.hides(step.piece):
        return 0.0
    return 2.5 * sight.nearer(step, STRONG)


def hunts(sight: Sight, step: Step) -> float:
    """Bring the best pieces, still hidden, to known strong ones that they take; spare the rest."""
    if step.rank < GREAT or not sight.hides(step.piece):
        return 0.0
    if step.other >= 0:
        return 0.0 if sight.rank[step.other] >= Rank.CAPTAIN else -10.0
    return 2.0 * sight.nearer(step, Rank.CAPTAIN, beaten=True)


def lays_mines(sight: Sight, step: Step) -> float:
    """Come out on one wing only, and leave the other to its Bombs."""
    if not sight.rests(step.piece):
        return 0.0
    left = (step.origin % c.SIDE < c.SIDE // 2) == (sight.seat == c.RED)
    return -4.0 if left else 0.5


def saves(sight: Sight, step: Step) -> float:
    """Do without the best pieces for long: nobody is to know where they are."""
    if sight.decided > 120 or step.rank < GREAT or not sight.hides(step.piece):
        return 0.0
    return -12.0 if step.other >= 0 else -1.0


def raids(sight: Sight, step: Step) -> float:
    """Send Miners early along a wing, and others with them."""
    column = step.target % c.SIDE
    if step.other >= 0 or min(column, c.SIDE - 1 - column) > 2:
        return 0.0
    return (1.5 if step.rank == Rank.MINER else 0.5) * sight.forward(step)


def rushes(sight: Sight, step: Step) -> float:
    """Go ahead at once, and attack whatever stands in the way."""
    if step.rank in (Rank.SPY, Rank.MINER):
        return 0.0
    if step.other >= 0:
        return 6.0 if sight.rank[step.other] == 0 and sight.decided < 80 else 0.0
    return 0.8 * sight.forward(step)


def keeps_spy(sight: Sight, step: Step) -> float:
    """Keep the Spy beside General or Marshal, as a trap for the Marshal who comes for them."""
    spy = sight.where(Rank.SPY)
    if spy < 0 or step.other >= 0:
        return 0.0
    total = baits(sight, step)
    lords = [square for square in map(sight.where, (Rank.GENERAL, Rank.MARSHAL)) if square >= 0]
    if step.rank == Rank.SPY and lords:
        here, there = (min(distance(at, one) for one in lords) for at in (spy, step.target))
        total += 2.0 * (max(here, 2) - max(there, 2))
    elif step.rank == Rank.GENERAL:
        total += 1.0 * (max(distance(spy, step.origin), 2) - max(distance(spy, step.target), 2))
    return total


def waits(sight: Sight, step: Step) -> float:
    """Stay on one's own side, and let the others come."""
    if step.other >= 0:
        return 2.0 if sight.row(step.target) < c.SIDE // 2 else -3.0
    home = c.SIDE // 2 - 1
    beyond = max(sight.row(step.target) - home, 0) - max(sight.row(step.origin) - home, 0)
    return -3.0 * beyond - 1.0 * sight.rests(step.piece)


@dataclass(frozen=True)
class Style(Leaner):
    """How a stranger plays: see `search.leaning.Style`; `ground` is where its pieces stand."""

    ground: Ground = field(default_factory=Ground)


PLAYING_STYLES: Mapping[str, Style] = {
    "baiter": Style(
        baits,
        ground=Ground(
            {Rank.MARSHAL: (0, 2, 2, 0), Rank.SCOUT: (0, 1, 2, 3), Rank.SPY: (0, 1, 2, 0)}
        ),
        taste={OF_GIVEN_AWAY: 2.0},
    ),
    "bluffer": Style(
        bluffs,
        ground=Ground(
            {Rank.FLAG: (3, 2, 1, 0), Rank.MARSHAL: (2, 2, 1, 0), Rank.GENERAL: (1, 2, 1, 0)},
            corner=(1, 1, 1, 1, 1),
            walls=(0, 1, 2),
        ),
    ),
    "hunter": Style(
        hunts,
        ground=Ground(dict.fromkeys((Rank.MARSHAL, Rank.GENERAL, Rank.COLONEL), (0, 1, 3, 1))),
        taste={OF_GIVEN_AWAY: 2.0},
    ),
    "minelayer": Style(
        lays_mines,
        ground=Ground({Rank.BOMB: (0, 1, 3, 3), Rank.MINER: (3, 3, 1, 0)}, walls=(1, 2)),
        taste={OF_SHELTER: 2.0},
    ),
    "miser": Style(
        saves,
        ground=Ground(
            {Rank.MARSHAL: (2, 2, 0, 0), Rank.GENERAL: (2, 2, 0, 0), Rank.COLONEL: (1, 2, 1, 0),
             Rank.CAPTAIN: (0, 0, 1, 3), Rank.LIEUTENANT: (0, 0, 2, 3), Rank.BOMB: (3, 1, 1, 0)},
        ),
        taste={OF_TOLD: 1.5},
    ),
    "raider": Style(
        raids,
        ground=Ground({Rank.MINER: (0, 1, 3, 1), Rank.SCOUT: (1, 1, 1, 1)}, corner=(1, 1, 2, 3, 3)),
        taste={OF_PACE: 1.5},
    ),
    "rusher": Style(
        rushes,
        ground=Ground(
            {Rank.MARSHAL: (0, 0, 1, 2), Rank.GENERAL: (0, 0, 1, 2), Rank.COLONEL: (0, 0, 1, 3),
             Rank.MAJOR: (0, 0, 1, 3), Rank.BOMB: (3, 2, 0, 0), Rank.MINER: (3, 2, 0, 0)},
        ),
        taste={OF_CAUTION: 0.7, OF_PACE: 1.5},
    ),
    "spymaster": Style(
        keeps_spy,
        ground=Ground(
            {Rank.GENERAL: (0, 0, 2, 2), Rank.MARSHAL: (1, 2, 0, 0)},
            close={Rank.SPY: Rank.GENERAL},
        ),
    ),
    "turtle": Style(
        waits,
        ground=Ground(
            {Rank.BOMB: (3, 2, 1, 1), Rank.MARSHAL: (0, 2, 1, 0), Rank.SCOUT: (2, 1, 1, 1)},
            corner=(4, 2, 1, 0, 0),
            walls=(2, 3),
        ),
        taste={OF_CAUTION: 1.3, OF_PACE: 0.5},
    ),
}  # fmt: skip
FITTING = ("baiter", "hunter", "minelayer", "rusher", "turtle")
MEASURING = ("bluffer", "miser", "raider", "spymaster")
"""What is counted on the first is measured on the others."""

BOLD = {OF_RISK: 0.0, OF_BAIT: 0.0, OF_CALM: 20.0 / 36.0, OF_BREACH: 5.0 / 30.0}
"""What the Strategos has learnt since these styles were made: they do without, as it did before."""
THOUGHT = Skill(worlds=6, depth=2, nodes=4_000, temperature=0.5, swaps=0)
CAMP_STREAM = 1 << 43


class Stranger(Strategos):
    """Plays as its style likes."""

    def __init__(self, game: Game, seat: int, seed: int, style: Style) -> None:
        super().__init__(game, seat, seed, THOUGHT)
        self.style = style
        if self.variant == c.CLASSIC:
            self.setup = style.ground.draw(new_rng(seed, CAMP_STREAM))
        self.taste = USUAL * factors(BOLD | dict(style.taste), range(len(USUAL)), len(USUAL))

    def weigh(self, view: State) -> list[Weighed]:
        """Return what each move is worth to this style, as if all were searched equally deep.

        Moves that the search has dropped are no better to it than the worst that it kept.
        """
        found = super().weigh(view)
        deepest = found[0].depth
        least = min(one.points for one in found if one.depth == deepest)
        sight = Sight(view, self.seat, self.decided)
        liked = [
            Weighed(
                one.action,
                (one.points if one.depth == deepest else min(one.points, least))
                + self.style.leaning(sight, sight.step(one.action)),
                deepest,
            )
            for one in found
        ]
        return sorted(liked, key=lambda one: (-one.points, one.action))


LEAGUE = League(Stranger, PLAYING_STYLES)

__getattr__ = LEAGUE.maker
"""Styles' makers by name, as the arena asks for `module:name`."""
