"""A process of its own: play and draw all games with compiled rules; print what it compiles.

Only what `tianxia prepare` compiles for positions should be asked for, and that is only loaded.
"""

from __future__ import annotations

import random
import sys
from typing import Any

from numba.core import event

import tianxia
from tests.tables.helpers import step
from tianxia.minds.preparing import installed
from tianxia.tables import SeatPlan, Tables
from tianxia.web.app import load_rules
from tianxia.web.rendering import Renderer, Viewer

EVERY, MOST = 40, 900
"""Each of so many actions is drawn, of not more than that."""


class Listener(event.Listener):
    """Prints the names of what is compiled."""

    def on_start(self, event: Any) -> None:
        sys.stdout.write(f"{event.data['dispatcher']}\n")

    def on_end(self, event: Any) -> None:
        pass


def play(name: str) -> None:
    """Play a random game at a table, and look at it now and then."""
    tables, renderer, dice = Tables("sqlite://"), Renderer(), random.Random(1)
    people = [f"somebody {seat}" for seat in range(tianxia.game(name).seats)]
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (len(people) - 1)]
    table_id = tables.create(name, plans, person=people[0]).table_id
    for seat, person in enumerate(people[1:], 1):
        tables.take_seat(table_id, seat, person)
    viewers = [Viewer(seat, "en", "") for seat in (None, *range(len(people)))]
    for ply in range(MOST):
        over = tables.snapshot(table_id).status == "over"
        if over or ply % EVERY == 0:
            for viewer in viewers:
                renderer.piece(tables.snapshot(table_id), viewer)
        if over:
            break
        step(tables, table_id, dice, people)
    tables.close()


if __name__ == "__main__":
    load_rules()
    event.register("numba:compile", Listener())
    for game in installed():
        play(game)
