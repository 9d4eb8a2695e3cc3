"""Fights: who wins by how much, shortages, reinforcement."""

from __future__ import annotations

import pytest

from tests.games.suntzu.war import (
    BLUE,
    RED,
    aside,
    counted,
    do,
    fight,
    hand,
    holds,
    lay,
    legal,
    refused,
    reserve,
    war,
)
from tianxia.games.suntzu.rules.state import LAYING, SCORING

pytestmark = pytest.mark.rules


def test_SUN_15_the_higher_card_wins_by_the_difference():
    assert holds(fight("8", "3")) == "b5"
    assert holds(fight("3", "8")) == "r5"


def test_SUN_16_equal_values_change_nothing():
    state = fight("5", "5", armies={"Wu": "b3"})
    assert holds(state) == "b3"
    assert reserve(state) == (18, 21)


def test_SUN_17_the_example_of_Wu():
    state = fight("5", "9")
    assert holds(state) == "r4"
    assert reserve(state) == (21, 17)


@pytest.mark.parametrize(("before", "after"), [("r1", "r5"), ("r7", "r11")])
def test_SUN_18_the_winner_adds_armies(before, after):
    assert holds(fight("5", "9", armies={"Wu": before})) == after


@pytest.mark.parametrize(("before", "after"), [("b5", "b1"), ("b9", "b5")])
def test_SUN_19_more_armies_than_the_difference_keep_control(before, after):
    state = fight("5", "9", armies={"Wu": before})
    assert holds(state) == after
    assert reserve(state)[RED] == 21


def test_SUN_20_exactly_as_many_armies_leave_it_empty():
    state = fight("5", "9", armies={"Wu": "b4"})
    assert holds(state) == "-"
    assert reserve(state) == (21, 21)


@pytest.mark.parametrize(("before", "after"), [("b3", "r1"), ("b1", "r3")])
def test_SUN_21_fewer_armies_change_the_control(before, after):
    assert holds(fight("5", "9", armies={"Wu": before})) == after


def test_SUN_22_removed_armies_return_to_the_reserve():
    state = fight("5", "9", armies={"Wu": "b3"}, aside=(3, 3))
    assert reserve(state) == (18, 17)
    assert aside(state) == (3, 3)


def test_SUN_23_the_full_number_has_to_be_placed():
    state = fight("1", "9", armies={"HanQi": "r9", "Chu": "r4", "Qin": "r2"}, reserve=(None, 6))
    assert state.acting == (RED,)  # six of eight come from the reserve at once
    assert holds(state) == "r6"
    assert refused(state, "pass") == "SUN-23"
    assert refused(state, "reserve") == "SUN-23"
    do(state, "from=Chu", "from=HanQi")
    assert holds(state) == "r8"


def test_SUN_24_missing_armies_come_from_neighbours_as_he_likes():
    armies = {"HanQi": "r5", "Chu": "r4", "Qin": "r12"}
    state = fight("1", "4", armies=armies, reserve=(None, 0))
    assert legal(state) == {"from=HanQi", "from=Chu"}
    assert refused(state, "from=Qin") == "SUN-24"
    do(state, "from=Chu", "from=HanQi", "from=Chu")
    assert [holds(state, p) for p in ("HanQi", "Chu", "Qin", "Wu")] == ["r4", "r2", "r12", "r3"]
    idle = war("1", "1", province="", privilege=RED)
    assert refused(idle, "from=Qin") == "SUN-24"  # nobody owes anything


def test_SUN_25_then_from_any_other_province():
    armies = {"HanQi": "r1", "JinYan": "r9", "Qin": "r11"}
    state = fight("1", "4", armies=armies, reserve=(None, 0))
    assert holds(state, "HanQi") == "-"  # the only neighbour: nothing to choose
    assert legal(state) == {"from=JinYan", "from=Qin"}
    assert refused(state, "from=Wu") == "SUN-25"
    do(state, "from=Qin", "from=JinYan")
    assert holds(state) == "r3"


def test_SUN_26_a_province_never_holds_armies_of_both():
    for blue in ("b1", "b3", "b4", "b6", "r2"):
        state = fight("5", "9", armies={"Wu": blue})
        assert (state.fields["board"] > 0).sum(axis=0).max() <= 1


def short(**more):
    """Return a fight in which Red owes an army, and his reserve is empty."""
    options = {"armies": {"Wu": "r9", "Qin": "r7"}, "reserve": (None, 0), "hand": ("", "7 P")}
    return fight("1", "2", **{**options, **more})


def test_SUN_27_a_card_brings_an_army_back():
    state = short()
    assert aside(state)[RED] == 5
    assert legal(state) == {"from=Qin", "reinforce=7", "reinforce=P"}
    action = state.parse("reinforce=7", RED)
    assert state.seen(action, RED, BLUE) == action  # the card is shown
    do(state, "reinforce=7")
    assert holds(state) == "r10"
    assert aside(state)[RED] == 4
    assert "7" in counted(state, "gone", RED).split()
    assert hand(state, RED).split()[-1] == "P"


def test_SUN_27_only_where_an_army_of_the_reserve_is_missing():
    state = fight("+2", "5", hand=("7", ""), aside=(3, 3), armies={"Qin": "b2"})
    assert refused(state, "reinforce=7") == "SUN-27"
    assert legal(state) == {"reserve", "from=Qin"}
    named = war("1", "1", province="", privilege=RED, hand=("", "7"), aside=(3, 3))
    assert refused(named, "reinforce=7") == "SUN-27"


def test_SUN_27_at_the_end_while_the_track_is_level():
    state = war(phase=SCORING, turn=9, hand=("7", "8 P"), aside=(3, 1), armies={"Qin": "r3"})
    state.apply(state.legal_actions()[0])
    do(state, "score=Chu", "score=JinYan", "score=HanQi", "score=Wu", "pawn")
    assert state.over  # Red is ahead: no reserve is compared
    state = war(phase=SCORING, turn=9, hand=("7", "8 P"), aside=(3, 1))
    do(state, *(f"score={p}" for p in ("Qin", "Chu", "JinYan", "HanQi", "Wu")), "pawn")
    assert state.acting == (BLUE,)
    assert legal(state) == {"pass", "reinforce=7"}
    do(state, "reinforce=7")
    assert state.acting == (RED,)  # Blue has no other card
    do(state, "reinforce=P")
    assert state.over  # nothing aside any more: 19 against 21
    assert state.utilities() == [-1, 1]


def test_SUN_28_costs_enlarge_what_can_be_called_back():
    state = fight("+3", "5", aside=(3, 3))
    assert aside(state) == (5, 3)
    state = fight("+2", "5", aside=(3, 3))
    assert aside(state) == (4, 3)


def test_SUN_74_short_of_all_he_places_what_he_has():
    state = fight("1", "9", armies={"HanQi": "r2"}, reserve=(None, 1), hand=("", ""))
    assert holds(state) == "r3"
    assert holds(state, "HanQi") == "-"
    declined = short(armies={"Wu": "r9"})
    assert legal(declined) == {"pass", "reinforce=7", "reinforce=P"}
    do(declined, "pass")
    assert holds(declined) == "r9"


def test_SUN_75_an_army_aside_and_a_card_in_the_hand():
    none_aside = short(armies={"Wu": "r9", "Qin": "r7", "Chu": "r5"})
    assert aside(none_aside)[RED] == 0  # so he is not even asked: Chu is the only neighbour
    assert (holds(none_aside), holds(none_aside, "Chu")) == ("r10", "r4")
    state = war(phase=LAYING, hand=(["7", "7"][0], "P"), aside=(3, 0))
    assert refused(state, "reinforce=P", RED) == "SUN-75"  # nothing is aside
    assert refused(state, "reinforce=8", BLUE) == "SUN-75"  # not in the hand
    laid = do(state.clone(), "b Wu=7")
    assert refused(laid, "reinforce=7", BLUE) == "SUN-75"  # laid already
    two = war(phase=LAYING, hand=("7 8 +1", ""), aside=(2, 0))
    do(two, "b reinforce=7", "b reinforce=+1")
    assert aside(two)[BLUE] == 0
    assert refused(two, "reinforce=8", BLUE) == "SUN-75"


def test_SUN_75_what_is_discarded_while_laying_is_shown_when_both_have_laid():
    state = war(phase=LAYING, hand=("7 8", ""), aside=(3, 0))
    other = state.clone()
    do(state, "b reinforce=7")
    assert state.view(RED) == other.view(RED)
    assert state.plies == other.plies
    assert reserve(state.view(BLUE))[BLUE] == 19
    for one in (state, other):
        lay(one, BLUE, "1", "2", "3", "4", "5")
    assert state.view(RED) == other.view(RED)
    lay(state, RED, "1", "2", "3", "4", "5")
    assert counted(state.view(RED), "gone", BLUE).split().count("7") == 0
    do(state, "open")
    assert "7" in counted(state.view(RED), "gone", BLUE).split()
    assert reserve(state.view(RED))[BLUE] == 19
