"""The script that installs and starts everything, as far as it can be tested without a network."""

import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import run

WHEELS = {
    "macosx_11_0_arm64": ("darwin", "arm64"),
    "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64": ("linux", "aarch64"),
    "musllinux_1_1_x86_64": ("linux", "x86_64"),
    "win_amd64": ("win32", "AMD64"),
    "win_arm64": ("win32", "ARM64"),
}


def make_wheel() -> bytes:
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"uv-{run.UV_VERSION}.data/scripts/{run.UV_NAME}", b"the program")
        archive.writestr(f"uv-{run.UV_VERSION}.dist-info/RECORD", b"")
    return wheel.getvalue()


@pytest.mark.parametrize(("tags", "computer"), WHEELS.items())
def test_each_computer_gets_its_own_wheel(
    monkeypatch: pytest.MonkeyPatch, tags: str, computer: tuple[str, str]
) -> None:
    monkeypatch.setattr("run.sys.platform", computer[0])
    monkeypatch.setattr("run.platform.machine", lambda: computer[1])
    name = f"uv-{run.UV_VERSION}"
    files = [f"{name}.tar.gz", *(f"{name}-py3-none-{wheel}.whl" for wheel in WHEELS)]
    files += [f"uv-0.1-py3-none-{wheel}.whl" for wheel in WHEELS]
    assert [file for file in files if run.fits(file)] == [f"{name}-py3-none-{tags}.whl"]


def test_the_program_is_taken_out_of_its_wheel(tmp_path: Path) -> None:
    target = tmp_path / "tools" / run.UV_NAME
    run.unpack(make_wheel(), target)
    assert target.read_bytes() == b"the program"
    assert [path.name for path in target.parent.iterdir()] == [run.UV_NAME]


@pytest.mark.parametrize("damaged", [False, True])
def test_the_digest_of_what_arrives_is_checked(
    monkeypatch: pytest.MonkeyPatch, damaged: bool
) -> None:
    wheel = make_wheel()
    digest = hashlib.sha256(wheel + b"x" * damaged).hexdigest()
    page = f'<a href="../../files/the.whl#sha256={digest}" data-requires-python="">the.whl</a>'
    internet = {run.INDEX: page.encode(), "https://pypi.org/files/the.whl": wheel}
    monkeypatch.setattr(run, "fits", lambda filename: filename == "the.whl")
    monkeypatch.setattr(run, "fetch", internet.__getitem__)
    if damaged:
        with pytest.raises(run.InstallError, match="damaged"):
            run.wheel_by_hand()
    else:
        assert run.wheel_by_hand() == wheel


def test_without_a_network_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(url: str) -> bytes:
        raise OSError("unreachable")

    monkeypatch.setattr(run, "fetch", fetch)
    with pytest.raises(run.InstallError, match="is there a network"):
        run.wheel_by_hand()


def test_an_old_python_is_told_in_one_sentence(tmp_path: Path) -> None:
    source = Path(run.__file__).read_text(encoding="utf-8")
    old = tmp_path / "run.py"
    old.write_text(
        source.replace("import sys\n", "import sys\nsys.version_info = (3, 9, 0)\n", 1),
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, old], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "Tianxia needs Python 3.11 or newer; this is Python 3.9.\n"


def test_the_pinned_uv_is_one_that_we_would_take() -> None:
    assert tuple(map(int, run.UV_VERSION.split(".")[:2])) >= run.OLDEST_UV
