"""Names, ids and private keys: made, cleaned, and stored so that a stolen copy opens nothing."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import unicodedata

LONGEST_NAME = 24
MOST_MARKS = 2
"""Marks in a row on one letter; more are dropped (they cover what stands around them)."""
KEY_BYTES = 16

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_SPACES = re.compile(r"\s+")


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a nickname as it may be shown: without what cannot be seen or turns text around.

    Control characters, those that change the direction of writing, other invisible ones
    and piled-up marks are dropped, spaces become single, and what is too long is cut.
    """
    shown: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[: 8 * longest]):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind[0] == "Z" or char in "\t\n\r\v\f":
            shown.append(" ")
        elif kind[0] != "C" and marks <= MOST_MARKS:
            shown.append(char)
    return _SPACES.sub(" ", "".join(shown)).strip()[:longest].rstrip()


def new_id() -> str:
    """Return the id of a new table: random, since whoever knows it may watch."""
    return secrets.token_urlsafe(12)


def is_id(text: str) -> bool:
    """Say whether a text could be the id of a table."""
    return _ID.fullmatch(text) is not None


def new_key() -> str:
    """Return a new private key."""
    return secrets.token_urlsafe(KEY_BYTES)


def digest(text: str) -> str:
    """Return how a person's id or a key is stored."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _pad(person: str, place: str, size: int) -> bytes:
    return hmac.digest(person.encode("utf-8", "surrogatepass"), place.encode(), "sha256")[:size]


def seal(key: str, person: str, table_id: str) -> str:
    """Return a key so that only this person's id (which is not stored) opens it again."""
    data = key.encode("ascii")
    pad = _pad(person, f"{table_id} {digest(key)}", len(data))
    return bytes(a ^ b for a, b in zip(data, pad, strict=True)).hex()


def unseal(sealed: str, key_hash: str, person: str, table_id: str) -> str | None:
    """Return the key that `seal` hid, or None where this is not the person."""
    data = bytes.fromhex(sealed)
    pad = _pad(person, f"{table_id} {key_hash}", len(data))
    try:
        key = bytes(a ^ b for a, b in zip(data, pad, strict=True)).decode("ascii")
    except UnicodeDecodeError:
        return None
    return key if digest(key) == key_hash else None
