"""How punctual flags are: 200 clocks with people who come, go, and sometimes stay away.

People act through the service as the server's routes do; a keeper watches as in a server. Who
is disconnected comes back while there is time, which must never cost the game; who stays away
loses it, and how late the flag falls is measured.

    python bench/clocks.py --tables 200 --disconnections 1000
"""

from __future__ import annotations

import argparse
import heapq
import random
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass, field

from tianxia.kernel import mode

mode.interpret()

from tianxia.tables import SeatPlan, TableError, Tables  # noqa: E402
from tianxia.tables.keeper import Keeper  # noqa: E402

GAME = "stratego(variant=barrage)"
PACE = "20+2"
AWAY = 0.03
"""How often somebody leaves for good."""
MARGIN = 0.3
"""Who was disconnected acts at the latest so long before the flag."""


@dataclass(order=True)
class Event:
    """When somebody at a table acts; `stays` is whether anybody does."""

    at: float
    table: str = field(compare=False)
    due: float = field(compare=False, default=0.0)
    stays: bool = field(compare=False, default=True)


class People:
    """All who play."""

    def __init__(self, tables: Tables, count: int, disconnections: int, seed: int) -> None:
        self.tables = tables
        self.rng = random.Random(seed)
        self.lock = threading.Lock()
        self.left = disconnections
        self.disconnected = self.acts = 0
        self.tardy = 0  # who acted too late because this machine was busy: a right flag
        self.late: list[float] = []
        self.wrong: list[str] = []
        self.events: list[Event] = []
        for _ in range(count):
            self.open()

    def open(self) -> None:
        """Begin another game."""
        plans = [SeatPlan("me"), SeatPlan("open")]
        made = self.tables.create(GAME, plans, person="a", pace=PACE)
        self.tables.take_seat(made.table_id, 1, "b")
        with self.lock:
            heapq.heappush(self.events, Event(time.time() + self.rng.random() * 5, made.table_id))

    def next(self) -> Event | None:
        """Return what is due."""
        with self.lock:
            if self.events and self.events[0].at <= time.time():
                return heapq.heappop(self.events)
        return None

    def act(self, event: Event) -> None:
        """Act for whoever is asked, then plan who comes next and when."""
        snapshot = self.tables.snapshot(event.table)
        if snapshot.status == "over":
            self.ended(event)
            return
        if not event.stays:  # still waiting for the flag
            self.plan(event.table, again=event)
            return
        received = self.tables.clock()
        for seat in snapshot.acting:
            self.decide(event.table, seat, received, event.due)
        self.plan(event.table)

    def decide(self, table: str, seat: int, received: float, due: float) -> None:
        """Take random actions until the seat has finished."""
        snapshot = self.tables.snapshot(table)
        view, actions = snapshot.view(seat), []
        state = snapshot.state
        while seat in state.acting and len(actions) < 60 and (snapshot.sealed or not actions):
            legal = state.view(seat).legal_actions(seat)
            actions.append(self.rng.choice(legal))
            state.apply(actions[-1], seat)
        del view
        person = "ab"[seat]
        try:
            decision = snapshot.decision(seat)
            self.tables.act(table, person, actions, decision, received=received)
            self.acts += 1
        except TableError as error:
            if error.code in ("time-over", "over") and received < due:
                self.wrong.append(f"{table}: {error.code}")

    def plan(self, table: str, again: Event | None = None) -> None:
        """Decide when somebody acts next: soon, after a disconnection, or never."""
        snapshot = self.tables.snapshot(table)
        falls = min((c.falls for c in snapshot.clocks if c.falls), default=None)
        now = time.time()
        if falls is None or snapshot.status == "over":
            self.ended(again or Event(now, table, stays=True))
            return
        with self.lock:
            if again is not None or self.rng.random() < AWAY:
                event = Event(max(falls, now) + 0.05, table, falls, stays=False)
            elif self.left > 0 and self.rng.random() < 0.5:
                self.left -= 1
                self.disconnected += 1
                away = self.rng.uniform(0.3, 1.0) * max(0.0, falls - now - MARGIN)
                event = Event(now + min(away, 6.0), table, falls)
            else:
                event = Event(now + self.rng.uniform(0.2, 2.0), table, falls)
            heapq.heappush(self.events, event)

    def ended(self, event: Event) -> None:
        """Note how a game has ended, and begin another."""
        snapshot = self.tables.snapshot(event.table)
        last = snapshot.entries[-1]
        if last.kind in ("flag", "clocks"):
            if last.at < event.due:
                self.wrong.append(f"{event.table}: flag")
            self.tardy += event.stays
            if event.due:
                self.late.append(last.at - event.due)
        self.open()


def work(people: People, until: float) -> None:
    """Be some of the people for a while."""
    while time.time() < until:
        event = people.next()
        if event is None:
            time.sleep(0.005)
        else:
            people.act(event)


def main() -> None:
    """Play, then say how late flags fell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--disconnections", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Tables(f"sqlite:///{folder}/t.sqlite3") as tables:
        people = People(tables, asked.tables, asked.disconnections, asked.seed)
        keeper = Keeper(tables).start()
        begun, cpu, until = time.time(), time.process_time(), time.time() + asked.seconds
        threads = [threading.Thread(target=work, args=(people, until)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        keeper.close()
        took, spent = time.time() - begun, time.process_time() - cpu
    late = sorted(1000 * one for one in people.late)
    print(f"{asked.tables} tables, {took:.0f} s, {spent / took:.2f} processors busy")
    print(f"{people.acts} decisions, {people.disconnected} disconnections")
    print(f"{len(late)} flags fell, {len(people.wrong)} wrongly: {people.wrong[:5]}")
    if people.tardy:
        print(f"{people.tardy} acted too late, since this machine was busy for so long")
    if late:
        print(
            f"ms after the time: median {statistics.median(late):.1f}, "
            f"95 of 100 within {late[int(0.95 * (len(late) - 1))]:.1f}, most {late[-1]:.1f}"
        )


if __name__ == "__main__":
    main()
