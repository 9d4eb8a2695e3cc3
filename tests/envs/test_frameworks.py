"""The suites of PettingZoo, Gymnasium and OpenSpiel pass on every game, with all option sets."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable
from multiprocessing import get_context

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, seed_test

import tianxia
from tests.battery.games import GAMES as TOYS  # registers the toy game
from tests.battery.games import SPECS as OPTION_SETS
from tests.browser import find_chromium
from tianxia.envs import gymnasium as ours
from tianxia.envs import pettingzoo
from tianxia.envs.camera import VARIABLE, Camera
from tianxia.envs.table import BOUND
from tianxia.envs.vector import VectorEnv
from tianxia.search.uniform import Uniform

SPECS = [*OPTION_SETS, "binfa(level=1)", "china(players=2)", "suntzu"]
OWN = [spec for spec in SPECS if "blind-duel" not in spec]
"""Without the toy game, which has no picture."""
GAMES = ["binfa", "china", "firebulls", "stratego", "suntzu"]
CYCLES = 60
# What is seen is a mask and features, and nobody may act in a game that is over.
dicts = pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
spaces = pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
masks = pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros")


# --- PettingZoo ---


@dicts
@spaces
@masks
@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_accepts_the_games(spec):
    api_test(pettingzoo.env(spec, max_actions=CYCLES), num_cycles=2 * CYCLES)
    seed_test(lambda: pettingzoo.env(spec, max_actions=CYCLES), num_cycles=CYCLES)


@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_accepts_the_games_in_parallel(spec):
    parallel_api_test(pettingzoo.parallel_env(spec, max_actions=CYCLES), num_cycles=CYCLES)


def played(env: pettingzoo.Seats, seed: int) -> list[float]:
    """Play a random game; return what each agent gets."""
    env.reset(seed=seed)
    chooser, got = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, cut, _ = env.last()
        got[agent] += reward
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        env.step(None if over or cut else chooser.choice(legal))
    return list(got.values())


@pytest.mark.parametrize("spec", ["suntzu", "firebulls(players=3)"])
def test_each_agent_gets_its_utility_at_the_end(spec):
    env = pettingzoo.env(spec)
    for seed in range(2):
        got = played(env, seed)
        assert env.table.state.over
        assert got == pytest.approx(env.table.state.utilities())
        with pytest.raises(tianxia.TianxiaError, match=r"call reset\(\)"):
            env.step(None)


def test_an_agent_sees_its_view_and_no_more():
    env = pettingzoo.env("stratego(variant=barrage)")
    env.reset(seed=1)
    state = env.table.state
    for _ in range(60):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    for seat, agent in enumerate(env.agents):
        assert (env.observe(agent)["observation"] == state.view(seat).encode()).all()


def test_illegal_actions_are_refused_with_the_reason():
    env = pettingzoo.env("stratego")
    env.reset(seed=1)
    before = env.table.state.to_bytes()
    for wrong in (0, -1, 10_000, None):
        with pytest.raises(tianxia.IllegalAction):
            env.step(wrong)
    together = pettingzoo.parallel_env("stratego")
    together.reset(seed=1)
    with pytest.raises(tianxia.IllegalAction):
        together.step({"seat_0": 1, "seat_1": 0})
    with pytest.raises(tianxia.TianxiaError, match="seat_1 gives no action"):
        together.step({"seat_0": 1})
    assert together.table.state.to_bytes() == env.table.state.to_bytes() == before


def test_no_step_follows_the_end():
    env = pettingzoo.parallel_env("suntzu", max_actions=1)
    with pytest.raises(tianxia.TianxiaError, match=r"call reset\(\)"):
        env.step({})
    seen, _ = env.reset(seed=1)
    env.step({agent: int(np.flatnonzero(one["action_mask"])[0]) for agent, one in seen.items()})
    assert env.agents == []
    with pytest.raises(tianxia.TianxiaError, match=r"call reset\(\)"):
        env.step({})


def test_seats_that_choose_at_once_act_in_one_step():
    env = pettingzoo.parallel_env("stratego(variant=barrage)")
    seen, _ = env.reset(seed=1)
    env.step({agent: int(np.flatnonzero(one["action_mask"])[0]) for agent, one in seen.items()})
    assert [seat for seat, _ in env.table.state.history()] == [0, 1]


@pytest.mark.parametrize("spec", OWN)
def test_positions_are_rendered_as_text_and_picture(spec):
    for mode, begins in (("ansi", ""), ("svg", "<svg")):
        env = pettingzoo.env(spec, render_mode=mode)
        env.reset(seed=1)
        assert str(env.render()).startswith(begins)
        assert len(str(env.render())) > 100
    with pytest.raises(tianxia.TianxiaError, match="ansi, svg, rgb_array"):
        pettingzoo.env(spec, render_mode="human")


def test_positions_are_rendered_as_pixels(monkeypatch):
    monkeypatch.setenv(VARIABLE, str(find_chromium()))
    env = ours.Seat("stratego(variant=barrage)", render_mode="rgb_array")
    env.reset(seed=1)
    before = env.render()
    assert isinstance(before, np.ndarray)
    assert before.dtype == np.uint8
    height, width, colours = before.shape
    assert (width, colours) == (720, 3)
    assert height % 2 == 0
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 50  # a picture, and not a sheet
    assert np.array_equal(np.asarray(env.render()), before)
    env.step(int(np.flatnonzero(env.action_masks())[-1]))  # the first leaves a square empty
    assert not np.array_equal(np.asarray(env.render()), before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system starts processes anew")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_of_the_process_draws_pictures_with_a_browser_of_its_own(monkeypatch):
    monkeypatch.setenv(VARIABLE, str(find_chromium()))
    env = ours.Seat("suntzu", render_mode="rgb_array")
    env.reset(seed=1)
    env.render()
    child = get_context("fork").Process(target=env.render)
    child.start()
    child.join(30)
    child.kill()
    assert child.exitcode == 0
    env.render()


def test_without_a_browser_the_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "none"))
    with pytest.raises(tianxia.TianxiaError, match="playwright install chromium"):
        Camera()


def test_pettingzoo_says_what_is_wrong():
    env, together = pettingzoo.env("suntzu"), pettingzoo.parallel_env("stratego")
    calls: tuple[Callable[[], object], ...] = (
        env.last,
        env.agent_iter,
        lambda: env.observe("seat_0"),
        lambda: env.step(0),
        env.render,
        lambda: together.step({}),
    )
    for call in calls:
        with pytest.raises(tianxia.TianxiaError, match=r"call reset\(\)"):
            call()
    env.reset(seed=1)
    together.reset(seed=1)
    calls = (
        lambda: env.observe("red"),
        lambda: env.action_space("red"),
        lambda: env.observation_space("red"),
        lambda: together.step({"seat_0": 1, "seat_1": 1, "red": 1}),
    )
    for call in calls:
        with pytest.raises(tianxia.TianxiaError, match=r"'red' is not an agent here; .* seat_1"):
            call()
    for make in (pettingzoo.env, pettingzoo.parallel_env):
        with pytest.raises(tianxia.TianxiaError, match="max_actions should be"):
            make("suntzu", max_actions=-1)


# --- Gymnasium ---


@pytest.mark.parametrize("spec", SPECS)
def test_gymnasium_accepts_the_games(spec):
    name, _, rest = spec.partition("(")
    options = dict(part.split("=") for part in rest.rstrip(")").split(",") if part)
    env = gymnasium.make(f"tianxia.envs.gymnasium:tianxia/{name}-v1", options=options)
    check_env(env.unwrapped, skip_render_check=True)
    assert isinstance(env.unwrapped, ours.Seat)
    assert env.unwrapped.game == tianxia.game(spec)


def test_a_whole_game_against_a_bot():
    env = ours.Seat("suntzu", opponent="random", seat=1, render_mode="ansi", illegal="raise")
    seen, _ = env.reset(seed=4)
    over, chooser = False, random.Random(1)
    while not over:
        assert 1 in env.table.state.acting
        assert "suntzu" not in str(env.render())
        action = chooser.choice(np.flatnonzero(env.action_masks()).tolist())
        seen, reward, over, cut, info = env.step(action)
        assert not cut
        assert info == {}
    assert reward == env.table.state.utilities()[1]
    assert not seen["action_mask"].any()
    with pytest.raises(ResetNeeded, match="no game goes on here"):
        env.step(0)
    env.reset()
    env.step(int(np.flatnonzero(env.action_masks())[0]))


def test_an_opponent_may_be_made_by_its_own_maker():
    made = []

    def counting(game, seat, seed):
        made.append(seat)
        return Uniform(game, seat, seed)

    three = {"players": 3}
    ours.Seat("firebulls", counting, seat=1, options=three).reset(seed=1)
    ours.Seat("firebulls", [counting, "random"], seat=1, options=three).reset(seed=1)
    assert made == [0, 2, 0]


def test_nothing_is_seen_before_a_game_begins():
    env = ours.Seat("suntzu", render_mode="ansi")
    for look in (env.action_masks, env.render):
        with pytest.raises(ResetNeeded, match=r"no game has begun: call reset\(\)"):
            look()
    with pytest.raises(ResetNeeded, match=r"no game goes on here: call reset\(\)"):
        env.step(0)


def test_an_illegal_action_loses_where_it_does_not_raise():
    env = ours.Seat("stratego", options={"variant": "duel"})
    env.reset(seed=1)
    before = env.table.state.to_bytes()
    _, reward, over, _, info = env.step(500)
    assert (reward, over) == (-1.0, True)
    assert "refused" in info["refusal"]
    assert env.table.state.to_bytes() == before
    with pytest.raises(ResetNeeded):
        env.step(500)


def test_an_illegal_action_of_an_opponent_is_no_loss_of_the_learner():
    class Wrong(Uniform):
        def choose(self, view, deadline=None):
            return 500 if view.plies > 2 else super().choose(view, deadline)

    env = ours.Seat("stratego", Wrong, options={"variant": "duel"})
    env.reset(seed=1)

    def legal():
        return int(np.flatnonzero(env.action_masks())[0])

    while env.table.state.plies < 3:  # the rows are set up, and the first piece moves
        _, reward, over, _, info = env.step(legal())
        assert (reward, over, info) == (0.0, False, {})
    with pytest.raises(tianxia.IllegalAction, match="of seat 1 is refused"):
        env.step(legal())


def test_gymnasium_says_what_is_wrong():
    for wrong, said in (
        ({"opponent": "nobody"}, "no bot called"),
        ({"opponent": ["random"] * 2}, "needs 1 opponents"),
        ({"seat": 2}, "is not a seat"),
        ({"illegal": "ignore"}, "lose or raise"),
        ({"options": {"variant": "huge"}}, "variant"),
        ({"options": "variant=duel"}, "should be like"),
        ({"render_mode": "human"}, "ansi, svg"),
        ({"opponent": 3}, "needs 1 opponents, by name or as what makes them, not 3"),
        ({"opponent": [Uniform(tianxia.game("stratego"), 1, 1)]}, "neither a bot's name nor"),
        ({"variant": "duel"}, "variant: not known here; give options of the game as options="),
        ({"max_actions": 0}, "max_actions should be"),
    ):
        with pytest.raises(tianxia.TianxiaError, match=said):
            ours.Seat("stratego", **wrong)
    env = ours.Seat("stratego")
    with pytest.raises(tianxia.TianxiaError, match="come too late"):
        env.reset(options={"variant": "duel"})
    env.reset(seed=1)
    with pytest.raises(tianxia.TianxiaError, match=r"action should be a whole number, not 1\.5"):
        env.step(1.5)  # type: ignore[arg-type]


# --- OpenSpiel ---


@pytest.fixture
def pyspiel():
    """Return OpenSpiel, which has wheels for most systems only."""
    found = pytest.importorskip("pyspiel", reason="OpenSpiel has no wheel here")
    pytest.importorskip("tianxia.envs.openspiel")
    return found


def named(spec: str) -> str:
    name, _, rest = spec.partition("(")
    options = rest.replace("=no", "=False").replace("=yes", "=True")
    return f"tianxia_{name.replace('-', '_')}({options}" if rest else f"tianxia_{name}"


SHORT = [
    "suntzu",
    "firebulls(players=2)",
    "china(players=2)",
    "china(players=4)",
    "stratego(variant=barrage,draw_after=10)",
    "binfa(map=valley,turns=10)",
]


@pytest.mark.parametrize("spec", SHORT)
def test_openspiel_accepts_the_games(pyspiel, spec):
    game = pyspiel.load_game(named(spec))
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("spec", SPECS)
def test_openspiel_knows_the_options(pyspiel, spec):
    game = pyspiel.load_game(named(spec))
    assert game.inner == tianxia.game(spec)
    assert pyspiel.load_game(str(game)).inner == game.inner
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    assert game.num_players() == game.inner.seats


def test_openspiel_says_what_a_player_knows(pyspiel):
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game("tianxia_stratego(variant=barrage)")
    states = [game.new_initial_state() for _ in range(2)]
    for state, place in zip(states, (0, -1), strict=True):
        while len(state.inner.acting) == 2:
            state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[place])  # what the second player puts first
    assert states[0].observation_string(0) == states[1].observation_string(0)
    assert states[0].information_state_string(0) == states[1].information_state_string(0)
    assert states[0].information_state_string(1) != states[1].information_state_string(1)
    observation = make_observation(game)
    observation.set_from(states[0], player=1)
    assert (observation.tensor == states[0].inner.encode(1)).all()
    assert observation.dict["lakes"].sum() == 8


def test_openspiels_search_plays_our_games(pyspiel):
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game("tianxia_suntzu")
    chooser = np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 4, mcts.RandomRolloutEvaluator(1, chooser), random_state=chooser)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert bot.step(state) in state.legal_actions()


def test_openspiels_search_draws_worlds_from_what_a_player_knows(pyspiel):
    from open_spiel.python.algorithms import ismcts, mcts

    game = pyspiel.load_game("tianxia_firebulls(players=2)")
    state, chooser = game.new_initial_state(), np.random.RandomState(3)
    while state.move_number() < 20:
        actions = state.legal_actions()
        state.apply_action(int(chooser.choice(actions)))
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    player, before = state.current_player(), state.serialize()
    worlds = [state.resample_from_infostate(player, chooser.random) for _ in range(12)]
    for world in worlds:
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.past(1 - player) == state.past(player), "nothing that only the other has seen"
    assert len({world.observation_string(1 - player) for world in worlds}) > 3
    rollouts = mcts.RandomRolloutEvaluator(1, chooser)
    bot = ismcts.ISMCTSBot(game, rollouts, 2.0, 6, random_state=chooser)
    assert bot.step(state) in state.legal_actions()
    assert state.serialize() == before


@pytest.mark.slow
def test_openspiels_regret_minimisation_solves_a_small_game(pyspiel):
    from open_spiel.python.algorithms import cfr, exploitability

    assert "blind-duel" in TOYS
    game = pyspiel.load_game("tianxia_blind_duel(rounds=1)")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):
        solver.evaluate_and_update_policy()
    found = exploitability.exploitability(game, solver.average_policy())
    assert found < 0.04  # random play: 0.32


# --- All ---


@pytest.mark.parametrize(
    "spec", ["binfa", "china", "china(players=2)", "firebulls", "stratego", "suntzu"]
)
def test_no_feature_is_beyond_the_bound(spec):
    env, chooser = VectorEnv(spec, 8, seed=1), np.random.default_rng(1)
    env.reset()
    for _ in range(150):
        env.step(env.sample_actions(chooser))
        assert np.abs(env.observations).max() <= BOUND
