"""CHI-50 to CHI-59: the final scoring (examples 6 and 7)."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from tests.games.china.helpers import (
    ALLIANCES,
    LETTERS,
    PROVINCES,
    alliance,
    best_chains,
    by_chance,
    finished,
    gained,
    places,
    province,
    spaces,
)
from tianxia.games.china.face import tally

pytestmark = pytest.mark.rules

NAMES = dict(zip(LETTERS, PROVINCES, strict=True))
NEIGHBOURS = [(NAMES[one], NAMES[other]) for one, other in ALLIANCES]
FIRST = dict(zip(PROVINCES, (f"{letter}1" for letter in LETTERS), strict=True))


def allied(there: dict[str, str]) -> tuple[list[str], list[int]]:
    """Score emissaries; return the alliances that paid and the points by seat.

    The last seat has as many palaces as they need.
    """
    palaces = [
        space
        for name, owners in there.items()
        for space in province("A", LETTERS[PROVINCES.index(name)])[: len(owners)]
    ]
    state = finished(3, palaces={2: " ".join(palaces)}, emissaries=there)
    told = by_chance(state)
    return [token for token in told if token.startswith("alliance")], gained(state, "alliances")


def test_CHI_50_provinces_without_a_token() -> None:
    palaces = {0: " ".join(province("A", "Q")) + " W1 W2 W3", 1: "W4 H1", 2: "H2"}
    state = finished(3, palaces=palaces, points=["5,0,0,0,0,0"])
    told = by_chance(state)
    assert told[:2] == ["score:Wei", "score:Han"]
    assert gained(state, "palaces") == [5 + 4, 3 + 2, 2]


@pytest.mark.parametrize("counts", [(3, 1, 0), (2, 2, 1), (1, 1, 1), (0, 0, 2), (1, 0, 3)])
def test_CHI_50_as_during_the_game(counts: tuple[int, ...]) -> None:
    left = list(province("A", "U"))
    palaces = {
        seat: " ".join(left.pop() for _ in range(count)) for seat, count in enumerate(counts)
    }
    state = finished(3, palaces=palaces)
    by_chance(state)
    assert gained(state, "palaces") == places(counts)


def test_CHI_50_scored_before_alliances_and_roads() -> None:
    palaces = {0: "C1 C2 C4 C6 W1"}
    state = finished(3, palaces=palaces, emissaries={"Wei": "0", "Chin": "0"})
    assert by_chance(state) == ["score:Wei", "score:Chin", "alliance:3", "roads:0"]


def test_CHI_51_from_1_to_15() -> None:
    state = finished(
        3,
        palaces={1: " ".join(FIRST.values())},
        emissaries={**dict.fromkeys(PROVINCES[:8], "0"), "Wu": "0"} | {"Shu": "1", "Wu": "1"},
    )
    told = [token for token in by_chance(state) if token.startswith("alliance")]
    inside = [n for n, pair in enumerate(NEIGHBOURS, 1) if not {"Shu", "Wu"} & set(pair)]
    assert told == [f"alliance:{n}" for n in inside]


@pytest.mark.parametrize(("number", "pair"), list(enumerate(NEIGHBOURS, 1)))
def test_CHI_51_each_of_the_fifteen(number: int, pair: tuple[str, str]) -> None:
    assert allied(dict.fromkeys(pair, "0")) == ([f"alliance:{number}"], [2, 0, 0])


def test_CHI_51_only_neighbours_are_allied() -> None:
    apart = {
        pair for pair in combinations(PROVINCES, 2) if not {pair, pair[::-1]} & set(NEIGHBOURS)
    }
    assert len(apart) == 21
    for pair in apart:
        assert allied(dict.fromkeys(pair, "0")) == ([], [0, 0, 0])


@pytest.mark.parametrize(
    ("wei", "zhao", "points"),
    [
        ("0", "0", [2, 0, 0]),
        ("0", "1", [0, 0, 0]),  # one majority each
        ("001", "011", [0, 0, 0]),
        ("01", "01", [4, 4, 0]),  # level in both
        ("01", "0", [3, 0, 0]),  # level in one
        ("012", "12", [0, 5, 5]),
        ("0", "", [0, 0, 0]),  # both have no emissary in Zhao
        ("001", "0012", [7, 0, 0]),
    ],
)
def test_CHI_52_the_most_in_both(wei: str, zhao: str, points: list[int]) -> None:
    assert allied({"Wei": wei, "Zhao": zhao})[1] == points


@pytest.mark.parametrize(
    ("wei", "zhao", "points"),
    [
        ("001122", "00", [8, 0, 0]),
        ("0001", "0011", [8, 0, 0]),
        ("001122", "001122", [12, 12, 12]),
        ("000122", "0122", [0, 0, 0]),
    ],
)
def test_CHI_53_all_emissaries_of_both(wei: str, zhao: str, points: list[int]) -> None:
    assert allied({"Wei": wei, "Zhao": zhao})[1] == points


def test_CHI_54_one_province_serves_several_alliances() -> None:
    """Zhao lies beside Wei (1), Qi (8) and Han (9), Wei beside Han (2)."""
    there = {"Wei": "0", "Zhao": "00", "Qi": "0", "Han": "01"}
    told, points = allied(there)
    assert told == ["alliance:1", "alliance:2", "alliance:8", "alliance:9"]
    assert points == [3 + 3 + 3 + 4, 0, 0]


@pytest.mark.parametrize("seed", range(10))
def test_CHI_54_by_the_letter(seed: int) -> None:
    rng = random.Random(seed)
    there = dict.fromkeys(PROVINCES, "")
    for seat in "0123":
        for _ in range(rng.randrange(4, 8)):
            name = rng.choice(PROVINCES)
            if len(there[name]) < 4:
                there[name] += seat
    count = {name: [owners.count(seat) for seat in "0123"] for name, owners in there.items()}
    expected = [0] * 4
    for one, other in NEIGHBOURS:
        expected = [
            a + b for a, b in zip(expected, alliance(count[one], count[other]), strict=True)
        ]
    palaces = {0: "", 1: "", 2: "", 3: ""}
    for number, letter in enumerate(LETTERS):
        palaces[number % 4] += " " + " ".join(province("A", letter)[:4])
    state = finished(4, palaces=palaces, emissaries=there, board="A")
    by_chance(state)
    assert gained(state, "alliances") == expected


def test_CHI_55_example_6() -> None:
    """Wei: Blue 1, Red 1. Ch'in: Blue 2, Red 1, Green 1. Shu: Violet 2, Blue 1."""
    palaces = {0: "C2 C4 C5 C6 W1 W2", 2: "S3 S4 S5"}
    there = {"Wei": "03", "Chin": "0013", "Shu": "022"}
    state = finished(4, palaces=palaces, emissaries=there)
    told = [token for token in by_chance(state) if token.startswith("alliance")]
    assert told == ["alliance:3"]
    assert gained(state, "alliances") == [6, 0, 0, 0]


def on_roads(board: str, own: str, forts: str = "") -> int:
    """Return what the roads bring to the owner of these palaces."""
    players = {"A": 3, "B": 4, "border": 3}[board]
    options = {"fortifications": True, "left": "1" * players} if forts else {}
    if forts:
        options["left"] = "0" * len(forts.split()) + "1" * (players - len(forts.split()))
    state = finished(players, palaces={0: own}, forts=forts, board=board, **options)
    by_chance(state)
    assert gained(state, "roads")[1:] == [0] * (players - 1)
    return gained(state, "roads")[0]


@pytest.mark.parametrize("length", range(1, 9))
def test_CHI_56_a_point_for_each_palace_of_a_chain(length: int) -> None:
    row = ["W1", "W2", "W3", "Z1", "Z2", "Z3", "Q1", "Q2"]
    assert on_roads("A", " ".join(row[:length])) == (length if length >= 4 else 0)


def test_CHI_56_all_chains_count() -> None:
    assert on_roads("A", "W1 W2 W3 Z1 S1 S2 S3 S4 S5") == 4 + 5
    state = finished(3, palaces={0: "W1 W2 W3 Z1", 1: "S1 S2 S3 S4 S5"})
    assert by_chance(state)[-2:] == ["roads:0", "roads:1"]
    assert gained(state, "roads") == [4, 5, 0]


def test_CHI_56_others_palaces_interrupt_a_chain() -> None:
    state = finished(3, palaces={0: "W1 W2 Z1 Z2", 1: "W3"})
    by_chance(state)
    assert gained(state, "roads") == [0, 0, 0]


def test_CHI_56_roads_are_roads() -> None:
    """W3 and W4 are joined on side A; W2 and W4 are not, though near."""
    assert on_roads("A", "W2 W3 W4 W5") == 4
    assert on_roads("A", "W1 W2 W4 W5") == 0


@pytest.mark.parametrize(
    ("board", "own", "points"),
    [
        ("B", "C1 C2 C3 C4", 0),  # a fork: three at most in a row
        ("B", "C1 C2 C3 C4 C6", 4),
        ("B", "C1 C2 C3 C4 C5 C6", 4),
        ("B", "W6 C1 C2 C3 C4 C5 C6 S1", 8),  # W6 C1 C2 C3 and C5 C4 C6 S1, not the long row
        ("A", "W2 W3 W4 W5 Z1", 4),  # over W3 goes one chain only
        ("A", "W1 W2 W3 W4 W5 W6 Z1 Z2", 6),
        ("A", "Z1 Z2 Z3 Z4 Z5 Z6 W3 W4", 8),  # once around: no palace twice
        ("A", "U1 U2 U3 U4 U8 H4 L4 V1", 8),  # U8 U1 U2 H4 and L4 U3 U4 V1
        ("B", "Z1 Z2 Z3 Z4 Z5 Z6 Z7 W3 W2 W1 Q1 Q2", 12),
    ],
)
def test_CHI_57_chains_do_not_fork(board: str, own: str, points: int) -> None:
    assert on_roads(board, own) == points


def test_CHI_57_a_palace_is_in_one_chain() -> None:
    """A cross of two rows with one palace in common: only one row counts whole."""
    cross = ["L1", "L2", "L3", "L4", "Q4", "Q5", "V2"]
    assert on_roads("A", " ".join(cross)) == best_chains("A", cross)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("board", ["A", "B", "border"])
def test_CHI_57_the_most_that_chains_can_bring(board: str, seed: int) -> None:
    """Compared with a search that tries everything; palaces in clusters, with forks."""
    rng = random.Random(f"{board}{seed}")
    letters = rng.sample(LETTERS, 4)
    near = [x for x in spaces(board) if x[0] in letters or x[0] == "P"]
    own = rng.sample(near, min(len(near), 19)) if len(near) > 19 else near
    assert on_roads(board, " ".join(own)) == best_chains(board, own)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("board", ["A", "B"])
def test_CHI_65_the_most_with_fortifications(board: str, seed: int) -> None:
    """Two strong palaces may be worth more in two chains than in one."""
    rng = random.Random(f"{board}{seed} strong")
    letters = rng.sample(LETTERS, 3)
    near = [x for x in spaces(board) if x[0] in letters]
    own = rng.sample(near, min(len(near), 18))
    strong = rng.sample(own, 2)
    found = on_roads(board, " ".join(own), " ".join(strong))
    assert found == best_chains(board, own, strong)


@pytest.mark.parametrize("board", ["A", "B"])
def test_CHI_58_example_7(board: str) -> None:
    """Through Ch'in and Shu; C5 is on a branch."""
    assert on_roads(board, "C2 C4 C6 S1 S2 C5") == 5


def test_CHI_58_the_chain_itself() -> None:
    state = finished(3, palaces={0: "C2 C4 C6 S1 S2 C5"})
    by_chance(state)
    (chain,) = tally.chains(state, 0)
    assert list(chain) in (["C2", "C4", "C6", "S1", "S2"], ["S2", "S1", "C6", "C4", "C2"])


@pytest.mark.parametrize("own", ["W1 W2 W3", "W1 W2 W3 S1 S2 S3", "H1 H2 Z5"])
def test_CHI_59_three_are_too_few(own: str) -> None:
    assert on_roads("A", own) == 0


def test_CHI_59_nor_with_a_fortification() -> None:
    assert on_roads("A", "W1 W2 W3", "W2") == 0
