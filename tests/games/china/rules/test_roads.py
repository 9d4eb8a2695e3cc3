"""Roads: the value is the best that any choice of chains gives, checked by trying them all."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

import tianxia
from tests.games.china.helpers import best_chains, roads
from tianxia.games.china.face import tally
from tianxia.games.china.rules.boards import BOARDS
from tianxia.games.china.rules.components import BOARD_NAMES
from tianxia.games.china.rules.roads import road_points

pytestmark = pytest.mark.rules

NAMES = {board: [space.name for space in BOARDS[board].spaces] for board in ("A", "B", "border")}


def value(board: str, palaces: set[str], forts: set[str]) -> int:
    """Ask the rules."""
    numbers = NAMES[board]
    bits = [sum(1 << numbers.index(space) for space in spaces) for spaces in (palaces, forts)]
    return int(road_points(BOARD_NAMES.index(board), *bits))


def connected(board: str, size: int, rng: random.Random) -> set[str]:
    near = roads(board)
    found = {rng.choice(NAMES[board])}
    while len(found) < size:
        found.add(rng.choice(sorted(set().union(*(near[space] for space in found)) - found)))
    return found


def cases() -> Iterator[tuple[str, set[str], set[str]]]:
    rng = random.Random(11)
    for number in range(240):
        board = rng.choice(sorted(NAMES))
        size = rng.randint(4, 13)
        palaces = connected(board, size, rng) if number % 3 else set(rng.sample(NAMES[board], size))
        forts = set(rng.sample(sorted(palaces), rng.choice((0, 0, 1, 2))))
        yield board, palaces, forts


def test_the_value_is_the_best_of_all_choices() -> None:
    branching = 0
    for board, palaces, forts in cases():
        expected = best_chains(board, palaces, forts)
        assert value(board, palaces, forts) == expected, (board, sorted(palaces), sorted(forts))
        branching += expected < len(palaces)
    assert branching > 60  # most of them leave something out: the choice matters


ROUND = [
    ("border", "W1 W2 W3 W4 W5 Z1 Z2 Z3 Z4 Z5 H1 H2 P1", "W2"),
    ("border", "W4 W5 Z1 Z2 Z3 Z4 Z5 C1 C2 H1 H2 P1 P2", "Z3"),
    ("B", "W1 W2 W3 W4 W5 W6 W7 Z1 Z6 Z7 C1 C2 C3 H1 H2", "Z1"),
]


@pytest.mark.parametrize(("board", "palaces", "fort"), ROUND)
def test_a_chain_is_found_from_its_middle(board: str, palaces: str, fort: str) -> None:
    """Here roads run in circles: a chain takes all, but begins nowhere with a dead end."""
    own = set(palaces.split())
    assert value(board, own, {fort}) == 2 * len(own)


def test_trying_knows_the_rulebook_example() -> None:
    assert best_chains("A", {"C2", "C4", "C6", "S1", "S2", "C5"}) == 5


def test_a_doubled_chain_is_worth_more_than_two_plain_ones() -> None:
    row = {"Z2", "Z3", "Q1", "Q2", "Q3", "Q4", "L3", "V2"}
    assert value("A", row, set()) == 8
    assert value("A", row, {"Q4"}) == 16
    assert value("A", row, {"Q4", "Z2"}) == 16


@pytest.mark.parametrize("seed", range(3))
def test_chains_shown_are_worth_what_the_roads_pay(seed: int) -> None:
    rng = random.Random(seed)
    palaces = connected("B", 16, rng)
    fort = rng.choice(sorted(palaces))
    groups = []
    for letter in "WZQCHLSUV":
        names = [name for name in NAMES["B"] if name[0] == letter]
        marks = ("a" if name == fort else "0" if name in palaces else "." for name in names)
        groups.append("".join(marks))
    scored = "".join(".x"["." not in group] for group in groups)
    state = tianxia.position(
        f"china(players=4,board=b,fortifications=yes) * turn 0/0 40/40 {'/'.join(groups)}"
        f" -/-/-/-/-/-/-/-/- {scored} - - v9y10o10g11r12 v9y10o10g11r12 - - -/-/-/- -/-/-/-"
        f" -/-/-/- {'/'.join(['0,0,0,0,0,0'] * 4)} 0 - 0111 -"
    )
    chains = tally.chains(state, 0)
    near = roads("B")
    for chain in chains:
        assert len(chain) >= 4
        assert all(b in near[a] for a, b in itertools.pairwise(chain))
    used = [space for chain in chains for space in chain]
    assert len(set(used)) == len(used)
    assert set(used) <= palaces
    worth = sum(len(chain) * (2 if fort in chain else 1) for chain in chains)
    assert worth == value("B", palaces, {fort})
