"""The battery notices when a game is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def test_every_mutant_is_noticed():
    done = subprocess.run(
        [sys.executable, "-m", "tests.battery.mutants"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) >= 30
    assert not [line for line in lines if "SURVIVED" in line]
