"""Sessions: where an account is signed in. A cookie holds a key, the database its digest."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from tianxia.accounts.guesses import FORGOTTEN_SECONDS
from tianxia.accounts.model import Account
from tianxia.tables import people, schema
from tianxia.tables.store import Store

_sessions, _accounts = schema.sessions.c, schema.accounts.c
PREFIX = "ts_"
LASTS = 90 * 86400.0
"""A session that nobody uses ends after so many seconds."""
SEEN_SECONDS = 3600.0
"""How exactly it is known when a session was used."""
LONGEST_DEVICE = 120
COLUMNS = [_accounts[name] for name in Account.__dataclass_fields__]


def goes_on(store: Store, table: sa.Table, key: str, now: float) -> bool:
    """Say whether a session, or a token, goes on: not of an account that is suspended."""
    query = (
        sa.select(table.c.id)
        .join_from(table, schema.accounts)
        .where(
            table.c.id == key,
            table.c.expires > now,
            sa.or_(_accounts.suspended.is_(None), _accounts.suspended <= now),
        )
    )
    return store.scalar(query) is not None


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which an account is signed in.

    Attributes
    ----------
    id
        The digest of its key: opens nothing.
    device
        What the browser says it is.
    seen
        When it was last used, to the hour.
    """

    id: str
    account_id: str
    device: str
    created: float
    seen: float
    expires: float


class Sessions:
    """All sessions of a database."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def open(self, account: Account, device: str, now: float, old: str = "") -> str:
        """Sign an account in; return the key, which nobody has had before.

        Parameters
        ----------
        old
            The id of the session that this browser had: it ends.
        """
        key = PREFIX + people.new_key() + people.new_key()
        row = {
            "id": people.digest(key),
            "account_id": account.id,
            "device": people.clean(device, LONGEST_DEVICE),
            "created": now,
            "seen": now,
            "expires": now + LASTS,
        }
        with self._store.writing() as connection:
            gone = sa.or_(_sessions.id == old, _sessions.expires < now)
            connection.execute(sa.delete(schema.sessions).where(gone))
            connection.execute(sa.delete(schema.pending).where(schema.pending.c.expires < now))
            long_ago = schema.guesses.c.at < now - FORGOTTEN_SECONDS
            connection.execute(sa.delete(schema.guesses).where(long_ago))
            connection.execute(sa.insert(schema.sessions), row)
        return key

    def find(self, key: str, now: float) -> tuple[Account, Session] | None:
        """Return whose key this is, and the session; None where it has ended."""
        query = (
            sa.select(*COLUMNS, schema.sessions)
            .join_from(schema.sessions, schema.accounts)
            .where(_sessions.id == people.digest(key), _sessions.expires > now)
        )
        row = self._store.row(query)
        if row is None:
            return None
        return Account(*row[: len(COLUMNS)]), Session(*row[len(COLUMNS) :])

    def alive(self, session_id: str, now: float) -> bool:
        """Say whether a session goes on: not of an account that is suspended."""
        return goes_on(self._store, schema.sessions, session_id, now)

    def renew(self, session: Session, now: float) -> bool:
        """Note that a session is used; say whether its cookie shall last longer, too."""
        if now - session.seen < SEEN_SECONDS:
            return False
        with self._store.writing() as connection:
            connection.execute(
                sa.update(schema.sessions)
                .where(_sessions.id == session.id)
                .values(seen=now, expires=now + LASTS)
            )
            connection.execute(
                sa.update(schema.accounts)
                .where(_accounts.id == session.account_id)
                .values(seen=now // 86400 * 86400)
            )
        return True

    def of(self, account: Account) -> list[Session]:
        """Return where an account is signed in, the newest first."""
        query = (
            sa.select(schema.sessions)
            .where(_sessions.account_id == account.id)
            .order_by(_sessions.seen.desc(), _sessions.created.desc())
        )
        return [Session(*row) for row in self._store.rows(query)]

    def end(self, account: Account, session_id: str) -> bool:
        """Sign an account out somewhere; say whether it was signed in there."""
        return self._end(_sessions.account_id == account.id, _sessions.id == session_id)

    def end_all(self, account: Account, but: str = "") -> bool:
        """Sign an account out everywhere, or everywhere else."""
        return self._end(_sessions.account_id == account.id, _sessions.id != but)

    def _end(self, *conditions: sa.ColumnElement[bool]) -> bool:
        with self._store.writing() as connection:
            ended = connection.execute(sa.delete(schema.sessions).where(*conditions))
        return ended.rowcount > 0
