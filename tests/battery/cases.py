"""The battery as tests of one game: a file for each, so that processes share the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import tianxia
from tests.battery.games import MODULES, SHORT, SPECS
from tianxia import testing
from tianxia.testing import CHECKS, MAX_PLIES

IN_COMPILED_CODE = {
    testing.check_play,
    testing.check_refusals,
    testing.check_views,
    testing.check_playouts,
}
INTERPRETED = [
    ("stratego(variant=barrage)", 1, 150),
    ("firebulls(players=5)", 1, 150),
    ("blind-duel(players=3,rounds=5)", 1, 200),
    ("suntzu(events=yes)", 0, 300),
    ("china(players=4,board=border,tiles=yes)", 1, 300),
    ("binfa(armies=3,map=citadel)", 1, 300),
]
"""What is also played by a process without a compiler: a game, a seed, how many actions.
Within one process all options are compared, by `check_equality`."""
PLIES = 240
"""Actions of a game that each check looks at; some games are played to their end."""
WHOLE = {testing.check_equality}
"""Checks that look at whole games with all options."""


def battery(name: str) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """Return the tests of a game: all checks, whole games, compiled against interpreted."""

    @pytest.mark.parametrize("spec", [spec for spec in SPECS if is_of(spec, name)])
    @pytest.mark.parametrize(
        "check",
        [
            pytest.param(
                check,
                id=check.__name__,
                marks=[pytest.mark.rules] if check in IN_COMPILED_CODE else [],
            )
            for check in CHECKS
        ],
    )
    def test_game_passes(spec, check):
        check(tianxia.game(spec), SPECS.index(spec), MAX_PLIES if check in WHOLE else PLIES)

    @pytest.mark.parametrize("spec", [spec for spec in SHORT if is_of(spec, name)])
    def test_whole_games_pass(spec):
        testing.check_game(tianxia.game(spec), games=2, seed=100)

    @pytest.mark.parametrize(
        ("spec", "seed", "plies"), [case for case in INTERPRETED if is_of(case[0], name)]
    )
    def test_compiled_equals_interpreted(spec, seed, plies):
        game = tianxia.game(spec)
        testing.check_interpreted(game, seed, plies, MODULES.get(game.name, ""))

    return test_game_passes, test_whole_games_pass, test_compiled_equals_interpreted


def is_of(spec: str, name: str) -> bool:
    """Say whether a spec is one of a game."""
    return spec.partition("(")[0] == name
