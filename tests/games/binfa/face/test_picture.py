"""The picture of Bin'Fa: piles that can be counted, sides that are closed, land and water."""

from __future__ import annotations

import re

import pytest

from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.kernel import registry

FIELD = (
    "binfa(level=1) * moving 0 40/40 turns=6 armies=rb units={}r12:3r,r14:3r,b6:3b,b11:3b,b13:4b,"
    "p1:2r army=r rolled=yes dice=5-2 moves=3"
)
LAKE = (
    "binfa * moving 0 40/40 turns=6 map=r8,r16,o1,o9,o15,y5,g12,b1,b2/r5,y16,p3 armies=rb"
    " units=r3:2r,r6:3r,r11:1r,r12:2r,r14:1r,o2:2r,o6:1r,b3:2b,b6:3b,b11:2b,b13:1b,p1:2b,p6:1b,"
    "p12:1b pawns=r:r4,b:o1 supplies=r12b9 army=r rolled=yes dice=5-2 moves=3"
)


def drawn(position: str) -> str:
    view = registry.position(position).view(0)
    drawing = Drawing.of(view.game.kind)
    assert drawing is not None
    return drawing(SceneRequest(view, 0, "en", prefix="t-")).svg


def pile(svg: str, name: str) -> str:
    found = re.search(rf'<g class="piece" id="t-p-{name}".*?\n', svg)
    assert found, name
    return found[0]


def closed(svg: str) -> dict[str, int]:
    """Return for each pile that is nearly surrounded how many of its sides are marked."""
    marks = re.findall(r'id="t-s-(\w+)"><path class="bf-siege" d="([^"]+)"', svg)
    return {name: path.count("M") for name, path in marks}


def test_a_pile_is_its_units_one_on_the_other():
    svg = drawn(FIELD.format("r2:2r1b1r,r6:1r,"))
    tiles = re.findall(r'#binfa-(\w+)-(\w+)" y="([-\d.]+)"', pile(svg, "r2"))
    assert [tile[:2] for tile in tiles] == [
        ("slab", "cinnabar"),
        ("slab", "cinnabar"),
        ("slab", "indigo"),
        ("top", "cinnabar"),
    ]
    heights = [float(y) for *_, y in tiles]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == 4
    assert pile(svg, "r2").count("#digit-4") == 1
    assert re.findall(r"#binfa-\w+-cinnabar", pile(svg, "r6")) == ["#binfa-tile-cinnabar"]


def test_what_is_no_neighbour_meets_in_a_corner_or_is_too_far_away():
    view = registry.position(FIELD.format("r2:2r1b1r,r6:1r,")).view(0)
    drawing = Drawing.of(view.game.kind)
    assert drawing is not None
    assert drawing.meant(view, 0, ("r2", "r4")) == "BIN-04b"
    assert drawing.meant(view, 0, ("r2", "g12")) == "BIN-04c"


def test_a_pile_behind_is_drawn_before_one_in_front():
    svg = drawn(FIELD.format("r2:2r,r6:1r,"))
    ys = [float(y) for y in re.findall(r'data-at="\w+" transform="translate\(\S+ (\S+)\)', svg)]
    assert len(ys) == 8
    assert ys == sorted(ys)


@pytest.mark.parametrize(
    ("units", "marked"),
    [
        ("r2:2r,r3:2b,r4:2r,", {"r3": 2}),  # one more pile at r1 takes it
        ("r2:2r,r3:2b,r4:1r,", {}),  # a lone unit closes nothing
        ("r2:2r,r3:1b,r4:2r,", {}),  # a lone unit is not surrounded
        ("r1:2r,r2:2r,r3:2b,", {"r3": 2}),
        ("r3:2b,r7:2r,", {}),
    ],
)
def test_a_pile_that_one_more_would_surround_shows_its_closed_sides(units: str, marked: dict):
    assert closed(drawn(FIELD.format(units))) == marked


def test_rock_and_water_are_drawn_as_such_and_the_ring_only_where_there_is_one():
    svg = drawn(LAKE)
    ground = dict(re.findall(r'data-e="(\w+)".*?class="bf-triangle( is-\w+)?"', svg))
    assert {name for name, look in ground.items() if look == " is-rock"} == {
        "r8",
        "r16",
        "o1",
        "o9",
        "o15",
        "y5",
        "g12",
        "b1",
        "b2",
    }
    assert {name for name, look in ground.items() if look == " is-lake"} == {"r5", "y16", "p3"}
    assert 'viewBox="-490 ' in svg
    assert 'viewBox="-438 ' in drawn(FIELD.format(""))  # the field has the room of the ring
