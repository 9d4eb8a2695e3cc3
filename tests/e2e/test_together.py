"""Looking at a finished game together, and the talk of those who watch beside the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.e2e.people import Person
from tests.e2e.test_access import check

pytestmark = pytest.mark.browser
Come = Callable[..., Person]


def says(one: Person, words: str) -> None:
    """Write something in the tab of those who watch, and see it there."""
    one.page.fill("#say-text", words)
    one.page.press("#say-text", "Enter")
    one.page.wait_for_selector(f"#gallery-lines :text('{words}')")
    one.page.wait_for_selector("#gallery-lines time:not([data-moment])")  # by their own clock


def hold(route: Any, held: list[tuple[Any, Any]]) -> None:
    """Let the server have a step, and keep its answer."""
    if route.request.method == "POST":
        held.append((route, route.fetch()))
    else:
        route.continue_()


def test_who_steps_takes_the_others_along_and_they_talk(person: Come) -> None:
    ada, bob = person(), person("fr", touch=True)
    ada.host("firebulls", "me", "bot:random", players="2")
    assert ada.page.locator("#tab-gallery:visible").count() == 0  # who plays has no such tab
    ada.resign()
    ada.page.wait_for_selector("#table[data-status=over]")
    ada.go(f"{ada.path}/from?ply=3")
    ada.press("form[action$='/together'] button")
    ada.page.wait_for_selector("#table[data-ply='3']")
    link = ada.page.input_value("#link-together")
    bob.go(link.removeprefix(bob.url))
    bob.page.wait_for_selector("#table[data-ply='3']")
    bob.page.wait_for_selector("#table-page[data-together]")
    bob.page.wait_for_selector("#tab-gallery:visible .tab-count:visible")  # that there is a link

    ada.press("[data-step=first]")
    bob.page.wait_for_selector("#table[data-ply='0']")
    bob.press("[data-step=next]")
    ply = bob.page.wait_for_selector("#table[data-ply]:not([data-ply='0'])").get_attribute(
        "data-ply"
    )
    ada.page.wait_for_selector(f"#table[data-ply='{ply}']")

    # The others step while one's own step is on its way: that is where all are then.
    held: list[tuple[Any, Any]] = []
    ada.page.route("**/together/*", lambda route: hold(route, held))
    ada.press("[data-step=first]")
    for _ in range(100):
        if held:
            break
        ada.page.wait_for_timeout(50)
    bob.page.wait_for_selector("#table[data-ply='0']")
    bob.press("[data-step=next]")
    bob.page.wait_for_selector(f"#table[data-ply='{ply}']")
    ada.page.wait_for_timeout(1000)
    ((route, answer),) = held
    route.fulfill(response=answer)
    ada.page.wait_for_selector(f"#table[data-ply='{ply}']", timeout=8000)
    ada.page.unroute("**/together/*")

    looks_on = "#tab-panel-gallery [data-company=looking]"
    bob.page.wait_for_selector(f"{looks_on}:text('Ada')", state="attached")
    ada.page.wait_for_selector(f"{looks_on}:text('1 other')", state="attached")  # has no name here
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url))
    says(ada, "Look at that card")
    bob.tab("info")
    bob.press("#links summary")
    bob.press("#links [data-shows=gallery]")  # a link that leads elsewhere without a script
    bob.page.wait_for_selector("#gallery-lines :text('Look at that card')")
    assert not [url for url in asked if "/gallery" in url]  # it was pushed
    bob.page.fill("#say-name", "Bo")
    says(bob, "Bien vu")
    assert bob.page.input_value("#say-name") == "Bo"  # it is asked for once
    ada.page.wait_for_selector("#gallery-lines :text('Bien vu')")
    ada.press("#gallery-lines form[action$='/report'] summary")  # reports nobody yet
    ada.press("#gallery-lines form[action$='/report'] button")
    ada.page.wait_for_selector("#toast:has-text('Thank you.')")
    assert list(check(ada, "together")) == []
    assert list(check(bob, "ensemble")) == []
