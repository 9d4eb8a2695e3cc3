"""Sun Tzu on a page: the map as a picture, orders as an arrangement, all else as clicks.

Elements: provinces by their tokens (``Qin``, ``JinYan``), cards of the hand (``card-7``,
``card-p2`` for +2, ``card-m1``, ``card-P``), cards just drawn (``drawn-7``), strategy cards
(``S1`` … ``K5``), the viewer's own ``reserve`` and armies ``aside``, and ``pass``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, Any, NamedTuple

from tianxia.draw.languages import N_, translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import Arrangement, Gesture, Kind, Panel, Scene, SceneRequest, Step
from tianxia.games.suntzu.components import (
    ADD,
    ALL_PROVINCES,
    ARMY,
    BASIC,
    BLUE,
    CARDS,
    CHOOSE,
    COLLECT,
    DRAW,
    EVENT,
    K2,
    K3,
    K4,
    K5,
    KINDS,
    LAST_ROUND,
    LAY,
    MOVE,
    NAME,
    OPEN,
    PASS,
    PAWN,
    PROVINCES,
    RED,
    REINFORCE,
    REMOVE,
    RESERVE,
    ROUND,
    S1,
    S2,
    S4,
    S5,
    SCORE,
    SIX,
    SPECIAL,
    STANDS,
    STEPS,
    STRATEGIES,
    TRACK,
    TURN,
    UNDER,
    USE,
)
from tianxia.games.suntzu.notation import lies_unseen
from tianxia.games.suntzu.sheet import score_sheet
from tianxia.games.suntzu.state import (
    AFTER,
    ASK_K3,
    ASK_K4,
    ASK_S2,
    BEFORE,
    CHOICE,
    COST_FIRST,
    COST_SECOND,
    DRAWN_GAME,
    END,
    FIGHT,
    FINAL,
    KEEPING,
    LAYING,
    MARK_FIRST,
    MARK_SECOND,
    ORDER,
    PLACE,
    RECYCLE_FIRST,
    RECYCLE_SECOND,
    SECOND_CARD,
    SHOWN,
)
from tianxia.games.suntzu.words import (
    EVENT_NAMES,
    IN_SENTENCES,
    PROVINCE_NAMES,
    PROVINCE_TOKENS,
    STRATEGY_LETTERS,
    STRATEGY_TEXTS,
    card_name,
    outcome,
    seat_name,
    strategy_name,
)

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
SIDES = "br"
CARD_IDS = tuple(name.replace("+", "p").replace("-", "m") for name in CARDS)
HANDS = tuple(f"card-{card}" for card in CARD_IDS)
FRESH = tuple(f"drawn-{card}" for card in CARD_IDS)
WHOLE_CHOICES = (S1, S5), (K2,)
"""Strategy cards of each side that need a province."""
ENDS = {
    36: N_("The silver pawn has reached the last space of the track."),
    37: N_("After the last round the silver pawn stands on the winner’s side."),
    38: N_("The track is level: the larger reserve wins."),
    40: N_("The last event is done with: the pawn decides, then the reserves."),
}

# Milliseconds for which a step is held when what has happened is shown step by step.
READ, LOOK, GLANCE = 2600, 1200, 600


# --- The map ---

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
PLACES = ((22, 226), (22, 444), (394, 136), (394, 336), (394, 540))
"""Where what belongs to a province begins."""
SHIELD, MARKS, SLOTS_AT = (0, 50), (134, (72, 128)), (162, 256)
CARD_TOP, CARD_SCALE = 48, 0.86
CAMPS = (58, 728)
"""How far down the camps of the far and the near side are."""
TRACK_TOP, SPACE = 828, 39


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
    for kind, name in enumerate(CARDS):
        signs: list[tuple[str, int]] = []
        if kind < BASIC:
            sort, number = "basic", kind + 1
            signs = [("back", 50)]
            if kind == 0:
                signs = [("back", 32), ("pair", 68)]
            elif kind == SIX:
                signs = [("back", 32), ("pole", 68)]
        elif name == "P":
            sort, number = "plague", 0
        elif name.startswith(("+", "-")):
            sort, number = ("more" if name[0] == "+" else "less"), int(name[1])
            costs = [("man", 64), ("man", 86)][: number - 1] if sort == "more" else []
            arrow = "up" if sort == "more" else "down"
            signs = [(arrow, 36 if costs else 50), *costs]
        else:
            sort, number = "high", kind + 1
            signs = [("sword", 50)]
        faces.append({"id": CARD_IDS[kind], "kind": sort, "number": number, "signs": signs})
    return faces


SYMBOLS = template(PACKAGE, "symbols.svg.jinja").render(
    cards=_card_faces(), lands=LANDS, burst=_burst()
)
STYLE = read(PACKAGE, "board.css")


# --- What is to be drawn ---


@dataclass(frozen=True)
class Facts:
    """What the view knows, as plain numbers."""

    viewer: int
    fields: Any
    phase: int
    step: int
    turn: int
    owed: int
    province: int
    may_act: bool

    @classmethod
    def of(cls, request: SceneRequest) -> Facts:
        """Read a view."""
        view, fields = request.view, request.view.fields
        mine = view.viewer == request.viewer and request.viewer in view.acting
        names = ("phase", "step", "turn", "owed")
        return cls(
            request.viewer,
            fields,
            *(int(fields[name]) for name in names),
            int(fields["province"]) - 1,
            mine and not view.over,
        )

    def board(self, seat: int, province: int) -> int:
        """Return a side's armies in a province."""
        return int(self.fields["board"][seat][province])

    def is_turned(self, province: int) -> bool:
        """Say whether the cards of a province lie open."""
        return bool(int(self.fields["done"]) >> province & 1)


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    facts = Facts.of(request)
    gestures = tuple(_gestures(request, facts))
    return Scene(
        svg=_board(request, facts),
        gestures=gestures,
        arrangement=_arrangement(request, facts),
        panels=tuple(_panels(request, facts)),
        text=request.view.diagram(request.language),
        status=_status(request, facts),
        hold=_hold(request.last[-1]) if request.last else LOOK,
    )


def _hold(happening: Happening) -> int:
    """Return how long what has just happened is worth being looked at, in milliseconds."""
    action = happening.action
    if action is None:
        return 0
    if TURN <= action < TURN + PROVINCES or action == PAWN:
        return READ
    if DRAW <= action < OPEN or EVENT <= action < DRAW or action in (COLLECT, ROUND):
        return GLANCE
    return LOOK


# --- Clicks ---


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    if viewer not in (BLUE, RED) or not 1 <= len(elements) <= 3:
        return None
    first, rest = elements[0], elements[1:]
    if first in HANDS:
        return _card_meant(view, HANDS.index(first), rest)
    if first in FRESH and not rest:
        return UNDER + max(FRESH.index(first) - BASIC, 0)
    if first[:1] == STRATEGY_LETTERS[viewer] and first[1:] in {"1", "2", "3", "4", "5"}:
        return _strategy_meant(view, viewer, int(first[1:]) - 1, rest)
    if rest:
        return None
    if first in ("pass", "reserve"):
        return PASS if first == "pass" else RESERVE
    if first == "aside":
        return "SUN-27"
    return _province_meant(view, PROVINCE_TOKENS.index(first)) if first in LANDS else None


def _card_meant(view: State, kind: int, rest: tuple[str, ...]) -> int | str | None:
    laying = view.fields["phase"] == LAYING
    if len(rest) == 1 and rest[0] in LANDS:
        return LAY + kind * PROVINCES + PROVINCE_TOKENS.index(rest[0])
    if kind < BASIC:
        return None if laying and not rest else "SUN-27"
    return REINFORCE + kind - BASIC if not laying or rest == ("aside",) else None


def _strategy_meant(
    view: State, viewer: int, strategy: int, rest: tuple[str, ...]
) -> int | str | None:
    places = [PROVINCE_TOKENS.index(element) for element in rest if element in LANDS]
    if len(places) < len(rest):
        return None
    fields = view.fields
    if fields["phase"] == CHOICE or (
        fields["phase"] == FIGHT and fields["step"] == SECOND_CARD
    ):
        return CHOOSE + strategy
    if strategy not in WHOLE_CHOICES[viewer]:
        return USE + strategy
    if viewer == BLUE and strategy == S1:
        steps = [step for step in STEPS if list(step[: len(places)]) == places]
        return MOVE + STEPS.index(steps[0]) if steps else "SUN-64"
    return (REMOVE if viewer == RED else ADD) + (places[0] if places else 0)


def _province_meant(view: State, province: int) -> int | None:
    if view.fields["owed"]:
        return ARMY + province
    return NAME + province if view.fields["phase"] == ORDER else None


def _gestures(request: SceneRequest, facts: Facts) -> Iterator[Gesture]:
    """Yield how each legal action is made, but for cards to be laid: they are arranged."""
    if not facts.may_act:
        return
    seat, language = facts.viewer, request.language
    secret = facts.phase in (CHOICE, LAYING, KEEPING)
    openly = (ORDER,) if facts.phase == ORDER else ()
    for action in request.view.legal_actions(seat):
        if action < REINFORCE:
            continue
        steps = tuple(Step("one", (element,)) for element in clicks_of(action, seat))
        final = not (secret or openly or action == RESERVE or ARMY <= action < USE)
        yield Gesture(action, steps, _label(action, seat, facts.phase, facts.owed, language), final)


def clicks_of(action: int, seat: int) -> tuple[str, ...]:
    """Return the elements that are clicked, in order, to take an action."""
    letter = STRATEGY_LETTERS[seat]
    if action < REINFORCE:
        kind, province = divmod(action - LAY, PROVINCES)
        return HANDS[kind], PROVINCE_TOKENS[province]
    if action < PASS:
        return HANDS[action - REINFORCE + BASIC], "aside"
    if action in (PASS, RESERVE):
        return ("pass" if action == PASS else "reserve",)
    if action < USE:
        return (PROVINCE_TOKENS[(action - NAME) if action < RESERVE else (action - ARMY)],)
    if action < REMOVE:
        return (f"{letter}{action - USE + 1}",)
    if action < ADD:
        return "K2", PROVINCE_TOKENS[action - REMOVE]
    if action < MOVE:
        return "S5", PROVINCE_TOKENS[action - ADD]
    if action < CHOOSE:
        origin, target = STEPS[action - MOVE]
        return "S1", PROVINCE_TOKENS[origin], PROVINCE_TOKENS[target]
    if action < UNDER:
        return (f"{letter}{action - CHOOSE + 1}",)
    return (FRESH[action - UNDER + BASIC],)


@lru_cache(2000)
def _label(action: int, seat: int, phase: int, owed: int, language: str) -> str:
    """Return what an action does, for lists and screen readers."""
    _ = translator(language, PACKAGE).gettext
    if action < PASS:
        card = card_name(action - REINFORCE + BASIC + 1, language)
        return _("Give {card} for good, and take back an army").format(card=card)
    if action == PASS:
        return _(_pass_text(phase, owed))
    if action < RESERVE:
        name = PROVINCE_NAMES[action - NAME]
        return _("Turn up {province} next").format(province=name)
    if action == RESERVE:
        return _("Take an army from the reserve")
    if action < USE:
        name = PROVINCE_NAMES[action - ARMY]
        return _("Take an army from {province}").format(province=name)
    if action < REMOVE:
        name = strategy_name(seat, action - USE, language)
        return _("Play {name}").format(name=name)
    if action < ADD:
        name = PROVINCE_NAMES[action - REMOVE]
        return _("K2: remove an army from {province}").format(province=name)
    if action < MOVE:
        name = PROVINCE_NAMES[action - ADD]
        return _("S5: add an army in {province}").format(province=name)
    if action < CHOOSE:
        origin, target = (PROVINCE_NAMES[place] for place in STEPS[action - MOVE])
        return _("S1: an army goes from {origin} to {target}").format(origin=origin, target=target)
    if action < UNDER:
        name = strategy_name(seat, action - CHOOSE, language)
        return _("Choose {name}").format(name=name)
    card = card_name(action - UNDER + BASIC + 1, language)
    return _("Put {card} under the deck").format(card=card)


def _pass_text(phase: int, owed: int) -> str:
    if owed:
        return N_("Take no further army")
    return N_("Ask for no more armies") if phase == FINAL else N_("Play no strategy card")


# --- Orders ---


def _arrangement(request: SceneRequest, facts: Facts) -> Arrangement | None:
    """Return the cards that may be laid, and the provinces that have none."""
    if not facts.may_act or facts.phase != LAYING:
        return None
    seat, fields = facts.viewer, facts.fields
    hand = tuple(fields["hand"][seat].tolist())
    free = tuple(p for p in range(PROVINCES) if not fields["laid"][seat][p])
    legal = frozenset(request.view.legal_actions(seat))
    barred = tuple(
        slot for slot, p in enumerate(free) if hand[SIX] and LAY + SIX * PROVINCES + p not in legal
    )
    return _orders(seat, hand, free, barred, request.language)


@lru_cache(500)
def _orders(
    seat: int, hand: tuple[int, ...], free: tuple[int, ...], barred: tuple[int, ...], language: str
) -> Arrangement:
    return Arrangement(
        slots=tuple(PROVINCE_TOKENS[province] for province in free),
        kinds=tuple(
            Kind(
                id=CARD_IDS[kind],
                symbol=f"suntzu-{SIDES[seat]}-{CARD_IDS[kind]}",
                label=card_name(kind + 1, language),
                count=hand[kind],
                action=LAY + kind * PROVINCES,
                element=HANDS[kind],
                barred=barred if kind == SIX else (),
            )
            for kind in range(KINDS)
            if hand[kind]
        ),
        empty=None,
        presets=(),
        mirror=(),
        offsets=free,
        spare=True,
    )


# --- The picture ---


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


def _board(request: SceneRequest, facts: Facts) -> str:
    lands = [_land(request, facts, province) for province in range(PROVINCES)]
    near = RED if facts.viewer == RED else BLUE
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
        rounds=range(1, LAST_ROUND + 1),
        track=_track(request, facts),
        event=_event(facts, request.language),
        words=_words(request.language),
        role="button" if playing else "img",
        slots=[[x for x in SLOTS_AT]],
        own=near,
        marked=MARKS,
        shown=request.view.plies,
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
    return {"reserve": _("reserve"), "aside": _("aside"), "round": _("Round")}


def _turned(request: SceneRequest) -> Happening | None:
    """Return when a province was turned up last, if the viewer has not decided since."""
    for happening in reversed(request.last):
        action = happening.action
        if action is not None and TURN <= action < TURN + PROVINCES:
            return happening
        if action in (COLLECT, ROUND):
            return None
    return None


def _land(request: SceneRequest, facts: Facts, province: int) -> Land:
    fields = facts.fields
    holder = next((seat for seat in range(2) if facts.board(seat, province)), -1)
    stand = int(fields["stands"][province]) - 1
    turned = _turned(request)
    is_fight = turned is not None and turned.action == TURN + province
    values = tuple(STANDS[stand].tolist()) if stand >= 0 else ()
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


def _state_of(facts: Facts, province: int, is_fight: bool) -> str:
    """Return whether a fight is in a province now, was there just now, or is over."""
    if facts.phase == FIGHT and facts.province == province:
        return "now"
    return "just" if is_fight else ""


def _points(request: SceneRequest, province: int) -> int:
    """Return what a province has just scored."""
    for happening in reversed(request.last):
        action = happening.action
        if action == SCORE + province:
            fields = happening.before.fields
            held = any(int(fields["board"][seat][province]) for seat in range(2))
            stand = int(fields["stands"][province]) - 1
            return int(STANDS[stand, (int(fields["turn"]) - 1) // 3]) if held else 0
        if action in (COLLECT, ROUND):
            return 0
    return 0


def _land_label(
    facts: Facts, province: int, values: tuple[int, ...], language: str
) -> str:
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
    return f"{PROVINCE_NAMES[province]}: {', '.join(parts)}"


def _camp(request: SceneRequest, facts: Facts, seat: int, *, mine: bool) -> Camp:
    fields, language = facts.fields, request.language
    _ = translator(language, PACKAGE).gettext
    name = seat_name(seat, language)
    reserve, aside = int(fields["reserve"][seat]), int(fields["aside"][seat])
    deck, hand = _deck(facts, seat), _hand_size(facts, seat)
    own = mine and facts.viewer == seat
    texts = (
        _("{side}: {count} armies in the reserve").format(side=name, count=reserve),
        _("{side}: {count} armies aside").format(side=name, count=aside),
        _("{side}: hand {hand}, deck {deck}, strategy cards {cards}").format(
            side=name, hand=hand, deck=deck, cards=int(fields["cards"][seat])
        ),
    )
    privilege = int(fields["privilege"]) == seat + 1
    cards = int(fields["cards"][seat])
    side, down = SIDES[seat], CAMPS[mine]
    return Camp(side, name, down, own, reserve, aside, hand, deck, cards, privilege, texts)


def _deck(facts: Facts, seat: int) -> int:
    """Return how many cards a side's deck has, those under it included."""
    fields = facts.fields
    known = int(fields["deck"][seat].sum()) + int(fields["tail_length"][seat])
    if facts.viewer == seat or fields["over"]:
        return known
    return _specials(fields) - int(fields["gone"][seat].sum()) - _unseen(fields, seat)


def _specials(fields: Any) -> int:
    from tianxia.games.suntzu.components import COPIES

    return int(COPIES[int(fields["options"]["deck"])].sum())


def _unseen(fields: Any, seat: int) -> int:
    """Return how many cards above 6 of a side are neither in its deck nor out of the game."""
    laid = [int(card) for card in fields["laid"][seat]]
    return int(fields["hidden"][seat]) + sum(card > BASIC for card in laid)


def _hand_size(facts: Facts, seat: int) -> int:
    """Return how many cards a side holds, as far as everybody can count."""
    fields = facts.fields
    laid = [int(card) for card in fields["laid"][seat]]
    if facts.viewer == seat or fields["over"]:
        return int(fields["hand"][seat].sum())
    down = sum(lies_unseen(fields, seat, p) and not laid[p] for p in range(PROVINCES))
    low = BASIC - sum(0 < card <= BASIC for card in laid)
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
        before = int(happening.before.fields["track"]) if happening.action == PAWN else before
    if track:
        side = seat_name(BLUE if track > 0 else RED, request.language)
        label = _("The silver pawn: {count} towards {side}").format(count=abs(track), side=side)
    else:
        label = _("The silver pawn stands in the middle")
    return Track(TRACK - track, TRACK - before, [abs(TRACK - n) for n in range(2 * TRACK + 1)], label)


def _event(facts: Facts, language: str) -> dict[str, Any] | None:
    """Return the event that lies open, and how many are still face down."""
    if not facts.fields["options"]["events"]:
        return None
    _ = translator(language, PACKAGE).gettext
    number = int(facts.fields["event"])
    left = int(facts.fields["events_left"]).bit_count()
    name = _(EVENT_NAMES[number - 1]) if number else _("no event lies open")
    return {"name": name, "left": left, "label": _("Event: {name}").format(name=name)}


# --- Beside the map ---


def _panels(request: SceneRequest, facts: Facts) -> Iterator[Panel]:
    _ = translator(request.language, PACKAGE).gettext
    if facts.viewer >= 0 and not request.view.over:
        yield Panel("hand", _("Your cards"), _hand(request, facts), "hand")
    if request.view.over:
        html = score_sheet(request.view, request.language)
        if html:
            yield Panel("sheet", _("How the points came about"), html, "under")
    yield Panel("played", _("Cards that are out of the game"), _played(request, facts), "side")


def _hand(request: SceneRequest, facts: Facts) -> str:
    """Return the viewer's cards, and the buttons that belong to no place on the map."""
    seat, fields, language = facts.viewer, facts.fields, request.language
    _ = translator(language, PACKAGE).gettext
    legal = request.view.legal_actions(seat) if facts.may_act else []
    held = [
        _card_shown(HANDS, kind, int(count), seat, language)
        for kind, count in enumerate(fields["hand"][seat])
        if count
    ]
    drawn = [
        _card_shown(FRESH, BASIC + kind, int(count), seat, language)
        for kind, count in enumerate(fields["drawn"][seat])
        if count
    ]
    return template(PACKAGE, "hand.html.jinja").render(
        prefix=request.prefix,
        side=SIDES[seat],
        cards=held,
        drawn=drawn,
        drawn_title=_("Just drawn") if facts.may_act else _("Goes under the deck"),
        strategies=list(_strategies(request, facts)),
        strategy_title=_("Strategy cards"),
        pass_text=_(_pass_text(facts.phase, facts.owed)) if PASS in legal else "",
        role="button",
    )


def _card_shown(
    elements: tuple[str, ...], kind: int, count: int, seat: int, language: str
) -> dict[str, Any]:
    _ = translator(language, PACKAGE).gettext
    name = card_name(kind + 1, language)
    label = name if count == 1 else _("{card}, {count} of them").format(card=name, count=count)
    symbol = f"suntzu-{SIDES[seat]}-{CARD_IDS[kind]}"
    return {"e": elements[kind], "symbol": symbol, "count": count, "label": label}


def _strategies(request: SceneRequest, facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the viewer's strategy cards: those held, or among which to choose; those spent."""
    seat, fields = facts.viewer, facts.fields
    _ = translator(request.language, PACKAGE).gettext
    legal = request.view.legal_actions(seat) if facts.may_act else []
    held, spent = int(fields["strategy"][seat]), int(fields["spent"][seat])
    for strategy in range(STRATEGIES):
        offered = CHOOSE + strategy in legal
        if offered or (held | spent) >> strategy & 1:
            code = f"{STRATEGY_LETTERS[seat]}{strategy + 1}"
            text = _(STRATEGY_TEXTS[seat][strategy])
            gone = bool(spent >> strategy & 1)
            label = f"{code}: {text}" + (f" ({_('played')})" if gone else "")
            yield {"e": code, "code": code, "text": text, "gone": gone, "label": label}


def _played(request: SceneRequest, facts: Facts) -> str:
    """Return the cards that have left the game, and what is known of decks."""
    _ = translator(request.language, PACKAGE).gettext
    rows = []
    for seat in range(2):
        gone = [
            (f"suntzu-{SIDES[seat]}-{CARD_IDS[BASIC + kind]}", card_name(BASIC + kind + 1, request.language))
            for kind, count in enumerate(facts.fields["gone"][seat])
            for _i in range(int(count))
        ]
        spent = int(facts.fields["spent"][seat])
        codes = [f"{STRATEGY_LETTERS[seat]}{s + 1}" for s in range(STRATEGIES) if spent >> s & 1]
        under = [
            card_name(int(card) & ~SHOWN, request.language) if card else "?"
            for card in facts.fields["tail"][seat][: int(facts.fields["tail_length"][seat])]
        ]
        rows.append({"name": seat_name(seat, request.language), "gone": gone, "codes": codes, "under": under})
    words = {
        "none": _("none yet"),
        "under": _("under the deck"),
        "codes": _("strategy cards played"),
    }
    return template(PACKAGE, "played.html.jinja").render(rows=rows, words=words)


# --- Whose turn it is ---


def _status(request: SceneRequest, facts: Facts) -> str:
    view, language = request.view, request.language
    _ = translator(language, PACKAGE).gettext
    if view.over:
        if facts.phase != END:
            return ""
        won = int(facts.fields["winner"])
        reason = "" if won == DRAWN_GAME else _(ENDS[int(facts.fields["reason"])])
        return f"{outcome(view, language)} {reason}".strip()
    told = _told(request, facts)
    if facts.may_act:
        return f"{told} {_asked(request, facts)}".strip()
    return f"{told} {_awaited(request, facts)}".strip()


def _told(request: SceneRequest, facts: Facts) -> str:
    """Return what has happened last; in a fight, the fight."""
    if not request.last or facts.phase in (LAYING, CHOICE, KEEPING) and facts.may_act:
        return ""
    newest = request.last[-1]
    if newest.seat == facts.viewer and newest.action is not None and newest.action < PASS:
        return ""
    turned = _turned(request)
    first = turned.sentence if facts.phase == FIGHT and turned else ""
    return first if newest is turned else f"{first} {newest.sentence}".strip()


def _asked(request: SceneRequest, facts: Facts) -> str:
    """Return what the viewer is asked to do."""
    _ = translator(request.language, PACKAGE).gettext
    if facts.owed:
        return _owed(request, facts)
    if facts.phase == FIGHT:
        if facts.step == SECOND_CARD:
            return _("Choose a second strategy card; nobody sees which.")
        name = strategy_name(facts.viewer, _asked_card(facts), request.language)
        return _("You are asked for {name}: play it if you hold it, or decline.").format(name=name)
    return _(ASKED[facts.phase])


ASKED = {
    CHOICE: N_("Choose the strategy card that you keep; the other four leave the game."),
    LAYING: N_("Lay a card in each province: click a card, then a province, or drag it there."),
    BEFORE: N_("Before the fights: play a strategy card, or decline."),
    AFTER: N_("After the fights: play a strategy card, or decline."),
    ORDER: N_("You decide the order: click the province that is turned up next."),
    KEEPING: N_("Of the cards just drawn, click the one that goes under your deck."),
    FINAL: N_("The track is level: give cards for armies, or go without."),
}
AWAITED = {
    CHOICE: N_("{side} chooses a strategy card."),
    LAYING: N_("{side} lays five cards in secret."),
    BEFORE: N_("{side} may play a strategy card."),
    AFTER: N_("{side} may play a strategy card."),
    ORDER: N_("{side} decides which province is turned up next."),
    FIGHT: N_("{side} may play a strategy card."),
    KEEPING: N_("{side} chooses among the cards drawn."),
    FINAL: N_("{side} may give cards for armies."),
}


def _asked_card(facts: Facts) -> int:
    """Return the strategy card that this step of a fight is about."""
    if facts.step in (RECYCLE_FIRST, RECYCLE_SECOND):
        return S4 if facts.viewer == BLUE else K5
    return {ASK_S2: S2, ASK_K4: K4, ASK_K3: K3}[facts.step]


def _owed(request: SceneRequest, facts: Facts) -> str:
    """Return for what the viewer has to find armies, and where he may."""
    _ = translator(request.language, PACKAGE).gettext
    if facts.phase != FIGHT:
        text = _("Your reserve is empty: give a card for an army, or go without.")
    elif facts.step == PLACE:
        text = _("Your reserve is too small: from where does the next army come? Still to place: {n}.")
    elif facts.step in (MARK_FIRST, MARK_SECOND):
        text = _("Your reserve is empty: from where does the army for the mark come?")
    elif facts.step in (COST_FIRST, COST_SECOND):
        text = _("Your card costs armies: click your reserve or a province. Still to pay: {n}.")
    else:
        text = _("The event takes armies: click your reserve or a province. Still to pay: {n}.")
    legal = request.view.legal_actions(facts.viewer)
    if any(REINFORCE <= action < PASS for action in legal):
        text += " " + _("Or give a card: click it, then your armies aside.")
    return text.format(n=facts.owed)


def _awaited(request: SceneRequest, facts: Facts) -> str:
    """Return for whom all wait, and for what."""
    _ = translator(request.language, PACKAGE).gettext
    acting = request.view.acting
    if not acting:
        return ""
    if len(acting) > 1:
        return _("Both choose in secret.")
    side = _(IN_SENTENCES[acting[0]])
    if facts.owed:
        return _("{side} chooses where armies come from.").format(side=side)
    if facts.phase == LAYING and facts.viewer >= 0:
        return _("Your five cards lie. {side} is still laying.").format(side=side)
    return _(AWAITED[facts.phase]).format(side=side)
