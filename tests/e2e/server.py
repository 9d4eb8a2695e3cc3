"""A real server in a process of its own, on a port of its own, with a home of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

COMMAND = "import sys; from tianxia.web.serve import serve; serve('127.0.0.1', int(sys.argv[1]))"
READY_SECONDS = 400  # five games are compiled where nothing is in the cache


class Server:
    """The server of the tests; can be killed and started again at the same address."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until its games can be played."""
        environment = {
            **os.environ,
            "TIANXIA_HOME": str(self.home),
            "TIANXIA_BOT_SECONDS": "0",
            "TIANXIA_RATE": "0",
        }
        with (self.home / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, str(self.port)],
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
        """Say whether it answers, and the game of the tests is compiled."""
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=2) as answer:
                health = json.load(answer)
        except urllib.error.HTTPError as unwell:  # games are still being compiled
            health = json.load(unwell)
        except OSError:
            return False
        return bool(health["games"].get("stratego") == "ready")

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
