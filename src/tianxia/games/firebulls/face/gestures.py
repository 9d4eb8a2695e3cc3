"""How actions of Fire Bulls are made on a page, and what clicks mean.

Elements: ``d1`` to ``d5`` directions, ``p0`` to ``p8`` places of the rows, ``general``,
``deck``; ``reserve-b``, ``hand-b``, ``won-Sb`` a kind of card in the Reserve, in one's hand,
in one's Victory pile; the buttons ``left``, ``stay``, ``right``, ``stop``, ``use``, ``decline``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Gesture, SceneRequest, Step
from tianxia.games.firebulls.face.words import (
    attack_name,
    cards_in_words,
    point_name,
    seat_name,
)
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import state as s
from tianxia.games.firebulls.rules.components import TAKEN_WITH
from tianxia.games.firebulls.rules.notation import LETTERS, POINT_SYMBOLS
from tianxia.games.firebulls.rules.rows import next_gap

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
ALONG = tuple(f"d{direction}" for direction in range(1, c.DIRECTIONS + 1))
AT = tuple(f"p{place}" for place in range(c.PLACES))
IN_RESERVE = tuple(f"reserve-{letter}" for letter in LETTERS)
IN_HAND = tuple(f"hand-{letter}" for letter in LETTERS)
IN_VICTORY = tuple(f"won-{symbol}" for symbol in POINT_SYMBOLS)
BUTTONS = {
    "left": c.LEFT,
    "stay": c.STAY,
    "right": c.RIGHT,
    "stop": c.STOP,
    "use": c.USE,
    "decline": c.DECLINE,
    "deck": c.DRAW,
}
SINGLE = {
    **BUTTONS,
    **{name: c.TAKE + kind for kind, name in enumerate(IN_RESERVE)},
    **{name: c.FEE + kind for kind, name in enumerate(IN_VICTORY)},
}
"""Elements that mean one action wherever they are clicked."""
STEPS = {"left": -1, "stay": 0, "right": 1}
PAWN_MOVES = (c.LEFT, c.RIGHT)
"""What a pawn does that moves."""
POWER_TEXTS = {
    c.BO: N_("Use the Bo’s power: draw an attack card"),
    c.COLONEL: N_("Use the Colonel’s power: every opponent loses a random card"),
    c.GENERAL: N_("Use the General’s power: take a random card from every opponent"),
}


# --- What lies where ---


def nearest(view: State, direction: int) -> int | None:
    """Return the place of the nearest card along a direction; gaps are skipped."""
    rows = view.fields["rows"]
    return next((int(place) for place in c.LINE[direction] if rows[place]), None)


def target(view: State, direction: int) -> int | None:
    """Return the kind that an attack along a direction (or on the General) meets next."""
    if direction == c.AT_GENERAL:
        return c.GENERAL if view.fields["general"] == s.ASIDE else None
    place = nearest(view, direction)
    return None if place is None else int(view.fields["rows"][place]) - 1


def in_reach(view: State, seat: int) -> list[int]:
    """Return the directions along which a seat can attack, its own first."""
    pawn = int(view.fields["pawns"][seat])
    near = [pawn, pawn - 1, pawn + 1]
    return [direction for direction in near if 1 <= direction <= c.DIRECTIONS]


def earlier(view: State, seat: int) -> Counter[int]:
    """Return the point cards that a seat won before this turn, by kind."""
    pile = Counter(dict(enumerate(view.fields["victory"][seat].tolist())))
    if seat == view.fields["active"]:
        pile.subtract(kind - 1 for kind in view.fields["won"].tolist() if kind)
    return +pile


def obvious(view: State, seat: int) -> int | None:
    """Return the fee for a Warrior where only cards of one kind can be given up."""
    if view.fields["phase"] != s.FEE_DUE:
        return None
    kinds = list(earlier(view, seat))
    return c.FEE + kinds[0] if len(kinds) == 1 else None


def last_won(view: State) -> int:
    """Return the kind of the card won last in this turn."""
    return int([kind for kind in view.fields["won"].tolist() if kind][-1]) - 1


# --- Gestures ---


def gestures(request: SceneRequest) -> tuple[Gesture, ...]:
    """Return one gesture for each legal action of the viewer."""
    if not request.acts:
        return ()
    view, seat = request.view, request.viewer
    actions = view.legal_actions(seat)
    found = [_gesture(view, seat, action, request.language) for action in actions]
    pawn = f"#{request.prefix}w{seat}"
    return tuple(replace(one, puts=pawn) if one.action in PAWN_MOVES else one for one in found)


def _gesture(view: State, seat: int, action: int, language: str) -> Gesture:
    match c.ACTIONS.split(action):
        case "attack", direction, payment:
            steps = (Step("one", _aims(view, direction)), Step("set", _cards(payment)))
            text = attack_label(view, seat, direction, payment, language)
            return Gesture(action, steps, text, True, True)
    step = Step("one", _elements(view, seat, action))
    fee = c.kind_of(action) == c.FEE
    return Gesture(action, (step,), label(view, seat, action, language), final=True, preview=fee)


def _aims(view: State, direction: int) -> tuple[str, ...]:
    if direction == c.AT_GENERAL:
        return ("general",)
    place = nearest(view, direction)
    return (ALONG[direction - 1], AT[place or 0])


def touched(view: State, action: int) -> tuple[str, ...]:
    """Return the places, piles and cards that an action is about."""
    match c.ACTIONS.split(action):
        case "attack", direction, _:
            return _aims(view, direction)
        case ("left" | "stay" | "right" as way,):
            pawn = int(view.fields["pawns"][int(view.fields["active"])])
            return (ALONG[pawn - 1 + STEPS[way]],)
        case "place", direction:
            return (ALONG[direction - 1],)
        case "take" | "drop", card:
            return (IN_RESERVE[card],)
        case "card", card:
            return (
                ("deck", IN_RESERVE[card]) if view.fields["phase"] == s.RESERVE_DRAW else ("deck",)
            )
        case ("draw" | "shuffle",):
            return ("deck",)
        case "reveal", kind:
            return ("general",) if kind == c.GENERAL else (AT[int(next_gap(view.fields))],)
        case ("slide",):
            return tuple(AT[place] for place in range(c.PLACES) if view.fields["rows"][place])
        case "steal", card:
            return (IN_HAND[card],)
    return ()


def _cards(payment: int) -> tuple[str, ...]:
    counts = c.PAYMENT[payment].tolist()
    return tuple(IN_HAND[kind] for kind, count in enumerate(counts) for _ in range(count))


def _elements(view: State, seat: int, action: int) -> tuple[str, ...]:
    """Return where an action of one click can be clicked."""
    kind, *arguments = c.ACTIONS.split(action)
    if kind == "drop":
        return (IN_HAND[arguments[0]],)
    name = next(name for name, meant in SINGLE.items() if meant == action)
    if kind in STEPS:
        return (name, ALONG[int(view.fields["pawns"][seat]) - 1 + STEPS[kind]])
    return (name,)


# --- Labels ---


def label(view: State, seat: int, action: int, language: str) -> str:
    """Return what an action of one click does, as its player reads it."""
    _ = translator(language, PACKAGE).gettext
    match c.ACTIONS.split(action):
        case "take", card:
            return _("Take from the Reserve: {card}").format(card=attack_name(card, language))
        case ("left" | "right" as way,):
            return _step_label(view, seat, STEPS[way], language)
        case ("use",):
            return _(POWER_TEXTS[last_won(view)])
        case "fee", card:
            text = _("Give up for a Warrior: {card}, {points}")
            points = points_in_words(view, card, seat, language)
            return text.format(card=point_name(card, language), points=points)
        case "drop", card:
            return _("Put into the Reserve: {card}").format(card=attack_name(card, language))
    return {
        c.DRAW: _("Draw the top card of the deck unseen"),
        c.STAY: _("Stay here"),
        c.STOP: _("End the attack"),
        c.DECLINE: _("Do without the power"),
    }[action]


def _step_label(view: State, seat: int, step: int, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    pawns = view.fields["pawns"].tolist()
    there = pawns[seat] + step
    if there not in pawns:
        return _("To direction {direction}").format(direction=there)
    other = seat_name(view, pawns.index(there), language)
    text = _("To {direction}: swap with {seat}")
    return text.format(direction=there, seat=other)


def attack_label(view: State, seat: int, direction: int, payment: int, language: str) -> str:
    """Return what an attack pays and wins, before it is made."""
    _ = translator(language, PACKAGE).gettext
    kind = target(view, direction)
    cards = c.PAYMENT[payment].tolist()
    if view.fields["phase"] == s.NEXT_CARD:
        text = _("Go on. You lay: {cards}. You win: {card}, {points}.")
    elif direction == c.AT_GENERAL:
        text = _("Attack the General. You lay: {cards}. You win: {points}.")
    elif direction == view.fields["pawns"][seat]:
        text = _("Attack along direction {direction}. You lay: {cards}. You win: {card}, {points}.")
    else:
        text = _("Deviate to direction {direction}. You lay: {cards}. You win: {card}, {points}.")
    told = text.format(
        direction=direction,
        cards=cards_in_words(cards, language),
        card=point_name(kind or 0, language),
        points=points_in_words(view, kind or 0, seat, language),
    )
    if cards[c.WARRIOR] and earlier(view, seat):
        told += " " + _("Each Warrior will cost you a point card won earlier.")
    return told


def points_in_words(view: State, kind: int, seat: int, language: str) -> str:
    """Return what a point card brings to a seat, its colour's point included."""
    words = translator(language, PACKAGE)
    value = int(c.VALUE[kind])
    text = words.ngettext("{n} point", "{n} points", value).format(n=value)
    if seat >= 0 and c.HAS_COLOUR[kind, view.game.colours[seat]]:
        text = words.gettext("{points} and 1 for your colour").format(points=text)
    return text


# --- What clicks mean ---


def meant(view: State, viewer: int, elements: Sequence[str]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    if viewer < 0 or not elements:
        return None
    first, cards = elements[0], elements[1:]
    if view.fields["phase"] == s.STEP and first in ALONG:
        return _step(view, viewer, ALONG.index(first) + 1)
    if first in SINGLE:
        return SINGLE[first]
    if first in IN_HAND:
        return "FBL-25" if view.fields["phase"] == s.TURN else c.DROP + IN_HAND.index(first)
    aims = _directions(view, viewer, first)
    if isinstance(aims, str | None):
        return aims
    meanings = [_attack(view, viewer, direction, cards) for direction in aims]
    legal = [action for action in meanings if isinstance(action, int) and _legal(view, action)]
    return (legal or meanings)[0]


def _legal(view: State, action: int) -> bool:
    seat = view.viewer
    return seat is not None and seat in view.acting and view.refusal(action, seat) is None


def _step(view: State, seat: int, direction: int) -> int | str:
    step = direction - int(view.fields["pawns"][seat])
    return next((c.ACTIONS.join(way) for way, one in STEPS.items() if one == step), "FBL-20")


def _directions(view: State, seat: int, element: str) -> list[int] | str | None:
    """Return the directions that an element can mean, or why it means none."""
    if element in ALONG:
        return [ALONG.index(element) + 1]
    if element == "general":
        return [c.AT_GENERAL]
    if element not in AT:
        return None
    place = AT.index(element)
    if view.fields["phase"] == s.NEXT_CARD:
        now = int(view.fields["direction"])
        return [now] if nearest(view, now) == place else "FBL-24"
    reach = in_reach(view, seat)
    aims = [direction for direction in reach if nearest(view, direction) == place]
    if aims:
        return aims
    behind = any(place in c.LINE[direction] for direction in reach)
    corner = len(reach) == 2
    return "FBL-30" if behind else "FBL-35" if corner else "FBL-33"


def _attack(view: State, seat: int, direction: int, elements: Sequence[str]) -> int | str:
    """Return an attack with these cards; without any, one that shows what forbids it."""
    refused = view.refusal(c.attack(direction, 0), seat)
    kind = target(view, direction)
    if kind is None or refused in ("FBL-17", "FBL-18", "FBL-24", "FBL-33", "FBL-35", "FBL-44"):
        return c.attack(direction, 0)
    laid = Counter(elements)
    if not laid:
        return f"FBL-{TAKEN_WITH[kind]:02d}"
    payment = c.NUMBER_OF_PAYMENT.get(tuple(laid[name] for name in IN_HAND))
    return "FBL-25" if payment is None else c.attack(direction, payment)
