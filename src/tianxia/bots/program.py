"""Bots that are programs outside, spoken to in the line protocol (`docs/protocol.md`)."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOEXEC
from pathlib import Path

from tianxia.bots.lines import (
    MOST_WORLDS,
    WISHES,
    WORLDS,
    choose_message,
    features_message,
    game_message,
    legal_message,
    over_message,
    seen_message,
    state_message,
    view_message,
    worlds_message,
)
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import now

PATIENCE = 30.0
"""Seconds beyond its time after which a program is given up."""
STARTING = 120.0
"""Seconds for the first answer: some have to compile something first."""
LONGEST_LINE = 10_000
LONGEST_NAME = 100
WORLDS_STREAM = 1 << 42
"""Keeps the numbers of worlds apart from those that a program draws from its seed."""
PROCESS = "/proc/{}/stat"
"""Where Linux tells what a process has used."""
LINES_AHEAD = 1000  # a program that writes more than this without being asked has to wait


def tells_cpu() -> bool:
    """Say whether this system tells how long the processor has worked for a program."""
    return Path(PROCESS.format("self")).exists()


class ProgramError(TianxiaError):
    """A program that cannot be played with any more."""


class IllegalAnswer(ProgramError):
    """It answered with something else than one of the legal actions."""


class Resigned(ProgramError):
    """It gives up."""


class NoAnswer(ProgramError):
    """It has not answered in time, nor long after it."""


def words_of(command: str) -> list[str]:
    """Return the words of a command; raise ProgramError where there are none."""
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        raise ProgramError(f"exec:{command}: {error}") from error
    if not words:
        raise ProgramError("exec: needs a command, like exec:./my_bot")
    return words


class Connection:
    """A running program: lines to it and from it.

    Parameters
    ----------
    command
        As one types it in a shell; no shell is involved.
    errors
        A file to which what it writes to its standard error is added; None drops that.

    Raises
    ------
    ProgramError
        Where it cannot be started.
    """

    def __init__(self, command: str, errors: Path | None = None) -> None:
        self.command = command
        self.farewell = "quit"
        words = words_of(command)
        sink = None if errors is None else errors.open("ab")
        try:
            self._process = subprocess.Popen(  # noqa: S603  (what the user asked for)
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if sink is None else sink,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                start_new_session=True,  # what it starts ends with it
            )
        except OSError as error:
            hint = " (a script begins with #! and what runs it)" * (error.errno == ENOEXEC)
            text = f"cannot start {command!r}: {error.strerror or error}{hint}"
            raise ProgramError(text) from error
        finally:
            if sink is not None:
                sink.close()
        self._lines: queue.Queue[str | None] = queue.Queue(LINES_AHEAD)
        self._said: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._closed = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._reader.start()
        self._writer.start()

    def _read(self) -> None:
        """Hand lines over until the program ends."""
        pipe = self._process.stdout
        assert pipe is not None  # noqa: S101
        with suppress(ValueError, OSError):
            while line := pipe.readline(LONGEST_LINE):
                self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._closed:
            with suppress(queue.Full):
                self._lines.put(line, timeout=0.1)
                return

    @property
    def alive(self) -> bool:
        """Whether the program is still running."""
        return not self._closed and self._process.poll() is None

    def cpu(self) -> float | None:
        """Return the processor's seconds that the program has had; None where nobody knows."""
        try:
            text = Path(PROCESS.format(self._process.pid)).read_text(encoding="utf-8")
            ticks = [int(word) for word in text.rpartition(")")[2].split()[11:15]]
            return sum(ticks) / os.sysconf("SC_CLK_TCK")  # its own and its children's
        except (OSError, ValueError, AttributeError):
            return None

    def write(self, line: str) -> None:
        """Send a line; a program that reads none is found out when it has to answer."""
        if not self.alive:
            raise ProgramError(self._why())
        self._said.put(line)

    def _write(self) -> None:
        """Send lines until there are no more, or the program ends; then it has no more to read."""
        pipe = self._process.stdin
        assert pipe is not None  # noqa: S101
        with suppress(OSError, ValueError):
            while (line := self._said.get()) is not None:
                pipe.write(line + "\n")
                pipe.flush()
        with suppress(OSError):
            pipe.close()

    def read(self, seconds: float) -> str:
        """Return its next line that is neither empty nor a comment (``# …``).

        Raises
        ------
        NoAnswer, ProgramError
            Where none comes in time; where the program has ended or reports an error.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(end - time.monotonic(), 0.001))
            except queue.Empty:
                raise NoAnswer(f"no answer within {seconds:.1f} s") from None
            if line is None:
                raise ProgramError(self._why())
            line = line.strip()
            if line.startswith("error"):
                raise ProgramError(f"it reports: {line[:200]}")
            if line and not line.startswith("#"):
                return line

    def _why(self) -> str:
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return "it has closed its output"
        if status >= 0:
            return f"it has ended, with status {status}"
        with suppress(ValueError):
            return f"it was killed by signal {-status} ({signal.Signals(-status).name})"
        return f"it was killed by signal {-status}"

    def close(self) -> None:
        """Let it end; stop it where it does not."""
        if self._closed:
            return
        self._said.put(self.farewell)
        self._said.put(None)
        self._closed = True
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._kill()
        self._process.wait()
        self._writer.join(1)
        self._reader.join(1)
        if self._process.stdout is not None and not self._reader.is_alive():
            self._process.stdout.close()

    def _kill(self) -> None:
        """Stop it, and where the system can also what it has started and left behind."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()


class Program:
    """One game of a program outside; a bot like any other.

    Attributes
    ----------
    title
        What it calls itself; may be empty.
    wishes, worlds
        What it wants to be told as JSON, of `lines.WISHES`, and how many sampled worlds.

    Raises
    ------
    ProgramError
        From every method, where the program does not do its part; then the connection is
        of no use any more.
    """

    def __init__(
        self,
        connection: Connection,
        game: Game,
        seat: int,
        seed: int,
        patience: float = PATIENCE,
    ) -> None:
        self.connection = connection
        self.seat = seat
        self.seed = seed
        self.patience = patience
        self._decided = 0
        self._view: State | None = None
        self._told = ""
        connection.write(game_message(game, seat, seed))
        line = connection.read(STARTING)
        if line.split()[0] != "ready":
            text = f"a game is answered with 'ready NAME', not with {line[:60]!r}"
            raise ProgramError(f"{text} (and 'over' and 'quit' with nothing)")
        words = line.split()[1:]
        wishes = [word for word in words if word.startswith("+")]
        self.wishes = frozenset(word for word in wishes if word in WISHES)
        worlds = [int(found[1]) for word in wishes if (found := WORLDS.fullmatch(word))]
        self.worlds = max(worlds, default=0)
        wrong = [word for word in wishes if word not in WISHES and not WORLDS.fullmatch(word)]
        if wrong or self.worlds > MOST_WORLDS:
            known = f"{', '.join(sorted(WISHES))} and +worlds=1 to +worlds={MOST_WORLDS}"
            raise ProgramError(f"{line[:60]!r} wishes for what there is not: there are {known}")
        named = " ".join(word for word in words if not word.startswith("+"))
        self.title = "".join(sign for sign in named if sign.isprintable())[:LONGEST_NAME]

    def _show(self, view: State, always: bool = False) -> None:
        """Send a view that it does not have yet."""
        message = view_message(view)
        if always or message != self._told:
            self.connection.write(message)
            if "+state" in self.wishes:
                self.connection.write(state_message(view))
        self._view, self._told = view, message

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Tell it of an action, and what its seat knows after it."""
        self._decided += actor == self.seat
        self.connection.write(seen_message(actor, action, self._view or view))
        self._show(view, always=True)

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Ask it, and return the action that its answer means."""
        self._show(view)
        legal = {view.text(action, self.seat): action for action in view.legal_actions(self.seat)}
        if "+features" in self.wishes:
            self.connection.write(features_message(view))
        if "+legal" in self.wishes:
            self.connection.write(legal_message(view, self.seat, legal))
        if self.worlds:
            rng = new_rng(self.seed, WORLDS_STREAM + self._decided)
            self.connection.write(worlds_message(view, self.worlds, rng))
        seconds = None if deadline is None else max(deadline - now(), 0.0)
        self.connection.write(choose_message(seconds, legal))
        line = self.connection.read((seconds or 0.0) + self.patience)
        word, _, token = line.partition(" ")
        if word != "action" or token.strip() not in legal:
            example = max(legal, key=len)
            raise IllegalAnswer(
                f"{line[:60]!r} is none of the {len(legal)} legal answers like 'action {example}'"
            )
        return legal[token.strip()]

    def over(self, end: str, utilities: Sequence[float]) -> None:
        """Tell it how the game ended."""
        self.connection.write(over_message(end, utilities))
