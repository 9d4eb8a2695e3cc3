"""Games at tables, played by tests."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from tests.battery import games
from tianxia.tables import SeatPlan, Snapshot, Tables

BARRAGE = "stratego(variant=barrage)"
DUEL = "blind-duel"
PEOPLE = ("ann", "bob", "cat")
# Scouts on the e and f files: e4 and f4 of Red meet e7 and f7 of Blue. A Bomb stands before
# the Flag, or a Scout that moves at random might run up to it and end the game.
SETUP = ["F", "M", "9", "3", "S", *["-"] * 5, "B", *["-"] * 23, "2", "2"]
OTHER_SETUP = ["M", "F", "3", "S", "9", *["-"] * 5, "B", *["-"] * 23, "2", "2"]
assert games.BLIND_DUEL, "registers the toy"


def people(tables: Tables, spec: str = BARRAGE, seats: int = 2, seed: str = "") -> str:
    """Return a table at which people sit, called as in PEOPLE."""
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (seats - 1)]
    table_id = tables.create(spec, plans, person="ann", nickname="Ann", seed=seed).table_id
    for seat in range(1, seats):
        tables.take_seat(table_id, seat, PEOPLE[seat], PEOPLE[seat].title())
    return table_id


def against_bot(tables: Tables, spec: str = BARRAGE, bot: str = "random") -> str:
    """Return a table of ann against a bot."""
    plans = [SeatPlan("me"), SeatPlan("bot", bot)]
    return tables.create(spec, plans, person="ann").table_id


def do(tables: Tables, table_id: str, seat: int, *tokens: str) -> Snapshot:
    """Let a seat act, in the game's notation."""
    snapshot = tables.snapshot(table_id)
    state, actions = snapshot.state, []
    for token in tokens:
        actions.append(state.parse(token, seat))
        state.apply(actions[-1], seat)
    return tables.act(table_id, PEOPLE[seat], actions, snapshot.decision(seat))


def ready(tables: Tables, spec: str = BARRAGE) -> str:
    """Return a table of Stratego Barrage after the set-up."""
    table_id = people(tables, spec)
    do(tables, table_id, 0, *SETUP)
    do(tables, table_id, 1, *SETUP)
    return table_id


def step(
    tables: Tables, table_id: str, rng: random.Random, who: Sequence[str] = PEOPLE
) -> Snapshot:
    """Let some seat take a random action."""
    snapshot = tables.snapshot(table_id)
    seat = rng.choice(snapshot.acting)
    action = rng.choice(snapshot.view(seat).legal_actions(seat))
    return tables.act(table_id, who[seat], [action], snapshot.decision(seat))


def play_out(tables: Tables, table_id: str, seed: int = 0, most: int = 3000) -> Snapshot:
    """Play a game at random to its end."""
    rng = random.Random(seed)
    snapshot = tables.snapshot(table_id)
    for _ in range(most):
        if snapshot.open_to_all:
            break
        snapshot = step(tables, table_id, rng)
    return snapshot


def tokens(tables: Tables, table_id: str) -> list[str]:
    """Return the actions in a table's transcript."""
    state = tables.snapshot(table_id).state
    position, found = state.start(), []
    for seat, action in state.history():
        found.append(position.text(action, seat))
        position.apply(action, seat)
    return found


def wait_for(condition: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait until something holds; fail where it does not in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)
