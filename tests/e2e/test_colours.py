"""Colours in the browser: chosen in the form of a new table, and by friends who sit down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
BOT = "bot:novice"


def colours(page: Any, seats: int) -> list[str]:
    """Return what the form says of the first seats, and see that its marks say the same."""
    found = []
    for seat in range(seats):
        field = page.locator(f"[name=colour{seat}]")
        army = field.evaluate("node => node.selectedOptions[0].dataset.army ?? ''")
        mark = field.locator("xpath=..").locator("use").get_attribute("href")
        assert mark == f"#army-{army}"
        found.append(field.input_value())
    return found


def marks(person: Person) -> list[str]:
    """Return the armies of the seats as their plates show them."""
    plates = person.page.locator(".seat > .mark use")
    return [str(one.get_attribute("href")) for one in plates.all()]


def offered(person: Person) -> list[str]:
    """Return what somebody can sit down as."""
    return [text.strip() for text in person.page.locator("#sit-form button").all_inner_texts()]


def sit(person: Person, colour: str) -> None:
    """Sit down as a colour."""
    person.page.fill("#sit-name", colour.title())
    with person.page.expect_navigation():
        person.page.click(f"#sit-form [data-colour='{colour}']")
    person.at_table()


@pytest.mark.parametrize(
    ("game", "usual", "mine", "swapped", "free", "army"),
    [
        ("firebulls", "brown", "brown", "blue", ["Yellow", "Red", "Green"], "cinnabar"),
        ("china", "violet", "violet", "blue", ["Green", "Red", "Yellow"], "cinnabar"),
    ],
)
def test_the_host_and_a_friend_choose_colours(
    person: Come, game: str, usual: str, mine: str, swapped: str, free: list[str], army: str
) -> None:
    ada, bob, eve = person(), person("en", touch=True), person()
    ada.go(f"/new/{game}")
    ada.page.check("[name=option-players][value='3']")
    assert colours(ada.page, 3)[2] == usual
    ada.page.select_option("[name=colour0]", mine)
    assert colours(ada.page, 3)[0] == mine
    assert colours(ada.page, 3)[2] == swapped  # who had it gets what she had
    ada.page.fill("#nickname", "Ada")
    ada.page.select_option("#seat1", "open")
    ada.page.select_option("#seat2", BOT)
    ada.page.click("form button.primary")
    ada.at_table()
    before = marks(ada)
    for guest in (bob, eve):
        guest.go(ada.path)
        guest.at_table()
        assert offered(guest) == [f"Play {colour}" for colour in free]
    sit(bob, "red")
    for one in (ada, eve):
        one.until("document.getElementById('sit-form') === null")
        one.until(f"document.querySelector('.seat > .mark use[href=\"#army-{army}\"]')")
    assert before != marks(ada)
    assert sorted(marks(ada)) == sorted(marks(bob)) == sorted(marks(eve))
    assert offered(eve) == []
    eve.page.reload()
    eve.at_table()
    assert f"#army-{army}" in marks(eve)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_who_waits_changes_the_colour(person: Come, language: str) -> None:
    ada, bob = person(language, touch=True), person(language)
    ada.go("/new/firebulls")
    ada.page.fill("#nickname", "Ada")
    ada.page.select_option("#seat1", "open")
    ada.page.click("form button.primary")
    ada.at_table()
    bob.go(ada.path)
    bob.at_table()
    assert [*check(ada, "an invitation with colours")] == []
    ada.press("#recolour button[data-body*='green']")
    for one in (ada, bob):
        one.until("document.querySelector('.seat > .mark use[href=\"#army-jade\"]')")
    bob.until("document.querySelector('#sit-form [data-colour=green]') === null")
    assert ada.page.locator("#recolour button[data-body*='green']").count() == 0


def test_in_binfa_a_colour_is_drawn_unless_it_was_chosen(person: Come) -> None:
    ada, bob = person(), person("fr", touch=True)
    ada.go("/new/binfa")
    assert colours(ada.page, 2) == ["", ""]
    ada.page.select_option("[name=colour0]", "green")
    ada.page.select_option("#seat1", "open")
    ada.choose("level", "1")
    ada.page.fill("#nickname", "Ada")
    ada.page.click("form button.primary")
    ada.at_table()
    bob.go(ada.path)
    bob.at_table()
    assert len(offered(bob)) == 6  # drawn, and five colours
    assert [*check(bob, "an invitation")] == []
    sit(bob, "purple")
    for army in ("jade", "plum"):
        ada.until(f"document.querySelector('.seat > .mark use[href=\"#army-{army}\"]')")


@pytest.mark.parametrize("game", ["stratego", "suntzu"])
def test_who_takes_the_other_side_leaves_the_first_one(person: Come, game: str) -> None:
    ada = person(touch=True)
    ada.go(f"/new/{game}")
    bot = ada.page.locator("#seat1").input_value()
    ada.page.select_option("#seat1", "me")
    assert ada.page.locator("#seat0").input_value() == bot
    ada.page.fill("#nickname", "Ada")
    ada.page.click("form button.primary")
    ada.at_table()
    assert ada.page.locator("#seat-1.is-you").count() == 1
