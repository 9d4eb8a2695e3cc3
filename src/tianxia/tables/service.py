"""Tables in a process: everything that people and bots do at them goes through `Tables`.

Synchronous and safe to call from many threads. Whatever returns is on disk; whatever
raises has changed nothing, neither there nor in memory.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import SPECTATOR
from tianxia.kernel.registry import games, kind
from tianxia.kernel.transcript import Transcript
from tianxia.tables import log as logs
from tianxia.tables import people, seating, sources
from tianxia.tables.causes import cause_of
from tianxia.tables.chance import commitment, new_secret
from tianxia.tables.clocks import MOST_LAG, Pace, SteadyClock
from tianxia.tables.errors import (
    Damaged,
    NotNow,
    NotYourSeat,
    Refused,
    SeatTaken,
    TableError,
    TimeOver,
    TooMany,
    TooManyWaiting,
    Unavailable,
    UnknownTable,
    Unplayable,
)
from tianxia.tables.game_log import GameLog, OtherGame
from tianxia.tables.hub import Hub, Relay
from tianxia.tables.memory import Remembered
from tianxia.tables.quotas import quota_of
from tianxia.tables.seating import Draft, Live, Place
from tianxia.tables.snapshot import Created, SeatPlan, Snapshot, Summary
from tianxia.tables.sources import Beginning
from tianxia.tables.store import (
    ASKED_CHANNEL,
    BUSY_SECONDS,
    CHANNEL,
    LOBBY_CHANNEL,
    MINDS_CHANNEL,
    TALK_CHANNEL,
    Also,
    Change,
    Conflict,
    Head,
    Holder,
    Seat,
    Store,
)
from tianxia.tables.talk import Talk
from tianxia.tables.timing import Timing, may_come_back
from tianxia.tables.verify import BEFORE, Drawn, chance_header, drawn
from tianxia.tables.work import Work

log = logging.getLogger("tianxia.tables")

CACHED = 500
"""Tables kept in memory; the others are read when somebody asks."""
WATCHED = 2
"""So many times as many are kept where their pages are open."""
TRIES = 12
TURNS = 64
"""Locks that tables share; a table always has the same one."""
LISTED = 100
WAITING_LISTED = 50
WAITING_SECONDS = 7 * 86400.0
"""A public table that nobody joins leaves the list after a week."""
MOST_HOLDERS = 60
MOST_STUCK = 10_000
MOST_WAITING, MOST_WAITING_FROM_ORIGIN = 3, 6
"""Public tables that may wait at once for a person, and from an address."""
PROMISED_SECONDS = 3600.0
"""How long a table to come waits for being made."""
MOST_GUIDED = 10_000
"""Actions of a guided first game; none has as many."""
MOST_DAMAGED = 1000
"""Damaged tables that are told of in the log of one process."""


@dataclass(frozen=True)
class Terms:
    """What is settled when a table is made, besides the game and its seats."""

    talk: bool
    public: bool
    pace: Pace
    returns: bool
    seeded: bool = False
    secret: str = ""
    rated: bool = False
    tournament_id: str = ""
    guided: bool = False
    beginning: Beginning | None = None


def _accounts_only() -> Refused:
    """Return the refusal of who cannot play at a rated table."""
    return Refused("accounts-only", N_("At a rated table all who play have accounts: sign in."))


def _no_promise() -> NotNow:
    """Return the refusal of a promise that is none any more."""
    return NotNow(
        "no-promise",
        N_(
            "This seal is not known, was used already or is too old. Load the page again; "
            "a program asks for another promise."
        ),
    )


def _times(game_log: GameLog) -> str:
    """Return the seconds that each decision of a finished game took; ``-`` where nobody counts."""
    spent = {entry.number: entry.spent for entry in game_log.entries}
    kept = (spent[row.number] for row in logs.kept(game_log.rows))
    written = ["-" if one is None else f"{one:.1f}" for one in kept]
    return " ".join(written) if set(written) - {"-"} else ""


class Tables:
    """All tables of a database; one of these per process.

    Attributes
    ----------
    hub
        Tells of new versions: ``tables.hub.subscribe(table_id)``.
    talk
        What people say to one another there.
    timing
        What concerns clocks, and those who do not come.
    work
        What minds have to do.
    asked, minds_news, lobby
        Tell of questions to minds and their answers, of how far minds are, and of who has met.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        cached: int = CACHED,
        busy_seconds: float = BUSY_SECONDS,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Open the tables of a database; its schema is brought up to date.

        Parameters
        ----------
        url
            ``sqlite:///file``, ``postgresql://…``; None: a file in Tianxia's home.
        cached
            How many tables are kept in memory that nobody looks at.
        busy_seconds
            How long to wait for a database that another process has locked.
        clock
            What tells the time; if not given, one that does not jump with the machine's.

        Raises
        ------
        Unavailable
            Where the database cannot be reached.
        """
        self.store = Store(url, busy_seconds)
        self.hub = Hub()
        self.clock = clock or SteadyClock()
        self._damaged: set[str] = set()
        self._stuck: dict[str, int] = {}  # the rules under which a table cannot go on
        self._lives = Remembered[Live](cached, WATCHED * cached, self.hub.is_watched)
        self._seen: dict[tuple[str, int], float] = {}
        self._open: set[str] = set()
        self._lock = threading.Lock()
        self._turns = [threading.Lock() for _ in range(TURNS)]
        self._readings = [threading.Lock() for _ in range(TURNS)]
        self.talk = Talk(self)
        self.timing = Timing(self)
        self.work = Work(self.store)
        self.asked, self.minds_news, self.lobby = Hub(), Hub(), Hub()
        hubs = {
            CHANNEL: self.hub,
            TALK_CHANNEL: self.talk.hub,
            ASKED_CHANNEL: self.asked,
            MINDS_CHANNEL: self.minds_news,
            LOBBY_CHANNEL: self.lobby,
        }
        # In memory there is no other process to hear of.
        self._relay = None if self.store.alone else Relay(hubs, self.store)

    def close(self) -> None:
        """Close the database."""
        if self._relay is not None:
            self._relay.close()
        self.store.close()

    def __enter__(self) -> Tables:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Making tables ---

    def create(
        self,
        spec: str | Game,
        plans: Sequence[SeatPlan],
        *,
        person: str,
        nickname: str = "",
        talk: bool | None = None,
        public: bool = False,
        seed: str = "",
        origin: str | None = None,
        also: Also | None = None,
        pace: str = "",
        returns: bool = False,
        rated: bool = False,
        draft: str = "",
        seeded: bool = False,
        tournament_id: str = "",
        guided: bool = False,
        beginning: Beginning | None = None,
    ) -> Created:
        """Make a table; when no seat is open the game begins.

        Parameters
        ----------
        plans
            Who is to sit at each seat; at most one is ``me``.
        talk
            Whether players can talk here; None: where three or more play, two of them people.
        public
            Whether it is listed for everybody while it waits for players.
        seed
            What the maker adds to the secret of chance.
        origin
            A digest of the address that it is made from. Where there is one, how many tables
            this person and this address may have at once is limited: `quotas.QUOTAS`.
        also
            What else is stored with the table; what it raises undoes all of it.
        pace
            How much time players have: see `tianxia.tables.clocks.Pace`.
        draft
            What `promise` has returned: its secret, whose hash was shown before, is the table's.
        seeded
            Whether everybody who plays has to add a seed: `verify` demands these.
        returns
            Whether who was away has the seat back again that a bot has played for him; who
            sits down agrees to that.
        rated
            Whether it counts for ratings: then all who play have accounts.
        tournament_id
            Of which tournament it is a game.
        guided
            Whether it follows the guided first game of this game.
        beginning
            With which actions of another game it begins: then no seat is open.

        Raises
        ------
        Refused
            For a game, options, a bot or a number of seats that there are not.
        TooMany
            Where this person or address has enough tables of that kind.
        TooManyWaiting
            Where enough public tables of this person or address wait.
        """
        game = seating.find(spec)
        seats = seating.planned(game, plans, self._seat_for(person, nickname, seed))
        mine = next((place for place, plan in enumerate(plans) if plan.kind == "me"), None)
        key = people.new_key()
        secret = self._promised(draft) if draft else ""
        table_id = draft or people.new_id()
        change = Change(seats=dict(enumerate(seats)))
        if mine is not None:
            seating.hold(change, table_id, mine, person, key)
        for place, plan in enumerate(plans):
            if plan.kind == "held":
                change.holders = [*change.holders, Holder(plan.person, place, "", "")]
        if talk is None:
            talk = seating.usually_talk(seats)
        terms = Terms(
            *(talk, public, Pace.read(pace), returns, seeded, secret, rated, tournament_id),
            guided=guided,
            beginning=beginning,
        )
        if rated and any(seat.kind == "bot" for seat in seats):
            raise Refused("rated", seating.NO_BOTS)
        if rated and not all(seat.kind == "open" or seat.account for seat in seats):
            raise _accounts_only()
        live = self._opened(table_id, game, seats, change, terms)
        made = replace(live.head, maker=people.digest(person), origin=origin or "")
        live = replace(live, head=made)
        self.store.create(made, change, also, partial(self._check_room, made, draft=draft))
        self._keep(live)
        self.hub.publish(table_id, live.head.version)
        return Created(table_id, {} if mine is None else {mine: key})

    def play_on(
        self,
        table_id: str,
        ply: int,
        seat: int,
        bot: str,
        *,
        person: str,
        nickname: str = "",
        seed: str = "",
        draft: str = "",
        origin: str | None = None,
    ) -> Created:
        """Make a table that goes on from a position of a finished game, against bots.

        It is practice: nothing counts, and what was hidden may be known.

        Parameters
        ----------
        ply
            After how many actions of the transcript.
        seat, bot
            Where the person sits, and who plays the other seats.

        Raises
        ------
        UnknownTable, Unplayable
        NotNow
            While the game lasts, or where it was over at that position.
        Refused
            For a position, a seat or a bot that there is not.
        TooMany
        """
        live = self.live(table_id)
        beginning = seating.beginning_of(live, ply)
        game = live.game_log.game
        if not 0 <= seat < game.seats:
            raise Refused("no-seat", N_("This table has no such seat."))
        plans = [SeatPlan("bot", bot)] * game.seats
        plans[seat] = SeatPlan("me")
        return self.create(
            game,
            plans,
            person=person,
            nickname=nickname,
            seed=seed,
            draft=draft,
            origin=origin,
            seeded=True,
            beginning=beginning,
        )

    def promise(self) -> tuple[str, str]:
        """Return the id of a table to come, and the hash of its secret.

        Whoever makes that table with `create` has been shown the hash before adding a seed.
        """
        table_id, secret, now = people.new_id(), new_secret(), self.clock()
        self.store.keep_draft(table_id, secret, now, now + PROMISED_SECONDS)
        return table_id, commitment(secret)

    def _promised(self, table_id: str) -> str:
        """Return the secret of a table that was promised."""
        secret = self.store.draft(table_id, self.clock())
        if secret is None:
            raise _no_promise()
        return secret

    def _seat_for(self, person: str, nickname: str, seed: str = "") -> Seat:
        """Return the seat of somebody who sits down: an account has its own name."""
        account, name = self.store.account(people.digest(person)) or ("", people.clean(nickname))
        return Seat("person", name, seed=seating.clean_seed(seed), account=account)

    def _check_room(self, made: Head, connection: sa.Connection, draft: str = "") -> None:
        """Refuse a table for which there is no room; of several at once each counts.

        A promise is kept with the table: whoever is refused can come back with it.
        """
        if draft and not self.store.drop_draft(connection, draft):
            raise _no_promise()
        if not made.origin:
            return
        self.store.queue(connection, f"maker {made.maker}", f"origin {made.origin}")
        self._check_quotas(connection, made)
        if made.public and made.status == "waiting":
            self._check_waiting(connection, made)

    def _check_quotas(self, connection: sa.Connection, made: Head) -> None:
        """Refuse one table more than somebody, or some address, may have at once."""
        quota = quota_of(made)
        since = made.created - quota.seconds
        for column, whose in (("maker", made.maker), ("origin", made.origin)):
            most, text = quota.limits[column]
            if not whose:
                continue
            made_before = self.store.count_made(
                connection, column, whose, quota.status, since, bots_only=quota.bots_only
            )
            if made_before >= most:
                raise TooMany(text, most)

    def _check_waiting(self, connection: sa.Connection, made: Head) -> None:
        """Refuse one public table more that waits: the list is everybody's."""
        most = {
            "maker": (made.maker, MOST_WAITING),
            "origin": (made.origin, MOST_WAITING_FROM_ORIGIN),
        }
        for column, (whose, limit) in most.items():
            if whose and self.store.count_waiting(connection, column, whose) >= limit:
                raise TooManyWaiting(limit)

    def _opened(
        self,
        table_id: str,
        game: Game,
        seats: Sequence[Seat],
        change: Change,
        terms: Terms,
    ) -> Live:
        """Return a new table, begun where all seats are taken."""
        now, secret = self.clock(), terms.secret or new_secret()
        game_log = GameLog(
            game,
            seating.chance_of(table_id, secret, seats),
            game.rules_version,
            seating.bot_seats(seats),
            terms.pace,
        )
        head = Head(
            id=table_id,
            game=game.name,
            spec=game.spec,
            rules_version=game.rules_version,
            talk=terms.talk,
            public=terms.public,
            pace=str(terms.pace),
            returns=terms.returns,
            rated=terms.rated,
            seeded=terms.seeded,
            tournament_id=terms.tournament_id,
            created=now,
            updated=now,
            version=0,
            status="waiting",
            ending="none",
            acting=0,
            bot_turn=False,
            chance_secret=secret,
            chance_hash=commitment(secret),
            next_id=None,
            bots_only=all(seat.kind == "bot" for seat in seats),
            guided=MOST_GUIDED if terms.guided else -1,
            sources=sources.written(terms.beginning.sources) if terms.beginning else "",
        )
        game_log.course = seating.course_of(game, head)
        if terms.beginning:
            game_log.course = terms.beginning.line
        draft = Draft(Live(head, tuple(seats), (), game_log), game_log, now, change)
        seating.start_if_full(draft)
        self.timing.go_on_resting(draft)
        return draft.done()

    def rematch(
        self,
        table_id: str,
        person: str,
        check: Callable[[Collection[str]], None] = lambda others: None,
    ) -> str:
        """Ask for another game, or join who has asked; return the new table's id.

        Seats move on by one, bots come along. The other people's seats are reserved for
        them until they ask too; where all add seeds the game begins when they have. One that
        was closed before it began is none: another one is made.

        Parameters
        ----------
        check
            Refuses to ask these others (digests of people) for a game.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow
        SeatTaken
            Where somebody else has sat down at the seat meanwhile, or a bot has.
        """
        for _ in range(TRIES):
            live = self.live(table_id)
            seat = seating.seat_held(live, person)
            if live.game_log.status != "over":
                raise NotNow("not-over", N_("This game is not over yet."))
            place = (seat + 1) % live.game_log.game.seats
            following = live.head.next_id
            if following is not None and self.live(following).head.ending != "closed":
                self._join(live, following, seat, place, person)
                return following
            kinds = [one.kind for one in live.seats]  # who has left is not asked
            check([h.person for h in live.holders if h.seat != seat and kinds[h.seat] == "person"])
            try:
                return self._follow(live, seat, person)
            except Conflict:
                continue
        raise Unavailable

    def _follow(self, live: Live, seat: int, person: str) -> str:
        """Make the rematch of a table."""
        game = seating.moved_on(seating.find(live.head.spec))
        count, table_id = game.seats, people.new_id()
        seats, held = [], {one.seat for one in live.holders}
        for place in range(count):
            old = live.seats[(place - 1) % count]
            if old.kind == "bot":
                seats.append(Seat("bot", bot=old.bot))
            elif (place - 1) % count == seat:
                seats.append(
                    Seat("person", old.name, reserved=live.head.seeded, account=old.account)
                )
            elif (place - 1) % count in held:
                seats.append(Seat("open", old.name, reserved=True, account=old.account))
            else:  # an account that was deleted: nobody could come for it
                seats.append(Seat("open"))
        change = Change(seats=dict(enumerate(seats)))
        place = (seat + 1) % count
        seating.hold(change, table_id, place, person, people.new_key())
        seating.bring(change, table_id, place, live, seat)
        pace = live.game_log.clocks.pace
        terms = Terms(
            live.head.talk,
            public=False,
            pace=pace,
            returns=live.head.returns,
            seeded=live.head.seeded,
            rated=live.head.rated and all(one.kind != "bot" for one in seats),
        )
        new = self._opened(table_id, game, seats, change, terms)
        draft = Draft(live, live.game_log.copy(), self.clock(), next_id=table_id)
        before = draft.done()
        maker = people.digest(person)
        new = replace(new, head=replace(new.head, maker=maker, origin=live.head.origin))
        self.store.follow(before.head, new.head, change, partial(self._check_room, new.head))
        self._keep(before)
        self._keep(new)
        self.hub.publish(live.head.id, before.head.version)
        self.hub.publish(table_id, new.head.version)
        return table_id

    def _join(self, old: Live, table_id: str, seat: int, place: int, person: str) -> None:
        """Take the seat that a rematch has reserved."""

        def join(draft: Draft) -> None:
            facts, seeded = draft.live.seats[place], draft.live.head.seeded
            seating.check_kept(draft.live, place, old, seat)
            if facts.kind == "open":
                draft.change.seats = {place: replace(facts, kind="person", reserved=seeded)}
                seating.bring(draft.change, table_id, place, old, seat)
            seating.hold(draft.change, table_id, place, person, people.new_key())
            seating.start_if_full(draft)

        if self.live(table_id).seat_of(person) is None:
            self.change(table_id, join)

    # --- Looking ---

    def snapshot(self, table_id: str) -> Snapshot:
        """Return a table as it is now.

        Raises
        ------
        UnknownTable
        """
        return self._snapshot(self.live(table_id))

    def _snapshot(self, live: Live) -> Snapshot:
        rows = live.game_log.rows
        return Snapshot(live.head, live.seats, live.game_log, lambda: tuple(logs.notations(rows)))

    def open_tables(self, person: str) -> list[Summary]:
        """Return somebody's own tables, then the public ones that wait, each newest first."""
        own = self.store.of_person(people.digest(person), LISTED)
        mine = {head.id for head, _ in own}
        waiting = self.store.waiting(self.clock() - WAITING_SECONDS, WAITING_LISTED)
        return self._summaries([*own, *((head, None) for head in waiting if head.id not in mine)])

    def watchable(self) -> list[Summary]:
        """Return the public games that are being played, the newest first."""
        return self._summaries((one, None) for one in self.store.watchable(WAITING_LISTED))

    def waiting(self) -> list[Summary]:
        """Return the public tables that wait for players, the newest first."""
        found = self.store.waiting(self.clock() - WAITING_SECONDS, WAITING_LISTED)
        return self._summaries((one, None) for one in found)

    def asked_to(self, account: str) -> list[Summary]:
        """Return the tables that wait for an account: it is challenged, or asked once more."""
        return self._summaries((one, None) for one in self.store.asked_to(account, WAITING_LISTED))

    def _summaries(self, listed: Iterable[tuple[Head, int | None]]) -> list[Summary]:
        """Return tables as lists show them to somebody, who has these seats there."""
        listed = list(listed)
        seats = self.store.seats_of([head for head, _ in listed])
        found = []
        for head, seat in listed:
            try:
                found.append(seating.summary(head, seats[head.id], seat))
            except Damaged as error:
                self._tell_damage(head.id, error)
            except Unplayable:  # nobody can sit down there
                continue
        return found

    def decline(self, table_id: str, account: str) -> Snapshot:
        """Let an account not take the seat that is kept for it: anybody may have it then.

        The seat says who has declined it, until somebody sits down there.

        Raises
        ------
        UnknownTable
        NotYourSeat
            Where none is kept for it.
        """

        def decline(draft: Draft) -> None:
            for place, facts in enumerate(draft.seats):
                if facts.is_kept_for(account):
                    draft.change.seats = {place: replace(facts, reserved=False)}
                    return
            raise seating.not_yours()

        return self.change(table_id, decline)

    def transcript(self, table_id: str, viewer: int | None = SPECTATOR) -> str:
        """Return the game as text: what a seat (or SPECTATOR) has seen; all when it is over.

        Extra lines of its header tell of chance; of a finished game
        `tianxia.tables.verify.verify` can check every draw.

        Raises
        ------
        UnknownTable
        Unplayable
            For an unfinished game under other rules.
        """
        live = self.live(table_id)
        game_log, head = live.game_log, live.head
        over = game_log.status == "over"
        if over:
            kept = logs.kept(game_log.rows)
            actions = [(row.seat or 0, row.token or "?") for row in kept]
            scores = game_log.state.scores() if game_log.readable else []
            text = Transcript(
                game_log.game, head.rules_version, None, actions, game_log.ending, scores
            )
        else:
            if not game_log.playable:
                game_log.check_playing()
            text = Transcript.of(game_log.state, SPECTATOR if viewer is None else viewer)
        secret = head.chance_secret if over else None
        demanded = seating.players(live) if head.seeded else None
        seeds = game_log.chance.seeds
        if head.guided < 0:  # else the guide has taken the place of chance
            text.extra = chance_header(head.id, head.chance_hash, seeds, secret, demanded)
        if head.sources:
            text.extra[BEFORE] = head.sources
        if head.pace:
            text.extra["clock"] = head.pace
        if over and (times := _times(game_log)):
            text.extra["times"] = times
        return text.write()

    def drawn(self, table_id: str) -> list[Drawn]:
        """Return all that chance did in a finished game, and could have done: see `Drawn`.

        With the secret, which is shown by then, anybody can work every draw out again.

        Raises
        ------
        UnknownTable
        NotNow
            While the game lasts.
        Unplayable
            For a game under other rules than those installed.
        """
        live = self.live(table_id)
        if live.game_log.status != "over":
            raise NotNow("not-over", N_("This game is not over yet."))
        live.game_log.check_rules()
        return list(drawn(Transcript.read(self.transcript(table_id))))

    # --- Seats ---

    def look(self, table_id: str, person: str, heard: int | None = None) -> tuple[Snapshot, Place]:
        """Return a table as it is now and who somebody is there ("": nobody), asked for at once.

        Parameters
        ----------
        heard
            As of `live`.

        Raises
        ------
        UnknownTable
        """
        live = self.live(table_id, heard)
        snapshot = self._snapshot(live)
        seat = live.seat_of(person) if person else None
        if seat is not None:
            return snapshot, Place(seat, self._key_of(live, seat, person))
        return snapshot, Place(away=bool(person) and may_come_back(live, snapshot, person))

    def see(self, table_id: str, seat: int | None, page: str = "") -> None:
        """Note that a page is open, a seat's or one of those who are at the table.

        `note_seen` writes it down.
        """
        with self._lock:
            if seat is not None:
                self._seen[table_id, seat] = self.clock()
            if page:
                self._open.add(page)

    def note_seen(self) -> None:
        """Write down which pages are open: many at once, for each has a sign of life so often.

        Raises
        ------
        Unavailable
            What was to be written is forgotten: there is another sign of life soon.
        """
        with self._lock:
            seen, self._seen = self._seen, {}
            pages, self._open = self._open, set()
        if seen:
            self.store.see(seen)
        if pages:
            self.store.stay(pages, self.clock())

    def may_show_minds(self, table_id: str, game: str) -> bool:
        """Say whether news of a game's minds may change how a table looks.

        Nothing is read for that: a table that is not in memory may.
        """
        live = self._lives.get(table_id)
        if live is None:
            return True
        waits = live.head.status == "over" or any(seat.kind == "bot" for seat in live.seats)
        return live.game_log.game.name == game and waits

    def seat_of(self, table_id: str, person: str) -> int | None:
        """Return the seat that somebody holds, or None.

        Raises
        ------
        UnknownTable
        """
        return self.live(table_id).seat_of(person)

    def enter(self, table_id: str, key: str, person: str) -> int:
        """Let somebody hold the seat of a private key (too: other devices keep it).

        A person holds one seat of a table; who enters another one leaves the first.

        Raises
        ------
        UnknownTable
        NotYourSeat
            For a key that opens no seat here.
        """
        live = self.live(table_id)
        hashed, seat = people.digest(key), self.seat_of_key(table_id, key)
        if live.seat_of(person) == seat:
            return seat
        if live.seats[seat].kind == "bot":
            raise NotNow(
                "left", N_("The player who sat here has left; a bot plays on for this seat.")
            )
        if len(live.holders) >= MOST_HOLDERS:
            raise NotNow("too-many-devices", N_("This table is open on too many devices."))

        def enter(draft: Draft) -> None:
            sealed = people.seal(key, person, table_id)
            draft.change.holders = [Holder(people.digest(person), seat, hashed, sealed)]

        self.change(table_id, enter)
        return seat

    def seat_of_key(self, table_id: str, key: str) -> int:
        """Return the seat that a private key opens.

        Raises
        ------
        NotYourSeat
            For a key that opens no seat here.
        """
        seat = self.store.key(table_id, people.digest(key))
        if seat is None or not key.isascii():
            raise NotYourSeat("wrong-key", N_("This private link opens no seat at this table."))
        return seat

    def take_seat(
        self,
        table_id: str,
        seat: int,
        person: str,
        nickname: str = "",
        seed: str = "",
        colour: str = "",
    ) -> str:
        """Sit down at an open seat; return its private key. The last one begins the game.

        Where the seat was kept for somebody, and all add seeds, the game waits for theirs.

        Parameters
        ----------
        colour
            The name of a colour that is free; empty: the one that the seat has.

        Raises
        ------
        UnknownTable
        SeatTaken
            Where somebody sits there or has the colour, or this person sits at another seat.
        Refused
            For a seat or a colour that the game does not have.
        """
        key, facts = people.new_key(), self._seat_for(person, nickname, seed)

        def sit(draft: Draft) -> None:
            live = draft.live
            if not 0 <= seat < len(live.seats):
                raise Refused("no-seat", N_("This table has no such seat."))
            if live.seat_of(person) is not None:
                raise SeatTaken("already-seated", N_("You have a seat at this table already."))
            if live.game_log.status == "over":
                raise NotNow("closed", N_("This table was closed."))
            if live.seats[seat].kind != "open":
                raise seating.seat_taken()
            asked = bool(facts.account) and facts.account == live.seats[seat].account
            if live.seats[seat].reserved and not asked:
                raise SeatTaken(
                    "reserved", N_("This seat is kept for a player of the previous game.")
                )
            if live.head.rated and not facts.account:
                raise _accounts_only()
            if colour:
                seating.choose_colour(draft, seat, colour)
            waits = asked and live.head.seeded and not facts.seed
            draft.change.seats = {seat: replace(facts, reserved=waits)}
            seating.hold(draft.change, table_id, seat, person, key)
            seating.start_if_full(draft)

        self.change(table_id, sit)
        return key

    def seat_key(self, table_id: str, seat: int, person: str) -> str:
        """Return the private key of a seat to somebody who holds it.

        Raises
        ------
        UnknownTable, NotYourSeat
        """
        return self._key_of(self.live(table_id), seat, person)

    def _key_of(self, live: Live, seat: int, person: str) -> str:
        table_id, hashed = live.head.id, people.digest(person)
        holder = next((one for one in live.holders if one.person == hashed), None)
        if holder is None or holder.seat != seat:
            raise seating.not_yours()
        key = people.unseal(holder.key_sealed, holder.key_hash, person, table_id)
        if key is not None:
            return key
        key = people.new_key()  # a seat brought along from the game before

        def mint(draft: Draft) -> None:
            seating.hold(draft.change, table_id, seat, person, key)

        self.change(table_id, mint)
        return key

    def rename(self, table_id: str, person: str, nickname: str) -> Snapshot:
        """Change the name that is shown at somebody's seat.

        Raises
        ------
        UnknownTable, NotYourSeat
        """

        def rename(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            facts = draft.live.seats[seat]
            if facts.account:
                raise NotNow("account-name", N_("You sit here under the name of your account."))
            draft.change.seats = {seat: replace(facts, name=people.clean(nickname))}

        return self.change(table_id, rename)

    def add_seed(self, table_id: str, person: str, seed: str) -> Snapshot:
        """Add to the secret of chance, while the table waits for players.

        Who was paired with others has come by that; when all have, the game begins.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow
        """

        def add(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            if draft.game_log.status != "waiting":
                draft.game_log.check_running()
                raise NotNow("begun", N_("The game has begun: chance takes no more seeds."))
            facts = draft.live.seats[seat]
            come = replace(facts, seed=seating.clean_seed(seed), reserved=False)
            draft.change.seats = {seat: come}
            seating.start_if_full(draft)

        return self.change(table_id, add)

    # --- Playing ---

    def act(
        self,
        table_id: str,
        person: str,
        actions: Sequence[int],
        decision: int,
        *,
        lag: float = 0.0,
        received: float | None = None,
    ) -> Snapshot:
        """Take actions for somebody's seat: all of them or none; chance acts after them.

        Parameters
        ----------
        decision
            ``snapshot.decision(seat)`` of the snapshot that the person decided on.
        lag, received
            How many seconds the request was on the way, and when it came, by `clock`: the
            clock is forgiven at most a second of both together.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        Stale
            Where the table has changed since, for instance by this very request sent twice.
        Refused
            With the statement of the rules that forbids an action.
        """

        def act(draft: Draft) -> None:
            seat = seating.seat_held(draft.live, person)
            forgiven = max(0.0, min(MOST_LAG, lag + draft.now - (received or draft.now)))
            draft.game_log.act(seat, actions, decision, draft.now, forgiven)

        try:
            return self.change(table_id, act)
        except TimeOver:
            self.timing.flag(table_id)
            raise

    def act_for_bot(
        self,
        table_id: str,
        seat: int,
        actions: Sequence[int],
        decision: int,
        *,
        stand_in: bool = False,
    ) -> Snapshot:
        """Take actions for a bot's seat, as `act` does for a person's.

        Parameters
        ----------
        stand_in
            Whether another one has decided than the bot that sits there: the table says so.
        """

        def act(draft: Draft) -> None:
            if seat not in draft.game_log.bots:
                raise seating.not_yours()
            draft.game_log.act(seat, actions, decision, draft.now)
            facts = draft.seats[seat]
            if facts.stand_in != stand_in:
                changed = replace(facts, stand_in=stand_in)
                draft.change.seats = {**draft.change.seats, seat: changed}

        return self.change(table_id, act)

    def leave_guide(self, table_id: str, person: str) -> Snapshot:
        """Follow the guided game no longer: from here on everybody plays as he likes.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow
        """

        def leave(draft: Draft) -> None:
            seating.seat_held(draft.live, person)
            if draft.live.head.guided < 0:
                raise NotNow("not-guided", N_("This is not a guided game."))
            draft.guided = min(draft.live.head.guided, len(draft.game_log.moves))
            draft.game_log.course = draft.game_log.course[: draft.guided]

        return self.change(table_id, leave)

    def bot_seed(self, table_id: str, seat: int) -> int:
        """Return the seed of the bot at a seat; nobody may learn it before the end."""
        return self.live(table_id).game_log.chance.bot_seed(seat)

    def take_back(self, table_id: str, person: str) -> Snapshot:
        """Take back what a seat did last, or ask the others to agree to that.

        It is done at once where ``snapshot.may_take_back(seat)``; else
        ``snapshot.take_back_ask`` is the seat, until `answer_take_back`.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        """
        return self._play(table_id, person, lambda game_log, seat, at: game_log.take_back(seat, at))

    def answer_take_back(self, table_id: str, person: str, accept: bool) -> Snapshot:
        """Agree that the asking seat takes back, or refuse.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        """
        return self._play(
            table_id, person, lambda game_log, seat, at: game_log.answer_take_back(seat, accept, at)
        )

    def set_standing(self, table_id: str, person: str, name: str, on: bool) -> Snapshot:
        """Give an answer in advance, or no longer; where it is asked for now it is taken at once.

        To take back what others have seen is to say otherwise, too. Nobody else is told which
        answers a seat has given; who is asked in this way has decided as if he had been there.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        Refused
            Where the game has no such answer.
        """

        def change(draft: Draft) -> None:
            game_log, seat = draft.game_log, seating.seat_held(draft.live, person)
            game_log.check_playing()
            if name not in {one.name for one in seating.standing_answers(game_log.game)}:
                raise Refused("no-standing", N_("This game has no such answer in advance."))
            facts = draft.live.seats[seat]
            names = {*facts.standing.split()} - {name} | ({name} if on else set())
            draft.change.seats = {seat: replace(facts, standing=" ".join(sorted(names)))}
            game_log.standing = seating.standing_of(game_log.game, draft.seats)
            game_log.answer_in_advance(draft.now)

        return self.change(table_id, change)

    def resign(self, table_id: str, person: str) -> Snapshot:
        """Give the game up.

        Where three or more play and another person stays, the best bot plays on for the
        seat, and who has left watches; else the game is over.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow
        """

        def change(draft: Draft) -> None:
            seating.leave(draft, seating.seat_held(draft.live, person))

        return self.change(table_id, change)

    def abort(self, table_id: str, person: str) -> Snapshot:
        """End a game without a result that the rules installed cannot go on with.

        It ends when everybody who sits there has asked for that; bots agree.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow
        """
        return self._play(table_id, person, lambda game_log, seat, at: game_log.abort(seat, at))

    def offer_draw(self, table_id: str, person: str) -> Snapshot:
        """Offer a draw; it stands until another seat answers or acts. Bots decline.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        """
        return self._play(
            table_id, person, lambda game_log, seat, at: game_log.offer_draw(seat, at)
        )

    def answer_draw(self, table_id: str, person: str, accept: bool) -> Snapshot:
        """Agree to a draw that was offered, or decline it.

        Raises
        ------
        UnknownTable, NotYourSeat, NotNow, Unplayable
        """
        return self._play(
            table_id, person, lambda game_log, seat, at: game_log.answer_draw(seat, accept, at)
        )

    def _play(
        self, table_id: str, person: str, play: Callable[[GameLog, int, float], None]
    ) -> Snapshot:
        def change(draft: Draft) -> None:
            play(draft.game_log, seating.seat_held(draft.live, person), draft.now)

        return self.change(table_id, change)

    # --- Versions ---

    def change(self, table_id: str, change: Callable[[Draft], None]) -> Snapshot:
        """Make the next version of a table, store it, then tell of it.

        Threads of this process take turns at a table: left to race, one that is always a
        little slower could lose every time. Where another worker was faster, everything is
        looked at again, after a pause that grows and is never the same for two.
        """
        with self._turns[hash(table_id) % TURNS]:
            return self._change_in_turn(table_id, change)

    def _change_in_turn(self, table_id: str, change: Callable[[Draft], None]) -> Snapshot:
        """Try with the version in memory first: the commit says whether it is the newest."""
        for attempt in range(TRIES):
            if attempt > 1:
                time.sleep(random.uniform(0, 0.004 * attempt))  # noqa: S311
            live = self.live(table_id, None if attempt else 0)
            draft = Draft(live, live.game_log.copy(), self.clock())
            try:
                change(draft)
                if live.game_log.status == "waiting":
                    self.timing.go_on_resting(draft)
                new = draft.done()
            except TianxiaError:
                if attempt == 0 and self.live(table_id) is not live:
                    continue  # it may be right at the table as it is now
                raise
            try:
                self.store.commit(new.head, draft.change)
            except Conflict:
                continue
            self._keep(new)
            self.hub.publish(table_id, new.head.version)
            return self._snapshot(new)
        raise Unavailable

    def go_on_under_present_rules(self) -> None:
        """Look at all running games of earlier rules: most go on, the others wait for people.

        Whoever opens such a table does the same for it; this is for those that nobody opens.
        """
        present = {name: kind(name).rules_version for name in games()}
        for table_id in self.store.of_earlier_rules(present):
            begun = time.monotonic()
            with suppress(TableError):
                self.live(table_id)
            time.sleep(time.monotonic() - begun)  # whoever clicks meanwhile has the processor

    def _brought_up_to_date(self, live: Live) -> Live:
        """Let a running game of earlier rules go on under the present ones, if it can.

        One that cannot is shown as it stood and waits for nobody's move; where no person sits
        at it, it ends without a result.
        """
        head, present = live.head, live.game_log.game.rules_version
        outdated = head.status == "playing" and head.rules_version < present
        if not outdated or self._stuck.get(head.id) == present:
            return live
        now = self.clock()
        try:
            game_log = live.game_log.under_present_rules(now)
        except OtherGame:
            while len(self._stuck) >= MOST_STUCK:
                self._stuck.pop(next(iter(self._stuck)))
            self._stuck[head.id] = present
            game_log = live.game_log.copy()
            if not game_log.people:
                game_log.abandon(now)
            elif not head.acting:  # another process has noted that before
                return live
        draft = Draft(live, game_log, now)
        new = draft.done()
        try:
            self.store.commit(new.head, draft.change)
        except Conflict:
            return self._read(head.id, None)
        self.hub.publish(head.id, new.head.version)
        event = {"table": head.id, "from": head.rules_version, "to": new.head.rules_version}
        log.info("looked at under present rules", extra={"event": event})
        return new

    def live(self, table_id: str, heard: int | None = None) -> Live:
        """Return the newest version of a table, from memory where that has it.

        Parameters
        ----------
        heard
            The newest version that this process has heard of: one in memory that is no older
            is good enough, without asking the database.
        """
        with self._lock:
            live = self._lives.get(table_id)
            if live is not None:
                self._lives.move_to_end(table_id)
        newest = heard
        if live is None or heard is None:
            newest = self.store.version(table_id) if people.is_id(table_id) else None
        if newest is None:
            raise UnknownTable(table_id)
        if live is not None and live.head.version >= newest:
            return live
        return self._load(table_id, newest)

    def _load(self, table_id: str, version: int) -> Live:
        """Read a table; of one that is in memory only what is new.

        Many pages hear of a version at once: one reads it, the others wait for that.
        """
        with self._readings[hash(table_id) % TURNS]:
            live = self._lives.get(table_id)
            if live is not None and live.head.version >= version:
                return live
            return self._load_in_turn(table_id, live)

    def _load_in_turn(self, table_id: str, live: Live | None) -> Live:
        try:
            return self._read(table_id, live)
        except Damaged as error:
            self._tell_damage(table_id, error)
            raise
        except TableError:
            raise
        except Exception as error:
            self._tell_damage(table_id, error)
            raise Damaged from error

    def _tell_damage(self, table_id: str, error: Exception) -> None:
        """Log once what is wrong with a table."""
        if table_id not in self._damaged and len(self._damaged) < MOST_DAMAGED:
            self._damaged.add(table_id)
            event = {"table": table_id, "cause": cause_of(error)}
            log.error("damaged table", extra={"event": event})

    def _read(self, table_id: str, live: Live | None) -> Live:
        known = live.game_log if live is not None and live.game_log.playable else None
        stored = self.store.load(table_id, after=len(known.rows) if known else 0)
        if stored is None:
            raise UnknownTable(table_id)
        if known and live and stored.head.rules_version != live.head.rules_version:
            return self._read(table_id, None)  # a worker with other rules has gone on with it
        seeds_changed = known is not None and known.status == "waiting"
        if known is None or seeds_changed:
            if known is not None:
                stored = self.store.load(table_id) or stored
            game_log = seating.read_game_log(stored)
        else:
            game_log = known.copy()
            if stored.head.guided >= 0:
                game_log.course = game_log.course[: stored.head.guided]
            game_log.read(stored.rows)
        read = Live(stored.head, stored.seats, stored.holders, game_log)
        return self._keep(self._brought_up_to_date(read))

    def _keep(self, live: Live) -> Live:
        """Keep a version in memory, unless there is a newer one; return the newest."""
        with self._lock:
            known = self._lives.get(live.head.id)
            if known is not None and known.head.version >= live.head.version:
                return known
            self._lives.keep(live.head.id, live)
        return live
