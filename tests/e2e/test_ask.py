"""Things that answer, in the browser: by mouse, by finger, with the keys, aloud."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import ALL, AXE

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
CARD = "#ask-card"


def two(person: Come, game: str, *, touch: bool = False, **options: str) -> Person:
    """Return somebody at a table for two that has begun."""
    ada, bob = person(touch=touch), person()
    path = ada.host(game, "me", "open", **options)
    bob.join(path, "Bob")
    ada.page.wait_for_selector("#table[data-status=playing]")
    ada.page.wait_for_selector("#table-page[data-asks]")
    return ada


def test_a_province_answers_where_the_mouse_rests_and_no_longer_than_that(person: Come) -> None:
    # Where Bob begins: a card that covers what Ada may choose lets her mouse through.
    ada = two(person, "china", players="2", first="green")
    dragon = ada.page.locator("[data-e='dragon-Wei']")
    dragon.hover()
    card = ada.page.locator(CARD)
    card.wait_for()
    assert "Wei (red)" in card.inner_text()
    assert "CHI-35" in card.inner_text()
    assert ada.page.locator(".is-asked[data-e^=W]").count() == 7
    card.hover()
    ada.page.wait_for_timeout(400)
    assert card.is_visible()  # who goes to the card can click its links
    ada.page.mouse.move(2, 2)
    card.wait_for(state="hidden")
    assert ada.page.locator(".is-asked").count() == 0


def test_the_card_says_what_the_chosen_action_would_change(person: Come) -> None:
    ada = two(person, "china", players="2", first="blue")
    placing = [g for g in ada.facts()["gestures"]["gestures"] if len(g["s"]) == 2]
    cards, place = (step["set"] if isinstance(step, dict) else step for step in placing[0]["s"])
    for element in cards:
        ada.page.locator(f"[data-e='{element}']").click()
    ada.page.locator(f"[data-e='{place[0]}']").hover()
    ada.page.wait_for_selector(f"{CARD} .ask-after")
    assert "palace of Blue" in ada.page.locator(f"{CARD} .ask-after").first.inner_text()


def test_the_keys_ask_walk_on_and_go_to_the_rule(person: Come) -> None:
    ada = two(person, "suntzu", events="yes")
    page = ada.page
    page.locator("[data-e='Qin']").focus()
    page.keyboard.press("i")
    page.wait_for_selector(f"{CARD}.is-pinned")
    assert "Qin" in page.locator("#ask-title").inner_text()
    assert "Held by" in page.locator("#announcer").inner_text()
    assert AXE.run(page, CARD, ALL).response["violations"] == []
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#ask-title:not(:has-text('Qin'))")
    page.keyboard.press("i")
    assert page.evaluate("document.activeElement.closest('#ask-card') !== null")
    page.keyboard.press("Escape")
    page.locator(CARD).wait_for(state="hidden")
    assert page.evaluate("document.activeElement.dataset.e") not in (None, "Qin")


def test_the_open_event_of_sun_tzu_says_its_rule(person: Come) -> None:
    ada = two(person, "suntzu", events="yes", strategies="no")
    ada.page.wait_for_selector("[data-ask='event']")
    ada.page.locator("[data-ask='event']").hover()
    ada.page.wait_for_selector(f"{CARD}:not([hidden])")
    assert "SUN-4" in ada.page.locator(CARD).inner_text()


def test_a_long_press_asks_and_does_nothing_else(person: Come) -> None:
    ada = two(person, "stratego", touch=True, variant="duel")
    before = ada.facts()["gestures"]
    box = ada.page.locator("[data-e='a1']").bounding_box()
    assert box
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    touch = ada.context.new_cdp_session(ada.page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    ada.page.wait_for_selector(f"{CARD}.is-pinned")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert "a1: empty" in ada.page.locator(CARD).inner_text()
    ada.page.wait_for_timeout(500)
    assert ada.facts()["gestures"] == before
    assert ada.page.locator(".is-picked").count() == 0
    ada.page.locator(f"{CARD} button").tap()
    ada.page.locator(CARD).wait_for(state="hidden")


def test_the_button_asks_with_the_next_click(person: Come) -> None:
    ada = two(person, "stratego", variant="duel")
    ada.page.locator("#menu-open").click()
    ada.page.locator("#ask-next").click()
    ada.page.locator("[data-e='b2']").click()
    ada.page.wait_for_selector(f"{CARD}.is-pinned")
    assert ada.page.locator("#ask-next").get_attribute("aria-pressed") == "false"
    assert ada.page.locator(".is-picked").count() == 0


def test_a_mouse_that_rests_asks_nothing_where_that_is_switched_off(person: Come) -> None:
    ada = two(person, "stratego", variant="duel")
    ada.page.evaluate("localStorage.setItem('tianxia:settings', JSON.stringify({hover: false}))")
    ada.page.reload()
    ada.page.wait_for_selector("#table-page[data-asks]")
    ada.page.locator("[data-e='b2']").hover()
    ada.page.wait_for_timeout(900)
    assert ada.page.locator(CARD).is_hidden()
