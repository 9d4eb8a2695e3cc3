"""Regions of a map, from points that lie in them: provinces from their towns, a coast from the sea.

Every point (a *site*) belongs to a region. The plane is shared out: each place goes to its
nearest site (a Voronoi diagram), cells of one region are joined, and what is left of their
edges are borders, which are smoothed. Two regions share a border to the digit, so that
they can be filled side by side without a gap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import hypot
from typing import NamedTuple

Point = tuple[float, float]
_Corner = tuple[int, ...]
"""A corner of cells, named by the sites (and sides of the frame, negative) that meet in it."""
OUTSIDE = -1
"""What is beyond the frame."""


class _Edge(NamedTuple):
    """A side of a cell, walked so that the cell stays on one hand; what is beyond it."""

    start: _Corner
    end: _Corner
    beyond: int


@dataclass(frozen=True)
class Border:
    """What parts two regions, as a line; `right` is −1 where the frame ends the map."""

    left: int
    right: int
    line: tuple[Point, ...]

    @property
    def length(self) -> float:
        """The length of the line."""
        return sum(_distance(a, b) for a, b in pairwise(self.line))


@dataclass(frozen=True)
class Regions:
    """Regions with their outlines (one or more closed lines each) and all borders, once each."""

    outlines: dict[int, tuple[tuple[Point, ...], ...]]
    borders: tuple[Border, ...]

    def between(self, one: int, other: int) -> Border | None:
        """Return the longest border that two regions share, or None."""
        shared = [b for b in self.borders if {b.left, b.right} == {one, other}]
        return max(shared, key=lambda border: border.length, default=None)


def regions(
    sites: Sequence[tuple[float, float, int]],
    frame: tuple[float, float, float, float],
    rounds: int = 2,
) -> Regions:
    """Share out a rectangle among regions.

    Parameters
    ----------
    sites
        ``(x, y, region)``, inside of the frame, no two in one place; regions are numbered from 0.
    frame
        ``(left, top, right, bottom)``.
    rounds
        How often borders are smoothed (Chaikin's way: corners are cut).
    """
    # Four sites on a circle have no corner of three; a little unevenness, always the same.
    places = [
        (x + 0.37 * (i * 7919 % 13 - 6) / 6, y + 0.37 * (i * 104729 % 11 - 5) / 5)
        for i, (x, y, _) in enumerate(sites)
    ]
    group = [region for _, _, region in sites]
    where: dict[_Corner, Point] = {}
    edges: dict[int, dict[_Corner, _Edge]] = defaultdict(dict)
    for site in range(len(sites)):
        for edge in _sides(site, _cell(site, places, frame), where):
            region = group[edge.beyond] if edge.beyond >= 0 else OUTSIDE
            if region != group[site]:
                edges[group[site]][edge.start] = _Edge(edge.start, edge.end, region)
    return _drawn(edges, where, rounds)


def _cell(
    site: int, places: list[Point], frame: tuple[float, float, float, float]
) -> list[tuple[Point, int]]:
    """Return a site's cell: corners, each with the neighbour beyond the side that begins there."""
    left, top, right, bottom = frame
    cell = [
        ((left, top), -1),
        ((right, top), -2),
        ((right, bottom), -3),
        ((left, bottom), -4),
    ]
    x, y = places[site]
    near = sorted(
        range(len(places)), key=lambda i: (places[i][0] - x) ** 2 + (places[i][1] - y) ** 2
    )
    for other in near[1:]:
        reach = max(_distance(corner, (x, y)) for corner, _ in cell)
        if _distance(places[other], (x, y)) > 2 * reach:
            break
        cell = _cut(cell, (x, y), places[other], other)
    return cell


def _cut(
    cell: list[tuple[Point, int]], here: Point, there: Point, other: int
) -> list[tuple[Point, int]]:
    """Return the part of a convex cell that is nearer to `here` than to `there`."""
    middle = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
    away = (there[0] - here[0], there[1] - here[1])
    kept: list[tuple[Point, int]] = []
    for (place, beyond), (following, _) in zip(cell, cell[1:] + cell[:1], strict=True):
        a = (place[0] - middle[0]) * away[0] + (place[1] - middle[1]) * away[1]
        b = (following[0] - middle[0]) * away[0] + (following[1] - middle[1]) * away[1]
        crossing = _between(place, following, a, b)
        if a <= 0:
            kept.append((place, beyond))
            if b > 0:
                kept.append((crossing, other))
        elif b <= 0:
            kept.append((crossing, beyond))
    return kept


def _between(start: Point, end: Point, a: float, b: float) -> Point:
    return _part(start, end, a / (a - b) if a != b else 0.0)


def _sides(
    site: int, cell: list[tuple[Point, int]], where: dict[_Corner, Point]
) -> Iterator[_Edge]:
    """Yield the sides of a cell, and note where its corners are."""
    before = [beyond for _, beyond in cell[-1:] + cell[:-1]]
    corners = [
        tuple(sorted((site, previous, beyond)))
        for previous, (_, beyond) in zip(before, cell, strict=True)
    ]
    for corner, (place, _) in zip(corners, cell, strict=True):
        where.setdefault(corner, place)
    for i, (_, beyond) in enumerate(cell):
        yield _Edge(corners[i], corners[(i + 1) % len(cell)], beyond)


# --- Lines ---


def _drawn(
    edges: dict[int, dict[_Corner, _Edge]], where: dict[_Corner, Point], rounds: int
) -> Regions:
    """Join edges to outlines and smooth them, each border by itself between its ends."""
    outlines: dict[int, list[tuple[Point, ...]]] = defaultdict(list)
    borders = []
    for region in sorted(edges):
        for loop in _loops(edges[region]):
            outline: list[Point] = []
            for run in _runs(loop):
                corners = [where[edge.start] for edge in run] + [where[run[-1].end]]
                line = corners if run[0].beyond == OUTSIDE else _smoothed(corners, rounds)
                outline += line[:-1]
                if run[0].beyond == OUTSIDE or region < run[0].beyond:
                    borders.append(Border(region, run[0].beyond, tuple(line)))
            outlines[region].append(tuple(outline))
    return Regions({region: tuple(loops) for region, loops in outlines.items()}, tuple(borders))


def _loops(edges: dict[_Corner, _Edge]) -> Iterator[list[_Edge]]:
    left = dict(edges)
    while left:
        loop = [left.pop(min(left))]
        while loop[-1].end != loop[0].start:
            loop.append(left.pop(loop[-1].end))
        yield loop


def _runs(loop: list[_Edge]) -> Iterator[list[_Edge]]:
    """Cut a closed line where the region beyond it changes."""
    cuts = [i for i, edge in enumerate(loop) if edge.beyond != loop[i - 1].beyond]
    if not cuts:
        yield loop
        return
    turned = loop[cuts[0] :] + loop[: cuts[0]]
    for _, run in groupby(turned, key=lambda edge: edge.beyond):
        yield list(run)


def _smoothed(line: list[Point], rounds: int) -> list[Point]:
    """Return a line without corners; its ends stay. Read backwards it gives the same points."""
    if line > line[::-1]:
        return _smoothed(line[::-1], rounds)[::-1]
    inner = [
        _part(_part(a, c, 0.5), b, 0.5) for a, b, c in zip(line, line[1:], line[2:], strict=False)
    ]
    line = [line[0], *inner, line[-1]]
    for _ in range(rounds):
        cut = [point for a, b in pairwise(line) for point in (_part(a, b, 0.25), _part(a, b, 0.75))]
        line = [line[0], *cut, line[-1]]
    return line


def _part(a: Point, b: Point, part: float) -> Point:
    return (a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]))


def _distance(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])
