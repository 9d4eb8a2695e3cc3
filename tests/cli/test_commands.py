"""The commands one by one: what they print, and how they fail."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tianxia
from tests.cli.scripts import Script
from tianxia import cli
from tianxia.arena import plan
from tianxia.cli import app, benchmark
from tianxia.cli.benchmark import rounded_down
from tianxia.cli.screen import chosen_language, language_of_system
from tianxia.kernel.errors import TianxiaError

BARRAGE = "stratego(variant=barrage)"


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "100")


def run(*arguments: str, lines: list[str] | None = None) -> Any:
    text = "".join(f"{line}\n" for line in lines or [])
    return CliRunner().invoke(app, list(arguments), input=text)


def saved_game(folder: Path, moves: int = 6, spec: str = BARRAGE) -> Path:
    script = Script(spec, "random", 11)
    script.set_up()
    script.moves(moves)
    file = folder / "game.txt"
    script.session.save(file)
    return file


# --- Help ---


def test_help_of_every_command_has_an_example() -> None:
    for command in ((), ("play",), ("replay",), ("bench",), ("arena",)):
        result = run(*command, "--help")
        assert result.exit_code == 0
        assert f"tianxia {command[0] if command else 'play stratego'}" in result.output


def test_an_arena_says_what_came_of_it(tmp_path: Path) -> None:
    words = ["arena", BARRAGE, "skirmisher", "random", "random", "-n", "2", "-j", "1"]
    words += ["--longest", "80", "--folder", str(tmp_path)]
    first, second = run(*words), run(*words, "-l", "fr")
    assert first.exit_code == second.exit_code == 0
    for text in ("skirmisher", "random ×2", "95 % interval", "By seat: Red", "report.html"):
        assert text in first.output
    assert "Parties déjà jouées\xa0: 6." in second.output
    assert len((tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines()) == 6
    assert "lost by a fault" not in first.output
    faulty = ["arena", BARRAGE, "tests.arena.helpers:Broken", "random", "-n", "4", "-j", "1"]
    told = run(*faulty, "--folder", str(tmp_path / "faulty"))
    (line,) = re.findall(r"Game \d+, lost by a fault: .*", told.output)
    assert line.startswith("Game 1, lost by a fault: tests.arena.helpers:Broken: ZeroDivisionError")
    wrong = run(*words, "--seed", "4")
    assert wrong.exit_code == 2
    assert "holds another match: seed" in " ".join(wrong.output.split())


def test_alone_it_serves_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[bool] = []
    monkeypatch.setattr("tianxia.kernel.mode.interpret", lambda: served.append(False))
    monkeypatch.setattr("tianxia.web.serve.serve", lambda *_, **__: served.append(True))
    assert run().exit_code == 0
    assert served == [False, True]  # who answers people never compiles


def test_version() -> None:
    assert run("--version").output == f"tianxia {tianxia.__version__}\n"


def test_help_does_not_wait_for_the_compiler() -> None:
    code = (
        "import sys\nfrom tianxia.cli import main\n"
        "try: main()\nfinally: assert 'numba' not in sys.modules"
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert time.perf_counter() - begun < 10  # half a second, where nothing else runs


def test_games_lists_options_choices_bots_and_versions() -> None:
    result = run("games")
    assert result.exit_code == 0
    for word in ("stratego", "variant=classic", "duel", "barrage", "draw_after=200", "skirmisher"):
        assert word in result.output


# --- Errors: one sentence, a way out, status 2 ---


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play"], ["say which game", "stratego"]),
        (["play", "stratgo"], ["stratgo", "did you mean stratego"]),
        (["play", "stratego("], ["stratego(variant=duel)"]),
        (["play", "stratego", "-o", "variant=dual"], ["variant", "duel"]),
        (["play", "stratego", "-o", "variant"], ["--option variant=duel"]),
        (["play", "stratego", "-o", "varant=duel"], ["did you mean variant"]),
        (["play", "stratego", "--bot", "skirmicher"], ["did you mean skirmisher"]),
        (["play", "stratego", "--seat", "green"], ["0, 1, Red, Blue"]),
        (["play", "stratego", "--seat", "2"], ["0, 1, Red, Blue"]),
        (["play", "stratego", "--language", "de"], ["en, fr"]),
        (["play", "--resume", "no/such/file"], ["no file", "no/such/file"]),
        (["replay", "no-such-file"], ["no file", "check its name"]),
        (["bench", "chess"], ["no game", "stratego"]),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments: list[str], words: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    said = " ".join(result.output.split())
    assert said.startswith("tianxia: ")
    assert said.endswith((".", "?"))
    for word in words:
        assert word in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["plya"],
        ["play", "--seed", "x"],
        ["play", "stratego", "--bord"],
        ["replay"],
        # What is made of it has to fit into files of games, or none can be written in the end.
        ["selfplay", "stratego", "random", "--out", "x.parquet", "--seed", str(10**11 + 1)],
    ],
)
def test_words_that_are_no_command_line(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert "Error" in result.output


def test_seeds_are_as_large_as_an_arena_takes_them() -> None:
    """The command line names the limit itself, so as to wait for nothing."""
    assert cli.MOST_SEED == plan.MOST_SEED


def test_a_suggestion_for_a_mistyped_command() -> None:
    assert "Did you mean 'play'" in run("plya").output


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "noise"
    file.write_bytes(bytes(range(256)))
    for command in (["replay", str(file)], ["play", "--resume", str(file)]):
        result = run(*command)
        assert result.exit_code == 2
        assert "not a text file" in " ".join(result.output.split())
    result = run("replay", str(tmp_path))
    assert result.exit_code == 2
    assert "cannot be read" in " ".join(result.output.split())


def test_a_damaged_transcript(tmp_path: Path) -> None:
    file = saved_game(tmp_path)
    text = file.read_text()
    broken = tmp_path / "broken.txt"
    for old, new, words in (
        ("Tianxia transcript 1", "Something else", "the first line"),
        ("game: stratego", "game: chess", "no game is called 'chess'"),
        ("rules: 1", "rules: 999", "version 999"),
        ("\nseed: ", "\nseed:", "seed"),
    ):
        broken.write_text(text.replace(old, new, 1) if words != "seed" else text + "0 a1-j10\n")
        result = run("replay", str(broken))
        assert result.exit_code == 2
        assert (words if words != "seed" else "a1-j10") in " ".join(result.output.split())


# --- Replay ---


def test_replay_shows_a_game_that_goes_on(tmp_path: Path) -> None:
    result = run("replay", str(saved_game(tmp_path)))
    assert result.exit_code == 0
    assert "The game is not finished." in result.output
    assert "all legal under version 1" in result.output
    assert "[M]" in result.output  # a transcript shows everything
    assert "░" not in result.output


def test_replay_says_who_won_and_why(tmp_path: Path) -> None:
    script = Script(BARRAGE, "skirmisher", 3)
    script.set_up()
    script.moves()
    file = tmp_path / "game.txt"
    script.session.save(file)
    output = run("replay", str(file)).output
    winner = script.session.state.utilities().index(1.0)
    assert f"{('Red', 'Blue')[winner]} won." in output
    assert f"STR-{script.session.state.fields['reason']}" in output
    assert "Points: " in output
    french = run("replay", str(file), "--language", "fr").output
    assert f"{('Rouge', 'Bleu')[winner]} a gagné." in french


def test_replay_of_a_position_in_the_middle(tmp_path: Path) -> None:
    file = saved_game(tmp_path)
    state = tianxia.replay(file.read_text())
    first = run("replay", str(file), "--ply", "0").output
    assert f"ply 0 of {state.plies}" in first
    later = run("replay", str(file), "--ply", "4").output
    assert f"ply 4 of {state.plies}" in later
    assert "not finished" not in later
    assert "not finished" in run("replay", str(file), "--ply", str(state.plies)).output
    beyond = run("replay", str(file), "--ply", "999")
    assert beyond.exit_code == 2
    assert f"0 to {state.plies}" in " ".join(beyond.output.split())


def test_replay_as_plain_text(tmp_path: Path) -> None:
    file = saved_game(tmp_path)
    output = run("replay", str(file), "--text").output
    state = tianxia.replay(file.read_text())
    for line in state.diagram().splitlines():
        assert line.rstrip() in output


def test_replay_step_by_step(tmp_path: Path) -> None:
    file = saved_game(tmp_path)
    state = tianxia.replay(file.read_text())
    whole = run("replay", str(file), "--step", lines=[""] * 200).output
    for ply in range(state.plies + 1):
        assert f"ply {ply} of {state.plies}" in whole
    assert "Red: " in whole
    assert whole.count("ply 0 of") == 1
    left = run("replay", str(file), "--step", lines=["", "q"]).output
    assert f"ply 1 of {state.plies}" in left
    assert f"ply 3 of {state.plies}" not in left
    ended = run("replay", str(file), "--step", lines=[])
    assert ended.exit_code == 0
    late = run("replay", str(file), "--step", "--ply", "5", lines=[""] * 200).output
    assert "ply 4 of" not in late
    assert "ply 6 of" in late


# --- Bench ---


def test_bench_measures_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    result = run("bench", BARRAGE, "--runs", "2", "--seconds", "0.02")
    assert result.exit_code == 0
    for word in (
        "random play, compiled",
        "actions/s",
        "worlds/s",
        "legal_actions + apply",
        "One core",
    ):
        assert word in result.output
    assert f"{tianxia.game(BARRAGE).kind.dtype.itemsize}   bytes" in result.output
    assert "2 runs" in " ".join(result.output.split())
    assert "…" not in result.output


def test_rates_are_never_rounded_up() -> None:
    assert rounded_down(3_459_999) == "3.45 M"
    assert rounded_down(34_599) == "34.5 k"
    assert rounded_down(999_999) == "999 k"
    assert rounded_down(1_234_567_890) == "1.23 G"
    assert rounded_down(7.999) == "7.99"
    assert rounded_down(0.25) == "0.25"


def test_the_python_loop_plays_games_with_chance_and_secrets() -> None:
    from tests.battery import games  # noqa: F401  (registers the toy)

    game = tianxia.game("blind-duel(players=3)")
    assert benchmark.len_of_game(game, iter([0.5] * 10_000).__next__) > 10
    assert benchmark.halfway(game, 1).viewer == 0


# --- Languages ---


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "en_US", "LC_ALL": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "fr", "LC_MESSAGES": "en_US"}, "en"),
    ],
)
def test_the_language_is_that_of_the_system(
    environment: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language_of_system() == chosen_language(None) == language


def test_without_any_hint_it_is_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANG")
    assert language_of_system() == "en"
    with pytest.raises(TianxiaError, match="en, fr"):
        chosen_language("xx")


def test_every_message_is_translated() -> None:
    from tianxia.draw.languages import catalog
    from tianxia.draw.messages import extract

    known = catalog("fr", "tianxia.cli")
    for message in extract("tianxia.cli"):
        found = known.get(message.id)
        assert not message.id or (found and found.string), message.id


def test_the_package_lists_its_games_even_after_one_was_loaded() -> None:
    tianxia.game("stratego")
    assert "stratego" in tianxia.games()
    assert set(tianxia.__all__) <= set(dir(tianxia))
    assert all(getattr(tianxia, name) is not None for name in tianxia.__all__)
    with pytest.raises(AttributeError, match="nonsense"):
        tianxia.nonsense  # type: ignore[attr-defined]  # noqa: B018
    assert os.environ["TIANXIA_HOME"]
