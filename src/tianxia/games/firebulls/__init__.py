"""Fire Bulls: two to five chiefs of Qi drive burning bulls into the army of Yen.

Unofficial; the name belongs to its owners. The rules are in ``rulebook.*.md``.
"""

from __future__ import annotations

from tianxia.draw.languages import N_
from tianxia.draw.rulebook import Rulebook
from tianxia.draw.scene import Drawing
from tianxia.games.firebulls.face import gestures, words
from tianxia.games.firebulls.rules import answers, knowledge
from tianxia.games.firebulls.rules.layout import LAYOUT
from tianxia.games.firebulls.rules.notation import NOTATION
from tianxia.games.firebulls.rules.state import STATE
from tianxia.kernel.colours import Colours
from tianxia.kernel.game import GameType
from tianxia.kernel.options import Option
from tianxia.search.levels import LEVELS

__all__ = ["GAME", "answers", "knowledge"]

BOOK = Rulebook(f"{__name__}.face")
STATEMENTS = {number: f"FBL-{number:02d}" for number in range(1, 55)}


SEAT_COLOURS = Colours(words.SEAT_NAMES)
BOT_NAMES = (N_("drover"),)
"""Names that pages show translated."""
BOT_MANNERS = {"drover": N_("weighs what each attack brings at once against gathering more cards")}

GAME = GameType(
    name="firebulls",
    title="Fire Bulls",
    rules_version=1,
    dtype=STATE,
    layout=LAYOUT,
    words=words,
    notation=NOTATION,
    statements=STATEMENTS,
    pitch=N_(
        "Drive burning bulls into the camp of Yen by night, and rout more of it than your rivals."
    ),
    options=(
        Option("players", 2, (2, 3, 4, 5), N_("how many play")),
        SEAT_COLOURS.option(
            N_("colours"),
            N_("or the colours of the seats in order: blue, yellow, brown, red, green, any"),
            N_("colours that were chosen"),
        ),
    ),
    rulebook=BOOK.text,
    seat_names=words.SEAT_NAMES,
    armies=words.SEAT_ARMIES,
    colours=SEAT_COLOURS,
    bots=dict.fromkeys(("drover", *LEVELS), f"{__name__}.bot.levels"),
    manners=BOT_MANNERS,
    parts=f"{__name__}.bot.chief",
    obvious=gestures.obvious,
    advice=f"{__name__}.bot.advice",
    scene=Drawing(f"{__name__}.face.scene", f"{__name__}.face.ask"),
)
