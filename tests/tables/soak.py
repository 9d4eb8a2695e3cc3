"""Processes for the tests of storage: some are killed, some race.

``python -m tests.tables.soak kill URL ROUNDS SEED`` acts at tables until it is killed, and
checks afterwards that every move is there that was acknowledged; ``… race URL TABLE`` lets
two act at one table. They fork, so that not each of them need load everything again.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time

from tests.tables.helpers import SETUP, do, people, step
from tianxia.tables import TableError, Tables

ACTED = 6
"""So many moves of a child are waited for at most."""
SOON = 0.03
"""Seconds after which it is killed at the latest: about what one or two more moves take."""


def act_on(url: str, table_id: str, seed: int, out: int) -> None:
    """Act at a table, each move told as soon as it is acknowledged."""
    rng = random.Random(seed)
    with Tables(url) as tables:
        os.write(out, b"ready\n")
        while True:
            snapshot = step(tables, table_id, rng)
            entry = snapshot.entries[-1]
            line = f"{entry.number} {entry.seat} {entry.action}\n"
            os.write(out, line.encode())
            if snapshot.open_to_all:
                os.write(out, b"over\n")
                time.sleep(60)


def killed_child(url: str, table_id: str, seed: int, moves: int, delay: float) -> list[str]:
    """Fork a child that acts; kill it a while after some moves, return the lines that it wrote."""
    into, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(into)
        try:
            act_on(url, table_id, seed, out)
        finally:
            os._exit(1)
    os.close(out)
    with os.fdopen(into) as lines:
        said = [lines.readline()]
        while len(said) <= moves and said[-1] != "over\n":
            said.append(lines.readline())
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        said += lines.readlines()
    os.waitpid(child, 0)
    assert said[0] == "ready\n", said
    return [line for line in said[1:] if line.endswith("\n")]


def check(url: str, table_id: str, lines: list[str]) -> int:
    """Check that every acknowledged move is there; return how many there were."""
    with Tables(url) as tables:
        entries = {entry.number: entry for entry in tables.snapshot(table_id).entries}
    for line in lines:
        if line == "over\n":
            continue
        number, seat, action = map(int, line.split())
        entry = entries[number]
        assert (entry.seat, entry.action) == (seat, action), line
    return len(lines)


def new_table(url: str) -> str:
    """Make a table that is set up."""
    with Tables(url) as tables:
        table_id = people(tables, "stratego(variant=barrage,draw_after=0)")
        do(tables, table_id, 0, *SETUP)
        do(tables, table_id, 1, *SETUP)
    return table_id


def kill(url: str, rounds: int, seed: int) -> None:
    """Kill as many children as asked for."""
    rng = random.Random(seed)
    table_id, total = new_table(url), 0  # which has also loaded all that they need
    for number in range(rounds):
        moves, delay = rng.randint(0, ACTED), rng.uniform(0, SOON)
        lines = killed_child(url, table_id, seed + number, moves, delay)
        total += check(url, table_id, lines)
        if "over\n" in lines:
            table_id = new_table(url)
    print(json.dumps({"acknowledged": total}))


def race(url: str, table_id: str) -> None:
    """Let two processes act for all at one table; print how often each was not too late."""
    new_table("sqlite://")  # loads all that they need
    children = []
    for seed in (1, 2):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.write(1, f"{raced(url, table_id, random.Random(seed))}\n".encode())
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]


def raced(url: str, table_id: str, rng: random.Random) -> int:
    """Act sixty times; return how often that was not too late."""
    done = 0
    with Tables(url) as tables:
        for _ in range(60):
            if tables.snapshot(table_id).open_to_all:
                break
            try:
                step(tables, table_id, rng)
                done += 1
            except TableError as error:
                if error.code not in ("stale", "not-your-turn", "over"):
                    raise
            except IndexError:  # nobody may act any more
                assert tables.snapshot(table_id).open_to_all
    return done


if __name__ == "__main__":
    if sys.argv[1] == "race":
        race(*sys.argv[2:])
    else:
        kill(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
