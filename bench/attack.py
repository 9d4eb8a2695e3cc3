"""What others feel while somebody attacks a server: clicks, the log, how soon it is over.

    python bench/attack.py                          # every attack, 60 s each
    python bench/attack.py --only sockets --seconds 10 --descriptors 120

Starts a server of its own at 127.0.0.1, with the limits that every server has, and attacks it
from 127.0.0.1 to 127.0.0.5 while two people at 127.0.0.10 and 127.0.0.11 play, and one at
127.0.0.12 against a bot. Only Linux has all these addresses. It asks nobody else, and stops by
itself.

sockets      as many connections as there are to be had, which send their heads by letters
pages        the pages that cost most, four at a time from each address, never the same twice
websockets   as many open pages as there are to be had, which send and come again
bots         tables at which only bots play, as many as there are to be had, by ever new people
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
from web import BASE, chosen, free_port, summary, wait_until_ready
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

ATTACKERS = [f"127.0.0.{number}" for number in range(1, 6)]
PEOPLE = ["127.0.0.10", "127.0.0.11"]
ALONE = "127.0.0.12"
GAME = "stratego"
BOT = "bot:journeyman"
SOCKETS_EACH = 400
PAGES_EACH = 200
AT_ONCE = 4
PATIENCE = 30.0
WELL = 0.2
SERVER = """
import resource, sys
limit = int(sys.argv[2])
if limit:
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
from tianxia.minds import crew
from tianxia.web import serve
crew.installed = lambda: [sys.argv[3]]
serve.serve("127.0.0.1", int(sys.argv[1]))
"""
"""A server that prepares only the game that is played."""


# --- Attacks, in a process of their own ---


async def half_open(port: int, address: str) -> None:
    """Send a head letter by letter, for ever; come again when that is refused."""
    while True:
        with suppress(OSError):
            _, out = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            try:
                out.write(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
                while True:
                    out.write(b"y")
                    await out.drain()
                    await asyncio.sleep(1)
            finally:
                out.close()
        await asyncio.sleep(0.5)


async def costly(port: int, address: str) -> None:
    """Ask for pages that have to be drawn."""
    numbers = itertools.count(random.randrange(10**6))
    transport = httpx.AsyncHTTPTransport(local_address=address)
    async with httpx.AsyncClient(transport=transport, timeout=PATIENCE) as client:
        for number in numbers:
            spec = f"binfa(turns={number % 900 + 20})"
            for path in (f"/rules/binfa?for={spec}", f"/new/china?option-x={number}", "/api/docs"):
                with suppress(httpx.HTTPError):
                    await client.get(f"{BASE}:{port}{path}")
                await asyncio.sleep(0.005)


async def flood(port: int, address: str, table: str) -> None:
    """Open a page, send too much, come again."""
    url = f"ws://127.0.0.1:{port}/t/{table}/live"
    while True:
        with suppress(OSError, WebSocketException, TimeoutError):
            async with connect(url, local_addr=(address, 0), proxy=None) as page:
                for _ in range(40):
                    await page.send("{}")
                    await asyncio.sleep(0.1)
        await asyncio.sleep(0.5)


async def crowd_of_bots(port: int, address: str) -> None:
    """Become somebody new, make tables for bots until there are no more to be had, begin anew."""
    transport = httpx.AsyncHTTPTransport(local_address=address)
    wish = {"game": GAME, "seats": [BOT, BOT]}
    async with httpx.AsyncClient(
        base_url=f"{BASE}:{port}", transport=transport, timeout=PATIENCE
    ) as client:
        while True:
            with suppress(httpx.HTTPError, KeyError):
                made = await client.post("/api/v1/people")
                headers = {"authorization": f"Bearer {made.json()['token']}"}
                answer = made
                while answer.is_success:
                    answer = await client.post("/api/v1/tables", json=wish, headers=headers)
            await asyncio.sleep(0.05)


async def attack(what: str, port: int, seconds: float, table: str) -> None:
    for address in ATTACKERS:
        if what == "sockets":
            work = [half_open(port, address) for _ in range(SOCKETS_EACH)]
        elif what == "pages":
            work = [costly(port, address) for _ in range(AT_ONCE)]
        elif what == "bots":
            work = [crowd_of_bots(port, address) for _ in range(AT_ONCE)]
        else:
            work = [flood(port, address, table) for _ in range(PAGES_EACH)]
        tasks = [asyncio.create_task(one) for one in work]
        TASKS.update(tasks)
    await asyncio.sleep(seconds)
    for task in TASKS:
        task.cancel()
    await asyncio.gather(*TASKS, return_exceptions=True)


TASKS: set[asyncio.Task[None]] = set()


# --- Those who only want to play ---


class People:
    """Two people who play one game after the other."""

    def __init__(self, port: int) -> None:
        *self.clients, self.alone = (
            httpx.AsyncClient(
                base_url=f"{BASE}:{port}",
                transport=httpx.AsyncHTTPTransport(local_address=address),
                timeout=PATIENCE,
            )
            for address in (*PEOPLE, ALONE)
        )
        self.dice = random.Random(1)
        self.table = ""
        self.failed = 0

    async def arrive(self) -> None:
        for client in (*self.clients, self.alone):
            token = (await client.post("/api/v1/people")).raise_for_status().json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
        await self.sit_down()

    async def sit_down(self) -> None:
        wish = {"game": GAME, "seats": ["me", "open"], "nickname": "Ada"}
        made = await self.clients[0].post("/api/v1/tables", json=wish)
        self.table = made.raise_for_status().json()["table"]
        sits = await self.clients[1].post(f"/api/v1/tables/{self.table}/sit", json={"seat": 1})
        sits.raise_for_status()

    async def click(self) -> float | None:
        """Let who may act do so; return how long his click took to be answered."""
        for client in self.clients:
            facts = (await client.get(f"/api/v1/tables/{self.table}")).raise_for_status().json()
            if facts["status"] == "over":
                await self.sit_down()
                return None
            if facts["your_turn"]:
                body = {"actions": chosen(facts, self.dice), "decision": facts["decision"]}
                begun = time.perf_counter()
                answer = await client.post(f"/t/{self.table}/act", json=body)
                answer.raise_for_status()
                return time.perf_counter() - begun
        return None

    async def play(self, seconds: float) -> list[float]:
        """Click like somebody in a hurry; return how long each click took."""
        clicks, end = list[float](), time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                took = await self.click()
            except httpx.HTTPError:
                self.failed += 1
                await asyncio.sleep(1)
                continue
            if took is not None:
                clicks.append(took)
            await asyncio.sleep(self.dice.uniform(0.1, 0.4))
        return clicks

    async def duel(self, seconds: float) -> list[float]:
        """Play against a bot; return how long it took each time until it had answered."""
        waits, end, facts = list[float](), time.monotonic() + seconds, dict[str, Any]()
        while time.monotonic() < end:
            try:
                if not facts or facts["status"] == "over":
                    wish = {"game": GAME, "seats": ["me", BOT]}
                    made = await self.alone.post("/api/v1/tables", json=wish)
                    path = f"/api/v1/tables/{made.raise_for_status().json()['table']}"
                elif facts["your_turn"]:
                    body = {"actions": chosen(facts, self.dice), "decision": facts["decision"]}
                    (await self.alone.post(f"{path}/act", json=body)).raise_for_status()
                    begun = time.perf_counter()
                facts = (await self.alone.get(path)).raise_for_status().json()
                while not facts["your_turn"] and facts["status"] == "playing":
                    known = {"wait": 5, "version": facts["version"]}
                    answer = await self.alone.get(path, params=known)
                    facts = answer.raise_for_status().json()
                    if facts["your_turn"]:
                        waits.append(time.perf_counter() - begun)
            except httpx.HTTPError:
                self.failed += 1
                await asyncio.sleep(1)
        return waits

    async def recovery(self) -> float:
        """Return after how many seconds a click is answered soon again."""
        begun = time.monotonic()
        while time.monotonic() < begun + 2 * PATIENCE:
            with suppress(httpx.HTTPError):
                took = await self.click()
                if took is not None and took < WELL:
                    break
            await asyncio.sleep(0.1)
        return time.monotonic() - begun


# --- The measurement ---


async def measure(what: str, port: int, wish: argparse.Namespace, log: Path) -> None:
    people = People(port)
    await people.arrive()
    await asyncio.gather(people.play(5), people.duel(5))  # what is compiled or read first
    calm = await people.play(min(wish.seconds, 10))
    before, people.failed = log.stat().st_size, 0
    line = [sys.executable, __file__, "--attack", what, "--port", str(port)]
    line += ["--seconds", str(wish.seconds), "--table", people.table]
    attacker = subprocess.Popen(["nice", "-n", "5", *line])
    try:
        clicks, waits = await asyncio.gather(people.play(wish.seconds), people.duel(wish.seconds))
        attacker.wait(60)
    finally:
        attacker.kill()
    recovery = await people.recovery()
    print(f"{what}, {wish.seconds:.0f} s from {len(ATTACKERS)} addresses; clicks in ms:")
    print(f"  before      {len(calm):4}  {summary(calm)}")
    print(f"  meanwhile   {len(clicks):4}  {summary(clicks) if clicks else 'none answered'}")
    print(f"  bot's moves {len(waits):4}  {summary(waits) if waits else 'none'}")
    print(f"  clicks that failed {people.failed}")
    print(f"  log {(log.stat().st_size - before) / 1000:.0f} kB, well again after {recovery:.1f} s")


def run(what: str, wish: argparse.Namespace) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        settings = {"TIANXIA_HOME": folder, "TIANXIA_PORT": str(port)}
        with log.open("w") as out:
            server = subprocess.Popen(
                [sys.executable, "-c", SERVER, str(port), str(wish.descriptors), GAME],
                env={**os.environ, **settings},
                stdout=subprocess.DEVNULL,
                stderr=out,
            )
        try:
            wait_until_ready(port)
            asyncio.run(measure(what, port, wish, log))
        finally:
            server.terminate()
            server.wait(30)


def main() -> None:
    attacks = ["sockets", "pages", "websockets", "bots"]
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", choices=attacks)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--descriptors", type=int, default=0, help="of the server; 0: as usual")
    parser.add_argument("--attack", choices=attacks, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--table", default="", help=argparse.SUPPRESS)
    wish = parser.parse_args()
    if wish.attack:
        asyncio.run(attack(wish.attack, wish.port, min(wish.seconds, 600), wish.table))
        return
    for what in [wish.only] if wish.only else attacks:
        run(what, wish)


if __name__ == "__main__":
    main()
