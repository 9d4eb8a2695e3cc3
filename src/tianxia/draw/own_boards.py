"""Boards that people draw themselves: what an editor and a new table ask of a game.

A game whose options take a board as a text names a module in `GameType.own_boards`. Its boards
are JSON objects, which are what is kept, exported and imported; the module has

- ``OPTION``: the option that takes such a board,
- ``TOOL``: the page's tool that draws them (a module of ours, ``static/js/draw-TOOL.js``),
- ``tools(language)``: what that tool has to know, as JSON: what can be set, in words,
- ``starts(language)``: boards to begin with, as pairs of a name and a board,
- ``read(data)``: the board that somebody has sent, as an `OwnBoard`,
- ``picture(data, language)``: the same as the game draws it; ids in it as everywhere,
- ``here()`` and ``add(data, name)``, where a server can offer boards to everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import N_, said
from tianxia.draw.pictures import alone
from tianxia.draw.scene import Drawing
from tianxia.kernel.errors import Worded
from tianxia.kernel.options import Value

if TYPE_CHECKING:
    from tianxia.kernel.game import GameType

LONGEST_TITLE = 40


class NoBoard(Worded, ValueError):
    """What was sent is not a board at all: one sentence says why."""


@dataclass(frozen=True)
class Fault:
    """What keeps a board from being played on: a sentence, and the elements that it is about."""

    text: Worded
    elements: tuple[str, ...] = ()


@dataclass(frozen=True)
class OwnBoard:
    """A board that somebody has drawn, finished or not.

    Attributes
    ----------
    data
        It, tidied up: the same board is the same object.
    faults
        What is wrong with it, the worst first.
    options
        The options of a game on it; none as long as something is wrong.
    """

    data: Mapping[str, Any]
    faults: tuple[Fault, ...]
    options: Mapping[str, Value]


class OwnBoards:
    """What a game gives as `GameType.own_boards`; its module is imported when it is needed."""

    def __init__(self, module: str) -> None:
        self.module = module

    @classmethod
    def of(cls, kind: GameType) -> OwnBoards | None:
        """Return how boards of a game are drawn by people, or None."""
        return kind.own_boards if isinstance(kind.own_boards, cls) else None

    def __repr__(self) -> str:
        return f"OwnBoards({self.module!r})"

    @cached_property
    def _module(self) -> Any:
        return import_module(self.module)

    @property
    def package(self) -> str:
        """Whose translations have the sentences."""
        return self.module.rpartition(".")[0]

    @property
    def option(self) -> str:
        """The option that takes such a board."""
        return str(self._module.OPTION)

    @property
    def tool(self) -> str:
        """What the page draws with."""
        return str(self._module.TOOL)

    def tools(self, language: str) -> Mapping[str, Any]:
        """Return what the page's tool has to know."""
        found: Mapping[str, Any] = self._module.tools(language)
        return found

    def starts(self, language: str) -> list[tuple[str, Mapping[str, Any]]]:
        """Return boards to begin with, each with its name."""
        found: list[tuple[str, Mapping[str, Any]]] = self._module.starts(language)
        return found

    def read(self, data: object, game: str) -> OwnBoard:
        """Return the board that somebody has sent.

        Raises
        ------
        NoBoard
            Where it is none, not even an unfinished one.
        """
        try:
            if not isinstance(data, dict):
                raise NoBoard(N_("A file of a board is a JSON object."))
            if data.get("game") != game:
                given = str(data.get("game", ""))[:20]
                raise NoBoard(
                    N_("This is not a board of this game: “game” should be {game}, not “{given}”."),
                    game=game,
                    given=given,
                )
            found: OwnBoard = self._module.read(data)
        except NoBoard as error:
            error.package = self.package
            raise
        return found

    def told(self, board: OwnBoard, language: str) -> list[tuple[str, tuple[str, ...]]]:
        """Return what is wrong with a board in words, and the elements that it is about."""
        return [(said(one.text, language, self.package), one.elements) for one in board.faults]

    def here(self) -> Mapping[str, str]:
        """Return the titles of the boards that this server offers to everybody, by their names."""
        found: Mapping[str, str] = self._module.here() if hasattr(self._module, "here") else {}
        return found

    def picture(self, board: OwnBoard, language: str) -> str:
        """Return a board as its game draws it, for a page that has the game's symbols."""
        return str(self._module.picture(board.data, language))

    def alone(self, kind: GameType, board: OwnBoard, language: str) -> str:
        """Return a picture of a board with all that it needs inside."""
        drawing = Drawing.of(kind)
        svg = self.picture(board, language)
        return drawing.framed(svg) if drawing else alone(svg, "", "")

    def add(self, board: OwnBoard, name: str) -> str:
        """Add a board without faults to those that this server offers; return its name.

        Raises
        ------
        NoBoard
            Where it need not be added, is there already, or cannot have this name.
        """
        adding = getattr(self._module, "add", None)
        try:
            if adding is None:
                raise NoBoard(N_("Boards of this game need not be added: any can be played on."))
            return str(adding(board.data, name))
        except NoBoard as error:
            error.package = self.package
            raise
