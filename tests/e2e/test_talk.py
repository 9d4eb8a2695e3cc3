"""Three players and somebody who watches talk, plot and fall out in their browsers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.e2e.people import MUST_BE, Person
from tests.e2e.server import Server
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
SECRET = "Meet me by the old well"


@dataclass
class Round:
    """A table of three, and whoever watches."""

    path: str
    ada: Person
    bob: Person
    cat: Person
    eve: Person

    @property
    def others(self) -> tuple[Person, Person]:
        """Whom Ada and Bob do not speak to."""
        return self.cat, self.eve


@pytest.fixture
def round_table(person: Come, server: Server) -> Round:
    ada, bob, cat, eve = person(), person("fr", touch=True), person(theme="dark"), person("fr")
    ada.host("firebulls", "me", "open", "open", players="3")
    for seat, one, name in ((1, bob, "Bob"), (2, cat, "Cat")):
        one.join(ada.path, name, seat)
        one.page.wait_for_selector("#talk-form", state="attached")
    eve.go(ada.path)
    eve.at_table()
    for one in (ada, bob, cat):
        one.page.wait_for_selector("#table[data-status=playing]")
        one.until(f"document.querySelectorAll('#talk .chip').length === {3}")
        one.tab("talk")
    return Round(ada.path, ada, bob, cat, eve)


def say(one: Person, text: str, *to: int, pact: bool = False) -> None:
    for seat in to:
        one.press(f'[data-to="{seat}"]')
    one.page.fill("#talk-text", text)
    one.press(f"#talk-form button{'[value=pact]' if pact else '.primary'}")
    one.until("document.getElementById('talk-text').value === ''")
    if to:
        one.press("[data-to=all]")


def knows_who_watches(one: Person) -> None:
    """Wait for the push that tells of Eve: it comes some seconds after her."""
    while not any('"guests":1' in frame for frame in one.frames):  # pytest sets the limit
        one.page.wait_for_timeout(25)


def hears(one: Person, text: str) -> None:
    one.page.wait_for_selector(f"#talk-log li:has-text({json.dumps(text)})")


def nothing_to_read(one: Person) -> bool:
    """Say whether no tab leads to talk, and none would be in it."""
    hidden: bool = one.page.evaluate("document.getElementById('talk').hidden")
    return hidden and one.page.locator("#tab-talk").is_hidden()


def test_whom_one_speaks_to_and_nobody_else(round_table: Round) -> None:
    ada, bob = round_table.ada, round_table.bob
    say(ada, "Good game!")
    for one in (ada, bob, round_table.cat):
        hears(one, "Good game!")
    assert nothing_to_read(round_table.eve)
    round_table.cat.until("!document.querySelector('#talk .is-new')")  # it has been read
    for one in round_table.others:
        knows_who_watches(one)
    pages = [one.page.inner_html("body") for one in round_table.others]
    pushes = [len(one.frames) for one in round_table.others]
    say(ada, SECRET, 1)
    hears(bob, SECRET)
    say(bob, SECRET + ", Ada", 0, pact=True)
    hears(ada, SECRET + ", Ada")
    ada.press("#talk-pacts .button.primary")
    bob.page.wait_for_selector("#talk-pacts [data-talk=mark-pact]")
    ada.page.wait_for_timeout(300)
    assert [one.page.inner_html("body") for one in round_table.others] == pages
    assert [len(one.frames) for one in round_table.others] == pushes
    for one in round_table.others:
        one.page.reload()
        one.at_table()
        assert SECRET not in one.page.content() + "".join(one.frames)
    bob.page.reload()
    bob.at_table()
    bob.tab("talk")
    hears(bob, SECRET)
    assert "Ada à vous" in bob.page.inner_text("#talk-log")
    assert "You to Bob" in ada.page.inner_text("#talk-log")


def test_by_keyboard_alone(round_table: Round) -> None:
    ada, keys = round_table.ada, round_table.ada.page.keyboard
    keys.press("t")
    assert ada.page.evaluate("document.activeElement.id") == "talk-text"
    keys.type("one")
    keys.press("Shift+Enter")
    keys.type("two")
    keys.press("Enter")
    ada.until("document.getElementById('talk-text').value === ''")
    hears(round_table.cat, "one")
    assert round_table.cat.page.inner_text("#talk-log .talk-text") == "one\ntwo"
    for _ in range(2):
        keys.press("Shift+Tab")
    keys.press("Space")
    assert ada.page.get_attribute('[data-to="1"]', "aria-pressed") == "true"
    assert ada.page.inner_text("#talk-readers") == "Only Bob and you read this."
    keys.press("Tab")
    keys.press("Tab")
    keys.type(SECRET)
    keys.press("Enter")
    hears(round_table.bob, SECRET)
    ada.until("document.getElementById('talk-text').value === ''")
    keys.press("Escape")
    assert ada.page.evaluate("document.activeElement.id") == "tab-talk"


def test_what_is_new_is_marked_until_it_was_in_sight(round_table: Round) -> None:
    ada, bob = round_table.ada, round_table.bob
    bob.shut()
    say(ada, "first")
    say(ada, "second")
    bob.page.wait_for_selector("#tab-talk .tab-count:not([hidden])")
    bob.until("document.querySelectorAll('.talk-line.is-new').length === 2")
    bob.until("document.title.startsWith('(2) ')")
    assert bob.page.inner_text("#tab-talk .tab-count") == "2"
    words = bob.page.get_attribute("#tab-talk .tab-count", "title")
    assert words == "Nouveaux messages\xa0: 2"
    log = bob.page.locator("#talk-log")
    assert log.get_attribute("role") == "log"
    assert log.get_attribute("aria-live") == "polite"
    bob.tab("talk")
    bob.page.wait_for_selector(".talk-line.is-new", state="detached")
    assert bob.page.locator("#tab-talk .tab-count").is_hidden()
    assert not bob.page.title().startswith("(")
    bob.page.reload()
    bob.at_table()
    assert bob.page.locator(".talk-line.is-new").count() == 0
    assert bob.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_pacts(round_table: Round) -> None:
    ada, bob = round_table.ada, round_table.bob
    say(ada, "No fight before the river", 1, pact=True)
    assert "waits for Bob" in ada.page.inner_text("#talk-pacts")
    bob.page.wait_for_selector("#talk-pacts")
    assert "Un pacte n’engage personne" in bob.page.inner_text("#talk-pacts")
    bob.press("#talk-pacts .button.primary")
    ada.page.wait_for_selector("[data-talk=mark-pact]")
    ada.press("[data-talk=mark-pact] >> nth=1")
    ada.page.wait_for_selector("[data-talk=mark-pact][aria-pressed=true]")
    bob.page.wait_for_selector("#talk-pacts :text('rompu, dit Ada')")
    assert ada.page.evaluate("document.activeElement.dataset.talk") == "mark-pact"
    assert round_table.cat.page.locator("#talk-pacts").count() == 0


def test_refusals_stand_by_what_was_written(round_table: Round) -> None:
    ada = round_table.ada
    ada.page.fill("#talk-text", "🀄" * 501)
    assert ada.page.inner_text("#talk-left") == "Characters left: -1"
    ada.press("#talk-form .primary")
    ada.page.wait_for_selector("#talk-problem:not([hidden])")
    assert "501 characters; up to 500" in ada.page.inner_text("#talk-problem")
    assert ada.page.input_value("#talk-text") == "🀄" * 501
    for number in range(10):
        say(ada, f"<img src=x onerror=alert({number})>")
    ada.page.fill("#talk-text", "eleven")
    ada.press("#talk-form .primary")
    ada.page.wait_for_selector("#talk-problem:has-text('Too many messages')")
    hears(round_table.cat, "onerror=alert(9)")
    assert round_table.cat.page.locator("#talk img").count() == 0


def test_muting_is_for_oneself(round_table: Round) -> None:
    ada, cat = round_table.ada, round_table.cat
    say(cat, "noise")
    hears(ada, "noise")
    ada.press("#talk-more summary")
    ada.press("#mute-2")
    ada.page.wait_for_selector("#hear-2")
    ada.page.wait_for_selector("#talk-log li:has-text('noise')", state="detached")
    knows_who_watches(ada)
    frames = len(ada.frames)
    say(cat, "more noise")
    hears(round_table.bob, "more noise")
    assert len(ada.frames) == frames
    assert ada.page.evaluate("document.activeElement.id") == "hear-2"
    ada.press("#hear-2")
    hears(ada, "more noise")


def test_after_the_game_talk_is_opened_by_those_who_read_it(round_table: Round) -> None:
    ada, bob, eve = round_table.ada, round_table.bob, round_table.eve
    say(ada, "for all")
    say(ada, SECRET, 1)
    hears(bob, SECRET)
    assert ada.page.locator("[data-talk=open-talk]").is_hidden()
    bob.shut()
    ada.press("[data-post=offer-draw]")
    for one in (bob, round_table.cat):
        one.press("#offer .primary")
    for one in (ada, bob):
        one.page.wait_for_selector("#table[data-status=over]")
        assert nothing_to_read(eve)
        one.tab("talk")
        one.press("[data-talk=open-talk]")
        one.press("#open-talk-dialog [value=yes]")
        one.page.wait_for_selector("[data-talk=open-talk]", state="detached")
    eve.tab("talk")  # which is there now
    hears(eve, SECRET)
    assert "for all" not in eve.page.inner_text("#talk")
    assert eve.page.locator("#talk-form").count() == 0
    assert eve.page.locator("#talk").is_visible()


@pytest.mark.timeout(int(10 * MUST_BE))
def test_axe_finds_nothing(round_table: Round) -> None:
    ada, bob = round_table.ada, round_table.bob
    say(ada, "for all")
    say(ada, SECRET, 1, pact=True)
    bob.press("#talk-pacts .button.primary")
    ada.page.wait_for_selector("[data-talk=mark-pact]")
    ada.press("[data-talk=mark-pact] >> nth=0")
    found: list[str] = []
    for one in (ada, bob, round_table.cat):
        one.press("#talk-more summary")
        found += check(one, f"talk ({one.language})")
    assert found == []
