"""axe finds nothing on any page, in both languages and both themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
AXE = Axe()
READY = Axe("undefined")
"""For a page which has been given axe before: half a megabyte each time."""
PLAIN_PAGES = (
    "/",
    "/new/stratego",
    "/new/firebulls",
    "/rules",
    "/rules/stratego",
    "/puzzles",
    "/puzzles/firebulls/1",
    "/boards",
    "/boards/new/china",
    "/about",
    "/privacy",
    "/sign-in",
    "/register",
    "/shunned",
    "/api/docs",
    "/t/no-such-table",
)
DIALOGS = ("help-dialog", "moves-dialog", "settings-dialog")
ALL = {"resultTypes": ["violations"]}
"""All rules; what passes is not described node by node, which takes axe half as long again."""
COLOURS = ALL | {"runOnly": ["color-contrast", "link-in-text-block"]}


def check(one: Person, name: str, *, board: bool = False) -> Iterator[str]:
    """Yield what axe finds on a page: all rules in one theme, colours in the other too.

    It begins with the theme that is worn, and leaves the page in the other: changing takes long.
    The hundred buttons of a board take axe long: they are looked at where it is said.
    """
    place = None if board else {"exclude": [["#board"]]}
    one.rest()
    yield from found(one, name, place, ALL)
    one.wear("dark" if one.theme == "light" else "light")
    yield from found(one, name, place, COLOURS)


def found(one: Person, name: str, place: Any, options: dict[str, Any]) -> Iterator[str]:
    """Yield what axe finds with these options on the page as it is."""
    axe = READY if one.page.evaluate("'axe' in globalThis") else AXE
    for violation in axe.run(one.page, place, options).response["violations"]:
        nodes = "; ".join(str(node["target"]) for node in violation["nodes"][:3])
        yield f"{name} ({one.theme}): {violation['id']}: {violation['help']} at {nodes}"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_plain_pages(person: Come, language: str) -> None:
    ada = person(language)
    faults: list[str] = []
    for path in PLAIN_PAGES:
        ada.go(path)
        assert ada.page.get_attribute("html", "lang") == language
        faults += check(ada, path)
    assert faults == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_table(person: Come, language: str) -> None:
    ada, bob = person(language), person(language, touch=True)
    faults: list[str] = []
    board = language == "en"  # the same buttons in both
    table = ada.host("stratego", "me", "open", variant="barrage")
    faults += check(ada, "waiting")
    bob.go(table)
    bob.at_table()
    faults += check(bob, "invited")
    bob.sit_down(table, "Bob")
    faults += check(bob, "set-up", board=board)
    ada.set_up()
    bob.set_up()
    assert ada.turn()
    ada.page.click(f'[data-e="{ada.facts()["gestures"]["gestures"][0]["s"][0][0]}"]')
    ada.page.click('[data-e="e5"]')
    ada.page.wait_for_selector("#toast:not([hidden])")
    ada.tab("info")
    ada.page.click("#links summary")
    faults += check(ada, "playing", board=board)
    for dialog in DIALOGS:
        ada.menu(f"[data-open={dialog}]")
        faults += check(ada, dialog)
        ada.page.keyboard.press("Escape")
    bob.press("[data-post=resign]")
    faults += check(bob, "resigning")
    bob.press("#resign-dialog [value=yes]")
    ada.page.wait_for_selector("#ending:not([hidden])")
    faults += check(ada, "the end")
    ada.page.keyboard.press("Escape")
    faults += check(ada, "over", board=board)
    assert faults == []
