"""Small endings of the games, in which there is a right answer, and the memory of a search."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

import tianxia
from tests.games.binfa.helpers import field, play
from tests.search.exact import Expectimax
from tests.search.heap import GAME as HEAP
from tests.search.pennies import GAME as PENNIES
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.search.bot import tell
from tianxia.search.thinking import Budget, Searcher, think

QUICK = Budget(iterations=1500)
WINS = """
firebulls * turn 1 301/301 34 F,Sn,B/B,Sg,Wy/Wn,Wg,X 9/11/4 piles
  Sr1Wn1C1F3/Sb1Sy1Wb1Ww1X2B1F1 Sy1Sn1Sr1Wb1Ww1X1F1 b1 b2y2n1 b5y6n9r7g3 b2y2r1g6w3
  b1y1/b1y1n1r2g1w1 y2/b1n1 b1y1/y1r1w1,=,= 2 -
firebulls * turn 0 308/308 24 F,B,B/X,C,Sb/Sg,X,X 11/2/8 aside
  Sy1Sn1Wn1Wg1Ww1B2F3/Wn1X4B1 Sg1Wy1Wg1Ww1X1C1F1 g1 g1 b7y4n5r8g3 b2y4n3r1g6w4
  n1/b1y2n1r1 -/- n1/b1y2n1r1,=,= 2 -
suntzu * fight.cost2 r 211/210 9 143,323,124,135,414 -/- b1 4 b/0 W/QCJHW 0/1
  r1:11,b6:10,r9:01,b4:11,b1:11 0:0 13542/2513C 1/5;6;-;789XAAABCMMMPP;-;0/0/0;-;-;-;0;1
  5/2;46;-;789XAAABMMMPP;-;0/0/0;-;-;-;0;3
"""
"""Positions of games in which some actions, and not others, win at once."""
EXACT = """
china(players=2) * emperor 0/1 171/168
  2.22..1/002..1/1.022/.01.2./11120/1020/...../...12.2./10022 2/12/02/-/02/2/-/-/2 ....xx..x
  - - - y1g1 y1o2 v4y2o2g4r4 o1g2/v1o1g1 y1/g1 o1g2/v1o1 12,5,0,0,0,0/9,5,0,0,0,0 2
  o1r2;v1y5o1g1r2/v2y1o1g2r3;v1y0o0g1r1;e/e - bep1@Qi
china(players=2) * emperor 1/0 173/173
  .1...2./0.2220/...01/02.21./20121/0102/10..1/..2...0./11202 -/-/2/-/02/2/22/-/12 ....xx..x
  - - - o2g1r2 y1o2g1 v3y2o1g5r5 y1g1r1/v1y1o1 o2r1/g1r1 y1/v1y1o1 8,7,0,0,0,0/12,5,0,0,0,0
  2 v2o1;v2y2o2g1r2/y2o2g2r3;v0y1o0g1r1;e/- - bep1@Han
china(players=2) * emperor 1/0 163/160
  1..2.0./2.0211/...../2012../02020/2.21/01.00/12.12.01/1.1..
  -/2/-/-/022/-/22/0/- ....x.... - - - y1o1r1 v1o1 v2y3o4g3r5 y1g2/v2o1 o1r1/y1 y1g2/v2o1
  5,3,0,0,0,0/0,0,0,0,0,0 2 v1g1;v1y2o2g2r3/v1y3o1g2r3;v0y1o0g1r1;-/es - bep1@Chin
suntzu * fight.cost2 r 210/210 9 143,323,124,135,414 -/- b1 4 b/0 W/QCJHW 0/2
  r1:11,b6:10,r9:01,b4:11,b1:11 0:0 13542/2513C 1/5;6;-;789XAAABCMMMPP;-;0/0/0;-;-;-;0;1
  6/1;46;-;789XAAABMMMPP;-;0/0/0;-;-;-;0;3
"""
"""Positions in which nothing is hidden, and which are small enough to be tried out whole."""


def wins(state: State, action: int, seat: int) -> bool:
    """Say whether an action ends the game with a win, whatever chance still shows."""
    state = state.clone()
    state.apply(action, seat)
    while not state.over and not state.acting and len(state.chance_weights()) == 1:
        state.apply(state.chance_weights()[0][0], CHANCE)
    return bool(state.over) and state.utilities()[seat] == 1


def written(texts: str) -> list[Any]:
    """Read positions; a line that is indented goes on with the one before."""
    return [
        pytest.param(" ".join(text.split()), id=text.split(" ")[0] + str(number))
        for number, text in enumerate(re.split(r"\n(?=\S)", texts.strip()))
    ]


@pytest.mark.parametrize("text", written(WINS))
@pytest.mark.parametrize("seed", [1, 2])
def test_it_wins_where_one_action_wins(text: str, seed: int) -> None:
    state = tianxia.position(text)
    (seat,) = state.acting
    winning = [a for a in state.legal_actions(seat) if wins(state, a, seat)]
    assert 0 < len(winning) < len(state.legal_actions(seat))
    top = think(state.view(seat), seat, seed, QUICK)[0]
    assert top.action in winning
    assert top.value > 0.9


@pytest.mark.parametrize("text", written(EXACT))
@pytest.mark.parametrize("seed", [1, 2])
def test_it_finds_what_is_exactly_best(text: str, seed: int) -> None:
    state = tianxia.position(text)
    (seat,) = state.acting
    exact = Expectimax().choices(state, seat)
    assert min(exact.values()) < max(exact.values())
    top = think(state.view(seat), seat, seed, QUICK)[0]
    assert exact[top.action] == max(exact.values())
    assert top.value == pytest.approx(max(exact.values()), abs=0.2)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_closes_the_ring_of_binfa_in_two_actions(seed: int) -> None:
    """All of orange stands in a pocket; red comes to its last side in one move: BIN-10a."""
    state = play(field("r3:12o r2:2r r4:2r p1:2r"), "roll 2-1")
    assert len(state.legal_actions(0)) > 3
    bot = Searcher(state.game, 0, seed, QUICK)
    while not state.over:
        assert state.acting == (0,)  # still the same turn
        tell(state, bot.choose(state.view(0)), 0, [(0, bot)])
    assert state.utilities() == [1, -1]


@pytest.mark.parametrize("stones", [5, 9, 12, 15])
def test_it_agrees_with_exact_values_of_the_heap(stones: int) -> None:
    state = HEAP(stones=stones).new()
    exact = Expectimax().choices(state, 0)
    top = think(state.view(0), 0, 3, Budget(iterations=8000))[0]
    assert exact[top.action] == max(exact.values())
    assert top.value == pytest.approx(max(exact.values()), abs=0.15)


# --- One thread and two ---


def test_two_threads_mix_as_one_does() -> None:
    """Over many seeds the shares of a secret choice agree within their noise."""
    view = PENNIES().new().view(0)
    means, errors = [], []
    for threads in (1, 2):
        budget = Budget(iterations=4000 * threads, threads=threads)
        shares = [_share(think(view, 0, seed, budget)) for seed in range(16)]
        means.append(float(np.mean(shares)))
        errors.append(float(np.std(shares)) / math.sqrt(len(shares)))
    assert abs(means[0] - means[1]) < 4 * math.hypot(*errors)


def _share(found) -> float:
    return next(one.share for one in found if one.action == 0)


# --- Memory ---


def test_a_search_allocates_nothing() -> None:
    """More simulations take no more memory than few: all of it was there before."""
    view = HEAP(stones=300, guide=2).new().view(0)
    _nrt_python.memsys_enable_stats()
    try:
        counts = []
        for iterations in (5, 5, 3000):  # the first makes this thread's memory
            before = rtsys.get_allocation_stats().alloc
            think(view, 0, 1, Budget(iterations=min(iterations, 250), rollout=iterations))
            counts.append(rtsys.get_allocation_stats().alloc - before)
    finally:
        _nrt_python.memsys_disable_stats()
    assert counts[1] == counts[2]
