"""CHI-25 to CHI-33: palaces and emissaries (examples 2 and 3)."""

from __future__ import annotations

import pytest

from tests.games.china.helpers import (
    by_chance,
    emissaries,
    legal,
    on,
    phase,
    play,
    province,
    refusal,
    spaces,
    table,
)

pytestmark = pytest.mark.rules

ZHAO = {3: "Z1 Z2 Z3", 4: "Z4 Z5"}
"""The figure of the rulebook: three red palaces and two yellow ones."""


@pytest.mark.parametrize("board", ["A", "B"])
def test_CHI_25_a_palace_on_each_space(board: str) -> None:
    hands = ["v2y1", "y1", "-", "-"]
    state = table(
        *hands,
        palaces={1: "U1", 2: "U4 U5"},
        forts="U2",
        board=board,
        fortifications=True,
        left="0111",
    )
    violet = {token for token in legal(state, "palace") if token.endswith(":v")}
    assert violet == {f"palace:{x}:v" for x in spaces(board) if x[0] == "U"} - {
        f"palace:{x}:v" for x in ("U1", "U4", "U5")
    }
    play(state, "palace:U3:v")
    assert on(state, "U3") == "0"


def test_CHI_25_a_space_has_room_for_one() -> None:
    state = table("r3", "-", "-", palaces={0: "W1", 1: "W2"})
    assert refusal(state, "palace:W1:r") == "CHI-25"
    assert refusal(state, "palace:W2:r") == "CHI-25"
    assert refusal(state, "palace:W3:r") is None
    assert "no such space" in str(refusal(state, "palace:V6:r"))  # on side A


def test_CHI_26_a_full_province() -> None:
    state = table("y3", "-", "-", palaces={0: "Q1 Q2", 1: "Q3 Q4 Q5"})
    assert {refusal(state, f"palace:Q{n}:y") for n in range(1, 6)} == {"CHI-26"}
    state = table("y3", "-", "-", palaces={0: "Q1 Q2", 1: "Q3 Q4"})
    assert refusal(state, "palace:Q4:y") == "CHI-25"
    assert refusal(state, "palace:Q5:y") is None


def test_CHI_27_emissaries_share_the_dragon() -> None:
    state = table("r3", "-", "-", palaces={1: "W1 W2 W3 W4"}, emissaries={"Wei": "12"})
    play(state, "emissary:Wei:r", "emissary:Wei:r")
    assert emissaries(state, "Wei") == "0012"


@pytest.mark.parametrize(
    ("palaces", "cap"),
    [
        ({3: "Z1 Z2 Z3", 4: "Z4 Z5"}, 3),
        ({3: "Z1 Z2", 4: "Z4 Z5"}, 2),
        ({3: "Z1", 4: "Z4", 0: "Z5", 1: "Z6", 2: "Z7"}, 1),
        ({3: "Z1 Z2 Z3 Z4 Z5"}, 5),
    ],
)
def test_CHI_28_the_majority_caps_the_emissaries(palaces: dict[int, str], cap: int) -> None:
    """Of all players together, and not the sum of those who are level."""
    for there in range(cap + 1):
        emissaries = {"Zhao": "01234"[:there]}
        state = table("o3", "-", "-", "-", "-", palaces=palaces, emissaries=emissaries)
        assert refusal(state, "emissary:Zhao:o") == ("CHI-28" if there == cap else None)


def test_CHI_28_both_pieces_of_a_turn_are_counted() -> None:
    state = table("o3", "-", "-", "-", "-", palaces=ZHAO, emissaries={"Zhao": "11"})
    play(state, "emissary:Zhao:o")
    assert refusal(state, "emissary:Zhao:o") == "CHI-28"


def test_CHI_28_a_palace_just_placed_counts() -> None:
    state = table("r3", "-", "-", palaces={0: "W1"}, emissaries={"Wei": "1"})
    assert refusal(state, "emissary:Wei:r") == "CHI-28"
    play(state, "palace:W2:r", "emissary:Wei:r")
    assert emissaries(state, "Wei") == "01"
    state = play(table("r3", "-", "-", palaces={1: "W1"}, emissaries={"Wei": "1"}), "palace:W2:r")
    assert refusal(state, "emissary:Wei:r") == "CHI-28"  # it made no larger majority


def test_CHI_29_no_emissary_without_a_palace() -> None:
    state = table("r3", "-", "-", palaces={1: "V1"})
    assert refusal(state, "emissary:Wei:r") == "CHI-29"
    assert refusal(state, "emissary:Wu:r") is None
    assert {t for t in legal(state, "emissary") if t.endswith(":r")} == {"emissary:Wu:r"}
    state = table("r3", "-", "-", forts="W1", fortifications=True, left="011")
    assert refusal(state, "emissary:Wei:r") == "CHI-29"  # a fortification is not a palace


def test_CHI_30_emissaries_go_where_one_has_no_palace() -> None:
    state = table("r3", "-", "-", palaces={1: "W1 W2"})
    play(state, "emissary:Wei:r", "emissary:Wei:r")
    assert emissaries(state, "Wei") == "00"


def test_CHI_31_example_2() -> None:
    """Barbara has four palaces in Chu, two emissaries are there: Alex adds two."""
    state = table(
        "v1o2",
        "-",
        "-",
        palaces={1: "U1 U2 U3 U4", 2: "U5 U6 U7", 0: "U8"},
        emissaries={"Chu": "12"},
    )
    play(state, "emissary:Chu:v", "emissary:Chu:oo")
    assert emissaries(state, "Chu") == "0012"
    state = table("v3", "-", "-", palaces={1: "U1 U2 U3 U4"}, emissaries={"Chu": "112"})
    play(state, "emissary:Chu:v")
    assert refusal(state, "emissary:Chu:v") == "CHI-28"  # a fifth would be too many


@pytest.mark.parametrize(
    "tokens",
    [
        ("emissary:Chin:y", "emissary:Chin:y"),
        ("palace:C5:y", "palace:C6:y"),
        ("palace:C5:y", "emissary:Chin:y"),
        ("emissary:Chin:y", "palace:C6:y"),
    ],
)
def test_CHI_32_example_3(tokens: tuple[str, ...]) -> None:
    """Barbara and Doris have two palaces each in Ch'in."""
    state = table("y3", "-", "-", "-", palaces={1: "C1 C2", 3: "C3 C4"})
    play(state, *tokens)
    by_chance(state)
    assert phase(state) == "take"


def test_CHI_32_two_not_four() -> None:
    palaces = {1: "C1 C2", 3: "C3 C4"}
    state = table("y3", "-", "-", "-", palaces=palaces, emissaries={"Chin": "11"})
    assert refusal(state, "emissary:Chin:y") == "CHI-28"


def test_CHI_33_emissaries_in_a_scored_province() -> None:
    wei = province("A", "W")
    state = table(
        "r3",
        "-",
        "-",
        palaces={1: " ".join(wei[:4]), 2: " ".join(wei[4:])},
        emissaries={"Wei": "11"},
    )
    assert refusal(state, "palace:W1:r") == "CHI-26"
    play(state, "emissary:Wei:r", "emissary:Wei:r")
    assert emissaries(state, "Wei") == "0011"
    assert phase(state) == "take"
