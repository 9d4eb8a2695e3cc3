"""Fire Bulls on a page: rows and pawns as a picture, hands and Reserve as cards, prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tianxia.draw.languages import translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import Actor, Gesture, Happening, Panel, Scene, SceneRequest, Stage
from tianxia.games.firebulls.face.costs import cost_in_words
from tianxia.games.firebulls.face.gestures import (
    ALONG,
    AT,
    BUTTONS,
    IN_HAND,
    IN_RESERVE,
    IN_VICTORY,
    earlier,
    gestures,
    last_won,
    meant,
    nearest,
    points_in_words,
    target,
    touched,
)
from tianxia.games.firebulls.face.plates import plates
from tianxia.games.firebulls.face.sheet import ending, sheet, sources
from tianxia.games.firebulls.face.words import (
    PHASE_TEXTS,
    SEAT_ARMIES,
    attack_name,
    point_name,
    seat_name,
)
from tianxia.games.firebulls.rules.components import (
    AT_GENERAL,
    ATTACK,
    ATTACK_KINDS,
    DROP,
    FEE,
    GENERAL,
    HAND_LIMIT,
    HAS_COLOUR,
    KINDS,
    LINE,
    LOSE,
    PENALTY,
    PILES,
    PLACES,
    SHUFFLE,
    STEAL,
    STOP,
    VALUE,
    argument,
    kind_of,
)
from tianxia.games.firebulls.rules.notation import GENERALS, LETTERS, POINT_SYMBOLS
from tianxia.games.firebulls.rules.state import ASIDE, FEE_DUE, NEXT_CARD, POWER, PUBLIC, STEP, TURN
from tianxia.kernel.record import CHANCE

if TYPE_CHECKING:
    from tianxia.kernel.state import State

__all__ = ["STYLE", "SYMBOLS", "meant", "scene", "sources", "touched"]

PACKAGE = __package__ or ""

# --- Where things are in the picture ---

COLUMNS = (185, 395, 605)
CORNERS = tuple((COLUMNS[place % PILES], 496 - 206 * (place // PILES)) for place in range(PLACES))
SPOTS = ((92, 782), (285, 782), (495, 782), (705, 782), (908, 782))
DECK_PLACE = (17, 88)
GENERAL_PLACE, GENERAL_SCALE = (826, 92), 0.84
CARD_MIDDLE = (100, 98)
PAWN_MIDDLE = (50, 61)
PAWN_BOX, CARD_BOX = (0, 0, 100, 122), (0, 0, 200, 196)

SYMBOLS = template(PACKAGE, "symbols.svg.jinja").render(
    armies=list(SEAT_ARMIES),
    armies_and_letters=list(zip(SEAT_ARMIES, LETTERS, strict=False)),
    spots=SPOTS,
)
STYLE = read(PACKAGE, "board.css")


class Card(NamedTuple):
    """A point card in the picture: where it lies, or lay before it was won just now.

    The General's place is one beyond those of the rows.
    """

    id: str
    symbol: str
    place: int
    x: int
    y: int
    scale: float = 1.0
    won: bool = False

    @property
    def at(self) -> str:
        """The element on which it lies."""
        return "" if self.won else "general" if self.place == PLACES else AT[self.place]


class Pawn(NamedTuple):
    """A pawn in the picture."""

    seat: int
    army: str
    at: str
    x: int
    y: int
    own: bool
    active: bool


@dataclass(frozen=True)
class Element:
    """Something in the picture that can be clicked or read."""

    name: str
    label: str
    shape: str
    x: int
    y: int
    scale: float = 1.0


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    found = gestures(request)
    return Scene(
        svg=_board(request, found),
        gestures=found,
        arrangement=None,
        panels=tuple(_panels(request)),
        text=request.view.diagram(request.language),
        status=_status(request, found),
        told="" if request.view.over else " ".join(_told(request)),
        plates=plates(request),
        stage=_stage(request),
    )


# --- The picture ---


def _board(request: SceneRequest, found: tuple[Gesture, ...]) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    fields = view.fields
    cards, deed = list(_points(view)), _last_attack(request)
    elements = list(_elements(request))
    names = [element.name for element in elements]
    clicked = [name for gesture in found for name in gesture.steps[0].elements if name in names]
    return template(PACKAGE, "board.svg.jinja").render(
        prefix=request.prefix,
        title=_("The rows of Yen, and the pawns below them"),
        piles=list(zip(COLUMNS, fields["piles"].tolist(), strict=True)),
        deck=int(fields["deck_size"]),
        discard=int(fields["discard"].sum()),
        exhausted=int(fields["exhausted"]),
        general=GENERALS[int(fields["general"])],
        traces=[CORNERS[place] for place in deed.places] if deed else [],
        way=_way(deed.direction, deed.places[-1]) if deed and deed.places else "",
        points=_in_order(
            [*cards, *_just_won(request, deed, {card.id for card in cards})],
            set(deed.places) if deed else set(),
        ),
        pawns=list(_pawns(request)),
        elements=elements,
        ways=ARROWS,
        role=_role(request),
        first=[*clicked, *names][0] if elements else "",
    )


def _role(request: SceneRequest) -> str:
    return "button" if request.plays else "img"


def _points(view: State) -> Iterator[Card]:
    """Yield the point cards of the rows, and the General.

    A card's id is its row, its kind, and how many of that kind lie nearer in the row: what
    everybody can follow, and the same before and after it slides.
    """
    for place, name in card_ids(view).items():
        kind = int(view.fields["rows"][place]) - 1
        yield Card(name, POINT_SYMBOLS[kind], place, *CORNERS[place])
    if view.fields["general"] == ASIDE:
        yield Card("G", POINT_SYMBOLS[GENERAL], PLACES, *GENERAL_PLACE, GENERAL_SCALE)


def _in_order(cards: list[Card], left: set[int]) -> list[Card]:
    """Return the cards row by row, the nearest first, as they lay before the rows closed up.

    So those that stay keep their order from one picture to the next, and glide; `left` are
    the places of the cards just won.
    """
    found = [card for card in cards if card.place == PLACES]
    for row in range(PILES - 1, -1, -1):
        own = [card for card in cards if card.place < PLACES and card.place % PILES == row]
        closed_up = any(card.place in left for card in own if not card.won)
        before = [place for place in range(row, PLACES, PILES) if place not in left]

        def lay(card: Card, *, closed_up: bool = closed_up, before: list[int] = before) -> int:
            if card.won or not closed_up:
                return card.place
            depth = card.place // PILES
            return before[depth] if depth < len(before) else PLACES + depth

        found[:0] = sorted(own, key=lay)
    return found


def card_ids(view: State) -> dict[int, str]:
    """Return the id of the card on each place of the rows that has one."""
    nearer: Counter[tuple[int, int]] = Counter()
    found = {}
    for place, kind in enumerate(view.fields["rows"].tolist()):
        if kind:
            row = place % PILES
            found[place] = f"{row}{POINT_SYMBOLS[kind - 1]}{nearer[row, kind]}"
            nearer[row, kind] += 1
    return found


def _pawns(request: SceneRequest) -> Iterator[Pawn]:
    """Yield the pawns: before their directions, or charging."""
    fields = request.view.fields
    for seat, direction in enumerate(fields["pawns"].tolist()):
        if not direction or seat >= request.view.seats:
            continue
        x, y = SPOTS[direction - 1]
        active = seat == int(fields["active"]) and not request.view.over
        if active and fields["direction"]:
            x, y = _front(request.view)
        yield Pawn(
            seat,
            request.view.game.armies[seat],
            ALONG[direction - 1],
            x - PAWN_MIDDLE[0],
            y - PAWN_MIDDLE[1],
            seat == request.viewer,
            active,
        )


def _front(view: State) -> tuple[int, int]:
    """Return how far the attack has come: the middle of the place of the last card won."""
    direction = int(view.fields["direction"])
    if direction == AT_GENERAL:
        (x, y), scale = GENERAL_PLACE, GENERAL_SCALE
        return x + round(scale * CARD_MIDDLE[0]), y + round(scale * CARD_MIDDLE[1])
    line = [int(place) for place in LINE[direction]]
    ahead = nearest(view, direction)
    number = len(line) if ahead is None else line.index(ahead)
    return _middle(line[max(number - 1, 0)])


def _middle(place: int) -> tuple[int, int]:
    x, y = CORNERS[place]
    return x + CARD_MIDDLE[0], y + CARD_MIDDLE[1]


def _way(direction: int, place: int) -> str:
    """Return an arrow from the place of a pawn to a card."""
    (x, y), (to_x, to_y) = SPOTS[direction - 1], _middle(place)
    lean = (to_x > x) - (to_x < x)
    wings = (
        ((-24, 4), (4, 24)) if lean > 0 else ((-4, 24), (24, 4)) if lean else ((-18, 20), (18, 20))
    )
    (a, b), (c, d) = wings
    return f"M{x} {y}L{to_x} {to_y}M{to_x + a} {to_y + b}L{to_x} {to_y}L{to_x + c} {to_y + d}"


ARROWS = tuple(_way(number, int(LINE[number][-1])) for number in range(1, len(SPOTS) + 1))
"""Arrows along the directions."""


# --- What has just happened ---


class Deed(NamedTuple):
    """The last attack of the player who acted last: where, and what was won."""

    seat: int
    direction: int
    places: tuple[int, ...]
    won: tuple[tuple[str, int, int], ...]  # id, kind and place of the cards


def _latest(request: SceneRequest) -> list[Happening]:
    """Return what happened in the turn of the player who acted last."""
    seats = [one.seat for one in request.last if one.seat != CHANCE]
    if not seats:
        return list(request.last)
    others = [i for i, one in enumerate(request.last) if one.seat not in (CHANCE, seats[-1])]
    return list(request.last[others[-1] + 1 :] if others else request.last)


def _last_attack(request: SceneRequest) -> Deed | None:
    deeds = [one for one in _latest(request) if kind_of(one.action or 0) == ATTACK]
    if not deeds:
        return None
    direction = argument(deeds[-1].action, 0)
    places: list[int] = []
    won: list[tuple[str, int, int]] = []
    for deed in deeds:
        kind = target(deed.before, direction)
        if kind is None:
            continue
        place = nearest(deed.before, direction) if direction != AT_GENERAL else None
        if place is not None:
            places.append(place)
            won.append((card_ids(deed.before)[place], kind, place))
        else:
            won.append(("G", kind, PLACES))
    return Deed(deeds[-1].seat, direction, tuple(places), tuple(won))


def _stage(request: SceneRequest) -> Stage | None:
    """Return the attack that has just been: whose bull has won which card, and its points."""
    newest = request.newest
    if newest is None or newest.action is None or kind_of(newest.action) != ATTACK:
        return None
    won = target(newest.before, argument(newest.action, 0))
    if won is None:
        return None
    points = int(VALUE[won] + HAS_COLOUR[won, request.view.game.colours[newest.seat]])
    note = f"+{points}" if points else ""
    bull = Actor(f"firebulls-pawn-{request.view.game.armies[newest.seat]}", PAWN_BOX, note=note)
    card = Actor(f"firebulls-p-{POINT_SYMBOLS[won]}", CARD_BOX, falls=True)
    return Stage(touched(newest.before, newest.action), (bull, card))


def _just_won(request: SceneRequest, deed: Deed | None, taken: set[str]) -> Iterator[Card]:
    """Yield the cards that have just been won: they glide to the winner's pawn and fade."""
    if deed is None:
        return
    pawn = int(request.view.fields["pawns"][deed.seat])
    x, y = SPOTS[pawn - 1]
    for name, kind, place in deed.won:
        if name not in taken:
            taken.add(name)
            yield Card(name, POINT_SYMBOLS[kind], place, x - 20, y - 20, 0.2, won=True)


# --- Elements ---


def _elements(request: SceneRequest) -> Iterator[Element]:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    size = int(view.fields["deck_size"])
    label = _("Deck: {number} cards. Run out so far: {times} of 3 times")
    times = int(view.fields["exhausted"])
    yield Element("deck", label.format(number=size, times=times), "stack", *DECK_PLACE)
    for place in range(PLACES - 1, -1, -1):
        kind = int(view.fields["rows"][place]) - 1
        if kind >= 0:
            yield Element(AT[place], _place_label(request, place, kind), "place", *CORNERS[place])
    if view.fields["general"] == ASIDE:
        label = _("The General lies aside: {points}, taken with {cost}")
        text = label.format(
            points=points_in_words(view, GENERAL, request.viewer, request.language),
            cost=cost_in_words(GENERAL, request.language),
        )
        yield Element("general", text, "place", *GENERAL_PLACE, GENERAL_SCALE)
    pawns = view.fields["pawns"].tolist()
    for number, (x, y) in enumerate(SPOTS, 1):
        seat = pawns.index(number) if number in pawns else None
        text = _("Direction {direction}: no pawn").format(direction=number)
        if seat is not None:
            who = seat_name(request.view, seat, request.language)
            text = _("Direction {direction}: pawn of {seat}").format(direction=number, seat=who)
        yield Element(ALONG[number - 1], text, "spot", x - 75, y - 66)


def _place_label(request: SceneRequest, place: int, kind: int) -> str:
    _ = translator(request.language, PACKAGE).gettext
    text = _("{card}, {points}, row {row}, {depth} from the pawns, taken with {cost}")
    return text.format(
        card=point_name(kind, request.language),
        points=points_in_words(request.view, kind, request.viewer, request.language),
        row=place % PILES + 1,
        depth=(_("first"), _("second"), _("third"))[place // PILES],
        cost=cost_in_words(kind, request.language),
    )


# --- Panels ---


def _panels(request: SceneRequest) -> Iterator[Panel]:
    view = request.view
    if view.over:
        yield sheet(request)
    else:
        if 0 <= request.viewer == view.viewer:
            yield _hand(request)
        yield _reserve(request)
    yield _players(request)
    yield _supply(request)


def _hand(request: SceneRequest) -> Panel:
    words = translator(request.language, PACKAGE)
    _ = words.gettext
    view, seat = request.view, request.viewer
    size = int(view.fields["hand_sizes"][seat])
    html = template(PACKAGE, "hand.html.jinja").render(
        prefix=request.prefix,
        role=_role(request),
        buttons=list(_buttons(request)),
        fee=list(_fee(request)),
        own=_stacks(view.fields["hands"][seat], IN_HAND, request),
        words={
            "fee": _("Points won earlier"),
            "hand": _("Your hand"),
            "size": words.ngettext("{n} card", "{n} cards", size).format(n=size),
        },
    )
    return Panel("hand", _("Your hand"), html, "hand")


def _reserve(request: SceneRequest) -> Panel:
    _ = translator(request.language, PACKAGE).gettext
    html = template(PACKAGE, "reserve.html.jinja").render(
        prefix=request.prefix,
        role=_role(request),
        name=_("Reserve"),
        cards=_stacks(request.view.fields["reserve"], IN_RESERVE, request),
        empty=_("no cards"),
    )
    return Panel("reserve", _("Reserve"), html, "under")


def _stacks(
    cards: Sequence[Any], names: Sequence[str], request: SceneRequest
) -> list[dict[str, object]]:
    return [
        {
            "element": names[kind],
            "symbol": f"firebulls-a-{LETTERS[kind]}",
            "count": int(cards[kind]),
            "label": f"{cards[kind]} × {attack_name(kind, request.language)}",
        }
        for kind in range(ATTACK_KINDS)
        if cards[kind]
    ]


def _buttons(request: SceneRequest) -> Iterator[tuple[str, str]]:
    """Yield what is said by a word: steps of the pawn, going on, powers."""
    found = gestures(request)
    labels = {gesture.action: gesture.label for gesture in found}
    for name, action in BUTTONS.items():
        if action in labels and name != "deck":
            yield name, labels[action]


def _fee(request: SceneRequest) -> Iterator[dict[str, object]]:
    view, seat, language = request.view, request.viewer, request.language
    if view.fields["phase"] != FEE_DUE or seat not in view.acting:
        return
    for kind, count in earlier(view, seat).items():
        points = points_in_words(view, kind, seat, language)
        yield {
            "element": IN_VICTORY[kind],
            "symbol": POINT_SYMBOLS[kind],
            "count": count,
            "label": f"{count} × {point_name(kind, language)}, {points}",
        }


def _players(request: SceneRequest) -> Panel:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    scores = view.scores()
    players = [_player(request, seat, int(scores[seat])) for seat in range(view.seats)]
    html = template(PACKAGE, "players.html.jinja").render(players=players)
    return Panel("players", _("Victory piles"), html, "side")


def _player(request: SceneRequest, seat: int, points: int) -> dict[str, object]:
    words = translator(request.language, PACKAGE)
    _ = words.gettext
    view, language = request.view, request.language
    fields = view.fields
    size = int(fields["hand_sizes"][seat])
    won = [(kind, int(fields["victory"][seat][kind])) for kind in range(KINDS)]
    won = [(kind, count) for kind, count in won if count]
    row = request.viewer if request.viewer >= 0 and view.viewer == request.viewer else PUBLIC
    is_open = view.over or view.viewer is None
    sure = [] if seat == request.viewer or is_open else fields["known"][row][seat].tolist()
    known = ", ".join(_times(kind, count, language) for kind, count in enumerate(sure) if count)
    held = fields["hands"][seat].tolist() if is_open else []
    open_now = ", ".join(_times(kind, count, language) for kind, count in enumerate(held) if count)
    return {
        "army": request.view.game.armies[seat],
        "name": seat_name(request.view, seat, language),
        "points": words.ngettext("{n} point", "{n} points", points).format(n=points),
        "hand": words.ngettext("{n} card in hand", "{n} cards in hand", size).format(n=size),
        "active": seat == int(fields["active"]) and not view.over,
        "won": [(POINT_SYMBOLS[kind], count) for kind, count in won],
        "won_words": ", ".join(f"{count} × {point_name(kind, language)}" for kind, count in won),
        "known": _("Certainly in hand: {cards}").format(cards=known) if known else "",
        "open": _("In hand: {cards}").format(cards=open_now) if open_now else "",
    }


def _times(kind: int, count: int, language: str) -> str:
    return f"{count} × {attack_name(kind, language)}"


def _supply(request: SceneRequest) -> Panel:
    """Return what is known of deck, discard and piles."""
    _ = translator(request.language, PACKAGE).gettext
    fields, language = request.view.fields, request.language
    discard = [_times(kind, int(n), language) for kind, n in enumerate(fields["discard"]) if n]
    unseen = [f"{n} × {point_name(kind, language)}" for kind, n in enumerate(fields["unseen"]) if n]
    text = _("{number} cards. Run out so far: {times} of 3 times")
    where = (_("in the piles"), _("lies aside"), _("won"))[int(fields["general"])]
    rows = [
        (_("Deck"), text.format(number=int(fields["deck_size"]), times=int(fields["exhausted"]))),
        (_("Discard"), ", ".join(discard) or _("no cards")),
        (_("Still in the piles"), ", ".join(unseen) or _("no cards")),
        (_("General"), where),
    ]
    html = template(PACKAGE, "supply.html.jinja").render(rows=rows)
    return Panel("supply", _("Deck and piles"), html, "side")


# --- Whose turn it is ---


def _status(request: SceneRequest, found: tuple[Gesture, ...]) -> str:
    view = request.view
    if view.over:
        return ending(request)
    told = " ".join(_told(request))
    if found:
        return f"{told} {_prompt(request, found)}".strip()
    _ = translator(request.language, PACKAGE).gettext
    phase, active = int(view.fields["phase"]), int(view.fields["active"])
    victim = max(int(view.fields["victim"]) - 1, 0)
    text = _(PHASE_TEXTS[phase]).format(
        seat=seat_name(request.view, active, request.language),
        victim=seat_name(request.view, victim, request.language),
    )
    return f"{told} {text}".strip()


def _told(request: SceneRequest) -> list[str]:
    """Return the sentences about the last decisions, and what befell the viewer or all."""
    latest = [one for one in _latest(request) if one.seat != request.viewer]
    deeds = [one for one in latest if one.seat != CHANCE and not _is_small(one.action)]
    found = deeds[-2:]
    for one in request.last:
        if _robs(one, request.viewer) or one.action in (SHUFFLE, PENALTY):
            found.append(one)
    return [one.sentence for one in request.last if one in found]


def _is_small(action: int | None) -> bool:
    """Say whether an action is part of what was told already: steps, stops, fees, surplus."""
    return action is not None and kind_of(action) in (STOP, FEE, DROP)


def _robs(one: Happening, viewer: int) -> bool:
    """Say whether the viewer has lost a card, or taken one out of a hand."""
    if one.action is None or kind_of(one.action) not in (LOSE, STEAL):
        return False
    victim, thief = int(one.before.fields["victim"]) - 1, int(one.before.fields["active"])
    return viewer == victim or (viewer == thief and kind_of(one.action) == STEAL)


def _prompt(request: SceneRequest, found: tuple[Gesture, ...]) -> str:
    """Return what the viewer is asked, in plain words."""
    _ = translator(request.language, PACKAGE).gettext
    view, seat, language = request.view, request.viewer, request.language
    phase = int(view.fields["phase"])
    attacks = any(kind_of(gesture.action) == ATTACK for gesture in found)
    if phase == TURN and attacks:
        return _(
            "Your turn: take from the Reserve, draw, or attack: choose a marked direction or enemy."
        )
    if phase == TURN:
        return _(
            "Your turn: take a card of the Reserve or draw from the deck; your hand cannot take"
            " any card in reach."
        )
    if phase == STEP:
        return _("Now you may move your pawn one step to the side, or leave it.")
    if phase == NEXT_CARD:
        kind = target(view, int(view.fields["direction"])) or 0
        text = _("Go on to the next card ({card}, {points}), or end the attack.")
        if not attacks:
            text = _("The next card ({card}, {points}) is more than you can pay: end the attack.")
        points = points_in_words(view, kind, seat, language)
        return text.format(card=point_name(kind, language), points=points)
    if phase == POWER:
        text = _("You have won a card with a power ({card}): use it now or do without.")
        return text.format(card=point_name(last_won(view), language))
    if phase == FEE_DUE:
        number = min(int(view.fields["warriors"]), sum(earlier(view, seat).values()))
        text = _("Warriors have to be paid for: give up a point card. To give up: {number}.")
        return text.format(number=number)
    number = int(view.fields["hand_sizes"][seat]) - HAND_LIMIT
    text = _("You hold more than eight cards: put {number} into the Reserve, one at a time.")
    return text.format(number=number)
