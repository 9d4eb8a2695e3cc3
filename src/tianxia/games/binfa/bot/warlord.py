"""The Warlord: weighs what every action leads to, and takes the best.

What it weighs is compiled: positions by `appraisal`, actions by `foresight`; where a roll
costs supplies, `trials` may overrule what seems best before it. A view of Bin'Fa tells all
that there is to know after the set-up, so it remembers nothing; a plan for a roll is found
anew after each displacement, and is the same plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.bot.appraisal import EAGER, LATER, NEXT, REACH, weights_for
from tianxia.games.binfa.bot.foresight import make_bench, weigh
from tianxia.games.binfa.bot.plans import side_by_side
from tianxia.games.binfa.bot.trials import compare, make_desk, try_out
from tianxia.games.binfa.rules.components import SECTOR, SIDE, SUPPLIED, argument
from tianxia.games.binfa.rules.state import CHOOSING, MAPPING, PAWNS, PLACING, READY
from tianxia.kernel import functions
from tianxia.kernel.game import Game, Part
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player
from tianxia.search.choosing import softly
from tianxia.search.halving import Worlds
from tianxia.search.parts import rules
from tianxia.search.rooms import room

FORMATION = (2, 2, 2, 2, 2, 2)
"""Heights of its piles, side by side: whoever takes one of them has not won much."""
BOLD_AFTER, BOLDER_EVERY, STEPS = 100, 30, 4
"""From that turn on, and again after so many, it fears less; in so many steps nothing at all.
Two who see everything that the other may strike at would wait for ever."""

RIVALS, RIVAL = 4, 0.04
"""It plays on from so many actions at most, those that it thinks worth less by less than this.
Moving is always tried against resupplying, two things that it does not value alike."""


@dataclass(frozen=True)
class Skill:
    """How well a Warlord thinks.

    Attributes
    ----------
    width
        Positions kept after each displacement of a roll that it thinks through.
    deep
        Ends of a roll for which it thinks the next roll through, its own or another's.
    deep_width
        The same as `width` in that next roll.
    heat
        How large its mistakes are: an action that is worth so much less than the best,
        in utility, is taken 1/e times as often. 0: it makes none.
    fear
        What part of the others' next strikes it sees. Who sees all of them and misjudges
        them waits for ever; who sees few plays worse, and finishes its games.
    trials
        How often it plays on from each of what may be best, before a roll that costs supplies.
    trial_width
        The same as `width` in these trials.
    """

    width: int = 16
    deep: int = 10
    deep_width: int = 4
    heat: float = 0.0
    fear: float = 0.4
    trials: int = 0
    trial_width: int = 2


BEST = Skill(trials=60)


def bench_of(weights: NDArray[np.float64]) -> np.record:
    """Return this thread's room for searches with these weights."""
    return room(partial(make_bench, weights), (make_bench, weights.tobytes()))


def desk_of(weights: NDArray[np.float64]) -> np.record:
    """Return this thread's room for trials with these weights."""
    return room(partial(make_desk, weights), (make_desk, weights.tobytes()))


@cache
def _prepare(game: Game, doubts: bool) -> None:
    """Load what it thinks with, or compile it, before its first decision is on a clock."""
    blank, weights = game.blank(1), weights_for(game)
    weigh(blank, 0, 1, 1, 1, bench_of(weights))
    if doubts:
        try_out(blank, 0, Worlds(0, 0, 0), 0, 1, desk_of(weights), np.zeros((1, 2)))


def _is_doubtful(fields: Any) -> bool:
    """Say whether it is being decided if a roll is worth its supply."""
    level, phase = int(fields["options"]["level"]), int(fields["phase"])
    return level >= SUPPLIED and phase in (CHOOSING, READY)


def _caution(turns: int) -> float:
    """Return how much a Warlord heeds what others may do, from 1 to 0: games must end."""
    bolder = max(0, turns - BOLD_AFTER + BOLDER_EVERY) // BOLDER_EVERY
    return max(0, STEPS - bolder) / STEPS


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    return rules(game, functions.apply_action, functions.refusal)


class Warlord(Player):
    """A player of Bin'Fa; the same seed plays the same game.

    Parameters
    ----------
    skill
        How well it thinks.
    weights
        What it thinks matters, by `appraisal.WEIGHT_NAMES`; usually those for the game's level.
    formation
        Heights of the piles that it sets up, 12 units in all.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        seed: int,
        *,
        skill: Skill = BEST,
        weights: NDArray[np.float64] | None = None,
        formation: Sequence[int] = FORMATION,
    ) -> None:
        super().__init__(game, seat, seed)
        self.skill = skill
        self.weights = weights_for(game) if weights is None else weights
        self.formation = formation
        _prepare(game, skill.trials > 0 and int(game.options["level"]) >= SUPPLIED)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return what it does now."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        rng = new_rng(self.seed, view.plies)
        if int(view.fields["phase"]) in (MAPPING, PLACING, PAWNS):
            return self._set_up(view.fields, legal, rng)
        values = self.values(view, deadline)
        actions = sorted(values) if self.skill.heat == 0 else list(values)
        return actions[softly([values[one] for one in actions], self.skill.heat, rng)]

    def values(self, view: State, deadline: float | None = None) -> dict[int, float]:
        """Return what each legal action is worth to it, from −1 to 1; not in the set-up.

        Parameters
        ----------
        deadline
            A time of `search.bot.now` at which it plays on no more. What it needs besides is
            far less than any clock leaves.
        """
        skill, caution = self.skill, _caution(int(view.fields["turns"]))
        weights = self.weights.copy()
        weights[[NEXT, LATER]] *= skill.fear * caution
        weights[[REACH, EAGER]] *= caution  # who only lies in wait does not finish either
        bench, deep = bench_of(weights), skill.deep if caution > 0 else 0
        count = weigh(view.record, self.seat, skill.width, deep, skill.deep_width, bench)
        actions, found = bench.listed[:count].tolist(), bench.found[:count].tolist()
        values = dict(zip(actions, found, strict=True))
        if skill.trials > 0 and _is_doubtful(view.fields):
            self._doubt(values, view, desk_of(weights), deadline)
        return values

    def _doubt(
        self, values: dict[int, float], view: State, desk: np.record, deadline: float | None
    ) -> None:
        """Put another action first, where trials say clearly that it is better than the best.

        What is alike to it may all be valued wrongly; but luck must not choose among it.
        """
        rivals = sorted(values, key=lambda action: (-values[action], action))[:RIVALS]
        if int(view.fields["phase"]) == READY:
            rivals = [action for action in rivals if values[action] > values[rivals[0]] - RIVAL]
        if len(rivals) < 2:
            return
        starts, legal = np.repeat(view.record, len(rivals)), view.game.list_room()
        for i, action in enumerate(rivals):
            view.game.ply(starts[i : i + 1], self.seat, action, legal)
        seed = int(below(new_rng(self.seed, view.plies), 1 << 30))
        gains = compare(
            starts, self.seat, seed, self.skill.trials, self.skill.trial_width, desk, deadline
        )
        best = int(np.argmax(gains))
        values[rivals[best]] = values[rivals[0]] + float(gains[best])

    # --- The set-up ---

    def _set_up(self, fields: Any, legal: list[int], rng: Rng) -> int:
        phase = int(fields["phase"])
        if phase == MAPPING:
            return legal[int(below(rng, len(legal)))]
        if phase == PLACING:
            return self._place(fields, legal)
        # From its first circles a pawn has its own colour before it.
        return next(action for action in legal if argument(action, 0) % SIDE == 0)

    def _place(self, fields: Any, legal: list[int]) -> int:
        """Build piles side by side, as its formation says."""
        army = int(SECTOR[legal[0]])
        spots = [t for t in legal if int(SECTOR[t]) == army]
        height = fields["height"].tolist()
        first = int(below(new_rng(self.seed, 7 + army), len(spots)))
        chain = side_by_side(spots, first, len(self.formation))
        for t, wanted in zip(chain, self.formation, strict=False):
            if height[t] < wanted:
                return t
        return min(chain, key=lambda t: (height[t], t))
