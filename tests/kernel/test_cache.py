"""The folder of compiled code changes with everything that compiled code depends on."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from tianxia.kernel import cache
from tianxia.kernel.cache import KEPT_FOLDERS, MARK

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what a test prepares away from the folder of the running tests."""
    for name in [name for name in os.environ if name.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def numba_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, "NUMBA_CACHE_DIR", "")  # restored after the test
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.delitem(sys.modules, "numba", raising=False)


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
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "1"
    assert list(tmp_path.glob("tianxia-compiled-*/*"))


def test_code_finds_what_another_process_has_compiled_anew(tmp_path: Path):
    """Numba counts records in each process; here the second knows fifty others before."""
    program = (
        "import sys, numba, numpy as np; others = range(int(sys.argv[1]));"
        "[numba.from_dtype(np.dtype([(f'a{i}', 'i4')])) for i in others];"
        "import tianxia; from tests.battery import games;"
        "state = tianxia.game('blind-duel').new(); state.apply(12); print(state.plies)"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    for others in ("0", "50"):
        command = [sys.executable, "-c", program, others]
        done = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, encoding="utf-8", check=False
        )
        assert (done.returncode, done.stdout.strip()) == (0, "1"), done.stderr
        kept = list(tmp_path.glob("**/rules.apply_action-*"))
        assert kept
        for file in kept:
            file.unlink()


def test_who_wants_what_another_is_compiling_waits_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("fcntl")
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(waited))
    with cache.alone(tmp_path / "code.lock"):
        assert not waited
        with cache.alone(tmp_path / "code.lock"):
            assert sum(waited) >= cache.LONGEST_WAIT
    waited.clear()
    with cache.alone(tmp_path / "code.lock"):
        assert not waited
    assert not list(tmp_path.iterdir())


def test_compiling_goes_on_in_a_folder_that_cannot_be_written(tmp_path: Path):
    with cache.alone(tmp_path / "gone" / "code.lock"):
        assert not list(tmp_path.iterdir())


def test_what_was_compiled_ahead_is_read_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "image"))
    ahead = cache.prepare()
    (ahead / "code").mkdir()
    (ahead / "code" / "rules.nbc").write_text("compiled")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "image"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    opened = cache._open

    def refuse(folder: Path) -> None:
        if folder == ahead:
            raise OSError("read-only file system")
        opened(folder)

    monkeypatch.setattr(cache, "_open", refuse)
    for _ in range(2):
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "image"))
        folder = cache.prepare()
        assert folder != ahead
        assert (folder / "code" / "rules.nbc").read_text() == "compiled"
    (folder / "code" / "new.nbc").write_text("more")
    assert not (ahead / "code" / "new.nbc").exists()
    assert caplog.messages == []
