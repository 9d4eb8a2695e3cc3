"""BIN-03 to BIN-09: rolling and moving."""

from __future__ import annotations

import pytest

from tests.games.binfa.helpers import (
    FIELD,
    active,
    field,
    legal,
    moves,
    odds,
    phase,
    play,
    refusal,
    side,
    units,
)
from tianxia.kernel.errors import ParseError

pytestmark = pytest.mark.rules

FAR = "r5:6r y13:6o"
"""Two armies that do not meet."""
DICE = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@pytest.mark.parametrize(("high", "low"), DICE)
def test_BIN_03_the_difference_of_the_dice(high: int, low: int) -> None:
    state = play(field(FAR), f"roll {high}-{low}")
    assert moves(state) == high - low
    if high > low:
        assert (phase(state), active(state)) == ("moving", 0)
    else:
        assert (phase(state), active(state)) == ("ready", 1)


def test_BIN_03_examples() -> None:
    assert moves(play(field(FAR), "roll 6-1")) == 5
    state = play(field(FAR), "roll 4-4")
    assert moves(state) == 0
    assert units(state) == {"r5": "6r", "y13": "6o"}


def test_BIN_03_two_ordinary_dice() -> None:
    found = odds(play(field(FAR), "roll"))
    assert sum(found.values()) == 36
    assert [found[f"{n}-{n}"] for n in range(1, 7)] == [1] * 6


def test_BIN_04a_all_or_part_of_one_pile() -> None:
    state = play(field(FAR), "roll 6-1 r5-r6")
    assert legal(state) == {"1", "2", "3", "4", "5", "6"}
    assert refusal(state, "7") == "BIN-04a"
    play(state, "2")
    assert units(state) == {"r5": "4r", "r6": "2r", "y13": "6o"}
    play(state, "r5-r11 4")
    assert units(state) == {"r6": "2r", "r11": "4r", "y13": "6o"}
    play(state, "r6-r5 1 r6-r7")  # a single unit: no count is asked
    assert units(state) == {"r5": "1r", "r7": "1r", "r11": "4r", "y13": "6o"}


def test_BIN_04a_only_piles_of_ones_own() -> None:
    state = play(field(FAR), "roll 6-1")
    assert refusal(state, "y13-y12") == "BIN-04a"
    assert refusal(state, "r6-r7") == "BIN-04a"


def test_BIN_04a_the_upper_part_moves_in_its_order() -> None:
    state = play(field("r5:1r1o2r r13:3r y13:6o"), "roll 6-1 r5-r6 3")
    assert units(state)["r5"] == "1r"
    assert units(state)["r6"] == "1o2r"


def test_BIN_04b_no_move_across_a_corner() -> None:
    state = play(field(FAR), "roll 6-1")
    # r12, r7 and p8 touch r5 in a corner only.
    assert legal(state) == {"r5-p9", "r5-r6", "r5-r11"}
    for corner in ("r12", "r7", "p8"):
        with pytest.raises(ParseError):
            state.parse(f"r5-{corner}")


def test_BIN_04b_a_border_triangle_has_two_sides() -> None:
    border = [name for name, near in FIELD.items() if len(near) == 2]
    assert len(border) == 24
    state = play(field("r12:6r y13:6o"), "roll 6-1")
    assert legal(state) == {"r12-r11", "r12-r13"}
    assert side(state, "displacement", "r12", 2) == "BIN-04b"


@pytest.mark.parametrize("height", [1, 5, 12])
def test_BIN_04c_one_move_whatever_the_height(height: int) -> None:
    state = play(field("r5:12r y13:6o"), f"roll 3-1 r5-r6 {height}")
    assert moves(state) == 1


def test_BIN_05a_exactly_the_rolled_number() -> None:
    state = play(field("r5:6r y13:6o"), "roll 6-1")
    for left in (5, 4, 3, 2, 1):
        assert (phase(state), moves(state)) == ("moving", left)
        for other in ("stop", "roll"):
            assert refusal(state, other) == "BIN-05a"
        play(state, "r5-r6 6" if left % 2 else "r6-r5 6")
    assert (phase(state), active(state)) == ("ready", 0)
    assert refusal(state, "r6-r5") == "BIN-03"


def test_BIN_05a_without_a_legal_move_the_roll_is_lost() -> None:
    state = play(field("r12:4r2o y13:6o"), "roll 6-1")
    assert (phase(state), active(state), moves(state)) == ("ready", 0, 0)
    assert units(state) == {"r12": "4r2o", "y13": "6o"}


def test_BIN_05a_what_cannot_be_moved_any_more_is_lost() -> None:
    """Red's only unit on top steps off an orange pile and is shut in at once."""
    state = field("r12:2o1r r13:3r2o r5:2o r10:2o y13:4o")
    play(state, "roll 6-1 r12-r11 1")
    assert units(state)["r12"] == "2o"
    assert units(state)["r11"] == "1r"
    assert (phase(state), active(state), moves(state)) == ("ready", 0, 0)


def test_BIN_05b_moves_can_be_wasted() -> None:
    state = play(field(FAR), "roll 5-1 r5-r6 1 r6-r5 r5-r6 1 r6-r5")
    assert units(state) == {"r5": "6r", "y13": "6o"}
    assert (phase(state), active(state)) == ("ready", 0)


def test_BIN_05c_moves_can_be_spread_over_piles() -> None:
    state = play(field("r5:4r r13:4r y13:6o"), "roll 4-1 r5-r6 4 r13-r14 2 r13-r12 2")
    assert units(state) == {"r6": "4r", "r12": "2r", "r14": "2r", "y13": "6o"}


@pytest.mark.parametrize("pile", ["2o", "5o", "1r1o", "3r1o"])
def test_BIN_06_two_of_another_colour_bar_the_way(pile: str) -> None:
    state = play(field(f"r5:6r r6:{pile} y13:6o"), "roll 6-1")
    assert refusal(state, "r5-r6") == "BIN-06"
    assert legal(state) == {"r5-p9", "r5-r11"}


def test_BIN_06_ones_own_colour_does_not() -> None:
    state = play(field("r5:6r r6:3o1r y13:6o"), "roll 6-1 r5-r6 6")
    assert units(state)["r6"] == "3o7r"


@pytest.mark.parametrize("count", [1, 2, 6])
def test_BIN_07a_a_lone_unit_can_be_covered(count: int) -> None:
    state = play(field("r5:6r r6:1o y13:6o"), f"roll 6-1 r5-r6 {count}")
    assert units(state)["r6"] == f"1o{count}r"


def test_BIN_07b_the_covered_unit_goes_with_the_pile() -> None:
    state = play(field("r5:6r r6:1o y13:6o"), "roll 6-1 r5-r6 2 r6-r7 3")
    assert units(state) == {"r5": "4r", "r7": "1o2r", "y13": "6o"}


def test_BIN_07b_the_covered_unit_counts_for_the_height() -> None:
    mixed = field("r6:1o2r r13:4r r7:2o y13:6o")
    assert refusal(mixed, "r6xr7") is None
    plain = field("r6:2r r13:4r r7:2o y13:6o")
    assert refusal(plain, "r6xr7") == "BIN-14a"
    target = field("r6:3r r13:4r r7:1r2o y13:6o")
    assert refusal(target, "r6xr7") == "BIN-14a"


def test_BIN_07b_left_behind_it_is_its_owners_again() -> None:
    state = play(field("r6:1o1r r5:5r y13:6o"), "roll 2-1 r6-r7 1")
    assert units(state)["r6"] == "1o"
    play(state, "stop roll 2-1 r6-r2")
    assert units(state)["r2"] == "1o"


def test_BIN_07c_the_top_unit_gives_the_pile_its_colour() -> None:
    piles = "r6:3o1r r5:5r y13:6o"
    state = play(field(piles), "roll 2-1 r6-r7 4")
    assert units(state)["r7"] == "3o1r"
    state = play(field(piles, active=1), "roll 2-1")
    assert refusal(state, "r6-r7") == "BIN-04a"
    state = play(field("r6:3o1r r5:5r r7:6o", active=1), "roll 2-1")
    assert refusal(state, "r7-r6") == "BIN-06"


def test_BIN_07c_more_units_go_on_top() -> None:
    state = play(field("r6:1r r5:5r r7:6o", active=1), "roll 3-1 r7-r6 1 r7-r6 3")
    assert units(state)["r6"] == "1r4o"


def test_BIN_08a_roll_and_move_again() -> None:
    state = field(FAR)
    for _ in range(5):
        play(state, "roll 3-1 r5-r6 6 r6-r5 6")
        assert (phase(state), active(state)) == ("ready", 0)
        assert {"roll", "stop"} <= legal(state)


def test_BIN_08b_a_double_ends_the_turn() -> None:
    for number in range(1, 7):
        state = play(field(FAR), f"roll 2-1 r5-r6 6 roll {number}-{number}")
        assert (phase(state), active(state)) == ("ready", 1)
        assert units(state) == {"r6": "6r", "y13": "6o"}


def test_BIN_09_stop_after_any_roll() -> None:
    state = play(field(FAR), "roll 2-1 r5-r6 6 stop")
    assert (phase(state), active(state)) == ("ready", 1)
    state = play(field(FAR), "roll 2-1 r5-r6 6 roll 2-1 r6-r5 6 stop")
    assert active(state) == 1


def test_BIN_09_at_least_one_roll() -> None:
    state = field(FAR)
    assert "stop" not in legal(state)
    assert refusal(state, "stop") == "BIN-09"
    play(state, "roll 2-1 r5-r6 6 stop")
    assert refusal(state, "stop") == "BIN-09"  # the next player has not rolled yet


def test_BIN_09_an_army_that_is_wholly_covered_rolls_too() -> None:
    state = field("r12:4r2o y13:6o")
    assert legal(state) == {"roll"}
    play(state, "roll 6-1")
    assert legal(state) == {"roll", "stop"}


def test_BIN_09_not_between_the_moves_of_a_roll() -> None:
    state = play(field(FAR), "roll 3-1 r5-r6 6")
    assert refusal(state, "stop") == "BIN-05a"
