"""What a board shows beside what can be clicked, on a desk, on a phone, and enlarged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.people import DESK, PHONE
from tests.e2e.real import Asked, Site, pages
from tianxia.draw.languages import translator
from tianxia.web.rendering import CANNOT_WAKE, WAKING, WAKING_LATER, WAKING_SECONDS

pytestmark = pytest.mark.browser
NAMES = """(layer) => [...document.querySelectorAll(`#board .${layer} text`)]
    .filter((one) => one.getBoundingClientRect().width).map((one) => one.textContent)"""
NAMED = """(layer) => [...document.querySelectorAll(`#board .${layer} text`)].every((one) => {
    const place = document.querySelector(`#board [data-e="${one.textContent}"]`);
    const [a, b] = [one, place].map((node) => node.getBoundingClientRect());
    return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y - b.y) < b.height;
})"""


@pytest.fixture
def site() -> Iterator[Site]:
    """Return what shows pages."""
    made = Site()
    yield made
    made.close()


SIDEWAYS = {"width": 844, "height": 390}


def shown(browser: Any, site: Site, asked: Asked, *, phone: bool = False, size: Any = None) -> Any:
    """Return a browser's page that shows a position."""
    size, how = size or (PHONE if phone else DESK), {"has_touch": phone, "is_mobile": phone}
    page = browser.new_context(viewport=size, reduced_motion="reduce", **how).new_page()
    site.show(page, next(pages([asked]))["html"])
    return page


@pytest.mark.parametrize(
    ("game", "layer", "count"), [("china(players=3)", "ch-codes", 51), ("binfa", "bf-names", 96)]
)
def test_places_bear_the_names_that_the_log_calls_them_by(
    browser: Any, site: Site, game: str, layer: str, count: int
) -> None:
    desk = shown(browser, site, Asked(game, 7))
    assert len(desk.evaluate(NAMES, layer)) == count
    assert desk.evaluate(NAMED, layer)
    phone = shown(browser, site, Asked(game, 7), phone=True)
    assert not phone.evaluate(NAMES, layer), "too small to be read"
    phone.click("[data-zoom=in]")
    assert len(phone.evaluate(NAMES, layer)) == count
    for page in (desk, phone):
        page.context.close()


DICE = """[...document.querySelectorAll(".bf-die")].map((die) => {
    const board = document.getElementById("board");
    const [a, place] = [die, board].map((node) => node.getBoundingClientRect());
    const inside = a.left >= place.left && a.top >= place.top && a.right <= place.right;
    return inside && a.bottom <= place.bottom ? Math.round(a.width) : 0;
})"""


def test_dice_can_be_read_on_a_phone_however_large_the_board_is(browser: Any, site: Site) -> None:
    phone = shown(browser, site, Asked("binfa", 60), phone=True)
    small = phone.evaluate(DICE)
    assert len(small) == 2
    assert min(small) >= 36
    for _ in range(2):
        phone.click("[data-zoom=in]")
        # What keeps them in their corner is a module that is loaded when it is first needed.
        phone.wait_for_function(f"(small) => String({DICE}) === String(small)", arg=small)
    phone.context.close()


WAKE = """(text) => {
    const [status, waking] = [document.getElementById("status"), document.createElement("p")];
    Object.assign(waking, { className: "waking", innerHTML: `${text} <progress></progress>` });
    status.append(waking);
    const [a, box] = [waking, status].map((node) => node.getBoundingClientRect());
    return waking.scrollHeight <= waking.clientHeight + 1 && a.bottom <= box.bottom;
}"""


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
@pytest.mark.parametrize("text", [WAKING, WAKING_LATER, WAKING_SECONDS, CANNOT_WAKE])
def test_a_bot_that_wakes_says_so_in_full_on_a_phone(
    browser: Any, site: Site, text: str, size: Any
) -> None:
    phone = shown(browser, site, Asked("china", 7, 0, "fr"), phone=True, size=size)
    told = translator("fr", "tianxia.web").gettext(text).format(bot="Quartier-maître", n=120)
    assert phone.evaluate(WAKE, told)
    phone.context.close()


BOARD = """(() => {
    const svg = document.querySelector("#board > svg");
    return svg.getScreenCTM().a * svg.viewBox.baseVal.height;
})()"""


@pytest.mark.parametrize(("plies", "language"), [(-1, "en"), (-1, "fr"), (17, "fr")])
def test_sun_tzu_s_board_is_no_smaller_while_a_strategy_is_chosen(
    browser: Any, site: Site, plies: int, language: str
) -> None:
    heights = []
    for at in (plies, 0):
        phone = shown(browser, site, Asked("suntzu", at, 0, language), phone=True)
        heights.append(phone.evaluate(BOARD))
        phone.context.close()
    assert heights[0] > 0.88 * heights[1]


LIFTED = """(element) => {
    const stack = document.querySelector(`.dock [data-e="${element}"]`);
    const card = stack.querySelector("svg:last-of-type");
    const [a, panel] = [card, card.closest(".panel")].map((node) => node.getBoundingClientRect());
    const [top, bottom] = [a.top - 3, a.bottom + 3]; // with its frame
    const covers = [...document.querySelectorAll(".dock button, .dock li")].filter((node) => {
        const b = node.getBoundingClientRect();
        return !node.contains(card) && b.left < a.right - 1 && b.right > a.left + 1
            && b.top < bottom - 1 && b.bottom > top + 1;
    });
    return { framed: getComputedStyle(card).boxShadow !== "none",
        empty: getComputedStyle(stack).boxShadow !== "none",
        inside: top >= panel.top && bottom <= panel.bottom, covers: covers.length };
}"""


@pytest.mark.parametrize("size", [DESK, PHONE, SIDEWAYS], ids=["desk", "phone", "sideways"])
@pytest.mark.parametrize(
    ("game", "plies", "card"), [("suntzu", 1, "card-7"), ("china(players=3)", 44, "card-red")]
)
def test_a_chosen_card_takes_its_frame_with_it(
    browser: Any, site: Site, game: str, plies: int, card: str, size: dict[str, int]
) -> None:
    page = shown(browser, site, Asked(game, plies), size=size, phone=size != DESK)
    page.click(f'.dock [data-e="{card}"]')
    page.wait_for_selector(f'.dock [data-e="{card}"][data-picked]')
    lifted = page.evaluate(LIFTED, card)
    assert lifted == {"framed": True, "empty": False, "inside": True, "covers": 0}
    page.context.close()


def test_a_tap_on_the_reserve_of_fire_bulls_asks_nothing(browser: Any, site: Site) -> None:
    page = shown(browser, site, Asked("firebulls", 22), size=SIDEWAYS, phone=True)
    with page.expect_request(lambda request: request.method == "POST" and "/act" in request.url):
        page.tap('[data-e="reserve-b"]')
    assert page.is_hidden("#choice")
    page.context.close()
