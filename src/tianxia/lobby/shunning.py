"""Whom somebody does not want to meet (a block) or to hear (a mute). Nobody else is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables import Refused, people, schema
from tianxia.tables.store import Store

_shunned = schema.shunned.c
MOST = 200
How = Literal["block", "mute"]


@dataclass(frozen=True, slots=True)
class Shun:
    """Somebody who is shunned; `other` is a digest."""

    other: str
    how: How
    name: str
    at: float


class Shunned:
    """Who shuns whom. People are digests, as in `holders`."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def shun(self, who: str, other: str, how: How, name: str, now: float) -> None:
        """Block somebody (no pairing, no talk), or mute them (no talk).

        Raises
        ------
        Refused
            For oneself, and for more than one can shun.
        """
        if other == who:
            raise Refused("yourself", N_("That is you.")).of(__name__)
        pair = (_shunned.person == who, _shunned.other == other)
        row = {"how": how, "name": name, "at": now}
        with self._store.writing() as connection:
            connection.execute(sa.delete(schema.shunned).where(*pair))
            count = sa.select(sa.func.count()).where(_shunned.person == who)
            if connection.execute(count).scalar_one() >= MOST:
                raise Refused(
                    "too-many-shunned",
                    N_("You have blocked or muted {most} people already."),
                    most=MOST,
                ).of(__name__)
            connection.execute(sa.insert(schema.shunned), {"person": who, "other": other, **row})

    def forgive(self, who: str, other: str) -> None:
        """Shun somebody no more."""
        pair = (_shunned.person == who, _shunned.other == other)
        with self._store.writing() as connection:
            connection.execute(sa.delete(schema.shunned).where(*pair))

    def how(self, who: str, other: str) -> How | None:
        """Return how somebody shuns somebody else; None where they do not."""
        query = sa.select(_shunned.how).where(_shunned.person == who, _shunned.other == other)
        return self._store.scalar(query)

    def of(self, person: str) -> list[Shun]:
        """Return whom a person (an id) shuns, the newest first."""
        query = (
            sa.select(_shunned.other, _shunned.how, _shunned.name, _shunned.at)
            .where(_shunned.person == people.digest(person))
            .order_by(_shunned.at.desc())
        )
        return [Shun(*row) for row in self._store.rows(query)]

    def unheard(self, who: str) -> frozenset[str]:
        """Return whose talk somebody does not hear."""
        query = sa.select(_shunned.other).where(_shunned.person == who)
        return frozenset(self._store.column(query))

    def either_way(self, who: str) -> frozenset[str]:
        """Return whom somebody has blocked, and who has blocked them."""
        query = sa.union_all(
            sa.select(_shunned.other).where(_shunned.person == who, _shunned.how == "block"),
            sa.select(_shunned.person).where(_shunned.other == who, _shunned.how == "block"),
        )
        return frozenset(self._store.column(query))

    def between(self, one: str, other: str) -> bool:
        """Say whether one of two has blocked the other."""
        return other in self.either_way(one)
