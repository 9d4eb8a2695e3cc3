"""From a click to what is seen of it, in Chromium: the first feedback, the painted answer.

    uv run python bench/clicks.py                   # all games
    uv run python bench/clicks.py stratego --moves 10

A server of its own; one person at a browser, the others by requests, all at random. Then the same
over a line of 800 ms: how long until one's own move is seen. Times run from the click's own time
stamp to the frame after the change. What is shown in its own time (steps, stagings) is left out:
the browser asks for less motion.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tianxia.kernel import mode

mode.interpret()  # this process shall not compile beside the server

from playwright.sync_api import Error, sync_playwright  # noqa: E402

import tianxia  # noqa: E402
from tests.browser import find_chromium, launch_arguments  # noqa: E402
from tests.e2e.people import Person  # noqa: E402
from tests.e2e.server import Server, free_port  # noqa: E402

FEEDBACK, ANSWER, OWN, LINE = 50, 150, 100, 0.8
"""Goals in milliseconds, and seconds that a line takes there and back."""
PATIENCE = 5.0
"""Seconds after which a gesture that does not end is given up."""
WATCH = """() => {
    const clicks = (window.clicks = []);
    const painted = (one, name) => requestAnimationFrame(() =>
        setTimeout(() => { one[name] ??= performance.now() - one.from; }));
    const version = () => document.getElementById("table").dataset.version;
    const begin = ({ timeStamp }) => clicks.push({ from: timeStamp, was: version() });
    addEventListener("click", begin, true);
    new MutationObserver(() => {
        const one = clicks.at(-1);
        if (!one) return;
        painted(one, "feedback");
        if (document.querySelector(".ghost")) painted(one, "own");
        if (version() !== one.was) painted(one, "answer");
    }).observe(document.getElementById("table-page"),
        { attributes: true, childList: true, characterData: true, subtree: true });
}"""


class Far:
    """A line to a server on which everything takes a while, in both directions."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self._to, self._seconds = free_port(), port, seconds
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()

    async def _serve(self) -> None:
        async with await asyncio.start_server(self._join, "127.0.0.1", self.port) as server:
            await server.serve_forever()

    async def _join(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        far, out = await asyncio.open_connection("127.0.0.1", self._to)
        await asyncio.gather(self._carry(near, out), self._carry(far, back))

    async def _carry(self, source: asyncio.StreamReader, goal: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        while data := await source.read(2**16):
            loop.call_later(self._seconds / 2, goal.write, data)
        loop.call_later(self._seconds / 2, goal.close)


def chosen(host: Person, dice: random.Random) -> dict[str, Any] | None:
    """Return a gesture that means one thing only; None where there is none on the page."""
    told = host.facts()["gestures"]
    if told.get("arrangement") or told.get("partial"):
        return None
    ways = [clicks_of(gesture) for gesture in told["gestures"]]
    single = [
        gesture
        for gesture, way in zip(told["gestures"], ways, strict=True)
        if gesture["a"] >= 0 and sum(sorted(other) == sorted(way) for other in ways) == 1
    ]
    return dice.choice(single) if single else None


def clicks_of(gesture: dict[str, Any]) -> list[str]:
    found: list[str] = []
    for step in gesture["s"]:
        found += (
            step[:1] if isinstance(step, list) else step.get("set") or [step["one"]] * step["count"]
        )
    return found


def make(host: Person, gesture: dict[str, Any]) -> list[dict[str, float]]:
    """Make a gesture; return what was measured of its clicks, the last one with its answer."""
    host.page.evaluate("clicks.length = 0")
    try:
        for element in clicks_of(gesture):
            host.press(f'[data-e="{element}"]')
        if gesture.get("p"):
            host.press("#choice .primary")
    except Error:
        host.page.keyboard.press("Escape")
        return []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found: list[dict[str, float]] = host.page.evaluate("clicks")
        if found and "answer" in found[-1]:
            return found
        host.page.wait_for_timeout(20)
    host.page.keyboard.press("Escape")
    return []


def measure(browser: Any, server: Server, game: str, moves: int, url: str) -> list[Any]:
    """Play a game; return the clicks of each gesture of one's own."""
    dice, seats = random.Random(1), tianxia.game(game).seats
    host = Person(browser, server.url)
    table = host.open_game(game, "me", *["open"] * (seats - 1))
    guests = [Person(browser, server.url) for _ in range(seats - 1)]
    for number, guest in enumerate(guests):
        guest.take_seat(table, f"Guest {number}")
        guest.page.goto("about:blank")
    host.url = url
    host.go(table)
    host.at_table()
    host.page.evaluate(WATCH)
    host.context.set_default_timeout(1000 * PATIENCE)
    found: list[Any] = []
    while len(found) < moves:
        for guest in guests:
            guest.play_unseen(table, dice)
        facts = host.context.request.get(f"{server.url}/api/v1/tables/{table[3:]}").json()
        if facts["status"] == "over":
            break
        if not facts["your_turn"]:
            continue
        asked = f"document.querySelector('#table[data-your-turn]') && {facts['decision']} ==="
        host.until(f"{asked} JSON.parse(document.getElementById('gestures').textContent).decision")
        gesture = chosen(host, dice)
        made = make(host, gesture) if gesture else []
        if made:
            found.append(made)
        else:
            host.play_unseen(table, dice)
    for person in (host, *guests):
        person.context.close()
    return found


def told(values: Sequence[float], goal: int) -> str:
    if not values:
        return "none"
    ordered = sorted(values)
    high = ordered[math.ceil(0.95 * len(ordered)) - 1]
    middle, most = statistics.median(ordered), ordered[-1]
    return f"median {middle:.0f}   p95 {high:.0f}   most {most:.0f}   goal {goal}   ({len(values)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("games", nargs="*", default=tianxia.games())
    parser.add_argument("--moves", type=int, default=20)
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        try:
            line = Far(server.port, LINE)
            browser = playwright.chromium.launch(
                executable_path=find_chromium(), args=launch_arguments()
            )
            for game in wish.games:
                near = measure(browser, server, game, wish.moves, server.url)
                clicks = [click for made in near for click in made]
                print(f"{game}: milliseconds from a click")
                print(f"  first feedback       {told([c['feedback'] for c in clicks], FEEDBACK)}")
                print(f"  painted answer       {told([m[-1]['answer'] for m in near], ANSWER)}")
                url = f"http://127.0.0.1:{line.port}"
                far = measure(browser, server, game, max(3, wish.moves // 4), url)
                own = [made[-1]["own"] for made in far if "own" in made[-1]]
                print(
                    f"  own move at {1000 * LINE:.0f} ms   {told(own, OWN)} of {len(far)}",
                    flush=True,
                )
        finally:
            server.stop()


if __name__ == "__main__":
    main()
