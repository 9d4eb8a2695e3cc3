"""Tokens of notation: each is declared once, and that says how it is written and read.

A `Codec` turns a value into text and back. The smallest are numbers and words; others are
made of them, such as rows and pairs. Readers may take more than writers write, such as needless
zeros: `Notation` refuses whatever it would not write itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, everybody

SHOWN = 40
"""How many letters of a wrong text a message repeats."""


@dataclass(frozen=True)
class Codec:
    """A way to write values of one kind, and to read them back.

    Attributes
    ----------
    write
        Returns a value's text: ``write(p, value)``, `p` the fields of the position.
    read
        Returns the value: ``read(p, text)``; raises NotationError saying what would be right.
    """

    write: Callable[[Fields, Any], str]
    read: Callable[[Fields, str], Any]


def wrong(text: str, right: str) -> NotationError:
    """Return the error that says what a text should be."""
    return NotationError(f"{text[:SHOWN]!r} should be {right}")


def number(most: int, least: int = 0) -> Codec:
    """Return the codec of numbers of a range."""

    def read(p: Fields, text: str) -> int:
        if not re.fullmatch(r"-?[0-9]{1,10}", text) or not least <= int(text) <= most:
            raise wrong(text, f"a number from {least} to {most}" if least else f"0 to {most}")
        return int(text)

    return Codec(lambda p, value: str(value), read)


def word(names: Sequence[str], first: int = 0) -> Codec:
    """Return the codec of words; the first of them is the value `first`."""
    return mapped({name: value for value, name in enumerate(names, first)})


def mapped(values: dict[str, int]) -> Codec:
    """Return the codec of words that have some values."""
    names = {value: name for name, value in values.items()}

    def read(p: Fields, text: str) -> int:
        if text not in values:
            raise wrong(text, f"one of {', '.join(values)}")
        return values[text]

    return Codec(lambda p, value: names[value], read)


def maybe(codec: Codec, none: str = "-") -> Codec:
    """Return the codec of what may be missing: 0 is none, else the value is 1 more."""

    def read(p: Fields, text: str) -> Any:
        return 0 if text == none else 1 + codec.read(p, text)

    return Codec(lambda p, value: codec.write(p, value - 1) if value else none, read)


SEAT = Codec(lambda p, value: str(value), lambda p, text: number(p.seats - 1).read(p, text))
"""The codec of seats."""


def bits(names: Sequence[str], none: str = "-") -> Codec:
    """Return the codec of sets that are bits: the letters of those that are in it."""

    def write(p: Fields, value: int) -> str:
        return "".join(name for i, name in enumerate(names) if value >> i & 1) or none

    def read(p: Fields, text: str) -> int:
        if text != none and (not text or set(text) - set(names)):
            raise wrong(text, f"some of {''.join(names)}, or {none or 'nothing'}")
        return sum(1 << i for i, name in enumerate(names) if name in text and text != none)

    return Codec(write, read)


def write_set(counts: Iterable[int], symbols: Sequence[str]) -> str:
    """Return a multiset: each symbol that is in it with its number, ``-`` for none."""
    pairs = zip(symbols, counts, strict=True)
    return "".join(f"{symbol}{count}" for symbol, count in pairs if count) or "-"


def multiset(symbols: Sequence[str], most: Sequence[int]) -> Codec:
    """Return the codec of multisets, written ``b3w1``, with the most there are of each."""
    pair = rf"({'|'.join(map(re.escape, symbols))})([0-9]{{1,2}})"

    def read(p: Fields, text: str) -> list[int]:
        if text != "-" and not re.fullmatch(rf"(?:{pair})+", text):
            raise wrong(text, f"like {symbols[0]}2{symbols[1]}1 or -")
        counts = [0] * len(symbols)
        for symbol, count in re.findall(pair, text):
            counts[symbols.index(symbol)] = int(count)
            if int(count) > most[symbols.index(symbol)]:
                raise NotationError(f"{count} {symbol}: there are {most[symbols.index(symbol)]}")
        return counts

    return Codec(lambda p, counts: write_set(counts, symbols), read)


def heap(symbols: Sequence[str], most: int = 99) -> Codec:
    """Return the codec of multisets whose members are written one by one: ``0011``."""

    def write(p: Fields, counts: Iterable[int]) -> str:
        return "".join(s * int(n) for s, n in zip(symbols, counts, strict=True)) or "-"

    def read(p: Fields, text: str) -> list[int]:
        if text != "-" and (not text or len(text) > most or set(text) - set(symbols)):
            raise wrong(text, f"some of {''.join(symbols)}, or -")
        return [text.count(symbol) for symbol in symbols]

    return Codec(write, read)


def split(text: str, sign: str, count: int) -> list[str]:
    """Return the parts of a text; raise NotationError unless they are so many."""
    parts = text.split(sign) if sign else list(text)
    if len(parts) != count:
        between = f" with {sign} between" if sign else ""
        raise wrong(text, f"{count} parts{between}, not {len(parts)}")
    return parts


def through(codec: Codec, out: Callable[[Any], Any], into: Callable[[Any], Any]) -> Codec:
    """Return a codec for values that lie otherwise in a record: `out` of it, `into` it."""
    return Codec(
        lambda p, value: codec.write(p, out(value)), lambda p, text: into(codec.read(p, text))
    )


def row(
    codec: Codec, sign: str = "/", count: int | Callable[[Fields], int] = lambda p: p.seats
) -> Codec:
    """Return the codec of several values of one kind; by default one for every seat."""

    def length(p: Fields) -> int:
        return count if isinstance(count, int) else count(p)

    def write(p: Fields, values: Sequence[Any]) -> str:
        return sign.join(codec.write(p, value) for value in values[: length(p)])

    def read(p: Fields, text: str) -> list[Any]:
        return [codec.read(p, part) for part in split(text, sign, length(p))]

    return Codec(write, read)


def group(*codecs: Codec, sign: str = "/") -> Codec:
    """Return the codec of several values, each of its own kind."""

    def write(p: Fields, values: Sequence[Any]) -> str:
        return sign.join(codec.write(p, v) for codec, v in zip(codecs, values, strict=True))

    def read(p: Fields, text: str) -> list[Any]:
        parts = split(text, sign, len(codecs))
        return [codec.read(p, part) for codec, part in zip(codecs, parts, strict=True)]

    return Codec(write, read)


def found(text: str, pattern: re.Pattern[str], right: str) -> list[str]:
    """Return the groups of a pattern in a text; raise NotationError where it does not fit."""
    match = pattern.fullmatch(text)
    if not match:
        raise wrong(text, right)
    return [group or "" for group in match.groups()]


# --- Tokens: where in a record a codec's values are ---


@dataclass(frozen=True)
class Token:
    """One part of a position's line.

    Attributes
    ----------
    what
        What it is called in messages, or, if it is named, in the line.
    fields
        The fields that it writes and reads.
    write, read
        Return its text; fill in the fields.
    """

    what: str
    fields: tuple[str, ...]
    write: Callable[[Fields], str]
    read: Callable[[Fields, str], None]


def token(what: str, field: str, codec: Codec) -> Token:
    """Return the token of one field."""

    def read(p: Fields, text: str) -> None:
        setattr(p, field, codec.read(p, text))

    return Token(what, (field,), lambda p: codec.write(p, getattr(p, field)), read)


def several(what: str, fields: Sequence[str], *codecs: Codec, sign: str = "/") -> Token:
    """Return the token of several fields, one codec for each or one for all."""
    inner = group(*(codecs if len(codecs) == len(fields) else codecs * len(fields)), sign=sign)

    def write(p: Fields) -> str:
        return inner.write(p, [getattr(p, field) for field in fields])

    def read(p: Fields, text: str) -> None:
        for field, value in zip(fields, inner.read(p, text), strict=True):
            setattr(p, field, value)

    return Token(what, tuple(fields), write, read)


def choice(what: str, fields: Sequence[str], meanings: Mapping[str, tuple[int, ...]]) -> Token:
    """Return the token of words that each mean certain values of some fields."""
    codec = mapped({name: number for number, name in enumerate(meanings)})
    values = list(meanings.values())

    def write(p: Fields) -> str:
        return codec.write(p, values.index(tuple(getattr(p, field) for field in fields)))

    def read(p: Fields, text: str) -> None:
        for field, value in zip(fields, values[codec.read(p, text)], strict=True):
            setattr(p, field, value)

    return Token(what, tuple(fields), write, read)


def veiled(
    what: str,
    field: str,
    size: str,
    codec: Codec,
    shown: Callable[[Fields, int], bool],
    by_seat: bool = True,
) -> Token:
    """Return the token of multisets that views hide, of which they tell the sizes: ``?5``.

    Parameters
    ----------
    field, size
        The counts, and how many there are in all.
    shown
        Says whether this position's viewer knows a seat's: ``shown(p, seat)``.
    by_seat
        Whether there is one for every seat.
    """
    most = number(99)

    def rows(p: Fields) -> range:
        return everybody(p) if by_seat else range(1)

    def write(p: Fields) -> str:
        counts, sizes = (np.atleast_1d(getattr(p, name)) for name in (field, size))
        counts = counts if by_seat else counts[None]
        texts = (codec.write(p, counts[i]) if shown(p, i) else f"?{sizes[i]}" for i in rows(p))
        return "/".join(texts)

    def read(p: Fields, text: str) -> None:
        counts, sizes = np.zeros_like(np.atleast_2d(getattr(p, field))), []
        for i, part in enumerate(split(text, "/", len(rows(p)))):
            if part.startswith("?") == shown(p, i):
                raise NotationError(f"{part[:SHOWN]!r} does not fit what the viewer may know")
            if not part.startswith("?"):
                counts[i] = codec.read(p, part)
            sizes.append(most.read(p, part[1:]) if part.startswith("?") else int(counts[i].sum()))
        setattr(p, field, counts if by_seat else counts[0])
        setattr(p, size, sizes if by_seat else sizes[0])

    return Token(what, (field, size), write, read)


def named(name: str, field: str, codec: Codec) -> Token:
    """Return the token of one field that is left out where it is zero: ``name=value``."""
    inner = token(name, field, codec)

    def write(p: Fields) -> str:
        return inner.write(p) if np.any(getattr(p, field)) else ""

    return Token(name, (field,), write, inner.read)


def plain(name: str, kind: np.dtype[Any]) -> Token:
    """Return the token of a field that a game says nothing of: its numbers, if any is not 0."""
    shape = kind.shape
    limits = np.iinfo(kind.base)

    def write(p: Fields) -> str:
        values = np.ravel(getattr(p, name)).tolist()
        return ",".join(map(str, values)) if any(values) else ""

    def read(p: Fields, text: str) -> None:
        one = number(int(limits.max), int(limits.min))
        size = int(np.prod(shape, dtype=int))
        values = [one.read(p, part) for part in split(text, ",", size)]
        setattr(p, name, np.reshape(values, shape) if shape else values[0])

    return Token(name, (name,), write, read)


PLIES = several("plies/sealed", ("plies", "sealed"), number(10**9))
"""How long the game is, and the ply before which nobody takes back alone."""
