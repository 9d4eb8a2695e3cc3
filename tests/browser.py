"""Find a Chromium for the tests of the pages, or install one.

`python tests/browser.py` prints its path, installing it first where there is none.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

VARIABLE = "TIANXIA_CHROMIUM"
SHELL = "chromium-headless-shell"
"""A Chromium without windows: a new page costs a tenth of the time that it costs another."""
COMMANDS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
USUAL_PATHS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"%ProgramFiles%\Google\Chrome\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Google\Chrome\Application\chrome.exe",
    r"%LocalAppData%\Chromium\Application\chrome.exe",
    r"%ProgramFiles(x86)%\Microsoft\Edge\Application\msedge.exe",
)
PLAYWRIGHT_CACHES = (
    "~/.cache/ms-playwright",
    "~/Library/Caches/ms-playwright",
    r"%LocalAppData%\ms-playwright",
)
PLAYWRIGHT_PATTERNS = (
    "chromium_headless_shell-*/chrome-*/*headless*shell",
    "chromium_headless_shell-*/chrome-*/*headless*shell.exe",
    "chromium-*/chrome-*/chrome",
    "chromium-*/chrome-*/chrome.exe",
    "chromium-*/chrome-*/*.app/Contents/MacOS/*",
)
MISSING = (
    "No Chromium was found. Install one (`playwright install chromium`, or your system's package)"
    f" or name it in the environment variable {VARIABLE}."
)


def launch_arguments() -> list[str]:
    """Return the arguments with which Chromium starts on this machine."""
    # Its sandbox refuses to work for root, as which containers often run.
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--no-sandbox", "--disable-dev-shm-usage"] if as_root else []


def find_chromium() -> str | None:
    """Return the path of a Chromium that starts, or None."""
    named = os.environ.get(VARIABLE)
    if named:
        return named  # a wrong name shall be noticed, not worked around
    return next((path for path in candidates() if starts(path)), None)


def candidates() -> Iterator[str]:
    """List where a Chromium may be, the likeliest first."""
    for command in COMMANDS:
        path = shutil.which(command)
        if path:
            yield path
    for path in USUAL_PATHS:
        yield os.path.expandvars(path)
    own = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    for cache in (own, *PLAYWRIGHT_CACHES) if own else PLAYWRIGHT_CACHES:
        folder = Path(os.path.expandvars(cache)).expanduser()
        for pattern in PLAYWRIGHT_PATTERNS:
            yield from (str(path) for path in sorted(folder.glob(pattern), reverse=True))


def starts(path: str) -> bool:
    """Tell whether a Chromium has all that it needs to start."""
    if not Path(path).is_file():
        return False
    if os.name == "nt":
        return True  # there, asking for the version opens a window
    return succeeds([path, "--version"], seconds=60, quiet=True)


def install_chromium() -> str | None:
    """Install a Chromium and return its path; None if that cannot be done here."""
    for command in install_commands():
        print("Installing Chromium for the tests:", " ".join(command), file=sys.stderr, flush=True)
        succeeds(command, seconds=300)
        path = find_chromium()
        if path:
            return path
    return None


def install_commands() -> Iterator[list[str]]:
    """List the commands that may bring a Chromium, to be tried in this order."""
    playwright = [sys.executable, "-m", "playwright"]
    yield [*playwright, "install", "--only-shell", "chromium"]
    root = before_root_command() if shutil.which("apt-get") else None
    if root is None:
        return
    if any(Path(path).is_file() for path in candidates()):
        # Playwright's Chromium has arrived, without the libraries it needs.
        yield [*root, *playwright, "install-deps", "chromium"]
    yield [*root, "apt-get", "update", "--quiet=2"]
    for package in (SHELL, "chromium"):  # older systems have no shell
        yield [*root, "apt-get", "install", "--yes", "--no-install-recommends", package]


def before_root_command() -> list[str] | None:
    """Return what to write before a command to run it as root; None if we may not."""
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if succeeds(["sudo", "-n", "true"], seconds=10, quiet=True) else None


def succeeds(command: list[str], seconds: float, quiet: bool = False) -> bool:
    """Tell whether a command ends well within a time; what it prints goes to the error stream."""
    environment = {
        **os.environ,
        "DEBIAN_FRONTEND": "noninteractive",
        "PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": "10000",
    }
    output = subprocess.DEVNULL if quiet else sys.stderr
    try:
        done = subprocess.run(
            command,
            check=False,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            timeout=seconds,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


if __name__ == "__main__":
    chromium = find_chromium() or install_chromium()
    print(chromium or MISSING, file=sys.stdout if chromium else sys.stderr)
    sys.exit(0 if chromium else 1)
