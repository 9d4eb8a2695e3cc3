"""One game as environments play it: chance is resolved, and a seat sees features and a mask."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tianxia.bots.match import CHANCE_STREAM
from tianxia.envs.camera import Pixels, pixels
from tianxia.envs.stepping import Room, look_once
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, tell

LONGEST = 20_000
"""Decisions after which a game is truncated."""
BOUND = 16.0
"""No feature is beyond it."""
RENDER_MODES = ["ansi", "svg", "rgb_array"]
"""Text for terminals; the game's own picture, and its pixels."""
RENDERING = {"render_modes": RENDER_MODES, "render_fps": 2}
"""What environments say of it; films of games show so many positions a second."""
Observation = dict[str, NDArray[Any]]
Rendered = str | Pixels


class Table:
    """A game that is played, with the generator of its chance.

    Parameters
    ----------
    game
        A game or its description.
    bots
        Who sits at some of the seats and is told what they see.
    """

    def __init__(self, game: Game | str, seed: int, bots: dict[int, Bot] | None = None) -> None:
        self.game = game_of(game)
        self.bots = bots or {}
        self.state: State = self.game.new()
        self.taken = 0
        self._rng = new_rng(seed, CHANCE_STREAM)
        self._room = Room(self.game.blank(), self.game.blank(), self.game.list_room())
        self.settle()

    def take(self, seat: int, action: int) -> None:
        """Take an action, and let chance and bots act; raise IllegalAction where it is none."""
        self.apply(seat, action)
        self.settle()

    def apply(self, seat: int, action: int) -> None:
        """Take an action, and nothing else."""
        self.taken += seat != CHANCE
        if self.bots:
            tell(self.state, action, seat, self.bots.items())
        else:
            self.state.apply(action, seat)

    def settle(self) -> None:
        """Let chance act, and bots, until another seat may or the game is over."""
        state = self.state
        while not state.over:
            acting = state.acting
            if not acting:
                self.apply(CHANCE, state.draw_chance(self._rng))
                continue
            ready = [seat for seat in acting if seat in self.bots]
            if not ready:
                return
            self.apply(ready[0], self.bots[ready[0]].choose(state.view(ready[0])))

    def observation(self, seat: int, actions: int) -> Observation:
        """Return what a seat sees and may do, of so many actions, in new arrays."""
        mask = np.zeros(actions, np.int8)
        features = np.zeros(self.game.features, np.float32)
        look_once(self.state.pool, seat, self._room, features, mask)
        return {"observation": features, "action_mask": mask}

    def render(self, mode: str, seat: int | None = None) -> Rendered:
        """Return the position as text or as a picture: as a seat sees it, or all of it."""
        state = self.state if seat is None else self.state.view(seat)
        if mode == "ansi":
            return state.diagram()
        picture = state._repr_svg_()
        if picture is None:
            raise TianxiaError(f"{self.game.name} has no picture")
        return picture if mode == "svg" else pixels(picture)


def check_mode(mode: str | None) -> str | None:
    """Return a render mode; raise for one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise TianxiaError(f"render_mode={mode!r} should be one of {', '.join(RENDER_MODES)}")
    return mode
