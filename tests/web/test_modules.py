"""The browser's modules: short, in no circle, and fetched at once with the page that needs them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sysconfig
from importlib.resources import files
from pathlib import Path

import pytest

from tests.web.world import World
from tianxia.web.static import bare

ROOT = Path(__file__).resolve().parents[2]
FOLDER = files("tianxia.web") / "static" / "js"
SOURCES = {
    file.name: file.read_text("utf-8") for file in FOLDER.iterdir() if file.name.endswith(".js")
}
LONGEST = 300
IMPORT = re.compile(r"""(?:\bfrom |^import |\bimport\()["']\./([\w-]+\.js)["']""", re.MULTILINE)
AT_ONCE = re.compile(r"""^(?:import|\} from) (?:.* from )?["']\./([\w-]+\.js)["']""", re.MULTILINE)


def reached(start: str) -> set[str]:
    """Return the modules that a browser fetches before it runs one."""
    found: set[str] = set()
    todo = [start]
    while todo:
        for name in AT_ONCE.findall(SOURCES[todo.pop()]):
            if name not in found:
                found.add(name)
                todo.append(name)
    return found


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_a_module_is_short(name: str) -> None:
    assert SOURCES[name].count("\n") <= LONGEST


def test_types_are_checked() -> None:
    assert json.loads((ROOT / "deno.json").read_text("utf-8"))["compilerOptions"]["checkJs"]
    assert not any("@ts-nocheck" in text for text in SOURCES.values())


@pytest.mark.parametrize(
    "command",
    [
        ("check", *sorted(str(FOLDER / name) for name in SOURCES)),
        ("lint", str(FOLDER)),
        ("test", "--no-check", str(ROOT / "tests" / "js")),
    ],
    ids=lambda command: command[0],
)
def test_deno_finds_nothing_wrong(command: tuple[str, ...], tmp_path: Path) -> None:
    """Deno is a wheel with TypeScript, a linter and a runner of tests; it asks no network."""
    deno = shutil.which("deno", path=sysconfig.get_path("scripts"))
    assert deno, "it is in the dev group"
    done = subprocess.run(
        [deno, command[0], "--quiet", "--config", ROOT / "deno.json", *command[1:]],
        env={**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr


def test_no_module_needs_itself() -> None:
    """What is fetched later counts too: whoever reads a module need not know who fetches it."""
    open_: list[str] = []
    done: set[str] = set()

    def visit(name: str) -> None:
        assert name not in open_, " -> ".join([*open_[open_.index(name) :], name])
        if name in done:
            return
        open_.append(name)
        for other in IMPORT.findall(SOURCES[name]):
            visit(other)
        open_.pop()
        done.add(name)

    for name in SOURCES:
        visit(name)
    assert done == set(SOURCES)


def test_the_page_of_a_table_fetches_all_its_modules_at_once(here: World) -> None:
    table = here.seated("me", "open")
    text = table.host.get(f"/t/{table.id}").text
    run = set(re.findall(r'<script type="module" src="[^"]*/js/([\w-]+\.js)"', text))
    preloaded = re.findall(r'<link rel="modulepreload" href="[^"]*/js/([\w-]+\.js)"', text)
    needed = set().union(*(reached(name) for name in run)) - run
    assert sorted(preloaded) == sorted(needed)


@pytest.mark.parametrize(
    ("name", "whole", "sent"),
    [
        ("a.js", "// one\n  /** two\n * lines */\nlet x; // three\n", "let x; // three\n"),
        ("a.js", "/** one */ let x;\n/** two */\nlet y;\n", "/** one */ let x;\nlet y;\n"),
        ("a.js", "const path = `\n/a//b`;\n", "const path = `\n/a//b`;\n"),
        ("a.js", "if (x) {\n  // one\n  y();\n}\n", "if (x) {\ny();\n}\n"),
        ("a.css", "/* one */\n.a { color: red; } /* two */\n", ".a { color: red; }\n"),
        ("a.css", ".a {\n  color: red; /* two */\n}\n", ".a {\ncolor: red;\n}\n"),
        ("a.svg", "<!-- // -->\n", "<!-- // -->\n"),
    ],
)
def test_comments_are_not_sent_in_scripts_those_on_lines_of_their_own(
    name: str, whole: str, sent: str
) -> None:
    assert bare(whole.encode(), name).decode() == sent


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_no_text_of_a_script_goes_over_lines_which_are_sent_without_indentation(name: str) -> None:
    sent = bare(SOURCES[name].encode(), name).decode()
    assert not [text for text in re.findall(r"`[^`]*`", sent) if "\n" in text]
