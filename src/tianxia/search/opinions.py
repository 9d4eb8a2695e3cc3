"""What a bot thought of a decision: for data to learn from, never for its play."""

from __future__ import annotations

from dataclasses import dataclass

from tianxia.kernel.state import State
from tianxia.search.bot import Bot, BotError

CLOSE = 0.01
"""How far probabilities may be from 1 together."""


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

    Raises
    ------
    BotError
        For an opinion that does not fit the decision.
    """
    own = getattr(bot, "opinion", None)
    found = own(view) if own is not None else None
    if found is not None:
        _check(found, len(view.legal_actions(view.viewer)))
    return found


def _check(found: object, legal: int) -> None:
    if not isinstance(found, Opinion):
        name = type(found).__name__
        raise BotError(f"an opinion is a tianxia.search.opinions.Opinion or None, not a {name}")
    for what, listed in (("probability", found.policy), ("number", found.visits)):
        if listed is not None and (len(listed) != legal or min(listed) < 0):
            raise BotError(
                f"an opinion has a {what} for each of the {legal} legal actions: {found}"
            )
    if found.policy is not None and abs(sum(found.policy) - 1) > CLOSE:
        raise BotError(f"the probabilities of an opinion make {sum(found.policy)}, not 1")
    if found.value is not None and abs(found.value) > 1:
        raise BotError(f"the value of an opinion is from −1 to 1, not {found.value}")
