"""Clocks at the tables of a process, and those who do not come: `Tables.timing`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from tianxia.bots import bots
from tianxia.draw.languages import N_
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import people, seating
from tianxia.tables.clocks import DAY
from tianxia.tables.errors import NotNow, Refused, TableError, Unavailable
from tianxia.tables.game_log import GameLog
from tianxia.tables.seating import Draft, Live
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.store import Seat

if TYPE_CHECKING:
    from tianxia.tables.service import Tables

SILENT_SECONDS = 7 * DAY
"""Where there is no clock, others need not wait longer than this."""
GONE_SECONDS = 120.0
"""Nor longer than this for somebody who has left a game that was being played there and then."""
LIVE_SECONDS = 300.0
"""In such a game decisions follow one another within this time."""
LIVE_DECISIONS = 4
TOGETHER = 60.0
"""Seconds within which processes of a server start."""
HOLIDAYS = 30
"""Days of holiday in a year."""
YEAR = 365 * DAY
MOST_BEGUN = 5
"""Holidays that somebody begins within a day: each is told in the logs of all their tables."""

Wish = Literal["claim", "bot", "abort"]


@dataclass(frozen=True)
class Holiday:
    """Until when somebody is on holiday, None: they are not; and the days left in this year."""

    until: float | None
    left: int


def may_come_back(live: Live, snapshot: Snapshot, person: str) -> bool:
    """Say whether somebody may play on at a seat for which a bot plays."""
    if not (snapshot.returns and snapshot.status == "playing" and snapshot.substitutes):
        return False
    return live.seat_left(person) in snapshot.substitutes


class Timing:
    """What clocks do at tables. Synchronous, safe from many threads; what returns is stored.

    Each of these raises `UnknownTable`, `NotYourSeat` for whoever has no seat there, and `NotNow`.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    # --- Flags ---

    def flag(self, table_id: str) -> bool:
        """Let flags fall whose time has come; say whether one did.

        Of all processes that notice one stores the next version of the table; that is the
        claim. The others look again and find nothing to do, and if that one dies in between
        nothing was stored and the next one does it.
        """

        def fall(draft: Draft) -> None:
            for seat in draft.game_log.flag(draft.now):
                seating.stand_in(draft, seat)

        with suppress(NotNow):
            self._tables.change(table_id, fall)
            return True
        return False

    def stand_still(self, since: float, until: float) -> None:
        """Forgive all running clocks a time in which no process was there.

        Of several processes that start together each may do this; a table is forgiven once.
        """

        def still(draft: Draft) -> None:
            game_log = draft.game_log
            game_log.check_playing()
            if any(one.kind == "still" and one.at > until - TOGETHER for one in game_log.rows):
                raise NotNow("done", N_("There is nothing to do."))
            game_log.stand_still(until - since, draft.now)

        for table_id in self._tables.store.running():
            with suppress(TableError):
                self._tables.change(table_id, still)

    # --- Those who do not come ---

    def silent(self, snapshot: Snapshot, seat: int) -> int | None:
        """Return the seat that others need not wait for any longer; `seat` is who asks."""
        if snapshot.pace.kind != "none" or snapshot.status != "playing" or not snapshot.playable:
            return None
        now, live = self._tables.clock(), _is_live(snapshot)
        seen = self._tables.store.seen(snapshot.id) if live else {}
        for other in snapshot.acting:
            since = snapshot.clocks[other].since
            if other == seat or since is None or snapshot.seats[other].kind != "person":
                continue
            last = max(since, seen.get(other, 0.0))
            if now - since >= SILENT_SECONDS or (live and now - last >= GONE_SECONDS):
                return other
        return None

    def wishes(self, snapshot: Snapshot, seat: int) -> tuple[Wish, ...]:
        """Return what a seat may do about somebody who is silent.

        With two: win, play on against a bot, or end the game so that nobody has lost. With
        more a bot takes over; where no other person plays on, the game can be ended, too.
        """
        if self.silent(snapshot, seat) is None:
            return ()
        if snapshot.game.seats == 2:
            return "claim", "bot", "abort"
        people_here = [info for info in snapshot.seats if info.kind == "person"]
        return ("bot", "abort") if len(people_here) == 2 else ("bot",)

    def claim(self, table_id: str, person: str, wish: Wish) -> Snapshot:
        """Wait no longer for somebody who is silent.

        Raises
        ------
        Refused
            For something else than may be done.
        """
        snapshot = self._tables.snapshot(table_id)

        def claim(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            if draft.live.head.version != snapshot.version:
                raise NotNow("not-silent", N_("The table has changed: nobody is silent just now."))
            draft.game_log.check_playing()
            may, other = self.wishes(snapshot, seat), self.silent(snapshot, seat)
            if other is None:
                raise NotNow("not-silent", N_("Nobody has been silent for long enough yet."))
            if wish not in may:
                raise Refused("wish", N_("Choose one of these: {wishes}."), wishes=", ".join(may))
            kind = {"claim": "claim", "bot": "claim-bot", "abort": "call-off"}[wish]
            draft.game_log.silence(other, kind, draft.now)
            if wish == "bot":
                seating.stand_in(draft, other)

        return self._tables.change(table_id, claim)

    def come_back(self, table_id: str, person: str) -> Snapshot:
        """Play on at a seat for which a bot has played meanwhile."""

        def back(draft: Draft) -> None:
            seat = draft.live.seat_left(person)
            if seat is None:
                raise seating.not_yours()
            draft.game_log.check_playing()
            if not draft.live.head.returns or seat not in draft.game_log.substitutes:
                raise NotNow(
                    "left", N_("The player who sat here has left; a bot plays on for this seat.")
                )
            facts = replace(draft.seats[seat], kind="person", bot="", stand_in=False)
            draft.change.seats = {seat: facts}
            draft.game_log.come_back(seat, draft.now)

        return self._tables.change(table_id, back)

    def may_come_back(self, snapshot: Snapshot, person: str) -> bool:
        """Say whether somebody may play on at a seat for which a bot plays."""
        return may_come_back(self._tables.live(snapshot.id), snapshot, person)

    def call_off(self, table_id: str, person: str) -> Snapshot:
        """End a game before every seat has decided something; nobody has lost."""

        def call_off(draft: Draft) -> None:
            _check_free(draft)
            draft.game_log.call_off(seating.seat_held(draft.live, person), draft.now)

        return self._tables.change(table_id, call_off)

    # --- Tables that wait ---

    def close(self, table_id: str, person: str) -> Snapshot:
        """Close a table that waits for players: who has made it may."""

        def close(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            _check_free(draft)
            _check_waiting(draft.game_log)
            if draft.live.head.maker != people.digest(person) and _company(draft.live, seat):
                raise NotNow("not-yours", N_("Only the person who made this table can close it."))
            draft.game_log.close(seat, draft.now)

        return self._tables.change(table_id, close)

    def leave(self, table_id: str, person: str) -> Snapshot:
        """Leave a table that waits for players; the last one who leaves closes it."""

        def leave(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            _check_free(draft)
            _check_waiting(draft.game_log)
            if not _company(draft.live, seat):
                draft.game_log.close(seat, draft.now)
                return
            draft.change.seats = {seat: Seat("open")}
            draft.change.left = [seat]

        return self._tables.change(table_id, leave)

    def fill(self, table_id: str, person: str, bot: str = "") -> Snapshot:
        """Let bots take all free seats, so that the game begins.

        Parameters
        ----------
        bot
            Which; by default the best.

        Raises
        ------
        Refused
            For a bot that there is not.
        """

        def fill(draft: Draft) -> None:
            seating.seat_held(draft.live, person)
            _check_free(draft)
            _check_waiting(draft.game_log)
            if draft.live.head.rated:
                raise NotNow("rated", seating.NO_BOTS)
            game = draft.game_log.game
            name = seating.bot_named(bot, game) if bot else bots(game)[-1]
            filled = {
                place: Seat("bot", bot=name)
                for place, facts in enumerate(draft.seats)
                if facts.kind == "open"
            }
            draft.change.seats = filled
            draft.game_log.bots |= filled.keys()
            seating.start_if_full(draft)

        return self._tables.change(table_id, fill)

    def recolour(self, table_id: str, person: str, colour: str) -> Snapshot:
        """Give one's seat another colour, while the table waits for players.

        Raises
        ------
        SeatTaken, Refused
            For a colour of somebody else, and for one that the game does not have.
        """

        def recolour(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            _check_waiting(draft.game_log)
            seating.choose_colour(draft, seat, colour)

        return self._tables.change(table_id, recolour)

    # --- Holidays ---

    def holiday(self, person: str) -> Holiday:
        """Return how long somebody is on holiday, and how many days they could take from now."""
        now = self._tables.clock()
        taken = self._tables.store.holidays(people.digest(person), now - YEAR)
        used = sum(max(0.0, min(until, now) - max(since, now - YEAR)) for since, until in taken)
        ends = max((until for _, until in taken), default=0.0)
        return Holiday(ends if ends > now else None, int(HOLIDAYS - used / DAY))

    def rest(self, person: str, days: int) -> float:
        """Begin a holiday of some days, or with 0 end it; return until when it lasts.

        Clocks by mail stand meanwhile, at all of somebody's tables, also those at which the game
        begins later: see `go_on_resting`.

        Raises
        ------
        Refused
            For more days than are left in this year, and for very many holidays within a day.
        Unavailable
            Clocks may have been stopped at some tables, and not at others: ask once more.
        """
        now, hashed = self._tables.clock(), people.digest(person)
        known = self.holiday(person)
        left = known.left
        if not days and known.until is None:
            return now  # nobody was away, and nobody is told to be back
        if not 0 <= days <= left:
            raise Refused(
                "holidays", N_("You have {left} days of holiday left in this year."), left=left
            )
        begun = self._tables.store.holidays(hashed, now - DAY)
        if days and sum(since > now - DAY for since, _ in begun) >= MOST_BEGUN:
            text = N_("You have begun {most} holidays within a day: wait before the next one.")
            raise Refused("holidays-often", text, most=MOST_BEGUN)
        until = now + days * DAY

        def rest(draft: Draft) -> None:
            seat = draft.live.seat_of(person)
            if seat is None:
                raise seating.not_yours()
            draft.game_log.check_playing()
            draft.game_log.rest(seat, until - draft.now if days else 0.0, draft.now)

        self._tables.store.rest(hashed, now, until)
        for table_id in self._tables.store.by_mail(hashed):
            try:
                self._tables.change(table_id, rest)
            except Unavailable:  # whoever asks again has it at all of them
                raise
            except TableError:
                continue
        return until

    def go_on_resting(self, draft: Draft) -> None:
        """Let clocks stand at a game that has just begun of those who are on holiday already."""
        game_log, now = draft.game_log, draft.now
        if game_log.status != "playing" or game_log.clocks.pace.kind != "mail":
            return
        until: dict[int, float] = {}  # by seat: several devices may hold one
        for one in draft.holders:
            for _, end in self._tables.store.holidays(one.person, now):
                until[one.seat] = max(end, until.get(one.seat, 0.0))
        for seat, end in until.items():
            game_log.rest(seat, end - now, now)


def _company(live: Live, seat: int) -> bool:
    """Say whether another person sits at a table."""
    return any(one.kind == "person" for place, one in enumerate(live.seats) if place != seat)


def _check_free(draft: Draft) -> None:
    """Refuse what would bring a tournament's game to nothing."""
    if draft.live.head.tournament_id:
        text = N_("This is a game of a tournament: play it, or resign.")
        raise NotNow("tournament", text)


def _check_waiting(game_log: GameLog) -> None:
    if game_log.status != "waiting":
        game_log.check_running()  # it may be over, and a table that was closed has never begun
        raise NotNow("begun-already", N_("The game has begun."))


def _is_live(snapshot: Snapshot) -> bool:
    """Say whether a game is being played there and then: people have answered within minutes."""
    seen = snapshot.entries_seen(SPECTATOR)
    last = [entry.at for entry in seen if entry.kind == "act"]
    last = sorted(set(last))[-LIVE_DECISIONS:]
    pairs = pairwise(last)
    return len(last) == LIVE_DECISIONS and all(b - a <= LIVE_SECONDS for a, b in pairs)
