"""Five browsers and two programs meet, play all five games, and six finish a tournament.

At browsers all is done by keyboard that is not said to be done otherwise.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tests.e2e.people import SETTLED, Person
from tests.e2e.server import Server
from tests.e2e.test_access import check
from tests.e2e.test_accounts import press
from tests.e2e.test_tournaments import registered
from tianxia.ratings import Ratings
from tianxia.tables import Tables, schema

pytestmark = pytest.mark.browser
Come = Callable[..., Person]
EXAMPLE = Path(__file__).parents[2] / "examples" / "play_online.py"
PACE = "300+5"
PATIENCE = 60.0
TABLE = re.compile(r"/t/([\w-]+)$")
NEWEST = "JSON.parse(document.getElementById('gestures').textContent).decision === {}"
ASK = """async ([path, body]) => {
    const headers = {"Content-Type": "application/json"};
    const sent = {method: "POST", headers, body: JSON.stringify(body)};
    const answer = await fetch(`/api/v1${path}`, body === null ? {} : sent);
    return [answer.status, await answer.json()];
}"""


class Player:
    """Somebody who plays: at a browser, or a program with a token that plays by itself."""

    def __init__(self, name: str, one: Person | None, server: Server, token: str = "") -> None:
        self.name, self.one, self._url, self.token = name, one, server.url, token

    def ask(self, path: str, body: Any = None) -> Any:
        if self.one is not None:
            status, answer = self.one.page.evaluate(ASK, [path, body])
            assert status < 300 or status == 409, answer
            return answer
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        with urllib.request.urlopen(
            urllib.request.Request(f"{self._url}/api/v1{path}", data, headers)
        ) as answer:
            return json.load(answer)

    def seek(self, game: str) -> str:
        """Look for somebody; return what to ask for the table."""
        if self.one is None:
            wish = {"game": game, "pace": PACE, "rated": True}
            return str(self.ask("/lobby/seeks", wish)["id"])
        self.one.go("/lobby")
        choose(self.one, "#seek-game", game)
        choose(self.one, "#seek-pace", PACE)
        press(self.one, "form[action='/lobby/seeks'] .primary")
        return ""

    def found(self, seek: str) -> str:
        """Return the table to which a search has led."""
        if self.one is None:
            return str(self.ask(f"/lobby/seeks/{seek}?wait=20")["table"])
        self.one.page.wait_for_url(TABLE)
        self.one.at_table()
        return self.one.page.url.rpartition("/")[2]

    def leave(self, table: str) -> None:
        """Give up; whose page is at the table does so there."""
        if self.one is None or not self.one.page.url.endswith(table):
            self.ask(f"/tables/{table}/resign", {})
            return
        self.one.until(SETTLED)
        press(self.one, "[data-post=resign]")
        press(self.one, "dialog[open] [value=yes]")
        self.one.page.wait_for_selector("[data-post=resign]", state="detached")


def choose(one: Person, selector: str, value: str) -> None:
    """Choose from a list."""
    one.page.focus(selector)
    one.page.keyboard.press("Home")
    for _ in range(one.page.locator(f"{selector} option").count()):
        if one.page.input_value(selector) == value:
            return
        one.page.keyboard.press("ArrowDown")
    raise AssertionError(f"{selector} cannot become {value}")


def by_keys(one: Person) -> None:
    """Decide once on the page: lay what there is to lay, or choose from the list of moves."""
    one.until(SETTLED)
    before, told = one.decision(), one.facts()["gestures"]
    if plan := told.get("arrangement"):
        one.page.wait_for_selector("#tray-ready")
        if any(preset["placements"] for preset in plan["presets"]):
            press(one, f"[data-kind='{len(plan['kinds'])}']")
        elif plan["presets"]:
            one.page.focus("#tray-presets")
            one.page.keyboard.press("ArrowDown")
        else:
            for kind, slot in zip(plan["kinds"], plan["slots"], strict=False):
                press(one, f'[data-e="{kind["element"]}"]')
                press(one, f'[data-e="{slot}"]')
        press(one, "#tray-ready")
    else:
        one.page.keyboard.press("m")
        one.page.fill("#moves-filter", next(g["l"] for g in told["gestures"] if g["a"] >= 0))
        one.page.keyboard.press("Tab")
        one.page.keyboard.press("Enter")
    one.changed(before)


def program(name: str, server: Server, stack: ExitStack) -> Player:
    """Return a program of an account of its own, which runs until the test is over."""
    wish = {"name": name, "password": f"a long password of {name}"}
    session = str(Player(name, None, server).ask("/register", wish)["token"])
    scopes = {"scopes": ["read", "play"], "name": "bot"}
    token = str(Player(name, None, server, session).ask("/account/tokens", scopes)["key"])
    running = subprocess.Popen(
        [sys.executable, str(EXAMPLE), server.url, token], stdout=subprocess.DEVNULL
    )
    stack.callback(running.wait)
    stack.callback(running.terminate)
    return Player(name, None, server, token)


def until(found: Callable[[], Any]) -> Any:
    """Return something as soon as it is there."""
    end = time.monotonic() + PATIENCE
    while not (result := found()):
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)
    return result


def playing(table: str, anybody: Player) -> bool:
    return bool(anybody.ask(f"/tables/{table}")["status"] == "playing")


def decide(table: str, players: list[Player], dice: random.Random, *, shown: bool) -> None:
    """Let everybody decide something openly: then what comes of the game counts.

    Where it is `shown` people decide on their pages first, and by requests from then on.
    """
    decided: set[int] = set()
    waiting = [player for player in players if shown and player.one is not None]

    def step() -> bool:
        for player in players:
            facts = player.ask(f"/tables/{table}")
            decided.update(
                line["seat"]
                for line in facts["log"]
                if line["seat"] != facts["seat"] and line["kind"] == "act"
            )
            if player.one is None or not facts["your_turn"] or len(decided) == len(players):
                continue
            if player in waiting:
                player.one.page.wait_for_selector("#table[data-your-turn]")
                player.one.until(NEWEST.format(facts["decision"]))
                by_keys(player.one)
                waiting.remove(player)
            else:
                action = dice.choice(facts["legal"])["action"]
                wish = {"actions": [action], "decision": facts["decision"]}
                player.ask(f"/tables/{table}/act", wish)
        return len(decided) == len(players) and not waiting

    until(step)


def boards(found: dict[str, Any]) -> Iterator[tuple[str, list[int]]]:
    for one in found["pairings"]:
        if one["round"] == found["round"] and one["table"]:
            yield one["table"], one["players"]


def rows(url: str) -> list[Any]:
    """Return all ratings of accounts."""
    with Tables(url) as tables, tables.store.reading() as connection:
        return sorted(connection.execute(sa.select(schema.ratings)).all())


def test_strangers_meet_play_and_are_rated(person: Come, server: Server) -> None:
    dice = random.Random(1)
    with ExitStack() as stack:
        people = [
            Player(name, registered(person("fr" if name == "Dan" else "en"), name), server)
            for name in ("Ann P", "Bob P", "Cid P", "Dan", "Eve P")
        ]
        ann, bob, cid, dan, eve = people
        robo, second = (program(f"Robo {n}", server, stack) for n in (1, 2))
        one_of(dan).go("/lobby")
        found = list(check(one_of(dan), "le salon"))
        games = {
            "stratego": [ann, bob],
            "suntzu": [cid, robo],
            "firebulls": [dan, eve],
            "china": [ann, cid, second],
            "binfa": [eve, bob],
        }
        for game, players in games.items():
            seeks = [player.seek(game) for player in players]
            tables = {player.found(seek) for player, seek in zip(players, seeks, strict=True)}
            assert len(tables) == 1, game
            (table,) = tables
            until(partial(playing, table, players[0]))
            facts = players[0].ask(f"/tables/{table}")
            assert (facts["pace"], facts["game"].partition("(")[0]) == (PACE, game)
            assert facts["rated"]
            if game == "firebulls":  # one leaves, and comes back on a phone
                one_of(dan).leave()
                dan.one = phone = person("fr", touch=True)
                phone.go("/sign-in")
                phone.page.fill("form[action='/sign-in'] [name=name]", dan.name)
                phone.page.fill(
                    "form[action='/sign-in'] [name=password]", f"a long password of {dan.name}"
                )
                press(phone, "form[action='/sign-in'] button:not([data-passkey])")
                phone.page.wait_for_url(f"{server.url}/")
                phone.go(f"/t/{table}")
                phone.at_table()
                assert phone.page.get_attribute("#table", "data-viewer") in ("0", "1")
            decide(table, players, dice, shown=True)
            for player in players if len(players) > 2 else players[:1]:
                player.leave(table)

        wish = {"name": "Cup of six", "game": "firebulls", "pace": PACE, "rounds": 2}
        cup = ann.ask("/tournaments", wish)["id"]
        six = [*people, robo]
        robo.ask(f"/tournaments/{cup}/enter", {})
        for player in people:
            one_of(player).go(f"/tournaments/{cup}")
            press(one_of(player), "form[action$='/enter'] button")
            one_of(player).page.wait_for_selector("form[action$='/withdraw']")
        one_of(ann).page.wait_for_selector("form[action$='/begin'] button")
        press(one_of(ann), "form[action$='/begin'] button")
        for player in people:  # their pages lead them to their games, and add their seeds
            one_of(player).page.wait_for_url(TABLE)
        for number in (1, 2):
            state = until(partial(at_round, ann, cup, number))
            names = {one["number"]: one["name"] for one in state["standings"]}
            for table, numbers in boards(state):
                seated = [next(p for p in six if p.name == names[n]) for n in numbers]
                for player in seated:
                    if player.one is not None and number > 1:  # who plays on without a page
                        player.ask(f"/tables/{table}/seed", {"seed": f"of {player.name}"})
                until(partial(playing, table, ann))
                decide(table, seated, dice, shown=False)
                next(p for p in seated if p.one is not None).ask(f"/tables/{table}/resign", {})
        until(lambda: ann.ask(f"/tournaments/{cup}")["status"] == "over")

        for game, players in {**games, "firebulls": six}.items():
            until(partial(rated, ann, game, players))
        for one, path in (
            (one_of(eve), f"/tournaments/{cup}"),
            (one_of(dan), "/ratings/firebulls"),
        ):
            one.go(path)
            found += check(one, path)
        assert found == []
    url = f"sqlite:///{server.home / 'tables.sqlite3'}"
    before = rows(url)
    with Tables(url) as again:
        Ratings(again).recompute()
    assert rows(url) == before


def rated(anybody: Player, game: str, players: list[Player]) -> bool:
    best = anybody.ask(f"/ratings/{game}/quick")
    return {player.name for player in players} <= {one["name"] for one in best}


def at_round(anybody: Player, cup: str, number: int) -> dict[str, Any] | None:
    """Return how a tournament stands in a round whose tables are made."""
    state: dict[str, Any] = anybody.ask(f"/tournaments/{cup}")
    made = state["round"] == number and len(list(boards(state))) == 3
    return state if made else None


def one_of(player: Player) -> Person:
    assert player.one is not None
    return player.one


def test_who_waits_plays_a_bot_meanwhile_and_is_called(person: Come, server: Server) -> None:
    ada, bob = person("fr"), person("en")
    ada.page.clock.install()
    Player("Ada", ada, server).seek("suntzu")
    ada.page.wait_for_selector("[data-seek]")
    assert not ada.page.is_visible("#meanwhile")
    ada.page.clock.fast_forward("00:20")
    ada.page.wait_for_selector("#meanwhile:not([hidden])")
    found = list(check(ada, "waiting"))
    press(ada, "#meanwhile button")
    ada.page.wait_for_url(TABLE)
    ada.at_table()
    with_bot = ada.page.url
    Player("Bob", bob, server).seek("suntzu")
    bob.page.wait_for_url(TABLE)
    ada.page.wait_for_selector("#call:not([hidden])")
    assert ada.page.title().startswith("●")
    found += check(ada, "called")
    press(ada, "#call a")
    ada.page.wait_for_url(bob.page.url)
    assert ada.page.url != with_bot
    for one in (ada, bob):
        one.page.wait_for_selector("#table[data-status=playing]")
    assert found == []
