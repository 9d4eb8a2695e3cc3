"""Every figure of the laboratory, with its ratio to OpenSpiel in the same run.

    uv run --group bench --extra lab python bench/lab.py [--rounds 3] [GAME ...]

Rates are a second of processor time, medians of rounds that take turns; wall time stands
beside them. Peers are OpenSpiel's C++ games: banqi's for single calls and random play. Its
Python loop draws actions and chance as ours does.
"""

from __future__ import annotations

import argparse
import pickle
import random
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pyspiel
from rates import _length

import tianxia
from tianxia.envs import pettingzoo
from tianxia.envs.vector import VectorEnv
from tianxia.kernel import functions as f
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry
from tianxia.kernel.rng import below, drawn, seed_rng
from tianxia.kernel.state import State

GAMES = ("binfa", "china", "firebulls", "stratego", "suntzu")
KINDS = ("int8", "float32")
PEER = "banqi"
SECONDS = 0.4
Work = Callable[[], int]
Measured = Callable[[], tuple[float, float]]


def rates(work: Work) -> tuple[float, float]:
    """Return how much is done a second of processor time, and of wall time."""
    done, wall, cpu = 0, time.perf_counter(), time.process_time()
    while time.process_time() - cpu < SECONDS:
        done += work()
    return done / (time.process_time() - cpu), done / (time.perf_counter() - wall)


def steps(env: VectorEnv) -> Measured:
    """Return a measurement of steps alone: how actions are chosen is the learner's affair."""
    rng = np.random.default_rng(1)
    env.reset()

    def measure() -> tuple[float, float]:
        done, cpu, wall = 0, 0.0, 0.0
        while cpu < SECONDS / 2:
            actions = env.sample_actions(rng)
            clocks = time.process_time(), time.perf_counter()
            env.step(actions)
            cpu += time.process_time() - clocks[0]
            wall += time.perf_counter() - clocks[1]
            done += env.num_envs
        return done / cpu, done / wall

    return measure


def often(call: Callable[[], object], times: int = 2000) -> Work:
    def work() -> int:
        for _ in range(times):
            call()
        return times

    return work


def middle(game: tianxia.Game) -> State:
    """Return a position 100 actions into a random game."""
    state, chooser = game.new(), random.Random(5)
    for _ in range(100):
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        state.apply(chooser.choice(state.legal_actions(seat)), seat)
    return state


def loop(game: tianxia.Game) -> Work:
    pick = random.Random(3).random

    def work() -> int:
        state, taken = game.new(), 0
        while not state.over and taken < 2000:
            seat = state.acting[0] if state.acting else tianxia.CHANCE
            legal = state.legal_actions(seat)
            state.apply(legal[int(pick() * len(legal))], seat)
            taken += 1
        return taken

    return work


def peer_loop() -> Work:
    game, pick = pyspiel.load_game(PEER), random.Random(3).random

    def work() -> int:
        state, taken = game.new_initial_state(), 0
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(pick() * len(legal))])
            taken += 1
        return taken

    return work


def peer_play(rollouts: int = 500) -> Work:
    """Return a measurement of rollouts in C++; their moves are counted on games played apart."""
    game = pyspiel.load_game(PEER)
    mean = statistics.fmean(_length(game, seed) for seed in range(100))

    def work() -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 7, False)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        bot.step(state)
        return int(rollouts * mean)

    return work


@entry
def listing(pool, begin, games, actions, weights, totals):
    """Play random games that write the list of every decision; count their actions."""
    rng = totals[1:]
    for game in range(games):
        seed_rng(rng, 1, game)
        pool[0] = begin[0]
        state = pool[0]
        while state.over == 0:
            acting = int(state.acting)
            if acting == 0:
                count = f.chance_outcomes(state, actions, weights)
                action = drawn(actions, weights, count, rng)
                f.apply_action(state, tianxia.CHANCE, action)
            else:
                seat = lowest(acting)
                action = actions[below(rng, f.legal_actions(state, seat, actions))]
                f.apply_action(state, seat, action)
            totals[0] += 1


def listed(game: tianxia.Game, games: int = 200) -> Work:
    """Return a measurement of the same games as random play's, the legal actions listed."""
    begin, totals = game.new().record, np.zeros(5, np.int64)
    pool, room = begin.copy(), game.buffers()

    def work() -> int:
        totals[0] = 0
        listing(pool, begin, games, *room, totals)
        return int(totals[0])

    work()
    return work


def agents(game: tianxia.Game) -> Work:
    env, pick = pettingzoo.env(game, max_actions=500), random.Random(1).random

    def work() -> int:
        env.reset(seed=1)
        taken = 0
        for _ in env.agent_iter():
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.step(None)
                continue
            legal = seen["action_mask"].nonzero()[0]
            env.step(int(legal[int(pick() * len(legal))]))
            taken += 1
        return taken

    return work


def ours(name: str) -> dict[str, Measured]:
    game = tianxia.game(name)
    state = middle(game)
    game.playouts(20)
    works: dict[str, Work] = {
        "clone": often(state.clone),
        "view": often(lambda: state.view(0)),
        "pickle": often(lambda: pickle.loads(pickle.dumps(state)), 300),
        "Python loop": loop(game),
        "random play": lambda: game.playouts(200, seed=1).actions,
        "  from lists": listed(game),
        "PettingZoo AEC": agents(game),
    }
    envs = {f"vector {kind}": VectorEnv(game, 256, dtype=kind) for kind in KINDS}
    envs["  two threads"] = VectorEnv(game, 2048, threads=2)
    vectors = {what: steps(env) for what, env in envs.items()}
    return {what: partial(rates, work) for what, work in works.items()} | vectors


def theirs() -> dict[str, Measured]:
    state = pyspiel.load_game(PEER).new_initial_state()
    works: dict[str, Work] = {
        "clone": often(state.clone),
        "pickle": often(lambda: pickle.loads(pickle.dumps(state)), 300),
        "Python loop": peer_loop(),
        "random play": peer_play(),
    }
    return {what: partial(rates, work) for what, work in works.items()}


def composition(name: str) -> str:
    """Say how many of the actions of random play are decisions, and how long games are."""
    game, chooser = tianxia.game(name), random.Random(1)
    decisions = actions = 0
    for _ in range(5):
        state = game.new()
        while not state.over:
            seat = state.acting[0] if state.acting else tianxia.CHANCE
            state.apply(chooser.choice(state.legal_actions(seat)), seat)
            actions += 1
            decisions += seat != tianxia.CHANCE
    played = game.playouts(300, seed=1)
    return f"{decisions / actions:.0%} of actions are decisions; {played.actions / 300:,.0f} a game"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    works = {name: ours(name) for name in given.games} | {PEER: theirs()}
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for _ in range(given.rounds):
        for name, measured in works.items():
            for what, measure in measured.items():
                found.setdefault((name, what), []).append(measure())
    print(f"{'':10} {'':15} {'a CPU second':>14} {'µs each':>9} {'a second':>14}  to {PEER}")
    for (name, what), pairs in found.items():
        cpu, wall = (statistics.median(column) for column in zip(*pairs, strict=True))
        ratio = ""
        if (PEER, what) in found and name != PEER:
            ratio = f"{cpu / statistics.median(pair[0] for pair in found[PEER, what]):8.2f} ×"
        print(f"{name:10} {what:15} {cpu:14,.0f} {1e6 / cpu:9.2f} {wall:14,.0f} {ratio}")
    for name in given.games:
        print(f"{name:10} {composition(name)}")


if __name__ == "__main__":
    main()
