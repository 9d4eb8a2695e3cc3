"""STR-05 to STR-07 and STR-12 to STR-15: how pieces move."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.stratego.board import moves, play
from tests.games.stratego.helpers import MOVABLE, cells, place, refusal

pytestmark = pytest.mark.rules

FLAGS = "a1=rF j10=bF "


def of(state: tianxia.State, square: str) -> set[str]:
    """List where the piece on a square may go, attacks marked by x."""
    found = (token for token in moves(state) if token.startswith((square + "-", square + "x")))
    return {token.removeprefix(square).removeprefix("-") for token in found}


@pytest.mark.parametrize("rank", MOVABLE.replace("2", ""))
def test_STR_05_a_piece_moves_one_square_forward_backward_or_sideways(rank):
    state = place(FLAGS + f"e4=r{rank}")
    assert of(state, "e4") == {"e5", "e3", "d4", "f4"}
    for end in ("e5", "e3", "d4", "f4"):
        after = play(state.clone(), f"e4-{end}")
        assert cells(after) == {"a1": "rF", "j10": "bF", end: f"r{rank}"}


@pytest.mark.parametrize("rank", MOVABLE.replace("2", ""))
def test_STR_05_a_piece_moves_no_further_than_one_square(rank):
    state = place(FLAGS + f"e4=r{rank}")
    for end in ("e6", "e2", "e10", "c4", "g4", "j4"):
        assert refusal(state, f"e4-{end}") == "STR-05"
        with pytest.raises(tianxia.IllegalAction) as error:
            play(state.clone(), f"e4-{end}")
        assert error.value.statement == "STR-05"


@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_05_no_piece_moves_diagonally(rank):
    state = place(FLAGS + f"e4=r{rank}")
    for end in ("d5", "f5", "d3", "f3", "g6", "b1", "f10"):
        with pytest.raises(tianxia.ParseError):
            state.parse(f"e4-{end}", 0)
    assert all(end[0] == "e" or end[1:] == "4" for end in of(state, "e4"))


def test_STR_05_the_edge_of_the_board_is_the_end():
    state = place("e1=rF e10=bF a1=r5 j1=r6 a10=r7 j10=r8")
    assert of(state, "a1") == {"a2", "b1"}
    assert of(state, "j1") == {"j2", "i1"}
    assert of(state, "a10") == {"a9", "b10"}
    assert of(state, "j10") == {"j9", "i10"}


def test_STR_05_blue_moves_alike():
    state = place(FLAGS + "e7=b5", turn=1)
    assert of(state, "e7") == {"e8", "e6", "d7", "f7"}
    assert refusal(state, "e7-e5") == "STR-05"


@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_06_nobody_enters_a_lake(rank):
    for start, lake in (
        ("c4", "c5"), ("d4", "d5"), ("g4", "g5"), ("h4", "h5"),
        ("c7", "c6"), ("d7", "d6"), ("g7", "g6"), ("h7", "h6"),
        ("b5", "c5"), ("b6", "c6"), ("e5", "d5"), ("e6", "d6"),
        ("f5", "g5"), ("f6", "g6"), ("i5", "h5"), ("i6", "h6"),
    ):  # fmt: skip
        state = place(FLAGS + f"{start}=r{rank}")
        assert lake not in of(state, start)
        assert refusal(state, f"{start}-{lake}") == "STR-06"


def test_STR_06_nobody_crosses_a_lake():
    for start, end in (("c4", "c7"), ("h7", "h4"), ("b5", "e5"), ("f6", "i6")):
        state = place(FLAGS + f"{start}=r2")
        assert end not in of(state, start)
        assert refusal(state, f"{start}-{end}") in {"STR-06", "STR-14"}
        assert refusal(place(FLAGS + f"{start}=r5"), f"{start}-{end}") is not None


def test_STR_07_no_two_pieces_on_one_square():
    state = place(FLAGS + "e4=r5 e5=r6 d4=rB f4=r2 e3=r7")
    assert of(state, "e4") == set()
    for end in ("e5", "d4", "f4", "e3"):
        assert refusal(state, f"e4-{end}") == "STR-07"


def test_STR_07_nobody_jumps_over_a_piece():
    state = place(FLAGS + "e4=r5 e5=r6 e3=b4 f4=b4")
    for end in ("e6", "e2", "g4"):
        assert end not in of(state, "e4")
        assert refusal(state, f"e4-{end}") == "STR-05"


def test_STR_07_a_scout_stops_before_its_own_pieces():
    state = place(FLAGS + "e4=r2 e7=r6 h4=rB")
    assert of(state, "e4") == {"e5", "e6", "e3", "e2", "e1", "f4", "g4", *["d4", "c4", "b4", "a4"]}
    assert refusal(state, "e4-e7") == "STR-07"
    assert refusal(state, "e4-h4") == "STR-07"


@pytest.mark.parametrize(("rank", "seat"), [("B", 0), ("F", 0), ("B", 1), ("F", 1)])
def test_STR_12_bombs_and_the_flag_never_move(rank, seat):
    colour, start = "rb"[seat], ("e3", "e8")[seat]
    flags = ("j10=bF", "a1=rF")[seat]
    own = "" if rank == "F" else ("a1=rF ", "j10=bF ")[seat]
    fill = ("j1=r5", "a10=b5")[seat]
    state = place(f"{own}{flags} {start}={colour}{rank} {fill}", turn=seat)
    assert of(state, start) == set()
    row = int(start[1:])
    for end in (f"e{row + 1}", f"e{row - 1}", f"d{row}", f"f{row}"):
        assert refusal(state, f"{start}-{end}") == "STR-12"


def test_STR_13_a_scout_moves_any_number_of_free_squares_in_a_straight_line():
    state = place(FLAGS + "e4=r2")
    assert of(state, "e4") == {
        *(f"e{row}" for row in range(1, 11) if row != 4),
        *(f"{column}4" for column in "abcdfghij"),
    }
    for end in ("e10", "e1", "a4", "j4", "e5", "h4"):
        assert cells(play(state.clone(), f"e4-{end}"))[end] == "r2"


def test_STR_13_a_blue_scout_too():
    state = place(FLAGS + "b7=b2", turn=1)
    assert of(state, "b7") == {
        *(f"b{row}" for row in range(1, 11) if row != 7),
        *(f"{column}7" for column in "acdefghij"),
    }


def test_STR_14_a_scout_does_not_pass_pieces():
    state = place(FLAGS + "e4=r2 e7=b5 h4=r5")
    assert of(state, "e4") == {
        "e5", "e6", "xe7", "e3", "e2", "e1", "f4", "g4", "d4", "c4", "b4", "a4",
    }  # fmt: skip
    for end in ("e8", "e10", "i4", "j4"):
        assert refusal(state, f"e4-{end}") == "STR-14"
    far = place("a1=rF e10=bF e4=r2 e7=b5")
    assert refusal(far, "e4xe10") == "STR-14"


def test_STR_14_a_scout_does_not_pass_lakes():
    state = place(FLAGS + "b5=r2 c4=r2 h7=b5")
    assert of(state, "b5") == {"a5", *(f"b{row}" for row in range(1, 11) if row != 5)}
    assert refusal(state, "b5-e5") == "STR-14"
    assert refusal(state, "b5-j5") == "STR-14"
    assert of(state, "c4") >= {"c3", "c2", "c1"}
    assert not {"c5", "c6", "c7", "c10"} & of(state, "c4")
    assert refusal(state, "c4-c10") == "STR-14"
    assert refusal(place(FLAGS + "h4=r2 h7=b5"), "h4xh7") == "STR-14"
    assert refusal(place(FLAGS + "b6=r2 e6=b5"), "b6xe6") == "STR-14"


def test_STR_15_a_scout_moves_and_attacks_in_one_turn():
    state = place(FLAGS + "e1=r2 e9=b2 b7=b3")
    assert "xe9" in of(state, "e1")
    after = play(state, "e1xe9")
    assert cells(after) == {"a1": "rF", "j10": "bF", "b7": "b3"}
    assert after.acting == (1,)


@pytest.mark.parametrize("rank", MOVABLE.replace("2", ""))
def test_STR_15_other_pieces_do_not_attack_at_a_distance(rank):
    state = place(FLAGS + f"e4=r{rank} e6=b4 e2=b4 a4=b4 j4=b4")
    assert of(state, "e4") == {"e5", "e3", "d4", "f4"}
    for end in ("e6", "e2", "a4", "j4"):
        assert refusal(state, f"e4x{end}") == "STR-17"
