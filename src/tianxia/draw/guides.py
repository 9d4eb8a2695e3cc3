"""Guided first games: a line of play beside the rulebook as data, with what is said to it.

A file ``guide.toml`` in the folder of the rulebook names a game, a seat and the steps::

    game = "stratego(variant=barrage)"
    seat = 0

    [[step]]
    before = "1:F 1:B c:open"
    do = "a4-a5"
    en = "Move your Scout …"
    fr = "…"

`before` is what is played by itself before a step, each token with its seat (``c``: chance); `do`
is what the learner decides there, one token or several. A step without `do` is the last word. All
of it is a game by the rules, so nothing has to be stored but how far it is followed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from tianxia.draw.languages import unbroken
from tianxia.draw.rulebook import FALLBACK
from tianxia.kernel import registry
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.record import CHANCE

FILE = "guide.toml"
BY_CHANCE = "c"


class Due(NamedTuple):
    """What is played at a place of the line; `asked`: the learner decides it, told by a step."""

    actor: int
    action: int
    asked: int | None = None


@dataclass(frozen=True)
class Step:
    """What is said at a decision, by language."""

    texts: Mapping[str, str]

    def text(self, language: str) -> str:
        """Return it in a language, or in English."""
        return unbroken(self.texts.get(language) or self.texts[FALLBACK], language)


@dataclass(frozen=True)
class Guide:
    """A guided game; see the module.

    Attributes
    ----------
    line
        All that is played, from the start on.
    steps
        What is said; the last one when all has been played.
    """

    game: Game
    seat: int
    line: tuple[Due, ...]
    steps: tuple[Step, ...]

    def step_at(self, played: int) -> int | None:
        """Return the number of the step that is due after so many actions."""
        if played == len(self.line):
            return len(self.steps) - 1
        return self.line[played].asked if played < len(self.line) else None


@cache
def guide_of(kind: GameType) -> Guide | None:
    """Return the guided game of a game; None where it has none.

    Raises
    ------
    TianxiaError
        Where the rules do not allow what the file says.
    """
    package = getattr(kind.words, "__package__", None) or ""
    file = files(package) / FILE if package else None
    if file is None or not file.is_file():
        return None
    return read(tomllib.loads(file.read_text("utf-8")))


def read(data: Mapping[str, Any]) -> Guide:
    """Return the guided game that a file describes."""
    game = registry.game(data["game"])
    seat, state = int(data["seat"]), game.new()
    line: list[Due] = []
    steps = []
    for number, one in enumerate(data["step"]):
        played = [(*token.split(":", 1), None) for token in one.get("before", "").split()]
        played += [(str(seat), token, number) for token in one.get("do", "").split()]
        for who, token, asked in played:
            actor = CHANCE if who == BY_CHANCE else int(who)
            try:
                action = state.parse(token, actor)
                state.apply(action, actor)
            except TianxiaError as error:
                raise TianxiaError(f"{FILE} of {game.name}, step {number}: {error}") from error
            line.append(Due(actor, action, asked))
        texts = {name: text for name, text in one.items() if name not in ("before", "do")}
        steps.append(Step(texts))
    return Guide(game, seat, tuple(line), tuple(steps))
