"""What tastes that are drawn by lot tell: see `bench/tastes.py`."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.arena.scripts import loaded
from tianxia.games.china.bot.worth import WEIGHT_NAMES, fitted
from tianxia.games.stratego.bot.appraisal import OF_RISK, USUAL

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


def test_a_weight_of_china_is_a_factor(tastes: ModuleType) -> None:
    bot = tastes.china({"lead": 2.0, "plans": 40})(tianxia.game("china(players=2)"), 0, 0)
    lead = WEIGHT_NAMES.index("lead")
    assert bot.weights[2, lead].tolist() == (2 * fitted()[2, lead]).tolist()
    assert bot.weights[2, lead + 1].tolist() == fitted()[2, lead + 1].tolist()
    assert bot.skill.plans == 40
