"""Stratego: forty hidden pieces a side, two lakes, one Flag.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.stratego.face import words
from tianxia.games.stratego.rules import answers, knowledge
from tianxia.games.stratego.rules.components import VARIANTS
from tianxia.games.stratego.rules.state import STATE
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"STR-{number:02d}" for number in range(1, 44)}


SHOWN = (N_("classic"), N_("duel"), N_("barrage"), N_("sergeant"))
"""Values of options and names of bots, which pages show in their language."""
TWO_SQUARES = N_("moves in a row of a piece between two squares; 0: repetition is free")

GAME = GameType(
    name="stratego",
    title="Stratego",
    rules_version=1,
    dtype=STATE,
    words=words,
    statements=STATEMENTS,
    options=(
        Option("variant", "classic", VARIANTS, N_("how many pieces: 40, Duel 10 or Barrage 8")),
        Option("two_squares", 3, (3, 5, 0), TWO_SQUARES),
        Option("draw_after", 200, range(1001), N_("moves without an attack that draw; 0 is never")),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    bots=dict.fromkeys(("sergeant", *LEVELS), f"{__name__}.bot.levels"),
    parts=f"{__name__}.bot.strategos",
    advice=f"{__name__}.bot.advice",
    scene=Drawing(f"{__name__}.face.scene", f"{__name__}.face.ask"),
)
