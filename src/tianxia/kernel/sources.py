"""What compiled code depends on: the sources that it is made of, found by their imports.

Numba's own cache notices a change of the very file in which a function stands, but neither
of its callees nor of the data behind its constants. So compiled code is kept under a digest
of its module, of all that this imports, and of the data files that these name.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import util
from pathlib import Path
from uuid import uuid4

PACKAGE = Path(__file__).resolve().parent.parent
ROOT = PACKAGE.name
SUFFIXES = (".py", ".json", ".csv", ".npz")
IMPORT = re.compile(
    rf"^[ \t]*(?:from[ \t]+({ROOT}[\w.]*)[ \t]+import[ \t]+(\([^)]*\)|.*)"
    rf"|import[ \t]+({ROOT}[\w.]*))",
    re.MULTILINE,
)
DATA = re.compile(r"[\"']([\w-]+\.(?:json|csv|npz))[\"']")


def imports(text: str) -> set[str]:
    """Return the names of ours that a source imports, whether modules or what is in them."""
    found = set()
    for package, names, module in IMPORT.findall(text):
        if module:
            found.add(module)
            continue
        found.add(package)
        for name in re.sub(r"#.*", "", names).strip("()").split(","):
            found.add(f"{package}.{name.split(' as ')[0].strip()}")
    return found


def _file_of(module: str) -> Path | None:
    place = PACKAGE.joinpath(*module.split(".")[1:])
    for file in (place.with_suffix(".py"), place / "__init__.py"):
        if file.is_file():
            return file
    return None


def files_behind(module: str) -> set[Path]:
    """Return the files of a module of ours, of all that it imports, and of their data."""
    found: set[Path] = set()
    waiting = {module}
    while waiting:
        file = _file_of(waiting.pop())
        if file is None or file in found:
            continue
        found.add(file)
        text = file.read_text(encoding="utf-8")
        waiting |= imports(text)
        data = (file.with_name(name) for name in DATA.findall(text))
        found.update(other for other in data if other.is_file())
    return found


def _package_of(root: str) -> Iterator[Path]:
    """Yield the files of somebody else's package, or its single file."""
    try:
        found = util.find_spec(root)
    except ValueError:
        return
    if found and found.submodule_search_locations:
        for folder in found.submodule_search_locations:
            yield from sorted(
                file
                for file in Path(folder).rglob("*")
                if file.suffix in SUFFIXES and "__pycache__" not in file.parts
            )
    elif found and found.has_location and found.origin:
        yield Path(found.origin)


@cache
def digest_of_module(module: str) -> str:
    """Return a digest of the sources behind a module.

    Of somebody else's package all files count, and all of ours, whatever it imports. What
    has no file, such as a notebook, gets another digest in every process.
    """
    if module.partition(".")[0] == ROOT:
        return digest_of_files(files_behind(module))
    theirs = list(_package_of(module.partition(".")[0]))
    return digest_of_files([*theirs, *PACKAGE.rglob("*.py")]) if theirs else uuid4().hex


def digest_of_files(files: Iterable[Path]) -> str:
    """Return a digest of the contents of files, and of their names."""
    total = hashlib.blake2b(digest_size=12)
    for file in sorted(files):
        total.update(f"{file}\0".encode())
        total.update(file.read_bytes())
    return total.hexdigest()
