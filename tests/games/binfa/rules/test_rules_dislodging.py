"""BIN-14a to BIN-20: attacks, retreats, the double 6."""

from __future__ import annotations

import pytest

from tests.games.binfa.helpers import (
    active,
    attacks,
    field,
    legal,
    moves,
    odds,
    part,
    phase,
    play,
    refusal,
    side,
    total,
    units,
    winners,
)
from tianxia.kernel.errors import ParseError

pytestmark = pytest.mark.rules

# Red stands on r4, orange on o2. From o2 one can go to o3 and o6, and to r4 itself;
# from o3 on to o1 and o4, from o6 on to o5 and o7.
REST = "r13:6r o13:6o"


def front(defenders: str = "2o", attackers: str = "3r", more: str = "") -> str:
    return f"r4:{attackers} o2:{defenders} {REST} {more}"


def test_BIN_14a_adjacent_and_strictly_taller() -> None:
    assert attacks(field(front("2o", "3r"))) == {"r4xo2"}
    assert attacks(field(front("1o", "2r"))) == {"r4xo2"}
    for attackers, defenders in (("2r", "2o"), ("2r", "3o"), ("1r", "1o")):
        state = field(front(defenders, attackers))
        assert refusal(state, "r4xo2") == "BIN-14a"
        assert attacks(state) == set()


def test_BIN_14a_the_target_is_a_pile_of_another_colour() -> None:
    state = field("r4:3r r3:1r o2:2o1r r13:6r o13:6o")
    assert refusal(state, "r4xr3") == "BIN-14a"  # own colour
    assert refusal(state, "r4xr8") == "BIN-14a"  # nobody
    assert refusal(state, "r4xo2") == "BIN-14a"  # red on top
    assert side(field("r12:6r o13:6o"), "attack", "r12", 2) == "BIN-04b"  # the border
    with pytest.raises(ParseError):
        state.parse("r4xo3")  # not adjacent


def test_BIN_14a_only_with_ones_own_pile() -> None:
    state = field("r4:1r o2:3o r13:6r o13:6o")
    assert refusal(state, "o2xr4") == "BIN-14a"
    state = field("r4:3r1o o2:2o r13:6r o13:6o")
    assert refusal(state, "r4xo2") == "BIN-14a"


def test_BIN_14a_all_units_of_both_piles_count() -> None:
    assert attacks(field(front("2o", "1o2r"))) == {"r4xo2"}
    assert attacks(field(front("1r2o", "3r"))) == set()


def test_BIN_15a_announced_before_the_roll() -> None:
    state = play(field(front()), "r4xo2")
    assert phase(state) == "attacking"
    assert part(state, "attack") == "r4xo2"
    assert state.acting == ()
    assert len(odds(state)) == 21
    # An ordinary roll dislodges nobody, whatever it shows.
    state = play(field(front()), "roll 6-2")
    assert (phase(state), moves(state)) == ("moving", 4)
    assert units(state)["o2"] == "2o"
    assert refusal(state, "r4xo2") == "BIN-05a"


def test_BIN_15a_a_new_announcement_for_each_roll() -> None:
    state = play(field(front()), "r4xo2 5-2")
    assert part(state, "attack") == ""
    play(state, "roll 6-5")
    assert (phase(state), moves(state)) == ("moving", 1)
    assert units(state)["o2"] == "2o"


def test_BIN_16a_with_a_6_the_target_retreats() -> None:
    state = play(field(front()), "r4xo2 6-2")
    assert state.acting == (1,)  # its owner decides, although it is red's turn
    assert active(state) == 0
    assert legal(state) == {"o2-o3", "o2-o6"}
    assert refusal(state, "o2-o3", 0) == "BIN-02b"
    assert refusal(state, "o2-r4") == "BIN-16a"  # not towards the attackers
    assert refusal(state, "o13-o12") == "BIN-16a"  # not another pile
    play(state, "o2-o6 2")
    assert units(state) == {"o2": "3r", "o6": "2o", "r13": "6r", "o13": "6o"}


@pytest.mark.parametrize("low", [1, 2, 3, 4, 5])
def test_BIN_16a_one_6_of_either_die(low: int) -> None:
    state = play(field(front()), f"r4xo2 6-{low}")
    assert phase(state) == "retreating"


def test_BIN_16a_the_target_may_split() -> None:
    state = play(field(front("3o", "4r")), "r4xo2 6-2 o2-o3")
    assert legal(state) == {"1", "2", "3"}
    assert refusal(state, "4") == "BIN-16a"
    play(state, "1")
    assert units(state) == {"o2": "4r", "o3": "1o", "o6": "2o", "r13": "6r", "o13": "6o"}
    assert state.acting == (0,)


def test_BIN_16a_each_part_keeps_its_colour_on_top() -> None:
    state = play(field(front("1o1r1o", "4r")), "r4xo2 6-2 o2-o3")
    assert legal(state) == {"2", "3"}
    assert refusal(state, "1") == "BIN-16a"
    play(state, "2")
    assert units(state)["o3"] == "1r1o"
    assert units(state)["o6"] == "1o"


def test_BIN_16a_onto_own_piles_and_lone_units() -> None:
    state = play(field(front("2o", "3r", "o3:1r o6:3o")), "r4xo2 6-2")
    assert legal(state) == {"o2-o3", "o2-o6"}
    play(state, "o2-o3 1")
    assert units(state)["o3"] == "1r1o"
    assert units(state)["o6"] == "4o"


def test_BIN_16a_not_onto_two_of_another_colour() -> None:
    """Where one way is left nobody is asked."""
    state = play(field(front("2o", "3r", "o3:2r")), "r4xo2 6-2")
    assert units(state)["o6"] == "2o"
    assert units(state)["o2"] == "3r"
    assert (phase(state), state.acting) == ("moving", (0,))


def test_BIN_16b_the_whole_attacking_pile_advances_for_nothing() -> None:
    state = play(field(front("2o", "5r")), "r4xo2 6-2 o2-o3 2")
    assert units(state)["o2"] == "5r"
    assert "r4" not in units(state)
    assert moves(state) == 4


def test_BIN_16b_covered_units_advance_with_it() -> None:
    state = play(field(front("2o", "1o2r")), "r4xo2 6-2 o2-o3 2")
    assert units(state)["o2"] == "1o2r"


def test_BIN_16c_then_the_difference_is_moved() -> None:
    """A 6 and a 2 give four moves, with any units of the army."""
    state = play(field(front()), "r4xo2 6-2 o2-o3 2")
    assert (phase(state), moves(state)) == ("moving", 4)
    play(state, "o2-r4 3 r13-r12 1 r13-r14 1 r4-o2 3")
    assert (phase(state), active(state)) == ("ready", 0)
    assert {"roll", "stop"} <= legal(state)
    assert units(state) == {
        "o2": "3r", "o3": "2o", "r12": "1r", "r13": "4r", "r14": "1r", "o13": "6o",
    }  # fmt: skip


def test_BIN_16c_a_6_and_a_5_give_one() -> None:
    assert moves(play(field(front()), "r4xo2 6-5 o2-o3 2")) == 1


def test_BIN_16c_captured_where_it_retreated_to() -> None:
    """It is tested once, after the advance: o1, o4 and the attackers on o2 shut in o3."""
    state = play(
        field(front("2o", "3r", "o6:2r o1:2r o4:2r").replace("r13:6r", "r13:1r")), "r4xo2 6-2"
    )
    assert "o3" not in units(state)
    assert units(state)["o2"] == "3r"
    assert total(state, "o") == 6
    assert moves(state) == 4


def test_BIN_17a_without_a_6_nothing_moves() -> None:
    before = units(field(front()))
    for dice in ("5-2", "5-4", "2-1", "3-1"):
        state = play(field(front()), f"r4xo2 {dice}")
        assert units(state) == before
        assert (phase(state), moves(state), active(state)) == ("ready", 0, 0)


def test_BIN_17b_another_attempt_or_an_ordinary_roll() -> None:
    state = play(field(front()), "r4xo2 5-2")
    assert legal(state) == {"r4xo2", "roll", "stop"}
    again = play(state.clone(), "r4xo2 6-1")
    assert phase(again) == "retreating"
    assert moves(play(state.clone(), "roll 5-2")) == 3
    assert active(play(state, "stop")) == 1


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_BIN_17c_another_double_ends_the_turn(number: int) -> None:
    state = play(field(front()), f"r4xo2 {number}-{number}")
    assert units(state) == units(field(front()))
    assert (phase(state), active(state)) == ("ready", 1)


def test_BIN_18a_a_double_6_drives_it_two_triangles_away() -> None:
    state = play(field(front()), "r4xo2 6-6")
    assert state.acting == (1,)
    play(state, "o2-o3 2")
    assert units(state)["o2"] == "3r"  # the attackers have taken the first triangle
    assert part(state, "step") == "2"
    assert legal(state) == {"o3-o1", "o3-o4"}
    assert refusal(state, "o3-o2") == "BIN-16a"
    play(state, "o3-o4 2")
    assert units(state) == {"o3": "3r", "o4": "2o", "r13": "6r", "o13": "6o"}


def test_BIN_18a_a_split_target_retreats_part_by_part() -> None:
    state = play(field(front("3o", "4r")), "r4xo2 6-6 o2-o3 1")
    assert units(state)["o3"] == "1o"
    assert units(state)["o6"] == "2o"
    assert legal(state) == {"o3-o1", "o3-o4"}  # the top part first
    assert refusal(state, "o6-o5") == "BIN-16a"
    play(state, "o3-o4")
    assert legal(state) == {"o6-o5", "o6-o7"}
    play(state, "o6-o5 1")  # it splits again
    assert units(state)["o5"] == "1o"
    assert units(state)["o7"] == "1o"
    # Red decides which of the two vacated triangles its attackers take.
    assert state.acting == (0,)
    assert legal(state) == {"o2-o3", "o2-o6"}
    assert refusal(state, "o2-r4") == "BIN-18a"
    play(state, "o2-o6")
    assert units(state)["o6"] == "4r"
    assert {"o2", "o3"}.isdisjoint(units(state))
    assert active(state) == 1


def test_BIN_18a_captured_after_the_second_retreat() -> None:
    piles = front("2o", "3r", "o6:2r o1:2r o8:2g y2:2g").replace("r13:6r", "r13:1r")
    state = field(piles, colours="rog")
    play(state, "r4xo2 6-6")
    assert "o4" not in units(state)  # o3, o8 and y2 shut it in
    assert total(state, "o") == 6


def test_BIN_18b_no_moves_and_the_turn_ends() -> None:
    state = play(field(front()), "r4xo2 6-6 o2-o3 2 o3-o4 2")
    assert (phase(state), moves(state), active(state)) == ("ready", 0, 1)


def test_BIN_18b_an_ordinary_double_6_is_a_double() -> None:
    state = play(field(front()), "roll 6-6")
    assert (phase(state), active(state)) == ("ready", 1)
    assert units(state) == units(field(front()))


def test_BIN_19_with_their_own_on_the_first_triangle_they_go_on() -> None:
    state = play(field(front("2o", "3r", "o3:3o").replace("o13:6o", "o13:4o")), "r4xo2 6-6 o2-o3 2")
    assert units(state)["o3"] == "5o"  # taller than the three attackers
    assert state.acting == (1,)
    assert legal(state) == {"o3-o1", "o3-o4"}
    play(state, "o3-o4 5")
    assert units(state) == {"o3": "3r", "o4": "5o", "r13": "6r", "o13": "4o"}


def test_BIN_19_the_merged_pile_may_split() -> None:
    state = play(field(front("2o", "3r", "o3:3o")), "r4xo2 6-6 o2-o3 2 o3-o4 1")
    assert units(state)["o4"] == "1o"
    assert units(state)["o1"] == "4o"


def test_BIN_19_the_merged_pile_is_lost_whole() -> None:
    piles = front("2o", "3r", "o3:3o o6:2r o1:2r o4:2r").replace("r13:6r", "r13:1r")
    state = play(field(piles), "r4xo2 6-6")
    assert total(state, "o") == 6
    assert units(state)["o3"] == "3r"


def test_BIN_20_nowhere_to_go() -> None:
    state = play(field(front("1o", "2r", "o3:2r o6:2r").replace("r13:6r", "r13:1r")), "r4xo2 6-2")
    assert total(state, "o") == 6
    assert units(state)["o2"] == "2r"
    assert (phase(state), moves(state)) == ("moving", 4)


def test_BIN_20_nowhere_to_go_at_a_double_6() -> None:
    """They are lost at the first step, so the attackers stay on the first triangle."""
    state = play(field(front("1o", "2r", "o3:2r o6:2r").replace("r13:6r", "r13:1r")), "r4xo2 6-6")
    assert total(state, "o") == 6
    assert units(state)["o2"] == "2r"
    assert active(state) == 1


def test_BIN_20_nowhere_to_go_at_the_second_step() -> None:
    piles = front("2o", "3r", "o1:2r o4:2r").replace("r13:6r", "r13:1r")
    state = play(field(piles), "r4xo2 6-6 o2-o3 2")
    assert total(state, "o") == 6
    assert units(state)["o3"] == "3r"  # its triangle counts as vacated
    assert "o2" not in units(state)


def test_BIN_20_one_part_is_lost_and_the_other_is_not() -> None:
    piles = front("2o", "3r", "o1:2r o4:2r").replace("r13:6r", "r13:1r")
    state = play(field(piles), "r4xo2 6-6 o2-o3 1")
    assert total(state, "o") == 7
    assert legal(state) == {"o6-o5", "o6-o7"}
    play(state, "o6-o5")
    assert legal(state) == {"o2-o3", "o2-o6"}
    play(state, "o2-o3")
    assert units(state)["o3"] == "3r"


def test_BIN_20_lost_units_can_be_an_armys_last() -> None:
    piles = "r4:2r o2:1o o3:2r o6:2r o13:3o"
    state = play(field(piles), "r4xo2 6-2")
    assert winners(state) == "0"


def test_BIN_20_a_lone_unit_that_was_covered_is_lost_with_the_pile() -> None:
    """The target covers a lone red unit on o3, and cannot go on from there."""
    piles = front("2o", "3r", "o3:1r o6:2r o1:2r o4:2r").replace("r13:6r", "r13:1r")
    state = play(field(piles), "r4xo2 6-6")
    assert (total(state, "r"), total(state, "o")) == (10, 6)
    assert units(state)["o3"] == "3r"


def test_BIN_20_when_the_army_falls_between_the_steps_its_other_part_is_gone() -> None:
    piles = "r4:3r r13:1r o1:2r o4:2r o2:2o o13:2o g13:4g"
    state = play(field(piles, colours="rog"), "r4xo2 6-6 o2-o3 1")
    assert total(state, "o") == 0
    assert legal(state) == {"o2-o3", "o2-o6"}
    # Where it had covered a lone unit, that triangle is not empty.
    piles = piles.replace("g13:4g", "g13:4g o6:1g")
    state = play(field(piles, colours="rog"), "r4xo2 6-6 o2-o3 1")
    assert units(state)["o6"] == "1g"
    assert units(state)["o3"] == "3r"
    assert active(state) == 2
