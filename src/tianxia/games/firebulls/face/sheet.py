"""The score sheet of Fire Bulls: where every point of a finished game comes from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.draw.pictures import template
from tianxia.draw.scene import Panel, SceneRequest, Source
from tianxia.games.firebulls.face.words import point_name, seat_name
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.notation import POINT_SYMBOLS

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
PENALISED = 46
"""The statement that ends a game whose deck has run out."""


CARDS = {
    c.SOLDIER: N_("Soldiers"),
    c.WU: N_("Wu"),
    c.XI: N_("Xi"),
    c.BO: N_("Bo"),
    c.COLONEL: N_("Colonels"),
    c.GENERAL: N_("General"),
    c.FORTIFICATION: N_("Fortifications"),
}
"""The cards of one name begin with this kind."""


@dataclass(frozen=True)
class Column:
    """The points of one seat.

    Attributes
    ----------
    cards
        Kinds and numbers of cards in the Victory pile, the most valuable first.
    colour
        How many of them show the seat's colour: a point each (FBL-49).
    lost
        The kind that the penalty took (FBL-47), None where it took none or nobody told.
    highest
        The value of the best card, which breaks ties (FBL-51); −1 without any card.
    """

    seat: int
    cards: tuple[tuple[int, int], ...]
    value: int
    colour: int
    lost: int | None
    highest: int
    won: bool

    @property
    def points(self) -> int:
        """All points."""
        return self.value + self.colour


def columns(request: SceneRequest) -> list[Column]:
    """Return the points of all seats of a finished game."""
    view = request.view
    utilities = view.utilities()
    before = penalised(request)
    return [
        _column(view, seat, before, won=utilities[seat] == max(utilities))
        for seat in range(view.seats)
    ]


def penalised(request: SceneRequest) -> State | None:
    """Return the view before the penalty, if the game has just ended with one."""
    if request.view.fields["exhausted"] < c.LAST_EXHAUSTION or not request.last:
        return None
    last = request.last[-1]
    return last.before if last.action == c.PENALTY else None


def _column(view: State, seat: int, before: State | None, won: bool) -> Column:
    pile = Counter(dict(enumerate(view.fields["victory"][seat].tolist())))
    order = sorted(range(c.KINDS), key=lambda kind: (-int(c.VALUE[kind]), kind))
    lost = None
    if before is not None:
        gone = before.fields["victory"][seat] - view.fields["victory"][seat]
        lost = int(gone.argmax()) if gone.any() else None
    return Column(
        seat=seat,
        cards=tuple((kind, pile[kind]) for kind in order if pile[kind]),
        value=sum(count * int(c.VALUE[kind]) for kind, count in pile.items()),
        colour=sum(
            count * int(c.HAS_COLOUR[kind, view.game.colours[seat]]) for kind, count in pile.items()
        ),
        lost=lost,
        highest=max((int(c.VALUE[kind]) for kind, count in pile.items() if count), default=-1),
        won=won,
    )


def ending(request: SceneRequest) -> str:
    """Return why the game is over and who has won, as sentences."""
    _ = translator(request.language, PACKAGE).gettext
    found = columns(request)
    if request.view.fields["reason"] == PENALISED:
        why = _("The deck has run out for the third time.")
    else:
        why = _("Two piles are empty and the General has been won.")
    won = [column for column in found if column.won]
    names = ", ".join(seat_name(request.view, column.seat, request.language) for column in won)
    text = _("{seats} win together with {points} points.")
    if len(won) == 1:
        text = _("{seats} wins with {points} points.")
    told = f"{why} {text.format(seats=names, points=won[0].points)}"
    return f"{told} {_tie(found, request.language)}".strip()


def _tie(found: list[Column], language: str) -> str:
    """Say what has decided between equal points, where something had to."""
    _ = translator(language, PACKAGE).gettext
    best = max(column.points for column in found)
    equal = [column for column in found if column.points == best]
    won = [column for column in equal if column.won]
    if len(equal) == 1:
        return ""
    if len(won) == len(equal):
        return _("Their points and their highest cards are equal, so they share the victory.")
    text = _("Points are equal; the more valuable single card, worth {value}, decides.")
    return text.format(value=won[0].highest)


def sources(request: SceneRequest) -> tuple[Source, ...]:
    """Return how many points each seat has from the cards of each name, and from its colour."""
    _ = translator(request.language, PACKAGE).gettext
    found = columns(request)
    ends = (*list(CARDS)[1:], c.KINDS)
    cards = [
        Source(_(name), tuple(_worth(one, range(first, end)) for one in found))
        for (first, name), end in zip(CARDS.items(), ends, strict=True)
    ]
    colour = Source(_("Cards with one’s own colour"), tuple(one.colour for one in found))
    return (*(source for source in cards if any(source.points)), colour)


def _worth(column: Column, kinds: range) -> int:
    return sum(count * int(c.VALUE[kind]) for kind, count in column.cards if kind in kinds)


def sheet(request: SceneRequest) -> Panel:
    """Return the score sheet."""
    _ = translator(request.language, PACKAGE).gettext
    language = request.language
    found = columns(request)
    kinds = [kind for kind in range(c.KINDS) if any(dict(one.cards).get(kind) for one in found)]
    kinds.sort(key=lambda kind: (-int(c.VALUE[kind]), kind))
    rows = [
        {
            "symbol": POINT_SYMBOLS[kind],
            "name": point_name(kind, language),
            "value": int(c.VALUE[kind]),
            "counts": [dict(one.cards).get(kind, 0) for one in found],
        }
        for kind in kinds
    ]
    html = template(PACKAGE, "sheet.html.jinja").render(
        rows=rows,
        columns=found,
        armies=request.view.game.armies,
        names=[seat_name(request.view, one.seat, language) for one in found],
        lost=[None if one.lost is None else point_name(one.lost, language) for one in found],
        penalty=request.view.fields["reason"] == PENALISED,
        words={
            "card": _("Card"),
            "values": _("Values of the cards"),
            "colour": _("One point for each card with one’s own colour"),
            "lost": _("Lost before counting, as the deck ran out"),
            "unknown": _("the best card"),
            "none": _("nothing"),
            "total": _("Total"),
            "won": _("has won"),
        },
    )
    return Panel("sheet", _("Score sheet"), html, "hand")
