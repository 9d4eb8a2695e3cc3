"""Chance that anybody can check afterwards.

Before a game begins, the table takes a secret of 32 bytes and shows its SHA-256; players
add seeds of their own. For every draw of chance::

    message = JSON of [table id, running number, block, seeds], without spaces, in ASCII
    digest  = HMAC-SHA256(key = secret, message)

The running number counts the draws of the game from 1; the seeds are in the order of the
seats, ``""`` for a seat without. The digest is read as four numbers of 64 bits, most
significant byte first; the first one below the largest multiple of the total weight
counts (if none is, block 1 follows block 0, and so on). Modulo the total weight it is the
ticket: walk through the outcomes in the order of their actions, taking each weight off
the ticket, until it falls below zero. A step with one outcome draws nothing and has no
number. When the game ends the secret is shown.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tianxia.kernel.errors import TianxiaError

SECRET_BYTES = 32
HEX = re.compile(rf"[0-9a-f]{{{2 * SECRET_BYTES}}}")
CHUNK = 8
RANGE = 1 << 8 * CHUNK
LONGEST_SEED = 128
"""Longer seeds are cut."""


def new_secret() -> str:
    """Return a new secret, in hexadecimal."""
    return secrets.token_hex(SECRET_BYTES)


def commitment(secret: str) -> str:
    """Return what is shown of a secret when a table opens: its SHA-256, in hexadecimal.

    Raises
    ------
    ValueError
        Where the secret is not hexadecimal.
    """
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


@dataclass(frozen=True)
class Chance:
    """The chance of one table.

    Attributes
    ----------
    secret
        In hexadecimal.
    seeds
        What each seat has added; ``""`` where nothing.
    """

    table_id: str
    secret: str
    seeds: tuple[str, ...]

    def draw(self, weights: Sequence[tuple[int, int]], number: int) -> int:
        """Return the action that chance takes as its draw of that number, from 1.

        A step with one outcome draws nothing: do not count it.
        """
        if len(weights) == 1:
            return weights[0][0]
        ordered = sorted(weights)
        ticket = self.ticket(sum(weight for _, weight in ordered), number)
        for action, weight in ordered:
            ticket -= weight
            if ticket < 0:
                return action
        raise TianxiaError("chance has nothing to draw from")

    def ticket(self, total: int, number: int) -> int:
        """Return an integer below `total`, each as likely as the others."""
        if not 0 < total <= RANGE:
            raise TianxiaError(f"the weights of chance sum to 1 to 2**64, not {total}")
        limit = RANGE - RANGE % total
        return next(chunk for chunk in self._chunks(number) if chunk < limit) % total

    def _chunks(self, number: int) -> Iterator[int]:
        key = bytes.fromhex(self.secret)
        block = 0
        while True:
            message = json.dumps(
                [self.table_id, number, block, list(self.seeds)], separators=(",", ":")
            )
            digest = hmac.digest(key, message.encode("ascii"), "sha256")
            for begin in range(0, len(digest), CHUNK):
                yield int.from_bytes(digest[begin : begin + CHUNK], "big")
            block += 1

    def bot_seed(self, seat: int) -> int:
        """Return the seed of the bot at a seat: nobody can know it before the end."""
        digest = hmac.digest(bytes.fromhex(self.secret), f"bot {seat}".encode(), "sha256")
        return int.from_bytes(digest[:CHUNK], "big") >> 2
