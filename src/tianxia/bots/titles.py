"""What bots are called in sentences: their names are words of a language, too."""

from __future__ import annotations

from tianxia.draw.languages import N_, package_of, translator
from tianxia.kernel.game import GameType

EVERYWHERE = (
    N_("random"),
    N_("search"),
    N_("novice"),
    N_("apprentice"),
    N_("journeyman"),
    N_("expert"),
    N_("master"),
)
"""The bots that play every game."""


def title(kind: GameType, bot: str, language: str) -> str:
    """Return what a bot of a game is called: in the game's own words, or in those of all games.

    What has no word, such as a file's bot (``net:…``), is called as it is.
    """
    words = (translator(language, package) for package in (package_of(kind), __package__))
    return next((one for one in (word.gettext(bot) for word in words) if one != bot), bot)
