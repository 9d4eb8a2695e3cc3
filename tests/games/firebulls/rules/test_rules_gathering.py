"""FBL-18 to FBL-23: one action a turn, gathering, steps of the pawn (examples 1 and 2)."""

from __future__ import annotations

import pytest

from tests.games.firebulls.helpers import hand, legal, part, pawns, phase, play, refusal, table

pytestmark = pytest.mark.rules


def test_FBL_18_one_action_then_the_end_of_the_turn() -> None:
    state = play(table("r2", "b1"), "take:b", "card:g")
    assert state.acting == (1,)
    assert phase(state) == "turn"
    state = play(table("r2b1", "b1"), "draw", "card:g")
    assert refusal(state, "draw") == "FBL-18"
    assert refusal(state, "take:b") == "FBL-18"
    assert refusal(state, "2:b") == "FBL-18"
    state = play(table("r2b1", "b1"), "2:b")
    assert refusal(state, "draw") == "FBL-18"


def test_FBL_19_a_card_of_the_reserve_is_replaced_from_the_deck() -> None:
    state = table("-", "-", reserve="b1y2")
    assert {token for token in legal(state) if token.startswith("take")} == {"take:b", "take:y"}
    assert refusal(state, "take:r") == "FBL-19"
    play(state, "take:y")
    assert hand(state, 0) == "y1"
    assert part(state, 12) == "b1y1"
    assert phase(state) == "reserve"
    play(state, "card:w")
    assert part(state, 12) == "b1y1w1"


def test_FBL_20_a_blind_draw_then_perhaps_a_step() -> None:
    for step, where in (("stay", "24"), ("left", "14"), ("right", "34")):
        state = play(table("-", "-"), "draw", "card:r")
        assert hand(state, 0) == "r1"
        assert legal(state) == {"stay", "left", "right"}
        play(state, step)
        assert pawns(state) == where
        assert state.acting == (1,)
    assert refusal(table("-", "-"), "stay") == "FBL-23"


def test_FBL_21_pawns_change_places_example_1() -> None:
    """Yellow on 2 moves right to 3, where Blue stands: Blue is on 2 then."""
    state = table("-", "-", pawns="32", active=1)
    play(state, "draw", "card:r", "right")
    assert pawns(state) == "23"


@pytest.mark.parametrize("step", ["left", "right"])
def test_FBL_21_with_five_players_every_step_is_a_swap(step: str) -> None:
    state = play(table(*["-"] * 5, pawns="32514"), "draw", "card:r", step)
    assert pawns(state) == {"left": "23514", "right": "42513"}[step]


def test_FBL_22_a_diagonal_pawn_moves_to_its_neighbour_only_example_2() -> None:
    """Brown on 5 can go to 4 only, and changes places with Green."""
    state = table(*["-"] * 5, pawns="32514", active=2)
    play(state, "draw", "card:r")
    assert legal(state) == {"stay", "left"}
    assert refusal(state, "right") == "FBL-22"
    play(state, "left")
    assert pawns(state) == "32415"
    state = play(table("-", "-", pawns="14"), "draw", "card:r")
    assert legal(state) == {"stay", "right"}
    assert refusal(state, "left") == "FBL-22"


def test_FBL_23_taking_from_the_reserve_moves_no_pawn() -> None:
    state = play(table("-", "-"), "take:b")
    assert refusal(state, "left", 0) == "FBL-17"
    play(state, "card:r")
    assert pawns(state) == "24"
    assert state.acting == (1,)
    assert refusal(state, "left") == "FBL-23"
