"""Fire Bulls in a terminal: rows and pawns in colour, hands and Reserve, actions in groups.

A colour is told by its letter too: ``b y n r g`` (blue, yellow, brown, red, green), ``w`` a
Warrior. Point cards carry their symbol and value, such as ``Wb 2``; the piles lie above the
rows, the pawns stand below them with the numbers of their directions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from tianxia.draw.languages import labelled, translator
from tianxia.draw.terminal import Room, Seen, Terminal, styles_for
from tianxia.games.firebulls.face.gestures import STEPS, points_in_words, target
from tianxia.games.firebulls.face.words import AIMS, point_name, seat_name
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.components import VALUE
from tianxia.games.firebulls.rules.notation import LETTERS, POINT_SYMBOLS
from tianxia.games.firebulls.rules.state import ASIDE, FEE_DUE, LIMIT, NEXT_CARD, POWER, STEP

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
CELL = 12
"""Characters of a place of the rows."""

# By letter of a colour: style on terminals with many colours, and with sixteen.
STYLES = {
    "b": ("bold #f2f6ff on #274c77", "bold bright_white on blue"),
    "y": ("bold #1f1b16 on #c58b2a", "bold black on yellow"),
    "n": ("bold #fdf6e8 on #7a6a58", "bold bright_white on bright_black"),
    "r": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "g": ("bold #f4fff9 on #2f6f5e", "bold bright_white on green"),
    "w": ("bold #1f1b16 on #fdf8ec", "bold black on white"),
    "mark": ("bold #1f1b16 on #e3bd6a", "bold black on yellow"),
    "rim": ("dim", "dim"),
    "title": ("bold", "bold"),
}


class Painter:
    """Draws one position."""

    def __init__(self, view: State, last: Sequence[Seen], language: str, room: Room) -> None:
        self.view = view
        self.fields = view.fields
        self.language = language
        self.translate = translator(language, PACKAGE).gettext
        self.styles = styles_for(room, STYLES)
        self.attacked = [
            c.argument(one.action, 0)
            for one in last
            if one.action is not None and c.kind_of(one.action) == c.ATTACK
        ]

    def table(self) -> Text:
        """Return all of it."""
        text = Text(no_wrap=True)
        self.piles(text)
        for first in range(c.PLACES - c.PILES, -1, -c.PILES):
            self.row(text, range(first, first + c.PILES))
        self.pawns(text)
        self.supply(text)
        for seat in range(self.view.seats):
            self.player(text, seat)
        text.rstrip()
        return text

    # --- The rows ---

    def piles(self, text: Text) -> None:
        """Append the piles beyond the rows."""
        text.append(" " * CELL)
        for cards in self.fields["piles"].tolist():
            text.append(f"[{cards}]".center(CELL), style=self.styles["rim"])
        text.append("\n")

    def row(self, text: Text, places: range) -> None:
        """Append one line of places: the cards, with their values."""
        line = {int(place) for way in self.attacked for place in c.LINE[way % c.AT_GENERAL]}
        text.append(" " * CELL)
        for place in places:
            kind = int(self.fields["rows"][place]) - 1
            if kind < 0:
                text.append("·".center(CELL), style=self.styles["rim"])
                continue
            mark = "›" if place in line else " "
            text.append(f" {mark}")
            self.point_card(text, kind, CELL - 4)
            text.append("  ")
        text.append("\n")

    def point_card(self, text: Text, kind: int, width: int) -> None:
        """Append a point card: its symbol and its value, in its colour."""
        symbol = POINT_SYMBOLS[kind]
        letter = symbol[1] if len(symbol) > 1 else "w"
        text.append(f"{symbol:<3}{VALUE[kind]:>2}".center(width), style=self.styles[letter])

    def style_of(self, seat: int) -> str:
        """Return the style of a seat's colour."""
        return self.styles[LETTERS[self.view.game.colours[seat]]]

    def pawns(self, text: Text) -> None:
        """Append the directions, 1 and 5 outside of the rows, and who stands before them."""
        pawns = self.fields["pawns"].tolist()[: self.view.seats]
        for direction in range(1, c.DIRECTIONS + 1):
            text.append(f" {direction}", style=self.styles["title"])
            if direction not in pawns:
                text.append(" -".ljust(CELL - 2), style=self.styles["rim"])
                continue
            seat = pawns.index(direction)
            name = seat_name(self.view, seat, self.language)[: CELL - 5]
            text.append(" ")
            text.append(f" {name} ", style=self.style_of(seat))
            text.append(" " * (CELL - 5 - len(name)))
        text.append("\n")

    # --- Cards ---

    def cards(self, text: Text, cards: Sequence[int]) -> None:
        """Append a set of attack cards: a coloured letter for each kind, and its number."""
        if not any(cards):
            text.append("–", style=self.styles["rim"])
        for kind, count in enumerate(cards):
            if count:
                text.append(f" {LETTERS[kind]}×{count} ", style=self.styles[LETTERS[kind]])
                text.append(" ")

    def titled(self, name: str) -> str:
        """Return the name of what follows on the line."""
        return labelled(name, "", self.language)

    def supply(self, text: Text) -> None:
        """Append Reserve, deck, discard and the General."""
        _ = self.translate
        text.append(self.titled(_("Reserve")), style=self.styles["title"])
        self.cards(text, self.fields["reserve"].tolist())
        text.append("\n")
        told = _("{number} cards. Run out so far: {times} of 3 times")
        deck, times = int(self.fields["deck_size"]), int(self.fields["exhausted"])
        text.append(self.titled(_("Deck")), style=self.styles["title"])
        text.append(told.format(number=deck, times=times) + "\n")
        text.append(self.titled(_("Discard")), style=self.styles["title"])
        self.cards(text, self.fields["discard"].tolist())
        text.append("\n")
        if self.fields["general"] == ASIDE:
            text.append(self.titled(_("General")), style=self.styles["title"])
            text.append(_("lies aside") + "  ")
            self.point_card(text, c.GENERAL, 8)
            text.append("\n")

    def player(self, text: Text, seat: int) -> None:
        """Append the line of a player: points, hand, Victory pile."""
        words = translator(self.language, PACKAGE)
        points, size = int(self.view.scores()[seat]), int(self.fields["hand_sizes"][seat])
        active = seat == int(self.fields["active"]) and not self.view.over
        text.append("› " if active else "  ")
        text.append(f" {seat_name(self.view, seat, self.language)} ", style=self.style_of(seat))
        told = words.ngettext("{n} point", "{n} points", points).format(n=points)
        text.append(f" {told}, ", style=self.styles["title"])
        if self.view.over or self.view.viewer in (None, seat):
            self.cards(text, self.fields["hands"][seat].tolist())
        else:
            text.append(words.ngettext("{n} card", "{n} cards", size).format(n=size))
        won = self.fields["victory"][seat].tolist()
        parts = [f"{POINT_SYMBOLS[k]}×{n}" for k, n in enumerate(won) if n]
        text.append(f"   {' '.join(parts)}\n", style=self.styles["rim"])


# --- Actions ---


class FireBullsTerminal(Terminal):
    """What the terminal asks about Fire Bulls."""

    def draw(self, view: State, last: Sequence[Seen], language: str, room: Room) -> Iterator[Text]:
        """Yield the table."""
        yield Painter(view, last, language, room).table()

    def signs(self, language: str) -> list[tuple[str, str]]:
        """Return what letters and signs mean."""
        _ = translator(language, PACKAGE).gettext
        return [
            ("b y n r g w", _("blue, yellow, brown, red, green; w is a Warrior")),
            ("S W X B C G F", _("Soldier, Wu, Xi, Bo, Colonel, General, Fortification")),
            ("[15]", _("a pile with 15 cards")),
            ("›", _("whose turn it is; where the last attack went")),
        ]

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return what a group of actions is, such as a direction with the card that lies there."""
        _ = translator(language, PACKAGE).gettext
        titles = {
            "take": _("a card of the Reserve"),
            "draw": _("the top card of the deck"),
            "pawn": _("the pawn: a step, or none"),
            "stop": _("the end of the attack"),
            "power": _("the power of the card just won"),
            "fee": _("a point card for a Warrior"),
            "drop": _("a card for the Reserve"),
        }
        if key in titles:
            return titles[key]
        kind = target(view, AIMS.index(key) + 1)
        if kind is None:
            return ""
        return f"{point_name(kind, language)}, {points_in_words(view, kind, seat, language)}"

    def key(self, view: State, action: int) -> str:
        """Return the word under which an action is listed, such as ``take`` or a direction."""
        kind, *arguments = c.ACTIONS.split(action)
        if kind == "attack":
            return AIMS[arguments[0] - 1]
        shared = {**dict.fromkeys(STEPS, "pawn"), **dict.fromkeys(("use", "decline"), "power")}
        return str(shared.get(kind, kind)) if action < c.PLACE else ""

    def question(self, view: State, seat: int, language: str) -> str:
        """Return a few words where something else than an action of a new turn is asked."""
        _ = translator(language, PACKAGE).gettext
        asked = {
            STEP: _("step aside?"),
            NEXT_CARD: _("go on?"),
            POWER: _("use the power?"),
            FEE_DUE: _("which card for a Warrior?"),
            LIMIT: _("which card into the Reserve?"),
        }
        return asked.get(int(view.fields["phase"]), "")


TERMINAL = FireBullsTerminal()
"""How Fire Bulls is shown and asked about in a terminal."""
