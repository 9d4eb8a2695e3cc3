"""How often somebody may try to get in: buckets in the database, the same for all workers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import sqlalchemy as sa

from tianxia.accounts.errors import TooManyGuesses
from tianxia.tables import people, schema
from tianxia.tables.store import Store, insert

_guesses = schema.guesses.c
FORGOTTEN_SECONDS = 86400.0


@dataclass(frozen=True, slots=True)
class Bucket:
    """So many attempts at once, and one more every so many seconds."""

    burst: int
    seconds: float


PAIR = Bucket(8, 60.0)
"""A name from one address: whoever guesses from elsewhere keeps nobody out."""
NAME = Bucket(60, 60.0)
ADDRESS = Bucket(40, 15.0)
MAILS = Bucket(3, 600.0)
"""Letters to one address, or about one name."""


class Guesses:
    """Attempts that were made; each is counted before it is looked at."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def take(self, now: float, *buckets: tuple[str, Bucket]) -> None:
        """Count one attempt in each bucket, by its key.

        Raises
        ------
        TooManyGuesses
            Where one is full; none is charged then.
        """
        with self._store.writing() as connection:
            for key, bucket in buckets:
                self._take(connection, people.digest(key), bucket, now)

    def _take(self, connection: sa.Connection, key: str, bucket: Bucket, now: float) -> None:
        # One statement, so that of two at once both count.
        left = _guesses.level - (now - _guesses.at) / bucket.seconds
        level = sa.case((left > 0, left), else_=0.0)
        one_more = (
            sa.update(schema.guesses)
            .where(_guesses.id == key, level + 1 <= bucket.burst)
            .values(level=level + 1, at=now)
        )
        if connection.execute(one_more).rowcount:
            return
        if insert(connection, schema.guesses, {"id": key, "level": 1.0, "at": now}):
            return
        if connection.execute(one_more).rowcount:  # somebody else was the first
            return
        full = connection.execute(sa.select(level + 1).where(_guesses.id == key)).scalar_one()
        raise TooManyGuesses(max(1, math.ceil((full - bucket.burst) * bucket.seconds)))

    def forget(self, key: str) -> None:
        """Forget the attempts under a key: one was right."""
        with self._store.writing() as connection:
            gone = _guesses.id == people.digest(key)
            connection.execute(sa.delete(schema.guesses).where(gone))
