"""The picture of China: emissaries beside names, markers that have been round the track."""

from __future__ import annotations

import re

import pytest

import tianxia
from tianxia.draw.scene import Drawing, SceneRequest
from tianxia.games.china.face.scene import GROUPS

DEN = 33.0
"""So far from the dragon nothing else is written."""
RADIUS, TALLY = 17.0, (13.0, 12.0, 10.0)
"""Of an emissary; and where the number of several lies, with its radius."""


def drawn(state: tianxia.State) -> str:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    return drawing(SceneRequest(state.view(0), 0, "en", prefix="t-")).svg


@pytest.mark.parametrize("number", range(1, 6))
def test_emissaries_stay_on_their_dragon_whatever_their_number(number: int):
    scale, spots = GROUPS[number]
    assert len(set(spots)) == number
    for x, y in spots:
        assert (x * x + y * y) ** 0.5 + scale * RADIUS <= DEN + 1


def test_a_marker_that_has_been_round_the_track_says_so():
    state = tianxia.game("china").new()
    assert 'class="ch-lap"' not in drawn(state)
    pool = state.record
    pool[0]["points"][0][0] = 57
    svg = drawn(tianxia.State(state.game, pool))
    (marker,) = re.findall(r'id="t-m-\d" [^\n]*class="ch-lap"[^\n]*', svg)
    assert re.findall(r"#digit-(\d)", marker) == ["5", "0"]
