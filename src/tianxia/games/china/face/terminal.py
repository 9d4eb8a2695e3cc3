"""China in a terminal: the provinces as rows of spaces, the cards, the players.

A digit on a space is the player to whom it belongs, as in notation; with two players 2 is
the Emperor. What is drawn in colour can be read without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tianxia.draw.languages import translator
from tianxia.draw.terminal import Room, Seen, Terminal, styles_for
from tianxia.games.china.face.gestures import placing
from tianxia.games.china.face.scene import Facts
from tianxia.games.china.face.words import (
    board_of,
    card_name,
    owner_name,
    phase_text,
    province_name,
)
from tianxia.games.china.rules.components import COLOURS, EMPEROR, PALACES
from tianxia.games.china.rules.notation import LETTERS, TILE_LETTERS
from tianxia.games.china.rules.state import KEEPING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

# By name: style on terminals with many colours, and with sixteen.
STYLES = {
    "v": ("bold #f6eaf6 on #6d3b6e", "bold bright_white on magenta"),
    "y": ("bold #1f1b16 on #d9b53c", "bold black on bright_yellow"),
    "o": ("bold #1f1b16 on #d07a2d", "bold black on yellow"),
    "g": ("bold #eafff6 on #2f6f5e", "bold bright_white on green"),
    "r": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "indigo": ("bold #f2f6ff on #274c77", "bold bright_white on blue"),
    "jade": ("bold #eafff6 on #2f6f5e", "bold bright_white on green"),
    "plum": ("bold #f6eaf6 on #6d3b6e", "bold bright_white on magenta"),
    "cinnabar": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "ochre": ("bold #1f1b16 on #c58b2a", "bold black on yellow"),
}
FREE, WALL, HARBOUR, BONUS = "·", "▣", "≈", "◇"
PLAIN = {FREE: ".", WALL: "#", HARBOUR: "~", BONUS: "*"}


class Painter:
    """Draws one position."""

    def __init__(self, view: State, last: Sequence[Seen], language: str, room: Room) -> None:
        self.view = view
        self.facts = Facts.of(view)
        self.board = board_of(view)
        self.language = language
        self.translate = translator(language, __package__ or "").gettext
        self.styles = styles_for(room, STYLES)
        self.signs = PLAIN if room.plain else {sign: sign for sign in PLAIN}
        placed = (placing(self.board, one.action) for one in last if one.action is not None)
        self.fresh = {piece.place for piece in placed if piece}

    def owned(self, owner: int, text: str) -> Text:
        """Return what belongs to somebody, in the colour of his pieces."""
        return Text(text, style=self.styles[self.view.game.armies[owner]])

    def card(self, letter: str, text: str) -> Text:
        """Return what has the colour of a card."""
        return Text(text, style=self.styles[letter])

    # --- The map ---

    def provinces(self) -> Table:
        """Return the provinces, one in a row, and the border posts."""
        grid = Table.grid(padding=(0, 1))
        for number, spaces in enumerate(self.board.groups):
            if number < len(self.board.provinces):
                grid.add_row(self.name(number), self.spaces(spaces), self.notes(number))
            else:
                grid.add_row(Text(self.translate("border posts")), self.spaces(spaces), Text())
        return grid

    def name(self, province: int) -> Text:
        """Return a province on the colour of its cards, with their letter."""
        letter = LETTERS[self.board.colours[province]]
        name = province_name(self.board, province, self.language)
        return self.card(letter, f" {name:7}{letter} ")

    def spaces(self, spaces: Sequence[int]) -> Text:
        """Return spaces: name, harbour, wall and whose palace."""
        text = Text()
        for space in spaces:
            found = self.board.spaces[space]
            style = "bold underline" if found.name in self.fresh else "dim"
            text.append(found.name, style=style)
            text.append(self.signs[HARBOUR] if found.harbour else "", style="dim")
            text.append(self.signs[WALL] if space in self.facts.forts else " ")
            owner = self.facts.owner.get(space)
            text.append_text(
                Text(f" {self.signs[FREE]} ") if owner is None else self.owned(owner, f" {owner} ")
            )
            text.append(" ")
        return text

    def notes(self, province: int) -> Text:
        """Return the emissaries of a province, its tiles, and whether it is scored."""
        _, text = self.translate, Text()
        for owner, counts in enumerate(self.facts.emissaries):
            if counts[province]:
                text.append_text(self.owned(owner, f" {owner}×{counts[province]} "))
                text.append(" ")
        fields = self.view.fields
        tiles = zip(
            fields["tile_space"][province].tolist(),
            fields["tile_colour"][province].tolist(),
            strict=True,
        )
        for space, colour in tiles:
            if space:
                letter = ("?" + TILE_LETTERS)[colour]
                text.append(f"{self.board.spaces[space - 1].name}{self.signs[BONUS]}{letter} ")
        if province in self.facts.scored:
            text.append(_("scored"), style="italic")
        return text

    # --- Cards and players ---

    def set_of(self, cards: Sequence[int]) -> Text:
        """Return a set of cards, each with its letter."""
        text = Text()
        for letter, count in zip(LETTERS, cards, strict=True):
            for _i in range(int(count)):
                text.append_text(self.card(letter, f" {letter} "))
                text.append(" ")
        return text if text else Text("- ")

    def cards(self) -> Text:
        """Return display, deck and discard."""
        _, fields = self.translate, self.view.fields
        text = Text(_("display: "))
        text.append_text(self.set_of(fields["display"]))
        counts = _("deck: {deck} · discard: {discard}").format(
            deck=int(fields["deck_size"]), discard=int(fields["discard"].sum())
        )
        return text.append(f"· {counts}")

    def players(self) -> Iterator[Text]:
        """Yield a line for each player, the viewer last; then the Emperor's cards."""
        _, fields = self.translate, self.view.fields
        seats = sorted(range(self.view.seats), key=lambda seat: seat == self.view.viewer)
        if self.view.seats == 2:
            text = self.owned(
                EMPEROR, f" {EMPEROR} {owner_name(self.view, EMPEROR, self.language)} "
            )
            text.append_text(Text(" "))
            yield text.append_text(self.set_of(fields["imperial"]))
        if fields["phase"] == KEEPING:
            text = Text(_("Cards played: keep one") + " ")
            yield text.append_text(self.set_of(fields["played"]))
        for seat in seats:
            yield self.player(seat)

    def player(self, seat: int) -> Text:
        """Return points, pieces left and hand of a player."""
        _, fields = self.translate, self.view.fields
        text = self.owned(seat, f" {seat} {owner_name(self.view, seat, self.language)} ")
        left = PALACES - list(self.facts.owner.values()).count(seat)
        line = _("{points} points · {palaces} palaces left · hand ").format(
            points=self.facts.points[seat], palaces=left
        )
        text.append_text(Text(f" {line}"))
        if self.view.viewer in (None, seat) or self.view.over:
            return text.append_text(self.set_of(fields["hands"][seat]))
        return text.append_text(Text("? " * int(fields["hand_sizes"][seat])))


class ChinaTerminal(Terminal):
    """What the terminal asks about China."""

    def draw(
        self, view: State, last: Sequence[Seen], language: str, room: Room
    ) -> Iterator[RenderableType]:
        """Yield provinces, cards and players."""
        painter = Painter(view, last, language, room)
        yield painter.provinces()
        yield painter.cards()
        yield from painter.players()
        yield Text(phase_text(view, language), style="bold")

    def signs(self, language: str) -> list[tuple[str, str]]:
        """Return what the signs mean."""
        _ = translator(language, __package__ or "").gettext
        letters = ", ".join(f"{LETTERS[i]} {card_name(i, language)}" for i in range(COLOURS))
        return [
            ("0-4", _("whose piece it is")),
            (FREE, _("a free space")),
            (HARBOUR, _("a harbour")),
            (WALL, _("a fortification")),
            (BONUS, _("a bonus tile")),
            (", ".join(LETTERS), letters),
        ]

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return where a place is: the provinces of a space, or the emissaries of a province."""
        _ = translator(language, __package__ or "").gettext
        if not key:
            return _("cards, or nothing more")
        board = board_of(view)
        if key in board.keys:
            name = province_name(board, board.keys.index(key), language)
            return _("{province}, an emissary").format(province=name)
        provinces = next(space.provinces for space in board.spaces if space.name == key)
        return " / ".join(province_name(board, province, language) for province in provinces)

    def key(self, view: State, action: int) -> str:
        """Return the space or the province where an action places something; "" for all else."""
        piece = placing(board_of(view), action)
        return piece.place.removeprefix("dragon-") if piece else ""


TERMINAL = ChinaTerminal()
"""How China is shown and asked about in a terminal."""
