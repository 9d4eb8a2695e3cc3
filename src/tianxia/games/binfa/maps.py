"""Maps: terrain and whirlpools as text, a small library, and games begun on a map.

A map is written as its terrain and, after a stroke, its whirlpools, each triangles with
commas between: ``r6,o6/r13,y13,b13``. Without whirlpools there is no stroke.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.components import (
    BIT_OF,
    HALF,
    HALF_OF,
    NEIGHBOURS,
    POOLS,
    TERRAIN,
    TRIANGLES,
    triangle_name,
    triangle_number,
)
from tianxia.kernel.errors import NotationError, TianxiaError
from tianxia.kernel.state import State

GENERATED = ("random", "ranges", "placed")
LIBRARY = {
    # Two walls, a way between them from west to east, a whirlpool at the centre.
    "valley": "r2,r3,r4,o2,y4,g2,g3,g4,p4/r1,r7,g7",
    # A ring of rocks with three gates.
    "citadel": "r6,o6,o8,y6,g6,g8,b6,p6,p8/r13,y13,b13",
    # A chain that winds from the centre outwards.
    "spiral": "r3,r4,o2,o3,o4,o8,o9,y5,y6/g7,b13,p7",
    # A wall from west to east with four passes.
    "passes": "r1,o1,o8,o9,o15,p1,p5,p6,p11/r13,g13,b5",
    # North and south are cut in two; the only way leads past the centre.
    "narrows": "r1,r3,r7,r13,o6,g3,g7,g13,b6/o13,y13,p13",
    # Single rocks, far from one another.
    "steppe": "r3,r12,o6,o14,y3,y13,g8,b5,p8/r8,g13,p2",
}
NAMES = (*GENERATED, *LIBRARY)
"""The values of the option `map`."""

Halves = tuple[int, int]


def halves_of(triangles: list[int]) -> Halves:
    """Return a set of triangles as two masks."""
    masks = [0, 0]
    for t in triangles:
        masks[int(HALF_OF[t])] |= int(BIT_OF[t])
    return masks[0], masks[1]


def triangles_of(halves: NDArray[np.int64] | Halves) -> list[int]:
    """Return the triangles of two masks, in order."""
    return [t for t in range(TRIANGLES) if int(halves[t // HALF]) >> t % HALF & 1]


def write(terrain: NDArray[np.int64] | Halves, pools: NDArray[np.int64] | Halves) -> str:
    """Return a map as text."""
    parts = [",".join(map(triangle_name, triangles_of(part))) for part in (terrain, pools)]
    return "/".join(parts) if parts[1] else parts[0]


def read(text: str) -> tuple[Halves, Halves]:
    """Return terrain and whirlpools of a map.

    Raises
    ------
    NotationError
        Saying what is wrong: no such triangle, one named twice, too many markers, or a
        part of the field that is cut off (BIN-21b).
    """
    parts = text.split("/")
    if len(parts) > 2:
        raise NotationError(
            f"a map is its terrain, one stroke, its whirlpools, as r6,o6/r13,y13,b13, not {text!r}"
        )
    parts += [""] * (2 - len(parts))
    lists = [[triangle_number(name) for name in part.split(",") if part] for part in parts]
    terrain, pools = lists
    if len(terrain) > TERRAIN or len(pools) > POOLS:
        raise NotationError(f"{text!r}: at most {TERRAIN} terrain markers and {POOLS} whirlpools")
    if any(part != sorted(set(part)) for part in lists) or set(terrain) & set(pools):
        raise NotationError(f"{text!r}: every triangle once, in order: r1 to r16, o1, … p16")
    if not in_one_piece([*terrain, *pools]):
        raise NotationError(f"{text!r} cuts off a part of the field (BIN-21b)")
    return halves_of(terrain), halves_of(pools)


def in_one_piece(closed: list[int]) -> bool:
    """Say whether one can walk from every triangle that is not closed to every other."""
    left = set(range(TRIANGLES)) - set(closed)
    fresh = [left.pop()]
    while fresh:
        near = [t for t in NEIGHBOURS[fresh.pop()].tolist() if t in left]
        left -= set(near)
        fresh += near
    return not left


_READ = [read(text) for text in LIBRARY.values()]
NAMED_TERRAIN: NDArray[np.int64] = np.array([terrain for terrain, _ in _READ])
NAMED_POOLS: NDArray[np.int64] = np.array([pools for _, pools in _READ])
"""By map of the library: shape (maps, 2)."""


def start(text: str, **options: object) -> State:
    """Return the start of a game on a map that is given as text.

    Parameters
    ----------
    text
        The map, with three whirlpools at level 4 and none at the levels below.
    options
        Those of the game, but for `map` and `terrain`.

    Raises
    ------
    NotationError
        Where the map is none, or not one for this level.
    """
    from tianxia.kernel.registry import game, position

    text = re.sub(r"\s", "", text)
    terrain, _ = read(text)
    count = len(triangles_of(terrain))
    for name in ("map", "terrain"):
        if name in options:
            raise TianxiaError(f"{name} follows from the map that is given")
    wanted = game("binfa", **options, map="placed", terrain=count)
    place = f" map={text}" if text else ""
    return position(f"{wanted.spec} * colours - 0/0{place}")


__all__ = ["LIBRARY", "NAMES", "read", "start", "write"]
