"""FBL-24 to FBL-37: attacks (examples 3 to 7)."""

from __future__ import annotations

import pytest

from tests.games.firebulls.helpers import (
    attacks,
    hand,
    legal,
    part,
    pawns,
    phase,
    play,
    refusal,
    rows,
    table,
    victory,
)

pytestmark = pytest.mark.rules

SOLDIERS = "Sb,Sy,Sn/Sr,Sg,Sb/Sy,Sn,Sr"
"""G D A / H E B / I F C."""
FIVE = ("b2y2n1r1g1", "-", "-", "-", "-")
PAWNS = "32514"  # of the rulebook's figures: Blue 3, Yellow 2, Brown 5, Red 1, Green 4


def aims(tokens: set[str]) -> set[str]:
    return {token[0] for token in tokens}


def test_FBL_24_no_turning_aside() -> None:
    state = play(table("b1y1n1r1", "-", rows=SOLDIERS), "2:b")
    assert legal(state) == {"stop", "2:y"}
    assert refusal(state, "3:r") == "FBL-24"
    assert refusal(state, "1:b") == "FBL-24"


def test_FBL_25_exactly_its_symbols_from_the_hand() -> None:
    state = table("b3y1", "-", rows="Wb,X,X/X,X,X/X,X,X")
    assert attacks(state, "2") == {"bb"}
    assert refusal(state, "2:b") == "FBL-25"  # too few
    assert refusal(state, "2:bbb") == "FBL-25"  # too many
    assert refusal(state, "2:ww") == "FBL-25"  # not in hand
    assert refusal(state, "2:yy") == "FBL-06"  # the wrong symbols
    play(state, "2:bb")
    assert hand(state, 0) == "b1y1"
    assert part(state, 13) == "b2"


def test_FBL_26_two_blue_symbols_example_3() -> None:
    assert attacks(table("b3w3", "-", rows="Wb,X,X/C,X,X/X,X,X", pawns="24"), "2") == {
        "bb",
        "bw",
        "ww",
    }


def test_FBL_27_several_white_symbols_are_of_one_colour() -> None:
    state = table("b2y2w1", "-", rows="Ww,X,X/C,X,X/X,X,X")
    assert attacks(state, "2") == {"bb", "yy", "bw", "yw"}
    state = table("b2y1", "-", rows="X,X,X/C,X,X/X,X,X")
    assert attacks(state, "2") == set()
    assert refusal(state, "2:bbb") == "FBL-25"


def test_FBL_28_three_white_symbols_example_4() -> None:
    state = table("g3y2r1b1w1", "-", rows="X,X,X/C,X,X/X,X,X")
    assert {"ggg", "yyw"} <= attacks(state, "2")
    assert all(len(set(laid) - {"w"}) == 1 for laid in attacks(state, "2"))
    # Yellow, red and blue take no card at all, so they are not even an action.
    with pytest.raises(ValueError, match="FBL-25"):
        state.parse("2:yrb")


def test_FBL_29_an_attack_card_serves_once() -> None:
    state = play(table("b1", "-", rows="Sb,Sb,Sb/X,X,X/X,X,X"), "2:b")
    assert hand(state, 0) == "-"
    assert legal(state) == {"stop"}
    assert refusal(state, "2:b") == "FBL-25"


def test_FBL_30_one_two_or_three_cards_nearest_first() -> None:
    for count, won in enumerate(("Sb1", "Sb1Sy1", "Sb1Sy1Sn1"), 1):
        state = table("b1y1n1", "-", rows=SOLDIERS)
        assert attacks(state, "2") == {"b"}  # neither the second nor the third
        play(state, *("2:b", "2:y", "2:n")[:count])
        if count < 3:
            assert "stop" in legal(state)
            play(state, "stop")
        assert victory(state, 0) == won
    assert refusal(table("y1", "-", rows=SOLDIERS), "2:y") == "FBL-06"
    assert refusal(table("y1", "-"), "stop") == "FBL-30"


def test_FBL_30_gaps_are_passed_over_and_empty_directions_closed() -> None:
    closed = {"unseen": "G1", "piles": (1, 0, 0)}
    state = table("b1y1r1", "-", rows="Sb,Sg,Sr/-,-,-/Sy,-,-", pawns="14", **closed)  # type: ignore[arg-type]
    play(state, "1:b")  # E and C are empty
    assert phase(state) == "slide"
    state = table("y1r1", "-", rows="Sb,Sg,Sr/-,-,-/Sy,-,-", pawns="54", **closed)  # type: ignore[arg-type]
    play(state, "5:y", "5:r")  # E is passed over on the way to A
    assert victory(state, 0) == "Sy1Sr1"
    state = table("y1r1", "-", rows="Sb,Sg,Sr/-,-,-/Sy,-,-", pawns="34", **closed)  # type: ignore[arg-type]
    assert refusal(state, "3:y") == "FBL-30"


def test_FBL_31_direct_attack_example_5() -> None:
    """Red before direction 1 takes G, then E, then C."""
    hands = ("-", "-", "-", "b1g1r1", "-")
    state = table(*hands, rows=SOLDIERS, pawns=PAWNS, active=3)
    play(state, "1:b")
    assert refusal(state, "1:r") == "FBL-06"
    play(state, "1:g", "1:r")
    assert victory(state, 3) == "Sb1Sr1Sg1"
    assert rows(state) == "-,Sy,Sn/Sr,-,Sb/Sy,Sn,-"


def test_FBL_32_three_cards_by_direct_attack_only() -> None:
    direct = play(table("b1y1n1", "-", rows=SOLDIERS, pawns="24"), "2:b", "2:y")
    assert attacks(direct, "2") == {"n"}
    for pawn in "13":
        deviated = play(table("b1y1n1", "-", rows=SOLDIERS, pawns=f"{pawn}4"), "2:b", "2:y")
        assert not deviated.acting  # the attack is over
        assert part(deviated, 8) == "Sb1Sy1/-"


@pytest.mark.parametrize(("via", "laid", "won"), [("2", "by", "Sb1Sy1"), ("4", "yn", "Sy1Sn1")])
def test_FBL_33_deviated_attack_example_6(via: str, laid: str, won: str) -> None:
    """Blue on 3 attacks along 2 (G, D) or 4 (I, F), two cards at most."""
    state = table(*FIVE, rows=SOLDIERS, pawns=PAWNS)
    assert aims(attacks(state)) == {"2", "3", "4"}
    assert refusal(state, "1:b") == "FBL-33"
    assert refusal(state, "5:y") == "FBL-33"
    play(state, f"{via}:{laid[0]}", f"{via}:{laid[1]}")
    assert victory(state, 0) == won
    assert not state.acting


def test_FBL_34_a_deviated_attack_moves_no_pawn() -> None:
    state = play(table(*FIVE, rows=SOLDIERS, pawns=PAWNS), "2:b", "stop")
    assert pawns(state) == PAWNS


def test_FBL_35_a_corner_deviates_to_its_neighbour_example_7() -> None:
    """Brown on 5 deviates along 4 only."""
    hands = ("-", "-", "b1y1n1r1g1", "-", "-")
    state = table(*hands, rows=SOLDIERS, pawns=PAWNS, active=2)
    assert aims(attacks(state)) == {"4", "5"}
    assert refusal(state, "3:r") == "FBL-35"
    assert refusal(state, "1:b") == "FBL-35"
    state = table("b1y1n1r1g1", "-", rows=SOLDIERS, pawns="15")
    assert aims(attacks(state)) == {"1", "2"}


def test_FBL_36_won_cards_go_to_the_victory_pile() -> None:
    state = play(table("b1y1", "-", rows=SOLDIERS, victory=("X1", "F1")), "2:b", "2:y", "stop")
    assert part(state, 8) == "Sb1Sy1X1/F1"
    assert part(state.view(1), 8) == "Sb1Sy1X1/F1"  # open to all


@pytest.mark.parametrize(("count", "bonus"), [(1, 0), (2, 1), (3, 2)])
def test_FBL_37_a_bonus_card_for_each_beyond_the_first(count: int, bonus: int) -> None:
    state = table("b1y1n1", "-", rows=SOLDIERS)
    play(state, *("2:b", "2:y", "2:n")[:count])
    if count < 3:
        play(state, "stop")
    for _ in range(bonus):
        assert phase(state) == "draw"
        play(state, "card:r")
    assert phase(state) == ("slide" if count < 3 else "refill")
    assert hand(state, 0) == ("y1n1", "n1r1", "r2")[count - 1]


def test_FBL_37_bonus_cards_come_after_the_attack() -> None:
    state = play(table("b1y1n1", "-", rows=SOLDIERS), "2:b", "2:y")
    assert hand(state, 0) == "n1"
    assert legal(state) == {"stop", "2:n"}


def test_stop_is_asked_of_who_cannot_pay_too() -> None:
    """What is asked must not tell what is in a hand."""
    state = play(table("b1", "-", rows=SOLDIERS), "2:b")
    assert legal(state) == {"stop"}
