"""Scoring and the ends of the game."""

from __future__ import annotations

import random

import pytest

from tests.games.suntzu.war import (
    BLUE,
    CHANCE,
    PROVINCES,
    auto,
    begin,
    do,
    legal,
    refused,
    run,
    step,
    war,
)
from tianxia.games.suntzu.rules.state import COLLECTING, END, SCORING

pytestmark = pytest.mark.rules
SCORES = [f"score={province}" for province in PROVINCES]


def scored(**more):
    """Return a position after a scoring."""
    return do(war(phase=SCORING, **{"turn": 3, **more}), *SCORES, "pawn")


def test_SUN_29_rounds_3_6_and_9_are_scored():
    rng, rounds = random.Random(7), set()
    state = begin(7, strategies=False)
    while not state.over:
        if state.fields["phase"] == SCORING:
            rounds.add(int(state.fields["turn"]))
        step(state, rng)
    assert rounds == {3, 6, 9}
    waiting = war(phase=SCORING, turn=3)
    assert refused(waiting, "collect", CHANCE) == "SUN-29"


@pytest.mark.parametrize(("turn", "points"), [(3, 3), (6, 1), (9, 5)])
def test_SUN_30_a_stand_has_three_values(turn, points):
    state = scored(turn=turn, stands="315 124 135 143 232", armies={"Qin": "b2"})
    assert state.fields["track"] == points


def test_SUN_31_an_army_is_enough_and_marks_do_not_count():
    state = war(phase=SCORING, turn=3, armies={"Qin": "b1", "Chu": "r7"}, marks=("Wu", ""))
    do(state, *SCORES)
    assert state.fields["tally"].tolist() == [1, 1]


def test_SUN_32_the_pawn_moves_by_the_difference():
    stands = "232 135 323 241 124".replace("241", "252")
    armies = {"Qin": "r1", "Chu": "r2", "JinYan": "b3", "HanQi": "b1", "Wu": "b1"}
    state = war(phase=SCORING, turn=3, stands=stands, armies=armies)
    do(state, *SCORES)
    assert state.fields["tally"].tolist() == [6, 3]
    do(state, "pawn")
    assert state.fields["track"] == 3
    assert state.scores() == [3, 0]
    full = scored(track=8, armies={"JinYan": "b1", "Wu": "b1"}, turn=3)
    assert full.fields["track"] == 9  # no further than the last space


@pytest.mark.parametrize("turn", [3, 6])
def test_SUN_36_the_last_space_wins_after_rounds_3_and_6(turn):
    state = scored(turn=turn, track=-8, armies={"JinYan": "r1", "Wu": "r1"})
    assert state.over
    assert state.utilities() == [-1, 1]
    assert state.refusal(0, BLUE) == "SUN-36"
    short = scored(turn=turn, track=-6, armies={"Qin": "r1"})
    assert not short.over
    assert short.fields["phase"] == COLLECTING


def test_SUN_37_after_round_9_the_side_of_the_pawn_wins():
    state = scored(turn=9, track=1)
    assert state.over
    assert state.utilities() == [1, -1]
    assert state.refusal(0, BLUE) == "SUN-37"
    assert scored(turn=9, track=-2).utilities() == [-1, 1]


@pytest.mark.parametrize(
    ("reserve", "gains"), [((20, 19), [1, -1]), ((3, 9), [-1, 1]), ((7, 7), [0, 0])]
)
def test_SUN_38_then_the_reserves(reserve, gains):
    state = scored(turn=9, reserve=reserve, hand=("", ""))
    assert state.over
    assert state.utilities() == gains
    assert state.refusal(0, BLUE) == "SUN-38"


def test_SUN_38_last_reinforcements_in_order_of_the_privilege():
    state = scored(turn=9, aside=(2, 2), hand=("7 8", "9"), privilege=1)
    assert state.acting == (1,)
    assert legal(state) == {"pass", "reinforce=9"}
    do(state, "pass")
    assert state.acting == (0,)
    do(state, "reinforce=7", "pass")
    assert state.over
    assert state.utilities() == [1, -1]


def test_SUN_01_no_tenth_round():
    state = auto(scored(turn=9, track=1))
    assert state.over
    assert state.fields["turn"] == 9
    assert run(begin(9), END, 9).fields["turn"] <= 9
