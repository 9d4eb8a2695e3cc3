"""``tianxia prepare``: compiling ahead, for images and packages, or while nobody waits."""

from __future__ import annotations

from collections.abc import Sequence

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from tianxia.cli.screen import WARNING, Screen, chosen_language
from tianxia.draw.languages import N_
from tianxia.kernel.registry import game
from tianxia.minds.preparing import PHASES, Preparing, installed, is_warm
from tianxia.web import templating

FAILED = N_("{game} could not be compiled; the reason is above.")


def prepare_games(names: Sequence[str]) -> int:
    """Compile what the bots of some games need, all installed ones by default, and all pages.

    Returns
    -------
    int
        The exit status: 1 where a game could not be compiled.

    Raises
    ------
    UnknownGame
    """
    screen = Screen(chosen_language(None))
    titles = {one.name: one.title for one in (game(name).kind for name in names or installed())}
    failed = []
    pages = templating.kept()
    if not pages.exists():
        templating.keep(templating.compiled(), pages)
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        console=screen.console,
    ) as progress:
        for name, title in titles.items():
            task = progress.add_task(title)

            def show(done: int, of: int, task: object = task) -> None:
                progress.update(task, completed=done, total=of or None)  # type: ignore[arg-type]

            if all(is_warm(name, phase) or Preparing(name, phase).wait(show) for phase in PHASES):
                show(1, 1)
            else:
                failed.append(title)
    for title in failed:
        screen.say(screen.translate(FAILED).format(game=title), WARNING)
    return 1 if failed else 0
