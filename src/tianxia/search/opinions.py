"""What a bot thought of a decision: for data to learn from, never for its play."""

from __future__ import annotations

from dataclasses import dataclass

from tianxia.kernel.state import State
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding, Searcher


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
    if isinstance(bot, Searcher):
        kept = bot._thoughts.get(bot.decided)
        return _of_findings(kept[1].findings) if kept is not None and kept[0] == view else None
    own = getattr(bot, "opinion", None)
    found: Opinion | None = own(view) if own is not None else None
    return found


def _of_findings(findings: list[Finding]) -> Opinion | None:
    """Return a search's answer; None where there was nothing to search for."""
    if len(findings) < 2:
        return None
    ordered = sorted(findings, key=lambda one: one.action)
    # What `Searcher.choose` draws from: small shares are left from learning.
    kept = [one.share if one.share >= Searcher.LEAST else 0.0 for one in ordered]
    total = sum(kept)
    return Opinion(
        [share / total for share in kept] if total else None,
        sum(one.share * one.value for one in ordered) / sum(one.share for one in ordered),
        [one.visits for one in ordered],
    )
