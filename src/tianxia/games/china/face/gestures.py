"""What clicks mean in China: for each action its gestures, and for clicks an action.

A piece is placed by cards first, then the space; or by the space first, then the cards. Where
there is only one way to pay, the space alone will do. A fortification begins with the button of
that name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tianxia.draw.languages import translator
from tianxia.draw.scene import Gesture, SceneRequest, Step
from tianxia.games.china.face.choices import choice, is_emperors
from tianxia.games.china.face.tally import chains
from tianxia.games.china.face.words import CARD_NAMES, board_of
from tianxia.games.china.rules.boards import Board
from tianxia.games.china.rules.components import (
    ACTIONS,
    COLOURS,
    DECK,
    EMPEROR,
    EXCHANGE,
    KEEP,
    OPEN,
    TAKE,
    kind_of,
)

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
COLOUR_IDS = ("violet", "yellow", "orange", "green", "red")
LONE_BUTTONS = ("stop", "pass", "deck", "decline", "emperor")
"""Buttons, each of which means the action of that name."""


class Placing(NamedTuple):
    """An action that places a piece: where that is clicked, and the colours of the cards."""

    place: str
    cards: tuple[int, ...]
    fort: bool = False


def gestures_of(request: SceneRequest) -> Iterator[Gesture]:
    """Yield the gestures of what a viewer may do; one action may have several."""
    view, seat = request.view, request.viewer
    if not request.acts:
        return
    actions = view.legal_actions(seat)
    board = board_of(view)
    placings = {action: found for action in actions if (found := placing(board, action))}
    hand = "imperial" if is_emperors(view) else "card"
    ways: dict[str, int] = {}
    for piece in placings.values():
        if not piece.fort:
            ways[piece.place] = ways.get(piece.place, 0) + 1
    for action in actions:
        label = choice(view, action, seat, request.language)
        if action in placings:
            piece = placings[action]
            puts = _symbol(view, seat, piece)
            for steps in _placing_steps(piece, hand, alone=ways.get(piece.place) == 1):
                yield Gesture(action, steps, label, final=False, puts=puts)
        else:
            for steps in _other_steps(view, action):
                yield Gesture(action, steps, label, final=_is_final(action))


def placing(board: Board, action: int) -> Placing | None:
    """Return what an action places and what pays for it; None for other actions."""
    match ACTIONS.split(action):
        case "palace" | "fort" as kind, space, colour:
            spot = board.spaces[space]
            return Placing(spot.name, _cost(board, spot.provinces[0], colour), kind == "fort")
        case "emissary", province, colour:
            return Placing(f"dragon-{board.keys[province]}", _cost(board, province, colour))
        case "post", number, _declared, way:
            spot = board.spaces[board.posts[number]]
            one, other = (board.colours[province] for province in spot.provinces)
            return Placing(spot.name, ((one, other), (one, one), (other, other))[way])
    return None


def _symbol(view: State, seat: int, piece: Placing) -> str:
    """Return how a piece is drawn that a seat places, its own or the Emperor's."""
    owner = EMPEROR if is_emperors(view) else seat
    if piece.fort:
        return "china-fort"
    what = "envoy" if piece.place.startswith("dragon-") else "palace"
    return f"china-{what}-{view.game.armies[owner]}"


def touched(view: State, action: int) -> tuple[str, ...]:
    """Return the places of the map that an action is about."""
    board = board_of(view)
    if piece := placing(board, action):
        return (piece.place,)
    match ACTIONS.split(action):
        case "open" | "score", province:
            return tuple(board.spaces[space].name for space in board.spaces_of(province))
        case ("harbours",):
            return tuple(space.name for space in board.spaces if space.harbour)
        case "alliance", number:
            return tuple(f"dragon-{board.keys[province]}" for province in board.alliances[number])
        case "roads", owner:
            return tuple(name for chain in chains(view, owner) for name in chain)
        case "tile", space:
            return (board.spaces[space].name,)
    return ()


def _cost(board: Board, province: int, colour: int) -> tuple[int, ...]:
    return (colour,) if board.colours[province] == colour else (colour, colour)


def _placing_steps(found: Placing, hand: str, *, alone: bool) -> Iterator[tuple[Step, ...]]:
    cards = tuple(f"{hand}-{COLOUR_IDS[colour]}" for colour in found.cards)
    pay = Step("one", cards) if len(cards) == 1 else Step("set", cards)
    place = Step("one", (found.place,))
    if found.fort:
        yield Step("one", ("fort",)), pay, place
        return
    yield pay, place
    yield (place,) if alone else (place, pay)


def _other_steps(view: State, action: int) -> Iterator[tuple[Step, ...]]:
    """Yield the clicks of an action that places nothing."""
    match ACTIONS.split(action):
        case "open", province:
            board = board_of(view)
            for space in board.spaces_of(province):
                yield (Step("one", (board.spaces[space].name,)),)
        case "exchange", colour:
            yield Step("one", (f"card-{COLOUR_IDS[colour]}",)), Step("one", ("discard",))
        case "take" | "keep" as kind, colour:
            where = "show" if kind == "take" else "keep"
            yield (Step("one", (f"{where}-{COLOUR_IDS[colour]}",)),)
        case "swap", given, taken:
            yield (
                Step("one", (f"card-{COLOUR_IDS[given]}",)),
                Step("one", (f"show-{COLOUR_IDS[taken]}",)),
            )
        case (button,):
            yield (Step("one", (button,)),)


def _is_final(action: int) -> bool:
    """Say whether what follows cannot be taken back: something hidden is shown."""
    return kind_of(action) in (OPEN, DECK)


# --- Clicks that fit no gesture ---


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    if viewer < 0:
        return None
    board = board_of(view)
    names = {space.name: number for number, space in enumerate(board.spaces)}
    cards = [c for e in elements if (c := _card(e)) is not None]
    places = [e for e in elements if e in names or e.startswith("dragon-")]
    if len(places) == 1:
        return _placed(view, board, places[0], cards, with_fort="fort" in elements)
    if len(elements) == 1 and elements[0] in LONE_BUTTONS:
        return ACTIONS.join(elements[0])
    shown = [
        COLOUR_IDS.index(e[5:]) for e in elements if e.startswith("show-") and e[5:] in COLOUR_IDS
    ]
    if len(elements) == 1 and shown:
        return TAKE + shown[0]
    if len(elements) == 2 and cards and shown:
        return ACTIONS.join("swap", cards[0], shown[0])
    if "discard" in elements and len(cards) == 1:
        return EXCHANGE + cards[0]
    kept = [e for e in elements if e.startswith("keep-") and e[5:] in COLOUR_IDS]
    return KEEP + COLOUR_IDS.index(kept[0][5:]) if kept else None


def lacking(view: State, action: int, statement: str, language: str) -> str:
    """Return what a placing that cannot be paid for needs, as a sentence; "" for others."""
    kind, *values = ACTIONS.split(action)
    if kind not in ("palace", "emissary") or statement not in ("CHI-13", "CHI-18"):
        return ""
    board = board_of(view)
    province = board.spaces[values[0]].provinces[0] if kind == "palace" else values[0]
    _ = translator(language, PACKAGE).gettext
    text = _("Here you need a card of this colour: {colour}; or two cards alike.")
    return text.format(colour=_(CARD_NAMES[board.colours[province]]))


def _card(element: str) -> int | None:
    """Return the colour of a card that pays."""
    kind, _, colour = element.partition("-")
    return (
        COLOUR_IDS.index(colour) if kind in ("card", "imperial") and colour in COLOUR_IDS else None
    )


def _placed(
    view: State, board: Board, place: str, cards: list[int], *, with_fort: bool
) -> int | str | None:
    """Return the placing that is meant by a place and cards."""
    for space, found in enumerate(board.spaces):
        if found.name == place:
            if found.is_post and not with_fort:
                return _posted(board, space, cards)
            colour = _payment(view, board, found.provinces[0], cards)
            return ACTIONS.join("fort" if with_fort else "palace", space, colour)
    for province, key in enumerate(board.keys):
        if place == f"dragon-{key}":
            return ACTIONS.join("emissary", province, _payment(view, board, province, cards))
    return None


def _payment(view: State, board: Board, province: int, cards: list[int]) -> int:
    """Return the colour that is to pay: of the cards clicked, else what could pay best."""
    if cards:
        return cards[0]
    own = board.colours[province]
    imperial = is_emperors(view)
    hand = view.fields["imperial"] if imperial else view.fields["hands"][int(view.fields["active"])]
    pairs = [colour for colour in range(COLOURS) if hand[colour] > 1]
    return own if hand[own] or not pairs else pairs[0]


def _posted(board: Board, space: int, cards: list[int]) -> int:
    number = board.posts.index(space)
    one, other = (board.colours[province] for province in board.spaces[space].provinces)
    way = {(one, one): 1, (other, other): 2}.get(tuple(cards[:2]), 0)  # type: ignore[arg-type]
    return ACTIONS.join("post", number, 0, way)
