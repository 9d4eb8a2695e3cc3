"""Compile what most tests need, once and on all cores, before processes share the tests.

    python tests/warm.py          # the rules of all games, and bots
    python tests/warm.py rules    # the rules alone

Without it every process, and every server that the browser tests start, compiles the same
functions at the same time.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

RULES = ("binfa", "china", "suntzu", "firebulls", "stratego(variant=barrage)")
BOTS = (
    ("binfa", "master", 50),
    ("china", "search", 8),
    ("binfa", "search", 26),
    ("suntzu", "search", 12),
    ("firebulls", "search", 8),
    ("stratego(variant=barrage)", "search", 20),
    ("china", "master", 8),
    ("suntzu", "master", 40),
    ("stratego(variant=barrage)", "master", 20),
    ("firebulls", "master", 8),
)
"""Games, bots and for how many actions: those that compile longest first."""


def compile_for(spec: str, bot: str, plies: int) -> None:
    """Play the beginning of a game."""
    import tianxia
    from tianxia.bots import play

    game = tianxia.game(spec)
    play(game, [bot] * game.seats, seed=1, longest=plies)


def main(arguments: list[str]) -> None:
    """Compile the rules of all games first, since bots need them."""
    rules = [(spec, "random", 40) for spec in RULES]
    # Other ways of starting processes would copy this one's threads half-way.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for jobs in [rules] if arguments == ["rules"] else [rules, BOTS]:
            for done in [pool.submit(compile_for, *job) for job in jobs]:
                done.result()


if __name__ == "__main__":
    main(sys.argv[1:])
