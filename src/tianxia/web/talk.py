"""Draws the talk of a table: what one viewer may read of it, as a piece of HTML.

It is a piece of its own beside the table's: what others say in private changes neither the
table's version nor when anything is pushed. Like the table's, its version is its digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from babel.lists import format_list

from tianxia.draw.languages import N_, translator
from tianxia.tables import Snapshot
from tianxia.tables.talk import LONGEST, Heard, Line, Pact
from tianxia.web.catalogue import capitalised
from tianxia.web.moments import iso_of
from tianxia.web.parts import UNNAMED, Piece
from tianxia.web.rendering import Viewer, called, finished
from tianxia.web.templating import PACKAGE, render

MOST_LINES = 150
"""On a page; the API has them all."""
QUOTED = 60
"""Characters of a pact that are quoted where somebody answers it."""
HEADS = {
    "say": (N_("{side} to {others}"), N_("You to {others}")),
    "pact": (N_("{side} proposes a pact to {others}"), N_("You propose a pact to {others}")),
    "agree": (N_("{side} agrees to a pact"), N_("You agree to a pact")),
    "decline": (N_("{side} declines a pact"), N_("You decline a pact")),
    "kept": (N_("{side} says that a pact was kept"), N_("You say that a pact was kept")),
    "broken": (N_("{side} says that a pact was broken"), N_("You say that a pact was broken")),
}
"""What stands above a line: of others, and one's own."""


@dataclass(frozen=True)
class TalkLine:
    """A line of talk as the page shows it."""

    id: str
    seat: int
    own: bool
    private: bool
    open: bool
    pact: bool
    head: str
    text: str
    at: float
    time: str
    iso: str


@dataclass(frozen=True)
class PactWords:
    """A pact as the page shows it."""

    id: str
    seat: int
    parties: str
    text: str
    state: str
    state_word: str
    marks: list[str]
    own_mark: str
    asked: bool
    withdraw: bool
    mark: bool


@dataclass(frozen=True)
class SeatChoice:
    """A seat to which one can speak, or which one does not want to hear."""

    number: int
    side: str
    muted: bool


class Words:
    """The words for a table's talk, for one viewer."""

    def __init__(
        self, snapshot: Snapshot, heard: Heard, viewer: Viewer, armies: tuple[str, ...]
    ) -> None:
        self.table = snapshot.id
        self.armies = armies
        self.heard = heard
        self.viewer = viewer
        self.names = called(snapshot, viewer)
        self.people = {seat for seat, info in enumerate(snapshot.seats) if info.kind != "bot"}
        self.seated = [seat for seat, info in enumerate(snapshot.seats) if info.kind == "person"]
        self._ = translator(viewer.language, PACKAGE).gettext
        self.quotes = {pact.id: pact.text for pact in heard.pacts}

    def sides(self, seats: Iterable[int]) -> str:
        """Return the names of some seats as a list in words; the viewer's own is “you”."""
        ordered = sorted(seats, key=lambda seat: seat != self.viewer.seat)
        names = [
            self._("you") if seat == self.viewer.seat else self.names[seat] for seat in ordered
        ]
        return format_list(names, locale=self.viewer.language)

    def others(self, seat: int, to: tuple[int, ...]) -> str:
        """Return to whom somebody has said something."""
        if self.people.issubset(to) and len(to) > 2:
            return self._("all")
        return self.sides(set(to) - {seat})

    def line(self, line: Line) -> TalkLine:
        """Return a line in words."""
        own = line.seat == self.viewer.seat
        when = datetime.fromtimestamp(line.at, UTC)
        text = line.text or _shortened(self.quotes.get(line.pact or "", ""))
        return TalkLine(
            id=line.id,
            seat=line.seat,
            own=own,
            private=not self.people.issubset(line.to),
            open=line.open,
            pact=line.pact is not None,
            head=self._(HEADS[line.kind][own]).format(
                side=self.names[line.seat], others=self.others(line.seat, line.to)
            ),
            text=text,
            at=line.at,
            time=f"{when:%H:%M} UTC",
            iso=iso_of(line.at),
        )

    def pact(self, pact: Pact) -> PactWords:
        """Return a pact in words."""
        _, seat = self._, self.viewer.seat
        party = seat in pact.parties
        states = {
            "proposed": _("waits for {sides}").format(
                sides=self.sides(set(pact.parties) - pact.agreed)
            ),
            "declined": _("declined by {sides}").format(sides=self.sides(pact.declined)),
            "agreed": _("agreed"),
        }
        marks = {"kept": _("kept, says {side}"), "broken": _("broken, says {side}")}
        return PactWords(
            id=pact.id,
            seat=pact.seat,
            parties=capitalised(self.sides(pact.parties)),
            text=pact.text,
            state=pact.state,
            state_word=states[pact.state],
            marks=[
                marks[mark].format(side=self.names[who])
                for who, mark in pact.marks.items()
                if who != seat
            ],
            own_mark=pact.marks.get(seat, "") if seat is not None else "",
            asked=seat is not None and pact.awaits(seat),
            withdraw=pact.state == "proposed" and pact.seat == seat,
            mark=pact.state == "agreed" and party,
        )

    def facts(self) -> dict[str, Any]:
        """Return all that the page says of talk."""
        seat, heard = self.viewer.seat, self.heard
        return {
            "version": UNNAMED,
            "table": self.table,
            "seat": seat,
            "armies": self.armies,
            "longest": LONGEST,
            "lines": [self.line(line) for line in heard.lines[-MOST_LINES:]],
            "pacts": [self.pact(pact) for pact in heard.pacts],
            "choices": [
                SeatChoice(other, self.names[other], other in heard.muted)
                for other in self.seated
                if other != seat
            ],
            "opened": self.sides(heard.opened) if heard.opened else "",
            "has_opened": seat in heard.opened,
        }


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line}”" if len(line) <= QUOTED else f"“{line[:QUOTED].rstrip()}…”"


def talk_piece(snapshot: Snapshot, heard: Heard, viewer: Viewer, armies: tuple[str, ...]) -> Piece:
    """Return what a viewer may read of a table's talk; `armies` mark who has said it."""
    words = Words(snapshot, heard, viewer, armies)
    return finished(render("talk", viewer.language, talk=words.facts()))
