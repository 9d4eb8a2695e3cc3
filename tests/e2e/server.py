"""A real server in a process of its own, on a port of its own, with a home of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

READY_SECONDS = 400  # bots are compiled where nothing is in the cache


class Server:
    """The server of the tests; can be killed and started again at the same address."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        environment = {
            **os.environ,
            "TIANXIA_HOME": str(self.home),
            "TIANXIA_BOT_SECONDS": "0",
            "TIANXIA_RATE": "0",
            "TIANXIA_THINKERS": "1",  # each of the processes that share the tests has a server
        }
        with (self.home / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tianxia", "serve", "--port", str(self.port)],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + READY_SECONDS
        while not self.is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"the server does not start:\n{self.log()[-3000:]}")
            time.sleep(0.1)

    def is_ready(self) -> bool:
        """Say whether it answers."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                return bool(json.load(answer)["ok"])
        except OSError:
            return False

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """End it."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def log(self) -> str:
        """Return what it has written."""
        return (self.home / "log.txt").read_text(encoding="utf-8", errors="replace")


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
