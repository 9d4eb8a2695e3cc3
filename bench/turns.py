"""How many clicks a turn takes at the table, in games between bots.

    uv run python bench/turns.py                  # all games
    uv run python bench/turns.py binfa --games 5

A turn is what a seat does until another one is asked. It costs the fewest clicks with which the
page takes the same actions: a gesture's steps and its word to confirm, or a way over several
places, which is two clicks and how many go. (Payments that the page offers on the way would save
more.) Setting up is no turn.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import tianxia
from tianxia.bots import play
from tianxia.draw.scene import Drawing, Gesture, Journey, Scene, SceneRequest

GOAL, BOT = 5, "apprentice"
TWO_CLICKS, AND_HOW_MANY = 2, 3


class Asked(NamedTuple):
    """A decision: what the seat sees, and what it does."""

    view: tianxia.State
    seat: int
    action: int


def turns(game: tianxia.Game, seed: int) -> Iterator[list[Asked]]:
    """Yield the turns of a game between bots."""
    end, turn = play(game, [BOT] * game.seats, seed), list[Asked]()
    state = end.start()
    for seat, action in end.history():
        if seat != tianxia.CHANCE:
            if turn and turn[0].seat != seat:
                yield turn
                turn = []
            turn.append(Asked(state.view(seat), seat, action))
        state.apply(action, seat)
    yield turn


def clicks(turn: list[Asked], drawing: Drawing) -> int | None:
    """Return the fewest clicks for a turn; None where something is arranged: that is no turn."""
    costs = [0] * (len(turn) + 1)
    for place in range(len(turn) - 1, -1, -1):
        asked = turn[place]
        request = SceneRequest(asked.view, asked.seat)
        scene = drawing(request)
        if scene.arrangement:
            return None
        ways = [(1, steps(one)) for one in scene.gestures if one.action == asked.action]
        ways += far(scene, partial(drawing.journeys, request), [one.action for one in turn[place:]])
        costs[place] = min(cost + costs[place + count] for count, cost in ways)
    return costs[0]


def steps(gesture: Gesture) -> int:
    """Return how many clicks a gesture takes."""
    return gesture.preview + sum(
        {"one": 1, "set": len(step.elements), "count": step.count}[step.kind]
        for step in gesture.steps
    )


Journeys = Callable[[str, str], Sequence[Journey]]


def far(scene: Scene, journeys: Journeys, actions: list[int]) -> Iterator[tuple[int, int]]:
    """Yield for each way over several places that is taken how many actions it saves one."""
    for origin, targets in scene.ahead:
        for target in targets:
            found = journeys(origin, target)
            for journey in found:
                length = len(journey.actions)
                if list(journey.actions) == actions[:length]:
                    yield length, AND_HOW_MANY if len(found) > 1 else TWO_CLICKS


def report(name: str, games: int) -> None:
    """Print the clicks of a game's turns."""
    game = tianxia.game(name)
    drawing = Drawing.of(game.kind)
    assert drawing is not None, f"{name} has no pictures"
    found = [clicks(turn, drawing) for seed in range(games) for turn in turns(game, seed)]
    counts = sorted(count for count in found if count is not None)
    nine = counts[int(0.9 * (len(counts) - 1))]
    few = sum(count <= GOAL for count in counts) / len(counts)
    told = f"median {statistics.median(counts):.0f}   nine in ten {nine}   most {counts[-1]}"
    print(f"{name:10} {told}   at most {GOAL}: {few:.0%} of {len(counts)} turns", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", default=tianxia.games())
    parser.add_argument("--games", type=int, default=2, dest="count")
    wish = parser.parse_args()
    for name in wish.games:
        report(name, wish.count)


if __name__ == "__main__":
    main()
