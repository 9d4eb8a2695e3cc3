"""``tianxia verify``: the chance of a finished table, checked against its secret."""

from __future__ import annotations

from pathlib import Path

from tianxia.cli.screen import HINT, WARNING, Screen, chosen_language
from tianxia.cli.session import read_text
from tianxia.tables.verify import verify


def verify_file(file: Path, language: str | None) -> int:
    """Check a table's transcript; return the exit code: 0 where everything fits."""
    screen = Screen(chosen_language(language))
    _ = screen.translate
    report = verify(read_text(file))
    screen.say(_("Every action of this game of {game} is legal.").format(game=report.game.spec))
    for problem in report.problems:
        screen.say(problem.text(screen.language), WARNING)
    if not report.ok:
        return 1
    for one in report.sources:
        goes_on = _("Up to action {n} it is the game of table {table}, from which it goes on.")
        screen.say(goes_on.format(n=one.actions, table=one.table))
    if report.unchecked:
        told = _("Draws of a guided game, which nobody can check: {n}.")
        screen.say(told.format(n=report.unchecked), WARNING)
    screen.say(_("Draws of chance that the secret gives just so: {n}.").format(n=report.draws))
    screen.say(_("Steps of chance with one outcome only: {n}.").format(n=report.steps))
    seal = _("Compare this seal with the one that the table showed when it opened: {seal}")
    screen.say(seal.format(seal=report.chance_hash), HINT)
    return 0
