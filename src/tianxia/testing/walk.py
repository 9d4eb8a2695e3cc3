"""Random games that checks look at: a check is a function of such a walk."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NoReturn, Protocol

import numpy as np

from tianxia.kernel import functions
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR, Pool
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.registry import games, kind
from tianxia.kernel.state import State

MAX_PLIES = 3000
"""Where a random game is cut, in actions; what was seen until then counts."""
HABIT = 0.85
GUARD = -77
MOST_WEIGHT = 1 << 30


class CheckFailed(AssertionError):
    """A game does not do what every game has to do."""


class Walk:
    """One random game, action by action.

    Iterating gives (actor, action) before the action is applied to `state`.

    Attributes
    ----------
    state
        The position, which is played on.
    number
        How many actions were taken.
    rng
        For whatever a check wants to draw.
    """

    def __init__(self, game: Game, seed: int, max_plies: int = MAX_PLIES) -> None:
        self.game = game
        self.seed = seed
        self.max_plies = max_plies
        self.rng = random.Random(f"{game.spec} {seed}")  # noqa: S311  (no secrets here)
        self.number = 0
        self._wishes: dict[int, float] = {}
        self.state = game.new()

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Play; the loop's body sees each position before its action."""
        while not self.state.over and self.number < self.max_plies:
            seat, action = self.choose(self.state)
            yield seat, action
            self.state.apply(action, seat)
            self.number += 1

    def choose(self, state: State) -> tuple[int, int]:
        """Return who acts next, and how."""
        if not state.acting:
            outcomes = state.chance_weights()
            if not outcomes:
                self.fail("nobody may act, chance has no outcome, and the game is not over")
            actions, weights = zip(*outcomes, strict=True)
            return CHANCE, self.rng.choices(actions, weights)[0]
        seat = self.rng.choice(state.acting)
        legal = state.legal_actions(seat)
        if not legal:
            self.fail(f"seat {seat} may act but has no legal action")
        if self.seed % 2 and self.rng.random() < HABIT:
            return seat, min(legal, key=self._wish)
        return seat, self.rng.choice(legal)

    def _wish(self, action: int) -> float:
        return self._wishes.setdefault(action, self.rng.random())

    @property
    def worth_a_look(self) -> bool:
        """Whether to spend time on this ply: at first each, later fewer and fewer."""
        return self.number < 8 or self.rng.random() < 12 / (12 + self.number)

    @property
    def viewers(self) -> tuple[int, ...]:
        """All who may look on."""
        return (*range(self.game.seats), SPECTATOR)

    def fail(self, text: str) -> NoReturn:
        """Raise CheckFailed, saying where."""
        raise CheckFailed(f"{self.where()}: {text}\n  {shown(self.state)}")

    def where(self) -> str:
        """Return how to get here again."""
        return f"{self.game.spec}, seed {self.seed}, before action {self.number}"

    def demand(self, fact: object, text: str) -> None:
        """Fail unless something holds."""
        if not fact:
            self.fail(text)

    def same(self, one: State, other: State, text: str) -> None:
        """Fail, naming the fields, unless two positions are equal to the byte."""
        if one.to_bytes() != other.to_bytes():
            self.fail(f"{text}; they differ in {', '.join(differing(one, other)) or 'padding'}")


class Check(Protocol):
    """A check of one random game of a game, or of what `tianxia.game` makes of a text."""

    __name__: str

    def __call__(self, game: Game | str, seed: int = 0, max_plies: int = MAX_PLIES) -> None:
        """Play the game of that seed; raise CheckFailed where something is wrong."""


def check(function: Callable[[Walk], None]) -> Check:
    """Make a check, whatever goes wrong in it a failure that says where."""

    def call(game: Game | str, seed: int = 0, max_plies: int = MAX_PLIES) -> None:
        walk = Walk(known_game(game), seed, max_plies)
        try:
            function(walk)
        except CheckFailed:
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise CheckFailed(f"{walk.where()}: {what}\n  {shown(walk.state)}") from error

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    return call


def known_game(game: Game | str) -> Game:
    """Return a game, or the one that a text describes.

    Fail where it cannot be found by its name, as notation and transcripts need.
    """
    if isinstance(game, str):
        return game_of(game)
    if game.name not in games() or kind(game.name) is not game.kind:
        raise CheckFailed(
            f"{game.name} is not registered: call tianxia.register(GAME), or install its package"
        )
    return game


def shown(state: State) -> str:
    """Return a position on one line, whatever is wrong with it."""
    try:
        return state.notation()
    except Exception as error:  # noqa: BLE001  (a broken notation must not hide the failure)
        return f"(its notation fails: {error!r})"


def differing(one: State, other: State) -> list[str]:
    """Return the names of the fields in which two positions differ."""
    return differing_fields(one.record, other.record)


def differing_fields(one: Pool, other: Pool) -> list[str]:
    """Return the names of the fields in which two records differ."""
    names = one.dtype.names or ()
    return [name for name in names if one[name].tobytes() != other[name].tobytes()]


def name_of(seat: int) -> str:
    """Return what to call a seat in a message."""
    return {SPECTATOR: "the spectator", CHANCE: "chance"}.get(seat, f"seat {seat}")


def raw_legal(game: Game, pool: Pool, seat: int) -> list[int]:
    """Return a seat's legal actions in the order in which the rules write them.

    Raises
    ------
    ValueError
        Where they write more than they said.
    """
    out = np.full(game.max_legal + 8, GUARD, np.int32)
    count = int(functions.legal_actions(pool, seat, out))
    if not 0 <= count <= game.max_legal:
        raise ValueError(f"{count} legal actions; limits promise {game.max_legal}")
    if (out[game.max_legal :] != GUARD).any():
        raise ValueError("legal_actions writes beyond the end of its list")
    return [int(action) for action in out[:count]]


def raw_chance(game: Game, pool: Pool) -> list[tuple[int, int]]:
    """Return chance's actions and weights in the order in which the rules write them."""
    actions, weights = game.buffers()
    count = int(functions.chance_outcomes(pool, actions, weights))
    if not 0 <= count <= game.max_chance:
        raise ValueError(f"{count} outcomes of chance; limits promise {game.max_chance}")
    return [(int(a), int(w)) for a, w in zip(actions[:count], weights[:count], strict=True)]


def raw_policy(game: Game, pool: Pool, seat: int) -> list[int] | None:
    """Return a game's weights of a seat's legal actions in their order, None without any.

    Raises
    ------
    ValueError
        Where these are no weights.
    """
    legal = raw_legal(game, pool, seat)
    actions = np.array([*legal, GUARD], np.int64)
    weights = np.full(len(legal) + 1, GUARD, np.int64)
    if not functions.policy(pool, seat, actions, len(legal), weights):
        return None
    if weights[-1] != GUARD or actions.tolist() != [*legal, GUARD]:
        raise ValueError("policy writes something else than one weight for each action")
    found = [int(weight) for weight in weights[:-1]]
    if min(found) < 0 or not 0 < sum(found) <= MOST_WEIGHT:
        raise ValueError(f"weights of {found}; they are at least 0, with a sum of 1 to 2³⁰")
    return found
