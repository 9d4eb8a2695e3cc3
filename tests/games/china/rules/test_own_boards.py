"""Boards of an owner: read, checked, refused with a reason, and played on."""

from __future__ import annotations

import copy
import gc
import json
import logging
import pickle
import random
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tianxia
from tianxia.cli import app
from tianxia.games.china.rules import boards
from tianxia.games.china.rules import components as c
from tianxia.kernel import mode
from tianxia.kernel.errors import OptionError
from tianxia.tables import SeatPlan, Tables
from tianxia.tables.verify import verify
from tianxia.testing import check_equality, check_notation, check_play

OURS: dict[str, Any] = json.loads(
    files("tianxia.games.china.rules").joinpath("boards.json").read_text(encoding="utf-8")
)


def facts(name: str = "A") -> dict[str, Any]:
    return copy.deepcopy(OURS[name])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    return tmp_path


def folder(home: Path, name: str, content: Any) -> Path:
    place = home / "boards"
    place.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (place / name).write_text(text, encoding="utf-8")
    return place


def test_ours_keep_every_constraint() -> None:
    for name in boards.OURS:
        assert boards.read(OURS[name]) == boards.BOARDS[name]


def mine(places: int = 10) -> dict[str, Any]:
    """Return a board that no server has."""
    board = facts() | {"game": "china", "title": "Mine"}
    del board["spaces"]["V5"]
    board["roads"] = [road for road in board["roads"] if "V5" not in road]
    board["spaces"]["W1"]["x"] += places
    return board


def text(board: dict[str, Any]) -> str:
    return boards.text_of(boards.read(board))


@pytest.mark.parametrize("name", boards.OURS)
def test_a_text_is_all_of_a_board(name: str) -> None:
    board = boards.BOARDS[name]
    assert boards.from_text(boards.text_of(board)) == replace(board, title="")


@pytest.mark.parametrize("damage", ["", "ae", "a1", "é" * 90, "cut", "longer", "other", "roads"])
def test_a_damaged_text_is_refused_with_a_sentence(damage: str) -> None:
    whole = text(mine())
    broken = mine()
    broken["roads"] = broken["roads"][:9]
    given = {
        "cut": whole[:-40],
        "longer": whole + "aa",
        "other": "b" + whole[1:],
        "roads": boards.text_of(boards.draft(broken)),
    }
    wanted = "roads: .* should have one to 6" if damage == "roads" else "is not possible"
    with pytest.raises(OptionError, match=wanted):
        tianxia.game("china", players=3, board=given.get(damage, damage) or "-")


def test_a_board_of_ones_own_is_played_at_once() -> None:
    """Its games are complete in a line of text, compiled and not."""
    game = tianxia.game("china", players=3, board=text(mine()), tiles=True)
    check_play(game, 1)
    check_notation(game, 2)
    check_equality(game, 3)
    state = game.new()
    assert "......./....../...../....../...../..../...../......../...." in state.notation()
    assert tianxia.position(state.notation()) == state
    assert pickle.loads(pickle.dumps(state)) == state  # our own


def test_games_on_two_boards_know_their_own() -> None:
    """Each board has its row, and numbers that are the same in every process."""
    first, second = (tianxia.game("china", players=3, board=text(mine(n))) for n in (10, 20))
    lands = [int(game.new().fields["land"]) for game in (first, second)]
    assert lands == [boards.number_of(text(mine(n))) for n in (10, 20)]
    assert [c.board(land).spaces[0].x for land in lands] == [80, 90]
    assert c.row(lands[0]) != c.row(lands[1])


def test_rows_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = count(2**61, c.SETS)  # all of them want the same rows
    monkeypatch.setattr(c, "number_of", lambda _: next(numbers))
    used = [c.install(text(mine(n))) for n in range(c.WAYS_IN)]
    with pytest.raises(OptionError, match="too many boards"):
        c.install(text(mine(c.WAYS_IN)))
    del used[3:5]
    gc.collect()
    used.append(c.install(text(mine(30))))


def test_a_board_in_the_folder_can_be_named(home: Path) -> None:
    """What is stored is the board itself, so that the file may change or go."""
    file = folder(home, "Mine.json", mine()) / "Mine.json"
    game = tianxia.game("china", players=3, board="mine")
    assert game.options["board"] == text(mine())
    assert boards.owners()["mine"].title == "Mine"
    state = game.new()
    file.unlink()
    assert tianxia.position(state.notation()) == state
    with pytest.raises(OptionError, match="there is no board of this name here"):
        tianxia.game("china", players=3, board="mine")


def test_a_broken_board_is_refused_when_it_is_asked_for(home: Path) -> None:
    broken = mine()
    broken["roads"].append(["W1", "W9"])
    folder(home, "mine.json", broken)
    with pytest.raises(OptionError, match=r"board mine.json cannot be used: roads: .W9. is no"):
        tianxia.game("china", players=3, board="mine")
    assert tianxia.game("china", players=3, board="a").options["board"] == "A"


def test_files_that_are_no_boards_of_this_game_are_left_alone(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder(home, "other.json", {"game": "another", "triangles": 3})
    folder(home, "broken.json", "{")
    folder(home, "a.json", mine())
    folder(home, "nan.json", '{"game": "china", "players": NaN}')
    with caplog.at_level(logging.WARNING):
        assert boards.owners() == {}
    assert "broken.json" in caplog.text
    assert "nan.json" in caplog.text
    assert "other.json" not in caplog.text


def test_no_folder_is_no_board(home: Path) -> None:
    assert boards.owners() == {}
    assert boards.named("mine") is None


def _without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda board: board.pop(key)


def _set(value: Any, *path: Any) -> Callable[[dict[str, Any]], None]:
    def change(board: dict[str, Any]) -> None:
        for key in path[:-1]:
            board = board[key]
        board[path[-1]] = value

    return change


BROKEN: list[tuple[str, Callable[[dict[str, Any]], Any], str]] = [
    ("A", _without("roads"), "roads: missing"),
    ("A", _set([3, 9], "players"), "players: should be a list of numbers"),
    ("A", _set([True], "players"), "players: should be"),
    ("border", _set([2, 3], "players"), "three to five"),
    ("A", _set("blue", "provinces", "Wei"), "colour of Wei"),
    ("A", _set("violet", "provinces", "Wei"), "one should be violet"),
    ("A", lambda board: board["provinces"].pop("Wu"), "there should be 9"),
    ("A", _set([2000, 5], "dragons", "Wei"), "dragon of Wei"),
    ("A", _set([float("nan"), 5], "dragons", "Wei"), "dragon of Wei"),
    ("A", _set("here", "spaces", "W1", "x"), "space W1"),
    ("A", _set({"x": 1, "y": 1, "provinces": ["Wei"]}, "spaces", "Q9"), "Q9 should have one to 6"),
    ("A", _set({"x": 1, "y": 1, "provinces": ["Wei"]}, "spaces", "a space"), "a letter or two"),
    ("A", _set(["Oz"], "spaces", "W1", "provinces"), "not a province"),
    ("A", _set([], "spaces", "W1", "provinces"), "one province, or in two"),
    ("A", _set(["Wei", "Wei"], "spaces", "W1", "provinces"), "one province, or in two"),
    ("A", _set(1, "spaces", "W1", "harbour"), "harbour of W1"),
    ("border", _set(True, "spaces", "P1", "harbour"), "false for a post"),
    ("border", _set(["Wei", "Wu"], "spaces", "P1", "provinces"), "provinces of one colour"),
    ("A", lambda board: board["roads"].append(["W1", "W1"]), "should join two spaces"),
    ("A", lambda board: board["roads"].append(["W2", "W1"]), "join the same spaces"),
    ("A", _set(["Wei", "Wei"], "alliances", "1"), "join two provinces"),
    ("A", _set(["Wei", "Oz"], "alliances", "1"), "is not a province"),
    ("A", _set(["Wei", "Han"], "alliances", "1"), "join the same provinces"),
    ("A", _set(["Wei", "Lu"], "alliances", "17"), "numbered from 1 on"),
    (
        "A",
        lambda board: board["roads"].extend([["L1", "L3"], ["L1", "V4"], ["L4", "V5"]]),
        "Lu has",
    ),
]


@pytest.mark.parametrize(("name", "change", "reason"), BROKEN, ids=[case[2] for case in BROKEN])
def test_each_constraint_is_named(
    name: str, change: Callable[[dict[str, Any]], Any], reason: str
) -> None:
    board = facts(name)
    change(board)
    with pytest.raises(boards.BoardError, match=reason):
        boards.read(board)


def test_what_is_no_object_is_refused() -> None:
    junk: object
    for junk in (None, [], "board", 3):
        with pytest.raises(boards.BoardError, match="should be an object"):
            boards.read(junk)


def test_the_options_name_the_boards() -> None:
    with pytest.raises(tianxia.kernel.errors.OptionError, match="auto, a, b or border"):
        tianxia.game("china", board="C")


def add(file: Path, name: str) -> str:
    wish = ["boards", "add", str(file), "--name", name, "-l", "en"]
    return CliRunner().invoke(app, wish).output


def test_a_board_that_was_drawn_is_offered_to_all_and_a_table_on_it_is_played(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the page exports goes to the server by one command; a second one is refused."""
    monkeypatch.setattr(mode, "interpret", lambda: None)
    exported = home / "exported.json"
    exported.write_text(json.dumps(mine()), encoding="utf-8")
    assert "Added as mine: everybody here" in add(exported, "mine")
    assert "this server has this board already, as mine" in add(exported, "yours")

    tables, rng = Tables("sqlite://"), random.Random(3)
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
    made = tables.create("china(board=mine)", plans, person="p0").table_id
    for seat in (1, 2):
        tables.take_seat(made, seat, f"p{seat}", "x")
    (home / "boards" / "mine.json").unlink()
    while (now := tables.snapshot(made)).status == "playing":
        seat = now.acting[0]
        action = rng.choice(now.view(seat).legal_actions(seat))
        tables.act(made, f"p{seat}", [action], now.decision(seat))
    report = verify(tables.transcript(made))
    assert now.game.options["board"] == text(mine())
    assert report.draws > 0
    assert not [problem for problem in report.problems if "no seed" not in str(problem)]

    exported.write_text(json.dumps({**mine(), "roads": mine()["roads"][1:]}), encoding="utf-8")
    assert "should have one to 6, it has 0" in add(exported, "other")
    exported.write_text("{", encoding="utf-8")
    assert "does not hold a board of any game" in add(exported, "other")
