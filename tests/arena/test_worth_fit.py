"""What pieces are worth, told by how games end: see `bench/worth.py`."""

from __future__ import annotations

from types import ModuleType

import numpy as np
import pytest

import tianxia
from tests.arena.scripts import loaded
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.components import Rank

GAMES, EACH = 400, 20


@pytest.fixture(scope="module")
def worth() -> ModuleType:
    pytest.importorskip("scipy", reason="SciPy comes with OpenSpiel, which is not here")
    return loaded("worth")


def pieces(number: int) -> np.ndarray:
    """Return armies drawn at random: shape (number, seats, ranks, 3)."""
    rng = np.random.default_rng(1)
    left = rng.integers(0, c.COUNTS[c.CLASSIC] + 1, (number, 2, c.RANKS))
    return rng.multinomial(left, [1 / 3] * 3)


def test_worths_are_those_by_which_games_end(worth: ModuleType) -> None:
    games = np.repeat(np.arange(GAMES), EACH)
    sample = worth.Sample(pieces(GAMES * EACH), np.zeros(GAMES * EACH), games)
    names, fit = worth.compared(sample)
    usual = np.array(list(map(worth.today, names)))
    true = 0.005 * usual
    true[names.index("MINER, Bombs stand")] = 0.5
    odds = fit.more @ true
    won = np.random.default_rng(2).random(len(odds)) < 1 / (1 + np.exp(-odds))
    found = fit._replace(won=won.astype(float)).near(0.005 * usual)
    assert found[names.index("MINER, Bombs stand")] == pytest.approx(0.5, abs=0.1)
    assert found[names.index("MARSHAL")] == pytest.approx(0.5, abs=0.1)
    assert found[names.index("SCOUT")] == pytest.approx(0.025, abs=0.1)


def test_a_rank_counts_as_higher_for_each_that_is_missing_above_it(worth: ModuleType) -> None:
    own = np.zeros((1, c.RANKS, 3), np.int64)
    own[0, [Rank.GENERAL, Rank.MINER], 2] = 1
    other = own * 0
    other[0, Rank.GENERAL, 0] = 1
    found = {name: column[0] for name, column in worth.columns(own, other).items() if column[0]}
    assert found == {"MARSHAL": 1, "GENERAL": 1}
    other[0, [Rank.MARSHAL, Rank.BOMB], 0] = 1
    found = {name: column[0] for name, column in worth.columns(own, other).items() if column[0]}
    assert found.pop("MINER, Bombs stand") == found.pop("MINER, one of the last") == 1
    assert found == {"GENERAL": 1, "COLONEL": 1}


def test_pieces_are_counted_by_how_they_are_seen(worth: ModuleType) -> None:
    end = tianxia.bots.play("stratego", ["skirmisher", "skirmisher"], 1, 300)
    counts = worth.pieces_of(end)
    assert counts.sum() == (end.fields["square"] > 0).sum()
    assert (counts[:, Rank.FLAG, worth.REST] == 1).all()
    for seat in range(2):
        seen = end.view(1 - seat).fields
        known = (seen["rank"] > 0) & (seen["square"] > 0)
        mine = slice(seat * c.SLOTS, (seat + 1) * c.SLOTS)
        assert counts[seat, :, worth.KNOWN].sum() == known[mine].sum() > 0
