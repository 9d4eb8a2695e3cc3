"""The editors of boards: drawn by mouse and keys, saved, shared, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
TERRAIN = ("r6", "o6", "o8", "y6", "g6", "g8", "b6", "p6", "p8")
WHIRLPOOLS = ("r13", "y13", "b13")
WHIRLPOOL_TOOL = "2"


def to_editor(one: Person, game: str) -> None:
    """Go from the menu to an empty board."""
    one.go("/")
    one.press("nav a[href='/boards']")
    one.press(f"a[href='/boards/new/{game}']")
    one.page.wait_for_selector("#draw[data-ready]")


def save(one: Person, title: str) -> str:
    """Save a board under a name; return its path."""
    one.page.fill("#title", title)
    one.press("#save")
    one.page.wait_for_selector("#saved:has-text('Saved.')")
    return str(one.page.input_value("#link")).removeprefix(one.url)


def exported(one: Person) -> Any:
    """Return what is in the file that the page hands out."""
    with one.page.expect_download() as download:
        one.press("#export")
    return json.loads(Path(download.value.path()).read_text(encoding="utf-8"))


def focused(one: Person) -> str:
    return str(one.page.evaluate("document.activeElement.dataset.e"))


def test_a_map_of_binfa_is_drawn_by_mouse_and_keys(person: Callable[..., Person]) -> None:
    ada, page = (one := person()), one.page
    to_editor(ada, "binfa")
    for place in TERRAIN:
        page.click(f"#board [data-e={place}]")
    page.keyboard.press(WHIRLPOOL_TOOL)
    for place in WHIRLPOOLS[:2]:
        page.click(f"#board [data-e={place}]")
    page.click("#board [data-e=b12]")  # beside the one that is meant
    page.keyboard.press("Control+z")
    page.wait_for_selector("#board [data-e=b12][tabindex='0']")
    page.focus("#board [data-e=b12]")
    page.keyboard.press("ArrowDown")
    assert focused(ada) == "b13"
    page.keyboard.press("Enter")
    page.wait_for_selector("#faults .is-fine")
    assert focused(ada) == "b13"  # the new picture keeps the keys where they were

    shared = save(ada, "Citadel")
    written = exported(ada)
    assert (written["terrain"], written["whirlpools"]) == (list(TERRAIN), list(WHIRLPOOLS))
    bob = person()
    bob.go(shared)
    bob.page.wait_for_selector("#draw[data-ready]")
    assert exported(bob) == written
    assert bob.page.is_visible(".draw-note")
    bob.press("#play")
    bob.page.wait_for_url("**/new/binfa?**")
