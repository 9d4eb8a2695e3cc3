"""Passwords, kept as Argon2 hashes. The library is loaded when the first one is looked at."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

from tianxia.accounts.errors import AccountError
from tianxia.draw.languages import N_

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 8, 200
AT_ONCE = 2
"""Hashes worked out at the same time by a process; each takes 64 MiB for a moment."""
_room = threading.BoundedSemaphore(AT_ONCE)


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher, profiles

    return PasswordHasher.from_parameters(profiles.RFC_9106_LOW_MEMORY)


@cache
def _nobodys() -> str:
    """Return a hash that no password fits: to look at it takes as long as at any other."""
    return _hasher().hash("nobody's")


def checked(password: str, name: str) -> str:
    """Return a password that somebody may have.

    Raises
    ------
    AccountError
        For one that is too short, or too easy to guess.
    """
    if len(password) < SHORTEST:
        raise AccountError(
            "password-short", N_("A password has at least {least} characters."), least=SHORTEST
        )
    if len(password) > LONGEST:
        raise AccountError(
            "password-long", N_("A password has at most {most} characters."), most=LONGEST
        )
    if len(set(password)) < 4 or password.casefold() in (name.casefold(), "password", "12345678"):
        raise AccountError("password-easy", N_("This password is too easy to guess."))
    return password


def hashed(password: str) -> str:
    """Return how a password is kept."""
    with _room:
        return _hasher().hash(password)


def fits(kept: str, password: str) -> bool:
    """Say whether a password is the one kept; for no account ("") after just as long, no."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        with _room:
            _hasher().verify(kept or _nobodys(), password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False
    return bool(kept)
