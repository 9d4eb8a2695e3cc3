"""axe finds nothing on any page, in both languages and both themes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
AXE = Axe()
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

    The hundred buttons of a board take axe long: they are looked at where it is said.
    """
    place = None if board else {"exclude": [["#board"]]}
    themes = ("light", "dark") if one.language == "en" else ("dark", "light")
    for theme, options in zip(themes, (ALL, COLOURS), strict=True):
        one.wear(theme)
        for found in AXE.run(one.page, place, options).response["violations"]:
            nodes = "; ".join(str(node["target"]) for node in found["nodes"][:3])
            yield f"{name} ({theme}): {found['id']}: {found['help']} at {nodes}"
    one.wear("light")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_plain_pages(person: Come, language: str) -> None:
    ada = person(language)
    found: list[str] = []
    for path in PLAIN_PAGES:
        ada.go(path)
        assert ada.page.get_attribute("html", "lang") == language
        found += check(ada, path)
    assert found == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_table(person: Come, language: str) -> None:
    ada, bob = person(language), person(language, touch=True)
    found: list[str] = []
    board = language == "en"  # the same buttons in both
    table = ada.open_table(variant="barrage")
    found += check(ada, "waiting")
    bob.go(table)
    bob.at_table()
    found += check(bob, "invited")
    bob.sit_down(table, "Bob")
    found += check(bob, "set-up", board=board)
    ada.set_up()
    bob.set_up()
    assert ada.turn()
    ada.page.click(f'[data-e="{ada.facts()["gestures"]["gestures"][0]["s"][0][0]}"]')
    ada.page.click('[data-e="e5"]')
    ada.page.wait_for_selector("#toast:not([hidden])")
    ada.tab("info")
    ada.page.click("#links summary")
    found += check(ada, "playing", board=board)
    for dialog in DIALOGS:
        ada.menu(f"[data-open={dialog}]")
        found += check(ada, dialog)
        ada.page.keyboard.press("Escape")
    bob.press("[data-post=resign]")
    found += check(bob, "resigning")
    bob.press("#resign-dialog [value=yes]")
    ada.page.wait_for_selector("#ending:not([hidden])")
    found += check(ada, "the end")
    ada.page.keyboard.press("Escape")
    found += check(ada, "over", board=board)
    assert found == []
