"""From the first page to sitting opposite a stranger who waits: how many clicks, how long.

    uv run python bench/meeting.py --times 20

A server of its own, and two browsers for each time: one waits in the lobby, the other comes to the
first page, and then is at the table, its game begun.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tianxia.kernel import mode

mode.interpret()  # this process shall not compile beside the server

from playwright.sync_api import sync_playwright  # noqa: E402

from tests.browser import find_chromium, launch_arguments  # noqa: E402
from tests.e2e.people import Person  # noqa: E402
from tests.e2e.server import Server  # noqa: E402

CLICKS = ("a[href='/lobby'] >> visible=true", "#lists form[action='/lobby/seeks'] button")


def meet(browser: Any, url: str, *, touch: bool) -> tuple[float, float]:
    """Return the seconds from the first click, and from asking for the first page."""
    waits, comes = Person(browser, url), Person(browser, url, touch=touch)
    waits.go("/lobby")
    waits.page.fill("#seek-name", "Somebody")
    waits.page.click("form[action='/lobby/seeks'] .primary")
    waits.page.wait_for_selector("[data-seek]")
    begun = time.monotonic()
    comes.go("/")
    there = time.monotonic()
    for selector in CLICKS:
        comes.press(selector)
    comes.page.wait_for_selector("#table[data-status=playing]")
    took = time.monotonic()
    for one in (waits, comes):
        one.context.close()
    return took - there, took - begun


def main() -> None:
    """Let strangers meet, then say how long it took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            chromium, arguments = find_chromium(), launch_arguments()
            browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
            for touch in (False, True):
                found = [meet(browser, server.url, touch=touch) for _ in range(asked.times)]
                print(f"{'phone' if touch else 'desk'}: {len(CLICKS)} clicks")
                for what, seconds in zip(
                    ("first click", "first request"), zip(*found, strict=True), strict=True
                ):
                    middle = statistics.median(seconds)
                    print(f"  s from the {what}: median {middle:.2f}, most {max(seconds):.2f}")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
