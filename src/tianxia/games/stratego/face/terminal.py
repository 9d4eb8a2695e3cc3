"""Stratego in a terminal: the board in ink and colour, the moves piece by piece, set-ups.

A piece is its rank between the brackets of its side, ``(7)`` Red and ``[7]`` Blue, so
that nothing depends on colour. In front of it ``›`` marks who moved last and ``×`` a
fight; behind it ``'`` says that it has moved and ``!`` that the other side knows its rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tianxia.draw.languages import N_, translator
from tianxia.draw.terminal import Group, Room, Seen, Terminal, styles_for
from tianxia.games.stratego.face.words import rank_name, read, seat_name
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import RANK_SYMBOLS
from tianxia.games.stratego.rules.notation import SQUARE, square_name, square_number
from tianxia.games.stratego.rules.state import MOVED, RAN, SETUP, SHOWN
from tianxia.kernel.errors import ParseError

if TYPE_CHECKING:
    from tianxia.kernel.state import State

TALL = 29
"""From this height of a terminal on, a square has two lines: rank, and its name."""
WIDE = 79
"""From this width on, the captured pieces stand beside the board."""
NARROW = 57
"""Below this width, squares have no room for marks."""
BRACKETS = ("({})", "[{}]")
# Translators: the ranks from the Spy up, then Bomb and Flag, each in at most four letters.
SHORT_NAMES = N_("· Spy Sct Mnr Sgt Lt Capt Maj Col Gen Mar Bomb Flag")

# By name: style on terminals with many colours, and with sixteen.
STYLES = {
    "land0": ("#8a7a5c on #f2e8d2", "black on white"),
    "land1": ("#8a7a5c on #e8dbbf", "black on white"),
    "left0": ("bold #1f1b16 on #e3bd6a", "bold black on yellow"),
    "left1": ("bold #1f1b16 on #dcb45e", "bold black on yellow"),
    "lake0": ("#3d7f7a on #a9cdc8", "black on cyan"),
    "lake1": ("#3d7f7a on #9dc4bf", "black on cyan"),
    "red0": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "red1": ("bold #fff6e6 on #a12c1a", "bold bright_white on red"),
    "blue0": ("bold #f2f6ff on #2f5c8f", "bold bright_white on blue"),
    "blue1": ("bold #f2f6ff on #274c77", "bold bright_white on blue"),
    "name_red": ("not bold #f3cdbd", "not bold"),
    "name_blue": ("not bold #c3d5ea", "not bold"),
    "mark": ("bold #ffd873", "bold bright_yellow"),
    "rim": ("dim", "dim"),
    "title": ("bold", "bold"),
}


@dataclass(frozen=True)
class Signs:
    """The signs that a terminal can write."""

    back: str
    moved: str
    land: str
    lake: str
    arrows: str  # east, west, north, south, as seen by the player
    mark: str
    fight: str
    none: str


UNICODE = Signs("░", "'", "·", "≈", "→←↑↓", "›", "×", "·")
ASCII = Signs("?", "'", ".", "~", "><^v", ">", "x", ".")


class Painter:
    """Draws one board."""

    def __init__(self, view: State, last: Sequence[Seen], language: str, room: Room) -> None:
        self.view = view
        self.fields = view.fields
        self.language = language
        self.translate = translator(language, __package__ or "").gettext
        self.names = self.translate(SHORT_NAMES).split()
        self.cell = 5 if room.width >= NARROW else 3
        self.tall = room.height >= TALL and room.width >= NARROW
        self.styles = styles_for(room, STYLES)
        self.signs = signs = ASCII if room.plain else UNICODE
        self.flipped = view.viewer == 1
        moves = [
            (*c.squares_of(one.action), "x" in one.token)
            for one in last
            if one.action is not None and c.kind_of(one.action) == c.MOVE
        ]
        self.origins = {origin: target for origin, target, _ in moves}
        self.targets = {
            target: signs.fight if fought else signs.mark for _, target, fought in moves
        }
        self.next = next_square(view)

    # --- The board ---

    def board(self) -> Text:
        """Return the board with its coordinates."""
        columns = range(c.SIDE - 1, -1, -1) if self.flipped else range(c.SIDE)
        rows = range(c.SIDE) if self.flipped else range(c.SIDE - 1, -1, -1)
        letters = "".join("abcdefghij"[column].center(self.cell) for column in columns)
        rim = Text(f"   {letters}", style=self.styles["rim"])
        text = Text(no_wrap=True)
        text.append_text(rim).append("\n")
        for row in rows:
            for line in range(2 if self.tall else 1):
                label = f"{row + 1:>2}" if line == 0 else "  "
                text.append(f"{label} ", style=self.styles["rim"])
                for column in columns:
                    self.draw(text, row * c.SIDE + column, line)
                text.append(f" {label.strip()}\n", style=self.styles["rim"])
        return text.append_text(rim)

    def draw(self, text: Text, square: int, line: int) -> None:
        """Append one line of a square."""
        shade = (square // c.SIDE + square % c.SIDE) % 2
        piece = int(self.fields["board"][square]) - 1
        if piece >= 0:
            self.draw_piece(text, piece, square, line, shade)
        elif square in c.LAKES:
            text.append(self.signs.lake * self.cell, style=self.styles[f"lake{shade}"])
        elif square in self.origins:
            sign = self.arrow(square, self.origins[square]) if line == 0 else " "
            text.append(sign.center(self.cell), style=self.styles[f"left{shade}"])
        elif square in self.targets:  # both fell here
            sign = self.signs.fight if line == 0 else " "
            text.append(sign.center(self.cell), style=self.styles[f"left{shade}"])
        elif square == self.next:
            text.append(("?" if line == 0 else " ").center(self.cell), self.styles[f"left{shade}"])
        else:
            sign = self.signs.land if line == 0 else " "
            text.append(sign.center(self.cell), style=self.styles[f"land{shade}"])

    def draw_piece(self, text: Text, piece: int, square: int, line: int, shade: int) -> None:
        """Append one line of a piece."""
        side = ("red", "blue")[piece // c.SLOTS]
        base = self.styles[f"{side}{shade}"]
        rank, marks = int(self.fields["rank"][piece]), int(self.fields["marks"][piece])
        if line == 1:
            word = self.signs.back * 5 if rank == 0 else self.names[rank]
            text.append(f"{word:^5}", style=f"{base} {self.styles[f'name_{side}']}")
            return
        symbol = RANK_SYMBOLS[rank] if rank else self.signs.back
        middle = BRACKETS[piece // c.SLOTS].format(symbol)
        if self.cell == 3:
            text.append(middle, style=base)
            return
        mark = f"{base} {self.styles['mark']}"
        text.append(self.targets.get(square, " "), style=mark)
        text.append(middle, style=base)
        text.append(self.knowledge(piece, rank, marks), style=mark)

    def knowledge(self, piece: int, rank: int, marks: int) -> str:
        """Return the sign behind a piece: what the side that does not own it knows of it."""
        mine = self.view.viewer is None or piece // c.SLOTS == self.view.viewer
        if marks & (SHOWN | RAN):
            return "!" if mine and not self.view.over else " "
        return self.signs.moved if marks & MOVED and not self.view.over else " "

    def arrow(self, origin: int, target: int) -> str:
        """Return an arrow from one square towards another."""
        if origin // c.SIDE == target // c.SIDE:
            direction = 0 if target > origin else 1
        else:
            direction = 2 if target > origin else 3
        return self.signs.arrows[direction ^ 1 if self.flipped else direction]

    # --- Losses ---

    def losses(self) -> list[list[int]]:
        """Return how many pieces of each rank each side has lost."""
        lost = [[0] * c.RANKS, [0] * c.RANKS]
        for piece in range(c.PIECES):
            if self.fields["square"][piece] == 0 and int(self.fields["marks"][piece]) & SHOWN:
                lost[piece // c.SLOTS][int(self.fields["rank"][piece])] += 1
        return lost

    def ranks(self) -> Iterator[int]:
        """Yield the ranks of this variant, the highest first."""
        counts = c.COUNTS[int(self.fields["options"]["variant"])]
        for rank in (*range(c.RANKS - 3, 0, -1), c.RANKS - 2, c.RANKS - 1):
            if counts[rank]:
                yield rank

    def panel(self) -> Text:
        """Return what each army has lost, and what the signs mean."""
        _ = self.translate
        red, blue = (seat_name(seat, self.language) for seat in range(2))
        lost = self.losses()
        text = Text(no_wrap=True)
        title = _("Lost")
        text.append(f"{title:<13}", style=self.styles["title"])
        text.append(f"{red[:5]:>5}{blue[:4]:>5}\n", style=self.styles["title"])
        for rank in self.ranks():
            name = rank_name(rank, self.language)[:10]
            here = [f"{lost[seat][rank] or self.signs.none}" for seat in range(2)]
            gone = lost[0][rank] + lost[1][rank]
            text.append(f"{RANK_SYMBOLS[rank]} {name:<11}", style="" if gone else "dim")
            text.append(f"{here[0]:>5}{here[1]:>5}\n", style="bold" if gone else "dim")
        if self.tall:
            text.append_text(self.legend())
        text.rstrip()
        return text

    def legend(self) -> Text:
        """Return what the signs mean."""
        red, blue = (seat_name(seat, self.language) for seat in range(2))
        meanings = sign_meanings(self.signs, self.language)
        words = [f"(7) {red}  [7] {blue}", *(f"{sign}   {meaning}" for sign, meaning in meanings)]
        return Text("\n" + "\n".join(words), style=self.styles["rim"])

    def losses_in_lines(self) -> Text:
        """Return what each army has lost, in two lines."""
        _ = self.translate
        text = Text()
        for seat, lost in enumerate(self.losses()):
            signs = " ".join(
                f"{RANK_SYMBOLS[rank]}×{lost[rank]}" if lost[rank] > 1 else RANK_SYMBOLS[rank]
                for rank in self.ranks()
                if lost[rank]
            )
            name = seat_name(seat, self.language)
            template = _("{side} has lost: {pieces}")
            line = template.format(side=name, pieces=signs or self.signs.none)
            text.append(f"{line}\n" if seat == 0 else line)
        return text


def sign_meanings(signs: Signs, language: str) -> list[tuple[str, str]]:
    """Return the signs on the board, each with a few words."""
    _ = translator(language, __package__ or "").gettext
    return [
        (signs.back, _("unknown")),
        (signs.moved, _("has moved")),
        ("!", _("the other knows it")),
        (signs.mark, _("moved last")),
        (signs.fight, _("a fight")),
    ]


def next_square(view: State) -> int | None:
    """Return the square on which the viewer sets up next, or None."""
    seat = view.viewer
    if view.fields["phase"] != SETUP or seat not in (0, 1) or seat not in view.acting:
        return None
    return c.start_square(seat * c.SLOTS + int(view.fields["placed"][seat]))


# --- Moves and set-ups ---


class StrategoTerminal(Terminal):
    """What the terminal asks about Stratego."""

    def draw(
        self, view: State, last: Sequence[Seen], language: str, room: Room
    ) -> Iterator[RenderableType]:
        """Yield the board and what has fallen, side by side where there is room."""
        painter = Painter(view, last, language, room)
        if room.width < WIDE:
            yield painter.board()
            yield painter.losses_in_lines()
            return
        grid = Table.grid(padding=(0, 1))
        grid.add_row(painter.board(), painter.panel())
        yield grid

    def signs(self, language: str) -> list[tuple[str, str]]:
        """Return what the signs around the pieces mean."""
        return sign_meanings(UNICODE, language)

    def groups(self, view: State, seat: int, language: str) -> Sequence[Group]:
        """Return the moves of each piece, the foremost piece first; else the ranks left."""
        found = super().groups(view, seat, language)
        if view.fields["phase"] == SETUP:
            return found
        ahead = 1 if seat == 0 else -1

        def place(group: Group) -> tuple[int, int]:
            square = c.squares_of(group.actions[0])[0]
            return -ahead * (square // c.SIDE), square

        return sorted(found, key=place)

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return what stands on a square, or how many of a rank are left to set up."""
        if view.fields["phase"] == SETUP:
            rank = 0 if key == "-" else RANK_SYMBOLS.index(key)
            return _rank_left(view, seat, rank, language)
        return _piece_name(view, square_number(key), language)

    def key(self, view: State, action: int) -> str:
        """Return the square from which an action moves, or the rank that it sets up."""
        kind, about = c.kind_of(action), c.argument(action, 0)
        if kind == c.MOVE:
            return square_name(about)
        return RANK_SYMBOLS[about] if kind == c.RANK and about else "-"

    def question(self, view: State, seat: int, language: str) -> str:
        """Return the square that is set up next."""
        square = next_square(view)
        return "" if square is None else square_name(square)

    def drafting(self, view: State, seat: int) -> bool:
        """Say yes while an army is set up."""
        return bool(view.fields["phase"] == SETUP) and seat in view.acting

    def mirrored(self, view: State, draft: Sequence[int]) -> list[int]:
        """Return a set-up, left and right exchanged."""
        full = [*draft, *[0] * (c.SLOTS - len(draft))]
        rows = [full[row : row + c.SIDE][::-1] for row in range(0, c.SLOTS, c.SIDE)]
        return _stripped([rank for row in rows for rank in row])

    def read_draft(self, view: State, text: str, language: str) -> list[int] | None:
        """Read the 40 symbols of a set-up as its player sees it: the front row first."""
        signs = "".join(text.split()).replace("/", "").replace("|", "")
        if len(signs) < 2 * c.SIDE:
            return None
        _ = translator(language, __package__ or "").gettext
        if len(signs) != c.SLOTS:
            template = _("a set-up has 40 symbols, four rows of ten from the front, not {count}")
            raise ParseError(template.format(count=len(signs)))
        ranks = [read(view, sign.replace(".", "-"), 0) for sign in signs]
        rows = [ranks[row : row + c.SIDE] for row in range(0, c.SLOTS, c.SIDE)]
        draft = _stripped([rank for row in reversed(rows) for rank in row])
        _check_army(draft, int(view.fields["options"]["variant"]), language)
        return draft

    def write_draft(self, view: State, draft: Sequence[int]) -> str:
        """Write a set-up as its player sees it: four rows, the front row first."""
        signs = [RANK_SYMBOLS[rank] if rank else "-" for rank in draft]
        signs += ["-"] * (c.SLOTS - len(signs))
        rows = ["".join(signs[row : row + c.SIDE]) for row in range(0, c.SLOTS, c.SIDE)]
        return "/".join(reversed(rows))

    def edit_draft(
        self, view: State, draft: Sequence[int], text: str, language: str
    ) -> list[int] | None:
        """Exchange two squares of a set-up: ``a1 b3``."""
        names = text.lower().replace("-", " ").split()
        if len(names) != 2 or not all(SQUARE.fullmatch(name) for name in names):
            return None
        seat = view.viewer or 0
        slots = [_slot(name, seat) for name in names]
        if not all(0 <= slot < c.SLOTS for slot in slots):
            _ = translator(language, __package__ or "").gettext
            raise ParseError(_("both squares have to be on your own four rows"))
        full = [*draft, *[0] * (c.SLOTS - len(draft))]
        full[slots[0]], full[slots[1]] = full[slots[1]], full[slots[0]]
        return _stripped(full)

    def draft_edits(self, language: str) -> list[tuple[str, str]]:
        """Say how a set-up is changed or typed."""
        _ = translator(language, __package__ or "").gettext
        return [
            ("a1 b3", _("exchange what stands on two squares")),
            (
                _("40 symbols"),
                _(
                    "the whole set-up as you see it, front row first, left to right: "
                    "S 2 3 4 5 6 7 8 9 M B F, - for none; spaces and / are free"
                ),
            ),
        ]


def _slot(name: str, seat: int) -> int:
    """Return which of the seat's set-up squares a square is; out of range if it is none."""
    square = square_number(name)
    return square if seat == 0 else c.SQUARES - 1 - square


def _stripped(draft: list[int]) -> list[int]:
    """Leave out what follows the last piece: it is not asked any more."""
    while draft and draft[-1] == 0:
        draft.pop()
    return draft


def _check_army(draft: list[int], variant: int, language: str) -> None:
    """Refuse a set-up that is not exactly the army of this variant."""
    _ = translator(language, __package__ or "").gettext
    wrong = [
        _("{sign}: {count} instead of {wanted}").format(
            sign=RANK_SYMBOLS[rank], count=draft.count(rank), wanted=int(c.COUNTS[variant, rank])
        )
        for rank in range(1, c.RANKS)
        if draft.count(rank) != c.COUNTS[variant, rank]
    ]
    if wrong:
        template = _("this is not an army of {count} pieces: {faults}")
        raise ParseError(template.format(count=int(c.ARMY[variant]), faults=", ".join(wrong)))


def _rank_left(view: State, seat: int, action: int, language: str) -> str:
    """Return the name of a rank and how many of it are still to be set up."""
    _ = translator(language, __package__ or "").gettext
    if action == 0:
        return _("no piece")
    placed = (view.fields["rank"][seat * c.SLOTS : (seat + 1) * c.SLOTS] == action).sum()
    left = int(c.COUNTS[int(view.fields["options"]["variant"]), action]) - int(placed)
    return f"{rank_name(action, language)} ×{left}"


def _piece_name(view: State, square: int, language: str) -> str:
    piece = int(view.fields["board"][square]) - 1
    return rank_name(int(view.fields["rank"][piece]), language)


TERMINAL = StrategoTerminal()
"""How Stratego is shown and asked about in a terminal."""
