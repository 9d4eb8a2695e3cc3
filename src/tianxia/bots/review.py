"""Looking back at a finished game: how its chances moved, and which decisions cost most.

Each decision is weighed by the game's adviser from the view of the seat that decided, by the
best bot's lights, which had seen from there what that seat had: nobody is blamed for what he
could not know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tianxia.bots.advice import adviser
from tianxia.bots.registry import make
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.search.bot import tell
from tianxia.search.levels import BEST
from tianxia.search.thinking import Finding

MOST_WEIGHED = 120
"""Decisions; of longer games every second one, third one, and so on."""
MOST_SECONDS = 60.0
MOST_COSTLY = 3
LEAST_COST = 0.02
"""Smaller losses, in utility from -1 to 1, are noise."""
DOUBT = 10
"""A value of so many simulations is half believed."""

History = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Point:
    """What a seat could expect at a ply: its utility, from -1 to 1, by what it knew."""

    ply: int
    seat: int
    value: float


@dataclass(frozen=True)
class Costly:
    """A decision after which a seat could expect less.

    Attributes
    ----------
    ply
        How many actions were taken before it.
    chosen, better
        What the seat did, and what would have been best.
    cost
        The utility that was lost; utilities go from -1 to 1.
    """

    ply: int
    seat: int
    chosen: int
    better: int
    cost: float


@dataclass(frozen=True)
class Review:
    """What was found about a game.

    Attributes
    ----------
    plies
        How many actions the game has.
    points
        In the order of the game.
    costly
        At most three decisions, that which cost most first.
    """

    plies: int
    points: tuple[Point, ...]
    costly: tuple[Costly, ...]


def review(
    game: Game,
    history: History,
    progress: Callable[[float], None] = lambda part: None,
    *,
    most: int = MOST_WEIGHED,
    seconds: float = MOST_SECONDS,
) -> Review:
    """Weigh the decisions of a game.

    Parameters
    ----------
    history
        Actor and action of every ply, from the start of the game.
    progress
        Is told now and then how much of the work is done, from 0 to 1; what it raises ends it.
    most
        How many decisions are weighed at most, spread over the game.
    seconds
        How long that may take, but for the decision that is being weighed then.
    """
    chosen = _spread(_open_plies(game, history), most)
    points: list[Point] = []
    costly: list[Costly] = []
    state, begun = game.new(), time.monotonic()
    bots = [(seat, make(BEST, game, seat, seat)) for seat in range(game.seats)]
    for ply, (actor, action) in enumerate(history):
        part = ply / len(history)
        if ply in chosen and time.monotonic() - begun <= seconds * part + _head_start(seconds):
            findings = adviser(game.kind).weigh(bots[actor][1], state.view(actor))
            points.append(Point(ply, actor, _expected(findings)))
            costly.append(_judged(ply, actor, action, findings))
            progress(part)
        tell(state, action, actor, bots)
    if state.over:
        points += [Point(len(history), s, value) for s, value in enumerate(state.utilities())]
    progress(1.0)
    return Review(len(history), tuple(points), tuple(_worst(costly, history)))


def _head_start(seconds: float) -> float:
    """Return how far the clock may be ahead of the game: the first decision is weighed."""
    return seconds / 20


def _open_plies(game: Game, history: History) -> list[int]:
    """Return the plies at which a seat had a choice."""
    found, state = [], game.new()
    for ply, (actor, action) in enumerate(history):
        if actor != CHANCE and len(state.legal_actions(actor)) > 1:
            found.append(ply)
        state.apply(action, actor)
    return found


def _spread(plies: Sequence[int], most: int) -> set[int]:
    """Return at most so many of these plies, evenly spread, the last one among them."""
    if len(plies) <= most:
        return set(plies)
    return {plies[(number + 1) * len(plies) // most - 1] for number in range(most)}


def _expected(findings: Sequence[Finding]) -> float:
    """Return the utility of whoever follows the findings."""
    total = sum(one.share for one in findings)
    if total <= 0:
        return findings[0].value
    return sum(one.share * one.value for one in findings) / total


def _judged(ply: int, seat: int, action: int, findings: Sequence[Finding]) -> Costly:
    """Return what an action has cost, as far as its value can be believed.

    An adviser need not list all actions: one that is not there is worth no more than the
    last one.
    """
    listed = next((one for one in findings if one.action == action), None)
    least = min(findings, key=lambda one: one.value)
    taken = listed or least
    belief = taken.visits / (taken.visits + DOUBT) if taken.visits else 1.0
    cost = max(0.0, _expected(findings) - taken.value) * belief
    return Costly(ply, seat, action, findings[0].action, cost)


def _worst(costly: Sequence[Costly], history: History) -> list[Costly]:
    """Return the decisions that cost most; of one turn only one."""
    turns = _turns(history)
    found: dict[int, Costly] = {}
    for one in sorted(costly, key=lambda one: -one.cost):
        if one.cost >= LEAST_COST and one.chosen != one.better:
            found.setdefault(turns[one.ply], one)
    return list(found.values())[:MOST_COSTLY]


def _turns(history: History) -> list[int]:
    """Return for each ply the number of its turn: what one actor does without another."""
    numbers: list[int] = []
    for ply, (actor, _) in enumerate(history):
        same = ply > 0 and history[ply - 1][0] == actor
        numbers.append(numbers[-1] if same else ply)
    return numbers
