"""Sun Tzu in the browser: orders laid at the same time, fights told step by step, the sheet."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

import tianxia
from tests.e2e.people import DESK, Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
PROVINCES = ("Qin", "Chu", "JinYan", "HanQi", "Wu")
SHORT = {"deck": "beginner", "strategies": "no"}
TELLING = "!document.getElementById('step-bar').hidden"
FOLLOW = f"""told = [], following = setInterval(() => {{
    if (!({TELLING})) return;
    told.push(document.getElementById("status").innerText);
    document.getElementById("step-next").click();
}}, 10)"""
"""Go through what is told step by step, sooner than it goes on by itself."""
QUIET = "document.querySelector('#table-page:not([data-telling]) #table:not([aria-busy])')"
"""Nothing is told, and the answer to one's own last click has come."""


def sit_down(one: Person, table: str) -> None:
    """Take the free seat of a friend's table."""
    one.join(table, "Bob")
    one.page.wait_for_selector('#table[data-viewer="1"]')
    one.at_table()


def lay(one: Person, *cards: str) -> None:
    """Lay cards from Qin on, by clicks."""
    for card, province in zip(cards, PROVINCES, strict=False):
        one.press(f'[data-e="card-{card}"]')
        one.press(f'[data-e="{province}"]')
        one.confirm()


def send(one: Person, *cards: str) -> None:
    """Lay five cards and send them."""
    one.page.wait_for_selector("#tray-ready")
    lay(one, *cards)
    one.press("#tray-ready")


def laid(one: Person) -> list[str]:
    """Return what lies on the map before it is sent, card by card."""
    found: list[str] = one.page.eval_on_selector_all(
        "#draft use", "nodes => nodes.map(n => `${n.dataset.at} ${n.getAttribute('href')}`)"
    )
    return found


def heard(one: Person) -> bool:
    """Wait for the end of what is told; say whether it is this person's turn."""
    asked = "document.querySelector('#table[data-your-turn], #table[data-status=over]')"
    one.until(f"{QUIET} && {asked}")
    return "yourTurn" in one.facts()


def test_both_lay_at_the_same_time_and_follow_the_fights(person: Come) -> None:
    ada, bob = person(hurried=False), person("fr", touch=True)
    table = ada.host("suntzu", "me", "open", **SHORT)
    sit_down(bob, table)
    ada.until("document.querySelector('#tray-ready') !== null")
    heard(ada)
    heard(bob)

    lay(ada, "5", "4", "3")
    assert laid(ada) == ["Qin #suntzu-b-5", "Chu #suntzu-b-4", "JinYan #suntzu-b-3"]
    # What lies can be moved, and taken back into the hand.
    ada.page.click('[data-e="Qin"]')
    ada.page.click('[data-e="Chu"]')
    assert laid(ada)[:2] == ["Qin #suntzu-b-4", "Chu #suntzu-b-5"]
    ada.page.focus('[data-e="JinYan"]')
    ada.page.keyboard.press("Delete")
    assert len(laid(ada)) == 2
    ada.page.click("#tray-ready")
    assert "3" in ada.page.inner_text("#toast")
    # A card can be dragged to its province.
    ada.page.drag_and_drop('[data-e="card-1"]', '[data-e="Wu"]')
    assert laid(ada)[-1] == "Wu #suntzu-b-1"
    # The rules refuse with the number of their statement.
    ada.page.click('[data-e="card-2"]')
    ada.page.click('[data-e="aside"]')
    ada.page.wait_for_selector("#toast a[href='/rules/suntzu#SUN-27']")
    ada.page.keyboard.press("Escape")

    before = bob.page.inner_html("#board")
    ada.page.click("#go-tray .button:not(.primary)")  # begin anew
    assert laid(ada) == []
    send(ada, "4", "5", "3", "2", "1")
    ada.page.wait_for_selector("#table:not([data-your-turn])")
    bob.page.wait_for_selector("#seat-0 .seat-state:has-text('prêt')")
    after = bob.page.inner_html("#board")
    assert after.count("#suntzu-b-0") == before.count("#suntzu-b-0") + 5
    assert "suntzu-b-4" not in after

    ada.page.evaluate(FOLLOW)
    send(bob, "1", "2", "3", "4", "5")
    heard(ada)
    told = ada.page.evaluate("clearInterval(following) ?? told")
    turned = [text.partition(":")[0] for text in told if ": Sun Tzu" in text]
    assert turned == ["Qin", "Chu", "Jin-Yan", "Han-Qi", "Wu"]
    assert len([one for one in told if one.startswith("Qin")]) == 1
    lines = ada.page.text_content("#log") or ""
    assert all(f"{name}: Sun Tzu" in lines for name in turned)

    ada.menu("#again")
    ada.until(TELLING)
    assert ada.page.locator("#board .sz-fought").count() == 0
    ada.press("#step-end")
    heard(ada)
    assert heard(bob)


def test_a_whole_game_is_played_to_its_sheet(person: Come) -> None:
    ada, rng = person(touch=True), random.Random(5)
    ada.open_game("suntzu", "me", "bot:random", **SHORT)
    while heard(ada):
        before = ada.decision()
        gestures = ada.facts()["gestures"]
        if gestures["arrangement"]:
            send(ada, *rng.sample(["1", "2", "3", "4", "5"], 5))
        else:
            for step in rng.choice(gestures["gestures"])["s"]:
                ada.press(f'[data-e="{step[0]}"]')
                ada.confirm()
        ada.changed(before)

    assert ada.facts()["status"] == "over"
    sheet = ada.page.inner_text("#panel-sheet")
    assert "Round 3" in sheet
    assert "Points in this round" in sheet
    state = tianxia.replay(ada.download())
    assert state.over
    last = ada.position()
    ada.page.set_viewport_size(DESK)  # a phone has a slider only
    ada.page.click("[data-step=first]")
    ada.until("document.getElementById('table').dataset.ply === '0'")
    ada.page.click("[data-step=next]")
    ada.until("document.getElementById('table').dataset.ply !== '0'")
    assert ada.page.locator("#log .is-now").count() == 1
    ada.page.click("[data-step=last]")
    ada.until("!('ply' in document.getElementById('table').dataset)")
    assert ada.position() == last


def test_what_a_resting_mouse_asks_covers_no_card_of_the_hand(person: Come) -> None:
    ada = person()
    ada.host("suntzu", "me", "open", **SHORT)
    sit_down(bob := person(), ada.path)
    heard(ada)
    heard(bob)
    ada.page.wait_for_selector("#tray-ready")
    ada.page.hover('[data-e="card-1"]')
    ada.page.wait_for_selector("#ask-card:not([hidden])")
    for card in ("2", "3"):
        ada.page.click(f'[data-e="card-{card}"]', timeout=5000)
        ada.page.wait_for_timeout(700)  # a click is not answered by a card
        assert ada.page.is_hidden("#ask-card")
        ada.page.keyboard.press("Escape")
        ada.page.hover('[data-e="card-1"]')
        ada.page.wait_for_selector("#ask-card:not([hidden])")


def test_an_answer_in_advance_is_given_and_revoked(person: Come) -> None:
    ada = person()
    ada.host("suntzu", "me", "bot:random")
    assert heard(ada)
    ada.press('[data-e="S5"]')
    assert heard(ada)
    switch = "#standing-keep-around-fights"
    assert ada.page.get_attribute(switch, "aria-checked") == "false"
    ada.page.wait_for_selector("#table-page[data-asks]")
    ada.page.hover(switch)  # what it is for
    ada.page.wait_for_selector("#ask-card:not([hidden])")
    assert "you are not asked whether to play" in ada.page.inner_text("#ask-card")
    ada.press(switch)
    ada.page.wait_for_selector(f"{switch}[aria-checked=true]")
    send(ada, "1", "2", "3", "4", "5")
    heard(ada)
    assert "plays no strategy card" in (ada.page.text_content("#log") or "")
    ada.press(switch)
    ada.page.wait_for_selector(f"{switch}[aria-checked=false]")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_axe_finds_nothing(person: Come, language: str) -> None:
    ada, bob = person(language), person(language, touch=True)
    found: list[str] = []
    table = ada.open_game("suntzu", "me", "open", events="yes")
    sit_down(bob, table)
    assert heard(ada)
    found += check(ada, "choosing", board=True)
    for one, card in ((ada, "S5"), (bob, "K2")):
        assert heard(one)
        one.press(f'[data-e="{card}"]')
    for one in (ada, bob):
        one.page.wait_for_selector("#tray-ready")
        heard(one)
    lay(bob, "1", "2")
    found += check(bob, "laying", board=True)
    bob.resign()
    ada.page.wait_for_selector("#stepper")
    found += check(ada, "over", board=True)
    assert found == []
