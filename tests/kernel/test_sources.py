"""Compiled code is kept under a digest of exactly what it is made of."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba import from_dtype

from tianxia.kernel import compiling, sources
from tianxia.kernel.compiling import digest_of_sources
from tianxia.kernel.sources import PACKAGE

RULES = "tianxia.games.stratego.rules.answers"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of our sources that can be changed."""
    copy = tmp_path / "tianxia"
    ignored = shutil.ignore_patterns("__pycache__", "locale")
    shutil.copytree(PACKAGE, copy, ignore=ignored)
    monkeypatch.setattr(sources, "PACKAGE", copy)
    return copy


def digest(module: str) -> str:
    """Return the digest of a module as a new process would."""
    return sources.digest_of_module.__wrapped__(module)


def change(file: Path) -> None:
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")


def test_imports_are_found_as_python_finds_them():
    for file in PACKAGE.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        wanted = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                wanted |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, file
                wanted |= {str(node.module)} | {f"{node.module}.{name.name}" for name in node.names}
        wanted = {name for name in wanted if name.split(".")[0] == "tianxia"}
        assert wanted <= sources.imports(text), file


def test_digest_does_not_depend_on_the_day(package: Path):
    before = digest(RULES)
    for file in package.rglob("*.py"):
        file.touch()
    (package / "kernel" / "__pycache__").mkdir()
    (package / "kernel" / "__pycache__" / "rng.py").write_text("x = 1")
    (package / "games" / "stratego" / "notes.txt").write_text("no source")
    assert digest(RULES) == before


@pytest.mark.parametrize("name", ["kernel/rng.py", "games/stratego/rules/repetition.py"])
def test_digest_changes_with_what_is_imported(package: Path, name: str):
    before = digest(RULES)
    change(package / name)
    assert digest(RULES) != before


@pytest.mark.parametrize(
    "name", ["games/stratego/face/scene.py", "games/suntzu/rules/answers.py", "web/api.py"]
)
def test_digest_does_not_change_with_what_is_not_imported(package: Path, name: str):
    before = digest(RULES)
    change(package / name)
    assert digest(RULES) == before


def test_digest_changes_with_data_that_a_source_names(package: Path):
    boards = "tianxia.games.china.rules.boards"
    before = digest(boards)
    (package / "games" / "china" / "others.json").write_text("{}")
    assert digest(boards) == before
    change(package / "games" / "china" / "rules" / "boards.json")
    assert digest(boards) != before


def test_search_depends_on_the_rules_of_the_game_that_it_plays():
    from numba import from_dtype
    from numba.types import Array, Tuple, int64

    import tianxia
    from tianxia.games.stratego.rules.state import STATE

    tianxia.game("stratego")
    search = "tianxia.search.ismcts"
    kind = from_dtype(STATE)
    with_rules = digest_of_sources(search, [kind])
    assert with_rules != digest_of_sources(search)
    # Functions over many games are given their arrays together.
    assert digest_of_sources(search, [Tuple([int64, Tuple([Array(kind, 1, "C")])])]) == with_rules


def test_digest_of_somebody_elses_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = tmp_path / "somebodys_game"
    root.mkdir()
    (root / "__init__.py").write_text("")
    (root / "rules.py").write_text("ANSWER = 1")
    (tmp_path / "single_file_game.py").write_text("ANSWER = 1")
    monkeypatch.syspath_prepend(str(tmp_path))
    for module, file in [
        ("somebodys_game.rules", root / "rules.py"),
        ("single_file_game", tmp_path / "single_file_game.py"),
    ]:
        before = digest(module)
        assert before == digest(module)
        file.write_text("ANSWER = 2")
        assert before != digest(module)


def test_what_has_no_file_is_never_taken_from_the_cache():
    assert digest("no_such_module") != digest("no_such_module")


PROGRAM = """
import sys
import numpy as np
import tianxia
sys.path.insert(0, {folder!r})
from somebodys_bot.player import value
print(value(np.zeros(1)), sum(value.stats.cache_hits.values()))
"""


def test_code_is_made_anew_when_what_it_calls_changes_and_only_then(tmp_path: Path):
    package = tmp_path / "somebodys_bot"
    package.mkdir()
    (package / "player.py").write_text(
        "from tianxia.kernel.jit import entry\n"
        "from somebodys_bot.called import answer\n"
        "@entry\ndef value(array):\n    return answer()\n"
    )
    called = package / "called.py"
    text = "from tianxia.kernel.jit import rule\n@rule\ndef answer():\n    return {}\n"

    def run() -> list[str]:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        environment.pop("NUMBA_DISABLE_JIT", None)
        command = [sys.executable, "-c", PROGRAM.format(folder=str(tmp_path))]
        done = subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", check=True
        )
        return done.stdout.split()

    called.write_text(text.format(1))
    assert run() == ["1", "0"]
    assert run() == ["1", "1"]
    called.write_text(text.format(2))
    assert run() == ["2", "0"]
    assert run() == ["2", "1"]
    assert len(list((tmp_path / "cache").rglob("*.nbc"))) == 1  # the old code is gone


def test_what_other_sources_have_written_may_be_unreadable(tmp_path: Path):
    files = compiling.CodeFiles(str(tmp_path), "name", "stamp")
    files.save(("key", "sources"), "code")
    assert files.load(("key", "sources")) == "code"
    index = tmp_path / "name.nbi"
    index.write_bytes(index.read_bytes().replace(b"sources", b"sourcez"))
    assert files.load(("key", "sources")) is None
    gone = b"\x80\x04\x8c\x0csomeone.gone\x8c\x04Gone\x93."
    index.write_bytes(index.read_bytes()[: index.read_bytes().index(b".") + 1] + gone)
    assert files.load(("key", "sources")) is None
    files.save(("key", "sources"), "code again")
    assert files.load(("key", "sources")) == "code again"


def test_two_that_save_at_the_same_time_do_not_mix_their_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    one, other = (compiling.CodeFiles(str(tmp_path), "name", "stamp") for _ in range(2))
    with monkeypatch.context() as patch:  # as if both had read the index before either wrote
        patch.setattr(compiling.CodeFiles, "_load_index", lambda self: {})
        one.save(("first", "sources"), 1)
        other.save(("second", "sources"), 2)
        one._save_data(one._named(("first", "sources")), 1)
    assert other.load(("second", "sources")) == 2
    assert one.load(("first", "sources")) in (None, 1)


def test_answers_of_the_same_types_have_names_of_their_own():
    from tianxia import game
    from tianxia.kernel import compiled, jit

    blank = game("suntzu").blank()
    names = set()
    for name in ("utilities", "scores"):
        jit.make(getattr(compiled, name), blank, np.zeros(2))
        answer = compiling._resolvers[f"tianxia.kernel.functions.{name}"](from_dtype(blank.dtype))
        names |= {made.fndesc.mangled_name for made in answer.overloads.values()}
    assert len(names) == 2


ASKING = """
import numpy as np, tianxia
from tianxia.kernel import compiled, jit

game = tianxia.game("suntzu")
arguments = game.blank(), 0, np.zeros(game.max_legal, np.int32)
jit.make(compiled.legal_actions, *arguments)
(made,) = compiled.legal_actions.overloads.values()
inside = [one for one in made.library._final_module.functions if not one.is_declaration]
hits = sum(compiled.legal_actions.stats.cache_hits.values())
print(hits, any("rules" in one.name for one in inside), compiled.legal_actions(*arguments))
"""


def test_what_is_long_has_code_of_its_own_which_is_found_again(tmp_path: Path):
    def asked() -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", ASKING]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert asked() == "0 False 0\n"
    assert asked() == "1 False 0\n"
    for file in tmp_path.rglob("rules._-*"):
        file.unlink()
    assert asked() == "1 False 0\n"
