"""What the documentation shows works.

Blocks marked `python` are executed, page by page, each page in one namespace; `python no-run`
is not, and `python learn` only by `.ci/learn`, each by itself. Of `console` blocks every
`tianxia` command has to exist. What stands below the cells of notebooks is what comes out of them.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests import notebooks
from tianxia.bots.nets import Net

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^( *)```(\w+)(?: +([^\n]*))?\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
RUN_COMMANDS = {"docs", "test", "tool"}  # those of run.py itself, which are not commands of tianxia


def blocks(page: Path, language: str, tag: str = "") -> list[tuple[int, str]]:
    """List the blocks of a language with a tag, or with none: line number and text."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in BLOCK.finditer(text):
        indent, name, found_tag, body = match.groups()
        if name == language and (found_tag or "") == tag:
            line = text.count("\n", 0, match.start(4))
            found.append((line, re.sub(f"^{indent}", "", body, flags=re.MULTILINE)))
    return found


def console_commands(text: str) -> list[str]:
    """List the first words after `tianxia` (or `run.py`) in the commands of a console block."""
    names = []
    for line in text.splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        starts = [i for i, word in enumerate(words) if word in {"tianxia", "run.py"}]
        for start in starts:
            name = words[start + 1] if start + 1 < len(words) else ""
            own = words[start] == "run.py" and name in RUN_COMMANDS
            if name and not name.startswith("-") and not own:
                names.append(name)
    return names


def pages(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def recipes() -> dict[str, tuple[int, str]]:
    """Return what shows how other frameworks learn our games, by its heading."""
    page = ROOT / "docs" / "recipes.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    found = {}
    for line, source in blocks(page, "python", "learn"):
        heading = next(one for one in reversed(lines[:line]) if one.startswith("## "))
        found[heading.removeprefix("## ")] = line, source
    return found


RECIPES = recipes()


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", pages("python"), ids=name_of)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # an example may write files
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, source in blocks(page, "python"):
        # Blank lines in front make a traceback show the line of the page.
        exec(compile("\n" * line + source, str(page), "exec"), namespace)


@pytest.mark.learn
@pytest.mark.filterwarnings("ignore")  # those of the frameworks
@pytest.mark.parametrize("title", RECIPES)
def test_recipes_work(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment raises where a mask is not kept to: see `illegal` there."""
    monkeypatch.chdir(tmp_path)
    line, source = RECIPES[title]
    exec(compile("\n" * line + source, title, "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("page", pages("console"), ids=name_of)
def test_console_commands_exist(
    page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from tianxia.cli import main

    for command in {name for _, text in blocks(page, "console") for name in console_commands(text)}:
        monkeypatch.setattr(sys, "argv", ["tianxia", command, "--help"])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code, f"`tianxia {command}`: {capsys.readouterr().err}"


@pytest.mark.parametrize(
    "file", sorted({*notebooks.notebooks()} - {notebooks.TRAINING}), ids=lambda file: file.stem
)
def test_notebooks_show_what_comes_out(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cells = notebooks.code(notebooks.read(file))
    for cell, outputs in zip(cells, notebooks.run(cells), strict=True):
        shown = notebooks.told(cell["outputs"])
        assert notebooks.told(outputs) == shown, "`python -m tests.notebooks` writes it anew"


@pytest.mark.learn
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_the_notebook_of_training_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a few games; what it shows took 6,000."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TIANXIA_GAMES", "6")
    cells = notebooks.code(notebooks.read(notebooks.TRAINING))
    assert len(list(notebooks.run(cells))) == len(cells)
    assert Net.load("trained-barrage/net.npz").about["imitated"] > 100


def test_the_commands_of_a_console_block_are_found() -> None:
    text = "$ tianxia play china\npython3 run.py test -k x\npython3 run.py serve\ntianxia --help\n"
    assert console_commands(text) == ["play", "serve"]


def test_every_threat_is_met_by_a_test_that_there_is() -> None:
    text = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 20
    for file, name in named:
        assert f"def {name}(" in (ROOT / file).read_text(encoding="utf-8"), f"{file}::{name}"
    rows = [line for line in text.splitlines() if line.count("|") == 5]
    heads = ("| who might", "| what may", "|---")
    assert all("`tests/" in line for line in rows if not line.startswith(heads))
