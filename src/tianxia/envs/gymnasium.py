"""The games as Gymnasium's environments: one seat is the learner's, bots of ours have the others.

Importing this module registers them; Gymnasium imports it itself where an id names it:

>>> import gymnasium
>>> env = gymnasium.make("tianxia.envs.gymnasium:tianxia/stratego-v1", opponent="random")
>>> observation, info = env.reset(seed=1)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from tianxia.bots.match import one_each
from tianxia.bots.registry import made, maker
from tianxia.envs.table import (
    BOUND,
    LONGEST,
    RENDERING,
    Observation,
    Rendered,
    Table,
    check_mode,
)
from tianxia.kernel import given
from tianxia.kernel.errors import IllegalAction, TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.registry import games
from tianxia.search.bot import Maker


class Seat(gymnasium.Env[Observation, int]):
    """A game from one seat.

    Parameters
    ----------
    game
        A game or its description.
    opponent
        The bot that has the other seats, or a bot for each of them: by name, or what makes it
        (`tianxia.search.bot.Maker`); ``random`` where none is named.
    seat
        The learner's.
    options
        Options of the game that differ from its description.
    render_mode
        ``ansi`` (text), ``svg`` (the game's own picture) or ``rgb_array`` (its pixels), as the
        seat sees it.
    illegal
        What an action does that is not legal: ``lose`` (the game ends with the worst utility,
        −1, and ``info["refusal"]`` says why) or ``raise`` (IllegalAction).
    max_actions
        Decisions, those of opponents included, after which the game is truncated: a few more,
        where opponents decide in the same step.
    """

    metadata = {**RENDERING}  # noqa: RUF012

    def __init__(
        self,
        game: Game | str,
        opponent: str | Maker | Sequence[str | Maker] = "random",
        seat: int = 0,
        options: Mapping[str, object] | None = None,
        render_mode: str | None = None,
        illegal: str = "lose",
        max_actions: int = LONGEST,
        **unknown: object,
    ) -> None:
        if unknown:
            raise TianxiaError(
                f"{', '.join(unknown)}: not known here; give options of the game as "
                "options={'name': value}"
            )
        if not isinstance(options or {}, Mapping):
            raise TianxiaError(f"options={options!r} should be like {{'players': 3}}")
        self.game = game_of(game, **(options or {}))
        self.seat = self.game.check_seat(seat)
        others = self.game.seats - 1
        bots = one_each(opponent, others, f"{self.game.spec} needs {others} opponents")
        if illegal not in ("lose", "raise"):
            raise TianxiaError(f"illegal={illegal!r} should be lose or raise")
        places = (other for other in range(self.game.seats) if other != self.seat)
        self._makers = {
            place: maker(bot, self.game) for place, bot in zip(places, bots, strict=True)
        }
        self.render_mode = check_mode(render_mode)
        self.illegal = illegal
        self.max_actions = given.whole("max_actions", max_actions, 1)
        self.observation_space = spaces.Dict(  # type: ignore[assignment]  # Box of int8 and of float32
            {
                "observation": spaces.Box(-BOUND, BOUND, (self.game.features,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.game.num_actions)  # type: ignore[assignment]
        self.table: Table
        self._ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game: chance and opponents follow from the seed.

        Raises
        ------
        TianxiaError
            For options: they are chosen when the environment is made.
        """
        if options:
            raise TianxiaError(f"options={options!r} come too late: give them to make()")
        super().reset(seed=seed)
        numbers = self.np_random.integers(2**62, size=self.game.seats + 1).tolist()
        bots = {
            place: made(one, self.game, place, numbers[place])
            for place, one in self._makers.items()
        }
        self.table, self._ended = Table(self.game, numbers[-1], bots), False
        return self._observation(), {}

    def _observation(self) -> Observation:
        return self.table.observation(self.seat, self.game.num_actions)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Take an action; opponents and chance act until it is the seat's turn again.

        Raises
        ------
        ResetNeeded
            Where no game has begun, or it is over.
        TianxiaError
            For what is no whole number.
        IllegalAction
            Where an opponent chooses what the rules forbid, whatever `illegal` says.
        """
        if self._ended:
            raise ResetNeeded("no game goes on here: call reset()")
        table = self.table
        try:
            table.apply(self.seat, given.number("action", action))
        except IllegalAction as error:
            if self.illegal == "raise":
                raise
            self._ended = True
            return self._observation(), -1.0, True, False, {"refusal": str(error)}
        table.settle()  # here what is not legal is an opponent's, and no loss of the learner's
        over = table.state.over
        cut = not over and table.taken >= self.max_actions
        self._ended = over or cut
        return self._observation(), table.state.utilities()[self.seat], over, cut, {}

    def _have_begun(self) -> None:
        if not hasattr(self, "table"):
            raise ResetNeeded("no game has begun: call reset()")

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return what may be done now, as Stable-Baselines3's MaskablePPO asks for it.

        A truth value for each action; ResetNeeded before the first `reset`.
        """
        self._have_begun()
        mask: np.ndarray[Any, np.dtype[np.bool_]] = self._observation()["action_mask"].astype(bool)
        return mask

    def render(self) -> Rendered | None:
        """Return what the seat sees as text or picture; None without a render mode.

        Raises
        ------
        ResetNeeded
            Before the first `reset`.
        """
        self._have_begun()
        return None if self.render_mode is None else self.table.render(self.render_mode, self.seat)


def register() -> None:
    """Register ``tianxia/NAME-v1`` for each game that is installed."""
    for name in games():
        if f"tianxia/{name}-v1" not in gymnasium.registry:
            gymnasium.register(
                f"tianxia/{name}-v1", f"{__name__}:Seat", kwargs={"game": name}, order_enforce=True
            )


register()
