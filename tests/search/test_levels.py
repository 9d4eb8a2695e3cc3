"""Five levels with the same names everywhere."""

from __future__ import annotations

import subprocess
import sys
from functools import partial

import pytest

import tianxia
from tests.games.stratego.helpers import place
from tianxia.bots import play, rebuild
from tianxia.bots.registry import bots, maker
from tianxia.search.levels import LEVELS, Blundering, blundering, searching
from tianxia.search.thinking import Searcher
from tianxia.search.uniform import Uniform

NAMES = ["novice", "apprentice", "journeyman", "expert", "master"]
BARRAGE = "stratego(variant=barrage)"


def test_a_game_has_all_levels_or_none_the_best_last() -> None:
    with_levels = []
    for name in tianxia.games():
        found = bots(tianxia.game(name))
        if set(found) & set(NAMES):
            assert found[-5:] == NAMES, name
            with_levels.append(name)
    assert {"stratego", "suntzu", "firebulls", "china"} <= set(with_levels)


def test_levels_grow() -> None:
    assert list(LEVELS) == NAMES
    levels = list(LEVELS.values())
    assert sorted(levels, key=lambda level: -level.blunders) == levels
    assert sorted(levels, key=lambda level: level.iterations) == levels
    assert levels[-1].blunders == 0
    game = tianxia.game(BARRAGE)
    made = {name: make(game, 0, 1) for name, make in searching().items()}
    assert isinstance(made["master"], Searcher)
    assert made["master"].budget.iterations == LEVELS["master"].iterations
    assert isinstance(blundering(Uniform)["master"](game, 0, 1), Uniform)


@pytest.mark.parametrize("percent", [0, 35, 100])
def test_blunders_are_as_frequent_as_they_should_be(percent: int) -> None:
    state = place("a1=rF a9=r3 e6=r9 a10=bF e5=bM", 0, variant="duel")
    view = state.view(0)
    best = maker("skirmisher", state.game)
    flag = state.parse("a9xa10", 0)
    makers = [Blundering(best, percent, state.game, 0, seed) for seed in range(300)]
    others = sum(bot.choose(view) != flag for bot in makers)
    any_other = 1 - 1 / len(view.legal_actions(0))  # a blunder may hit upon the best
    assert others / 300 == pytest.approx(percent / 100 * any_other, abs=0.07)


def test_the_opening_is_not_blundered() -> None:
    """A novice's army stands as the master's does."""
    game = tianxia.game(BARRAGE)
    games = [play(game, [name, "random"], 5, 60) for name in NAMES]
    armies = {tuple(action for seat, action in one.history() if seat == 0)[:20] for one in games}
    assert len(armies) == 1


def test_a_blundering_bot_goes_on_after_a_restart() -> None:
    game = tianxia.game(BARRAGE)
    past = list(play(game, ["novice", "novice"], 5, 400).history())
    for left in range(2, 8):  # some of these are blunders
        state = play(game, ["novice", "novice"], 5, len(past) - left)
        (seat,) = state.acting
        again = rebuild("novice", state, seat, 2 * 5 + seat)
        assert past[-left] == (seat, again.choose(state.view(seat)))


def test_each_level_plays_the_same_for_the_same_seed() -> None:
    game = tianxia.game(BARRAGE)
    quick = partial(Blundering, maker("skirmisher", game), 35)
    one, two = (play(game, [quick, quick], 3, 80) for _ in range(2))
    assert one == two
    assert one != play(game, [quick, quick], 4, 80)


def test_a_plan_upset_by_a_blunder_is_no_illegal_action() -> None:
    """The Strategist lays five cards by a plan; a blunder may have used one of them."""
    game = tianxia.game("suntzu")
    for seed in range(3):
        state = play(game, ["novice", "novice"], seed, 90)
        assert len(list(state.history())) == 90 or state.over


READY = """
from importlib import import_module
import tianxia
from tianxia.bots.registry import maker
for name, module, function in {needed!r}:
    game = tianxia.game(name)
    maker("master", game)(game, 0, 1)
    found = getattr(import_module(f"tianxia.games.{{name}}.bot.{{module}}"), function)
    assert found.signatures, f"{{name}}: {{function}} is compiled in the first decision"
"""
NEEDED = (
    ("stratego", "worlds", "think"),
    ("suntzu", "mixing", "solve"),
    ("firebulls", "lookahead", "try_out"),
    ("china", "plans", "ponder"),
    ("binfa", "foresight", "weigh"),
)


def test_nobody_waits_for_a_compiler_in_a_first_decision() -> None:
    code = READY.format(needed=NEEDED)  # in a process of its own: here all is compiled
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
