"""Random play of Sun Tzu beside OpenSpiel's C++ goofspiel, in one run.

    uv run --group bench python bench/suntzu.py

Goofspiel is the nearest thing there: two players choose cards at the same time, too, but it
has hardly any rules. Every figure is measured in rounds that take turns, on one core;
printed are median, least and most, and the ratio of the medians. OpenSpiel plays its
rollouts in C++ (`RandomRolloutEvaluator` under a search of one simulation); its actions are
counted on games played apart, those of both players being two.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib import util

import tianxia
from tianxia.games.suntzu import GAME

if "suntzu" not in tianxia.games():
    tianxia.register(GAME)

ROUNDS = 7
SPECS = ("suntzu", "suntzu(events=yes)", "suntzu(deck=beginner,strategies=no)")
GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(num_cards=13))"
Rate = Callable[[], float]


def ours(spec: str) -> Rate:
    """Return a measurement of complete rules; chance's actions are counted."""
    game = tianxia.game(spec)
    game.playouts(200)

    def rate() -> float:
        result = game.playouts(4000, seed=1)
        return result.actions / result.seconds

    return rate


def peer(name: str, rollouts: int) -> Rate:
    """Return a measurement of random play of one of OpenSpiel's games."""
    import pyspiel

    game = pyspiel.load_game(name)
    mean = statistics.fmean(_length(game, seed) for seed in range(100))

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


def sampling() -> float:
    """Return sampled worlds a second, from Red's view in the third round."""
    game = tianxia.game("suntzu")
    state = game.new()
    chooser = random.Random(5)
    for _ in range(90):
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        state.apply(chooser.choice(state.legal_actions(seat)), seat)
    view = state.view(1)
    game.samples(view, 1000)
    clock = time.perf_counter()
    game.samples(view, 50_000)
    return 50_000 / (time.perf_counter() - clock)


def main() -> None:
    """Measure, taking turns, and print."""
    rates: dict[str, Rate] = {spec: ours(spec) for spec in SPECS}
    if util.find_spec("pyspiel"):
        rates["OpenSpiel goofspiel, C++"] = peer(GOOFSPIEL, 4000)
    else:
        print("OpenSpiel is not installed: uv sync --group bench", file=sys.stderr)
    rates["sampled worlds"] = sampling
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(ROUNDS):
        for name, rate in rates.items():
            found[name].append(rate() / 1e6)
    best = statistics.median(found["suntzu"])
    print(f"{'million a second':36} median  least   most   ours/this")
    for name, values in found.items():
        middle = statistics.median(values)
        print(f"{name:36} {middle:6.3f} {min(values):6.3f} {max(values):6.3f} {best / middle:8.2f}")
    print(f"state record: {tianxia.game('suntzu').kind.dtype.itemsize} bytes")


if __name__ == "__main__":
    main()
