"""Bin'Fa in a terminal: the hexagon with its ring, piles in colour; set-ups; actions by pile.

A pile is the letter of its top unit and its height, ``R12``, with ``+`` where other colours lie
under it. Triangles and circles are told by their names, so that nothing depends on colour.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.text import Text

from tianxia.draw.languages import labelled, translator
from tianxia.draw.terminal import Room, Seen, Terminal, styles_for
from tianxia.games.binfa.face.presets import FORMATIONS, MIRRORED, closed, fitted
from tianxia.games.binfa.face.words import (
    ROWS_OF_FIELD,
    armies_of,
    army_name,
    in_layers,
    piles_of,
    target_of,
)
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.components import LETTERS, triangle_name
from tianxia.games.binfa.rules.maps import triangles_of
from tianxia.games.binfa.rules.state import COUNTING, DIVIDING, PLACING, RETREATING, SPLITTING
from tianxia.kernel.errors import ParseError

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
PILE = re.compile(r"([roygbp][0-9]{1,2}):([0-9]{1,2})")

# By letter of a colour, or name: style on terminals with many colours, and with sixteen.
STYLES = {
    "r": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "o": ("bold #fff6e6 on #a8560f", "bold black on bright_yellow"),
    "y": ("bold #1f1b16 on #c58b2a", "bold black on yellow"),
    "g": ("bold #f4fff9 on #2f6f5e", "bold bright_white on green"),
    "b": ("bold #f2f6ff on #274c77", "bold bright_white on blue"),
    "p": ("bold #fff2ff on #6d3b6e", "bold bright_white on magenta"),
    "terrain": ("#8a8072", "bright_black"),
    "pool": ("bold #3f9fb5", "bold cyan"),
    "mark": ("bold #1f1b16 on #e3bd6a", "bold black on white"),
    "rim": ("dim", "dim"),
}

# --- The picture: every triangle is two lines high, its base eight columns wide ---

HALF_BASE = 4
MIDDLE = 36
"""The column of the field's middle."""
TOP = 2
"""The line on which the field begins: above it lie its northern edge and the ring."""
LINES = TOP + 2 * len(ROWS_OF_FIELD) + 1


def _points_up(row: int, place: int) -> bool:
    """Say whether a triangle of a line points up: the first does in the northern half."""
    return (place % 2 == 0) == (row < len(ROWS_OF_FIELD) // 2)


def _column(row: int, place: int) -> int:
    """Return the column of a triangle's middle."""
    return MIDDLE + HALF_BASE * place - HALF_BASE * (len(ROWS_OF_FIELD[row]) - 1) // 2


def _rim(line: int) -> tuple[int, int]:
    """Return the columns of the field's edges on a line of it, from 0."""
    row, low = divmod(line, 2)
    last = len(ROWS_OF_FIELD[row]) - 1
    wide = 3 if _points_up(row, 0) == bool(low) else 1
    return _column(row, 0) - wide, _column(row, last) + wide


def _circle_place(circle: int) -> tuple[int, int]:
    """Return line and column of a circle: along the edges, clockwise from the north-west."""
    side, place = divmod(circle, c.SIDE)
    lines = 2 * len(ROWS_OF_FIELD)
    along_edge = HALF_BASE * (place - c.CENTRE)
    if side in (0, 3):
        return (0, MIDDLE + along_edge) if side == 0 else (LINES - 1, MIDDLE - along_edge)
    down = {1: 1 + place, 2: lines // 2 + place, 4: lines - 2 - place, 5: lines // 2 - 1 - place}
    line = down[side]
    west, east = _rim(line)
    return TOP + line, east + 4 if side in (1, 2) else west - 4


@dataclass
class Canvas:
    """Signs with styles at lines and columns."""

    signs: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)

    def put(self, line: int, column: int, text: str, style: str) -> None:
        """Write a text, from a column on."""
        for offset, sign in enumerate(text):
            self.signs[line, column + offset] = (sign, style)

    def text(self) -> Text:
        """Return all lines."""
        text = Text(no_wrap=True)
        for line in range(LINES):
            columns = [column for at, column in self.signs if at == line]
            for column in range(max(columns, default=-1) + 1):
                sign, style = self.signs.get((line, column), (" ", ""))
                text.append(sign, style)
            text.append("\n")
        return text


class Painter:
    """Draws one position."""

    def __init__(self, view: State, last: Sequence[Seen], language: str, room: Room) -> None:
        self.view = view
        self.language = language
        self.translate = translator(language, PACKAGE).gettext
        self.styles = styles_for(room, STYLES)
        self.canvas = Canvas()
        fields = view.fields
        self.height, self.top = fields["height"].tolist(), fields["top"].tolist()
        self.terrain = set(triangles_of(fields["terrain"].tolist()))
        self.pools = set(triangles_of(fields["pools"].tolist()))
        self.piles = piles_of(view)
        self.moved = {
            t
            for one in last
            if one.action is not None and c.kind_of(one.action) == c.GO
            for t in (c.argument(one.action, 0), target_of(one.action))
        }

    def picture(self) -> Text:
        """Return all of it."""
        west, east = _column(0, 1) - HALF_BASE + 1, _column(0, len(ROWS_OF_FIELD[0]) - 2)
        self.canvas.put(TOP - 1, west, "_" * (east + HALF_BASE - 1 - west), self.styles["rim"])
        for row, triangles in enumerate(ROWS_OF_FIELD):
            for place, t in enumerate(triangles):
                self.triangle(row, place, t)
        if self.view.fields["options"]["level"] > 2:
            self.ring()
        text = self.canvas.text()
        self.mixed(text)
        self.armies(text)
        return text

    def triangle(self, row: int, place: int, t: int) -> None:
        """Draw a triangle: its sides, and what is on it where it is wide."""
        line, middle = TOP + 2 * row, _column(row, place)
        up = _points_up(row, place)
        for low in (0, 1):
            left, right = ("/", "\\") if up else ("\\", "/")
            wide = 2 * low if up else 3 - 2 * low
            self.canvas.put(line + low, middle - wide - 1, left, self.styles["rim"])
            self.canvas.put(line + low, middle + wide, right, self.styles["rim"])
        sign, style = self.sign(t)
        if up:
            self.canvas.put(line + 1, middle - 2, "____", self.styles["rim"])
        self.canvas.put(line + int(up), middle - (len(sign) + 1) // 2, sign, style)

    def sign(self, t: int) -> tuple[str, str]:
        """Return what a triangle shows, and its style."""
        if t in self.piles:
            pile = self.piles[t]
            letter = LETTERS[pile[-1]]
            sign = f"{letter.upper()}{len(pile)}{'+' if len(set(pile)) > 1 else ''}"
            return sign, self.styles["mark" if t in self.moved else letter]
        if t in self.terrain:
            return "####", self.styles["terrain"]
        if t in self.pools:
            return f"@{triangle_name(t)}", self.styles["pool"]
        return triangle_name(t), self.styles["mark" if t in self.moved else "rim"]

    # --- The ring ---

    def ring(self) -> None:
        """Draw the circles: the letter of each, capital and marked where a pawn stands."""
        pawns = {at: army for army, at in enumerate(self.view.fields["pawns"].tolist()) if at}
        for circle in range(c.CIRCLES):
            line, column = _circle_place(circle)
            letter = LETTERS[int(c.CIRCLE_COLOUR[circle])]
            army = pawns.get(circle + 1)
            if army is not None:
                sign = f"*{LETTERS[army].upper()}"
                self.canvas.put(line, column - 1, sign, self.styles[LETTERS[army]])
            else:
                centre = circle % c.SIDE == c.CENTRE
                sign = f"({letter})" if centre else letter
                self.canvas.put(line, column - int(centre), sign, self.styles["rim"])

    # --- Below the field ---

    def mixed(self, text: Text) -> None:
        """Append what lies in piles of several colours."""
        found = [
            labelled(triangle_name(t), in_layers(pile, self.language), self.language)
            for t, pile in self.piles.items()
            if len(set(pile)) > 1
        ]
        if found:
            text.append("+ " + " · ".join(found) + "\n", style=self.styles["rim"])

    def armies(self, text: Text) -> None:
        """Append the lines of the armies, and whose decision it is."""
        names = {army_name(army, self.language): LETTERS[army] for army in range(c.COLOURS)}
        for line in self.view.diagram(self.language).split("\n")[len(ROWS_OF_FIELD) :]:
            name = line.partition(":")[0].strip()
            if name in names:
                text.append(f" {names[name].upper()} ", style=self.styles[names[name]])
                text.append(" ")
            text.append(f"{line}\n")
        text.rstrip()


# --- Actions ---


class BinFaTerminal(Terminal):
    """What the terminal asks about Bin'Fa."""

    def draw(self, view: State, last: Sequence[Seen], language: str, room: Room) -> Iterator[Text]:
        """Yield the field with what is under it."""
        yield Painter(view, last, language, room).picture()

    def signs(self, language: str) -> list[tuple[str, str]]:
        """Return what letters and signs mean."""
        _ = translator(language, PACKAGE).gettext
        return [
            ("R O Y G B P", _("red, orange, yellow, green, blue, purple")),
            ("R5", _("a pile: the colour of its top unit, its height")),
            ("R5+", _("a pile with other colours in it; they are listed under the field")),
            ("r13", _("an empty triangle")),
            ("####", _("terrain")),
            ("@r13", _("a whirlpool")),
            ("(r)", _("the centre of the circles of a base")),
            ("*R", _("the pawn of an army")),
        ]

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return what stands on a triangle."""
        pile = piles_of(view).get(c.triangle_number(key), ()) if key else ()
        return in_layers(pile, language) if pile else ""

    def key(self, view: State, action: int) -> str:
        """Return the triangle from which an action starts, "" for one without."""
        return triangle_name(c.argument(action, 0)) if c.kind_of(action) in (c.ATTACK, c.GO) else ""

    def question(self, view: State, seat: int, language: str) -> str:
        """Return a few words where something else than an action of a new turn is asked."""
        _ = translator(language, PACKAGE).gettext
        asked = {
            COUNTING: _("how many units?"),
            DIVIDING: _("how many there?"),
            RETREATING: _("where do you retreat?"),
            SPLITTING: _("how many retreat there?"),
        }
        return asked.get(int(view.fields["phase"]), "")

    # --- Set-ups ---

    def drafting(self, view: State, seat: int) -> bool:
        """Say yes while units are set up."""
        return bool(view.fields["phase"] == PLACING) and seat in view.acting

    def mirrored(self, view: State, draft: Sequence[int]) -> list[int]:
        """Return a set-up, left and right exchanged; as it is where terrain is in the way."""
        images = [c.SPOT + _mirror_image(action - c.SPOT) for action in draft]
        return list(draft) if {t - c.SPOT for t in images} & closed(view) else sorted(images)

    def read_draft(self, view: State, text: str, language: str) -> list[int] | None:
        """Read a formation's name, or piles: ``r6:4 r7:4 r8:4``."""
        words = text.lower().split()
        named = [formation for formation in FORMATIONS if words == [formation.id]]
        if named:
            return sorted(_formed(view, named[0].id))
        if not words or not all(PILE.fullmatch(word) for word in words):
            return None
        piles = [PILE.fullmatch(word) for word in words]
        draft = [
            c.SPOT + c.triangle_number(pile[1])
            for pile in piles
            if pile
            for _ in range(int(pile[2]))
        ]
        _check_armies(view, draft, language)
        return sorted(draft)

    def write_draft(self, view: State, draft: Sequence[int]) -> str:
        """Write a set-up as its piles."""
        return " ".join(f"{triangle_name(t)}:{n}" for t, n in sorted(Counter(draft).items()))

    def edit_draft(
        self, view: State, draft: Sequence[int], text: str, language: str
    ) -> list[int] | None:
        """Move units: ``r6 r7`` one of them, ``r6 r7 3`` three."""
        words = text.lower().replace("-", " ").split()
        count = int(words.pop()) if len(words) == 3 and words[2].isdecimal() else 1
        if len(words) != 2 or not all(c.TRIANGLE_NAME.fullmatch(word) for word in words):
            return None
        origin, target = (c.SPOT + c.triangle_number(word) for word in words)
        _ = translator(language, PACKAGE).gettext
        if draft.count(origin) < count:
            raise ParseError(_("there are not so many units on {place}").format(place=words[0]))
        changed = list(draft)
        for _unit in range(count):
            changed[changed.index(origin)] = target
        _check_armies(view, changed, language)
        return sorted(changed)

    def draft_edits(self, language: str) -> list[tuple[str, str]]:
        """Say how a set-up is changed or typed."""
        _ = translator(language, PACKAGE).gettext
        names = ", ".join(formation.id for formation in FORMATIONS)
        return [
            ("r6 r7", _("move a unit; r6 r7 3 moves three")),
            ("r6:4 r7:8", _("the whole set-up, pile by pile")),
            ("phalanx", _("a ready one: {names}").format(names=names)),
        ]


def _formed(view: State, name: str) -> Iterator[int]:
    """Yield the actions that set all armies of the viewer up in a formation."""
    formation = next(one for one in FORMATIONS if one.id == name)
    shut = closed(view)
    for army in armies_of(view, view.viewer or 0):
        free = {place for place in range(c.BASE) if c.BASE * army + place not in shut}
        for place, units in fitted(formation, free).items():
            yield from [c.SPOT + c.BASE * army + place] * units


def _mirror_image(t: int) -> int:
    return c.BASE * int(c.SECTOR[t]) + MIRRORED[t % c.BASE]


def _check_armies(view: State, draft: Sequence[int], language: str) -> None:
    """Refuse a set-up in which an army has not all its units."""
    _ = translator(language, PACKAGE).gettext
    for army in armies_of(view, view.viewer or 0):
        units = sum(c.SECTOR[action - c.SPOT] == army for action in draft)
        if units != c.ARMY:
            text = _("an army has {wanted} units; on base {base} there are {count}")
            raise ParseError(text.format(wanted=c.ARMY, base=LETTERS[army], count=units))


TERMINAL = BinFaTerminal()
"""How Bin'Fa is shown and asked about in a terminal."""
