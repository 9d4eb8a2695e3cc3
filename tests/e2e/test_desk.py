"""A table on a desk: plates (on a phone, too), skipping to the present, the order of the keys."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.alone import SEAT, SEATS, Alone
from tests.e2e.people import PHONE

pytestmark = pytest.mark.browser
MOVES = [{"a": 1, "s": [["a"], ["c"]], "l": "a to c", "f": False}]
LONG = "Maximilian Stern"
SEEN = """(selector) => {
    const node = document.querySelector(selector);
    const [inner, outer] = [node, node.closest(".seat")].map((one) => one.getBoundingClientRect());
    const hit = document.elementFromPoint(inner.x + inner.width / 2, inner.y + inner.height / 2);
    return node.scrollWidth <= node.clientWidth + 1 && inner.width > 5
        && inner.right < outer.right && (hit === node || node.contains(hit));
}"""
"""Whether what stands there is seen, and all of it."""


def seated(number: int, name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {**SEAT, "number": number, "side": "Violet", "name": name, "kind": kind, **more}


def test_plates_have_room_for_names_whoever_acts(alone: Alone) -> None:
    you = seated(0, LONG, "person", you=True, acting=True)
    other = seated(1, LONG, "person", you=False, acting=True)
    bots = [seated(number, "Journeyman", "bot", you=False, thinking=True) for number in (2, 3)]
    alone.open(MOVES, seats=[you, other, *bots], language="fr")
    for seat in (0, 1):
        assert alone.page.evaluate(SEEN, f"#seat-{seat} .seat-name")
    for seat in (2, 3):  # bots are called by their sides
        assert alone.page.evaluate(SEEN, f"#seat-{seat} .seat-side")
    tags = alone.page.locator(".seat-tag").all_inner_texts()
    assert tags == ["vous", "bot", "bot"]
    for tag in range(3):
        assert alone.page.evaluate(
            SEEN, f".seat:has(.seat-tag):nth-child({(1, 3, 4)[tag]}) .seat-tag"
        )
    assert alone.page.text_content("#seat-0 .seat-state").strip() == "à vous"
    sign = "getComputedStyle(document.querySelector('#seat-{}'), '::before').content"
    assert [alone.page.evaluate(sign.format(seat)) for seat in (0, 2)] == ['""', "none"]


@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}])
def test_on_a_phone_a_plate_says_who_you_are_beside_the_whole_name(
    alone: Alone, size: dict[str, int]
) -> None:
    alone.page.set_viewport_size(size)
    you = seated(0, "Maximilian", "person", you=True, finished=True)
    alone.open([], seats=[you, seated(1, "Ann", "person", you=False, acting=True)])
    assert alone.page.evaluate(SEEN, "#seat-0 .seat-tag")
    assert alone.page.evaluate(SEEN, "#seat-0 .seat-name")
    assert alone.page.locator(".seat-tag").all_inner_texts() == ["you"]
    tag, ready = (
        alone.page.locator(f"#seat-0 .seat-{part}").bounding_box() for part in ("tag", "state")
    )
    assert tag is not None
    assert ready is not None
    assert ready["x"] + ready["width"] <= tag["x"]


def test_on_a_phone_it_takes_no_room_to_say_who_is_here(alone: Alone) -> None:
    alone.page.set_viewport_size(PHONE)
    seats = [dict(seated(n, "Bob", "person", you=not n), side="Violet et indigo") for n in (0, 1)]
    alone.open([], seats=seats)
    tall = "document.getElementById('seat-1').getBoundingClientRect().height"
    before = alone.page.evaluate(tall)
    alone.page.evaluate("document.getElementById('here-1').textContent = ' '")
    assert alone.page.is_visible("#here-1")
    assert alone.page.evaluate(tall) == before


STEP = {"line": 1, "hold": 60_000, "status": "Dealt.", "svg": "", "panels": {}, "text": ""}


def test_what_bots_do_is_skipped_until_somebody_is_to_move(alone: Alone) -> None:
    alone.answers["steps"] = (200, {"steps": [STEP]})
    alone.open([], your_turn=False, may=("hurry",))
    alone.page.keyboard.press("e")
    alone.asked("hurry")
    lines = ["a", "b", "c"]
    alone.push([], your_turn=False, may=("hurry",), log=lines, steps=[1, 2])
    alone.page.wait_for_selector("#log li:has-text('c')")
    alone.push(MOVES, log=[*lines, "d", "e"], steps=[3, 4])
    alone.page.wait_for_selector("#log li:has-text('e')")
    assert [path for path, _ in alone.sent if path in ("hurry", "steps")] == ["hurry"]
    alone.push(MOVES, log=[*lines, "d", "e", "f", "g"], steps=[5, 6])  # from here on as usual
    alone.page.wait_for_selector("#step-end")
    alone.page.keyboard.press("e")
    alone.page.wait_for_selector("#log li:has-text('g')")
    assert alone.page.locator("#step-bar").is_hidden()


def test_whoever_wants_all_at_once_does_not_wait_for_bots(alone: Alone) -> None:
    alone.open(MOVES)
    alone.page.evaluate("document.getElementById('settings-dialog').showModal()")
    alone.page.select_option("#set-speed", "once")
    alone.page.keyboard.press("Escape")
    for number in (1, 2):
        alone.push([], your_turn=False, may=("hurry",), log=["a", f"b {number}"])
    alone.asked("hurry")
    assert [path for path, _ in alone.sent].count("hurry") == 1


AREA = """(() => {
    const area = document.activeElement.closest("#table > *, #table-page > *");
    return area ? area.id || area.className : "";
})()"""


def test_before_a_game_it_is_said_once_what_it_waits_for(alone: Alone) -> None:
    seats = [SEATS[0], {**SEATS[1], "kind": "open", "name": "", "kept_for": "Bob"}]
    alone.open(status="waiting", your_turn=False, seats=seats)
    assert "Still to come: Bob." in alone.page.inner_text("#invite")
    assert alone.page.locator("#status").bounding_box()["width"] <= 1  # to be heard only
    within = "document.getElementById('welcome').getBoundingClientRect()"
    plates = "document.getElementById('plates').getBoundingClientRect()"
    assert alone.page.evaluate(f"{within}.top - {plates}.bottom") < 80


def test_tab_goes_in_the_order_in_which_one_reads(alone: Alone) -> None:
    way = [
        {"a": number, "s": [["a"], ["c"]], "l": f"way {number}", "f": False} for number in (1, 2)
    ]
    alone.open(way, may=("resign", "hint"), seats=[seated(0, "Ada", "person", you=False)])
    page = alone.page

    def areas() -> list[str]:
        page.keyboard.press("b")
        found = ["play"]
        while found[-1] != "tabs" and len(found) < 40:
            page.keyboard.press("Tab")
            found.append(page.evaluate(AREA))
        return list(dict.fromkeys(found))

    assert areas() == ["play", "actions", "plates", "tab-panel-log", "tabs"]
    alone.click("a")
    alone.click("c")  # a question, and a choice that can be undone
    page.wait_for_selector("#choice:not([hidden])")
    assert areas() == ["play", "choice", "go", "actions", "plates", "tab-panel-log", "tabs"]


def test_enlarged_four_times_a_table_scrolls_to_its_board(alone: Alone) -> None:
    page = alone.page
    page.set_viewport_size({"width": 320, "height": 256})  # 1280 by 1024
    alone.open(MOVES, may=("resign", "hint"))
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.keyboard.press("b")
    box = page.locator("[data-e=a]").bounding_box()
    assert box["height"] > 24
    assert box["y"] >= 0
    assert box["y"] + box["height"] < 257
    page.focus("#do-resign")
    box = page.locator("#do-resign").bounding_box()
    assert box["y"] + box["height"] < 257
