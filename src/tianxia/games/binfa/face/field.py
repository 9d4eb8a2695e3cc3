"""Where the field of Bin'Fa lies in its picture: triangles, circles and sides, seen by an army.

The picture is turned so that the sector of the viewer's first army lies below.
"""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import NamedTuple

from tianxia.games.binfa.rules.components import CIRCLES, COLOURS, ROWS, SIDE

EDGE = 100.0
"""Length of a triangle's side."""
RIM = 44.0
"""How far outside of the field the middle of a circle lies."""
NEAR = 0.86
"""How near its corners a mark along a triangle's side reaches."""
Point = tuple[float, float]


class Triangle(NamedTuple):
    """A triangle: its middle and its corners."""

    x: float
    y: float
    corners: tuple[Point, Point, Point]

    @property
    def points_down(self) -> bool:
        """Whether one corner lies below, and two above."""
        return sum(y > self.y for _, y in self.corners) == 1


def _direction(angle: float) -> Point:
    return cos(angle), sin(angle)


def _sides(sector: int, below: int) -> tuple[Point, Point]:
    """Return the directions of a sector's two edges from the centre, clockwise."""
    middle = pi / 2 + pi / 3 * (sector - below)
    return _direction(middle - pi / 6), _direction(middle + pi / 6)


def _corner(sides: tuple[Point, Point], row: int, place: int) -> Point:
    """Return a corner: so many rows from the centre, so many steps clockwise."""
    (a, b), (c, d) = sides
    return EDGE * ((row - place) * a + place * c), EDGE * ((row - place) * b + place * d)


@cache
def triangles(below: int) -> tuple[Triangle, ...]:
    """Return all triangles, the sector `below` at the bottom."""
    found = []
    for sector in range(COLOURS):
        sides = _sides(sector, below)
        for row in range(ROWS):
            for place in range(2 * row + 1):
                j = place // 2
                if place % 2:
                    spots = ((row, j), (row, j + 1), (row + 1, j + 1))
                else:
                    spots = ((row + 1, j), (row + 1, j + 1), (row, j))
                corners = tuple(_corner(sides, *spot) for spot in spots)
                x = sum(corner[0] for corner in corners) / 3
                y = sum(corner[1] for corner in corners) / 3
                found.append(Triangle(x, y, corners))  # type: ignore[arg-type]
    return tuple(found)


@cache
def plots(below: int) -> tuple[str, ...]:
    """Return all triangles as paths, drawn in a little: neighbours shall not touch."""
    return tuple(
        path(tuple((x + 0.965 * (a - x), y + 0.965 * (b - y)) for a, b in corners))
        for x, y, corners in triangles(below)
    )


@cache
def corners(below: int) -> tuple[tuple[int, int], ...]:
    """Return where the name of each triangle is written: in a corner, off its middle and trees."""
    trees = {(round(x), round(y)) for x, y in GROVES}
    found = []
    for x, y, at in triangles(below):
        right = max(at)
        is_free = (round(right[0]), round(right[1])) not in trees
        spot = round(x) + (32 if is_free else -32), round(y) + (23 if right[1] > y else -14)
        found.append(spot)
    return tuple(found)


@cache
def circles(below: int) -> tuple[Point, ...]:
    """Return the middle of each circle of the ring."""
    found = []
    for circle in range(CIRCLES):
        sector, place = divmod(circle, SIDE)
        start, end = (_corner(_sides(sector, below), ROWS, corner) for corner in (0, ROWS))
        out = _direction(pi / 2 + pi / 3 * (sector - below))
        part = (place + 1) / (SIDE + 1)
        found.append(
            (
                start[0] + part * (end[0] - start[0]) + RIM * out[0],
                start[1] + part * (end[1] - start[1]) + RIM * out[1],
            )
        )
    return tuple(found)


@cache
def bases(below: int) -> tuple[tuple[Point, Point, Point], ...]:
    """Return the corners of each sector."""
    found = []
    for sector in range(COLOURS):
        sides = _sides(sector, below)
        found.append(((0.0, 0.0), _corner(sides, ROWS, 0), _corner(sides, ROWS, ROWS)))
    return tuple(found)


def outline(below: int, out: float) -> tuple[Point, ...]:
    """Return the corners of the field, or of what lies so far outside of it."""
    larger = 1 + out / (ROWS * EDGE * cos(pi / 6))
    return tuple((x * larger, y * larger) for _, (x, y), _ in bases(below))


def middle(corners: tuple[Point, ...]) -> Point:
    """Return the middle of some corners."""
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def edge(place: Triangle, side: Triangle) -> str:
    """Return the side of a triangle towards a neighbour as a path, a little inside."""
    near = [(x, y) for x, y in place.corners if any(_same((x, y), at) for at in side.corners)]
    ends = [(place.x + NEAR * (x - place.x), place.y + NEAR * (y - place.y)) for x, y in near]
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in ends)


def _same(one: Point, other: Point) -> bool:
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) < 1


def _groves() -> tuple[Point, ...]:
    """Return where trees stand: at every other corner within the field, between the plots."""
    rows = range(1 - ROWS, ROWS)
    lattice = [(a, b) for a in rows for b in rows if -ROWS < a + b < ROWS and (a, b) != (0, 0)]
    height = EDGE * sin(pi / 3)
    return tuple((EDGE * (a + b / 2), b * height) for a, b in lattice if (a * a + 3 * b) % 5 < 3)


GROVES = _groves()


def path(corners: tuple[Point, ...]) -> str:
    """Return corners as a closed path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"
