"""Five levels, with the same names in every game, from one that a child beats to the best.

A level is a budget and a share of blunders: how many simulations a search may take for a
decision, and how often any legal action is taken instead of the best. No level cheats:
all decide from the same views.

A game whose own player has levels names them in ``bot/levels.py``; any other game has those of
tree search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, Maker
from tianxia.search.thinking import Budget, Searcher

BLUNDER_STREAM = 1 << 41
"""Keeps the blunders' numbers apart from those that a bot draws from the same seed."""


@dataclass(frozen=True)
class Level:
    """How strong a bot is.

    Attributes
    ----------
    blunders
        How often, in per cent, any legal action is taken instead of the best.
    iterations
        Simulations for a decision, where the bot searches.
    """

    blunders: int
    iterations: int


LEVELS: Mapping[str, Level] = {
    "novice": Level(60, 30),
    "apprentice": Level(35, 150),
    "journeyman": Level(18, 800),
    "expert": Level(7, 4000),
    "master": Level(0, 20_000),
}
BEST = list(LEVELS)[-1]
USUAL = "journeyman"
"""The level that a person meets who does not choose."""


class Blundering:
    """A bot that sometimes takes any legal action instead of what it would have taken.

    Not before every seat has had its first turn: an army that is set up by lot, its Flag in
    the front row, would be no weaker player but no game at all.
    """

    def __init__(self, best: Maker, blunders: int, game: Game, seat: int, seed: int) -> None:
        self.bot: Bot = best(game, seat, seed)
        self.blunders = blunders
        self.seat = seat
        self.seed = seed
        self.decided = 0

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Let the bot take note."""
        self.decided += actor == self.seat
        self.bot.observe(actor, action, view)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the bot's choice, or a blunder."""
        rng = new_rng(self.seed, BLUNDER_STREAM + self.decided)
        legal = view.legal_actions(self.seat)
        any_action = legal[below(rng, len(legal))]
        if view.plies >= view.seats and below(rng, 100) < self.blunders:
            return any_action
        action = self.bot.choose(view, deadline)
        # A blunder may have upset its plan, and the card that it wants is gone.
        return action if action in legal else any_action


def blundering(best: Maker) -> dict[str, Maker]:
    """Return the levels of a bot that knows no budget: by blunders alone."""
    return {
        name: partial(Blundering, best, level.blunders) if level.blunders else best
        for name, level in LEVELS.items()
    }


def searching(budget: Budget | None = None) -> dict[str, Maker]:
    """Return the levels of tree search; all but the iterations is as in `budget`."""
    usual = budget or Budget()
    made = {}
    for name, level in LEVELS.items():
        best: Maker = partial(Searcher, budget=replace(usual, iterations=level.iterations))
        made[name] = partial(Blundering, best, level.blunders) if level.blunders else best
    return made
