"""BIN-10a to BIN-13: encirclement, elimination, the end."""

from __future__ import annotations

import pytest

from tests.games.binfa.helpers import (
    FIELD,
    active,
    field,
    part,
    phase,
    play,
    refusal,
    total,
    units,
    winners,
)

pytestmark = pytest.mark.rules

POCKET = "r2:2r r4:2r p1:2r y13:6o"
"""Red holds two sides of r3, and comes to the third one, r1, in one move."""
CLOSE = "roll 2-1 p1-r1 2"


def test_BIN_10a_encircled_units_leave_the_game_for_good() -> None:
    state = play(field(f"r3:2o {POCKET}"), CLOSE)
    assert units(state) == {"r1": "2r", "r2": "2r", "r4": "2r", "y13": "6o"}
    assert total(state, "o") == 6


def test_BIN_10a_after_every_single_move() -> None:
    """The ring closes with the first of two moves, and is opened by the second."""
    state = play(field(f"r3:2o {POCKET}"), "roll 3-1 p1-r1 2")
    assert "r3" not in units(state)
    play(state, "r1-r3 2")
    assert units(state)["r3"] == "2r"


def test_BIN_10a_a_pile_that_steps_into_a_gap() -> None:
    """Red walks off an orange pile into the pocket that this pile closes behind it."""
    state = field("r4:2o2r r1:2o r2:2o r13:6r y13:4o")
    play(state, "roll 3-1 r4-r3 2")
    assert "r3" not in units(state)
    assert total(state, "r") == 6
    assert (phase(state), active(state)) == ("moving", 0)  # red lives, and goes on


def test_BIN_10a_a_part_of_a_pile_in_a_gap() -> None:
    """What stays behind keeps the side open."""
    state = field("r4:4r r1:2o r2:2o r13:6r y13:4o")
    play(state, "roll 2-1 r4-r3 2")
    assert units(state)["r3"] == "2r"


def test_BIN_10a_a_mixed_pile_is_captured_whole() -> None:
    state = play(field(f"r3:1r2o {POCKET}"), CLOSE)
    assert "r3" not in units(state)
    assert (total(state, "r"), total(state, "o")) == (6, 6)


def test_BIN_10a_piles_of_other_colours_are_taken_first() -> None:
    """Red on r3 and orange on r4 are both surrounded; without orange red is free."""
    state = field("r3:2r r1:2o r2:2o r4:2o2r o2:2r r13:4r y13:4o")
    play(state, "roll 2-1 r4-r8 2")
    assert "r4" not in units(state)
    assert units(state)["r3"] == "2r"
    assert (total(state, "r"), total(state, "o")) == (10, 8)


def test_BIN_10a_several_piles_at_once() -> None:
    """r1 is the last side of p1 and of r3 alike."""
    field_ = "r3:2o r2:2r r4:2r p1:2o b1:2r p3:2r o1:2r r13:1r y13:6o"
    state = play(field(field_), "roll 2-1 o1-r1 2")
    assert {"r3", "p1"}.isdisjoint(units(state))
    assert total(state, "o") == 6


@pytest.mark.parametrize(
    ("piles", "last", "captured"),
    [
        ("r1:2y p1:2o o1:2r r3:2r b1:2r p2:2r", "p2-p3", {"r1", "p1"}),
        ("r1:2y o1:2o p1:2r r3:2r y1:2r o2:2r", "o2-o3", {"r1", "o1"}),
    ],
)
def test_BIN_10a_two_that_shut_each_other_in_fall_together(
    piles: str, last: str, captured: set[str]
) -> None:
    """Yellow and orange are each a side of the other's pocket: they are taken all at once."""
    state = play(field(f"{piles} y13:4y b13:4o", colours="roy"), f"roll 2-1 {last} 2")
    assert captured.isdisjoint(units(state))
    assert (total(state, "o"), total(state, "y")) == (4, 4)


def test_BIN_10a_a_pile_surrounded_since_the_set_up_falls_at_the_first_move() -> None:
    piles = "r3:2r r1:2o r2:2o r4:2o r13:6r y13:4o"
    state = play(field(piles), "roll 4-4")
    assert units(state)["r3"] == "2r"
    state = play(field(piles), "roll 2-1 r13-r12 1")
    assert "r3" not in units(state)
    state = play(field(piles, active=1), "roll 2-1 y13-y12 1")
    assert "r3" not in units(state)


@pytest.mark.parametrize("centre", [name for name, near in FIELD.items() if len(near) == 3])
def test_BIN_10b_inside_all_three_sides_are_needed(centre: str) -> None:
    for last in FIELD[centre]:
        origin = min(FIELD[last] - {centre})
        others = FIELD[centre] - {last}
        ring = " ".join(f"{name}:2r" for name in others)
        tail = "y13:4o" if centre[0] in "rbg" else "b13:4o"
        state = field(f"{centre}:3o {origin}:2r {ring} {tail}")
        way = f"roll 2-1 {origin}-{last} 2"
        play(state, way)
        assert centre not in units(state)
        assert total(state, "o") == 4
        kept = " ".join(f"{name}:2r" for name in sorted(others)[:1])
        fill = "r13:2r" if centre[0] in "ygb" else "g13:2r"
        state = play(field(f"{centre}:3o {origin}:2r {kept} {tail} {fill}"), way)
        assert units(state)[centre] == "3o"


@pytest.mark.parametrize("centre", [name for name, near in FIELD.items() if len(near) == 2])
def test_BIN_10b_at_the_border_two_sides_suffice(centre: str) -> None:
    for last in FIELD[centre]:
        origin = min(FIELD[last] - {centre})
        (other,) = FIELD[centre] - {last}
        tail = "y13:4o" if centre[0] in "rbg" else "b13:4o"
        state = field(f"{centre}:3o {origin}:2r {other}:2r {tail}")
        play(state, f"roll 2-1 {origin}-{last} 2")
        assert centre not in units(state)
        assert total(state, "o") == 4


@pytest.mark.parametrize("size", [2, 7, 8])
def test_BIN_11a_a_pile_of_any_height(size: int) -> None:
    state = field(f"r3:{size}o r2:2r r4:2r p1:2r y13:4o")
    play(state, CLOSE)
    assert "r3" not in units(state)
    assert total(state, "o") == 4


def test_BIN_11a_a_pile_of_twelve() -> None:
    state = play(field("r3:12o r2:2r r4:2r p1:2r"), CLOSE)
    assert winners(state) == "0"


def test_BIN_11a_more_than_twelve() -> None:
    state = play(field("r3:2r12o r2:2r r4:2r p1:2r"), CLOSE)
    assert winners(state) == "0"
    assert total(state, "r") == 6


def test_BIN_11a_the_sides_may_have_different_colours() -> None:
    state = field("r3:3o r2:2y r4:2r p1:2r y13:6y g13:4o", colours="roy")
    play(state, CLOSE)
    assert "r3" not in units(state)
    assert total(state, "y") == 8


def test_BIN_11a_a_lone_unit_is_not_captured() -> None:
    state = play(field(f"r3:1o {POCKET}"), CLOSE)
    assert units(state)["r3"] == "1o"


def test_BIN_11b_one_enemy_unit_does_not_encircle() -> None:
    state = play(field("r3:2o r2:2r r4:1r p1:2r y13:6o"), CLOSE)
    assert units(state)["r3"] == "2o"
    state = play(field("r3:2o r2:2r r4:2r p1:2r y13:6o"), "roll 2-1 p1-r1 1")
    assert units(state)["r3"] == "2o"


def test_BIN_11b_a_covered_unit_makes_two() -> None:
    """A pile of two, one red over one orange, is a red pile of two."""
    state = play(field("r3:2o r2:1o1r r4:2r p1:2r y13:6o"), CLOSE)
    assert "r3" not in units(state)


@pytest.mark.parametrize("pile", ["1o", "2o", "3r1o"])
def test_BIN_11c_own_colour_beside_it_keeps_it_free(pile: str) -> None:
    state = play(field(f"r3:2o r2:2r r4:{pile} p1:2r r13:3r y13:4o"), CLOSE)
    assert units(state)["r3"] == "2o"


def test_BIN_11c_an_empty_side_keeps_it_free() -> None:
    state = play(field("r3:2o r2:2r p1:2r r13:2r y13:4o"), CLOSE)
    assert units(state)["r3"] == "2o"


def test_BIN_12_three_units_left_are_too_few() -> None:
    state = field("r3:2o r2:2r r4:2r p1:2r y13:3o g13:4g", colours="rog")
    play(state, CLOSE)
    assert total(state, "o") == 0
    assert units(state) == {"r1": "2r", "r2": "2r", "r4": "2r", "g13": "4g"}
    play(state, "stop")
    assert active(state) == 2  # orange is passed over


def test_BIN_12_four_units_live() -> None:
    state = field("r3:2o r2:2r r4:2r p1:2r y13:4o g13:4g", colours="rog")
    play(state, CLOSE)
    assert units(state)["y13"] == "4o"
    play(state, "stop")
    assert active(state) == 1


def test_BIN_12_covered_units_count() -> None:
    state = field("r3:2o r2:2r r4:2r p1:2r y13:3o r13:1o2r g13:4g", colours="rog")
    play(state, CLOSE)
    assert total(state, "o") == 4
    assert units(state)["r13"] == "1o2r"


def test_BIN_12_a_fallen_army_is_pulled_out_of_every_pile() -> None:
    state = field("r3:2o r2:2r r4:2r p1:2r y13:1o r13:1o2r g13:3g1o g3:1g", colours="rog")
    play(state, CLOSE)
    assert units(state) == {
        "r1": "2r", "r2": "2r", "r4": "2r", "r13": "2r", "g13": "3g", "g3": "1g",
    }  # fmt: skip


def test_BIN_12_what_comes_to_light_is_tested_too() -> None:
    """Orange on r12 and r13 falls; the two green units under it are now shut in by red."""
    pockets = "r3:2o r2:2r r4:2r p1:2r r11:2r r12:2g1o r13:2r1o"
    state = field(f"{pockets} y13:1o g13:4g", colours="rog")
    play(state, CLOSE)
    assert total(state, "o") == 0
    assert units(state)["r13"] == "2r"
    assert "r12" not in units(state)
    assert total(state, "g") == 4


def test_BIN_12_the_active_army_falls_and_its_turn_ends() -> None:
    state = field("r4:2o2r r1:2o r2:2o r13:3r y13:4o g13:4g", colours="rog")
    play(state, "roll 6-1 r4-r3 2")
    assert total(state, "r") == 0
    assert (phase(state), active(state)) == ("ready", 1)


def test_BIN_13_the_last_player_with_units_wins_at_once() -> None:
    state = play(field("r3:2o r2:2r r4:2r p1:2r y13:3o"), "roll 6-1 p1-r1 2")
    assert state.over
    assert winners(state) == "0"
    assert part(state, "reason") == "BIN-13"
    assert state.utilities() == [1, -1]
    assert units(state) == {"r1": "2r", "r2": "2r", "r4": "2r"}
    assert state.legal_actions(0) == []


def test_BIN_13_the_active_player_can_lose_so() -> None:
    state = play(field("r4:2o2r r1:2o r2:2o r13:3r y13:4o"), "roll 6-1 r4-r3 2")
    assert winners(state) == "1"


def test_BIN_13_three_players() -> None:
    state = field("r3:2o r2:2r r4:2r p1:2r y13:3o g13:4g", colours="rog")
    play(state, CLOSE)
    assert not state.over


def test_BIN_13_all_fall_together_and_share() -> None:
    """Six units in one captured pile were the last but two or three of each army."""
    state = field("r12:2r2y2o r11:2y r7:2r b13:2o", colours="roy")
    play(state, "roll 2-1 r7-r13 2")
    assert winners(state) == "012"
    assert units(state) == {}
    assert state.utilities() == [0, 0, 0]


def test_BIN_13_a_finished_game_refuses_everything() -> None:
    state = play(field("r3:2o r2:2r r4:2r p1:2r y13:3o"), "roll 6-1 p1-r1 2")
    assert refusal(state, "roll", 0) == "BIN-13"


@pytest.mark.parametrize(
    ("piles", "won"),
    [
        ("r5:6r o5:5o y5:5y", "0"),
        ("r5:5r o5:6o y5:5y", "1"),
        ("r5:5r o5:6o y5:6y", "12"),
        ("r5:3r o5:4r5o y5:6y", "0"),
    ],
)
def test_BIN_51_after_the_limit_the_most_units_win(piles: str, won: str) -> None:
    """A statement of ours: an option ends long games. Covered units count."""
    state = field(piles, colours="roy", turns=20, played=18)
    play(state, "roll 4-4")
    assert not state.over
    play(state, "roll 4-4")
    assert winners(state) == won
    assert part(state, "reason") == "BIN-51"


def test_BIN_51_never_by_choice() -> None:
    state = play(field("r5:6r o5:5o", turns=0, played=5000), "roll 4-4")
    assert not state.over
