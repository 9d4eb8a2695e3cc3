"""``tianxia boards``: boards that people have drawn, checked and added to this server."""

from __future__ import annotations

import json
from pathlib import Path

from tianxia.cli.screen import Screen, chosen_language
from tianxia.draw.languages import said
from tianxia.draw.own_boards import NoBoard, OwnBoards
from tianxia.kernel import registry
from tianxia.kernel.errors import UnknownGame

DEEDS = ("add", "check")
LARGEST = 64 * 1024


def boards(deed: str, file: Path, name: str, language: str | None) -> int:
    """Check a file of a board, and add it to this server; return the exit code."""
    screen = Screen(chosen_language(language))
    _ = screen.translate
    if deed not in DEEDS:
        screen.say(_("One of {deeds}; see tianxia boards --help.").format(deeds=", ".join(DEEDS)))
        return 2
    try:
        data = json.loads(file.read_bytes()[: LARGEST + 1])
        game = str(data.get("game", "")) if isinstance(data, dict) else ""
        found = OwnBoards.of(registry.kind(game))
    except (ValueError, RecursionError, UnknownGame):
        found = None
    if found is None:
        told = _("{file} does not hold a board of any game that is here.")
        screen.say(told.format(file=file.name))
        return 2
    try:
        board = found.read(data, game)
        wrong = [text for text, _elements in found.told(board, screen.language)]
        if not wrong and deed == "add":
            added = found.add(board, (name or file.stem).lower())
            text = _("Added as {name}: everybody here can play on it.")
            screen.say(text.format(name=added))
            return 0
    except NoBoard as error:
        wrong = [said(error, screen.language)]
    for line in wrong or [_("Nothing is wrong with it.")]:
        screen.say(line)
    return 2 if wrong else 0
