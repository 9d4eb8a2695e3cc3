"""Options of a game: declared once, checked, written as ``name(option=value,…)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import reduce
from typing import Any

import numpy as np

from tianxia.kernel.errors import N_, OptionError, TianxiaError, Worded
from tianxia.kernel.record import MAX_SEATS

Value = bool | int | str
LONGEST_SHOWN = 60
LONGEST_SPEC = 4000
"""Of a description of a game, and of a value in it: much less is ever meant."""
NAME = re.compile(r"[a-z][a-z0-9_-]*")
SPEC = re.compile(rf"\s*({NAME.pattern})\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Text:
    """Values of an option that people write themselves, beside those that have a name.

    Attributes
    ----------
    read
        Returns the text as it is kept: letters and digits, ``+``, ``-`` and ``/`` only, so that
        it can stand in a description of a game. Raises TianxiaError, saying what is wrong.
    numbers
        Returns what stands for such a text in the record.
    field
        The option field of the record that takes these numbers.
    asked
        What is to be written, in one English sentence; game folders translate it.
    example
        Such a text; "" where it is too long for anybody to write.
    name
        What such a text is called where it is not spelled out; game folders translate it.
    """

    read: Callable[[str], str]
    numbers: Callable[[str], Sequence[int]]
    field: str
    asked: str
    example: str
    name: str = ""


@dataclass(frozen=True)
class Option:
    """One option of a game.

    Attributes
    ----------
    name
        As players and programs write it; also the name of the field in the record.
    default
        The value where none is given.
    values
        All values that are possible. A choice of words is stored in the record by its
        place in this list, a number or a truth value as itself.
    meaning
        What it does, in one English sentence; game folders translate it.
    text
        How other values than these can be written, or None if none can.
    labels
        What values are called where people choose, in English; game folders translate it.
    label
        The same for numbers that have no label of their own, with ``{n}`` in it.
    seldom
        Whether few people change it, so that forms fold it away.
    pictured
        The values that the board of a new game shows.
    """

    name: str
    default: Value
    values: Sequence[Value]
    meaning: str = ""
    text: Text | None = None
    labels: Mapping[Any, str] = field(default_factory=dict, hash=False)
    label: str = ""
    seldom: bool = False
    pictured: Sequence[Value] = ()

    def parse(self, value: object) -> Value:
        """Return the value that is meant, or raise with the choices."""
        for known in self.values:
            if type(known) is type(value) and known == value:
                return known
            if isinstance(value, str) and _written(known) == value.strip().lower():
                return known
            if isinstance(known, str) and known.lower() == str(value).lower():
                return known
        given = {"option": self.name, "value": _shown(value), "choices": self.choices}
        if self.text and isinstance(value, str) and len(value) <= LONGEST_SPEC:
            try:
                return self.text.read(value)
            except TianxiaError as error:
                raise OptionError(
                    N_("{option}={value} is not possible ({why}); {option} is {choices}"),
                    **given,
                    why=error,
                ) from error
        raise OptionError(N_("{option}={value} is not possible; {option} is {choices}"), **given)

    @property
    def choices(self) -> Worded:
        """All values as words."""
        if isinstance(self.values, range) and len(self.values) > 12:
            least, most = self.values[0], self.values[-1]
            return Worded(N_("a number from {least} to {most}"), least=least, most=most)
        # As they are to be written, in every language.
        words = [Worded("{value}", value=_written(value)) for value in self.values]
        if self.text is not None and self.text.example:
            words.append(Worded(N_("a text such as {text}"), text=self.text.example))
        *others, last = words
        return _or(reduce(_comma, others), last) if others else last

    def store(self, value: Value) -> int:
        """Return the number that stands for a value in the record; one for all own texts."""
        if not isinstance(value, str):
            return int(value)
        return len(self.values) if self.is_own(value) else self.values.index(value)

    def is_own(self, value: Value) -> bool:
        """Say whether a value of this option is a text that somebody wrote."""
        return self.text is not None and value not in self.values

    def load(self, number: int) -> Value:
        """Return the value with a name that a number in the record stands for."""
        if isinstance(self.values[0], str):
            return self.values[number]
        return bool(number) if isinstance(self.values[0], bool) else number


def _shown(given: object) -> str:
    """Return what somebody wrote as errors repeat it: no more of it than is needed to know it."""
    text = repr(given[: LONGEST_SHOWN + 1] if isinstance(given, str) else given)
    return text if len(text) <= LONGEST_SHOWN + 2 else f"{text[:LONGEST_SHOWN]}…"


def _comma(words: Worded, following: Worded) -> Worded:
    return Worded("{words}, {following}", words=words, following=following)


def _or(words: Worded, last: Worded) -> Worded:
    return Worded(N_("{words} or {last}"), words=words, last=last)


def _written(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).lower()


def check(options: Iterable[Option], given: Mapping[str, object], game: str) -> dict[str, Value]:
    """Return a value for every option: the given one or the default.

    Raises
    ------
    OptionError
        For an unknown option or an impossible value, naming the choices.
    """
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            near = get_close_matches(name[:LONGEST_SHOWN], known, 1)
            if near:
                text = N_("{game} has no option {name}; did you mean {near}?")
                raise OptionError(text, game=game, name=_shown(name), near=near[0])
            text = N_("{game} has no option {name}; it has: {options}")
            there = ", ".join(known) or Worded(N_("none"))
            raise OptionError(text, game=game, name=_shown(name), options=there)
    return {
        name: option.parse(given[name]) if name in given else option.default
        for name, option in known.items()
    }


def misdeclared(options: Iterable[Option], fields: Mapping[str, Any]) -> str:
    """Return what is wrong with how a game declares its options; "" where nothing is.

    Parameters
    ----------
    fields
        The options of the game's record, as `np.dtype.fields` has them.
    """
    known = {option.name: option for option in options}
    filled = {*known, *(option.text.field for option in known.values() if option.text)}
    if odd := filled ^ set(fields):
        where = "options" if odd & filled else "the record's options"
        return f"{', '.join(sorted(odd & filled or odd))} is in {where} only: both name the same"
    for name, option in known.items():
        if name == "players" and not set(option.values) <= set(range(2, MAX_SEATS + 1)):
            return f"players are numbers from 2 to {MAX_SEATS}, not {option.choices}"
        if option.default not in option.values and option.text is None:
            return f"the default of {name} is {option.default!r}, and {name} is {option.choices}"
        stored = (0, *map(option.store, option.values), len(option.values) * bool(option.text))
        kind = np.iinfo(fields[name][0].base)
        if not kind.min <= min(stored) <= max(stored) <= kind.max:
            return f"{name} can be {max(stored)}, and {kind.dtype} in the record ends at {kind.max}"
    return ""


def parse_spec(text: object) -> tuple[str, dict[str, str]]:
    """Split ``"china(players=4,board=B)"`` into the name and the options as written."""
    fits = isinstance(text, str) and len(text) <= LONGEST_SPEC
    match = SPEC.fullmatch(str(text)) if fits else None
    if not match:
        raise OptionError(
            N_("{text} is not a game; write one in small letters, like stratego(variant=duel)"),
            text=_shown(str(text)),
        )
    name, inside = match.groups()
    given: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in (inside or "").split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            wrong = N_("{part} in {text} should be option=value")
            raise OptionError(wrong, part=_shown(part), text=_shown(text))
        if key in given:
            raise OptionError(
                N_("{name} appears twice in {text}"), name=_shown(key), text=_shown(text)
            )
        given[key] = value
    return name, given


def write_spec(name: str, options: Iterable[Option], chosen: Mapping[str, Value]) -> str:
    """Return the shortest description of a game: only what differs from the defaults."""
    changed = [
        f"{option.name}={_written(chosen[option.name])}"
        for option in options
        if chosen[option.name] != option.default
    ]
    return f"{name}({','.join(changed)})" if changed else name
