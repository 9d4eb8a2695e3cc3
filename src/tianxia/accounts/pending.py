"""What is confirmed once, and before it expires: links sent by mail, challenges of passkeys."""

from __future__ import annotations

import sqlalchemy as sa

from tianxia.accounts.errors import Expired
from tianxia.tables import people, schema
from tianxia.tables.store import Store

_pending = schema.pending.c


class Pending:
    """Keys that are good for one use."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(
        self, key: str, kind: str, expires: float, account_id: str | None = None, about: str = ""
    ) -> None:
        """Keep a key until it is sent back."""
        row = {
            "id": people.digest(key),
            "account_id": account_id,
            "kind": kind,
            "about": about,
            "expires": expires,
        }
        with self._store.writing() as connection:
            connection.execute(sa.insert(schema.pending), row)

    def look(self, key: str, kind: str, now: float) -> tuple[str | None, str]:
        """Return whose key this is, and what it is about; it stays good.

        Raises
        ------
        Expired
        """
        with self._store.glancing() as connection:
            return self._found(connection, key, kind, now)

    def take(self, key: str, kind: str, now: float) -> tuple[str | None, str]:
        """Return the same, once: of two who send it back at a time one is too late.

        Raises
        ------
        Expired
        """
        with self._store.writing() as connection:
            found = self._found(connection, key, kind, now)
            gone = _pending.id == people.digest(key)
            if connection.execute(sa.delete(schema.pending).where(gone)).rowcount != 1:
                raise Expired
            return found

    def drop(self, connection: sa.Connection, kind: str, account_id: str) -> None:
        """Let an account's keys of a kind be good no more."""
        mine = (_pending.kind == kind) & (_pending.account_id == account_id)
        connection.execute(sa.delete(schema.pending).where(mine))

    def _found(
        self, connection: sa.Connection, key: str, kind: str, now: float
    ) -> tuple[str | None, str]:
        query = sa.select(_pending.account_id, _pending.about).where(
            _pending.id == people.digest(key), _pending.kind == kind, _pending.expires > now
        )
        row = connection.execute(query).one_or_none()
        if row is None:
            raise Expired
        return row.account_id, row.about
