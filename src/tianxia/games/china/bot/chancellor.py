"""The Chancellor: weighs plans for a whole turn by playing on from them.

See `plans` for what it looks at, `habit` for how it takes everybody to play, and `worth`
for how it reads the end of a look ahead. Budgets are spent by sequential halving
(`search.halving`): all plans are tried in a few worlds, the better half in more, until two
are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from tianxia.games.china.bot.plans import TOTAL, ponder
from tianxia.games.china.bot.worth import fitted, make_desk
from tianxia.games.china.rules.components import EMPEROR_FIRST
from tianxia.kernel import functions
from tianxia.kernel.game import Game, Part
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player
from tianxia.search.choosing import softly
from tianxia.search.halving import Worlds, halved
from tianxia.search.parts import rules
from tianxia.search.rooms import room

CHOICE_STREAM = 1 << 40
"""Keeps the numbers of choosing apart from those of looking ahead."""


@dataclass(frozen=True)
class Skill:
    """How carefully plans are weighed.

    Attributes
    ----------
    trials
        Plans played out for a decision, where no deadline comes first.
    plans
        How many plans are looked at; the others are left out at a first glance.
    rounds
        Times around the table that a trial lasts after the present turn; 0 ends it there.
    slack
        How much worse, in chances to win, a plan may be to be taken nearly a third as
        often as the best (the temperature of a softmax); 0 always takes the best.
    """

    trials: int = 800
    plans: int = 24
    rounds: float = 1.0
    slack: float = 0.0


@dataclass(frozen=True)
class Weighed:
    """A plan and what trying it has told.

    Attributes
    ----------
    first, second
        Its actions; the second is −1 where there is none.
    trials
        In how many worlds it was tried.
    chance
        The mean chance to win, from 0 to 1.
    """

    first: int
    second: int
    trials: int
    chance: float


class _Trial:
    """The plans of one decision, while they are tried."""

    def __init__(
        self, view: State, seat: int, seed: int, skill: Skill, weights: NDArray[np.float64]
    ) -> None:
        """List the plans."""
        most = skill.plans + 8
        self.seat = seat
        self.seed = seed & (2**62 - 1)
        self.turns = int(skill.rounds * view.seats) + 1
        self.plans = np.full((most, 2), -1, np.int64)
        self.sums = np.zeros((most, 3))
        self.tried = np.zeros(most, np.int64)
        self.record = view.record
        self.desk = room(partial(make_desk, weights), (make_desk, weights.tobytes()))
        self.pools = np.repeat(view.game.blank(), 2)
        self.count = self._ponder(np.arange(0), 0, 0)

    def _ponder(self, alive: NDArray[np.int64], first: int, last: int) -> int:
        given = self.record, self.pools, self.desk, self.seat
        worlds = Worlds(self.seed, first, last)
        return ponder(*given, self.plans, alive, self.sums, worlds, self.turns)

    def try_in(self, alive: NDArray[np.int64], first: int, last: int) -> None:
        """Try plans in some more worlds."""
        self._ponder(alive, first, last)
        self.tried[alive] = last

    def best_first(self, alive: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return plans in their order; of equals first who spends no special card."""
        chances = self.sums[alive, TOTAL] / self.tried[alive]
        spends = self.plans[alive, 0] >= EMPEROR_FIRST
        return alive[np.lexsort((spends, -chances))]

    def weighed(self, plan: int) -> Weighed:
        """Return what trying a plan has told."""
        first, second = self.plans[plan].tolist()
        tried = int(self.tried[plan])
        return Weighed(first, second, tried, float(self.sums[plan, TOTAL]) / tried)


def weigh(
    view: State,
    seat: int,
    seed: int,
    skill: Skill | None = None,
    deadline: float | None = None,
    weights: NDArray[np.float64] | None = None,
) -> list[Weighed]:
    """Weigh the plans of a seat.

    Parameters
    ----------
    view
        What the seat may know; it may act.
    seed
        Same seed and same skill: same answer.
    deadline
        A time of `search.bot.now` at which to stop, whatever `skill` says.
    weights
        What matters, as `worth.fitted` has it; usually those that the package brings.

    Returns
    -------
    list of Weighed
        The plans that were looked at, the best first; of those dropped sooner, the later
        dropped come first.
    """
    skill = skill or Skill()
    trial = _Trial(view, seat, seed, skill, fitted() if weights is None else weights)
    order: list[int] = []
    for alive in halved(trial.count, skill.trials, trial.try_in, trial.best_first, deadline):
        order[: len(alive)] = alive.tolist()
    return [trial.weighed(plan) for plan in order]


@lru_cache  # people draw boards without end
def _prepare(game: Game) -> None:
    """Load what it thinks with, or compile it, before its first decision is on a clock."""
    _Trial(game.new().view(0), 0, 0, Skill(), fitted())  # who may not act has no plans


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    return rules(game, functions.apply_action, functions.refusal)


class Chancellor(Player):
    """The player; see the module.

    Parameters
    ----------
    skill
        How carefully it weighs its plans.
    weights
        What it thinks matters; see `weigh`.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        seed: int,
        skill: Skill | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        super().__init__(game, seat, seed)
        self.skill = skill or Skill()
        self.weights = weights
        _prepare(game)

    def weigh(self, view: State, deadline: float | None = None) -> list[Weighed]:
        """Return the plans for this decision, the best first."""
        own = below(new_rng(self.seed, self.decided), 1 << 30)
        return weigh(view, self.seat, own, self.skill, deadline, self.weights)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the first action of the best plan, or of one nearly as good."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        found = self.weigh(view, deadline)
        if self.skill.slack <= 0:
            return found[0].first
        rng = new_rng(self.seed, CHOICE_STREAM + self.decided)
        return found[softly([plan.chance for plan in found], self.skill.slack, rng)].first
