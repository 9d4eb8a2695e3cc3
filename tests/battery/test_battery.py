"""Every game, with all of its options, passes the battery."""

from __future__ import annotations

import pytest

import tianxia
from tests.battery.games import MODULES, SHORT, SPECS
from tianxia import testing
from tianxia.testing import CHECKS, Check

IN_COMPILED_CODE = {
    testing.check_play,
    testing.check_refusals,
    testing.check_views,
    testing.check_playouts,
}


@pytest.mark.parametrize("spec", SPECS)
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
def test_game_passes(spec: str, check: Check):
    check(tianxia.game(spec), SPECS.index(spec), 400)


@pytest.mark.parametrize("spec", SHORT)
def test_whole_games_pass(spec: str):
    testing.check_game(tianxia.game(spec), games=3, seed=100)


@pytest.mark.parametrize(
    ("spec", "seed", "plies"),
    [
        ("stratego", 0, 120),
        ("stratego(variant=barrage)", 1, 150),
        ("stratego(variant=duel,two_squares=5)", 3, 100),
        ("firebulls", 0, 150),
        ("firebulls(players=5)", 1, 150),
        ("blind-duel", 0, 100),
        ("blind-duel(players=3,rounds=5)", 1, 200),
        ("suntzu(events=yes)", 0, 400),
        ("suntzu(deck=beginner,strategies=no,plague=spares)", 1, 300),
        ("china(players=2,fortifications=yes,tiles=yes)", 0, 300),
        ("china(players=4,board=border,tiles=yes)", 1, 400),
        ("binfa", 0, 400),
        ("binfa(armies=3,map=citadel)", 1, 500),
    ],
)
def test_compiled_equals_interpreted(spec: str, seed: int, plies: int):
    game = tianxia.game(spec)
    testing.check_interpreted(game, seed, plies, MODULES.get(game.name, ""))
