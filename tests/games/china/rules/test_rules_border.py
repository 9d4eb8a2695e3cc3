"""CHI-84 to CHI-90: border disputes (with the rulebook's example)."""

from __future__ import annotations

import re

import pytest

import tianxia
from tests.games.china.helpers import (
    HARBOURS,
    POSTS,
    begin,
    by_chance,
    discard,
    emissaries,
    finished,
    gained,
    hand,
    legal,
    on,
    part,
    phase,
    places,
    play,
    province,
    refusal,
    spaces,
    table,
)
from tianxia.kernel.errors import OptionError

pytestmark = pytest.mark.rules

BORDER = {"board": "border"}
NAMES = {
    "W": "Wei",
    "Z": "Zhao",
    "C": "Chin",
    "S": "Shu",
    "H": "Han",
    "L": "Lu",
    "U": "Chu",
    "V": "Wu",
}
PAIRS = {"P1": "or", "P2": "yr", "P3": "yg", "P4": "og", "P5": "vg", "P6": "vr"}
"""What a post costs, one card of each of its provinces."""


@pytest.mark.parametrize("players", [3, 4, 5])
def test_CHI_84_the_border_board(players: int) -> None:
    state = begin(players, board="border")
    assert tuple(map(len, part(state, 4).split("/"))) == (5, 5, 4, 5, 4, 3, 4, 6, 5, 6)
    assert len(spaces("border")) == 47
    assert (len(POSTS), len(HARBOURS)) == (6, 7)


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 3, "fortifications": True}])
def test_CHI_84_not_for_two_and_without_fortifications(options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        tianxia.game("china", board="border", **options)


def test_CHI_84_posts_are_on_this_board_only() -> None:
    state = table("o1r2", "-", "-", palaces={1: "W1"})
    assert "no such space" in str(refusal(state, "post:P1/Wei:rr"))
    state = table("o1r2", "-", "-", palaces={1: "W1"}, board="border")
    assert refusal(state, "fort:W2:r") == "CHI-84"


@pytest.mark.parametrize("post", list(POSTS))
def test_CHI_85_a_card_of_each_or_two_of_one(post: str) -> None:
    one, other = sorted(PAIRS[post], key="vyogr".index)
    hands = (f"{one}2{other}1", f"{one}1{other}2")
    for held in hands:
        state = table(held, "-", "-", board="border")
        double = one if held.startswith(f"{one}2") else other
        names = [NAMES[letter] for letter in POSTS[post]]
        assert {t for t in legal(state, "post") if t[5:7] == post} == {
            f"post:{post}/{name}:{pay}" for name in names for pay in (one + other, double * 2)
        }
        play(state, f"post:{post}/{names[0]}:{one}{other}")
        assert (on(state, post), discard(state), hand(state, 0)) == (
            "0",
            f"{one}1{other}1",
            f"{double}1",
        )


def test_CHI_85_two_cards_of_one_are_paid() -> None:
    state = play(table("o2r1", "-", "-", board="border"), "post:P1/Wei:oo")
    assert (hand(state, 0), on(state, "P1")) == ("r1", "0")


def test_CHI_85_nothing_else_pays() -> None:
    state = table("y2r1", "-", "-", board="border")
    assert refusal(state, "post:P1/Wei:yy") == "CHI-85"  # a joker
    assert refusal(state, "post:P1/Wei:or") == "CHI-85"  # no orange card in hand
    assert refusal(state, "post:P1/Wei:rr") == "CHI-85"
    assert refusal(state, "palace:P1:r") == "CHI-85"  # one card
    assert refusal(state, "post:P2/Wei:yr") is None


def test_CHI_85_a_post_is_taken_once() -> None:
    state = table("o2r1", "-", "-", palaces={1: "P1"}, board="border")
    assert refusal(state, "post:P1/Wei:or") == "CHI-25"


def test_CHI_86_a_piece_after_the_post() -> None:
    state = table("o1r2", "-", "-", palaces={1: "W1"}, board="border")
    play(state, "post:P1/Wei:or")
    assert phase(state) == "more"
    assert legal(state) == {"stop", "emissary:Wei:r"} | {f"palace:W{n}:r" for n in (2, 3, 4, 5)}
    assert refusal(state, "palace:Z1:rr") == "CHI-14"
    play(state, "palace:W2:r")
    assert phase(state) == "take"


def test_CHI_86_a_post_after_the_piece() -> None:
    state = table("o1r2", "-", "-", palaces={1: "W1 Z1"}, board="border")
    play(state, "palace:W2:r")
    assert refusal(state, "post:P1/Zhao:or") == "CHI-14"
    play(state, "post:P1/Wei:or")
    assert (phase(state), hand(state, 0)) == ("take", "-")


def test_CHI_86_one_piece_in_an_empty_province() -> None:
    state = play(table("o1r2", "-", "-", board="border"), "post:P1/Wei:or")
    assert phase(state) == "take"
    state = play(table("o1r2", "-", "-", palaces={1: "Z1"}, board="border"), "post:P1/Wei:or")
    assert phase(state) == "take"  # the declared province was empty
    state = play(table("o2r1", "-", "-", palaces={1: "Z1"}, board="border"), "post:P1/Zhao:or")
    assert phase(state) == "more"  # the other one was, and it does not matter
    assert refusal(state, "palace:W1:r") == "CHI-14"
    assert refusal(state, "palace:Z2:o") is None


def test_CHI_86_in_an_empty_province_nothing_follows_a_palace() -> None:
    state = play(table("o1r2", "-", "-", palaces={1: "Z1"}, board="border"), "palace:W1:r")
    assert phase(state) == "take"


def test_CHI_86_the_third_card_pays_by_its_colour_only() -> None:
    state = play(table("o2r1", "-", "-", palaces={1: "W1"}, board="border"), "post:P1/Wei:oo")
    assert legal(state, "palace") == {f"palace:W{n}:r" for n in (2, 3, 4, 5)}
    state = play(table("o2g1", "-", "-", palaces={1: "W1"}, board="border"), "post:P1/Wei:oo")
    assert legal(state) == {"stop"}


ZHAO = "Z1 Z2 Z3 Z4 Z5"
WEI = "W1 W2 W3 W4 W5"


def test_CHI_87_it_completes_both_provinces() -> None:
    palaces = {0: "W1 W2 W3 Z1", 1: "W4 W5 Z2 Z3 Z4", 2: "Z5 P2"}
    state = table("o1r1", "-", "-", palaces=palaces, board="border")
    play(state, "post:P1/Wei:or")
    assert legal(state) == {"score:Wei"}
    play(state, "score:Wei")
    assert gained(state, "palaces") == places([4, 2, 1])
    assert legal(state) == {"score:Zhao"}
    play(state, "score:Zhao")
    wei, zhao = places([4, 2, 1]), places([2, 3, 1])
    assert gained(state, "palaces") == [a + b for a, b in zip(wei, zhao, strict=True)]


def test_CHI_87_a_province_is_not_full_without_its_posts() -> None:
    state = table("r3", "-", "-", palaces={0: "W1 W2 W3 W4"}, board="border")
    play(state, "palace:W5:r")
    assert phase(state) == "more"
    assert refusal(state, "post:P1/Wei:rr") is None
    assert set(province("border", "W")) == {*WEI.split(), "P1", "P2"}


def test_CHI_87_scored_in_both_at_the_end() -> None:
    state = finished(3, palaces={0: "P1", 1: "W1", 2: "Z1 Z2"}, board="border")
    told = by_chance(state)
    assert told[:2] == ["score:Wei", "score:Zhao"]
    assert gained(state, "palaces") == [2 + 2, 2, 3]


def test_CHI_87_it_makes_room_for_emissaries_in_both() -> None:
    state = table("o1r2", "-", "-", palaces={1: "P1"}, board="border")
    play(state, "emissary:Wei:r")
    assert refusal(state, "emissary:Wei:r") == "CHI-28"
    state = table("o3", "-", "-", palaces={1: "P1 Z1"}, board="border")
    play(state, "emissary:Zhao:o", "emissary:Zhao:o")
    assert emissaries(state, "Zhao") == "00"


def test_CHI_87_neither_province_is_empty_then() -> None:
    state = play(table("r3", "-", "-", palaces={1: "P1"}, board="border"), "palace:W1:r")
    assert phase(state) == "more"
    state = play(table("o3", "-", "-", palaces={1: "P1"}, board="border"), "palace:Z1:o")
    assert phase(state) == "more"


@pytest.mark.parametrize(
    ("own", "points"),
    [
        ("W2 W3 P1 Z1", 4),
        ("W1 W2 W3 P1", 4),
        ("W2 W3 P1 Z5 Z4", 5),
        ("W3 P1 Z1 W4", 0),  # a junction: three in a row at most
        ("W3 P1 Z1 W4 Z2 W2", 5),
    ],
)
def test_CHI_88_a_post_on_the_roads(own: str, points: int) -> None:
    state = finished(3, palaces={0: own}, board="border")
    by_chance(state)
    assert gained(state, "roads") == [points, 0, 0]


def test_CHI_88_a_palace_like_others() -> None:
    twenty = f"{WEI} {ZHAO} Q1 Q2 Q3 Q4 C1 C2 C3 C4 C5 H1"
    state = table("o1r1", "-", "-", palaces={0: twenty}, board="border")
    assert refusal(state, "post:P1/Wei:or") == "CHI-21"
    state = table("o1r1", "-", "-", palaces={0: "W1"}, board="border")
    play(state, "post:P1/Wei:or")
    assert phase(state) == "take"  # no card is left


def test_CHI_89_harbours_are_palace_spaces() -> None:
    state = table("y3", "-", "-", palaces={0: "Q1", 1: "Q2 Q3"}, board="border")
    play(state, "palace:Q4:y", "score:Qi")
    assert gained(state, "palaces") == [4, 4, 0]
    assert gained(state, "harbours") == [0, 0, 0]  # not before the end


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ((4, 2, 1), [7, 4, 2]),  # the example
        ((1, 0, 0), [1, 0, 0]),
        ((2, 2, 1), [5, 5, 2]),
        ((0, 3, 1), [0, 4, 3]),
        ((0, 0, 0), [0, 0, 0]),
    ],
)
def test_CHI_90_harbours_once_more(counts: tuple[int, ...], points: list[int]) -> None:
    left = ["Q3", "V2", "L2", "U5", "V1", "Q4", "V3"]
    palaces = {}
    for seat, count in enumerate(counts):
        palaces[seat], left = " ".join(left[:count]), left[count:]
    state = finished(3, palaces=palaces, board="border")
    told = by_chance(state)
    assert gained(state, "harbours") == points
    assert ("harbours" in told) == any(counts)


def test_CHI_90_also_in_provinces_that_were_scored() -> None:
    state = finished(
        3, palaces={0: "Q3", 1: "Q1 Q2 Q4"}, points=["3,0,0,0,0,0", "4,0,0,0,0,0"], board="border"
    )
    assert by_chance(state)[0] == "harbours"
    assert gained(state, "palaces") == [3, 4, 0]
    assert gained(state, "harbours") == [2, 2, 0]


def test_CHI_90_after_the_provinces_and_before_the_alliances() -> None:
    state = finished(3, palaces={0: "L2 Q3"}, emissaries={"Lu": "0", "Qi": "0"}, board="border")
    assert by_chance(state) == ["score:Qi", "score:Lu", "harbours", "alliance:12"]


# --- With tiles ---


def test_CHI_79_tiles_and_posts() -> None:
    """A palace on a post turns the tiles of each of its provinces of which it is the first."""
    state = table("o2r1", "-", "-", tiles=True, board="border")
    assert refusal(state, "post:P1/Wei:or") == "CHI-80"
    assert legal(state, "post") == set()
    play(state, "open:Wei", "turn:y", "turn:o")
    assert refusal(state, "post:P1/Zhao:or") == "CHI-80"
    play(state, "post:P1/Wei:or")
    assert phase(state) == "turning"
    play(state, "turn:g", "turn:g")
    found = re.split("[,/]", part(state, 7))
    assert [x for x in found if x[0] == "W"] == ["W1y", "W2o"]
    assert [x[2] for x in found if x[0] == "Z"] == ["g", "g"]
    assert part(state, 8) == "-/-/-"
    assert phase(state) == "take"


def test_CHI_80_a_post_beside_a_province_that_is_open() -> None:
    state = table(
        "o2r1",
        "-",
        "-",
        palaces={1: "W5"},
        turned={"W1": "y", "W2": "o"},
        tiles=True,
        board="border",
    )
    play(state, "post:P1/Wei:or")
    assert phase(state) == "turning"  # Zhao gets its first palace
    play(state, "turn:g", "turn:g")
    assert phase(state) == "more"
    state = table(
        "o2r1",
        "-",
        "-",
        palaces={1: "W5"},
        turned={"W1": "y", "W2": "o"},
        tiles=True,
        board="border",
    )
    assert refusal(state, "post:P1/Zhao:or") == "CHI-80"


def test_CHI_34_scored_before_tiles_are_turned() -> None:
    """A post that completes Wei and is the first palace of Zhao."""
    position = {"palaces": {0: "W1 W2 W3 P2", 1: "W4 W5"}, "turned": {"C2": "y", "C4": "g"}}
    taken = ("y1o1", "-", "-")
    state = table("o2r1", "-", "-", taken=taken, tiles=True, board="border", **position)  # type: ignore[arg-type]
    play(state, "post:P1/Wei:or")
    assert legal(state) == {"score:Wei"}
    play(state, "score:Wei")
    assert phase(state) == "turning"
    play(state, "turn:g", "turn:y")
    assert (phase(state), legal(state)) == ("more", {"stop"})
