"""Boards that people draw: checked, kept, opened by a link, played on; and what is refused."""

from __future__ import annotations

import json
import random
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_accounts import form
from tests.web.test_bad_input import refused
from tests.web.world import Table, Visitor, World
from tianxia.accounts import passwords
from tianxia.tables import boards
from tianxia.tables.verify import verify

API = "/api/v1/boards"
CITADEL = {
    "game": "binfa",
    "title": "My citadel",
    "terrain": ["r6", "o6", "o8", "y6", "g6", "g8", "b6", "p6", "p8"],
    "whirlpools": ["r13", "y13", "b13"],
}
OPEN = {**CITADEL, "title": "Half done", "whirlpools": ["r13"]}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody signs in again here: passwords need not be hashed slowly."""
    monkeypatch.setattr(passwords, "hashed", lambda _: "none")


@pytest.fixture
def ada(here: World) -> Visitor:
    one = here.visitor()
    one.become()
    return one


def checked(one: Visitor, board: Any) -> Any:
    answer = one.post(f"{API}/check", {"board": board})
    assert answer.status_code == 200, answer.text
    return answer.json()


def saved(one: Visitor, board: Any, board_id: str = "") -> str:
    answer = one.post(API, {"board": board, "id": board_id})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_board_is_checked_while_it_is_drawn(ada: Visitor) -> None:
    fine = checked(ada, CITADEL)
    assert fine["faults"] == []
    assert fine["options"] == {"level": 4, "map": "r6o6o8y6g6g8b6p6p8/r13y13b13"}
    assert fine["play"].startswith("/new/binfa?")
    assert fine["svg"].count("#binfa-terrain") == 9

    cut = checked(ada, {**OPEN, "terrain": ["r2", "r5", "r6", "r7", "r1"]})
    assert not cut["play"]
    assert not cut["options"]
    told = {fault["text"]: fault["elements"] for fault in cut["faults"]}
    assert "A map has 3 whirlpools, or none; this one has 1 (BIN-38a)." in told

    walled = checked(ada, {**OPEN, "terrain": ["r15", "o10"], "whirlpools": []})
    assert [fault["elements"] for fault in walled["faults"]] == [["r16"], []]
    assert walled["faults"][0]["text"].startswith(
        "A part of the field is cut off: nobody gets to r16"
    )


def played(here: World, table: Table, people: list[str]) -> None:
    """Play a table at random to its end."""
    tables, rng = here.app_state.tables, random.Random(7)
    while (snapshot := tables.snapshot(table.id)).status == "playing":
        seat = snapshot.acting[0]
        action = rng.choice(snapshot.view(seat).legal_actions(seat))
        tables.act(table.id, people[seat], [action], snapshot.decision(seat))


DAMAGED: dict[str, tuple[Any, str]] = {
    "no triangle": ({**CITADEL, "terrain": ["r17"]}, "'r17' is not a triangle"),
    "twice": ({**CITADEL, "terrain": ["r6", "r6"]}, "r6 stands twice in the map"),
    "under both": ({**CITADEL, "whirlpools": ["r6"]}, "r6 stands twice in the map"),
    "no list": ({**CITADEL, "terrain": "r6,r7"}, "“terrain” should be a list of triangles"),
    "numbers": ({**CITADEL, "terrain": [3]}, "'3' is not a triangle"),
    "too many": ({**CITADEL, "terrain": ["r6"] * 4000}, "should be a list of triangles"),
    "braces": ({**CITADEL, "terrain": ["{0}"]}, "'{0}' is not a triangle"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_board_is_refused_with_one_sentence(ada: Visitor, name: str) -> None:
    board, sentence = DAMAGED[name]
    for path in (f"{API}/check", API):
        answer = ada.post(path, {"board": board})
        assert sentence in refused(answer, 422, "no-board")["text"]
    assert ada.get(API).json() == []


@pytest.mark.parametrize(
    ("board", "status"),
    [({}, 404), ({"game": "nim"}, 404), ({"game": "stratego"}, 404), ([], 400), ("x", 400)],
)
def test_boards_of_no_such_game_are_refused(ada: Visitor, board: Any, status: int) -> None:
    assert ada.post(f"{API}/check", {"board": board}).status_code == status


def test_a_board_is_kept_changed_and_deleted(here: World, ada: Visitor) -> None:
    first = saved(ada, OPEN)
    assert "not finished" in ada.get("/boards").text
    assert saved(ada, CITADEL, first) == first
    page = ada.get("/boards").text
    assert "My citadel" in page
    assert "not finished" not in page

    other = here.visitor()
    other.become()
    assert "Somebody has shown you" in other.get(f"/boards/{first}").text
    assert "Somebody has shown you" not in ada.get(f"/boards/{first}").text
    assert other.post(API, {"board": OPEN, "id": first}).status_code == 404
    assert other.ask("DELETE", f"{API}/{first}").status_code == 404
    assert other.get(f"{API}/{first}").json()["board"] == CITADEL
    assert json.loads(other.get(f"/boards/{first}/file").text) == CITADEL
    assert "svg" in other.get(f"/boards/{first}/picture.svg").headers["content-type"]
    assert "My citadel" not in other.get("/boards").text

    answer = ada.post(f"/boards/{first}/delete", data=form(ada))
    assert answer.status_code == 303
    assert ada.get(f"/boards/{first}").status_code == 404
    assert ada.get("/boards/none-of-these").status_code == 404


def test_a_board_does_not_flood_the_server(ada: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "MOST", 2)
    for _ in range(2):
        saved(ada, OPEN)
    refused(ada.post(API, {"board": OPEN}), 422, "too-many-boards")
    monkeypatch.setattr(boards, "LARGEST", 100)
    refused(ada.post(API, {"board": CITADEL}), 422, "board-too-large")
    named = ada.post(f"{API}/check", {"board": {**OPEN, "title": "<b>" + "x" * 400}})
    assert len(named.json()["board"]["title"]) == 40


def test_a_guests_boards_go_to_their_account(here: World) -> None:
    guest = here.visitor()
    guest.become()
    mine = saved(guest, CITADEL)
    answer = guest.post("/register", data=form(guest, name="Boardmaker", password="a long one"))
    assert answer.status_code == 200, answer.text
    assert [one["id"] for one in guest.get(API).json()] == [mine]
    export = guest.post("/account/export", data=form(guest)).json()
    assert [one["board"]["title"] for one in export["boards"]] == ["My citadel"]


def test_a_table_is_made_on_a_drawn_board_and_played(here: World, ada: Visitor) -> None:
    """The form offers the board; its text goes with the game, its transcript is verified."""
    saved(ada, CITADEL)
    play = checked(ada, CITADEL)["play"]
    value = "r6o6o8y6g6g8b6p6p8/r13y13b13"
    page = unescape(ada.get(play).text)
    assert f'value="{value}"' in page
    assert "My citadel" in page
    wish = {
        "game": "binfa", "nickname": "Ada", "seat0": "me", "seat1": "open",
        "option-level": "4", "option-map": value, "option-turns": "1",
    }  # fmt: skip
    answer = ada.post("/tables", data={**form(ada), **wish})
    assert answer.status_code == 303, answer.text
    table = Table(here, ada, answer.headers["location"].rpartition("/")[2])
    played(here, table, [ada.person, table.guest(1).person])
    game = here.app_state.tables.snapshot(table.id).game
    assert game.options["map"] == value
    report = verify(here.app_state.tables.transcript(table.id))
    assert report.draws > 0
    # Nobody has added a seed here; nothing else is wrong.
    assert all("added no seed" in str(one) for one in report.problems), report.problems
    assert value not in ada.get("/").text
    assert "a map of one" in ada.get("/").text


# --- China: boards that are a graph ---


def china(one: Visitor, start: int = 1) -> Any:
    """Return a board to begin with: an empty one, then ours."""
    page = one.get("/boards/new/china").text
    state = json.loads(page.partition('id="state">')[2].partition("</script>")[0])
    return state["starts"][start]["board"]


def test_a_board_of_china_is_drawn_step_by_step(ada: Visitor) -> None:
    empty = china(ada, 0)
    told = checked(ada, empty)
    assert "spaces: there are none yet" in told["faults"][0]["text"]
    assert "china-map-draft" not in told["svg"]

    begun = {
        **empty,
        "spaces": {f"W{n}": {"x": 90 * n, "y": 90, "provinces": ["Wei"]} for n in (1, 2, 3)},
        "roads": [["W1", "W2"]],
    }
    told = checked(ada, begun)
    faults = {fault["text"]: fault["elements"] for fault in told["faults"]}
    assert faults["roads: W3 should have one to 6, it has 0"] == ["W3"]
    assert "china-map-draft" in told["svg"]

    many = checked(ada, {**begun, "roads": []})["faults"]
    assert ("roads: 3 places should have one to 6: W1, W2, W3", ["W1", "W2", "W3"]) in [
        (fault["text"], fault["elements"]) for fault in many
    ]
    assert len(many) == 2  # the other: eight provinces without room, in one sentence

    whole = china(ada)
    told = checked(ada, whole)
    assert told["faults"] == []
    assert told["options"] == {"board": "A", "players": 2}
    assert told["play"] == "/new/china?option-board=A&option-players=2"
    assert ada.get(told["play"]).status_code == 200


def test_a_board_of_china_is_played_on_at_once(here: World, ada: Visitor) -> None:
    """One's own, and somebody else's by a link; the form of a table shows it as chosen."""
    mine = china(ada) | {"title": "Mine"}
    mine["spaces"]["W1"]["x"] += 10
    board = saved(ada, mine)
    assert json.loads(ada.get(f"/boards/{board}/file").text) == mine
    assert "<image" not in ada.get(f"/boards/{board}/picture.svg").text
    play = checked(ada, mine)["play"]
    value = checked(ada, mine)["options"]["board"]
    page = ada.get(play).text
    assert f'value="{value}" checked' in page
    assert "Mine" in page
    other = here.visitor()
    other.become()
    page = other.get(play).text
    assert f'value="{value}" checked' in page
    assert "A board of one’s own" in page
    assert "Mine" not in page

    wish = {
        "game": "china", "nickname": "Bob", "seat0": "me", "seat1": "open", "seat2": "open",
        "option-board": value, "option-players": "3",
    }  # fmt: skip
    answer = other.post("/tables", data={**form(other), **wish})
    assert answer.status_code == 303, answer.text
    table = Table(here, other, answer.headers["location"].rpartition("/")[2])
    played(here, table, [other.person, table.guest(1).person, table.guest(2).person])
    page = other.get(f"/t/{table.id}").text
    assert 'id="china-map-own"' in page
    assert "board of one’s own" in page
    refused_text = {**wish, "option-board": value[:-30]}
    answer = other.post("/tables", data={**form(other), **refused_text})
    assert answer.status_code == 422
    assert "this is not a board: copy all of it" in answer.text


def test_a_server_offers_boards_to_everybody(
    here: World, ada: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    board = china(ada) | {"title": "The box"}
    board["spaces"]["W1"]["x"] += 20
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "box.json").write_text(json.dumps(board), encoding="utf-8")
    page = ada.get("/new/china").text
    assert "The box" in page
    assert 'value="box"' in page
    picture = ada.get("/pictures/china/board/box.svg")
    assert picture.status_code == 200
    assert "china-map-own" in picture.text
    assert ada.get("/pictures/china/board/other.svg").status_code == 404


@pytest.mark.parametrize(
    ("where", "value", "sentence"),
    [
        (("provinces", "Wei"), "blue", "colour of Wei should be one of"),
        (("spaces", "W1", "x"), 1e9, "space W1: should have a place"),
        (("spaces", "W1", "provinces"), [[]], "W1 should lie in one province"),
        (("spaces", "W1"), 7, "W1 should be an object"),
        (("roads",), {"W1": "W2"}, "roads: should be a list"),
        (("roads", 0), ["W1", {}], "is no space"),
        (("alliances",), [], "should be numbered from 1 on"),
        (("alliances", "1"), ["Wei", {}], "of number 1 is not a province"),
        (("dragons",), [], "the dragon of Wei"),
        (("players",), [True], "a list of numbers from 2 to 5"),
        (("spaces",), None, "spaces: missing"),
    ],
)
def test_a_damaged_board_of_china_is_refused_with_one_sentence(
    ada: Visitor, where: tuple[Any, ...], value: Any, sentence: str
) -> None:
    board = place = china(ada)
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    assert sentence in refused(ada.post(f"{API}/check", {"board": board}), 422, "no-board")["text"]


def test_names_on_a_board_are_no_markup(ada: Visitor) -> None:
    board = json.loads(json.dumps(china(ada)).replace('"Wei"', '"<b>x&y</b>"'))
    told = checked(ada, board)
    assert "<b>" not in told["svg"]
    assert "&lt;b&gt;x&amp;y&lt;/b&gt;" in told["svg"]
    page = ada.get(f"/boards/{saved(ada, board)}").text
    assert "<b>x" not in page
