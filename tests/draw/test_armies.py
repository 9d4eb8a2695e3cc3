"""Armies: what seats are marked with. Cards: the macros of the house."""

from __future__ import annotations

import random
import re
from itertools import combinations
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from numpy.typing import NDArray

import tianxia
from tests.draw.test_scene import contrast, light, tokens
from tianxia import CHANCE, SPECTATOR
from tianxia.draw.armies import ARMIES, armies_of
from tianxia.draw.pictures import ENVIRONMENT, read, sprite
from tianxia.draw.scene import SceneRequest
from tianxia.kernel import registry


def test_seats_get_what_the_game_names_and_then_what_is_left():
    assert armies_of((), 3) == ("cinnabar", "indigo", "jade")
    assert armies_of(("jade", "indigo"), 4) == ("jade", "indigo", "cinnabar", "ochre")
    assert armies_of(("jade", "indigo", "plum"), 2) == ("jade", "indigo")
    assert len(set(armies_of((), 6))) == 6
    assert armies_of(("", "jade", ""), 4) == ("", "jade", "", "cinnabar")


@pytest.mark.parametrize("given", [("red",), ("jade", "jade")])
def test_a_wrong_army_is_refused_by_name(given: tuple[str, ...]):
    with pytest.raises(ValueError, match="cinnabar, indigo, jade"):
        armies_of(given, 2)


def test_every_game_names_armies_that_there_are():
    for name in tianxia.games():
        kind = registry.kind(name)
        armies_of(kind.armies, len(kind.armies))


def test_every_army_has_a_mark_a_weave_and_colours():
    ids = {node.get("id") for node in ET.fromstring(sprite()).iter()}
    style = read("tianxia.draw", "theme.css")
    for army in ARMIES:
        assert {f"army-{army}", f"weave-{army}"} <= ids
        assert f".army-{army} {{" in style


def test_marks_differ_by_shape_and_by_emblem():
    marks = [node for node in ET.fromstring(sprite()).iter("g") if "army-" in node.get("id", "")]
    assert len(marks) == len(ARMIES)
    for part in (0, 1):
        assert len({list(mark)[part].get("d") for mark in marks}) == len(ARMIES)


@pytest.mark.parametrize("dark", [False, True])
def test_marks_stand_out_from_pages_and_emblems_from_marks(dark: bool):
    colours = tokens(dark)
    for army in ARMIES:
        for ground in ("paper", "panel", "panel-strong", "silk", "card"):
            assert contrast(colours[army], colours[ground]) >= 3, (army, ground)
        on = colours["on-ochre" if army == "ochre" else "on-colour"]
        assert contrast(on, colours[f"{army}-fill"]) >= 4.5, army


# How colours look to people who lack a kind of cone (Machado, Oliveira and Fernandes 2009), in
# linear light; then linear light as CIE XYZ with the white of a screen at 1.
EYES = {
    "all cones": "1 0 0  0 1 0  0 0 1",
    "no L cones": "0.152 1.053 -0.205  0.115 0.786 0.099  -0.004 -0.048 1.052",
    "no M cones": "0.367 0.861 -0.228  0.280 0.673 0.047  -0.012 0.043 0.969",
    "no S cones": "1.256 -0.077 -0.179  -0.078 0.931 0.148  0.005 0.691 0.304",
}
XYZ = np.array([[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0177, 0.1095, 0.8729]])
APART = 10
"""How far two armies' colours lie apart at least, in CIE L*a*b*; where 2 is just seen."""


def lab(colour: str, eyes: str) -> NDArray[np.float64]:
    seen = np.array(EYES[eyes].split(), float).reshape(3, 3) @ light(colour)
    x, y, z = np.cbrt(XYZ @ np.clip(seen, 0, 1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("eyes", EYES)
def test_armies_of_a_game_are_told_apart_by_whoever_sees_fewer_colours(dark: bool, eyes: str):
    colours = tokens(dark)
    alike = [
        (game, one, other, part, round(apart, 1))
        for game in tianxia.games()
        for one, other in combinations(registry.kind(game).armies, 2)
        for part in ("", "-fill")
        if (
            apart := float(
                np.linalg.norm(lab(colours[one + part], eyes) - lab(colours[other + part], eyes))
            )
        )
        < APART
    ]
    assert not alike


def macro(name: str, sheet: str, call: str, **values: object) -> ET.Element:
    text = f'{{% from "{sheet}" import {name} %}}{{{{ {call} }}}}'
    return ET.fromstring(ENVIRONMENT.from_string(text).render(**values))


def test_numbers_are_drawn_without_a_font():
    number = macro("number", "cards.svg.jinja", "number(108, 50, 20, 44)")
    assert [use.get("href") for use in number.iter("use")] == ["#digit-1", "#digit-0", "#digit-8"]
    assert [use.get("x") for use in number.iter("use")] == [None, "34", "68"]
    badge = macro("count", "cards.svg.jinja", "count(7, 80, 20)")
    assert len(list(badge.iter("circle"))) == 1


def test_a_hand_tells_what_can_be_clicked_and_how_many_there_are():
    cards = [
        {"element": "h-b", "symbol": "blue", "count": 3, "label": "3 blue"},
        {"element": "", "symbol": "red", "count": 1, "label": "1 red"},
    ]
    hand = macro("hand", "hand.html.jinja", "hand(cards, 't-', 'Yours', 2)", cards=cards)
    blue, red = (next(item.iter("div")) for item in hand.iter("li"))
    assert (blue.get("id"), blue.get("data-e"), blue.get("role")) == ("t-e-h-b", "h-b", "button")
    assert len(list(blue.iter("svg"))) == 2
    assert "".join(blue.itertext()) == "3"
    assert (red.get("data-e"), red.get("role"), "".join(red.itertext())) == (None, "img", "")


def test_the_classes_of_house_symbols_are_styled():
    used = set(re.findall(r'class="([\w-]+)', sprite()))
    style = read("tianxia.draw", "theme.css")
    assert [name for name in used if f".{name}" not in style] == []


@pytest.mark.parametrize(
    ("spec", "chosen", "usual", "piece"),
    [
        ("firebulls(colours=red-green)", ("cinnabar", "jade"), ("indigo", "ochre"), "pawn"),
        (
            "china(players=2,colours=red-yellow)",
            ("cinnabar", "ochre"),
            ("indigo", "jade"),
            "palace",
        ),
    ],
)
@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_pictures_show_the_colours_that_seats_have_chosen(
    spec: str, chosen: tuple[str, ...], usual: tuple[str, ...], piece: str, viewer: int
) -> None:
    state, rng = tianxia.game(spec).new(), random.Random(3)
    for _ in range(120):
        seat = state.acting[0] if state.acting else CHANCE
        actions = state.legal_actions() if state.acting else [a for a, _ in state.chance_weights()]
        state.apply(rng.choice(actions), seat)
    kind = state.game.kind
    assert kind.scene is not None
    scene = kind.scene(SceneRequest(state.view(viewer), viewer, "en", (), "x-"))
    drawn = scene.svg + "".join(panel.html for panel in scene.panels)
    for army in chosen:
        assert f"#{kind.name}-{piece}-{army}" in drawn
        assert f"army-{army}" in drawn
    for army in usual:
        assert f"#{kind.name}-{piece}-{army}" not in drawn
    names = [label for label in state.game.seat_names if label in state.diagram("en")]
    assert names == list(state.game.seat_names)
