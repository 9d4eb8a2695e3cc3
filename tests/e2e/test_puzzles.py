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

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{one.url}/puzzles/china/34")  # where the solution is far from its button
    page.click("#show-solution")
    page.wait_for_selector("#verdict .puzzle-answer")
    within = "document.getElementById('verdict').getBoundingClientRect().top"
    assert 0 <= page.evaluate(within) < 844

    page.goto(f"{one.url}/puzzles")
    solved = page.locator('[data-puzzles="stratego"] [data-solved]')
    assert solved.inner_text().startswith("Solved: 1 of ")
    assert one.errors == []


def test_after_a_question_the_keyboard_is_where_it_was_asked(person: Callable[..., Person]) -> None:
    one = person()
    one.go("/puzzles/firebulls/46")
    one.page.wait_for_selector("#puzzle[data-ready]")
    one.page.press("[data-e=p0]", "Enter")
    card = one.page.get_attribute(".is-target", "data-e")
    one.page.press(f"[data-e={card}]", "Enter")
    assert one.page.evaluate("document.activeElement.closest('#choice') !== null")
    one.page.keyboard.press("Escape")
    assert one.page.evaluate("document.activeElement.dataset.e") == card


def test_on_a_phone_the_first_screen_has_the_whole_board(person: Callable[..., Person]) -> None:
    ada = person("fr", touch=True)
    for size in ({"width": 390, "height": 844}, {"width": 844, "height": 390}):
        ada.page.set_viewport_size(size)
        for path in (
            "/puzzles/china/1",
            "/puzzles/suntzu/1",
            "/puzzles/stratego/1",
            "/boards/new/binfa",
        ):
            ada.go(path)
            assert ada.page.locator(".site-head").bounding_box()["height"] <= 56
            box = ada.page.locator("#board > svg").bounding_box()
            assert box["y"] + box["height"] <= size["height"], path
