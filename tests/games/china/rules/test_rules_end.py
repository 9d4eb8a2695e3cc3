"""CHI-48, CHI-49 and CHI-60: how the game ends, and who wins."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.china.helpers import (
    active,
    by_chance,
    cards,
    display,
    end_of_turn,
    finished,
    gained,
    hand,
    legal,
    part,
    phase,
    play,
    province,
    refusal,
    table,
)

pytestmark = pytest.mark.rules

WEI = {1: "W1"}


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_CHI_48_the_round_is_finished(first: int, turn: int) -> None:
    """The deck runs out in a player's turn; the last turn is before the first player's."""
    hands = ["r3", "r3", "r3"]
    state = table(*hands, palaces=WEI, deck="v1", exhausted=1, active=turn, first=first)
    turns, order = [turn], [(first + step) % 3 for step in range(3)]
    end_of_turn(state, "palace:W2:r", "stop", "deck", "card:v")
    assert part(state, 17) == "2"
    while not state.over:
        turns.append(active(state))
        end_of_turn(state, "exchange:r", "take:" + display(state)[0])
    assert turns == order[order.index(turn) :]
    assert phase(state) == "end:48"


def test_CHI_48_nobody_acts_any_more() -> None:
    state = finished(3)
    by_chance(state)
    assert state.over
    assert refusal(state, "exchange:r", 0) == "CHI-48"


def test_CHI_48_refill_from_the_display_alone() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="-", display="v1y1", exhausted=2)
    play(state, "palace:W2:r", "palace:W3:r")
    assert legal(state) == {"take:v", "take:y"}
    play(state, "take:v", "take:y")
    assert (display(state), active(state), phase(state)) == ("-", 1, "turn")


def test_CHI_48_fewer_cards_if_there_are_none() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="-", display="v1", exhausted=2)
    play(state, "palace:W2:r", "palace:W3:r", "take:v")
    assert (hand(state, 0), active(state), phase(state)) == ("v1r1", 1, "turn")
    state = table("r3", "-", "-", palaces=WEI, deck="-", display="-", exhausted=2)
    play(state, "palace:W2:r", "palace:W3:r")
    assert (hand(state, 0), active(state), phase(state)) == ("r1", 1, "turn")


def test_CHI_48_exchange_with_the_display_alone() -> None:
    state = table("r3", "-", "-", deck="-", display="v1y1", exhausted=2)
    play(state, "exchange:r")
    assert legal(state) == {"take:v", "take:y"}
    play(state, "take:y")
    assert (hand(state, 0), display(state), active(state)) == ("y1r2", "v1", 1)


def test_CHI_48_pass_when_there_is_nothing_to_exchange() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="-", display="-", exhausted=2)
    assert refusal(state, "exchange:r") == "CHI-46"
    assert {"pass", "palace:W2:r"} <= legal(state)  # he need not place
    play(state, "pass")
    assert (active(state), phase(state), hand(state, 0)) == (1, "turn", "r3")
    assert legal(state) == {"pass"}  # no card in hand
    state = table("-", "r3", "-", palaces=WEI, deck="-", display="v1y1", exhausted=2)
    assert legal(state) == {"pass"}


@pytest.mark.parametrize("position", [{"display": "v1"}, {"display": "-", "deck": "v2"}])
def test_CHI_48_no_pass_while_there_is_something(position: dict[str, str]) -> None:
    exhausted = 2 if "deck" not in position else 1
    state = table("r3", "-", "-", **{"deck": "-", **position}, exhausted=exhausted)  # type: ignore[arg-type]
    assert refusal(state, "pass") == "CHI-47"


# --- Nothing can be placed ---

FULL = {
    0: "W1 W2 W3 Z1 Z2 Q1 Q2 C1 C2 H1 H2 L1 L2 S1 S2 U1 U2 U3",
    1: "W4 W5 Z3 Z4 Q3 Q4 C3 C4 H3 H4 L3 L4 S3 S4 U4 U5 U6 V1 V2",
    2: "W6 W7 Z5 Z6 Q5 C5 C6 H5 S5 U7 U8 V3 V4",
}
"""Side A with all spaces but V5 built on; the caps are 3 2 2 2 2 2 2 3 2."""
CAPS = {"Wei": 3, "Zhao": 2, "Qi": 2, "Chin": 2, "Han": 2, "Lu": 2, "Shu": 2, "Chu": 3, "Wu": 2}


def envoys(short: str = "") -> dict[str, str]:
    """Fill all provinces with emissaries of the seats in turn, one province one short."""
    left = "0120120120120120120120"
    found = {}
    for name, cap in CAPS.items():
        count = cap - (name == short)
        found[name], left = left[:count], left[count:]
    return found


def test_CHI_49_nothing_can_be_placed() -> None:
    state = table("g2r1", "g3", "-", palaces=FULL, emissaries=envoys())
    play(state, "palace:V5:r")
    assert (phase(state), legal(state)) == ("scoring", {"score:Wu"})
    play(state, "score:Wu")
    assert (phase(state), hand(state, 0)) == ("final", "g2")  # no second piece, no refill
    by_chance(state)
    assert (state.over, phase(state)) == (True, "end:49")
    assert refusal(state, "exchange:g", 0) == "CHI-49"


@pytest.mark.parametrize("short", list(CAPS))
def test_CHI_49_room_for_one_emissary(short: str) -> None:
    """Cards are ignored: nobody can pay for it in most of these provinces."""
    state = table("g2r1", "g3", "-", palaces=FULL, emissaries=envoys(short))
    play(state, "palace:V5:r", "score:Wu")
    assert phase(state) == "more"


def test_CHI_49_a_free_space_is_room_enough() -> None:
    palaces = {**FULL, 2: FULL[2][:-3]}
    state = table("g2r1", "g3", "-", palaces=palaces, emissaries=envoys())
    play(state, "palace:V5:r")
    assert phase(state) == "more"


def test_CHI_49_by_an_emissary() -> None:
    palaces = {**FULL, 0: FULL[0] + " V5"}
    state = table("g1r2", "g3", "-", palaces=palaces, emissaries=envoys("Wei"))
    play(state, "emissary:Wei:r")
    assert phase(state) == "final"


def test_CHI_49_nobody_has_an_emissary_left() -> None:
    """Room for more, but all 24 emissaries are on the board."""
    wei = " ".join(province("A", "W"))
    palaces = {
        0: f"{wei} Z1 Z2 Q1 Q2 C1 C2 H1",
        1: FULL[1].replace("W4 W5 ", "") + " L1 L2 S1",
        2: FULL[2].replace("W6 W7 ", "") + " H2 S2 U1 U2 U3",
    }
    there = {
        "Wei": "0000000",
        "Zhao": "01",
        "Qi": "11",
        "Chin": "11",
        "Han": "11",
        "Lu": "12",
        "Shu": "22",
        "Chu": "222",
        "Wu": "22",
    }
    state = table("g2r1", "g3", "-", palaces=palaces, emissaries=there)
    play(state, "palace:V5:r", "score:Wu")
    assert phase(state) == "final"
    there["Wu"] = "2"
    state = table("g2r1", "g3", "-", palaces=palaces, emissaries=there)
    play(state, "palace:V5:r", "score:Wu")
    assert phase(state) == "more"


def test_CHI_49_points_of_the_last_province_count() -> None:
    state = table("g2r1", "g3", "-", palaces=FULL, emissaries=envoys())
    play(state, "palace:V5:r", "score:Wu")
    assert gained(state, "palaces") == [2, 5, 5]


# --- The winner ---


def test_CHI_60_most_points_win() -> None:
    points = ["10,0,0,0,0,0", "3,0,0,4,5,0", "11,0,0,0,0,0"]
    state = finished(3, points=points)
    by_chance(state)
    assert state.scores() == [10, 12, 11]
    assert state.utilities() == [-0.5, 1.0, -0.5]


SAME = ["10,0,0,0,0,0"] * 2
LEVEL = {0: "W1", 1: "Z1"}
"""A point each."""


@pytest.mark.parametrize(
    ("position", "utilities"),
    [
        ({"emissaries": {"Wei": "0"}}, [-0.5, 1.0, -0.5]),
        ({"emissaries": {"Zhao": "1"}}, [1.0, -0.5, -0.5]),
        ({}, [0.25, 0.25, -0.5]),
        ({"emissaries": {"Zhao": "1", "Wei": "0"}, "scores": 1}, [0.25, 0.25, -0.5]),
        ({"forts": "Q1", "left": "011", "fortifications": True}, [-0.5, 1.0, -0.5]),
        ({"forts": "Q1", "left": "101", "fortifications": True}, [1.0, -0.5, -0.5]),
        (
            {
                "forts": "Q1",
                "left": "011",
                "emissaries": {"Zhao": "1"},
                "fortifications": True,
            },
            [0.25, 0.25, -0.5],
        ),
    ],
)
def test_CHI_60_then_the_pieces_in_supply(
    position: dict[str, object], utilities: list[float]
) -> None:
    position = {name: value for name, value in position.items() if name != "scores"}
    state = finished(3, points=SAME, palaces=LEVEL, **position)
    by_chance(state)
    assert state.scores() == [11, 11, 0]
    assert state.utilities() == utilities


def test_CHI_60_palaces_in_supply_count() -> None:
    points = ["10,0,0,0,0,0", "9,0,0,0,0,0"]
    state = finished(3, points=points, palaces={0: "W1", 1: "Z1 Z2"})
    by_chance(state)
    assert state.scores() == [11, 11, 0]
    assert state.utilities() == [1.0, -0.5, -0.5]


def test_CHI_60_supply_is_compared_among_the_best_only() -> None:
    state = finished(3, points=["5,0,0,0,0,0", *SAME], palaces={1: "W1", 2: "Z1"})
    by_chance(state)
    assert state.scores() == [5, 11, 11]
    assert state.utilities() == [-0.5, 0.25, 0.25]


def test_CHI_60_utilities_before_the_end_are_none() -> None:
    state = finished(3, points=SAME, palaces=LEVEL)
    assert state.utilities() == [0, 0, 0]
    assert isinstance(state, tianxia.State)
    assert cards(hand(state, 0)).total() == 0
