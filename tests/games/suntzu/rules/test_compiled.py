"""Compiled rules that another process loads from the disk."""

from __future__ import annotations

import subprocess
import sys

import tianxia
from tests.games.suntzu.war import PROVINCES

PROGRAM = """
import tianxia
from tianxia.games.suntzu import GAME

if "suntzu" not in tianxia.games():
    tianxia.register(GAME)
print(tianxia.game("suntzu").playouts(20, seed=1).actions)
"""


def test_they_do_the_same() -> None:
    """Numba keeps functions that call one another in a circle so that they crash here."""
    assert PROVINCES  # the import has made the game known
    here = tianxia.game("suntzu").playouts(20, seed=1)
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == here.actions
