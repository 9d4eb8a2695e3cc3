"""The example of a bot that plays through the API: it comes to its game of a tournament."""

from __future__ import annotations

import importlib.util
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from tests.web.test_accounts import registered
from tests.web.world import Visitor, World

EXAMPLE = Path(__file__).parents[2] / "examples" / "play_online.py"


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("play_online", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Api:
    """What the example asks of a server, asked of ours; its stream ends."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    def ask(self, path: str, body: Any = None) -> Any:
        path = f"/api/v1{path}"
        answer = self.visitor.get(path) if body is None else self.visitor.post(path, body)
        assert answer.status_code < 300, answer.text
        return answer.json()

    def events(self) -> Iterator[dict[str, Any]]:
        text = self.visitor.get("/api/v1/events?once=true").text
        yield from (json.loads(line) for line in text.splitlines() if line.strip())


def test_it_comes_to_its_game_of_a_tournament_and_plays(
    here: World, example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = [Api(registered(here, f"Robot {number}")) for number in range(3)]
    wish = {"name": "Robots", "game": "stratego", "options": {"variant": "barrage"}}
    cup = programs[0].ask("/tournaments", {**wish, "pace": "300+5"})["id"]
    for one in programs:
        one.ask(f"/tournaments/{cup}/enter", {})
    found = programs[0].ask(f"/tournaments/{cup}/begin", {})
    (table,) = [one["table"] for one in found["pairings"] if one["table"]]
    for _ in range(2):  # they come, and then choose their first piece
        for one in programs:
            monkeypatch.setattr(example, "Api", lambda *_, one=one: one)
            example.main("", "", [])
    snapshot = here.app_state.tables.snapshot(table)
    assert snapshot.status == "playing"
    assert all(snapshot.chance_seeds)
    assert {entry.seat for entry in snapshot.entries if entry.kind == "act"} == {0, 1}


def test_it_accepts_a_challenge_and_lets_a_bot_of_ours_decide(
    here: World, example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot, ada = Api(registered(here, "Robot 9")), registered(here, "Ada of the robot")
    monkeypatch.setattr(example, "Api", lambda *_: robot)
    wish = {"to": "Robot 9", "game": "stratego", "options": {"variant": "barrage"}}
    table = ada.post("/api/v1/challenges", wish).json()["table"]
    for _ in range(2):  # it accepts, and then comes
        example.main("", "", [])
    ada.post(f"/api/v1/tables/{table}/seed", {"seed": "of Ada"})
    assert here.app_state.tables.snapshot(table).status == "playing"
    command = [sys.executable, "-m", "tianxia", "bot", "stratego", "--bot", "random"]
    program = example.Program(command)
    try:
        for _ in range(3):
            example.main("", "", [], program.choose)
    finally:
        program.close()
    seat = robot.ask(f"/tables/{table}")["seat"]
    done = here.app_state.tables.snapshot(table).entries
    assert [entry.kind for entry in done if entry.seat == seat].count("act") == 3


# --- Its command line, and a server that is away ---


class Answers(BaseHTTPRequestHandler):
    """A server that refuses, or is away for a moment."""

    stages: ClassVar[list[int]] = []
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status = self.stages.pop(0)
        self.send_response(status)
        self.end_headers()
        if status != 200:
            said = {"error": {"code": "no-token", "text": "This token is not valid."}}
            self.wfile.write(json.dumps(said).encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        Answers.asked.clear()
        yield f"http://127.0.0.1:{made.server_port}"
        made.shutdown()


@pytest.mark.parametrize("given", [[], ["http://localhost:8000"], ["localhost:8000", "token"]])
def test_it_says_how_it_is_called(example: ModuleType, given: list[str]) -> None:
    assert example.run(given).startswith("usage: play_online.py http://SERVER TOKEN")


def test_it_says_what_the_server_says(example: ModuleType, server: str) -> None:
    Answers.stages[:] = [401]
    assert example.run([server + "/", "wrong"]) == "This token is not valid."
    assert Answers.asked == ["/api/v1/events"]


def test_it_comes_back(
    example: ModuleType, server: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(example.time, "sleep", pauses.append)
    Answers.stages[:] = [503, 200, 401]  # away, then a stream that ends, then no more
    assert example.run([server, "token"]) == "This token is not valid."
    assert len(Answers.asked) == 3
    assert pauses == [2.0, 4.0]
    assert "Again in" in capsys.readouterr().err
