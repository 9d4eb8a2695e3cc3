"""Scenes: what a viewer is shown of a position, and what he can do with it.

A game's scene is a picture whose places and cards are *elements* with short ids
(``data-e="a4"``), and for every legal action a *gesture*: which elements are clicked, in
which order, to mean it. What shows scenes knows no game: it narrows the gestures with
each click until one is left. ``docs/drawing.md`` tells how a game draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tianxia.draw.pictures import alone, sprite
from tianxia.kernel.record import SPECTATOR

if TYPE_CHECKING:
    from tianxia.draw.asking import Answer, Question
    from tianxia.kernel.game import GameType
    from tianxia.kernel.state import State


@dataclass(frozen=True)
class Happening:
    """One thing that has happened, as the viewer has seen it.

    Attributes
    ----------
    seat
        Who acted; it may be chance.
    action
        The action as the viewer may know it, or None.
    sentence
        The same in the viewer's words.
    before
        The viewer's view before it happened.
    """

    seat: int
    action: int | None
    sentence: str
    before: State


@dataclass(frozen=True)
class SceneRequest:
    """What is to be drawn.

    Attributes
    ----------
    view
        What the viewer may know now; a full state where everything is open to all.
    viewer
        His seat, or SPECTATOR: from whose side it is drawn.
    language
        In which language the labels are.
    last
        What has happened since his own last decision, newest last.
    prefix
        Begins every id in the picture, so that a page can have several.
    """

    view: State
    viewer: int
    language: str = "en"
    last: tuple[Happening, ...] = ()
    prefix: str = ""

    @property
    def plays(self) -> bool:
        """Whether the viewer is a player of a game that goes on, looking at his own view."""
        return self.viewer >= 0 and self.view.viewer == self.viewer and not self.view.over

    @property
    def acts(self) -> bool:
        """Whether the viewer plays and may act now."""
        return self.plays and self.viewer in self.view.acting

    @property
    def newest(self) -> Happening | None:
        """What has happened last since the viewer's own last decision, if anything has."""
        return self.last[-1] if self.last else None


@dataclass(frozen=True)
class Step:
    """One step of a gesture.

    Attributes
    ----------
    kind
        ``one``: click the one element; ``set``: click all of them, in any order, one that
        stands there twice two times; ``count``: take `count` of the one element.
    elements
        Ids of elements, as in ``data-e``.
    """

    kind: Literal["one", "set", "count"]
    elements: tuple[str, ...]
    count: int = 0


@dataclass(frozen=True)
class Gesture:
    """How an action is made on the page.

    Attributes
    ----------
    label
        What it does, for screen readers and lists, in the viewer's language.
    final
        Whether it cannot be taken back.
    preview
        Whether the page first shows the label, which then tells what is paid and won, and
        waits for a word.
    puts
        What the last place of it certainly gets, to be shown before the server has answered:
        a symbol of the sprite, or ``#`` and the id of a piece that goes there. Empty where the
        steps say it (from one place to another, cards onto a place) or where it is not certain.
    """

    action: int
    steps: tuple[Step, ...]
    label: str
    final: bool
    preview: bool = False
    puts: str = ""


class Journey(NamedTuple):
    """Several actions of one wish: what goes further than a single action takes it.

    Attributes
    ----------
    actions
        One after the other; all of them are taken, or none.
    number
        How many go.
    label
        What it does, in the viewer's language.
    told
        What is certainly won by it, in a few words; empty where nothing is.
    """

    actions: tuple[int, ...]
    number: int
    label: str
    told: str = ""


class March(NamedTuple):
    """Several pieces that go the same way at once, each as far as it can.

    Attributes
    ----------
    actions
        One after the other; all of them are taken, or none.
    goals
        Where each piece that has a place there would keep the line, by where it stands.
    ends
        Where each piece comes to stand.
    whole
        Whether all of them get there, so that they keep their shape.
    label
        What it does, in the viewer's language.
    """

    actions: tuple[int, ...]
    goals: dict[str, str]
    ends: dict[str, str]
    whole: bool
    label: str


@dataclass(frozen=True)
class Kind:
    """One kind of piece to be arranged.

    Attributes
    ----------
    symbol
        Id in the sprite: ``<svg viewBox="0 0 100 100"><use href="#…"/></svg>``.
    count
        How many there are to be placed.
    action
        The action that puts one on the next slot; see `Arrangement.offsets`.
    element
        Where it lies in the picture or a panel, to be taken from there; "": it is shown in
        a tray of the page.
    barred
        Slots, by their index, where the rules forbid it.
    """

    id: str
    symbol: str
    label: str
    count: int
    action: int
    element: str = ""
    barred: tuple[int, ...] = ()


class Placement(NamedTuple):
    """One way all pieces of a kind can lie, as they are put down as a whole.

    Attributes
    ----------
    kind
        The index of the kind.
    piles
        Slots, by their index, and how many lie there.
    """

    kind: int
    piles: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Preset:
    """A ready arrangement: for each slot the index of a kind, −1 for none.

    Attributes
    ----------
    heights
        Where pieces are piled up: how many lie on each slot.
    placements
        Where it can be put down, if it can be dragged there as a whole.
    """

    id: str
    label: str
    layout: tuple[int, ...]
    heights: tuple[int, ...] = ()
    placements: tuple[Placement, ...] = ()


@dataclass(frozen=True)
class Arrangement:
    """A row of secret actions that is better made as a whole: fill slots with pieces.

    Attributes
    ----------
    slots
        Elements, in the order in which the actions fill them.
    empty
        The action that leaves a slot empty, or None if none may be.
    mirror
        For each slot its mirror image, as an index of `slots`; none: there is no mirror.
    offsets
        What is added to a kind's action on each slot, where actions name their place; none:
        nothing.
    spare
        Whether pieces may be left over; then every slot has to be filled.
    piles
        Whether a slot takes any number of pieces, all of one kind. Then slots stay empty as
        they like, and `offsets` says which slot an action is about.
    """

    slots: tuple[str, ...]
    kinds: tuple[Kind, ...]
    empty: int | None
    presets: tuple[Preset, ...]
    mirror: tuple[int, ...]
    offsets: tuple[int, ...] = ()
    spare: bool = False
    piles: bool = False

    def actions(self, layout: Sequence[int], heights: Sequence[int] = ()) -> list[int]:
        """Return the actions of a layout, up to its last piece: then the seat is done.

        Parameters
        ----------
        layout, heights
            As in a `Preset`.

        Raises
        ------
        ValueError
            Where a slot is empty that may not be.
        """
        if self.piles:
            return [
                self.kinds[kind].action + offset
                for kind, offset, height in zip(layout, self.offsets, heights, strict=True)
                for _ in range(height)
            ]
        end = max((slot + 1 for slot, kind in enumerate(layout) if kind >= 0), default=0)
        end = len(self.slots) if self.spare else end
        offsets = self.offsets or (0,) * len(self.slots)
        chosen = [
            self.empty if kind < 0 else self.kinds[kind].action + offset
            for kind, offset in zip(layout[:end], offsets, strict=False)
        ]
        actions = [action for action in chosen if action is not None]
        if len(actions) < len(chosen):
            raise ValueError("in this arrangement no slot stays empty")
        return actions


@dataclass(frozen=True)
class Panel:
    """Something beside the picture.

    Attributes
    ----------
    place
        ``hand``: what the viewer plays with, right under the picture; ``beside``: the same, but
        at the picture's side on a desk, for wide pictures; ``under``: under the picture;
        ``side``: what is only looked at, at its side.
    """

    id: str
    title: str
    html: str
    place: Literal["side", "hand", "beside", "under"]


@dataclass(frozen=True)
class Count:
    """A number that everybody may know of a seat.

    Attributes
    ----------
    id
        ``score``, ``cards``, ``pieces``, or a word of the game's own.
    label
        What is counted, in the viewer's language.
    symbol, box
        Id of its sign in the sprite, and what of it is shown.
    points
        Of a score: whether it counts points, by which somebody leads.
    """

    id: str
    value: int
    label: str
    symbol: str
    box: tuple[int, int, int, int] = (0, 0, 100, 100)
    points: bool = True


@dataclass(frozen=True)
class Plate:
    """What everybody may know of a seat, as numbers; and whether it leads, by what all know.

    Attributes
    ----------
    name
        What sentences call the seat, where the position decides that; "": as the game does.
    """

    counts: tuple[Count, ...]
    leads: bool = False
    name: str = ""


class Actor(NamedTuple):
    """Who or what takes part in what is staged.

    Attributes
    ----------
    symbol, box
        Id of its drawing in the sprite, and what of it is shown.
    falls
        Whether it is lost by what happens.
    note
        What comes of it, in a sign or two: ``+5``.
    """

    symbol: str
    box: tuple[int, int, int, int] = (0, 0, 100, 100)
    falls: bool = False
    note: str = ""


@dataclass(frozen=True)
class Stage:
    """What is staged before it is shown on the board: who meets, and then what comes of it.

    Attributes
    ----------
    on
        The elements where it happens, of the picture before it; the rest of the board steps back.
    cast
        Who is shown, larger than on the board.
    """

    on: tuple[str, ...]
    cast: tuple[Actor, ...]


@dataclass(frozen=True)
class Source:
    """Where points of a finished game came from, and how many each seat had from there."""

    name: str
    points: tuple[int, ...]


def leaders(values: Sequence[int]) -> list[bool]:
    """Say for each seat whether it alone is ahead."""
    best = max(values, default=0)
    return [value == best and values.count(best) == 1 for value in values]


@dataclass(frozen=True)
class Scene:
    """What one viewer is shown.

    Attributes
    ----------
    svg
        The picture; it uses symbols of the game's sprite, which a page holds once.
    gestures
        One for each legal action of the viewer, but for those of an arrangement.
    text
        The position as plain text.
    status
        Whose turn it is and what to do, in the viewer's words.
    steps_only
        Whether `gestures` holds first steps only, because there are too many.
    armies
        The army of each seat (`tianxia.draw.armies`) where the position decides it, "" where
        it has not yet; else they are those of the game.
    hold
        For how long, in milliseconds, the newest of what has happened is worth being looked
        at where several things have happened and are shown one by one; 0: not at all.
    ahead
        For elements that can be clicked first: what may be reached from there later on, where
        that takes more than one action. The page marks it while the element is chosen.
    together
        What it is called to send several of the elements of `ahead` the same way at once; empty
        where that cannot be.
    premoves
        What the viewer may set in advance while others are asked: for elements that are clicked
        first the second ones. The page sends it when its turn comes, if it is legal then.
    told
        The part of `status` that tells what has happened last; the rest is what to do now.
    plates
        For each seat what everybody may know of it; nobody's if the game tells nothing.
    stage
        The newest of what has happened, where it is one of the things that matter.
    """

    svg: str
    gestures: tuple[Gesture, ...]
    arrangement: Arrangement | None
    panels: tuple[Panel, ...]
    text: str
    status: str
    steps_only: bool = False
    armies: tuple[str, ...] = ()
    ahead: tuple[tuple[str, tuple[str, ...]], ...] = ()
    together: str = ""
    premoves: tuple[tuple[str, tuple[str, ...]], ...] = ()
    hold: int = 900
    told: str = ""
    plates: tuple[Plate, ...] = ()
    stage: Stage | None = None

    @property
    def asked(self) -> str:
        """What to do now, or for whom all wait: `status` without what is `told`."""
        return self.status.removeprefix(self.told).strip()


class Drawing:
    """What a game gives as `GameType.scene`; its module is imported when it is needed.

    The module has a function ``scene(request)``, a function ``meant(view, viewer, elements)``,
    and two texts: ``SYMBOLS``, what its pictures use, and ``STYLE``, their style sheet. Where
    a game has points it also has ``sources(request)``, which says of a finished game where
    they came from; ``lacking(view, action, statement, language)`` may say what exactly is
    missing where a statement forbids an action; ``touched(view, action)`` which places an
    action is about, or ``touched_by(action)`` where the action alone tells that,
    ``journeys(request, origin, target)`` what actions one after the other lead further, and
    ``marches(request, origins)`` how several pieces go the same way.

    Parameters
    ----------
    module
        The name of the module that draws.
    asks
        The name of the module whose ``answer(question)`` says what an element is; see
        `tianxia.draw.asking`.
    """

    def __init__(self, module: str, asks: str = "") -> None:
        self.module = module
        self.asks = asks

    @classmethod
    def of(cls, kind: GameType) -> Drawing | None:
        """Return how a game is drawn, or None."""
        return kind.scene if isinstance(kind.scene, cls) else None

    def __repr__(self) -> str:
        return f"Drawing({self.module!r})"

    @cached_property
    def _module(self) -> Any:
        return import_module(self.module)

    def __call__(self, request: SceneRequest) -> Scene:
        """Return the scene."""
        scene: Scene = self._module.scene(request)
        return scene

    def meant(self, view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
        """Return the action that clicking these elements would mean, legal or not.

        Where there is no such action at all, the statement of the rules that says so;
        None where the clicks mean nothing.
        """
        action: int | str | None = self._module.meant(view, viewer, elements)
        return action

    def lacking(self, view: State, action: int, statement: str, language: str) -> str:
        """Return what an action would need that a statement forbids: a sentence, or ""."""
        if found := getattr(self._module, "lacking", None):
            return str(found(view, action, statement, language))
        return ""

    def sources(self, request: SceneRequest) -> tuple[Source, ...]:
        """Return where the points of a finished game came from; nothing where it has none."""
        found: tuple[Source, ...] = self._told("sources", request)
        return found

    def touched(self, look: Callable[[], State], action: int) -> tuple[str, ...]:
        """Return the elements of the board that an action is about, as seen before it.

        Parameters
        ----------
        look
            Returns the view before it; called only where the game asks for one.
        """
        found: tuple[str, ...] = ()
        if told_by := getattr(self._module, "touched_by", None):
            found = told_by(action)
        elif told := getattr(self._module, "touched", None):
            found = told(look(), action)
        return found

    def journeys(self, request: SceneRequest, origin: str, target: str) -> Sequence[Journey]:
        """Return how what stands on one element can go to another that lies ahead of it."""
        found: Sequence[Journey] = self._told("journeys", request, origin, target)
        return found

    def marches(self, request: SceneRequest, origins: Sequence[str]) -> Sequence[March]:
        """Return where what stands on several elements can go as one."""
        found: Sequence[March] = self._told("marches", request, origins)
        return found

    def _told(self, name: str, *asked: object) -> Any:
        """Return what a function of the module says that games may leave out: then nothing."""
        told = getattr(self._module, name, None)
        return told(*asked) if told else ()

    def answer(self, question: Question) -> Answer | None:
        """Return what an element is; None where there is nothing to say of it."""
        if not self.asks:
            return None
        found: Answer | None = import_module(self.asks).answer(question)
        return found

    @property
    def sprite(self) -> str:
        """The symbols of the house and this game: an ``<svg>`` without size, once in a page."""
        return sprite(self._module.SYMBOLS)

    @property
    def style(self) -> str:
        """The style sheet of this game's pictures and panels; it uses the theme's tokens."""
        return str(self._module.STYLE)

    def alone(self, state: State, language: str = "en") -> str:
        """Return a picture of a position with all that it needs inside, for a notebook."""
        viewer = SPECTATOR if state.viewer is None else state.viewer
        return self.framed(self(SceneRequest(state, viewer, language)).svg)

    def framed(self, svg: str) -> str:
        """Return a scene's picture with the symbols and the style sheet inside."""
        return alone(svg, self._module.SYMBOLS, self.style)
