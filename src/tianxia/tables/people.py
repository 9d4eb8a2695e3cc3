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
MOST_LINES = 12
"""Of one remark."""
JOINERS = "\u200c\u200d"
KEY_BYTES = 16

_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")
_SPACES = re.compile(r"\s+")
_EDGES = re.compile(rf"(?<!\S)[{JOINERS}]+|[{JOINERS}]+(?!\S)")
"""Joiners that join nothing."""


def clean(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a nickname as it may be shown: without what cannot be seen or turns text around.

    Control characters, those that change the direction of writing, other invisible ones
    and piled-up marks are dropped, spaces become single, and what is too long is cut.
    """
    shown = _visible(unicodedata.normalize("NFC", text[: 8 * longest]))
    return _SPACES.sub(" ", shown).strip()[:longest].rstrip()


def clean_lines(text: str) -> str:
    """Return something said as it may be shown: cleaned as a nickname is, but not cut.

    Line breaks stay, and so do the joiners within a word or an emoji, which many scripts
    need; of very many lines the last become one.
    """
    normal = unicodedata.normalize("NFC", text)
    lines = [_SPACES.sub(" ", _visible(line, JOINERS)).strip() for line in normal.splitlines()]
    lines = [_EDGES.sub("", line).strip() for line in lines]
    lines = [line for line in lines if line]
    return "\n".join([*lines[: MOST_LINES - 1], *filter(None, [" ".join(lines[MOST_LINES - 1 :])])])


def _visible(text: str, kept: str = "") -> str:
    """Return the characters of a text that can be seen, spaces as spaces."""
    shown: list[str] = []
    marks = 0
    for char in text:
        kind = unicodedata.category(char)
        marks = marks + 1 if kind.startswith("M") else 0
        if kind[0] == "Z" or char in "\t\n\r\v\f":
            shown.append(" ")
        elif char in kept:
            shown += char if shown and shown[-1] not in kept else ""
        elif kind[0] != "C" and marks <= MOST_MARKS:
            shown.append(char)
    return "".join(shown)


def new_id() -> str:
    """Return the id of a new table: random, since whoever knows it may watch.

    It does not begin like an option, for commands are given it.
    """
    while (made := secrets.token_urlsafe(12)).startswith("-"):
        pass
    return made


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
