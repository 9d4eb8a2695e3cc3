"""Random play of Fire Bulls beside OpenSpiel's goofspiel in C++, in one run.

    uv run --group bench python bench/firebulls.py

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

import tianxia

ROUNDS = 7
Rate = Callable[[], float]


def ours(players: int) -> Rate:
    """Return a measurement of the complete rules."""
    game = tianxia.game("firebulls", players=players)
    game.playouts(200)

    def rate() -> float:
        result = game.playouts(5000, seed=1)
        return result.actions / result.seconds

    return rate


def goofspiel(rollouts: int) -> Rate:
    """Return a measurement of random play of goofspiel, whose players bid at once."""
    import pyspiel

    game = pyspiel.load_game("turn_based_simultaneous_game(game=goofspiel(num_cards=13))")
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


def sampling(players: int) -> Rate:
    """Return a measurement of sampled worlds, in the middle of a game."""
    game = tianxia.game("firebulls", players=players)
    state = game.new()
    chooser = random.Random(5)
    for _ in range(120):
        if state.acting:
            state.apply(chooser.choice(state.legal_actions()))
        else:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(chooser.choices(actions, weights)[0])
    view = state.view(1)
    game.samples(view, 1000)

    def rate() -> float:
        clock = time.perf_counter()
        game.samples(view, 50_000)
        return 50_000 / (time.perf_counter() - clock)

    return rate


def main() -> None:
    """Measure, taking turns, and print."""
    first = "tianxia, 2 players"
    rates: dict[str, Rate] = {first: ours(2), "tianxia, 5 players": ours(5)}
    if util.find_spec("pyspiel"):
        rates["OpenSpiel goofspiel, C++"] = goofspiel(20_000)
    else:
        print("OpenSpiel is not installed: uv sync --group bench", file=sys.stderr)
    rates["tianxia, sampled worlds, 2"] = sampling(2)
    rates["tianxia, sampled worlds, 5"] = sampling(5)
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(ROUNDS):
        for name, rate in rates.items():
            found[name].append(rate() / 1e6)
    best = statistics.median(found[first])
    print(f"{'million a second':30} median  least   most   ours/this")
    for name, values in found.items():
        middle = statistics.median(values)
        print(f"{name:30} {middle:6.3f} {min(values):6.3f} {max(values):6.3f} {best / middle:8.2f}")
    print(f"state record: {tianxia.game('firebulls').kind.dtype.itemsize} bytes")


if __name__ == "__main__":
    main()
