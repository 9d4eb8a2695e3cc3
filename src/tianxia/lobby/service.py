"""Pairing, and who is here: `Lobby`. Synchronous and safe to call from many threads."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.kernel.game import Game
from tianxia.lobby.shunning import Shunned
from tianxia.tables import (
    Created,
    NotNow,
    SeatPlan,
    TableError,
    Tables,
    Unavailable,
    people,
    schema,
    seating,
)
from tianxia.tables.errors import TooMany
from tianxia.tables.store import LOBBY_CHANNEL, Conflict, insert

_seeks, _visitors, _accounts = schema.seeks.c, schema.visitors.c, schema.accounts.c
ALIVE = 40.0
"""Seconds that a seek counts after its page has last asked for news."""
FORGOTTEN = 600.0
HERE = 90.0
"""Seconds that somebody counts as here after their last page."""
TOUCH = 15.0
TRIES = 8
LISTED = 50
MOST_FROM_ORIGIN = 12
"""People who may wait at once from an address: fewer than the list shows."""
NAMED = 60
NOTHING = ""


@dataclass(frozen=True, slots=True)
class Seek:
    """Somebody who waits for others.

    Attributes
    ----------
    table_id
        Where they have met; empty while they wait.
    account
        The id of theirs, in lists; empty for guests.
    rated
        Whether the game shall be rated, where all who meet want that and have accounts.
    """

    id: str
    name: str
    spec: str
    pace: str
    table_id: str
    created: float
    account: str = NOTHING
    rated: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """Somebody who waits, to those whom they meet; `account` is empty for guests."""

    seek: str
    person: str
    name: str
    account: str
    rated: bool


@dataclass(frozen=True, slots=True)
class Here:
    """Who is here: the names of accounts, and how many there are in all."""

    names: tuple[str, ...]
    count: int


class Lobby:
    """How people meet.

    Attributes
    ----------
    shunned
        Whom somebody does not want to meet, or to hear.
    """

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.store = tables.store
        self.shunned = Shunned(self.store)
        self._dice = random.SystemRandom()

    # --- Pairing ---

    def seek(
        self,
        person: str,
        nickname: str,
        spec: str | Game,
        pace: str = NOTHING,
        *,
        rated: bool = False,
        origin: str | None = None,
    ) -> Seek:
        """Wait for others who want the same game at the same pace; where they are, begin.

        Who has waited longest comes first. A person waits once: another wish replaces it. Whoever
        has met somebody by the same wish, and has not come yet, is led there: a button was
        pressed twice, and the other one would wait in vain.

        Parameters
        ----------
        rated
            Whether the game shall be rated, where all who meet want that and have accounts.
        origin
            A digest of the address that it comes from. Where there is one, so many wait from it.

        Raises
        ------
        Refused
            For a game that there is not.
        TooMany
        """
        game, who = seating.find(spec), people.digest(person)
        account, name = self.store.account(who) or ("", people.clean(nickname))
        now = self.tables.clock()
        if (met := self._met(person, who, game.spec, pace)) is not None:
            return met
        rated = rated and bool(account)
        mine = Seek(people.new_id(), name, game.spec, pace, NOTHING, now, rated=rated)
        with self.store.writing() as connection:
            stale = sa.or_(
                sa.and_(_seeks.person == who, _seeks.table_id == NOTHING),
                _seeks.at < now - FORGOTTEN,
            )
            connection.execute(sa.delete(schema.seeks).where(stale))
            if origin:
                self._check_room(connection, origin, now)
            row = {
                "id": mine.id,
                "person": who,
                "name": name,
                "spec": mine.spec,
                "pace": pace,
                "created": now,
                "at": now,
                "rated": rated,
                "origin": origin or NOTHING,
            }
            connection.execute(sa.insert(schema.seeks), row)
        self._changed()
        self._join(game, pace, Other(mine.id, who, name, account, rated))
        return self.look(mine.id, person)

    def _met(self, person: str, who: str, spec: str, pace: str) -> Seek | None:
        """Return the seek by which somebody has met others who still wait for them."""
        same = _seeks.person == who, _seeks.spec == spec, _seeks.pace == pace
        query = sa.select(schema.seeks).where(*same, _seeks.table_id != NOTHING)
        for row in self.store.rows(query):
            with suppress(TableError):
                seat = self.tables.seat_of(row.table_id, person)
                if seat is not None and self.tables.snapshot(row.table_id).wants_seed(seat):
                    return _read(row)
        return None

    def _join(self, game: Game, pace: str, mine: Other) -> None:
        """Let somebody who waits meet those who want the same, where there are enough of them."""
        own = sa.select(_seeks.table_id).where(_seeks.id == mine.seek)
        for _ in range(TRIES):
            found = self._others(game, pace, mine.person, self.tables.clock())
            if len(found) < game.seats - 1:
                return
            with suppress(Conflict):
                self._meet(game, pace, [mine, *found])
                return
            # One of them has met somebody else meanwhile, or this one has.
            if self.store.scalar(own) != NOTHING:
                return

    def _check_room(self, connection: sa.Connection, origin: str, now: float) -> None:
        """Refuse one more who waits from an address: the list is everybody's."""
        mine, waiting = _seeks.origin == origin, _seeks.table_id == NOTHING
        here = mine, waiting, _seeks.at >= now - ALIVE
        if self.store.count_in_turn(connection, f"seeks {origin}", *here) >= MOST_FROM_ORIGIN:
            text = N_("{most} people at your address are looking for others already. Try later.")
            raise TooMany(text, MOST_FROM_ORIGIN).of(__name__)

    def _others(self, game: Game, pace: str, who: str, now: float) -> list[Other]:
        """Return those who have waited longest for this."""
        account = sa.func.coalesce(_accounts.id, NOTHING)
        query = (
            sa.select(_seeks.id, _seeks.person, _seeks.name, account, _seeks.rated)
            .join_from(
                schema.seeks,
                schema.accounts,
                _accounts.person == _seeks.person,
                isouter=True,
            )
            .where(
                _seeks.table_id == NOTHING,
                _seeks.at >= now - ALIVE,
                _seeks.spec == game.spec,
                _seeks.pace == pace,
                _seeks.person != who,
            )
            .order_by(_seeks.created)
        )
        waiting = [Other(*row) for row in self.store.rows(query)]
        shuns = self.shunned.either_way(who)
        chosen: list[Other] = []
        for seek in waiting:
            willing = seek.person not in shuns and not any(
                self.shunned.between(seek.person, one.person) for one in chosen
            )
            if willing and len(chosen) < game.seats - 1:
                chosen.append(seek)
        return chosen

    def _meet(self, game: Game, pace: str, who: list[Other]) -> None:
        """Make the table of those who have met: at random seats, all of them or nobody."""
        self._dice.shuffle(who)
        plans = [
            SeatPlan("held", person=one.person, name=one.name, account=one.account) for one in who
        ]
        ids = [one.seek for one in who]

        def met(connection: sa.Connection, table_id: str) -> None:
            waiting = sa.update(schema.seeks).where(_seeks.id.in_(ids), _seeks.table_id == NOTHING)
            if connection.execute(waiting.values(table_id=table_id)).rowcount != len(ids):
                raise Conflict
            for seek in ids:
                self.store.notify(connection, LOBBY_CHANNEL, seek, 1)

        self.tables.create(
            game,
            plans,
            person=NOTHING,
            public=True,
            pace=pace,
            seeded=True,
            rated=all(one.rated for one in who),
            also=met,
        )
        for seek in ids:
            self.tables.lobby.publish(seek, 1)
        self._changed()

    def blocks(self, person: str, other: str) -> bool:
        """Say whether a person (an id) and somebody else (a digest) shall not meet."""
        return self.shunned.between(people.digest(person), other)

    def challenge(
        self,
        person: str,
        nickname: str,
        to: tuple[str, str],
        game: Game,
        pace: str,
        *,
        rated: bool = False,
        origin: str | None = None,
    ) -> Created:
        """Make a table at which a seat is kept for an account (id and name).

        Other seats are open to whoever comes. It begins when all have added their seeds.
        """
        who = people.digest(person)
        account, name = self.store.account(who) or ("", people.clean(nickname))
        plans = [
            SeatPlan("held", person=who, name=name, account=account),
            SeatPlan("kept", account=to[0], name=to[1]),
            *[SeatPlan("open")] * (game.seats - 2),
        ]
        return self.tables.create(
            game, plans, person=person, pace=pace, seeded=True, rated=rated, origin=origin
        )

    def look(self, seek_id: str, person: str) -> Seek:
        """Return how far somebody's seek is; that they look shows that they are there.

        Who comes back, as from sleep, meets those who have come meanwhile: these were told that
        nobody was here, and would wait beside them.

        Raises
        ------
        NotNow
            Where it has ended.
        """
        who, now = people.digest(person), self.tables.clock()
        query = sa.select(schema.seeks).where(_seeks.id == seek_id, _seeks.person == who)
        row = self.store.row(query)
        if row is None:
            raise NotNow("no-seek", N_("You are no longer waiting for anybody.")).of(__name__)
        if not row.table_id and now - row.at > TOUCH:
            with self.store.writing() as connection:
                touched = sa.update(schema.seeks).where(_seeks.id == seek_id)
                connection.execute(touched.values(at=now))
            if now - row.at > ALIVE:
                account, name = self.store.account(who) or (NOTHING, row.name)
                mine = Other(row.id, who, name, account, row.rated and bool(account))
                self._join(seating.find(row.spec), row.pace, mine)
                row = self.store.row(query) or row
        return _read(row)

    def give_up(self, seek_id: str, person: str) -> None:
        """Wait no longer."""
        gone = sa.delete(schema.seeks).where(
            _seeks.id == seek_id,
            _seeks.person == people.digest(person),
            _seeks.table_id == NOTHING,
        )
        with self.store.writing() as connection:
            connection.execute(gone)
        self._changed()

    def seeks(self, person: str) -> list[Seek]:
        """Return who waits now, besides this person and those they shun; longest first."""
        who, now = people.digest(person), self.tables.clock()
        query = (
            sa.select(schema.seeks, sa.func.coalesce(_accounts.id, NOTHING).label("account"))
            .join_from(
                schema.seeks, schema.accounts, _accounts.person == _seeks.person, isouter=True
            )
            .where(_seeks.table_id == NOTHING, _seeks.at >= now - ALIVE, _seeks.person != who)
            .order_by(_seeks.created)
            .limit(LISTED)
        )
        rows = self.store.rows(query)
        shuns = self.shunned.either_way(who) if rows else frozenset()
        return [_read(row, row.account) for row in rows if row.person not in shuns]

    def _changed(self) -> None:
        """Tell open lobbies of this process at once; others look again by themselves."""
        self.tables.lobby.wake(LISTS)

    # --- Who is here ---

    def visit(self, person: str) -> None:
        """Note that somebody is here."""
        who, now = people.digest(person), self.tables.clock()
        last = self.store.scalar(sa.select(_visitors.at).where(_visitors.person == who))
        if last is not None and now - last < TOUCH:
            return
        account, _ = self.store.account(who) or (NOTHING, NOTHING)
        values = {"at": now, "account": account}
        with self.store.writing() as connection:
            again = sa.update(schema.visitors).where(_visitors.person == who).values(**values)
            if connection.execute(again).rowcount:
                return
            gone = sa.delete(schema.visitors).where(_visitors.at < now - FORGOTTEN)
            connection.execute(gone)
            insert(connection, schema.visitors, {"person": who, **values})

    def here(self) -> Here:
        """Return who is here."""
        since = self.tables.clock() - HERE
        query = (
            sa.select(_accounts.name)
            .join_from(schema.visitors, schema.accounts, _accounts.id == _visitors.account)
            .where(_visitors.at >= since)
            .order_by(_accounts.name_key)
            .limit(NAMED)
        )
        count = sa.select(sa.func.count()).where(_visitors.at >= since)
        with self.store.reading() as connection:
            names = tuple(connection.execute(query).scalars())
            return Here(names, int(connection.execute(count).scalar_one()))


def _read(row: Any, account: str = NOTHING) -> Seek:
    facts = (row.id, row.name, row.spec, row.pace, row.table_id, row.created)
    return Seek(*facts, account, rated=row.rated)


LISTS = "lists"
"""What open lobbies listen to in `Tables.lobby`."""
__all__ = ["LISTS", "Here", "Lobby", "Seek", "Unavailable"]
