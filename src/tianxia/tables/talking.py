"""Talk at the tables of a process: `Tables.talk`. What may be said is in `tianxia.tables.talk`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import seating, talk
from tianxia.tables.errors import NotNow, Unavailable
from tianxia.tables.hub import Hub, ear
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.store import EVERYBODY, Conflict

if TYPE_CHECKING:
    from tianxia.tables.service import Tables

TRIES = 12


class Talking:
    """What people say at tables. Synchronous, safe from many threads; what returns is stored.

    Who reads is decided by seats: whoever holds a seat now reads all that was ever said to
    it. Each of these raises `UnknownTable`, `NotYourSeat` for who has no seat, `NotNow`,
    and `TooFast` for who says very much.

    Attributes
    ----------
    hub
        Wakes those for whom there is something new: ``hub.subscribe(ear(table_id, seat))``.
    """

    def __init__(self, tables: Tables) -> None:
        self.hub = Hub()
        self._tables = tables

    def heard(self, table_id: str, viewer: int) -> talk.Heard:
        """Return what a seat (or SPECTATOR) may know of a table's talk.

        Raises
        ------
        UnknownTable
        """
        snapshot = self._tables.snapshot(table_id)
        # What others say in private shall not even cost this viewer time.
        own = 0 if viewer == SPECTATOR else 1 << viewer
        room = self._room(snapshot, EVERYBODY if snapshot.open_to_all else own)
        return talk.hear(room, viewer)

    def say(self, table_id: str, person: str, text: str, to: Sequence[int] | None = None) -> None:
        """Say something to some seats, or to all at the table (None).

        Raises
        ------
        Refused
            For a text that is empty or too long, and seats that there are not.
        """
        self._add(table_id, person, talk.say(text, to))

    def propose(
        self, table_id: str, person: str, text: str, parties: Sequence[int] | None = None
    ) -> None:
        """Write a pact down, for some seats to agree to, or for all (None).

        Raises
        ------
        Refused
            As `say`.
        """
        self._add(table_id, person, talk.propose(text, parties))

    def answer_pact(self, table_id: str, person: str, pact: str, accept: bool) -> None:
        """Agree to a pact, or decline it; who has proposed it withdraws it by declining.

        Raises
        ------
        UnknownPact
        """
        self._add(table_id, person, talk.answer(pact, accept))

    def mark_pact(self, table_id: str, person: str, pact: str, kept: bool) -> None:
        """Say whether a pact was kept or broken; one may change one's mind.

        Raises
        ------
        UnknownPact
        """
        self._add(table_id, person, talk.mark(pact, kept))

    def mute(self, table_id: str, person: str, seat: int, off: bool) -> None:
        """Hear a seat no more, or again; nobody else is told.

        Raises
        ------
        Refused
            For one's own seat, and one that there is not.
        """
        self._add(table_id, person, talk.mute(seat, off))

    def open_up(self, table_id: str, person: str) -> None:
        """Agree, after the end, that everybody may read what one has said and heard.

        A remark is opened when all whom it was addressed to have agreed.
        """
        self._add(table_id, person, talk.open_up())

    def _room(self, snapshot: Snapshot, seats: int = EVERYBODY) -> talk.Room:
        kinds = [seat.kind for seat in snapshot.seats]
        return talk.Room(
            over=snapshot.status == "over",
            seats=len(kinds),
            people=sum(1 << seat for seat, kind in enumerate(kinds) if kind != "bot"),
            seated=sum(1 << seat for seat, kind in enumerate(kinds) if kind == "person"),
            remarks=self._tables.store.talk(snapshot.id, seats),
        )

    def _add(self, table_id: str, person: str, make: talk.Make) -> None:
        """Make somebody's next remark, store it, then wake those whom it concerns."""
        for _ in range(TRIES):
            snapshot = self._tables.snapshot(table_id)
            seat = self._tables.seat_of(table_id, person)
            if seat is None:
                raise seating.not_yours()
            if not snapshot.talk:
                raise NotNow("no-talk", N_("There is no talk at this table."))
            room = self._room(snapshot)
            remark = make(room, seat, self._tables.clock())
            if remark is None:
                return
            wake = [ear(table_id, viewer) for viewer in talk.listeners(room, remark)]
            try:
                self._tables.store.add_remark(table_id, remark, wake)
            except Conflict:
                continue
            for name in wake:
                self.hub.publish(name, remark.number)
            return
        raise Unavailable
