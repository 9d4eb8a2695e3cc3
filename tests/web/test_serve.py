"""The server as a process: it says where it is, answers, and ends as it should."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
import sqlalchemy as sa
from uvicorn.config import STARTUP_FAILURE
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.tables.helpers import ready
from tianxia.tables import Tables
from tianxia.web import serve
from tianxia.web.serve import ServeError, listen, url
from tianxia.web.settings import SettingsError

COMMAND = "import sys; from tianxia.cli import main; sys.argv[1:] = ['serve']; main()"


@contextmanager
def serving(
    home: Path, limit: int = 0, **settings: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start a server, with no more than so many descriptors; give it with its address."""
    few = f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit})); "
    environment = {**os.environ, "TIANXIA_HOME": str(home), "TIANXIA_PORT": "0", **settings}
    process = subprocess.Popen(
        [sys.executable, "-c", (few if limit else "") + COMMAND],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, next(word for word in line.split() if word.startswith("http"))
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.timeout(120)
def test_it_serves_until_ctrl_c_though_pages_are_open(tmp_path: Path) -> None:
    with serving(tmp_path) as (process, address):
        assert "Tianxia" in httpx.get(address, timeout=60).text
        place = f"{address.replace('http', 'ws')}/t/{_new_table(address)}/live"
        with connect(place) as page:
            assert "version" in str(page.recv())
            with connect(place) as other:
                other.recv()
                other.send("x" * 5000)
                with pytest.raises(ConnectionClosed):
                    other.recv()
            with pytest.raises(InvalidStatus) as refused:
                connect(f"{place[:-5]}x/live")
            assert refused.value.response.status_code == 404
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        log = process.stderr.read() if process.stderr else ""
        assert "Traceback" not in log
    assert (tmp_path / "tables.sqlite3").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.timeout(120)
def test_the_only_worker_goes_on_at_a_hangup_and_says_what_it_does(tmp_path: Path) -> None:
    with serving(tmp_path, TIANXIA_WORKER="3") as (process, address):
        assert httpx.get(f"{address}/healthz", timeout=60).status_code == 200
        process.send_signal(signal.SIGHUP)
        assert httpx.get(f"{address}/healthz", timeout=60).status_code == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        assert process.stderr is not None
        lines = [json.loads(line) for line in process.stderr]
    said = [line["message"] for line in lines if line["logger"] == "tianxia.web"]
    restart = "the only worker cannot be replaced: restart the server"
    assert said == ["there is no such setting", "started", restart, "stopping"]
    assert lines[0]["name"] == "TIANXIA_WORKER"


def _new_table(address: str) -> str:
    with httpx.Client(base_url=f"{address}/api/v1", timeout=60) as api:
        token = api.post("/people").json()["token"]
        api.headers["authorization"] = f"Bearer {token}"
        wish = {"game": "stratego", "seats": ["me", "open"]}
        return str(api.post("/tables", json=wish).json()["table"])


def test_a_port_that_nobody_chose_makes_way() -> None:
    with listen("127.0.0.1", 0, 1) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServeError, match=r"in use: .+ --port"):
            listen("127.0.0.1", port, 1)
        with listen("127.0.0.1", port, 5) as other:
            assert other.getsockname()[1] > port


@pytest.mark.parametrize(
    ("settings", "makes_way"),
    [({"TIANXIA_PORT": ""}, True), ({"TIANXIA_URL": "https://play.example"}, False)],
)
def test_where_a_proxy_looks_for_it_it_stays(
    settings: dict[str, str], makes_way: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the proxy would hand all visitors to whatever has the port."""
    tried: list[int] = []

    def remember(_: str, __: int, tries: int) -> None:
        tried.append(tries)
        raise ServeError("enough")

    monkeypatch.setattr(serve, "listen", remember)
    monkeypatch.setattr(serve, "set_up", lambda _: None)
    for name, value in {"TIANXIA_HOME": str(tmp_path), **settings}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ServeError, match="enough"):
        serve.serve()
    assert (tried[0] > 1) is makes_way


def test_a_lost_secret_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serve, "set_up", lambda _: None)
    monkeypatch.setattr(serve, "_serve", lambda *_, **__: None)
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))

    def told() -> bool:
        caplog.clear()
        serve.serve()
        return "a new secret was made" in caplog.text

    assert not told()  # there are no tables yet
    (tmp_path / "secret").unlink()
    with Tables() as tables:
        ready(tables)
    assert told()
    assert not told()


def test_thinking_with_nobody_who_thinks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANXIA_THINKERS", "0")
    with pytest.raises(SettingsError, match=r"TIANXIA_THINKERS=0 .* --processes"):
        serve.think()


def test_an_address_that_is_not_ours_is_named() -> None:
    with pytest.raises(ServeError, match=r"192\.0\.2\.1"):
        listen("192.0.2.1", 8000, 2)
    with pytest.raises(ServeError):
        listen("no such host", 8000, 1)


def test_addresses_are_such_that_a_browser_takes_them() -> None:
    assert url("127.0.0.1", 8000) == "http://localhost:8000"
    assert url("0.0.0.0", 80) == "http://localhost:80"
    assert url("2001:db8::1", 80) == "http://[2001:db8::1]:80"


@pytest.mark.parametrize(
    ("settings", "named", "status"),
    [
        ({}, "secret", 2),
        ({"TIANXIA_SECRET": "sixteen or more of them"}, "tables.sqlite3 cannot be opened", 2),
        ({"TIANXIA_WORKERS": "two"}, "TIANXIA_WORKERS='two' should be a number", 78),
        ({"TIANXIA_WORKERS": "2"}, "TIANXIA_WORKERS=2 needs PostgreSQL", 78),
        ({"PROMETHEUS_MULTIPROC_DIR": "/no/such"}, "PROMETHEUS_MULTIPROC_DIR should be", 78),
        (
            {
                "TIANXIA_SECRET": "sixteen or more of them",
                "TIANXIA_DATABASE": "postgresql://me:hush@127.0.0.1:1/none",
            },
            "cannot be opened: OperationalError: connection failed",
            2,
        ),
    ],
)
def test_what_it_cannot_start_without_is_one_line(
    tmp_path: Path, settings: dict[str, str], named: str, status: int
) -> None:
    refuses(tmp_path, settings, named, status)


def test_neither_can_it_with_a_newer_database(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'newer.sqlite3'}"
    with Tables(database) as tables, tables.store.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    secret = {"TIANXIA_SECRET": "sixteen or more of them"}
    refuses(tmp_path, {**secret, "TIANXIA_DATABASE": database}, "newer Tianxia", 78)


def refuses(place: Path, settings: dict[str, str], named: str, status: int) -> None:
    """Start a server that cannot start: it says why in a line, without the password."""
    taken = place / "taken"
    taken.write_text("a file where a folder should be")
    found = subprocess.run(
        [sys.executable, "-c", COMMAND],
        env={**os.environ, "TIANXIA_HOME": str(taken / "home"), "COLUMNS": "1000", **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (found.returncode, found.stdout) == (status, "")
    assert named in found.stderr
    assert len(found.stderr.strip().splitlines()) == 1
    assert "hush" not in found.stderr


def test_several_workers_need_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANXIA_WORKERS", "2")
    with pytest.raises(SettingsError, match="PostgreSQL"):
        serve.serve()


def test_a_worker_that_cannot_start_is_tried_again_and_ends_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Worker:
        """A worker that is well, or has ended."""

        pid: int | None = None
        exitcode: int | None = None
        started = killed = False

        def __init__(self, *_: object) -> None: ...

        def is_alive(self, _: float) -> bool:
            return self.exitcode is None

        def start(self) -> None:
            self.started = True

        def kill(self) -> None:
            self.killed = True

        def join(self) -> None: ...

    monkeypatch.setattr(serve, "Process", Worker)
    monkeypatch.setattr(serve, "AGAIN_SECONDS", 0.0)
    workers = serve._Workers.__new__(serve._Workers)
    well, ill = Worker(), Worker()
    ill.exitcode = STARTUP_FAILURE
    workers.config, workers.sockets = None, []  # type: ignore[assignment]
    workers.processes, workers.should_exit = [well, ill], threading.Event()  # type: ignore[list-item]
    workers.keep_subprocess_alive()
    assert not workers.should_exit.is_set()
    assert (well.killed, ill.killed) == (False, True)
    new = workers.processes[1]
    assert isinstance(new, Worker)
    assert (workers.processes[0], new is ill, new.started) == (well, False, True)


@pytest.mark.parametrize("replaced", [0, 1, 2])
def test_minds_are_replaced_only_where_all_workers_were(
    replaced: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot start as a worker could not think either."""
    workers = serve._Workers.__new__(serve._Workers)
    workers.processes, workers.should_exit = [object(), object()], threading.Event()  # type: ignore[list-item]
    renewed: list[bool] = []
    workers.crew = SimpleNamespace(renew=lambda: renewed.append(True))  # type: ignore[assignment]

    def replace(self: serve._Workers) -> None:
        self.processes[:replaced] = [object() for _ in range(replaced)]  # type: ignore[misc]

    monkeypatch.setattr("uvicorn.supervisors.multiprocess.Multiprocess.restart_all", replace)
    workers.handle_hup()
    assert bool(renewed) is (replaced == 2)
    assert ("the old ones go on" in caplog.text) is (replaced < 2)
