"""What an action does, said to whoever may choose it: on buttons, in lists and in hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.games.china.face.words import (
    board_of,
    card_name,
    cards_in_words,
    place_in_words,
    province_name,
    write,
)
from tianxia.games.china.rules.components import ACTIONS, OPEN
from tianxia.games.china.rules.state import EMPERORS

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
BUTTONS = {
    "stop": N_("No second piece"),
    "pass": N_("Pass"),
    "decline": N_("The Emperor places nothing"),
    "emperor": N_("Special card: the Emperor first"),
}
"""What is written on the buttons that mean an action by themselves."""


def choice(view: State, action: int, seat: int, language: str) -> str:
    """Return what an action of the viewer's does."""
    _ = translator(language, PACKAGE).gettext
    if action < OPEN:
        return _piece(view, action, seat, language)
    match ACTIONS.split(action):
        case "open", province:
            named = province_name(board_of(view), province, language)
            return _("Build in {province}: its tiles are turned up").format(province=named)
        case "swap", given, taken:
            text = _("Special card: give {given} to the display, take {taken}")
            given, taken = card_name(given, language), card_name(taken, language)
            return text.format(given=given, taken=taken)
        case "exchange" | "take" | "keep" as kind, colour:
            text = {
                "exchange": _("Exchange a card: discard {card}"),
                "take": _("Take a card of the display: {card}"),
                "keep": _("Keep a card open: {card}"),
            }[kind]
            return text.format(card=card_name(colour, language))
        case ("deck",):
            return _("Draw from the deck")
    return _(BUTTONS[ACTIONS.split(action)[0]])


def is_emperors(view: State) -> bool:
    """Say whether what is placed now is the Emperor's, for which his cards pay."""
    return bool(int(view.fields["course"]) & EMPERORS)


def _piece(view: State, action: int, seat: int, language: str) -> str:
    """Return what an action does that places a piece."""
    _ = translator(language, PACKAGE).gettext
    word, place, price = write(view, action, seat).split(":")
    text = {
        "palace": _("Build a palace on {place} with {cards}"),
        "fort": _("Place a fortification on {place} with {cards}"),
        "emissary": _("Send an emissary to {place} with {cards}"),
        "post": _("Build on a border post, {place}, with {cards}"),
    }[word]
    if is_emperors(view):
        text = {
            "palace": _("The Emperor: a palace on {place} with {cards}"),
            "emissary": _("The Emperor: an emissary to {place} with {cards}"),
        }.get(word, text)
    return text.format(
        place=place_in_words(board_of(view), word, place, language),
        cards=cards_in_words(price, language),
    )
