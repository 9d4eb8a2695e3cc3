"""Looking at a finished game together: who steps, the others follow."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables import NotNow, Tables, people, schema
from tianxia.tables.store import LOBBY_CHANNEL

KEPT_SECONDS = 7 * 86400.0
"""A look at which nobody steps any more is forgotten after a week."""
_looks = schema.looks.c


@dataclass(frozen=True, slots=True)
class Look:
    """Where those who look at a game together are.

    Attributes
    ----------
    number
        One larger with every step.
    ply
        After how many actions of the transcript.
    name
        Of whoever stepped there.
    """

    number: int
    ply: int
    name: str

    @property
    def version(self) -> str:
        """Tells it from those before."""
        return str(self.number)


class Together:
    """All finished games that are being looked at together.

    Whoever knows the id of such a look may step, as whoever knows a table's may watch.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store

    def open(self, table_id: str, ply: int, name: str) -> str:
        """Begin to look at a position; return the id under which others follow.

        Raises
        ------
        UnknownTable
        NotNow
            While the game lasts.
        """
        ply, now, look_id = self._within(table_id, ply), self._tables.clock(), people.new_id()
        row = {
            "id": look_id,
            "table_id": table_id,
            "number": 1,
            "ply": ply,
            "name": name,
            "at": now,
        }
        with self._store.writing() as connection:
            connection.execute(sa.delete(schema.looks).where(_looks.at < now - KEPT_SECONDS))
            connection.execute(sa.insert(schema.looks), row)
        return look_id

    def look(self, table_id: str, look_id: str) -> Look:
        """Say where they are.

        Raises
        ------
        NotNow
            Where nobody looks at this game under this id.
        """
        query = sa.select(_looks.number, _looks.ply, _looks.name).where(_this(table_id, look_id))
        row = self._store.row(query)
        if row is None:
            raise _gone()
        return Look(*row)

    def step(self, table_id: str, look_id: str, ply: int, name: str) -> Look:
        """Step to a position, for all who follow.

        Raises
        ------
        UnknownTable, NotNow
        """
        ply, now = self._within(table_id, ply), self._tables.clock()
        step = sa.update(schema.looks).where(_this(table_id, look_id))
        with self._store.writing() as connection:
            values = {"number": _looks.number + 1, "ply": ply, "name": name, "at": now}
            if connection.execute(step.values(values)).rowcount != 1:
                raise _gone()
            query = sa.select(_looks.number).where(_looks.id == look_id)
            number = connection.execute(query).scalar_one()
            self._store.notify(connection, LOBBY_CHANNEL, look_id, number)
        self._tables.lobby.publish(look_id, number)
        return Look(number, ply, name)

    def _within(self, table_id: str, ply: int) -> int:
        """Return a position that the game has; refuse while it lasts."""
        snapshot = self._tables.snapshot(table_id)
        if not snapshot.open_to_all:
            raise NotNow("not-over", N_("This game is not over yet.")).of(__name__)
        return max(0, min(ply, len(snapshot.plies_notations) - 1))


def _this(table_id: str, look_id: str) -> sa.ColumnElement[bool]:
    return sa.and_(_looks.id == look_id, _looks.table_id == table_id)


def _gone() -> NotNow:
    gone = NotNow("no-look", N_("Nobody is looking at this game together here any more."))
    return gone.of(__name__)
