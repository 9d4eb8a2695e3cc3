"""Accounts in the browser: a passkey from the first to the last step, by keyboard, and axe."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]


def authenticator(one: Person) -> None:
    """Give a browser something that keeps passkeys, as a phone or a laptop has."""
    one.url = one.url.replace("127.0.0.1", "localhost")  # passkeys belong to names
    session = one.context.new_cdp_session(one.page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def press(one: Person, selector: str) -> None:
    """Use a button by the keyboard alone."""
    one.page.focus(selector)
    one.page.keyboard.press("Enter")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_passkey_makes_an_account_and_opens_it(person: Come, language: str) -> None:
    ada = person(language)
    authenticator(ada)
    ada.go("/register")
    ada.page.fill("#name", f"Ada {language}")
    press(ada, "[data-passkey=register]")
    ada.page.wait_for_selector(".codes code")
    assert ada.page.locator(".codes code").count() == 10
    press(ada, "a.primary[href='/account']")
    ada.page.wait_for_selector("#ways")
    assert list(check(ada, "account")) == []
    press(ada, "form[action='/sign-out'] button")
    ada.page.wait_for_selector("a[href='/sign-in']")
    ada.go("/sign-in?next=/account")
    press(ada, "[data-passkey=enter]")
    ada.page.wait_for_selector("#ways")
    assert ada.page.inner_text("h1") == f"Ada {language}"
    # The same passkey twice: the browser itself says that it is there already.
    press(ada, "[data-passkey=add]")
    ada.page.wait_for_selector("#pending:not([hidden])")
    assert ada.page.locator("form[action='/account/passkeys/end']").count() == 1


def test_a_password_without_a_script(person: Come) -> None:
    bob = person()
    bob.go("/register")
    bob.page.fill("#name", "Bob")
    bob.page.fill("#password", "correct horse")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector(".codes code")
    code = bob.page.inner_text(".codes code >> nth=0")
    assert list(check(bob, "codes")) == []
    bob.go("/account")
    bob.page.click("form[action='/sign-out'] button")
    bob.go("/sign-in")
    bob.page.fill("#name", "bob")
    bob.page.fill("#password", code)
    bob.page.click("button[value=code]")
    bob.page.wait_for_url("**/account?new=password")
    assert list(check(bob, "account")) == []
