"""Compile what most tests need, once and on all cores, before processes share the tests.

Without it every process, and every server that the browser tests start, compiles the same
functions at the same time.
"""

from __future__ import annotations

import os
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


def main() -> None:
    """Compile the rules of all games first, since bots need them."""
    # Other ways of starting processes would copy this one's threads half-way.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        for jobs in ([(spec, "random", 40) for spec in RULES], BOTS):
            for done in [pool.submit(compile_for, *job) for job in jobs]:
                done.result()


if __name__ == "__main__":
    main()
