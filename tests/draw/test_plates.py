"""What a seat's plate says: the same to everybody, and in step with the position."""

from __future__ import annotations

import random

import pytest

import tianxia
from tianxia.draw.scene import Drawing, Plate, SceneRequest, leaders
from tianxia.games.binfa.face.words import seat_name
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.state import State

GAMES = ("stratego", "suntzu", "firebulls(players=3)", "china(players=3)", "binfa(players=3)")


def played(spec: str, plies: int) -> State:
    """Return a position after some random actions."""
    state, dice = tianxia.game(spec).new(), random.Random(4)
    while state.plies < plies and not state.over:
        if state.acting:
            seat = state.acting[0]
            state.apply(dice.choice(state.legal_actions(seat)), seat)
        else:
            state.apply(dice.choice(state.chance_weights())[0], CHANCE)
    return state


def plates(state: State, viewer: int) -> tuple[Plate, ...]:
    drawing = Drawing.of(state.game.kind)
    assert drawing is not None
    return drawing(SceneRequest(state.view(viewer), viewer)).plates


@pytest.mark.parametrize("spec", GAMES)
def test_everybody_reads_the_same_on_a_plate(spec: str) -> None:
    for plies in (1, 60, 160):
        state = played(spec, plies)
        if state.over:
            continue
        seen = [plates(state, viewer) for viewer in (SPECTATOR, *range(state.seats))]
        assert all(one == seen[0] for one in seen)
        assert len(seen[0]) in (0, state.seats)


@pytest.mark.parametrize("spec", GAMES)
def test_plates_change_with_the_position(spec: str) -> None:
    found = {plates(played(spec, plies), SPECTATOR) for plies in (80, 120, 200, 260)}
    assert len(found) > 1


def test_only_one_leads() -> None:
    assert leaders([3, 1, 2]) == [True, False, False]
    assert leaders([3, 3, 2]) == [False, False, False]


def test_a_plate_says_what_sentences_call_a_seat_once_its_army_is_drawn() -> None:
    state = played("binfa(players=3)", 160)
    names = [plate.name for plate in plates(state, SPECTATOR)]
    assert names == [seat_name(state, seat, "en") for seat in range(3)]
    assert "First" not in names
    assert {plate.name for plate in plates(played("stratego", 60), SPECTATOR)} == {""}
