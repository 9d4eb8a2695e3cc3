"""What a bot thought of a decision: for data to learn from, never for its play."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from operator import index
from typing import Any, TypeVar

from tianxia.kernel.state import State
from tianxia.search.bot import Bot, BotError

Number = TypeVar("Number", int, float)
CLOSE = 0.01
"""How far probabilities may be from 1 together."""


@dataclass(frozen=True)
class Opinion:
    """What a bot thought of the decision that it has just made; NumPy's arrays will do for lists.

    Attributes
    ----------
    policy
        The probability of each legal action, in their order; None where it has none.
    value
        The utility that it expects for itself, from −1 to 1; None where it has none.
    visits
        The simulations of each legal action, in their order; None where it did not search.
    """

    policy: list[float] | None = None
    value: float | None = None
    visits: list[int] | None = None


def opinion(bot: Bot, view: State) -> Opinion | None:
    """Return what a bot thought of its last decision; None where it does not say.

    A bot says by a method ``opinion(view)``, which is asked right after ``choose(view)``, off
    the clock, and leaves the bot as it was.

    Raises
    ------
    BotError
        For an opinion that does not fit the decision.
    """
    own = getattr(bot, "opinion", None)
    found = own(view) if own is not None else None
    return None if found is None else _checked(found, len(view.legal_actions(view.viewer)))


def _checked(found: object, legal: int) -> Opinion:
    """Return an opinion in Python's own numbers: bots have NumPy's, too, which files do not."""
    if not isinstance(found, Opinion):
        name = type(found).__name__
        raise BotError(f"an opinion is a tianxia.search.opinions.Opinion or None, not a {name}")
    policy = _listed("probability", float, found.policy, legal)
    visits = _listed("whole number", index, found.visits, legal)
    if policy is not None and not abs(sum(policy) - 1) <= CLOSE:
        raise BotError(f"the probabilities of an opinion make {sum(policy)}, not 1")
    try:
        value = None if found.value is None else float(found.value)
    except (TypeError, ValueError):
        value = math.nan
    if value is not None and not abs(value) <= 1:
        raise BotError(f"the value of an opinion is from −1 to 1, not {found.value}")
    return Opinion(policy, value, visits)


def _listed(
    what: str, plain: Callable[[Any], Number], numbers: Iterable[Any] | None, legal: int
) -> list[Number] | None:
    """Return a number for each legal action as a list; None where there are none."""
    if numbers is None:
        return None
    with suppress(TypeError, ValueError):
        listed = [plain(one) for one in numbers]
        if len(listed) == legal and all(one >= 0 for one in listed):
            return listed
    raise BotError(f"an opinion has a {what} for each of the {legal} legal actions: {numbers}")
