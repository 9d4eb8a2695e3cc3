"""Trained nets as bots: their files, their numbers, and where they may sit. No torch is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.bots.rebuilding import check_rebuilt
from tianxia.arena import Archive, Plan, run
from tianxia.arena.made import version_of
from tianxia.bots import bots, make, play
from tianxia.bots.nets import FORMAT, Net, NetError, NetPlayer, board_of, file_of, folder, meant
from tianxia.bots.registry import maker
from tianxia.envs.vector import VectorEnv
from tianxia.kernel.game import Game
from tianxia.search.opinions import opinion
from tianxia.web import catalogue

STORED = Path(__file__).with_name("suntzu.npz")
"""A net of four units that learnt Sun Tzu for a moment; tests/envs/test_learning.py makes it."""


def random_net(game: Game, width: int = 3, seed: int = 1) -> Net:
    """Return a net that nobody has trained, with two convolutions where there is a board."""
    rng, board = np.random.default_rng(seed), board_of(game.layout, game.outputs)
    inputs, outputs = game.features, game.num_actions
    shapes: dict[str, Any] = {"layer1": (width, width), "value": (width, 1)}
    if board is not None:
        inputs, outputs = 2 * 100 + (~board.inside).sum(), board.flat_outputs
        shapes |= {"conv0": (9 * board.seen, 4), "conv1": (9 * 4, 4), "squeeze": (4, 2)}
        shapes |= {"planes": (4, board.planes_out)}
    shapes |= {"layer0": (inputs, width), "policy": (width, outputs)}
    shapes |= {f"{name}_bias": shape[1:] for name, shape in shapes.items()}
    weights = {name: rng.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    return Net({"format": FORMAT, **meant(game)}, weights)


@pytest.fixture(scope="module")
def game() -> Game:
    return tianxia.game("suntzu")


@pytest.fixture
def file(game: Game, tmp_path: Path) -> Path:
    random_net(game).save(tmp_path / "one.npz")
    return tmp_path / "one.npz"


@pytest.fixture
def placed(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a net that the owner of this server has placed."""
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    folder().mkdir()
    random_net(game).save(folder() / "sunny.npz")
    random_net(tianxia.game("stratego(variant=duel)")).save(folder() / "duellist.npz")
    (folder() / "broken.npz").write_bytes(b"no net")
    return "net:sunny"


def test_a_file_gives_back_what_was_saved(game: Game, file: Path) -> None:
    first, again = random_net(game), Net.load(file).check(game)
    assert again.about == first.about
    assert set(again.weights) == set(first.weights)
    assert all((again.weights[name] == one).all() for name, one in first.weights.items())


def test_it_says_what_the_learner_said() -> None:
    """The stored outputs were computed by torch, from the same weights."""
    net = Net.load(STORED).check(tianxia.game("suntzu"))
    with np.load(STORED.with_name("suntzu-said.npz")) as said:
        logits, value = net.evaluate(said["features"])
        assert np.allclose(logits, said["logits"], atol=1e-5)
        assert np.allclose(value, said["value"], atol=1e-5)
        assert logits.std() > 0.005
    assert net.about["decisions"] > 0


def test_a_batch_of_the_vector_environment_is_one_call(game: Game) -> None:
    env, net = VectorEnv(game, 5, seed=1), random_net(game)
    logits, value = net.evaluate(env.reset())
    assert logits.shape == (5, game.num_actions)
    assert value.shape == (5,)
    one, _ = net.evaluate(env.observations[3:4])
    assert np.allclose(one[0], logits[3], atol=1e-5)


def test_a_board_is_looked_at_square_by_square() -> None:
    """A piece changes the planes of moves as far as two squares away, what has no square all."""
    game = tianxia.game("stratego(variant=duel)")
    net, (_, (others,)), (_, planes) = random_net(game).check(game), *game.outputs
    for name in ("layer0", "conv0", "conv1"):
        # So that nothing is cut off, and small as there are many inputs.
        net.weights[name][...] = np.abs(net.weights[name]) / 10
    empty = np.zeros((2, game.features), np.float32)
    empty[1, 3 * 100 + 4 * 10 + 7] = 1  # in the fifth row, the eighth column
    logits, _ = net.evaluate(empty)
    moves = logits[:, others:].reshape(2, *planes)
    near = np.abs(moves[1] - moves[0]).max(axis=0) > 1e-6
    wanted = np.zeros((10, 10), bool)
    wanted[2:7, 5:10] = True
    assert (near == wanted).all()
    for one in range(2):
        assert np.allclose(net.evaluate(empty[one : one + 1])[0], logits[one], atol=1e-4)
    empty[1] = np.where(board_of(game.layout, game.outputs).inside, 0, 1)  # type: ignore[union-attr]
    everywhere = net.evaluate(empty)[0][:, others:].reshape(2, *planes)
    assert (np.abs(everywhere[1] - everywhere[0]).max(axis=0) > 1e-6).all()


# --- Bad files ---


def changed(file: Path, **arrays: Any) -> None:
    with np.load(file) as found:
        kept = {**{name: found[name] for name in found.files}, **arrays}
    np.savez(file, **{name: one for name, one in kept.items() if one is not None})


BAD: list[tuple[dict[str, Any], str]] = [
    ({"about": None}, "does not say for which game"),
    ({"about": "[1]"}, "does not say for which game"),
    ({"about": '{"game": "suntzu"'}, "does not say for which game"),
    ({"about": json.dumps({"format": 99})}, "has the format 99; this Tianxia reads 1"),
    ({"about": json.dumps({"format": 1, "rare": 0})}, "has rare=0, which should be above 0"),
    ({"about": json.dumps({"format": 1, "game": "china"})}, "plays china, not suntzu"),
    ({"policy": None}, "not layers, policy and value"),
    ({"layer1": None, "layer1_bias": None, "layer0": None, "layer0_bias": None}, "not layers"),
    ({"extra": np.zeros(2, np.float32)}, "not layers, policy and value"),
    ({"layer1": np.zeros((3, 4), np.float32)}, "layer1 does not fit the layers beside it"),
    ({"layer0": np.zeros((), np.float32)}, "layer0 does not fit"),
    ({"conv0": np.zeros((9, 3), np.float32)}, "not layers, policy and value"),
    ({"policy_bias": np.zeros(7, np.float32)}, "policy does not fit"),
    ({"value": np.zeros((3, 2), np.float32), "value_bias": np.zeros(2, np.float32)}, "value does"),
    ({"value": np.full((3, 1), np.nan, np.float32)}, "value holds something else than finite"),
    ({"value": np.zeros((3, 1))}, "value holds something else than finite float32"),
    ({"layer0": np.zeros((2, 3), np.float32)}, "has not as many inputs and outputs as suntzu"),
    ({"value": np.array([[None]] * 3)}, "not a whole .npz file"),
]


@pytest.mark.parametrize(("arrays", "why"), BAD, ids=[why for _, why in BAD])
def test_a_bad_file_is_refused_in_a_sentence(
    arrays: dict[str, Any], why: str, file: Path, game: Game
) -> None:
    changed(file, **arrays)
    with pytest.raises(NetError, match=why) as told:
        maker(f"net:{file}", game)
    assert "\n" not in str(told.value)


def test_what_is_no_archive_is_refused(game: Game, file: Path) -> None:
    whole = file.read_bytes()
    for bad in (b"", b"hello", whole[:2000], whole[:-30], np.zeros(3).tobytes()):
        file.write_bytes(bad)
        with pytest.raises(NetError, match=r"not a whole \.npz file"):
            Net.load(file)
    np.save(file.with_suffix(".npy"), np.zeros(3))
    with pytest.raises(NetError, match=r"not a whole \.npz file"):
        Net.load(file.with_suffix(".npy"))
    for missing in ("net:nowhere/x.npz", "net:nowhere", "net:", "net:../../x"):
        with pytest.raises(NetError, match=r"there is no net|is not a net"):
            maker(missing, game)


def test_a_net_for_other_rules_or_options_is_refused(game: Game, file: Path) -> None:
    with pytest.raises(NetError, match=r"plays suntzu, not suntzu\(deck=beginner,strategies=no\)"):
        make(f"net:{file}", tianxia.game("suntzu(deck=beginner,strategies=no)"), 0, 1)
    about = {"format": 1, **meant(game), "rules_version": 99}
    changed(file, about=json.dumps(about))
    with pytest.raises(NetError, match="another rules version of suntzu"):
        make(f"net:{file}", game, 0, 1)


# --- Playing ---


def test_it_plays_whole_games_and_the_same_ones(game: Game, file: Path) -> None:
    ends = [play(game, [f"net:{file}", "random"], seed=3) for _ in range(2)]
    assert ends[0].over
    assert ends[0].transcript() == ends[1].transcript()
    other = play(game, [f"net:{file}", "random"], seed=4)
    assert other.transcript() != ends[0].transcript()


def test_rebuilt_it_decides_as_if_never_stopped(game: Game, file: Path) -> None:
    check_rebuilt(f"net:{file}", game, plies=60, every=10)


def test_it_draws_by_its_probabilities_without_the_rare_ones(game: Game) -> None:
    state = game.new()
    while not state.acting or len(state.legal_actions(state.acting[0])) < 3:
        if state.acting:
            state.apply(state.legal_actions(state.acting[0])[0], state.acting[0])
        else:
            state.apply(state.chance_weights()[0][0], tianxia.CHANCE)
    seat = state.acting[0]
    view, legal, net = state.view(seat), state.legal_actions(seat), random_net(game)
    for name, array in net.weights.items():
        array[...] = 0.0 if name != "policy_bias" else -30.0
    wanted = dict(zip(legal, (0.6, 0.37, 0.03), strict=False))
    for action, chance in wanted.items():
        net.weights["policy_bias"][action] = np.log(chance)
    taken = [NetPlayer(net, game, seat, seed).choose(view) for seed in range(600)]
    shares = [taken.count(action) / 600 for action in legal]
    assert shares[:3] == pytest.approx([0.6 / 0.97, 0.37 / 0.97, 0], abs=0.06)
    assert sum(shares[2:]) == 0
    sure = Net({**net.about, "rare": 0.7}, net.weights)
    assert {NetPlayer(sure, game, seat, seed).choose(view) for seed in range(50)} == {legal[0]}
    thought = opinion(NetPlayer(net, game, seat, 1), view)
    assert thought is not None
    assert thought.policy is not None
    assert thought.policy[:3] == pytest.approx([0.6 / 0.97, 0.37 / 0.97, 0])
    assert thought.value == 0


def test_it_plays_in_the_arena_under_the_digest_of_its_file(
    game: Game, file: Path, tmp_path: Path
) -> None:
    plan = Plan(game.spec, (f"net:{file}", "random"), 1)
    outcomes = list(run(Archive(tmp_path / "arena", plan), 1))
    assert [outcome.end for outcome in outcomes] == ["rules"] * 2
    before = version_of(f"net:{file}", game)
    random_net(game, seed=2).save(file)
    assert version_of(f"net:{file}", game) != before


# --- At tables ---


def test_nets_of_the_servers_folder_are_bots_of_their_game(game: Game, placed: str) -> None:
    assert placed in bots(game)
    assert placed in catalogue.other_bots(game.kind)
    assert "net:duellist" in catalogue.other_bots(tianxia.game("stratego").kind)
    assert catalogue.bot_title(game.kind, placed, "fr") == placed
    assert bots(game)[-1] == "master"
    assert "net:duellist" in bots(tianxia.game("stratego(variant=duel)"))
    for other in ("stratego", "suntzu(deck=beginner,strategies=no)", "china"):
        assert not [name for name in bots(tianxia.game(other)) if name.startswith("net:")]
    assert file_of(placed) == folder() / "sunny.npz"
    assert len(list(play(game, [placed, placed], seed=1, longest=40).history())) == 40


def test_a_file_that_changes_is_read_again(game: Game, placed: str) -> None:
    view = game.new().view(0)
    before = make(placed, game, 0, 1)
    random_net(game, seed=5).save(folder() / "sunny.npz")
    after = make(placed, game, 0, 1)
    assert isinstance(before, NetPlayer)
    assert isinstance(after, NetPlayer)
    features = view.encode()[None]
    assert not np.allclose(before.net.evaluate(features)[0], after.net.evaluate(features)[0])
