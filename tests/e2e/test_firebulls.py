"""Fire Bulls in the browser: a whole game on a phone, what is told before, axe, secrets."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import tianxia
from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
BOTS = ("bot:drover",) * 3
LARGE = """() => [...document.querySelectorAll("#table [data-e]")].flatMap(node => {
  const box = node.getBoundingClientRect();
  return Math.min(box.width, box.height) < 44 ? [[node.dataset.e, box.width, box.height]] : [];
})"""


def choose(rng: random.Random, gestures: list[dict[str, Any]]) -> dict[str, Any]:
    """Attack where it is possible; else draw or take."""
    attacks = [gesture for gesture in gestures if gesture.get("p")]
    return rng.choice(attacks or gestures)


def test_a_newcomer_plays_to_the_score_sheet_on_a_phone(person: Come) -> None:
    ada, rng = person(touch=True), random.Random(1)
    ada.open_game("firebulls", "me", *BOTS, players="4")
    assert ada.turn()
    assert ada.page.evaluate(LARGE) == []
    width = "document.documentElement.scrollWidth <= innerWidth"
    made = 0
    while ada.turn():
        assert ada.page.evaluate(width)
        ada.make(choose(rng, ada.facts()["gestures"]["gestures"]))
        made += 1
    assert made > 10

    sheet = ada.page.inner_text("#panel-sheet")
    state = tianxia.replay(ada.download())
    assert state.over
    totals = ada.page.locator("#panel-sheet .fb-total td").all_inner_texts()
    assert [int(text.split()[0]) for text in totals] == [int(score) for score in state.scores()]
    assert "Total" in sheet
    assert "has won" in sheet


def test_an_attack_is_told_before_it_is_made_and_refusals_are_explained(person: Come) -> None:
    ada, rng = person(), random.Random(3)
    ada.host("firebulls", "me", *BOTS[:1], players="2")
    while ada.turn():
        gestures = ada.facts()["gestures"]["gestures"]
        attacks = [gesture for gesture in gestures if gesture.get("p") and len(gesture["s"]) == 2]
        if attacks and ada.page.locator("[data-e=deck].is-lit").count():
            break
        ada.make(rng.choice([gesture for gesture in gestures if not gesture.get("p")] or gestures))
    gesture = min(attacks, key=lambda one: len(one["s"][1]["set"]))
    ada.page.click(f'[data-e="{gesture["s"][0][0]}"]')
    assert ada.page.locator(".hand-card.is-lit").count()
    for card in gesture["s"][1]["set"]:
        ada.page.click(f'[data-e="{card}"]')
    assert ada.page.locator(".hand-card.is-picked").count()
    button = ada.page.locator("#choice .primary")
    assert gesture["l"] in button.all_inner_texts()
    before = ada.decision()
    ada.page.keyboard.press("Escape")
    assert ada.page.is_hidden("#choice")
    ada.page.click("[data-e=p7]")
    ada.page.wait_for_selector("#toast:not([hidden]) a[href*='#FBL-']")
    assert ada.decision() == before


def test_a_hand_is_played_with_the_keyboard_alone(person: Come) -> None:
    ada = person()
    ada.host("firebulls", "me", *BOTS[:1], players="2")
    assert ada.turn()
    before = ada.decision()
    ada.page.keyboard.press("b")
    for _ in range(40):
        ada.page.keyboard.press("n")
        if ada.page.evaluate("document.activeElement.dataset.e").startswith("reserve-"):
            break
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    assert ada.page.evaluate(ring) == "solid"
    ada.page.keyboard.press("Enter")
    ada.changed(before)


@pytest.mark.parametrize(("language", "touch"), [("en", False), ("fr", True)])
def test_axe_finds_nothing(person: Come, language: str, touch: bool) -> None:
    ada, rng = person(language, touch=touch), random.Random(2)
    ada.host("firebulls", "me", *BOTS[:1], players="2")
    assert ada.turn()
    found = list(check(ada, "beginning", board=True))
    for _ in range(12):
        if not ada.turn():
            break
        gestures = ada.facts()["gestures"]["gestures"]
        attack = next((gesture for gesture in gestures if gesture.get("p")), None)
        if attack and len(attack["s"]) == 2:
            ada.press(f'[data-e="{attack["s"][0][0]}"]')
            found += check(ada, "choosing", board=True)
            break
        ada.make(choose(rng, gestures))
    ada.resign()
    assert found == []
