"""Who is at a table now: at the seats, watching, and looking at a finished game together."""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa

from tianxia.tables import Tables, people, schema
from tianxia.tables.store import LOBBY_CHANNEL

ALIVE = 50.0
"""Seconds after which a page that has not said that it is open is gone, as its process is."""
NAMED = 30
NOTHING = ""
_pages, _holders, _accounts = schema.pages.c, schema.holders.c, schema.accounts.c


@dataclass(frozen=True, slots=True)
class Present:
    """Who is at a table.

    Attributes
    ----------
    seats
        Those whose people have the table's page open.
    names, guests
        The accounts that watch, and how many others do.
    looking, others
        Who looks at the finished game together: those with a name, and how many others.
    """

    seats: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    guests: int = 0
    looking: tuple[str, ...] = ()
    others: int = 0


def ear(table_id: str) -> str:
    """Return the name under which pages are told of who comes and goes: ``tables.lobby``."""
    return f"{table_id}/company"


class Company:
    """Who has the page of a table open, in all processes."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    def come(
        self, page: str, table_id: str, person: str, look: str = NOTHING, name: str = NOTHING
    ) -> None:
        """Note that somebody has opened a table.

        Parameters
        ----------
        page
            An id of the page's own; a program's stream is one page of several tables.
        look
            Under which they look at a finished game together.
        name
            What a guest is called.
        """
        now = self._tables.clock()
        row = {
            "id": page,
            "table_id": table_id,
            "person": people.digest(person),
            "look": look,
            "name": people.clean(name),
            "at": now,
        }
        with self._store.writing() as connection:
            connection.execute(sa.delete(schema.pages).where(_pages.at < now - ALIVE))
            connection.execute(sa.insert(schema.pages), row)
            self._tell(connection, table_id)
        self._tables.lobby.wake(ear(table_id))

    def stay(self, page: str) -> None:
        """Note that a page is still open."""
        self._store.stay([page], self._tables.clock())

    def go(self, page: str, *table_ids: str) -> None:
        """Note that a page was closed, or a program's stream has left some tables."""
        with self._store.writing() as connection:
            mine = (_pages.id == page) & _pages.table_id.in_(table_ids)
            connection.execute(sa.delete(schema.pages).where(mine))
            for table_id in table_ids:
                self._tell(connection, table_id)
        for table_id in table_ids:
            self._tables.lobby.wake(ear(table_id))

    def _tell(self, connection: sa.Connection, table_id: str) -> None:
        """Tell other processes; numbers that grow are all that they listen to."""
        self._store.notify(connection, LOBBY_CHANNEL, ear(table_id), time.time_ns() // 1000)

    def at(self, table_id: str, look: str = NOTHING) -> Present:
        """Return who is at a table, and looks at it under an id."""
        query = (
            sa.select(
                _pages.person,
                _pages.look,
                _holders.seat,
                sa.func.coalesce(_accounts.name, NOTHING),
                _pages.name,
            )
            .join_from(
                schema.pages,
                schema.holders,
                sa.and_(_holders.table_id == _pages.table_id, _holders.person == _pages.person),
                isouter=True,
            )
            .join(schema.accounts, _accounts.person == _pages.person, isouter=True)
            .where(_pages.table_id == table_id, _pages.at >= self._tables.clock() - ALIVE)
        )
        rows = self._store.rows(query)
        seats = {seat for _, _, seat, *_ in rows if seat is not None}
        watching = {person: account for person, _, seat, account, _ in rows if seat is None}
        looking = {
            person: account or name for person, at, _, account, name in rows if look and at == look
        }
        return Present(tuple(sorted(seats)), *_named(watching), *_named(looking))


def _named(found: dict[str, str]) -> tuple[tuple[str, ...], int]:
    names = sorted(filter(None, found.values()), key=str.casefold)[:NAMED]
    return tuple(names), len(found) - len(names)
