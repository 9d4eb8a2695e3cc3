"""Passkeys: WebAuthn's two ceremonies. The library is loaded when the first one is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.accounts.errors import AccountError, Expired, NotLetIn
from tianxia.accounts.pending import Pending
from tianxia.draw.languages import N_
from tianxia.tables import people, schema
from tianxia.tables.store import Store

_passkeys = schema.passkeys.c
SECONDS = 300.0
"""How long a challenge may wait for its answer."""
MOST = 20
LONGEST_NAME = 40
NEW, ENTER = "key-new", "key-in"
"""Kinds of challenges: to make a passkey, to get in with one."""
Options = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Passkey:
    """A passkey, without what checks its signatures."""

    id: str
    name: str
    created: float
    used: float


@dataclass(frozen=True, slots=True)
class Made:
    """A passkey that was just made, to be stored."""

    account_id: str
    about: str
    row: Mapping[str, Any]


class Passkeys:
    """The passkeys of all accounts.

    A `base` is our own address as the browser sees it: passkeys belong to its host.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pending = Pending(store)

    # --- Making one ---

    def begin(
        self, account_id: str, name: str, base: str, now: float, *, about: str = ""
    ) -> Options:
        """Return what a browser needs to make a passkey for an account, new or old."""
        from webauthn import generate_registration_options, options_to_json
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.structs import (
            AuthenticatorSelectionCriteria,
            PublicKeyCredentialDescriptor,
            ResidentKeyRequirement,
            UserVerificationRequirement,
        )

        challenge = people.new_key() + people.new_key()
        known = [
            PublicKeyCredentialDescriptor(base64url_to_bytes(credential))
            for credential in self._credentials(account_id)
        ]
        options = generate_registration_options(
            rp_id=_host(base),
            rp_name="Tianxia",
            user_name=name,
            user_id=account_id.encode(),
            challenge=challenge.encode(),
            exclude_credentials=known,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED,
                user_verification=UserVerificationRequirement.PREFERRED,
            ),
        )
        self._pending.keep(
            challenge, NEW, now + SECONDS, about=json.dumps({"id": account_id, "about": about})
        )
        return dict(json.loads(options_to_json(options)))

    def finish(self, credential: Mapping[str, Any], name: str, base: str, now: float) -> Made:
        """Check what the browser has made; `store` keeps it.

        Raises
        ------
        Expired
            Where its challenge is none of ours, old, or was used.
        NotLetIn
            Where it does not fit.
        """
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url

        challenge = _challenge(credential)
        _, kept = self._pending.take(challenge, NEW, now)
        try:
            verified = verify_registration_response(
                credential=dict(credential),
                expected_challenge=challenge.encode(),
                expected_rp_id=_host(base),
                expected_origin=base,
            )
        except Exception as error:  # whatever the library finds wrong with what was sent
            raise NotLetIn from error
        about = json.loads(kept)
        written = bytes_to_base64url(verified.credential_id)
        row = {
            "id": people.digest(written),
            "account_id": about["id"],
            "credential": written,
            "public_key": verified.credential_public_key,
            "sign_count": verified.sign_count,
            "name": people.clean(name, LONGEST_NAME),
            "created": now,
            "used": now,
        }
        return Made(about["id"], about["about"], row)

    def store(self, connection: sa.Connection, made: Made) -> None:
        """Keep a passkey.

        Raises
        ------
        AccountError
            Where it is known already, to whomever it belongs, or there are enough.
        """
        owned = sa.select(sa.func.count()).where(_passkeys.account_id == made.account_id)
        if connection.execute(owned).scalar_one() >= MOST:
            raise AccountError(
                "too-many-passkeys", N_("There are {most} passkeys already."), most=MOST
            )
        try:
            with connection.begin_nested():
                connection.execute(sa.insert(schema.passkeys), dict(made.row))
        except exc.IntegrityError as error:
            raise AccountError("passkey-known", N_("This passkey is in use already.")) from error

    # --- Getting in with one ---

    def ask(self, base: str, now: float) -> Options:
        """Return what a browser needs to sign somebody in: it knows who that can be."""
        from webauthn import generate_authentication_options, options_to_json

        challenge = people.new_key() + people.new_key()
        options = generate_authentication_options(rp_id=_host(base), challenge=challenge.encode())
        self._pending.keep(challenge, ENTER, now + SECONDS)
        return dict(json.loads(options_to_json(options)))

    def answer(self, credential: Mapping[str, Any], base: str, now: float) -> str:
        """Return the id of the account whose passkey has signed.

        Raises
        ------
        Expired, NotLetIn
        """
        from webauthn import verify_authentication_response

        challenge = _challenge(credential)
        self._pending.take(challenge, ENTER, now)
        written = credential.get("id")
        hashed = people.digest(written if isinstance(written, str) else "")
        found = self._store.row(sa.select(schema.passkeys).where(_passkeys.id == hashed))
        if found is None:
            raise NotLetIn
        try:
            verified = verify_authentication_response(
                credential=dict(credential),
                expected_challenge=challenge.encode(),
                expected_rp_id=_host(base),
                expected_origin=base,
                credential_public_key=found.public_key,
                credential_current_sign_count=found.sign_count,
            )
        except Exception as error:  # whatever the library finds wrong with what was sent
            raise NotLetIn from error
        # Of two who answer with one copy of a key only one can count on from the same number.
        counted = (
            sa.update(schema.passkeys)
            .where(_passkeys.id == hashed, _passkeys.sign_count == found.sign_count)
            .values(sign_count=verified.new_sign_count, used=now)
        )
        with self._store.writing() as connection:
            if connection.execute(counted).rowcount != 1:
                raise NotLetIn
        return str(found.account_id)

    # --- Those there are ---

    def of(self, account_id: str) -> list[Passkey]:
        """Return an account's passkeys, the oldest first."""
        query = (
            sa.select(_passkeys.id, _passkeys.name, _passkeys.created, _passkeys.used)
            .where(_passkeys.account_id == account_id)
            .order_by(_passkeys.created)
        )
        return [Passkey(*row) for row in self._store.rows(query)]

    def end(self, connection: sa.Connection, account_id: str, passkey_id: str) -> bool:
        """Drop a passkey; say whether there was one."""
        gone = sa.delete(schema.passkeys).where(
            _passkeys.account_id == account_id, _passkeys.id == passkey_id
        )
        return connection.execute(gone).rowcount > 0

    def _credentials(self, account_id: str) -> list[str]:
        query = sa.select(_passkeys.credential).where(_passkeys.account_id == account_id)
        return self._store.column(query)


def _host(base: str) -> str:
    return urlsplit(base).hostname or ""


def _challenge(credential: Mapping[str, Any]) -> str:
    """Return the challenge that a browser says it has answered; the library checks the rest."""
    from webauthn.helpers import base64url_to_bytes

    try:
        data = json.loads(base64url_to_bytes(credential["response"]["clientDataJSON"]))
        return base64url_to_bytes(data["challenge"]).decode("ascii")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Expired from error
