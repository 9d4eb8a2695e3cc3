"""What is compiled ahead is what a bot needs."""

from __future__ import annotations

from importlib import import_module

import pytest

import tianxia
from tianxia.bots.match import play
from tianxia.kernel import jit

GAMES = ["binfa", "china", "firebulls", "stratego", "suntzu"]


@pytest.mark.parametrize("name", GAMES)
def test_parts_are_compiled_for_the_types_that_their_bot_calls_them_with(name: str):
    game = tianxia.game(name)
    parts = list(import_module(game.kind.parts).parts(game))
    assert parts
    for function, arguments in parts:
        jit.make(function, *arguments)
    play(game, ["journeyman"] * game.seats, seed=1, longest=6)
    found = {function.__name__: len(function.overloads) for function, _ in parts}
    assert set(found.values()) == {1}, found
