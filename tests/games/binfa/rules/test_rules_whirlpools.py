"""BIN-D08 and BIN-38a to BIN-46c: whirlpools."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import (
    FIELD,
    active,
    attacks,
    begin,
    field,
    legal,
    moves,
    part,
    pawn,
    phase,
    play,
    refusal,
    store,
    supplies,
    total,
    units,
)
from tianxia import CHANCE
from tianxia.kernel.errors import NotationError, OptionError, TianxiaError

pytestmark = pytest.mark.rules


def sea(piles: str, whirlpools: str = "r7 y7 g7", **more: object) -> tianxia.State:
    """Return a position of level 4 without terrain, in which red has yet to roll."""
    more.setdefault("army", "r")
    return field(piles, level=4, whirlpools=whirlpools, **more)  # type: ignore[arg-type]


OUTSIDE = "r6:4r p13:4r b13:6o"
"""Red beside the whirlpool r7, with a pile elsewhere that can make other moves."""
INSIDE = "y7:3r p13:4r b13:6o"


# --- The set-up ---


def test_BIN_38a_three_whirlpools_together_with_the_terrain() -> None:
    state = tianxia.game("binfa", level=4, terrain=1).new()
    play(state, "r3")
    for name in ("g3", "b3", "y3"):
        assert phase(state) == "mapping"
        assert refusal(state, "r3", CHANCE) == "BIN-38a"
        play(state, name)
    assert phase(state) == "colours"
    assert part(state, "map") == "r3/y3,g3,b3"


def test_BIN_38a_after_nine_markers_of_terrain() -> None:
    state = begin("colours", level=4)
    hills, pools = part(state, "map").split("/")
    assert (len(hills.split(",")), len(pools.split(","))) == (9, 3)


def test_BIN_38a_whirlpools_cut_off_nothing_either() -> None:
    state = play(tianxia.game("binfa", level=4, terrain=1).new(), "p16")
    assert refusal(state, "r11", CHANCE) == "BIN-21b"


def test_BIN_38a_no_units_are_placed_in_them() -> None:
    state = tianxia.game("binfa", level=4, terrain=0).new()
    play(state, "r7 y7 g7 colour:r colour:o")
    assert legal(state, 0) == {name for name in FIELD if name[0] == "r"} - {"r7"}
    assert refusal(state, "r7", 0) == "BIN-39a"


@pytest.mark.parametrize("terrain", [0, 5, 9])
def test_BIN_38b_fewer_markers_but_always_three_whirlpools(terrain: int) -> None:
    state = begin("colours", level=4, terrain=terrain)
    hills, pools = part(state, "map").split("/")
    assert len([name for name in hills.split(",") if name]) == terrain
    assert len(pools.split(",")) == 3


def test_BIN_38b_at_level_4_only() -> None:
    for level in (2, 3):
        with pytest.raises(OptionError):
            tianxia.game("binfa", level=level, terrain=5)
    with pytest.raises(OptionError):
        tianxia.game("binfa", level=4, terrain=10)


def test_BIN_38b_two_whirlpools_are_no_position() -> None:
    text = sea(OUTSIDE).notation()
    assert "r7,y7,g7" in text
    with pytest.raises(NotationError):
        tianxia.position(text.replace("r7,y7,g7", "r7,y7"))


# --- Going in ---


def test_BIN_39a_in_by_one_and_out_by_another() -> None:
    state = play(sea(OUTSIDE), "roll 4-1 r6-r7 4")
    assert phase(state) == "leaving"
    assert legal(state) == {"out:y7", "out:g7"}
    assert refusal(state, "out:r7") == "BIN-39a"
    play(state, "out:g7 4")
    assert units(state) == {"g7": "4r", "b13": "6o", "p13": "4r"}


def test_BIN_39a_they_may_split() -> None:
    state = play(sea(OUTSIDE), "roll 4-1 r6-r7 4 out:y7")
    assert phase(state) == "dividing"
    assert legal(state) == {"1", "2", "3", "4"}
    assert refusal(state, "5") == "BIN-39a"
    play(state, "1")
    assert units(state) == {"y7": "1r", "g7": "3r", "b13": "6o", "p13": "4r"}


def test_BIN_39a_a_part_of_a_pile_goes_in() -> None:
    state = play(sea(OUTSIDE), "roll 4-1 r6-r7 1 out:y7")
    assert units(state) == {"r6": "3r", "y7": "1r", "b13": "6o", "p13": "4r"}


def test_BIN_39a_each_part_keeps_its_colour_on_top() -> None:
    state = sea("r6:1r1o2r p13:4r b13:6o")
    play(state, "roll 4-1 r6-r7 4 out:y7")
    assert legal(state) == {"1", "3", "4"}
    assert refusal(state, "2") == "BIN-39a"
    play(state, "3")
    assert units(state)["y7"] == "1o2r"
    assert units(state)["g7"] == "1r"


def test_BIN_39a_two_of_another_colour_close_a_whirlpool() -> None:
    state = play(sea("r6:4r p13:4r b13:6o y7:2o"), "roll 4-1 r6-r7 4")
    assert units(state)["g7"] == "4r"  # the only way out: nobody is asked
    assert units(state)["y7"] == "2o"
    state = play(sea("r6:4r p13:4r b13:6o r7:2o"), "roll 4-1")
    assert refusal(state, "r6-r7") == "BIN-06"
    state = play(sea("r6:4r p13:4r b13:2o y7:2o g7:2o"), "roll 4-1")
    assert refusal(state, "r6-r7") == "BIN-39a"


def test_BIN_39a_lone_units_inside() -> None:
    """One at the entry is not touched, one at the way out is covered."""
    state = play(sea("r6:4r p13:4r b13:6o r7:1o y7:1o"), "roll 4-1 r6-r7 4 out:y7 4")
    assert units(state)["r7"] == "1o"
    assert units(state)["y7"] == "1o4r"
    assert "g7" not in units(state)


def test_BIN_39a_no_way_out_where_ones_own_have_yet_to_leave() -> None:
    state = play(sea(f"{OUTSIDE} y7:2r"), "roll 6-1 r6-r7 4")
    assert units(state)["g7"] == "4r"
    state = play(sea(f"{OUTSIDE} y7:2r"), "roll 6-1 y7-y8 2 r6-r7 4")
    assert legal(state) == {"out:y7", "out:g7"}


def test_BIN_39a_from_a_whirlpool_into_one_beside_it() -> None:
    """r7 and r8 touch; what goes from r7 into r8 may come out at r7 again, which is empty."""
    state = sea("r7:3r p13:4r b13:6o", "r7 r8 g7")
    play(state, "roll 4-1 r7-r8 3")
    assert legal(state) == {"out:r7", "out:g7"}
    play(state, "out:g7 3")
    assert units(state)["g7"] == "3r"
    assert refusal(state, "g7-g8") == "BIN-39d"
    state = sea("r7:3r p13:4r b13:6o", "r7 r8 g7")
    play(state, "roll 4-1 r7-r8 1")
    assert units(state)["g7"] == "1r"  # two have yet to leave r7


def test_BIN_39d_who_comes_out_where_he_was_waits_there() -> None:
    state = sea("r7:3r p13:4r b13:6o", "r7 r8 g7")
    play(state, "roll 3-1 r7-r8 3 out:r7 3")
    assert part(state, "due") == ""
    assert refusal(state, "r7-r6") == "BIN-39d"
    play(state, "p13-p12 4")
    assert units(state)["r7"] == "3r"  # not lost: it need not leave before the next roll


def test_BIN_39b_entry_and_transfer_are_one_move() -> None:
    state = play(sea(OUTSIDE), "roll 4-1")
    assert moves(state) == 3
    play(state, "r6-r7 4 out:y7 2")
    assert (phase(state), moves(state)) == ("moving", 2)


def test_BIN_39c_the_moves_left_are_made_by_others() -> None:
    state = play(sea(OUTSIDE), "roll 3-1 r6-r7 4 out:y7 4")
    assert legal(state) == {"p13-p12", "p13-p14", "p13-p7"}
    assert refusal(state, "y7-y6") == "BIN-39d"
    assert refusal(state, "stop") == "BIN-05a"
    play(state, "p13-p12 4")
    assert (phase(state), active(state)) == ("ready", 0)


def test_BIN_39c_no_entry_without_a_move_for_others() -> None:
    """All that is left outside is covered, and cannot make the other move."""
    state = sea("r6:1r p13:3r1o b13:6o")
    assert refusal(play(state.clone(), "roll 3-1"), "r6-r7") == "BIN-39e"
    assert refusal(play(state, "roll 2-1"), "r6-r7") is None


def test_BIN_39d_not_before_the_next_roll() -> None:
    state = play(sea(OUTSIDE), "roll 6-1 r6-r7 4 out:y7 4")
    for name in ("y6", "y8", "y13"):
        assert refusal(state, f"y7-{name}") == "BIN-39d"
    play(state, "p13-p12 4 p12-p13 4 p13-p12 4 p12-p13 4")
    assert phase(state) == "ready"
    play(state, "roll 2-1")
    assert {"y7-y6", "y7-y8", "y7-y13"} <= legal(state)
    assert part(state, "due") == "y7"


def test_BIN_39e_all_units_only_with_the_last_move() -> None:
    state = play(sea("r6:4r b13:6o"), "roll 3-1 r6-r7")
    assert legal(state) == {"1", "2", "3"}
    assert refusal(state, "4") == "BIN-39e"
    state = play(sea("r6:4r b13:6o"), "roll 2-1 r6-r7 4 out:y7 4")
    assert units(state) == {"y7": "4r", "b13": "6o"}
    assert phase(state) == "ready"


def test_BIN_39e_not_even_if_a_pile_inside_could_still_leave() -> None:
    state = play(sea("r6:2r y7:2r b13:6o"), "roll 3-1")
    play(state, "r6-r7")  # only one of the two can go: nobody is asked
    assert units(state)["r6"] == "1r"
    assert units(state)["g7"] == "1r"
    # The other way round: first out with those, then in with these.
    state = play(sea("r6:2r y7:2r b13:6o"), "roll 3-1 y7-y8 2 r6-r7 2 out:y7 2")
    assert units(state) == {"y7": "2r", "y8": "2r", "b13": "6o"}


# --- Coming out ---


@pytest.mark.parametrize("target", ["y6", "y8", "y13"])
def test_BIN_40a_out_to_any_neighbour_for_one_move(target: str) -> None:
    state = play(sea(INSIDE), f"roll 4-1 y7-{target} 3")
    assert units(state)[target] == "3r"
    assert moves(state) == 2
    assert part(state, "due") == ""


def test_BIN_40a_in_parts_for_a_move_each() -> None:
    state = play(sea(INSIDE), "roll 3-1 y7-y6 1 y7-y8 2")
    assert units(state) == {"y6": "1r", "y8": "2r", "b13": "6o", "p13": "4r"}
    assert phase(state) == "ready"


def test_BIN_40a_what_stays_inside_is_lost() -> None:
    state = play(sea(INSIDE), "roll 3-1 y7-y6 1")
    assert units(state)["y7"] == "2r"
    play(state, "p13-p12 4")
    assert "y7" not in units(state)
    assert total(state, "r") == 5
    assert (phase(state), active(state)) == ("ready", 0)


def test_BIN_40a_with_all_ways_closed_they_are_lost() -> None:
    state = sea(f"{INSIDE} y6:2o y8:2o y13:2o")
    play(state, "roll 2-1 p13-p12 4")
    assert "y7" not in units(state)
    assert total(state, "r") == 4


def test_BIN_40a_onto_a_lone_unit() -> None:
    state = play(sea(f"{INSIDE} y6:1o"), "roll 2-1 y7-y6 3")
    assert units(state)["y6"] == "1o3r"


def test_BIN_40a_resupplying_does_not_matter() -> None:
    state = sea(INSIDE, army="")
    play(state, "supply:r 2-2 pawn+2 4-1 pawn+1")
    assert active(state) == 1
    assert units(state)["y7"] == "3r"


def test_BIN_40a_the_rolls_of_others_do_not_matter() -> None:
    state = sea(INSIDE, army="", active=1)
    play(state, "move:o roll 2-1 b13-b12 6 roll 3-3")
    assert units(state)["y7"] == "3r"


def test_BIN_40a_the_next_roll_of_a_later_turn_counts() -> None:
    state = sea(INSIDE, army="", active=1)
    play(state, "move:o roll 3-3 move:r roll 2-1")
    assert part(state, "due") == "y7"


def test_BIN_40a_a_foreign_unit_left_inside_waits_for_its_own_roll() -> None:
    state = sea("y7:2o1r p13:4r b13:4o", army="")
    play(state, "move:r roll 2-1 y7-y8 1 roll 4-4")
    assert units(state)["y7"] == "2o"  # a red double does not drown it
    play(state, "move:o roll 2-1")
    assert part(state, "due") == "y7"
    play(state, "y7-y6 2")
    assert units(state)["y6"] == "2o"


@pytest.mark.parametrize("number", range(1, 7))
def test_BIN_41_a_double_drowns_them_and_ends_the_turn(number: int) -> None:
    state = play(sea(INSIDE), f"roll {number}-{number}")
    assert units(state) == {"b13": "6o", "p13": "4r"}
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_41_with_all_that_is_in_the_pile() -> None:
    state = play(sea("y7:1o2r g7:2r p13:4r b13:6o"), "roll 4-4")
    assert (total(state, "r"), total(state, "o")) == (4, 6)


def test_BIN_41_a_double_of_another_player_drowns_nobody() -> None:
    state = play(sea(INSIDE, army="o", active=1), "roll 4-4")
    assert units(state)["y7"] == "3r"


def test_BIN_42_two_piles_and_one_move() -> None:
    state = play(sea("y7:2r g7:3r p13:4r b13:6o"), "roll 4-3 y7-y6 2")
    assert units(state) == {"y6": "2r", "b13": "6o", "p13": "4r"}
    state = play(sea("y7:2r g7:3r p13:4r b13:6o"), "roll 4-3 g7-g6 3")
    assert units(state) == {"g6": "3r", "b13": "6o", "p13": "4r"}


def test_BIN_42_with_two_moves_both_leave() -> None:
    state = play(sea("y7:2r g7:3r p13:4r b13:6o"), "roll 5-3 y7-y6 2 g7-g6 3")
    assert units(state) == {"y6": "2r", "g6": "3r", "b13": "6o", "p13": "4r"}


@pytest.mark.parametrize(("roll", "lost"), [("2-1", False), ("3-3", True)])
def test_BIN_D08_a_double_is_what_kills(roll: str, lost: bool) -> None:
    state = play(sea(INSIDE), f"roll {roll}")
    assert ("y7" not in units(state)) == lost


def test_BIN_D08_one_in_six() -> None:
    state = play(sea(INSIDE), "roll")
    drowned = 0.0
    for action, chance in state.chance_outcomes():
        after = state.clone()
        after.apply(action, CHANCE)
        drowned += chance * ("y7" not in units(after))
    assert drowned == pytest.approx(1 / 6)


# --- Captures, dislodgements ---


@pytest.mark.parametrize("inside", ["", "r7:2r"])
def test_BIN_43a_a_whirlpool_is_an_open_side(inside: str) -> None:
    state = sea(f"r13:3o r12:2r r15:2r p13:2r b13:6o {inside}", army="r")
    play(state, "roll 3-1 r15-r14 2")
    assert units(state)["r13"] == "3o"
    assert units(state)["r14"] == "2r"


def test_BIN_43a_nobody_is_captured_inside() -> None:
    state = sea("r7:3o r6:2r r8:2r r14:2r b13:6o")
    play(state, "roll 2-1 r14-r13 2")
    assert units(state)["r7"] == "3o"


def test_BIN_43a_nobody_is_attacked_inside() -> None:
    state = sea("r7:2o r6:4r p13:4r b13:6o")
    assert refusal(state, "r6xr7") == "BIN-14a"
    assert attacks(state) == set()


# Red stands on r4, orange on o2, beside which are o3 and o6, a whirlpool.
SHORE = "o6 y7 g7"


def test_BIN_43b_pushed_into_a_whirlpool_they_are_lost() -> None:
    state = sea("r4:3r o2:2o o3:2r r13:1r o13:6o", SHORE)
    play(state, "r4xo2 6-2")
    assert units(state) == {"o2": "3r", "o3": "2r", "r13": "1r", "o13": "6o"}
    assert (phase(state), moves(state)) == ("moving", 4)


def test_BIN_43b_whoever_is_inside() -> None:
    state = sea("r4:3r o2:2o o3:2r r13:1r o13:4o o6:2o", SHORE)
    play(state, "r4xo2 6-2")
    assert units(state)["o6"] == "2o"
    assert total(state, "o") == 6


def test_BIN_43b_only_if_there_is_no_other_triangle() -> None:
    state = play(sea("r4:3r o2:2o r13:3r o13:6o", SHORE), "r4xo2 6-2")
    assert units(state)["o3"] == "2o"  # the only way: nobody is asked
    state = sea("r4:3r o2:2o o6:2r r13:3r o13:6o", "r8 y7 o3")
    play(state, "r4xo2 6-2")
    assert "o2" in units(state)
    assert total(state, "o") == 6


def test_BIN_43b_a_whirlpool_is_no_choice_at_the_second_retreat_either() -> None:
    state = play(sea("r4:3r o2:2o r13:3r o6:2r o13:6o", "o1 y7 g7"), "r4xo2 6-6")
    assert units(state)["o4"] == "2o"
    assert units(state)["o3"] == "3r"


def test_BIN_43b_at_the_second_retreat() -> None:
    """Driven from o2 over o3 into the whirlpool o1; the attackers end on o3."""
    state = sea("r4:3r o2:2o o6:2r o4:2r o13:6o", "o1 y7 g7")
    play(state, "r4xo2 6-6")
    assert units(state) == {"o3": "3r", "o4": "2r", "o6": "2r", "o13": "6o"}


THREE = {"colours": "rog", "supplies": "r5 o7 g9"}


def test_BIN_44_supplies_of_a_drowned_army_go_to_the_store() -> None:
    state = sea("y7:2r p13:3r b13:6o g13:4g", **THREE)
    play(state, "roll 4-4")
    assert total(state, "r") == 0
    assert (supplies(state, "r"), supplies(state, "o"), supplies(state, "g")) == (0, 7, 9)
    assert store(state) == 44
    assert pawn(state, "r") == ""
    assert active(state) == 1


def test_BIN_44_also_if_an_opponent_pushed_them_in() -> None:
    state = sea("r4:3r o2:2o o3:2r r13:1r o13:3o g13:4g", SHORE, **THREE)
    play(state, "r4xo2 6-2")
    assert total(state, "o") == 0
    assert (supplies(state, "r"), store(state)) == (4, 60 - 4 - 9)


def test_BIN_44_also_at_the_end_of_a_roll() -> None:
    state = sea("y7:2r p13:3r b13:6o g13:4g", **THREE)
    play(state, "roll 2-1 p13-p12 3")
    assert total(state, "r") == 0
    assert (store(state), active(state)) == (44, 1)


def test_BIN_45_the_attackers_follow_and_are_lost() -> None:
    piles = "r4:3r o2:2o r13:6r o13:6o o3:2g g13:4g"
    state = play(sea(piles, SHORE, colours="rog"), "r4xo2 6-6")
    assert units(state) == {"r13": "6r", "o3": "2g", "o13": "6o", "g13": "4g"}
    assert active(state) == 1


def test_BIN_45_past_terrain_too() -> None:
    state = sea("r4:3r o2:2o r13:6r o13:6o", SHORE, terrain="o3")
    play(state, "r4xo2 6-6")
    assert units(state) == {"r13": "6r", "o13": "6o"}


def test_BIN_45_unless_their_own_stand_beside() -> None:
    """o3 was closed to orange, but not to red."""
    state = sea("r4:3r o2:2o o3:2r r13:4r o13:6o", SHORE)
    play(state, "r4xo2 6-6")
    assert units(state) == {"o3": "5r", "r13": "4r", "o13": "6o"}
    assert active(state) == 1


def test_BIN_45_what_stands_beside_is_judged_at_the_second_step() -> None:
    """Orange falls with the units that are pushed in, and leaves one red unit alone on o3."""
    piles = "r4:3r o2:2o o3:1o1r r13:6r o13:2o g13:4g"
    state = play(sea(piles, SHORE, colours="rog"), "r4xo2 6-6")
    assert units(state) == {"o3": "1r", "r13": "6r", "g13": "4g"}


def test_BIN_45_with_one_6_they_stay_on_the_vacated_triangle() -> None:
    state = sea("r4:3r o2:2o r13:6r o13:6o", SHORE, terrain="o3")
    play(state, "r4xo2 6-5")
    assert units(state)["o2"] == "3r"


def test_BIN_45_and_44_an_army_that_follows_falls_to_the_store() -> None:
    state = sea("r4:3r o2:2o r13:3r o13:6o g13:4g", SHORE, terrain="o3", **THREE)
    play(state, "r4xo2 6-6")
    assert total(state, "r") == 0
    assert (supplies(state, "o"), store(state)) == (7, 44)


def test_BIN_45_and_44_who_is_covered_by_them_falls_to_the_store_too() -> None:
    state = sea("r4:1g3r o2:2o r13:6r o13:6o g13:3g", SHORE, terrain="o3", **THREE)
    play(state, "r4xo2 6-6")
    assert (total(state, "r"), total(state, "g")) == (6, 0)
    assert (supplies(state, "r"), supplies(state, "g"), store(state)) == (4, 0, 60 - 4 - 7)


# --- Fighting one's way out ---

# Red is in the whirlpool o6, beside o5, o7 and o2; from o5 one can go on to r9 and o11.
SIEGE = "o6:3r o5:2o r13:6r y13:6o"


def test_BIN_46a_onto_two_of_another_colour_by_dislodging_only() -> None:
    state = play(sea(SIEGE, SHORE), "roll 2-1")
    assert refusal(state, "o6-o5") == "BIN-46a"
    assert {"o6-o7", "o6-o2"} <= legal(state)


def test_BIN_46a_the_pile_inside_attacks_if_it_is_taller() -> None:
    assert attacks(sea(SIEGE, SHORE)) == {"o6xo5"}
    assert refusal(sea("o6:2r o5:2o r13:6r y13:6o", SHORE), "o6xo5") == "BIN-14a"


def test_BIN_46a_without_a_6_they_stay_inside() -> None:
    state = play(sea(SIEGE, SHORE), "o6xo5 5-2")
    assert units(state) == {"o6": "3r", "o5": "2o", "r13": "6r", "y13": "6o"}
    assert (phase(state), active(state)) == ("ready", 0)
    play(state, "o6xo5 4-3 roll 2-1 o6-o7 3")
    assert units(state)["o7"] == "3r"


def test_BIN_46a_nor_after_an_attempt_of_a_pile_outside() -> None:
    state = sea("y7:3r r4:3r o2:2o o13:6o", "r7 y7 g7")
    play(state, "r4xo2 5-2")
    assert units(state)["y7"] == "3r"


def test_BIN_46a_a_lone_unit_is_covered() -> None:
    state = play(sea("o6:3r o5:1o r13:6r y13:6o", SHORE), "roll 2-1 o6-o5 3")
    assert units(state)["o5"] == "1o3r"


def test_BIN_46b_with_a_6_they_come_out_for_nothing() -> None:
    state = play(sea(SIEGE, SHORE), "o6xo5 6-2")
    assert state.acting == (1,)
    assert legal(state) == {"o5-r9", "o5-o11"}
    assert refusal(state, "o5-o6") == "BIN-16a"
    play(state, "o5-o11 2")
    assert units(state) == {"o5": "3r", "o11": "2o", "r13": "6r", "y13": "6o"}
    assert (phase(state), moves(state)) == ("moving", 4)


def test_BIN_46b_not_pushed_into_the_whirlpool_of_the_attackers() -> None:
    """Without another way they are lost where they stand: no loss in a whirlpool (BIN-37)."""
    state = sea("o6:3r o5:2o r9:2r o11:2r y13:3o g13:4g", SHORE, **THREE)
    play(state, "o6xo5 6-2")
    assert total(state, "o") == 0
    assert units(state)["o5"] == "3r"
    assert supplies(state, "r") == 5 - 1 + 7


def test_BIN_46b_others_inside_leave_with_the_moves_of_that_roll() -> None:
    state = play(sea(f"{SIEGE} y7:2r", SHORE), "o6xo5 6-5 o5-o11 2")
    assert part(state, "due") == "y7"
    play(state, "r13-r12 6")
    assert "y7" not in units(state)
    state = play(sea("y7:3r r4:3r o2:2o o13:6o"), "r4xo2 6-4 o2-o3 2")
    assert part(state, "due") == "y7"


@pytest.mark.parametrize("number", range(1, 7))
def test_BIN_46c_any_double_drowns_them(number: int) -> None:
    state = play(sea(SIEGE, SHORE), f"o6xo5 {number}-{number}")
    assert units(state) == {"o5": "2o", "r13": "6r", "y13": "6o"}
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_46c_a_double_6_of_a_pile_outside_is_carried_out_all_the_same() -> None:
    state = sea("y7:3r r4:3r r13:3r o2:2o o13:6o", "r7 y7 g7")
    play(state, "r4xo2 6-6")
    assert "y7" not in units(state)
    play(state, "o2-o3 2 o3-o4 2")
    assert units(state) == {"o3": "3r", "o4": "2o", "r13": "3r", "o13": "6o"}


def test_BIN_46c_unless_the_army_has_fallen() -> None:
    state = sea("y7:3r r4:3r o2:2o o13:6o g13:4g", "r7 y7 g7", **THREE)
    play(state, "r4xo2 6-6")
    assert total(state, "r") == 0
    assert units(state)["o2"] == "2o"
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_46c_unless_the_target_is_not_what_it_was() -> None:
    """An orange unit drowns with the red pile; orange falls, and yellow comes to light on o2."""
    piles = "y7:1o3r r4:3r r13:3r o2:1y1o o13:2o y13:4y"
    state = play(sea(piles, colours="roy"), "r4xo2 6-6")
    assert units(state) == {"r4": "3r", "r13": "3r", "o2": "1y", "y13": "4y"}
    assert active(state) == 2


def test_BIN_40a_who_comes_to_light_inside_waits_for_the_next_roll() -> None:
    """Orange falls in a red roll: the red units under it neither leave nor drown with that roll."""
    state = sea("y7:2r1o r3:2o r2:2r r4:2r p1:2r o13:1o g13:4g p13:2r", colours="rog")
    play(state, "roll 3-1 p1-r1 2")
    assert units(state)["y7"] == "2r"
    assert refusal(state, "y7-y6") == "BIN-39d"
    play(state, "p13-p12 2")
    assert units(state)["y7"] == "2r"
    play(state, "roll 2-1")
    assert part(state, "due") == "y7"


def test_units_in_a_whirlpool_hold_no_sector() -> None:
    """BIN-31b: they are not on the field."""
    state = sea("o7:2r r5:6r b5:6o", "o7 y7 g7", army="", pawns="r:r7 o:b4")
    play(state, "supply:r 3-1 pawn+3")
    assert supplies(state, "r") == 5


def test_BIN_38b_a_map_of_ones_own_has_three_whirlpools_too() -> None:
    hills = "r8,o3,o8,y8,g3,g8,b8,p3,p8"
    state = tianxia.game("binfa", map=f"{hills}/r13,y13,b13").new()
    assert phase(state) == "colours"
    with pytest.raises(TianxiaError):
        tianxia.game("binfa", map=f"{hills}/r13,y13")
