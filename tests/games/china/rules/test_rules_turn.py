"""CHI-11 to CHI-24 and CHI-47: turns, and what placing costs (example 1)."""

from __future__ import annotations

import pytest

from tests.games.china.helpers import (
    COLOURS,
    active,
    by_chance,
    cards,
    discard,
    display,
    emissaries,
    end_of_turn,
    hand,
    legal,
    on,
    phase,
    play,
    province,
    refusal,
    table,
)

pytestmark = pytest.mark.rules

WEI = {1: "W1"}
"""Wei holds a palace of Green's."""


def targets(tokens: set[str]) -> set[str]:
    """Return the letters of the provinces into which palaces can go."""
    return {token.split(":")[1][0] for token in tokens if token.startswith("palace")}


def test_CHI_11_clockwise() -> None:
    state = table("r3", "g3", "y3", palaces=WEI, display="v1o1")
    seats = []
    for token in ("palace:W2:r", "palace:H1:g", "palace:Q1:y"):
        seats.append(active(state))
        end_of_turn(state, token)
    assert [*seats, active(state)] == [0, 1, 2, 0]


def test_CHI_11_place_or_exchange() -> None:
    state = table("r1g2", "-", "-", palaces=WEI)
    kinds = {token.split(":")[0] for token in legal(state)}
    assert kinds == {"palace", "emissary", "exchange"}
    play(state, "palace:W2:r")
    assert refusal(state, "exchange:g") == "CHI-11"
    state = play(table("r1g2", "-", "-", palaces=WEI), "exchange:g")
    assert {token.split(":")[0] for token in legal(state)} == {"take", "deck"}


@pytest.mark.parametrize("seat", [1, 2])
def test_CHI_11_nobody_else_acts(seat: int) -> None:
    state = table("r1g2", "r3", "r3", palaces=WEI)
    assert state.acting == (0,)
    assert refusal(state, "palace:W2:r", seat) == "CHI-11"
    assert refusal(state, "exchange:r", seat) == "CHI-11"


@pytest.mark.parametrize(
    ("cards_held", "tokens", "paid"),
    [
        ("g1r2", ("palace:W2:r", "stop"), 1),
        ("g1r2", ("palace:W2:r", "palace:W3:r"), 2),
        ("g2r1", ("palace:W2:gg", "stop"), 2),
        ("g2r1", ("palace:W2:gg", "palace:W3:r"), 3),
    ],
)
def test_CHI_12_the_hand_is_filled_up_after_placing(
    cards_held: str, tokens: tuple[str, ...], paid: int
) -> None:
    state = table(cards_held, "y3", "-", palaces=WEI)
    play(state, *tokens)
    assert phase(state) == "take"
    assert cards(hand(state, 0)).total() == 3 - paid
    assert refusal(state, "palace:W4:r") == "CHI-12"
    assert refusal(state, "stop") == "CHI-12"
    for _ in range(paid):
        assert active(state) == 0
        play(state, "deck")
        by_chance(state)
    assert cards(hand(state, 0)).total() == 3
    assert (phase(state), active(state)) == ("turn", 1)


@pytest.mark.parametrize("card", "vyogr")
def test_CHI_13_the_colour_of_the_card(card: str) -> None:
    """All other cards in hand are single ones and of another colour."""
    state = table(f"{card}1", "-", "-")
    assert targets(legal(state)) == {x for x in COLOURS if COLOURS[x] == card}


def test_CHI_13_other_cards_do_not_pay() -> None:
    state = table("r1g1", "-", "-", palaces=WEI)
    assert refusal(state, "palace:U1:v") == "CHI-13"  # not in hand
    assert refusal(state, "emissary:Qi:y") == "CHI-29"  # of several reasons the first
    # Of another colour one card pays for nothing at all; told is what it costs.
    assert refusal(state, "palace:W2:g") == "CHI-18"
    assert refusal(state, "emissary:Wei:g") == "CHI-18"


def test_CHI_14_one_province_a_turn() -> None:
    state = play(table("r3", "-", "-", palaces={1: "W1 V1 Z1"}), "palace:W2:r")
    assert refusal(state, "palace:V2:r") == "CHI-14"
    assert refusal(state, "emissary:Wu:r") == "CHI-14"
    assert refusal(state, "palace:Z2:rr") == "CHI-14"
    assert targets(legal(state)) == {"W"}
    assert legal(state, "emissary") == {"emissary:Wei:r"}


def test_CHI_15_one_piece_in_an_empty_province() -> None:
    state = play(table("r3", "-", "-"), "palace:W1:r")
    assert phase(state) == "take"  # nobody is even asked
    assert hand(state, 0) == "r2"
    state = play(table("r3", "-", "-", fortifications=True), "fort:W1:r")
    assert phase(state) == "take"


def test_CHI_15_its_neighbours_do_not_matter() -> None:
    state = play(table("r3", "-", "-", palaces={0: "V1 Z1"}), "palace:W1:r")
    assert phase(state) == "take"


@pytest.mark.parametrize(
    "position",
    [
        {"palaces": {0: "W1"}},
        {"palaces": {2: "W1"}},
        {"forts": "W1", "fortifications": True, "left": "011"},
        {"palaces": {1: "W1"}, "emissaries": {"Wei": "2"}},
    ],
)
def test_CHI_16_two_pieces_where_one_stands(position: dict[str, object]) -> None:
    state = play(table("r3", "-", "-", **position), "palace:W2:r")  # type: ignore[arg-type]
    assert phase(state) == "more"
    assert refusal(state, "stop") is None
    play(state, "palace:W3:r")
    assert phase(state) == "take"  # and a third piece is not asked for
    assert hand(state, 0) == "r1"


def test_CHI_17_a_card_for_each_piece() -> None:
    state = play(table("r2g1", "-", "-", palaces=WEI), "palace:W2:r")
    assert (hand(state, 0), discard(state)[-2:]) == ("g1r1", "r1")
    play(state, "emissary:Wei:r")
    assert (hand(state, 0), discard(state)[-2:]) == ("g1", "r2")
    state = play(table("r1g1", "-", "-", palaces=WEI), "palace:W2:r")
    assert legal(state) == {"stop"}
    assert refusal(state, "palace:W3:r") == "CHI-13"


def test_CHI_17_no_card_is_played_without_a_piece() -> None:
    state = play(table("r1g2", "-", "-", palaces=WEI), "palace:W2:r", "stop")
    assert hand(state, 0) == "g2"


@pytest.mark.parametrize("pair", ["v", "y", "o", "g"])
def test_CHI_18_two_equal_cards_are_a_joker(pair: str) -> None:
    state = table(f"{pair}2", "-", "-", palaces=WEI)
    assert {f"palace:W2:{pair * 2}", f"emissary:Wei:{pair * 2}"} <= legal(state)
    others = {x for x in COLOURS if COLOURS[x] != pair}
    assert {t[7] for t in legal(state, "palace") if t.endswith(pair * 2)} == others
    play(state, f"palace:W2:{pair * 2}")
    assert (on(state, "W2"), hand(state, 0)) == ("0", "-")


def test_CHI_18_what_is_no_joker() -> None:
    state = table("y1g1r1", "-", "-", palaces=WEI)
    assert refusal(state, "palace:W2:yy") == "CHI-18"  # only one of them in hand
    assert refusal(state, "palace:W2:yg") == "CHI-18"  # two colours
    state = table("r3", "-", "-", palaces=WEI)
    assert refusal(state, "palace:W2:rr") == "CHI-18"  # its own colour
    assert refusal(state, "emissary:Wei:rr") == "CHI-18"


def test_CHI_19_three_cards_two_pieces_one_province() -> None:
    state = play(table("r1y2", "-", "-", palaces=WEI), "palace:W2:r", "palace:W3:yy")
    assert (hand(state, 0), phase(state)) == ("-", "take")
    state = play(table("r1y2", "-", "-", palaces=WEI), "palace:W3:yy", "emissary:Wei:r")
    assert (hand(state, 0), emissaries(state, "Wei")) == ("-", "0")


def test_CHI_19_three_equal_cards_of_another_colour_place_one_piece() -> None:
    state = play(table("y3", "-", "-", palaces=WEI), "palace:W2:yy")
    assert legal(state) == {"stop"}
    assert refusal(state, "palace:W3:yy") == "CHI-18"
    assert refusal(state, "palace:W3:r") == "CHI-13"


def test_CHI_20_played_cards_lie_open_in_the_discard() -> None:
    state = table("r1y2", "-", "-", palaces=WEI, discard="v1")
    play(state, "palace:W2:r")
    assert discard(state) == "v1r1"
    play(state, "palace:W3:yy")
    assert discard(state) == "v1y2r1"
    assert discard(state.view(2)) == "v1y2r1"


TWENTY = "W1 W2 W3 W4 W5 W6 Z1 Z2 Z3 Z4 Z5 U1 U2 U3 U4 U5 U6 U7 H1 H2"


def test_CHI_21_no_palace_left() -> None:
    state = table("r1o1g1", "r1", "-", palaces={0: TWENTY})
    assert refusal(state, "palace:W7:r") == "CHI-21"
    assert legal(state, "palace") == set()
    assert refusal(state, "emissary:Wei:r") is None
    state = table("r1o1g1", "r1", "-", palaces={0: TWENTY[:-3]})
    assert refusal(state, "palace:W7:r") is None
    play(state, "palace:W7:r")
    by_chance(state)
    assert refusal(state, "palace:H3:g") == "CHI-14"  # of several reasons the first


def test_CHI_21_no_emissary_left() -> None:
    state = table(
        "r1o1g1", "-", "-", palaces={0: TWENTY[:-3]}, emissaries={"Wei": "000000", "Zhao": "00"}
    )
    assert refusal(state, "emissary:Zhao:o") == "CHI-21"
    assert legal(state, "emissary") == set()
    assert refusal(state, "palace:Z6:o") is None


def test_CHI_21_others_supplies_do_not_matter() -> None:
    state = table(
        "r1o1g1", "r1", "-", palaces={1: TWENTY}, emissaries={"Wei": "11111", "Zhao": "111"}
    )
    assert refusal(state, "palace:W7:r") is None
    assert refusal(state, "emissary:Wei:r") is None


# --- Example 1 ---


def test_CHI_22_alex_goes_to_wei() -> None:
    state = table("v1r2", "g2r1", "y3", palaces={2: "Q1 C1"})
    assert legal(state, "emissary:Wei") == set()  # of necessity a palace
    play(state, "palace:W1:r")
    assert (phase(state), hand(state, 0)) == ("take", "v1r1")  # the turn is over


def test_CHI_23_barbara_follows() -> None:
    state = table("v1r1", "g2r1", "y3", palaces={0: "W1", 2: "Q1 C1"}, active=1)
    play(state, "palace:W2:r", "palace:W3:gg")
    assert [on(state, space) for space in ("W1", "W2", "W3")] == ["0", "1", "1"]
    assert (phase(state), hand(state, 1)) == ("take", "-")


CHRIS = {0: "W1 C1", 1: "W2 W3 Q1"}


@pytest.mark.parametrize("letter", ["Q", "C"])
def test_CHI_24_chris_places_two_in_a_yellow_province(letter: str) -> None:
    state = play(table("v1", "r1", "y3", palaces=CHRIS, active=2), f"palace:{letter}2:y")
    assert targets(legal(state)) == {letter}
    play(state, f"palace:{letter}3:y")
    assert (phase(state), hand(state, 2)) == ("take", "y1")


def test_CHI_24_or_one_elsewhere() -> None:
    state = table("v1", "r1", "y3", palaces=CHRIS, active=2)
    assert targets({t for t in legal(state) if t.endswith(":y")}) == {"Q", "C"}
    assert targets({t for t in legal(state) if t.endswith(":yy")}) == set("WZHLSUV")
    play(state, "palace:W4:yy")
    assert legal(state) == {"stop"}
    play(state, "stop")
    assert (phase(state), hand(state, 2)) == ("take", "y1")


# --- Who cannot or will not place ---


def test_CHI_47_no_free_pass() -> None:
    state = table("r1g2", "-", "-", palaces=WEI)
    assert refusal(state, "pass") == "CHI-47"
    assert refusal(state, "stop") == "CHI-47"
    assert "pass" not in legal(state)


def test_CHI_47_who_cannot_place_has_to_exchange() -> None:
    wei = " ".join(province("A", "W"))
    wu = " ".join(province("A", "V"))
    state = table(
        "r1", "-", "-", palaces={1: f"{wei} {wu}"}, emissaries={"Wei": "0022222", "Wu": "00000"}
    )
    assert legal(state) == {"exchange:r"}
    assert refusal(state, "pass") == "CHI-47"


def test_CHI_47_pass_is_nothing_after_a_piece() -> None:
    state = play(table("r3", "-", "-", palaces=WEI), "palace:W2:r")
    assert refusal(state, "pass") == "CHI-47"
    assert display(state) == "v1y1o1g1"
