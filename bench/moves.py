"""What a move costs: bytes to each viewer on the wire, and CPU with the pages of two viewers.

    uv run python bench/moves.py                    # all games
    uv run python bench/moves.py china --profile    # where the time goes

Whole games at random, by people at every seat, on a database file; rules are interpreted, as in
the process that answers. Bytes are what the WebSocket's permessage-deflate makes of a push, with
what it remembers of the pushes before. Set-ups are played, but not counted.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import random
import statistics
import tempfile
import time
import zlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from tianxia.kernel import mode

mode.interpret()  # before anything else of the kernel is imported

import tianxia  # noqa: E402
from tianxia.tables import SeatPlan, Tables  # noqa: E402
from tianxia.web.parts import Piece  # noqa: E402
from tianxia.web.rendering import Renderer, Viewer  # noqa: E402

GOALS = {"stratego": 7.0, "suntzu": 8.0, "firebulls": 8.5, "china": 10.5, "binfa": 31.0}
"""Milliseconds of CPU for an action and two pages."""
LARGEST = 5000
"""Bytes of a move for each viewer."""
BASE = "http://127.0.0.1"


@dataclass
class Line:
    """An open page: what it has, and what its connection has packed so far."""

    viewer: Viewer
    piece: Piece | None = None
    sizes: list[int] = field(default_factory=list)
    parts: dict[str, int] = field(default_factory=dict)
    pack: Any = field(default_factory=lambda: zlib.compressobj(wbits=-15))

    def push(self, piece: Piece, *, counted: bool) -> None:
        """Send what has changed."""
        if self.piece and self.piece.version == piece.version:
            return
        message = piece.since(self.piece)
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()
        size = len(self.pack.compress(text) + self.pack.flush(zlib.Z_SYNC_FLUSH)) - 4
        self.piece = piece
        if counted:
            self.sizes.append(size)
            for name, html in message.get("parts", {}).items():
                self.parts[name] = self.parts.get(name, 0) + len(html)
            told = sum(len(run) for run in message.get("log", ()) if isinstance(run, str))
            self.parts["log"] = self.parts.get("log", 0) + told


def measure(spec: str, moves: int, seed: int, profile: cProfile.Profile | None) -> None:
    """Play a game and print what its moves have cost."""
    dice, game = random.Random(seed), tianxia.game(spec)
    people = [f"person {seat}" for seat in range(game.seats)]
    lines = [Line(Viewer(0, "en", BASE, "k")), Line(Viewer(1, "fr", BASE, "k"))]
    spent = list[float]()
    with tempfile.TemporaryDirectory() as folder:
        tables, renderer = Tables(f"sqlite:///{folder}/tables.sqlite"), Renderer()
        plans = [SeatPlan("me"), *[SeatPlan("open")] * (game.seats - 1)]
        table = tables.create(game, plans, person=people[0], nickname="Zero").table_id
        for seat in range(1, game.seats):
            tables.take_seat(table, seat, people[seat], f"Player {seat}")
        counted = False
        while len(spent) < moves:
            snapshot = tables.snapshot(table)
            if snapshot.status != "playing":
                break
            seat = dice.choice(snapshot.acting)
            action = dice.choice(snapshot.view(seat).legal_actions(seat))
            counted = counted or (len(snapshot.acting) == 1 and snapshot.state.plies > game.seats)
            with profile if profile and counted else nullcontext():
                clock = time.process_time()
                after = tables.act(table, people[seat], [action], snapshot.decision(seat))
                for line in lines:
                    line.push(renderer.piece(after, line.viewer), counted=counted)
                if counted:
                    spent.append(time.process_time() - clock)
        tables.close()
    report(spec, spent, lines)


def report(spec: str, spent: Sequence[float], lines: Sequence[Line]) -> None:
    """Print the figures of one game, with its goals."""
    cpu = sorted(1000 * second for second in spent)
    middle, high = statistics.median(cpu), cpu[int(0.95 * (len(cpu) - 1))]
    goal = GOALS.get(spec.partition("(")[0])
    print(f"{spec}: {len(cpu)} actions")
    print(f"  CPU in ms       median {middle:.1f}   p95 {high:.1f}   goal {goal}")
    for line in lines:
        sizes = sorted(line.sizes)
        high = sizes[int(0.95 * (len(sizes) - 1))]
        raw = ", ".join(
            f"{name} {total // len(sizes)}"
            for name, total in sorted(line.parts.items(), key=lambda pair: -pair[1])[:5]
        )
        print(
            f"  bytes, seat {line.viewer.seat}   median {statistics.median(sizes):.0f}   p95 {high}"
            f"   most {sizes[-1]}   goal {LARGEST}   (unpacked: {raw})"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", default=list(GOALS), help="all, if none is named")
    parser.add_argument("--moves", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="say in which functions it is spent")
    wish = parser.parse_args()
    for spec in wish.games:
        profile = cProfile.Profile(time.process_time) if wish.profile else None
        measure(spec, wish.moves, wish.seed, profile)
        if profile:
            pstats.Stats(profile).sort_stats("cumulative").print_stats(60)


if __name__ == "__main__":
    main()
