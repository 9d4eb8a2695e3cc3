"""What a newcomer waits for on a fresh machine: home and cache are empty, every game anew.

    uv run python bench/first_minute.py
    uv run python bench/first_minute.py stratego china --warm

Says how long it takes from the command to the first page, from the first click to one's own
first action, from there to the first move of the usual bot, and, with --warm, the same after
a restart; with the memory of the process that answers.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tianxia.kernel import mode

mode.interpret()  # this process shall not compile beside the server

import tianxia  # noqa: E402
from tests.minds.fresh import fresh_server  # noqa: E402
from tianxia.web.pages import usual_bot  # noqa: E402


def measure(folder: Path, game: str) -> None:
    bot = usual_bot(tianxia.game(game).kind)
    with fresh_server(folder, cold=True) as server:
        server.first_page()
        page = server.costs()
        memory = server.memory()
        server.play(game, bot)
        mine = server.costs()
        server.act()
        server.wait_for_the_bot()
        moved = server.costs()
        print(f"{game}, against {bot}")
        print(f"  command to first page         {page}, {memory}")
        print(f"  click to one's own action     {mine - page}")
        print(f"  click to the bot's first move {moved - page}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", default=tianxia.games())
    parser.add_argument("--warm", action="store_true", help="once more with what was compiled")
    wish = parser.parse_args()
    for game in wish.games:
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(1 + wish.warm):
                measure(Path(folder), game)


if __name__ == "__main__":
    main()
