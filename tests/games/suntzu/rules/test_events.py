"""The five events."""

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
    refused,
    reserve,
    war,
)

pytestmark = pytest.mark.rules


def event(state) -> int:
    return int(state.fields["event"])


def test_SUN_39_applied_removed_and_the_next_is_turned_up():
    state = fight("1", "9", event="champion", left="hero infantry")
    assert event(state) == 3  # a 9 that wins leaves it
    state = fight("10", "9", event="champion", left="hero infantry")
    assert event(state) == 0
    assert legal(state) == {"event=hero", "event=infantry"}
    do(state, "event=hero")
    assert event(state) == 4  # the 10 of this province has won, and is not looked at again
    assert state.fields["events_left"] == 16
    again = fight("9", "P", event="champion", left="pandemic", plagues=3)
    do(again, "event=pandemic")
    assert event(again) == 1  # at most one event in a province


def test_SUN_40_the_last_event_ends_the_game():
    state = fight("10", "9", event="champion", left="", track=-2)
    assert state.over
    assert state.utilities() == [-1, 1]
    assert state.refusal(0, BLUE) == "SUN-40"
    level = fight("10", "9", event="champion", left="")
    assert level.over
    assert reserve(level) == (20, 20)
    assert level.utilities() == [0, 0]
    recycling = fight("-1", "9", event="champion", left="", strategies=("4", ""), track=1)
    assert not recycling.over  # this 9 has won
    cut = fight("-1", "-1", event="pandemic", left="hero")
    assert not cut.over
    cut = fight("-1", "P", event="pandemic", left="", plagues=3, strategies=("4", ""), track=1)
    assert cut.over  # before S4 could be asked


def test_SUN_41_the_fourth_plague():
    quiet = fight("P", "1", event="pandemic", left="hero", plagues=2)
    assert event(quiet) == 1
    state = fight("P", "1", event="pandemic", left="hero", plagues=3)
    assert event(state) == 0
    assert aside(state) == (1, 1)
    assert reserve(state) == (20, 20)
    empty = fight(
        *("P", "1"), event="pandemic", left="hero", plagues=3,
        armies={"Qin": "b4", "Chu": "b2"}, reserve=(0, None),
    )  # fmt: skip
    assert legal(empty) == {"from=Qin", "from=Chu"}
    assert refused(empty, "pass") == "SUN-41"
    do(empty, "from=Qin")
    assert holds(empty, "Qin") == "b3"
    both = fight("P", "P", event="pandemic", left="hero", plagues=2)
    assert event(both) == 0  # both cards count


def chariots(**more):
    options = {"event": "chariots", "left": "hero", "marks": ("Qin Chu", "")}
    return fight("6", "1", **{**options, **more})


def test_SUN_42_a_second_strategy_card():
    state = chariots(strategies=("2", "1"))
    assert state.acting == (BLUE,)
    assert legal(state) == {"choose=S1", "choose=S4", "choose=S5"}
    assert refused(state, "choose=S2") == "SUN-42"
    assert refused(state, "pass") == "SUN-42"
    assert refused(state, "choose=K2", RED) == "SUN-42"
    other = state.clone()
    do(state, "choose=S1")
    do(other, "choose=S5")
    assert state.view(RED) == other.view(RED)
    do(state, "open")
    assert state.fields["cards"].tolist() == [2, 1]
    assert legal(state) == {"event=hero"}
    assert event(chariots(marks=("Qin", ""))) == 2  # only the second
    assert event(fight("6", "P", event="chariots", left="hero", marks=("Qin Chu", ""))) == 2
    without = chariots()
    assert legal(without) == {"event=hero"}  # no strategy cards: no effect


def test_SUN_42_both_may_choose_at_once():
    marks = ("Qin Chu", "Qin Chu HanQi")
    state = fight("6", "6", event="chariots", left="hero", marks=marks, strategies=("2", "1"))
    assert state.acting == (BLUE, RED)
    do(state, "r choose=K5", "b choose=S1", "open")
    assert state.fields["cards"].tolist() == [2, 2]


def test_SUN_43_a_9_that_does_not_win():
    for other in ("9", "10", "+1", "P"):
        state = fight("9", other, event="champion", left="hero")
        assert aside(state)[BLUE] == 1
        assert event(state) == 0
    both = fight("9", "9", event="champion", left="hero")
    assert aside(both) == (1, 1)
    state = fight("9", "10", event="champion", left="hero", armies={"Qin": "b1"})
    assert legal(state) == {"reserve", "from=Qin"}
    assert refused(state, "pass") == "SUN-43"
    do(state, "from=Qin")
    assert holds(state, "Qin") == "-"
    counted = fight("9", "8", event="champion", left="hero", strategies=("2", ""))
    do(counted, "S2")  # as a 6 it loses, and it is still a 9
    assert aside(counted)[BLUE] == 1


def test_SUN_44_a_10_that_does_not_win():
    state = fight("10", "+1", event="hero", left="champion", armies={"Qin": "b5"})
    assert refused(state, "pass") == "SUN-44"
    do(state, "from=Qin")
    assert aside(state)[BLUE] == 1
    do(state, "reserve")
    assert aside(state)[BLUE] == 2
    assert event(state) == 0
    assert event(fight("10", "9", event="hero", left="champion")) == 4


@pytest.mark.parametrize(("track", "result"), [(2, "r1"), (-3, "b1")])
def test_SUN_45_light_infantry(track, result):
    state = fight("1", "1", event="infantry", left="hero", track=track)
    assert holds(state) == result
    assert event(state) == 0
    other = fight("1", "2", event="infantry", left="hero", track=track)
    assert event(other) == 5
    assert holds(fight("1", "1", track=track)) == "-"


def test_SUN_78_an_event_looks_at_later_provinces_only():
    state = fight("9", "10", event="champion", left="hero")
    do(state, "event=hero")
    assert event(state) == 4
    plague = fight("9", "10", event="champion", left="pandemic", plagues=4)
    do(plague, "event=pandemic")
    assert event(plague) == 1  # four Plagues were played, but none after it was turned up
    later = fight("P", "1", event="pandemic", left="hero", plagues=4)
    assert event(later) == 0  # the fifth meets it
    sixes = fight("6", "1", event="chariots", left="hero", marks=("Qin Chu JinYan", ""))
    assert event(sixes) == 0  # a fourth 6 does, too


def test_SUN_79_armies_that_events_take_can_be_called_back():
    state = fight("10", "+1", event="hero", left="champion", hand=("7", ""), reserve=(21, None))
    assert aside(state) == (2, 0)
    armies = {"Qin": "b10", "Chu": "b8"}
    options = {"event": "champion", "left": "hero", "hand": ("7", "")}
    state = fight("9", "10", armies=armies, reserve=(0, None), **options)
    assert aside(state)[BLUE] == 3
    assert legal(state) == {"reinforce=7", "from=Qin", "from=Chu"}
    do(state, "reinforce=7")
    assert (aside(state)[BLUE], reserve(state)[BLUE]) == (2, 1)
    do(state, "from=Qin")
    assert aside(state)[BLUE] == 3


def test_SUN_80_light_infantry_stays_while_the_track_is_level():
    state = fight("1", "1", event="infantry", left="hero", track=0)
    assert holds(state) == "-"
    assert event(state) == 5


def test_SUN_39_events_are_an_option():
    state = war("9", "10")
    do(state, "turn=Wu")
    assert aside(state) == (0, 0)
