"""What has to be compiled for the bots of a game, in steps that processes can share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from tianxia.bots.match import play
from tianxia.bots.registry import bots
from tianxia.kernel.game import GameType
from tianxia.search.levels import LEVELS

PLIES = 8


@dataclass(frozen=True)
class Step:
    """Something to be compiled."""

    name: str
    do: Callable[[], object]


def steps(kind: GameType) -> list[Step]:
    """Return the steps for a game with its usual options, in the order of their use."""
    game = kind()
    names = [name for name in bots(game) if name != "search"]
    levels = [name for name in ("journeyman", *LEVELS) if name in names]
    ordered = [*dict.fromkeys([*levels, *names])]
    return [
        Step(name, partial(play, game, [name] * game.seats, seed=1, longest=PLIES))
        for name in ordered
    ]
