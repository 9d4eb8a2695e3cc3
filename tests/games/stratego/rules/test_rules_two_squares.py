"""STR-08, STR-09, STR-16, STR-38 and STR-39: no endless to-and-fro between two squares."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.stratego.board import moves, play
from tests.games.stratego.helpers import MOVABLE, cells, place, refusal

pytestmark = pytest.mark.rules

FLAGS = "a1=rF j10=bF "


def to_and_fro(one: str, two: str, times: int) -> list[str]:
    return [f"{one}-{two}" if time % 2 == 0 else f"{two}-{one}" for time in range(times)]


def walk(times: int) -> list[str]:
    """Return quiet moves of a blue piece around the squares i8, j8, j9 and i9."""
    corners = ["i8", "j8", "j9", "i9"]
    return [f"{corners[t % 4]}-{corners[(t + 1) % 4]}" for t in range(times)]


def in_turn(*players: list[str]) -> str:
    return " ".join(token for pair in zip(*players, strict=True) for token in pair)


def from_(state: tianxia.State, square: str) -> set[str]:
    found = (token for token in moves(state) if token.startswith((square + "-", square + "x")))
    return {token[len(square) + 1 :] for token in found}


@pytest.mark.parametrize("option", [3, 5])
@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_08_one_more_move_between_the_same_two_squares_is_illegal(rank, option):
    state = place(FLAGS + f"e4=r{rank} d4=r4 i8=b5", two_squares=option)
    mine = to_and_fro("e4", "e5", option + 1)
    for done, (token, answer) in enumerate(zip(mine[:option], walk(option), strict=True)):
        assert token in moves(state), done
        assert refusal(state, token) is None
        play(state, f"{token} {answer}")
    assert mine[option] not in moves(state)
    assert refusal(state, mine[option]) == "STR-08"
    with pytest.raises(tianxia.IllegalAction) as error:
        play(state, mine[option])
    assert error.value.statement == "STR-08"
    # Nothing else is closed to it.
    assert {"e6", "f5"} <= from_(state, "e5")


def test_STR_08_the_rulebook_says_three_unless_the_table_says_five():
    assert tianxia.game("stratego").options["two_squares"] == 3


@pytest.mark.parametrize("seat", [0, 1])
def test_STR_08_it_holds_for_both_sides_and_sideways(seat):
    state = place(FLAGS + "e4=r5 i2=r4 e7=b5 i8=b4", turn=seat)
    mine = to_and_fro("e4", "f4", 4) if seat == 0 else to_and_fro("e7", "f7", 4)
    other = walk(3) if seat == 0 else ["i2-i3", "i3-j3", "j3-j2"]
    play(state, in_turn(mine[:3], other))
    assert refusal(state, mine[3]) == "STR-08"


@pytest.mark.parametrize("option", [3, 5])
def test_STR_08_whatever_the_opponent_does(option):
    """An attack of the opponent in between changes nothing either."""
    state = place(FLAGS + "e4=r5 a4=r9 i8=b5 a5=b6 b4=b6", two_squares=option)
    mine = to_and_fro("e4", "e5", option + 1)
    other = ["a5xa4", "b4-b5", "i8-j8", "j8-j9", "j9-i9"][:option]
    play(state, in_turn(mine[:option], other))
    assert refusal(state, mine[option]) == "STR-08"


def test_STR_08_the_third_move_is_still_legal_and_so_are_three_after_a_pause():
    state = place(FLAGS + "e4=r5 b3=r4 i8=b5")
    one, two = "e4-e5", "e5-e4"
    other = walk(8)
    play(state, in_turn([one, two, one, "b3-b2", two, one, two], other[:7]))
    assert refusal(state, one) == "STR-08"


def test_STR_08_only_moves_without_a_pause_count():
    """The piece came to e4 from elsewhere: the first move between e4 and e5 is the next one."""
    state = place(FLAGS + "d4=r5 i8=b5")
    play(state, in_turn(["d4-e4", "e4-e5", "e5-e4"], walk(3)))
    assert refusal(state, "e4-e5") is None
    play(state, "e4-e5 i9-i8")
    assert refusal(state, "e5-e4") == "STR-08"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("option", [3, 5])
def test_STR_09_who_began_must_stop_first(first, option):
    """A begins: A1 B1 A2 B2 A3 B3, and A must deviate."""
    state = place(FLAGS + "e4=r5 b3=r4 e7=b5 i8=b4", turn=first, two_squares=option)
    lines = [to_and_fro("e4", "f4", option + 1), to_and_fro("e7", "f7", option + 1)]
    a, b = lines[first], lines[1 - first]
    for times in range(option):
        assert a[times] in moves(state)
        play(state, a[times])
        assert b[times] in moves(state)
        play(state, b[times])
    assert refusal(state, a[option]) == "STR-08"
    assert a[option] not in moves(state)
    play(state, ("b3-b2", "i8-i9")[first])
    assert not state.over


def test_STR_09_the_chaser_who_began_must_let_go():
    state = place(FLAGS + "b5=r5 a6=b4")
    play(state, "b5-a5 a6-b6 a5-b5 b6-a6 b5-a5 a6-b6")
    assert refusal(state, "a5-b5") == "STR-08"


def test_STR_09_the_chased_who_began_must_run_elsewhere():
    """The chaser came from elsewhere, so the other's to-and-fro is the older one."""
    state = place(FLAGS + "a4=r5 a6=b4")
    play(state, "a4-a5 a6-b6 a5-b5 b6-a6 b5-a5 a6-b6 a5-b5")
    assert refusal(state, "b6-a6") == "STR-08"
    assert {"b6-b7", "b6xb5"} == moves(state)


@pytest.mark.parametrize("option", [3, 5])
def test_STR_16_squares_that_a_scout_steps_over_count(option):
    state = place(FLAGS + "b2=r2 i8=b5 d1=r4", two_squares=option)
    mine = to_and_fro("b2", "b7", option)
    play(state, in_turn(mine, walk(option)))
    # It stands on b7 and crossed every border down to b2 often enough.
    assert from_(state, "b7") == {"a7", *(f"{c}7" for c in "cdefghij"), "b8", "b9", "b10"}
    for end in ("b5", "b4", "b3", "b2", "b1"):
        assert refusal(state, f"b7-{end}") == "STR-16"
    assert refusal(state, "b7-b6") == "STR-08"


def test_STR_16_borders_count_that_all_three_moves_crossed():
    state = place(FLAGS + "e4=r2 i8=b5")
    play(state, in_turn(["e4-h4", "h4-f4", "f4-j4"], walk(3)))
    # e-h, h-f and f-j have the borders f|g and g|h in common.
    assert {e for e in from_(state, "j4") if e.endswith("4")} == {"i4", "h4"}
    for end in "gfedcba":
        assert refusal(state, f"j4-{end}4") == "STR-16"


def test_STR_16_three_moves_without_a_common_border_close_nothing():
    state = place(FLAGS + "b4=r2 i8=b5")
    play(state, in_turn(["b4-e4", "e4-h4", "h4-f4"], walk(3)))
    assert {e for e in from_(state, "f4") if e.endswith("4")} == {c + "4" for c in "abcdeghij"}


def test_STR_16_beyond_the_old_squares_the_way_is_open():
    state = place(FLAGS + "d4=r2 i8=b5")
    play(state, in_turn(["d4-h4", "h4-d4", "d4-h4"], walk(3)))
    assert {e for e in from_(state, "h4") if e.endswith("4")} == {"i4", "j4"}


def test_STR_16_an_attack_from_afar_counts_as_well():
    state = place(FLAGS + "b2=r2 b7=bS i8=b5")
    play(state, "b2xb7 i8-j8 b7-b3 j8-j9 b3-b6 j9-i9")
    assert refusal(state, "b6-b4") == "STR-16"
    assert refusal(state, "b6-b5") == "STR-08"
    other = place(FLAGS + "b2=r2 i8=b5 c3=b4")
    play(other, "b2-b5 i8-j8 b5-b2 j8-j9 b2-b5 c3-b3")
    assert refusal(other, "b5xb3") == "STR-16"
    assert "b5xb3" not in moves(other)


@pytest.mark.parametrize("row", [4, 7])
def test_STR_38_a_scout_goes_back_to_the_closed_border_and_no_further(row):
    state = place(FLAGS + f"d{row}=r2 i9=b5")
    others = ["i9-i10", "i10-h10", "h10-g10"]
    play(state, in_turn([f"d{row}-h{row}", f"h{row}-b{row}", f"b{row}-j{row}"], others))
    along = {end[0] for end in from_(state, f"j{row}") if end[1:] == str(row)}
    assert along == {"i", "h"}
    for column in "gfedcba":
        assert refusal(state, f"j{row}-{column}{row}") == "STR-16"
    assert refusal(state, f"j{row}-h{row}") is None
    play(state, f"j{row}-h{row}")
    assert cells(state)[f"h{row}"] == "r2"


def test_STR_38_stopping_short_of_the_border_opens_it_again():
    state = place(FLAGS + "d4=r2 i8=b5")
    play(state, in_turn(["d4-h4", "h4-b4", "b4-j4", "j4-h4"], walk(4)))
    # The last three are h-b, b-j and j-h: no border was crossed by all of them.
    assert {"a4", "d4", "e4", "g4", "i4", "j4"} <= from_(state, "h4")


def test_STR_38_upwards_too():
    state = place(FLAGS + "e4=r2 i8=b5")
    play(state, in_turn(["e4-e8", "e8-e2", "e2-e10"], walk(3)))
    assert {e for e in from_(state, "e10") if e[0] == "e"} == {"e9", "e8"}


def test_STR_39_moving_another_piece_clears_it():
    state = place(FLAGS + "e4=r5 b3=r4 i8=b5")
    play(state, in_turn(["e4-e5", "e5-e4", "e4-e5"], walk(3)))
    assert refusal(state, "e5-e4") == "STR-08"
    play(state, in_turn(["b3-b2"], ["i9-i8"]))
    assert refusal(state, "e5-e4") is None
    play(state, in_turn(["e5-e4", "e4-e5", "e5-e4"], walk(3)))
    assert refusal(state, "e4-e5") == "STR-08"


@pytest.mark.parametrize("pause", [1, 2])
def test_STR_39_it_is_cleared_even_before_the_border_was_closed(pause):
    mine = to_and_fro("e4", "e5", 6)
    mine.insert(pause, "b3-b2")
    state = place(FLAGS + "e4=r5 b3=r4 i8=b5")
    play(state, in_turn(mine[: pause + 4], walk(pause + 4)))
    assert refusal(state, mine[pause + 4]) == "STR-08"


def test_STR_39_moving_along_the_other_axis_clears_it():
    state = place(FLAGS + "e4=r5 i8=b5")
    play(state, in_turn(["e4-e5", "e5-e4", "e4-e5", "e5-f5", "f5-e5"], walk(5)))
    assert refusal(state, "e5-e4") is None
    scout = place(FLAGS + "e4=r2 i8=b5")
    play(scout, in_turn(["e4-e6", "e6-e4", "e4-e6", "e6-f6", "f6-e6"], walk(5)))
    assert {"e5", "e4", "e1"} <= from_(scout, "e6")


def test_STR_39_another_piece_may_cross_the_same_border():
    state = place(FLAGS + "d4=r2 a4=r2 i9=b5")
    play(state, in_turn(["d4-h4", "h4-b4", "b4-j4"], ["i9-i10", "i10-h10", "h10-g10"]))
    assert refusal(state, "j4-g4") == "STR-16"
    assert {f"{column}4" for column in "bcdefghi"} <= from_(state, "a4")
    play(state, "a4-i4 g10-f10 i4-a4")


def test_STR_39_an_attack_may_not_be_the_fourth_move():
    state = place(FLAGS + "b4=r7 i8=b5 e4=b2")
    play(state, "b4-b5 i8-j8 b5-b4 j8-j9 b4-b5 e4-b4")
    assert refusal(state, "b5xb4") == "STR-08"
    assert moves(state) == {"b5-a5", "b5-b6"}


def test_STR_39_an_attack_counts_among_the_three():
    first = place(FLAGS + "b4=r7 b5=b2 i8=b5")
    play(first, "b4xb5 i8-j8 b5-b4 j8-j9 b4-b5 j9-i9")
    assert refusal(first, "b5-b4") == "STR-08"
    never = place(FLAGS + "b4=r7 b5=b2 i8=b5")
    play(never, "b4-b3 i8-j8 b3-b4 j8-j9 b4xb5 j9-i9")
    assert refusal(never, "b5-b4") is None
    third = place(FLAGS + "b4=r7 i8=b5 b8=b2")
    play(third, "b4-b5 i8-j8 b5-b4 b8-b5 b4xb5 j8-j9")
    assert refusal(third, "b5-b4") == "STR-08"


def test_STR_39_who_falls_leaves_no_memory():
    """The scout behind crosses the border that the fallen piece had closed for itself."""
    state = place(FLAGS + "b4=r5 b2=r2 b7=b7 i8=b5")
    play(state, "b4-b5 i8-j8 b5-b4 b7-b6 b4-b5 b6xb5")
    assert {"b2-b4", "b2xb5"} <= moves(state)
    state = place(FLAGS + "b4=r5 b3=r2 i8=b5 b6=b7")
    play(state, "b4-b5 i8-j8 b5-b4 b6-b5 b4xb5 j8-j9")
    assert cells(state)["b5"] == "b7"
    assert "b3xb5" in moves(state)
