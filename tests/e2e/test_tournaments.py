"""A tournament in the browser: made by keyboard, entered on a phone, followed as it goes on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check
from tests.e2e.test_accounts import press

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
TABLE = re.compile(r"/t/[\w-]+$")


def registered(one: Person, name: str) -> Person:
    one.go("/register")
    one.page.fill("#name", name)
    one.page.fill("#password", f"a long password of {name}")
    one.page.click("form[action='/register'] button:not([data-passkey])")
    one.page.wait_for_selector(".codes code")
    return one


def resign(one: Person) -> None:
    one.page.wait_for_selector("#board")
    address = f"/api/v1/tables/{one.page.url.rpartition('/')[2]}/resign"
    answer = one.page.evaluate(
        "address => fetch(address, {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: '{}'}).then(answer => answer.status)",
        address,
    )
    assert answer == 200


def test_a_tournament_is_made_entered_and_followed(person: Come) -> None:
    ada = registered(person("en"), "Ada of the cup")
    bea = registered(person("fr", touch=True), "Bea of the cup")
    cid = registered(person("en"), "Cid of the cup")
    ada.go("/tournaments/new/stratego")
    found = list(check(ada, "the form"))
    ada.page.fill("#name", "Cup")
    ada.page.select_option("#option-variant", "barrage")
    press(ada, "main form .primary")
    ada.page.wait_for_selector("#lists form[action$='/enter']")
    cup = ada.page.url.removeprefix(ada.url)
    press(ada, "form[action$='/enter'] button")
    ada.page.wait_for_selector("form[action$='/withdraw']")
    for one in (bea, cid):
        one.go("/tournaments")
        if one is bea:
            found += check(one, "the list")
        one.page.click(f"a[href='{cup}']")
        one.page.click("form[action$='/enter'] button")
        one.page.wait_for_selector("form[action$='/withdraw']")
    press_when_there(ada, "form[action$='/begin'] button")  # the others are there: live
    playing = [one for one in (ada, bea, cid) if plays(one)]
    assert len(playing) == 2
    (alone,) = {ada, bea, cid} - {*playing}
    assert alone.page.locator("#lists .is-mine").count() == 1
    for one in playing:
        one.page.wait_for_selector("[data-wants-seed]", state="detached")
    resign(playing[0])
    alone.page.wait_for_url(TABLE)  # the second round: by itself, too
    called = "#round-call:not([hidden]) a"
    look = "selector => document.querySelector(selector)?.getAttribute('href') ?? ''"
    alone.page.wait_for_timeout(6000)  # who looks at the result of the first hears of it
    found_way = [one.page.evaluate(look, called) for one in playing]
    assert sorted(found_way) == ["", alone.page.url.removeprefix(alone.url)]
    loser = playing[0]
    loser.go(cup)
    loser.page.wait_for_selector("nav.rounds")
    found += check(loser, "the second round")
    loser.go("/games")
    loser.page.wait_for_selector(".games time:not([data-moment])")  # told by their own clock
    assert "UTC" not in loser.page.inner_text(".games")
    assert found == []
    assert not any(one.errors for one in (ada, bea, cid))


def press_when_there(one: Person, selector: str) -> None:
    one.page.wait_for_selector(selector)
    press(one, selector)


def plays(one: Person) -> bool:
    """Say whether somebody was led to their game; who was not sits out.

    The round is there a moment before its tables.
    """
    one.page.wait_for_function(
        "() => /^\\/t\\//.test(location.pathname)"
        " || document.querySelector('[aria-labelledby=round] a[href^=\"/t/\"]')"
        " && !document.querySelector('[data-go]')"
    )
    return bool(TABLE.search(one.page.url))
