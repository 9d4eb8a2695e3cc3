"""China in the browser: four at a table, two and the Emperor, what is shown of the score."""

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
BOT = "bot:courtier"


def choose(rng: random.Random, gestures: list[dict[str, Any]]) -> dict[str, Any]:
    """Build where it is possible, then take open cards; now and then do something else."""
    building = [gesture for gesture in gestures if len(gesture["s"]) > 1]
    if building and rng.random() < 0.8:
        return rng.choice(building)
    return rng.choice(gestures)


def play_on(rng: random.Random, *people: Person, decisions: int) -> None:
    """Make so many decisions for some people in their browsers."""
    while decisions > 0:
        for one in people:
            if "yourTurn" in one.facts():
                one.make(choose(rng, one.facts()["gestures"]["gestures"]))
                decisions -= 1
        people[0].page.wait_for_timeout(20)


def totals(one: Person) -> list[int]:
    """Return the last column of the score sheet."""
    cells = one.page.locator("#panel-players .ch-score tbody tr td:last-child").all_inner_texts()
    return [int(cell) for cell in cells]


def test_four_play_to_the_score_sheet(person: Come) -> None:
    ada, bob = person(), person("fr", touch=True)
    rng = random.Random(1)
    table = ada.open_game("china", "me", "open", BOT, BOT, players="4")
    bob.take_seat(table, "Bob")
    for one in (ada, bob):
        one.page.wait_for_selector("#table[data-status=playing]")
    play_on(rng, ada, bob, decisions=12)
    for one in (ada, bob):
        one.go("/about")  # pages are drawn for nobody while the rest is decided at random
    while ada.play_unseen(table, rng) != "over":
        bob.play_unseen(table, rng)
        ada.page.wait_for_timeout(20)
    for one in (ada, bob):
        one.go(table)
    state = tianxia.replay(ada.download())
    assert state.over
    for one in (ada, bob):
        one.page.wait_for_selector("#table[data-status=over]")
        assert totals(one) == [int(score) for score in state.scores()]
    assert "has won" in ada.page.inner_text("#table") or "share" in ada.page.inner_text("#status")
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_two_play_with_the_emperor(person: Come) -> None:
    ada, rng = person(touch=True), random.Random(2)
    ada.open_game("china", "me", BOT, players="2")
    placed = 0
    while ada.turn():
        gestures = ada.facts()["gestures"]["gestures"]
        imperial = [g for g in gestures if "imperial-" in str(g["s"])]
        placed += bool(imperial)
        ada.make(rng.choice(imperial) if imperial else choose(rng, gestures))
    assert placed > 3
    state = tianxia.replay(ada.download())
    assert state.over
    assert totals(ada) == [int(score) for score in state.scores()]


def test_a_space_is_built_on_by_card_or_at_once_and_refusals_are_explained(person: Come) -> None:
    ada = person()
    ada.host("china", "me", BOT, players="2", board="A")
    assert ada.turn()
    while not any("card-" in str(g["s"][0]) for g in ada.facts()["gestures"]["gestures"]):
        ada.make(ada.facts()["gestures"]["gestures"][0])
        assert ada.turn()
    gestures = ada.facts()["gestures"]["gestures"]
    building = next(g for g in gestures if "card-" in str(g["s"][0]) and len(g["s"]) == 2)
    step = building["s"][0]
    card = step[0] if isinstance(step, list) else step["set"][0]
    ada.page.click(f'[data-e="{card}"]')
    assert ada.page.locator("#board .is-target").count() > 0
    ada.page.keyboard.press("Escape")
    # An emissary is not sent where nobody has built.
    before = ada.decision()
    taken = ada.page.eval_on_selector_all(
        "[data-e^=dragon-]:not(.is-lit)", "nodes => nodes.map(n => n.dataset.e)"
    )
    ada.page.click(f'[data-e="{taken[0]}"]')
    ada.page.wait_for_selector("#toast:not([hidden]) a[href*='#CHI-']")
    assert ada.decision() == before


@pytest.mark.parametrize(("language", "touch"), [("en", False), ("fr", True)])
def test_axe_finds_nothing(person: Come, language: str, touch: bool) -> None:
    ada, rng = person(language, touch=touch), random.Random(3)
    ada.host("china", "me", BOT, BOT, players="3", fortifications="yes", tiles="yes")
    assert ada.turn()
    found = list(check(ada, "beginning", board=True))
    for _ in range(6):
        assert ada.turn()
        ada.make(choose(rng, ada.facts()["gestures"]["gestures"]))
    found += check(ada, "later", board=True)
    ada.resign()
    assert found == []
