"""Where compiled rules are kept between runs.

Numba's own cache notices neither a changed callee, nor changed data behind a constant
array, nor a changed ``NUMBA_BOUNDSCHECK``. So the cache folder is named by a digest of
everything that compiled code depends on; any change means a new, empty folder.
This module must run before Numba is imported and therefore imports neither it nor NumPy.
"""

from __future__ import annotations

import hashlib
import os
import sys
import sysconfig
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

PACKAGE = Path(__file__).resolve().parent.parent
SOURCES = (".py", ".json", ".csv", ".npz")
GROUP = "tianxia.games"
KEPT_FOLDERS = 6


def home() -> Path:
    """Return the folder of a user's own data: ``TIANXIA_HOME``, else the platform's."""
    named = os.environ.get("TIANXIA_HOME")
    return Path(named).expanduser() if named else user_data_path("tianxia", appauthor=False)


def _files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in SOURCES and "__pycache__" not in file.parts:
            yield file


def _other_packages() -> Iterator[Path]:
    """Yield the folders (or single files) of other packages that bring games."""
    roots = {point.module.partition(".")[0] for point in metadata.entry_points(group=GROUP)}
    for root in sorted(roots - {PACKAGE.name}):
        found = util.find_spec(root)
        if found and found.submodule_search_locations:
            yield from map(Path, found.submodule_search_locations)
        elif found and found.origin:
            yield Path(found.origin)


def digest() -> str:
    """Return a digest of all that compiled rules depend on."""
    total = hashlib.blake2b(digest_size=12)
    total.update(sys.version.encode())
    total.update((sysconfig.get_platform() + sys.implementation.cache_tag).encode())
    for name in ("numba", "llvmlite", "numpy"):
        total.update(metadata.version(name).encode())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            total.update(f"{name}={os.environ[name]}".encode())
    for place in (PACKAGE, *_other_packages(), home() / "boards"):
        for file in [place] if place.is_file() else _files(place):
            total.update(file.name.encode())
            total.update(file.read_bytes())
    return total.hexdigest()


def _forget_old(base: Path) -> None:
    """Remove the least recently used cache folders, so that they do not pile up."""
    import shutil

    folders = [folder for folder in base.iterdir() if (folder / "tianxia").exists()]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_FOLDERS:]:
        shutil.rmtree(folder, ignore_errors=True)


def prepare() -> Path:
    """Point Numba's cache at the folder that belongs to exactly these sources.

    A ``NUMBA_CACHE_DIR`` set by the user is kept as the place where our folder is made.
    """
    given = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(given) if given else user_cache_path("tianxia", appauthor=False) / "compiled"
    folder = base if (base / "tianxia").exists() else base / digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tianxia").touch()  # says whose folder this is, and when it was last used
        os.utime(folder)
        _forget_old(folder.parent)
    except OSError:  # a read-only home: Numba compiles into its own fall-back place
        return folder
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)
    return folder


FOLDER = prepare()
