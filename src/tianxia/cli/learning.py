"""``tianxia learn``: a net learns a game by self-play."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tianxia.arena.report import percent
from tianxia.bots.registry import command_maker
from tianxia.cli.bars import counting
from tianxia.cli.playing import game_of
from tianxia.cli.screen import HINT, Screen, chosen_language
from tianxia.kernel.cache import home
from tianxia.kernel.errors import TianxiaError

if TYPE_CHECKING:
    from tianxia.envs.learning import Run

Imitated = tuple[Sequence[Path], str, int]
"""Files of games, who is imitated, and how many times each decision is learnt from."""
Measure = tuple[tuple[str, ...], int, int]
"""Against whom, after how many decisions, in how many games."""


def learn_game(
    spec: str,
    options: Sequence[str],
    settings: Sequence[str],
    folder: Path | None,
    imitated: Imitated,
    measure: Measure,
    computing: tuple[str, int],
    onnx: bool,
    language: str | None,
) -> int:
    """Train a net, or go on with it; return the exit status."""
    try:
        from tianxia.envs import imitation, learning
    except ImportError as error:
        raise TianxiaError(
            f'learning needs the extra learn: pip install ".[learn]" in a clone ({error})'
        ) from error
    screen = Screen(chosen_language(language))
    _ = screen.translate
    game = game_of(spec, options)
    for bot in measure[0]:
        command_maker(bot, game)
    usual = {name: one for name, one in asdict(learning.Settings("")).items() if name != "game"}
    chosen = learning.Settings(game.spec, **values(usual, settings))
    files, player, passes = imitated
    if not (chosen.decisions or files):
        raise TianxiaError("--decisions 0 leaves nothing to learn without --imitate")
    if player and not files:
        raise TianxiaError("--of says whose games to imitate: name their files by --imitate")
    examples = imitation.Examples(files, game, player) if files else None
    name = re.sub(r"[^A-Za-z0-9.=]+", "-", game.spec).strip("-")
    where = folder or home() / "learn" / name
    try:
        learner = learning.Learner(chosen, *computing)
    except (AssertionError, RuntimeError) as error:  # torch's own, of a device that there is not
        raise TianxiaError(f"--device {computing[0]}: {str(error).splitlines()[0]}") from error
    finished = _behind_bar(screen, learning.Run(learner, where, *measure, examples, passes))
    if onnx and finished:
        learner.export(where / learning.ONNX)
    screen.say(_("The net, as a bot:"), HINT)
    screen.command(f"net:{where / learning.NET}")
    return 0 if finished else 130


def values(usual: Mapping[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Return settings like ``width=128`` by name; the last of a name counts."""
    found: dict[str, Any] = {}
    for text in settings:
        name, _, value = text.partition("=")
        if name not in usual:
            raise TianxiaError(f"{name!r} is not a setting; there are: {', '.join(usual)}")
        try:
            found[name] = type(usual[name])(value)
        except ValueError:
            raise TianxiaError(f"{text!r} should be like {name}={usual[name]}") from None
    return found


def _behind_bar(screen: Screen, run: Run) -> bool:
    """Train behind a progress bar; False where the user broke it off."""
    _, learner = screen.translate, run.learner
    with counting(screen) as progress:
        examples = 0 if run.examples is None else run.passes * run.examples.known
        task = progress.add_task("", total=learner.settings.decisions + examples)
        try:
            for measured in run:
                done = learner.imitated + learner.decided
                speed = _("{n} decisions a second").format(n=f"{measured['speed']:,.0f}")
                progress.update(task, completed=done, description=speed)
                for bot in run.others:
                    if (share := measured.get(f"against_{bot}")) is not None:
                        said = _("After {n} decisions: {share} against {bot}.")
                        count = f"{done:,}"
                        told = said.format(n=count, share=percent(share), bot=bot)
                        progress.console.print(told, highlight=False)
        except KeyboardInterrupt:
            if run.imitating:
                screen.say(_("Broken off; the same command begins again."), HINT)
            else:
                run.keep()
                screen.say(_("Broken off; the same command goes on from here."), HINT)
            return False
    return True
