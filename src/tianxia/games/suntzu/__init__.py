"""Sun Tzu: two warlords, five provinces, five cards laid in secret every round.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.suntzu.face import words
from tianxia.games.suntzu.face.standing import STANDING
from tianxia.games.suntzu.rules import answers, knowledge
from tianxia.games.suntzu.rules.components import DECKS
from tianxia.games.suntzu.rules.state import STATE
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import Game, GameType, Part
from tianxia.kernel.options import Option, Value
from tianxia.search.bot import Maker
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"SUN-{number:02d}" for number in range(1, 88)}


def _strategist(game: Game, seat: int, seed: int) -> Any:
    from tianxia.games.suntzu.bot.player import Strategist

    return Strategist(game, seat, seed)


def _level(name: str) -> Maker:
    """Return what makes the General at a level; it is imported when it is wanted."""

    def make(game: Game, seat: int, seed: int) -> Any:
        from tianxia.games.suntzu.bot.general import General
        from tianxia.games.suntzu.bot.levels import SKILLS

        return General(game, seat, seed, SKILLS[name])

    return make


def _parts(game: Game) -> Iterator[Part]:
    from tianxia.games.suntzu.bot.general import parts

    return parts(game)


def _consistent(options: Mapping[str, Value]) -> OptionError | None:
    """Say what is wrong with a combination of options: SUN-08."""
    if options["deck"] == "beginner" and options["strategies"]:
        return OptionError(
            N_(
                "the beginner's game is played without strategy cards:"
                " suntzu(deck=beginner,strategies=no)"
            )
        )
    return None


SHOWN = (N_("full"), N_("beginner"), N_("annuls"), N_("spares"), N_("strategist"))
"""Values of options and names of bots, marked for translation."""

GAME = GameType(
    name="suntzu",
    title="Sun Tzu",
    rules_version=1,
    dtype=STATE,
    words=words,
    statements=STATEMENTS,
    options=(
        Option("deck", "full", DECKS, N_("which cards: all, or the beginner's without +2 and +3")),
        Option("strategies", True, (True, False), N_("each player has a strategy card")),
        Option("events", False, (False, True), N_("events are turned up one by one")),
        Option(
            "plague", "annuls", ("annuls", "spares"), N_("what a Plague does to marks and costs")
        ),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    bots={"strategist": _strategist, **{name: _level(name) for name in LEVELS}},
    parts=_parts,
    scene=Drawing(f"{__name__}.face.scene"),
    standing=STANDING,
    advice=f"{__name__}.bot.advice",
    consistent=_consistent,
)
