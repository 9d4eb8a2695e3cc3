"""Writing to the terminal and reading from it; the player's language."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from gettext import NullTranslations

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from tianxia.draw.languages import best, package_of, translator
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE

PACKAGE = "tianxia.cli"
STATEMENT = "bold"
HINT = "dim"
WARNING = "bold red"
WAKE = 0.5
"""Seconds after which the line editor looks whether a signal has come."""


def language_of_system() -> str:
    """Return the language that the environment asks for, English where we do not speak it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return best(value.partition(".")[0].replace("_", "-"))
    return best(None)


def chosen_language(wish: str | None) -> str:
    """Return the language that was asked for, else that of the system.

    Raises
    ------
    TianxiaError
        For a language that Tianxia does not speak.
    """
    if wish is None:
        return language_of_system()
    translator(wish, PACKAGE)
    return wish


def seat_name(game: Game, seat: int, language: str) -> str:
    """Return what a seat is called."""
    if seat == CHANCE:
        return translator(language, PACKAGE).gettext("chance")
    if seat < len(game.seat_names):
        return translator(language, package_of(game.kind)).gettext(game.seat_names[seat])
    template = translator(language, PACKAGE).gettext("seat {number}")
    return template.format(number=seat)


class Screen:
    """A console with the player's language; asks where somebody can answer."""

    def __init__(self, language: str, plain: bool = False) -> None:
        self.language = language
        self.messages: NullTranslations = translator(language, PACKAGE)
        self.translate = self.messages.gettext
        self.console = Console(
            highlight=False,
            soft_wrap=False,
            color_system=None if plain else "auto",
            no_color=True if plain else None,
        )
        self.plain = plain
        self.interactive = self.console.is_terminal and sys.stdin.isatty()
        if self.interactive:
            with suppress(ImportError):
                import readline  # noqa: F401  (arrow keys and history at the prompt)

    def say(self, text: str | Text = "", style: str = "", end: str = "\n") -> None:
        """Write a text; square brackets in it are brackets."""
        written = Text(text, style=style) if isinstance(text, str) else text
        # What a program reads is not broken into lines: a path would be cut in two.
        self.console.print(written, end=end, soft_wrap=not self.console.is_terminal)

    def command(self, text: str) -> None:
        """Write a command to be copied: never broken into lines, however long."""
        self.console.print(Text(text, style="bold"), soft_wrap=True)

    def show(self, what: RenderableType) -> None:
        """Write something that draws itself."""
        self.console.print(what)

    def new_page(self) -> None:
        """Clear the terminal if somebody sits there, else leave a line free."""
        if self.interactive and not self.plain:
            self.console.clear()
        else:
            self.say()

    def ask(self, prompt: str) -> str:
        """Return the line that the player types.

        Raises
        ------
        EOFError
            Where nothing more will come.
        """
        if self.interactive:
            return self._prompt(prompt)
        self.say(prompt, end="")
        line = sys.stdin.readline()
        if not line:
            self.say()
            raise EOFError
        self.say(line.rstrip("\n"))
        return line.strip()

    def _prompt(self, prompt: str) -> str:
        """Ask with the system's line editor, which has to know what takes no room."""
        coloured = self.console.color_system is not None and not self.console.no_color
        if coloured and "readline" in sys.modules:
            prompt = f"\001\033[1m\002{prompt}\001\033[0m\002"
        with woken():
            return input(prompt).strip()

    @contextmanager
    def busy(self, text: str) -> Iterator[None]:
        """Show that something is going on, where somebody looks."""
        if self.interactive and not self.plain:
            with self.console.status(Text(text, style=HINT)):
                yield
        else:
            yield

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """Write rows of two or more columns, the first one standing out."""
        grid = Table.grid(padding=(0, 2))
        grid.add_column(style="bold", no_wrap=True)
        for _ in range(max((len(row) for row in rows), default=1) - 1):
            grid.add_column()
        for row in rows:
            grid.add_row(*(Text(cell) for cell in row))
        self.show(grid)


def complain(text: str) -> None:
    """Write what went wrong, in one sentence, where errors are written."""
    console = Console(stderr=True, highlight=False)
    # As in `say`: what is not read on a terminal is one line.
    said = Text.assemble(("tianxia: ", WARNING), text)
    console.print(said, soft_wrap=not console.is_terminal)


@contextmanager
def woken() -> Iterator[None]:
    """Interrupt the line editor's waiting now and then.

    It looks for signals only when one interrupts it, so one that comes just before it begins to
    wait would not be heard until a key is typed: Ctrl-C, or a request to stop.
    """
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    usual = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, WAKE, WAKE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
