"""Start Tianxia, or test it, in a checkout: Python and a network are all it needs.

python3 run.py [ARGS]        install what is missing and run `tianxia ARGS`
python3 run.py test [ARGS]   install what is missing and run the tests, as `pytest ARGS`
python3 run.py tool ARGS     run one of the developer tools, for example `ruff format`
python3 run.py docs          build the documentation, which the server then shows under /docs

Only the standard library is used, and nothing outside this folder is changed.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (before anything that an older Python cannot run)
    sys.exit("Tianxia needs Python 3.11 or newer; this is Python %d.%d." % sys.version_info[:2])  # noqa: UP031

import hashlib
import io
import os
import platform
import re
import shutil
import subprocess
import tempfile
import urllib.request
import zipfile
from pathlib import Path
from urllib.parse import urljoin

ROOT = Path(__file__).resolve().parent
TOOLS = ROOT / ".tools"
MANUAL = "src/tianxia/web/documentation"
BUILD = ["sphinx-build", "-W", "--keep-going", "-E", "-q", "-d", "build/docs", "docs"]
UV_VERSION = "0.13.9"  # what we fetch ourselves
OLDEST_UV = (0, 5)  # what we take from the PATH
NEWEST_PYTHON = (3, 15)  # with a newer one, uv fetches a Python that Numba knows
INDEX = "https://pypi.org/simple/uv/"
LINK = re.compile(r'href="(?P<url>[^"#]*/(?P<file>[^"#/]+))#sha256=(?P<digest>[0-9a-f]{64})"')
UV_NAME = "uv.exe" if os.name == "nt" else "uv"


class InstallError(Exception):
    """Something could not be installed; the message is for the user."""


def main(arguments: list[str]) -> int:
    """Run one command and return its exit status."""
    if sys.platform == "darwin" and platform.machine() == "x86_64":
        raise InstallError(
            "Numba is no longer published for Intel Macs; use Linux or Apple silicon."
        )
    uv = find_uv()
    quiet = ["--quiet"] if (ROOT / ".venv").exists() else []  # the first time, show the progress
    if not arguments or arguments[0] not in {"test", "tool", "docs"}:
        # What a developer has installed besides stays where it is.
        sync(uv, "--no-default-groups", "--inexact", *quiet)
        return start(uv, ["tianxia", *arguments])
    # Else each of many processes would compile all sources for itself.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if arguments[0] == "tool":  # where the user is, like the command
        sync(uv, "--all-groups", "--inexact", *quiet)
        return start(uv, arguments[1:])
    os.chdir(ROOT)
    if arguments[0] == "docs":
        sync(uv, "--all-groups", *quiet)
        return start(uv, [*BUILD, MANUAL])
    sync(uv, "--all-groups")
    return run_tests(uv, arguments[1:])


def sync(uv: str, *options: str) -> None:
    """Bring `.venv` to what `uv.lock` says."""
    if not (ROOT / ".venv").exists() and sys.version_info[:2] <= NEWEST_PYTHON:
        os.environ.setdefault("UV_PYTHON", sys.executable)
    # Else the first start would translate all packages, which takes seconds.
    os.environ.setdefault("UV_COMPILE_BYTECODE", "1")
    command = [uv, "sync", "--frozen", "--project", str(ROOT), *options]
    if subprocess.run(command, check=False).returncode != 0:
        raise InstallError(
            "uv could not install the packages (its reason is above); is there a network?"
        )


def run_tests(uv: str, arguments: list[str]) -> int:
    """Run pytest on all cores, with a browser for the tests of the pages."""
    browser = run_command(uv, ["python", "tests/browser.py"])
    found = subprocess.run(browser, check=False, stdout=subprocess.PIPE, text=True)
    if found.returncode == 0:
        os.environ["TIANXIA_CHROMIUM"] = found.stdout.strip()
    if not arguments:  # all tests: what they share is compiled once, not by each process
        subprocess.run(run_command(uv, ["python", "tests/warm.py"]), check=False)
    # Whole files go to one process: what a file compiles is then compiled once. Two more
    # than there are cores, since browsers spend much of their time waiting; the longest files
    # come first (tests/conftest.py). A process that crashes ends the run: pytest-xdist would
    # begin another, and then wait for ever.
    processes = str((os.cpu_count() or 1) + 2)
    how = ["-n", processes, "--dist", "loadfile", "--no-loadscope-reorder"]
    how += ["--max-worker-restart", "0"]
    return start(uv, ["pytest", *how, *arguments])


def run_command(uv: str, command: list[str]) -> list[str]:
    """Return the command line that runs a command inside `.venv`."""
    return [uv, "run", "--frozen", "--no-sync", "--project", str(ROOT), *command]


def start(uv: str, command: list[str]) -> int:
    """Become the command where the system can do that, else run it and wait."""
    sys.stdout.flush()
    line = run_command(uv, command)
    if os.name == "posix":
        os.execv(uv, line)  # signals then reach the server itself
    try:
        return subprocess.run(line, check=False).returncode
    except KeyboardInterrupt:
        return 130


def find_uv() -> str:
    """Return the path of uv, fetching it into `.tools` when there is none."""
    own = TOOLS / UV_VERSION / UV_NAME
    for candidate in (shutil.which("uv"), str(own)):
        if candidate and uv_version(candidate) >= OLDEST_UV:
            return candidate
    print(f"Fetching uv {UV_VERSION}, which installs the rest, into {TOOLS.name}/ ...", flush=True)
    unpack(wheel_by_pip() or wheel_by_hand(), own)
    return str(own)


def uv_version(path: str) -> tuple[int, ...]:
    """Return the version of uv at a path; () if it does not run."""
    try:
        answer = subprocess.run([path, "--version"], check=True, capture_output=True, text=True)
    except (OSError, subprocess.SubprocessError):
        return ()
    match = re.search(r"(\d+)\.(\d+)", answer.stdout)
    return tuple(map(int, match.groups())) if match else ()


def wheel_by_pip() -> bytes | None:
    """Download uv's wheel with pip, which knows the user's mirrors; None where that fails."""
    # Downloading installs nothing, so pip does it under a Python managed by the system too.
    with tempfile.TemporaryDirectory() as folder:
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder]
        options += ["--retries", "1", "--timeout", "30"]
        command = [sys.executable, "-m", "pip", "download", *options, f"uv=={UV_VERSION}"]
        subprocess.run(command, check=False, capture_output=True)
        wheels = list(Path(folder).glob("uv-*.whl"))
        return wheels[0].read_bytes() if wheels else None


def wheel_by_hand() -> bytes:
    """Download uv's wheel from the Python Package Index and check its digest."""
    try:
        page = fetch(INDEX).decode()
        link = next((link for link in LINK.finditer(page) if fits(link["file"])), None)
        if link is None:
            raise InstallError("There is no uv for this computer; see https://docs.astral.sh/uv/.")
        wheel = fetch(urljoin(INDEX, link["url"]))
    except OSError as error:
        raise InstallError(f"uv could not be fetched; is there a network? ({error})") from error
    if hashlib.sha256(wheel).hexdigest() != link["digest"]:
        raise InstallError("The uv that arrived is damaged; please try again.")
    return wheel


def fetch(url: str) -> bytes:
    """Return what is at an address."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        content: bytes = answer.read()
    return content


def fits(filename: str) -> bool:
    """Tell whether a wheel of uv is for this computer."""
    if not (filename.startswith(f"uv-{UV_VERSION}-") and filename.endswith(".whl")):
        return False
    # The wheel for musllinux is linked statically and runs on every Linux.
    system = {"darwin": "macosx_", "win32": "win_"}.get(sys.platform, "musllinux_")
    machine = platform.machine().lower()
    tags = filename.removesuffix(".whl").split("-")[-1].split(".")
    return any(tag.startswith(system) and tag.endswith("_" + machine) for tag in tags)


def unpack(wheel: bytes, target: Path) -> None:
    """Take uv out of its wheel, which is a zip."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        inside = next(name for name in archive.namelist() if name.endswith(f"/scripts/{UV_NAME}"))
        content = archive.read(inside)
    target.parent.mkdir(parents=True, exist_ok=True)
    # Written beside and moved: two runs at once never see half a program.
    with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
        file.write(content)
    Path(file.name).chmod(0o755)
    Path(file.name).replace(target)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except InstallError as error:
        sys.exit(f"Tianxia could not be installed: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
