"""A response to a bot that one knows: search in which the others decide as that bot would.

It knows what the bot is, as if it had its program, but neither its seed nor anything hidden from
its own seat. Others' decisions are then no longer choices of the tree, but part of a world that
answers by chance, and what is left is a decision problem for one seat, which partially observable
Monte Carlo planning approximates (POMCP; Silver and Veness 2010); with a whole game as its model
it finds the best response (Timbers and others 2022, *Approximate Exploitability*).

What comes of it is a lower bound for what the bot gives away, however roughly the bot is
imitated: the games that count are played against the bot itself.

A decision is made as follows.

1. *Ideas*: what its guide, a bot as strong as there is, would do, what the bot that plays for it in
   simulations would do with other seeds, and any others; all legal actions where there are few.
2. *Simulations*: each idea is tried in the same sampled worlds against the same seeds of the bot.
   After it, one's own decisions follow UCB1 in a tree whose nodes are what one's own seat has
   seen since; it widens slowly, and begins with what a bot that plays for one would do
   (progressive widening; Coulom 2007). Beyond the tree that bot decides. A simulation that does
   not reach the end is worth the game's own guess.
3. *Sequential halving* (Karnin, Koren and Somekh 2013): the worse half of the ideas is dropped,
   again and again. The guide's is never dropped, and only left for one that is better by more than
   what the difference between two ideas in the same worlds may err.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.kernel.state import State
from tianxia.search.believing import SEEDS, Beliefs, World
from tianxia.search.bot import Maker, is_late

STREAM = 1 << 42
"""Keeps its numbers apart from those that other bots draw from the same seed."""
EXPLORATION = 0.5
MARGIN = 0.05
"""Seconds before a deadline at which simulating stops."""


@dataclass(frozen=True)
class Effort:
    """How much is tried for a decision.

    Attributes
    ----------
    iterations
        Simulations of all ideas together.
    horizon
        Actions of a simulation, those of chance included, before the game's guess is asked.
    ideas
        Actions that are compared, where more are legal.
    caution
        By how many standard errors an idea has to be better than the guide's: the best of
        many that are as good seems better.
    worlds
        How many worlds are believed in as long as what the bot did can be told from the bot.
    """

    iterations: int = 64
    horizon: int = 40
    ideas: int = 8
    caution: float = 2.0
    worlds: int = 64


@dataclass
class Choice:
    """What is known of a decision of one's own: by action how often, and what came of it."""

    visits: dict[int, int] = field(default_factory=dict)
    reward: dict[int, float] = field(default_factory=dict)


Seen = tuple[tuple[int, int | None], ...]


class Responder:
    """Plays against a bot that it knows; see above.

    Parameters
    ----------
    known
        Makes the bot that all others are taken for.
    guide
        Makes the bot whose choices it betters.
    own
        Makes the bot that plays for it in simulations; None: the guide does.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        seed: int,
        known: Maker,
        guide: Maker,
        effort: Effort | None = None,
        own: Maker | None = None,
    ) -> None:
        self.game, self.seat, self.seed = game, seat, seed
        self.own = own or guide
        self.effort = effort or Effort()
        self.guide = guide(game, seat, seed)
        self.decided = 0
        rng = new_rng(seed, STREAM - 1)
        makers = [self.own if one == seat else known for one in range(game.seats)]
        self.beliefs = Beliefs(game, seat, makers, self.effort.worlds, rng)

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Take note, and give up worlds in which the bot would have done something else."""
        self.decided += actor == self.seat
        self.guide.observe(actor, action, view)
        self.beliefs.observe(actor, action, view)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return the guide's choice, or one that is better against the bot."""
        legal = view.legal_actions(self.seat)
        if len(legal) == 1:
            return legal[0]
        rng = new_rng(self.seed, STREAM + self.decided)
        first = self.guide.choose(view, deadline)
        ideas = self._ideas(view, legal, first, rng)
        return Contest(self, view, ideas, rng, deadline).winner()

    def _ideas(self, view: State, legal: Sequence[int], first: int, rng: Rng) -> list[int]:
        """Return what is compared, the guide's choice first."""
        if len(legal) <= self.effort.ideas:
            return sorted(legal, key=lambda action: action != first)
        ideas = [first]
        for _ in range(self.effort.ideas):
            bot = self.own(self.game, self.seat, below(rng, SEEDS))
            ideas.append(bot.choose(view))
        # At least a quarter of them are any: the bot may never do what answers it best.
        ideas = [idea for idea in dict.fromkeys(ideas) if idea in legal]
        ideas = ideas[: -(-3 * self.effort.ideas // 4)]
        rest = sorted(set(legal) - set(ideas))
        while len(ideas) < self.effort.ideas:
            ideas.append(rest.pop(below(rng, len(rest))))
        return ideas


class Contest:
    """The comparison of ideas for one decision."""

    def __init__(
        self,
        responder: Responder,
        view: State,
        ideas: Sequence[int],
        rng: Rng,
        deadline: float | None,
    ) -> None:
        self.responder = responder
        self.seat = responder.seat
        self.effort = responder.effort
        self.view = view
        self.ideas = ideas
        self.rng = rng
        self.deadline = deadline
        self.worlds: list[tuple[World, int]] = []
        self.values: dict[int, list[float]] = {idea: [] for idea in ideas}
        self.tree: dict[tuple[int, Seen], Choice] = {}
        self._answers: dict[tuple[int, int, bytes], int] = {}

    def winner(self) -> int:
        """Return the idea that is best, as far as can be told."""
        left, first = list(self.ideas), self.ideas[0]
        stages = max(math.ceil(math.log2(len(left))), 1)
        for _ in range(stages):
            for _ in range(max(self.effort.iterations // (stages * len(left)), 1)):
                for idea in left:
                    self._try(idea)
                if is_late(self.deadline, MARGIN):
                    break
            left.sort(key=lambda idea: (idea != first, -_mean(self.values[idea])))
            left = left[: max(len(left) // 2, 2)]
        return left[1] if self._is_better(left[1], first) else first

    def _is_better(self, idea: int, first: int) -> bool:
        pairs = zip(self.values[idea], self.values[first], strict=True)
        gains = [one - other for one, other in pairs]
        mean, count = _mean(gains), len(gains)
        if mean <= 0 or count < 2:
            return False
        variance = sum((gain - mean) ** 2 for gain in gains) / (count - 1)
        return mean > self.effort.caution * math.sqrt(variance / count)

    def _try(self, idea: int) -> None:
        """Simulate an idea in the next of its worlds."""
        number = len(self.values[idea])
        if number == len(self.worlds):
            world = self.responder.beliefs.draw(self.view, self.rng)
            self.worlds.append((world, below(self.rng, SEEDS)))
        world, seed = self.worlds[number]
        course = Simulation(self, number, idea, world.copy(), new_rng(seed))
        self.values[idea].append(course.play())

    def answer(self, number: int, seat: int, view: State, world: World) -> int:
        """Return what a bot does in a seat; asked once for the same in a world."""
        key = (number, seat, view.to_bytes())
        action = self._answers.get(key)
        if action is None:
            action = self._answers[key] = world.answer(seat, view)
        return action


class Simulation:
    """One way in which a game may go on."""

    def __init__(self, contest: Contest, number: int, idea: int, world: World, rng: Rng) -> None:
        self.contest = contest
        self.number = number
        self.idea = idea
        self.world = world
        self.rng = rng
        self.path: list[tuple[Choice, int]] = []
        self.seen: list[tuple[int, int | None]] = []
        self.in_tree = True

    def play(self) -> float:
        """Return what it is worth to one's seat, from 0 to 1."""
        seat, state = self.contest.seat, self.world.state
        self._take(self.idea, seat)
        for _ in range(self.contest.effort.horizon):
            if state.over:
                break
            actor = self._actor()
            self._take(self._decided(actor), actor)
        value = (state.utilities() if state.over else state.evaluate())[seat]
        value = (value + 1) / 2
        for choice, action in self.path:
            choice.visits[action] += 1
            choice.reward[action] += value
        return value

    def _actor(self) -> int:
        """Return who decides next; of several one's own seat last, as it knows of no other."""
        acting = self.world.state.acting
        return min(acting, key=lambda seat: seat == self.contest.seat, default=CHANCE)

    def _decided(self, actor: int) -> int:
        state = self.world.state
        if actor == CHANCE:
            return self.world.drawn(self.rng)
        legal = state.legal_actions(actor)
        if len(legal) == 1:
            return legal[0]
        view = state.view(actor)
        usual = self.contest.answer(self.number, actor, view, self.world)
        if actor == self.contest.seat and self.in_tree:
            return self._in_tree(legal, usual)
        return usual

    def _in_tree(self, legal: Sequence[int], usual: int) -> int:
        """Return what UCB1 says at a place of the tree."""
        place = self.contest.tree.setdefault((self.idea, tuple(self.seen)), Choice())
        visits = sum(place.visits.values())
        self.in_tree = visits > 0
        known = [action for action in place.visits if action in legal]
        if usual not in known:
            action = usual
        elif len(known) <= math.sqrt(visits) and len(known) < len(legal):
            rest = sorted(set(legal) - set(known))
            action = rest[below(self.rng, len(rest))]
        else:
            action = max(known, key=lambda one: _bound(place, one, visits))
        place.visits.setdefault(action, 0)
        place.reward.setdefault(action, 0.0)
        self.path.append((place, action))
        return action

    def _take(self, action: int, actor: int) -> None:
        own = self.contest.seat
        known = action if actor == own else self.world.state.seen(action, actor, own)
        if actor == CHANCE or known is not None:
            self.seen.append((actor, known))
        self.world.take(action, actor)


def _bound(place: Choice, action: int, visits: int) -> float:
    """Return UCB1's score of an action; one that was never taken is the first to be."""
    count = place.visits[action]
    if count == 0:
        return math.inf
    return place.reward[action] / count + EXPLORATION * math.sqrt(math.log(visits) / count)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
