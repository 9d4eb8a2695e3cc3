"""BIN-21a to BIN-23: terrain."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import (
    FIELD,
    begin,
    field,
    legal,
    odds,
    part,
    phase,
    play,
    random_game,
    refusal,
    total,
    units,
)
from tianxia import CHANCE
from tianxia.kernel.errors import NotationError

pytestmark = pytest.mark.rules

NINE = "r8 o8 y8 g8 b8 p8 r3 y3 b3"
MAP = ",".join(name for name in FIELD if name in NINE.split())


def in_one_piece(closed: set[str]) -> bool:
    free = set(FIELD) - closed
    reached = {min(free)}
    while more := {name for near in reached for name in FIELD[near]} & free - reached:
        reached |= more
    return reached == free


def test_BIN_21a_nine_markers_before_the_colours_are_drawn() -> None:
    state = tianxia.game("binfa", level=2).new()
    assert phase(state) == "mapping"
    assert odds(state) == dict.fromkeys(FIELD, 1)  # any triangle of the field
    for count, name in enumerate(NINE.split()):
        assert phase(state) == "mapping", count
        play(state, name)
        if count < 8:
            assert name not in odds(state)
            assert refusal(state, name, CHANCE) == "BIN-21a"
    assert part(state, "map") == MAP
    assert phase(state) == "colours"


def test_BIN_21a_by_the_players_in_turn() -> None:
    state = tianxia.game("binfa", level=2, players=3, map="placed").new()
    for count, name in enumerate(NINE.split()):
        assert state.acting == (count % 3,)
        play(state, name)
    assert phase(state) == "colours"


def test_BIN_21b_nothing_is_cut_off() -> None:
    state = play(tianxia.game("binfa", level=2).new(), "p16")
    # r10 lies between p16 and r11 only.
    assert refusal(state, "r11", CHANCE) == "BIN-21b"
    assert "r11" not in odds(state)
    assert {"r5", "r12"} <= set(odds(state))


def test_BIN_21b_nor_by_a_player() -> None:
    state = play(tianxia.game("binfa", level=2, map="placed").new(), "r1 o3 g1 b1 p1")
    # y1 and o1 are in the middle, with only y3 to leave by.
    assert refusal(state, "y3") == "BIN-21b"
    assert "y3" not in legal(state)


@pytest.mark.parametrize("seed", range(5))
def test_BIN_21b_exactly_what_would_cut_off_is_forbidden(seed: int) -> None:
    for state in random_game(9, seed, level=2):
        closed = set(part(state, "map").split(",")) - {""}
        allowed = {name for name in set(FIELD) - closed if in_one_piece(closed | {name})}
        assert set(odds(state)) == allowed


def test_BIN_21b_a_map_in_pieces_is_refused() -> None:
    whole = field("r5:6r o5:6o", level=2, terrain="r3 p16 g8 b8 p8 y8 o8 g6 b6").notation()
    with pytest.raises(NotationError):
        tianxia.position(whole.replace("map=r3,", "map=r11,"))


def test_BIN_22_nothing_is_placed_on_terrain() -> None:
    state = tianxia.game("binfa", level=2).new()
    play(state, f"{NINE} colour:r colour:o")
    assert legal(state, 0) == {n for n in FIELD if n[0] == "r"} - {"r3", "r8"}
    assert refusal(state, "r8", 0) == "BIN-22"


def test_BIN_22_nothing_moves_onto_terrain() -> None:
    state = field("r5:6r y13:6o", level=2, terrain="r6 p9")
    play(state, "roll 6-1")
    assert legal(state) == {"r5-r11"}
    assert refusal(state, "r5-r6") == "BIN-22"
    assert refusal(state, "r5-p9") == "BIN-22"


def test_BIN_22_nor_does_it_retreat_there() -> None:
    state = field("r4:4r o2:2o r13:2r o13:6o", level=2, terrain="o3")
    play(state, "r4xo2 6-2")
    assert units(state)["o6"] == "2o"
    state = field("r4:4r o2:1o o6:2r o13:6o", level=2, terrain="o3")
    play(state, "r4xo2 6-2")
    assert total(state, "o") == 6


def test_BIN_22_terrain_cannot_be_attacked() -> None:
    state = field("r5:6r y13:6o", level=2, terrain="r6")
    assert refusal(state, "r5xr6") == "BIN-14a"


@pytest.mark.parametrize(
    ("terrain", "sides"), [("r2", "r4:2r"), ("r4", "r2:2r"), ("r2 r4", "r13:2r")]
)
def test_BIN_23_terrain_is_a_closed_side(terrain: str, sides: str) -> None:
    state = field(f"r3:3o p1:2r {sides} y13:6o", level=2, terrain=terrain)
    play(state, "roll 2-1 p1-r1 2")
    assert "r3" not in units(state)
    assert total(state, "o") == 6


def test_BIN_23_one_enemy_unit_is_still_too_few() -> None:
    state = field("r3:3o p1:2r r13:2r y13:6o", level=2, terrain="r2 r4")
    play(state, "roll 2-1 p1-r1 1")
    assert units(state)["r3"] == "3o"


def test_BIN_23_at_the_border() -> None:
    state = field("r12:3o r7:4r y13:6o", level=2, terrain="r11")
    play(state, "roll 2-1 r7-r13 4")
    assert "r12" not in units(state)


def test_BIN_23_terrain_with_an_open_side_captures_nobody() -> None:
    state = field("r3:3o p1:2r r13:2r y13:6o", level=2, terrain="r2 r4")
    play(state, "roll 2-1 r13-r12 1")
    assert units(state)["r3"] == "3o"


@pytest.mark.parametrize("name", ["ranges", "valley", "citadel", "spiral", "passes", "narrows"])
def test_BIN_21b_every_map_is_in_one_piece(name: str) -> None:
    for seed in range(3):
        state = begin("placing", level=2, map=name, seed=seed)
        assert in_one_piece(set(part(state, "map").split(",")))
