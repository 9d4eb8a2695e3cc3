"""What the empty cache of a fresh machine costs a game, in CPU seconds, part by part.

    uv run python bench/cold.py stratego suntzu --parts rules journeyman
    uv run python bench/cold.py --save before.json
    uv run python bench/cold.py --against before.json --functions 20

Each part runs in a process of its own; a game's parts share one cache, empty at first, and
come in the order given, so that each is charged with what those before it have not compiled.
Of the functions compiled the most expensive are listed, without what they call.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

GAMES = ["stratego", "firebulls", "suntzu", "china", "binfa"]
PARTS = ["import", "rules", "view", "legal", "sample", "encode", "search", "journeyman", "master"]
MORE = "playouts or the name of any bot; NAME:all for its whole first game"
PLIES = 8


def do(game_name: str, part: str) -> None:
    """Do one part: the first decisions of a bot, or one function of the Python face."""
    import tianxia
    from tianxia.bots.match import play

    game = tianxia.game(game_name)
    if part == "import":
        return
    if part == "rules":
        game.prepare()
    elif part in ("view", "legal", "sample", "encode"):
        state = game.new()
        seat = state.acting[0] if state.acting else 0
        view = state.view(seat)
        if part == "legal":
            view.legal_actions(seat)
        elif part == "sample":
            game.samples(view, 1)
        elif part == "encode":
            view.encode()
    elif part == "playouts":
        game.playouts(1)
    else:
        name, _, whole = part.partition(":")
        play(game, [name] * game.seats, 1, None if whole else PLIES)


def listen() -> dict[str, float]:
    """Return what will count the CPU seconds of each function that is compiled, by name."""
    from numba.core import event

    spent: dict[str, float] = defaultdict(float)
    running: list[tuple[str, float]] = []

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            self._charge()
            function = event.data["dispatcher"].py_func
            running.append((f"{function.__module__}.{function.__qualname__}", time.process_time()))

        def on_end(self, event: Any) -> None:
            self._charge()
            running.pop()
            if running:
                running[-1] = (running[-1][0], time.process_time())

        def _charge(self) -> None:
            if running:
                name, since = running[-1]
                spent[name] += time.process_time() - since

    event.register("numba:compile", Listener())
    return spent


def child(game: str, part: str, functions: int) -> None:
    """Do one part in this process, and write what it cost."""
    spent = listen() if functions else {}
    do(game, part)
    most = sorted(spent.items(), key=lambda item: -item[1])[:functions]
    print(json.dumps([time.process_time(), most]))


def measure(game: str, parts: list[str], functions: int) -> dict[str, float]:
    """Return the CPU seconds of each part, in processes that share a cache."""
    cost = {}
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for part in parts:
            command = [sys.executable, __file__, game, "--child", part]
            done = subprocess.run(
                [*command, "--functions", str(functions)],
                env=environment,
                stdout=subprocess.PIPE,
                check=True,
            )
            cost[part], listed = json.loads(done.stdout.splitlines()[-1])
            for name, seconds in listed:
                print(f"  {seconds:6.2f}  {name}")
    return cost


def main() -> None:
    """Print a table: games down, parts across, and the ratio to what was saved before."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--parts", nargs="+", default=PARTS, metavar="PART", help=MORE)
    parser.add_argument("--functions", type=int, default=0, help="how many to list")
    parser.add_argument("--save", type=Path, help="write the figures to this file")
    parser.add_argument("--against", type=Path, help="compare with the figures of this file")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.games[0], given.child, given.functions)
        return
    before = json.loads(given.against.read_text()) if given.against else {}
    found = {}
    for game in given.games or GAMES:
        found[game] = cost = measure(game, given.parts, given.functions)
        shown = "  ".join(f"{part} {seconds:.1f}" for part, seconds in cost.items())
        total, old = sum(cost.values()), before.get(game, {})
        print(f"{game:10}  {shown}  together {total:.1f}")
        if all(part in old for part in cost):
            ratio = total / sum(old[part] for part in cost)
            print(f"{'':10}  {ratio:.2f} of what it was", flush=True)
    if given.save:
        given.save.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
