"""The line protocol, from both sides."""

from __future__ import annotations

import io
import json
import os
import re
import sys
import time
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from typer.testing import CliRunner

import tianxia
from tests.arena.helpers import BARRAGE, LINE_BOT, ROOT, match, program
from tests.battery.games import SHORT
from tianxia.arena import Plan
from tianxia.arena.archive import transcript_file
from tianxia.bots.lines import features_message, legal_message, speak, state_message
from tianxia.cli import app
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below

SPECS = [*SHORT, *(name for name in tianxia.games() if not any(s.startswith(name) for s in SHORT))]
GAME = f"game {BARRAGE} seat 0 seed 7 protocol 1\n"


def said(*lines: str, bot: str = "random", kind: str | None = "stratego") -> tuple[int, list[str]]:
    out = io.StringIO()
    status = speak(bot, kind, [line.rstrip("\n") + "\n" for line in lines], out)
    return status, out.getvalue().splitlines()


def first_view(spec: str = BARRAGE, seat: int = 0) -> str:
    return f"view {tianxia.game(spec).new().view(seat).notation()}"


def test_our_bots_answer() -> None:
    status, answers = said(GAME, first_view(), "choose 1.000 F B", "over none 0 0", "quit", "x")
    assert status == 0
    assert answers[0] == "ready random"
    assert re.fullmatch(r"action \S+", answers[1])
    assert len(answers) == 2


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["hello"], "line 1: no message begins with 'hello'"),
        ([first_view()], "line 1: no game has begun"),
        (["game stratego seat x seed 1 protocol 1"], "seat should be a number, not 'x'"),
        (["game stratego seat 0 seed 1"], "a game begins like"),
        (["game stratego seat 0 seed 1 protocol 9"], "speaks protocol 1, not 9"),
        (["game stratego seat 5 seed 1 protocol 1"], "has seats 0 to 1"),
        (["game suntzu seat 0 seed 1 protocol 1"], "plays stratego, not suntzu"),
        (["game chess seat 0 seed 1 protocol 1"], "no game is called 'chess'"),
        ([GAME, "choose - F"], "line 2: the last view is not one in which this seat may act"),
        ([GAME, first_view(seat=1)], "not the view of seat 0"),
        ([GAME, "view nonsense"], "no game is called 'nonsense'"),
        ([GAME, first_view(), "choose soon F"], "'soon' should be seconds"),
        ([GAME, first_view(), "choose nan F"], "'nan' should be seconds"),
        ([GAME, first_view("stratego")], "not the view of seat 0 of stratego(variant=barrage)"),
        ([GAME, first_view("suntzu")], "not the view of seat 0 of stratego(variant=barrage)"),
        ([GAME, "seen 7 2 a4-a5"], "7 is not a seat here"),
        ([GAME, "seen 1 99999 a4-a5"], "are 0 to 1813"),
        ([GAME, "seen 1 2 a4-a5", "seen 0 3 a5-a6"], "comes the view after it"),
        ([GAME, "seen someone 2"], "the actor should be a number"),
    ],
)
def test_errors_are_one_clear_line(lines: list[str], text: str) -> None:
    status, answers = said(*lines)
    assert status == 2
    assert answers[-1].startswith("error line ")
    assert text in answers[-1]


@pytest.mark.parametrize("spec", SPECS)
def test_a_seat_can_write_down_all_that_it_sees(spec: str) -> None:
    """Tokens of `seen` are written from the view before: the same as the table's."""
    game, rng = tianxia.game(spec), tianxia.new_rng(8)
    state, compared = game.new(), 0
    while not state.over and compared < 300:
        actor = min(state.acting, default=CHANCE)
        legal = state.legal_actions(actor) if actor != CHANCE else []
        action = legal[below(rng, len(legal))] if legal else state.draw_chance(rng)
        for viewer in range(game.seats):
            known = state.seen(action, actor, viewer)
            if known is not None:
                token = state.view(viewer).text(known, actor)
                assert token == state.text(action, actor, viewer)
                compared += 1
        state.apply(action, actor)
    assert compared > 40


def test_a_program_plays_what_the_bot_in_it_plays(tmp_path: Path) -> None:
    """The same games, whether a bot sits in the house or speaks through the protocol."""
    outside = f"exec:{sys.executable} -m tianxia bot stratego --bot skirmisher"
    match(tmp_path / "in", "skirmisher", "random", longest=70)
    played = match(tmp_path / "out", outside, "random", longest=70, seconds=30.0)
    assert all(one.end in ("rules", "cut") for one in played), played[0].note
    for number in range(2):
        texts = [
            transcript_file(tmp_path / name, number).read_text(encoding="utf-8")
            for name in ("in", "out")
        ]
        assert texts[0] == texts[1].replace(outside, "skirmisher")


@pytest.mark.parametrize("spec", [BARRAGE, "blind-duel(players=3)", "firebulls"])
def test_the_example_plays_every_game(tmp_path: Path, spec: str) -> None:
    seats = tianxia.game(spec).seats
    players = [LINE_BOT, *["random"] * (seats - 1)]
    for outcome in match(tmp_path, *players, spec=spec, games=1, longest=150):
        assert outcome.end in ("rules", "cut"), outcome.note


def test_the_example_is_short() -> None:
    source = (ROOT / "examples" / "line_bot.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 40
    assert "import tianxia" not in source


READY = "print('ready me', flush=True)\n"
ASKED = "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n"
START = ASKED + "    if word == 'game': " + READY


@pytest.mark.parametrize(
    ("body", "end", "note"),
    [
        (START + "    if word == 'choose': print('action Q', flush=True)\n", "illegal", "'action"),
        (START + "    if word == 'choose': print('hm', flush=True)\n", "illegal", "'hm' is none"),
        (START + "    if word == 'choose': sys.exit(3)\n", "failed", "ended, with status 3"),
        (START + "    if word == 'choose': print('error: no', flush=True)\n", "failed", "reports"),
        (START, "silent", "no answer within"),
        (ASKED + "    print('hello', flush=True)\n", "failed", "answered with 'ready NAME'"),
        ("", "failed", "it has ended, with status 0"),
        ("print('#' * 3_000_000)\n" + START, "silent", "no answer within"),
    ],
)
def test_programs_that_do_wrong_lose(tmp_path: Path, body: str, end: str, note: str) -> None:
    player = program(tmp_path, body)
    (first, second) = match(tmp_path / "match", player, "random", patience=0.2)
    assert (first.end, first.fault) == (end, 0)
    assert note in first.note
    assert (second.end, second.fault) == (end, 1)  # it was started again
    assert first.shares == [0.0, 1.0]


WISHING = """
import json, sys
told = {}
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "game":
        print("ready wishing +state +legal +worlds=2 +features", flush=True)
    elif word in ("state", "legal", "features", "worlds"):
        told[word] = json.loads(rest)
    elif word == "choose":
        assert [one["token"] for one in told["legal"]] == rest.split()[1:]
        assert told["state"]["viewer"] in (1, 2)
        print("action", told["legal"][-1]["token"], flush=True)
        if told["legal"][0]["kind"] == "move":
            sys.exit(json.dumps(told))
"""


def test_a_program_may_wish_for_json(tmp_path: Path) -> None:
    (first, _) = match(tmp_path / "match", program(tmp_path, WISHING), "random")
    assert first.names == ["wishing", ""]
    told = json.loads((tmp_path / "match" / "player-1.err").read_text().splitlines()[0])
    first_world, second_world = told["worlds"]
    assert first_world["viewer"] == second_world["viewer"] == 0
    assert first_world != second_world  # the other's army is guessed
    assert first_world["plies"] == told["state"]["plies"]
    origin, target = told["legal"][0]["arguments"]
    assert min(origin, target) >= 0
    assert [name for name, _ in tianxia.game(BARRAGE).layout] == list(told["features"])


@pytest.mark.parametrize("spec", SPECS)
def test_json_says_what_the_view_says(spec: str) -> None:
    state = tianxia.game(spec).new()
    while not state.acting:
        state.apply(state.chance_weights()[0][0], CHANCE)
    seat = state.acting[0]
    view = state.view(seat)
    told = json.loads(state_message(view).partition(" ")[2])
    assert told["viewer"] == seat + 1
    assert set(told["options"]) >= set(view.game.options)
    assert not any(name.startswith("filler") for name in told)
    legal = {view.text(action, seat): action for action in view.legal_actions(seat)}
    rows = json.loads(legal_message(view, seat, legal).partition(" ")[2])
    assert {row["token"]: row["action"] for row in rows} == legal
    assert all(isinstance(row["kind"], str) for row in rows)
    features = json.loads(features_message(view).partition(" ")[2])
    flat = [np.ravel(np.array(part, np.float32)) for part in features.values()]
    assert np.array_equal(np.concatenate(flat), view.encode())


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    with pytest.raises(TianxiaError, match="exec:/no/such/program: there is no '/no/such/program'"):
        match(tmp_path / "none", "exec:/no/such/program", "random")
    noise = tmp_path / "noise"
    noise.write_bytes(b"\x00noise")
    noise.chmod(0o755)
    (first, _) = match(tmp_path / "noise.d", f"exec:{noise}", "random")
    assert first.end == "failed"
    assert f"cannot start '{noise}': Exec format error (a script begins with #!" in first.note


def test_a_name_that_was_mistyped_binds_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "en")
    file, folder = tmp_path / "a.parquet", tmp_path / "match"
    for command in (("selfplay", "--out", file), ("arena", "--folder", folder)):
        words = [command[0], BARRAGE, "exec:/no/such/program", "random", *command[1:]]
        found = CliRunner().invoke(app, [str(word) for word in words])
        assert (found.exit_code, "there is no '/no/such" in found.output) == (2, True)
    assert not list(tmp_path.glob("*"))


def test_a_program_that_reads_nothing_is_found_out_when_it_has_to_answer(tmp_path: Path) -> None:
    text = "import time\nprint('ready deaf +worlds=1000 +state', flush=True)\ntime.sleep(60)\n"
    (first, _) = match(tmp_path, program(tmp_path, text), "random", seconds=0.2, patience=0.5)
    assert (first.end, first.fault) == ("silent", 0)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(os.name != "posix", reason="only there processes have groups")
def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    child = tmp_path / "child"
    text = f"""
        import subprocess, sys, time
        started = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
        open({str(child)!r}, "w").write(str(started.pid))
        print("ready parent", flush=True)
        time.sleep(300)
        """
    (first, _) = match(tmp_path / "match", program(tmp_path, dedent(text)), "random", patience=0.5)
    assert first.end == "silent"
    for _ in range(100):  # whoever adopts it has to notice its end
        if not is_running(int(child.read_text())):
            break
        time.sleep(0.05)
    assert not is_running(int(child.read_text()))


@pytest.mark.parametrize(
    "wish", ["+stat", "+worlds", "+worlds=x", "+worlds=2000", "+worlds=3,+legal"]
)
def test_wishes_that_there_are_not_are_told(tmp_path: Path, wish: str) -> None:
    player = program(tmp_path, f"input()\nprint('ready bot {wish}', flush=True)\ninput()\n")
    (first, _) = match(tmp_path / "match", player, "random")
    assert first.end == "failed"
    assert "wishes for what there is not: there are +features, +legal, +state" in first.note


def test_a_programs_name_is_one_line_that_can_be_printed(tmp_path: Path) -> None:
    name = r"\x1b[31m<red>" + "x" * 500
    player = program(tmp_path, f"input()\nprint('ready {name}', flush=True)\ninput()\nexit(3)\n")
    (first, _) = match(tmp_path / "match", player, "random")
    assert first.names[0] == ("[31m<red>" + "x" * 500)[:100]
    assert "it has ended, with status 3" in first.note


def test_a_signal_has_a_name(tmp_path: Path) -> None:
    text = "import os\ninput()\nprint('ready bot', flush=True)\ninput()\nos.abort()\n"
    (first, _) = match(tmp_path / "match", program(tmp_path, text), "random")
    assert first.note == "it was killed by signal 6 (SIGABRT)"


def test_games_of_a_program_that_was_changed_are_not_mixed(tmp_path: Path) -> None:
    player, folder = program(tmp_path, "exit(1)\n"), tmp_path / "match"
    match(folder, player, "random")
    words = ["arena", BARRAGE, player, "random", "--longest", "60", "-d", str(folder), "-l", "en"]
    same = CliRunner().invoke(app, [*words, "-n", "2"])
    assert "All games were played before" in same.output
    assert "another generation" not in same.output
    Path(player.split()[-1]).write_text("exit(2)\n", encoding="utf-8")
    again = CliRunner().invoke(app, [*words, "-n", "2"])
    assert (again.exit_code, "holds games of another generation" in again.output) == (0, True)
    more = CliRunner().invoke(app, [*words, "-n", "4"])
    assert (more.exit_code, "holds games of another generation" in more.output) == (2, True)


def test_the_other_protocol_is_for_its_game_alone() -> None:
    with pytest.raises(TianxiaError, match="for classic Stratego only, not for suntzu"):
        Plan("suntzu", ("exec:./bot", "random"), protocol="evaluator")


def test_a_lost_game_says_why_when_it_is_replayed(tmp_path: Path) -> None:
    match(tmp_path / "match", program(tmp_path, "exit(1)\n"), "random")
    shown = CliRunner().invoke(app, ["replay", str(transcript_file(tmp_path / "match", 0))])
    assert "Red lost by a fault: it has ended, with status 1" in " ".join(shown.output.split())


def test_what_a_program_complains_of_is_kept(tmp_path: Path) -> None:
    player = program(tmp_path, "import sys\nsys.exit('out of ideas')\n")
    match(tmp_path / "match", "random", player)
    text = (tmp_path / "match" / "player-2.err").read_text(encoding="utf-8")
    assert "out of ideas" in text
