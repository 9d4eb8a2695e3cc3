"""The folder of compiled code changes with everything that compiled code depends on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tianxia.kernel import cache
from tianxia.kernel.cache import (
    DECIDED,
    DRAWN_OR_TOLD,
    KEPT_FOLDERS,
    MARK,
    NEVER_COMPILED,
    PACKAGE,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test prepares away from the folder of the running tests."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of our sources that can be changed."""
    copy = tmp_path / "tianxia"
    ignored = shutil.ignore_patterns("__pycache__", "locale")
    shutil.copytree(PACKAGE, copy, ignore=ignored)
    monkeypatch.setattr(cache, "PACKAGE", copy)
    return copy


@pytest.fixture
def numba_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", "")  # restored after the test
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.delitem(sys.modules, "numba", raising=False)


def test_digest_does_not_depend_on_the_day(package: Path):
    before = cache.digest()
    for file in package.rglob("*.py"):
        file.touch()
    (package / "kernel" / "__pycache__").mkdir()
    (package / "kernel" / "__pycache__" / "rng.py").write_text("x = 1")
    (package / "games" / "stratego" / "notes.txt").write_text("no source")
    assert cache.digest() == before


@pytest.mark.parametrize("name", ["kernel/rng.py", "games/stratego/rules.py", "__init__.py"])
def test_digest_changes_with_a_source(package: Path, name: str):
    before = cache.digest()
    file = package / name
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert cache.digest() != before


def test_digest_changes_with_new_moved_and_data_files(package: Path):
    digests = [cache.digest()]
    board = package / "games" / "stratego" / "board.csv"
    board.write_text("1,2")
    digests.append(cache.digest())
    board.write_text("1,3")
    digests.append(cache.digest())
    board.rename(board.with_name("other.csv"))
    digests.append(cache.digest())
    board.with_name("other.csv").rename(package / "games" / "other.csv")
    digests.append(cache.digest())
    assert len(set(digests)) == 5


def test_digest_does_not_change_with_pages(package: Path):
    before = cache.digest()
    (package / "web").mkdir(exist_ok=True)
    (package / "web" / "new_page.py").write_text("x = 1")
    scene = package / "games" / "stratego" / "scene.py"
    scene.write_text(scene.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert cache.digest() == before


def test_files_that_are_left_out_hold_no_compiled_code():
    patterns = [*DRAWN_OR_TOLD, *DECIDED, *(f"{floor}/**/*.py" for floor in NEVER_COMPILED)]
    for pattern in patterns:
        for file in PACKAGE.rglob(pattern):
            source = file.read_text(encoding="utf-8")
            assert not re.search(r"@(rule|answers|entry)|(import|from) numba", source)


def test_digest_changes_with_variables_of_numba(monkeypatch: pytest.MonkeyPatch):
    digests = [cache.digest()]
    for value in ("0", "1"):
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", value)
        digests.append(cache.digest())
    monkeypatch.setenv("NUMBA_OPT", "1")
    digests.append(cache.digest())
    assert len(set(digests)) == 4
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/elsewhere")
    assert cache.digest() == digests[-1]


def test_digest_changes_with_own_boards(home: Path):
    digests = [cache.digest()]
    (home / "boards").mkdir(parents=True)
    (home / "boards" / "mine.json").write_text("{}")
    digests.append(cache.digest())
    (home / "boards" / "mine.json").write_text("[]")
    digests.append(cache.digest())
    assert len(set(digests)) == 3


def test_digest_of_somebody_elses_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = tmp_path / "somebodys_game"
    root.mkdir()
    (root / "__init__.py").write_text("")
    (root / "rules.py").write_text("ANSWER = 1")
    (tmp_path / "single_file_game.py").write_text("ANSWER = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    digest = cache.digest_of_package.__wrapped__
    for module, file in [
        ("somebodys_game.rules", root / "rules.py"),
        ("single_file_game", tmp_path / "single_file_game.py"),
    ]:
        before = digest(module)
        assert before == digest(module)
        file.write_text("ANSWER = 2")
        assert before != digest(module)


def test_what_has_no_file_is_never_taken_from_the_cache():
    digest = cache.digest_of_package.__wrapped__
    assert digest("no_such_module") != digest("no_such_module")
    assert cache.digest_of_package("tianxia.games.stratego") == ""


@pytest.mark.usefixtures("numba_is_left_alone")
def test_folder_of_the_user_is_kept_as_the_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "mine"))
    folder = cache.prepare()
    assert folder.parent == tmp_path / "mine"
    assert os.environ["NUMBA_CACHE_DIR"] == str(folder)
    assert cache.prepare() == folder  # in a process that this one starts
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    other = cache.prepare()
    assert other.parent == folder.parent
    assert other != folder


@pytest.mark.usefixtures("numba_is_left_alone")
def test_old_folders_are_removed_and_others_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    base = tmp_path / "mine"
    for age in range(10):
        folder = base / f"old{age}"
        folder.mkdir(parents=True)
        (folder / MARK).touch()
        then = time.time() - 1000 * (age + 1)
        os.utime(folder, (then, then))
    (base / "not ours").mkdir()
    (base / "a file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(base))
    folder = cache.prepare()
    left = {path.name for path in base.iterdir()}
    assert left == {
        *("not ours", "a file", folder.name),
        *(f"old{age}" for age in range(KEPT_FOLDERS - 1)),
    }


@pytest.mark.usefixtures("numba_is_left_alone")
def test_home_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "no folder").touch()  # not even root can make a folder in a file
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "no folder" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    folder = cache.prepare()
    assert folder.is_dir()
    assert folder.parent.parent == tmp_path / "tmp"
    if os.name == "posix":
        assert folder.parent.stat().st_mode & 0o777 == 0o700


def test_rules_work_where_home_cannot_be_written(tmp_path: Path):
    (tmp_path / "no folder").touch()
    program = (
        "import tianxia; from tests.battery import games;"
        "state = tianxia.game('blind-duel').new(); state.apply(12); print(state.plies)"
    )
    environment = {
        **os.environ,
        "HOME": str(tmp_path / "no folder"),
        "XDG_CACHE_HOME": str(tmp_path / "no folder" / "cache"),
        "TMPDIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "1"
    assert list(tmp_path.glob("tianxia-compiled-*/*"))
