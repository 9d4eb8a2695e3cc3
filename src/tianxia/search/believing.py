"""What a seat may believe of hidden things if it knows which bot plays the others.

A world is a whole position with the bots that sit in it and all that they have seen. Worlds are
played from the beginning of the game and given up as soon as something else was seen than what
happens in them (a particle filter by rejection; Silver and Veness 2010), so that what is left
are positions to which the bot itself would have led. Where too few are left, as soon happens in
large games, worlds are the game's own samples, and bots begin in them with no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import Rng, below, fraction
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, Maker
from tianxia.search.choosing import drawn

LEAST = 8
"""Of fewer worlds one would believe too much."""
SEEDS = 1 << 30

Makers = Sequence[Maker]
Step = tuple[int, dict[int, int | None], State]
"""What was done: (actor, by seat that is told the action as it sees it, position after it)."""


class World:
    """A position, with a bot in each seat that is made when it is asked.

    Attributes
    ----------
    makers
        What makes the bots, by seat.
    state
        The position.
    weight
        How likely chance has led here.
    """

    def __init__(self, makers: Makers, seed: int, state: State) -> None:
        self.makers = makers
        self.seed = seed
        self.state = state
        self.weight = 1.0
        self._steps: list[Step] = []
        self._bots: dict[int, tuple[Bot, int]] = {}

    def copy(self) -> Self:
        """Return a world that goes on by itself."""
        copy = type(self)(self.makers, self.seed, self.state.clone())
        copy._steps = list(self._steps)
        return copy

    def take(self, action: int, actor: int) -> None:
        """Apply an action; the bots are told of it when they are asked."""
        seats = range(len(self.makers))
        seen = {seat: self.state.seen(action, actor, seat) for seat in seats}
        told = {s: known for s, known in seen.items() if actor == CHANCE or known is not None}
        self.state.apply(action, actor)
        self._steps.append((actor, told, self.state.clone()))

    def answer(self, seat: int, view: State) -> int:
        """Return what the bot in a seat does."""
        bot, heard = self._bots.get(seat) or (self._made(seat), 0)
        for actor, told, after in self._steps[heard:]:
            if seat in told:
                bot.observe(actor, told[seat], after.view(seat))
        self._bots[seat] = (bot, len(self._steps))
        action, legal = bot.choose(view), view.legal_actions(seat)
        # Without a memory it may want what it cannot have.
        return action if action in legal else legal[0]

    def _made(self, seat: int) -> Bot:
        return self.makers[seat](self.state.game, seat, self.seed + seat)

    def drawn(self, rng: Rng) -> int:
        """Return what chance does."""
        actions, weights = zip(*self.state.chance_weights(), strict=True)
        return int(actions[drawn(weights, fraction(rng))])


class Beliefs:
    """The worlds that agree with what a seat has seen, as far as they can be kept.

    Parameters
    ----------
    makers
        What makes the bots that the others are taken for, by seat; one's own seat is not asked.
    count
        How many worlds there should be.
    """

    def __init__(self, game: Game, seat: int, makers: Makers, count: int, rng: Rng) -> None:
        self.game, self.seat, self.makers = game, seat, makers
        self.count = count
        self.rng = rng
        self.events: list[tuple[int, int | None, State]] = []
        self.worlds = [self._new() for _ in range(count)]

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Give up the worlds in which this would not have been seen, and look for others."""
        if not self.worlds:
            return
        event = (actor, action, view)
        self.events.append(event)
        self.worlds = [world for world in self.worlds if self._follows(world, *event)]
        for _ in range(self.count if len(self.worlds) < self.count // 2 else 0):
            world = self._new()
            if all(self._follows(world, *one) for one in self.events):
                self.worlds.append(world)
        if len(self.worlds) < LEAST:
            self.worlds, self.events = [], []

    def draw(self, view: State, rng: Rng) -> World:
        """Return a world that agrees with a view, for whoever wants to change it."""
        worlds = [world for world in self.worlds if self._settled(world, view)]
        if worlds:
            chosen = drawn([world.weight for world in worlds], fraction(rng))
            return worlds[chosen].copy()
        return World(self.makers, below(rng, SEEDS), view.sample(rng))

    def _new(self) -> World:
        return World(self.makers, below(self.rng, SEEDS), self.game.new())

    def _follows(self, world: World, actor: int, action: int | None, view: State) -> bool:
        """Let an action be taken in a world; say whether it is what is seen there, too."""
        while True:
            acting = world.state.acting
            due = actor in acting or (actor == CHANCE and not acting)
            if due and actor == CHANCE:
                return self._falls(world, action) and self._settled(world, view)
            if due and actor == self.seat and action is not None:
                world.take(action, actor)
                return self._settled(world, view)
            others = [seat for seat in acting if seat != self.seat]
            if not others:
                return False
            known = self._answered(world, actor if due else others[0])
            if known is not None:
                return due and known == action and self._settled(world, view)

    def _answered(self, world: World, seat: int) -> int | None:
        """Let a bot act in a world; return what one's own seat sees of it."""
        action = world.answer(seat, world.state.view(seat))
        known = world.state.seen(action, seat, self.seat)
        world.take(action, seat)
        return known

    def _falls(self, world: World, action: int | None) -> bool:
        """Let chance draw what was seen; say whether it can."""
        state = world.state
        draws = state.chance_weights()
        same = [one for one in draws if state.seen(one[0], CHANCE, self.seat) == action]
        if not same:
            return False
        weights = [weight for _, weight in same]
        world.weight *= sum(weights) / sum(weight for _, weight in draws)
        world.take(same[drawn(weights, fraction(self.rng))][0], CHANCE)
        return True

    def _settled(self, world: World, view: State) -> bool:
        """Let those choose in secret who have chosen; say whether all looks as it does."""
        for seat in world.state.acting:
            if seat != self.seat and seat not in view.acting:
                self._settle(world, seat)
        return world.state.view(self.seat) == view

    def _settle(self, world: World, seat: int) -> None:
        """Let a bot choose in secret until it is done, or has done what is seen."""
        while seat in world.state.acting and self._answered(world, seat) is None:
            pass
