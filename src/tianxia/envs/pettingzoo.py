"""The games as PettingZoo's environments.

>>> from tianxia.envs import pettingzoo
>>> env = pettingzoo.env("stratego(variant=barrage)")
>>> env.reset(seed=1)
>>> env.agent_selection
'seat_0'
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.env import AECIterable

from tianxia.envs.table import (
    BOUND,
    LONGEST,
    RENDERING,
    Observation,
    Rendered,
    Table,
    check_mode,
)
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.given import whole
from tianxia.kernel.registry import game as game_of


def env(game: Game | str, render_mode: str | None = None, max_actions: int = LONGEST) -> Seats:
    """Return a game in which seats act one after another (AEC); chance is resolved inside.

    Parameters
    ----------
    game
        A game or its description.
    render_mode
        ``ansi`` (text), ``svg`` (the game's own picture) or ``rgb_array`` (its pixels), of all
        that is on the table.
    max_actions
        Decisions after which the game is truncated.
    """
    return Seats(game, render_mode, max_actions)


def parallel_env(
    game: Game | str, render_mode: str | None = None, max_actions: int = LONGEST
) -> TogetherSeats:
    """Return a game in which every seat gives an action in each step.

    Those who may act act, several at once where the rules let them choose in secret. All
    others give the action that they alone may give, to wait: the last one.
    """
    return TogetherSeats(game, render_mode, max_actions)


class _Spaces:
    """What both kinds of environments say of themselves."""

    table: Table

    def _prepare(self, game: Game | str, render_mode: str | None, longest: int, more: int) -> None:
        self.game = game_of(game)
        self.render_mode = check_mode(render_mode)
        self.max_actions = whole("max_actions", longest, 1)
        self.possible_agents = [f"seat_{seat}" for seat in range(self.game.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._width = self.game.num_actions + more
        box = (self.game.features,)
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-BOUND, BOUND, box, np.float32),
                    "action_mask": spaces.Box(0, 1, (self._width,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self._width) for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random(None)
        self._begun = False

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._begun, self.agents = True, list(self.possible_agents)
        self.table = Table(self.game, int(self._random.integers(2**62)))

    def _go_on(self) -> None:
        """See that the game has begun, and goes on."""
        if not self.agents:
            raise TianxiaError("no game goes on here: call reset()")

    def _have_begun(self) -> None:
        if not self._begun:
            raise TianxiaError("no game has begun: call reset()")

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            names = ", ".join(self.possible_agents)
            raise TianxiaError(f"{agent!r} is not an agent here; there are {names}")
        return self._seats[agent]

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of what an agent sees: features, and a mask of its actions."""
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions."""
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def render(self) -> Rendered | None:
        """Return the position as text or picture; None without a render mode."""
        self._have_begun()
        return None if self.render_mode is None else self.table.render(self.render_mode)

    def close(self) -> None:
        """Do nothing: no window is open."""


class Seats(_Spaces, AECEnv):
    """See `env`."""

    metadata = {**RENDERING, "name": "tianxia_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self, game: Game | str, render_mode: str | None = None, max_actions: int = LONGEST
    ) -> None:
        super().__init__()
        self._prepare(game, render_mode, max_actions, 0)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed its chance follows from the last one's."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._acting()

    def _acting(self) -> str:
        return self.possible_agents[self.table.state.acting[0]]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        self._have_begun()
        return self.table.observation(self._seat(agent), self._width)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return what the agent whose turn it is sees, what it has gained, and if that was all."""
        self._have_begun()
        return super().last(observe)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """Go through the agents as they have their turns."""
        self._have_begun()
        return super().agent_iter(max_iter)

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is.

        Raises
        ------
        IllegalAction
            Saying which rule forbids it; nothing is changed.
        """
        self._go_on()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        table = self.table
        table.take(self._seats[agent], action)  # type: ignore[arg-type]  # it says what is wrong
        self._cumulative_rewards[agent] = 0.0
        if table.state.over:
            self.rewards = dict(zip(self.agents, table.state.utilities(), strict=True))
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        elif table.taken >= self.max_actions:
            self.truncations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._acting()


class TogetherSeats(_Spaces, ParallelEnv):
    """See `parallel_env`."""

    metadata = {**RENDERING, "name": "tianxia_parallel_v1"}  # noqa: RUF012

    def __init__(
        self, game: Game | str, render_mode: str | None = None, max_actions: int = LONGEST
    ) -> None:
        self._prepare(game, render_mode, max_actions, 1)
        self.wait = self.game.num_actions

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game; without a seed its chance follows from the last one's."""
        self._begin(seed)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Observation]:
        found = {}
        for agent in self.agents:
            seen = self.table.observation(self._seats[agent], self._width)
            seen["action_mask"][self.wait] = self._seats[agent] not in self.table.state.acting
            found[agent] = seen
        return found

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the actions of all agents.

        Raises
        ------
        IllegalAction
            Saying which rule forbids one of them; nothing is changed.
        """
        self._go_on()
        for agent in actions:
            self._seat(agent)
        state = self.table.state
        acting = state.acting
        for agent in self.agents:
            if agent not in actions:
                raise TianxiaError(f"{agent} gives no action; it may wait with {self.wait}")
            if self._seats[agent] not in acting and actions[agent] != self.wait:
                raise TianxiaError(f"{agent} may only wait now, with the action {self.wait}")
        trial = state.clone()
        for seat in acting:  # what each of several chooses touches nobody else's choice
            trial.apply(actions[self.possible_agents[seat]], seat)
        for seat in acting:
            self.table.apply(seat, actions[self.possible_agents[seat]])
        self.table.settle()
        agents = self.agents
        over, cut = state.over, self.table.taken >= self.max_actions
        rewards = dict(zip(agents, state.utilities(), strict=True))
        observations = self._observations()
        if over or cut:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut and not over),
            {agent: {} for agent in agents},
        )
