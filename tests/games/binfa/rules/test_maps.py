"""Maps: what chance makes is whole and varied, the library is sound, texts are read."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.games.binfa.helpers import part
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.components import NEIGHBOURS
from tianxia.kernel.errors import NotationError, OptionError, TianxiaError


def made(spec: str, seed: int) -> tuple[list[int], list[int]]:
    """Let chance make a map; return terrain and whirlpools."""
    state = tianxia.game(spec).new()
    chooser = random.Random(seed)
    while state.notation().split()[2] == "mapping":
        actions, weights = zip(*state.chance_weights(), strict=True)
        state.apply(chooser.choices(actions, weights)[0])
    fields = state.fields
    return maps.triangles_of(fields["terrain"].tolist()), maps.triangles_of(
        fields["pools"].tolist()
    )


@pytest.mark.parametrize("kind", ["random", "ranges"])
def test_a_map_of_chance_is_in_one_piece_and_never_the_same(kind: str) -> None:
    seen = set()
    for seed in range(30):
        terrain, pools = made(f"binfa(map={kind})", seed)
        assert (len(terrain), len(pools)) == (9, 3)
        assert maps.in_one_piece([*terrain, *pools])
        seen.add(tuple(terrain))
    assert len(seen) == 30


def touching(terrain: list[int]) -> int:
    return sum(other in terrain for t in terrain for other in NEIGHBOURS[t].tolist()) // 2


def test_ranges_are_chains() -> None:
    chains = [touching(made("binfa(map=ranges)", seed)[0]) for seed in range(30)]
    even = [touching(made("binfa", seed)[0]) for seed in range(30)]
    assert sum(chains) > 3 * sum(even)


@pytest.mark.parametrize("name", maps.LIBRARY)
def test_the_library_is_whole_with_and_without_whirlpools(name: str) -> None:
    terrain, pools = (maps.triangles_of(part) for part in maps.read(maps.LIBRARY[name]))
    assert (len(terrain), len(pools)) == (9, 3)
    assert maps.in_one_piece([*terrain, *pools])
    assert maps.in_one_piece(terrain)
    state = tianxia.game("binfa", map=name).new()
    assert f"map={maps.LIBRARY[name]}" in state.notation()


NINE = "r6o6o8y6g6g8b6p6p8"


@pytest.mark.parametrize("text", ["r6,o6/r13,y13,b13", "O6 r6 / b13 y13 r13", "r6o6/r13y13b13"])
def test_a_game_begins_on_a_map_of_ones_own(text: str) -> None:
    game = tianxia.game("binfa", map=text, players=3)
    assert game.spec == "binfa(players=3,map=r6o6/r13y13b13)"
    assert tianxia.game(game.spec) == game
    state = game.new()
    assert state.notation() == f"{game.spec} * colours - 0/0 map=r6,o6/r13,y13,b13"
    assert tianxia.position(state.notation()) == state
    assert tianxia.replay(state.transcript()) == state


def test_maps_of_ones_own_without_whirlpools_and_without_terrain() -> None:
    state = tianxia.game("binfa", map=NINE, level=2).new()
    assert maps.read_own(part(state, "map")) == NINE
    assert part(tianxia.game("binfa", map="/r13,y13,b13").new(), "map") == "/r13,y13,b13"


def test_a_position_has_the_map_that_its_options_hold() -> None:
    with pytest.raises(NotationError, match="options name"):
        tianxia.position("binfa(map=r6o6/r13y13b13) * colours - 0/0 map=r6,o7/r13,y13,b13")


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"map": "r6"}, "3 whirlpools.* this map 0"),
        ({"map": "r6", "level": 2}, "9 terrain markers, this map 1"),
        ({"map": f"{NINE}/r13y13b13", "level": 3}, "level 3 has no whirlpools"),
        ({"map": "r6o6/r13y13b13", "terrain": 2}, "leave terrain out"),
        ({"map": NINE, "level": 1}, "leave map out"),
        ({"map": "r6,r6/r13,y13,b13"}, "r6 stands twice"),
        ({"map": "r6/r6,y13,b13"}, "r6 stands twice"),
        ({"map": "r17/r13,y13,b13"}, "'r17' is not a triangle"),
        ({"map": "vallez"}, "'vallez' is not a triangle.* valley, .* or a text such as"),
        ({"map": "r6!/r13,y13,b13"}, "'!' is not a triangle"),
        ({"map": "r11,p16/r13,y13,b13"}, "cuts off"),
        ({"map": "r6/o6/y6"}, "one stroke"),
        ({"map": "r6" * 200}, "at most 200 characters"),
    ],
)
def test_what_is_no_map_for_a_game_is_refused_with_a_reason(
    options: dict[str, object], hint: str
) -> None:
    with pytest.raises(OptionError, match=hint):
        tianxia.game("binfa", **options)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("r6/o6/y6", "one stroke"),
        ("r17", "not a triangle"),
        ("o6,r6", "in order"),
        ("r6,r6", "once"),
        ("r6/r6", "once"),
        ("r11,p16", "cuts off"),
        ("r1,r2,r3,r4,r5,r6,r7,r8,r9,r10", "at most 9"),
    ],
)
def test_what_is_no_map_is_refused_with_a_reason(text: str, hint: str) -> None:
    with pytest.raises(TianxiaError, match=hint):
        maps.read(text)
