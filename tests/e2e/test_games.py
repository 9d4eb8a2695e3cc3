"""Whole games in the browser, against a bot and between people."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import tianxia
from tests.e2e.people import DESK, PHONE, Person
from tests.e2e.server import Server

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
GAMES = ("binfa", "china", "firebulls", "stratego", "suntzu")
ARROW = 18
"""The width of the arrow of a list, in pixels."""
A_FEW = 500
"""Elements, of some 4,000 that a board of Stratego has with all that its pieces are made of."""


def test_a_newcomer_plays_a_whole_game_against_the_sergeant(person: Come) -> None:
    ada, rng = person(touch=True), random.Random(4)
    ada.open_table(variant="duel", blue="bot:skirmisher")
    ada.set_up()
    while ada.turn():
        ada.play(ada.random_gesture(rng))
    assert ada.facts()["status"] == "over"
    ending = ada.page.inner_text("#status")
    assert "Flag" in ending or "move" in ending or "draw" in ending.lower()
    assert not {"r0", "b0"} & set(ada.ranks())

    state = tianxia.replay(ada.download())
    assert state.over
    last = ada.position()
    ada.page.set_viewport_size(DESK)  # a phone has a slider only
    ada.page.click("[data-step=first]")
    ada.until("document.getElementById('table').dataset.ply === '0'")
    assert ada.ranks() == []
    standing = []
    for _ in range(4):
        before = ada.facts()["ply"]
        ada.page.click("[data-step=next]")
        ada.until(f"document.getElementById('table').dataset.ply !== '{before}'")
        standing.append(len(ada.ranks()))
    assert max(standing) == 20
    assert ada.page.locator("#log .is-now").count() == 1
    ada.page.click("[data-step=last]")
    ada.until("!('ply' in document.getElementById('table').dataset)")
    assert ada.position() == last


def test_a_classic_game_begins(person: Come) -> None:
    ada, rng = person(), random.Random(2)
    ada.host("stratego", "me", "bot:skirmisher", variant="classic")
    assert len(ada.ranks()) == 0
    ada.set_up()
    for _ in range(10):
        assert ada.turn()
        ada.play(ada.random_gesture(rng))
    assert ada.turn()
    assert ada.page.locator("#log li").count() > 20


def test_a_move_restyles_what_it_changes(person: Come, browser: Any) -> None:
    ada, rng = person(), random.Random(2)
    ada.host("stratego", "me", "bot:skirmisher", variant="classic")
    ada.set_up()
    assert ada.turn()
    browser.start_tracing(page=ada.page, categories=["devtools.timeline"])
    ada.play(ada.random_gesture(rng))
    events = json.loads(browser.stop_tracing())["traceEvents"]
    done = [event["args"] for event in events if event["name"] == "UpdateLayoutTree"]
    restyled = [args.get("elementCount", 0) for args in done]
    assert 10 < max(restyled) < A_FEW, restyled


def test_two_people_play_and_a_third_watches(person: Come) -> None:
    ada, bob, eve = person("en"), person("fr", touch=True), person("en")
    table = ada.open_table(variant="duel")
    link = ada.page.input_value("#link-invite")
    assert link.endswith(table)
    bob.sit_down(table, "Bob")
    eve.go(table)
    eve.at_table()

    ada.set_up(1)
    bob.set_up(2)
    assert bob.page.get_attribute("html", "lang") == "fr"
    eve.page.wait_for_selector("#board .piece")
    assert set(eve.ranks()) == {"r0", "b0"}

    rng = random.Random(9)
    for _ in range(8):
        if not ada.turn():
            break
        ada.play_by_keys(ada.random_gesture(rng))
        if not bob.turn():
            break
        bob.play(bob.random_gesture(rng))
        lines = ada.page.locator("#log li").count()
        eve.until(f"document.querySelectorAll('#log li').length >= {lines}")
        assert ada.facts()["status"] == "over" or not {"rF", "bF"} & set(eve.ranks())
    assert "Rouge" in bob.page.inner_text("#log")
    assert "Red" in ada.page.inner_text("#log")

    if ada.facts()["status"] != "over":
        bob.resign()
    for one in (ada, bob, eve):
        one.page.wait_for_selector("#table[data-status=over]")
        assert not {"r0", "b0"} & set(one.ranks())


def test_people_offer_a_draw_and_play_again(person: Come) -> None:
    ada, bob = person("en"), person("fr")
    table = ada.host("stratego", "me", "open", variant="barrage")
    bob.join(table, "Bob")
    ada.set_up()
    bob.set_up()
    assert ada.turn()
    ada.page.click("[data-post=offer-draw]")
    bob.page.click("#offer button.primary")
    for one in (ada, bob):
        one.page.wait_for_selector("#table[data-status=over]")
    ada.page.click("[data-post=rematch]")
    ada.page.wait_for_url(lambda url: not url.endswith(table))
    bob.page.click("#do-rematch:has-text('revanche')")
    bob.page.wait_for_url(lambda url: not url.endswith(table))
    assert ada.path == bob.path
    for one in (ada, bob):  # both have come, each with a seed
        one.page.wait_for_selector("#table[data-status=playing]")
    assert [one.facts()["viewer"] for one in (ada, bob)] == ["1", "0"]


def test_a_refused_click_names_the_rule(person: Come) -> None:
    ada = person()
    ada.host("stratego", "me", "bot:skirmisher", variant="barrage")
    ada.set_up()
    assert ada.turn()
    gestures = ada.facts()["gestures"]["gestures"]
    origin = gestures[0]["s"][0][0]
    legal = {gesture["s"][1][0] for gesture in gestures if gesture["s"][0][0] == origin}
    row = [f"{column}{origin[1:]}" for column in "abcdefghij"]
    wrong = next(square for square in row if square not in legal and square != origin)
    ada.page.click(f'[data-e="{origin}"]')
    ada.page.click(f'[data-e="{wrong}"]')
    ada.page.wait_for_selector("#toast a")
    link = ada.page.get_attribute("#toast a", "href")
    assert link.startswith("/rules/stratego#STR-")
    with ada.context.expect_page() as opened:
        ada.page.click("#toast a")
    rules = opened.value
    rules.wait_for_load_state()
    assert rules.locator(f"[id='{link.partition('#')[2]}']").is_visible()


def test_nothing_is_lost_when_the_page_the_line_or_the_server_goes(
    person: Come, server: Server
) -> None:
    ada, rng = person(), random.Random(6)
    ada.host("stratego", "me", "bot:skirmisher", variant="barrage")
    ada.set_up()
    for _ in range(2):
        assert ada.turn()
        ada.play(ada.random_gesture(rng))
    assert ada.turn()

    before = ada.position()
    ada.page.reload()
    ada.at_table()
    assert ada.position() == before

    ada.context.set_offline(True)
    gesture = ada.random_gesture(rng)
    for step in gesture["s"]:
        ada.page.click(f'[data-e="{step[0]}"]')
    ada.page.wait_for_selector("#pending:has-text('Try again')")
    assert ada.position() == before
    ada.context.set_offline(False)
    ada.play(gesture)
    assert ada.turn()

    before = ada.position()
    server.kill()
    ada.page.wait_for_selector("#banner:not([hidden])")
    server.start()
    ada.page.wait_for_selector("#banner", state="hidden")
    assert ada.position() == before
    ada.play(ada.random_gesture(rng))
    ada.turn()
    assert ada.position() != before


def test_a_first_page_is_light_and_asks_nobody_else(person: Come, server: Server) -> None:
    ada = person()
    ada.host("stratego", "me", "bot:skirmisher", variant="classic")
    ada.set_up()
    assert ada.turn()
    bob = person()  # whose browser has nothing in its cache
    wire = bob.context.new_cdp_session(bob.page)
    wire.send("Network.enable")
    sizes: list[int] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url))
    bob.go(ada.path)
    bob.at_table()
    bob.page.wait_for_load_state("networkidle")
    assert sum(sizes) < 150_000
    assert [url for url in asked if not url.startswith((server.url, "data:"))] == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_on_the_first_page_juts_out_of_its_card(person: Come, language: str) -> None:
    ada = person(language)
    for size in (DESK, PHONE):
        ada.page.set_viewport_size(size)
        ada.go("/")
        wide = ada.page.eval_on_selector_all(
            ".door", "doors => doors.map(door => door.scrollWidth - door.clientWidth)"
        )
        assert wide == [0] * 5


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_head_of_a_page_fits_a_narrow_phone_with_its_menu(person: Come, language: str) -> None:
    ada = person(language)
    ada.page.set_viewport_size({"width": 320, "height": 640})  # or 1280 enlarged four times
    ada.go("/lobby")
    assert ada.page.evaluate("document.documentElement.scrollWidth") == 320
    menu = ada.page.locator(".site-more").bounding_box()
    assert menu["x"] + menu["width"] <= 320
    assert menu["y"] < 20, "beside the name, not below it"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_what_is_chosen_for_a_new_table_can_be_read_whole(person: Come, language: str) -> None:
    ada = person(language)
    for size, game in product((DESK, PHONE), GAMES):
        ada.page.set_viewport_size(size)
        ada.go(f"/new/{game}")
        cut = ada.page.evaluate(
            """arrow => {
                document.querySelectorAll("details").forEach((node) => (node.open = true));
                const pen = document.createElement("canvas").getContext("2d");
                const cut = (select) => {
                    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
                    pen.font = font;
                    const room = select.clientWidth - arrow
                        - parseFloat(paddingLeft) - parseFloat(paddingRight);
                    return [...select.options].map((one) => one.label.trim())
                        .filter((label) => pen.measureText(label).width > room);
                };
                return [...document.querySelectorAll("select")]
                    .filter((node) => node.checkVisibility()).flatMap(cut);
            }""",
            ARROW,
        )
        assert cut == [], f"{game} at {size}"
        novice = {"en": "Novice: a child", "fr": "Débutant : un enfant"}[language]
        told = ada.page.locator(".who select").last.get_attribute("aria-describedby")
        assert told == "levels others"
        random = {"en": "Random: plays any move", "fr": "Hasard : joue"}[language]
        assert random in ada.page.locator("#others").inner_text().replace("\xa0", " ")
        assert ada.page.locator("#levels").inner_text().replace("\xa0", " ").startswith(novice)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_first_screen_of_a_phone_on_its_side_begins_games(person: Come, language: str) -> None:
    newcomer = person(language, touch=True)
    newcomer.page.set_viewport_size({"width": 844, "height": 390})
    newcomer.go("/")
    buttons = newcomer.page.locator(".door form button")
    low = [box["y"] + box["height"] for one in buttons.all() if (box := one.bounding_box())]
    assert sum(one <= 390 for one in low) >= 2


@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_covers_what_begins_a_game_on_a_phone(person: Come, language: str) -> None:
    newcomer = person(language, touch=True)
    newcomer.go("/")
    covered = newcomer.page.evaluate(
        """() => [...document.querySelectorAll(".door form button")].filter((button) => {
            button.scrollIntoView({ block: "center" });
            const { x, y, width, height } = button.getBoundingClientRect();
            return [0.1, 0.5, 0.9].some((part) => !button.contains(
                document.elementFromPoint(x + width / 2, y + height * part)));
        }).map((button) => button.textContent)"""
    )
    assert covered == []
    assert newcomer.page.locator(".door form button").count() == 5
