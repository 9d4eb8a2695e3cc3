"""Boards that people have drawn: a list for each person, opened by everybody who has a link."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables import people, schema
from tianxia.tables.errors import Refused, TableError
from tianxia.tables.store import Store

_boards = schema.boards.c
MOST = 40
"""Boards that somebody can keep."""
LARGEST = 16_000
"""Characters of one."""
ID_BYTES = 12


class UnknownBoard(TableError):
    """There is no board of that id, or it is somebody else's."""

    status = 404

    def __init__(self) -> None:
        super().__init__("unknown-board", N_("There is no such board. It may have been deleted."))


@dataclass(frozen=True, slots=True)
class SavedBoard:
    """A board as it is kept.

    Attributes
    ----------
    id
        Whoever has it can look at the board.
    person
        The digest of whose it is.
    game, title
        What it is for, and what it is called.
    data
        JSON.
    changed
        When it was saved last.
    """

    id: str
    person: str
    game: str
    title: str
    data: str
    changed: float


class SavedBoards:
    """The boards of one database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def save(
        self, person: str, game: str, title: str, data: str, now: float, board_id: str = ""
    ) -> str:
        """Keep a board for a person, as a new one or in the place of an older one; return its id.

        Raises
        ------
        Refused
            For a board that is too large, and for more than somebody can keep.
        UnknownBoard
            Where the older one is not theirs.
        """
        if len(data) > LARGEST:
            wrong = N_("This board is too large: it has {length} characters of {most}.")
            raise Refused("board-too-large", wrong, length=len(data), most=LARGEST)
        who = people.digest(person)
        row = {"game": game, "title": title, "data": data, "changed": now}
        with self._store.writing() as connection:
            if board_id:
                own = (_boards.id == board_id) & (_boards.person == who) & (_boards.game == game)
                done = connection.execute(sa.update(schema.boards).where(own).values(**row))
                if not done.rowcount:
                    raise UnknownBoard
                return board_id
            mine = _boards.person == who
            if self._store.count_in_turn(connection, f"boards {who}", mine) >= MOST:
                full = N_("You keep {most} boards already. Delete one of them first.")
                raise Refused("too-many-boards", full, most=MOST)
            made = secrets.token_urlsafe(ID_BYTES)
            connection.execute(sa.insert(schema.boards), {"id": made, "person": who, **row})
            return made

    def get(self, board_id: str) -> SavedBoard:
        """Return a board, whoever asks.

        Raises
        ------
        UnknownBoard
        """
        query = self._query().where(_boards.id == board_id)
        found = self._store.row(query)
        if found is None:
            raise UnknownBoard
        return SavedBoard(*found)

    def of(self, person: str) -> list[SavedBoard]:
        """Return the boards of a person, the newest first."""
        query = self._query().where(_boards.person == people.digest(person))
        rows = self._store.rows(query.order_by(_boards.changed.desc(), _boards.id))
        return [SavedBoard(*row) for row in rows]

    def delete(self, person: str, board_id: str) -> None:
        """Delete a board of a person.

        Raises
        ------
        UnknownBoard
        """
        own = (_boards.id == board_id) & (_boards.person == people.digest(person))
        with self._store.writing() as connection:
            if not connection.execute(sa.delete(schema.boards).where(own)).rowcount:
                raise UnknownBoard

    def _query(self) -> sa.Select[Any]:
        return sa.select(*(_boards[name] for name in SavedBoard.__dataclass_fields__))
