"""The documentation under `/docs`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import run
from tests.web.world import World, world
from tianxia.web import manual

ROOT = Path(__file__).resolve().parents[2]
WITHIN = re.compile(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=", re.IGNORECASE)
"""What the Content-Security-Policy does not let a page do."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the documentation as `run.py docs` does: a warning is an error."""
    folder = tmp_path_factory.mktemp("docs")
    command = [*run.BUILD[1:], str(folder / "site"), "-d", str(folder / "kept")]
    made = subprocess.run(
        [sys.executable, "-m", "sphinx", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return folder / "site"


@pytest.fixture
def there(built: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Run a server that has the documentation."""
    monkeypatch.setattr(manual, "FOLDER", built)
    with world() as running:
        yield running


def test_it_is_shown_where_it_has_been_built(there: World) -> None:
    visitor = there.visitor()
    answer = visitor.get("/docs", follow_redirects=True)
    assert (answer.status_code, answer.url.path) == (200, "/docs/")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    for page in ("lab.html", "games/stratego.html", "reference/games.html", "searchindex.js"):
        assert visitor.get(f"/docs/{page}").status_code == 200
    assert "VectorEnv" in visitor.get("/docs/reference/environments.html").text
    assert 'href="/docs/"' in visitor.get("/api/docs").text


@pytest.mark.parametrize("path", ["nothing.html", "%2e%2e/app.py", "..%2fapp.py", "_static/"])
def test_nothing_else_is_sent(there: World, path: str) -> None:
    assert there.visitor().get(f"/docs/{path}").status_code == 404


def test_it_is_built_to_where_the_server_looks_for_it() -> None:
    assert ROOT / run.MANUAL == manual.FOLDER


def test_a_server_without_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manual, "FOLDER", tmp_path)
    with world() as here:
        answer = here.visitor().get("/docs/lab.html")
        assert answer.status_code == 404
        assert "The documentation is not part of this server." in answer.text
        assert "python3 run.py docs" in answer.text
        assert '<a href="/api/docs">/api/docs</a>' in answer.text
        assert "/docs/" not in here.visitor().get("/api/docs").text


def test_its_pages_need_no_exception_of_the_policy(built: Path) -> None:
    for page in built.rglob("*.html"):
        found = WITHIN.findall(re.sub(r"<pre>.*?</pre>", "", page.read_text(), flags=re.DOTALL))
        assert not found, (page.name, found[:3])
