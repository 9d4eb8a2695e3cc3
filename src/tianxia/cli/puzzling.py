"""``tianxia puzzles``: looking for puzzles, and checking those that there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from tianxia.bots import puzzles
from tianxia.cli.bars import counting
from tianxia.cli.playing import game_of
from tianxia.cli.screen import HINT, WARNING, Screen, chosen_language
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.state import State

STORED = "stored"
SECOND_LOOK = 3
"""The seed with which puzzles are checked; they were made with another."""


def make_puzzles(
    spec: str,
    options: Sequence[str],
    count: int,
    seed: int,
    most: int | None,
    out: Path | None,
    stored: bool,
    lead: float,
    language: str | None,
) -> int:
    """Look for puzzles until there are so many; return the exit status."""
    if out is None:
        raise TianxiaError("say where the puzzles go, with --out puzzles.json; or give --check")
    screen = Screen(chosen_language(language))
    _ = screen.translate
    game = game_of(spec, options)
    book = puzzles.opened(out, game.kind, lead)
    if book.puzzles:
        screen.say(_("Puzzles found before: {n}.").format(n=len(book.puzzles)), HINT)
    with _games(book, game, seed, stored=stored) as (source, ends):
        searching = puzzles.search(book, source, islice(ends, most), seed)
        finished = _search_behind_bar(screen, book, searching, count, out)
    screen.say(_("Puzzles: {n}, in:").format(n=len(book.puzzles)), HINT)
    screen.command(str(out))
    return 0 if finished else 130


@contextmanager
def _games(
    book: puzzles.Book, game: Game, seed: int, *, stored: bool
) -> Iterator[tuple[str, Iterator[State]]]:
    """Give games to look through, and where they come from; stored ones are of any options."""
    if not stored:
        yield game.spec, puzzles.self_played(book, game, seed)
        return
    from tianxia.cli.backing import own_tables
    from tianxia.cli.recording import public_games

    with own_tables() as tables:
        ends = (played.state for played in public_games(tables, game, []))
        yield STORED, islice(ends, book.searched.get(STORED, 0), None)


def _search_behind_bar(
    screen: Screen, book: puzzles.Book, searching: Iterator[int], count: int, out: Path
) -> bool:
    """Look through games behind a progress bar; False where the user broke it off."""
    _ = screen.translate
    with counting(screen) as progress:
        task = progress.add_task("", total=count, completed=len(book.puzzles))
        try:
            while len(book.puzzles) < count and next(searching, None) is not None:
                puzzles.save(book, out)
                told = _("games: {n}").format(n=sum(book.searched.values()))
                progress.update(task, completed=len(book.puzzles), description=told)
        except KeyboardInterrupt:
            screen.say(_("Broken off; the same command goes on from here."), HINT)
            return False
    return True


def check_puzzles(spec: str, out: Path | None, language: str | None) -> int:
    """Let the best bot solve puzzles at ten times its time; return the exit status."""
    screen = Screen(chosen_language(language))
    _ = screen.translate
    kind = game_of(spec, []).kind
    if out is not None and not out.is_file():
        raise TianxiaError(f"there is no file {out}")
    book = puzzles.shipped(kind) if out is None else puzzles.opened(out, kind)
    other = []
    with counting(screen) as progress:
        task = progress.add_task(_("solved"), total=len(book.puzzles))
        for number, puzzle in enumerate(book.puzzles, 1):
            if not puzzles.again(puzzle, SECOND_LOOK):
                other.append(number)
            progress.update(task, advance=1)
    solved = len(book.puzzles) - len(other)
    text = _("The same answer at ten times the time: {n} of {total}.")
    screen.say(text.format(n=solved, total=len(book.puzzles)))
    if other:
        text = _("Another answer: {numbers}.")
        screen.say(text.format(numbers=", ".join(map(str, other))), WARNING)
    return 1 if other else 0
