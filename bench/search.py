"""Simulations a second of tree search, on one core, with rollouts cut at 20 actions.

    uv run python bench/search.py [GAME …]

For each game, from what the seat to act sees after a quarter, half and three quarters of
a random game: medians of the rounds, the least and the most, by processor time.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

import tianxia
from tianxia.search.thinking import Budget, think

ROUNDS = 5
ITERATIONS = 20_000
SPECS = (
    "stratego",
    "suntzu",
    "firebulls",
    "firebulls(players=4)",
    "china",
    "china(players=4)",
    "binfa(level=4)",
)


def positions(spec: str) -> list[tianxia.State]:
    """Return views in which the seat to act has a choice."""
    chooser = random.Random(5)
    state = tianxia.game(spec).new()
    past: list[tianxia.State] = []
    while not state.over and len(past) < 2000:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        legal = state.legal_actions(seat)
        if seat >= 0 and len(legal) > 2:
            past.append(state.view(seat))
        state.apply(chooser.choice(legal), seat)
    return [past[len(past) * quarter // 4] for quarter in (1, 2, 3)]


def rate(view: tianxia.State) -> float:
    """Return simulations a second from one view."""
    budget = Budget(iterations=ITERATIONS, rollout=20)
    clock = time.process_time()
    think(view, view.acting[0], 1, budget)
    return ITERATIONS / (time.process_time() - clock)


def main(specs: list[str]) -> None:
    """Measure and print."""
    print(f"{'simulations a second':24} median  least   most")
    for spec in specs:
        views = positions(spec)
        think(views[0], views[0].acting[0], 1, Budget(iterations=10))
        rates = [rate(view) for _ in range(ROUNDS) for view in views]
        middle = statistics.median(rates)
        print(f"{spec:24} {middle:6.0f} {min(rates):6.0f} {max(rates):6.0f}")


if __name__ == "__main__":
    main(sys.argv[1:] or list(SPECS))
