"""What a bot thought of a decision: for data to learn from, never for its play."""

from __future__ import annotations

from dataclasses import dataclass

from tianxia.kernel.state import State
from tianxia.search.bot import Bot


@dataclass(frozen=True)
class Opinion:
    """What a bot thought of the decision that it has just made.

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
    """
    own = getattr(bot, "opinion", None)
    found: Opinion | None = own(view) if own is not None else None
    return found
