"""The table of a game's actions: its kinds, what they are about, and how they are numbered.

A game declares each kind once, with the ranges of its parameters::

    ACTIONS = Actions()
    TAKE = ACTIONS.add("take", COLOURS)
    DRAW = ACTIONS.add("draw")
    ATTACK = ACTIONS.add("attack", range(1, 7), PAYMENTS)
    kind_of, argument = ACTIONS.rules()
    attack = ACTIONS.packer("attack")

A kind is known by its first action: so ``kind_of(action) == TAKE`` asks for it, ``TAKE + 2``
is its third action, and a kind without parameters is its only action. In Python
``ACTIONS.split(action)`` gives ``("attack", 6, 3)``, made to be matched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

Parts = tuple[Any, ...]
Writer = str | tuple[Sequence[str], ...] | Callable[..., str]
"""How the actions of a kind are written: see `Actions.tokens`."""


class Kind(NamedTuple):
    """A kind of action: its first action, the ranges of its parameters, how many actions."""

    first: int
    ranges: tuple[range, ...]
    size: int


class Actions:
    """The actions of a game, kind after kind; within a kind the last parameter runs fastest."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self._parts: list[Parts] = []

    def __len__(self) -> int:
        return len(self._parts)

    def add(self, name: str, *parameters: int | range) -> int:
        """Declare the next kind; return its first action.

        Parameters
        ----------
        parameters
            The values of each: a number stands for as many, from 0 on.
        """
        if name in self.kinds:
            raise ValueError(f"{name!r} is declared twice")
        ranges = tuple(range(one) if isinstance(one, int) else one for one in parameters)
        first = len(self)
        self._parts += [(name, *values) for values in product(*ranges)]
        self.kinds[name] = Kind(first, ranges, len(self) - first)
        return first

    def of(self, *names: str) -> range:
        """Return the actions of a kind, or from one kind to another."""
        last = self.kinds[names[-1]]
        return range(self.kinds[names[0]].first, last.first + last.size)

    def split(self, action: int) -> Parts:
        """Return the name of an action's kind, and its arguments."""
        return self._parts[action]

    def join(self, name: str, *arguments: int) -> int:
        """Return the action of a kind with these arguments.

        Raises
        ------
        ValueError
            Where an argument is out of its range.
        """
        first, ranges, _ = self.kinds[name]
        number = 0
        for values, argument in zip(ranges, arguments, strict=True):
            number = number * len(values) + values.index(argument)
        return first + number

    def table(self, values: Mapping[str, int]) -> NDArray[np.int64]:
        """Return a value for each action, by the names of kinds, several in a text; else 0."""
        by_name = {name: value for names, value in values.items() for name in names.split()}
        if by_name.keys() - self.kinds:
            raise ValueError(f"no such kinds: {', '.join(by_name.keys() - self.kinds)}")
        return np.array([by_name.get(name, 0) for name, *_ in self._parts])

    def rules(self) -> tuple[Any, Any]:
        """Return two functions for compiled code, when all kinds are declared.

        Returns
        -------
        kind_of
            ``kind_of(action)``: the first action of its kind.
        argument
            ``argument(action, i)``: the argument number `i`.
        """
        most = max(len(parts) for parts in self._parts)
        first = np.array([self.kinds[name].first for name, *_ in self._parts], np.int16)
        given = np.array([(*parts[1:], *[0] * (most - len(parts))) for parts in self._parts])
        arguments = given.astype(np.int16)

        @rule
        def kind_of(action):
            return int(first[action])

        @rule
        def argument(action, i):
            return int(arguments[action, i])

        return kind_of, argument

    def packer(self, name: str) -> Any:
        """Return the function that makes an action of a kind from its arguments; it compiles."""
        kind = self.kinds[name]
        steps = [1]
        for values in kind.ranges[:0:-1]:
            steps.insert(0, steps[0] * len(values))
        first = kind.first - sum(
            step * values.start for step, values in zip(steps, kind.ranges, strict=True)
        )
        return _PACKERS[len(steps)](first, *steps)

    def tokens(self, writers: Mapping[str, Writer]) -> list[str]:
        """Return the token of each action.

        Parameters
        ----------
        writers
            By kind: how a token is formatted and the words of each parameter, such as
            ``("swap:{}>{}", COLOURS, COLOURS)``; or a function of the arguments. A kind
            without parameters is written as its name, or as the text that is given.
        """
        return [
            _written(writers.get(name, name), self.kinds[name].ranges, arguments)
            for name, *arguments in self._parts
        ]


@rule
def member(bits, place):
    """Return the number that stands at a place, from 0, in the order of a set of bits."""
    for _ in range(place):
        bits &= bits - 1
    return lowest(bits)


@rule
def write_actions(numbers, first, out, count):
    """Write `first` plus each number of a set of bits into a list; return the new count.

    Where a list is what refusals leave, they are better asked before anything is written:
    after a write compiled code reads the whole state anew.
    """
    while numbers != 0:
        out[count] = first + lowest(numbers)
        numbers &= numbers - 1
        count += 1
    return count


def _written(writer: Writer, ranges: Sequence[range], arguments: Sequence[int]) -> str:
    if isinstance(writer, str):
        return writer
    if not isinstance(writer, tuple):
        return writer(*arguments)
    form, *words = writer
    places = map(range.index, ranges, arguments)
    return str(form).format(*(known[place] for known, place in zip(words, places, strict=True)))


def _pack_one(first: int, step: int) -> Any:
    @rule
    def pack(one):
        return first + one

    return pack


def _pack_two(first: int, step: int, _last: int) -> Any:
    @rule
    def pack(one, two):
        return first + one * step + two

    return pack


def _pack_three(first: int, step: int, small: int, _last: int) -> Any:
    @rule
    def pack(one, two, three):
        return first + one * step + two * small + three

    return pack


_PACKERS: dict[int, Callable[..., Any]] = {1: _pack_one, 2: _pack_two, 3: _pack_three}
