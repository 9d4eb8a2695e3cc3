"""What is under way shows; what is slow, lost or refused is told, and nothing is sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.alone import HOST, Alone, gesture
from tests.e2e.people import Person
from tests.e2e.test_access import AXE

pytestmark = pytest.mark.browser
Come = Callable[..., Person]

MOVES = [gesture(1, ["a"], ["c"], label="one to c"), gesture(2, ["b"], ["d"], label="two to d")]
BUTTONS = ("hint", "take_back", "resign", "leave", "offer_draw", "rematch")
BUSY = """(node) => {
    node = document.querySelector(node);
    const line = getComputedStyle(node, "::after");
    return node.closest("[aria-busy=true]") !== null && Number(line.opacity) > 0.5;
}"""
BOXES = """() => [...document.querySelectorAll("#board, #status, .seat, .actions .button")]
    .map((node) => Object.values(node.getBoundingClientRect().toJSON()).join())"""


class Held:
    """Requests that the server has got, and answers when the test says so."""

    def __init__(self, page: Any, path: str) -> None:
        self.routes: list[Any] = []
        page.route(f"{path}*", lambda route: self.routes.append(route))  # whatever is known
        self.page = page

    def come(self, count: int) -> None:
        """Wait until so many requests are here."""
        for _ in range(200):
            if len(self.routes) >= count:
                break
            self.page.wait_for_timeout(20)
        assert len(self.routes) == count

    def answer(self, status: int = 200, body: str = "{}") -> None:
        self.routes[-1].fulfill(status=status, body=body, content_type="application/json")


@pytest.fixture
def alone(browser: Any) -> Iterator[Alone]:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.clock.install()
    yield Alone(page)
    page.close()
    assert errors == []


def move(alone: Alone) -> None:
    alone.click("a")
    alone.click("c")


def note(alone: Alone) -> str:
    text: str = alone.page.inner_text("#pending") if alone.page.is_visible("#pending") else ""
    return text


def test_a_move_shows_at_once_that_it_is_under_way_and_nothing_jumps(alone: Alone) -> None:
    alone.open(MOVES, may=BUTTONS)
    held, boxes = Held(alone.page, f"{HOST}/t/T1/act"), alone.page.evaluate(BOXES)
    move(alone)
    held.come(1)
    alone.page.wait_for_timeout(250)
    assert alone.page.evaluate(BUSY, "#status")
    assert alone.page.evaluate(BOXES) == boxes
    held.answer()
    alone.until("!document.querySelector('[aria-busy]')")


@pytest.mark.parametrize(
    ("button", "path"),
    [
        ("#hint-ask", "hint"),
        ("#do-take-back", "take-back"),
        ("#do-offer-draw", "offer-draw"),
        ("#do-rematch", "rematch"),
        ("#do-resign", "resign"),
    ],
)
def test_every_button_shows_that_it_was_pressed_and_sends_once(
    alone: Alone, button: str, path: str
) -> None:
    alone.open(MOVES, may=[name for name in BUTTONS if name != "leave"])
    held, boxes = Held(alone.page, f"{HOST}/t/T1/{path}"), alone.page.evaluate(BOXES)
    if path == "resign":
        alone.page.click(button)
        alone.page.dblclick("#resign-dialog [value=yes]")
    else:
        alone.page.dblclick(button)
    held.come(1)
    alone.page.wait_for_timeout(250)
    assert alone.page.evaluate(BUSY, button)
    assert alone.page.evaluate(BOXES) == boxes
    alone.push(MOVES, may=[name for name in BUTTONS if name != "leave"], decision=1, log=["A", "b"])
    alone.page.wait_for_selector("#log li:has-text('b')")
    assert alone.page.get_attribute(button, "aria-busy") == "true"  # news has not answered it
    held.answer(body='{"decision": 0}')
    alone.until("!document.querySelector('[aria-busy]')")
    assert len(held.routes) == 1


def test_a_slow_answer_is_said_to_be_waited_for(alone: Alone) -> None:
    alone.open(MOVES)
    held = Held(alone.page, f"{HOST}/t/T1/act")
    move(alone)
    held.come(1)
    assert note(alone) == ""
    alone.page.clock.fast_forward(4100)
    alone.page.wait_for_selector("#pending:has-text('Still waiting for the server')")
    held.answer()
    alone.page.wait_for_selector("#pending", state="hidden")


@pytest.mark.parametrize("how", ["no answer", "cut off", "500"])
def test_what_has_failed_is_said_put_right_and_tried_again(alone: Alone, how: str) -> None:
    alone.open(MOVES)
    held = Held(alone.page, f"{HOST}/t/T1/act")
    move(alone)
    held.come(1)
    if how == "no answer":
        alone.page.clock.fast_forward(15100)
    elif how == "cut off":
        held.routes[0].abort()
    else:
        held.answer(500, '{"error": {"text": "The server made a mistake."}}')
    alone.page.wait_for_selector("#pending:has-text('Try again')")
    said = "made a mistake" if how == "500" else "The server does not answer."
    assert said in note(alone)
    alone.until("!document.querySelector('[aria-busy]')")
    assert alone.lit() == ["a", "b"]  # as before the move
    assert alone.page.locator(".is-picked").count() == 0
    alone.page.click("#pending button:has-text('Try again')")
    held.come(2)
    assert [route.request.post_data_json for route in held.routes] == [
        {"actions": [1], "decision": 1}
    ] * 2
    held.answer()
    alone.until("!document.querySelector('[aria-busy]')")
    assert note(alone) == ""


def test_what_has_arrived_after_all_is_not_offered_again(alone: Alone) -> None:
    alone.open(MOVES)
    held = Held(alone.page, f"{HOST}/t/T1/act")
    move(alone)
    held.come(1)
    held.routes[0].abort()
    alone.page.wait_for_selector("#pending:has-text('Try again')")
    alone.push([], your_turn=False)  # the answer was lost, the move was not
    alone.page.wait_for_selector("#pending", state="hidden")


def test_a_seed_that_did_not_arrive_is_sent_again(alone: Alone) -> None:
    alone.open()
    held = Held(alone.page, f"{HOST}/t/T1/seed")
    alone.push(status="waiting", your_turn=False, wants_seed=True)
    held.come(1)
    held.routes[0].abort()
    alone.page.clock.fast_forward(5000)
    held.come(2)  # else whoever is here would count as somebody who has not come
    held.answer(503)
    alone.page.clock.fast_forward(5000)
    held.come(3)
    seeds = {route.request.post_data_json["seed"] for route in held.routes}
    assert len(seeds) == 1  # the one that this browser remembers, should an earlier one be there
    held.answer(409)  # the game has begun by now
    alone.page.wait_for_timeout(100)
    alone.page.clock.fast_forward(60000)
    alone.page.wait_for_timeout(100)
    held.come(3)


def test_what_was_asked_about_another_position_is_not_sent(alone: Alone) -> None:
    alone.open([gesture(1, ["a"], ["c"], label="one to c", final=True)])
    alone.page.evaluate("document.querySelector('[data-setting=ask]').click()")
    move(alone)
    alone.page.wait_for_selector("#confirm-dialog[open]")
    alone.push(MOVES, decision=2)  # what the other side has allowed to take back, for example
    alone.page.click("#confirm-dialog [value=yes]")
    alone.page.wait_for_timeout(200)
    assert alone.acts() == []
    assert alone.lit() == ["a", "b"]


def test_a_hint_says_whom_it_waits_for(alone: Alone) -> None:
    alone.open(MOVES, may=("hint",))
    held = Held(alone.page, f"{HOST}/t/T1/hint")
    alone.page.click("#hint-ask")
    held.come(1)
    alone.page.clock.fast_forward(300)
    alone.page.wait_for_selector("#pending:has-text('looking at your position')")
    held.answer(503, '{"error": {"text": "Nobody thinks here now."}}')
    alone.page.wait_for_selector("#pending:has-text('Nobody thinks')")
    alone.page.click("#pending button:has-text('Try again')")
    held.come(2)
    held.answer(body='{"decision": 0}')


def test_a_hint_is_waited_for_as_long_as_its_adviser_wakes_up(alone: Alone) -> None:
    adviser = {"text": "The adviser is waking up.", "part": 30}
    alone.open(MOVES, may=("hint",), adviser=adviser)
    held = Held(alone.page, f"{HOST}/t/T1/hint")
    alone.page.click("#hint-ask")
    held.come(1)
    alone.page.clock.fast_forward(300)
    alone.page.wait_for_selector("#pending:has-text('The adviser is waking up.')")
    unanswered = '{"error": {"code": "no-answer", "text": "Nobody has answered."}}'
    held.answer(503, unanswered)
    held.come(2)
    alone.push(MOVES, may=("hint",), decision=1, adviser={**adviser, "part": None})
    alone.page.wait_for_selector("#hint-place:not(:has(progress))")
    held.answer(503, unanswered)
    alone.page.wait_for_selector("#pending:has-text('Nobody has answered.')")
    alone.page.click("#pending button:has-text('Try again')")
    alone.page.wait_for_selector("#toast:has-text('The adviser')")  # it cannot wake up
    assert len(held.routes) == 2


def test_a_click_on_its_way_does_not_hit_what_comes_under_the_mouse(alone: Alone) -> None:
    alone.open(MOVES, may=("hint", "resign"))
    box = alone.page.locator("#hint-ask").bounding_box()
    where = (box["x"] + 30, box["y"] + box["height"] / 2)
    held = Held(alone.page, f"{HOST}/t/T1/hint")
    alone.page.mouse.click(*where)
    held.come(1)
    alone.push([], may=("abort", "resign"), your_turn=False)
    alone.page.wait_for_selector("#hint-ask", state="detached")
    alone.page.mouse.click(*where)
    held.answer(body='{"decision": 0}')
    alone.until("!document.querySelector('[aria-busy]')")
    assert [path for path, _ in alone.sent if path == "abort"] == []
    alone.page.clock.fast_forward(700)
    alone.page.mouse.click(*where)
    alone.asked("abort")
    assert [path for path, _ in alone.sent if path == "abort"] == ["abort"]
    assert not alone.page.is_visible("#resign-dialog")  # each button keeps its place


def test_a_lost_line_is_said_within_two_seconds_until_it_is_back(alone: Alone) -> None:
    alone.open(MOVES)
    boxes = alone.page.evaluate(BOXES)
    alone.refusing = True
    alone.socket.close()
    alone.page.wait_for_selector("#banner:has-text('connection is lost')", timeout=2000)
    assert alone.page.evaluate(BOXES) == boxes
    alone.refusing = False
    alone.page.clock.fast_forward(20_000)
    alone.page.wait_for_selector("#banner", state="hidden")


def test_a_line_that_is_soon_back_is_not_spoken_of(alone: Alone) -> None:
    alone.open(MOVES)
    alone.socket.close()
    alone.page.wait_for_timeout(1600)
    assert alone.sockets == 2
    assert not alone.page.is_visible("#banner")


# --- Forms ---


def test_a_table_is_opened_once_however_often_one_clicks(person: Come) -> None:
    ada = person("fr")
    ada.go("/new/stratego")
    ada.page.fill("#nickname", "Ada")
    held = Held(ada.page, "**/tables")
    ada.page.dblclick("form button.primary")
    held.come(1)
    ada.page.wait_for_timeout(250)
    assert ada.page.evaluate(BUSY, "form button.primary")
    held.routes[0].abort()
    ada.page.wait_for_selector("#pending:has-text('Le serveur ne répond pas.')")
    assert ada.page.get_attribute("form button.primary", "aria-busy") is None
    ada.page.unroute_all()
    ada.page.click("#pending button:has-text('Réessayer')")
    ada.at_table()


@pytest.mark.parametrize("other", [False, True])
def test_a_table_whose_making_was_not_answered_is_not_made_twice(person: Come, other: bool) -> None:
    """Unless something else is asked for then, as by the form of another game."""
    ada = person()
    ada.go("/new/stratego")
    ada.page.fill("#nickname", "Ada")
    made = []

    def lose(route: Any) -> None:
        made.append(route.fetch().json()["table"])
        route.abort()

    ada.page.route("**/tables", lose, times=1)
    ada.page.click("form button.primary")
    ada.page.wait_for_selector("#pending button:has-text('Try again')")
    if other:
        ada.page.fill("#nickname", "Ann")
    ada.page.click("#pending button:has-text('Try again')")
    ada.at_table()
    assert (ada.path != f"/t/{made[0]}") == other


def test_what_is_wrong_with_a_form_is_said_on_it(person: Come) -> None:
    ada = person()
    ada.go("/new/china")
    ada.page.fill("#nickname", "Ada")
    ada.page.evaluate("document.getElementById('seat1').value = 'me'")  # a choice would swap them
    ada.page.click("form button.primary")
    ada.page.wait_for_selector("#pending:not([hidden])")
    assert ada.path == "/new/china"


# --- Small things ---


def test_what_has_happened_is_shown_again_where_it_can_be_seen(alone: Alone) -> None:
    alone.open(MOVES, log=["It began."] + [f"line {number}" for number in range(9)])
    steps = {"line": 1, "hold": 0, "status": "Then.", "svg": "<svg></svg>", "panels": {}}
    alone.answers["steps"] = (200, {"steps": [{**steps, "text": ""}]})
    html = alone.fragment(MOVES, steps=[1, 2], log=["It began.", "One.", "Two."])
    alone.answers["fragment"] = (200, {"version": "v9", "html": html})
    alone.page.set_viewport_size({"width": 390, "height": 844})
    alone.page.click("#tab-log")  # over the board
    alone.page.click("#menu-open")
    alone.page.click("#again")
    alone.asked("steps")
    middle = "const box = document.getElementById('board').getBoundingClientRect();"
    middle += (
        "document.elementFromPoint(box.x + box.width / 2, box.y + 5).closest('#board') !== null"
    )
    alone.until(middle)


def test_who_leaves_a_game_reads_on_without_a_seat(person: Come) -> None:
    ada, bob = person(), person("fr")
    table = ada.host("binfa", "me", "open", "bot:random", players="3", level="1")
    bob.join(table, "Bob")
    ada.page.wait_for_selector("#do-leave")
    ada.page.click("#do-leave")
    ada.page.click("#leave-dialog [value=yes]")
    ada.page.wait_for_selector("#table[data-viewer='']")
    ada.page.wait_for_selector("#talk[data-seat='']", state="attached")
    assert ada.errors == []


@pytest.mark.parametrize("game", ["stratego", "suntzu", "firebulls", "china", "binfa"])
def test_rules_can_be_tapped_and_scrolled(person: Come, game: str) -> None:
    ada = person("fr", touch=True)
    ada.go(f"/rules/{game}")
    rules = {"runOnly": ["target-size", "scrollable-region-focusable"]}
    found = AXE.run(ada.page, ".contents, .prose", rules).response["violations"]
    assert [(one["id"], [node["target"] for node in one["nodes"][:3]]) for one in found] == []
