"""How the rules of a server run: interpreted, or compiled where its host says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.minds.fresh import fresh_server
from tianxia.kernel import mode
from tianxia.minds.preparing import PHASES, Preparing, installed, is_warm
from tianxia.web import serve

COMPILED = {mode.RULES: mode.COMPILED}
pytestmark = pytest.mark.timeout(900)
"""Alone these tests compile what others have compiled before them."""


@pytest.fixture(scope="module")
def warm() -> None:
    """Compile the rules of all games, where that has not been done."""
    for name in installed():
        assert is_warm(name, "positions") or Preparing(name, "positions").wait()


@pytest.mark.usefixtures("warm")
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_rules_are_compiled_where_the_host_says_so(tmp_path: Path) -> None:
    with fresh_server(tmp_path, {**COMPILED, "TIANXIA_THINKERS": "0"}) as server:
        server.first_page()
        assert "llvmlite" in server.maps()
        server.play("suntzu", "random")
        before = len(server.facts["log"])
        server.act()
        assert len(server.facts["log"]) > before


@pytest.mark.usefixtures("warm")
def test_compiled_rules_are_loaded_and_no_click_waits_for_a_compiler() -> None:
    script = [sys.executable, "-m", "tests.minds.loading"]
    done = subprocess.run(
        script, env={**os.environ, **COMPILED}, capture_output=True, text=True, check=True
    )
    assert done.stdout == ""


def test_they_are_compiled_before_anybody_comes(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    made: list[tuple[str, str]] = []

    class Quickly:
        def __init__(self, game: str, phase: str) -> None:
            made.append((game, phase))

        def wait(self) -> bool:
            return False

    assert "positions" in PHASES
    monkeypatch.setattr(serve, "Preparing", Quickly)
    monkeypatch.setattr(serve, "is_warm", lambda game, phase: game != "suntzu")
    serve._compile_rules()
    assert made == [("suntzu", "positions")]
    assert "Compiling the rules of suntzu" in capsys.readouterr().out
    assert "compiled rules could not be kept" in caplog.text
