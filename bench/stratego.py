"""Random play of Stratego beside a plain version and OpenSpiel's C++ games, in one run.

    uv run --group bench python bench/stratego.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

import random
import time

import plain_stratego
from rates import Rate, compare, peers, random_play

import tianxia


def plain() -> Rate:
    """Return a measurement of the baseline."""
    plain_stratego.playouts(10, 0)

    def rate() -> float:
        clock = time.perf_counter()
        moves = plain_stratego.playouts(1500, 1)
        return float(moves / (time.perf_counter() - clock))

    return rate


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
    """Measure and print."""
    rates = {"tianxia, all rules": random_play("stratego", 2000)}
    rates["plain, no repetition rules"] = plain()
    rates |= peers(
        {
            "OpenSpiel banqi, C++": ("banqi", 3000),
            "OpenSpiel dark_chess, C++": ("dark_chess", 400),
        }
    )
    rates["tianxia, Python loop"] = python_loop
    rates["tianxia, sampled worlds"] = sampling
    compare(rates, "stratego")


if __name__ == "__main__":
    main()
