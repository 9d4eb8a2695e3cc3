"""Bin'Fa in a terminal: the picture, actions by pile, set-ups as drafts."""

from __future__ import annotations

import re

import pytest

import tianxia
from tests.games.binfa.helpers import FIELD, begin, field, legal, play, random_game
from tests.terminals import printed
from tianxia.draw.terminal import terminal_of
from tianxia.games.binfa import GAME
from tianxia.games.binfa.face.presets import FORMATIONS
from tianxia.games.binfa.face.terminal import TERMINAL
from tianxia.kernel.errors import ParseError

CAMP = field("r5:3r r7:1y2r y5:5y", colours="ry", level=4, terrain="g6", pawns="r:b2")


def shown(state: tianxia.State, language: str = "en", last: tuple = ()) -> list[str]:
    """Return the lines of a picture without colours."""
    return printed(TERMINAL.board(state.view(0), last, language)).split("\n")


def test_it_is_the_way_of_this_game() -> None:
    assert terminal_of(GAME) is TERMINAL


def test_every_triangle_has_its_place() -> None:
    lines = shown(begin("placing", level=1))
    names = re.findall(r"[roygbp][0-9]{1,2}", "\n".join(lines[:18]))
    assert sorted(names) == sorted(FIELD)
    assert max(map(len, lines)) <= 80


def test_neighbours_in_the_picture_are_neighbours() -> None:
    """In a line a triangle is followed by the one with which it shares a side."""
    lines = shown(begin("placing", level=1))[2:18]
    places = {
        match[0]: (number // 2, match.start())
        for number, line in enumerate(lines)
        for match in re.finditer(r"[roygbp][0-9]{1,2}", line)
    }
    for name, (row, column) in places.items():
        following = [other for other, (at, there) in places.items() if at == row and there > column]
        if following:
            assert min(following, key=lambda other: places[other][1]) in FIELD[name]


def test_piles_terrain_whirlpools_and_pawns_are_told_without_colour() -> None:
    text = "\n".join(shown(CAMP))
    for sign in (" R3 ", "R3+", " Y5 ", "####", "@g13", "@b13", "@p13", "*R", "*Y", "(g)"):
        assert sign in text, sign
    assert "+ r7: 2 Red over 1 Yellow" in text
    assert "Red: units 5, supplies 5, pawn on b2" in text


def test_the_ring_has_42_circles_and_none_before_level_3() -> None:
    assert len(re.findall(r"(?<![a-z0-9@])[roygbp](?![a-z0-9])|\*[A-Z]", _ring(CAMP))) == 42
    assert "(r)" not in "\n".join(shown(begin("placing", level=2)))


def _ring(state: tianxia.State) -> str:
    return "\n".join(shown(state)[:19])


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("options", [{"level": 1}, {"players": 6}, {"armies": 3}])
def test_it_fits_into_80_columns_and_40_lines(language: str, options: dict[str, int]) -> None:
    for state in random_game(200, 4, **options)[::25]:
        lines = shown(state, language)
        assert max(map(len, lines)) <= 80
        assert len(lines) <= 40


def test_moves_are_listed_by_pile() -> None:
    state = play(field("r5:3r r7:2r y5:5y", colours="ry"), "roll 6-4")
    groups = TERMINAL.groups(state.view(0), 0, "en")
    assert [(group.key, group.title) for group in groups] == [("r5", "3 Red"), ("r7", "2 Red")]
    actions = [action for group in groups for action in group.actions]
    assert {state.text(action, 0) for action in actions} == legal(state)
    play(state, "r5-r6")
    assert [group.key for group in TERMINAL.groups(state.view(0), 0, "en")] == [""]
    assert TERMINAL.question(state.view(0), 0, "fr") == "combien d’unités\u202f?"


# --- Set-ups ---


def placing() -> tuple[tianxia.State, str]:
    state = begin("placing", level=1)
    return state, state.notation().split("armies=")[1][0]


def test_a_set_up_is_a_draft() -> None:
    state, army = placing()
    view = state.view(0)
    assert TERMINAL.drafting(view, 0)
    draft: list[int] | None = None
    for formation in FORMATIONS:
        draft = TERMINAL.read_draft(view, formation.id, "en")
        assert draft is not None
        text = TERMINAL.write_draft(view, draft)
        assert TERMINAL.read_draft(view, text.upper(), "en") == draft
        done = state.clone()
        for action in draft:
            done.apply(action, 0)
        assert not TERMINAL.drafting(done.view(0), 0)
    assert draft is not None
    assert TERMINAL.write_draft(view, draft) == " ".join(
        f"{army}{pile}" for pile in ("5:5", "9:5", "13:2")
    )


def test_a_draft_can_be_changed_and_mirrored() -> None:
    state, army = placing()
    view = state.view(0)
    draft = TERMINAL.read_draft(view, f"{army}5:8 {army}6:4", "en")
    assert draft is not None
    moved = TERMINAL.edit_draft(view, draft, f"{army}5 {army}7 3", "en")
    assert moved is not None
    assert TERMINAL.write_draft(view, moved) == f"{army}5:5 {army}6:4 {army}7:3"
    mirrored = TERMINAL.write_draft(view, TERMINAL.mirrored(view, moved))
    assert mirrored == f"{army}7:3 {army}8:4 {army}9:5"
    assert TERMINAL.edit_draft(view, draft, "nonsense", "en") is None
    assert TERMINAL.read_draft(view, "nonsense", "en") is None
    with pytest.raises(ParseError, match="not so many"):
        TERMINAL.edit_draft(view, draft, f"{army}1 {army}7", "en")
    with pytest.raises(ParseError, match="12 units"):
        TERMINAL.read_draft(view, f"{army}5:8", "en")


def test_several_armies_are_one_draft() -> None:
    view = begin("placing", armies=3, map="/r1o1y1").view(0)
    draft = TERMINAL.read_draft(view, "fists", "en")
    assert draft is not None
    assert len(draft) == 36
    assert TERMINAL.mirrored(view, draft) == draft
