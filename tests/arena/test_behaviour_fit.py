"""How the weights of what moves tell are fitted: see `bench/behaviour.py`."""

from __future__ import annotations

import random
from types import ModuleType

import numpy as np
import pytest

import tianxia
from tests.arena.scripts import loaded
from tianxia.bots import play
from tianxia.games.stratego.bot.behaviour import LIKINGS, THINGS
from tianxia.games.stratego.bot.league import FITTING, LEAGUE, MEASURING
from tianxia.games.stratego.rules import components as c

TAKES, RUNS = LIKINGS.index("takes"), LIKINGS.index("runs")


@pytest.fixture(scope="module")
def behaviour() -> ModuleType:
    pytest.importorskip("scipy", reason="SciPy comes with OpenSpiel, which is not here")
    return loaded("behaviour")


def decisions(behaviour: ModuleType, number: int) -> object:
    """Return decisions of a Scout and a Captain: it likes to run, the Captain to take."""
    rng = np.random.default_rng(1)
    counts = np.full(number, 4)
    features = np.zeros((4 * number, THINGS))
    features[:, [TAKES, RUNS]] = rng.integers(0, 2, (4 * number, 2))
    ranks = rng.choice([2, 6], 4 * number)
    liked = np.where(ranks == 2, 2 * features[:, RUNS], 2 * features[:, TAKES]).reshape(-1, 4)
    chances = np.exp(liked) / np.exp(liked).sum(1, keepdims=True)
    made = np.array([rng.choice(4, p=row) for row in chances])
    return behaviour.Decisions(features, ranks, counts, made)


def test_weights_are_those_by_which_moves_were_made(behaviour: ModuleType) -> None:
    weights = behaviour.fit(decisions(behaviour, 4000))
    assert weights[2, [TAKES, RUNS]] == pytest.approx([0, 2], abs=0.2)
    assert weights[6, [TAKES, RUNS]] == pytest.approx([2, 0], abs=0.2)


def test_the_slope_is_that_of_the_surprise(behaviour: ModuleType) -> None:
    moves = decisions(behaviour, 50)
    weights = np.random.default_rng(2).normal(size=(c.RANKS, THINGS))
    _, slope = behaviour.surprise(weights, moves)
    step = np.zeros_like(weights)
    step[6, TAKES] = 1e-5
    (more, _), (less, _) = (behaviour.surprise(weights + s, moves) for s in (step, -step))
    assert slope[6, TAKES] == pytest.approx((more - less) / 2e-5, rel=1e-5)


def test_all_that_is_read_was_there_and_was_done(behaviour: ModuleType) -> None:
    end = play(tianxia.game("stratego"), ["skirmisher", "skirmisher"], 1)
    found = list(behaviour.read(end, random.Random(0)))
    assert len(found) > 50
    for features, ranks, made in found:
        assert len(features) == len(ranks)
        assert 0 <= made < len(ranks)
        assert ((ranks > 0) & (ranks < c.BOMB)).all()


def test_nobody_is_drawn_on_whom_it_is_measured(behaviour: ModuleType) -> None:
    makers = [behaviour.drawn(number) for number in range(400)]
    styles = [
        maker.keywords["style"] for maker in makers if "style" in getattr(maker, "keywords", {})
    ]
    assert {style.leaning for style in styles} == {LEAGUE.style(name).leaning for name in FITTING}
    assert not {LEAGUE.style(name).leaning for name in MEASURING} & {s.leaning for s in styles}
    assert len(styles) / 400 == pytest.approx(1 / 3, abs=0.08)
