"""Boards of China that people draw themselves: see `tianxia.draw.own_boards`.

A board is written as in an owner's files: see `tianxia.games.china.rules.boards`. Games are played
on those that this server has in its folder of boards, since the rules are compiled with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from tianxia.draw.languages import translator
from tianxia.draw.own_boards import Fault, NoBoard, OwnBoard
from tianxia.draw.pictures import template
from tianxia.games.china.face.scene import drawn, sheet
from tianxia.games.china.face.words import CARD_NAMES
from tianxia.games.china.rules import boards
from tianxia.games.china.rules.boards import BOARDS, NAME, OURS, RESERVED, Board, BoardError
from tianxia.kernel import registry
from tianxia.kernel.cache import home
from tianxia.kernel.errors import N_, Worded
from tianxia.kernel.options import Value

PACKAGE = __package__ or ""
OPTION = "board"
TOOL = "graph"
LONGEST_NAME = 20
"""Of a province."""
FEWEST = 3
"""Spaces from which on a map can be drawn."""
NOT_HERE = N_(
    "Nothing is wrong with this board. To be played on it has to be added to this server: export"
    " it, and whoever runs the server adds the file with “tianxia boards add FILE”"
    " and starts it again."
)
WORDS = {
    "space": N_("Place"),
    "road": N_("Road"),
    "alliance": N_("Alliance"),
    "harbour": N_("Harbour"),
    "move": N_("Move"),
    "province": N_("Province"),
    "provinces": N_("Provinces"),
    "colour": N_("Colour"),
    "players": N_("How many can play"),
    "dragon": N_("the dragon of {name}"),
    "post": N_("border post"),
    "names_differ": N_("Nine provinces need nine names that differ in their letters."),
    "help": N_(
        "Place: click on the map to set one in the chosen province; click a place of another"
        " province to make it a border post of both. Road and alliance: click both ends. Move:"
        " drag, or use Shift and the arrows. By keys: arrows go from place to place, Enter uses the"
        " tool, A adds a place, numbers choose a tool, Ctrl+Z undoes."
    ),
}


def tools(language: str) -> Mapping[str, Any]:
    """Return the canvas, the colours and the words of the tool."""
    _ = translator(language, PACKAGE).gettext
    return {
        "width": boards.WIDTH,
        "height": boards.HEIGHT,
        "longest": LONGEST_NAME,
        "colours": [
            {"id": name, "label": _(label)}
            for name, label in zip(boards.COLOURS, CARD_NAMES, strict=True)
        ],
        "words": {name: _(word) for name, word in WORDS.items()},
        "most": {"spaces": boards.MAX_SPACES, "alliances": boards.MAX_ALLIANCES},
    }


def starts(language: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return an empty board with the nine provinces, and ours."""
    _ = translator(language, PACKAGE).gettext
    (board,) = (one for one in registry.kind("china").options if one.name == OPTION)
    ours = [(_(board.labels[name]), {**written(BOARDS[name]), "title": ""}) for name in OURS]
    nothing: dict[str, Any] = {"players": [3, 4, 5], "spaces": {}, "roads": [], "alliances": {}}
    return [(_("an empty board"), {**ours[0][1], **nothing}), *ours]


def written(board: Board) -> dict[str, Any]:
    """Return a board as its file holds it."""
    names, spaces = board.provinces, board.spaces
    return {
        "game": "china",
        "title": board.title,
        "players": list(board.players),
        "provinces": {
            name: boards.COLOURS[colour] for name, colour in zip(names, board.colours, strict=True)
        },
        "alliances": {
            str(number): [names[one], names[other]]
            for number, (one, other) in enumerate(board.alliances, 1)
        },
        "dragons": {name: list(at) for name, at in zip(names, board.dragons, strict=True)},
        "spaces": {
            space.name: {
                "x": space.x,
                "y": space.y,
                "provinces": [names[province] for province in space.provinces],
                **({"harbour": True} if space.harbour else {}),
            }
            for space in spaces
        },
        "roads": [[spaces[one].name, spaces[other].name] for one, other in board.roads],
    }


def read(data: Mapping[str, Any]) -> OwnBoard:
    """Return a board as somebody has sent it.

    Raises
    ------
    NoBoard
        For what is no board, whatever is added to it.
    """
    try:
        board = boards.draft(data)
    except BoardError as error:
        raise NoBoard(error.template, **error.values) from error
    long = [name for name in board.provinces if len(name) > LONGEST_NAME]
    if long:
        text = N_("provinces: {name} is longer than {most} characters")
        raise NoBoard(text, name=f"{long[0][:20]}…", most=LONGEST_NAME)
    faults = [Fault(Worded(e.template, **e.values), e.spaces) for e in boards.faults(board)]
    tidy = written(board)
    name = None if faults else installed(tidy)
    options: dict[str, Value] = {}
    if name is not None:
        options = {OPTION: name, "players": board.players[0]}
    note = None if faults or name else Worded(NOT_HERE)
    return OwnBoard(tidy, tuple(faults), options, note)


def installed(tidy: Mapping[str, Any]) -> str | None:
    """Return the name of a board that this server has already, whatever it is called."""
    for name, board in BOARDS.items():
        if {**written(board), "title": ""} == {**tidy, "title": ""}:
            return name
    return None


def add(data: Mapping[str, Any], name: str) -> str:
    """Put a board into this server's folder of boards; return what games call it.

    Raises
    ------
    NoBoard
        Where it is there already, or another has this name: games may be played on that one.
    """
    there = installed(data)
    if there is not None:
        raise NoBoard(N_("this server has this board already, as {name}"), name=there)
    file = home() / "boards" / f"{name}.json"
    if not NAME.fullmatch(name) or name in RESERVED or file.exists():
        raise NoBoard(N_("its name should be small letters, digits, - and _, and not taken"))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")
    return name


def picture(data: Mapping[str, Any], language: str) -> str:
    """Return a board as the game draws it; of one that has just been begun, its provinces."""
    return _picture(json.dumps({**data, "title": ""}), language)


@lru_cache(50)
def _picture(text: str, language: str) -> str:
    board = boards.draft(json.loads(text))
    _ = translator(language, PACKAGE).gettext
    land = sheet("draft", board, drawn(board)) if _drawable(board) else ""
    colours = [boards.COLOURS[colour] for colour in board.colours]
    return template(PACKAGE, "own_board.svg.jinja").render(
        title=_("The map of China"),
        land=land,
        dragons=list(zip(board.provinces, colours, board.dragons, strict=True)),
    )


def _drawable(board: Board) -> bool:
    """Say whether there is enough for a map; points on top of one another have no borders."""
    points = [(space.x, space.y) for space in board.spaces] + list(board.dragons)
    return len(board.spaces) >= FEWEST and len(set(points)) == len(points)
