"""Sun Tzu: two warlords, five provinces, five cards laid in secret every round.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from collections.abc import Mapping

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.suntzu.face import words
from tianxia.games.suntzu.face.standing import STANDING
from tianxia.games.suntzu.rules import answers, knowledge, playing
from tianxia.games.suntzu.rules.components import DECKS
from tianxia.games.suntzu.rules.layout import LAYOUT
from tianxia.games.suntzu.rules.notation import NOTATION
from tianxia.games.suntzu.rules.state import STATE
from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option, Value
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge", "playing"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"SUN-{number:02d}" for number in range(1, 88)}


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


BOT_NAMES = (N_("strategist"),)
"""Names that pages show translated."""
BOT_MANNERS = {"strategist": N_("mixes its orders so that nobody can guess them")}

GAME = GameType(
    name="suntzu",
    title="Sun Tzu",
    rules_version=1,
    dtype=STATE,
    layout=LAYOUT,
    words=words,
    notation=NOTATION,
    statements=STATEMENTS,
    pitch=N_("Five provinces, one secret card in each: guess where your rival will strike."),
    options=(
        Option(
            "deck",
            "full",
            DECKS,
            N_("the cards"),
            labels={"full": N_("all cards"), "beginner": N_("beginner’s: without +2 and +3")},
        ),
        Option(
            "strategies",
            True,
            (True, False),
            N_("strategy cards"),
            labels={True: N_("one each"), False: N_("no strategy cards")},
        ),
        Option(
            "events",
            False,
            (False, True),
            N_("events"),
            labels={False: N_("no events"), True: N_("events turned up one by one")},
        ),
        Option(
            "plague",
            "annuls",
            ("annuls", "spares"),
            N_("what a Plague does"),
            labels={
                "annuls": N_("a Plague annuls marks and costs"),
                "spares": N_("a Plague spares marks and costs"),
            },
            seldom=True,
        ),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    bots=dict.fromkeys(("strategist", *LEVELS), f"{__name__}.bot.levels"),
    manners=BOT_MANNERS,
    parts=f"{__name__}.bot.tactician",
    scene=Drawing(f"{__name__}.face.scene", f"{__name__}.face.ask"),
    standing=STANDING,
    advice=f"{__name__}.bot.advice",
    consistent=_consistent,
)
