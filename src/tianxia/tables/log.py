"""What is stored of a game: rows, each with the position after it, tightly packed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

RAW = -zlib.MAX_WBITS
"""No header and no checksum around what is packed; the database has its own."""
NOTHING = "-"
"""What stands for the notation before the first one; never change it."""
CHANGES = frozenset(("start", "act", "chance", "takeback"))
"""Kinds of entries after which there is a new position."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a table's log as it is stored; rows are added, never changed.

    Attributes
    ----------
    number
        1, 2, … within the table.
    kind
        ``start``; ``act``, ``chance``, ``takeback``; ``ask``, ``allow``, ``refuse`` (of
        taking back); ``offer``, ``agree``, ``decline`` (of a draw); ``resign``, ``leave``; of
        clocks ``flag``, ``flag-bot``, ``clocks``, ``still``, ``holiday``; ``claim``,
        ``claim-bot``, ``return``, ``call-off``, ``close``.
    batch
        The number of the first entry of those that were sent together.
    token
        The action in the game's notation, which needs no rules to be read.
    position
        The notation of the position after it (of all new positions, after a take-back),
        packed by `pack` against the notation before.
    undone
        The numbers of the entries that a take-back took out of the transcript.
    seconds
        Of ``act``: for how long its seat had been asked, less what it was forgiven; of
        ``still``: how long all clocks stood; of ``holiday``: how long it lasts.
    """

    number: int
    kind: str
    seat: int | None
    action: int | None
    batch: int
    at: float
    token: str | None = None
    position: bytes | None = None
    undone: tuple[int, ...] = ()
    seconds: float = 0.0


def pack(notations: Iterable[str], before: str) -> bytes:
    """Return notations, packed against the one before: 30 bytes where 220 were."""
    packer = zlib.compressobj(6, zlib.DEFLATED, RAW, zdict=(before or NOTHING).encode())
    return packer.compress("\n".join(notations).encode()) + packer.flush()


def unpack(data: bytes, before: str) -> list[str]:
    """Return the notations that `pack` has packed."""
    unpacker = zlib.decompressobj(RAW, zdict=(before or NOTHING).encode())
    return unpacker.decompress(data).decode().split("\n")


def kept(rows: Iterable[Row]) -> list[Row]:
    """Return the rows of the actions that were not taken back: the transcript."""
    left: dict[int, Row] = {}
    for row in rows:
        if row.kind in ("act", "chance"):
            left[row.number] = row
        for number in row.undone:
            left.pop(number, None)
    return list(left.values())


def notations(rows: Iterable[Row]) -> list[str]:
    """Return the notation of the start and of the position after every action kept."""
    found: list[str] = []
    last = ""
    acted: list[int] = []
    for row in rows:
        if row.position is None:
            continue
        new = unpack(row.position, last)
        last = new[-1]
        if row.kind == "takeback":
            gone = set(row.undone)
            before = next(place for place, number in enumerate(acted) if number in gone)
            acted = [number for number in acted if number not in gone]
            found[before:] = new  # the position before the first that is gone, and on
        else:
            found += new
            if row.kind != "start":
                acted.append(row.number)
    return found
