"""The Chancellor: weighs plans for a whole turn by playing on from them.

See `plans` for what it looks at, `habit` for how it takes everybody to play, and `worth`
for how it reads the end of a look ahead. Budgets are spent by sequential halving
(Karnin, Koren and Somekh 2013): all plans are tried in a few worlds, the better half in
more, until two are left.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tianxia.games.china.bot.plans import TOTAL, ponder
from tianxia.games.china.bot.worth import make_desk
from tianxia.games.china.rules.components import EMPEROR_FIRST
from tianxia.kernel import functions
from tianxia.kernel.game import Game, Part
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import is_late
from tianxia.search.choosing import drawn, softmax
from tianxia.search.parts import rules
from tianxia.search.rooms import room

MARGIN = 0.02
"""Seconds before a deadline at which thinking stops."""
CHUNK = 100
"""Trials between two looks at the clock."""
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


@dataclass
class _Trial:
    """The plans of one decision, while they are tried."""

    view: State
    seat: int
    seed: int
    skill: Skill
    desk: NDArray[np.void]
    plans: NDArray[np.int64] = field(init=False)
    sums: NDArray[np.float64] = field(init=False)
    tried: NDArray[np.int64] = field(init=False)
    alive: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        """List the plans."""
        most = self.skill.plans + 8
        self.alive = np.arange(0)
        self.plans = np.full((most, 2), -1, np.int64)
        self.sums = np.zeros((most, 3))
        self.tried = np.zeros(most, np.int64)
        self.record = self.view.record
        self.pools = np.repeat(self.view.game.blank(), 2)
        self.rng = new_rng(self.seed)
        self.alive = np.arange(self._ponder(0))

    def _ponder(self, worlds: int) -> int:
        """List the plans, or try those that are left in some more worlds."""
        turns = int(self.skill.rounds * self.view.seats) + 1
        return ponder(
            self.record,
            self.pools,
            self.desk,
            self.seat,
            self.plans,
            self.alive,
            self.sums,
            int(self.tried.max()),
            worlds,
            turns,
            min(turns, self.view.seats),
            self.seed,
            self.rng,
        )

    def try_in(self, worlds: int) -> None:
        """Try the plans that are left in some more worlds."""
        self._ponder(worlds)
        self.tried[self.alive] += worlds

    def chances(self) -> NDArray[np.float64]:
        """Return the mean chance to win of each plan that is left."""
        return self.sums[self.alive, TOTAL] / np.maximum(self.tried[self.alive], 1)

    def best_first(self) -> NDArray[np.int64]:
        """Return the plans that are left, the best first; of equals who spends no special card."""
        spends = self.plans[self.alive, 0] >= EMPEROR_FIRST
        return self.alive[np.lexsort((spends, -self.chances()))]

    def halve(self) -> None:
        """Drop the worse half."""
        self.alive = np.sort(self.best_first()[: (len(self.alive) + 1) // 2])


def weigh(
    view: State, seat: int, seed: int, skill: Skill | None = None, deadline: float | None = None
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

    Returns
    -------
    list of Weighed
        The plans that were looked at, the best first; of those dropped sooner, the later
        dropped come first.
    """
    skill = skill or Skill()
    trial = _Trial(view, seat, seed & (2**62 - 1), skill, room(make_desk))
    rounds = max(1, math.ceil(math.log2(len(trial.alive))))
    dropped: list[int] = []
    for _ in range(rounds):
        _spend(trial, skill.trials // rounds, deadline)
        order = trial.best_first()
        trial.halve()
        dropped = [int(plan) for plan in order if plan not in trial.alive] + dropped
        if is_late(deadline, MARGIN):
            break
    return [_weighed(trial, plan) for plan in [*trial.best_first().tolist(), *dropped]]


def _spend(trial: _Trial, trials: int, deadline: float | None) -> None:
    """Spend a part of the budget on the plans that are left."""
    worlds = max(1, trials // len(trial.alive))
    at_a_time = max(1, CHUNK // len(trial.alive))
    done = 0
    while done < worlds and not (done and is_late(deadline, MARGIN)):
        part = min(at_a_time, worlds - done) if deadline is not None else worlds
        trial.try_in(part)
        done += part


def _weighed(trial: _Trial, plan: int) -> Weighed:
    first, second = trial.plans[plan].tolist()
    tried = int(trial.tried[plan])
    return Weighed(first, second, tried, float(trial.sums[plan, TOTAL]) / max(tried, 1))


@lru_cache  # people draw boards without end
def _prepare(game: Game) -> None:
    """Load what it thinks with, or compile it, before its first decision is on a clock."""
    _Trial(game.new().view(0), 0, 0, Skill(), room(make_desk))  # who may not act has no plans


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    return rules(game, functions.apply_action, functions.refusal)


class Chancellor:
    """The player; see the module.

    Parameters
    ----------
    skill
        How carefully it weighs its plans.
    """

    def __init__(self, game: Game, seat: int, seed: int, skill: Skill | None = None) -> None:
        self.seat = seat
        self.seed = seed
        self.skill = skill or Skill()
        self.decided = 0  # one's own actions so far: which numbers of the seed come next
        _prepare(game)

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count one's own actions; a view tells all else that it uses."""
        self.decided += actor == self.seat

    def weigh(self, view: State, deadline: float | None = None) -> list[Weighed]:
        """Return the plans for this decision, the best first."""
        own = below(new_rng(self.seed, self.decided), 1 << 30)
        return weigh(view, self.seat, own, self.skill, deadline)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the first action of the best plan, or of one nearly as good."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        found = self.weigh(view, deadline)
        if self.skill.slack <= 0:
            return found[0].first
        return self._any_of(found).first

    def _any_of(self, found: Sequence[Weighed]) -> Weighed:
        """Return a plan by a softmax of the chances: small mistakes often, big ones seldom."""
        weights = softmax([plan.chance for plan in found], self.skill.slack)
        rng = new_rng(self.seed, CHOICE_STREAM + self.decided)
        return found[drawn(weights, below(rng, 1 << 30) / (1 << 30))]
