"""How soon a server whose bots think hard answers somebody's clicks.

    uv run python bench/busy_server.py
    uv run python bench/busy_server.py --tables 20 --bot master --game firebulls --cores 0,1

Starts a server of its own with tables of bots only, which think all the time (their rhythm is
0) in processes of their own, two people who play at another table, and a stranger who plays
against a novice. Says how long the clicks of the two took to be answered and how long the
stranger waited for the novice, in milliseconds, as a browser on the same machine sees it: first
with nobody thinking, then with all the bots.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from web import BASE, chosen, free_port, summary, wait_until_ready

PERSON_PLAYS = "stratego"
STRANGER_MEETS = "novice"
GLANCE = 0.02
"""Seconds between two looks for the novice's answer."""
WARM_SECONDS = 5.0
LONGEST_WARMING = 400.0
"""Where bots must first compile what they think with."""


async def somebody(port: int, nickname: str) -> httpx.AsyncClient:
    """Return a client with the token of a new person."""
    client = httpx.AsyncClient(base_url=f"{BASE}:{port}", timeout=60)
    token = (await client.post("/api/v1/people")).raise_for_status().json()["token"]
    client.headers["authorization"] = f"Bearer {token}"
    return client


async def make_table(client: httpx.AsyncClient, game: str, seats: list[str]) -> str:
    wish = {"game": game, "seats": seats, "nickname": "Ada"}
    answer = (await client.post("/api/v1/tables", json=wish)).raise_for_status()
    return str(answer.json()["table"])


class Thinking:
    """Tables of bots; one that is over is replaced by another."""

    def __init__(self, client: httpx.AsyncClient, game: str, seats: list[str]) -> None:
        self.client, self.game, self.seats = client, game, seats
        self.tables: list[str] = []

    async def open(self, count: int) -> None:
        self.tables = [await make_table(self.client, self.game, self.seats) for _ in range(count)]

    async def moves(self) -> int:
        """Return how many actions were taken at all tables; open others for those that are over."""
        total = 0
        for number, table in enumerate(self.tables):
            facts = (await self.client.get(f"/api/v1/tables/{table}")).json()
            total += len(facts["log"])
            if facts["status"] == "over":
                self.tables[number] = await make_table(self.client, self.game, self.seats)
        return total


async def warm(thinking: Thinking, tables: int) -> None:
    """Wait until bots move, so that nothing is left to be compiled."""
    begun, end = await thinking.moves(), time.monotonic() + LONGEST_WARMING
    while await thinking.moves() < begun + 2 * tables and time.monotonic() < end:
        await asyncio.sleep(1)


async def clicking(port: int, seconds: float, clicks: list[float]) -> None:
    """Play as two people do, who look at each position for a while."""
    people = [await somebody(port, name) for name in ("Ada", "Bob")]
    dice, end = random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        table = await make_table(people[0], PERSON_PLAYS, ["me", "open"])
        sits = await people[1].post(f"/api/v1/tables/{table}/sit", json={"seat": 1})
        sits.raise_for_status()
        while time.monotonic() < end and await clicked(people, table, clicks, dice):
            await asyncio.sleep(dice.uniform(0.1, 0.4))


async def meeting(port: int, seconds: float, waits: list[float]) -> None:
    """Play as somebody does who has just come, against a bot."""
    client = await somebody(port, "Eve")
    dice, end = random.Random(2), time.monotonic() + seconds
    while time.monotonic() < end:
        table = await make_table(client, PERSON_PLAYS, ["me", f"bot:{STRANGER_MEETS}"])
        begun = None
        while time.monotonic() < end:
            facts = (await client.get(f"/api/v1/tables/{table}")).json()
            if facts["status"] == "over":
                break
            if not facts["your_turn"]:
                await asyncio.sleep(GLANCE)
                continue
            if begun is not None:
                waits.append(time.perf_counter() - begun)
                await asyncio.sleep(dice.uniform(0.1, 0.4))
            body = {"actions": chosen(facts, dice), "decision": facts["decision"]}
            begun = time.perf_counter()
            (await client.post(f"/t/{table}/act", json=body)).raise_for_status()


async def clicked(
    people: list[httpx.AsyncClient], table: str, clicks: list[float], dice: random.Random
) -> bool:
    """Let everybody act who may; say whether the game goes on."""
    for client in people:
        facts = (await client.get(f"/api/v1/tables/{table}")).json()
        if facts["status"] == "over":
            return False
        if facts["your_turn"]:
            body = {"actions": chosen(facts, dice), "decision": facts["decision"]}
            begun = time.perf_counter()
            answer = await client.post(f"/t/{table}/act", json=body)
            clicks.append(time.perf_counter() - begun)
            answer.raise_for_status()
    return True


async def measure(port: int, wish: argparse.Namespace, tables: int) -> None:
    bots = await somebody(port, "bots")
    thinking = Thinking(bots, wish.game, [f"bot:{wish.bot}"] * wish.seats)
    await thinking.open(tables)
    clicks: list[float] = []
    waits: list[float] = []
    await warm(thinking, tables)
    await clicking(port, WARM_SECONDS, [])
    before = await thinking.moves()
    await asyncio.gather(clicking(port, wish.seconds, clicks), meeting(port, wish.seconds, waits))
    moved = await thinking.moves() - before
    print(
        f"{tables} tables of {wish.bot} at {wish.game}:",
        f"{len(clicks)} clicks in {wish.seconds:.0f} s",
    )
    print(f"  answered in ms: {summary(clicks)}; lines in the logs of the tables: {moved}")
    print(f"  a stranger waited for a {STRANGER_MEETS}, in ms: {summary(waits)}")


def run(wish: argparse.Namespace) -> None:
    port = free_port()
    if wish.cores:
        os.sched_setaffinity(0, [int(core) for core in wish.cores.split(",")])
    with tempfile.TemporaryDirectory() as folder:
        settings = {"HOME": folder, "RATE": "0", "PORT": str(port), "BOT_SECONDS": "0"}
        home = {f"TIANXIA_{name}": value for name, value in settings.items()}
        with (Path(folder) / "log").open("w") as log:
            server = subprocess.Popen(
                [sys.executable, "-m", "tianxia", "serve"],
                env={**os.environ, **home},
                stderr=log,
            )
        try:
            wait_until_ready(port, "readyz")  # nothing is compiled meanwhile
            for tables in (0, wish.tables):
                asyncio.run(measure(port, wish, tables))
            print(
                f"  load of the machine {os.getloadavg()[0]:.1f},",
                f"cores {len(os.sched_getaffinity(0))}",
            )
        finally:
            server.terminate()
            server.wait(30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--game", default="firebulls")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--bot", default="search")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--cores", default="", help="of the server and the clicks, such as 0,1")
    run(parser.parse_args())


if __name__ == "__main__":
    main()
