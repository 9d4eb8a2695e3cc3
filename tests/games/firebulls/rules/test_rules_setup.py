"""FBL-12 to FBL-17: the set-up."""

from __future__ import annotations

import re

import pytest

import tianxia
from tests.games.firebulls.helpers import (
    attacks,
    begin,
    cards,
    hand,
    legal,
    part,
    pawns,
    phase,
    play,
    refusal,
    rows,
    table,
)

pytestmark = pytest.mark.rules

PLACED = ("place:2", "place:4")
LAID = ("Sb", "Sy", "Sn", "Wb", "X", "B", "F", "Sr", "C")


def laid_out() -> tianxia.State:
    state = play(tianxia.game("firebulls").new(), *PLACED)
    return play(state, *(f"reveal:{kind}" for kind in LAID))


def test_FBL_12_three_piles_of_18() -> None:
    state = play(tianxia.game("firebulls").new(), *PLACED)
    assert part(state, 6) == "18/18/18"
    assert sum(weight for _, weight in state.chance_weights()) == 54
    # Nobody knows which card is in which pile: each draw is one of all that are left.
    play(state, "reveal:C")
    weights = {state.text(action, -2): weight for action, weight in state.chance_weights()}
    assert weights["reveal:C"] == 2
    assert weights["reveal:X"] == 9
    assert sum(weights.values()) == 53


def test_FBL_13_three_cards_of_each_pile_form_the_rows() -> None:
    state = laid_out()
    assert rows(state) == "Sb,Sy,Sn/Wb,X,B/F,Sr,C"
    assert part(state, 6) == "15/15/15"
    # The card farthest from its pile, the first of its row, is attacked first.
    assert attacks(table("b1y1n1", "-"), "2") == {"b"}


def test_FBL_14_the_five_directions() -> None:
    lines = {"1": "GEC", "2": "GDA", "3": "HEB", "4": "IFC", "5": "IEA"}
    letters = dict(zip("GDAHEBIFC", LAID, strict=True))
    for direction, line in lines.items():
        state = table("b3y2n1w2", "-", pawns=f"{direction}{'2' if direction != '2' else '3'}")
        wanted = {letters[place] for place in line}
        found = set()
        for letter in line:
            kind = letters[letter]
            laid = {"S": kind[-1], "W": kind[-1] * 2, "X": "bbb", "F": "y"}.get(kind[0])
            if laid is None or refusal(state, f"{direction}:{laid}"):
                break
            state.apply(state.parse(f"{direction}:{laid}"))
            found.add(kind)
        assert found <= wanted
        assert found


@pytest.mark.parametrize("direction", range(1, 6))
def test_FBL_14_the_cards_of_a_direction_in_order(direction: int) -> None:
    line = {1: "GEC", 2: "GDA", 3: "HEB", 4: "IFC", 5: "IEA"}[direction]
    # A Soldier of another colour on each of the three places, Colonels elsewhere.
    places = dict.fromkeys("GDAHEBIFC", "X")
    places.update(dict(zip(line, ("Sb", "Sy", "Sn"), strict=True)))
    layout = "/".join(",".join(places[p] for p in row) for row in ("GDA", "HEB", "IFC"))
    other = 1 + direction % 5
    state = table("b1y1n1", "-", rows=layout, pawns=f"{direction}{other}")
    play(state, f"{direction}:b", f"{direction}:y", f"{direction}:n")
    assert part(state, 8) == "Sb1Sy1Sn1/-"


def test_FBL_15_pawns_stand_at_random_before_different_directions() -> None:
    state = tianxia.game("firebulls", players=3).new()
    assert legal(state) == {f"place:{i}" for i in range(1, 6)}
    play(state, "place:3")
    assert [chance for _, chance in state.chance_outcomes()] == [1 / 4] * 4
    assert refusal(state, "place:3") == "FBL-54"
    play(state, "place:5", "place:1")
    assert pawns(state) == "351"
    assert refusal(state, "place:2") == "FBL-15"  # the other pawns are back in the box
    names = state.game.kind.seat_names
    assert len(set(names)) == 5


def test_FBL_16_three_cards_each_and_three_in_the_reserve() -> None:
    state = laid_out()
    play(state, *("card:b",) * 3, *("card:w",) * 3)
    assert (hand(state, 0), hand(state, 1)) == ("b3", "w3")
    play(state, "card:r", "card:r", "card:g")
    assert part(state, 12) == "r2g1"
    assert sum(cards(part(state, 10)).values()) == 54 - 9
    assert phase(state) == "first"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_FBL_16_every_number_of_players_gets_three_cards(players: int) -> None:
    state = begin(players)
    assert state.fields["hand_sizes"].tolist() == [3] * players + [0] * (5 - players)
    assert sum(cards(part(state, 12)).values()) == 3


def test_FBL_17_chance_decides_who_begins_and_turns_pass_clockwise() -> None:
    state = laid_out()
    play(state, *("card:b",) * 3, *("card:w",) * 3, "card:r", "card:r", "card:g")
    assert state.chance_outcomes() == [(a, 0.5) for a, _ in state.chance_weights()]
    assert legal(state) == {"first:b", "first:y"}
    play(state, "first:y")
    assert state.acting == (1,)
    assert refusal(state, "draw", 0) == "FBL-17"
    state = table("-", "-", "-", active=2)
    turns: list[int] = []
    for _ in range(4):
        turns += state.acting
        play(state, "draw", "card:r", "stay")
    assert turns == [2, 0, 1, 2]


def test_tokens_of_the_set_up_are_words() -> None:
    state = tianxia.game("firebulls").new()
    assert all(re.fullmatch(r"place:\d", token) for token in legal(state))
