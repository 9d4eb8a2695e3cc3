"""``tianxia bot``: one of our bots as a program that others ask."""

from __future__ import annotations

import secrets
import sys

from tianxia.bots.evaluator import play_evaluated
from tianxia.bots.lines import speak
from tianxia.cli.playing import SEEDS, game_of
from tianxia.cli.session import default_bot
from tianxia.kernel.errors import TianxiaError


def speak_as(
    spec: str, name: str | None, protocol: str, seed: int | None, seconds: float | None
) -> int:
    """Answer the lines of the standard input; return the exit status."""
    game = game_of(spec, [])
    bot = name or default_bot(game)
    if protocol == "tianxia":
        return speak(bot, game.name, sys.stdin, sys.stdout)
    if protocol != "evaluator":
        raise TianxiaError(f"no protocol is called {protocol!r}; there are tianxia, evaluator")
    if game.name != "stratego":
        raise TianxiaError("the protocol evaluator is for Stratego only")
    number = secrets.randbelow(SEEDS) if seed is None else seed
    return play_evaluated(bot, iter(sys.stdin), sys.stdout, number, seconds)
