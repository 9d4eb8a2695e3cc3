"""The accounts of a database: `Accounts`. Synchronous and safe to call from many threads."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.accounts import names, passwords
from tianxia.accounts.errors import NameTaken
from tianxia.accounts.model import Account
from tianxia.tables import Tables, people, schema

_accounts = schema.accounts.c
COLUMNS = [_accounts[name] for name in Account.__dataclass_fields__]
PERSON_BYTES = 16


class Accounts:
    """All accounts. Whatever returns is on disk; whatever raises has changed nothing.

    Parameters
    ----------
    tables
        The tables of the same database.
    secret
        The server's: from it and its id follows which person an account is at tables. With a
        new one accounts get new persons, and keep their seats.
    """

    def __init__(self, tables: Tables, secret: str) -> None:
        self.tables = tables
        self.store = tables.store
        self._secret = secret.encode()

    # --- Who is who ---

    def person(self, account_id: str) -> str:
        """Return the id of the person that an account is at tables; only its digest is stored."""
        made = hmac.digest(self._secret, b"account:" + account_id.encode(), hashlib.sha256)
        return urlsafe_b64encode(made[:PERSON_BYTES]).decode().rstrip("=")

    def get(self, account_id: str) -> Account | None:
        """Return an account by its id."""
        return self._one(_accounts.id == account_id)

    def named(self, name: str) -> Account | None:
        """Return an account by its name, however that is written."""
        return self._one(_accounts.name_key == names.key(name))

    def of_person(self, digest: str) -> Account | None:
        """Return the account that holds a seat, by the digest in `holders.person`."""
        return self._one(_accounts.person == digest)

    def several(self, account_ids: list[str]) -> dict[str, Account]:
        """Return accounts by their ids."""
        query = sa.select(*COLUMNS).where(_accounts.id.in_(account_ids))
        with self.store.glancing() as connection:
            return {row.id: Account(*row) for row in connection.execute(query)}

    def _one(self, condition: sa.ColumnElement[bool]) -> Account | None:
        with self.store.glancing() as connection:
            found = connection.execute(sa.select(*COLUMNS).where(condition)).one_or_none()
            return None if found is None else Account(*found)

    # --- Making accounts ---

    def register(
        self,
        name: str,
        *,
        password: str | None = None,
        guest: str | None = None,
        bot: bool = False,
        owner: str = "",
        language: str = "",
    ) -> Account:
        """Make an account.

        Parameters
        ----------
        guest
            The person who asks: all seats that they hold as a guest are the account's from now on.
        bot
            Whether a program decides; `owner` is the account that has made it.

        Raises
        ------
        NameTaken
        AccountError
            For a name or a password that nobody may have.
        """
        shown = names.checked(name)
        kept = passwords.hashed(passwords.checked(password, shown)) if password else ""
        account_id, now = people.new_id(), self.tables.clock()
        values: dict[str, Any] = {
            "id": account_id,
            "name": shown,
            "name_key": names.key(shown),
            "person": people.digest(self.person(account_id)),
            "bot": bot,
            "owner": owner,
            "password": kept,
            "language": language,
            "created": now,
            "seen": day(now),
        }
        moved: dict[str, int] = {}
        with self.store.writing() as connection:
            try:
                with connection.begin_nested():
                    connection.execute(sa.insert(schema.accounts), values)
            except exc.IntegrityError as error:
                raise NameTaken from error
            if guest is not None:
                old, identity = people.digest(guest), (account_id, shown)
                moved = self.store.move(connection, old, values["person"], identity)
        self._tell(moved)
        found = self.get(account_id)
        assert found is not None  # noqa: S101  (just written)
        return found

    def adopt(self, account: Account, guest: str) -> int:
        """Give what somebody holds as a guest to an account; return of how many tables."""
        with self.store.writing() as connection:
            identity = (account.id, account.name)
            moved = self.store.move(connection, people.digest(guest), account.person, identity)
        self._tell(moved)
        return len(moved)

    def _tell(self, versions: dict[str, int]) -> None:
        """Tell whoever watches tables in this process of their new versions."""
        for table_id, version in versions.items():
            self.tables.hub.publish(table_id, version)


def day(at: float) -> float:
    """Return the beginning of the day (UTC) of a time."""
    return at // 86400 * 86400
