"""Tree search from Python: budgets, what was found, and the bot that goes by it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from tianxia.kernel.errors import SeatError, ViewError
from tianxia.kernel.game import Game
from tianxia.kernel.given import whole
from tianxia.kernel.record import Pool, blank
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import is_late
from tianxia.search.guide import Guide, with_own_room
from tianxia.search.ismcts import FOUND, SHARE, VALUE, VISITS, Manner, search
from tianxia.search.opinions import Opinion
from tianxia.search.tree import NODE, Tree, make_tree, transplant

CHUNK, GUIDED_CHUNK = 250, 20
"""Iterations between two looks at the clock, without a net and with one."""
MOST_NODES = 1 << 18
LEAST_NODES = 1 << 10
WIDE = 32
"""Legal actions of a decision for which there is room when a net is asked of each."""
MARGIN = 0.02
"""Seconds before a deadline at which searching stops."""
SEEDS = 1 << 30
"""How many seeds of searches there are."""
WORLDS = 4
"""How many worlds are asked whether an action brought news."""
THREADS_STREAM = 1 << 40
"""Keeps the numbers of threads apart from those that a bot draws from its seed."""


@dataclass(frozen=True)
class Budget:
    """How long and how deep to search.

    Attributes
    ----------
    iterations
        Simulations for a decision, where no deadline comes first.
    rollout
        Random actions of a simulation after the tree; 0 asks the game's guess at once.
    exploration
        See `ismcts.search`: more looks at more actions. The paper takes 0.7; with cut
        rollouts, whose values lie closer together, less wins more.
    trust
        See `ismcts.search`: how far a game's `policy` is followed, where it gives one.
    mixing
        See `ismcts.search`: the share of secret choices made at random.
    threads
        Trees that are grown apart, each from its share of the iterations, and counted
        together (root parallelisation). The answer depends on their number.
    keep
        Whether a bot goes on with its tree while its own actions follow one another.
    guide
        A net to go by (`tianxia.bots.guides` makes one of a file), with a `rollout` of 0; None
        goes by what the game says itself.
    """

    iterations: int = 2000
    rollout: int = 20
    exploration: float = 0.3
    trust: float = 0.6
    mixing: float = 0.1
    threads: int = 1
    keep: bool = True
    guide: Guide | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raise OptionError for what cannot be."""
        for name, least in {"iterations": 1, "rollout": 0, "threads": 1}.items():
            whole(name, getattr(self, name), least)


USUAL = Budget()
"""What is searched where nobody says how much."""


@dataclass(frozen=True)
class Finding:
    """What a search found about one legal action.

    Attributes
    ----------
    action
        The action.
    visits
        In how many simulations it was taken.
    value
        The mean utility of the thinking seat in these, from −1 to 1.
    share
        Its share of the answer: where choices are open, 1 for the most visited action
        and 0 for all others; where they are secret, its probability.
    """

    action: int
    visits: int
    value: float
    share: float


_memory = threading.local()


def _tree(nodes: int, longest: int) -> Tree:
    """Return this thread's memory, larger where it has to be."""
    tree: Tree | None = getattr(_memory, "tree", None)
    if tree is None or len(tree.nodes) < nodes or len(tree.actions) < longest:
        before = len(tree.nodes) if tree is not None else 0
        tree = _memory.tree = make_tree(max(nodes, before), longest)
    # A part of it: the answer must not depend on what was searched before.
    size = 1 << max(nodes * 2 - 1, 1).bit_length()
    return tree._replace(nodes=tree.nodes[:nodes], table=tree.table[:size])


@dataclass(frozen=True)
class Step:
    """One's own action, after which an earlier search is still as true as it was.

    Attributes
    ----------
    view
        What the seat knew before.
    action
        What it did.
    known
        That action as each seat has seen it, −1 where it has not.
    """

    view: State
    action: int
    known: tuple[int, ...]


@dataclass(frozen=True)
class Thought:
    """A search that is done.

    Attributes
    ----------
    findings
        See `think`.
    trees
        The nodes of each thread, for a search that goes on from here.
    """

    findings: list[Finding]
    trees: tuple[Pool, ...] = ()


def think(
    view: State, seat: int, seed: int, budget: Budget | None = None, deadline: float | None = None
) -> list[Finding]:
    """Search for the best action of a seat.

    Parameters
    ----------
    view
        What the seat may know; it may act.
    seed
        Same seed and same iterations: same answer.
    deadline
        A time of `search.bot.now` at which to stop, whatever the budget says.

    Returns
    -------
    list of Finding
        One for each legal action, the best first.
    """
    if view.viewer != seat:
        raise ViewError(f"a search for seat {seat} starts from the view of seat {seat}")
    if seat not in view.acting:
        raise SeatError(f"seat {seat} may not act now; there is nothing to search for")
    return search_on(view, seat, seed, budget or USUAL, deadline).findings


def search_on(
    view: State,
    seat: int,
    seed: int,
    budget: Budget,
    deadline: float | None = None,
    before: Thought | None = None,
    step: Step | None = None,
) -> Thought:
    """Search, and go on from a search `before`, after which one took a `step`."""
    legal = view.legal_actions(seat)
    if len(legal) == 1:
        only = [Finding(legal[0], 0, 0.0, 1.0)]
        return Thought(only)
    work = partial(_grow, view, seat, seed, budget, deadline, before, step)
    if budget.threads == 1:
        grown = [work(0)]
    else:
        with ThreadPoolExecutor(budget.threads) as pool:
            grown = list(pool.map(work, range(budget.threads)))
    found = _together(legal, [one for one, _ in grown])
    return Thought(found, tuple(nodes for _, nodes in grown))


Grown = dict[int, tuple[float, float, float]]
"""By action: visits, sum of utilities, share."""


def _grow(
    view: State,
    seat: int,
    seed: int,
    budget: Budget,
    deadline: float | None,
    before: Thought | None,
    step: Step | None,
    thread: int,
) -> tuple[Grown, Pool]:
    """Grow one tree; return what its root knows, and its nodes."""
    game = view.game
    total = budget.iterations // budget.threads + (thread < budget.iterations % budget.threads)
    old = before.trees[thread] if before is not None and before.trees else blank(NODE, 0)
    known = step.known if step is not None else (0,) * game.seats
    wanted = max(2 * total * game.seats, LEAST_NODES) + 8 * game.max_legal + len(old)
    chunk, guide = CHUNK, budget.guide
    if guide is not None:
        chunk, guide = GUIDED_CHUNK, with_own_room(guide)
        wanted += total * min(game.max_legal, WIDE)  # it is noted what the net says of each action
    longest = max(game.max_legal, game.max_chance)
    tree = _tree(1 << min(wanted, MOST_NODES).bit_length() - 1, longest)
    moved = np.zeros(len(old), np.int64)
    transplant(tree, old, moved, game.seats, seat, np.array(known, np.int64))
    pool, world = view.record, game.blank()
    rng = new_rng(seed, THREADS_STREAM + thread)
    found = np.zeros((longest, FOUND))
    manner = Manner(budget.rollout, budget.exploration, budget.trust, budget.mixing)
    done, count = 0, 0
    while done == 0 or (done < total and not is_late(deadline, MARGIN)):
        part = min(chunk, max(total - done, 1))
        count = search(pool, world, tree, seat, part, manner, rng, found, guide)
        done += part
    rows = zip(tree.actions[:count].tolist(), found.tolist(), strict=False)
    grown = {
        int(action): (row[VISITS], row[VISITS] * row[VALUE], row[SHARE]) for action, row in rows
    }
    return grown, tree.nodes[: tree.used[0]].copy() if budget.keep else old


def _together(legal: Sequence[int], grown: Sequence[Grown]) -> list[Finding]:
    """Count several trees together; return the findings, the best first."""
    visits = {action: sum(one[action][0] for one in grown) for action in legal}
    values = {action: sum(one[action][1] for one in grown) for action in legal}
    shares = {action: sum(one[action][2] for one in grown) / len(grown) for action in legal}
    if all(one[action][2] in (0.0, 1.0) for one in grown for action in legal):
        best = max(legal, key=lambda action: (visits[action], values[action]))
        shares = {action: float(action == best) for action in legal}
    found = [
        Finding(
            action,
            int(visits[action]),
            values[action] / visits[action] if visits[action] else -1.0,
            shares[action],
        )
        for action in legal
    ]
    return sorted(found, key=lambda one: (-one.share, -one.visits, one.action))


def drawn(findings: Sequence[Finding], rng: Rng, least: float = 0.0) -> int:
    """Return an action by the shares of the answer; smaller shares than `least` are dropped."""
    kept = [one for one in findings if one.share >= least] or list(findings[:1])
    weights = [round(one.share * (1 << 20)) for one in kept]
    ticket = below(rng, max(sum(weights), 1))
    for one, weight in zip(kept, weights, strict=True):
        ticket -= weight
        if ticket < 0:
            return one.action
    return kept[0].action


class Searcher:
    """A bot for every game.

    While its own actions follow one another, nobody else acts, and what they bring is no
    news to it, each decision goes on with the tree of the one before. What is kept of
    that tree is only kept to save time: a bot that was rebuilt in the middle of such a
    series searches again from its beginning, and answers the same.

    Parameters
    ----------
    budget
        How long and how deep it searches.
    """

    LEAST = 0.02
    """Secret choices with a smaller probability are not made: they are left from learning."""

    def __init__(self, game: Game, seat: int, seed: int, budget: Budget | None = None) -> None:
        self.seat = seat
        self.seed = seed
        self.budget = budget or USUAL
        self.decided = 0  # one's own actions so far: which numbers of the seed come next
        self.view: State | None = None  # what was known after the last action
        self.series: list[Step] = []  # one's own last actions, as long as the tree is kept
        self._thoughts: dict[int, tuple[State, Thought]] = {}  # the last search, by `decided`

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count one's own actions; note whether the tree can be kept."""
        step = None
        if actor == self.seat and action is not None and self.view is not None:
            step = expected_step(self.view, action, view, self._rng(self.decided))
        if step is not None and self.budget.keep:
            self.series.append(step)
        else:
            self.series.clear()
        self.decided += actor == self.seat
        self.view = view

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the action that the search likes best, or one drawn from its mixture."""
        rng = self._rng(self.decided)
        below(rng, SEEDS)  # the search's
        return drawn(self._think(view, deadline).findings, rng, self.LEAST)

    def opinion(self, view: State) -> Opinion | None:
        """Return what was thought of the decision just made; None without a search for it."""
        kept = self._thoughts.get(self.decided)
        if kept is None or kept[0] != view or len(kept[1].findings) < 2:
            return None
        ordered = sorted(kept[1].findings, key=lambda one: one.action)
        # What `choose` draws from: small shares are left from learning.
        likely = [one.share if one.share >= self.LEAST else 0.0 for one in ordered]
        total = sum(likely)
        return Opinion(
            [share / total for share in likely] if total else None,
            sum(one.share * one.value for one in ordered) / sum(one.share for one in ordered),
            [one.visits for one in ordered],
        )

    def _rng(self, decided: int) -> Rng:
        """Return the chance of a decision."""
        return new_rng(self.seed, decided)

    def _think(self, view: State, deadline: float | None) -> Thought:
        """Search from the beginning of the series on, or from what is kept of it."""
        thought, last = None, None
        for ago, step in zip(range(len(self.series), -1, -1), [*self.series, None], strict=True):
            number = self.decided - ago
            now = view if step is None else step.view
            kept = self._thoughts.get(number)
            if kept is not None and kept[0] == now:
                thought = kept[1]
            else:
                own = below(self._rng(number), SEEDS)
                thought = search_on(now, self.seat, own, self.budget, deadline, thought, last)
            last = step
        assert thought is not None  # noqa: S101  (the loop ran at least once)
        if self.budget.keep:
            self._thoughts = {self.decided: (view.clone(), thought)}
        return thought


def expected_step(before: State, action: int, after: State, rng: Rng) -> Step | None:
    """Return one's own action as a step, where nobody else could act and it brought no news.

    It brought news where, in worlds that agreed with what was known before, it would have led
    to something else: then what was found in such worlds is true no more.
    """
    seat = before.viewer
    if seat is None or before.acting != (seat,):
        return None
    found = set()
    for _ in range(WORLDS):
        world = before.sample(rng)
        found.add(tuple(_known(world, action, seat, other) for other in range(world.seats)))
        world.apply(action, seat)
        if world.view(seat) != after:
            return None
    return Step(before, action, found.pop()) if len(found) == 1 else None


def _known(world: State, action: int, seat: int, viewer: int) -> int:
    """Return one's own action as another has seen it, −1 where he has not."""
    seen = action if viewer == seat else world.seen(action, seat, viewer)
    return -1 if seen is None else seen
