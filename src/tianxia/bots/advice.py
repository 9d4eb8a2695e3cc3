"""Advice for every game: its own adviser where it has one, else tree search."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from tianxia.bots.registry import bots
from tianxia.draw.languages import N_, translator
from tianxia.kernel.errors import ViewError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.state import State
from tianxia.search.advice import Adviser
from tianxia.search.bot import Bot
from tianxia.search.levels import LEVELS
from tianxia.search.thinking import Budget, Finding, think

ITERATIONS = 800
"""Of the search that advises where a game has no adviser."""
REASON = N_("In games tried out from here, this did well for you.")


class Searching:
    """The adviser of games that have none: a tree search, and a sentence that fits all."""

    def weigh(self, bot: Bot, view: State) -> list[Finding]:
        """Search anew, whatever the bot thinks."""
        if view.viewer is None:
            raise ViewError("advice is given from a view; take one with state.view(seat)")
        return think(view, view.viewer, view.plies, Budget(iterations=ITERATIONS))

    def reason(self, view: State, seat: int, action: int, language: str) -> str:
        """Say that trial games went well."""
        return translator(language, "tianxia.bots").gettext(REASON)


@cache
def adviser(kind: GameType) -> Adviser:
    """Return who advises the players of a game."""
    if not kind.advice:
        return Searching()
    return cast(Adviser, import_module(kind.advice))


def best_bot(game: Game) -> str:
    """Return the name of a game's best player: its highest level, else its last bot."""
    names = bots(game)
    return next((level for level in reversed(list(LEVELS)) if level in names), names[-1])
