"""Sun Tzu in a terminal: the provinces as rows, the score track, hands; what is asked.

What belongs to Sun Tzu stands in round brackets, what belongs to the King in square ones,
so that nothing depends on colour; ``›`` marks the province turned up last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tianxia.draw.languages import N_, translator
from tianxia.draw.terminal import Room, Seen, Terminal, styles_for
from tianxia.games.suntzu.face.words import (
    EVENT_NAMES,
    PROVINCE_NAMES,
    PROVINCE_TOKENS,
    STRATEGY_LETTERS,
    card_name,
    seat_name,
)
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import lies_unseen
from tianxia.games.suntzu.rules.state import CHOICE, FIGHT, KEEPING, LAYING, ORDER

if TYPE_CHECKING:
    from tianxia.kernel.state import State

BRACKETS = ("({})", "[{}]")
# By name: style on terminals with many colours, and with sixteen.
STYLES = {
    "side0": ("bold #f2f6ff on #274c77", "bold bright_white on blue"),
    "side1": ("bold #fff6e6 on #b3321f", "bold bright_white on red"),
    "value": ("bold #1f1b16 on #dcb45e", "bold black on yellow"),
    "last": ("bold #c58b2a", "bold yellow"),
    "rim": ("dim", "dim"),
    "title": ("bold", "bold"),
}
QUESTIONS = {
    CHOICE: N_("which strategy card"),
    ORDER: N_("which province next"),
    KEEPING: N_("which one under the deck"),
}


class Painter:
    """Draws one position."""

    def __init__(self, view: State, last: Sequence[Seen], language: str, room: Room) -> None:
        self.view = view
        self.fields = view.fields
        self.language = language
        self.translate = translator(language, __package__ or "").gettext
        self.styles = styles_for(room, STYLES)
        self.mark, self.dot, self.pawn = (">", ".", "@") if room.plain else ("›", "·", "♟")
        actions = [one.action for one in last if one.action is not None]
        turned = [c.argument(action, 0) for action in actions if c.kind_of(action) == c.TURN]
        self.turned = turned[-1] if turned else None

    def head(self) -> Text:
        """Return the round, who decides the order, the open event."""
        _, fields = self.translate, self.fields
        text = _("Round {turn} of {last}").format(turn=int(fields["turn"]), last=c.LAST_ROUND)
        if fields["privilege"]:
            side = seat_name(int(fields["privilege"]) - 1, self.language)
            text += " · " + _("order: {side}").format(side=side)
        if fields["event"]:
            text += " · " + _(EVENT_NAMES[int(fields["event"]) - 1])
        return Text(text, style=self.styles["title"])

    def provinces(self) -> Table:
        """Return the provinces, one in a row."""
        _ = self.translate
        grid = Table.grid(padding=(0, 2))
        titles = ("", _("worth"), _("armies"), _("marks"), _("cards"))
        grid.add_row(*(Text(title, style=self.styles["rim"]) for title in titles))
        for province in range(c.PROVINCES):
            grid.add_row(*self.row(province))
        return grid

    def row(self, province: int) -> tuple[Text, ...]:
        """Return the cells of a province."""
        sign = self.mark if province == self.turned else " "
        name = Text(f"{sign} {PROVINCE_NAMES[province]}")
        if province == self.turned:
            name.stylize(self.styles["last"])
        return name, self.worth(province), self.armies(province), *self.there(province)

    def worth(self, province: int) -> Text:
        """Return the three values of a province, that of the next scoring standing out."""
        stand, text = int(self.fields["stands"][province]) - 1, Text()
        if stand < 0:
            return Text(self.dot)
        scoring = (int(self.fields["turn"]) - 1) // 3
        for number, value in enumerate(c.STANDS[stand].tolist()):
            style = "value" if number == scoring else "rim"
            text.append(f" {value} ", style=self.styles[style])
        return text

    def armies(self, province: int) -> Text:
        """Return whose armies are in a province, and how many."""
        for seat in range(2):
            count = int(self.fields["board"][seat][province])
            if count:
                return self.own(seat, f"{count:>2}")
        return Text(f" {self.dot}")

    def there(self, province: int) -> tuple[Text, Text]:
        """Return the marks in a province, and the cards that lie there."""
        marks, cards = Text(), Text()
        for seat in range(2):
            count = int(self.fields["marks"][seat][province])
            marks.append_text(self.own(seat, "6" * count) if count else Text(f" {self.dot} "))
            marks.append(" ")
            cards.append_text(self.card(seat, province))
            cards.append(" ")
        return marks, cards

    def card(self, seat: int, province: int) -> Text:
        """Return the card of a side in a province."""
        card = int(self.fields["laid"][seat][province])
        if card:
            return self.own(seat, f"{c.CARDS[card - 1]:>2}")
        unseen = lies_unseen(self.fields, seat, province)
        return self.own(seat, " ?") if unseen else Text(f"  {self.dot} ")

    def own(self, seat: int, text: str) -> Text:
        """Return what belongs to a side, in its brackets and colour."""
        return Text(BRACKETS[seat].format(text), style=self.styles[f"side{seat}"])

    def track(self) -> Text:
        """Return the score track with the silver pawn."""
        track, text = int(self.fields["track"]), Text()
        text.append_text(self.own(c.BLUE, "9"))
        for space in range(c.TRACK, -c.TRACK - 1, -1):
            sign = self.pawn if space == track else "0" if space == 0 else self.dot
            text.append(f" {sign}", style=self.styles["last" if space == track else "rim"])
        text.append(" ")
        return text.append_text(self.own(c.RED, "9"))

    def player(self, seat: int) -> Text:
        """Return what a player has."""
        _, fields = self.translate, self.fields
        text = Text()
        text.append_text(self.own(seat, seat_name(seat, self.language)))
        line = _("reserve {reserve}, aside {aside}").format(
            reserve=int(fields["reserve"][seat]), aside=int(fields["aside"][seat])
        )
        text.append(f" {line}")
        if self._knows(seat):
            hand = [
                f"{c.CARDS[kind]}×{int(n)}" if n > 1 else c.CARDS[kind]
                for kind, n in enumerate(fields["hand"][seat])
                if n
            ]
            text.append(" · " + _("hand {cards}").format(cards=" ".join(hand) or "-"))
        drawn = [
            c.CARDS[c.BASIC + kind]
            for kind, n in enumerate(fields["drawn"][seat])
            for _i in range(n)
        ]
        if drawn:
            text.append(" · " + _("drawn {cards}").format(cards=" ".join(drawn)))
        held = int(fields["strategy"][seat])
        letters = [f"{STRATEGY_LETTERS[seat]}{i + 1}" for i in range(c.STRATEGIES) if held >> i & 1]
        if letters or fields["cards"][seat]:
            names = " ".join(letters) or "?" * int(fields["cards"][seat])
            text.append(" · " + _("strategy {cards}").format(cards=names))
        return text

    def _knows(self, seat: int) -> bool:
        """Say whether the viewer knows a side's hand."""
        return self.view.viewer in (None, seat) or bool(self.fields["over"])


class SunTzuTerminal(Terminal):
    """What the terminal asks about Sun Tzu."""

    def draw(
        self, view: State, last: Sequence[Seen], language: str, room: Room
    ) -> Iterator[RenderableType]:
        """Yield event and round, provinces, track and both players, the viewer last."""
        painter = Painter(view, last, language, room)
        yield painter.head()
        yield painter.provinces()
        yield painter.track()
        for seat in (c.RED, c.BLUE) if view.viewer != c.RED else (c.BLUE, c.RED):
            yield painter.player(seat)

    def signs(self, language: str) -> list[tuple[str, str]]:
        """Return what the signs mean."""
        _ = translator(language, __package__ or "").gettext
        return [
            ("( )", seat_name(c.BLUE, language)),
            ("[ ]", seat_name(c.RED, language)),
            ("?", _("a card that lies face down")),
            ("6", _("a mark")),
            ("›", _("turned up last")),
        ]

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return the card that is laid, in words."""
        if key:
            return card_name(c.CARDS.index(key) + 1, language)
        _ = translator(language, __package__ or "").gettext
        return _("give a card for an army") if view.fields["phase"] == LAYING else ""

    def key(self, view: State, action: int) -> str:
        """Return the card that an action lays; "" for all else."""
        return c.CARDS[c.argument(action, 0)] if c.kind_of(action) == c.LAY else ""

    def question(self, view: State, seat: int, language: str) -> str:
        """Return what is asked: the provinces that have no card yet, or a few words."""
        _ = translator(language, __package__ or "").gettext
        fields = view.fields
        if fields["phase"] == LAYING:
            laid = fields["laid"][seat]
            return " ".join(PROVINCE_TOKENS[p] for p in range(c.PROVINCES) if not laid[p])
        if fields["owed"]:
            return _("from where does an army come")
        if int(fields["phase"]) in QUESTIONS:
            return _(QUESTIONS[int(fields["phase"])])
        return _("a strategy card, or pass") if fields["phase"] <= FIGHT + 1 else ""


TERMINAL = SunTzuTerminal()
"""How Sun Tzu is shown and asked about in a terminal."""
