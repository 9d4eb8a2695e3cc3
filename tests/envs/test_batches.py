"""Batches and the vector environment do what one state after another does."""

from __future__ import annotations

import os
from math import prod
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import tianxia
from tianxia.envs.vector import SCALE, VectorEnv
from tianxia.kernel import batches
from tianxia.kernel.batches import NO_ACTION, NOBODY
from tianxia.kernel.rng import below
from tianxia.kernel.state import State

SPECS = [
    "binfa(level=1)",
    "china(players=2)",
    "firebulls(players=3)",
    "stratego(variant=barrage)",
    "suntzu",
]
LENGTH = 60


def states(game: tianxia.Game, pool: np.ndarray) -> list[State]:
    return [game.from_record(pool[i : i + 1]) for i in range(len(pool))]


def settled(state: State, rng: np.ndarray) -> None:
    """Let chance act, as the rules draw it: the order of its list is the rules' own."""
    while not state.acting and not state.over:
        pool = batches.reset(state.game, 1)
        pool[:] = state.record
        actions, weights, counts = batches.chance(state.game, pool)
        count, left = int(counts[0]), 0
        if count > 1:
            left = int(below(rng, int(weights[0, :count].sum())))
        place = int(np.searchsorted(np.cumsum(weights[0, :count]), left, side="right"))
        state.apply(int(actions[0, place]), tianxia.CHANCE)


@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_is_what_its_states_are(spec):
    game, chooser = tianxia.game(spec), np.random.default_rng(2)
    pool, rngs, twins = batches.reset(game, 4), batches.streams(4, 7), batches.streams(4, 7)
    assert [state.to_bytes() for state in states(game, pool)] == [game.new().to_bytes()] * 4
    others = [game.new() for _ in range(4)]
    seats = batches.step(game, pool, rngs=rngs, threads=2)
    for number in range(LENGTH):
        for other, twin in zip(others, twins, strict=True):
            settled(other, twin)
        assert [state.to_bytes() for state in states(game, pool)] == [s.to_bytes() for s in others]
        expected = [NOBODY if s.over else s.acting[0] for s in others]
        assert seats.tolist() == expected == batches.actors(game, pool).tolist()
        views = batches.observe(game, pool, seats)
        masks = batches.mask(game, views, seats, threads=3)
        assert (masks == batches.mask(game, pool, seats)).all()
        bits = np.unpackbits(
            batches.mask(game, pool, seats, packed=True), axis=1, bitorder="little"
        )
        assert (bits[:, : game.num_actions] == masks).all()
        features = batches.encode(game, views)
        actions = np.full(4, NO_ACTION)
        for i, other in enumerate(others):
            if other.over:
                assert not masks[i].any()
                assert batches.utilities(game, pool)[i].tolist() == other.utilities()
                continue
            seat = other.acting[0]
            assert views[i : i + 1].tobytes() == other.view(seat).to_bytes()
            assert np.flatnonzero(masks[i]).tolist() == other.legal_actions(seat)
            assert (features[i] == other.encode(seat)).all()
            actions[i] = chooser.choice(other.legal_actions(seat))
            if i == 3 and number % 3:
                actions[i] = NO_ACTION
                continue
            other.apply(int(actions[i]), seat)
        seats = batches.step(game, pool, actions, rngs=rngs, out=seats)


def test_chance_may_be_given():
    game = tianxia.game("suntzu")
    pool = batches.reset(game, 3)
    assert batches.actors(game, pool).tolist() == [tianxia.CHANCE] * 3
    actions, weights, counts = batches.chance(game, pool)
    one = game.new()
    listed = zip(actions[0, : counts[0]].tolist(), weights[0, : counts[0]].tolist(), strict=True)
    assert sorted(listed) == one.chance_weights()
    seats = batches.step(game, pool, actions[:, 0])
    one.apply(int(actions[0, 0]))
    assert pool[:1].tobytes() == pool[2:].tobytes() == one.to_bytes()
    assert seats.tolist() == [tianxia.CHANCE if not one.acting else one.acting[0]] * 3


def test_an_illegal_action_changes_nothing():
    game = tianxia.game("stratego")
    pool = batches.reset(game, 3)
    before = pool.tobytes()
    for wrong in (0, game.num_actions, 900):
        with pytest.raises(tianxia.IllegalAction, match="position 1: action"):
            batches.step(game, pool, np.array([2, wrong, 2]))
        assert pool.tobytes() == before
    with pytest.raises(tianxia.SeatError):
        batches.step(game, pool, np.array([2, 2, 2]), seats=np.array([0, 2, 0]))


def test_arrays_of_another_shape_or_type_are_refused():
    game, other = tianxia.game("stratego"), tianxia.game("suntzu")
    pool, seats = batches.reset(game, 4), np.zeros(4, int)
    with pytest.raises(tianxia.NotationError, match="pool of stratego"):
        batches.actors(game, batches.reset(other, 4))
    with pytest.raises(tianxia.NotationError, match="in one piece"):
        batches.actors(game, pool[::2])
    views = batches.observe(game, pool, seats)
    with pytest.raises(tianxia.TianxiaError, match="float32"):
        batches.encode(game, views, out=np.zeros((4, game.features)))  # type: ignore[arg-type]
    with pytest.raises(tianxia.TianxiaError, match="actions should be"):
        batches.step(game, pool, np.zeros(4))
    with pytest.raises(tianxia.TianxiaError, match="rngs should be"):
        batches.step(game, pool, rngs=batches.streams(3))
    with pytest.raises(tianxia.TianxiaError, match="seats should be"):
        batches.observe(game, pool, seats[:3])
    with pytest.raises(tianxia.SeatError):
        batches.observe(game, pool, seats + 2)
    with pytest.raises(tianxia.TianxiaError, match="threads"):
        batches.mask(game, pool, seats, threads=0)
    with pytest.raises(tianxia.TianxiaError, match="1 or more"):
        batches.reset(game, 0)
    with pytest.raises(tianxia.TianxiaError, match=r"such as tianxia\.game\('suntzu'\)"):
        batches.reset("suntzu", 4)  # type: ignore[arg-type]
    with pytest.raises(tianxia.TianxiaError, match=r"such as tianxia\.game\('stratego'\)"):
        batches.actors("stratego", pool)  # type: ignore[arg-type]
    env, ragged = VectorEnv(game, 4), [[0], 1, 2, 3]
    env.reset()
    for act in (lambda actions: batches.step(game, pool, actions), env.step):
        with pytest.raises(tianxia.TianxiaError, match="actions should be"):
            act(ragged)


def test_positions_of_other_options_and_full_states_for_views_are_refused():
    game, duel = tianxia.game("stratego"), tianxia.game("stratego(variant=duel)")
    pool = batches.reset(game, 4)
    pool[2:3] = batches.reset(duel, 1)
    with pytest.raises(tianxia.OptionError, match="other options than stratego"):
        batches.actors(game, pool)
    with pytest.raises(tianxia.ViewError, match="observe"):
        batches.encode(duel, batches.reset(duel, 2))
    batches.encode(duel, batches.observe(duel, batches.reset(duel, 2), np.array([1, -1])))


def test_a_view_tells_nothing_that_its_seat_does_not_know():
    game = tianxia.game("suntzu")
    pool = batches.reset(game, 3)
    seats = batches.step(game, pool, rngs=batches.streams(3, 1)).astype(int)
    views = batches.observe(game, pool, seats)
    batches.mask(game, views, np.where(seats == seats[0], seats, NOBODY))
    for call, said in (
        (lambda: batches.mask(game, views, 1 - seats), "position 0 is not the view of seat"),
        (lambda: batches.observe(game, views, 1 - seats), "observe the full states"),
        (lambda: batches.chance(game, views), "ask the full states"),
        (lambda: batches.evaluate(game, views), "judge the full states"),
        (lambda: game.samples(views, 3), r"take one with state\.view"),  # type: ignore[arg-type]
    ):
        with pytest.raises(tianxia.ViewError, match=said):
            call()


def test_views_do_not_overwrite_what_is_seen():
    game = tianxia.game("suntzu")
    pool = batches.reset(game, 3)
    before = pool.tobytes()
    with pytest.raises(tianxia.TianxiaError, match="out is the pool itself"):
        batches.observe(game, pool, np.zeros(3, int), out=pool)
    assert pool.tobytes() == before


def test_no_positions_have_no_features():
    game = tianxia.game("suntzu")
    none, nobody = batches.reset(game, 2)[:0], np.zeros(0, int)
    assert batches.step(game, none, rngs=batches.streams(0)).shape == (0,)
    assert batches.mask(game, none, nobody).shape == (0, game.num_actions)
    views = batches.observe(game, none, nobody)
    assert batches.encode(game, views).shape == (0, game.features)


def test_a_game_that_is_over_is_left_as_it_is():
    game = tianxia.game("suntzu")
    pool, rngs = batches.reset(game, 2), batches.streams(2)
    seats = batches.step(game, pool, rngs=rngs)
    while (seats != batches.NOBODY).all():
        seats = batches.step(game, pool, batches.mask(game, pool, seats).argmax(1), rngs=rngs)
    actions = batches.mask(game, pool, seats).argmax(1)
    with pytest.raises(tianxia.IllegalAction, match="the game is over: give NO_ACTION"):
        batches.step(game, pool, actions, rngs=rngs)
    batches.step(game, pool, np.where(seats == batches.NOBODY, batches.NO_ACTION, actions))


# --- The vector environment ---


@pytest.mark.parametrize("spec", SPECS)
def test_a_vector_of_games_is_what_their_states_are(spec):
    game = tianxia.game(spec)
    env, chooser = VectorEnv(spec, 3, seed=5, threads=2, max_actions=25), np.random.default_rng(1)
    twins, others, taken = batches.streams(3, 5), [game.new() for _ in range(3)], [0] * 3
    small = VectorEnv(game, 3, seed=5, dtype=np.int8, max_actions=25)
    env.reset()
    small.reset()
    met = set()
    for _ in range(LENGTH):
        for i, (other, twin) in enumerate(zip(others, twins, strict=True)):
            settled(other, twin)
            seat = other.acting[0]
            assert env.seats[i] == seat
            assert (env.observations[i] == other.encode(seat)).all()
            assert np.flatnonzero(env.masks[i]).tolist() == other.legal_actions(seat)
        expected = np.clip(np.floor(env.observations * np.float32(SCALE) + 0.5), -127, 127)
        assert (np.abs(small.observations - expected) <= 1).all()
        actions = env.sample_actions(chooser)
        env.step(actions)
        small.step(actions)
        for i, (action, other) in enumerate(zip(actions.tolist(), others, strict=True)):
            seat = other.acting[0]
            other.apply(action, seat)
            settled(other, twins[i])
            taken[i] += 1
            cut = not other.over and taken[i] == 25
            assert (bool(env.terminated[i]), bool(env.truncated[i])) == (other.over, cut)
            assert env.rewards[i].tolist() == pytest.approx(other.utilities())
            if other.over or cut:
                met.add(other.over)
                last = other.encode(seat if other.over else other.acting[0])
                assert (env.final_observations[i] == last).all()
                others[i], taken[i] = game.new(), 0
    assert False in met


def test_games_end_and_begin_again():
    env, chooser, ended = VectorEnv("suntzu", 16, seed=2), np.random.default_rng(4), 0
    env.reset()
    for _ in range(300):
        observations, rewards, terminated, truncated = env.step(env.sample_actions(chooser))
        assert observations is env.observations
        assert not truncated.any()
        assert (rewards[~terminated] == 0).all()
        assert np.allclose(rewards.sum(axis=1), 0)
        ended += terminated.sum()
    assert ended > 16


class Shares:
    """Stands in for a generator: the numbers that it is to draw."""

    def __init__(self, drawn):
        self.random = lambda size: np.full(size, drawn)


@pytest.mark.parametrize("name", ["suntzu", "firebulls", "stratego"])
def test_random_actions_are_each_of_the_legal_ones(name):
    env = VectorEnv(name, 4, seed=1)
    env.reset()
    for _ in range(60):
        legal = [np.flatnonzero(mask) for mask in env.masks]
        for drawn in (0.0, 0.31, 0.77, np.nextafter(1, 0)):
            wanted = [actions[int(drawn * len(actions))] for actions in legal]
            shares: Any = Shares(drawn)
            assert env.sample_actions(shares).tolist() == wanted
        env.step(env.sample_actions(np.random.default_rng(2)))


def test_streams_do_not_depend_on_threads_or_neighbours():
    many, few = VectorEnv("firebulls", 8, seed=3, threads=3), VectorEnv("firebulls", 2, seed=3)
    for env in (many, few):
        env.reset()
        for _ in range(80):
            env.step(env.masks.argmax(axis=1))
    assert (many.observations[:2] == few.observations).all()
    assert many.observations[1].tobytes() != many.observations[2].tobytes()
    first = few.reset(seed=9).copy()
    again = VectorEnv("firebulls", 2, seed=9)
    assert (again.reset() == first).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts processes anew")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_of_the_process_has_threads_of_its_own():
    env = VectorEnv("suntzu", 4, threads=2)
    env.reset()
    child = get_context("fork").Process(target=lambda: env.step(env.masks.argmax(axis=1)))
    child.start()
    child.join(20)
    child.kill()
    assert child.exitcode == 0


def test_arrays_are_shared_without_copies():
    env = VectorEnv("stratego(variant=duel)", 2)
    shared = np.from_dlpack(env.observations)
    env.reset()
    env.step(env.masks.argmax(axis=1))
    assert np.shares_memory(shared, env.observations)
    assert (shared == env.observations).all()
    lakes = env.part("lakes")
    assert np.shares_memory(lakes, env.observations)
    assert lakes.shape == (2, 10, 10)
    assert lakes[1].sum() == 8


@pytest.mark.parametrize("spec", SPECS)
def test_every_feature_has_a_name(spec):
    game = tianxia.game(spec)
    assert sum(prod(shape) for _, shape in game.layout) == game.features
    assert len({name for name, _ in game.layout}) == len(game.layout) > 1


def test_nobody_plays_on_views_or_writes_what_is_only_to_be_read():
    game = tianxia.game("firebulls")
    pool, rngs = batches.reset(game, 3), batches.streams(3, 1)
    seats = batches.step(game, pool, rngs=rngs)
    actions = batches.mask(game, pool, seats).argmax(axis=1)
    mixed = pool.copy()
    mixed[1:] = batches.observe(game, pool, seats)[1:]
    for wishes in ({"actions": actions}, {"rngs": rngs}):
        with pytest.raises(tianxia.ViewError, match="position 1 is a view"):
            batches.step(game, mixed, **wishes)
    assert (batches.actors(game, mixed) == seats).all()
    before, drawn = pool.tobytes(), rngs.tobytes()
    for array, name in ((pool, "pool"), (rngs, "rngs")):
        array.flags.writeable = False
        with pytest.raises(tianxia.TianxiaError, match=f"{name} cannot be written to"):
            batches.step(game, pool, actions, rngs=rngs)
        array.flags.writeable = name != "pool"
        assert (batches.actors(game, pool) == seats).all()
        array.flags.writeable = True
    full = np.zeros(3, np.int8)
    full.flags.writeable = False
    with pytest.raises(tianxia.TianxiaError, match="out cannot be written to"):
        batches.step(game, pool, actions, out=full)
    frozen = pool.copy()
    frozen.flags.writeable = False
    with pytest.raises(tianxia.TianxiaError, match="out cannot be written to"):
        batches.reset(game, 3, out=frozen)
    for wrong in (-7, game.num_actions):
        with pytest.raises(tianxia.IllegalAction, match=f"position 2: action {wrong}") as told:
            batches.step(game, pool, np.array([NO_ACTION, NO_ACTION, wrong]))
        assert told.value.statement == "no-action"
    with pytest.raises(tianxia.IllegalAction, match="position 0: action 9223372036854775807"):
        batches.step(game, pool, np.full(3, 2**64 - 1, np.uint64))  # NO_ACTION, if it came round
    assert (pool.tobytes(), rngs.tobytes()) == (before, drawn)


@pytest.mark.parametrize("kind", [*"bhilBHIL", ">i2", ">u4"])
def test_whole_numbers_of_any_kind_are_actions(kind: str):
    game = tianxia.game("stratego")
    pools = [batches.reset(game, 3) for _ in range(2)]
    actions = np.array([game.new().legal_actions(0)[0]] * 3)
    batches.step(game, pools[0], actions, np.zeros(3, int))
    batches.step(game, pools[1], actions.astype(kind), np.zeros(3, kind))
    assert pools[0].tobytes() == pools[1].tobytes()
    env = VectorEnv(game, 3)
    env.reset()
    env.step(env.masks.argmax(axis=1).astype(kind))


def test_numbers_that_are_none_are_refused():
    game = tianxia.game("stratego")
    pool, seats = batches.reset(game, 2), np.zeros(2, int)
    half: Any = 0.5
    for call, said in (
        (lambda: batches.reset(game, half), r"n should be .* not 0.5"),
        (lambda: batches.streams(-4), r"n should be .* not -4"),
        (lambda: batches.streams(3, half), r"seed should be .* not 0.5"),
        (
            lambda: batches.mask(game, pool, seats, threads=half),
            r"threads should be .* not 0.5",
        ),
        (lambda: VectorEnv(game, half), "num_envs should be"),
        (lambda: VectorEnv(game, 2, seed=half), "seed should be"),
        (lambda: VectorEnv(game, 2, threads=half), "threads should be"),
        (lambda: VectorEnv(game, 2, max_actions=-3), r"max_actions should be .* not -3"),
        (lambda: VectorEnv(game, 2, dtype="banana"), "dtype='banana' should be float32 or int8"),
    ):
        with pytest.raises(tianxia.TianxiaError, match=said):
            call()


def test_the_vector_environment_begins_with_a_reset():
    env = VectorEnv("suntzu", 2)
    assert repr(env) == "<VectorEnv of 2 × suntzu>"
    for call in (
        lambda: env.step([0, 0]),
        lambda: env.sample_actions(np.random.default_rng(1)),
    ):
        with pytest.raises(tianxia.TianxiaError, match=r"call reset\(\)"):
            call()
    env.reset()
    with pytest.raises(tianxia.TianxiaError, match=r"rng=3 should be numpy\.random\.default_rng"):
        env.sample_actions(3)  # type: ignore[arg-type]
    with pytest.raises(tianxia.TianxiaError, match="seed should be"):
        env.reset("x")  # type: ignore[arg-type]
    env.close()


def test_the_vector_environment_says_what_is_wrong():
    env = VectorEnv("stratego", 2)
    env.reset()
    before = env.pool.tobytes()
    legal = env.masks.argmax(axis=1)
    for wrong in (-1, 0, env.num_actions):
        with pytest.raises(tianxia.IllegalAction, match="game 1: action"):
            env.step([int(legal[0]), wrong])
    with pytest.raises(tianxia.TianxiaError, match="whole numbers"):
        env.step([1.0, 2.0])
    with pytest.raises(tianxia.TianxiaError, match="no part is called"):
        env.part("seas")
    with pytest.raises(tianxia.TianxiaError, match="dtype"):
        VectorEnv("stratego", 2, dtype=np.float64)
    with pytest.raises(tianxia.TianxiaError, match="num_envs"):
        VectorEnv("stratego", 0)
    assert env.pool.tobytes() == before


def test_outputs_of_moves_lie_where_the_features_show_the_piece():
    """A side's move stands at its own piece; like moves of both sides stand in one plane."""
    env, chooser = VectorEnv("stratego(variant=barrage)", 6, seed=3), np.random.default_rng(2)
    game = env.game
    (_, (others,)), (_, planes) = game.outputs
    assert sorted(set(game.output_of[1]) - set(range(others))) == sorted(
        set(game.output_of[0]) - set(range(others))
    )
    assert len(set(game.output_of[1])) == game.num_actions
    env.reset()
    met = set()
    for _ in range(60):
        own = env.part("own pieces by rank").sum(axis=1)
        for i, (seat, mask) in enumerate(zip(env.seats, env.masks, strict=True)):
            for action in np.flatnonzero(mask):
                place = game.output_of[seat, action] - others
                if place < 0:
                    assert action == place + others
                    continue
                plane, row, column = np.unravel_index(place, planes)
                steps = (-1, 1)[plane // 9 % 2] * (plane % 9 + 1)
                target = (row + steps, column) if plane < 18 else (row, column + steps)
                assert own[i, row, column] == 1
                assert own[i][target] == 0
                met.add(int(seat))
        env.step(env.sample_actions(chooser))
    assert met == {0, 1}
    china = tianxia.game("china")
    assert china.outputs == (("actions", (china.num_actions,)),)
    assert (china.output_of[2] == np.arange(china.num_actions)).all()
