"""The map of Sun Tzu as a picture: provinces, camps, tracks, and the symbols of it all."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

from tianxia.draw.languages import N_, labelled, translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import Actor, SceneRequest, Stage
from tianxia.games.suntzu.face.facts import CARD_IDS, PACKAGE, SIDES, Facts, last_turned
from tianxia.games.suntzu.face.words import (
    EVENT_NAMES,
    PROVINCE_NAMES,
    PROVINCE_TOKENS,
    card_name,
    seat_name,
)
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import lies_unseen
from tianxia.games.suntzu.rules.state import FIGHT, LAYING

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening

CARD_BOX = (0, 0, 100, 140)
LANDS = {
    "Qin": "M14 130C110 118 250 132 368 124C358 190 388 262 376 322C366 352 380 392 370 422"
    "C240 406 120 432 12 418C4 330 20 220 14 130Z",
    "Chu": "M12 418C120 432 240 406 370 422C362 456 388 488 378 522C366 590 384 660 368 720"
    "C250 726 110 712 14 716C20 620 6 500 12 418Z",
    "JinYan": "M368 124C480 118 640 134 744 130C756 190 738 262 748 318C630 334 480 308 376 322"
    "C388 262 358 190 368 124Z",
    "HanQi": "M376 322C480 308 630 334 748 318C756 390 736 462 744 526C620 508 490 538 378 522"
    "C388 488 362 456 370 422C380 392 366 352 376 322Z",
    "Wu": "M378 522C490 538 620 508 744 526C754 590 738 660 746 716C640 724 480 712 368 720"
    "C384 660 366 590 378 522Z",
}
"""Outlines of the provinces, in the order of their numbers."""
TINTS = dict(zip(LANDS, ("ochre", "jade", "plum", "saffron", "teal"), strict=True))
"""What colour the land of a province is washed in: none of the two sides' own."""
WEAVES = (
    "M0 26L26 0M-4 4L4-4M22 30L30 22",
    "M0 15L6.500 6 13 15 19.500 6 26 15",
    "M6 6h.01M19 19h.01",
    "M0 9C5 3 9 3 13 9S21 15 26 9",
    "M13 5V21M5 13H21",
)
"""The patterns of the provinces."""
PLACES = ((22, 226), (22, 444), (394, 136), (394, 336), (394, 540))
"""Where what belongs to a province begins."""
CAMPS = (58, 728)
"""How far down the camps of the far and the near side are."""


def _burst(points: int = 15) -> str:
    """Return the sign of a fight: a star with uneven rays."""
    corners = []
    for corner in range(2 * points):
        radius = 25 if corner % 2 else 36 - 3 * (corner // 2 % 3)
        angle = pi * corner / points
        corners.append(f"{radius * cos(angle):.0f} {radius * sin(angle):.0f}")
    return f"M{'L'.join(corners)}Z"


def _card_faces() -> list[dict[str, Any]]:
    """Return how each card is drawn: its sort, its number, and small signs on its band."""
    faces: list[dict[str, Any]] = []
    for kind, name in enumerate(c.CARDS):
        signs: list[tuple[str, int]] = []
        if kind < c.BASIC:
            sort, number = "basic", kind + 1
            signs = [("back", 50)]
            if kind == 0:
                signs = [("back", 32), ("pair", 68)]
            elif kind == c.SIX:
                signs = [("back", 32), ("pole", 68)]
        elif name == "P":
            sort, number = "plague", 0
        elif name.startswith(("+", "-")):
            sort, number = ("more" if name[0] == "+" else "less"), int(name[1])
            costs = [("man", 50), ("man", 74)][: number - 1] if sort == "more" else []
            signs = [("up" if sort == "more" else "down", 26 if costs else 50), *costs]
        else:
            sort, number = "high", kind + 1
            signs = [("sword", 50)]
        faces.append({"id": CARD_IDS[kind], "kind": sort, "number": number, "signs": signs})
    return faces


SYMBOLS = template(PACKAGE, "symbols.svg.jinja").render(
    cards=_card_faces(), lands=LANDS, tints=TINTS, weaves=WEAVES, burst=_burst()
)
STYLE = read(PACKAGE, "board.css")


# --- One position ---


class Land(NamedTuple):
    """A province as it is drawn."""

    name: str
    element: str
    x: int
    y: int
    holder: str
    armies: int
    values: tuple[int, ...]
    marks: tuple[int, ...]
    cards: tuple[str, ...]
    changes: tuple[tuple[str, int], ...]
    state: str
    points: int
    label: str


class Camp(NamedTuple):
    """What a side has beside the map."""

    side: str
    name: str
    y: int
    mine: bool
    reserve: int
    aside: int
    hand: int
    deck: int
    strategies: int
    privilege: bool
    labels: tuple[str, str, str]


def board(request: SceneRequest, facts: Facts) -> str:
    lands = [_land(request, facts, province) for province in range(c.PROVINCES)]
    near = c.RED if facts.viewer == c.RED else c.BLUE
    camps = [_camp(request, facts, seat, mine=seat == near) for seat in (1 - near, near)]
    playing = facts.viewer >= 0 and request.view.viewer == facts.viewer and not request.view.over
    scoring = (facts.turn - 1) // 3
    return template(PACKAGE, "board.svg.jinja").render(
        prefix=request.prefix,
        title=_title(request.language),
        lands=lands,
        camps=camps,
        scoring=scoring,
        turn=facts.turn,
        rounds=range(1, c.LAST_ROUND + 1),
        track=_track(request, facts),
        event=_event(facts, request.language),
        words=_words(request.language),
        role="button" if playing else "img",
        own=near,
        laying=facts.may_act and facts.phase == LAYING,
        first="Qin",
    )


@cache
def _title(language: str) -> str:
    return translator(language, PACKAGE).gettext(N_("The map of Sun Tzu"))


@cache
def _words(language: str) -> dict[str, str]:
    """Return the few words that stand in the picture."""
    _ = translator(language, PACKAGE).gettext
    return {"round": _("Round")}


def _land(request: SceneRequest, facts: Facts, province: int) -> Land:
    fields = facts.fields
    holder = next((seat for seat in range(2) if facts.board(seat, province)), -1)
    stand = int(fields["stands"][province]) - 1
    turned = last_turned(request)
    is_fight = turned is not None and turned.action == c.TURN + province
    values = tuple(c.STANDS[stand].tolist()) if stand >= 0 else ()
    return Land(
        name=PROVINCE_NAMES[province],
        element=PROVINCE_TOKENS[province],
        x=PLACES[province][0],
        y=PLACES[province][1],
        holder=SIDES[holder] if holder >= 0 else "",
        armies=facts.board(holder, province) if holder >= 0 else 0,
        values=values,
        marks=tuple(int(fields["marks"][seat][province]) for seat in range(2)),
        cards=tuple(_card_there(facts, seat, province) for seat in range(2)),
        changes=_changes(turned, facts, province) if turned and is_fight else (),
        state=_state_of(facts, province, is_fight),
        points=_points(request, province),
        label=_land_label(facts, province, values, request.language),
    )


def _card_there(facts: Facts, seat: int, province: int) -> str:
    """Return which card lies there: its id, ``0`` face down, ``""`` none."""
    card = int(facts.fields["laid"][seat][province])
    if card:
        return CARD_IDS[card - 1]
    return "0" if lies_unseen(facts.fields, seat, province) else ""


def _changes(turned: Happening, facts: Facts, province: int) -> tuple[tuple[str, int], ...]:
    """Return by how much each side's armies have changed since the cards were turned up."""
    before = turned.before.fields["board"]
    found = []
    for seat in range(2):
        change = facts.board(seat, province) - int(before[seat][province])
        if change:
            found.append((SIDES[seat], change))
    return tuple(found)


def staged(request: SceneRequest, facts: Facts) -> Stage | None:
    """Return the two cards that have just been turned up, and what they bring."""
    newest = request.newest
    if newest is None or last_turned(request) is not newest or newest.action is None:
        return None
    province = newest.action - c.TURN
    changes = dict(_changes(newest, facts, province))
    cast = [
        Actor(
            f"suntzu-{side}-{card}",
            CARD_BOX,
            falls=changes.get(side, 0) < 0,
            note=f"{changes[side]:+d}".replace("-", "−") if side in changes else "",
        )
        for seat, side in enumerate(SIDES)
        if (card := _card_there(facts, seat, province)) not in ("", "0")
    ]
    return Stage((PROVINCE_TOKENS[province],), tuple(cast)) if cast else None


def _state_of(facts: Facts, province: int, is_fight: bool) -> str:
    """Return whether a fight is in a province now, was there just now, or is over."""
    if facts.phase == FIGHT and facts.province == province:
        return "now"
    return "just" if is_fight else ""


def _points(request: SceneRequest, province: int) -> int:
    """Return what a province has just scored."""
    for happening in reversed(request.last):
        action = happening.action
        if action == c.SCORE + province:
            fields = happening.before.fields
            held = any(int(fields["board"][seat][province]) for seat in range(2))
            stand = int(fields["stands"][province]) - 1
            return int(c.STANDS[stand, (int(fields["turn"]) - 1) // 3]) if held else 0
        if action in (c.COLLECT, c.ROUND):
            return 0
    return 0


def _land_label(facts: Facts, province: int, values: tuple[int, ...], language: str) -> str:
    """Return what a province is called for screen readers: all that is drawn there."""
    _ = translator(language, PACKAGE).gettext
    parts = []
    for seat in range(2):
        armies = facts.board(seat, province)
        if armies:
            text = _("{side} holds it with {count}")
            parts.append(text.format(side=seat_name(seat, language), count=armies))
    parts = parts or [_("nobody holds it")]
    if values:
        parts.append(_("worth {values}").format(values="-".join(map(str, values))))
    for seat in range(2):
        marks = int(facts.fields["marks"][seat][province])
        if marks:
            text = _("marked by {side}: {count}")
            parts.append(text.format(side=seat_name(seat, language), count=marks))
        card = int(facts.fields["laid"][seat][province])
        if card:
            text = _("{side} has laid {card}")
            name = card_name(card, language)
            parts.append(text.format(side=seat_name(seat, language), card=name))
        elif lies_unseen(facts.fields, seat, province):
            text = _("a card of {side} lies face down")
            parts.append(text.format(side=seat_name(seat, language)))
    return labelled(PROVINCE_NAMES[province], ", ".join(parts), language)


def _camp(request: SceneRequest, facts: Facts, seat: int, *, mine: bool) -> Camp:
    fields, language = facts.fields, request.language
    words, name = translator(language, PACKAGE), seat_name(seat, language)
    reserve, aside = int(fields["reserve"][seat]), int(fields["aside"][seat])
    deck, hand = deck_of(facts, seat), hand_size(facts, seat)
    own = mine and facts.viewer == seat
    texts = (
        words.ngettext(
            "{side}: {count} army in the reserve", "{side}: {count} armies in the reserve", reserve
        ).format(side=name, count=reserve),
        words.ngettext("{side}: {count} army aside", "{side}: {count} armies aside", aside).format(
            side=name, count=aside
        ),
        words.gettext("{side}: hand {hand}, deck {deck}, strategy cards {cards}").format(
            side=name, hand=hand, deck=deck, cards=int(fields["cards"][seat])
        ),
    )
    privilege = int(fields["privilege"]) == seat + 1
    cards = int(fields["cards"][seat])
    side, down = SIDES[seat], CAMPS[mine]
    return Camp(side, name, down, own, reserve, aside, hand, deck, cards, privilege, texts)


def deck_of(facts: Facts, seat: int) -> int:
    """Return how many cards a side's deck has, those under it included."""
    fields = facts.fields
    known = int(fields["deck"][seat].sum()) + int(fields["tail_length"][seat])
    if facts.viewer == seat or fields["over"]:
        return known
    return _specials(fields) - int(fields["gone"][seat].sum()) - _unseen(fields, seat)


def _specials(fields: Any) -> int:
    """Return how many cards above 6 each side has in this game."""
    return int(c.COPIES[int(fields["options"]["deck"])].sum())


def _unseen(fields: Any, seat: int) -> int:
    """Return how many cards above 6 of a side are neither in its deck nor out of the game."""
    laid = [int(card) for card in fields["laid"][seat]]
    return int(fields["hidden"][seat]) + sum(card > c.BASIC for card in laid)


def hand_size(facts: Facts, seat: int) -> int:
    """Return how many cards a side holds, as far as everybody can count."""
    fields = facts.fields
    laid = [int(card) for card in fields["laid"][seat]]
    if facts.viewer == seat or fields["over"]:
        return int(fields["hand"][seat].sum())
    down = sum(lies_unseen(fields, seat, p) and not laid[p] for p in range(c.PROVINCES))
    low = c.BASIC - sum(0 < card <= c.BASIC for card in laid)
    return low + int(fields["hidden"][seat]) - down


class Track(NamedTuple):
    """The score track: where the silver pawn stands, stood before, and what the ends are."""

    at: int
    before: int
    spaces: list[int]
    label: str


def _track(request: SceneRequest, facts: Facts) -> Track:
    _ = translator(request.language, PACKAGE).gettext
    track = int(facts.fields["track"])
    before = track
    for happening in request.last:
        before = int(happening.before.fields["track"]) if happening.action == c.PAWN else before
    if track:
        side = seat_name(c.BLUE if track > 0 else c.RED, request.language)
        label = _("The silver pawn: {count} towards {side}").format(count=abs(track), side=side)
    else:
        label = _("The silver pawn stands in the middle")
    return Track(
        c.TRACK - track, c.TRACK - before, [abs(c.TRACK - n) for n in range(2 * c.TRACK + 1)], label
    )


def _event(facts: Facts, language: str) -> dict[str, Any] | None:
    """Return the event that lies open, and how many are still face down."""
    if not facts.fields["options"]["events"]:
        return None
    _ = translator(language, PACKAGE).gettext
    number = int(facts.fields["event"])
    left = int(facts.fields["events_left"]).bit_count()
    name = _(EVENT_NAMES[number - 1]) if number else _("no event lies open")
    return {"name": name, "left": left, "label": _("Event: {name}").format(name=name)}
