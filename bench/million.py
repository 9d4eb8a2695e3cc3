"""How many machines a million people need: measured costs of a move, multiplied, and a queue.

    python bench/million.py [--people N] [--there PART] [--every SECONDS] [--click-ms MS]

The costs are those of `bench/web.py move` and of `docs/wide.md`; give your own
machine's with the options. Besides the sums it simulates a worker's queue: clicks come at
random, each takes what a click takes, and the answer waits for those before it.
"""

from __future__ import annotations

import argparse
import heapq
import random

HOURS = 3600.0
UTILISATION = 0.5
"""Of a core that answers: beyond that answers wait for one another."""
LISTENERS = 2000.0
"""Commits a second above which NOTIFY's lock is felt (an assumption, not measured)."""


def simulate(rate: float, cores: int, median: float, seed: int = 1) -> list[float]:
    """Return how long 200 000 clicks took that came at random to so many cores."""
    dice = random.Random(seed)
    free = [0.0] * cores
    now, took = 0.0, []
    for _ in range(200_000):
        now += dice.expovariate(rate)
        begun = max(now, heapq.heappop(free))
        end = begun + median * dice.lognormvariate(0.0, 0.35)
        heapq.heappush(free, end)
        took.append(end - now)
    return sorted(took)


def main() -> None:
    """Print the sums."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--people", type=int, default=1_000_000)
    parser.add_argument("--there", type=float, default=0.02, help="part of them at the same time")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between acts")
    parser.add_argument("--click-ms", type=float, default=4.04, help="CPU of a move, 3 viewers")
    parser.add_argument("--bots", type=float, default=0.5, help="part of the tables with a bot")
    parser.add_argument("--think", type=float, default=0.6, help="CPU seconds of a bot's move")
    parser.add_argument("--bytes", type=float, default=90.0, help="stored for a ply")
    parser.add_argument("--cores", type=int, default=8, help="of one machine")
    given = parser.parse_args()

    there = given.people * given.there
    clicks = there / given.every
    bot_moves = clicks * given.bots
    commits = clicks + bot_moves
    answering = commits * given.click_ms / 1000 / UTILISATION
    thinking = bot_moves * given.think
    day = commits * 24 * HOURS / 3  # a third of the busiest hour on average
    print(
        f"{there:,.0f} people there at once: "
        f"{clicks:,.0f} clicks and {bot_moves:,.0f} moves of bots a second"
    )
    print(
        f"cores that answer, half of each in use: {answering:,.1f} "
        f"({answering / given.cores:,.1f} machines)"
    )
    print(f"cores that think: {thinking:,.1f} ({thinking / given.cores:,.1f} machines)")
    print(
        f"commits a second: {commits:,.0f}"
        + ("; NOTIFY has to be replaced" if commits > LISTENERS else "; NOTIFY suffices")
    )
    print(f"new in the database each day: {day:,.0f} plies, {day * given.bytes / 1e9:,.1f} GB")
    cores = max(1, round(answering))
    took = simulate(commits, cores, given.click_ms / 1000)
    shown = ", ".join(
        f"{part}: {1000 * took[int(len(took) * part / 100)]:,.1f} ms" for part in (50, 95, 99)
    )
    print(f"simulated with {cores} cores, so many of 100 clicks answered within: {shown}")


if __name__ == "__main__":
    main()
