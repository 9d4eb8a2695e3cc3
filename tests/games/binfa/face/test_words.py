"""The log of Bin'Fa says what has happened, and no more than that, before all of it has."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.face.test_picture import FIELD
from tianxia.kernel import registry
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State


def told(state: State, token: str, seat: int, viewer: int | None) -> str:
    """Return what a viewer is told of an action, which is then taken."""
    action = state.parse(token, seat)
    text = state.describe(action, seat, viewer, "en")
    state.apply(action, seat)
    return text


def drawn(**options: int) -> State:
    """Return a position in which all are to set up their units."""
    state = tianxia.game("binfa", **options).new()
    while not state.acting:
        state.apply(state.legal_actions(CHANCE)[0], CHANCE)
    return state


def test_who_has_set_up_the_last_unit_has_set_up_all():
    state = drawn(level=1)
    spots = [state.legal_actions(0)[0]] * 12
    first = [state.describe(spots[0], 0, viewer, "en") for viewer in (0, 1)]
    for spot in spots[:-1]:
        state.apply(spot, 0)
    last = [state.describe(spots[-1], 0, viewer, "en") for viewer in (0, 1, -1, None)]
    who = first[1].removesuffix(" set up a unit.")
    assert first[0].startswith(f"{who} set up a unit on ")
    assert last[0] == last[3] == first[0].replace("a unit", "the last unit")
    assert last[1] == last[2] == f"{who} has set up all its units."


@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_pile_has_moved_once_it_is_said_how_many_go(viewer: int | None):
    state = registry.position(FIELD.format("r2:2r1b1r,r6:1r,"))
    go = state.describe(state.parse("r6-r5", 0), 0, viewer, "en")
    assert go == "Red moved from r6 to r5."  # a lone unit
    state = registry.position(FIELD.format("r2:2r,r6:2r,"))
    assert told(state, "r6-r5", 0, viewer) == "Red chose to move from r6 to r5."
    assert told(state, "1", 0, viewer) == "Red moved 1 unit."
