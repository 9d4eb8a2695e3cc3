"""Maps: what chance makes is whole and varied, the library is sound, texts are read."""

from __future__ import annotations

import random

import pytest

import tianxia
from tianxia.games.binfa import maps
from tianxia.games.binfa.components import NEIGHBOURS
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


def test_a_game_begins_on_a_map_of_ones_own() -> None:
    text = "r6,o6/r13,y13,b13"
    state = maps.start(text, players=3)
    assert f"map={text}" in state.notation()
    assert tianxia.replay(state.transcript()) == state
    nine = "r6,o6,o8,y6,g6,g8,b6,p6,p8"
    assert maps.start(nine, level=2).notation().endswith(f" map={nine}")
    with pytest.raises(NotationError):
        maps.start("r6", level=4)  # whirlpools are missing
    with pytest.raises(OptionError):
        maps.start("r6", level=2)  # nine markers are needed
    with pytest.raises(TianxiaError, match="follows from the map"):
        maps.start(text, map="valley")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("r6/o6/y6", "one stroke"),
        ("r17", "no triangle"),
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
