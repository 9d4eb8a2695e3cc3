"""The games: one folder is one game.

`tianxia.games` is this package, and called it lists the names of all games that are
installed: importing a game would otherwise hide a function of that name.
"""

from __future__ import annotations

import sys
from types import ModuleType


class _Games(ModuleType):
    """A package that can be called."""

    def __call__(self) -> list[str]:
        """Return the names of all games that are installed, sorted."""
        from tianxia.kernel.registry import games

        return games()


sys.modules[__name__].__class__ = _Games
