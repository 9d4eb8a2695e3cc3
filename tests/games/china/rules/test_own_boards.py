"""Boards of an owner: read, checked, refused with a reason, and played on."""

from __future__ import annotations

import copy
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tianxia
from tianxia.games.china.rules import boards
from tianxia.kernel.cache import digest

OURS: dict[str, Any] = json.loads(
    files("tianxia.games.china.rules").joinpath("boards.json").read_text(encoding="utf-8")
)
NEW = 'import tianxia; s = tianxia.game("china(players=3,board={})").new(); print(s.notation())'


def facts(name: str = "A") -> dict[str, Any]:
    return copy.deepcopy(OURS[name])


def run(home: Path, code: str) -> subprocess.CompletedProcess[str]:
    """Run a program with another home, without compiling anything."""
    environment = {**os.environ, "TIANXIA_HOME": str(home), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", code]
    return subprocess.run(  # our own program
        command, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def folder(home: Path, name: str, content: Any) -> Path:
    place = home / "boards"
    place.mkdir(exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content)
    (place / name).write_text(text, encoding="utf-8")
    return place


def test_ours_keep_every_constraint() -> None:
    for name in boards.OURS:
        assert boards.read(OURS[name]) == boards.BOARDS[name]


def test_a_board_of_ones_own_is_played_on(tmp_path: Path) -> None:
    mine = facts()
    del mine["spaces"]["V5"]
    mine["roads"] = [road for road in mine["roads"] if "V5" not in road]
    folder(tmp_path, "Mine.json", mine)
    told = run(
        tmp_path,
        "import tianxia\nfrom tianxia.testing import check_play, check_notation\n"
        "game = tianxia.game('china', players=3, board='mine', tiles=True)\n"
        "check_play(game, 1)\ncheck_notation(game, 2)\nprint(game.spec, game.new().notation())",
    )
    assert told.returncode == 0, told.stderr
    assert "china(board=mine,tiles=yes)" in told.stdout
    assert "......./....../...../....../...../..../...../......../...." in told.stdout


def test_a_broken_board_is_refused_when_it_is_asked_for(tmp_path: Path) -> None:
    mine = facts()
    mine["roads"].append(["W1", "W9"])
    folder(tmp_path, "mine.json", mine)
    told = run(tmp_path, NEW.format("mine"))
    assert "OptionError: the board mine.json cannot be used: roads: 'W9' is no space" in told.stderr
    assert run(tmp_path, NEW.format("a")).returncode == 0  # all else goes on


def test_files_that_are_no_boards_of_this_game_are_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    place = folder(tmp_path, "other.json", {"game": "another", "triangles": 3})
    folder(tmp_path, "broken.json", "{")
    folder(tmp_path, "a.json", facts())
    folder(tmp_path, "nan.json", '{"game": "china", "players": NaN}')
    with caplog.at_level(logging.WARNING):
        found, broken = boards._owners(place)
    assert not found
    assert set(broken) == {"broken", "nan"}
    assert "a.json" in caplog.text
    assert "other.json" not in caplog.text


def test_no_folder_is_no_board(tmp_path: Path) -> None:
    assert boards._owners(tmp_path / "nowhere") == ({}, {})


def test_the_cache_of_compiled_rules_knows_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    before = digest()
    folder(tmp_path, "mine.json", facts())
    assert digest() != before


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
    ("A", _set(["Oz"], "spaces", "W1", "provinces"), "no province"),
    ("A", _set([], "spaces", "W1", "provinces"), "one province, or in two"),
    ("A", _set(["Wei", "Wei"], "spaces", "W1", "provinces"), "one province, or in two"),
    ("A", _set(1, "spaces", "W1", "harbour"), "harbour of W1"),
    ("border", _set(True, "spaces", "P1", "harbour"), "false for a post"),
    ("border", _set(["Wei", "Wu"], "spaces", "P1", "provinces"), "provinces of one colour"),
    ("A", lambda board: board["roads"].append(["W1", "W1"]), "should join two spaces"),
    ("A", lambda board: board["roads"].append(["W2", "W1"]), "join the same spaces"),
    ("A", _set(["Wei", "Wei"], "alliances", "1"), "join two provinces"),
    ("A", _set(["Wei", "Oz"], "alliances", "1"), "is no province"),
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
    with pytest.raises(tianxia.kernel.errors.OptionError, match="auto or a or b or border"):
        tianxia.game("china", board="C")


ADD = """
from typer.testing import CliRunner
from tianxia.kernel import mode
mode.interpret()
from tianxia.cli import app
print(CliRunner().invoke(app, ["boards", "add", "FILE", "--name", "mine", "-l", "en"]).output)
"""
TABLE = """
import random
from tianxia.kernel import mode
mode.interpret()
from tianxia.tables import SeatPlan, Tables
from tianxia.tables.verify import verify
from tianxia.games.china.face.own_boards import installed
import json, pathlib
assert installed(json.loads(pathlib.Path("FILE").read_text())) == "mine"
tables, rng = Tables("sqlite://"), random.Random(3)
plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
made = tables.create("china(board=mine)", plans, person="p0").table_id
for seat in (1, 2):
    tables.take_seat(made, seat, f"p{seat}", "x")
while (now := tables.snapshot(made)).status == "playing":
    seat = now.acting[0]
    action = rng.choice(now.view(seat).legal_actions(seat))
    tables.act(made, f"p{seat}", [action], now.decision(seat))
report = verify(tables.transcript(made))
print(now.game.spec, report.draws > 0, [p for p in report.problems if "no seed" not in str(p)])
"""


def test_a_board_that_was_drawn_is_added_and_a_table_on_it_is_played(tmp_path: Path) -> None:
    """What the page exports goes to the server by one command; a second one is refused."""
    drawn = facts() | {"title": "Drawn"}
    drawn["spaces"]["W1"]["x"] += 10
    exported = tmp_path / "exported.json"
    exported.write_text(json.dumps(drawn), encoding="utf-8")
    add, table = (text.replace("FILE", str(exported)) for text in (ADD, TABLE))

    assert "Added as mine." in run(tmp_path, add).stdout
    assert "this server has this board already, as mine" in run(tmp_path, add).stdout
    played = run(tmp_path, table)
    assert played.stdout == "china(board=mine) True []\n", played.stderr

    drawn["roads"] = [road for road in drawn["roads"] if "W1" not in road]
    exported.write_text(json.dumps(drawn), encoding="utf-8")
    assert "W1 should have one to 6, it has 0" in run(tmp_path, add).stdout
    exported.write_text("{", encoding="utf-8")
    assert "holds no board of a game" in run(tmp_path, add).stdout
