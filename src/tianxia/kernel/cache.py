"""Where compiled rules are kept between runs.

Numba's own cache notices neither a changed callee, nor changed data behind a constant
array, nor a changed ``NUMBA_BOUNDSCHECK``. So the cache folder is named by a digest of
everything that compiled code depends on; any change means a new, empty folder.
(The sources of other packages' games are part of the key under which each function's
code is kept there: see `tianxia.kernel.compiled.entry`.)
This module must run before Numba is imported and therefore imports neither it nor NumPy.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata, util
from pathlib import Path
from uuid import uuid4

from platformdirs import user_cache_path, user_data_path

PACKAGE = Path(__file__).resolve().parent.parent
SOURCES = (".py", ".json", ".csv", ".npz")
GROUP = "tianxia.games"
NEVER_COMPILED = {"arena", "bots", "cli", "draw", "tables", "web"}
"""Floors that hold no compiled code: their changes cost no compiling."""
DRAWN_OR_TOLD = {
    *("words.py", "notation.py", "terminal.py", "presets.py"),
    *("scene.py", "facts.py", "picture.py", "panels.py", "prompts.py", "sheet.py", "standing.py"),
    *("gestures.py", "field.py", "geography.py"),
}
DECIDED = {"bot.py", "levels.py", "thinking.py", "uniform.py"}
"""Files of games and of search that hold no compiled code (a test looks)."""
KEPT_FOLDERS = 6
MARK = "tianxia"


def home() -> Path:
    """Return the folder of a user's own data: ``TIANXIA_HOME``, else the platform's."""
    named = os.environ.get("TIANXIA_HOME")
    return Path(named).expanduser() if named else user_data_path("tianxia", appauthor=False)


def _files(folder: Path) -> Iterator[Path]:
    ours = folder == PACKAGE
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        if file.suffix not in SOURCES or "__pycache__" in parts:
            continue
        if ours and (parts[0] in NEVER_COMPILED or file.name in DRAWN_OR_TOLD | DECIDED):
            continue
        yield file


@cache
def digest_of_package(module: str) -> str:
    """Return a digest of the package (or single file) to which a module belongs.

    What has no file, such as a notebook, gets another digest in every process.
    """
    root = module.partition(".")[0]
    if root == PACKAGE.name:
        return ""  # ours name the folder
    total = hashlib.blake2b(digest_size=12)
    try:
        found = util.find_spec(root)
    except ValueError:
        found = None
    if found and found.submodule_search_locations:
        places = [Path(folder) for folder in found.submodule_search_locations]
    elif found and found.has_location and found.origin:
        places = [Path(found.origin)]
    else:
        return uuid4().hex
    _add(total, places)
    return total.hexdigest()


def _add(total: hashlib.blake2b, places: Iterable[Path]) -> None:
    for place in places:
        for file in [place] if place.is_file() else _files(place):
            total.update(f"{file.relative_to(place)}\0".encode())
            total.update(file.read_bytes())


def digest() -> str:
    """Return a digest of all that our own compiled rules depend on."""
    total = hashlib.blake2b(digest_size=12)
    total.update(sys.version.encode())
    total.update((sysconfig.get_platform() + sys.implementation.cache_tag).encode())
    for name in ("numba", "llvmlite", "numpy"):
        total.update(metadata.version(name).encode())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            total.update(f"{name}={os.environ[name]}".encode())
    _add(total, (PACKAGE, home() / "boards"))
    return total.hexdigest()


def _forget_old(base: Path) -> None:
    """Remove the least recently used cache folders, so that they do not pile up."""
    import shutil

    folders = [folder for folder in base.iterdir() if (folder / MARK).exists()]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


def prepare() -> Path:
    """Point Numba's cache at the folder that belongs to exactly these sources.

    A ``NUMBA_CACHE_DIR`` set by the user is kept as the place where our folder is made.
    """
    given = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(given) if given else user_cache_path("tianxia", appauthor=False) / "compiled"
    if (base / MARK).exists():  # we have set it, in this process or the one that started it
        base = base.parent
    folder = base / digest()
    try:
        _open(folder)
    except OSError:  # a home that cannot be written
        folder = _fallback() / folder.name
        _open(folder)
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


FOLDER = prepare()
