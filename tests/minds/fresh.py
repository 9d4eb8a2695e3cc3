"""A server of its own, if wished as on a fresh machine; what its first minute costs."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

import tianxia
from tests.memory import Memory, memory

LONGEST = 600.0
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@dataclass
class Costs:
    """What something took, in seconds of the wall and of processors.

    `web` is the process that answers people, `all` that and those that it has started.
    """

    wall: float = 0.0
    web: float = 0.0
    all: float = 0.0

    def __sub__(self, other: Costs) -> Costs:
        return Costs(self.wall - other.wall, self.web - other.web, self.all - other.all)

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s (CPU: web process {self.web:5.2f}, all {self.all:6.2f})"


class Fresh:
    """A server, and a person who plays there."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.begun = time.monotonic()
        self.api = httpx.Client()
        self.facts: dict[str, Any] = {}

    def costs(self) -> Costs:
        """Return what was spent until now."""
        web, ended = cpu(self.process.pid)
        running = sum(sum(cpu(child)) for child in descendants(self.process.pid))
        return Costs(time.monotonic() - self.begun, web, web + ended + running)

    def maps(self) -> str:
        """Return the files that the process has mapped into its memory."""
        return Path(f"/proc/{self.process.pid}/maps").read_text(encoding="utf-8")

    def memory(self) -> Memory:
        """Return what it has in memory."""
        taken = memory(self.process.pid)
        assert taken is not None
        return taken

    def first_page(self) -> None:
        """Wait for the address, and read the first page."""
        assert self.process.stdout is not None
        said = (word for line in self.process.stdout for word in line.split())  # also of compiling
        address = next(word for word in said if word.startswith("http"))
        # Where several processes answer, they listen a moment after the address was printed.
        transport = httpx.HTTPTransport(retries=10)
        self.api.close()
        self.api = httpx.Client(base_url=address, timeout=LONGEST, transport=transport)
        self.api.get("/").raise_for_status()

    def play(self, game: str, bot: str) -> None:
        """Make a table against a bot, and look at it."""
        self.api.get(f"/new/{game}").raise_for_status()
        token = self.api.post("/api/v1/people").raise_for_status().json()["token"]
        self.api.headers["authorization"] = f"Bearer {token}"
        seats = ["me"] + [f"bot:{bot}"] * (tianxia.game(game).seats - 1)
        made = self.api.post("/api/v1/tables", json={"game": game, "seats": seats})
        self.table = made.raise_for_status().json()["table"]
        self.api.get(f"/t/{self.table}").raise_for_status()
        self.look()

    def look(self, wait: float = 0.0) -> None:
        known = {"wait": wait, "version": self.facts.get("version", "")} if wait else {}
        answer = self.api.get(f"/api/v1/tables/{self.table}", params=known)
        self.facts = answer.raise_for_status().json()

    def act(self) -> None:
        """Act as long as one may, at random."""
        dice = random.Random(1)
        while self.facts["your_turn"]:
            legal = [one["action"] for one in self.facts["legal"]]
            actions = set_up(self.facts) or [dice.choice(legal)]
            body = {"actions": actions, "decision": self.facts["decision"]}
            self.api.post(f"/api/v1/tables/{self.table}/act", json=body).raise_for_status()
            self.look()
            if self.bot_has_moved():
                return

    def bot_has_moved(self) -> bool:
        """Say whether a bot has decided anything: openly, or that it is done in secret."""
        bots = [place for place, seat in enumerate(self.facts["seats"]) if seat["kind"] == "bot"]
        acted = {line["seat"] for line in self.facts["log"]}
        done = any(self.facts["seats"][place]["finished"] for place in bots)
        return done or bool(acted & set(bots))

    def wait_for_the_bot(self) -> None:
        """Play on until a bot has decided something."""
        end = time.monotonic() + LONGEST
        while not self.bot_has_moved():
            assert time.monotonic() < end, "the bot does not wake up"
            if self.facts["your_turn"]:
                self.act()
            else:
                self.look(wait=5.0)


def set_up(facts: dict[str, Any]) -> list[int]:
    """Return a whole phase of secret choices, where one has begun; else nothing."""
    if sum(place["acting"] for place in facts["seats"]) < 2 or facts["decision"] != 0:
        return []
    state = tianxia.game(facts["game"]).new()
    seat, actions, plies = facts["seat"], list[int](), state.plies
    while seat in state.acting and state.plies == plies:
        actions.append(state.legal_actions(seat)[0])
        state.apply(actions[-1], seat)
    return actions


@contextmanager
def fresh_server(
    folder: Path, settings: Mapping[str, str] | None = None, *, cold: bool = False
) -> Iterator[Fresh]:
    """Start a server with nothing in its home; `cold`: nor in its cache of compiled code."""
    cache = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")} if cold else {}
    wish = {"TIANXIA_HOME": str(folder / "home"), "TIANXIA_PORT": "0", **(settings or {})}
    unset = ("TIANXIA_DATABASE", *(["NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE"] if cold else []))
    inherited = {name: value for name, value in os.environ.items() if name not in unset}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "tianxia", "serve"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env={**inherited, **cache, **wish},
        )
    server = Fresh(process)
    try:
        yield server
    finally:
        server.api.close()
        process.terminate()
        process.communicate(timeout=60)


def cpu(process: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, and of those of its children that have ended."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except OSError:
        return 0.0, 0.0
    fields = text.rpartition(")")[2].split()
    own, ended = fields[11:13], fields[13:15]
    return sum(map(int, own)) / TICKS, sum(map(int, ended)) / TICKS


def descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and theirs; any may end meanwhile."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            with suppress(OSError):
                text = (task / "children").read_text(encoding="ascii")
                found += map(int, text.split())
    return found + [one for child in found for one in descendants(child)]
