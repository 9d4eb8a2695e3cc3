"""What players say to one another at a table, and the pacts that they write down.

Talk is no part of the game: it changes neither the table's version nor its log, so that
nobody but those addressed can notice it. A table's talk is a list of remarks; remarks are
added, never changed. `hear` folds them into what one viewer may know; `Talk` is what a
process's tables offer of it.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from tianxia.draw.languages import N_
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import people, seating
from tianxia.tables.errors import NotNow, Refused, TooFast, Unavailable, UnknownPact
from tianxia.tables.hub import Hub, ear
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.store import EVERYBODY, Conflict, Remark

if TYPE_CHECKING:
    from tianxia.tables.service import Tables

LONGEST = 500
"""Code points in a remark; longer ones are refused, not cut."""
BURST = 10
BURST_SECONDS = 20.0
"""A seat makes no more than `BURST` remarks within so many seconds."""
MOST = 500
"""Messages and pacts of one seat at one table; answers and the like have a count of their own."""
WRITTEN = frozenset(("say", "pact"))
ABOUT_PACTS = frozenset(("agree", "decline", "kept", "broken"))
TOLD = WRITTEN | ABOUT_PACTS
"""Kinds that are told to those addressed."""
TRIES = 12

Mark = Literal["kept", "broken"]


@dataclass(frozen=True, slots=True)
class Room:
    """A table as far as talk is concerned.

    Attributes
    ----------
    people
        The seats that are not bots', as bits: who is addressed by a remark for all.
    seated
        The seats at which people sit, as bits.
    """

    over: bool
    seats: int
    people: int
    seated: int
    remarks: Sequence[Remark]


# --- What a viewer may know ---


@dataclass(frozen=True, slots=True)
class Line:
    """A remark as a viewer is told it.

    Attributes
    ----------
    to
        The seats that can read it, the speaker's included.
    pact
        The id of the pact that it is, or is about; else None.
    open
        Whether everybody can read it by now.
    """

    id: str
    kind: str
    seat: int
    to: tuple[int, ...]
    at: float
    text: str
    pact: str | None
    open: bool


@dataclass(slots=True)
class Pact:
    """Something that players have promised one another, in their own words. It binds nobody.

    Attributes
    ----------
    parties
        The seats concerned.
    agreed, declined
        Those that have agreed (who proposes it agrees) or declined.
    marks
        What parties say has become of it: ``kept`` or ``broken``.
    """

    id: str
    seat: int
    parties: tuple[int, ...]
    at: float
    text: str
    agreed: set[int] = field(default_factory=set)
    declined: set[int] = field(default_factory=set)
    marks: dict[int, Mark] = field(default_factory=dict)

    @property
    def state(self) -> Literal["proposed", "declined", "agreed"]:
        """How far it has come."""
        if self.declined:
            return "declined"
        return "agreed" if self.agreed.issuperset(self.parties) else "proposed"

    def awaits(self, seat: int) -> bool:
        """Say whether a seat's answer is awaited."""
        return self.state == "proposed" and seat in self.parties and seat not in self.agreed


@dataclass(frozen=True, slots=True)
class Heard:
    """The talk of a table as one viewer may know it.

    Attributes
    ----------
    muted
        The seats that the viewer does not want to hear; what they say is not in `lines`.
    opened
        The seats that agree that everybody may read; players only are told.
    """

    lines: tuple[Line, ...]
    pacts: tuple[Pact, ...]
    muted: frozenset[int]
    opened: frozenset[int]


def hear(room: Room, viewer: int) -> Heard:
    """Return what a seat (or SPECTATOR) may know of a table's talk.

    A remark is told to the seats addressed. Once the game is over it is open to everybody
    where all of these have agreed to that.
    """
    opened = _opened(room)
    shown = [one for one in room.remarks if one.kind in TOLD]
    known = [one for one in shown if _may_know(one, viewer, opened)]
    muted = _muted(room.remarks, viewer)
    pacts = _pacts(known)
    unheard = {
        key for key, pact in pacts.items() if pact.seat in muted and viewer not in pact.agreed
    }
    return Heard(
        lines=tuple(
            _line(one, opened)
            for one in known
            if one.seat not in muted and one.about not in unheard
        ),
        pacts=tuple(pact for key, pact in pacts.items() if key not in unheard),
        muted=muted,
        opened=frozenset() if viewer == SPECTATOR else frozenset(_seats(opened)),
    )


def _opened(room: Room) -> int:
    """Return the seats that have agreed that everybody may read, as bits."""
    bits = 0
    for remark in room.remarks if room.over else ():
        if remark.kind == "open":
            bits |= 1 << remark.seat
    return bits


def _may_know(remark: Remark, viewer: int, opened: int) -> bool:
    return _is_open(remark, opened) or (viewer != SPECTATOR and remark.audience >> viewer & 1 == 1)


def _is_open(remark: Remark, opened: int) -> bool:
    return remark.audience & ~opened == 0


def _muted(remarks: Iterable[Remark], viewer: int) -> frozenset[int]:
    found: set[int] = set()
    for remark in remarks:
        if remark.seat == viewer and remark.kind == "mute":
            found.add(int(remark.about))
        elif remark.seat == viewer and remark.kind == "unmute":
            found.discard(int(remark.about))
    return frozenset(found)


def _pacts(remarks: Iterable[Remark]) -> dict[str, Pact]:
    """Return all pacts of some remarks, by id, oldest first."""
    found: dict[str, Pact] = {}
    for one in remarks:
        if one.kind == "pact":
            parties = tuple(_seats(one.audience))
            found[one.id] = Pact(one.id, one.seat, parties, one.at, one.text, {one.seat})
        elif one.kind == "agree":
            found[one.about].agreed.add(one.seat)
        elif one.kind == "decline":
            found[one.about].declined.add(one.seat)
        elif one.kind in ("kept", "broken"):
            found[one.about].marks[one.seat] = one.kind  # type: ignore[assignment]
    return found


def _line(remark: Remark, opened: int) -> Line:
    pact = remark.id if remark.kind == "pact" else remark.about or None
    return Line(
        remark.id,
        remark.kind,
        remark.seat,
        tuple(_seats(remark.audience)),
        remark.at,
        remark.text,
        pact,
        _is_open(remark, opened),
    )


def _seats(bits: int) -> list[int]:
    """Return the seats of a set of bits."""
    return [seat for seat in range(bits.bit_length()) if bits >> seat & 1]


# --- Making remarks ---

Make = Callable[[Room, int, float], Remark | None]
"""What makes a seat's next remark; None where nothing would change."""


def say(text: str, to: Sequence[int] | None) -> Make:
    """Say something to some seats, or to all (None).

    Raises
    ------
    NotNow, Refused, TooFast
        From what is returned, as from all of these.
    """

    def make(room: Room, seat: int, at: float) -> Remark:
        return _remark(room, "say", seat, at, _audience(room, seat, to), _checked(text))

    return make


def propose(text: str, parties: Sequence[int] | None) -> Make:
    """Write a pact down, for some seats to agree to, or for all (None)."""

    def make(room: Room, seat: int, at: float) -> Remark:
        return _remark(room, "pact", seat, at, _audience(room, seat, parties), _checked(text))

    return make


def answer(pact_id: str, accept: bool) -> Make:
    """Agree to a pact, or decline it; who has proposed it withdraws it by declining."""

    def make(room: Room, seat: int, at: float) -> Remark:
        pact = _pact(room, seat, pact_id)
        if pact.state != "proposed" or (accept and seat in pact.agreed):
            raise NotNow("answered", N_("This pact does not wait for your answer any more."))
        return _about(room, "agree" if accept else "decline", seat, at, pact)

    return make


def mark(pact_id: str, kept: bool) -> Make:
    """Say that a pact was kept, or broken; a party may change its mind."""

    def make(room: Room, seat: int, at: float) -> Remark | None:
        pact, word = _pact(room, seat, pact_id), "kept" if kept else "broken"
        if pact.state != "agreed":
            raise NotNow("no-pact-yet", N_("Not all parties have agreed to this pact."))
        if pact.marks.get(seat) == word:
            return None
        return _about(room, word, seat, at, pact)

    return make


def mute(other: int, off: bool) -> Make:
    """Mute a seat, or hear it again; nobody else is told."""

    def make(room: Room, seat: int, at: float) -> Remark | None:
        if not 0 <= other < room.seats or other == seat:
            raise _no_seat()
        if (other in _muted(room.remarks, seat)) == off:
            return None
        kind = "mute" if off else "unmute"
        return _remark(room, kind, seat, at, 1 << seat, about=str(other))

    return make


def open_up() -> Make:
    """Agree, after the end, that everybody may read what one has said and heard."""

    def make(room: Room, seat: int, at: float) -> Remark | None:
        if not room.over:
            raise NotNow("not-over", N_("Talk can be opened to everybody when the game is over."))
        if _opened(room) >> seat & 1:
            return None
        return _remark(room, "open", seat, at, room.people | 1 << seat)

    return make


def listeners(room: Room, remark: Remark) -> list[int]:
    """Return the viewers for whom something may change by a remark."""
    if remark.kind == "open" or _is_open(remark, _opened(room)):
        return [*range(room.seats), SPECTATOR]
    return _seats(remark.audience)


# --- What is refused ---


def _checked(text: str) -> str:
    """Return a text as it is kept; refuse one that is empty or too long."""
    cleaned = people.clean_lines(text)
    if not cleaned:
        raise Refused("empty", N_("This text is empty."))
    if len(cleaned) > LONGEST:
        raise Refused(
            "too-long",
            N_("This text has {length} characters; up to {most} are possible."),
            length=len(cleaned),
            most=LONGEST,
        )
    return cleaned


def _audience(room: Room, seat: int, to: Sequence[int] | None) -> int:
    """Return who is addressed, and the speaker, as bits."""
    own = 1 << seat
    if to is None:
        audience = room.people
    else:
        if not all(0 <= other < room.seats for other in to):
            raise _no_seat()
        audience = sum(1 << other for other in set(to))
        if audience & ~own & ~room.seated:
            raise NotNow("nobody-there", N_("There is nobody at that seat to read this."))
    if not audience & ~own:
        raise NotNow("nobody-there", N_("There is nobody at that seat to read this."))
    return audience | own


def _no_seat() -> Refused:
    return Refused("no-seat", N_("This table has no such seat."))


def _pact(room: Room, seat: int, pact_id: str) -> Pact:
    """Return a pact of a seat; one of others is as unknown as one that there is not."""
    own = [one for one in room.remarks if one.audience >> seat & 1]
    pact = _pacts(own).get(pact_id)
    if pact is None:
        raise UnknownPact
    return pact


def _about(room: Room, kind: str, seat: int, at: float, pact: Pact) -> Remark:
    audience = sum(1 << party for party in pact.parties)
    return _remark(room, kind, seat, at, audience, about=pact.id)


def _remark(
    room: Room, kind: str, seat: int, at: float, audience: int, text: str = "", about: str = ""
) -> Remark:
    """Return the next remark; refuse where there is too much of it.

    Counted are the seat's own remarks only: what others say in private has no part in it.
    """
    own = [one for one in room.remarks if one.seat == seat]
    if sum((one.kind in WRITTEN) == (kind in WRITTEN) for one in own) >= MOST:
        raise NotNow("too-many-remarks", N_("You have said all that one can say at one table."))
    if len(own) >= BURST and (wait := own[-BURST].at + BURST_SECONDS - at) > 0:
        raise TooFast(math.ceil(min(wait, BURST_SECONDS)))
    number = room.remarks[-1].number + 1 if room.remarks else 1
    return Remark(number, secrets.token_hex(6), kind, seat, audience, at, text, about)


# --- At the tables of a process ---


class Talk:
    """What people say at tables. Synchronous, safe from many threads; what returns is stored.

    Who reads is decided by seats: whoever holds a seat now reads all that was ever said to
    it. Each of these raises `UnknownTable`, `NotYourSeat` for whoever has no seat, `NotNow`,
    and `TooFast` for whoever says very much.

    Attributes
    ----------
    hub
        Wakes those for whom there is something new: ``hub.subscribe(ear(table_id, seat))``.
    """

    def __init__(self, tables: Tables) -> None:
        self.hub = Hub()
        self._tables = tables

    def heard(self, table_id: str, viewer: int) -> Heard:
        """Return what a seat (or SPECTATOR) may know of a table's talk.

        Raises
        ------
        UnknownTable
        """
        snapshot = self._tables.snapshot(table_id)
        # What others say in private shall not even cost this viewer time.
        own = 0 if viewer == SPECTATOR else 1 << viewer
        room = self._room(snapshot, EVERYBODY if snapshot.open_to_all else own)
        return hear(room, viewer)

    def say(self, table_id: str, person: str, text: str, to: Sequence[int] | None = None) -> None:
        """Say something to some seats, or to all at the table (None).

        Raises
        ------
        Refused
            For a text that is empty or too long, and seats that there are not.
        """
        self._add(table_id, person, say(text, to))

    def propose(
        self, table_id: str, person: str, text: str, parties: Sequence[int] | None = None
    ) -> None:
        """Write a pact down, for some seats to agree to, or for all (None).

        Raises
        ------
        Refused
            As `say`.
        """
        self._add(table_id, person, propose(text, parties))

    def answer_pact(self, table_id: str, person: str, pact: str, accept: bool) -> None:
        """Agree to a pact, or decline it; who has proposed it withdraws it by declining.

        Raises
        ------
        UnknownPact
        """
        self._add(table_id, person, answer(pact, accept))

    def mark_pact(self, table_id: str, person: str, pact: str, kept: bool) -> None:
        """Say whether a pact was kept or broken; one may change one's mind.

        Raises
        ------
        UnknownPact
        """
        self._add(table_id, person, mark(pact, kept))

    def mute(self, table_id: str, person: str, seat: int, off: bool) -> None:
        """Mute a seat, or hear it again; nobody else is told.

        Raises
        ------
        Refused
            For one's own seat, and one that there is not.
        """
        self._add(table_id, person, mute(seat, off))

    def open_up(self, table_id: str, person: str) -> None:
        """Agree, after the end, that everybody may read what one has said and heard.

        A remark is opened when all whom it was addressed to have agreed.
        """
        self._add(table_id, person, open_up())

    def _room(self, snapshot: Snapshot, seats: int = EVERYBODY) -> Room:
        kinds = [seat.kind for seat in snapshot.seats]
        return Room(
            over=snapshot.status == "over",
            seats=len(kinds),
            people=sum(1 << seat for seat, kind in enumerate(kinds) if kind != "bot"),
            seated=sum(1 << seat for seat, kind in enumerate(kinds) if kind == "person"),
            remarks=self._tables.store.talk(snapshot.id, seats),
        )

    def _add(self, table_id: str, person: str, make: Make) -> None:
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
            wake = [ear(table_id, viewer) for viewer in listeners(room, remark)]
            try:
                self._tables.store.add_remark(table_id, remark, wake)
            except Conflict:
                continue
            for name in wake:
                self.hub.publish(name, remark.number)
            return
        raise Unavailable
