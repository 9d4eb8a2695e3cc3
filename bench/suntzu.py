"""Random play of Sun Tzu beside OpenSpiel's C++ goofspiel, in one run.

    uv run --group bench python bench/suntzu.py

Goofspiel is the nearest thing there: two players choose cards at the same time, too, but it
has hardly any rules; the actions of both players are counted as two. `rates.py` says how it
is measured.
"""

from __future__ import annotations

import random
import time

from rates import GOOFSPIEL, compare, peers, random_play

import tianxia

SPECS = ("suntzu", "suntzu(events=yes)", "suntzu(deck=beginner,strategies=no)")


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
    """Measure and print."""
    rates = {spec: random_play(spec, 4000) for spec in SPECS}
    rates |= peers({"OpenSpiel goofspiel, C++": (GOOFSPIEL, 4000)})
    rates["sampled worlds"] = sampling
    compare(rates, "suntzu")


if __name__ == "__main__":
    main()
