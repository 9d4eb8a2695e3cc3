"""The module of the table page, with a made-up game and no server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tests.e2e.alone import Alone, gesture, log_line
from tests.e2e.people import PHONE

pytestmark = pytest.mark.browser

MOVES = [
    gesture(1, ["a"], ["c"], label="one to c"),
    gesture(2, ["a"], ["d"], label="one to d"),
    gesture(3, ["b"], ["c"], label="two to c"),
]


@pytest.fixture
def alone(browser: Any) -> Iterator[Alone]:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda line: (
            errors.append(line.text)
            if line.type == "error" and "40" not in line.text and "422" not in line.text
            else None
        ),
    )
    yield Alone(page)
    page.close()
    assert errors == []


def test_two_clicks_make_a_move(alone: Alone) -> None:
    alone.open(MOVES)
    assert alone.lit() == ["a", "b"]
    alone.click("a")
    assert alone.lit() == ["c", "d"]
    alone.click("b")  # another piece of one's own is chosen instead
    assert alone.lit() == ["c"]
    alone.click("c")
    alone.until("document.querySelectorAll('.is-picked').length === 0")
    assert alone.sent == [("act", {"actions": [3], "decision": 1})]


def test_the_same_click_again_takes_the_choice_back(alone: Alone) -> None:
    alone.open(MOVES)
    alone.click("a")
    alone.click("a")
    assert alone.lit() == ["a", "b"]
    alone.click("a")
    alone.page.keyboard.press("Escape")
    assert alone.lit() == ["a", "b"]
    assert alone.sent == []


def test_a_drag_makes_a_move_and_one_to_nowhere_makes_none(alone: Alone) -> None:
    alone.open(MOVES)
    mouse = alone.page.mouse

    def drag(origin: str, target: str) -> None:
        for element, act in ((origin, mouse.down), (target, mouse.up)):
            box = alone.page.locator(element).bounding_box()
            mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            act()

    drag('[data-e="a"]', "h1")
    assert alone.lit() == ["a", "b"]
    drag('[data-e="a"]', '[data-e="d"]')
    alone.asked()
    assert alone.acts() == [[2]]
    assert alone.page.query_selector(".dragged") is None


FURTHER = {"ahead": {"a": ["c", "d", "e", "b"]}}
WAYS = [
    {"actions": [7, 8, 7, 8], "number": 3, "label": "3: a, c, e", "told": ""},
    {"actions": [7, 9, 7, 9], "number": 2, "label": "2: a, c, e, takes one", "told": "takes one"},
]


def test_where_more_than_one_action_leads_is_one_drag_and_a_number(alone: Alone) -> None:
    answer = {"decision": 1, "question": "How many go to e?", "journeys": WAYS}
    alone.answers["journeys"] = (200, answer)
    alone.open(MOVES, **FURTHER)
    mouse = alone.page.mouse
    for element, act in (("a", mouse.down), ("e", mouse.up)):
        box = alone.page.locator(f'[data-e="{element}"]').bounding_box()
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()
    alone.page.wait_for_selector("#choice:has-text('How many go to e?')")
    assert alone.page.locator("#choice .journey").all_inner_texts() == ["3", "2 · takes one"]
    alone.page.click("#choice .journey >> nth=1")
    alone.asked()
    assert alone.acts() == [[7, 9, 7, 9]]


TOGETHER = {
    "ahead": {"a": ["c", "d"], "b": ["c", "d"]},
    "together": {"label": "Several", "hint": "Choose each."},
}
MARCHES = {
    "decision": 1,
    "question": "Go there together?",
    "told": "Places: 1; 1.",
    "marches": [
        {
            "actions": [7, 8],
            "goals": {"a": "c", "b": "d"},
            "ends": {"a": "c", "b": "d"},
            "whole": True,
            "label": "a → c, b → d",
        },
        {
            "actions": [7, 9],
            "goals": {"a": "d", "b": "e"},
            "ends": {"a": "d", "b": "d"},
            "whole": False,
            "label": "a → d, b → d",
        },
    ],
}


def marching(alone: Alone) -> None:
    alone.answers["marches"] = (200, MARCHES)
    alone.open(MOVES, **TOGETHER)
    alone.page.wait_for_selector("#together")


def chosen(alone: Alone) -> list[str]:
    names: list[str] = alone.page.eval_on_selector_all(
        ".is-picked", "nodes => nodes.map(n => n.dataset.e)"
    )
    return names


def along(alone: Alone, *way: tuple[float, float]) -> None:
    """Drag from a point of the screen over others."""
    mouse = alone.page.mouse
    mouse.move(*way[0])
    mouse.down()
    for x, y in way[1:]:
        mouse.move(x, y, steps=4)
    mouse.up()


def middle(alone: Alone, element: str) -> tuple[float, float]:
    box = alone.page.locator(f'[data-e="{element}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_frame_chooses_pieces_that_are_dragged_as_one(alone: Alone) -> None:
    marching(alone)
    (x, y), (right, _) = middle(alone, "a"), middle(alone, "b")
    side = middle(alone, "c")[0] - right
    begin = middle(alone, "c")[0] - 0.3 * side, y - 0.45 * side
    along(alone, begin, (x - 0.45 * side, y + 0.45 * side))
    alone.asked("marches")
    alone.until("document.querySelectorAll('.is-target').length === 1")
    assert chosen(alone) == ["a", "b"]
    along(alone, middle(alone, "a"), middle(alone, "c"))
    alone.page.wait_for_selector("#choice:has-text('a → c, b → d')")
    assert alone.page.locator("#marching > g").count() == 2  # where they would come to stand
    assert alone.acts() == []
    alone.page.click("#choice .primary")
    alone.asked()
    assert alone.acts() == [[7, 8]]


def test_pieces_are_chosen_one_after_the_other_and_sent_by_keys(alone: Alone) -> None:
    marching(alone)
    alone.page.focus("[data-e=a]")
    alone.page.keyboard.press("g")
    alone.page.keyboard.press("ArrowRight")
    alone.page.keyboard.press("Shift+Enter")
    alone.asked("marches")
    alone.until("document.querySelectorAll('.is-ahead').length === 1")
    said = alone.page.inner_text("#announcer")
    assert "Places: 1; 1." in said
    alone.page.focus("[data-e=e]")  # where the last one would go with some of them
    alone.page.keyboard.press("Enter")
    alone.page.wait_for_selector("#choice:has-text('a → d, b → d')")
    alone.page.keyboard.press("Enter")  # it has the focus
    alone.asked()
    assert alone.acts() == [[7, 9]]


def test_what_is_chosen_to_go_together_is_taken_back(alone: Alone) -> None:
    marching(alone)
    alone.page.click("#together")
    alone.click("a")
    alone.click("b")
    alone.until("document.querySelectorAll('.is-target').length === 1")
    alone.click("d")
    alone.page.wait_for_selector("#choice .primary")
    alone.page.keyboard.press("Escape")
    assert not alone.page.is_visible("#choice")
    assert alone.page.locator("#marching").count() == 0
    assert chosen(alone) == []
    assert alone.lit() == ["a", "b"]
    alone.click("a")  # as ever
    alone.click("c")
    alone.asked()
    assert alone.acts() == [[1]]


def test_a_finger_chooses_and_drags_several(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    alone = Alone(page)
    marching(alone)
    page.tap("#together")
    page.tap("[data-e=a]")
    page.tap("[data-e=b]")
    alone.until("document.querySelectorAll('.is-target').length === 1")
    touch = page.context.new_cdp_session(page)
    way = [middle(alone, "b"), middle(alone, "c"), middle(alone, "d")]
    for name, points in (("Start", way[:1]), ("Move", way[1:2]), ("Move", way[2:]), ("End", [])):
        found = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{name}", "touchPoints": found})
    page.wait_for_selector("#choice:has-text('a → c, b → d')")
    page.close()


def test_where_several_cannot_go_is_explained(alone: Alone) -> None:
    alone.answers["why"] = (200, {"statement": "X", "text": "No way.", "link": "/rules"})
    marching(alone)
    alone.page.click("[data-e=a]", modifiers=["Shift"])
    alone.page.click("[data-e=b]", modifiers=["Shift"])
    alone.until("document.querySelectorAll('.is-target').length === 1")
    alone.click("c")
    alone.page.wait_for_selector("#toast:has-text('No way')")
    assert chosen(alone) == ["a", "b"]


def test_two_clicks_lead_further_too_unless_another_piece_is_meant(alone: Alone) -> None:
    answer = {"decision": 1, "question": "How many?", "journeys": WAYS[:1]}
    alone.answers["journeys"] = (200, answer)
    alone.answers["why"] = (200, {"statement": "X", "text": "No way.", "link": "/rules"})
    alone.open(MOVES, **FURTHER)
    alone.click("a")
    alone.click("b")  # a piece of one's own stands there
    assert alone.lit() == ["c"]
    alone.click("a")
    alone.click("e")
    alone.page.wait_for_selector("#choice .journey")
    alone.page.keyboard.press("Escape")
    assert not alone.page.is_visible("#choice")
    assert alone.lit() == ["a", "b"]
    alone.answers["journeys"] = (200, {**answer, "journeys": []})
    alone.click("a")
    alone.click("e")
    alone.page.wait_for_selector("#toast:has-text('No way')")  # as any click that cannot be
    assert alone.acts() == []


def test_a_finger_drags_a_piece_and_the_page_stays_where_it_is(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    alone = Alone(page)
    alone.open(MOVES)
    wire = page.context.new_cdp_session(page)

    def middle(element: str) -> dict[str, float]:
        box = page.locator(f'[data-e="{element}"]').bounding_box()
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def touch(kind: str, *points: dict[str, float]) -> None:
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    page.locator('[data-e="a"]').scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    start, end = middle("a"), middle("d")
    touch("touchStart", start)
    for part in (0.2, 0.5, 0.8, 1):
        x = start["x"] + part * (end["x"] - start["x"])
        touch("touchMove", {"x": x, "y": start["y"] - 30 * part * (1 - part)})
    touch("touchEnd")
    alone.asked()
    assert alone.acts() == [[2]]
    assert page.evaluate("scrollY") == before
    page.close()


def test_a_finger_on_a_small_place_is_asked_whether_it_was_meant(browser: Any) -> None:
    for width, asked in ((200, True), (390, False)):
        page = browser.new_page(viewport={"width": width, "height": 844}, has_touch=True)
        alone = Alone(page)
        alone.open(MOVES)
        page.tap('[data-e="a"]')
        page.tap('[data-e="d"]')
        if asked:
            page.wait_for_selector("#choice .primary")
            assert alone.acts() == []
            page.wait_for_timeout(700)  # what comes under a finger takes no click of it
            page.tap("#choice .primary")
        alone.asked()
        assert alone.acts() == [[2]]
        page.close()


def test_a_finger_on_a_small_place_with_nothing_beside_it_is_not_asked(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 200, "height": 844}, has_touch=True)
    alone = Alone(page)
    alone.open([gesture(2, ["a"], ["d"]), gesture(3, ["b"], ["a"])])
    page.tap('[data-e="a"]')
    page.tap('[data-e="d"]')
    alone.asked()
    assert alone.acts() == [[2]]
    page.close()


def test_a_finger_beside_a_place_means_it_and_a_mouse_does_not(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 220, "height": 844}, has_touch=True)
    alone = Alone(page)
    alone.open(MOVES)
    box = page.locator('[data-e="a"]').bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] - 1
    page.mouse.click(x, y)
    assert chosen(alone) == []
    page.touchscreen.tap(x, y)
    alone.until("document.querySelectorAll('.is-target').length === 2")
    assert chosen(alone) == ["a"]
    page.touchscreen.tap(x, box["y"] - 60)  # far from all
    assert chosen(alone) == ["a"]
    page.close()


def finger(page: Any, *points: tuple[float, float], held: int = 0) -> None:
    """Press with a finger, move it along, and lift it."""
    wire = page.context.new_cdp_session(page)
    for number, (x, y) in enumerate(points):
        kind = "touchMove" if number else "touchStart"
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    page.wait_for_timeout(held)
    wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(("beside", "acts"), [(1, [[2]]), (40, [])])
def test_a_drag_that_ends_beside_a_place_means_it(browser: Any, beside: int, acts: Any) -> None:
    page = browser.new_page(viewport={"width": 220, "height": 844}, has_touch=True, is_mobile=True)
    alone = Alone(page)
    alone.open(MOVES)
    top = page.locator('[data-e="d"]').bounding_box()["y"] - beside
    (x, y), (end, _) = middle(alone, "a"), middle(alone, "d")
    finger(page, (x, y), ((x + end) / 2, top - 5), (end, top))
    page.wait_for_timeout(300)
    assert alone.acts() == acts
    assert chosen(alone) == []
    page.close()


def test_a_long_press_beside_a_place_asks_about_it(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 220, "height": 844}, has_touch=True, is_mobile=True)
    alone = Alone(page)
    alone.answers["ask"] = (200, {"title": "Place a", "facts": [], "rules": [], "lights": []})
    alone.open(MOVES)
    page.wait_for_selector("#table-page[data-asks]")
    x, _ = middle(alone, "a")
    finger(page, (x, page.locator('[data-e="a"]').bounding_box()["y"] - 1), held=700)
    page.wait_for_selector("#ask-card:has-text('Place a')")
    assert alone.acts() == []
    page.close()


def test_keys_alone_make_a_move(alone: Alone) -> None:
    alone.open(MOVES)
    keys = alone.page.keyboard
    keys.press("b")
    keys.press("Enter")
    assert alone.lit() == ["c", "d"]
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    assert alone.page.evaluate("document.activeElement.dataset.e") == "c"
    keys.press("n")
    assert alone.page.evaluate("document.activeElement.dataset.e") == "d"
    keys.press(" ")
    alone.asked()
    assert alone.acts() == [[2]]
    assert "Chosen" in alone.page.inner_text("#announcer")


def test_one_place_of_the_board_is_in_the_tab_order(alone: Alone) -> None:
    alone.open(MOVES)
    count = "document.querySelectorAll('[data-e][tabindex=\"0\"]').length"
    assert alone.page.evaluate(count) == 1
    alone.push(MOVES)
    alone.page.wait_for_timeout(50)
    assert alone.page.evaluate(count) == 1


def test_a_set_is_clicked_in_any_order(alone: Alone) -> None:
    alone.open(
        [gesture(7, ["a"], {"set": ["card1", "card2"]}), gesture(8, ["a"], ["card1"], ["b"])]
    )
    alone.click("a")
    alone.click("card2")
    assert alone.lit() == ["card1"]
    alone.click("card1")
    alone.asked()
    assert alone.acts() == [[7]]


def test_what_stands_twice_in_a_set_is_clicked_twice(alone: Alone) -> None:
    pay = {"set": ["card1", "card2", "card1"]}
    alone.open([gesture(7, ["a"], pay), gesture(8, ["a"], {"set": ["card2"] * 2})])
    alone.click("a")
    for card in ("card1", "card2"):
        alone.click(card)
    assert alone.lit() == ["card1"]
    assert alone.page.get_attribute("[data-e=card1]", "data-picked") == "1"
    alone.click("card1")
    alone.asked()
    assert alone.acts() == [[7]]


def test_a_chosen_card_can_be_put_back(alone: Alone) -> None:
    alone.open([gesture(7, ["a"], {"set": ["card1", "card2"]}), gesture(8, ["b"])])
    alone.click("a")
    alone.click("card1")
    alone.click("card1")
    assert alone.lit() == ["card1", "card2"]
    alone.click("a")
    assert alone.lit() == ["a", "b"]
    assert alone.sent == []


def test_what_would_be_done_is_told_before_it_is_done(alone: Alone) -> None:
    ways = [
        gesture(n, ["a"], {"set": cards}, label=f"way {n}", preview=True)
        for n, cards in ((1, ["card1"]), (2, ["card2"]), (3, ["card1", "card2"]))
    ]
    alone.open([*ways, gesture(9, ["b"])])
    alone.click("a")
    buttons = "[...document.querySelectorAll('#choice .primary')].map(b => b.textContent)"
    assert alone.page.evaluate(buttons) == ["way 1", "way 2", "way 3"]
    alone.click("card2")
    assert alone.page.evaluate(buttons) == ["way 2", "way 3"]
    alone.click("card1")
    assert alone.page.evaluate(buttons) == ["way 3"]
    assert alone.acts() == []
    alone.page.click("#choice .primary")
    alone.asked()
    assert alone.acts() == [[3]]
    assert alone.page.is_hidden("#choice")


def test_news_does_not_answer_whether_a_small_place_was_meant(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 200, "height": 844}, has_touch=True)
    alone = Alone(page)
    alone.open(MOVES)
    page.tap('[data-e="a"]')
    page.tap('[data-e="d"]')
    page.wait_for_selector("#choice .primary")
    alone.push(MOVES, decision=1, log=["It began.", "Somebody came."])
    alone.until("document.querySelectorAll('#log li').length === 2")
    page.wait_for_timeout(700)  # what comes under a finger takes no click of it
    page.tap("#choice .primary", timeout=3000)
    alone.asked()
    assert alone.acts() == [[2]]
    page.close()


SIZES = ({"width": 390, "height": 844}, {"width": 844, "height": 390})
"""A phone held upright, and on its side."""


@pytest.mark.parametrize("size", SIZES)
def test_on_a_phone_nothing_lies_over_the_board_and_nothing_moves_it(
    browser: Any, size: Any
) -> None:
    page = browser.new_page(viewport=size, has_touch=True, is_mobile=True)
    alone = Alone(page)
    ways = [
        gesture(n, ["a"], {"set": [square]}, label=f"a way to the square of {square}")
        for n, square in enumerate("bcde")
    ]
    alone.open([{**way, "p": True} for way in ways])
    before = {name: page.locator(name).bounding_box() for name in ("#e-a", "#dock")}
    page.tap('[data-e="a"]')
    page.wait_for_selector("#choice .primary")
    assert page.locator("#choice .primary").count() == 4
    page.evaluate(
        "toast.textContent = 'A rule that needs three lines to be told, and more. '.repeat(3);"
        " toast.hidden = false"
    )
    boxes = [page.locator(name).bounding_box() for name in ("#choice", "#toast", "[data-zoom=in]")]
    for name, box in before.items():
        assert page.locator(name).bounding_box() == box
        for over in boxes:
            assert (
                over["x"] >= box["x"] + box["width"] or over["y"] + over["height"] <= box["y"]
            ) or over["y"] >= box["y"] + box["height"]
    page.evaluate("toast.hidden = true")
    page.tap('[data-e="c"]', timeout=3000)
    page.tap("#choice .primary")
    alone.asked()
    assert alone.acts() == [[1]]
    page.close()


def test_on_a_desk_undo_moves_nothing_and_a_click_on_what_is_told_closes_it(alone: Alone) -> None:
    alone.open(MOVES)
    page = alone.page
    page.set_viewport_size({"width": 1280, "height": 800})
    before = {name: page.locator(name).bounding_box() for name in ("#board", "#dock", "#tabs")}
    alone.click("a")
    page.wait_for_selector("#undo:not([hidden])")
    for name, box in before.items():
        assert page.locator(name).bounding_box() == box
    page.evaluate("import('/static/x/js/announce.js').then((announce) => announce.toast('No.'))")
    page.click("#toast")
    assert page.is_hidden("#toast")
    page.click("#undo")
    assert page.is_hidden("#undo")


def test_of_very_many_ways_only_the_complete_ones_are_told(alone: Alone) -> None:
    ways = [
        gesture(n, ["a"], {"set": ["card1"] * n}, label=f"way {n}", preview=True)
        for n in range(1, 8)
    ]
    alone.open(ways)
    alone.click("a")
    assert alone.page.is_hidden("#choice")
    alone.click("card1")
    buttons = "[...document.querySelectorAll('#choice .primary')].map(b => b.textContent)"
    assert alone.page.evaluate(buttons) == ["way 1"]


def test_a_count_is_clicked_as_often_and_confirmed_where_more_could_follow(alone: Alone) -> None:
    counts = [gesture(n, {"one": "a", "count": n}, ["b"], label=f"{n} to b") for n in (1, 2, 3)]
    alone.open(counts)
    alone.click("a")
    alone.click("a")
    alone.click("b")
    alone.asked()
    assert alone.acts() == [[2]]


def test_what_is_complete_but_could_go_on_asks(alone: Alone) -> None:
    alone.open([gesture(1, ["a"], label="stay"), gesture(2, ["a"], ["b"], label="go")])
    alone.click("a")
    assert alone.acts() == []
    alone.page.click("#choice button:has-text('stay')")
    alone.asked()
    assert alone.acts() == [[1]]


def test_two_actions_with_the_same_clicks_are_offered_by_name(alone: Alone) -> None:
    alone.open([gesture(1, ["a"], label="with"), gesture(2, ["a"], label="without")])
    alone.click("a")
    alone.page.click("#choice button:has-text('without')")
    alone.asked()
    assert alone.acts() == [[2]]


def test_further_steps_are_asked_for_where_there_are_very_many(alone: Alone) -> None:
    first = [gesture(-1, ["a"]), gesture(-1, ["b"])]
    alone.open(first, partial=True)
    for element, rest in (("a", MOVES[:2]), ("b", MOVES[2:])):
        alone.answers["next-steps"] = (200, {"decision": 1, "gestures": rest})
        alone.click(element)
        alone.until("document.querySelectorAll('.is-target').length > 0")
    alone.click("c")
    alone.asked()
    assert alone.acts() == [[3]]


def test_a_click_that_is_quicker_than_the_further_steps_counts(alone: Alone) -> None:
    def click_on() -> None:
        alone.before_answering = None
        alone.click("d")

    alone.before_answering = click_on
    alone.answers["next-steps"] = (200, {"decision": 1, "gestures": MOVES[:2]})
    alone.open([gesture(-1, ["a"]), gesture(-1, ["b"])], partial=True)
    alone.click("a")
    alone.asked()
    assert alone.acts() == [[2]]
    assert not alone.page.is_visible("#toast")


def test_a_click_that_cannot_be_is_explained(alone: Alone) -> None:
    alone.answers["why"] = (
        200,
        {"statement": "STR-08", "text": "Too often to and fro.", "link": "/rules/stratego#STR-08"},
    )
    alone.open(MOVES)
    alone.click("a")
    alone.click("e")
    alone.page.wait_for_selector("#toast:has-text('Too often')")
    assert alone.sent == [("why", {"elements": ["a", "e"], "decision": 1})]
    assert alone.page.get_attribute("#toast a", "href") == "/rules/stratego#STR-08"
    assert alone.lit() == ["c", "d"]  # the choice stands


def test_a_refused_action_is_explained_and_nothing_is_lost(alone: Alone) -> None:
    error = {
        "code": "refused",
        "text": "No.",
        "statement": "STR-10",
        "link": "/rules/stratego#STR-10",
    }
    alone.answers["act"] = (422, {"error": error})
    alone.open(MOVES)
    alone.click("a")
    alone.click("c")
    alone.page.wait_for_selector("#toast a[href$='STR-10']")
    assert alone.lit() == ["a", "b"]


# --- One's own action, before the server has answered ---

GHOSTS = """new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(
    [...document.querySelectorAll('.ghost')].map(ghost => {
        const box = ghost.getBoundingClientRect();
        const over = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return over.map(node => node.dataset.e).find(Boolean);
    })))))"""
AWAY = "[...document.querySelectorAll('.is-away')].map(node => node.id)"


def shown_early(alone: Alone, *clicks: str) -> tuple[list[str], list[str]]:
    """Return over which places something is shown before the answer, and what has left."""
    seen: list[tuple[list[str], list[str]]] = []
    alone.page.emulate_media(reduced_motion="reduce")  # what moves is there at once

    def look() -> None:
        alone.before_answering = None
        seen.append((alone.page.evaluate(GHOSTS), alone.page.evaluate(AWAY)))

    alone.before_answering = look
    for element in clicks:
        alone.click(element)
    alone.asked()
    alone.until("!document.querySelector('#table').hasAttribute('aria-busy')")
    return seen[0]


@pytest.mark.parametrize(
    ("way", "clicks", "places", "away"),
    [
        ([["a"], ["d"]], "ad", ["d"], ["p-one"]),
        ([["a"], ["b"]], "ab", ["a"], ["p-one"]),  # somebody stands there: up to him
        ([["c"]], "c", [], []),
        ([["a"], {"set": ["card1", "card2"]}], ("a", "card2", "card1"), ["a", "a"], []),
    ],
)
def test_what_one_does_is_shown_before_the_answer(
    alone: Alone, way: Any, clicks: Any, places: list[str], away: list[str]
) -> None:
    alone.open([gesture(1, *way)])
    assert shown_early(alone, *clicks) == (places, away)
    assert alone.acts() == [[1]]


@pytest.mark.parametrize(("puts", "away"), [("s-x", []), ("#p-two", ["p-two"])])
def test_a_gesture_says_what_it_puts_on_the_board(alone: Alone, puts: str, away: list[str]) -> None:
    alone.open([gesture(1, ["card1"], ["e"], puts=puts), gesture(2, ["b"])])
    assert shown_early(alone, "card1", "e") == (["e"], away)


def test_what_was_shown_early_is_replaced_by_what_the_server_says(alone: Alone) -> None:
    alone.open(MOVES)
    shown_early(alone, "a", "d")
    alone.push(pieces={"one": "d", "two": "b"})
    alone.until("!document.querySelector('.ghost, .is-away')")
    assert alone.page.get_attribute("#p-one", "transform") == "translate(300 0)"
    assert alone.page.get_attribute("#p-one", "style") in (None, "")


def test_news_of_something_else_leaves_what_was_shown_early(alone: Alone) -> None:
    alone.open(MOVES)
    places: list[list[str]] = []

    def news() -> None:
        alone.before_answering = None
        alone.push(MOVES, decision=1, log=["a", "The other is ready."])
        alone.page.wait_for_selector("#log li:has-text('ready')")
        places.append(alone.page.evaluate(GHOSTS))

    alone.page.emulate_media(reduced_motion="reduce")
    alone.before_answering = news
    alone.click("a")
    alone.click("d")
    alone.asked()
    alone.until("!document.querySelector('#table').hasAttribute('aria-busy')")
    assert places == [["d"]]


def test_what_is_refused_goes_back_and_the_reason_is_told(alone: Alone) -> None:
    error = {"code": "refused", "text": "No.", "statement": "", "link": ""}
    alone.answers["act"] = (422, {"error": error})
    alone.open(MOVES)
    assert shown_early(alone, "a", "d") == (["d"], ["p-one"])
    alone.page.wait_for_selector("#toast:has-text('No.')")
    alone.until("!document.querySelector('.ghost, .is-away')")
    assert alone.page.get_attribute("#p-one", "transform") == "translate(0 0)"


# --- Moves that are set in advance ---

EARLY = {"a": ["b", "c"], "b": ["c"]}
WAITING = {"your_turn": False, "premoves": EARLY, "decision": 1}
PLANNED = "[...document.querySelectorAll('.is-planned')].map(node => node.dataset.e)"


def set_in_advance(alone: Alone, *clicks: str) -> None:
    alone.open(**WAITING)
    assert alone.lit() == []
    for element in clicks:
        alone.click(element)
    alone.until("document.querySelectorAll('.is-planned').length === 2")


def test_a_move_is_set_in_advance_and_made_when_the_turn_comes(alone: Alone) -> None:
    set_in_advance(alone, "a", "c")
    assert alone.page.evaluate(PLANNED) == ["a", "c"]
    assert alone.page.inner_text("#go-text") == "Set for your turn: a to c"
    alone.push(**WAITING, log=["a", "The other thinks."])  # it stays where it was set
    alone.page.wait_for_selector("#log li:has-text('thinks')")
    assert alone.page.evaluate(PLANNED) == ["a", "c"]
    assert alone.page.evaluate(AWAY) == ["p-one"]
    assert alone.acts() == []
    alone.push(MOVES, decision=1)
    alone.asked()
    assert alone.sent == [("act", {"actions": [1], "decision": 1})]
    assert alone.page.evaluate(PLANNED) == []


@pytest.mark.parametrize(
    ("pieces", "moves"),
    [
        ({"one": "a", "two": "c"}, MOVES),  # it would be an attack now
        ({"one": "a", "two": "b"}, MOVES[1:]),  # it is not legal now
    ],
)
def test_what_was_set_in_advance_is_dropped_where_things_have_changed(
    alone: Alone, pieces: Any, moves: Any
) -> None:
    set_in_advance(alone, "a", "c")
    alone.push(moves, decision=1, pieces=pieces)
    alone.page.wait_for_selector("#toast:has-text('things have changed there')")
    assert alone.acts() == []
    assert alone.page.evaluate(PLANNED) == []
    assert not alone.page.evaluate("!!document.querySelector('.ghost, .is-away')")


def test_where_ones_own_piece_has_been_taken_the_taker_is_attacked(alone: Alone) -> None:
    set_in_advance(alone, "a", "b")
    alone.push([gesture(5, ["a"], ["b"], final=True)], decision=1, pieces={"one": "a", "x": "b"})
    alone.asked()
    assert alone.acts() == [[5]]


@pytest.mark.parametrize("way", ["Escape", "a", "c", "#undo"])
def test_what_was_set_in_advance_is_taken_back(alone: Alone, way: str) -> None:
    set_in_advance(alone, "a", "c")
    if way == "Escape":
        alone.page.keyboard.press(way)
    elif way == "#undo":
        alone.page.click(way)
    else:
        alone.click(way)
    assert alone.page.evaluate(PLANNED) == []
    assert alone.page.evaluate(AWAY) == []
    assert alone.page.is_hidden("#undo")
    alone.push(MOVES, decision=1, log=["a", "b"])
    alone.page.wait_for_selector("#log li:has-text('b')")
    assert alone.acts() == []


@pytest.mark.parametrize(
    ("gestures", "changes", "acts"),
    [
        (MOVES, {"decision": 2}, [[1]]),  # the other has moved meanwhile: it is made
        (MOVES, {"decision": 3}, []),  # that decision has passed
        ((), {**WAITING, "decision": 2}, []),
        ((), {**WAITING, "viewer": 1}, []),  # another seat's page
    ],
)
def test_what_was_set_in_advance_is_there_when_the_page_is_loaded_again(
    alone: Alone, gestures: Any, changes: Any, acts: Any
) -> None:
    set_in_advance(alone, "a", "c")
    alone.open(**WAITING)
    assert alone.page.evaluate(PLANNED) == ["a", "c"]
    alone.open(gestures, **changes)
    if acts:
        alone.asked()
    assert alone.acts() == acts
    assert alone.page.evaluate(PLANNED) == []


def test_another_move_set_in_advance_replaces_the_first(browser: Any) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    alone = Alone(page)
    alone.open(**WAITING)
    for first in "ab":  # the words of the first come below the board, which makes room for them
        page.tap(f'[data-e="{first}"]')
        page.tap('[data-e="c"]')
        alone.until(f"document.querySelector('#go-text').textContent.includes('{first} to c')")
    alone.push(MOVES, decision=1)
    alone.asked()
    assert alone.acts() == [[3]]
    page.close()


def test_what_the_line_brings_before_the_answer_is_newer(alone: Alone) -> None:
    alone.open(MOVES)
    late = {"version": "v2", "html": alone.fragment(log=["a", "My move."])}
    alone.answers["act"] = (200, late)
    alone.version = 2
    alone.before_answering = lambda: alone.push(MOVES, log=["a", "My move.", "The reply."])
    alone.click("a")
    alone.click("c")
    alone.page.wait_for_selector("#log li:has-text('The reply.')")
    alone.page.wait_for_timeout(600)
    assert alone.page.inner_text("#log li:first-child") == "The reply."
    assert not alone.page.is_visible("#toast")


def test_where_parts_of_something_unknown_come_the_whole_is_asked_for(alone: Alone) -> None:
    alone.open(MOVES)
    alone.version = 5  # of which this page has not heard
    whole = alone.fragment(MOVES, log=["a", "My move.", "The reply."])
    alone.answers["fragment"] = (200, {"version": "v6", "html": whole})
    alone.push_parts("actions")
    alone.page.wait_for_selector("#log li:has-text('The reply.')")


def test_what_follows_can_be_chosen_before_the_answer_has_come(alone: Alone) -> None:
    alone.open(MOVES)
    alone.answers["act"] = (200, {"version": "v2", "html": alone.fragment()})

    def choose_what_follows() -> None:
        alone.before_answering = None
        alone.push(MOVES, pieces={"one": "c", "two": "b"}, log=["It began.", "one to c"])
        alone.until("document.querySelectorAll('#log li').length === 2")
        assert not alone.page.evaluate("document.getElementById('table').ariaBusy")
        assert alone.lit() == ["a", "b"]
        alone.click("b")

    alone.before_answering = choose_what_follows
    alone.click("a")
    alone.click("c")
    alone.until("document.querySelectorAll('.is-picked').length === 1")
    alone.page.wait_for_timeout(300)
    assert alone.lit() == ["c"]
    alone.click("c")
    alone.until("document.querySelectorAll('.is-picked').length === 0")
    assert alone.sent[1:] == [("act", {"actions": [3], "decision": 2})]


def test_news_about_something_else_leaves_what_is_chosen(alone: Alone) -> None:
    alone.open(MOVES)
    alone.click("a")
    alone.push(MOVES, decision=1, log=["It began.", "Somebody came."])
    alone.until("document.querySelectorAll('#log li').length === 2")
    assert alone.lit() == ["c", "d"]
    alone.push(MOVES, log=["It began.", "Somebody came.", "The other moved."])
    alone.until("document.querySelectorAll('#log li').length === 3")
    assert alone.lit() == ["a", "b"]


def test_news_about_something_else_leaves_what_is_chosen_of_very_many(alone: Alone) -> None:
    first = [gesture(-1, ["a"]), gesture(-1, ["b"])]
    alone.open(first, partial=True)
    alone.answers["next-steps"] = (200, {"decision": 1, "gestures": MOVES[:2]})
    alone.click("a")
    alone.until("document.querySelectorAll('.is-target').length > 0")
    alone.push(first, decision=1, partial=True, log=["It began.", "Somebody came."])
    alone.until("document.querySelectorAll('#log li').length === 2")
    assert alone.lit() == ["c", "d"]
    alone.click("d")
    alone.asked()
    assert alone.acts() == [[2]]


def test_news_about_something_else_leaves_a_question_open(alone: Alone) -> None:
    more = [*MOVES, gesture(4, ["a"], ["c"], label="one strikes c")]
    alone.open(more)
    alone.click("a")
    alone.click("c")
    asked = ["one to c", "one strikes c", "Cancel"]
    assert alone.page.locator("#choice button").all_inner_texts() == asked
    alone.push(more, decision=1, log=["It began.", "Somebody came."])
    alone.until("document.querySelectorAll('#log li').length === 2")
    assert alone.page.locator("#choice button").all_inner_texts() == asked
    alone.page.click("#choice button:text('strikes')")
    alone.until("document.querySelectorAll('.is-picked').length === 0")
    assert alone.acts() == [[4]]


def test_a_double_click_sends_once(alone: Alone) -> None:
    alone.open(MOVES)
    alone.click("a")
    alone.page.dblclick('[data-e="c"]')
    alone.asked()
    assert alone.acts() == [[1]]


def test_a_stale_page_fetches_the_newest(alone: Alone) -> None:
    alone.open(MOVES)
    alone.answers["act"] = (409, {"error": {"code": "stale", "text": "Stale."}})
    alone.version = 4
    alone.answers["fragment"] = (
        200,
        {"version": "v4", "html": alone.fragment([], log=["x", "News."])},
    )
    alone.click("a")
    alone.click("c")
    alone.page.wait_for_selector("#log li:has-text('News.')")
    assert alone.lit() == []


def test_pushed_fragments_glide_in_one_after_the_other_and_are_read_out(alone: Alone) -> None:
    alone.open(MOVES)
    alone.page.evaluate("document.getElementById('p-one').mine = true")
    lines = "document.querySelectorAll('#log li').length"
    watch = f"new MutationObserver(() => lengths.add({lines}))"
    watched = "document.body, {subtree: true, childList: true}"
    alone.page.evaluate(f"window.lengths = new Set(); {watch}.observe({watched})")
    alone.push([], pieces={"one": "c", "two": "b"}, log=["It began.", "one to c"])
    alone.push(MOVES, pieces={"one": "c", "two": "d"}, log=["It began.", "one to c", "two to d"])
    alone.until(f"{lines} === 3")
    assert {2, 3} <= set(alone.page.evaluate("[...lengths]"))
    assert alone.page.evaluate("document.getElementById('p-one').mine") is True
    assert "one to c" in alone.page.inner_text("#announcer")
    assert alone.page.inner_text("#log li:first-child") == "two to d"


def test_pushed_parts_change_what_they_name_and_nothing_else(alone: Alone) -> None:
    alone.open(MOVES, log=["It began."])
    page = alone.page
    page.evaluate("document.getElementById('e-a').dataset.mine = 'kept'")
    runs = [log_line(1, "Blue moved."), [0, 1]]
    alone.push_parts("actions", log=runs, gestures=MOVES, may=("resign",))
    page.wait_for_selector("#do-resign")
    assert page.locator("#log li").all_text_contents() == ["Blue moved.", "It began."]
    assert page.get_attribute("#table", "data-version") == "v2"
    alone.push_parts("actions", gestures=MOVES)
    page.wait_for_selector("#do-resign", state="detached")
    assert page.locator("#log li").count() == 2
    assert alone.lit() == ["a", "b"]


def test_parts_of_something_else_make_the_page_ask_anew(alone: Alone) -> None:
    alone.open(MOVES)
    alone.version = 7
    alone.push_parts("actions", may=("resign",))
    alone.asked("fragment")
    assert alone.page.locator("#do-resign").count() == 0


def test_step_by_step_waits_for_a_click(alone: Alone) -> None:
    alone.open(MOVES)
    alone.page.click("#menu-open")
    alone.page.click("[data-open=settings-dialog]")
    alone.page.check("#set-steps")
    alone.page.keyboard.press("Escape")
    for number in (1, 2):
        alone.push([], log=["a", *["b"] * number])
    alone.page.wait_for_selector("#step-next")
    assert alone.page.locator("#log li").count() == 2
    alone.page.click("#step-next")
    alone.until("document.querySelectorAll('#log li').length === 3")


def test_sounds_are_made_for_whoever_wants_them(alone: Alone) -> None:
    page, fetched = alone.page, list[str]()
    page.on("request", lambda request: fetched.append(request.url.rpartition("/")[2]))
    page.add_init_script(
        "window.tones = 0; const { start } = OscillatorNode.prototype;"
        "OscillatorNode.prototype.start = function (at) { tones += 1; start.call(this, at); }"
    )
    alone.open([], your_turn=False)
    alone.push([], your_turn=False, log=["It began.", "A."])
    page.wait_for_selector("#log li:has-text('A.')")
    assert "sounds.js" not in fetched
    page.evaluate("document.getElementById('settings-dialog').showModal()")
    page.check("#set-sounds")
    page.keyboard.press("Escape")
    alone.until("window.tones > 0")
    before = page.evaluate("window.tones")
    alone.push(MOVES, log=["It began.", "A.", "B."])
    alone.until(f"window.tones > {before}")
    before = page.evaluate("window.tones")
    alone.push([], your_turn=False, status="over", plies=2, log=["It began.", "A.", "B.", "C."])
    alone.until(f"window.tones > {before}")


LIT = "[...document.querySelectorAll('.is-asked')].map((node) => node.dataset.e).join()"


def test_a_line_of_the_log_shows_on_the_board_what_it_speaks_of(alone: Alone) -> None:
    alone.open(MOVES, log=["A.", "From a to b.", "C."])
    alone.page.set_viewport_size({"width": 1280, "height": 800})
    alone.page.hover("#log-1")
    alone.until(f"{LIT} === 'a,b'")
    alone.page.hover("#log-2")
    alone.until(f"{LIT} === ''")
    alone.page.focus("#log")
    alone.page.keyboard.press("ArrowDown")
    alone.until(f"{LIT} === 'a,b' && document.activeElement.id === 'log-1'")


def test_hints_go_once_something_is_chosen(alone: Alone) -> None:
    hint = {"label": "From a to b", "reason": "", "prospects": None, "gesture": None}
    alone.open(MOVES, may=["hint"])
    decision = alone.page.evaluate("JSON.parse(document.getElementById('gestures').textContent)")
    alone.answers["hint"] = (200, {"decision": decision["decision"], "hints": [hint]})
    alone.page.click("#hint-ask")
    alone.page.wait_for_selector("#hints li")
    alone.page.click("[data-e=b]")
    assert alone.page.is_visible("#hints")
    alone.page.click("[data-e=c]")
    alone.asked()
    alone.until("document.getElementById('hints').hidden")


def test_on_a_phone_the_log_gives_way_to_what_a_chosen_line_speaks_of(alone: Alone) -> None:
    height = "document.getElementById('tab-panel-log').getBoundingClientRect().height"
    alone.open(MOVES, log=["A.", "From a to b.", "C."])
    alone.page.set_viewport_size({"width": 390, "height": 844})
    alone.page.click("#tab-log")
    alone.until(f"{height} > 300")
    alone.page.click("#log-1")
    alone.until(f"{LIT} === 'a,b' && {height} < 180")
    alone.push(MOVES, log=["A.", "From a to b.", "C.", "D."])
    alone.page.wait_for_selector("#log li:has-text('D.')")
    alone.until(f"{LIT} === 'a,b'")
    alone.page.click("#log-1")
    alone.until(f"{LIT} === '' && {height} > 300")
    alone.page.click("#log-1")
    alone.page.click("#tab-log")
    alone.until(f"{LIT} === '' && {height} === 0")


def test_a_question_puts_away_the_log_and_the_log_covers_the_question(alone: Alone) -> None:
    choice = "getComputedStyle(document.getElementById('choice')).display"
    alone.open([gesture(1, ["a"], ["c"], preview=True)])
    alone.page.set_viewport_size({"width": 844, "height": 390})
    alone.page.click("#tab-log")
    assert alone.page.is_visible("#tab-panel-log")
    alone.page.click("[data-e=a]")
    alone.page.click("[data-e=c]")
    alone.until(f"{choice} !== 'none'")
    assert alone.page.is_hidden("#tab-panel-log")
    alone.page.click("#tab-log")
    alone.until(f"{choice} === 'none'")


def test_what_has_happened_is_shown_as_fast_as_somebody_likes(alone: Alone) -> None:
    step = {"line": 1, "hold": 60_000, "status": "Dealt.", "svg": "", "panels": {}, "text": ""}
    alone.answers["steps"] = (200, {"steps": [step]})
    alone.open(MOVES)
    for speed in ("once", "slow"):
        alone.page.evaluate("document.getElementById('settings-dialog').showModal()")
        alone.page.select_option("#set-speed", speed)
        alone.page.keyboard.press("Escape")
        before = alone.page.locator("#log li").count()
        lines = ["a", *[f"{speed} {number}" for number in range(before + 2)]]
        alone.push([], log=lines, steps=[before, before + 1])
        if speed == "slow":
            alone.page.click("#step-end")
        alone.page.wait_for_selector(f"#log li:has-text('{lines[-1]}')")
        assert ("steps" in [path for path, _ in alone.sent]) == (speed == "slow")
    pace = "getComputedStyle(document.documentElement).getPropertyValue('--pace').trim()"
    assert alone.page.evaluate(pace) == "2"
    alone.page.reload()
    alone.page.wait_for_selector("#table-page[data-ready]")
    assert alone.page.evaluate(pace) == "2"
    assert alone.page.input_value("#set-speed") == "slow"


STAGE = {
    "line": 1,
    "on": ["b"],
    "cast": [
        {"symbol": "s-x", "box": [0, 0, 100, 100], "falls": False, "note": ""},
        {"symbol": "s-y", "box": [0, 0, 100, 100], "falls": True, "note": "−1"},
    ],
}


def test_what_matters_is_staged_before_the_board_shows_it(alone: Alone) -> None:
    page = alone.page
    alone.open(MOVES)
    page.evaluate("import('/static/x/js/stage.js')")  # at an easy pace: nothing is awaited
    page.select_option("#set-speed", "slow", force=True)
    edge = json.dumps({**STAGE, "on": ["e"]})
    alone.push([], log=["a", "b"], stage=edge, pieces={"one": "b"})
    page.wait_for_selector("#stage .stage-actor:nth-child(2)")
    ends = "(one => one.offsetLeft + one.offsetWidth <= one.parentNode.clientWidth + 1)"
    assert page.evaluate(ends + "(document.querySelector('.stage-cast'))")
    assert page.locator("#p-two").count() == 1  # the result comes last
    page.wait_for_selector("#stage.is-decided .is-falling")
    page.wait_for_selector("#stage", state="detached")
    page.wait_for_selector("#p-two", state="detached")
    # What is known is not told again; at once means at once, and so does the wish for less motion.
    seen = "window.stages = 0; new MutationObserver(all => { for (const one of all)"
    seen += " for (const node of one.addedNodes) stages += node.id === 'stage'; })"
    page.evaluate(seen + ".observe(document.getElementById('table-page'), {childList: true})")
    alone.push(MOVES, log=["a", "b"], stage=json.dumps(STAGE), pieces={"one": "c"})
    page.wait_for_selector("#p-one[transform='translate(200 0)']")
    page.select_option("#set-speed", "once", force=True)
    alone.push(MOVES, log=["a", "b", "c"], stage=json.dumps({**STAGE, "line": 2}))
    page.wait_for_selector("#log-2")
    page.select_option("#set-speed", "", force=True)
    page.emulate_media(reduced_motion="reduce")
    alone.push(MOVES, log=[*"abcd"], stage=json.dumps({**STAGE, "line": 3}))
    page.wait_for_selector("#log-3")
    assert page.evaluate("stages") == 0
    page.emulate_media(reduced_motion="no-preference")
    alone.push(MOVES, log=[*"abcde"], stage=json.dumps({**STAGE, "line": 4}))
    page.wait_for_selector("#stage")
    alone.click("e")  # whoever is in a hurry sees the result
    page.wait_for_selector("#log-4", timeout=1000)
    assert alone.acts() == []


def test_where_who_is_staged_stands(alone: Alone) -> None:
    alone.open(MOVES)
    found = alone.page.evaluate(
        """async () => {
            const {around, beside} = await import("/static/x/js/stage.js");
            const box = (left, top) => ({left, top, right: left + 100, bottom: top + 100});
            const [size, room] = [{width: 200, height: 100}, {width: 800, height: 600}];
            const one = around([box(300, 300)]);
            return [one, around([]), around([box(0, 0), box(200, 0)]).x,
                beside({x: 350, y: 350, reach: 50}, size, room), // above
                beside({x: 350, y: 100, reach: 50}, size, room), // no room above: below
                beside({x: 10, y: 350, reach: 50}, size, room), // never outside
                beside({x: 790, y: 300, reach: 400}, size, room)];
        }"""
    )
    assert found == [
        {"x": 350, "y": 350, "reach": pytest.approx(70.7, abs=0.1)},
        None,
        150,
        {"left": 250, "top": 188},
        {"left": 250, "top": 162},
        {"left": 0, "top": 188},
        {"left": 600, "top": 0},
    ]


def test_a_lost_connection_is_told_and_comes_back(alone: Alone) -> None:
    alone.open(MOVES)
    alone.socket.close()
    alone.until("document.title.includes('Game')")
    deadline = 50
    while alone.sockets < 2 and deadline:
        alone.page.wait_for_timeout(50)
        deadline -= 1
    assert alone.sockets == 2
    alone.push(MOVES, log=["a", "after"])
    alone.page.wait_for_selector("#log li:has-text('after')")


def test_single_elements_of_the_board_change_come_and_go(alone: Alone) -> None:
    alone.open(MOVES)
    piece = '<g id="p-{}" class="piece" transform="translate({} 0)"><circle r="30"/></g>'
    single = {
        "set": [piece.format("one", 400)],
        "gone": ["p-two"],
        "new": [["p-one", piece.format("x", 200)]],
    }
    alone.push(MOVES)  # what is sent as a whole comes first
    alone.until("document.querySelector('#table').dataset.version === 'v2'")
    alone.push_parts(gestures=MOVES, bits=single)
    alone.until("!document.querySelector('#p-two')")
    assert alone.page.get_attribute("#p-one", "transform") == "translate(400 0)"
    assert alone.page.evaluate("document.querySelector('#p-x circle') instanceof SVGElement")
    # Where they belong to another picture the page asks for all of it.
    alone.push_parts(gestures=MOVES, bits={"set": [], "gone": ["p-two"], "new": []})
    alone.asked("fragment")


def test_a_phone_on_its_side_shows_the_whole_menu_and_no_button_over_the_board(
    browser: Any,
) -> None:
    page = browser.new_page(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    alone = Alone(page)
    alone.open(MOVES)
    board, zoom = (page.locator(name).bounding_box() for name in ("#board", ".zoom"))
    assert zoom["x"] >= board["x"] + board["width"]
    page.click("#menu-open")
    assert page.evaluate("menu.scrollWidth <= menu.clientWidth")
    assert page.evaluate("menu.scrollHeight <= menu.clientHeight")
    page.close()


def test_the_title_says_whose_turn_it_is(alone: Alone) -> None:
    alone.open(MOVES)
    icon = "document.querySelector('link[rel=icon]').getAttribute('href')"
    assert alone.page.title() == "● Your turn · Game · Tianxia"
    assert alone.page.evaluate(icon).endswith("seal-turn.svg")
    alone.push([], your_turn=False)
    alone.until("document.title === 'Game · Tianxia'")
    assert alone.page.evaluate(icon) == "/static/x/seal.svg"


def test_resigning_asks(alone: Alone) -> None:
    alone.open(MOVES, may=("resign",))
    alone.page.click("[data-post=resign]")
    alone.page.click("#resign-dialog [value=no]")
    alone.page.click("[data-post=resign]")
    alone.page.click("#resign-dialog [value=yes]")
    alone.asked("resign")
    assert alone.sent.count(("resign", {})) == 1  # a mouse that rests on the button asks what it is


def test_news_does_not_change_what_was_asked(alone: Alone) -> None:
    alone.open(MOVES, may=("resign",))
    alone.page.click("[data-post=resign]")
    alone.push([], may=("take_back", "offer_draw", "resign"), log=["It began.", "one to c"])
    alone.page.wait_for_selector("#do-take-back")
    alone.page.click("#resign-dialog [value=yes]")
    alone.asked("resign")
    assert alone.sent == [("resign", {})]


ROOM = """() => [...document.querySelectorAll("#actions .button")].map((button) => {
    const words = document.createRange();
    words.selectNodeContents(button.querySelector("span") ?? button);
    const [a, b] = [words, button].map((one) => one.getBoundingClientRect());
    return Math.min(a.left - b.left, b.right - a.right, a.top - b.top, b.bottom - a.bottom);
})"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)])
@pytest.mark.parametrize("back", [(), ("set_up_anew",), ("ask_take_back", "set_up_anew")])
def test_words_of_buttons_do_not_touch_their_borders(
    alone: Alone, size: tuple[int, int], back: tuple[str, ...]
) -> None:
    alone.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    may = ("hint", "take_back", "offer_draw", "resign", *back)
    alone.open(MOVES, may=may, language="fr")
    room = alone.page.evaluate(ROOM)
    assert len(room) == 4
    assert min(room) >= 3, room


def test_buttons_say_what_is_dropped_and_what_is_taken_back(alone: Alone) -> None:
    alone.open(MOVES, may=("take_back",))
    alone.click(MOVES[0]["s"][0][0])
    again, back = (alone.page.locator(one) for one in ("#undo", "#do-take-back"))
    assert (again.inner_text(), back.inner_text()) == ("Choose again", "Take back")
    assert "is done yet" in again.get_attribute("title")
    assert "nobody has to be asked" in back.get_attribute("title")
    alone.push(MOVES, may=("take_back", "ask_take_back"))
    alone.page.wait_for_selector("#do-take-back:has-text('Ask to')")
    assert back.inner_text() == "Ask to take back"
    assert "Asks the others" in back.get_attribute("title")


def test_moves_can_be_taken_from_a_list(alone: Alone) -> None:
    other_way = gesture(3, ["c"], ["b"], label="two to c")
    alone.open([*MOVES, other_way])
    alone.page.keyboard.press("m")
    alone.page.fill("#moves-filter", "to c")
    assert alone.page.locator("#moves-list button").count() == 2
    alone.page.click("#moves-list button:has-text('two')")
    alone.asked()
    assert alone.acts() == [[3]]


PLAN: dict[str, Any] = {
    "slots": ["a", "b", "c", "d", "e"],
    "kinds": [
        {"id": "x", "symbol": "s-x", "label": "Cross", "count": 2, "action": 11},
        {"id": "y", "symbol": "s-y", "label": "Yoke", "count": 1, "action": 12},
    ],
    "empty": 10,
    "presets": [{"id": "p", "label": "Plain", "layout": [0, -1, 1, 0, -1]}],
    "mirror": [4, 3, 2, 1, 0],
}


def placed(alone: Alone) -> list[str]:
    """Return what stands on each slot, as screen readers hear it."""
    labels: list[str] = alone.page.eval_on_selector_all(
        "rect[data-e]", "nodes => nodes.map(n => n.getAttribute('aria-label'))"
    )
    return labels


def test_a_preset_is_taken_mirrored_changed_and_sent_at_once(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.select_option("#tray-presets", "preset:p")
    assert placed(alone) == ["a: Cross", "b", "c: Yoke", "d: Cross", "e"]
    alone.page.click("#tray button:has-text('Mirror')")
    assert placed(alone) == ["a", "b: Cross", "c: Yoke", "d", "e: Cross"]
    alone.click("b")
    alone.click("c")  # exchanged
    alone.click("e")
    alone.click("d")  # moved
    assert placed(alone) == ["a", "b: Yoke", "c: Cross", "d: Cross", "e"]
    alone.page.click("#tray-ready")
    alone.asked()
    assert alone.acts() == [[10, 12, 11, 11]]


def test_pieces_are_placed_one_by_one_by_click_and_by_drag(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.click("[data-kind='0']")
    alone.click("a")
    alone.click("b")
    assert placed(alone)[:3] == ["a: Cross", "b: Cross", "c"]
    box = alone.page.locator("[data-kind='1']").bounding_box()
    target = alone.page.locator("[data-e=e]").bounding_box()
    mouse = alone.page.mouse
    mouse.move(box["x"] + 10, box["y"] + 10)
    mouse.down()
    mouse.move(target["x"] + 20, target["y"] + 20, steps=5)
    mouse.up()
    assert placed(alone)[4] == "e: Yoke"
    alone.page.focus("[data-e=a]")
    alone.page.keyboard.press("Delete")
    assert placed(alone)[0] == "a"
    alone.page.click("#tray-ready")
    alone.page.wait_for_selector("#toast:has-text('1')")
    assert alone.acts() == []


PILES = {
    **PLAN,
    "kinds": [{**PLAN["kinds"][0], "count": 4}],
    "piles": True,
    "words": {"hint": "How", "sent": "{from} → {to}: {n} of {most}", "fewer": "-", "more": "+"},
    "offsets": [0, 1, 2, 3, 4],
    "slots": ["a", "b", "c", "d"],
    "mirror": [],
    "presets": [
        {
            "id": "p",
            "label": "Pair",
            "layout": [0, 0, -1, -1],
            "heights": [2, 2, 0, 0],
            "placements": [
                {"kind": 0, "piles": [[0, 2], [1, 2]]},
                {"kind": 0, "piles": [[2, 2], [3, 2]]},
            ],
        }
    ],
}


def test_a_pile_is_dragged_whole_or_in_part(alone: Alone) -> None:
    alone.answers["why"] = (200, {"statement": "X", "text": "Not there.", "link": "/rules"})
    alone.open(arrangement=PILES)
    alone.page.click("[data-kind='1']")
    assert placed(alone)[:2] == ["a: 2 × Cross", "b: 2 × Cross"]
    along(alone, middle(alone, "a"), middle(alone, "c"))
    assert placed(alone)[:4] == ["a", "b: 2 × Cross", "c: 2 × Cross", "d"]
    alone.page.click("[data-more='-1']")
    assert placed(alone)[:4] == ["a: 1 × Cross", "b: 2 × Cross", "c: 1 × Cross", "d"]
    assert alone.page.inner_text("#tray-sent") == "a → c: 1 of 2"
    alone.page.focus("[data-e=c]")
    alone.page.keyboard.press("+")
    assert placed(alone)[:4] == ["a", "b: 2 × Cross", "c: 2 × Cross", "d"]
    assert alone.page.is_disabled("[data-more='1']")
    along(alone, middle(alone, "b"), middle(alone, "e"))  # no slot
    alone.page.wait_for_selector("#toast:has-text('Not there')")
    assert placed(alone)[:4] == ["a", "b: 2 × Cross", "c: 2 × Cross", "d"]
    along(alone, middle(alone, "b"), (5, 790))  # beside the board: back to the tray
    assert placed(alone)[:4] == ["a", "b", "c: 2 × Cross", "d"]
    alone.page.wait_for_timeout(100)  # a click at the end of a drag is none
    alone.click("c")  # one from the tray
    alone.page.click("[data-more='1']")
    assert placed(alone)[2] == "c: 4 × Cross"


def test_a_ready_set_up_is_dragged_as_a_whole(alone: Alone) -> None:
    alone.answers["why"] = (200, {"statement": "X", "text": "Not there.", "link": "/rules"})
    alone.open(arrangement=PILES)
    box = alone.page.locator("[data-kind='1']").bounding_box()
    start = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = alone.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*middle(alone, "d"), steps=5)
    assert alone.page.locator("#draft-ghost .piece").count() == 2
    assert placed(alone)[:4] == ["a", "b", "c", "d"]
    mouse.up()
    assert placed(alone)[:4] == ["a", "b", "c: 2 × Cross", "d: 2 × Cross"]
    assert alone.page.locator("#draft-ghost").count() == 0
    assert "Pair: c × 2, d × 2" in alone.page.inner_text("#announcer")
    along(alone, start, middle(alone, "e"))  # no slot
    alone.page.wait_for_selector("#toast:has-text('Not there')")
    assert placed(alone)[:4] == ["a", "b", "c: 2 × Cross", "d: 2 × Cross"]


def test_a_ready_set_up_is_put_down_by_keys(alone: Alone) -> None:
    alone.open(arrangement=PILES)
    alone.page.focus("[data-kind='1']")
    alone.page.keyboard.press("Enter")
    assert placed(alone)[:4] == ["a: 2 × Cross", "b: 2 × Cross", "c", "d"]
    assert "Pair: a × 2, b × 2" in alone.page.inner_text("#announcer")
    assert alone.page.get_attribute("[data-kind='1']", "aria-pressed") == "false"
    alone.page.keyboard.press("Enter")  # once more: it goes elsewhere
    assert alone.page.get_attribute("[data-kind='1']", "aria-pressed") == "true"
    assert alone.lit() == ["a", "b", "c", "d"]
    alone.page.focus("[data-e=d]")
    assert alone.page.locator("#draft-ghost .piece").count() == 2
    alone.page.keyboard.press("Enter")
    assert placed(alone)[:4] == ["a", "b", "c: 2 × Cross", "d: 2 × Cross"]


def test_the_list_of_ready_set_ups_has_what_has_no_picture(alone: Alone) -> None:
    alone.open(arrangement=PILES)
    assert alone.page.is_hidden("#tray-presets")
    alone.page.click("[data-kind='1']")
    alone.page.click("#tray-more summary")
    alone.page.fill("#tray-name", "Mine")
    alone.page.click("#tray button:has-text('Save')")
    listed = alone.page.locator("#tray-presets option").all_inner_texts()
    assert [one.strip() for one in listed] == ["Your own set-ups…", "Mine"]


def test_a_set_up_is_kept_over_a_reload_and_saved_by_name(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.click("#tray button:has-text('Shuffle')")
    before = placed(alone)
    assert sum("Cross" in label for label in before) == 2
    alone.page.click("#tray-more summary")
    alone.page.fill("#tray-name", "Mine")
    alone.page.click("#tray button:has-text('Save')")
    alone.page.click("#tray button:has-text('Clear')")
    assert placed(alone) == ["a", "b", "c", "d", "e"]
    alone.page.select_option("#tray-presets", "saved:Mine")
    assert placed(alone) == before
    alone.page.reload()
    alone.page.wait_for_selector("#table-page[data-ready]")
    assert placed(alone) == before


def test_what_the_other_does_leaves_a_set_up_alone(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.select_option("#tray-presets", "preset:p")
    alone.push(arrangement=PLAN, log=["a", "The other is ready."])
    alone.page.wait_for_selector("#log li:has-text('ready')")
    assert placed(alone) == ["a: Cross", "b", "c: Yoke", "d: Cross", "e"]


def test_the_end_of_a_game_is_shown_once_and_when_asked_for(alone: Alone) -> None:
    page, over = alone.page, {"status": "over", "your_turn": False, "plies": 3, "ending": "Red."}
    alone.open(MOVES)
    assert page.is_hidden("#ending")
    alone.push(**over)
    page.wait_for_selector("#ending:not([hidden])")
    alone.until("document.activeElement.id === 'ending-title'")
    page.keyboard.press("Escape")
    page.wait_for_selector("#ending", state="hidden")
    page.click("#end-open")
    page.wait_for_selector("#ending:not([hidden])")
    assert len([path for path, _ in alone.sent if path == "end"]) == 1
    page.press("#ending [data-share]", "Enter")
    page.wait_for_selector("#share-dialog[open]")
    assert page.input_value("#link-share").endswith("/t/T1")
    page.keyboard.press("Escape")
    page.wait_for_selector("#share-dialog", state="hidden")
    assert page.is_visible("#ending")
    page.press("[data-ending=close]", "Enter")
    page.wait_for_selector("#ending", state="hidden")
    alone.until("document.activeElement.id === 'end-open'")
    alone.push(**over, log=["It began.", "Somebody asks for a rematch."])
    page.wait_for_selector("#log li:has-text('rematch')")
    alone.until("!('telling' in document.querySelector('#table-page').dataset)")
    assert page.is_hidden("#ending")


OVER: dict[str, Any] = {"status": "over", "your_turn": False, "ending": "Red wins.", "plies": 3}


def finished(alone: Alone, **changes: Any) -> None:
    """Open a game that is over after three steps."""
    for ply in range(4):
        pieces = {"one": "abcd"[ply], "two": "e"}
        html = alone.fragment(ply=ply, pieces=pieces, **OVER, **changes)
        alone.answers[f"ply/{ply}"] = (200, {"html": html})
    alone.open(**OVER, **changes, log=["A.", "B.", "C.", "D."])


@pytest.mark.parametrize("asked", ["key", "button"])
def test_a_step_is_not_lost_while_what_steps_is_fetched(alone: Alone, asked: str) -> None:
    answer, held = alone.answer, list[Any]()

    def hold(route: Any, html: str) -> None:
        if route.request.url.endswith("/stepper.js"):
            held.append(route)
        else:
            answer(route, html)

    alone.answer = hold  # type: ignore[method-assign]
    finished(alone)
    if asked == "key":
        alone.page.keyboard.press("[")
    else:
        alone.page.click("[data-step=previous]")
    while not held:
        alone.page.wait_for_timeout(20)
    answer(held[0], "")
    alone.until("document.querySelector('#stepper output').textContent === '2/3'")


def test_a_finished_game_is_stepped_through(alone: Alone) -> None:
    finished(alone)
    alone.page.click("[data-step=first]")
    alone.until("document.querySelector('#stepper output').textContent === '0/3'")
    assert alone.page.locator("#log li").count() == 4
    alone.page.click("[data-step=next]")
    alone.until("document.querySelector('#stepper output').textContent === '1/3'")
    assert alone.page.inner_text("#log .is-now") == "B."
    alone.page.keyboard.press("]")
    alone.until("document.querySelector('#stepper output').textContent === '2/3'")
    alone.page.click("[data-step=play]")
    alone.until("document.querySelector('#stepper output').textContent === '3/3'")
    assert alone.page.is_visible("#end-open")  # the table as it is, with what can be done there


def test_what_comes_under_a_mouse_that_rests_is_not_asked_about(alone: Alone) -> None:
    alone.open(MOVES)
    x, y, width, height = alone.page.locator('[data-e="c"]').bounding_box().values()
    alone.page.evaluate(COVER)
    alone.page.mouse.move(x + width / 2 - 5, y + height / 2)
    alone.page.mouse.move(x + width / 2, y + height / 2)
    alone.page.mouse.down()
    alone.page.mouse.up()
    alone.page.wait_for_selector("#cover", state="detached")
    alone.page.wait_for_timeout(900)
    assert "ask" not in [path for path, _ in alone.sent]
    alone.page.hover('[data-e="d"]')
    alone.asked("ask")
    assert [body for path, body in alone.sent if path == "ask"]


COVER = """(() => {
    const cover = Object.assign(document.createElement("div"), { id: "cover" });
    Object.assign(cover.style, { position: "fixed", inset: 0, zIndex: 99 });
    cover.onclick = () => cover.remove();
    document.body.append(cover);
})()"""
"""Something that lies over the page until it is clicked, as the result of a game does."""


def test_one_button_leads_back_to_the_end_on_a_phone_too(alone: Alone) -> None:
    alone.page.set_viewport_size(PHONE)
    finished(alone)
    alone.page.click("[data-step=previous]")
    alone.until("document.querySelector('#stepper output').textContent === '2/3'")
    alone.page.click("#actions >> text=Back to the end")
    alone.until("document.querySelector('#stepper output').textContent === '3/3'")
    assert alone.page.is_visible("#end-open")


def test_on_a_phone_the_whole_reason_of_an_end_is_there_to_read(alone: Alone) -> None:
    alone.page.set_viewport_size(PHONE)
    told = "La pioche est épuisée pour la troisième fois. Jaune gagne avec 5 points."
    result = {"result": "Cette fois, vous perdez de 12 points", "ending": told}
    alone.open(**OVER | result, language="fr")
    cut = "[...document.querySelectorAll('#status p')].some(p => p.scrollHeight > p.clientHeight)"
    assert not alone.page.evaluate(cut)


def test_a_long_hand_leaves_a_review_the_room_for_its_chart(alone: Alone) -> None:
    finished(alone, chances=SimpleNamespace(stage="none"))
    long = "document.querySelector('#dock > .panel').style.blockSize = '40rem'"
    tall = "document.getElementById('dock').getBoundingClientRect().height"
    alone.page.evaluate(long)
    assert alone.page.evaluate(tall) > 200
    alone.page.click("#tab-review")
    alone.until(f"{tall} < 150")
