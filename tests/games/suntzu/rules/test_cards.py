"""Special cards: 6, -1, bonuses, Plague."""

from __future__ import annotations

import pytest

from tests.games.suntzu.war import (
    BLUE,
    RED,
    aside,
    do,
    fight,
    holds,
    legal,
    marks,
    refused,
    reserve,
    war,
)
from tianxia.games.suntzu.rules.state import LAYING

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("card", ["1", "6", "10"])
def test_SUN_47_minus_1_loses_by_1_to_a_number(card):
    assert holds(fight(card, "-1")) == "b1"
    assert holds(fight("-1", card)) == "r1"


def test_SUN_48_a_6_is_marked_with_an_army_of_the_reserve():
    state = fight("6", "2")
    assert marks(state) == (1, 0)
    assert holds(state) == "b4"  # the mark has no part in the fight
    assert reserve(state) == (16, 21)


def test_SUN_48_with_an_empty_reserve_the_army_comes_from_the_board():
    armies = {"Qin": "b9", "Chu": "b9"}
    state = fight("6", "6", armies=armies, reserve=(0, None))
    assert legal(state) == {"from=Qin", "from=Chu"}
    assert refused(state, "reserve") == "SUN-48"
    assert refused(state, "from=Wu") == "SUN-48"
    assert refused(state, "pass") == "SUN-48"
    do(state, "from=Chu")
    assert marks(state) == (1, 1)
    assert holds(state, "Chu") == "b8"
    bare = fight("6", "1", armies={}, reserve=(0, None))
    assert marks(bare) == (0, 0)  # no army, no mark; and the five he won cannot come either
    assert holds(bare) == "-"


def test_SUN_49_no_second_6_in_a_marked_province():
    state = war(phase=LAYING, marks=("Wu", "Qin"))
    assert refused(state, "Wu=6", BLUE) == "SUN-49"
    assert refused(state, "Qin=6", BLUE) is None
    assert refused(state, "Qin=6", RED) == "SUN-49"
    assert "Wu=6" not in legal(state, BLUE)


@pytest.mark.parametrize(("card", "gain"), [("+1", 1), ("+2", 2), ("+3", 3)])
def test_SUN_50_bonuses_win_by_their_value_against_a_number(card, gain):
    assert holds(fight(card, "10")) == f"b{gain}"
    assert holds(fight("4", card)) == f"r{gain}"


@pytest.mark.parametrize(("card", "armies"), [("+1", 0), ("+2", 1), ("+3", 2)])
def test_SUN_51_what_bonuses_cost(card, armies):
    state = fight(card, "5")
    assert aside(state) == (armies, 0)
    state = fight(card, "5", armies={"Qin": "b4"})
    for number in range(armies):
        assert legal(state) == {"reserve", "from=Qin"}
        assert refused(state, "pass") == "SUN-51"
        assert refused(state, "from=Chu") == "SUN-51"
        do(state, "from=Qin" if number else "reserve")
    assert aside(state) == (armies, 0)
    assert holds(state, "Qin") == ("b3" if armies == 2 else "b4")


def test_SUN_51_who_has_too_few_pays_what_he_can():
    state = fight("+3", "5", reserve=(1, None))
    assert aside(state)[BLUE] == 21
    assert holds(state) == "-"


@pytest.mark.parametrize("card", ["+1", "+2", "+3", "-1"])
def test_SUN_52_the_same_bonus_or_malus_is_a_tie(card):
    state = fight(card, card, armies={"Wu": "r3"})
    paid = {"+2": 1, "+3": 2}.get(card, 0)
    for _ in range(paid):  # first Blue, who has nothing but his reserve; then Red
        do(state, "reserve")
    assert holds(state) == "r3"
    assert aside(state) == (paid, paid)


@pytest.mark.parametrize(("card", "gain"), [("+1", 1), ("+2", 2), ("+3", 3)])
def test_SUN_53_minus_1_against_a_bonus_counts_0(card, gain):
    state = fight("-1", card)
    assert holds(state) == f"r{gain}"
    assert aside(state)[RED] == gain - 1  # the cost is paid


def test_SUN_54_different_bonuses_win_by_the_difference():
    assert holds(fight("+3", "+1")) == "b2"
    assert holds(fight("+2", "+3")) == "r1"


@pytest.mark.parametrize(("before", "after"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 3)])
def test_SUN_55_a_plague_destroys_half_rounded_down(before, after):
    state = fight("P", "10", armies={"Wu": f"r{before}"})
    assert holds(state) == f"r{after}"
    assert reserve(state) == (21, 21 - after)
    assert holds(fight("10", "P", armies={"Wu": f"r{before}"})) == f"r{after}"
    assert holds(fight("10", "P")) == "-"


def test_SUN_56_two_plagues_are_one():
    state = fight("P", "P", armies={"Wu": "b8"})
    assert holds(state) == "b4"
    assert state.fields["plagues"] == 2


def test_SUN_81_no_mark_and_no_cost_against_a_plague():
    assert marks(fight("6", "P")) == (0, 0)
    assert aside(fight("P", "+3")) == (0, 0)
    assert aside(fight("+2", "P")) == (0, 0)


def test_SUN_81_the_table_can_choose_that_marks_and_costs_stay():
    state = fight("6", "P", armies={"Wu": "b4"}, plague="spares")
    assert marks(state) == (1, 0)
    assert holds(state) == "b2"
    assert aside(fight("P", "+3", plague="spares")) == (0, 2)


def test_SUN_82_six_against_six_marks_twice():
    state = fight("6", "6", armies={"Wu": "b3"})
    assert marks(state) == (1, 1)
    assert holds(state) == "b3"
