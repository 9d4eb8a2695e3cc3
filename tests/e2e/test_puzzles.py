"""A puzzle in the browser: by the mouse and by keys, wrong first, then solved and remembered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
PUZZLE = "puzzles/stratego/1"


def test_a_puzzle_is_solved_by_clicks_and_keys(person: Callable[..., Person]) -> None:
    one = person()
    page = one.page
    page.goto(f"{one.url}/{PUZZLE}")
    page.wait_for_selector("#puzzle[data-ready]")
    solution = page.request.get(f"{one.url}/api/v1/{PUZZLE}/solution").json()
    gestures = json.loads(page.locator("#gestures").text_content() or "")["gestures"]
    clicks = {gesture["a"]: [step[0] for step in gesture["s"]] for gesture in gestures}
    start, target = clicks.pop(solution["action"])

    for element in next(iter(clicks.values())):
        page.locator(f'#board [data-e="{element}"]').click()
    page.wait_for_selector(".verdict.is-wrong")
    assert "Look again." in page.inner_text("#verdict")
    assert page.is_hidden("#solved")

    page.locator(f'#board [data-e="{start}"]').press("Enter")
    assert page.locator(f'#board [data-e="{start}"].is-picked').count() == 1
    page.keyboard.press("Escape")
    assert page.locator("#board .is-picked").count() == 0
    page.locator(f'#board [data-e="{start}"]').press("Enter")
    page.locator(f'#board [data-e="{target}"]').press(" ")
    page.wait_for_selector(".verdict.is-right")
    assert solution["reason"] in page.inner_text("#verdict")
    assert page.is_visible("#solved")

    page.goto(f"{one.url}/puzzles")
    solved = page.locator('[data-puzzles="stratego"] [data-solved]')
    assert solved.inner_text().startswith("Solved: 1 of ")
    assert one.errors == []
