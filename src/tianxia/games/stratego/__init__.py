"""Stratego: forty hidden pieces a side, two lakes, one Flag.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.stratego.face import words
from tianxia.games.stratego.rules import answers, knowledge, playing
from tianxia.games.stratego.rules.components import VARIANTS
from tianxia.games.stratego.rules.layout import LAYOUT, OUTPUT_OF, OUTPUTS
from tianxia.games.stratego.rules.notation import NOTATION
from tianxia.games.stratego.rules.state import STATE
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge", "playing"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"STR-{number:02d}" for number in range(1, 44)}


BOT_NAMES = (N_("skirmisher"),)
"""Names that pages show translated."""
BOT_MANNERS = {
    "skirmisher": N_(
        "sets up sensibly, attacks what it takes for weaker, and runs from what is stronger"
    )
}
ARMY_LABELS = {
    "classic": N_("classic: 40 pieces each"),
    "duel": N_("Duel: 10 pieces each"),
    "barrage": N_("Barrage: 8 pieces each"),
}
PACING_LABELS = {
    3: N_("at most three moves to and fro"),
    5: N_("at most five moves to and fro"),
    0: N_("no limit"),
}

GAME = GameType(
    name="stratego",
    title="Stratego",
    rules_version=1,
    dtype=STATE,
    layout=LAYOUT,
    outputs=OUTPUTS,
    output_of=OUTPUT_OF,
    words=words,
    notation=NOTATION,
    statements=STATEMENTS,
    pitch=N_("Hide your Flag, bluff with forty pieces, and find the enemy’s Flag first."),
    options=(
        Option("variant", "classic", VARIANTS, N_("the armies"), labels=ARMY_LABELS),
        Option(
            "two_squares",
            3,
            (3, 5, 0),
            N_("pacing to and fro between two squares"),
            labels=PACING_LABELS,
            seldom=True,
        ),
        Option(
            "draw_after",
            200,
            range(1001),
            N_("moves without an attack until the game is drawn; 0 is never"),
            labels={0: N_("never drawn for want of attacks")},
            label=N_("drawn after {n} moves without an attack"),
            seldom=True,
        ),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    bots=dict.fromkeys(("skirmisher", *LEVELS), f"{__name__}.bot.levels"),
    manners=BOT_MANNERS,
    formerly={"sergeant": "skirmisher"},
    parts=f"{__name__}.bot.strategos",
    advice=f"{__name__}.bot.advice",
    scene=Drawing(f"{__name__}.face.scene", f"{__name__}.face.ask"),
)
