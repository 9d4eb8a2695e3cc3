"""What bots think with, so that several processes can compile it (see `GameType.parts`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tianxia.kernel import jit
from tianxia.kernel.game import Game, Part


def rules(game: Game, *asked: Callable[..., Any]) -> Iterator[Part]:
    """Yield a game's answers to generic functions, for a bot that asks them in compiled code."""
    state = game.blank()[0]
    given = {"state": state, "out": np.empty(0, np.int32)}
    for call in asked:
        yield (
            jit.answer(call, game.kind.dtype),
            tuple(given.get(name, 0) for name in inspect.signature(call).parameters),
        )
