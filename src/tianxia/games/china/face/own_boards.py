"""Boards of China that people draw themselves: see `tianxia.draw.own_boards`.

A board is written as in an owner's files: see `tianxia.games.china.rules.boards`. A game on it
names it by its text, so that nothing has to be added anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from tianxia.draw.languages import labelled, translator
from tianxia.draw.own_boards import Fault, NoBoard, OwnBoard
from tianxia.draw.pictures import template
from tianxia.games.china.face.scene import drawn, sheet
from tianxia.games.china.face.words import CARD_NAMES
from tianxia.games.china.rules import boards
from tianxia.games.china.rules.boards import BOARDS, OURS, Board, BoardError
from tianxia.kernel import registry
from tianxia.kernel.errors import N_, Worded
from tianxia.kernel.options import Value

PACKAGE = __package__ or ""
OPTION = "board"
TOOL = "graph"
FEWEST = 3
"""Spaces from which on a map can be drawn."""
WORDS = {
    "space": N_("Place"),
    "road": N_("Road"),
    "alliance": N_("Alliance"),
    "harbour": N_("Harbour"),
    "move": N_("Move"),
    "post": N_("Border post"),
    "photo": N_("Photo"),
    "province": N_("Province"),
    "provinces": N_("Provinces"),
    "colour": N_("Colour"),
    "players": N_("How many can play"),
    "dragon": N_("the dragon of {name}"),
    "border_post": N_("border post"),
    "names_differ": N_("Nine provinces need nine names that differ in their letters."),
    "keys": N_(
        "By keys: arrows go from place to place, Shift and arrows move, Enter uses the tool, A adds"
        " a place, numbers choose a tool, Ctrl+Z undoes."
    ),
    "photo_choose": N_("Choose a photo"),
    "photo_strength": N_("Opacity"),
    "photo_turn": N_("Turn"),
    "photo_larger": N_("Larger"),
    "photo_smaller": N_("Smaller"),
    "photo_remove": N_("Take it away"),
    "photo_none": N_("This file is not a picture that the browser can read."),
}
HINTS = {
    "space": N_(
        "On the map: a new place of the chosen province. On a place: it goes over to that province."
    ),
    "road": N_("Draw a line through places, or choose one end and the next; again removes it."),
    "move": N_("Drag places and dragons to where they belong."),
    "post": N_("A place of another province becomes a border post of both; again: no more."),
    "harbour": N_("A place becomes a harbour; again: no more."),
    "alliance": N_("Draw a line between two provinces, or choose both; again removes it."),
    "erase": N_("Choose a place, which goes with its roads, or a road."),
    "photo": N_(
        "A photo of your own board lies under the map, to be traced: drag it, or turn and enlarge"
        " it with two fingers. It stays in your browser."
    ),
}
MANY = {
    boards.TOO_FEW_ROADS: N_("roads: {n} places should have one to {most}: {names}"),
    boards.NO_ROOM: N_(
        "roads: {n} provinces have no two spaces for tiles without an intersection (CHI-79):"
        " {names}"
    ),
}
"""What is said once of several, so that it does not hide what else is wrong."""
NAMED = 9


def tools(language: str) -> Mapping[str, Any]:
    """Return the canvas, the colours and the words of the tool."""
    _ = translator(language, PACKAGE).gettext
    return {
        "width": boards.WIDTH,
        "height": boards.HEIGHT,
        "longest": boards.LONGEST_NAME,
        "colours": [
            {"id": name, "label": _(label)}
            for name, label in zip(boards.COLOUR_NAMES, CARD_NAMES, strict=True)
        ],
        "words": {
            "labelled": labelled("{name}", "{what}", language),
            **{name: _(word) for name, word in WORDS.items()},
            "hints": {tool: _(hint) for tool, hint in HINTS.items()},
        },
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
            name: boards.COLOUR_NAMES[colour]
            for name, colour in zip(names, board.colours, strict=True)
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
        For what is not a board, whatever is added to it.
    """
    try:
        board = boards.draft(data)
    except BoardError as error:
        raise NoBoard(error.template, **error.values) from error
    faults = tuple(_together(boards.faults(board)))
    tidy = written(board)
    options: dict[str, Value] = {}
    if not faults:
        text = boards.text_of(board)
        ours = (name for name, known in BOARDS.items() if boards.text_of(known) == text)
        options = {OPTION: next(ours, text), "players": board.players[0]}
    return OwnBoard(tidy, faults, options)


def _together(errors: Iterable[BoardError]) -> Iterator[Fault]:
    """Yield faults, those of one kind as one where they tend to come in numbers."""
    for kind, alike in groupby(errors, key=lambda error: error.template):
        found = list(alike)
        if kind not in MANY or len(found) == 1:
            yield from (Fault(Worded(kind, **one.values), one.spaces) for one in found)
            continue
        names = [str(one.values["name"]) for one in found]
        told = ", ".join(names[:NAMED]) + ("…" if len(names) > NAMED else "")
        values = {**found[0].values, "n": len(names), "names": told}
        spaces = tuple(dict.fromkeys(space for one in found for space in one.spaces))
        yield Fault(Worded(MANY[kind], **values), spaces)


def here() -> dict[str, str]:
    """Return the titles of the boards in this server's folder by their names."""
    return {name: board.title for name, board in boards.owners().items()}


def add(data: Mapping[str, Any], name: str) -> str:
    """Put a board into this server's folder of boards; return its name.

    Raises
    ------
    NoBoard
        Where it is there already, or another has this name.
    """
    text = boards.text_of(boards.draft(data))
    for there, board in {**BOARDS, **boards.owners()}.items():
        if boards.text_of(board) == text:
            raise NoBoard(N_("this server has this board already, as {name}"), name=there)
    file = boards.folder() / f"{name}.json"
    if not boards.is_name(name) or file.exists():
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
    colours = [boards.COLOUR_NAMES[colour] for colour in board.colours]
    return template(PACKAGE, "own_board.svg.jinja").render(
        title=_("The map of China"),
        land=land,
        dragons=list(zip(board.provinces, colours, board.dragons, strict=True)),
    )


def _drawable(board: Board) -> bool:
    """Say whether there is enough for a map; points on top of one another have no borders."""
    points = [(space.x, space.y) for space in board.spaces] + list(board.dragons)
    return len(board.spaces) >= FEWEST and len(set(points)) == len(points)
