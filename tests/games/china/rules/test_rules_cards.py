"""CHI-41 to CHI-46: drawing and exchanging cards."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.china.helpers import (
    active,
    by_chance,
    cards,
    deck,
    discard,
    display,
    hand,
    legal,
    part,
    phase,
    play,
    refusal,
    table,
)
from tianxia import CHANCE, SPECTATOR

pytestmark = pytest.mark.rules

WEI = {1: "W1"}
KEPT = ("v2y3o3g4r4", "v2y3o3g5r4")
HELD = "v0y0o0g1r0"


def exhausted(state: object) -> str:
    return part(state, 17)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "order",
    [
        ("take:v", "take:g", "take:o"),
        ("deck", "card:r", "deck", "card:r", "deck", "card:o"),
        ("take:v", "deck", "card:y", "take:o"),
        ("deck", "card:g", "take:y", "deck", "card:g"),
    ],
)
def test_CHI_41_display_and_deck_in_any_order(order: tuple[str, ...]) -> None:
    state = play(table("y2r1", "-", "-", palaces=WEI), "palace:W2:r", "palace:W3:yy")
    assert legal(state) == {"deck", "take:v", "take:y", "take:o", "take:g"}
    play(state, *order)
    colours = [token[-1] for token in order if token != "deck"]
    assert cards(hand(state, 0)) == Counter(colours)


def test_CHI_41_one_card_at_a_time() -> None:
    state = play(table("r3", "-", "-", palaces=WEI), "palace:W2:r", "palace:W3:r", "deck")
    assert phase(state) == "draw"
    play(state, "card:v")
    assert (phase(state), hand(state, 0)) == ("take", "v1r1")  # seen before the next
    assert legal(state) == {"deck", "take:v", "take:y", "take:o", "take:g"}


def test_CHI_41_only_what_is_there_and_only_then() -> None:
    state = table("r3", "-", "-", palaces=WEI)
    assert refusal(state, "take:v") == "CHI-41"
    assert refusal(state, "deck") == "CHI-41"
    play(state, "palace:W2:r", "stop")
    assert refusal(state, "take:r") == "CHI-41"  # none on display
    play(state, "take:v")
    assert active(state) != 0 or phase(state) == "display"  # the hand is full
    state = table("r3", "-", "-", palaces=WEI, deck="-", exhausted=2)
    play(state, "palace:W2:r", "stop")
    assert refusal(state, "deck") == "CHI-41"


def test_CHI_41_what_was_taken_openly_is_remembered() -> None:
    """Until it may have been played; cards from the deck are seen by who draws them."""
    state = table("r3", "y1g2", "o3", palaces=WEI)
    play(state, "palace:W2:r", "palace:W3:r", "take:v")
    play(state, "deck")
    card = state.parse("card:g", CHANCE)
    assert [state.seen(card, CHANCE, seat) == card for seat in range(3)] == [True, False, False]
    play(state, "card:g", "show:r")
    assert hand(state, 0) == "v1g1r1"
    for viewer in (1, 2, SPECTATOR):
        assert part(state.view(viewer), 15) == "v1/-/-"
        assert hand(state.view(viewer), 0) == "?3"
    state = table("v1g1r1", "-", "-", palaces=WEI, known=["v1g1"])
    play(state, "exchange:v", "take:o", "show:r")
    assert part(state, 15) == "o1g1/-/-"
    state = table("v2r1", "-", "-", palaces={1: "U1"}, known=["v1"])
    play(state, "palace:U2:v")
    assert part(state, 15) == "-/-/-"  # it may have been that one


def test_CHI_42_the_display_is_filled_when_the_hand_is_complete() -> None:
    state = play(table("y2r1", "-", "-", palaces=WEI), "palace:W2:r", "palace:W3:yy")
    play(state, "take:v", "take:g")
    assert (phase(state), display(state)) == ("take", "y1o1")
    assert refusal(state, "take:v") == "CHI-41"  # the gap is still open
    play(state, "take:y")
    assert (phase(state), display(state)) == ("display", "o1")
    assert [token[:5] for token in by_chance(state)] == ["show:"] * 3
    assert cards(display(state)).total() == 4
    assert (active(state), phase(state)) == (1, "turn")


def test_CHI_42_a_full_display_stays_as_it_is() -> None:
    state = play(table("r3", "-", "-", palaces=WEI), "palace:W2:r", "stop", "deck", "card:g")
    assert (display(state), active(state), phase(state)) == ("v1y1o1g1", 1, "turn")


def test_CHI_43_the_discard_becomes_the_deck() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="v1")
    before = cards(discard(state))
    play(state, "palace:W2:r", "stop", "deck", "card:v")
    assert legal(state) == {"shuffle"}
    play(state, "shuffle")
    assert cards(deck(state)) == before + Counter("r")  # with the card just played
    assert discard(state) == "-"
    assert display(state) == "v1y1o1g1"  # stays on the table
    assert exhausted(state) == "1"
    assert (active(state), phase(state)) == (1, "turn")


def test_CHI_43_as_soon_as_the_last_card_leaves_the_deck() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="v2")
    play(state, "palace:W2:r", "stop", "deck", "card:v")
    assert (deck(state), exhausted(state), phase(state)) == ("v1", "0", "turn")


def test_CHI_44_the_hand_is_completed_first() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="v1")
    play(state, "palace:W2:r", "palace:W3:r", "deck", "card:v", "shuffle")
    assert (phase(state), active(state)) == ("take", 0)
    play(state, "take:y")
    assert phase(state) == "display"
    by_chance(state)
    assert cards(display(state)).total() == 4
    assert exhausted(state) == "1"


def test_CHI_44_the_last_card_may_be_asked_for_in_the_display() -> None:
    """The refill empties the deck, and goes on from the new one."""
    state = table("y2r1", "-", "-", palaces=WEI, deck="v1")
    play(state, "palace:W2:r", "palace:W3:yy", "take:v", "take:y", "take:o", "show:v")
    assert legal(state) == {"shuffle"}
    play(state, "shuffle")
    assert phase(state) == "display"
    by_chance(state)
    assert cards(display(state)).total() == 4
    assert (active(state), exhausted(state)) == (1, "1")


def test_CHI_45_the_second_exhaustion_reshuffles_nothing() -> None:
    state = table("r3", "-", "-", palaces=WEI, deck="v1", exhausted=1)
    play(state, "palace:W2:r", "palace:W3:r", "deck", "card:v")
    assert (deck(state), exhausted(state), phase(state)) == ("-", "2", "take")
    assert discard(state) != "-"
    play(state, "take:o")
    assert (display(state), active(state)) == ("v1y1g1", 1)  # and is not filled up


def test_CHI_45_no_discard_counts_as_the_second_time() -> None:
    """Two players: the only card played is kept, so nothing can be shuffled."""
    state = table(
        "r3",
        "v1y1o1",
        palaces=WEI,
        deck="v1",
        discard="-",
        emperor="v1y1o1",
        kept=KEPT,
        influence=HELD,
        display="v1y1o1g1",
    )
    assert discard(state) == "-"
    play(state, "palace:W2:r", "stop", "deck", "card:v")
    assert exhausted(state) == "2"
    assert "shuffle" not in legal(state)


@pytest.mark.parametrize("kind", ["deck", "take"])
def test_CHI_46_one_card_for_one(kind: str) -> None:
    state = play(table("y2r1", "g3", "-", palaces=WEI, discard="v1"), "exchange:r")
    assert (hand(state, 0), discard(state)) == ("y2", "v1r1")
    assert legal(state) == {"deck", "take:v", "take:y", "take:o", "take:g"}
    if kind == "deck":
        play(state, "deck", "card:o")
        assert (hand(state, 0), display(state)) == ("y2o1", "v1y1o1g1")
    else:
        play(state, "take:o")
        assert (hand(state, 0), display(state)) == ("y2o1", "v1y1g1")
        play(state, "show:r")
        assert display(state) == "v1y1g1r1"
    assert (active(state), phase(state)) == (1, "turn")


def test_CHI_46_one_card_only_and_no_piece() -> None:
    state = play(table("y2r1", "-", "-", palaces=WEI), "exchange:r")
    assert refusal(state, "palace:Q1:y") == "CHI-46"
    assert refusal(state, "exchange:y") == "CHI-46"
    assert refusal(state, "take:r") == "CHI-46"  # the discarded card is not on display


def test_CHI_46_only_a_card_of_the_hand() -> None:
    state = table("y2r1", "-", "-", palaces=WEI)
    assert legal(state, "exchange") == {"exchange:y", "exchange:r"}
    assert refusal(state, "exchange:v") == "CHI-46"


def test_CHI_46_the_discarded_card_comes_before_the_reshuffle() -> None:
    state = play(table("y2r1", "-", "-", palaces=WEI, deck="v1"), "exchange:r", "deck", "card:v")
    play(state, "shuffle")
    assert cards(deck(state))["r"] > 0
    assert (hand(state, 0), active(state)) == ("v1y2", 1)
