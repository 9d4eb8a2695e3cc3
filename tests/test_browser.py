"""The browser that the tests of the pages use."""

from typing import Any

import pytest

from tests import browser as browsers


@pytest.mark.browser
def test_chromium_draws_a_page(browser: Any) -> None:
    page = browser.new_page()
    page.set_content("<h1>天下</h1>")
    assert page.inner_text("h1") == "天下"


def test_a_named_chromium_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(browsers.VARIABLE, "/no/such/chromium")
    assert browsers.find_chromium() == "/no/such/chromium"
