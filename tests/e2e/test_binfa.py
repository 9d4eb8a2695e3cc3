"""Bin'Fa in the browser: a duel at level 1, three players at level 4 who plot in private.

Also set-ups, and maps that somebody writes.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

import tianxia
from tests.e2e.people import Person
from tests.e2e.test_access import check
from tests.e2e.test_talk import hears, say

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
BOT = "bot:quartermaster"
MAP = "#table input[id$='-map']"
SECRET = "We strike Green at the second roll"


def choose(rng: random.Random, gestures: list[dict[str, Any]]) -> dict[str, Any]:
    """Take and attack where it is possible, and do not roll for ever."""
    told = [gesture for gesture in gestures if gesture.get("p")]
    stop = [gesture for gesture in gestures if gesture["s"] == [["stop"]]]
    return rng.choice(told or stop or gestures)


def play_on(rng: random.Random, *people: Person, most: int = 1000) -> int:
    """Play for some people until the game is over, or so many decisions are made."""
    made = 0
    while made < most:
        for one in people:
            facts = one.facts()
            if facts["status"] == "over":
                return made
            if facts["gestures"].get("arrangement"):
                one.set_up(rng.randint(1, 5))
                made += 1
            elif "yourTurn" in facts:
                one.make(choose(rng, facts["gestures"]["gestures"]))
                made += 1
        people[0].page.wait_for_timeout(20)
    return made


def test_a_duel_at_level_1_is_played_to_its_end_on_a_phone(person: Come) -> None:
    ada, rng = person("fr", touch=True), random.Random(1)
    ada.open_game("binfa", "me", BOT, level="1", turns="12")
    assert ada.page.locator("[data-e^='c-']").count() == 0  # no ring before level 3
    assert play_on(rng, ada) > 0  # dice decide how many: his first turn may take long
    state = tianxia.replay(ada.download())
    assert state.over
    assert ada.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert ada.page.inner_text("#status")


def test_three_at_level_4_and_what_two_of_them_say_in_private(person: Come) -> None:
    ada, bob, eve, rng = (
        person(record=True),
        person(touch=True),
        person(record=True),
        random.Random(2),
    )
    table = ada.open_game("binfa", "me", "open", BOT, level="4", players="3", turns="6")
    eve.go(table)
    eve.at_table()
    bob.take_seat(table, "Bob")
    for one in (ada, bob, eve):
        one.page.wait_for_selector("#table[data-status=playing]")
    for one in (ada, bob):
        one.tab("talk")
    ada.page.wait_for_selector("#talk-form")
    say(ada, SECRET)  # a bot hears nothing: these words are between the two
    hears(bob, SECRET)
    bob.shut()
    assert play_on(rng, ada, bob) > 2  # dice decide how many
    eve.page.wait_for_selector("#table[data-status=over]")
    received = "".join([*eve.kept, *eve.bodies(), *eve.frames, eve.page.content()])
    assert SECRET not in received
    record = ada.download()
    assert SECRET not in record
    assert tianxia.replay(record).over


def test_odds_are_told_before_an_attack_and_refusals_are_explained(person: Come) -> None:
    ada = person()
    ada.host("binfa", "me", BOT, level="1")
    assert ada.turn()
    before = ada.decision()
    own = ada.facts()["gestures"]["arrangement"]["slots"][0]
    foreign = next(
        name
        for name in ("r5", "o5", "y5", "g5", "b5", "p5")
        if name[0] != own[0] and not ada.page.locator(f'[data-e="{name}"].is-lit').count()
    )
    ada.page.click(f'[data-e="{foreign}"]')
    ada.page.wait_for_selector("#toast:not([hidden]) a[href*='#BIN-']")
    assert ada.decision() == before


def piles(one: Person) -> dict[str, int]:
    """Return what has been laid out: how many units on which triangle."""
    found = one.page.eval_on_selector_all(
        "#draft .piece", "nodes => nodes.map(n => [n.dataset.at, Number(n.textContent)])"
    )
    return dict(found)


@pytest.mark.parametrize("touch", [False, True])
def test_a_ready_set_up_is_changed_and_sent(person: Come, touch: bool) -> None:
    ada, bob = person(touch=touch), person()  # a bot might play on before the board is read
    bob.join(ada.host("binfa", "me", "open", level="1"), "Bob")
    for one in (ada, bob):
        assert one.turn()
        one.page.wait_for_selector("#tray button")
    army = ada.facts()["gestures"]["arrangement"]["slots"][0][0]
    for _ in range(3):
        ada.press(f'[data-e="{army}1"]')  # each click puts one unit more there
    assert piles(ada) == {f"{army}1": 3}
    ada.press("#tray-ready")  # too early
    ada.page.wait_for_selector("#toast:not([hidden])")
    assert ada.page.is_hidden("#tray-presets")  # until there is a set-up of one's own
    ada.press("#tray [title='The phalanx']")
    assert ada.page.is_hidden("#toast")  # what it said holds no more
    assert piles(ada) == {f"{army}{place}": 4 for place in (6, 7, 8)}
    ada.press(f'[data-e="{army}7"]')  # all stand: now a click picks a pile up
    ada.press(f'[data-e="{army}13"]')
    assert piles(ada) == {f"{army}6": 4, f"{army}8": 4, f"{army}13": 4}
    for _ in range(3):
        ada.press("[data-more='-1']")
    assert piles(ada) == {f"{army}6": 4, f"{army}7": 3, f"{army}8": 4, f"{army}13": 1}
    ada.page.reload()
    ada.at_table()
    ada.page.wait_for_selector("#draft .piece")
    assert piles(ada) == {f"{army}6": 4, f"{army}7": 3, f"{army}8": 4, f"{army}13": 1}
    before = ada.decision()
    ada.press("#tray-ready")
    ada.changed(before)
    bob.set_up()
    ada.until("document.querySelector('#board-text pre').textContent.includes('rolls')")
    stands = ada.position()
    for height in (4, 3, 1):
        assert f"{army.upper()}{height}" in stands


def laid_by_drag(one: Person, kind: int, place: str) -> None:
    """Drag something from the tray to a triangle."""
    mouse = one.page.mouse
    for selector, act in ((f"[data-kind='{kind}']", mouse.down), (f'[data-e="{place}"]', mouse.up)):
        box = one.page.locator(selector).bounding_box()
        mouse.move(box["x"] + box["width"] / 2, box["y"] + 0.6 * box["height"], steps=5)
        act()


def standing(one: Person, place: str) -> str:
    """Return what stands on a triangle, as screen readers hear it."""
    label: str = one.page.get_attribute(f'[data-e="{place}"]', "aria-label")
    return label.partition(": ")[2]


def test_a_formation_is_dragged_and_its_piles_march_as_one(person: Come) -> None:
    ada, bob, rng = person(), person(), random.Random(4)
    bob.join(ada.host("binfa", "me", "open", level="1"), "Bob")
    for one in (ada, bob):
        one.page.wait_for_selector("#tray button")
    army = ada.facts()["gestures"]["arrangement"]["slots"][0][0]
    laid_by_drag(ada, 1, f"{army}12")  # the phalanx, in the last row instead of the third
    assert piles(ada) == {f"{army}{place}": 4 for place in (11, 12, 13)}
    before = ada.decision()
    ada.press("#tray-ready")
    ada.changed(before)
    bob.set_up()
    while not ada.facts()["gestures"].get("together"):
        play_on(rng, ada, bob, most=1)
    before, stood = ada.decision(), ada.position()
    for pile in list(ada.facts()["gestures"]["ahead"])[:2]:
        ada.page.locator(f'[data-e="{pile}"]').click(modifiers=["Shift"])
    ada.page.wait_for_selector(".is-target, .is-ahead")
    ada.page.locator(".is-target, .is-ahead").first.click()
    ada.page.wait_for_selector("#choice .primary")
    ways = re.findall(r"(\w+) → (\w+)", ada.page.inner_text("#choice .primary"))
    assert len(ways) == 2
    heights = [standing(ada, origin) for origin, _ in ways]
    assert (ada.decision(), ada.position()) == (before, stood)  # a plan is nobody's yet
    ada.press("#choice .primary")
    ada.changed(before)
    assert [standing(ada, end) for _, end in ways] == heights


def test_a_map_is_pasted_played_on_and_copied(person: Come) -> None:
    ada = person()
    ada.go("/new/binfa")
    ada.page.wait_for_selector("#own-map", timeout=60_000)
    ada.page.fill("#nickname", "Ada")
    ada.page.select_option("#seat1", "open")
    ada.choose("level", "4")
    ada.page.fill("#own-map", "r6,r6/r13,y13,b13")
    ada.press("form button.primary")
    ada.page.wait_for_selector("#pending")
    assert "r6 stands twice" in ada.page.inner_text("#pending")
    assert ada.page.input_value("#own-map") == "r6,r6/r13,y13,b13"
    assert ada.page.input_value("#seat1") == "open"
    ada.page.fill("#own-map", "o6 R6 / b13, y13, r13")
    ada.page.select_option("#seat1", BOT)
    ada.press("form button.primary")
    ada.at_table()
    ada.tab("details")
    ada.page.wait_for_selector(MAP)
    assert ada.page.input_value(MAP) == "r6,o6/r13,y13,b13"
    assert ada.page.locator("#board use[href='#binfa-terrain']").count() == 2
    assert ada.page.locator("#board use[href='#binfa-pool']").count() == 3
    ada.open_game("binfa", "me", BOT, map="citadel")
    ada.tab("details")
    ada.page.wait_for_selector(MAP)
    text = ada.page.input_value(MAP)
    assert tianxia.game("binfa", map=text).new().fields["terrain"].tolist()


def test_newcomers_begin_at_level_1_and_read_only_its_rules(person: Come) -> None:
    ada = person()
    ada.go("/new/binfa")
    ada.page.wait_for_selector(".first-game a", timeout=60_000)
    ada.page.wait_for_selector("[name=option-level][value='1']:checked", state="attached")
    ada.page.fill("#nickname", "Ada")
    assert ada.page.locator("#pace-hint").is_hidden()  # no clock is chosen
    ada.page.select_option("#pace", "300+5")
    assert ada.page.locator("#pace-hint").is_visible()
    ada.page.select_option("#pace", "")
    assert ada.page.locator("#pace-hint").is_hidden()
    ada.press("form button.primary")
    ada.at_table()
    ada.go(str(ada.page.get_attribute("a[href^='/rules/binfa?']", "href")))
    assert ada.page.locator("#BIN-13").count() == 1
    assert ada.page.locator("#BIN-21a, #BIN-24, #BIN-39a").count() == 0


@pytest.mark.parametrize(("language", "touch"), [("en", False), ("fr", True)])
def test_axe_finds_nothing(person: Come, language: str, touch: bool) -> None:
    ada, rng = person(language, touch=touch), random.Random(3)
    ada.host("binfa", "me", BOT, level="4")
    assert ada.turn()
    found = list(check(ada, "beginning", board=True))
    play_on(rng, ada, most=6)
    while not ada.turn():  # dice decide how long a duel lasts, and one of these was over
        ada.host("binfa", "me", BOT, level="4")
        play_on(rng, ada, most=6)
    found += check(ada, "later", board=True)
    ada.resign()
    assert found == []
