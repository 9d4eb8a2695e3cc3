"""FBL-38 to FBL-44: fee, hand limit, rows, the General (example 8)."""

from __future__ import annotations

import pytest

from tests.games.firebulls.helpers import (
    attacks,
    by_chance,
    hand,
    legal,
    part,
    phase,
    play,
    refusal,
    rows,
    table,
    victory,
)

pytestmark = pytest.mark.rules

SOLDIERS = "Sb,Sy,Sn/Sr,Sg,Sb/Sy,Sn,Sr"


def test_FBL_38_one_earlier_card_for_each_warrior() -> None:
    state = table("w2", "-", rows="Wb,X,X/X,X,X/X,X,X", victory=("Sr1X1F1", "-"))
    play(state, "2:ww", "stop")
    assert legal(state) == {"fee:Sr", "fee:X", "fee:F"}
    assert refusal(state, "fee:Wb") == "FBL-38"  # won in this turn: safe
    play(state, "fee:F", "fee:Sr")
    assert victory(state, 0) == "Wb1X1"
    assert part(state, 9) == "Sr1F1"
    assert phase(state) == "slide"


def test_FBL_38_with_fewer_cards_all_of_them_and_with_none_nothing() -> None:
    state = table("w2", "-", rows="Wb,X,X/X,X,X/X,X,X", victory=("C1", "-"))
    play(state, "2:ww", "stop", "fee:C")
    assert phase(state) == "slide"
    assert victory(state, 0) == "Wb1"
    state = play(table("w2", "-", rows="Wb,X,X/X,X,X/X,X,X"), "2:ww", "stop")
    assert phase(state) == "slide"
    assert victory(state, 0) == "Wb1"


def test_FBL_38_a_card_of_the_same_kind_won_earlier_can_be_given() -> None:
    state = table("w1", "-", rows="Sb,X,X/X,X,X/X,X,X", victory=("Sb1", "-"))
    play(state, "2:w", "stop")
    assert legal(state) == {"fee:Sb"}
    play(state, "fee:Sb")
    assert victory(state, 0) == "Sb1"


def test_FBL_38_the_fee_comes_after_the_bonus_cards_and_before_the_hand_limit() -> None:
    state = table("b5w3", "-", rows="Sb,Sb,X/X,X,X/X,X,X", victory=("F2", "-"))
    play(state, "2:b", "2:w", "stop")
    assert phase(state) == "draw"
    play(state, "card:r")
    assert phase(state) == "fee"


def test_FBL_39_cards_above_eight_go_to_the_reserve() -> None:
    state = play(table("b5y3", "-"), "draw", "card:r", "stay")
    assert phase(state) == "limit"
    assert legal(state) == {"drop:b", "drop:y", "drop:r"}
    assert refusal(state, "drop:g") == "FBL-39"
    play(state, "drop:y")
    assert hand(state, 0) == "b5y2r1"
    assert part(state, 12) == "b1y2n1"
    assert state.acting == (1,)
    assert "take:y" in legal(state)
    play(state, "take:y", "card:r")
    assert hand(state, 1) == "y1"


def test_FBL_39_eight_cards_can_be_kept() -> None:
    state = play(table("b5y2", "-"), "draw", "card:r", "stay")
    assert state.acting == (1,)


def test_FBL_40_rows_slide_and_are_refilled_from_their_own_pile() -> None:
    state = table("b1y1", "-", rows=SOLDIERS)
    before = part(state, 6)
    play(state, "2:b", "2:y", "stop", "card:g", "slide")
    assert rows(state) == "Sn,-,-/Sr,Sg,Sb/Sy,Sn,Sr"
    play(state, "reveal:X", "reveal:B")
    assert rows(state) == "Sn,X,B/Sr,Sg,Sb/Sy,Sn,Sr"
    assert (before, part(state, 6)) == ("15/15/15", "13/15/15")
    assert state.acting == (1,)


def test_FBL_41_no_refill_from_an_empty_pile() -> None:
    state = table("b1", "-", rows=SOLDIERS, unseen="X3G1", piles=(0, 2, 2))
    play(state, "2:b", "stop", "slide")
    assert rows(state) == "Sy,Sn,-/Sr,Sg,Sb/Sy,Sn,Sr"
    assert state.acting == (1,)


def test_FBL_41_a_small_pile_fills_the_places_nearest_the_pawns() -> None:
    state = table("b1y1", "-", rows=SOLDIERS, unseen="X4G1", piles=(1, 2, 2))
    play(state, "2:b", "2:y", "stop", "card:g", "slide", "reveal:X")
    assert rows(state) == "Sn,X,-/Sr,Sg,Sb/Sy,Sn,Sr"
    assert state.acting == (1,)


def test_FBL_42_an_empty_row_is_rebuilt_from_the_pawns_on() -> None:
    state = table("b1y1n1", "-", rows=SOLDIERS)
    play(state, "2:b", "2:y", "2:n", "card:g", "card:g")
    assert rows(state) == "-,-,-/Sr,Sg,Sb/Sy,Sn,Sr"
    for turned, expected in (("X", "X,-,-"), ("B", "X,B,-"), ("F", "X,B,F")):
        play(state, f"reveal:{turned}")
        assert rows(state).split("/")[0] == expected


def test_FBL_43_example_8() -> None:
    """G, E, C are taken along direction 1: all rows slide and each gets one card."""
    state = table("b1g1r1", "-", rows=SOLDIERS, pawns="14")
    play(state, "1:b", "1:g", "1:r", "card:b", "card:b")
    assert rows(state) == "-,Sy,Sn/Sr,-,Sb/Sy,Sn,-"
    play(state, "slide")
    assert rows(state) == "Sy,Sn,-/Sr,Sb,-/Sy,Sn,-"
    play(state, "reveal:X", "reveal:B", "reveal:F")
    assert rows(state) == "Sy,Sn,X/Sr,Sb,B/Sy,Sn,F"
    assert part(state, 6) == "14/14/14"


def test_FBL_44_the_general_is_set_aside_and_replaced() -> None:
    state = play(table("b1", "-", rows=SOLDIERS), "2:b", "stop", "slide", "reveal:G")
    assert part(state, 7) == "aside"
    assert rows(state).startswith("Sy,Sn,-")
    play(state, "reveal:X")
    assert rows(state).startswith("Sy,Sn,X")
    assert part(state, 6) == "13/15/15"
    assert state.acting == (1,)


def test_FBL_44_the_last_card_of_a_pile_is_not_replaced() -> None:
    state = table("b1", "-", rows=SOLDIERS, unseen="X3G1", piles=(1, 2, 1))
    play(state, "2:b", "stop", "slide", "reveal:G")
    assert rows(state).startswith("Sy,Sn,-")
    assert state.acting == (1,)


@pytest.mark.parametrize("pawn", "12345")
def test_FBL_44_the_general_is_attacked_from_anywhere_and_alone(pawn: str) -> None:
    other = "2" if pawn == "1" else "1"
    state = table("b7y1", "-", rows=SOLDIERS, general="aside", pawns=pawn + other)
    assert attacks(state, "G") == {"bbbbbbb"}
    play(state, "G:bbbbbbb")
    assert victory(state, 0) == "G1"
    assert state.acting == (1,)  # no second card, no bonus
    assert hand(state, 0) == "y1"
    assert refusal(state, "G:bbbbbbb") == "FBL-44"


def test_FBL_44_a_line_attack_does_not_go_on_to_the_general() -> None:
    state = play(table("b8", "-", rows=SOLDIERS, general="aside"), "2:b")
    assert refusal(state, "G:bbbbbbb") == "FBL-44"
    assert refusal(table("b7", "-"), "G:bbbbbbb") == "FBL-44"  # still in a pile


def test_FBL_44_the_general_can_be_set_aside_during_the_set_up() -> None:
    import tianxia

    state = play(tianxia.game("firebulls").new(), "place:1", "place:2", "reveal:X", "reveal:G")
    assert part(state, 7) == "aside"
    assert part(state, 6) == "16/18/18"
    play(state, *["reveal:X"] * 8)
    assert rows(state) == "X,X,X/X,X,X/X,X,X"
    assert part(state, 6) == "14/15/15"
    assert by_chance(state).acting
