"""Who wants to be told of what, and what is on its way. Synchronous, safe from many threads."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables import Refused, Snapshot, TableError, Tables, people, schema
from tianxia.tables.store import identified, insert

Way = Literal["push", "mail"]
WAYS: tuple[Way, ...] = ("push", "mail")
PACES = ("quick", "calm", "mail", "none")
UNASKED = {("push", pace) for pace in PACES} | {("mail", "mail"), ("mail", "none")}
"""What somebody is told who has a browser or an address here and has not said otherwise."""
SERVICES = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
"""To these push messages may go, and to what is under them: nowhere else on the network."""
HERE = ("localhost", "127.0.0.1")
"""Where somebody runs a push service on this machine, it need not speak TLS."""
MOST_BROWSERS = 10
MOST_TURNS = 1000
LONGEST_ENDPOINT = 1000
LOOKING_SECONDS = 30.0
"""Whose page was open so short a time ago is looking."""
COMING_SECONDS = 10.0
"""Whoever was paired and looks at a page of ours comes within this time by themselves."""
DAY = 86400.0
WAITS = (5.0, 30.0, 120.0, 600.0, 3600.0, 6 * 3600.0)
"""Seconds until what has failed is tried again."""
CLAIM_SECONDS = 60.0

_subscriptions, _told, _messages = schema.subscriptions, schema.told, schema.messages
_accounts, _holders, _seats = schema.accounts.c, schema.holders.c, schema.seats.c
_heads = schema.tables.c
_ACTS = _heads.acting.bitwise_rshift(_messages.c.seat).bitwise_and(1) == 1
_AWAITED = sa.exists().where(
    _heads.id == _messages.c.table_id,
    sa.or_(_heads.status == "waiting", sa.and_(_heads.status == "playing", _ACTS)),
)
"""That the seat of a message is still asked, or waited for."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A browser that takes push messages."""

    id: str
    person: str
    endpoint: str
    keys: Mapping[str, str]
    language: str


@dataclass(frozen=True, slots=True)
class Message:
    """Something to be told: that it is a seat's turn since some moment."""

    id: str
    person: str
    way: Way
    table_id: str
    seat: int
    since: float
    tries: int


class Telling:
    """What people want to be told, and what they are.

    Parameters
    ----------
    services
        The hosts to which push messages may go.
    """

    def __init__(self, tables: Tables, services: Sequence[str] = SERVICES) -> None:
        self.tables = tables
        self._store = tables.store
        self._services = tuple(services)

    # --- What somebody wants ---

    def subscribe(
        self, person: str, endpoint: str, keys: Mapping[str, str], language: str = "en"
    ) -> None:
        """Let a browser take messages for somebody; the oldest of very many is forgotten.

        Raises
        ------
        Refused
            For an address that belongs to no push service, or without the browser's keys.
        """
        self._check(endpoint, keys)
        self.pass_over(people.digest(person))
        row = {
            "id": people.digest(endpoint),
            "person": people.digest(person),
            "endpoint": endpoint,
            "keys": json.dumps({name: keys[name] for name in ("p256dh", "auth")}),
            "language": language,
            "created": self.tables.clock(),
        }
        own = sa.select(_subscriptions.c.id).where(_subscriptions.c.person == row["person"])
        newest = own.order_by(_subscriptions.c.created.desc()).limit(MOST_BROWSERS)
        with self._store.writing() as connection:
            self._store.queue(connection, f"browser {row['id']}")
            same = _subscriptions.c.id == row["id"]
            connection.execute(sa.delete(_subscriptions).where(same))
            connection.execute(sa.insert(_subscriptions), row)
            kept = list(connection.execute(newest).scalars())
            gone = sa.and_(
                _subscriptions.c.person == row["person"], _subscriptions.c.id.not_in(kept)
            )
            connection.execute(sa.delete(_subscriptions).where(gone))

    def pass_over(self, digest: str) -> None:
        """Tell a person (a digest) nothing of turns that have begun by now, be they told or not.

        To be called before they can be told of what they could not be told of until now: else they
        would be when somebody acts there next, be it in secret.
        """
        for head, seat in self._store.of_person(digest, MOST_TURNS):
            if head.status != "playing" or not head.acting >> seat & 1:
                continue
            with suppress(TableError):
                snapshot = self.tables.snapshot(head.id)
                if (since := asked_since(snapshot).get(seat)) is not None:
                    for way in WAYS:
                        self._add(_row(digest, way, snapshot.id, seat, since, None))

    def _check(self, endpoint: str, keys: Mapping[str, str]) -> None:
        try:
            parts = urlsplit(endpoint)
            host = parts.hostname or ""
        except ValueError:
            host = ""
        known = any(host == name or host.endswith(f".{name}") for name in self._services)
        local = host in self._services and host in HERE
        if not known or (parts.scheme != "https" and not local) or len(endpoint) > LONGEST_ENDPOINT:
            raise Refused("endpoint", N_("This browser’s push service is not known here.")).of(
                __name__
            )
        if not all(0 < len(keys.get(name, "")) <= 200 for name in ("p256dh", "auth")):
            raise Refused("keys", N_("The keys of this browser are missing: p256dh and auth.")).of(
                __name__
            )

    def unsubscribe(self, endpoint: str) -> None:
        """Let a browser take no more messages."""
        same = _subscriptions.c.id == people.digest(endpoint)
        with self._store.writing() as connection:
            connection.execute(sa.delete(_subscriptions).where(same))

    def browsers(self, digest: str) -> list[Subscription]:
        """Return the browsers that take messages for a person (a digest)."""
        row = _subscriptions.c
        query = sa.select(row.id, row.person, row.endpoint, row["keys"], row.language)
        found = self._store.rows(query.where(row.person == digest))
        return [Subscription(*(*who, json.loads(keys), language)) for *who, keys, language in found]

    def mail_of(self, digest: str) -> tuple[str, str] | None:
        """Return the confirmed address of a person (a digest), and their language."""
        query = sa.select(_accounts.mail, _accounts.language).where(_accounts.person == digest)
        found = self._store.row(query)
        return (found.mail, found.language or "en") if found is not None and found.mail else None

    def wishes(self, digest: str) -> set[tuple[str, str]]:
        """Return the (way, pace) of which a person (a digest) wants to be told."""
        query = sa.select(_told.c.way, _told.c.pace, _told.c.wanted)
        rows = self._store.rows(query.where(_told.c.person == digest))
        said = {(row.way, row.pace): row.wanted for row in rows}
        every = [(way, pace) for way in WAYS for pace in PACES]
        return {pair for pair in every if said.get(pair, pair in UNASKED)}

    def wish(self, digest: str, way: str, pace: str, wanted: bool) -> None:
        """Say whether a person (a digest) wants to be told in a way, at tables of a pace.

        Raises
        ------
        Refused
            For a way or a pace that there is not.
        """
        if way not in WAYS or pace not in PACES:
            raise Refused(
                "told",
                N_("Choose a way ({ways}) and a pace ({paces})."),
                ways=", ".join(WAYS),
                paces=", ".join(PACES),
            ).of(__name__)
        if wanted:
            self.pass_over(digest)
        key = {"person": digest, "way": way, "pace": pace}
        self._store.put(_told, key, {"wanted": wanted})

    def stop(self, digest: str, way: str) -> None:
        """Tell a person nothing more in a way."""
        for pace in PACES:
            self.wish(digest, way, pace, wanted=False)

    # --- What is on its way ---

    def plan(self, table_id: str) -> int:
        """Note whom to tell that it is their turn at a table, or to come to it; return how many.

        To come to it are those who were paired, and accounts for which a seat is kept.

        One for each turn and way. Where the seat's page was open just now it waits until that
        is known not to be so any more; if somebody looks then, nothing is sent.
        """
        snapshot = self.tables.snapshot(table_id)
        now, planned = self.tables.clock(), 0
        asked = asked_since(snapshot)
        if not asked:
            return 0
        seen = self._store.seen(table_id)
        for seat, since in asked.items():
            due = max(now, seen.get(seat, 0.0) + LOOKING_SECONDS)
            if snapshot.status == "waiting":
                due = max(due, since + COMING_SECONDS)
            planned += self._plan(snapshot, seat, since, due)
        return planned

    def reached(self, table_ids: Collection[str]) -> list[str]:
        """Return those of some tables where somebody has a browser or an address to be told by.

        Mostly nobody has. Every process asks this after every move, so that it is one
        statement, and a table is read only where there may be somebody to tell.
        """
        return self._store.column(_REACHED, {"tables": list(table_ids)})

    def _plan(self, snapshot: Snapshot, seat: int, since: float, due: float) -> int:
        info = snapshot.seats[seat]
        query = sa.select(_holders.person).where(
            _holders.table_id == snapshot.id, _holders.seat == seat
        )
        if info.kind == "open":
            query = sa.select(_accounts.person).where(_accounts.id == info.account)
        holders = self._store.column(query)
        pairs = [(person, way) for person in holders for way in self._ways(person, snapshot)]
        rows = [_row(person, way, snapshot.id, seat, since, due) for person, way in pairs]
        return sum(map(self._add, rows))

    def _ways(self, person: str, snapshot: Snapshot) -> list[Way]:
        """Return the ways in which a person can be told, and wants to be."""
        can = {"push": self.browsers, "mail": self.mail_of}
        open_to: list[Way] = [way for way in WAYS if can[way](person)]
        if not open_to:
            return []
        wishes = self.wishes(person)
        return [way for way in open_to if (way, snapshot.pace.category) in wishes]

    def _add(self, row: dict[str, object]) -> bool:
        with self._store.writing() as connection:
            return insert(connection, _messages, row)

    def next(self) -> tuple[Message | None, float | None]:
        """Claim the message that is due first; return it, or when the next one is due."""
        row, now = _messages.c, self.tables.clock()
        first = sa.select(_messages).where(row.due.is_not(None)).order_by(row.due).limit(1)
        found = self._store.row(first)
        if found is None or found.due > now:
            return None, None if found is None else found.due
        mine = (
            sa.update(_messages)
            .where(row.id == found.id, row.due == found.due)
            .values(due=now + CLAIM_SECONDS, tries=row.tries + 1)
        )
        with self._store.writing() as connection:
            if not connection.execute(mine).rowcount:
                return None, now  # another process was faster
        columns = (found.id, found.person, found.way, found.table_id, found.seat, found.since)
        return Message(*columns, found.tries), None

    def done(self, message: Message) -> None:
        """Note that a message was sent, or need not be; those of turns that are over are forgotten.

        Of a turn that lasts for days it is kept that it was told: else it would be told once more
        when somebody acts there, be it in secret.
        """
        now = self.tables.clock()
        old = sa.and_(_messages.c.since < now - DAY, _messages.c.due.is_(None), ~_AWAITED)
        with self._store.writing() as connection:
            same = _messages.c.id == message.id
            connection.execute(sa.update(_messages).where(same).values(due=None))
            connection.execute(sa.delete(_messages).where(old))

    def again(self, message: Message) -> bool:
        """Plan to send a message once more; say whether it is worth it."""
        if message.tries >= len(WAITS):
            self.done(message)
            return False
        due = self.tables.clock() + WAITS[message.tries]
        with self._store.writing() as connection:
            same = _messages.c.id == message.id
            connection.execute(sa.update(_messages).where(same).values(due=due))
        return True

    def still_asked(self, message: Message) -> Snapshot | None:
        """Return the table of a message, unless its turn is over or somebody looks by now."""
        snapshot = self.tables.snapshot(message.table_id)
        seen = self._store.seen(message.table_id).get(message.seat, 0.0)
        same = asked_since(snapshot).get(message.seat) == message.since
        away = self.tables.clock() - seen >= LOOKING_SECONDS
        return snapshot if same and away else None


def _row(
    person: str, way: Way, table_id: str, seat: int, since: float, due: float | None
) -> dict[str, object]:
    """Return a message as it is kept; without `due` it is not to be sent."""
    return identified(
        {
            "person": person,
            "way": way,
            "table_id": table_id,
            "seat": seat,
            "since": since,
            "due": due,
            "tries": 0,
        }
    )


def asked_since(snapshot: Snapshot) -> dict[int, float]:
    """Return the seats whose people are awaited, and since when: to act, or to come at all."""
    if snapshot.status == "waiting":
        return {
            seat: snapshot.created
            for seat, one in enumerate(snapshot.seats)
            if one.reserved and (one.kind == "person" or one.account)
        }
    pairs = [(seat, snapshot.clocks[seat].since) for seat in snapshot.acting]
    return {
        seat: since
        for seat, since in pairs
        if since is not None and snapshot.seats[seat].kind == "person"
    }


# --- Statements that are asked after every move ---

_TABLES: sa.BindParameter[str] = sa.bindparam("tables", expanding=True)
_KEPT = sa.select(_seats.table_id, _accounts.person).where(
    _seats.table_id.in_(_TABLES), _seats.kind == "open", _accounts.id == _seats.account
)
_HELD = sa.select(_holders.table_id, _holders.person).where(_holders.table_id.in_(_TABLES))
_THERE = _HELD.union_all(_KEPT).subquery().c
_REACHED = (
    sa.select(_THERE.table_id)
    .distinct()
    .where(
        sa.or_(
            sa.exists().where(_subscriptions.c.person == _THERE.person),
            sa.exists().where(_accounts.person == _THERE.person, _accounts.mail != ""),
        )
    )
)
