"""What point cards of Fire Bulls are taken with, in words."""

from __future__ import annotations

from tianxia.draw.languages import translator
from tianxia.games.firebulls.face.words import attack_name
from tianxia.games.firebulls.rules.notation import LETTERS, POINT_SYMBOLS

PACKAGE = __package__ or ""


def cost_in_words(kind: int, language: str) -> str:
    """Return in words what a point card is taken with."""
    _ = translator(language, PACKAGE).gettext
    symbol = POINT_SYMBOLS[kind]
    if len(symbol) == 2 and symbol[1] != "w":
        number = 1 if symbol[0] == "S" else 2
        return f"{number} × {attack_name(LETTERS.index(symbol[1]), language)}"
    return {
        "Ww": _("2 of one colour"),
        "X": _("3 of one colour"),
        "B": _("one of each colour"),
        "C": _("3 of one and 3 of another colour, or 5 of one"),
        "G": _("4 of one and 3 of another colour, or 7 of one"),
        "F": _("1 of any colour"),
    }[symbol]
