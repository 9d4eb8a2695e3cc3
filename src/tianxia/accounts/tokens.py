"""Tokens: keys by which programs act for an account, each for some purposes and a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from tianxia.accounts.errors import AccountError
from tianxia.accounts.model import Account
from tianxia.accounts.sessions import goes_on
from tianxia.draw.languages import N_
from tianxia.tables import people, schema
from tianxia.tables.store import Store

_tokens, _accounts = schema.tokens.c, schema.accounts.c
SCOPES = ("read", "play", "talk")
"""Reading as the account; making tables, sitting down and deciding; writing to others."""
PREFIX = "tx_"
MOST = 20
LEAST_DAYS, USUAL_DAYS, MOST_DAYS = 1, 90, 366
USED_SECONDS = 3600.0
LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its key."""

    id: str
    account_id: str
    name: str
    scopes: frozenset[str]
    created: float
    expires: float
    used: float | None


class Tokens:
    """The tokens of all accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def make(
        self, account: Account, name: str, scopes: Sequence[str], days: int, now: float
    ) -> tuple[str, Token]:
        """Make a token; return its key, which is shown once, and the token.

        Raises
        ------
        AccountError
            For scopes, days or a number of tokens that cannot be.
        """
        unknown = sorted(set(scopes) - set(SCOPES))
        if unknown or not scopes:
            raise AccountError(
                "scopes",
                N_("A token is for one or more of {scopes}."),
                scopes=", ".join(SCOPES),
            )
        if not LEAST_DAYS <= days <= MOST_DAYS:
            raise AccountError(
                "days",
                N_("A token lasts {least} to {most} days."),
                least=LEAST_DAYS,
                most=MOST_DAYS,
            )
        key = PREFIX + people.new_key() + people.new_key()
        row = {
            "id": people.new_id(),
            "account_id": account.id,
            "name": people.clean(name, LONGEST_NAME),
            "scopes": " ".join(sorted(set(scopes))),
            "created": now,
            "expires": now + days * 86400.0,
            "used": None,
        }
        with self._store.writing() as connection:
            self._check_room(connection, account)
            connection.execute(sa.insert(schema.tokens), {**row, "hash": people.digest(key)})
        return key, _token(row)

    def _check_room(self, connection: sa.Connection, account: Account) -> None:
        mine = _tokens.account_id == account.id
        if self._store.count_in_turn(connection, f"tokens {account.id}", mine) >= MOST:
            raise AccountError(
                "too-many-tokens",
                N_("There are {most} tokens already: end one that you no longer need."),
                most=MOST,
            )

    def find(self, key: str, now: float) -> tuple[Account, Token] | None:
        """Return whose key this is, and the token; None for no key, or an old one."""
        columns = [_accounts[name] for name in Account.__dataclass_fields__]
        mine = [_tokens[name] for name in Token.__dataclass_fields__]
        query = (
            sa.select(*columns, *mine)
            .join_from(schema.tokens, schema.accounts)
            .where(_tokens.hash == people.digest(key), _tokens.expires > now)
        )
        row = self._store.row(query)
        if row is None:
            return None
        split = len(columns)
        names = list(Token.__dataclass_fields__)
        token = _token(dict(zip(names, row[split:], strict=True)))
        if token.used is None or now - token.used > USED_SECONDS:
            with self._store.writing() as connection:
                used = sa.update(schema.tokens).where(_tokens.id == token.id).values(used=now)
                connection.execute(used)
        return Account(*row[:split]), token

    def alive(self, token_id: str, now: float) -> bool:
        """Say whether a token is still good: not of an account that is suspended."""
        return goes_on(self._store, schema.tokens, token_id, now)

    def of(self, account: Account) -> list[Token]:
        """Return an account's tokens, the newest first."""
        mine = [_tokens[name] for name in Token.__dataclass_fields__]
        query = (
            sa.select(*mine)
            .where(_tokens.account_id == account.id)
            .order_by(_tokens.created.desc())
        )
        names = list(Token.__dataclass_fields__)
        rows = self._store.rows(query)
        return [_token(dict(zip(names, row, strict=True))) for row in rows]

    def end(self, account: Account, token_id: str) -> bool:
        """End a token; say whether there was one."""
        gone = sa.delete(schema.tokens).where(
            _tokens.account_id == account.id, _tokens.id == token_id
        )
        with self._store.writing() as connection:
            return connection.execute(gone).rowcount > 0


def _token(row: dict[str, object]) -> Token:
    values = {**row, "scopes": frozenset(str(row["scopes"]).split())}
    return Token(**values)  # type: ignore[arg-type]  # columns of these very names
