"""Search that goes by a trained net: what the net says counts, and how the bot is named."""

from __future__ import annotations

from dataclasses import replace
from math import tanh
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tianxia
from tests.battery.games import GAMES  # registers the toy game
from tests.bots.rebuilding import check_rebuilt
from tests.bots.test_nets import random_net
from tests.search.exact import Expectimax
from tests.search.heap import GAME as HEAP
from tests.search.pennies import GAME as PENNIES
from tianxia.arena import Archive, Plan, run
from tianxia.arena.made import version_of
from tianxia.bots import bots, play
from tianxia.bots.guides import guide_of, guided
from tianxia.bots.nets import FORMAT, Net, NetError, meant
from tianxia.bots.registry import maker
from tianxia.kernel import jit
from tianxia.kernel.game import Game
from tianxia.kernel.state import State
from tianxia.search import guide as compiled
from tianxia.search.thinking import Budget, Searcher, think

assert "blind-duel" in GAMES
DIRECT = Budget(rollout=0)


def plain_net(game: Game, odds: tuple[float, ...], slope: float = 0.0) -> Net:
    """Return a net of one unit that hands on the first feature: always the same probabilities."""
    first = np.zeros((game.features, 1), np.float32)
    first[0] = 1
    weights: dict[str, Any] = {"layer0": first, "policy": np.zeros((1, len(odds)), np.float32)}
    weights |= {"value": np.full((1, 1), slope, np.float32)}
    weights |= {f"{name}_bias": np.zeros(one.shape[1], np.float32) for name, one in weights.items()}
    weights["policy_bias"] = np.log(np.array(odds, np.float32))
    return Net({"format": FORMAT, **meant(game)}, weights)


def found(state: State, net: Net, seat: int = 0, **how: Any) -> dict[int, Any]:
    budget = replace(DIRECT, guide=guide_of(net, state.game), **how)
    return {one.action: one for one in think(state.view(seat), seat, 1, budget)}


# --- What the net says ---


@jit.entry
def said(
    pool: Any, guide: Any, seat: int, actions: Any, count: int, weights: NDArray[np.int64]
) -> float:
    value: float = compiled.look(guide, pool[0], seat)
    compiled.weigh(guide, seat, actions, count, weights)
    return value


@pytest.mark.parametrize("spec", ["suntzu", "stratego(variant=duel)", "blind-duel(players=3)"])
def test_compiled_it_says_what_it_says_in_numpy(spec: str) -> None:
    game = tianxia.game(spec)
    net, compared = random_net(game, 20), 0
    for name in net.weights:
        net.weights[name] *= 0.2
    guide = guide_of(net, game)
    for longest in range(0, 60, 7):
        state = play(game, ["random"] * game.seats, seed=longest, longest=longest)
        if state.over or not state.acting:
            continue
        seat, weights = state.acting[-1], np.zeros(game.max_legal, np.int64)
        legal = np.array(state.legal_actions(seat), np.int64)
        value = said(state.record, guide, seat, legal, len(legal), weights)
        odds, expected = net.odds(state.view(seat), legal.tolist())
        shares = weights[: len(legal)] / weights.sum()
        assert value == pytest.approx(expected, abs=1e-4)
        assert shares == pytest.approx(odds, abs=1e-4)
        compared += len(legal) > 1
    assert compared >= 3


def test_the_tree_tries_first_what_the_net_likes() -> None:
    state = HEAP(stones=900).new()
    liked = found(state, plain_net(state.game, (0.1, 0.1, 0.8)), iterations=40)
    assert [liked[action].visits for action in range(3)] == pytest.approx([4, 4, 33], abs=3)


@pytest.mark.parametrize("half", [0, 1])
def test_a_position_is_worth_what_the_net_expects_for_who_decides(half: int) -> None:
    """Of the first half of a turn one decides about the second; after that the other does."""
    state = HEAP(stones=30).new()
    for _ in range(half):
        state.apply(0, 0)
    left = int(state.fields["left"])
    tried = found(state, plain_net(state.game, (1, 1, 1), 0.02), iterations=3, trust=50.0)
    for action, one in tried.items():
        assert one.visits == 1
        expected = tanh(0.02 * (left - action - 1))
        assert one.value == pytest.approx(-expected if half else expected, abs=1e-5)


@pytest.mark.parametrize("stones", [6, 10, 13, 14])
def test_a_net_that_misleads_is_overcome(stones: int) -> None:
    state = HEAP(stones=stones).new()
    exact = Expectimax().choices(state, 0)
    answers = found(state, plain_net(state.game, (0.1, 0.1, 0.8)), iterations=8000)
    best = max(answers.values(), key=lambda one: one.share)
    assert exact[best.action] == 1.0


@pytest.mark.parametrize("seat", [0, 1])
def test_secret_choices_begin_with_the_net_and_are_mixed_as_they_should(seat: int) -> None:
    state = PENNIES().new()
    net = plain_net(state.game, (0.9, 0.1, 1.0))
    first = found(state, net, seat, iterations=1)
    assert first[0].share == pytest.approx(0.9, abs=1e-3)
    assert found(state, net, seat, iterations=4)[0].share > 0.62  # one surprise is not enough
    later = found(state, net, seat, iterations=40_000)
    assert later[0].share == pytest.approx(1 / 3, abs=0.05)


def test_the_same_seed_finds_the_same_and_each_thread_has_room_of_its_own() -> None:
    state = HEAP(stones=30).new()
    guide = guide_of(random_net(state.game, 8), state.game)
    for threads in (1, 2):
        budget = replace(DIRECT, iterations=900, threads=threads, guide=guide)
        once, again = (think(state.view(0), 0, 1, budget) for _ in range(2))
        assert once == again
        assert sum(one.visits for one in once) == 900
    assert not guide.features.any()  # searches have left alone what several might share


def test_of_three_the_others_share_what_is_left() -> None:
    game = tianxia.game("blind-duel(players=3)")
    net = plain_net(game, (1.0,) * game.num_actions)
    net.weights["value_bias"][:] = 0.5
    values = set()
    for seed, longest in ((k, n) for k in range(60) for n in range(2, k, 3)):
        state = play(game, ["random"] * 3, seed=seed, longest=longest)
        for seat in state.acting:
            tried = found(state, net, seat, iterations=5)
            values |= {round(one.value, 4) for one in tried.values() if one.visits == 1}
    assert values == {round(tanh(0.5), 4), round(-tanh(0.5) / 2, 4)}
    ours = guided(random_net(game), game, replace(DIRECT, iterations=50))
    assert play(game, [ours, "random", ours], seed=2).over


# --- By name ---


@pytest.fixture(scope="module")
def game() -> Game:
    return tianxia.game("suntzu")


@pytest.fixture
def file(game: Game, tmp_path: Path) -> Path:
    random_net(game).save(tmp_path / "one.npz")
    return tmp_path / "one.npz"


def test_a_bad_file_is_refused_in_a_sentence(game: Game, file: Path) -> None:
    assert isinstance(maker(f"search+net:{file}", game)(game, 0, 1), Searcher)
    with pytest.raises(NetError, match="there is no net"):
        maker("search+net:nowhere/x.npz", game)
    with pytest.raises(NetError, match="plays suntzu, not china"):
        maker(f"search+net:{file}", tianxia.game("china"))


def test_it_is_no_bot_that_tables_offer(
    game: Game, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each net would have to be compiled for while people wait."""
    monkeypatch.setenv("TIANXIA_HOME", str(file.parent))
    (file.parent / "nets").mkdir()
    file.rename(file.parent / "nets" / "sunny.npz")
    assert "net:sunny" in bots(game)
    assert "search+net:sunny" not in bots(game)
    assert isinstance(maker("search+net:sunny", game)(game, 0, 1), Searcher)


@pytest.mark.slow
def test_it_plays_in_the_arena_and_rebuilt_as_if_never_stopped(
    game: Game, file: Path, tmp_path: Path
) -> None:
    name = f"search+net:{file}"
    outcomes = list(run(Archive(tmp_path / "arena", Plan(game.spec, (name, "random"), 1)), 1))
    assert [outcome.end for outcome in outcomes] == ["rules"] * 2
    before = version_of(name, game)
    assert version_of(f"net:{file}", game) in before
    random_net(game, seed=2).save(file)
    assert version_of(name, game) != before
    check_rebuilt(name, game, plies=40, every=10)
