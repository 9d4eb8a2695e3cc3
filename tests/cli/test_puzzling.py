"""``tianxia puzzles``: found, gone on with, checked; where the thinking is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tianxia
from tests.cli.test_commands import run
from tianxia.bots import play, puzzles
from tianxia.kernel.state import State
from tianxia.search.thinking import Finding
from tianxia.tables import Tables


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let any decision be a puzzle, its smallest action the answer."""

    def at_random(game: tianxia.Game, bots: Any, seed: int) -> State:
        return play(game, ["random"] * game.seats, seed, 60)

    def made(view: State, book: puzzles.Book) -> puzzles.Puzzle:
        found = [
            Finding(action, 1, -0.1 * n, 0.0)
            for n, action in enumerate(view.legal_actions(view.viewer))
        ]
        return puzzles.written(view, found, 1)

    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setattr(puzzles, "play", at_random)
    monkeypatch.setattr(puzzles, "made_of", made)
    return monkeypatch


def test_puzzles_are_found_until_there_are_so_many(tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    first = run("puzzles", "suntzu", "--count", "9", "--games", "2", "--out", str(file))
    assert first.exit_code == 0, first.output
    assert "Puzzles: 4" in first.output
    again = run("puzzles", "suntzu", "--count", "6", "--out", str(file), "-l", "fr")
    assert "Problèmes déjà trouvés\xa0: 4." in again.output
    book = puzzles.opened(file, tianxia.game("suntzu").kind)
    assert len(book.puzzles) == 6
    assert book.searched == {"suntzu": 3}


def test_finished_public_games_are_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.cli import recording

    asked = []

    def public(tables: Tables, game: tianxia.Game, left: list[str]) -> Any:
        asked.append(game.name)
        for seed in range(2):
            state = play(game, ["random"] * game.seats, seed, 60)
            yield type("Played", (), {"state": state})

    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    Tables().close()
    monkeypatch.setattr(recording, "public_games", public)
    file = tmp_path / "puzzles.json"
    done = run("puzzles", "suntzu", "--stored", "--out", str(file))
    assert done.exit_code == 0, done.output
    assert asked == ["suntzu"]
    book = puzzles.opened(file, tianxia.game("suntzu").kind)
    assert (len(book.puzzles), book.searched) == (4, {"stored": 2})


@pytest.mark.parametrize(("same", "status"), [(True, 0), (False, 1)])
def test_puzzles_are_solved_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, same: bool, status: int
) -> None:
    file = tmp_path / "puzzles.json"
    run("puzzles", "suntzu", "--games", "1", "--out", str(file))
    monkeypatch.setattr(puzzles, "again", lambda puzzle, seed: same)
    done = run("puzzles", "suntzu", "--check", "--out", str(file))
    assert done.exit_code == status
    assert f"ten times the time: {2 * same} of 2." in done.output
    assert ("Another answer: 1, 2." in done.output) is not same


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["suntzu"], "with --out puzzles.json"),
        (["chess", "--out", "x.json"], "no game is called"),
        (["suntzu", "--check", "--out", "nowhere.json"], "there is no file nowhere.json"),
        (["firebulls", "--out", "{file}"], "puzzles of suntzu, not of firebulls"),
    ],
)
def test_mistakes_are_told_in_a_sentence(tmp_path: Path, arguments: list[str], text: str) -> None:
    file = tmp_path / "puzzles.json"
    run("puzzles", "suntzu", "--games", "1", "--out", str(file))
    done = run("puzzles", *(one.format(file=file) for one in arguments))
    assert done.exit_code == 2
    assert text in " ".join(done.output.split())
