"""Hints and the chart after a game, in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
LONG = 120_000
"""Milliseconds: the search may have to be compiled first."""


def hinted(one: Person) -> list[str]:
    """Ask for hints by the key; return what the list says."""
    one.page.keyboard.press("h")
    one.page.wait_for_selector("#hints li", timeout=LONG)
    return [str(text) for text in one.page.locator("#hints li strong").all_inner_texts()]


@pytest.mark.timeout(400)
def test_hints_are_shown_and_filled_in_but_not_played(person: Come) -> None:
    ada = person()
    ada.host("stratego", "me", "bot:random", variant="duel")
    assert hinted(ada)[0] == "Proposal 1"
    ada.page.locator("#hints li button").first.click()
    assert "Everything is placed" in ada.page.inner_text("#tray-left")
    before = ada.decision()
    ada.page.click("#tray-ready")
    ada.changed(before)
    assert ada.turn()

    before, labels = ada.decision(), hinted(ada)
    assert len(labels) == 3
    assert ada.page.locator("#hint-marks .hint-mark").count() == 3
    assert list(check(ada, "hints")) == []
    ada.page.locator("#hints li button").nth(1).press("Enter")
    assert ada.page.locator("#hints li").count() == 0
    assert ada.page.locator("#board .is-picked").count() == 2
    assert ada.page.locator("#choice button.primary").inner_text() == labels[1]
    assert ada.decision() == before  # nothing was sent
    ada.page.keyboard.press("Escape")
    assert ada.page.locator("#board .is-picked").count() == 0
    hinted(ada)
    ada.page.locator("#hints li button").first.click()
    ada.page.click("#choice button.primary")
    ada.changed(before)
    assert ada.page.locator("#hint-marks .hint-mark").count() == 0


def test_no_hints_where_others_play(person: Come) -> None:
    ada, bob = person(), person("fr")
    table = ada.host("stratego", "me", "open", variant="duel")
    bob.join(table, "Bob")
    ada.page.wait_for_selector("#tray button")
    assert ada.page.locator("#hint-ask").count() == 0
    ada.page.keyboard.press("h")
    ada.page.wait_for_selector("#toast:has-text('against bots alone')")


@pytest.mark.timeout(400)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_chart_is_worked_out_and_leads_to_the_positions(person: Come, language: str) -> None:
    ada = person(language)
    ada.host("stratego", "me", "bot:random", variant="duel")
    ada.set_up()
    for _ in range(3):
        assert ada.turn()
        gesture: dict[str, Any] = ada.facts()["gestures"]["gestures"][0]
        ada.make(gesture)
    ada.resign()
    ada.page.wait_for_selector("#table[data-status=over]")
    ada.page.click("[data-ending=close]")
    ada.tab("review")
    ada.page.click("[data-post=review]:visible")
    ada.page.wait_for_selector("svg.chances", timeout=LONG)
    assert ada.page.locator("svg.chances polyline").count() == 2
    assert list(check(ada, "chart")) == []
    ada.page.click(".chance-table summary")
    assert ada.page.locator(".chance-rows tbody tr").count() > 5
    assert ("début" if language == "fr" else "beginning") in ada.page.inner_text("#chances")
    ada.page.reload()  # it is kept with the table
    ada.at_table()
    ada.tab("review")
    assert ada.page.locator("svg.chances").is_visible()
    ada.go(f"{ada.path}#ply-3")
    ada.page.wait_for_selector("#table[data-ply='3']")
    assert ada.page.locator("svg.chances").count() == 1
    for link in ada.page.locator("#chances [data-look]").all()[:1]:
        ply = link.get_attribute("data-look")
        link.click()
        ada.page.wait_for_selector(f"#table[data-ply='{ply}']")
