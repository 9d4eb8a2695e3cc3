"""Advice for every game: its own adviser where it has one, else tree search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import cast

from tianxia.bots.registry import rebuild
from tianxia.draw.languages import N_, translator
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.state import State
from tianxia.search.advice import PATIENCE, Adviser, seat_of
from tianxia.search.bot import Bot, now, tell
from tianxia.search.thinking import Budget, Finding, Searcher, think

ITERATIONS = 800
"""Of the search that advises where a game has no adviser."""
MOST_HINTS = 3
ROW_SECONDS = 1.0
"""For each choice of a row, at most."""
REASON = N_("In games tried out from here, this did well.")


class Patient(Searcher):
    """A search that takes its time."""


class Searching:
    """The adviser of games that have none: a tree search, and a sentence that fits all."""

    def weigh(self, bot: Bot | None, view: State) -> list[Finding]:
        """Search anew, whatever the bot thinks."""
        seat = seat_of(view)
        budget = bot.budget if isinstance(bot, Patient) else Budget(iterations=ITERATIONS)
        return think(view, seat, view.plies, budget)

    def patient(self, game: Game, seat: int, seed: int) -> Patient:
        """Return what makes the search take ten times as long."""
        return Patient(game, seat, seed, Budget(iterations=PATIENCE * ITERATIONS))

    def reason(self, view: State, seat: int, action: int, language: str) -> str:
        """Say that trial games went well."""
        return translator(language, "tianxia.bots").gettext(REASON)


@cache
def adviser(kind: GameType) -> Adviser:
    """Return who advises the players of a game."""
    if not kind.advice:
        return Searching()
    return cast(Adviser, import_module(kind.advice))


@dataclass(frozen=True)
class Hint:
    """Something that a seat could do now.

    Attributes
    ----------
    actions
        One action; or a whole row of secret ones, where they are better chosen together.
    value
        The utility that the seat expects, from -1 to 1; None where nobody has weighed it.
    """

    actions: tuple[int, ...]
    value: float | None


def prospects(value: float, seats: int) -> int:
    """Return a utility as people are told it: the share of the victory, in per cent.

    0 is lost, 100 won; where all have the same chances it is 100 / seats.
    """
    share = (value * (seats - 1) + 1) / seats  # see `tianxia.kernel.functions.utilities`
    return round(100 * max(0.0, min(1.0, share)))


def weighed(bot: Bot, view: State, most: int = MOST_HINTS) -> list[Hint]:
    """Return the best actions of a seat, the best first.

    Parameters
    ----------
    bot, view
        See `Adviser.weigh`.
    """
    findings = adviser(view.game.kind).weigh(bot, view)
    return [Hint((one.action,), one.value) for one in findings[:most]]


def rows(name: str, state: State, seat: int, seeds: Iterable[int]) -> list[Hint]:
    """Return rows of secret choices that bots of a name would make; no row twice.

    Parameters
    ----------
    state
        The game so far. Each bot sees no more of it than its seat.
    seeds
        One for each bot.
    """
    found = [tuple(_row(name, state, seat, seed)) for seed in seeds]
    return [Hint(row, None) for row in dict.fromkeys(found)]


def _row(name: str, state: State, seat: int, seed: int) -> Iterator[int]:
    """Yield what a bot does until its seat is done with this phase."""
    bot, ahead = rebuild(name, state, seat, seed), state.clone()
    plies = ahead.plies
    while seat in ahead.acting and ahead.plies == plies:
        action = int(bot.choose(ahead.view(seat), now() + ROW_SECONDS))
        yield action
        tell(ahead, action, seat, [(seat, bot)])
