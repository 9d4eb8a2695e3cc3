"""The Strategos: the best player of Stratego here, and the levels below it.

It weighs every move in worlds dealt from what it has learnt of each opposing piece (`worlds`)
and chooses among those that are nearly as good as the best, by chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.appraisal import USUAL, appraise, material, worth_of
from tianxia.games.stratego.bot.arrangements import Arrangements
from tianxia.games.stratego.bot.behaviour import weigh_move
from tianxia.games.stratego.bot.camps import camp, habit
from tianxia.games.stratego.bot.evidence import chances_of, make_memory
from tianxia.games.stratego.bot.player import OUTCOME
from tianxia.games.stratego.bot.raids import Moves, watch_flag
from tianxia.games.stratego.bot.tactics import STEP, Field, make_field, search
from tianxia.games.stratego.bot.worlds import Desk, Effort, Mind, believe, learn, make_desk, think
from tianxia.games.stratego.face.deployment import Setup
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS
from tianxia.games.stratego.rules.state import SETUP
from tianxia.kernel.game import Game, Part
from tianxia.kernel.rng import fraction, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player
from tianxia.search.choosing import drawn, softmax
from tianxia.search.rooms import room

REPEATED = 1.5
"""Points lost each time the same arrangement of one's own army comes back."""
STROLL, MOST_STROLLS = 0.3, 4
"""Points lost for each time that a piece was on a square before, and how many times count: who
walks to and fro with two pieces brings no arrangement back."""
LENIENT, BEHIND = 3, -600.0
"""How many times who is chased may go back all the same, and how far behind (in points) it goes
on with it: at tables without rules against repetition nobody else ends a chase. Only who has
lost almost everything takes a draw: most programs do not know how to win from far ahead."""
NEAR_BEST = 12.0
"""Moves that are further behind the best than so many temperatures are never chosen."""
CHOICE_STREAM = 1 << 42


@dataclass(frozen=True)
class Skill:
    """How hard it thinks.

    Attributes
    ----------
    worlds
        In how many worlds each move is looked at; beyond five moves ahead in at most ten.
    depth
        How many moves ahead at most, fights aside.
    nodes
        How many positions are looked at, all in all, before it goes no deeper.
    temperature
        Points: how far behind the best a move may be and still be chosen now and then.
    remembers
        Whether it learns from what opposing pieces do, beyond their having moved; it never attacks
        then what has been seen to be stronger, as long as it has another move.
    swaps
        How often it tries to better its set-up.
    """

    worlds: int = 20
    depth: int = 7
    nodes: int = 3_000_000
    temperature: float = 0.25
    remembers: bool = True
    swaps: int = 300
    taste: tuple[float, ...] | None = None


class Weighed(NamedTuple):
    """What it makes of a move: points, compared with standing still, and depth searched."""

    action: int
    points: float
    depth: int


def _room() -> tuple[Field, Desk]:
    """Return this thread's room for searching."""
    return room(make_field), room(make_desk)


@cache
def _prepare(game: Game) -> None:
    """Load what it thinks with, or compile it, before its first decision is on a clock."""
    legal, rng, nothing = np.zeros(c.MAX_LEGAL, np.int64), new_rng(0), game.blank(1)
    memory = make_memory()
    think(nothing, 0, legal, 0, Mind(memory, habit(0), USUAL), Effort(0, 1, 1), *_room(), rng)
    learn(nothing, 0, c.MOVE, memory, habit(0), _room()[1])


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    pool, legal, (field, desk) = game.blank(1), np.zeros(c.MAX_LEGAL, np.int64), _room()
    state = pool[0]
    yield search, (field, 0, 0, 0)
    yield watch_flag, (state, 0, desk.chances, Moves(legal, 0, desk.raided), 0, desk.chase)
    chances = desk.chances, desk.own, desk.left, field
    yield appraise, (state, 0, *chances, desk.pull, desk.through, USUAL)
    yield chances_of, (state, 0, make_memory(), habit(0), desk.hidden, desk.chances)
    yield weigh_move, (state, 0, 0, 0, desk.chances, desk.scene, make_memory().past)
    yield learn, (pool, 0, 0, make_memory(), habit(0), desk)


class Strategos(Player):
    """Plays every variant of Stratego, from a seat's views alone."""

    def __init__(self, game: Game, seat: int, seed: int, skill: Skill | None = None) -> None:
        super().__init__(game, seat, seed)
        self.skill = skill or Skill()
        self.variant = c.VARIANTS.index(str(game.options["variant"]))
        self.habit = habit(self.variant)
        self.taste = USUAL if skill is None or skill.taste is None else np.array(skill.taste)
        self.memory = make_memory()
        self.before: State | None = None
        _prepare(game)
        self.stood = Arrangements(seat)
        self.visits: Counter[tuple[int, int]] = Counter()  # by own piece and square

    @cached_property
    def setup(self) -> Setup:
        """The set-up of its army; asked for while it sets up."""
        return camp(self.variant, self.seed, self.skill.swaps)

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Learn from what the other army does; remember how one's own has stood."""
        super().observe(actor, action, view)
        self.stood.note(actor, view)
        if actor == self.seat:
            self._note_visit(action, view)
        elif action is not None and c.kind_of(action) == c.MOVE and self.before is not None:
            if self.skill.remembers and not view.over:
                _, desk = _room()
                learn(self.before.record, self.seat, action, self.memory, self.habit, desk)
        self.before = view

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the next rank of the set-up, or a move that is nearly the best."""
        legal = view.legal_actions(self.seat)
        if view.fields["phase"] == SETUP:
            planned = self.setup[int(view.fields["placed"][self.seat])]
            return planned if planned in legal else legal[-1]
        if len(legal) == 1:
            return legal[0]
        weighed = self.weigh(view)
        if self.skill.remembers:  # in a lost game the search may see nothing against it
            weighed = [one for one in weighed if not throws_away(view, one.action)] or weighed
        rng = new_rng(self.seed, CHOICE_STREAM + self.decided)
        weights = weights_of(weighed, self.skill.temperature)
        return weighed[drawn(weights, fraction(rng))].action

    def weigh(self, view: State) -> list[Weighed]:
        """Return what each legal move is worth: those searched deepest first, best first."""
        legal = np.zeros(c.MAX_LEGAL, np.int64)
        actions = view.legal_actions(self.seat)
        legal[: len(actions)] = actions
        field, desk = _room()
        skill = self.skill
        mind = Mind(self.memory, self.habit, self.taste)
        effort = Effort(skill.worlds, skill.depth, skill.nodes)
        rng = new_rng(self.seed, self.decided)
        think(view.record, self.seat, legal, len(actions), mind, effort, field, desk, rng)
        weighed = [
            Weighed(action, round(points - self._idleness(view, action), 4), depth)
            for action, points, depth in zip(
                actions, desk.means.tolist(), desk.depths.tolist(), strict=False
            )
        ]
        return sorted(weighed, key=lambda one: (-one.depth, -one.points, one.action))

    def standing(self) -> float:
        """Return how far this side was ahead at the last `weigh`, in points of what is left."""
        _, desk = _room()
        mine, theirs = np.zeros(c.RANKS), np.zeros(c.RANKS)
        worth_of(desk.own, desk.left, self.taste, mine)
        worth_of(desk.left, desk.own, self.taste, theirs)
        return float(material(desk.own, mine) - material(desk.left, theirs))

    def beliefs(self, view: State) -> NDArray[np.float64]:
        """Return the chance of each rank for each opposing piece: shape (80, ranks)."""
        _, desk = _room()
        believe(view.record, self.seat, self.memory, self.habit, desk)
        return desk.chances.copy().reshape(-1, c.RANKS)

    def _note_visit(self, action: int | None, view: State) -> None:
        """Remember where one's own piece has gone."""
        if action is not None and c.kind_of(action) == c.MOVE:
            _, target = c.squares_of(action)
            piece = int(view.fields["board"][target]) - 1
            if piece // c.SLOTS == self.seat:  # it did not fall
                self.visits[piece, target] += 1

    def _idleness(self, view: State, action: int) -> float:
        """Return what a quiet move loses because all was so before; who is chased may go back."""
        origin, target = c.squares_of(action)
        board = view.fields["board"]
        if board[target]:
            return 0.0
        piece = int(board[origin]) - 1
        again = self.stood.repeats(view.fields["square"], piece, target)
        if int(view.fields["last_target"]) - 1 in STEP[origin]:
            return REPEATED * max(again - LENIENT, 0) if self.standing() > BEHIND else 0.0
        strolls = min(self.visits[piece, target], MOST_STROLLS)
        return REPEATED * again + STROLL * strolls


def throws_away(view: State, action: int) -> bool:
    """Say whether a move attacks a piece that is known to be stronger."""
    board, rank = view.fields["board"], view.fields["rank"]
    piece, other = (int(board[square]) - 1 for square in c.squares_of(action))
    return other >= 0 and rank[other] != 0 and bool(OUTCOME[rank[piece], rank[other]] == LOSS)


def weights_of(weighed: Sequence[Weighed], temperature: float) -> list[float]:
    """Return how likely each move is to be chosen: a softmax over those searched deepest."""
    deepest = [one.points for one in weighed if one.depth == weighed[0].depth]
    least = max(deepest) - NEAR_BEST * temperature
    weights = softmax(deepest, temperature)
    near = [w if points > least else 0.0 for w, points in zip(weights, deepest, strict=True)]
    return near + [0.0] * (len(weighed) - len(near))
