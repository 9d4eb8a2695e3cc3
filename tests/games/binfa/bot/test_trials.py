"""Trials: positions that estimates get wrong, the same dice for all, when they end."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import tianxia
from tests.games.binfa.helpers import WAITING
from tianxia.games.binfa.bot.appraisal import weights_for
from tianxia.games.binfa.bot.trials import CHUNK, SURE, TURNS, compare, make_desk, try_out
from tianxia.games.binfa.bot.warlord import BEST, Warlord
from tianxia.kernel import functions
from tianxia.kernel.record import Pool
from tianxia.kernel.state import State
from tianxia.search.halving import Worlds

FIELD = "map=r4,r9,o8,o14,y6,y7,g14,b13,b14/y3,g6,g11 armies=yg"
HUNTERS = "g12:2g,g13:3g,b11:1g pawns=y:r2,g:g5"
HAND = (
    f"binfa * ready 0 141/131 turns=19 {FIELD}"
    f" units=o15:1y,y10:1y,y11:2y,y12:2y,g2:6y,g7:5g,{HUNTERS} supplies=y18g32 army=y rolled=yes"
)
"""A game played by hand: yellow paid one roll after the other to move its lone unit to and fro."""


@pytest.fixture(scope="module")
def desk() -> np.record:
    return make_desk(weights_for(tianxia.game("binfa")))


def chosen(state: State, trials: int, seed: int) -> str:
    (seat,) = state.acting
    bot = Warlord(state.game, seat, seed, skill=replace(BEST, trials=trials))
    return state.text(bot.choose(state.view(seat)), seat)


def after(state: State, *tokens: str) -> Pool:
    """Return positions, each after an action of who may act."""
    (seat,) = state.acting
    starts = np.repeat(state.record, len(tokens))
    for i, token in enumerate(tokens):
        functions.apply_action(starts[i : i + 1], seat, state.parse(token, seat))
    return starts


@pytest.mark.parametrize("seed", [1, 2])
def test_to_move_or_to_resupply_is_tried_whatever_it_seems_worth(seed: int) -> None:
    state = tianxia.position(WAITING.format(pawn="o2"))
    assert chosen(state, 0, seed) == "move:g"
    assert chosen(state, BEST.trials, seed) == "supply:g"


@pytest.mark.parametrize("seed", [1, 2])
def test_it_does_not_roll_on_where_trials_go_against_it(seed: int) -> None:
    state = tianxia.position(HAND)
    assert chosen(state, 0, seed) == "roll"
    assert chosen(state, BEST.trials, seed) == "stop"


def test_a_gain_is_what_is_sure_of_it(desk: np.record) -> None:
    """To begin with the better one leaves nothing to gain; with the worse one, less than it is."""
    state = tianxia.position(HAND)
    stop_first = compare(after(state, "stop", "roll"), 0, 5, 60, 2, desk)
    roll_first = compare(after(state, "roll", "stop"), 0, 5, 60, 2, desk)
    assert stop_first[0] == roll_first[0] == 0.0
    assert stop_first[1] < 0.0 < roll_first[1] < 0.1


def test_what_is_the_same_is_no_better(desk: np.record) -> None:
    starts = after(tianxia.position(HAND), "stop", "stop", "stop")
    assert (compare(starts, 0, 5, 60, 2, desk)[1:] == -np.inf).all()


def test_others_do_not_change_the_dice(desk: np.record) -> None:
    state = tianxia.position(HAND)
    two = compare(after(state, "roll", "stop"), 0, 5, CHUNK, 2, desk)
    three = compare(after(state, "roll", "roll", "stop"), 0, 5, CHUNK, 2, desk)
    assert two[1] == three[2]


def test_where_the_time_is_over_nothing_is_tried(desk: np.record) -> None:
    starts = after(tianxia.position(HAND), "roll", "stop")
    gains = compare(starts, 0, 5, 60, 2, desk, time.monotonic())
    assert gains.tolist() == [0.0, -np.inf]


@pytest.mark.parametrize("token", ["roll", "stop"])
def test_a_trial_ends_when_the_next_turn_has(token: str, desk: np.record) -> None:
    state = tianxia.position(HAND)
    until = int(state.fields["turns"]) + TURNS
    for number in range(8):
        worlds = Worlds(5, number, number + 1)
        try_out(after(state, token), 0, worlds, until, 2, desk, np.zeros((1, 2)))
        end = desk.world[0]
        assert end["turns"] == until or (end["over"] and end["turns"] < until)


MOVING = (
    "binfa(terrain=0) * moving 0 9/9 turns=2 map=/r13,y13,b13 armies=rb"
    " units=r13:4r,o13:6r,b1:8b pawns=r:r1,b:b1 supplies=r5b5 army=r rolled=yes dice=3-2"
    " moves=1 due=r13"
)
FREE = (
    "binfa(level=1) * ready 1 85/84 turns=4 armies=ro"
    " units=r9:4r,r15:4r,r16:2o,o2:2r,o6:2o,o8:2o,o11:3o,o13:3o active=1 army=o rolled=yes"
)
"""A roll costs nothing here; played out at length it is better, by few quick trials it is not."""
RETREATING = (
    "binfa(level=1) * retreating 0 42/42 armies=ro units=r2:4o,r6:3r,r11:2o,r13:9r,o13:4o,p9:2o"
    " active=1 army=o rolled=yes dice=6-5 moves=1 attack=r2xr6 foe=r step=1 from=r6"
)


@pytest.mark.parametrize("notation", [MOVING, FREE, RETREATING])
def test_no_trial_is_made_of_what_they_judge_worse(notation: str) -> None:
    """Displacements and retreats are judged by the other's best answer."""
    state = tianxia.position(notation)
    (seat,) = state.acting
    skills = [replace(BEST, trials=trials) for trials in (0, BEST.trials)]
    bots = [Warlord(state.game, seat, 1, skill=skill) for skill in skills]
    view = state.view(seat)
    assert bots[0].values(view) == bots[1].values(view)


def test_it_is_as_sure_as_he_says(desk: np.record) -> None:
    """A gain is the mean of the trials, less so many standard errors of it."""
    starts = after(tianxia.position(HAND), "roll", "stop")
    until, more = int(starts["turns"].min()) + TURNS, np.zeros(CHUNK)
    for number in range(CHUNK):
        sums = np.zeros((2, 2))
        try_out(starts, 0, Worlds(5, number, number + 1), until, 2, desk, sums)
        more[number] = sums[1, 0]
    sure = more.mean() - SURE * more.std(ddof=1) / np.sqrt(CHUNK)
    assert compare(starts, 0, 5, CHUNK, 2, desk)[1] == pytest.approx(sure)
