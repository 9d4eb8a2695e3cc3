"""Tokens of notation that several games write alike: numbers, words, rows, multisets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tianxia.kernel.errors import NotationError


def write_set(counts: Iterable[int], symbols: Sequence[str]) -> str:
    """Return a multiset: each symbol that is in it with its number, ``-`` for none."""
    pairs = zip(symbols, counts, strict=True)
    return "".join(f"{symbol}{count}" for symbol, count in pairs if count) or "-"


def read_number(text: str, what: str, most: int) -> int:
    """Return a number from 0 to `most`, written without needless zeros.

    Raises
    ------
    NotationError
        Naming `what` was to be read; so do the other functions here.
    """
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > most or text != str(int(text)):
        raise NotationError(f"{what}: {text[:20]!r} should be a number up to {most}")
    return int(text)


def read_word(text: str, words: Sequence[str], what: str) -> int:
    """Return the index of the word that is meant."""
    if text not in words:
        raise NotationError(f"{what}: {text[:20]!r} should be one of {', '.join(words)}")
    return words.index(text)
