"""Games that go on from a position of another: where their first actions come from.

Such a table keeps a list of sources, each a finished game that the actions up to a number were
taken from; a table that goes on from one that did so itself lists that one's sources, too. With
their secrets, which were shown at their ends, all draws among these actions can be checked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from tianxia.draw.guides import Due
from tianxia.kernel.errors import TranscriptError
from tianxia.tables.chance import HEX, Chance
from tianxia.tables.log import Row

MOST = 100
"""Sources of one table: whoever goes on from games that go on from games has enough then."""


@dataclass(frozen=True, slots=True)
class Source:
    """A finished game that actions were taken from.

    Attributes
    ----------
    table
        Its id.
    actions
        Up to which action of the new game, counted from 1.
    hash, secret, seeds
        Of its chance; a guided game had a guide in the place of that, and has none.
    """

    table: str
    actions: int
    hash: str = ""
    secret: str = ""
    seeds: tuple[str, ...] = ()

    @property
    def chance(self) -> Chance | None:
        """What it drew with."""
        return Chance(self.table, self.secret, self.seeds) if self.secret else None


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new game begins with: actions of another one, and where they come from."""

    sources: tuple[Source, ...]
    line: tuple[Due, ...]


def written(sources: Iterable[Source]) -> str:
    """Return sources as text, "" where there are none."""
    listed = [asdict(one) for one in sources]
    return json.dumps(listed) if listed else ""


def read(text: str) -> tuple[Source, ...]:
    """Return the sources of a text.

    Raises
    ------
    TranscriptError
        Where it is something else.
    """
    wrong = TranscriptError("should be a list of sources in JSON, in the order of their actions")
    try:
        found = json.loads(text or "[]")
        listed = [Source(**{**one, "seeds": tuple(one["seeds"])}) for one in found]
    except (ValueError, TypeError, KeyError) as error:
        raise wrong from error
    ends = [0, *(one.actions for one in listed)]
    if not isinstance(found, list) or not all(map(_sound, listed)) or ends != sorted(set(ends)):
        raise wrong
    return tuple(listed)


def _sound(one: Source) -> bool:
    texts = (one.table, one.hash, one.secret, *one.seeds)
    return (
        type(one.actions) is int
        and all(isinstance(text, str) for text in texts)
        and (not one.secret or HEX.fullmatch(one.secret) is not None)
    )


def source_of(sources: Sequence[Source], action: int) -> Source | None:
    """Return where an action comes from, counted from 1; None: from the game itself."""
    return next((one for one in sources if action <= one.actions), None)


def given(rows: Iterable[Row], sources: Sequence[Source]) -> tuple[Due, ...]:
    """Return the actions that a game began with, from its log."""
    many = sources[-1].actions if sources else 0
    acted = (row for row in rows if many and row.action is not None and row.seat is not None)
    return tuple(Due(row.seat, row.action) for row, _ in zip(acted, range(many), strict=False))  # type: ignore[arg-type]
