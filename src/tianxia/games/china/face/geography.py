"""How the map of a board is drawn: provinces, coast, roads and mountains, from its data alone.

A board's data say where spaces and dragons lie and which roads join them; everything else
on the map follows from that, so that an owner's own board is drawn as well as ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.draw.regions import Point, Regions, regions

Numbers = NDArray[np.float64]

FRAME = (-72.0, -40.0, 1088.0, 800.0)
"""Left, top, right and bottom of the map; spaces lie in 0 to 1000 by 0 to 750."""
MESH = 55
SHORE = 112
"""From how far off any space a point is sea."""
QUIET = 62
"""How far from spaces and roads a mountain stands."""
INLAND = 44
"""How far from borders."""
MOUNTAINS_APART = 96
NAME_OFF = 44
DEN = 38
LETTER = 14
TRACK_STEP = 40
"""Length of a square of the track."""
TRACK = 51


@dataclass(frozen=True)
class Chart:
    """What a map is drawn from.

    Attributes
    ----------
    spaces
        By space ``(x, y)``.
    provinces
        By space the provinces it lies in: one, or two for a border post.
    roads
        Pairs of spaces.
    dragons
        By province ``(x, y)``.
    alliances
        Pairs of provinces, in the order of their numbers.
    letters
        By province how long its name is.
    """

    spaces: tuple[Point, ...]
    provinces: tuple[tuple[int, ...], ...]
    roads: tuple[tuple[int, int], ...]
    dragons: tuple[Point, ...]
    alliances: tuple[tuple[int, int], ...]
    letters: tuple[int, ...]


class Mountain(NamedTuple):
    """A mark of the land: where, which of the shapes, and whether it looks the other way."""

    x: int
    y: int
    shape: int
    turned: bool


@dataclass(frozen=True)
class Map:
    """Lines and places of a drawn map; lines are SVG paths."""

    provinces: tuple[str, ...]
    coast: str
    borders: str
    roads: str
    seals: tuple[tuple[int, int], ...]
    mountains: tuple[Mountain, ...]
    names: tuple[tuple[int, int], ...]


def draw(chart: Chart) -> Map:
    """Return the map of a board."""
    sea = len(chart.dragons)
    land = list(_land(chart))
    shared = regions([*land, *_sea(land, sea)], FRAME, rounds=2)
    inland = [b for b in shared.borders if sea not in (b.left, b.right) and b.right >= 0]
    coast = [b for b in shared.borders if b.right == sea]
    return Map(
        provinces=tuple(
            "".join(f"{_path(line)}Z" for line in shared.outlines[province])
            for province in range(sea)
        ),
        coast="".join(_path(border.line) for border in coast),
        borders="".join(_path(border.line) for border in inland),
        roads="".join(
            _road(chart.spaces[a], chart.spaces[b], i) for i, (a, b) in enumerate(chart.roads)
        ),
        seals=tuple(_seals(chart, shared)),
        mountains=tuple(_mountains(chart, shared)),
        names=tuple(
            _name(chart, dragon, letters)
            for dragon, letters in zip(chart.dragons, chart.letters, strict=True)
        ),
    )


def track() -> list[tuple[int, int]]:
    """Return the corner of each square of the score track, along the wall from the south."""
    west, north = int(FRAME[0]) - TRACK_STEP, int(FRAME[1]) - TRACK_STEP
    south = int(FRAME[3])
    up = [(west, south - TRACK_STEP * (i + 1)) for i in range((south - north) // TRACK_STEP)]
    return [*up, *((west + TRACK_STEP * (i + 1), north) for i in range(TRACK - len(up)))]


@dataclass(frozen=True)
class Wall:
    """The wall along the west and the north, with the track on it."""

    outline: str
    joints: str
    numbers: tuple[tuple[int, int, int], ...]


def wall() -> Wall:
    """Return the wall that carries the score track, with merlons on its outer side."""
    west, north, _, south = (int(edge) for edge in FRAME)
    places = track()
    half, tooth = TRACK_STEP // 2, TRACK_STEP // 2 - 6
    up = f"v{-tooth}h-9v-12h9v{-tooth}" * sum(x < west for x, _ in places)
    along = f"h{tooth}v-9h12v9h{tooth}" * (1 + sum(x >= west for x, _ in places))
    joints = [f"M{x} {y}{'h' if x < west else 'v'}{TRACK_STEP}" for x, y in places if y != south]
    return Wall(
        outline=f"M{west} {south}h{-TRACK_STEP}{up}{along}V{north}H{west}Z",
        joints="".join(joints),
        numbers=tuple(
            (number, places[number][0] + half, places[number][1] + half + 7)
            for number in range(0, TRACK, 5)
        ),
    )


# --- Land and sea ---


def _land(chart: Chart) -> Iterator[tuple[float, float, int]]:
    """Yield points that lie in a province: spaces, dragons, and its stretches of road."""
    for (x, y), provinces in zip(chart.spaces, chart.provinces, strict=True):
        if len(provinces) == 1:
            yield x, y, provinces[0]
    for start, end in chart.roads:
        common = set(chart.provinces[start]) & set(chart.provinces[end])
        if len(common) == 1:
            for part in (1 / 3, 2 / 3):
                yield (*_along(chart.spaces[start], chart.spaces[end], part), min(common))
    for province, (x, y) in enumerate(chart.dragons):
        yield x, y, province


def _sea(land: Sequence[tuple[float, float, int]], sea: int) -> Iterator[tuple[float, float, int]]:
    """Yield points of the sea: far from any land, in the east or the south."""
    left, top, right, bottom = (int(edge) for edge in FRAME)
    for x in range(left + MESH // 3, right, MESH):
        for y in range(top + MESH // 3, bottom, MESH):
            east, low = (x - left) / (right - left), (y - top) / (bottom - top)
            if max(east, low) > 0.7 and all(hypot(x - a, y - b) > SHORE for a, b, _ in land):
                yield x, y, sea


def _seals(chart: Chart, shared: Regions) -> Iterator[tuple[int, int]]:
    """Yield where each alliance's number stands: on the border, away from all else."""
    taken: list[Point] = []
    for pair in chart.alliances:
        border = shared.between(*pair)
        dragons = [chart.dragons[province] for province in pair]
        line = border.line[1:-1] if border else ()
        middle = line[len(line) // 2] if line else _along(dragons[0], dragons[1], 0.5)
        points = line or [middle]
        here = points[int(np.argmax(_room(chart, points, middle, taken)))]
        taken.append(here)
        yield _whole(here)


def _room(chart: Chart, points: Sequence[Point], middle: Point, taken: Sequence[Point]) -> Numbers:
    """Return how well a seal stands at each point: free all around, and near the middle."""
    free = np.minimum(_nearest(points, chart.spaces) - 50, _off_roads(points, chart) - 28)
    if taken:
        free = np.minimum(free, _nearest(points, taken) - 46)
    return np.minimum(free, 4.0) - 0.1 * _nearest(points, [middle])


def _name(chart: Chart, dragon: Point, letters: int) -> tuple[int, int]:
    """Return the middle of a province's name: by its dragon, where most is free."""
    x, y = dragon
    aside = DEN + LETTER * letters / 2
    spots = [(x, y + NAME_OFF), (x, y - NAME_OFF), (x + aside, y), (x - aside, y)]
    return _whole(max(spots, key=lambda spot: min(_free(chart, spot, letters), 6.0)))


def _free(chart: Chart, spot: Point, letters: int) -> float:
    """Return how far the nearest space or road is from a name written there."""
    half = LETTER * letters / 2
    boxes = [(spot[0] + part * half, spot[1]) for part in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    room = np.minimum(_nearest(boxes, chart.spaces) - 42, _off_roads(boxes, chart) - 20)
    return float(room.min())


def _mountains(chart: Chart, shared: Regions) -> Iterator[Mountain]:
    """Yield mountains where there is room for them."""
    left, top, right, bottom = (int(edge) for edge in FRAME)
    lines = [point for border in shared.borders for point in border.line]
    stood: list[Point] = list(chart.dragons)
    for row, y in enumerate(range(top + 28, bottom - 28, 16)):
        across = [(x, y) for x in range(left + 44 + 9 * (row % 2), right - 44, 18)]
        quiet = (_off_roads(across, chart) >= QUIET) & (_nearest(across, lines) >= INLAND)
        for (x, _), alone in zip(across, quiet, strict=True):
            here = (float(x), float(y))
            if not alone or any(_distance(here, other) < MOUNTAINS_APART for other in stood):
                continue
            if not _at_sea(here, shared, len(chart.dragons)):
                stood.append(here)
                yield Mountain(x, y, len(stood) % 3, len(stood) % 4 < 2)


def _at_sea(point: Point, shared: Regions, sea: int) -> bool:
    """Say whether a point lies in the sea (a ray to the east crosses its shore oddly often)."""
    x, y = point
    crossed = 0
    for outline in shared.outlines.get(sea, ()):
        for (a, b), (c, d) in pairwise((*outline, outline[0])):
            if (b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b):
                crossed += 1
    return crossed % 2 == 1


# --- Lines ---


def _road(start: Point, end: Point, number: int) -> str:
    """Return a road that is not quite straight."""
    (x, y), (a, b) = start, end
    bow = (7, -9, 11, -6)[number % 4] * min(1.0, _distance(start, end) / 140)
    length = _distance(start, end) or 1.0
    middle = ((x + a) / 2 - bow * (b - y) / length, (y + b) / 2 + bow * (a - x) / length)
    return f"M{x:.0f} {y:.0f}Q{middle[0]:.0f} {middle[1]:.0f} {a:.0f} {b:.0f}"


def _path(line: Sequence[Point]) -> str:
    """Return a line as a path of whole units, each point told from the one before."""
    points = [_whole(point) for point in line]
    steps = [f"{x - a} {y - b}" for (a, b), (x, y) in pairwise(points) if (x, y) != (a, b)]
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}"


def _whole(point: Point) -> tuple[int, int]:
    return round(point[0]), round(point[1])


def _along(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _off_roads(points: Sequence[Point], chart: Chart) -> Numbers:
    """Return how far each point lies from the nearest road."""
    if not chart.roads:  # of a board that is not finished
        return np.full(len(points), np.inf)
    roads = np.array([(chart.spaces[a], chart.spaces[b]) for a, b in chart.roads], float)
    start, along = roads[:, 0], roads[:, 1] - roads[:, 0]
    square = (along**2).sum(axis=1)
    here = np.array(points, float)[:, None]
    part = ((here - start) * along).sum(axis=2) / np.where(square, square, 1.0)
    return _length(here - start - np.clip(part, 0.0, 1.0)[..., None] * along).min(axis=1)


def _nearest(points: Sequence[Point], others: Sequence[Point]) -> Numbers:
    """Return how far the nearest of others is from each point."""
    if not others:
        return np.full(len(points), np.inf)
    return _length(np.array(points, float)[:, None] - np.array(others, float)).min(axis=1)


def _length(ways: Numbers) -> Numbers:
    x, y = ways[..., 0], ways[..., 1]
    length: Numbers = np.sqrt(x * x + y * y)
    return length


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
