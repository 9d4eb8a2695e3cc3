"""Where compiled rules are kept between runs.

A folder is named by a digest of what all compiled code depends on beside its sources: versions
and Numba's variables (its own cache does not notice a changed ``NUMBA_BOUNDSCHECK``). The
sources are part of the key under which each function's code is kept there: see
`tianxia.kernel.compiling` and `tianxia.kernel.sources`. `prepare` is called before Numba is
imported; this module therefore imports neither it nor NumPy.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

log = logging.getLogger("tianxia")

GROUP = "tianxia.games"
KEPT_FOLDERS = 6
MARK = "tianxia"
LOOK_SECONDS, LONGEST_WAIT = 0.05, 60.0
"""For what another process is compiling: it might stand still."""


def home() -> Path:
    """Return the folder of a user's own data: ``TIANXIA_HOME``, else the platform's."""
    named = os.environ.get("TIANXIA_HOME")
    return Path(named).expanduser() if named else user_data_path("tianxia", appauthor=False)


def digest() -> str:
    """Return a digest of all that compiled rules depend on, beside their sources."""
    total = hashlib.blake2b(digest_size=12)
    total.update(sys.version.encode())
    total.update((sysconfig.get_platform() + sys.implementation.cache_tag).encode())
    for name in ("numba", "llvmlite", "numpy"):
        total.update(metadata.version(name).encode())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            total.update(f"{name}={os.environ[name]}".encode())
    return total.hexdigest()


def _forget_old(base: Path) -> None:
    """Remove the least recently used cache folders, so that they do not pile up."""
    import shutil

    folders = [folder for folder in base.iterdir() if (folder / MARK).exists()]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


def base() -> Path:
    """Return where all is kept that was compiled: ``NUMBA_CACHE_DIR``, else the platform's."""
    given = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(given) if given else user_cache_path("tianxia", appauthor=False) / "compiled"
    # With our mark, we have set it, in this process or the one that started it.
    return base.parent if (base / MARK).exists() else base


def prepare() -> Path:
    """Point Numba's cache at the folder that belongs to these versions and variables.

    A ``NUMBA_CACHE_DIR`` set by the user is kept as the place where our folder is made.
    """
    folder = base() / digest()
    try:
        _open(folder)
    except OSError:  # a home that cannot be written
        refused, folder = folder, _fallback() / folder.name
        _open(folder)
        if (refused / MARK).exists():  # compiled ahead, such as for an image: only to be read
            _link(refused, folder)
        else:
            log.warning("%s cannot be written; what is compiled is kept in %s", refused, folder)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


def _open(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MARK).touch()  # says whose folder this is, and when it was last used
    os.utime(folder)
    with suppress(OSError):  # another process is tidying up, too
        _forget_old(folder.parent)


def _link(source: Path, target: Path) -> None:
    """Let all files of a folder that cannot be written be found in one that can."""
    for file in source.rglob("*"):
        place = target / file.relative_to(source)
        if file.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        elif file.name != MARK:
            place.parent.mkdir(parents=True, exist_ok=True)
            with suppress(OSError):  # it is there already; Windows lets not everybody do that
                place.symlink_to(file)


def _fallback() -> Path:
    """Return a folder for temporary files that nobody else can write."""
    user = getattr(os, "getuid", lambda: 0)()
    folder = Path(tempfile.gettempdir()) / f"tianxia-compiled-{user}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if os.name != "posix" or (folder.stat().st_uid == user and not folder.is_symlink()):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix="tianxia-compiled-"))


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Keep other processes from doing the same thing meanwhile, where the system can do that.

    It only saves work: who has waited for long goes on.
    """
    try:
        import fcntl

        lock = file.open("w")
    except (ImportError, OSError):  # Windows; a folder that cannot be written
        yield
        return
    with lock:
        until = time.monotonic() + LONGEST_WAIT
        while time.monotonic() < until:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                time.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            file.unlink(missing_ok=True)
