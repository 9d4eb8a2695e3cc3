"""The web process needs no compiler, and little memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES = 90
"""What the process has in memory of its own when the application is there."""


def test_every_game_is_played_without_a_compiler() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.web.lean"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    print(figures)
    assert figures["compilers"] == []
    if figures["start"] is not None:
        own, _ = figures["start"]
        assert own <= MEGABYTES
