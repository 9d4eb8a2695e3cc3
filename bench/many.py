"""How long a server takes to start, and what memory it needs, with many games in its database.

    python bench/many.py [--finished 10000] [--live 1000]

One game of each kind is played and stored as often as asked for. Prints the time until the
first page, and the memory of the process that answers: after that, and after a look at 500
tables.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.minds.fresh import fresh_server
from tests.tables.helpers import BARRAGE, people, ready, step
from tianxia.tables import Tables
from tianxia.tables.people import new_id
from tianxia.tables.store import Change

PLIES = 120


def fill(url: str, finished: int, live: int) -> list[str]:
    """Store games; return the ids of those that are live."""
    ids = []
    with Tables(url) as tables:
        going = ready(tables)
        dice = random.Random(1)
        for _ in range(PLIES):
            if tables.snapshot(going).open_to_all:
                going = ready(tables)
            step(tables, going, dice)
        over = people(tables, BARRAGE)
        for _ in range(PLIES):
            step(tables, over, dice)
        tables.resign(over, "ann")
        for source, count in ((over, finished), (going, live)):
            stored = tables.store.load(source)
            assert stored is not None
            change = Change(rows=stored.rows, seats=dict(enumerate(stored.seats)))
            for _ in range(count):
                name = new_id()
                tables.store.create(replace(stored.head, id=name), change)
                if source == going:
                    ids.append(name)
    return ids


def main() -> None:
    """Fill a database, start a server on it, and print what that takes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--finished", type=int, default=10_000)
    parser.add_argument("--live", type=int, default=1_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tianxia-many-") as name:
        folder = Path(name)
        file = folder / "tables.sqlite3"
        ids = fill(f"sqlite:///{file}", given.finished, given.live)
        print(f"database: {file.stat().st_size / 1e6:,.0f} MB")
        settings = {"TIANXIA_DATABASE": f"sqlite:///{file}", "TIANXIA_RATE": "0"}
        begun = time.monotonic()
        with fresh_server(folder, {"TIANXIA_THINKERS": "0", **settings}) as server:
            server.first_page()
            print(f"first page after {time.monotonic() - begun:.1f} s, {server.memory()}")
            for table in ids[:500]:
                server.api.get(f"/t/{table}").raise_for_status()
            print(f"after a look at {len(ids[:500])} tables: {server.memory()}")


if __name__ == "__main__":
    main()
