"""CHI-34 to CHI-40: the palaces of a province are scored (examples 4 and 5)."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.china.helpers import (
    by_chance,
    finished,
    gained,
    legal,
    phase,
    places,
    play,
    province,
    refusal,
    scored,
    table,
)

pytestmark = pytest.mark.rules


def split(board: str, letter: str, counts: tuple[int, ...]) -> dict[int, str]:
    """Give the spaces of a province to the seats, so many to each."""
    left = list(province(board, letter))
    found = {}
    for seat, count in enumerate(counts):
        found[seat], left = " ".join(left[:count]), left[count:]
    return found


def complete(counts: tuple[int, ...], letter: str, colour: str) -> tianxia.State:
    """Let seat 0 place the last palace of a province; return the position after it is scored."""
    palaces = split("B" if len(counts) > 3 else "A", letter, counts)
    *others, last = palaces[0].split()
    hands = [f"{colour}1", *["-"] * (len(counts) - 1)]
    board = "B" if len(counts) > 3 else "A"
    state = table(*hands, palaces={**palaces, 0: " ".join(others)}, board=board)
    return play(state, f"palace:{last}:{colour}")


def test_CHI_34_scored_at_once() -> None:
    state = table("y3", "-", "-", palaces={0: "Q1 Q2", 1: "Q3 Q4"})
    play(state, "palace:Q5:y")
    assert not state.acting
    assert legal(state) == {"score:Qi"}
    assert gained(state, "palaces") == [0, 0, 0]
    play(state, "score:Qi")
    assert gained(state, "palaces") == [5, 3, 0]
    assert phase(state) == "more"  # the turn goes on after the interruption
    play(state, "emissary:Qi:y")
    assert phase(state) == "take"


def test_CHI_34_by_the_second_piece_too() -> None:
    state = table("y3", "-", "-", palaces={0: "Q1 Q2", 1: "Q3"})
    play(state, "palace:Q4:y")
    assert phase(state) == "more"
    play(state, "palace:Q5:y", "score:Qi")
    assert gained(state, "palaces") == [5, 4, 0]
    assert phase(state) == "take"


def test_CHI_34_emissaries_and_forts_fill_nothing() -> None:
    state = table("y3", "-", "-", palaces={0: "Q1 Q2", 1: "Q3 Q4"}, fortifications=True)
    play(state, "fort:Q5:y")
    assert phase(state) == "more"
    assert not scored(state, "Qi")
    play(state, "palace:Q5:y")
    assert legal(state) == {"score:Qi"}


@pytest.mark.parametrize("letter", "WZQCHLSUV")
@pytest.mark.parametrize("board", ["A", "B"])
def test_CHI_34_every_province_has_a_last_space(board: str, letter: str) -> None:
    colour = "royygogvr"["WZQCHLSUV".index(letter)]
    *some, last = province(board, letter)
    state = table(f"{colour}3", "-", "-", "-", palaces={1: " ".join(some[1:])}, board=board)
    play(state, f"palace:{some[0]}:{colour}")
    assert phase(state) == "more"
    play(state, f"palace:{last}:{colour}")
    assert [token[:6] for token in legal(state)] == ["score:"]


COUNTS = [
    (4, 2, 1), (7, 0, 0), (1, 6, 0), (3, 3, 1), (3, 2, 2), (1, 3, 3), (2, 4, 1),
    (4, 2, 1, 0, 0), (3, 2, 1, 1, 0), (2, 2, 1, 1, 1), (3, 1, 1, 1, 1),
    (1, 2, 2, 2, 0), (1, 5, 1, 0, 0),
]  # fmt: skip


@pytest.mark.parametrize("counts", COUNTS)
def test_CHI_35_the_first_scores_all_palaces(counts: tuple[int, ...]) -> None:
    state = complete(counts, "W", "r")
    play(state, "score:Wei")
    points = gained(state, "palaces")
    firsts = [seat for seat, count in enumerate(counts) if count == max(counts)]
    assert [points[seat] for seat in firsts] == [7] * len(firsts)
    assert points == places(counts)


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((5, 2, 1), [8, 5, 2]),
        ((1, 5, 2), [2, 8, 5]),
        ((4, 3, 1, 0), [8, 4, 3, 0]),
        ((3, 2, 2, 1), [8, 3, 3, 2]),  # the fourth
        ((4, 1, 1, 1, 1), [8, 4, 4, 4, 4]),
        ((3, 2, 1, 1, 1), [8, 3, 2, 2, 2]),
        ((2, 2, 2, 1, 1), [8, 8, 8, 2, 2]),  # the fifth
    ],
)
def test_CHI_36_the_others_score_the_palaces_of_who_is_before(
    counts: tuple[int, ...], points: list[int]
) -> None:
    state = play(complete(counts, "U", "v"), "score:Chu")
    assert gained(state, "palaces") == points


def test_CHI_36_four_and_five_places_by_the_letter() -> None:
    """More places than our provinces have room for."""
    assert places([5, 4, 3, 2, 1]) == [15, 5, 4, 3, 2]


def test_CHI_37_no_palace_no_points() -> None:
    state = play(complete((8, 0, 0), "U", "v"), "score:Chu")
    assert gained(state, "palaces") == [8, 0, 0]
    state = play(complete((6, 0, 2), "U", "v"), "score:Chu")
    assert gained(state, "palaces") == [8, 0, 6]


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((3, 3, 2), [8, 8, 3]),
        ((4, 2, 2), [8, 4, 4]),
        ((4, 4, 0), [8, 8, 0]),
        ((2, 2, 2, 2), [8, 8, 8, 8]),
        ((1, 3, 3, 1), [3, 8, 8, 3]),
    ],
)
def test_CHI_38_who_is_level_scores_the_same(counts: tuple[int, ...], points: list[int]) -> None:
    state = play(complete(counts, "U", "v"), "score:Chu")
    assert gained(state, "palaces") == points


def test_CHI_39_example_4() -> None:
    """Wei: Alex (Green) four, Barbara (Red) two, Doris (Blue) one."""
    palaces = {1: "W1 W2 W3 W4", 3: "W5 W6"}
    state = play(table("r1", "-", "-", "-", palaces=palaces), "palace:W7:r", "score:Wei")
    assert gained(state, "palaces") == [1 * 2, 4 + 2 + 1, 0, 4]


def test_CHI_39_example_5() -> None:
    """Qi: Barbara (Red) and Chris (Violet) two each, Doris (Blue) one."""
    palaces = {3: "Q1 Q2", 2: "Q3 Q4"}
    state = play(table("y1", "-", "-", "-", palaces=palaces), "palace:Q5:y", "score:Qi")
    assert gained(state, "palaces") == [2, 0, 5, 5]


def test_CHI_40_a_token_marks_the_province() -> None:
    state = complete((4, 2, 1), "W", "r")
    assert not scored(state, "Wei")
    play(state, "score:Wei")
    assert scored(state, "Wei")
    assert not any(scored(state, name) for name in ("Zhao", "Qi", "Chin", "Han", "Lu", "Shu", "Wu"))
    assert "score:Wei" not in legal(state)


def test_CHI_40_never_scored_again() -> None:
    palaces = {0: " ".join(province("A", "W")), 1: "Z1"}
    state = finished(3, palaces=palaces, points=["7,0,0,0,0,0"])
    assert refusal(state, "score:Wei", tianxia.CHANCE) == "CHI-40"
    told = by_chance(state)
    assert [token for token in told if token.startswith("score")] == ["score:Zhao"]
    assert gained(state, "palaces") == [7, 1, 0]


def test_CHI_40_nothing_is_scored_before_it_is_complete() -> None:
    state = table("r3", "-", "-", palaces={0: "W1"})
    assert refusal(state, "score:Wei", tianxia.CHANCE) in ("CHI-11", "CHI-40")
    assert gained(state, "palaces") == [0, 0, 0]
