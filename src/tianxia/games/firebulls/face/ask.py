"""What rows, pawns and cards of Fire Bulls say when they are asked.

Point cards tell what they cost, what they bring, what lies in the way and whether the
viewer's hand can take them; attack cards, which cards on the table they help to take.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tianxia.draw.asking import Answer, Fact, Question
from tianxia.draw.languages import translator
from tianxia.games.firebulls.face import gestures
from tianxia.games.firebulls.face.costs import cost_in_words
from tianxia.games.firebulls.face.words import (
    attack_name,
    cards_in_words,
    point_name,
    seat_name,
)
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules.attack import can_pay
from tianxia.games.firebulls.rules.components import TAKEN_WITH
from tianxia.games.firebulls.rules.state import ASIDE

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
BUTTON_RULES = {
    "left": ("FBL-20", "FBL-21", "FBL-22"),
    "stay": ("FBL-20",),
    "right": ("FBL-20", "FBL-21", "FBL-22"),
    "stop": ("FBL-30",),
    "use": ("FBL-10",),
    "decline": ("FBL-10",),
}


def answer(question: Question) -> Answer | None:
    """Return what an element is; None where it is none of this game."""
    element, view = question.element, question.view
    if element in gestures.AT:
        kind = int(view.fields["rows"][gestures.AT.index(element)]) - 1
        return _point_card(question, kind, gestures.AT.index(element)) if kind >= 0 else None
    if element == "general":
        aside = view.fields["general"] == ASIDE
        return _point_card(question, c.GENERAL, None) if aside else None
    if element in gestures.ALONG:
        return _direction(question, gestures.ALONG.index(element) + 1)
    for names in (gestures.IN_HAND, gestures.IN_RESERVE):
        if element in names:
            return _attack_card(question, names.index(element))
    if element in gestures.IN_VICTORY:
        return _won(question, gestures.IN_VICTORY.index(element))
    return _other(question)


# --- Point cards ---


def _point_card(question: Question, kind: int, place: int | None) -> Answer:
    language, seat, view = question.language, question.viewer, question.view
    _ = translator(language, PACKAGE).gettext
    facts = [
        Fact(_("Worth"), gestures.points_in_words(view, kind, seat, language)),
        Fact(_("Taken with"), cost_in_words(kind, language)),
        *_ways(question, place),
    ]
    if seat >= 0 and not view.over:
        facts.append(Fact(_("Your hand"), _hand(view, seat, kind, language)))
    if kind in gestures.POWER_TEXTS:
        facts.append(Fact(_("Power"), _(gestures.POWER_TEXTS[kind])))
    facts += _deal(question, kind, place)
    statements = [f"FBL-{TAKEN_WITH[kind]:02d}", "FBL-25"]
    if kind in (c.BO, c.COLONEL, c.GENERAL):
        statements.append("FBL-10")
    if kind == c.GENERAL:
        statements.append("FBL-44")
    return Answer(point_name(kind, language), tuple(facts), tuple(statements))


def _hand(view: State, seat: int, kind: int, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    if not can_pay(view.fields, seat, kind):
        return _("does not suffice")
    hand = view.fields["hands"][seat]
    ways = [cards for way, cards in enumerate(c.PAYMENT) if c.ACCEPTS[kind, way]]
    payable = [cards for cards in ways if (cards <= hand).all()]
    fewest = min(payable, key=lambda cards: (int(cards[c.WARRIOR]), int(cards.sum())))
    return _("suffices: {cards}").format(cards=cards_in_words(fewest.tolist(), language))


def _ways(question: Question, place: int | None) -> Iterator[Fact]:
    """Yield along which directions the viewer's pawn reaches a card, and what lies before it."""
    view, seat = question.view, question.viewer
    if place is None or seat < 0 or not view.fields["pawns"][seat]:
        return
    words = translator(question.language, PACKAGE)
    _ = words.gettext
    for direction in gestures.in_reach(view, seat):
        line = [int(spot) for spot in c.LINE[direction] if view.fields["rows"][spot]]
        if place not in line:
            continue
        direct = direction == view.fields["pawns"][seat]
        name = _("Along {direction}, straight") if direct else _("Along {direction}, aside")
        before = line[: line.index(place)]
        if len(before) >= (c.DIRECT if direct else c.DEVIATED):
            text = _("too far: you take two cards at most")
        elif before:
            kinds = [int(view.fields["rows"][spot]) - 1 for spot in before]
            cards = ", ".join(point_name(kind, question.language) for kind in kinds)
            text = _("after {cards}").format(cards=cards)
        else:
            text = _("the first card")
        yield Fact(name.format(direction=direction), text)


def _deal(question: Question, kind: int, place: int | None) -> Iterator[Fact]:
    """Yield what the attack that is chosen costs and gains, where it takes this card."""
    action, view, seat = question.action, question.view, question.viewer
    if action is None or c.kind_of(action) != c.ATTACK:
        return
    words = translator(question.language, PACKAGE)
    _ = words.gettext
    _kind, direction, payment = c.ACTIONS.split(action)
    if gestures.target(view, direction) != kind or (
        direction != c.AT_GENERAL and gestures.nearest(view, direction) != place
    ):
        return
    cards = c.PAYMENT[payment].tolist()
    yield Fact(_("You lay"), "", cards_in_words(cards, question.language))
    left = int(view.fields["hand_sizes"][seat]) - sum(cards)
    yield Fact(
        _("Cards in your hand"),
        str(int(view.fields["hand_sizes"][seat])),
        words.ngettext("{n} card", "{n} cards", left).format(n=left),
    )
    now = int(view.scores()[seat])
    fee = min(cards[c.WARRIOR], sum(gestures.earlier(view, seat).values()))
    gain = gestures.points_in_words(view, kind, seat, question.language)
    yield Fact(_("Your points"), str(now), _("{now}, and {gain}").format(now=now, gain=gain))
    if fee:
        text = words.ngettext(
            "{n} point card won earlier", "{n} point cards won earlier", fee
        ).format(n=fee)
        yield Fact(_("For Warriors you give up"), "", text)


# --- Directions ---


def _direction(question: Question, direction: int) -> Answer:
    view, language = question.view, question.language
    _ = translator(language, PACKAGE).gettext
    pawns = view.fields["pawns"].tolist()
    who = seat_name(view, pawns.index(direction), language) if direction in pawns else _("nobody")
    line = [int(spot) for spot in c.LINE[direction] if view.fields["rows"][spot]]
    names = [point_name(int(view.fields["rows"][spot]) - 1, language) for spot in line]
    facts = [
        Fact(_("Pawn"), who),
        Fact(_("Cards in line"), ", ".join(names) or _("none")),
    ]
    if question.viewer >= 0 and pawns[question.viewer]:
        away = abs(pawns[question.viewer] - direction)
        texts = (_("straight: up to three cards"), _("aside: two cards at most"))
        facts.append(Fact(_("For you"), texts[away] if away < 2 else _("out of reach")))
    title = _("Direction {direction}").format(direction=direction)
    statements = ("FBL-14", "FBL-31", "FBL-33")
    return Answer(title, tuple(facts), statements, tuple(gestures.AT[spot] for spot in line))


# --- Attack cards, cards won, the rest ---


def _attack_card(question: Question, kind: int) -> Answer:
    """Tell where cards of a kind are, and which cards in the rows they help to take."""
    view, language, seat = question.view, question.language, question.viewer
    _ = translator(language, PACKAGE).gettext
    fields = view.fields
    held = int(fields["hands"][seat][kind]) if seat >= 0 else 0
    reserve, gone = int(fields["reserve"][kind]), int(fields["discard"][kind])
    helps = [
        gestures.AT[place]
        for place, found in enumerate(fields["rows"].tolist())
        if found
        and any(c.ACCEPTS[found - 1, way] and c.PAYMENT[way][kind] for way in range(len(c.PAYMENT)))
    ]
    facts = [
        Fact(_("In the Reserve"), str(reserve)),
        Fact(_("Discarded"), str(gone)),
        Fact(_("Out of sight"), str(int(c.ATTACK_CARDS[kind]) - held - reserve - gone)),
    ]
    if seat >= 0:
        facts.insert(0, Fact(_("In your hand"), str(held)))
    statements = ("FBL-03", "FBL-04", "FBL-38") if kind == c.WARRIOR else ("FBL-19", "FBL-25")
    return Answer(attack_name(kind, language), tuple(facts), statements, tuple(helps))


def _won(question: Question, kind: int) -> Answer:
    _ = translator(question.language, PACKAGE).gettext
    points = gestures.points_in_words(question.view, kind, question.viewer, question.language)
    name = point_name(kind, question.language)
    return Answer(name, (Fact(_("Worth"), points),), ("FBL-38", "FBL-49"))


def _other(question: Question) -> Answer | None:
    """Tell of the deck and the buttons."""
    _ = translator(question.language, PACKAGE).gettext
    if question.element == "deck":
        fields = question.view.fields
        times = _("{n} of {most} times").format(n=int(fields["exhausted"]), most=c.LAST_EXHAUSTION)
        facts = (
            Fact(_("Cards"), str(int(fields["deck_size"]))),
            Fact(_("Has run out"), times),
        )
        return Answer(_("The deck"), facts, ("FBL-20", "FBL-46", "FBL-47"))
    if question.element in gestures.BUTTONS:
        return Answer(_("What this does"), (), BUTTON_RULES[question.element])
    return None
