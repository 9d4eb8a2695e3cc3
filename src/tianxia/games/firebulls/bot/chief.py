"""The Chief: tries out in sampled worlds what it could do. The best player of Fire Bulls.

It tries all ways of gathering, and for each direction the cheapest payments; the better
half of the candidates are tried in more worlds, and so on (`search.halving`). How a
candidate is tried is told in `lookahead`.

What it remembers is in the view: cards taken openly, cards that it drew itself, what the
deck held when it was shuffled. Sampled worlds agree with all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.bot.greed import OF_COLOURS, OF_COUNT, OF_WARRIOR
from tianxia.games.firebulls.bot.learned import learned
from tianxia.games.firebulls.bot.lookahead import make_desk, try_out
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.state import PUBLIC
from tianxia.kernel import functions
from tianxia.kernel.game import Game, Part
from tianxia.kernel.record import Pool
from tianxia.kernel.rng import below, fraction, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player
from tianxia.search.choosing import drawn, softmax
from tianxia.search.halving import Worlds, halved
from tianxia.search.parts import rules
from tianxia.search.thinking import Finding

PAYMENTS = 3
"""Payments that are tried for the first card of each direction."""
LEAST_WORLDS = 4
"""Worlds in which every candidate is tried."""
CLEAR, ENOUGH = 0.25, 24
"""So far ahead after so many worlds, the best candidate is clear."""
DRAW_STREAM = 1 << 40
"""Keeps the numbers for drawing among candidates apart from those for worlds."""


@dataclass(frozen=True)
class Skill:
    """How well it plays.

    Attributes
    ----------
    trials
        Candidates times worlds for a decision, where no deadline comes first.
    turns
        How many turns it plays on in each.
    temperature
        0: it takes the best candidate. Else each is taken with a probability in proportion
        to exp(value / temperature): small mistakes often, great ones seldom.
    forgetful
        Whether it forgets which cards others took openly.
    """

    trials: int = 600
    turns: int = 6
    temperature: float = 0.0
    forgetful: bool = False


BEST = Skill()


def parts(game: Game) -> Iterator[Part]:
    """Yield what it thinks with, the last used first: see `GameType.parts`."""
    return rules(game, functions.apply_action)


class Chief(Player):
    """The player; see the module.

    Parameters
    ----------
    skill
        How well it plays.
    """

    def __init__(self, game: Game, seat: int, seed: int, skill: Skill = BEST) -> None:
        super().__init__(game, seat, seed)
        self.skill = skill
        self.learned = learned()
        self._desk = make_desk(game)
        nothing, none = np.zeros(0, np.int64), np.zeros(0)
        blank = game.blank(seat + 1)
        # Compiles, or loads what was compiled, before any clock runs.
        try_out(blank, seat, nothing, Worlds(0, 0, 0), 0, self.learned, self._desk, none)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the best candidate, or one drawn by its temperature."""
        only, *others = view.legal_actions(self.seat)
        if not others:
            return only
        rng = new_rng(self.seed, DRAW_STREAM + self.decided)
        found = self.weigh(view, deadline)
        shares = [finding.share for finding in found]
        return found[drawn(shares, fraction(rng))].action

    def weigh(self, view: State, deadline: float | None = None) -> list[Finding]:
        """Return what it thinks of each candidate, the best first."""
        actions = candidates(view, self.seat)
        record = forgotten(view.record) if self.skill.forgetful else view.record
        tried, visits = self._tried(record, np.array(actions), deadline)
        shares = self._shares(tried)
        found = map(Finding, actions, visits.tolist(), tried.tolist(), shares.tolist())
        return sorted(found, key=lambda one: (-one.value, one.action))

    def _shares(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return with what probability it takes each candidate."""
        if self.skill.temperature == 0:
            return np.eye(len(values))[int(np.argmax(values))]
        shares = np.array(softmax(values.tolist(), self.skill.temperature))
        return shares / shares.sum()

    def _tried(
        self, record: Pool, actions: NDArray[np.int64], deadline: float | None
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Halve the candidates until two are left; return values, and worlds of each.

        A candidate that fell out stays as far behind the best as it was in the worlds that
        both were tried in.
        """
        sums, visits = np.zeros(len(actions)), np.zeros(len(actions), np.int64)
        seed = below(new_rng(self.seed, self.decided), 1 << 30)
        turns, desk, known = self.skill.turns, self._desk, self.learned

        def try_in(alive: NDArray[np.int64], first: int, last: int) -> None:
            added, worlds = np.zeros(len(alive)), Worlds(seed, first, last)
            try_out(record, self.seat, actions[alive], worlds, turns, known, desk, added)
            sums[alive] += added
            visits[alive] = last

        def best_first(alive: NDArray[np.int64]) -> NDArray[np.int64]:
            return alive[np.argsort(-sums[alive] / visits[alive], kind="stable")]

        behind: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
        trials = self.skill.trials
        for alive in halved(len(actions), trials, try_in, best_first, deadline, LEAST_WORLDS):
            means = sums[alive] / visits[alive]
            behind.append((alive, means))
            lead = means[0] - means[1] if len(alive) > 1 else 0.0
            if lead > CLEAR and visits[alive[0]] >= ENOUGH:
                break
        return settled(behind, len(actions)), visits


def settled(
    behind: Sequence[tuple[NDArray[np.int64], NDArray[np.float64]]], count: int
) -> NDArray[np.float64]:
    """Return the values of all candidates, from who was tried in each round and their means."""
    best, top = behind[-1][0][0], behind[-1][1][0]  # the best comes first
    values = np.zeros(count)
    for alive, means in behind:
        values[alive] = top - (means[alive == best][0] - means)
    return values


def forgotten(record: Pool) -> Pool:
    """Return a view that does not know which cards others took openly."""
    own = int(record["viewer"][0]) - 1
    record["known"][0, [own, PUBLIC]] = 0
    return record


def candidates(view: State, seat: int) -> list[int]:
    """Return the actions that are worth trying: of each attack only the cheapest payments."""
    legal = view.legal_actions(seat)
    kept = [action for action in legal if c.kind_of(action) != c.ATTACK]
    attacks = np.array(legal[len(kept) :], np.int64)
    aims = [c.ACTIONS.split(action)[1:] for action in attacks]
    directions, payments = np.array(aims, np.int64).reshape(-1, 2).T
    cost = costs(view.fields["hands"][seat].astype(np.int64), c.PAYMENT[payments])
    for direction in np.unique(directions):
        ways = np.flatnonzero(directions == direction)
        kept += attacks[ways[np.argsort(cost[ways], kind="stable")[:PAYMENTS]]].tolist()
    return kept


def costs(hand: NDArray[np.int64], payments: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return what payments cost, in points: what the hand is worth less; a fee for Warriors."""
    habits = learned().habits
    rest = hand - payments
    bulls = habits[OF_COUNT + rest[:, : c.COLOURS]].sum(axis=1)
    colours = habits[OF_COLOURS + (rest[:, : c.COLOURS] > 0).sum(axis=1)]
    fees = payments[:, c.WARRIOR] * (1 + habits[OF_WARRIOR])
    return fees - bulls - colours


__all__ = ["BEST", "Chief", "Skill", "candidates"]
