"""Tianxia: five strategy games of war and intrigue, to play and to study.

>>> import tianxia
>>> state = tianxia.game("stratego", variant="duel").new()
>>> state.acting
(0, 1)
"""

from __future__ import annotations

from tianxia.kernel import cache as _cache  # before Numba is imported
from tianxia.kernel.errors import (
    IllegalAction,
    NotationError,
    OptionError,
    ParseError,
    RulesVersionError,
    SeatError,
    TianxiaError,
    TranscriptError,
    UnknownGame,
    ViewError,
)
from tianxia.kernel.game import Game, GameType, Playouts
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.registry import game, games, position, register, replay
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript

__version__ = "0.1.0"
__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Game",
    "GameType",
    "IllegalAction",
    "NotationError",
    "OptionError",
    "ParseError",
    "Playouts",
    "RulesVersionError",
    "SeatError",
    "State",
    "TianxiaError",
    "Transcript",
    "TranscriptError",
    "UnknownGame",
    "ViewError",
    "game",
    "games",
    "new_rng",
    "position",
    "register",
    "replay",
]
