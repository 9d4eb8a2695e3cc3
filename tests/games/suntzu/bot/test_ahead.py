"""The last round but one, valued by the last: what it leads to, and what is made of it."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.games.suntzu.bot.test_tactician import cells_of, resolved, runs_short
from tests.games.suntzu.war import BLUE, PROVINCES, RED, war
from tianxia.games.suntzu.bot import outlook, tactician
from tianxia.games.suntzu.bot.ahead import begin_last, look_ahead, make_sequel, promising
from tianxia.games.suntzu.bot.clash import make_tables
from tianxia.games.suntzu.bot.mixing import Effort, make_lots, solve
from tianxia.games.suntzu.bot.tactician import BEST, Tactician, laid_shares
from tianxia.games.suntzu.rules.components import BASIC, LAST_ROUND
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.kernel.jit import allocates, entry
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State


@entry
@allocates
def begun(view, weights, few, blue, red, sequel):
    state = view[0]
    begin_last(state, make_tables(state, weights), few, blue, red, sequel)


def eighth(*, hand: tuple[str, str] = ("9 10 -1 P", "-1 P"), **more: Any) -> State:
    """Return the eighth round, with no card left to draw."""
    armies = {"Qin": "b3", "Chu": "r5", "HanQi": "r1", "Wu": "b6"}
    more = {"armies": armies, "strategies": ("", ""), **more}
    return war(phase=LAYING, turn=8, hand=hand, deck=("", ""), **more)


def lots_of(state: State, *rooms: int) -> Any:
    hands = tuple(state.fields["hand"][seat].astype(np.int64)[None] for seat in (BLUE, RED))
    return make_lots(hands, [[room] for room in rooms])


def test_the_last_round_begins_as_the_rules_have_it() -> None:
    """Armies, marks, reserves and hands after random pairs of orders that can be paid for."""
    chooser, tried = random.Random(5), 0
    full = "7 8 9 10 +1 +2 +3 -1 P"
    state = eighth(hand=(full, full))
    few = lots_of(state, 1, 1)
    sequel = make_sequel(state.record, few, 0)
    tables = make_tables(np.rec.array(state.record)[0], outlook.weights()).cells
    for _ in range(40):
        blue, red = (chooser.sample(range(15), 5) for _ in range(2))
        if runs_short(state, cells_of(tables, blue, red)):
            continue
        tried += 1
        begun(state.record, outlook.weights(), few, np.array(blue), np.array(red), sequel)
        after = resolved(state.clone(), blue, red).fields
        found = sequel.pool[0]
        assert found["turn"] == LAST_ROUND
        for name in ("board", "reserve", "aside", "track"):
            assert (found[name] == after[name]).all(), (name, blue, red)
        assert ((found["marks"] > 0) == (after["marks"] > 0)).all()
        for seat in (BLUE, RED):
            assert (sequel.lots.hands[seat, 0, BASIC:] == after["hand"][seat][BASIC:]).all()
            assert (sequel.lots.hands[seat, 0, :BASIC] == 1).all()
    assert tried > 10


def test_nothing_is_left_to_compile_when_the_clock_runs() -> None:
    program = (
        "import tianxia\n"
        "from tianxia.games.suntzu.bot import ahead\n"
        "from tianxia.games.suntzu.bot.tactician import Tactician\n"
        "Tactician(tianxia.game('suntzu'), 0, 1)\n"
        "used = ahead.fill_ahead, ahead.settle, ahead.draws_before_last\n"
        "print(*(len(one.overloads) for one in used))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout.split() == ["1", "1", "1"]


def test_where_the_clock_leaves_too_little_time_nothing_is_seen_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = eighth()
    bot = Tactician(state.game, BLUE, 1, replace(BEST, ahead=8))
    monkeypatch.setattr(tactician, "_pace", {tactician.AHEAD: 30.0})
    bot.deadline = time.monotonic() + 40
    assert len(bot.plan(state.view(BLUE))[0].orders) > 8
    assert tactician._pace[tactician.AHEAD] < 30.0
    again = Tactician(state.game, BLUE, 2, replace(BEST, ahead=8))
    assert len(again.plan(state.view(BLUE))[0].orders) == 8  # there is no clock


def test_slow_rounds_before_it_do_not_keep_the_eighth_from_being_seen_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = eighth()
    monkeypatch.setattr(tactician, "_pace", {6: 30.0, tactician.AHEAD: 0.1})
    bot = Tactician(state.game, BLUE, 1)
    bot.deadline = time.monotonic() + 40
    assert len(bot.plan(state.view(BLUE))[0].orders) == BEST.ahead


def test_promising_orders_are_good_ones_and_different_ones() -> None:
    state = eighth()
    lots = lots_of(state, 40, 40)
    fixed = np.full(5, -1)
    solve(state.record, outlook.weights(), BLUE, fixed, Effort(3, 8, 100, 1.3), lots, new_rng(1))
    picked = promising(lots, BLUE, 12)
    made = lots.orders[BLUE, : lots.made[BLUE, 0]]
    best = made[np.argmax(lots.value[BLUE, : lots.made[BLUE, 0]])]
    assert len(picked) == 12
    assert (picked[0] == best).all()
    assert len(np.unique(picked, axis=0)) == 12
    covered = set(enumerate(picked[0].tolist()))
    for one in picked[1:].tolist():  # there are enough cards that no better order has there
        assert not set(enumerate(one)) <= covered
        covered |= set(enumerate(one))


def test_the_round_that_was_solved_anew_is_a_game_of_its_own() -> None:
    """The same seed gives the same mixtures, and what one side wins the other loses."""
    armies = {"Qin": "b7", "JinYan": "b1", "Chu": "r7", "HanQi": "r7", "Wu": "r2"}
    state = eighth(hand=("10", "P"), armies=armies)
    lots = lots_of(state, 60, 60)
    fixed = np.full(5, -1)
    solve(state.record, outlook.weights(), BLUE, fixed, Effort(3, 8, 200, 1.3), lots, new_rng(1))
    ahead = look_ahead(state.record, outlook.weights(), lots, 16, 7)
    again = look_ahead(state.record, outlook.weights(), lots, 16, 7)
    assert (ahead.share == again.share).all()
    assert np.allclose(ahead.share.sum(axis=1), 1)
    chance = float(ahead.share[BLUE] @ ahead.value[BLUE])
    other = float(ahead.share[RED] @ ahead.value[RED])
    assert abs(chance + other - 1) < 0.02
    assert (ahead.cards != 0).any()  # of who keeps his card


def test_only_the_last_round_but_one_is_seen_through_and_only_with_known_hands() -> None:
    for turn, deck, seen in ((8, ("", ""), True), (7, ("", ""), False), (8, ("9 10", ""), False)):
        hand = ("7 8 -1", "7 +1 P")
        state = war(phase=LAYING, turn=turn, hand=hand, deck=deck)
        view = state.view(RED)
        bot = Tactician(state.game, RED, 1, replace(BEST, ahead=8))
        solved, order = bot.plan(view)
        assert (len(solved.orders) == 8) == seen
        assert abs(float(laid_shares(solved).sum()) - 1) < 1e-9
        assert len(order) == len(PROVINCES)
        assert all(view.fields["hand"][RED][card] for card in order)
