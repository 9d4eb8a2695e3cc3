"""What provinces, cards and the event of Sun Tzu say when they are asked.

Each card, strategy and event names the rules that say what it does, so that the words at the
table are those of the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tianxia.draw.asking import Answer, Fact, Question
from tianxia.draw.languages import translator
from tianxia.games.suntzu.face.facts import FRESH, HANDS
from tianxia.games.suntzu.face.words import (
    EVENT_NAMES,
    PROVINCE_NAMES,
    PROVINCE_TOKENS,
    STRATEGY_LETTERS,
    STRATEGY_TEXTS,
    card_name,
    seat_name,
)
from tianxia.games.suntzu.rules import components as c
from tianxia.games.suntzu.rules.cards import lies_unseen

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
NEXT_SCORING = 3
CARD_RULES = {
    "1": ("SUN-46", "SUN-77", "SUN-33"),
    "6": ("SUN-48", "SUN-49", "SUN-33"),
    "+1": ("SUN-50", "SUN-52", "SUN-54"),
    "+2": ("SUN-50", "SUN-51", "SUN-54"),
    "+3": ("SUN-50", "SUN-51", "SUN-54"),
    "-1": ("SUN-47", "SUN-53"),
    "P": ("SUN-55", "SUN-56", "SUN-81"),
}
"""What is special about a card; of all others the higher one wins."""
STRATEGY_RULES = (
    ("SUN-64", "SUN-65", "SUN-66", "SUN-67", "SUN-68"),
    ("SUN-59", "SUN-60", "SUN-61", "SUN-62", "SUN-63"),
)
EVENT_RULES = ("SUN-41", "SUN-42", "SUN-43", "SUN-44", "SUN-45")
OTHERS = {
    "reserve": ("SUN-05", "SUN-22", "SUN-23"),
    "aside": ("SUN-27", "SUN-28", "SUN-75"),
    "pass": ("SUN-83", "SUN-87"),
    "pawn": ("SUN-32", "SUN-36", "SUN-37", "SUN-38"),
    "round": ("SUN-09", "SUN-29"),
}


def answer(question: Question) -> Answer | None:
    """Return what an element is; None where it is none of this game."""
    element = question.element
    if element in PROVINCE_TOKENS:
        return _province(question, PROVINCE_TOKENS.index(element))
    for names in (HANDS, FRESH):
        if element in names:
            return _card(question, names.index(element))
    for seat, letter in enumerate(STRATEGY_LETTERS):
        if element[:1] == letter and element[1:] in {"1", "2", "3", "4", "5"}:
            return _strategy(question, seat, int(element[1:]) - 1)
    if element == "event":
        return _event(question)
    return _other(question)


# --- Provinces ---


def _province(question: Question, province: int) -> Answer:
    view, language = question.view, question.language
    _ = translator(language, PACKAGE).gettext
    near = [p for p in range(c.PROVINCES) if int(c.NEAR[province]) >> p & 1]
    facts = [
        Fact(_("Held by"), _held(view, province, language)),
        *_values(view, province, language),
        *_marks(view, province, language),
        *_laid(view, province, language),
        Fact(_("Borders on"), ", ".join(PROVINCE_NAMES[p] for p in near)),
    ]
    statements = ("SUN-15", "SUN-18", "SUN-19", "SUN-21", "SUN-31")
    lights = tuple(PROVINCE_TOKENS[p] for p in near)
    return Answer(PROVINCE_NAMES[province], tuple(facts), statements, lights)


def _held(view: State, province: int, language: str) -> str:
    words = translator(language, PACKAGE)
    for seat in (c.BLUE, c.RED):
        armies = int(view.fields["board"][seat][province])
        if armies:
            text = words.ngettext("{side}, with {n} army", "{side}, with {n} armies", armies)
            return text.format(side=seat_name(seat, language), n=armies)
    return words.gettext("nobody")


def _values(view: State, province: int, language: str) -> Iterator[Fact]:
    """Yield what a province is worth in the scorings that are still to come."""
    _ = translator(language, PACKAGE).gettext
    stand, turn = int(view.fields["stands"][province]) - 1, max(int(view.fields["turn"]), 1)
    if stand < 0 or view.over:
        return
    for scoring in range((turn - 1) // NEXT_SCORING, c.LAST_ROUND // NEXT_SCORING):
        name = _("Worth after round {n}").format(n=NEXT_SCORING * (scoring + 1))
        yield Fact(name, str(int(c.STANDS[stand][scoring])))


def _marks(view: State, province: int, language: str) -> Iterator[Fact]:
    _ = translator(language, PACKAGE).gettext
    marked = [
        f"{seat_name(seat, language)} {int(view.fields['marks'][seat][province])}"
        for seat in (c.BLUE, c.RED)
        if view.fields["marks"][seat][province]
    ]
    yield Fact(_("Marked with a 6 by"), ", ".join(marked) or _("nobody"))


def _laid(view: State, province: int, language: str) -> Iterator[Fact]:
    """Yield the cards that lie in a province, face down those that the viewer cannot see."""
    _ = translator(language, PACKAGE).gettext
    for seat in (c.BLUE, c.RED):
        card = int(view.fields["laid"][seat][province])
        name = _("Card of {side}").format(side=seat_name(seat, language))
        if card:
            yield Fact(name, card_name(card, language))
        elif lies_unseen(view.fields, seat, province):
            yield Fact(name, _("face down"))


# --- Cards ---


def _card(question: Question, kind: int) -> Answer:
    language = question.language
    _ = translator(language, PACKAGE).gettext
    facts = []
    if question.viewer >= 0:
        held = int(question.view.fields["hand"][question.viewer][kind])
        facts.append(Fact(_("In your hand"), str(held)))
    back = _("comes back to the hand") if kind < c.BASIC else _("leaves the game")
    facts.append(Fact(_("Once it is played"), back))
    if kind >= c.BASIC:
        gone = [
            f"{seat_name(seat, language)} {int(question.view.fields['gone'][seat][kind - c.BASIC])}"
            for seat in (c.BLUE, c.RED)
        ]
        facts.append(Fact(_("Out of the game"), ", ".join(gone)))
    lights = _barred(question, kind)
    statements = CARD_RULES.get(c.CARDS[kind], ("SUN-15", "SUN-16", "SUN-33"))
    if kind >= c.BASIC:
        statements = (*statements, "SUN-27")
    return Answer(card_name(kind + 1, language), tuple(facts), statements, lights)


def _barred(question: Question, kind: int) -> tuple[str, ...]:
    """Return the provinces where the viewer has a mark, so that no other 6 may lie there."""
    if kind != c.SIX or question.viewer < 0:
        return ()
    marks = question.view.fields["marks"][question.viewer]
    return tuple(PROVINCE_TOKENS[p] for p in range(c.PROVINCES) if marks[p])


def _strategy(question: Question, seat: int, strategy: int) -> Answer:
    language = question.language
    _ = translator(language, PACKAGE).gettext
    spent = int(question.view.fields["spent"][seat]) >> strategy & 1
    facts = [
        Fact(_("In short"), _(STRATEGY_TEXTS[seat][strategy])),
        Fact(_("State"), _("played") if spent else _("not played yet")),
    ]
    title = _("Strategy card {code} of {side}").format(
        code=f"{STRATEGY_LETTERS[seat]}{strategy + 1}", side=seat_name(seat, language)
    )
    return Answer(title, tuple(facts), (STRATEGY_RULES[seat][strategy], "SUN-58"))


def _event(question: Question) -> Answer | None:
    view = question.view
    if not view.fields["options"]["events"]:
        return None
    _ = translator(question.language, PACKAGE).gettext
    number = int(view.fields["event"])
    left = int(view.fields["events_left"]).bit_count()
    facts = [Fact(_("Events face down"), str(left))]
    if not number:
        return Answer(_("no event lies open"), tuple(facts), ("SUN-39", "SUN-40"))
    if number == 1:
        text = _("{n} of {most}").format(n=int(view.fields["plagues"]), most=c.PLAGUES_OF_PANDEMIC)
        facts.insert(0, Fact(_("Plagues played"), text))
    title = _("Event: {name}").format(name=_(EVENT_NAMES[number - 1]))
    return Answer(title, tuple(facts), (EVENT_RULES[number - 1], "SUN-39", "SUN-40"))


# --- Armies beside the map, and the score ---


def _other(question: Question) -> Answer | None:
    view, language, element = question.view, question.language, question.element
    if element not in OTHERS:
        return None
    _ = translator(language, PACKAGE).gettext
    if element == "pass":
        return Answer(_("What this does"), (), OTHERS[element])
    if element == "round":
        text = _("{n} of {most}").format(n=int(view.fields["turn"]), most=c.LAST_ROUND)
        return Answer(_("Round"), (Fact(_("Round"), text),), OTHERS[element])
    if element == "pawn":
        return Answer(_("The silver pawn"), tuple(_track(view, language)), OTHERS[element])
    titles = {"reserve": _("Armies in the reserve"), "aside": _("Armies aside")}
    facts = tuple(
        Fact(seat_name(seat, language), str(int(view.fields[element][seat])))
        for seat in (c.BLUE, c.RED)
    )
    return Answer(titles[element], facts, OTHERS[element])


def _track(view: State, language: str) -> Iterator[Fact]:
    """Yield where the silver pawn stands, and what the provinces would add if scored now."""
    _ = translator(language, PACKAGE).gettext
    track = int(view.fields["track"])
    leader = seat_name(c.BLUE if track > 0 else c.RED, language)
    text = _("{n} towards {side}").format(n=abs(track), side=leader)
    yield Fact(_("It stands"), text if track else _("in the middle"))
    if view.over or not view.fields["turn"]:
        return
    scoring = (int(view.fields["turn"]) - 1) // NEXT_SCORING
    for seat in (c.BLUE, c.RED):
        stands = [
            int(c.STANDS[int(view.fields["stands"][p]) - 1][scoring])
            for p in range(c.PROVINCES)
            if view.fields["board"][seat][p] and view.fields["stands"][p]
        ]
        name = _("{side} would score now").format(side=seat_name(seat, language))
        yield Fact(name, str(sum(stands)))
