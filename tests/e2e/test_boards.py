"""The editors of boards: drawn by mouse and keys, saved, shared, exported."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.people import Person

pytestmark = pytest.mark.browser
TERRAIN = ("r6", "o6", "o8", "y6", "g6", "g8", "b6", "p6", "p8")
WHIRLPOOLS = ("r13", "y13", "b13")
WHIRLPOOL_TOOL = "2"
DRAFT = "sessionStorage[`tianxia:draft:${location.pathname}`]"
CHECKED = "#faults:not([aria-busy=true])"
PHOTO = "document.getElementById('photo')"


def to_editor(one: Person, game: str) -> None:
    """Go from the menu to an empty board."""
    one.go("/")
    if one.touch:
        one.press(".site-more")
    one.press("nav a[href='/boards']:visible")
    one.press(f"a[href='/boards/new/{game}']")
    one.page.wait_for_selector("#draw[data-ready]")


def save(one: Person, title: str) -> str:
    """Save a board under a name; return its path."""
    one.page.fill("#title", title)
    one.press("#save")
    one.page.wait_for_selector("#saved:has-text('Saved.')")
    return str(one.page.input_value("#link")).removeprefix(one.url)


def exported(one: Person) -> Any:
    """Return what is in the file that the page hands out."""
    with one.page.expect_download() as download:
        one.press("#export")
    return json.loads(Path(download.value.path()).read_text(encoding="utf-8"))


def drawn(one: Person, *wanted: Any) -> Any:
    """Return what is drawn and not saved yet, as the browser keeps it.

    Wanted are members of it, and what is to be found there: a finger's click comes a little later.
    """
    *path, value = wanted
    keys = "".join(f"?.[{json.dumps(key)}]" for key in path)
    text = json.dumps(value, separators=(",", ":"))
    one.until(f"JSON.stringify(JSON.parse({DRAFT} ?? null){keys}) === {json.dumps(text)}")
    return json.loads(one.page.evaluate(DRAFT))


def focused(one: Person) -> str:
    return str(one.page.evaluate("document.activeElement.dataset.e"))


def test_a_map_of_binfa_is_drawn_by_mouse_and_keys(person: Callable[..., Person]) -> None:
    ada, page = (one := person()), one.page
    to_editor(ada, "binfa")
    for place in TERRAIN:
        page.click(f"#board [data-e={place}]")
    page.keyboard.press(WHIRLPOOL_TOOL)
    for place in WHIRLPOOLS[:2]:
        page.click(f"#board [data-e={place}]")
    page.click("#board [data-e=b12]")  # beside the one that is meant
    page.keyboard.press("Control+z")
    assert page.locator("#keys").is_visible()
    page.wait_for_selector("#board [data-e=b12][tabindex='0']")
    page.wait_for_selector(CHECKED)
    assert page.locator("#faults a").get_attribute("href") == "/rules/binfa#BIN-38a"
    told = page.locator("#faults p").inner_text()
    assert told == "A map has 3 whirlpools, or none; this one has 2. the rule BIN-38a"
    page.focus("#board [data-e=b12]")
    page.keyboard.press("ArrowDown")
    assert focused(ada) == "b13"
    page.keyboard.press("Enter")
    page.wait_for_selector("#faults .is-fine")
    assert focused(ada) == "b13"  # the new picture keeps the keys where they were

    shared = save(ada, "Citadel")
    written = exported(ada)
    assert (written["terrain"], written["whirlpools"]) == (list(TERRAIN), list(WHIRLPOOLS))
    bob = person()
    bob.go(shared)
    bob.page.wait_for_selector("#draw[data-ready]")
    assert exported(bob) == written
    assert bob.page.is_visible(".draw-note")
    bob.press("#play")
    bob.page.wait_for_url("**/new/binfa?**")


class Fingers:
    """Fingers on the board of the editor; points are those of the drawing."""

    def __init__(self, one: Person) -> None:
        self.page = one.page
        self.wire = one.context.new_cdp_session(one.page)

    def at(self, x: float, y: float) -> dict[str, float]:
        """Return where a point of the drawing is on the screen; bring the board there before."""
        self.page.wait_for_selector(CHECKED)
        self.page.locator("#sheet").scroll_into_view_if_needed()
        found: dict[str, float] = self.page.evaluate(
            """([x, y]) => {
                const picture = document.querySelector("#board > svg");
                const point = new DOMPoint(x, y).matrixTransform(picture.getScreenCTM());
                return { x: point.x, y: point.y };
            }""",
            [x, y],
        )
        return found

    def touch(self, kind: str, *points: dict[str, float]) -> None:
        told = [{**point, "id": number} for number, point in enumerate(points)]
        self.wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    def tap(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(*self.at(x, y).values())

    def go(self, *steps: list[dict[str, float]]) -> None:
        """Put fingers down, move them, and lift them; the page stays where it is."""
        still = self.page.evaluate("scrollY")
        self.touch("touchStart", *steps[0])
        for step in steps[1:]:
            self.touch("touchMove", *step)
        self.page.wait_for_timeout(150)  # else it is a fling, and browsers ignore the next tap
        self.touch("touchEnd")
        assert self.page.evaluate("scrollY") == still

    def draw(self, *points: tuple[float, float]) -> None:
        """Draw a line with one finger."""
        between = [
            (x + part * (other_x - x), y + part * (other_y - y))
            for (x, y), (other_x, other_y) in pairwise(points)
            for part in (0.25, 0.5, 0.75, 1)
        ]
        self.go(*([self.at(*point)] for point in (points[0], *between)))

    def spread(self, x: float, y: float, *widths: float) -> None:
        """Put two fingers down around a point, so many pixels apart, then farther."""
        at = self.at(x, y)
        self.go(
            *(
                [{**at, "x": at["x"] - width / 2}, {**at, "x": at["x"] + width / 2}]
                for width in widths
            )
        )


def tool(one: Person, name: str) -> None:
    press(one, f"#tools button:has-text('{name}')")


def press(one: Person, selector: str) -> None:
    """Press a button once the new picture is there: slow machines take a tap for a long one."""
    one.page.wait_for_selector(CHECKED)
    one.press(selector)


def test_a_board_of_china_is_drawn_by_touch(person: Callable[..., Person]) -> None:
    """Places, a province, roads in one line, two fingers, undoing, saving and opening again."""
    ada = person(touch=True)
    to_editor(ada, "china")
    page, hand = ada.page, Fingers(ada)
    assert page.locator("#keys").is_hidden()  # there are none
    for x in (150, 350, 550):
        hand.tap(x, 300)
    press(ada, "#palette button:text-is('Zhao')")
    hand.tap(750, 300)
    tool(ada, "Road")
    hand.draw((150, 300), (350, 310), (550, 290), (750, 300))
    roads = [["We1", "We2"], ["We2", "We3"], ["We3", "Z1"]]
    board = drawn(ada, "roads", roads)
    assert list(board["spaces"]) == ["We1", "We2", "We3", "Z1"]
    assert board["spaces"]["We2"] == {"x": 350, "y": 300, "provinces": ["Wei"]}

    tool(ada, "Place")
    hand.tap(550, 300)  # goes over to the other province
    drawn(ada, "roads", [["We1", "We2"], ["We2", "Z2"], ["Z2", "Z1"]])
    press(ada, "#undo")
    assert drawn(ada, "roads", roads) == board
    press(ada, "#redo")

    tool(ada, "Move")
    hand.draw((150, 300), (150, 500))
    drawn(ada, "spaces", "We1", "y", 500)
    hand.spread(750, 300, 60, 180)
    assert page.evaluate("document.querySelector('#board > svg').viewBox.baseVal.width") < 500
    hand.draw((650, 400), (600, 400))  # where nothing lies the board is moved
    tool(ada, "Place")
    hand.tap(700, 400)
    drawn(ada, "spaces", "Z3", {"x": 700, "y": 400, "provinces": ["Zhao"]})
    tool(ada, "Erase")
    hand.tap(650, 305)  # the road there
    whole = drawn(ada, "roads", [["We1", "We2"], ["We2", "Z2"]])

    press(ada, "#view-all")
    press(ada, "#faults .draw-fault:has-text('should have one to')")
    page.wait_for_selector("#board .is-sought[data-e=Z3]")
    path = save(ada, "Traced")
    ada.go("/boards")
    ada.press(f"a[href='{path}']")
    page.wait_for_selector("#draw[data-ready]")
    assert exported(ada) == {**whole, "title": "Traced"}


def test_a_photo_is_traced_and_never_sent(person: Callable[..., Person]) -> None:
    ada = person(touch=True)
    to_editor(ada, "china")
    page, hand = ada.page, Fingers(ada)
    photo = page.screenshot()
    tool(ada, "Photo")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    page.set_input_files("#photo-file", {"name": "a.png", "mimeType": "image/png", "buffer": photo})
    page.wait_for_selector("#photo:not([hidden])")
    painted = ""

    def changed() -> None:
        nonlocal painted
        ada.until(f"{PHOTO}.toDataURL() !== '{painted}'")
        painted = page.evaluate(f"{PHOTO}.toDataURL()")

    changed()
    hand.draw((500, 300), (600, 350))
    changed()
    hand.spread(500, 300, 60, 120)
    changed()
    assert page.get_attribute("#view-out", "disabled") is not None  # not the board
    press(ada, "#palette button:text-is('Turn')")
    changed()
    tool(ada, "Place")
    hand.tap(500, 300)
    page.wait_for_selector("#draw[data-checked='1']")
    assert [url.removeprefix(ada.url) for url in sent] == ["/api/v1/boards/check"]
    tool(ada, "Photo")
    page.set_input_files("#photo-file", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"?"})
    page.wait_for_selector("#pending:has-text('not a picture')")
    assert page.is_visible("#photo")
    press(ada, "#palette button:text-is('Take it away')")
    assert page.is_hidden("#photo")


def test_what_is_not_saved_is_there_again(person: Callable[..., Person]) -> None:
    """Phones load a page anew when they like; a board that is deleted is asked for twice."""
    ada = person()
    page = ada.page
    to_editor(ada, "binfa")
    board = {"game": "binfa", "title": "", "terrain": TERRAIN, "whirlpools": WHIRLPOOLS}
    file = {"name": "a.json", "mimeType": "application/json"}
    page.set_input_files("#import", {**file, "buffer": json.dumps(board).encode()})
    drawn(ada, "terrain", TERRAIN)
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_selector("#draw[data-ready]")
    assert exported(ada)["terrain"] == list(TERRAIN)
    save(ada, "Once")
    ada.go("/boards/new/binfa")
    page.wait_for_selector("#draw[data-ready]")
    assert exported(ada)["terrain"] == []
    ada.go("/boards")
    page.click("form a:has-text('Play on it')")
    page.wait_for_url("**/new/binfa?**")
    ada.go("/boards")
    page.click(".drawn-delete summary")
    page.click(".drawn-delete button")
    page.wait_for_selector("main .notice")
