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
    ada.go("/register?next=/account")
    ada.page.fill("#name", "Ada  !")
    press(ada, "[data-passkey=register]")
    ada.page.wait_for_selector("#name-problem:not([hidden])")  # beside the field
    assert ada.page.locator("#pending").is_hidden()
    assert list(check(ada, "register")) == []
    ada.page.fill("#name", f"Ada {language}")
    press(ada, "[data-passkey=register]")
    ada.page.wait_for_selector(".codes code")
    assert ada.page.locator(".codes code").count() == 10
    assert ada.page.locator("[data-keep-codes=save]").is_visible()
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


def test_recovery_codes_are_copied_and_saved(person: Come) -> None:
    eve = person()
    eve.url = eve.url.replace("127.0.0.1", "localhost")  # else nothing may be copied
    eve.context.grant_permissions(["clipboard-read", "clipboard-write"])
    eve.go("/register?next=/rules")
    eve.page.fill("#name", "Eve")
    eve.page.fill("#password", "correct horse")
    eve.page.keyboard.press("Enter")
    eve.page.wait_for_selector("[data-keep-codes=save]")
    codes = eve.page.locator(".codes code").all_inner_texts()
    with eve.page.expect_download() as saved:
        press(eve, "[data-keep-codes=save]")
    kept = saved.value.path().read_text("utf-8").split()
    assert kept[-10:] == codes
    press(eve, "[data-keep-codes=copy]")
    eve.page.wait_for_selector(".codes-kept [role=status]:not(:empty)")
    assert eve.page.evaluate("navigator.clipboard.readText()").split() == kept
    eve.page.click("a.primary[href='/rules']")
    eve.page.wait_for_url("**/rules")


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
