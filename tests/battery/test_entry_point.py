"""A game that lives in somebody else's package is found by its entry point."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

from tests.battery.games import TOY

PROGRAM = """
import sys
import tianxia
from tianxia.testing import check_play, check_transcript

assert {"blind-duel", "firebulls", "stratego"} <= set(tianxia.games()), tianxia.games()
assert "blind_duel" not in sys.modules  # names are known before anything is imported
game = tianxia.game("blind-duel(players=3)")
check_play(game)
check_transcript(game)
state = tianxia.position("blind-duel 0 lay 01 4/4 0/0 ? - 0/0 13/?? -/-")
assert state.legal_actions(0) == [0, 2]
try:
    tianxia.register(game.kind)
except tianxia.TianxiaError as error:
    print(error)
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a folder like one into which pip has installed the toy."""
    project = tomllib.loads((TOY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = project["entry-points"]["tianxia.games"]
    shutil.copytree(TOY / "blind_duel", tmp_path / "blind_duel")
    info = tmp_path / "blind_duel-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: blind-duel\nVersion: 1.0\n")
    lines = "\n".join(f"{name} = {value}" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[tianxia.games]\n{lines}\n")
    return tmp_path


def run(site: Path, program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_installed_game_is_found_and_plays(site: Path):
    assert "already" in run(site, PROGRAM)


def test_wrong_entry_point_is_named(site: Path):
    points = site / "blind_duel-1.0.dist-info" / "entry_points.txt"
    points.write_text(
        "[tianxia.games]\nother = blind_duel:GAME\ngone = blind_duel.gone:GAME\nno = sys:path\n"
    )
    program = """
    import tianxia
    for name in ("other", "gone", "no"):
        try:
            tianxia.game(name)
        except tianxia.TianxiaError as error:
            print(error)
    assert tianxia.game("stratego")
    """
    lines = run(site, program).splitlines()
    assert len(lines) == 3
    for line, name in zip(lines, ("other", "gone", "no"), strict=True):
        assert repr(name) in line
