"""How a game is shown and asked about in a terminal.

A game that wants more than `State.diagram` keeps a module ``terminal.py`` in its folder,
beside its words, with one object ``TERMINAL``: a `Terminal` whose methods it overrides.
What plays games in a terminal knows no game; it asks that object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, util
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

    from tianxia.kernel.game import GameType
    from tianxia.kernel.state import State


class Seen(NamedTuple):
    """An action as the viewer has seen it: None and ``?`` where it was hidden from him."""

    actor: int
    action: int | None
    token: str


@dataclass(frozen=True)
class Group:
    """Legal actions that belong together, such as all moves of one piece.

    Attributes
    ----------
    key
        What a player types to mean this group: a square, a card; "" where there is none.
    title
        What it is, in the player's language.
    actions
        The actions, in the order in which they are listed.
    """

    key: str
    title: str
    actions: tuple[int, ...]


class Room(NamedTuple):
    """What a terminal can show.

    Attributes
    ----------
    width, height
        In signs; the height is 0 where output goes to a file.
    colours
        Whether there are more than sixteen.
    plain
        Whether there are no signs but those of ASCII.
    """

    width: int
    height: int
    colours: bool
    plain: bool


@dataclass(frozen=True)
class Board:
    """A position, drawn by `draw` when it is known what the terminal can show."""

    view: State
    last: Sequence[Seen]
    language: str
    draw: Callable[[State, Sequence[Seen], str, Room], Iterable[RenderableType]]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterable[RenderableType]:
        """Draw for the room and the colours that there are."""
        room = Room(
            width=options.max_width,
            height=console.height if console.is_terminal else 0,
            colours=console.color_system in ("truecolor", "256"),
            plain=options.ascii_only or options.legacy_windows,
        )
        yield from self.draw(self.view, self.last, self.language, room)


def styles_for(room: Room, styles: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return styles for a terminal, from those with many colours and those with sixteen."""
    return {name: both[0 if room.colours else 1] for name, both in styles.items()}


class Terminal:
    """The plain way, good enough for every game; a game overrides what it does better.

    A *draft* is a row of actions that a player makes as one, such as a set-up: it is
    shown, changed and only then applied.
    """

    def board(self, view: State, last: Sequence[Seen], language: str) -> Board:
        """Return the position as it looks; `last` are the actions to be marked in it."""
        return Board(view, last, language, self.draw)

    def draw(
        self, view: State, last: Sequence[Seen], language: str, room: Room
    ) -> Iterable[RenderableType]:
        """Yield the parts of `board`, when it is known what the terminal can show."""
        from rich.text import Text

        yield Text(view.diagram(language), no_wrap=True)

    def signs(self, language: str) -> Sequence[tuple[str, str]]:
        """Return the signs on the board, each with what it means."""
        return ()

    def groups(self, view: State, seat: int, language: str) -> Sequence[Group]:
        """Return the legal actions of a seat in groups, in an order that is easy to read."""
        found: dict[str, list[int]] = {}
        for action in view.legal_actions(seat):
            found.setdefault(self.key(view, action), []).append(action)
        return [
            Group(key, self.title(view, seat, key, language), tuple(actions))
            for key, actions in found.items()
        ]

    def title(self, view: State, seat: int, key: str, language: str) -> str:
        """Return what the group of a key is."""
        return ""

    def key(self, view: State, action: int) -> str:
        """Return the key of the group to which an action belongs, or would belong."""
        return ""

    def question(self, view: State, seat: int, language: str) -> str:
        """Return a few words on what the seat is asked to do now; "" where that is plain."""
        return ""

    def drafting(self, view: State, seat: int) -> bool:
        """Say whether the seat's actions, until it is done, are better made as one draft."""
        return False

    def mirrored(self, view: State, draft: Sequence[int]) -> list[int]:
        """Return a draft, left and right exchanged."""
        return list(draft)

    def read_draft(self, view: State, text: str, language: str) -> list[int] | None:
        """Return the draft that a text describes in one go, or None if it is no such text.

        Raises
        ------
        ParseError
            Where it looks like one and has a fault.
        """
        return None

    def write_draft(self, view: State, draft: Sequence[int]) -> str:
        """Return a draft as a text that `read_draft` reads; "" where there is no such text."""
        return ""

    def edit_draft(
        self, view: State, draft: Sequence[int], text: str, language: str
    ) -> list[int] | None:
        """Return a draft changed as a text says, or None if it says no such thing.

        Raises
        ------
        ParseError
            Where it looks like a change and has a fault.
        """
        return None

    def draft_edits(self, language: str) -> Sequence[tuple[str, str]]:
        """Return what one can type to change a draft, each with what it does."""
        return ()


PLAIN = Terminal()


def terminal_of(kind: GameType) -> Terminal:
    """Return how a game is shown in a terminal: its own way, or the plain one."""
    package = getattr(kind.words, "__package__", None)
    if not package or util.find_spec(f"{package}.terminal") is None:
        return PLAIN
    found = getattr(import_module(f"{package}.terminal"), "TERMINAL", None)
    return found if isinstance(found, Terminal) else PLAIN
