"""The accounts of a database: `Accounts`. Synchronous and safe to call from many threads."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.accounts import mail, names, passwords
from tianxia.accounts.errors import AccountError, NameTaken, NotLetIn, Suspended, UnknownAccount
from tianxia.accounts.guesses import ADDRESS, MAILS, NAME, PAIR, Guesses
from tianxia.accounts.model import Account
from tianxia.accounts.passkeys import Made, Options, Passkey, Passkeys
from tianxia.accounts.pending import Pending
from tianxia.accounts.sessions import COLUMNS, Sessions
from tianxia.accounts.tokens import Tokens
from tianxia.draw.languages import N_
from tianxia.tables import TableError, Tables, Unavailable, people, schema

_accounts, _codes, _passkeys = schema.accounts.c, schema.recovery_codes.c, schema.passkeys.c
PERSON_BYTES = 16
CODES = 10
CODE_BYTES = 10
LINK_SECONDS = 900.0
CONFIRM_SECONDS = 86400.0
CONFIRM, LINK = "mail", "link"
"""Kinds of what is sent by mail: to confirm an address, to sign in."""


class Accounts:
    """All accounts. Whatever returns is on disk; whatever raises has changed nothing.

    Parameters
    ----------
    tables
        The tables of the same database.
    secret
        The server's: from it and its id follows which person an account is at tables. With a
        new one accounts get new persons, and keep their seats.

    Attributes
    ----------
    sessions, tokens
        Where accounts are signed in, and what their programs may do.
    """

    def __init__(self, tables: Tables, secret: str) -> None:
        self.tables = tables
        self.store = tables.store
        self.sessions = Sessions(self.store)
        self.tokens = Tokens(self.store)
        self.guesses = Guesses(self.store)
        self._passkeys = Passkeys(self.store)
        self._pending = Pending(self.store)
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

    def known(self, name: str) -> Account:
        """Return an account by its name.

        Raises
        ------
        UnknownAccount
        """
        found = self.named(name)
        if found is None:
            raise UnknownAccount
        return found

    def of_person(self, digest: str) -> Account | None:
        """Return the account that holds a seat, by the digest in `holders.person`."""
        return self._one(_accounts.person == digest)

    def several(self, account_ids: list[str]) -> dict[str, Account]:
        """Return accounts by their ids."""
        query = sa.select(*COLUMNS).where(_accounts.id.in_(account_ids))
        return {row.id: Account(*row) for row in self.store.rows(query)}

    def _one(self, condition: sa.ColumnElement[bool]) -> Account | None:
        found = self.store.row(sa.select(*COLUMNS).where(condition))
        return None if found is None else Account(*found)

    def at_home(self, account: Account) -> Account:
        """Return an account as the person that follows from the server's secret now.

        Where the secret has changed since, its seats move to that person.
        """
        person = people.digest(self.person(account.id))
        if person == account.person:
            return account
        with self.store.writing() as connection:
            identity = (account.id, account.name)
            moved = self.store.move(connection, account.person, person, identity)
            self._set(connection, account, person=person)
        self._tell(moved)
        return self._again(account)

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
        kept = passwords.hashed(passwords.checked(password, shown)) if password is not None else ""
        values = {"name": shown, "bot": bot, "owner": owner, "password": kept, "language": language}
        return self._make(people.new_id(), values, guest)

    def _make(
        self,
        account_id: str,
        values: Mapping[str, Any],
        guest: str | None,
        made: Made | None = None,
    ) -> Account:
        """Store a new account, its passkey, and who was its guest: all of it or nothing."""
        now = self.tables.clock()
        person = people.digest(self.person(account_id))
        row = {
            "id": account_id,
            "name_key": names.key(values["name"]),
            "person": person,
            "created": now,
            "seen": now // 86400 * 86400,
            **values,
        }
        moved: dict[str, int] = {}
        with self.store.writing() as connection:
            try:
                with connection.begin_nested():
                    connection.execute(sa.insert(schema.accounts), row)
            except exc.IntegrityError as error:
                raise NameTaken from error
            if made is not None:
                self._passkeys.store(connection, made)
            if guest is not None:
                identity = (account_id, values["name"])
                moved = self.store.move(connection, people.digest(guest), person, identity)
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

    def _tell(self, versions: Mapping[str, int]) -> None:
        """Tell whoever watches tables in this process of their new versions."""
        for table_id, version in versions.items():
            self.tables.hub.publish(table_id, version)

    # --- Getting in ---

    def enter(self, name: str, password: str, address: str) -> Account:
        """Return the account that a name and a password open.

        Whether the name or the password is wrong shows neither in the answer nor in its time.

        Raises
        ------
        NotLetIn, TooManyGuesses, Suspended
        """
        key = self._guess(name, address)
        found = self.named(name)
        kept = self._password(found) if found else ""
        if not passwords.fits(kept, password) or found is None:
            raise NotLetIn
        return self._entered(found, key)

    def enter_by_code(self, name: str, code: str, address: str) -> Account:
        """Return the account that a recovery code opens; it opens nothing a second time.

        Raises
        ------
        NotLetIn, TooManyGuesses, Suspended
        """
        key = self._guess(name, address)
        found = self.named(name)
        gone = sa.delete(schema.recovery_codes).where(
            _codes.account_id == (found.id if found else ""), _codes.code_hash == _code_hash(code)
        )
        with self.store.writing() as connection:
            if connection.execute(gone).rowcount != 1 or found is None:
                raise NotLetIn
            if self.is_suspended(found):  # the code stays good for when that is over
                raise Suspended
        return self._entered(found, key)

    def _guess(self, name: str, address: str) -> str:
        """Count an attempt; return the key under which it is forgotten."""
        name_key, now = names.key(name), self.tables.clock()
        pair = f"pair:{name_key}:{address}"
        self.guesses.take(
            now, (pair, PAIR), (f"name:{name_key}", NAME), (f"address:{address}", ADDRESS)
        )
        return pair

    def _entered(self, account: Account, guess: str = "") -> Account:
        if guess:
            self.guesses.forget(guess)
        if self.is_suspended(account):
            raise Suspended
        return self.at_home(account)

    def is_suspended(self, account: Account) -> bool:
        """Say whether an account may not be used now."""
        return account.suspended is not None and account.suspended > self.tables.clock()

    # --- Passkeys ---

    def begin_passkey(self, account: Account, base: str) -> Options:
        """Return what a browser needs to make a passkey for an account."""
        return self._passkeys.begin(account.id, account.name, base, self.tables.clock())

    def finish_passkey(
        self, account: Account, credential: Mapping[str, Any], name: str, base: str
    ) -> None:
        """Keep the passkey that a browser has made for an account.

        Raises
        ------
        Expired, NotLetIn, AccountError
        """
        made = self._passkeys.finish(credential, name, base, self.tables.clock())
        if made.account_id != account.id:
            raise NotLetIn
        with self.store.writing() as connection:
            self._passkeys.store(connection, made)

    def begin_register(self, name: str, base: str) -> Options:
        """Return what a browser needs to make the passkey of a new account.

        Raises
        ------
        NameTaken, AccountError
        """
        shown = names.checked(name)
        if self.named(shown) is not None:
            raise NameTaken
        now = self.tables.clock()
        return self._passkeys.begin(people.new_id(), shown, base, now, about=shown)

    def finish_register(
        self, credential: Mapping[str, Any], base: str, *, guest: str | None, language: str = ""
    ) -> Account:
        """Make the account whose passkey a browser has made.

        Raises
        ------
        NameTaken, Expired, NotLetIn, AccountError
        """
        made = self._passkeys.finish(credential, "", base, self.tables.clock())
        if not made.about:
            raise NotLetIn
        values = {"name": made.about, "bot": False, "language": language}
        return self._make(made.account_id, values, guest, made)

    def ask_passkey(self, base: str) -> Options:
        """Return what a browser needs to sign somebody in with a passkey."""
        return self._passkeys.ask(base, self.tables.clock())

    def enter_by_passkey(self, credential: Mapping[str, Any], base: str) -> Account:
        """Return the account whose passkey has signed.

        Raises
        ------
        Expired, NotLetIn, Suspended
        """
        found = self.get(self._passkeys.answer(credential, base, self.tables.clock()))
        if found is None:
            raise NotLetIn
        return self._entered(found)

    def passkeys(self, account: Account) -> list[Passkey]:
        """Return an account's passkeys."""
        return self._passkeys.of(account.id)

    def end_passkey(self, account: Account, passkey_id: str) -> bool:
        """Drop a passkey; the last way in stays.

        Raises
        ------
        AccountError
        """
        password = self.has_password(account)
        with self.store.writing() as connection:
            ended = self._passkeys.end(connection, account.id, passkey_id)
            owned = sa.select(sa.func.count()).where(_passkeys.account_id == account.id)
            if not password and not connection.execute(owned).scalar_one():
                raise AccountError(
                    "last-way-in",
                    N_("This is the only way into the account. Set a password first."),
                )
        return ended

    # --- Passwords and codes ---

    def has_password(self, account: Account) -> bool:
        """Say whether an account can be entered by a password."""
        return bool(self._password(account))

    def set_password(self, account: Account, password: str, session: str = "") -> None:
        """Change a password; the account is signed out everywhere but in this session.

        Links that are on their way open nothing any more: others may read that mail.

        Raises
        ------
        AccountError
        """
        kept = passwords.hashed(passwords.checked(password, account.name))
        with self.store.writing() as connection:
            self._set(connection, account, password=kept)
            self._pending.drop(connection, LINK, account.id)
        self.sessions.end_all(account, but=session)

    def new_codes(self, account: Account) -> list[str]:
        """Return new recovery codes; those from before open nothing any more."""
        codes = [_new_code() for _ in range(CODES)]
        rows = [{"account_id": account.id, "code_hash": _code_hash(code)} for code in codes]
        with self.store.writing() as connection:
            gone = _codes.account_id == account.id
            connection.execute(sa.delete(schema.recovery_codes).where(gone))
            connection.execute(sa.insert(schema.recovery_codes), rows)
        return codes

    def codes_left(self, account: Account) -> int:
        """Return how many recovery codes were not used yet."""
        query = sa.select(sa.func.count()).where(_codes.account_id == account.id)
        return int(self.store.scalar(query))

    def _password(self, account: Account) -> str:
        query = sa.select(_accounts.password).where(_accounts.id == account.id)
        return str(self.store.scalar(query) or "")

    # --- Mail ---

    def ask_mail(self, account: Account, address: str) -> str:
        """Return the key that confirms an address: it goes there, and nowhere else.

        Raises
        ------
        AccountError
            For what is no address.
        TooManyGuesses
        """
        if not mail.is_address(address):
            raise AccountError("no-mail", N_("This is not an email address."))
        now, key = self.tables.clock(), people.new_key() + people.new_key()
        self.guesses.take(now, (f"mail:{address.casefold()}", MAILS), (f"by:{account.id}", MAILS))
        self._pending.keep(key, CONFIRM, now + CONFIRM_SECONDS, account.id, address)
        return key

    def confirm_mail(self, account: Account, key: str) -> Account:
        """Take the address to which a key was sent as the account's own.

        Raises
        ------
        Expired
            Where it was used, is too old, or was asked for by somebody else.
        AccountError
            Where another account has this address.
        """
        now = self.tables.clock()
        if self._pending.look(key, CONFIRM, now)[0] != account.id:
            raise NotLetIn
        _, address = self._pending.take(key, CONFIRM, now)
        other = sa.select(_accounts.id).where(_is_mail(address), _accounts.id != account.id)
        with self.store.writing() as connection:
            self.store.queue(connection, f"mail {address.lower()}")
            if connection.execute(other).first() is not None:
                text = N_("Another account has this address: sign in there.")
                raise AccountError("mail-taken", text)
            self._set(connection, account, mail=address)
            self._pending.drop(connection, LINK, account.id)
        return self._again(account)

    def drop_mail(self, account: Account) -> None:
        """Forget the address of an account."""
        with self.store.writing() as connection:
            self._set(connection, account, mail="")
            self._pending.drop(connection, LINK, account.id)

    def ask_link(self, address: str) -> tuple[Account, str] | None:
        """Return the account of an address, and a key that opens it once; None without one.

        Raises
        ------
        TooManyGuesses
            Whether or not somebody has this address.
        """
        now = self.tables.clock()
        self.guesses.take(now, (f"link:{address.casefold()}", MAILS))
        found = self._one(_is_mail(address)) if address else None
        if found is None:
            return None
        key = people.new_key() + people.new_key()
        self._pending.keep(key, LINK, now + LINK_SECONDS, found.id)
        return found, key

    def behind_link(self, key: str) -> Account:
        """Return the account that a link would open, to be named before anybody follows it.

        Raises
        ------
        Expired
        """
        account_id, _ = self._pending.look(key, LINK, self.tables.clock())
        found = self.get(account_id or "")
        if found is None:
            raise NotLetIn
        return found

    def enter_by_link(self, key: str) -> Account:
        """Return the account that a link opens; it opens nothing a second time.

        Raises
        ------
        Expired, Suspended
        """
        account_id, _ = self._pending.take(key, LINK, self.tables.clock())
        found = self.get(account_id or "")
        if found is None:
            raise NotLetIn
        return self._entered(found)

    # --- Changing ---

    def rename(self, account: Account, name: str) -> Account:
        """Give an account another name, at all of its tables too.

        Raises
        ------
        NameTaken, AccountError
        """
        shown = names.checked(name)
        with self.store.writing() as connection:
            try:
                with connection.begin_nested():
                    self._set(connection, account, name=shown, name_key=names.key(shown))
            except exc.IntegrityError as error:
                raise NameTaken from error
            moved = self.store.rename(connection, account.id, shown)
        self._tell(moved)
        return self._again(account)

    def _set(self, connection: sa.Connection, account: Account, **values: object) -> None:
        connection.execute(
            sa.update(schema.accounts).where(_accounts.id == account.id).values(**values)
        )

    def _again(self, account: Account) -> Account:
        found = self.get(account.id)
        if found is None:  # deleted meanwhile
            raise NotLetIn
        return found

    def delete(self, account: Account) -> None:
        """Delete an account; its games stay, without a name.

        Games that are being played are given up as by `Tables.resign`; at tables that wait
        its seats are free again, and the last who leaves closes the table. Who is stopped
        half-way deletes the rest by asking again.
        """
        person = self.person(account.id)
        for table_id in self.store.unfinished(account.person):
            try:
                waits = self.tables.snapshot(table_id).status == "waiting"
                (self.tables.timing.leave if waits else self.tables.resign)(table_id, person)
            except Unavailable:
                raise
            except TableError:  # left already, or under rules that are not installed here
                continue
        with self.store.writing() as connection:
            moved = self.store.forget(connection, account.person, account.id)
            connection.execute(sa.delete(schema.accounts).where(_accounts.id == account.id))
            bots = sa.update(schema.accounts).where(_accounts.owner == account.id)
            connection.execute(bots.values(owner=""))
        self._tell(moved)


def _is_mail(address: str) -> sa.ColumnElement[bool]:
    """Say of accounts whether they have an address; databases differ in what they make lower."""
    return sa.func.lower(_accounts.mail) == sa.func.lower(address)


def _new_code() -> str:
    text = b32encode(secrets.token_bytes(CODE_BYTES)).decode().lower()
    return "-".join(text[place : place + 4] for place in range(0, len(text), 4))


def _code_hash(code: str) -> str:
    return people.digest("".join(char for char in code.lower() if char.isalnum()))
