"""Tianxia: five strategy games of war and intrigue, to play and to study.

>>> import tianxia
>>> state = tianxia.game("stratego", variant="duel").new()
>>> state.acting
(0, 1)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tianxia.kernel.errors import (
        IllegalAction,
        NotationError,
        OptionError,
        ParseError,
        RngError,
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
    "RngError",
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

# The compiler takes a second to import: only whoever uses it waits for it.
_MODULES = {
    "errors": (
        "IllegalAction",
        "NotationError",
        "OptionError",
        "ParseError",
        "RngError",
        "RulesVersionError",
        "SeatError",
        "TianxiaError",
        "TranscriptError",
        "UnknownGame",
        "ViewError",
    ),
    "game": ("Game", "GameType", "Playouts"),
    "record": ("CHANCE", "SPECTATOR"),
    "registry": ("game", "position", "register", "replay"),
    "rng": ("new_rng",),
    "state": ("State",),
    "transcript": ("Transcript",),
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names}


if not TYPE_CHECKING:  # checkers know the names above, and only these

    def __getattr__(name: str) -> object:
        """Import what is asked for from the kernel."""
        if name == "games":  # the package; called, it lists the games
            return import_module("tianxia.games")
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"tianxia.kernel.{_PLACES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACES, "games"})
