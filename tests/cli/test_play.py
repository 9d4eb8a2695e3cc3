"""Playing: whole games, every command, saving, taking back; without a terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tianxia
from tests.battery import games as battery_games  # registers the toy
from tests.cli.scripts import Script
from tianxia.bots import advice
from tianxia.cli import app
from tianxia.cli.session import PLAYER, Session, header, resumed, saved_file, seat_of
from tianxia.draw import terminal
from tianxia.kernel.cache import home
from tianxia.kernel.errors import IllegalAction, SeatError, TranscriptError

BARRAGE = "stratego(variant=barrage)"
CLASSIC_SETUP = "6282572926/27SM548275/426B453B62/34BFB33B3B"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search little for hints: whether they are told is what matters."""
    monkeypatch.setattr(advice, "ITERATIONS", 40)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")


def play(lines: list[str], *arguments: str) -> Any:
    text = "".join(f"{line}\n" for line in lines)
    result = CliRunner().invoke(app, ["play", *arguments], input=text)
    assert "Traceback" not in result.output, result.output
    return result


def said(result: Any) -> str:
    """Return the output on one line, whatever its breaks."""
    return " ".join(result.output.split())


def begun(*lines: str, spec: str = BARRAGE, seed: int = 7, arguments: tuple[str, ...] = ()) -> Any:
    """Play with the proposed set-up and these lines."""
    return play(["", *lines], spec, "--seed", str(seed), "--bot", "random", *arguments)


@pytest.mark.parametrize("name", ["sergeant", "skirmisher"])
def test_a_bot_is_found_by_its_former_name(name: str) -> None:
    assert "Skirmisher proposes" in said(play(["", "quit"], BARRAGE, "--bot", name))


# --- Whole games ---


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bot", ["random", "skirmisher"])
def test_a_whole_game(bot: str, seat: int, tmp_path: Path) -> None:
    script = Script(BARRAGE, bot, 5 + seat, seat)
    lines = [*script.set_up(), *script.moves()]
    file = tmp_path / "game.txt"
    result = play(
        [*lines, f"save {file}", "log", "board", "move", "undo", ""],
        BARRAGE,
        "--bot",
        bot,
        "--seed",
        str(5 + seat),
        "--seat",
        str(seat),
    )
    assert result.exit_code == 0
    gain = script.session.state.utilities()[seat]
    ending = {1: "You have won.", 0: "The game is a draw.", -1: "You have lost"}[int(gain)]
    assert ending in result.output
    assert f"STR-{script.session.state.fields['reason']} " in result.output
    assert file.read_text() == script.session.write()
    assert tianxia.replay(file.read_text()) == script.session.state
    assert "tianxia replay" in said(result)
    assert "The game is over" in said(result)


def test_a_game_without_a_picture_of_its_own(tmp_path: Path) -> None:
    """Three seats, dice, draws and secret choices, by the plain ways only."""
    assert battery_games.BLIND_DUEL
    spec = "blind-duel(players=3)"
    script = Script(spec, "random", 2, seat=1)
    lines = script.moves()
    file = tmp_path / "game.txt"
    result = play(
        ["?", "help", *lines, f"save {file}", ""],
        spec,
        *("--seed", "2", "--seat", "second", "--bot", "random"),
    )
    assert result.exit_code == 0, result.output
    assert re.search(r"You have (won|lost)|share the victory|a draw", result.output)
    assert file.read_text() == script.session.write()
    again = CliRunner().invoke(app, ["replay", str(file)])
    assert again.exit_code == 0
    assert "Points: First" in again.output


def test_again_begins_another_game() -> None:
    result = begun("resign", "y", "again", "quit", "n")
    assert "seed 7" in result.output
    assert "seed 8" in result.output


# --- Saving and resuming ---


@pytest.mark.parametrize(("spec", "bot"), [(BARRAGE, "skirmisher"), ("blind-duel", "random")])
def test_a_resumed_game_goes_on_as_if_it_had_not_been_left(
    spec: str, bot: str, tmp_path: Path
) -> None:
    script = Script(spec, bot, 21)
    opening = script.set_up() if "stratego" in spec else []
    first, rest = script.moves(3), script.moves()
    half, whole = tmp_path / "half.txt", tmp_path / "whole file.txt"
    common = (spec, "--bot", bot, "--seed", "21")
    left = play([*opening, *first, f"save {half}", "quit", "n"], *common)
    assert left.exit_code == 0
    assert f"play --resume {half}" in said(left)
    assert header(half.read_text())["players"] == f"{PLAYER} {bot}"
    assert not tianxia.replay(half.read_text()).over
    play([*rest, f"save {whole}", ""], "--resume", str(half))
    assert whole.read_text() == script.session.write()


@pytest.mark.parametrize("leave", [[], ["quit", ""], ["quit", "y"]])
def test_an_interrupted_game_is_kept(leave: list[str]) -> None:
    before = set((home() / "saved").glob("*"))
    script = Script(BARRAGE, "random", 7)
    lines = [*script.set_up(), *script.moves(4)]
    result = play([*lines, *leave], BARRAGE, "--seed", "7", "--bot", "random")
    assert result.exit_code == 0
    (file,) = set((home() / "saved").glob("*")) - before
    assert "tianxia play --resume" in said(result)
    assert tianxia.replay(file.read_text()) == script.session.state
    assert saved_file("last") == file
    again = play(["quit", "n"], "--resume", "last")
    assert again.exit_code == 0
    assert "seed 7" in again.output


def test_nothing_is_kept_of_a_game_that_has_not_begun() -> None:
    before = set((home() / "saved").glob("*"))
    result = play(["n", "m"], BARRAGE, "--seed", "1")
    assert result.exit_code == 0
    assert set((home() / "saved").glob("*")) == before


def test_quit_without_keeping_and_with_a_name(tmp_path: Path) -> None:
    before = set((home() / "saved").glob("*"))
    begun("quit", "n")
    begun("quit", str(tmp_path / "mine.txt"))
    assert set((home() / "saved").glob("*")) == before
    assert (tmp_path / "mine.txt").exists()


def test_last_without_any_interrupted_game(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path))
    result = play([], "--resume", "last")
    assert result.exit_code == 2
    assert "no interrupted game" in result.output


def test_a_transcript_from_elsewhere_can_be_played_on(tmp_path: Path) -> None:
    script = Script(BARRAGE, "random", 4)
    script.set_up()
    script.moves(2)
    file = tmp_path / "game.txt"
    file.write_text(script.session.state.transcript())
    result = play(
        ["quit", "n"], "--resume", str(file), "--seat", "red", "--seed", "9", "--bot", "random"
    )
    assert "against random (Blue) · seed 9" in result.output


def test_bots_are_called_what_the_language_calls_them() -> None:
    result = play(["quit", "o"], BARRAGE, "--bot", "random", "--language", "fr")
    assert "contre hasard (Bleu)" in result.output


def test_what_cannot_be_resumed(tmp_path: Path) -> None:
    script = Script(BARRAGE, "random", 4)
    script.set_up()
    script.moves(2)
    text = script.session.write()
    file = tmp_path / "game.txt"
    for old, new, arguments, words in (
        ("players: player random", "players: player", (), "should be 2 names"),
        ("players: player random", "players: player nobody", (), "no bot called 'nobody'"),
        ("seed: 4", "seed: four", (), "should be a number"),
        ("seed: 4", "seed: 4", ("--seat", "blue"), "leave --seat out"),
        ("seed: 4", "seed: 4", ("blind-duel",), "leave blind-duel out"),
    ):
        file.write_text(text.replace(old, new))
        result = play([], *arguments, "--resume", str(file))
        assert result.exit_code == 2
        assert words in said(result)
    script.moves()
    file.write_text(script.session.write())
    result = play([], "--resume", str(file))
    assert result.exit_code == 2
    assert "has ended" in said(result)
    with pytest.raises(TranscriptError, match="has ended"):
        resumed(file.read_text(), "en", lambda game: "random")


def test_a_bot_of_ones_own_plays_and_a_file_alone_runs_no_module(tmp_path: Path) -> None:
    own = "tianxia.search.uniform:Uniform"
    file = tmp_path / "game.txt"
    played = play(["", f"save {file}", "quit", "n"], BARRAGE, "--seed", "7", "--bot", own)
    assert f"players: player {own}" in file.read_text(), played.output
    again = play(["quit", "n"], "--resume", str(file), "--bot", own)
    assert again.exit_code == 0
    assert "seed 7" in again.output
    for arguments in ((), ("--bot", "random")):
        refused = play([], "--resume", str(file), *arguments)
        assert refused.exit_code == 2
        assert f"if you trust it, add --bot {own}" in said(refused)
    refused = play([], BARRAGE, "--bot", "tianxia.search.uniform:None")
    assert refused.exit_code == 2
    assert "there is no bot" in said(refused)


def test_save_into_nowhere_is_refused(tmp_path: Path) -> None:
    result = begun("save", f"save {tmp_path}", "save /proc/nowhere/game.txt", "quit", "n")
    assert "Say in which file" in said(result)
    assert said(result).count("cannot be written") == 2


# --- Moves and questions ---


def test_moves_in_every_writing() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    move = script.moves(1)[0]
    first, second = re.findall(r"[a-j]\d+", move)
    for writing in (f"{first}-{second}", f"{first}{second}", f"{first} {second}".upper()):
        result = begun(writing, "quit", "n")
        assert f"{first} to {second}." in result.output or "attacks" in result.output, result.output


@pytest.mark.parametrize("game", ["china", "suntzu"])
def test_what_only_chance_does_is_refused_to_the_player(game: str) -> None:
    """There are no words for it as somebody's own."""
    session = Session.begin(tianxia.game(game), 0, "random", 1, "en")
    while not session.asked:
        session.advance()
    for action in range(session.game.num_actions):
        if session.state.refusal(action, 0) is not None:
            with pytest.raises(IllegalAction):
                session.act(action)
    assert session.asked


def test_question_mark_lists_what_is_legal() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    state = script.session.state
    tokens = [state.text(action, 0) for action in state.legal_actions(0)]
    result = begun("?", "quit", "n")
    for token in tokens:
        assert token in result.output
    square = tokens[0].partition("-")[0]
    mine = [token for token in tokens if re.match(rf"{square}[-x]", token)]
    for line in (f"? {square}", f"?{square}", f"moves {square}"):
        output = begun(line, "quit", "n").output.partition(line)[2]
        assert all(token in output for token in mine)
        assert not any(token in output for token in tokens if token not in mine)
    assert "Nothing is legal with e5" in begun("? e5", "quit", "n").output


def test_statements() -> None:
    result = begun("? STR-08", "rules str-13", "rules STR-99", "rules", "quit", "n")
    text = said(result)
    book = tianxia.game("stratego").kind.rulebook
    for statement in ("STR-08", "STR-13", "STR-01"):
        assert book(statement, "en")[:60] in text
    assert "There is no statement STR-99; there are STR-01 to STR-43." in text


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("a4-b5", "slantwise"),
        ("hello", "write it like a4-a5"),
        ("e5-e6", "STR-04"),
        ("a1-a1", "another square"),
    ],
)
def test_moves_that_are_none_are_explained(move: str, words: str) -> None:
    text = said(begun(move, "quit", "n"))
    assert words in text
    assert "Nothing is legal with" in text or "Type a move, such as" in text.partition(words)[2]


def test_an_illegal_move_of_a_piece_says_what_it_can_do() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    state = script.session.state
    piece = next(
        token
        for token in (state.text(action, 0) for action in state.legal_actions(0))
        if token[0] == token.replace("x", "-").partition("-")[2][0]
    )
    square = piece.replace("x", "-").partition("-")[0]
    text = said(begun(f"{square}-{square[0]}10", "quit", "n"))
    assert f"{square}-{square[0]}10 is not legal. STR-" in text or "is not legal" in text
    assert piece in text.partition("is not legal")[2]


def test_a_move_of_no_group_is_answered_with_all_that_is_legal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keys = dict.fromkeys(range(3), "lay")  # all else has no key
    monkeypatch.setattr(terminal.PLAIN, "key", lambda view, action: keys.get(action, ""))
    lines = ["lay1", "lay2", "lay3", "beat1", "quit", "n"]
    text = said(play(lines, "blind-duel", "--seed", "7", "--bot", "random"))
    after = text.partition("beat1 is not legal.")[2]
    assert "Nothing is legal" not in after
    assert "done" in after


def test_help_hint_log_and_board() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    state = script.session.state
    legal = [state.text(action, 0) for action in state.legal_actions(0)]
    result = begun("", "help", "hint", "log", "log 1", "board", "nonsense", "quit", "n")
    text = said(result)
    assert "take your last move back" in text
    assert "has moved" in text
    hinted = re.findall(r"(\S+) +prospects \d+ of 100 ", text)
    assert len(set(hinted)) == 3
    assert set(hinted) <= set(legal)
    assert "Blue has set up in secret." in text
    assert text.count("Both armies stand; the game begins.") >= 3
    assert result.output.count("Stratego(variant=barrage) · you are Red") == 3


def test_resign() -> None:
    result = begun("resign", "n", "resign", "y", "")
    assert result.exit_code == 0
    assert "You have given up." in result.output


def test_a_resigned_game_says_so_in_its_transcript(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    begun("resign", "y", f"save {file}", "")
    assert header(file.read_text())["end"] == "resignation 0"
    replay = CliRunner().invoke(app, ["replay", str(file)])
    assert "Red has given up." in replay.output
    assert play([], "--resume", str(file)).exit_code == 2


# --- Taking back ---


def test_a_quiet_move_is_taken_back_and_a_fight_is_not() -> None:
    session = Script(BARRAGE, "random", 7)
    session.set_up()
    game = session.session
    assert not game.can_take_back()  # the armies have been opened
    seen = {True: 0, False: 0}
    for _ in range(60):
        before = game.state.clone()
        past = len(game.log)
        session.moves(1)
        if game.over:
            break
        fought = any("x" in entry.seen.token for entry in game.log[past:])
        assert game.can_take_back() is not fought
        seen[fought] += 1
        if not fought:
            after = game.state.clone()
            last = game.log[past].seen.action
            game.take_back()
            assert game.state == before
            assert last is not None
            game.act(last)  # the bot is the same as before, so is its answer
            session.wait()
            assert game.state == after
    assert min(seen.values()) > 0


def test_undo_at_the_keyboard() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    past = len(script.session.log)
    move = script.moves(1)[0]
    assert all("x" not in entry.seen.token for entry in script.session.log[past:])
    result = begun("undo", move, "undo", "log", "quit", "n")
    text = said(result)
    assert "Nothing can be taken back" in text
    assert text.count("Type a move, such as") == 1
    assert "Red: " not in text.rpartition("> log")[2]


# --- Set-ups ---


def test_another_and_mirrored_proposals(tmp_path: Path) -> None:
    def rows(*lines: str) -> list[str]:
        output = play([*lines, "?", "quit"], "stratego", "--seed", "3").output
        found = re.findall(r"This one: (\S+)", " ".join(output.split()))
        return str(found[-1]).split("/")

    first = rows()
    assert sorted("".join(first)) == sorted(CLASSIC_SETUP.replace("/", ""))
    assert rows("m") == [row[::-1] for row in first]
    assert rows("m", "m") == first
    assert rows("n") != first
    assert rows() == first
    swapped = rows("a1 b1")
    assert swapped[3][:2] == first[3][:2][::-1]
    assert swapped[:3] == first[:3]
    assert rows(CLASSIC_SETUP) == CLASSIC_SETUP.split("/")
    spaced = CLASSIC_SETUP.replace("/", " / ").lower()
    assert rows(spaced) == CLASSIC_SETUP.split("/")


@pytest.mark.parametrize(("seat", "square"), [("red", "a1"), ("blue", "j10")])
def test_a_typed_set_up_stands_as_it_was_typed(seat: str, square: str) -> None:
    setup = CLASSIC_SETUP[:-10] + "F" + CLASSIC_SETUP[-9:].replace("F", "3")
    game = tianxia.game("stratego")
    session = Session.begin(game, seat_of(seat, game, ()), "random", 1, "en")
    from tianxia.draw.terminal import terminal_of

    draft = terminal_of(game.kind).read_draft(session.view(), setup, "en")
    assert draft is not None
    state = session.with_draft(draft)
    number = "abcdefghij".index(square[0]) + 10 * (int(square[1:]) - 1)
    piece = int(state.fields["board"][number]) - 1
    assert state.fields["rank"][piece] == 12
    assert terminal_of(game.kind).write_draft(session.view(), draft) == setup


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (CLASSIC_SETUP[:-1], "40 symbols"),
        (CLASSIC_SETUP.replace("F", "B"), "B: 7 instead of 6, F: 0 instead of 1"),
        (CLASSIC_SETUP.replace("F", "Z"), "'Z' is not a rank"),
        ("a1 a9", "your own four rows"),
        ("what", "another proposal"),
        ("undo", "another proposal"),
    ],
)
def test_set_ups_that_are_none(line: str, words: str) -> None:
    result = play([line, "quit"], "stratego", "--seed", "3")
    assert result.exit_code == 0
    assert words in said(result)


def test_a_set_up_typed_rank_by_rank(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    lines = [
        "o",
        "F B",
        "nonsense",
        "B",
        "undo",
        "- M",
        "?",
        "2 2 9",
        "3",
        "S B",
        "",
        f"save {file}",
        "quit",
        "n",
    ]
    result = play(lines, BARRAGE, "--seed", "3", "--bot", "random")
    assert result.exit_code == 0
    text = said(result)
    assert "'nonsense' is not a rank" in text
    assert "STR-43" in text  # a second Bomb
    assert "This is your own." in text
    assert "Both armies stand" in text
    (line,) = [line for line in file.read_text().splitlines() if line.startswith("0 F")]
    assert line.split()[1:] == ["F", "-", "M", "2", "2", "9", "3", "S", "B"]


def test_the_rest_of_a_set_up_by_lot_or_the_proposal_again() -> None:
    filled = play(["o", "F", "fill", "?", "quit"], BARRAGE, "--seed", "3")
    assert "This is your own." in filled.output
    row = re.findall(r"This one: (\S+)", said(filled))[-1].split("/")[3]
    assert row.startswith("F")
    back = play(["o", "F", "", "?", "quit"], BARRAGE, "--seed", "3")
    assert "This is your own." not in back.output


# --- Languages ---


def test_a_game_in_french() -> None:
    script = Script(BARRAGE, "random", 7)
    script.set_up()
    move = script.moves(1)[0]
    lines = [
        "?",
        "",
        "aide",
        "?",
        move,
        "a1-a1",
        "règles STR-08",
        "conseil",
        "journal",
        "quitter",
        "non",
    ]
    result = play(
        lines, BARRAGE, "--seed", "7", "--bot", "random", "--seat", "rouge", "--language", "fr"
    )
    assert result.exit_code == 0
    text = said(result)
    for words in (
        "vous êtes Rouge, contre hasard (Bleu)",
        "Pertes",
        "Démineur",
        "selon le meilleur bot",
        "une autre proposition",
        "Rouge> ",
        "Les deux armées sont en place",
    ):
        assert words in text
    assert tianxia.game("stratego").kind.rulebook("STR-08", "fr")[:50] in text


# --- Seats ---


def test_seats_by_name_and_number() -> None:
    game = tianxia.game("stratego")
    assert [
        seat_of(word, game, ("Rouge", "Bleu")) for word in ("1", "Blue", "BLEU ", "red", "0")
    ] == [
        1,
        1,
        1,
        0,
        0,
    ]
    with pytest.raises(SeatError, match="0, 1, Red, Blue"):
        seat_of("yellow", game, ())
