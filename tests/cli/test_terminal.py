"""In a real terminal: a pseudo-terminal of 80 by 30, read and typed into like a person's."""

from __future__ import annotations

import codecs
import os
import random
import re
import select
import signal
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import tianxia
from tianxia.cli.screen import woken
from tianxia.kernel.cache import home

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

PROGRAM = "from tianxia.cli import main; main()"
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x1b\][^\x07]*\x07|[\x01\x02]")
MOVE = re.compile(r"\b[a-j]\d+[-x][a-j]\d+\b")
PATIENCE = 120.0  # the first use on a machine compiles


class Terminal:
    """A `tianxia` in a pseudo-terminal."""

    def __init__(
        self, *arguments: str, size: tuple[int, int] = (30, 80), **environment: str
    ) -> None:
        self.child, self.line = pty.fork()
        if self.child == 0:
            mine = dict(os.environ, TERM="xterm-256color", COLORTERM="truecolor", PAGER="cat")
            mine.update({"LANG": "C.UTF-8", **environment})
            for name in {"LC_ALL", "NO_COLOR", "COLUMNS", "LINES", "CI"} - {*environment}:
                mine.pop(name, None)
            # Not execv: readline, in this process, has written LINES past os.environ.
            os.execve(sys.executable, [sys.executable, "-c", PROGRAM, *arguments], mine)
        fcntl.ioctl(self.line, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.raw = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def read_until(self, pattern: str) -> str:
        """Return what was written until the pattern came, without colours."""
        text, end = "", time.monotonic() + PATIENCE
        while not re.search(pattern, ESCAPE.sub("", text)):
            if time.monotonic() > end:
                pytest.fail(f"{pattern!r} never came after {text!r}")
            more = self._read()
            if more is None:
                pytest.fail(f"it ended before {pattern!r} came: {text!r}")
            text += more
        self.raw = text
        return ESCAPE.sub("", text).replace("\r", "")

    def _read(self) -> str | None:
        ready, _, _ = select.select([self.line], [], [], 1.0)
        if not ready:
            return ""
        try:
            data = os.read(self.line, 65536)
        except OSError:  # Linux's way to say that the other end is closed
            return None
        return self.decoder.decode(data) if data else None

    def type(self, text: str, end: str = "\r") -> None:
        os.write(self.line, (text + end).encode())

    def ask(self, text: str, pattern: str = r"(Red|Rouge|Blue|Bleu)> $") -> str:
        """Type a line; return what is written until the next prompt, without the line."""
        self.type(text)
        return self.read_until(pattern).partition("\n")[2]

    def wait(self) -> int:
        """Wait for the end; return the exit status, negative for a signal."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._read() is None:
                break
        _, status = os.waitpid(self.child, 0)
        self.child = 0
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        os.close(self.line)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for one in opened:
        one.close()


def start(
    terminals: list[Terminal], *arguments: str, size: tuple[int, int] = (30, 80), **environment: str
) -> Terminal:
    one = Terminal(*arguments, size=size, **environment)
    terminals.append(one)
    return one


def saved() -> set[Path]:
    return set((home() / "saved").glob("*"))


PROMPT = r"Red> $"
SKIRMISHER = ("--bot", "skirmisher")


def test_a_whole_game_against_the_sergeant(terminals: list[Terminal], tmp_path: Path) -> None:
    game = start(terminals, "play", "stratego", *SKIRMISHER, "-o", "variant=barrage", "--seed", "5")
    page = game.read_until(PROMPT)
    assert "Skirmisher proposes this for you" in page
    assert "\x1b[48;2;" in game.raw or "48;2;" in game.raw  # many colours
    file = tmp_path / "game.txt"
    choice = random.Random(5)
    page = game.ask("")
    for _ in range(2000):
        if "Enter leaves." in page:
            break
        moves = MOVE.findall(game.ask("?"))
        assert moves
        page = game.ask(choice.choice(moves), r"> $")
        assert "not legal" not in page
    assert re.search(r"You have (won|lost)|a draw", page)
    game.ask(f"save {file}", r"> $")
    game.type("")
    assert game.wait() == 0
    state = tianxia.replay(file.read_text())
    assert state.over


def test_the_page_fits_80_by_30_and_80_by_24(terminals: list[Terminal]) -> None:
    for rows in (30, 24):
        game = start(terminals, "play", "stratego", *SKIRMISHER, "--seed", "5", size=(rows, 80))
        game.read_until(PROMPT)
        page = game.ask("").rpartition("Stratego ")[2]
        lines = page.split("\n")
        assert len(lines) <= rows - 1, page
        assert max(map(len, lines)) <= 80, page
        assert ("has moved" in page) == (rows == 30)  # small terminals have no legend
        game.type("quit")
        game.type("n")
        assert game.wait() == 0


def test_colours_are_left_out_where_they_are_not_wanted(terminals: list[Terminal]) -> None:
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        game = start(
            terminals,
            "play",
            "stratego",
            *SKIRMISHER,
            "--seed",
            "5",
            size=(30, 80),
            **{name: value},
        )
        game.read_until(PROMPT)
        page = game.ask("")
        assert not re.search(r"\x1b\[[0-9;]*[34]8;", game.raw)
        assert not re.search(r"\x1b\[[0-9;]*\b(3[0-7]|4[0-7])m", game.raw)
        assert "(M)" in page
        assert "[░]" in page


@pytest.mark.parametrize("width", [60, 40])
def test_a_narrow_terminal(terminals: list[Terminal], width: int) -> None:
    game = start(terminals, "play", "stratego", *SKIRMISHER, "--seed", "5", size=(30, width))
    game.read_until(PROMPT)
    page = game.ask("").rpartition("Stratego ")[2]
    assert max(map(len, page.split("\n"))) <= width, page
    assert "Red has lost:" in page


def test_without_unicode_it_is_plain(terminals: list[Terminal]) -> None:
    game = start(
        terminals, "play", "stratego", *SKIRMISHER, "--seed", "5", PYTHONIOENCODING="ascii:replace"
    )
    game.read_until(PROMPT)
    page = game.ask("")
    assert "[?]" in page
    assert page.isascii() or "?" in page


@pytest.mark.parametrize("way", ["\x03", "\x04"])
def test_an_interrupted_game_is_kept(terminals: list[Terminal], way: str) -> None:
    before = saved()
    game = start(terminals, "play", "stratego", *SKIRMISHER, "--seed", "5")
    game.read_until(PROMPT)
    game.ask("")
    game.type(way, end="")
    assert "tianxia play --resume" in game.read_until(r"\.txt")
    assert game.wait() == (130 if way == "\x03" else 0)
    (file,) = saved() - before
    again = start(terminals, "play", "--resume", str(file))
    page = again.read_until(PROMPT)
    assert "seed 5" in page
    assert "[░]" in page


def test_the_line_editor_looks_for_signals_now_and_then() -> None:
    with woken():
        assert signal.getitimer(signal.ITIMER_REAL)[1] > 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_closed_terminal_keeps_the_game(terminals: list[Terminal], name: str) -> None:
    before = saved()
    game = start(terminals, "play", "stratego", *SKIRMISHER, "--seed", "5")
    game.read_until(PROMPT)
    game.ask("")
    number = getattr(signal, name)
    os.kill(game.child, number)
    assert game.wait() == 128 + number
    assert len(saved() - before) == 1


def test_french_by_the_environment(terminals: list[Terminal]) -> None:
    game = start(terminals, "play", "stratego", *SKIRMISHER, "--seed", "5", LANG="fr_FR.UTF-8")
    assert "Voltigeur vous propose" in game.read_until(r"Rouge> $")
    assert "pièce" in game.ask("") or "partie commence" in ESCAPE.sub("", game.raw)


def test_stepping_through_a_game(terminals: list[Terminal], tmp_path: Path) -> None:
    state = tianxia.game("stratego(variant=barrage)").new()
    choice = random.Random(1)
    while not state.over:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        state.apply(choice.choice(state.legal_actions(seat)), seat)
    file = tmp_path / "game.txt"
    file.write_text(state.transcript())
    show = start(terminals, "replay", str(file), "--step", "--ply", str(state.plies - 2))
    show.read_until(r"leave\] $")
    show.ask("", r"leave\] $")
    show.type("")
    show.read_until(r"all legal under version \d+ of the rules")
    assert show.wait() == 0
