"""From the command to a bot's first move on a fresh machine, without a compiler in between."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from tests.minds.fresh import fresh_server

GAME, BOT = "firebulls", "journeyman"
PAGE_CPU, PLAY_CPU = 12.0, 8.0
"""Seconds of the web process that the first page and one's first action may cost: some three times
what they do, and well below a game's compilation, which is what must not come back. How many
seconds they are is the business of `bench/first_minute.py`."""
USUAL_LOOP = 0.2
"""Seconds of CPU that `slowness` takes on a usual machine."""
MEMORY_MB = 135.0
"""Well above what it takes (some 115 MB), and well below what it took with a compiler (258 MB)."""


def slowness() -> float:
    """Return how many times as slow this machine is as a usual one; at least 1."""
    begun, total = time.process_time(), 0
    for number in range(3_000_000):
        total += number
    return max(1.0, (time.process_time() - begun) / USUAL_LOOP)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.slow
def test_a_fresh_machine_plays_at_once(tmp_path: Path) -> None:
    with fresh_server(tmp_path, cold=True) as server:
        server.first_page()
        page = server.costs()
        server.play(GAME, BOT)
        mine = server.costs() - page
        assert server.api.get("/healthz").json()["ok"]
        waking = server.api.get("/readyz")  # one can play, and the bots are not there yet
        assert waking.status_code == 503
        assert waking.json()["games"][GAME]["stage"] != "ready"
        server.act()
        server.wait_for_the_bot()
        assert "llvmlite" not in server.maps()  # no compiler, ever, in the process that answers
        assert server.memory().resident < MEMORY_MB
        assert page.web < PAGE_CPU * slowness()
        assert mine.web < PLAY_CPU * slowness()
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert "Traceback" not in log
