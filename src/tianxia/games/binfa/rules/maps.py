"""Maps: terrain and whirlpools as text, a small library, and maps of one's own.

A map is written as its terrain and, after a stroke, its whirlpools, each triangles with
commas between: ``r6,o6/r13,y13,b13``. Without whirlpools there is no stroke. As the value of
the option `map` it is written without commas: ``r6o6/r13y13b13``.
"""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.rules import components as c
from tianxia.kernel.errors import N_, NotationError, OptionError

LONGEST_MAP = 200
"""Characters of a map that somebody writes."""
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
        masks[int(c.HALF_OF[t])] |= int(c.BIT_OF[t])
    return masks[0], masks[1]


def triangles_of(halves: NDArray[np.int64] | Halves) -> list[int]:
    """Return the triangles of two masks, in order."""
    masks = int(halves[0]) | int(halves[1]) << c.HALF
    return [t for t in range(masks.bit_length()) if masks >> t & 1]


def write(terrain: NDArray[np.int64] | Halves, pools: NDArray[np.int64] | Halves) -> str:
    """Return a map as text."""
    parts = [",".join(map(c.triangle_name, triangles_of(part))) for part in (terrain, pools)]
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
            N_("a map is its terrain, one stroke, its whirlpools, as r6,o6/r13,y13,b13, not {map}"),
            map=f"{text!r}",
        )
    parts += [""] * (2 - len(parts))
    lists = [[c.triangle_number(name) for name in part.split(",") if part] for part in parts]
    terrain, pools = lists
    if len(terrain) > c.TERRAIN or len(pools) > c.POOLS:
        raise NotationError(
            N_("{map}: at most {terrain} terrain markers and {pools} whirlpools"),
            map=f"{text!r}",
            terrain=c.TERRAIN,
            pools=c.POOLS,
        )
    if any(part != sorted(set(part)) for part in lists) or set(terrain) & set(pools):
        raise NotationError(
            N_("{map}: every triangle once, in order: r1 to r16, o1, … p16"), map=f"{text!r}"
        )
    if not in_one_piece([*terrain, *pools]):
        raise NotationError(N_("{map} cuts off a part of the field (BIN-21b)"), map=f"{text!r}")
    return halves_of(terrain), halves_of(pools)


def in_one_piece(closed: list[int]) -> bool:
    """Say whether one can walk from every triangle that is not closed to every other."""
    left = set(range(c.TRIANGLES)) - set(closed)
    fresh = [left.pop()]
    while fresh:
        near = [t for t in c.NEIGHBOURS[fresh.pop()].tolist() if t in left]
        left -= set(near)
        fresh += near
    return not left


_READ = [read(text) for text in LIBRARY.values()]
NAMED_TERRAIN: NDArray[np.int64] = np.array([terrain for terrain, _ in _READ])
NAMED_POOLS: NDArray[np.int64] = np.array([pools for _, pools in _READ])
"""By map of the library: shape (maps, 2)."""


# --- Maps of one's own ---

MARKER = re.compile(r"[a-z]+[0-9]*|[^\s,;/]", re.IGNORECASE)


def read_own(text: str) -> str:
    """Return a map as somebody wrote it, in any order, as it is kept: ``r6o6/r13y13b13``.

    Raises
    ------
    TianxiaError
        Naming what is wrong: see `read`; also where a triangle is named twice.
    """
    if len(text) > LONGEST_MAP:
        raise NotationError(
            N_("a map has at most {most} characters, not {given}"),
            most=LONGEST_MAP,
            given=len(text),
        )
    parts = [sorted(_numbers(part)) for part in text.split("/")]
    named = sorted(t for part in parts for t in part)
    twice = [c.triangle_name(a) for a, b in pairwise(named) if a == b]
    if twice:
        raise NotationError(N_("{triangle} stands twice in the map"), triangle=twice[0])
    commas = "/".join(",".join(map(c.triangle_name, part)) for part in parts)
    return write(*read(commas)).replace(",", "")


def _numbers(part: str) -> list[int]:
    return [c.triangle_number(name.lower()) for name in MARKER.findall(part)]


def chart(text: str) -> list[int]:
    """Return terrain and whirlpools of a map as it is kept, as four masks."""
    parts = (",".join(MARKER.findall(part)) for part in text.split("/"))
    terrain, pools = read("/".join(parts))
    return [*terrain, *pools]


def wrong_for(level: int, text: str) -> OptionError | None:
    """Say why a map that is kept is none for a level, or None."""
    masks = chart(text)
    terrain = len(triangles_of((masks[0], masks[1])))
    pools = len(triangles_of((masks[2], masks[3])))
    if level < 4 and pools:
        return OptionError(
            N_("map: level {level} has no whirlpools; leave out the stroke and what follows it"),
            level=level,
        )
    if level < 4 and terrain != c.TERRAIN:
        return OptionError(
            N_("map: level {level} has {right} terrain markers, this map {terrain}"),
            level=level,
            right=c.TERRAIN,
            terrain=terrain,
        )
    if level == 4 and pools != c.POOLS:
        return OptionError(
            N_("map: level 4 has {right} whirlpools, after the stroke; this map {pools}"),
            right=c.POOLS,
            pools=pools,
        )
    return None


__all__ = ["LIBRARY", "NAMES", "read", "read_own", "write"]
