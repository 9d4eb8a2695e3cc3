"""Random play of China beside OpenSpiel's goofspiel in C++, in one run.

    uv run --group bench python bench/china.py

`rates.py` says how it is measured.
"""

from __future__ import annotations

import random
import time

from rates import GOOFSPIEL, Rate, compare, peers, random_play

import tianxia


def sampling(players: int) -> Rate:
    """Return a measurement of sampled worlds, in the middle of a game."""
    game = tianxia.game("china", players=players)
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
    """Measure and print."""
    everything = "china(players=5,fortifications=yes,tiles=yes)"
    rates = {
        "tianxia, 3 players": random_play("china", 3000),
        "tianxia, 2 players": random_play("china(players=2)", 3000),
        "tianxia, 5, forts and tiles": random_play(everything, 3000),
        "tianxia, 4, border disputes": random_play("china(players=4,board=border)", 3000),
    }
    rates |= peers({"OpenSpiel goofspiel, C++": (GOOFSPIEL, 20_000)})
    rates["tianxia, sampled worlds, 2"] = sampling(2)
    rates["tianxia, sampled worlds, 5"] = sampling(5)
    compare(rates, "china")


if __name__ == "__main__":
    main()
