"""Strangers: styles of play to measure a game's best player by, made of that player itself.

A style leans: it adds what it likes to what the player says of each thing that it may do, and
weighs some of the player's weights otherwise. So it plays sensibly, and yet otherwise than the
player expects. A game's styles are its league; they are no levels for people. Some are written by
hand. Others are bred: mixtures drawn by a number, of which `bench/exploiters.py` searches those
that do best against the best player.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel.rng import below, fraction, new_rng
from tianxia.search.bot import Bot, Maker

BRED = "bred_"
"""Before the number of a style that is drawn."""
MIXED = 2
"""Leanings of a style that is drawn."""
STRONGEST, WEAKEST = 1.2, 0.2
"""How much of each."""
CHANGED = 2
"""One of so many weights is drawn anew; it becomes up to twice or half as large."""

Leaning = Callable[[Any, Any], float]
"""What a style likes about something that it may do, as it sees it: in the player's own units."""
Place = int | slice
"""Where a weight, or several that belong together, stand in a table."""
Weights = NDArray[np.float64]


def indifferent(_sight: Any, _deed: Any) -> float:
    """Like nothing better than anything else."""
    return 0.0


@dataclass(frozen=True)
class Style:
    """How a stranger plays.

    Attributes
    ----------
    leaning
        What it likes.
    taste
        What matters to it otherwise than to the best player, as factors of that player's weights.
    """

    leaning: Leaning = indifferent
    taste: Mapping[Any, float] = field(default_factory=dict)


def factors(
    taste: Mapping[Any, float], places: Mapping[Any, Place] | Sequence[int], count: int
) -> Weights:
    """Return what to multiply each of so many weights by."""
    found = np.ones(count)
    for name, factor in taste.items():
        found[places[name]] *= factor
    return found


def mixed(parts: Sequence[tuple[float, Leaning]]) -> Leaning:
    """Return a leaning that is the sum of others, each so many times."""
    return lambda sight, deed: sum(times * leaning(sight, deed) for times, leaning in parts)


def breed(number: int, leanings: Sequence[Leaning], weights: Iterable[Any]) -> Style:
    """Return the style of a number: a mixture of two leanings, and a taste for some weights."""
    rng = new_rng(number)
    left = list(leanings)
    parts = [
        (WEAKEST + (STRONGEST - WEAKEST) * fraction(rng), left.pop(below(rng, len(left))))
        for _ in range(MIXED)
    ]
    taste = {}
    for name in weights:
        factor = 2 ** (2 * fraction(rng) - 1)
        if below(rng, CHANGED) == 0:
            taste[name] = factor
    return Style(mixed(parts), taste)


S = TypeVar("S", bound=Style)


@dataclass(frozen=True)
class League(Generic[S]):
    """The styles of a game.

    Attributes
    ----------
    player
        Makes a stranger: ``player(game, seat, seed, style=style)``.
    styles
        Those written by hand, by name.
    breeder
        Returns the style of a number; None where none are bred.
    bred
        The numbers that a search has found to do best against the best player.
    """

    player: Callable[..., Bot]
    styles: Mapping[str, S]
    breeder: Callable[[int], S] | None = None
    bred: tuple[int, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of all strangers, the bred ones last."""
        return [*self.styles, *(f"{BRED}{number}" for number in self.bred)]

    def style(self, name: str) -> S:
        """Return a style by its name, which may be any number's; KeyError for no style."""
        number = name.removeprefix(BRED)
        if self.breeder is not None and name.startswith(BRED) and number.isdecimal():
            return self.breeder(int(number))
        return self.styles[name]

    def maker(self, name: str) -> Maker:
        """Return what makes a stranger: for a module's ``__getattr__``, which the arena asks."""
        try:
            return partial(self.player, style=self.style(name))
        except KeyError:
            raise AttributeError(
                f"there is no style {name!r}; there are {', '.join(self.names)}"
            ) from None

    @property
    def makers(self) -> Mapping[str, Maker]:
        """What makes each stranger, by name."""
        return {name: self.maker(name) for name in self.names}
