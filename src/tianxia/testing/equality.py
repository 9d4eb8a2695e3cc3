"""Whether compiled and interpreted rules are one game, over thousands of random games.

    python -m tianxia.testing.equality --games 2000 [GAME ...]

Each has options of its own. What is found can be looked at again with
``check_equality(tianxia.game(SPEC), SEED)``.
"""

from __future__ import annotations

import os
import random
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from tianxia.kernel.errors import OptionError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.options import Option, Value
from tianxia.kernel.registry import games, kind
from tianxia.testing import CheckFailed, check_equality

AT_ONCE = 10
"""Games that a process takes at once."""
TRIES = 100  # until options drawn at random fit together


def any_game(kind: GameType, rng: random.Random) -> Game:
    """Return a game with options drawn at random, of those that fit together."""
    for _ in range(TRIES):
        try:
            return kind(**{option.name: rng.choice(_values(option)) for option in kind.options})
        except OptionError:
            continue
    return kind()


def _values(option: Option) -> list[Value]:
    return [*option.values, *([option.text.example] if option.text and option.text.example else [])]


def run(name: str, first: int, last: int) -> list[str]:
    """Compare the random games `first` to `last` − 1 of a set of rules; return what is wrong."""
    wrong = []
    for seed in range(first, last):
        game = any_game(kind(name), random.Random(f"{name} {seed}"))  # noqa: S311  (no secrets)
        try:
            check_equality(game, seed)
        except CheckFailed as error:
            wrong.append(str(error))
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Compare many random games, in several processes."""
    from rich.progress import track

    parser = ArgumentParser(prog="python -m tianxia.testing.equality", description=__doc__)
    parser.add_argument("game", nargs="*", help="sets of rules; all that are installed if none")
    parser.add_argument("--games", type=int, default=2000, help="of each of them")
    parser.add_argument("--seed", type=int, default=0, help="number of the first game")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    wish = parser.parse_args(arguments)
    names = [kind(name).name for name in wish.game or games()]
    wrong: list[str] = []
    # Other ways of starting processes would copy this one's threads half-way.
    with ProcessPoolExecutor(wish.processes, get_context("spawn")) as pool:
        jobs = [
            pool.submit(run, name, first, min(first + AT_ONCE, wish.seed + wish.games))
            for first in range(wish.seed, wish.seed + wish.games, AT_ONCE)
            for name in names
        ]
        for job in track(as_completed(jobs), "Comparing …", len(jobs)):
            for text in job.result():
                print(text, file=sys.stderr, flush=True)
                wrong.append(text)
    print(f"{wish.games} games each of {', '.join(names)}: {len(wrong)} differ.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
