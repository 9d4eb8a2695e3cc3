"""What the server says of itself: figures, one line of JSON for each event, ids of requests."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

import pytest
import sqlalchemy as sa

from tests.web.conftest import Log
from tests.web.world import QUICK, World, world
from tianxia.tables import Tables, Unavailable
from tianxia.tables.causes import cause_of
from tianxia.web.metrics import forget

LOCAL = "127.0.0.1"


def figures(here: World) -> dict[str, float]:
    text = here.visitor(LOCAL).get("/metrics").text
    lines = (line.rpartition(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(value) for name, _, value in lines}


def test_whoever_has_ended_has_no_page_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers count together in files, of which those of a killed one would stay."""
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    for pid in (os.getpid(), 7, 8):
        (tmp_path / f"gauge_livesum_{pid}.db").touch()
    forget(7)
    with world(QUICK, awake=False):
        assert len(list(tmp_path.iterdir())) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["gauge_livesum_8.db"]


# --- Who may see the figures ---


@pytest.mark.parametrize(
    ("allowed", "proxies", "address", "headers", "seen"),
    [
        ("", "", LOCAL, {}, True),
        ("", "", "::1", {}, True),
        ("", "", "192.0.2.1", {}, False),
        ("", "", LOCAL, {"x_forwarded_for": "192.0.2.1"}, False),
        ("", "", LOCAL, {"forwarded": "for=192.0.2.1"}, False),
        ("", LOCAL, LOCAL, {}, False),
        ("10.0.0.0/8", "", "10.1.2.3", {}, True),
        ("10.0.0.0/8", "", LOCAL, {}, False),
        ("10.0.0.0/8", "", "10.1.2.3", {"x_forwarded_for": "10.1.2.3"}, False),
        ("10.0.0.0/8", LOCAL, "10.1.2.3", {"x_forwarded_for": "10.1.2.3"}, True),
    ],
)
def test_figures_are_for_whom_they_are_meant(
    allowed: str, proxies: str, address: str, headers: dict[str, str], seen: bool
) -> None:
    settings = dataclasses.replace(QUICK, metrics=allowed, proxies=proxies)
    with world(settings) as running:
        answer = running.visitor(address, **headers).get("/metrics")
        assert answer.status_code == (200 if seen else 404)
        assert ("tianxia_" in answer.text) is seen


def test_figures_say_what_happens(here: World) -> None:
    table = here.seated("me", "open")
    before = figures(here)
    with table.host.live(table.id) as socket:
        socket.receive()
        assert figures(here)["tianxia_websockets"] == before["tianxia_websockets"] + 1
    table.guest(1)
    here.visitor().get("/nothing")
    here.visitor().ask("BREW", "/nothing")
    after = figures(here)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    sat = 'tianxia_answer_seconds_count{method="POST",route="/t/{table_id}/sit",status="2xx"}'
    assert more(sat) == 1
    assert more('tianxia_tables{state="waiting"}') == -1
    assert more('tianxia_tables{state="playing"}') == 1
    assert more('tianxia_refusals_total{code="not-found",status="404"}') >= 1
    assert more('tianxia_pushes_total{kind="table"}') >= 1
    assert more('tianxia_database_seconds_count{kind="write"}') >= 1
    assert more('tianxia_database_seconds_count{kind="read"}') >= 1
    assert more("tianxia_work_seconds_total") > 0
    assert not any("BREW" in name or table.id in name for name in after)


def test_figures_say_how_many_bots_wait() -> None:
    with world(awake=False) as running:
        assert figures(running)["tianxia_bots_waiting"] == 0
        running.seated("me", "bot:random")
        after = figures(running)
        assert (after["tianxia_bots_waiting"], after["tianxia_bot_queue_seconds"] >= 0) == (1, True)


# --- Requests ---


def test_a_request_has_one_id_everywhere(
    here: World, monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    ids = {here.visitor().get("/about").headers["x-request-id"] for _ in range(5)}
    assert len(ids) == 5

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(here.app_state.tables, "open_tables", broken)
    answer = here.visitor().get("/")
    (line,) = log.lines()
    assert line["request"] == answer.headers["x-request-id"]
    assert line["request"] in answer.text
    table = here.seated("me", "open")
    with table.host.live(table.id, origin="https://evil.example") as socket:
        assert socket.status == 403
    assert log.lines()[-1]["request"] != line["request"]


def test_what_is_unavailable_says_why_and_nothing_else(
    here: World, monkeypatch: pytest.MonkeyPatch, log: Log
) -> None:
    def locked(*_: object) -> None:
        orig = OperationalError("database is locked")
        raise Unavailable from sa.exc.OperationalError("SELECT 'Marshal'", {"a": "Spy"}, orig)

    monkeypatch.setattr(here.app_state.tables, "open_tables", locked)
    assert here.visitor().get("/").status_code == 503
    (line,) = log.lines()
    assert line["level"] == "error"
    assert "database is locked" in line["cause"]
    assert not {"Marshal", "Spy", "SELECT"} & set(json.dumps(line).replace("'", " ").split())
    assert "trace" not in line


def test_health_says_why_too(here: World, monkeypatch: pytest.MonkeyPatch, log: Log) -> None:
    def away(_: str) -> None:
        raise Unavailable from ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(here.app_state.tables.store, "version", away)
    assert here.visitor().get("/healthz").status_code == 503
    (line,) = log.lines()
    assert "Connection refused" in line["cause"]


def test_causes_hold_no_words_of_other_errors() -> None:
    try:
        raise ValueError("the Marshal stands on a4")
    except ValueError as error:
        said = cause_of(error)
    assert said.startswith("ValueError (test_watch.py:")
    assert "Marshal" not in said


def test_a_damaged_file_is_called_so(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    with Tables(f"sqlite:///{file}") as tables:
        pass
    content = file.read_bytes()
    file.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
    with pytest.raises(Unavailable) as caught:
        tables.store.states()
    assert "DatabaseError: database disk image is malformed" in cause_of(caught.value)


def test_who_hangs_up_is_no_failure(here: World, log: Log) -> None:
    visitor = here.visitor()
    visitor.become()
    sent: list[Any] = []
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/t/x/act",
        "raw_path": b"/t/x/act",
        "query_string": b"",
        "headers": [(b"host", b"table.test"), (b"content-type", b"application/json")],
        "client": ("192.0.2.1", 1),
        "server": ("table.test", 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }

    async def receive() -> dict[str, str]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    before = figures(here)
    here.wait(here.app(scope, receive, send))
    name = 'tianxia_refusals_total{code="gone",status="499"}'
    assert figures(here)[name] == before.get(name, 0) + 1
    assert log.lines() == []
    assert sent == []


def test_an_attack_leaves_a_short_log(log: Log) -> None:
    with world(dataclasses.replace(QUICK, rate=1000)) as running:
        visitor = running.visitor()
        for _ in range(100):
            visitor.get("/nothing")
        lines = len(log.lines())
        assert 60 <= lines < 70
        running.visitor("192.0.2.9").get("/nothing")
        assert log.lines()[-1]["left_out"] == 100 - lines


# --- The standard error ---

NOISE = """
import logging, sys, threading, warnings
from tianxia.logs import set_up
set_up("info")
warnings.warn("a warning")
for name in ("asyncio", "uvicorn.error", "uvicorn.access", "sqlalchemy", "tianxia.tables"):
    logging.getLogger(name).error("a word of %s", name)
def fail(): raise ValueError("in a thread")
thread = threading.Thread(target=fail)
thread.start()
thread.join()
class Odd:
    def __del__(self): raise ValueError("in a finalizer")
Odd()
raise ValueError("in the end")
"""


def test_everything_on_standard_error_is_json() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", NOISE], capture_output=True, text=True, timeout=60, check=False
    )
    lines = [json.loads(line) for line in ran.stderr.splitlines()]
    assert len(lines) == 9
    assert all(line["time"] and line["level"] for line in lines)
    assert "in the end" in lines[-1]["error"]
