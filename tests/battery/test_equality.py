"""Many games are compared, with options of all kinds; what differs is said."""

from __future__ import annotations

import random

import numpy as np
import pytest

import tianxia
from tests.battery import games
from tianxia.kernel.jit import entry
from tianxia.kernel.registry import kind
from tianxia.testing import CheckFailed, Walk, equality
from tianxia.testing.interpreted import compare

assert games.SPECS


@entry
def doubled(pool, out):
    """Overflow where small integers stay small, which only NumPy's do."""
    out[0] = pool[0].sealed
    return pool[0].acting * np.int8(64)


def test_options_are_drawn_that_fit_together():
    drawn = [equality.any_game(kind("binfa"), random.Random(seed)) for seed in range(40)]
    assert {game.seats for game in drawn} >= {2, 3, 4}
    assert len({game.spec for game in drawn}) > 30


def test_many_games_are_compared(capsys: pytest.CaptureFixture[str]):
    assert equality.main(["firebulls", "--games", "3", "--processes", "1"]) == 0
    assert "3 games each of firebulls: 0 differ." in capsys.readouterr().out


def test_what_differs_is_told(monkeypatch: pytest.MonkeyPatch):
    def differs(game: object, seed: int) -> None:
        raise CheckFailed(f"seed {seed} differs")

    monkeypatch.setattr(equality, "check_equality", differs)
    assert equality.run("firebulls", 7, 9) == ["seed 7 differs", "seed 8 differs"]


@pytest.mark.filterwarnings("ignore:overflow")
def test_an_answer_that_differs_is_noticed():
    walk = Walk(tianxia.game("blind-duel"), 0)
    pool = walk.game.blank()
    out = np.zeros(1, np.int64)
    compare(walk, doubled, pool, out)
    pool["acting"] = 2
    with pytest.raises(CheckFailed, match=r"doubled\(…, …\) is 128 compiled and -128 interp"):
        compare(walk, doubled, pool, out)
