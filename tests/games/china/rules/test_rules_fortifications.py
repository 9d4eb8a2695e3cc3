"""CHI-61 to CHI-66: fortifications (example 8)."""

from __future__ import annotations

import pytest

from tests.games.china.helpers import (
    by_chance,
    discard,
    finished,
    gained,
    hand,
    legal,
    on,
    part,
    phase,
    play,
    refusal,
    table,
)

pytestmark = pytest.mark.rules

STRONG = {"fortifications": True}


def test_CHI_61_on_a_space_without_a_palace() -> None:
    state = table(
        "r3", "-", "-", palaces={0: "W1", 1: "W2"}, forts="W3 W2", left="100", fortifications=True
    )
    assert refusal(state, "fort:W1:r") == "CHI-61"  # one's own
    assert refusal(state, "fort:W2:r") == "CHI-61"
    assert refusal(state, "fort:W3:r") == "CHI-61"  # one on each space
    assert refusal(state, "fort:W4:r") is None
    wei = {token for token in legal(state, "fort") if token.endswith(":r") and token[5] == "W"}
    assert wei == {f"fort:W{n}:r" for n in (4, 5, 6, 7)}


def test_CHI_61_not_in_a_full_province() -> None:
    state = table("y3", "-", "-", palaces={1: "Q1 Q2 Q3 Q4 Q5"}, fortifications=True)
    assert refusal(state, "fort:Q1:y") == "CHI-61"


def test_CHI_62_a_card_or_a_joker() -> None:
    state = play(table("r1y2", "-", "-", palaces={1: "W1"}, fortifications=True), "fort:W2:r")
    assert (hand(state, 0), discard(state)[-2:], on(state, "W2")) == ("y2", "r1", "#")
    state = table("r1y2", "-", "-", palaces={1: "W1"}, fortifications=True)
    play(state, "fort:W2:yy", "palace:W2:r")
    assert (hand(state, 0), on(state, "W2")) == ("-", "a")


def test_CHI_62_nothing_else_pays() -> None:
    state = table("r1y1g1", "-", "-", palaces={1: "W1"}, fortifications=True)
    assert refusal(state, "fort:W2:yy") == "CHI-62"
    assert refusal(state, "fort:U1:v") == "CHI-62"
    assert refusal(state, "fort:V1:r") is None


def test_CHI_62_it_is_one_of_the_two_pieces() -> None:
    state = table("r3", "-", "-", palaces={1: "W1"}, fortifications=True)
    play(state, "palace:W2:r", "fort:W3:r")
    assert (phase(state), hand(state, 0)) == ("take", "r1")


def test_CHI_62_it_is_the_only_piece_of_an_empty_province() -> None:
    state = play(table("r3", "-", "-", fortifications=True), "fort:W1:r")
    assert phase(state) == "take"


def test_CHI_63_anybody_may_build_on_it() -> None:
    state = table("-", "r3", "-", forts="W1", active=1, left="011", fortifications=True)
    play(state, "palace:W1:r")
    assert on(state, "W1") == "b"
    assert part(state, 19) == "011"  # it is nobody's
    assert phase(state) == "more"  # and it made the province no longer empty


def test_CHI_63_alone_it_fills_nothing() -> None:
    state = table(
        "y3", "-", "-", palaces={1: "Q1 Q2 Q3"}, forts="Q4", left="101", fortifications=True
    )
    play(state, "palace:Q5:y")
    assert phase(state) == "more"
    assert legal(state, "palace") == {"palace:Q4:y"}
    play(state, "palace:Q4:y")
    assert legal(state) == {"score:Qi"}


@pytest.mark.parametrize(
    ("forts", "points"),
    [
        ("U1", [14, 4, 2]),
        ("U5", [7, 8, 2]),
        ("U7", [7, 4, 4]),
        ("U1 U2", [14, 4, 2]),  # not four times
        ("U1 U5 U7", [14, 8, 4]),
        ("Z1", [7, 4, 2]),  # of another province
    ],
)
def test_CHI_64_points_are_doubled(forts: str, points: list[int]) -> None:
    """Whoever has laid it; nobody else's points or places change."""
    palaces = {0: "U1 U2 U3 U4", 1: "U5 U6", 2: "U7"}
    left = "0" * len(forts.split()) + "1" * (3 - len(forts.split()))
    state = finished(3, palaces=palaces, forts=forts, left=left, fortifications=True)
    by_chance(state)
    assert gained(state, "palaces") == points


def test_CHI_64_during_the_game_too() -> None:
    palaces = {0: "W2 W3 W4", 1: "W5 W6", 2: "W7"}
    state = table("r3", "-", "-", palaces=palaces, forts="W1", left="101", fortifications=True)
    play(state, "palace:W1:r", "score:Wei")
    assert gained(state, "palaces") == [14, 4, 2]


def test_CHI_64_an_empty_fortification_doubles_nothing() -> None:
    state = finished(3, palaces={0: "W2 W3", 1: "W5"}, forts="W1", left="011", fortifications=True)
    by_chance(state)
    assert gained(state, "palaces") == [3, 2, 0]


@pytest.mark.parametrize(
    ("own", "forts", "points"),
    [
        ("W1 W2 W3 Z1", "W1", 8),
        ("W1 W2 W3 Z1", "W1 Z1", 8),  # never four times
        ("W1 W2 W3 Z1", "S1", 4),
        ("W1 W2 W3 Z1 S1 S2 S3 S4", "W1", 12),
        ("W1 W2 W3 Z1 S1 S2 S3 S4", "W1 S4", 16),
        ("W1 W2 W3 Z1 Z2 Z3 Q1 Q2", "W1 Q2", 16),
        ("W2 W3 W4 W5 Z1", "Z1", 8),  # Z1 W3 W4 W5 rather than W2 W3 W4 W5
        ("C1 C2 C4 C6 S1 S2 C3", "C3", 12),
    ],
)
def test_CHI_65_a_chain_counts_double(own: str, forts: str, points: int) -> None:
    count = len(forts.split())
    state = finished(
        3, palaces={0: own}, forts=forts, left="0" * count + "1" * (3 - count), fortifications=True
    )
    by_chance(state)
    assert gained(state, "roads") == [points, 0, 0]


def test_CHI_66_example_8() -> None:
    """Alex holds three yellow cards and places a fortification and a palace on it."""
    state = table("y3", "-", "-", palaces={1: "Q1"}, fortifications=True)
    play(state, "fort:Q2:y", "palace:Q2:y")
    assert on(state, "Q2") == "a"
    assert (phase(state), hand(state, 0)) == ("take", "y1")
    assert refusal(state, "palace:Q3:y") == "CHI-12"
