"""What stands beside the map: the viewer's hand, cards out of the game, what signs mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from tianxia.draw.languages import labelled, translator
from tianxia.draw.pictures import template
from tianxia.draw.scene import Panel, SceneRequest
from tianxia.games.suntzu.face.facts import CARD_IDS, FRESH, HANDS, PACKAGE, SIDES, Facts, pass_text
from tianxia.games.suntzu.face.sheet import score_sheet
from tianxia.games.suntzu.face.words import (
    SEAT_ARMIES,
    STRATEGY_LETTERS,
    STRATEGY_TEXTS,
    card_name,
    seat_name,
)
from tianxia.games.suntzu.rules.components import BASIC, CHOOSE, PASS, STRATEGIES
from tianxia.games.suntzu.rules.state import SHOWN


def panels(request: SceneRequest, facts: Facts) -> Iterator[Panel]:
    _ = translator(request.language, PACKAGE).gettext
    if facts.viewer >= 0 and not request.view.over:
        yield Panel("hand", _("Your cards"), _hand(request, facts), "hand")
    if request.view.over:
        html = score_sheet(request.view, request.language)
        if html:
            yield Panel("sheet", _("How the points came about"), html, "under")
    yield Panel("played", _("Cards that are out of the game"), _played(request, facts), "side")
    yield Panel("signs", _("What the signs mean"), _signs(request.language), "side")


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
        army=SEAT_ARMIES[seat],
        cards=held,
        cards_title=_("Your cards"),
        drawn=drawn,
        drawn_title=_("Just drawn") if facts.may_act else _("Goes under the deck"),
        strategies=list(_strategies(request, facts)),
        strategy_title=_("Strategy cards"),
        pass_text=_(pass_text(facts.phase, facts.owed)) if PASS in legal else "",
    )


def _card_shown(
    elements: tuple[str, ...], kind: int, count: int, seat: int, language: str
) -> dict[str, Any]:
    _ = translator(language, PACKAGE).gettext
    name = card_name(kind + 1, language)
    label = name if count == 1 else _("{card}, {count} of them").format(card=name, count=count)
    symbol = f"suntzu-{SIDES[seat]}-{CARD_IDS[kind]}"
    return {"element": elements[kind], "symbol": symbol, "count": count, "label": label}


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
            label = labelled(code, text, request.language)
            label += " (" + _("played") + ")" if gone else ""
            yield {"e": code, "code": code, "text": text, "gone": gone, "label": label}


def _played(request: SceneRequest, facts: Facts) -> str:
    """Return the cards that have left the game, and what is known of decks."""
    _ = translator(request.language, PACKAGE).gettext

    def titled(name: str) -> str:
        return labelled(name, "", request.language).rstrip()

    words = {
        "none": _("none yet"),
        "hand": titled(_("in the hand")),
        "under": titled(_("under the deck")),
        "codes": titled(_("strategy cards played")),
    }
    rows = [_played_by(facts, seat, request.language) for seat in range(2)]
    return template(PACKAGE, "played.html.jinja").render(rows=rows, words=words)


def _played_by(facts: Facts, seat: int, language: str) -> dict[str, Any]:
    """Return what has left the game of one side; at the end also what it holds."""
    fields = facts.fields
    spent, over = int(fields["spent"][seat]), bool(fields["over"])
    return {
        "name": seat_name(seat, language),
        "gone": _minis(fields["gone"][seat], BASIC, seat, language),
        "hand": _minis(fields["hand"][seat], 0, seat, language) if over else [],
        "codes": [f"{STRATEGY_LETTERS[seat]}{s + 1}" for s in range(STRATEGIES) if spent >> s & 1],
        "under": [
            card_name(int(card) & ~SHOWN, language) if card else "?"
            for card in fields["tail"][seat][: int(fields["tail_length"][seat])]
        ],
    }


def _minis(counts: Any, first: int, seat: int, language: str) -> list[tuple[str, str]]:
    """Return symbol and name of each card of a row of counts that begins with a kind."""
    return [
        (f"suntzu-{SIDES[seat]}-{CARD_IDS[kind]}", card_name(kind + 1, language))
        for kind, count in enumerate(counts, first)
        for _i in range(int(count))
    ]


@cache
def _signs(language: str) -> str:
    """Return what the signs in the picture mean."""
    _ = translator(language, PACKAGE).gettext
    rows = (
        ("suntzu-army-b", (-28, -28, 56, 56), _("armies in the reserve; struck out: armies aside")),
        ("suntzu-b-0", (-20, 0, 140, 140), _("cards: first the hand, then the deck")),
        ("suntzu-banner", (-28, -28, 56, 56), _("who decides the order of the provinces")),
        ("suntzu-mark-b", (-28, -28, 56, 56), _("a province that is marked by a 6")),
        ("suntzu-coin", (-20, -20, 40, 40), _("what a province is worth at the next scoring")),
        ("suntzu-pawn", (-26, -26, 52, 52), _("the silver pawn: the score")),
    )
    return template(PACKAGE, "signs.html.jinja").render(rows=rows)
