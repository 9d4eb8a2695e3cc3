"""Regions of a map share out the whole frame, hold their sites, and share their borders."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tianxia.draw.regions import Point, regions

FRAME = (0.0, 0.0, 400.0, 300.0)


def sites(seed: int, count: int = 60, groups: int = 5) -> list[tuple[float, float, int]]:
    """Return points that belong to the nearest of a few centres, so that regions hang together."""
    rng = random.Random(seed)
    centres = [(rng.uniform(40, 360), rng.uniform(40, 260)) for _ in range(groups)]
    places = centres + [(rng.uniform(1, 399), rng.uniform(1, 299)) for _ in range(count)]

    def nearest(place: Point) -> int:
        away = [(place[0] - x) ** 2 + (place[1] - y) ** 2 for x, y in centres]
        return away.index(min(away))

    return [(x, y, nearest((x, y))) for x, y in places]


def area(outline: tuple[Point, ...]) -> float:
    closed = (*outline, outline[0])
    return sum(a * d - b * c for (a, b), (c, d) in pairwise(closed)) / 2


def inside(point: Point, outlines: tuple[tuple[Point, ...], ...]) -> bool:
    x, y = point
    crossed = [
        x < a + (y - b) * (c - a) / (d - b)
        for outline in outlines
        for (a, b), (c, d) in pairwise((*outline, outline[0]))
        if (b > y) != (d > y)
    ]
    return sum(crossed) % 2 == 1


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rounds", [0, 2])
def test_regions_share_out_the_frame(seed: int, rounds: int):
    drawn = regions(sites(seed), FRAME, rounds)
    total = sum(area(outline) for outlines in drawn.outlines.values() for outline in outlines)
    assert total == pytest.approx(400 * 300, rel=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_sites_lie_in_their_regions(seed: int):
    known = sites(seed)
    drawn = regions(known, FRAME, rounds=0)
    for x, y, region in known:
        assert [r for r, outlines in drawn.outlines.items() if inside((x, y), outlines)] == [region]


def test_two_regions_share_their_border_to_the_digit():
    drawn = regions(sites(1), FRAME)
    for border in drawn.borders:
        if border.right >= 0:
            for region in (border.left, border.right):
                points = {p for outline in drawn.outlines[region] for p in outline}
                assert set(border.line[1:-1]) <= points


def test_the_border_of_two_points_is_in_the_middle():
    drawn = regions([(100, 150, 0), (300, 150, 1)], FRAME, rounds=2)
    border = drawn.between(1, 0)
    assert border is not None
    assert border.length == pytest.approx(300, rel=0.01)
    assert all(abs(x - 200) < 2 for x, _ in border.line)
    assert drawn.between(0, 2) is None


def test_a_region_may_lie_in_the_middle_of_another():
    ring = [(200 + 100 * x, 150 + 100 * y, 0) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    drawn = regions([(200, 150, 1), *ring], FRAME)
    assert len(drawn.outlines[1]) == 1
    assert len(drawn.outlines[0]) == 2
    border = drawn.between(0, 1)
    assert border is not None
    assert border.line[0] == border.line[-1]
