"""Who keeps us waiting, or comes too often, is let go; nobody else notices."""

from __future__ import annotations

import asyncio
import errno
import logging
import pickle
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from tests.web.conftest import Log
from tests.web.test_serve import serving
from tianxia.web.connections import (
    BODY,
    BUSY,
    EACH,
    HEAD,
    IDLE,
    LEAVING,
    SECONDS,
    STUCK_SECONDS,
    Guard,
    GuardedHTTP,
    GuardedWebSocket,
    guarded,
    most_connections,
)
from tianxia.web.security import Networks
from tianxia.web.settings import Settings

REQUEST = b"POST /t/x/act HTTP/1.1\r\nhost: us\r\ncontent-length: 10\r\n\r\n"
UPGRADE = (
    b"GET /t/x/live HTTP/1.1\r\nhost: us\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Wire(asyncio.Transport):
    """A connection without a network."""

    def __init__(self, host: str) -> None:
        super().__init__({"peername": (host, 1), "sockname": ("127.0.0.1", 80)})
        self.sent = b""
        self.left = 0
        self.closed = self.aborted = False
        self.protocol: Any = None

    def write(self, data: Any) -> None:
        self.sent += bytes(data)

    def get_write_buffer_size(self) -> int:
        return self.left

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def close(self) -> None:
        self.closed = True

    def abort(self) -> None:
        self.aborted = True
        self.protocol.connection_lost(None)

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_protocol(self) -> Any:
        return self.protocol

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer when the whole body is there, or at once."""
    while scope["path"] != "/at-once" and (await receive()).get("more_body"):
        pass
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"well"})
    else:
        await send({"type": "websocket.accept"})
        await receive()


class Place:
    """A server without a network, and a clock that a test moves."""

    def __init__(self, most: int = 100, each: int = 10, trusted: str = "") -> None:
        self.now = 0.0
        self.loop = asyncio.new_event_loop()
        self.guard = Guard(most, each, Networks(trusted), clock=lambda: self.now)
        self.state = ServerState()
        self.config = Config(
            application,
            ws=lambda **facts: GuardedWebSocket(self.guard, _loop=self.loop, **facts),  # type: ignore[arg-type]
            log_config=None,
        )
        self.config.load()

    def connect(self, host: str = "192.0.2.1") -> Wire:
        wire = Wire(host)
        wire.protocol = GuardedHTTP(
            self.guard, config=self.config, server_state=self.state, app_state={}, _loop=self.loop
        )
        wire.protocol.connection_made(wire)
        return wire

    def send(self, wire: Wire, data: bytes) -> None:
        wire.protocol.data_received(data)
        for _ in range(5):
            self.loop.run_until_complete(asyncio.sleep(0))

    def later(self, seconds: float) -> None:
        self.now += seconds
        self.guard.sweep()

    def close(self) -> None:
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        if tasks:
            self.loop.run_until_complete(asyncio.wait(tasks))
        self.loop.close()


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    made = Place(**getattr(request, "param", {}))
    yield made
    made.close()


def test_half_a_head_is_waited_for_shortly_though_it_goes_on(place: Place) -> None:
    wire = place.connect()
    for letter in REQUEST[:9]:
        place.send(wire, bytes([letter]))
        place.later(1)
    assert not wire.aborted
    place.later(SECONDS[HEAD] - 9)
    assert wire.aborted
    assert len(place.guard) == 0
    assert place.guard.refused[HEAD] == 1


def test_half_a_body_is_waited_for_shortly(place: Place) -> None:
    wire = place.connect()
    place.send(wire, REQUEST + b"1234")
    for _ in range(5):
        place.later(SECONDS[BODY] / 5 - 0.1)
        place.send(wire, b"5")
    assert not wire.aborted
    place.later(1)
    assert wire.aborted
    assert place.guard.refused[BODY] == 1


def test_an_idle_connection_ends_and_one_that_asks_again_does_not(place: Place) -> None:
    wire, other = place.connect(), place.connect()
    for one in (wire, other):
        place.send(one, REQUEST + b"1234567890")
        assert b"well" in one.sent
    for _ in range(3):
        place.later(SECONDS[IDLE] / 2)
        place.send(other, REQUEST + b"1234567890")
    assert wire.aborted
    assert not other.aborted
    place.send(other, REQUEST[:5])
    place.later(SECONDS[HEAD])
    assert other.aborted


def test_a_body_after_its_answer_keeps_no_connection(place: Place) -> None:
    wire = place.connect()
    place.send(wire, REQUEST)
    wire.protocol.cycle.response_started = wire.protocol.cycle.response_complete = True
    wire.protocol.on_response_complete()
    for _ in range(8):
        place.send(wire, b"1")
        place.later(SECONDS[IDLE] / 8)
    assert wire.aborted


def test_whom_we_keep_waiting_is_waited_for(place: Place) -> None:
    wire = place.connect()
    place.config.loaded_app = None  # whatever answers, it takes its time
    place.send(wire, UPGRADE)
    place.later(10_000)
    assert not wire.aborted


def test_an_answer_without_an_end_is_told_that_the_server_stops(place: Place) -> None:
    told: list[str] = []
    wire, quiet = place.connect(), place.connect()
    for one in (wire, quiet):
        place.send(one, REQUEST)
    wire.protocol.cycle.scope[LEAVING] = lambda: told.append("stop")
    for one in (wire, quiet):
        one.protocol.shutdown()
    assert told == ["stop"]


def test_who_takes_no_answer_is_let_go(place: Place) -> None:
    wire = place.connect()
    place.send(wire, UPGRADE)
    wire.left = 5000
    place.later(1)
    for left in (4000, 3000):
        wire.left = left
        place.later(STUCK_SECONDS - 1)
    assert not wire.aborted
    place.later(STUCK_SECONDS)
    assert wire.aborted


def test_one_address_has_so_many_connections(place: Place) -> None:
    wires = [place.connect() for _ in range(11)]
    assert [wire.closed for wire in wires] == [False] * 10 + [True]
    assert wires[-1].sent.startswith(b"HTTP/1.1 503")
    assert b"retry-after" in wires[-1].sent
    assert not place.connect("192.0.2.2").closed
    wires[0].abort()
    assert not place.connect().closed
    assert place.connect().closed


def test_networks_of_the_newer_kind_count_as_one(place: Place) -> None:
    wires = [place.connect(f"2001:db8::{number:x}") for number in range(11)]
    assert wires[-1].closed
    assert not place.connect("2001:db8:0:1::1").closed


@pytest.mark.parametrize("place", [{"each": 2, "trusted": "10.0.0.0/8"}], indirect=True)
def test_a_proxy_has_as_many_as_it_needs(place: Place) -> None:
    assert not any(place.connect("10.1.2.3").closed for _ in range(50))
    assert [place.connect("192.0.2.1").closed for _ in range(3)] == [False, False, True]


def test_a_websocket_keeps_its_place(place: Place) -> None:
    wires = [place.connect() for _ in range(10)]
    for wire in wires:
        place.send(wire, UPGRADE)
        assert b"101" in wire.sent
    assert place.connect().closed
    wires[0].abort()
    assert not place.connect().closed


def test_a_websocket_that_is_refused_is_no_mistake_of_ours(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    async def refuse(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.http.response.start", "status": 429, "headers": []})
        await send({"type": "websocket.http.response.body", "body": b"no"})

    place.config.loaded_app = refuse
    logging.getLogger("uvicorn").propagate = True
    wire = place.connect()
    place.send(wire, UPGRADE)
    assert wire.sent.startswith(b"HTTP/1.1 429")
    assert wire.closed
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("place", [{"most": 8, "each": 0}], indirect=True)
def test_where_all_is_full_the_crowd_makes_room(place: Place) -> None:
    crowd = [place.connect("192.0.2.1") for _ in range(8)]
    place.send(crowd[0], REQUEST)
    guest = place.connect("192.0.2.2")
    assert not guest.closed
    assert [wire.aborted for wire in crowd] == [False, True] + [False] * 6  # not who sends a body
    assert place.connect("192.0.2.1").closed  # the crowd itself gets nothing by that
    assert len(place.guard) == 8


def test_there_are_always_descriptors_left() -> None:
    for limit in (64, 120, 256, 1024, 20_000):
        guard = Guard(most_connections(limit))
        assert guard.most + guard.batch < limit


def test_descriptors_that_run_out_are_told_once_a_minute(place: Place, log: Log) -> None:
    error = OSError(errno.EMFILE, "Too many open files")
    for _ in range(1000):
        place.guard.complain(place.loop, {"exception": error, "message": "accept"})
    place.now += 61
    place.guard.complain(place.loop, {"exception": error, "message": "accept"})
    assert len(log.lines()) == 2
    assert "trace" not in log.lines()[0]
    place.guard.complain(place.loop, {"exception": ValueError("x"), "message": "odd"})
    assert log.lines()[-1]["cause"] == "odd"


def test_what_counts_can_be_set_and_sent_to_workers() -> None:
    options = pickle.loads(pickle.dumps(guarded(Settings(rate=2, proxies="10.0.0.1"))))
    assert options["http"].args[0].each == 2 * EACH
    assert guarded(Settings(rate=0))["http"].args[0].each == 0
    assert SECONDS[BUSY] > 1e9


@pytest.mark.skipif(sys.platform != "linux", reason="sets how many descriptors there are")
@pytest.mark.timeout(120)
def test_half_sent_requests_shut_nobody_out(tmp_path: Path) -> None:
    """160 of them against 120 descriptors, as somebody did to us."""
    with serving(tmp_path, limit=120) as (process, address):
        assert httpx.get(f"{address}/about", timeout=60).status_code == 200
        port = int(address.rpartition(":")[2])
        attack = [socket.create_connection(("127.0.0.1", port)) for _ in range(160)]
        for one in attack:
            try:
                one.sendall(b"GET / HTTP/1.1\r\nhost: x\r\nx: ")
            except OSError:  # refused already
                continue
        with socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)) as own:
            own.settimeout(30)
            own.sendall(b"GET /about HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
            assert own.recv(100).startswith(b"HTTP/1.1 200")
        for one in attack:
            one.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        log = process.stderr.read() if process.stderr else ""
        assert "Traceback" not in log
        assert len(log) < 20_000


# --- What is no request, and no text ---


def test_a_body_that_is_none_is_no_failure_of_ours(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    wire = place.connect()
    head = b"POST /at-once HTTP/1.1\r\nhost: us\r\ntransfer-encoding: chunked\r\n\r\n"
    place.send(wire, head + b"no number\r\n")
    assert wire.sent.startswith(b"HTTP/1.1 400")
    assert wire.closed
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []


def test_text_that_is_none_ends_an_open_page_without_a_word(
    place: Place, caplog: pytest.LogCaptureFixture
) -> None:
    wire = place.connect()
    place.send(wire, UPGRADE)
    place.send(wire, b"\x81\x82\0\0\0\0\xff\xfe" + b"\x81\x82\0\0\0\0\xff\xfe")
    assert wire.sent.endswith(b"\x88\x02\x03\xef")  # 1007
    assert wire.closed
    assert [one.message for one in caplog.records if one.levelname == "ERROR"] == []
