"""Copies of positions, their past, and what the rules themselves have made."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import tianxia
from tests.battery.games import TOY_MODULE
from tianxia.kernel.rng import below
from tianxia.kernel.state import State
from tianxia.testing.walk import raw_chance

SPECS = ["binfa", "china", "firebulls", "stratego", "suntzu", TOY_MODULE.replace("_", "-")]


def played(spec: str, plies: int, seed: int = 1) -> State:
    plies = min(plies, 8 if spec == "blind-duel" else plies)
    state, chooser = tianxia.game(spec).new(), random.Random(seed)
    for _ in range(plies):
        if not state.over:
            go_on(state, chooser)
    return state


def go_on(state: State, chooser: random.Random) -> None:
    seat = state.acting[0] if state.acting else tianxia.CHANCE
    state.apply(chooser.choice(state.legal_actions(seat)), seat)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(
    "again", [State.clone, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_a_copy_goes_its_own_way(spec, again):
    state = played(spec, 60)
    other, before, past = again(state), state.to_bytes(), list(state.history())
    assert other == state
    assert list(other.history()) == past
    assert other.start() == state.start()
    go_on(other, random.Random(2))
    assert (state.to_bytes(), list(state.history())) == (before, past)
    assert list(other.history())[:-1] == past
    twin = played(spec, 60)
    go_on(twin, random.Random(2))
    assert other == twin
    assert other.transcript() == twin.transcript()
    assert again(other).transcript() == twin.transcript()


@pytest.mark.parametrize("spec", SPECS)
def test_what_chance_can_do_is_what_the_rules_write_in_order(spec):
    state, chooser, met = tianxia.game(spec).new(), random.Random(4), 0
    for _ in range(150):
        if state.over:
            break
        if not state.acting:
            met += 1
            expected = sorted(raw_chance(state.game, state.record))
            assert state.chance_weights() == expected
            assert state.legal_actions(tianxia.CHANCE) == [action for action, _ in expected]
            assert state.clone().chance_weights() == expected
            assert pickle.loads(pickle.dumps(state)).chance_weights() == expected
        else:
            assert state.chance_weights() == []
            assert state.legal_actions(tianxia.CHANCE) == []
        go_on(state, chooser)
    assert met


@pytest.mark.parametrize("spec", SPECS)
def test_nobody_asks_a_view_what_chance_can_do(spec):
    state, chooser = tianxia.game(spec).new(), random.Random(4)
    while state.acting:
        go_on(state, chooser)
    for viewer in (0, tianxia.SPECTATOR):
        with pytest.raises(tianxia.ViewError):
            state.view(viewer).chance_weights()
        with pytest.raises(tianxia.ViewError):
            state.view(viewer).legal_actions(tianxia.CHANCE)
        with pytest.raises(tianxia.ViewError):
            state.view(viewer).draw_chance(tianxia.new_rng(1))


@pytest.mark.parametrize("spec", SPECS)
def test_chance_is_drawn_by_weight_and_what_is_certain_draws_nothing(spec):
    state, chooser, met = tianxia.game(spec).new(), random.Random(4), set()
    for seed in range(300):
        if state.acting or state.over:
            with pytest.raises(tianxia.SeatError):
                state.draw_chance(tianxia.new_rng(seed))
        else:
            weights = dict(state.chance_weights())
            rng = tianxia.new_rng(seed)
            before = rng.copy()
            action = state.draw_chance(rng)
            assert (len(weights) == 1) == (rng == before).all()
            lot = [one for one, weight in weights.items() for _ in range(weight)]
            assert action == lot[int(below(before, len(lot))) if len(weights) > 1 else 0]
            met.add(len(set(weights.values())))
            with pytest.raises(tianxia.RngError):
                state.draw_chance(chooser)  # type: ignore[arg-type]
        if state.over:
            break
        go_on(state, chooser)
    assert met


@pytest.mark.parametrize("spec", SPECS)
def test_a_view_is_the_same_read_from_its_bytes(spec):
    for plies in (0, 5, 80):
        state = played(spec, plies)
        for viewer in (*range(state.seats), tianxia.SPECTATOR):
            view = state.view(viewer)
            read = state.game.from_bytes(view.to_bytes())
            assert read == view
            assert (read.viewer, read.acting, read.start()) == (viewer, view.acting, view.start())
            if viewer in state.acting:
                assert read.legal_actions(viewer) == view.legal_actions(viewer)


@pytest.mark.parametrize("spec", SPECS)
def test_records_of_a_pool_become_states(spec):
    state = played(spec, 60)
    seat = state.acting[0] if state.acting else 0
    worlds = state.game.samples(state.view(seat), 5, seed=3)
    for i in range(5):
        world = state.game.from_record(worlds[i : i + 1])
        assert world == state.game.from_bytes(worlds[i : i + 1].tobytes())
        before = worlds[i : i + 1].tobytes()
        if not world.over:
            go_on(world, random.Random(1))
        assert worlds[i : i + 1].tobytes() == before


def test_what_is_no_record_becomes_no_state():
    game, other = tianxia.game("stratego"), tianxia.game("suntzu")
    worlds = game.samples(game.new().view(0), 3)
    for wrong in (worlds, worlds[:0], worlds[0], other.new().record, np.zeros(1), None):
        with pytest.raises(tianxia.NotationError, match="an array of one"):
            game.from_record(wrong)
