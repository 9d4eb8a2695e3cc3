"""Random play of Stratego beside a plain version and OpenSpiel's C++ games, in one run.

    uv run --group bench python bench/stratego.py

Every figure is measured in rounds that take turns, on one core; printed are median, least
and most, and the ratio of the medians. OpenSpiel plays its rollouts in C++
(`RandomRolloutEvaluator` under a search of one simulation); its moves are counted on
games played apart.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib import util

import plain_stratego

import tianxia

ROUNDS = 7
Rate = Callable[[], float]


def ours() -> Rate:
    """Return a measurement of the complete classic rules."""
    game = tianxia.game("stratego")
    game.playouts(200)

    def rate() -> float:
        result = game.playouts(2000, seed=1)
        return result.actions / result.seconds

    return rate


def plain() -> Rate:
    """Return a measurement of the baseline."""
    plain_stratego.playouts(10, 0)

    def rate() -> float:
        clock = time.perf_counter()
        moves = plain_stratego.playouts(1500, 1)
        return float(moves / (time.perf_counter() - clock))

    return rate


def peer(name: str, rollouts: int) -> Rate:
    """Return a measurement of random play of one of OpenSpiel's games."""
    import pyspiel

    game = pyspiel.load_game(name)
    lengths = [_length(game, seed) for seed in range(100)]
    mean = statistics.fmean(lengths)

    def rate() -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 1000, False, 7, False)
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        clock = time.perf_counter()
        bot.step(state)
        return rollouts * mean / (time.perf_counter() - clock)

    return rate


def _length(game: object, seed: int) -> int:
    chooser = random.Random(seed)
    state = game.new_initial_state()  # type: ignore[attr-defined]
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(actions, weights)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
        moves += 1
    return moves


def python_loop() -> float:
    """Return moves a second of a Python loop of `legal_actions` and `apply`."""
    game = tianxia.game("stratego")
    pick = random.Random(3).random
    moves = 0
    clock = time.perf_counter()
    while time.perf_counter() - clock < 1.5:
        state = game.new()
        while not state.over:
            acting = state.acting
            seat = acting[0] if acting else tianxia.CHANCE
            legal = state.legal_actions(seat)
            state.apply(legal[int(pick() * len(legal))], seat)
            moves += 1
    return moves / (time.perf_counter() - clock)


def sampling() -> float:
    """Return sampled worlds a second, from Blue's view 20 moves into a game."""
    game = tianxia.game("stratego")
    state = game.new()
    chooser = random.Random(5)
    for _ in range(101):
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        state.apply(chooser.choice(state.legal_actions(seat)), seat)
    view = state.view(1)
    game.samples(view, 1000)
    clock = time.perf_counter()
    game.samples(view, 20_000)
    return 20_000 / (time.perf_counter() - clock)


def main() -> None:
    """Measure, taking turns, and print."""
    rates: dict[str, Rate] = {"tianxia, all rules": ours(), "plain, no repetition rules": plain()}
    if util.find_spec("pyspiel"):
        rates["OpenSpiel banqi, C++"] = peer("banqi", 3000)
        rates["OpenSpiel dark_chess, C++"] = peer("dark_chess", 400)
    else:
        print("OpenSpiel is not installed: uv sync --group bench", file=sys.stderr)
    rates["tianxia, Python loop"] = python_loop
    rates["tianxia, sampled worlds"] = sampling
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(ROUNDS):
        for name, rate in rates.items():
            found[name].append(rate() / 1e6)
    best = statistics.median(found["tianxia, all rules"])
    print(f"{'million a second':30} median  least   most   ours/this")
    for name, values in found.items():
        middle = statistics.median(values)
        ratio = f"{best / middle:8.2f}"
        print(f"{name:30} {middle:6.3f} {min(values):6.3f} {max(values):6.3f} {ratio}")
    size = tianxia.game("stratego").kind.dtype.itemsize
    print(f"state record: {size} bytes")


if __name__ == "__main__":
    main()
