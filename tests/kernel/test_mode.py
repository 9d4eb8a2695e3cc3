"""Interpreted rules need no compiler; which way rules run is settled once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(program: str, *, cache: Path | None = None, **variables: str) -> str:
    """Run a program in a process of its own; return what it prints."""
    environment = {name: os.environ[name] for name in os.environ if not name.startswith("NUMBA_")}
    if cache:
        environment |= {"HOME": str(cache), "XDG_CACHE_HOME": str(cache), "TMPDIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**environment, **variables},
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


EVERY_MODULE = """
import sys
from importlib import import_module
from pkgutil import walk_packages
from tianxia.kernel import mode
mode.interpret()
import tianxia
COMPILED = ("__main__", ".compiling", ".lean", ".shared")
EXTRA = ("torch",)  # of the extra `learn`, which tests of its own bring
for module in walk_packages(tianxia.__path__, "tianxia."):
    if not module.name.endswith(COMPILED) and "migr" not in module.name:
        try:
            import_module(module.name)
        except ModuleNotFoundError as error:
            if error.name not in EXTRA:
                raise
print(sorted({"numba", "llvmlite"} & set(sys.modules)))
"""


def test_interpreted_no_module_imports_the_compiler_or_makes_a_folder(tmp_path: Path):
    assert run(EVERY_MODULE, cache=tmp_path) == "[]"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("value", "interpreted"), [("1", True), ("0", False), ("", False)])
def test_the_variable_of_numba_says_it_too(value: str, interpreted: bool):
    program = "from tianxia.kernel import mode; print(mode.interpreted())"
    assert run(program, NUMBA_DISABLE_JIT=value) == str(interpreted)


def test_who_has_begun_compiling_cannot_go_back():
    program = (
        "from tianxia.kernel import mode, record\n"
        "try: mode.interpret()\n"
        "except RuntimeError as error: print(error)"
    )
    assert "compiled in this process already" in run(program)


def test_it_may_be_said_twice():
    program = (
        "from tianxia.kernel import mode; mode.interpret()\n"
        "import tianxia.kernel.game; mode.interpret(); print(mode.interpreted())"
    )
    assert run(program) == "True"
