"""What the server costs: one move, and many tables at once.

    uv run python bench/web.py move     # a move stored and drawn for 3 viewers: CPU
    uv run python bench/web.py load     # bots at 100 tables, people clicking: answers

`move` plays a whole classic game in one process, on a database file. `load` starts a server
of its own on this machine, with a spectator at every table, and people who click at tables
of their own; it says how long their clicks took to be answered, and whether every open page
had the newest position in the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from tianxia.kernel.state import State
from tianxia.tables import SeatPlan, Tables
from tianxia.web.rendering import Renderer, Viewer

BASE = "http://127.0.0.1"
SPEC = "stratego"


# --- One move ---


def set_up(tables: Tables, table_id: str, seat: int, person: str, dice: random.Random) -> None:
    snapshot = tables.snapshot(table_id)
    state, actions = snapshot.state, list[int]()
    plies = state.plies
    while seat in state.acting and state.plies == plies:
        actions.append(dice.choice(state.legal_actions(seat)))
        state.apply(actions[-1], seat)
    tables.act(table_id, person, actions, snapshot.decision(seat))


def one_move(moves: int) -> None:
    dice = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        tables, renderer = Tables(f"sqlite:///{folder}/tables.sqlite"), Renderer()
        people = ["red", "blue"]
        plans = [SeatPlan("me"), SeatPlan("open")]
        table_id = tables.create(SPEC, plans, person="red", nickname="Red").table_id
        tables.take_seat(table_id, 1, "blue", "Blue")
        for seat in (0, 1):
            set_up(tables, table_id, seat, people[seat], dice)
        viewers = [Viewer(0, "en", BASE, "k"), Viewer(1, "fr", BASE, "k"), Viewer(None, "en", BASE)]
        stored, drawn = list[float](), list[float]()
        for _ in range(moves):
            snapshot = tables.snapshot(table_id)
            if snapshot.status != "playing":
                break
            seat = snapshot.acting[0]
            action = dice.choice(snapshot.view(seat).legal_actions(seat))
            clock = time.process_time()
            snapshot = tables.act(table_id, people[seat], [action], snapshot.decision(seat))
            stored.append(time.process_time() - clock)
            clock = time.process_time()
            for viewer in viewers:
                renderer.piece(snapshot, viewer)
            drawn.append(time.process_time() - clock)
        tables.close()
    both = [a + b for a, b in zip(stored, drawn, strict=True)][10:]
    print(f"{len(both)} moves, each stored and drawn for {len(viewers)} viewers; CPU in ms:")
    for name, times in (("stored", stored), ("drawn", drawn), ("both", both)):
        print(f"  {name:7}{summary(times)}")


def summary(seconds: Sequence[float]) -> str:
    ordered = sorted(1000 * second for second in seconds)
    middle, high = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    return f"median {middle:.2f}   p95 {high:.2f}   most {ordered[-1]:.2f}"


# --- Many tables ---


class Page:
    """An open page: remembers the newest that it was pushed."""

    def __init__(self, client: httpx.AsyncClient, port: int, table: str) -> None:
        self.client = client
        self.table = table
        self.url = f"ws://127.0.0.1:{port}/t/{table}/live"
        self.version = ""
        self.pushes = 0
        self.changed = asyncio.Event()

    async def watch(self) -> None:
        token = self.client.headers.get("authorization", "")
        headers = {"authorization": token} if token else {}
        async with connect(self.url, additional_headers=headers, max_size=2**22) as pushes:
            async for text in pushes:
                message = json.loads(text)
                if "version" in message:
                    self.version = message["version"]
                    self.pushes += 1
                    self.changed.set()

    async def newest(self) -> str:
        answer = await self.client.get(f"/t/{self.table}/fragment")
        return str(answer.json()["version"])

    async def is_newest(self) -> bool:
        """Say whether the page gets as new as the server says, shortly."""
        for _ in range(20):
            if self.version == await self.newest():
                return True
            await asyncio.sleep(0.1)
        return False


async def click(page: Page, seconds: float, clicks: list[float], dice: random.Random) -> None:
    """Play like somebody in a hurry, until the time is over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        facts = (await page.client.get(f"/api/v1/tables/{page.table}")).json()
        if not facts["your_turn"]:
            if facts["status"] == "over":
                return
            await asyncio.sleep(0.1)
            continue
        actions = chosen(facts, dice)
        body = {"actions": actions, "decision": facts["decision"]}
        begun = time.perf_counter()
        answer = await page.client.post(f"/t/{page.table}/act", json=body)
        clicks.append(time.perf_counter() - begun)
        answer.raise_for_status()
        await asyncio.sleep(dice.uniform(0.3, 1.0))


def chosen(facts: dict[str, Any], dice: random.Random) -> list[int]:
    """Return a move, or a whole set-up."""
    import tianxia

    legal = [one["action"] for one in facts["legal"]]
    if min(legal) > 12:
        return [dice.choice(legal)]
    state: State = tianxia.game(facts["game"]).new()
    seat, actions, plies = facts["seat"], list[int](), 0
    while seat in state.acting and state.plies == plies:
        actions.append(dice.choice(state.legal_actions(seat)))
        state.apply(actions[-1], seat)
    return actions


async def load(port: int, bots: int, people: int, seconds: float) -> None:
    async with asyncio.TaskGroup() as group:
        pages, watching = list[Page](), list[asyncio.Task[None]]()
        clicks, playing = list[float](), list[asyncio.Task[None]]()
        for number in range(bots + people):
            client = httpx.AsyncClient(base_url=f"{BASE}:{port}", timeout=30)
            token = (await client.post("/api/v1/people")).json()["token"]
            client.headers["authorization"] = f"Bearer {token}"
            mine = "me" if number < people else "bot:skirmisher"
            wish = {"game": SPEC, "seats": [mine, "bot:skirmisher"], "nickname": f"P{number}"}
            made = (await client.post("/api/v1/tables", json=wish)).raise_for_status().json()
            pages.append(Page(client, port, made["table"]))
            watching.append(group.create_task(pages[-1].watch()))
        begun = time.monotonic()
        before = sum(page.pushes for page in pages)
        for number, page in enumerate(pages[:people]):
            dice = random.Random(number)
            playing.append(group.create_task(click(page, seconds, clicks, dice)))
        await asyncio.gather(*playing)
        await asyncio.sleep(max(0.0, begun + seconds - time.monotonic()))
        passed = time.monotonic() - begun
        pushes = sum(page.pushes for page in pages) - before
        fresh = [await page.is_newest() for page in pages]
        for task in watching:
            task.cancel()
        print(f"{bots} tables of bots, {people} people, {passed:.0f} s")
        print(f"  pushes           {pushes} ({pushes / passed:.0f}/s)")
        print(f"  clicks           {len(clicks)}; answered in ms: {summary(clicks)}")
        print(f"  pages up to date {sum(fresh)} of {len(fresh)}")


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def run_load(bots: int, people: int, seconds: float) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        home = {"TIANXIA_HOME": folder, "TIANXIA_RATE": "0", "TIANXIA_PORT": str(port)}
        log = Path(folder) / "log"
        with log.open("w") as out:
            server = subprocess.Popen(
                [sys.executable, "-m", "tianxia", "serve"], env={**os.environ, **home}, stderr=out
            )
        try:
            wait_until_ready(port)
            asyncio.run(load(port, bots, people, seconds))
            with Path(f"/proc/{server.pid}/stat").open() as stat:
                ticks = stat.read().rpartition(")")[2].split()
            cpu = (int(ticks[11]) + int(ticks[12])) / os.sysconf("SC_CLK_TCK")
            print(f"  CPU of the process that answers {cpu:.1f} s")
        finally:
            server.terminate()
            server.wait(20)
        lines = log.read_text().splitlines()
        print(f"  lines in its log {len(lines)}", *lines[:3], sep="\n    ")


def wait_until_ready(port: int, word: str = "healthz") -> None:
    for _ in range(3000):
        try:
            if httpx.get(f"{BASE}:{port}/{word}").status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.2)
    raise SystemExit("the server does not get ready")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["move", "load"])
    parser.add_argument("--moves", type=int, default=400)
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30)
    wish = parser.parse_args()
    if wish.what == "move":
        one_move(wish.moves)
    else:
        run_load(wish.bots, wish.people, wish.seconds)


if __name__ == "__main__":
    main()
