"""Many games at once, stepped in compiled code, in arrays that are filled again at each step."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tianxia.envs.stepping import (
    SCALE,
    Arrays,
    Desk,
    choose_all,
    first_illegal,
    start_all,
    step_all,
)
from tianxia.kernel import batches, given
from tianxia.kernel.errors import IllegalAction, TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import MAX_SEATS, Pool
from tianxia.kernel.registry import game as game_of

LONGEST = 20_000


class VectorEnv:
    """Many games at once for self-play: whoever acts in a game is the learner's seat there.

    `reset` and `step` fill the same arrays again and again, so nothing is allocated and
    ``torch.from_dlpack(env.observations)`` is made once. Chance is resolved inside. A game that
    is over begins again in the same step: `terminated` and `rewards` tell of the one that ended,
    `observations`, `masks` and `seats` of the new one, and `final_observations` keeps what was
    to be seen at the end. Where several seats may act they do so one after another, and none
    sees what another chose.

    Parameters
    ----------
    game
        A game or its description, such as ``"stratego(variant=barrage)"``.
    num_envs
        How many games.
    seed
        Game i draws its chance from stream i of the seed, whatever `threads` is.
    threads
        Threads that share the games.
    dtype
        ``float32``, or ``int8``: features as 30ths, rounded; none is beyond 4.
    max_actions
        Decisions after which a game is truncated.

    Attributes
    ----------
    observations, final_observations
        Features of what the acting seat sees, shape (num_envs, features). Of a game that ended,
        the last one shows it to whoever acted last; of one that was truncated, to whoever
        would act.
    masks
        int8: a one for each legal action, shape (num_envs, num_actions).
    seats
        int8: who acts, shape (num_envs,).
    rewards
        float32: utilities of all seats where a game ended in the last step, else zeros;
        shape (num_envs, seats).
    terminated, truncated
        bool: whether a game ended, or was cut, in the last step; shape (num_envs,).
    observation_names
        The names of the parts of an observation, in order.
    observation_shapes
        The shape of each part by its name; see `part`.
    """

    def __init__(
        self,
        game: Game | str,
        num_envs: int,
        seed: int = 0,
        threads: int = 1,
        dtype: DTypeLike = np.float32,
        max_actions: int = LONGEST,
    ) -> None:
        self.game = game = game_of(game)
        self.num_envs = num_envs = given.whole("num_envs", num_envs, 1)
        self.num_actions, self.num_seats = game.num_actions, game.seats
        self.threads = given.whole("threads", threads, 1)
        self.max_actions = given.whole("max_actions", max_actions, 1)
        self.seed, small = given.number("seed", seed), _is_small(dtype)
        self.observation_names = tuple(name for name, _ in game.layout)
        self.observation_shapes = dict(game.layout)
        shape = (num_envs, game.features)
        self.observations: NDArray[Any] = np.zeros(shape, dtype)
        self.final_observations: NDArray[Any] = np.zeros(shape, dtype)
        self.masks = np.zeros((num_envs, game.num_actions), np.int8)
        self.seats = np.zeros(num_envs, np.int8)
        self.rewards = np.zeros((num_envs, game.seats), np.float32)
        self.terminated = np.zeros(num_envs, np.bool_)
        self.truncated = np.zeros(num_envs, np.bool_)
        none = np.zeros((num_envs, 0), np.int8)
        self._arrays = Arrays(
            pool=batches.reset(game, num_envs),
            rngs=batches.streams(num_envs, seed),
            taken=np.zeros(num_envs, np.int64),
            small=self.observations if small else none,
            masks=self.masks,
            seats=self.seats,
            rewards=self.rewards,
            terminated=self.terminated,
            truncated=self.truncated,
            final_small=self.final_observations if small else none,
        )
        self._desks = [self._desk(small) for _ in range(self.threads)]
        self._begun = False

    def _desk(self, small: bool) -> Desk:
        game = self.game
        row = np.zeros((1, game.features), np.float32)
        listed, weights = game.buffers()
        return Desk(
            start=game.new().record,
            blank=game.blank(),
            known=game.blank(),
            rows=row if small else self.observations,
            final_rows=row if small else self.final_observations,
            stride=0 if small else 1,
            listed=listed,
            weights=weights,
            utility=np.zeros(MAX_SEATS + 1),
        )

    @property
    def pool(self) -> Pool:
        """The positions themselves, for `tianxia.kernel.batches`; full states, so no player's."""
        return self._arrays.pool

    def part(self, name: str) -> NDArray[Any]:
        """Return one named part of `observations`, shape (num_envs, its own shape…); no copy.

        Raises
        ------
        TianxiaError
            Naming the parts that there are.
        """
        first = 0
        for part, shape in self.observation_shapes.items():
            size = math.prod(shape)
            if part == name:
                return self.observations[:, first : first + size].reshape(self.num_envs, *shape)
            first += size
        raise TianxiaError(f"no part is called {name!r}: {', '.join(self.observation_names)}")

    def reset(self, seed: int | None = None) -> NDArray[Any]:
        """Begin all games, with `seed` as if the environment had been made with it.

        Without one each game goes on in its stream.
        """
        if seed is not None:
            self.seed = given.number("seed", seed)
            self._arrays.rngs[:] = batches.streams(self.num_envs, seed)
        self._share(lambda i, a, b: start_all(self._arrays, self._desks[i], a, b))
        self._begun = True
        return self.observations

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_]]:
        """Take the action of each game's acting seat; shape (num_envs,), whole numbers.

        Returns
        -------
        tuple
            `observations`, `rewards`, `terminated`, `truncated`: the same arrays each time.

        Raises
        ------
        TianxiaError
            Before the first `reset`.
        IllegalAction
            Naming the first game where an action is not legal; nothing is changed.
        """
        self._go_on()
        chosen = batches.whole_numbers("actions", actions, self.num_envs)
        self._check(chosen)
        longest = self.max_actions
        self._share(lambda i, a, b: step_all(self._arrays, self._desks[i], chosen, longest, a, b))
        return self.observations, self.rewards, self.terminated, self.truncated

    def _go_on(self) -> None:
        if not self._begun:
            raise TianxiaError("no game has begun: call reset()")

    def close(self) -> None:
        """Do nothing: it holds arrays only."""

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.num_envs} × {self.game.spec}>"

    def _check(self, actions: NDArray[np.int64]) -> None:
        i = int(first_illegal(self.masks, actions))
        if i < len(actions):
            action, seat = int(actions[i]), int(self.seats[i])
            text = f"game {i}: action {action} of seat {seat} is not legal; nothing was changed"
            raise IllegalAction(text, action, seat, "")

    def sample_actions(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return a random legal action for each game."""
        self._go_on()
        try:
            shares = rng.random(self.num_envs)
        except (AttributeError, TypeError) as error:
            raise TianxiaError(f"rng={rng!r} should be numpy.random.default_rng(seed)") from error
        chosen = np.empty(self.num_envs, np.int64)
        choose_all(self.masks, shares, chosen)
        return chosen

    def _share(self, part: Callable[[int, int, int], Any]) -> None:
        batches.shared(self.threads, self.num_envs, part)


def _is_small(dtype: DTypeLike) -> bool:
    """Say whether features are int8, not float32; raise for anything else."""
    with suppress(TypeError):
        if np.dtype(dtype) in (np.float32, np.int8):
            return np.dtype(dtype) == np.int8
    raise TianxiaError(f"dtype={dtype!r} should be float32 or int8")


__all__ = ["SCALE", "VectorEnv"]
