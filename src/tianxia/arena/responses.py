"""A best response to a bot, searched for where the game is too large to be looked at whole.

The candidates are the bots of the game, and responders (`tianxia.search.responding`) that better
the best of these. They play the bot in trial games, the worse half being dropped again and again
(successive halving; Jamieson and Talwalkar 2016). What is left then plays fresh games, with other
numbers, so that its luck in the trials does not count. Its share of them is a lower bound of what
the best response wins, with an interval.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import tianxia
from tianxia.arena.course import Outcome
from tianxia.arena.made import Made
from tianxia.arena.plan import Plan
from tianxia.arena.players import OUTSIDE, RESPONSE, Response
from tianxia.arena.standings import Standing, standings
from tianxia.bots.registry import bots
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import Rng, below, new_rng
from tianxia.search.responding import Effort

HORIZONS = (12, 48)
"""How far searched responses look, in actions; which is better depends on the game."""
PROBES = 200
HOPELESS = 10
"""A tree that is thought to have so many times the positions allowed is not looked at."""

Play = Callable[[Plan], list[Outcome]]
"""Plays a match, or what is missing of it, and returns all its games."""


@dataclass(frozen=True)
class Wish:
    """What is to be searched.

    Attributes
    ----------
    game, bot
        Against which bot, in which game.
    games
        Fresh games, which say what the response wins.
    trials
        Games of each candidate at first; those that are left play twice as many each time.
    seed
        Same seed: same response, same games.
    responses
        Candidates; empty: the bots of the game.
    model
        What plays on both sides in simulations where the bot, or the best of the candidates, is too
        slow for that; empty: these two.
    iterations
        Simulations of a decision of a searched response; 0: none is searched.
    """

    game: str
    bot: str
    games: int = 200
    trials: int = 8
    seed: int = 0
    responses: tuple[str, ...] = ()
    model: str = ""
    iterations: int = 64

    def plan(self, response: str, stage: int, games: int) -> Plan:
        """Return the match of a response against the bot; stage 0 is that of the fresh games."""
        seats = tianxia.game(self.game).seats
        players = (response, *[self.bot] * (seats - 1))
        return Plan(self.game, players, games, seed=2 * self.seed + (stage > 0))


@dataclass(frozen=True)
class Found:
    """What was found.

    Attributes
    ----------
    response
        The best of all candidates.
    standing
        What it won in fresh games.
    trials
        What each candidate won when it played last, the best first.
    seats
        Of the game.
    faults
        How many of the fresh games the bot lost by an illegal answer, an error, or none.
    """

    response: str
    standing: Standing
    trials: list[Standing]
    seats: int
    faults: int

    def utility(self, share: float) -> float:
        """Return the mean utility that goes with a share; 0 for equals."""
        return (self.seats * share - 1) / (self.seats - 1)

    @property
    def gains(self) -> bool:
        """Whether the response surely wins more often than the bot would in its place."""
        return self.standing.low > 1 / self.seats


@dataclass
class Trials:
    """Candidates' games so far."""

    wish: Wish
    play: Play
    games: int
    standings: dict[str, Standing] = field(default_factory=dict)

    def best(self, names: Sequence[str]) -> str:
        """Return the best of some candidates, by successive halving; of equals the last."""
        left = list(dict.fromkeys(names))
        while len(left) > 1:
            for name in left:
                self._measure(name)
            left.sort(key=lambda name: (self.standings[name].share, names.index(name)))
            left = left[len(left) // 2 :]
            self.games *= 2
        return left[0]

    def _measure(self, name: str) -> None:
        outcomes = self.play(self.wish.plan(name, 1, self.games))
        self.standings[name] = measured(outcomes)


def measured(outcomes: Sequence[Outcome]) -> Standing:
    """Return what the first player of a match has reached."""
    names = ["response", *["bot"] * (len(outcomes[0].seats) - 1)]
    return next(one for one in standings(names, outcomes) if one.name == names[0])


def search_response(wish: Wish, play: Play) -> Found:
    """Search for a response to a bot, and measure it in fresh games."""
    game = tianxia.game(wish.game)
    trials = Trials(wish, play, wish.trials)
    names = wish.responses or tuple(bots(game))
    guide = trials.best(names)
    model = wish.model or wish.bot
    response = guide
    if wish.iterations and not any(one.startswith((OUTSIDE, RESPONSE)) for one in (guide, model)):
        effort = Effort(iterations=wish.iterations)
        searched = [
            Response(model, guide, wish.model, replace(effort, horizon=horizon)).name
            for horizon in HORIZONS
        ]
        trials.games = max(trials.games // 2, wish.trials)
        response = trials.best([guide, *searched])
    fresh = play(wish.plan(response, 0, wish.games))
    standing = measured(fresh)
    standing.name = response
    for name, one in trials.standings.items():
        one.name = name
    tried = sorted(trials.standings.values(), key=lambda one: (-one.games, -one.share))
    tried.sort(key=lambda one: one.name != response)
    faults = sum(one.fault >= 0 and one.seats[one.fault] > 0 for one in fresh)
    return Found(response, standing, tried, game.seats, faults)


def folder_of(home: Path, plan: Plan) -> Path:
    """Return where a match is kept: by what is played, and with what."""
    made = asdict(Made.now(tianxia.game(plan.game), plan.players)) | {"commit": ""}
    text = repr((replace(plan, games=1), made))
    return home / hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def is_hopeless(game: Game, largest: int, seed: int = 0) -> bool:
    """Say whether a game's tree is far too large, by how it branches in random games.

    The mean of Knuth's estimates (1975): the product of the numbers of ways on a way down, summed.
    """
    rng, most = new_rng(seed), largest * HOPELESS
    return sum(_estimate(game, most * PROBES, rng) for _ in range(PROBES)) / PROBES > most


def _estimate(game: Game, most: int, rng: Rng) -> int:
    """Return an estimate of how many positions there are; not more than is worth knowing."""
    state, ways, positions = game.new(), 1, 1
    while not state.over and positions < most:
        actor = state.acting[0] if state.acting else CHANCE
        if actor == CHANCE:
            actions = [action for action, _ in state.chance_weights()]
        else:
            actions = state.legal_actions(actor)
        ways *= len(actions)
        positions += ways
        state.apply(actions[below(rng, len(actions))], actor)
    return min(positions, most)
