"""What all tests share."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import browser as browsers
from tianxia.minds.processes import NICENESS

# The first example of a test may have to wait for the compiler.
settings.register_profile("tianxia", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tianxia")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Who runs the tests in the background of a shell ignores Ctrl-C, and so would all programs
    # that they start: some have to be interrupted.
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Processes that think give way to servers. Where tests keep all processors busy, a bot would
# hardly get a turn: all have the same priority here.
os.environ[NICENESS] = "0"

LONGEST = ("battery", "e2e")
"""Folders whose tests come first, where processes share the work: else all wait for them."""


LEARN = "learn"
"""The marker of tests that need torch or Ray, which are not among what the tests install."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests first that take longest; the rest keeps its order."""
    items.sort(key=lambda item: item.path.parent.name not in LONGEST)
    if config.option.markexpr != LEARN:
        learning = [item for item in items if item.get_closest_marker(LEARN)]
        items[:] = [item for item in items if item not in learning]
        config.hook.pytest_deselected(items=learning)


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and never among the tests themselves: that took a twentieth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 100)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what runs the tests that were left out."""
    if config.option.markexpr != LEARN:
        terminalreporter.write_line(
            "The tests marked learn need torch or Ray: .ci/learn runs them."
        )


@pytest.fixture(scope="session", autouse=True)
def tianxia_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Keep the tests away from the tables of whoever runs them."""
    before = os.environ.get("TIANXIA_HOME")
    home = str(tmp_path_factory.mktemp("home"))
    os.environ["TIANXIA_HOME"] = home
    yield home
    if before is None:
        del os.environ["TIANXIA_HOME"]
    else:
        os.environ["TIANXIA_HOME"] = before


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Return the path of a Chromium; without one the test fails, it is not skipped."""
    path = browsers.find_chromium()
    if path is None:
        pytest.fail(browsers.MISSING)
    return path


class Chromium:
    """One Chromium for all modules of a process: starting it takes more than most tests do."""

    def __init__(self, playwright: Any, path: str) -> None:
        self._launch = playwright.chromium.launch
        self._how = {"executable_path": path, "args": browsers.launch_arguments()}
        self._loop = asyncio.get_running_loop()
        self._browser = self._launch(**self._how)
        self.rest()

    def rest(self) -> None:
        """Let others in this thread start event loops of their own."""
        asyncio._set_running_loop(None)

    def wake(self) -> Any:
        """Return it; it is started again if it has crashed."""
        asyncio._set_running_loop(self._loop)
        if not self._browser.is_connected():
            self._browser = self._launch(**self._how)
        return self._browser


@pytest.fixture(scope="session")
def chromium(chromium_path: str) -> Iterator[Chromium]:
    """Return what holds the Chromium of this process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = Chromium(playwright, chromium_path)
        yield running
        running.wake().close()


# While Playwright is at work, the thread has an event loop running, in which no other test
# could start its own: modules without a browser have none.
@pytest.fixture(scope="module")
def browser(chromium: Chromium) -> Iterator[Any]:
    """Return a running Chromium, as Playwright's synchronous `Browser`."""
    yield chromium.wake()
    chromium.rest()
