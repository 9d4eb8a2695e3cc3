"""What the benchmarks of games share: random play of ours and of OpenSpiel, and the table.

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
GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(num_cards=13))"
Rate = Callable[[], float]


def random_play(spec: str, games: int) -> Rate:
    """Return a measurement of complete rules; chance's actions are counted."""
    game = tianxia.game(spec)
    game.playouts(200)

    def rate() -> float:
        result = game.playouts(games, seed=1)
        return result.actions / result.seconds

    return rate


def sampling(spec: str, seat: int, actions: int) -> Rate:
    """Return a measurement of worlds sampled from a seat's view after some random actions."""
    state = tianxia.game(spec).new()
    chooser = random.Random(5)
    for _ in range(actions):
        if state.acting:
            acting = state.acting[0]
            state.apply(chooser.choice(state.legal_actions(acting)), acting)
        else:
            found, weights = zip(*state.chance_weights(), strict=True)
            state.apply(chooser.choices(found, weights)[0])
    game, view = state.game, state.view(seat)
    game.samples(view, 1000)

    def rate() -> float:
        clock = time.perf_counter()
        game.samples(view, 50_000)
        return 50_000 / (time.perf_counter() - clock)

    return rate


def peers(wanted: dict[str, tuple[str, int]]) -> dict[str, Rate]:
    """Return measurements of OpenSpiel's games: by title, the game and how many rollouts."""
    if not util.find_spec("pyspiel"):
        print("OpenSpiel is not installed: uv sync --group bench", file=sys.stderr)
        return {}
    return {title: _peer(name, rollouts) for title, (name, rollouts) in wanted.items()}


def _peer(name: str, rollouts: int) -> Rate:
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


def compare(rates: dict[str, Rate], game: str) -> None:
    """Measure, taking turns, and print; ratios are of the first one to each."""
    found: dict[str, list[float]] = {name: [] for name in rates}
    for _ in range(ROUNDS):
        for name, rate in rates.items():
            found[name].append(rate() / 1e6)
    best = statistics.median(next(iter(found.values())))
    print(f"{'million a second':36} median  least   most   ours/this")
    for name, values in found.items():
        middle = statistics.median(values)
        print(f"{name:36} {middle:6.3f} {min(values):6.3f} {max(values):6.3f} {best / middle:8.2f}")
    print(f"state record: {tianxia.game(game).kind.dtype.itemsize} bytes")
