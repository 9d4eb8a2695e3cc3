"""Colours that seats choose: one option for all games whose seats have one.

Its text names the colours of the seats in order, ``red-any-blue``. A seat that has not chosen
has the colour of its own number, or the first that is free where another has chosen that one;
or, where the rules have colours drawn, draws one of those that nobody has chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from numpy.typing import DTypeLike

from tianxia.kernel.errors import N_, OptionError
from tianxia.kernel.options import Option, Text, Value
from tianxia.kernel.record import MAX_SEATS

COLOURS = "colours"
USUAL, DRAWN = "usual", "drawn"
ANY = "any"
FIELDS: Mapping[str, DTypeLike] = {COLOURS: "i1", "chosen": ("i1", (MAX_SEATS,))}
"""The option fields of a record.

By seat: how far its colour is from its own number; where colours are drawn, 1 + the colour that
it has chosen.
"""


@dataclass(frozen=True)
class Colours:
    """The colours that seats of a game can choose.

    Attributes
    ----------
    labels
        What they are called, in English, in the order of the seats that usually have them;
        game folders translate them.
    drawn
        Whether chance gives colours to the seats that have chosen none.
    """

    labels: tuple[str, ...]
    drawn: bool = False

    @cached_property
    def names(self) -> tuple[str, ...]:
        """How players and programs write them."""
        return tuple(label.lower() for label in self.labels)

    @property
    def usual(self) -> str:
        """The value of the option where nobody has chosen."""
        return DRAWN if self.drawn else USUAL

    def option(self, meaning: str, asked: str, name: str) -> Option:
        """Return the option; its texts are in English, game folders translate them."""
        example = "-".join(reversed(self.names[:2]))
        text = Text(self._read, self._numbers, "chosen", asked, example, name)
        return Option(COLOURS, self.usual, (self.usual,), meaning, text, seldom=True)

    def number(self, name: str) -> int:
        """Return the number of a colour.

        Raises
        ------
        OptionError
        """
        if name not in self.names:
            raise OptionError(
                N_("no colour is called {name}; there are: {colours}"),
                name=repr(name[:20]),
                colours=", ".join(self.names),
            )
        return self.names.index(name)

    def complete(self, chosen: Mapping[int, int]) -> dict[int, int]:
        """Return the colours of seats by what some of them have chosen, as numbers.

        Unless they are drawn all colours have a seat then, those that nobody plays with come last.

        Raises
        ------
        OptionError
            Where two seats have chosen the same.
        """
        colours = list(chosen.values())
        for colour in colours:
            if colours.count(colour) > 1:
                name = self.names[colour]
                raise OptionError(N_("two seats cannot both be {colour}"), colour=name)
        if self.drawn:
            return dict(chosen)
        count = len(self.names)
        whole = {seat: seat for seat in range(count) if seat not in colours} | dict(chosen)
        free = iter(sorted(set(range(count)) - set(whole.values())))
        return {seat: whole[seat] if seat in whole else next(free) for seat in range(count)}

    def written(self, chosen: Mapping[int, int]) -> str:
        """Return the value of the option that gives seats these colours, the shortest there is."""
        whole = self.complete(chosen)
        for length in range(len(self.names) + 1):
            first = {seat: colour for seat, colour in whole.items() if seat < length}
            if self.complete(first) == whole:
                break
        words = (self.names[first[seat]] if seat in first else ANY for seat in range(length))
        return "-".join(words) or self.usual

    def of(self, value: Value) -> dict[int, int]:
        """Return the colours of seats by the value of the option."""
        return dict(_pairs(self, str(value)))

    def _read(self, text: str) -> str:
        words = text.strip().lower().split("-")
        if len(words) > len(self.names):
            raise OptionError(N_("there are {n} colours"), n=len(self.names))
        chosen = {seat: self.number(word) for seat, word in enumerate(words) if word != ANY}
        return self.written(chosen)

    def _numbers(self, text: str) -> list[int]:
        found = [0] * MAX_SEATS
        for seat, colour in self.of(text).items():
            found[seat] = colour + 1 if self.drawn else (colour - seat) % len(self.names)
        return found


@lru_cache(1000)
def _pairs(colours: Colours, value: str) -> tuple[tuple[int, int], ...]:
    words = [] if value == colours.usual else value.split("-")
    chosen = {seat: colours.number(word) for seat, word in enumerate(words) if word != ANY}
    return tuple(colours.complete(chosen).items())
