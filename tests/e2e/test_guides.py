"""Guided first games, played to their end as a learner does who has only the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
ASKED = """!('telling' in document.querySelector('#table-page').dataset) &&
    document.querySelector('#table[data-your-turn]:not([aria-busy])')"""
QUOTED = re.compile(r"[“«]\s*(.+?)\s*[”»]")


def choose(one: Person, text: str, points: list[str]) -> None:
    """Click what is outlined, what is to be clicked twice first; then say yes if asked."""
    before = one.decision()
    for element in [*points[:1] * ("twice" in text or "deux fois" in text), *points]:
        if one.decision() == before:
            one.press(f'[data-e="{element}"]')
    if one.decision() == before and one.page.locator("#choice .primary:visible").count():
        one.press("#choice .primary")


def lay_out(one: Person, text: str) -> None:
    """Take the set-up that the guide names, or the one that its hint lays out, and send it."""
    listed = one.page.locator("#tray-presets option").all_inner_texts()
    names = [node.strip() for node in listed]
    pictures = [node.get_attribute("title") for node in one.page.locator("#tray .kind").all()]
    named = [name for name in QUOTED.findall(text) if name in [*names, *pictures]]
    if named and named[0] in pictures:
        one.press(f'#tray .kind[title="{named[0]}"]')
    elif named:
        one.page.select_option("#tray-presets", label=named[0])
    else:
        one.page.keyboard.press("h")
        one.press("button.hint-entry")
    one.press("#tray-ready:not([disabled])")


@pytest.mark.parametrize(
    ("game", "language", "touch"),
    [
        ("stratego", "en", False),
        ("firebulls", "fr", True),
        ("suntzu", "en", False),
        ("china", "fr", True),
        ("binfa", "fr", False),
    ],
)
def test_a_guided_game_is_played_to_its_end(
    person: Come, game: str, language: str, touch: bool
) -> None:
    ada = person(language, touch=touch)
    ada.go(f"/learn/{game}")
    ada.press(f'form[data-play="/learn/{game}"] button')
    ada.at_table()
    told: list[str] = []
    while ada.page.locator("#leave-guide").count():
        ada.until(ASKED)
        text = ada.page.text_content("#guide-text") or ""
        told.append(text)
        before = ada.decision()
        points = json.loads(ada.page.get_attribute("#guide", "data-points") or "[]")
        if points:
            choose(ada, text, points)
        else:
            lay_out(ada, text)
        ada.changed(before)
    assert len(set(told)) > 8
    assert ada.page.text_content("#guide-text") not in told
