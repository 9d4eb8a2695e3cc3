"""Workers are replaced, and all processes end, while people click."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.minds.fresh import Fresh, descendants, fresh_server
from tests.tables.helpers import wait_for

CLICKERS = 2
PAUSE = 0.03
"""Seconds between two rounds of clicks: connections are also still while workers go."""
GAME = {"game": "stratego", "options": {"variant": "duel", "draw_after": 0}}
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals, and /proc"),
]


class Clicker(threading.Thread):
    """Two people who play one another on connections that stay open, and do not try again."""

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.stop = threading.Event()
        self.clicks = 0
        self.failures: list[str] = []
        self.people = [httpx.Client(base_url=f"{address}/api/v1", timeout=60) for _ in (0, 1)]

    def run(self) -> None:
        try:
            for person in self.people:
                token = person.post("/people").raise_for_status().json()["token"]
                person.headers["authorization"] = f"Bearer {token}"
            while not self.stop.is_set():
                self.play()
        except httpx.HTTPError as error:
            self.failures.append(repr(error))
        finally:
            for person in self.people:
                person.close()

    def play(self) -> None:
        host, guest = self.people
        made = host.post("/tables", json={**GAME, "seats": ["me", "open"]}).raise_for_status()
        table = f"/tables/{made.json()['table']}"
        guest.post(f"{table}/sit", json={"seat": 1}).raise_for_status()
        while not self.stop.wait(PAUSE):
            for person in self.people:
                facts = person.get(table).raise_for_status().json()
                if facts["status"] == "over":
                    return
                if facts["your_turn"]:
                    body = {
                        "actions": [facts["legal"][self.clicks % len(facts["legal"])]["action"]],
                        "decision": facts["decision"],
                    }
                    person.post(f"{table}/act", json=body).raise_for_status()
                    self.clicks += 1


def workers(server: subprocess.Popen[str]) -> set[int]:
    found = set()
    for process in descendants(server.pid):
        try:
            command = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if b"spawn_main" in command:
            found.add(process)
    return found


def clicking(server: Fresh) -> list[Clicker]:
    address = str(server.api.base_url).rstrip("/")
    clickers = [Clicker(address) for _ in range(CLICKERS)]
    for clicker in clickers:
        clicker.start()
    wait_for(lambda: all(clicker.clicks > 5 or clicker.failures for clicker in clickers), 240)
    return clickers


def settings(url: str, thinkers: int) -> dict[str, str]:
    return {
        "TIANXIA_DATABASE": url,
        "TIANXIA_WORKERS": "2",
        "TIANXIA_THINKERS": str(thinkers),
        "TIANXIA_RATE": "0",
    }


def test_workers_are_replaced_and_no_click_fails(
    tmp_path: Path, postgres: Callable[[], str]
) -> None:
    with fresh_server(tmp_path, settings(postgres(), 0)) as server:
        server.first_page()
        clickers = clicking(server)
        for _ in range(2):
            before = workers(server.process)
            server.process.send_signal(signal.SIGHUP)
            wait_for(lambda: not before & workers(server.process), 240)  # noqa: B023
            clicks = [clicker.clicks for clicker in clickers]
            wait_for(
                lambda: all(
                    one.clicks > count + 5 or one.failures
                    for one, count in zip(clickers, clicks, strict=True)  # noqa: B023
                ),
                240,
            )
        for clicker in clickers:
            clicker.stop.set()
        for clicker in clickers:
            clicker.join(60)
        assert [clicker.failures for clicker in clickers] == [[]] * CLICKERS
        assert len(workers(server.process)) == 2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_all_processes_end_while_people_click(
    tmp_path: Path, postgres: Callable[[], str], number: signal.Signals
) -> None:
    with fresh_server(tmp_path, settings(postgres(), 2)) as server:
        server.first_page()
        clickers = clicking(server)
        family = {server.process.pid, *descendants(server.process.pid)}
        assert len(family) >= 4
        begun = time.monotonic()
        server.process.send_signal(number)
        assert server.process.wait(60) == 0
        wait_for(lambda: not any(map(_runs, family)), 30)
        took = time.monotonic() - begun
        for clicker in clickers:
            clicker.stop.set()
            clicker.join(60)
        print(f"all {len(family)} processes ended within {took:.1f} s")
        assert took < 20  # 5 s on a machine that is not busy: bench/ending.py measures


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    return state != "Z"
