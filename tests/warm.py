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


def compile_for(spec: str, bot: str, plies: int) -> None:
    """Play the beginning of a game."""
    import tianxia
    from tianxia.bots import play

    game = tianxia.game(spec)
    play(game, [bot] * game.seats, seed=1, longest=plies)


def compile_all(game: str) -> None:
    """Compile all that `tianxia prepare` compiles, and write it down."""
    from tianxia.minds.preparing import PHASES, do_share

    for phase in PHASES:
        for _ in do_share(game, phase, 0, 1):
            pass


def main(arguments: list[str]) -> None:
    """Compile the rules of all games first, since bots need them."""
    # Other ways of starting processes would copy this one's threads half-way.
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        done = [pool.submit(compile_for, spec, "random", 40) for spec in RULES]
        if arguments != ["rules"]:
            done += [pool.submit(compile_all, spec.partition("(")[0]) for spec in RULES]
        for one in done:
            one.result()


if __name__ == "__main__":
    main(sys.argv[1:])
