"""How soon pages show and answer, in points as Lighthouse counts them, on a slow phone.

    uv run python bench/pages.py                # all pages
    uv run python bench/pages.py / /t/stratego  # `/t/GAME`: a table of that game

A server of its own; Chromium with a processor four times slower and a line of 1.6 Mbit/s and
150 ms, without cache, as Lighthouse's mobile profile has it. Points follow the public curves and
weights of Lighthouse 10. In place of the Speed Index, which needs a film, the largest paint counts
once more.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import tempfile
from pathlib import Path
from statistics import NormalDist
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tianxia.kernel import mode

mode.interpret()  # this process shall not compile beside the server

from playwright.sync_api import sync_playwright  # noqa: E402

import tianxia  # noqa: E402
from tests.browser import find_chromium, launch_arguments  # noqa: E402
from tests.e2e.people import PHONE, Person  # noqa: E402
from tests.e2e.server import Server  # noqa: E402

CURVES = {  # weight, what 90 points ask for, what 50 ask for
    "first paint": (0.10, 1800, 3000),
    "speed": (0.10, 3387, 5800),
    "largest paint": (0.25, 2500, 4000),
    "blocked": (0.30, 200, 600),
    "shifts": (0.25, 0.1, 0.25),
}
GOAL = 95
SLOWER, LINE, DELAY = 4, 1.6e6 / 8, 150
PATHS = (
    "/",
    "/new/stratego",
    "/rules",
    "/rules/china",
    "/puzzles",
    "/puzzles/firebulls/1",
    *("/lobby", "/ratings", "/tournaments", "/boards", "/games", "/sign-in", "/register", "/told"),
    *("/about", "/privacy"),
)
WATCH = """() => {
    window.seen = { first: 0, largest: 0, blocked: 0, shifts: 0 };
    const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take))
        .observe({ type, buffered: true });
    watch("paint", ({ name, startTime }) => {
        if (name === "first-contentful-paint") seen.first = startTime;
    });
    watch("largest-contentful-paint", ({ startTime }) => { seen.largest = startTime; });
    watch("layout-shift", ({ value, hadRecentInput }) => {
        if (!hadRecentInput) seen.shifts += value;
    });
    watch("longtask", ({ duration }) => { seen.blocked += Math.max(0, duration - 50); });
}"""


def points(value: float, good: float, middling: float) -> float:
    """Return from 0 to 1 how good a figure is: log-normal, 0.9 at `good`, 0.5 at `middling`."""
    if value <= 0:
        return 1.0
    spread = math.log(middling / good) / NormalDist().inv_cdf(0.9)
    return 1 - NormalDist().cdf(math.log(value / middling) / spread)


def look(browser: Any, url: str) -> dict[str, float]:
    """Return what a visit without cache shows, in milliseconds; shifts as a share of the screen."""
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    speed = {"latency": DELAY, "downloadThroughput": LINE, "uploadThroughput": LINE / 2}
    wire.send("Network.emulateNetworkConditions", {"offline": False, **speed})
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(url)
    page.wait_for_timeout(3000)
    seen: dict[str, float] = page.evaluate("seen")
    context.close()
    return {
        "first paint": seen["first"],
        "speed": seen["largest"],
        "largest paint": seen["largest"],
        "blocked": seen["blocked"],
        "shifts": seen["shifts"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    tables = [f"/t/{name}" for name in tianxia.games()]
    parser.add_argument("paths", nargs="*", default=[*PATHS, *tables])
    parser.add_argument("--visits", type=int, default=3, help="the median of so many counts")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=launch_arguments()
            )
            for path in wish.paths:
                report(browser, server.url, path, wish.visits)
        finally:
            server.stop()


def report(browser: Any, base: str, path: str, visits: int) -> None:
    """Print the figures of one page."""
    address = path
    if path.startswith("/t/"):
        game = path.removeprefix("/t/")
        host = Person(browser, base)
        address = host.open_game(game, "me", *["open"] * (tianxia.game(game).seats - 1))
        host.context.close()
    found = [look(browser, base + address) for _ in range(visits)]
    middle = {name: statistics.median(one[name] for one in found) for name in CURVES}
    score = sum(w * points(middle[name], good, fair) for name, (w, good, fair) in CURVES.items())
    told = "   ".join(f"{name} {middle[name]:.3g}" for name in CURVES if name != "speed")
    print(f"{path:24} {100 * score:4.0f} (goal {GOAL})   {told}", flush=True)


if __name__ == "__main__":
    main()
