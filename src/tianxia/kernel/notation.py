"""A position on one line, and what makes it possible: both declared by the game.

A `Notation` is a list of tokens (`tianxia.kernel.tokens`), from which writing and reading
follow, and a list of invariants: statements that hold in every position of the game, each with
a name and a sentence. Text and bytes from outside become a position only if they are read,
written back to the same, and no invariant is broken; compiled rules trust their records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from tianxia.kernel.errors import NotationError, TianxiaError
from tianxia.kernel.fields import Fields, Frozen
from tianxia.kernel.record import HEADER, Pool
from tianxia.kernel.tokens import PLIES, SHOWN, Token, bits, named, number, plain, token

Test = Callable[..., Any]
Case = tuple[Any, ...]


@dataclass(frozen=True)
class Invariant:
    """What holds in every position of a game, and in every view.

    Attributes
    ----------
    name, sentence
        What it is called, and what it says.
    test
        Says whether it holds: ``test(p)``, or for each case ``test(p, *case)``.
    phases
        In which phases it is asked; None: in all.
    each
        Returns the cases, such as seats, each behind what it is called in messages.
    """

    name: str
    sentence: str
    test: Test
    phases: Collection[int] | None = None
    each: Callable[[Fields], Iterable[Case]] | None = None

    def broken(self, p: Fields) -> str:
        """Return what is wrong with a position, or an empty text."""
        if self.phases is not None and p.phase not in self.phases:
            return ""
        if self.each is None:
            return "" if self.test(p) else self.sentence
        for label, *case in self.each(p):
            if not self.test(p, *case):
                return f"{label}: {self.sentence}"
        return ""


class Invariants(Sequence[Invariant]):
    """The invariants of a game in the order in which they are asked.

    ``@invariant("sentence")`` above a function adds it under the function's name. A later one
    may rely on those before it.
    """

    def __init__(self) -> None:
        self._all: list[Invariant] = []
        self("the ply before which nobody takes back has been played")(sealed_plies)
        self("who may act has a seat, and the game is not over")(actors)

    def __call__(
        self,
        sentence: str,
        phases: Collection[int] | None = None,
        each: Callable[[Fields], Iterable[Case]] | None = None,
    ) -> Callable[[Test], Test]:
        """Add the function below to the invariants."""

        def add(test: Test) -> Test:
            name = getattr(test, "__name__", "")
            self._all.append(Invariant(name, sentence, test, phases, each))
            return test

        return add

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Invariant]:
        return iter(self._all)


def sealed_plies(p: Fields) -> bool:
    """Compare plies/sealed."""
    return bool(0 <= p.sealed <= p.plies)


def actors(p: Fields) -> bool:
    """Look at who may act."""
    return p.over in (0, 1) and 0 <= p.acting < (1 if p.over else 1 << p.seats)


class Notation:
    """How the positions of a game are written, read and judged.

    Parameters
    ----------
    dtype
        The game's record. Each field that no token has becomes a named one of its own,
        ``field=1,0,2``, left out where all is zero: a record that gains a field still reads
        old lines.
    tokens
        Those that are always written, in their order.
    named
        Those written ``name=value`` behind them, left out where they are empty.
    derived, complete
        Fields that follow from the others, and what works them out: ``complete(p)``.
    invariants
        What makes a position possible.
    """

    def __init__(
        self,
        dtype: np.dtype[np.void],
        tokens: Sequence[Token],
        named: Sequence[Token] = (),
        derived: Collection[str] = (),
        complete: Callable[[Fields], None] = lambda p: None,
        invariants: Sequence[Invariant] = (),
    ) -> None:
        known = {*derived, "options", *(name for name, _ in HEADER)}
        known.update(name for one in (*tokens, *named) for name in one.fields)
        left = {
            name: kind
            for name, (kind, *_) in (dtype.fields or {}).items()
            if name not in known and not name.startswith("filler")
        }
        self.tokens = tuple(tokens)
        self.named = {one.what: one for one in named} | {n: plain(n, k) for n, k in left.items()}
        self.complete = complete
        self.invariants = invariants

    def dump(self, record: Any) -> str:
        """Return a position's record (a scalar) as the tokens of a one-line notation."""
        p = Frozen(record)
        return " ".join([*(one.write(p) for one in self.tokens), *self._dump_named(p)])

    def _dump_named(self, p: Fields) -> Iterator[str]:
        for name, one in self.named.items():
            text = one.write(p)
            if text:
                yield f"{name}={text}"

    def load(self, text: str, pool: Pool) -> None:
        """Fill a record, whose header's seats and viewer and options are set, from `dump`.

        Raises
        ------
        NotationError
            Naming the token that is wrong and what would be right, or what makes the
            position impossible.
        """
        parts, rest = self.fill(text, pool)
        p = Frozen(pool[0])
        self._demand_written(p, parts, " ".join(rest))
        self.demand_possible(p)

    def fill(self, text: str, pool: Pool) -> tuple[Sequence[str], Sequence[str]]:
        """Fill a record as `load` does, whether or not that is a position; return the tokens."""
        p = Fields(pool[0])
        given = text.split()
        parts, rest = given[: len(self.tokens)], given[len(self.tokens) :]
        if len(parts) < len(self.tokens) or (rest and not self.named):
            raise NotationError(f"a position has {len(self.tokens)} parts, not {len(given)}")
        for one, part in zip(self.tokens, parts, strict=True):
            _read(one, p, part)
        self._load_named(p, rest)
        self.complete(p)
        return parts, rest

    def _demand_written(self, p: Fields, parts: Sequence[str], rest: str) -> None:
        """Demand that a position is written as it would be written here."""
        for one, part in zip(self.tokens, parts, strict=True):
            if part != one.write(p):
                raise NotationError(
                    f"{one.what}: {part[:SHOWN]!r} should be written {one.write(p)!r}"
                )
        written = " ".join(self._dump_named(p))
        if rest != written:
            raise NotationError(f"{rest[:200]!r} should be written {written!r}")

    def _load_named(self, p: Fields, texts: Sequence[str]) -> None:
        last = -1
        names = list(self.named)
        for text in texts:
            name, equals, value = text.partition("=")
            if name not in self.named or not equals:
                raise NotationError(
                    f"{text[:SHOWN]!r} should be one of {', '.join(names)}, = and a value"
                )
            if names.index(name) <= last:
                raise NotationError(
                    f"{name}= stands twice, or too late: the order is {' '.join(names)}"
                )
            last = names.index(name)
            _read(self.named[name], p, value)

    def broken(self, record: Any) -> str:
        """Return the first invariant that a record breaks, as a sentence; empty: none."""
        return self._broken(Frozen(record))

    def _broken(self, p: Fields) -> str:
        return next(filter(None, (one.broken(p) for one in self.invariants)), "")

    def demand_possible(self, p: Fields) -> None:
        """Demand that a position breaks no invariant."""
        broken = self._broken(p)
        if broken:
            raise NotationError(broken)


def _read(one: Token, p: Fields, text: str) -> None:
    try:
        one.read(p, text)
    except (LookupError, OverflowError, TianxiaError, ValueError) as error:
        raise NotationError(f"{one.what}: {error}") from error


@cache
def usual(dtype: np.dtype[np.void]) -> Notation:
    """Return the notation of a game that declares none: its fields, each as its numbers."""
    acting = token("who may act", "acting", bits("0123456"))
    over = named("over", "over", number(1))
    return Notation(dtype, (acting, PLIES), (over,), invariants=Invariants())
