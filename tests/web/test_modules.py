"""The browser's modules: short, in no circle, and fetched at once with the page that needs them."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from tests.web.world import World
from tianxia.web.static import bare

FOLDER = files("tianxia.web") / "static" / "js"
SOURCES = {
    file.name: file.read_text("utf-8") for file in FOLDER.iterdir() if file.name.endswith(".js")
}
LONGEST = 300
STILL_LONGER = {"draw-graph.js": 400, "arrange.js": 470}
"""Lines of those that are to be divided."""
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
    assert SOURCES[name].count("\n") <= STILL_LONGER.get(name, LONGEST)


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
        ("a.css", "/* one */\n.a { color: red; } /* two */\n", ".a { color: red; } /* two */\n"),
        ("a.svg", "<!-- // -->\n", "<!-- // -->\n"),
    ],
)
def test_only_comments_on_lines_of_their_own_are_not_sent(name: str, whole: str, sent: str) -> None:
    assert bare(whole.encode(), name).decode() == sent
