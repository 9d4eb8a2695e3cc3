"""What somebody hears who cannot see a table, and where the keyboard is."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tests.e2e.alone import END, HAND, Alone, gesture
from tests.e2e.people import PHONE, Person
from tests.e2e.test_gestures import OVER, PILES, PLAN, finished

pytestmark = pytest.mark.browser
MOVES = [{"a": 1, "s": [["a"], ["c"]], "l": "a to c", "f": False}]
HEARD = "[...document.querySelectorAll('#announcer span')].map(one => one.textContent.trim())"
FOCUS = "document.activeElement.dataset.e ?? document.activeElement.id"


@pytest.mark.parametrize("told", ["Red moves.", "Ada moves."])
def test_what_the_log_says_is_not_said_again_by_the_prompt(alone: Alone, told: str) -> None:
    alone.open(MOVES)
    moved = ["It began.", ("Red moves.", "Ada moves.")]
    alone.push(MOVES, log=moved, told=told)
    alone.until("document.getElementById('announcer').childElementCount === 2")
    assert alone.page.evaluate(HEARD) == ["Ada moves.", "Your turn."]
    alone.push(MOVES, log=[*moved, "Blue moves."], told=f"{told} Blue moves.")
    alone.until("document.getElementById('announcer').childElementCount === 4")
    assert alone.page.evaluate(HEARD)[2:] == ["Blue moves.", "Your turn."]


def test_what_is_shown_again_is_said_again(alone: Alone) -> None:
    alone.open(MOVES, log=["It began.", "Ada moves.", "Blue moves."], told="Blue moves.")
    alone.push([], log=["It began.", "Ada moves."], told="Ada moves.")
    alone.until("document.getElementById('announcer').childElementCount === 1")
    assert alone.page.evaluate(HEARD) == ["Ada moves. Your turn."]


def test_asked_once_more_the_page_says_each_thing_once(alone: Alone) -> None:
    alone.open(MOVES, log=["It began.", "Ada moves."], told="Ada moves.")
    alone.page.keyboard.press("s")
    assert alone.page.evaluate(HEARD) == ["Ada moves. Your turn."]
    alone.push(MOVES, log=["It began.", "Ada moves.", "Blue waits."], told="Ada moves.")
    alone.until("document.getElementById('announcer').childElementCount === 2")
    alone.page.keyboard.press("s")
    assert alone.page.evaluate(HEARD)[-2:] == ["Ada moves. Your turn.", "Blue waits."]


def test_the_keyboard_goes_on_from_the_board_where_its_button_has_gone(alone: Alone) -> None:
    alone.open(MOVES, may=("take_back",))
    alone.page.keyboard.press("b")
    alone.page.focus("#do-take-back")
    alone.push(MOVES)
    alone.page.wait_for_selector("#do-take-back", state="detached")
    assert alone.page.evaluate(FOCUS) == "a"
    alone.push([])
    alone.push(arrangement=PLAN)
    alone.page.wait_for_selector("#tray-ready")
    alone.page.focus("#tray-ready")
    alone.push([])
    alone.page.wait_for_selector("#tray-ready", state="detached")
    assert alone.page.evaluate(FOCUS) == "a"


@pytest.mark.parametrize("button", ["Try again", "Close"])
def test_after_a_failure_the_keyboard_goes_on_where_it_was(alone: Alone, button: str) -> None:
    alone.answers["act"] = (500, {"error": {"text": "Oh."}})
    alone.open(MOVES)
    for place in ("a", "c"):
        alone.page.focus(f"[data-e={place}]")
        alone.page.keyboard.press("Enter")
    alone.page.wait_for_selector("#pending:has-text('Oh.')")
    del alone.answers["act"]
    alone.page.keyboard.press("Tab")
    alone.page.focus(f"#pending button:has-text('{button}')")
    alone.page.keyboard.press("Enter")
    alone.page.wait_for_selector("#pending", state="hidden")
    assert alone.page.evaluate(FOCUS) == "c"


def test_where_a_card_has_gone_the_keyboard_goes_back_to_its_place_of_the_board(
    alone: Alone,
) -> None:
    alone.open(MOVES)
    alone.page.focus("[data-e=d]")
    alone.page.focus("[data-e=card2]")
    alone.version += 1
    html = alone.fragment(MOVES).replace(HAND, "")
    alone.socket.send(json.dumps({"version": f"v{alone.version}", "html": html}))
    alone.page.wait_for_selector("[data-e=card2]", state="detached")
    assert alone.page.evaluate(FOCUS) == "d"


def test_the_link_to_the_board_leads_to_a_place_of_it(person: Callable[..., Person]) -> None:
    ada = person()
    ada.host("stratego", "me", "bot:novice")
    ada.page.keyboard.press("Tab")
    ada.page.keyboard.press("Enter")
    assert ada.page.evaluate(FOCUS) == "a4"
    ada.page.keyboard.press("ArrowRight")
    assert ada.page.evaluate(FOCUS) == "b4"


def test_a_mouse_leaves_the_keyboard_where_it_is(alone: Alone) -> None:
    alone.open(MOVES, may=("take_back",))
    alone.page.click("#do-take-back")
    alone.push(MOVES)
    alone.page.wait_for_selector("#do-take-back", state="detached")
    assert alone.page.evaluate("document.activeElement === document.body")


WAYS = [gesture(n, ["a"], ["c"], label=f"way {n}") for n in (1, 2)]
HINT = {"label": "a to c", "reason": "", "prospects": None, "gesture": WAYS[0]}


@pytest.mark.parametrize("key", ["Enter", "Escape", "Cancel"])
def test_after_a_question_the_keyboard_goes_on_from_the_board(alone: Alone, key: str) -> None:
    alone.open(WAYS)
    for place in ("a", "c"):
        alone.page.focus(f"[data-e={place}]")
        alone.page.keyboard.press("Enter")
    assert alone.page.evaluate("document.activeElement.textContent") == "way 1"
    if key == "Cancel":
        alone.page.keyboard.press("Tab")
        alone.page.keyboard.press("Tab")
    alone.page.keyboard.press("Escape" if key == "Escape" else "Enter")
    alone.until("document.getElementById('choice').hidden")
    assert alone.page.evaluate(FOCUS) == "c"
    assert alone.acts() == ([[1]] if key == "Enter" else [])


def test_after_hints_the_keyboard_goes_on_from_the_board(alone: Alone) -> None:
    alone.answers["hint"] = (200, {"decision": 1, "hints": [HINT]})
    alone.open(WAYS, may=("hint",))
    alone.page.keyboard.press("b")
    alone.page.keyboard.press("h")
    alone.page.wait_for_selector("#hints li")
    alone.page.keyboard.press("Shift+Tab")
    alone.page.keyboard.press("h")
    alone.until("document.activeElement.textContent.endsWith('a to c')")
    alone.page.keyboard.press("Shift+Tab")
    alone.page.keyboard.press("Enter")
    alone.page.wait_for_selector("#hints", state="hidden")
    assert alone.page.evaluate(FOCUS) == "a"


@pytest.mark.parametrize("dialog", ["settings-dialog", "help-dialog", "moves-dialog"])
def test_after_a_dialog_of_the_menu_the_keyboard_is_at_the_menu(alone: Alone, dialog: str) -> None:
    alone.open(MOVES)
    alone.page.focus("#menu-open")
    alone.page.keyboard.press("Enter")
    alone.page.focus(f"[data-open={dialog}]")
    alone.page.keyboard.press("Enter")
    alone.page.wait_for_selector(f"#{dialog}[open]")
    alone.page.keyboard.press("Escape")
    alone.until("!document.querySelector('dialog[open]')")
    assert alone.page.evaluate(FOCUS) == "menu-open"


def test_what_happens_while_a_dialog_is_open_is_said_within_it(alone: Alone) -> None:
    alone.open(MOVES)
    alone.page.keyboard.press("b")
    alone.page.keyboard.press("m")
    alone.page.wait_for_selector("#moves-dialog[open]")
    alone.page.fill("#moves-filter", "to d")
    heard = HEARD.replace("#announcer", "dialog[open] #announcer")
    assert alone.page.evaluate(heard) == ["Moves: 0"]
    alone.push([], log=["It began.", "Blue moves."], told="Blue moves.")
    alone.until("document.getElementById('announcer').childElementCount > 1")
    assert alone.page.evaluate(heard)[1] == "Blue moves."
    alone.page.fill("#moves-filter", "")
    alone.page.keyboard.press("Escape")
    assert alone.page.evaluate(FOCUS) == "a"
    assert alone.page.evaluate(HEARD) == []
    alone.page.keyboard.press("s")
    assert alone.page.evaluate(HEARD)
    assert alone.page.evaluate(heard) == []


def test_the_help_begins_at_its_beginning(alone: Alone) -> None:
    alone.page.set_viewport_size({"width": 844, "height": 390})
    alone.open(MOVES)
    alone.page.keyboard.press("?")
    alone.page.wait_for_selector("#help-dialog[open]")
    assert alone.page.evaluate(FOCUS) == "help-title"
    assert alone.page.evaluate("document.getElementById('help-dialog').scrollTop") == 0


def test_stepping_through_a_game_says_what_happened(alone: Alone) -> None:
    finished(alone)
    alone.page.click("[data-step=first]")
    alone.until("document.querySelector('#stepper output').textContent === '0/3'")
    alone.page.keyboard.press("]")
    alone.until("document.querySelector('#stepper output').textContent === '1/3'")
    assert alone.page.evaluate(HEARD)[-1] == "B."


def test_a_step_is_told_once_and_its_end_too(alone: Alone) -> None:
    finished(alone)
    assert alone.page.get_attribute("#stepper output", "aria-live") == "off"
    for key, told in (("]", "Position 3 of 3"), ("[", "C."), ("[", "B."), ("[", "Position 0 of 3")):
        before = alone.page.evaluate(HEARD)
        alone.page.keyboard.press(key)
        alone.until(f"document.querySelectorAll('#announcer span').length > {len(before)}")
        alone.page.wait_for_timeout(100)
        assert len(alone.page.evaluate(HEARD)) == len(before) + 1
        assert alone.page.evaluate(HEARD)[-1] == told


def test_while_the_slider_has_the_keyboard_the_other_keys_work_too(alone: Alone) -> None:
    finished(alone)
    alone.page.focus("#stepper input")
    alone.page.keyboard.press("[")
    alone.until("document.querySelector('#stepper output').textContent === '2/3'")
    alone.page.keyboard.press("Home")
    alone.until("document.querySelector('#stepper output').textContent === '0/3'")
    alone.page.keyboard.press("?")
    alone.page.wait_for_selector("#help-dialog[open]")


REVIEW = SimpleNamespace(stage="none")
LINK = """document.getElementById('chances').insertAdjacentHTML('beforeend',
    '<a id="look" href="#ply-1" data-look="1">Look</a>')"""


def test_from_the_end_of_a_game_the_keyboard_goes_on_to_the_review(alone: Alone) -> None:
    button = '<button type="button" data-tab="review">Review</button>'
    alone.answers["end"] = (200, {"html": str(END["html"]) + button})
    alone.open(MOVES)
    alone.push(**OVER, chances=REVIEW)
    alone.page.wait_for_selector("#ending:not([hidden])")
    alone.page.press("#ending [data-tab=review]", "Enter")
    alone.until("document.activeElement.id === 'chances-title'")


def test_a_position_of_the_review_takes_the_keyboard_along_on_a_phone(alone: Alone) -> None:
    alone.page.set_viewport_size(PHONE)
    finished(alone, chances=REVIEW)
    alone.page.click("#tab-review")
    alone.page.evaluate(LINK)
    alone.page.press("#look", "Enter")
    alone.until("document.querySelector('#stepper output').textContent === '1/3'")
    alone.until("document.activeElement.dataset.step === 'next'")


def test_the_list_of_moves_says_what_to_do_with_a_set_up(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.keyboard.press("m")
    alone.page.wait_for_selector("#moves-dialog[open]")
    assert alone.page.inner_text("#moves-list") == "Your turn. Still to be placed: 3"


def test_a_piece_of_a_set_up_is_called_what_it_is(alone: Alone) -> None:
    alone.answers["ask"] = (200, {"title": "a, empty", "facts": [], "rules": [], "lights": []})
    alone.open(arrangement=PLAN)
    alone.page.select_option("#tray-presets", "preset:p")
    for place, name in (("a", "a: Cross"), ("b", "a, empty")):
        alone.page.focus(f"[data-e={place}]")
        alone.page.keyboard.press("i")
        alone.page.wait_for_selector(f"#ask-card h2:text-is('{name}')")
        alone.page.keyboard.press("Escape")


def test_a_set_up_says_what_is_left_to_do_and_what_lies_where(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.select_option("#tray-presets", "preset:p")
    assert alone.page.evaluate(HEARD) == ["Everything is placed. Ready?"]
    for place in ("a", "c"):
        alone.page.focus(f"[data-e={place}]")
        alone.page.keyboard.press("Enter")
    assert alone.page.evaluate(HEARD)[-1] == "Exchanged. a: Yoke, c: Cross"


def test_a_set_up_by_hand_says_what_is_in_the_hand_and_when_all_lies(alone: Alone) -> None:
    alone.open(arrangement=PLAN)
    alone.page.press("[data-kind='0']", "Enter")
    alone.page.press("[data-kind='0']", "Enter")
    assert alone.page.evaluate(HEARD) == [
        "Chosen: Cross. Places to choose from now: 5.",
        "Choice undone.",
    ]
    for kind, places in ((0, "ab"), (1, "c")):
        alone.page.press(f"[data-kind='{kind}']", "Enter")
        for place in places:
            alone.page.press(f"[data-e={place}]", "Enter")
    assert alone.page.evaluate(HEARD)[-2:] == ["Yoke on c.", "Everything is placed. Ready?"]
    for told in ("Chosen: Cross. Places to choose from now: 5.", "Choice undone."):
        alone.page.press("[data-e=b]", "Enter")
        assert alone.page.evaluate(HEARD)[-1] == told


def test_how_many_go_is_said_once(alone: Alone) -> None:
    alone.open(arrangement=PILES)
    alone.page.focus("[data-e=a]")
    alone.page.keyboard.press("Enter")
    assert alone.page.get_attribute("#tray-sent", "aria-live") == "off"
    assert alone.page.inner_text("#tray-sent") == alone.page.evaluate(HEARD)[-1]
