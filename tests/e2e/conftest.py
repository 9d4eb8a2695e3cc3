"""What the tests in the browser share: one server, and people who come to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.alone import Alone
from tests.e2e.people import DESK, Person
from tests.e2e.server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a running server, with bots that do not wait."""
    running = Server(tmp_path_factory.mktemp("server"))
    try:
        running.start()
        yield running
    finally:
        running.stop()


@pytest.fixture
def person(browser: Any, server: Server) -> Iterator[Callable[..., Person]]:
    """Return what makes somebody at a browser of their own."""
    people: list[Person] = []

    def come(language: str = "en", **how: Any) -> Person:
        people.append(Person(browser, server.url, language, **how))
        return people[-1]

    yield come
    for one in people:
        one.leave()


@pytest.fixture
def alone(browser: Any) -> Iterator[Alone]:
    """Return the table page on a desk, without a server."""
    page = browser.new_page(viewport=DESK)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield Alone(page)
    page.close()
    assert errors == []
