"""Five browsers and two programs meet, play all five games, and six finish a tournament."""

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

from tests.e2e.people import Person
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
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with urllib.request.urlopen(
            urllib.request.Request(f"{self._url}/api/v1{path}", data, headers)
        ) as answer:
            return json.load(answer)

    def seek(self, game: str) -> str:
        """Look for somebody; return what to ask for the table."""
        if self.one is None:
            return str(self.ask("/lobby/seeks", {"game": game, "pace": PACE})["id"])
        self.one.go("/lobby")
        self.one.page.select_option("#seek-game", game)
        self.one.page.select_option("#seek-pace", PACE)
        press(self.one, "form[action='/lobby/seeks'] button")
        return ""

    def found(self, seek: str) -> str:
        """Return the table to which a search has led."""
        if self.one is None:
            return str(self.ask(f"/lobby/seeks/{seek}?wait=20")["table"])
        self.one.page.wait_for_url(TABLE)
        return self.one.page.url.rpartition("/")[2]


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


def decide(table: str, players: list[Player], dice: random.Random) -> None:
    """Let everybody decide something openly: then what comes of the game counts."""
    decided: set[str] = set()

    def step() -> bool:
        for player in players:
            facts = player.ask(f"/tables/{table}")
            decided.update(
                player.name
                for line in facts["log"]
                if line["seat"] == facts["seat"] and line["kind"] == "act"
            )
            if player.one is not None and facts["your_turn"] and len(decided) < len(players):
                action = dice.choice(facts["legal"])["action"]
                wish = {"actions": [action], "decision": facts["decision"]}
                player.ask(f"/tables/{table}/act", wish)
        return len(decided) == len(players)

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
            players[0].ask(f"/tables/{table}/resign", {})

        wish = {"name": "Cup of six", "game": "firebulls", "pace": PACE, "rounds": 2}
        cup = ann.ask("/tournaments", wish)["id"]
        six = [*people, robo]
        for player in six:
            player.ask(f"/tournaments/{cup}/enter", {})
        ann.ask(f"/tournaments/{cup}/begin", {})
        for number in (1, 2):
            state = until(partial(at_round, ann, cup, number))
            names = {one["number"]: one["name"] for one in state["standings"]}
            for table, numbers in boards(state):
                seated = [next(p for p in six if p.name == names[n]) for n in numbers]
                for player in seated:
                    if player.one is not None:
                        player.ask(f"/tables/{table}/seed", {"seed": f"of {player.name}"})
                until(partial(playing, table, ann))
                decide(table, seated, dice)
                next(p for p in seated if p.one is not None).ask(f"/tables/{table}/resign", {})
        until(lambda: ann.ask(f"/tournaments/{cup}")["status"] == "over")

        def rated() -> bool:
            best = ann.ask("/ratings/firebulls/quick")
            return {player.name for player in six} <= {one["name"] for one in best}

        until(rated)
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


def at_round(anybody: Player, cup: str, number: int) -> dict[str, Any] | None:
    """Return how a tournament stands in a round whose tables are made."""
    state: dict[str, Any] = anybody.ask(f"/tournaments/{cup}")
    made = state["round"] == number and len(list(boards(state))) == 3
    return state if made else None


def one_of(player: Player) -> Person:
    assert player.one is not None
    return player.one
