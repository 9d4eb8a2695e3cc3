"""Build the package, install it somewhere clean, and look whether it is all there.

``python tests/package.py``: the wheel is built from the source distribution, so both are
tried; what is installed is asked from a folder in which nothing of the repository is.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GAMES = ("binfa", "china", "firebulls", "stratego", "suntzu")


def uv() -> str:
    """Return where uv is: run.py has fetched it, or it is installed."""
    found = [str(path) for path in (ROOT / ".tools").glob("*/uv*") if path.is_file()]
    return next((path for path in found if Path(path).stem == "uv"), shutil.which("uv") or "uv")


def run(*command: object, cwd: Path, **environment: str) -> str:
    """Run a command; fail where it fails."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def main(version: str) -> None:
    """Build, install and ask."""
    with tempfile.TemporaryDirectory(prefix="tianxia-package-") as name:
        folder = Path(name)
        run(uv(), "build", "--quiet", "--out-dir", folder / "dist", ROOT, cwd=folder)
        (wheel,) = (folder / "dist").glob("*.whl")
        (_,) = (folder / "dist").glob("*.tar.gz")
        run(uv(), "venv", "--quiet", "--python", version, folder / "env", cwd=folder)
        python = folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"
        run(
            *(uv(), "pip", "install", "--quiet", "--python", python, f"{wheel}[postgres]"),
            cwd=folder,
        )
        check(folder, python)
        print(f"{wheel.name} starts with Python {version}")


def check(folder: Path, python: Path) -> None:
    """Ask what is installed, and start it."""
    home = {"TIANXIA_HOME": str(folder / "home"), "TIANXIA_THINKERS": "0", "TIANXIA_PORT": "0"}
    tianxia = python.with_name("tianxia")
    listed = run(tianxia, "games", cwd=folder, NUMBA_DISABLE_JIT="1", **home)
    assert all(game in listed.lower() for game in GAMES), listed
    server = subprocess.Popen(
        [tianxia, "serve"],
        cwd=folder,
        env={**os.environ, **home},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = next(w for w in server.stdout.readline().split() if w.startswith("http"))
        for path in ("", *(f"rules/{game}" for game in GAMES)):
            with urllib.request.urlopen(f"{address}/{path}", timeout=60) as page:
                assert page.status == 200, path
                text = page.read().decode()
        sheet = text.split('<link rel="stylesheet" href="')[1].split('"')[0]
        with urllib.request.urlopen(f"{address}{sheet}", timeout=60) as page:
            assert page.status == 200, sheet
        french = urllib.request.Request(address, headers={"accept-language": "fr"})
        with urllib.request.urlopen(french, timeout=60) as page:
            assert '<html lang="fr"' in page.read().decode()
    finally:
        server.terminate()
        assert server.wait(20) in (0, -signal.SIGTERM)
    run(tianxia, "backup", folder / "copy.sqlite3", cwd=folder, **home)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ".".join(map(str, sys.version_info[:2])))
