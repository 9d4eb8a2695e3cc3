"""What bots are called in sentences: their names are words of a language, too."""

from __future__ import annotations

from tianxia.bots.nets import PREFIX
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
MANNERS = {
    "random": N_("plays any move that the rules allow, and plans nothing"),
    "search": N_("tries out how the game could go on; knows the rules, but no strategy"),
}
"""How those of them play that are no level; a game says it of its own (`GameType.manners`)."""
LEARNED = N_("plays as it has learned to by many games")
"""The same of a net."""


def title(kind: GameType, bot: str, language: str) -> str:
    """Return what a bot of a game is called: in the game's own words, or in those of all games.

    What has no word, such as a file's bot (``net:…``), is called as it is.
    """
    words = (translator(language, package) for package in (package_of(kind), __package__))
    return next((one for one in (word.gettext(bot) for word in words) if one != bot), bot)


def manner(kind: GameType, bot: str, language: str) -> str:
    """Return how a bot of a game plays, to stand after its title; "" where nobody has said it."""
    if bot in kind.manners:
        return translator(language, package_of(kind)).gettext(kind.manners[bot])
    said = LEARNED if bot.startswith(PREFIX) else MANNERS.get(bot, "")
    return translator(language, __package__).gettext(said) if said else ""
