"""Scenes: arrangements as actions, drawings found by name, pictures that stand alone, colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest

import tianxia
from tianxia.draw.pictures import PAGES, read, template, theme
from tianxia.draw.scene import Arrangement, Drawing, Kind, SceneRequest

SVG = "{http://www.w3.org/2000/svg}"
COLOURS = ("cinnabar", "jade", "indigo", "plum", "teal", "umber")
GROUNDS = ("paper", "paper-low", "panel", "panel-strong", "field", "silk", "silk-dark")

LINES = ("line", "line-strong", "rim")


def arrangement(empty: int | None) -> Arrangement:
    kinds = (Kind("x", "x", "x", 2, action=7), Kind("y", "y", "y", 1, action=9))
    return Arrangement(("a", "b", "c", "d"), kinds, empty, (), (3, 2, 1, 0))


def test_a_layout_becomes_actions_up_to_its_last_piece():
    assert arrangement(empty=0).actions([1, -1, 0, -1]) == [9, 0, 7]
    assert arrangement(empty=0).actions([-1, -1, -1, -1]) == []
    assert arrangement(empty=None).actions([0, 0, 1, -1]) == [7, 7, 9]


def test_a_slot_stays_empty_only_where_it_may():
    with pytest.raises(ValueError, match="no slot stays empty"):
        arrangement(empty=None).actions([0, -1, 1, 0])


def test_pieces_that_are_piled_up_are_as_many_actions():
    kinds = (Kind("x", "x", "x", 4, action=7), Kind("y", "y", "y", 2, action=9))
    plan = Arrangement(("a", "b", "c"), kinds, None, (), (), offsets=(0, 10, 20), piles=True)
    assert plan.actions([0, -1, 1], [3, 0, 2]) == [7, 7, 7, 29, 29]
    assert plan.actions([-1, 0, -1], [0, 1, 0]) == [17]


# --- Drawings ---


def test_a_game_without_pictures_has_no_drawing():
    state = tianxia.game("stratego").new()
    assert isinstance(Drawing.of(state.game.kind), Drawing)
    assert (
        Drawing.of(
            type(state.game.kind)("x", "x", 1, state.game.kind.dtype, state.game.kind.words, {})
        )
        is None
    )


def test_a_drawing_imports_its_module_only_when_it_draws():
    drawing = Drawing("tianxia.no_such_module")
    assert "no_such_module" in repr(drawing)
    with pytest.raises(ModuleNotFoundError):
        _ = drawing.sprite


def test_templates_escape_what_they_are_given():
    text = template("tianxia.games.stratego.face", "armies.html.jinja").render(
        rank_title="<b>", names=["&", '"'], armies=["jade", "teal"], rows=[]
    )
    assert "&lt;b&gt;" in text
    assert "&amp;" in text


# --- Pictures that stand alone ---


@pytest.mark.parametrize("viewer", [None, 0, 1, tianxia.SPECTATOR])
def test_a_state_draws_itself_in_a_notebook(viewer: int | None):
    state = tianxia.game("stratego").new()
    picture = (state if viewer is None else state.view(viewer))._repr_svg_()
    assert picture is not None
    root = ET.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    own = {element.get("id") for element in root.iter()}
    used = {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")}
    assert used <= own
    assert not re.search(r"https?://(?!www\.w3\.org)|@import|<script|\son\w+=", picture)


def test_a_picture_alone_brings_the_theme_for_itself_only():
    assert ":root" not in theme()
    assert "--cinnabar-fill" in theme()
    assert "body" not in theme()


def test_the_picture_of_a_game_is_drawn_only_when_asked():
    request = SceneRequest(tianxia.game("stratego").new().view(0), 0)
    drawing = Drawing.of(request.view.game.kind)
    assert drawing is not None
    assert drawing(request) == drawing(request)


# --- Colours ---


def tokens(dark: bool) -> dict[str, str]:
    head = read("tianxia.draw", "theme.css").partition(PAGES)[0]
    always = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", head))
    by_day = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", head)
    return {**always, **{name: night if dark else day for name, day, night in by_day}}


def light(colour: str) -> tuple[float, ...]:
    """Return how much red, green and blue light a colour sends."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)


def luminance(colour: str) -> float:
    red, green, blue = light(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def writing() -> Iterator[tuple[str, str]]:
    for ground in GROUNDS:
        yield from ((name, ground) for name in ("ink", "ink-soft", "link", "ochre", *COLOURS))
    yield from (("on-colour", f"{name}-fill") for name in COLOURS)
    yield from (("on-cinnabar", "cinnabar-fill"), ("on-ochre", "ochre-fill"))


@pytest.mark.parametrize("dark", [False, True])
def test_writing_can_be_read_on_all_grounds(dark: bool):
    colours = tokens(dark)
    poor = [
        f"{name} on {ground}: {ratio:.2f}"
        for name, ground in writing()
        if (ratio := contrast(colours[name], colours[ground])) < 4.5
    ]
    assert not poor


@pytest.mark.parametrize("dark", [False, True])
def test_signs_stand_out_from_the_board(dark: bool):
    colours = tokens(dark)
    for name in ("choose", "strike", "focus", "line-strong", "ink-soft"):
        for ground in ("silk", "silk-dark"):
            assert contrast(colours[name], colours[ground]) >= 3, (name, ground)


def test_by_night_no_ground_and_no_line_is_brown():
    colours = tokens(dark=True)
    parts = {name: bytes.fromhex(colours[name][1:]) for name in (*GROUNDS, "card", *LINES)}
    assert not [name for name, (red, green, blue) in parts.items() if not red < green < blue]


def test_every_token_that_the_theme_uses_exists():
    text = read("tianxia.draw", "theme.css")
    own = set(re.findall(r"(--[\w-]+):", text))
    assert set(re.findall(r"var\((--[\w-]+)[,)]", text)) <= own
