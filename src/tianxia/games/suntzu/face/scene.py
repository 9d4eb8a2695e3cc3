"""Sun Tzu on a page: the map as a picture, orders as an arrangement, all else as clicks.

Elements: provinces by their tokens (``Qin``, ``JinYan``), cards of the hand (``card-7``,
``card-p2`` for +2, ``card-m1``, ``card-P``), cards just drawn (``drawn-7``), strategy cards
(``S1`` … ``K5``), the viewer's own ``reserve`` and armies ``aside``, and ``pass``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from tianxia.draw.languages import translator
from tianxia.draw.scene import Arrangement, Gesture, Kind, Scene, SceneRequest, Step
from tianxia.games.suntzu.face.facts import CARD_IDS, FRESH, HANDS, PACKAGE, SIDES, Facts, pass_text
from tianxia.games.suntzu.face.panels import panels
from tianxia.games.suntzu.face.picture import LANDS, STYLE, SYMBOLS, board, staged
from tianxia.games.suntzu.face.plates import plates
from tianxia.games.suntzu.face.prompts import status, told
from tianxia.games.suntzu.face.sheet import sources
from tianxia.games.suntzu.face.words import (
    PROVINCE_NAMES,
    PROVINCE_TOKENS,
    STRATEGY_LETTERS,
    card_name,
    strategy_name,
)
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.state import CHOICE, FIGHT, KEEPING, LAYING, ORDER, SECOND_CARD

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening
    from tianxia.kernel.state import State

__all__ = ["STYLE", "SYMBOLS", "meant", "scene", "sources", "touched_by"]

WHOLE_CHOICES = (c.S1, c.S5), (c.K2,)
"""Strategy cards of each side that need a province."""

# Milliseconds for which a step is held when what has happened is shown step by step.
READ, LOOK, GLANCE = 2600, 1200, 600


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    facts = Facts.of(request)
    gestures = tuple(_gestures(request, facts))
    return Scene(
        svg=board(request, facts),
        gestures=gestures,
        arrangement=_arrangement(request, facts),
        panels=tuple(panels(request, facts)),
        text=request.view.diagram(request.language),
        status=status(request, facts),
        told=told(request, facts),
        plates=plates(request, facts),
        hold=_hold(request.last[-1]) if request.last else LOOK,
        stage=staged(request, facts),
    )


def _hold(happening: Happening) -> int:
    """Return how long what has just happened is worth being looked at, in milliseconds."""
    action = happening.action
    if action is None:
        return 0
    kind = c.kind_of(action)
    if kind in (c.TURN, c.PAWN):
        return READ
    return GLANCE if kind in (c.DRAW, c.EVENT, c.COLLECT, c.ROUND) else LOOK


# --- Clicks ---


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    if viewer not in (c.BLUE, c.RED) or not 1 <= len(elements) <= 3:
        return None
    first, rest = elements[0], elements[1:]
    if first in HANDS:
        return _card_meant(view, HANDS.index(first), rest)
    if first in FRESH and not rest:
        return c.UNDER + max(FRESH.index(first) - c.BASIC, 0)
    if first[:1] == STRATEGY_LETTERS[viewer] and first[1:] in {"1", "2", "3", "4", "5"}:
        return _strategy_meant(view, viewer, int(first[1:]) - 1, rest)
    if rest:
        return None
    if first in ("pass", "reserve"):
        return c.PASS if first == "pass" else c.RESERVE
    if first == "aside":
        return "SUN-27"
    return _province_meant(view, PROVINCE_TOKENS.index(first)) if first in LANDS else None


def _card_meant(view: State, kind: int, rest: tuple[str, ...]) -> int | str | None:
    secret = view.fields["phase"] == LAYING
    if len(rest) == 1 and rest[0] in LANDS:
        return int(c.laying(kind, PROVINCE_TOKENS.index(rest[0])))
    if kind < c.BASIC:
        return None if secret and not rest else "SUN-27"
    return c.REINFORCE + kind - c.BASIC if not secret or rest == ("aside",) else None


def _strategy_meant(
    view: State, viewer: int, strategy: int, rest: tuple[str, ...]
) -> int | str | None:
    places = [PROVINCE_TOKENS.index(element) for element in rest if element in LANDS]
    if len(places) < len(rest):
        return None
    fields = view.fields
    if fields["phase"] == CHOICE or (fields["phase"] == FIGHT and fields["step"] == SECOND_CARD):
        return c.CHOOSE + strategy
    if strategy not in WHOLE_CHOICES[viewer]:
        return c.USE + strategy
    if viewer == c.BLUE and strategy == c.S1:
        steps = [step for step in c.STEPS if list(step[: len(places)]) == places]
        return c.MOVE + c.STEPS.index(steps[0]) if steps else "SUN-64"
    return (c.REMOVE if viewer == c.RED else c.ADD) + (places[0] if places else 0)


def _province_meant(view: State, province: int) -> int | None:
    if view.fields["owed"]:
        return c.ARMY + province
    return c.NAME + province if view.fields["phase"] == ORDER else None


def _gestures(request: SceneRequest, facts: Facts) -> Iterator[Gesture]:
    """Yield how each legal action is made, but for cards to be laid: they are arranged."""
    if not facts.may_act:
        return
    seat, language = facts.viewer, request.language
    secret = facts.phase in (CHOICE, LAYING, KEEPING)
    openly = (ORDER,) if facts.phase == ORDER else ()
    for action in request.view.legal_actions(seat):
        if c.kind_of(action) == c.LAY:
            continue
        steps = tuple(Step("one", (element,)) for element in clicks_of(action, seat))
        final = not (secret or openly or c.kind_of(action) in (c.RESERVE, c.ARMY))
        label = _label(action, seat, facts.phase, facts.owed, language)
        yield Gesture(action, steps, label, final, puts=_arriving(action, seat))


def _arriving(action: int, seat: int) -> str:
    """Return how an army is drawn that an action brings to a province."""
    arrives = c.ACTIONS.split(action)[0] in ("add", "move")
    return f"suntzu-army-{SIDES[seat]}" if arrives else ""


def clicks_of(action: int, seat: int) -> tuple[str, ...]:
    """Return the elements that are clicked, in order, to take an action."""
    match c.ACTIONS.split(action):
        case "lay", kind, province:
            return HANDS[kind], PROVINCE_TOKENS[province]
        case "reinforce", special:
            return HANDS[c.BASIC + special], "aside"
        case "name" | "army", province:
            return (PROVINCE_TOKENS[province],)
        case "use" | "choose", strategy:
            return (f"{STRATEGY_LETTERS[seat]}{strategy + 1}",)
        case "remove", province:
            return "K2", PROVINCE_TOKENS[province]
        case "add", province:
            return "S5", PROVINCE_TOKENS[province]
        case "move", step:
            return ("S1", *(PROVINCE_TOKENS[place] for place in c.STEPS[step]))
        case "under", special:
            return (FRESH[c.BASIC + special],)
    return c.ACTIONS.split(action)[:1]  # pass, reserve


def touched_by(action: int) -> tuple[str, ...]:
    """Return the provinces that an action is about."""
    match c.ACTIONS.split(action):
        case "lay", _, province:
            return (PROVINCE_TOKENS[province],)
        case "turn" | "name" | "army" | "remove" | "add" | "score", province:
            return (PROVINCE_TOKENS[province],)
        case "move", step:
            return tuple(PROVINCE_TOKENS[place] for place in c.STEPS[step])
    return ()


@lru_cache(2000)
def _label(action: int, seat: int, phase: int, owed: int, language: str) -> str:
    """Return what an action does, for lists and screen readers."""
    _ = translator(language, PACKAGE).gettext
    match c.ACTIONS.split(action):
        case ("pass",):
            return _(pass_text(phase, owed))
        case ("reserve",):
            return _("Take an army from the reserve")
        case "move", step:
            origin, target = (PROVINCE_NAMES[place] for place in c.STEPS[step])
            text = _("S1: an army goes from {origin} to {target}")
            return text.format(origin=origin, target=target)
        case "use" | "choose" as kind, strategy:
            text = _("Play {name}") if kind == "use" else _("Choose {name}")
            return text.format(name=strategy_name(seat, strategy, language))
        case "reinforce" | "under" as kind, special:
            text = _("Put {card} under the deck")
            if kind == "reinforce":
                text = _("Give {card} for good, and take back an army")
            return text.format(card=card_name(c.BASIC + special + 1, language))
    kind, province = c.ACTIONS.split(action)
    text = {
        "name": _("Turn up {province} next"),
        "army": _("Take an army from {province}"),
        "remove": _("K2: remove an army from {province}"),
        "add": _("S5: add an army in {province}"),
    }[kind]
    return text.format(province=PROVINCE_NAMES[province])


# --- Orders ---


def _arrangement(request: SceneRequest, facts: Facts) -> Arrangement | None:
    """Return the cards that may be laid, and the provinces that have none."""
    if not facts.may_act or facts.phase != LAYING:
        return None
    seat, fields = facts.viewer, facts.fields
    hand = tuple(fields["hand"][seat].tolist())
    free = tuple(p for p in range(c.PROVINCES) if not fields["laid"][seat][p])
    legal = frozenset(request.view.legal_actions(seat))
    barred = tuple(
        slot for slot, p in enumerate(free) if hand[c.SIX] and c.laying(c.SIX, p) not in legal
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
                action=c.laying(kind, 0),
                element=HANDS[kind],
                barred=barred if kind == c.SIX else (),
            )
            for kind in range(c.KINDS)
            if hand[kind]
        ),
        empty=None,
        presets=(),
        mirror=(),
        offsets=free,
        spare=True,
    )
