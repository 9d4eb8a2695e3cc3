"""A table is one screen: by numbers, over games, phases, languages and sizes.

``python -m tests.e2e.test_one_screen [GAME ...]`` measures every option set at some moments of a
game, and lists all that does not fit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

import pytest

import tianxia
from tests.e2e.real import Asked, Site, pages
from tianxia.kernel.errors import OptionError

pytestmark = pytest.mark.browser
DESKS = ((1280, 800), (1366, 768), (1920, 1080))
PHONES = ((390, 844), (844, 390))
LEAST, LEAST_ON_A_PHONE = 0.6, 0.4
"""How much of the place left to it a board takes in each direction; on a phone across."""
YES = ("no", "yes")
END = 100_000
"""Of games that last some hundred actions: when they are over."""
MEASURE = """() => {
    const found = [];
    const over = document.getElementById("table").dataset.status === "over";
    const box = (node) => node.getBoundingClientRect();
    const seen = (node) => node.checkVisibility() && box(node).width > 0;
    const named = (node) => node.dataset.e ?? (node.id || String(node.className));
    const must = [...document.querySelectorAll(
        ".is-lit, #status, .dock [data-e], .count-item, #actions .button, .tab, #menu-open")];
    for (const node of must.filter(seen)) {
        const { left, top, right, bottom } = box(node);
        if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
            found.push(`${named(node)} is off the screen`);
    }
    const areas = [".table-head", "#tabs", "#plates", "#status", "#welcome", "#play", "#go",
        "#dock", "#tray", "#actions"].map((name) => document.querySelector(name)).filter(seen);
    areas.push(...[...document.querySelectorAll(".tab-panel")].filter(seen)); // on a desk the log
    for (const [number, one] of areas.entries()) {
        for (const other of areas.slice(number + 1)) {
            const [a, b] = [box(one), box(other)];
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 1) found.push(`${named(one)} overlaps ${named(other)}`);
        }
    }
    for (const node of document.querySelectorAll("#dock, #tray, .asked, .counts")) {
        if (!seen(node) || (over && node.id === "dock")) continue; // a score sheet scrolls
        if (node.scrollHeight > node.clientHeight + 2)
            found.push(`${named(node)} is clipped: ${node.scrollHeight} in ${node.clientHeight}`);
    }
    const title = document.querySelector(".table-head h1");
    const whole = document.createRange();
    whole.selectNodeContents(title); // without room it stands on a second line, out of sight
    if (title.scrollWidth > title.clientWidth + 1 && box(whole).top < box(title).bottom - 3)
        found.push("the title is cut");
    for (const node of document.querySelectorAll(".tab:not([hidden])"))
        if (node.scrollWidth > node.clientWidth + 1) found.push(`${node.id} is cut`);
    for (const node of document.querySelectorAll(".seat-side"))
        if (getComputedStyle(node).clipPath === "none" // else it is told to screen readers only
            && box(node).right > box(node.parentNode).right + 1) found.push("a name is cut");
    for (const node of document.querySelectorAll("#go > *, #go-tray > *"))
        if (seen(node) && box(node).left < box(document.getElementById("go")).left - 1)
            found.push(`${named(node)} juts out of what is being chosen`);
    for (const node of document.querySelectorAll(".zoom .button"))
        if (seen(node) && box(node).right > box(document.querySelector(".table-head")).right + 1)
            found.push("the buttons of the size jut out of the head");
    const parts = ["::before", "::after"]; // what stands round a node for a finger
    const hit = (node, how) => Math.max(box(node)[how],
        ...parts.map((part) => parseFloat(getComputedStyle(node, part)[how]) || 0));
    const pressed = "#table-page :is(.button, .tab, .kind, select, summary, :not(p, li) > a)";
    const byFinger = matchMedia("(pointer: coarse)").matches;
    for (const node of byFinger ? [...document.querySelectorAll(pressed)].filter(seen) : []) {
        const [wide, high] = [hit(node, "width"), hit(node, "height")];
        if (high < 43 || wide < (node.matches(".tab") ? 32 : 43))
            found.push(`${named(node)} is small for a finger: ${wide} x ${high}`);
    }
    const svg = document.querySelector("#board > svg");
    const place = box(document.getElementById("play"));
    const scale = svg.getScreenCTM().a;
    return { found, across: svg.viewBox.baseVal.width * scale / place.width,
        down: svg.viewBox.baseVal.height * scale / place.height };
}"""
FITTED = """async ([width, height]) => {
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return innerWidth === width && innerHeight === height;
}"""
"""The window has its size, and the page has had the time to follow it."""
WANTED = [
    Asked(game, plies, viewer, language)
    for game in ("stratego", "suntzu", "firebulls", "china(players=4)", "binfa")
    for plies, viewer, language in ((-1, 0, "en"), (50, 0, "fr"), (51, 1, "en"))
]
WANTED += [Asked("firebulls(players=3)", 51, 1, "fr"), Asked("firebulls(players=4)", END, 0, "fr")]
WANTED += [
    Asked("china(players=5,fortifications=yes)", -2, 1, "en"),
    Asked("china(players=2,fortifications=yes,tiles=yes)", -1, 1, "fr", 2),
    Asked("suntzu", -1, 0, "fr", 2),
    Asked("suntzu", 44, 0, "fr", 2),
    Asked("suntzu", END, 0, "en", 2),
]
OPTIONS: dict[str, dict[str, tuple[object, ...]]] = {
    "stratego": {"variant": ("classic", "duel", "barrage")},
    "suntzu": {"deck": ("full", "beginner"), "strategies": YES, "events": YES},
    "firebulls": {"players": (2, 3, 4, 5)},
    "china": {"players": (2, 3, 4, 5), "fortifications": YES, "tiles": YES, "light": YES},
    "china(players=3)": {"board": ("A", "B", "border"), "keep": ("one", "all")},
    "china(players=5)": {"board": ("A", "B", "border")},
    "binfa": {"players": (2, 3, 4, 5, 6), "level": (1, 2, 3, 4)},
    "binfa(players=2)": {"armies": (1, 2, 3), "map": ("ranges", "placed", "steppe")},
    "binfa(players=3)": {"turns": (9,)},
}
"""What changes how much there is to show; every combination is looked at."""
MOMENTS = (-2, -1, 7, 30, 31, 80, END)


def option_sets() -> Iterator[str]:
    """Yield the games with all combinations of these options."""
    for game, options in OPTIONS.items():
        for values in product(*options.values()):
            with suppress(OptionError):  # not all of them go together
                yield tianxia.game(game, **dict(zip(options, values, strict=True))).spec


def everything(games: tuple[str, ...]) -> list[Asked]:
    """Return every option set of some games at all these moments."""
    return [
        Asked(spec, plies, (0, 1, None)[number % 3], ("en", "fr")[(number + place) % 2], place)
        for number, spec in enumerate(option_sets())
        for place, plies in enumerate(MOMENTS, 1)
        if spec.startswith(games)
        if plies != END or "turns" in spec or not spec.startswith("binfa")  # too long at random
    ]


def misfits(browser: Any, wanted: list[Asked]) -> list[str]:
    """Return what does not fit, in words."""
    found = []
    site = Site()
    desk = browser.new_context(reduced_motion="reduce").new_page()
    phone = browser.new_context(reduced_motion="reduce", has_touch=True, is_mobile=True).new_page()
    for one in pages(wanted):
        name = f"{one['game']} {one['plies']} seat {one['viewer']} {one['language']}"
        for page, sizes in ((desk, DESKS), (phone, PHONES)):
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                if (width, height) == sizes[0]:
                    site.show(page, one["html"])
                page.wait_for_function(FITTED, arg=[width, height])
                seen = page.evaluate(MEASURE)
                found += [f"{name} {width}x{height}: {what}" for what in seen["found"]]
                if width < height and seen["across"] < LEAST_ON_A_PHONE:
                    found.append(f"{name} {width}x{height}: board {seen['across']:.2f}")
                for how in ("across", "down"):
                    if page is desk and seen[how] < LEAST:
                        found.append(f"{name} {width}x{height}: board {seen[how]:.2f} {how}")
    desk.context.close()
    phone.context.close()
    site.close()
    return found


def test_a_table_is_one_screen(browser: Any) -> None:
    assert misfits(browser, WANTED) == []


if __name__ == "__main__":
    from playwright.sync_api import sync_playwright

    from tests.browser import find_chromium, launch_arguments

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(
            executable_path=find_chromium(), args=launch_arguments()
        )
        found = misfits(launched, everything(tuple(sys.argv[1:]) or ("",)))
    print(*found, sep="\n")
    sys.exit(bool(found))
