"""What tastes that are drawn by lot tell: see `bench/tastes.py`."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.arena.scripts import loaded
from tianxia.games.china.bot.worth import WEIGHT_NAMES, fitted
from tianxia.games.stratego.bot.appraisal import OF_RISK, USUAL
from tianxia.games.stratego.bot.league import LEAGUE
from tianxia.games.stratego.bot.strategos import Strategos

STYLES = ("baiter", "turtle")


@pytest.fixture(scope="module")
def tastes() -> ModuleType:
    return loaded("tastes")


def rows(number: int, good: float) -> list[dict[str, Any]]:
    """Return games in which one taste wins so much more often, another nothing, a style little."""
    lot = random.Random(0)
    found = []
    for i in range(number):
        drawn = {"good": lot.random() < 0.5, "idle": lot.random() < 0.5}
        chance = 0.4 + good * drawn["good"] - 0.2 * (i % 2)
        won = float(lot.random() < chance)
        found.append({"number": i, "style": STYLES[i % 2], "drawn": drawn, "won": won})
    return found


def test_each_taste_is_told_from_the_others_and_from_whom_it_met(tastes: ModuleType) -> None:
    (good, off), (idle, _) = tastes.fit(rows(4000, 0.3), ["good", "idle"])
    assert abs(good - 0.3) < off < 0.04
    assert abs(idle) < off


def test_its_interval_is_wide_where_games_are_few(tastes: ModuleType) -> None:
    assert tastes.fit(rows(100, 0.3), ["good", "idle"])[0][1] > 0.15
    assert tastes.fit(rows(4, 0.3), ["good", "idle"])[0][1] == np.inf


def test_a_taste_of_stratego_is_what_it_is_called(tastes: ModuleType) -> None:
    bot = tastes.stratego({"RISK": 0.5, "worlds": 7})(tianxia.game("stratego"), 0, 0)
    assert bot.taste[OF_RISK] == 0.5
    assert np.delete(bot.taste, OF_RISK).tolist() == np.delete(USUAL, OF_RISK).tolist()
    assert bot.skill.worlds == 7


def test_who_is_quick_looks_one_move_ahead(tastes: ModuleType) -> None:
    """And so does a stranger; both are otherwise as they were."""
    game = tianxia.game("stratego")
    for maker in (tastes.stratego({"RISK": 0.5}), LEAGUE.maker("baiter")):
        bot, usual = tastes.quick(maker)(game, 1, 3), maker(game, 1, 3)
        assert isinstance(usual, Strategos)
        assert bot.skill == replace(usual.skill, depth=1) != usual.skill
        assert bot.taste.tolist() == usual.taste.tolist()


def test_a_weight_of_china_is_a_factor(tastes: ModuleType) -> None:
    bot = tastes.china({"lead": 2.0, "plans": 40})(tianxia.game("china(players=2)"), 0, 0)
    lead = WEIGHT_NAMES.index("lead")
    assert bot.weights[2, lead].tolist() == (2 * fitted()[2, lead]).tolist()
    assert bot.weights[2, lead + 1].tolist() == fitted()[2, lead + 1].tolist()
    assert bot.skill.plans == 40


def test_a_log_goes_on_with_its_own_tastes_only(
    tastes: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Here:
        """Plays in this process."""

        map = staticmethod(map)

        def __init__(self, workers: int) -> None: ...
        def __enter__(self) -> Here:
            return self

        def __exit__(self, *_: object) -> None: ...

    def played(lots: Any, number: int) -> dict[str, Any]:
        return {**rows(2, 0.3)[number % 2], "number": number, "drawn": {"RISK": number % 2 == 0}}

    monkeypatch.setattr(tastes, "ProcessPoolExecutor", Here)
    monkeypatch.setattr(tastes.Lots, "play", played)
    log = tmp_path / "new" / "log.jsonl"
    words = ["stratego", "RISK=0,0.12", "--log", str(log), "--games"]
    tastes.main([*words, "2"])
    tastes.main([*words, "5"])
    head, *games = map(json.loads, log.read_text().splitlines())
    assert head["tastes"] == {"RISK": [0.0, 0.12]}
    assert [game["number"] for game in games] == [0, 1, 2, 3, 4]
    with pytest.raises(SystemExit, match="choose another"):
        tastes.main(["stratego", "RISK=0,0.3", "--log", str(log)])
    assert len(log.read_text().splitlines()) == 6


def test_who_wins_against_two_has_all_and_who_loses_nothing(
    tastes: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    class End:
        over = True

        def utilities(self) -> list[float]:
            return [1.0, -0.5, -0.5]

    monkeypatch.setattr(tastes, "play", lambda *_: End())
    lots = tastes.Lots("china", "china", {"lead": (1.0, 2.0)})
    seats = [lots.play(turn * len(tastes.names_of("china")))["won"] for turn in range(3)]
    assert seats == [1.0, 0.0, 0.0]
