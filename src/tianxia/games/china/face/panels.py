"""What lies beside the map of China: hand, display and buttons; players and their points."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import labelled, translator
from tianxia.draw.pictures import template
from tianxia.draw.scene import Panel, SceneRequest, Source
from tianxia.games.china.face.choices import BUTTONS
from tianxia.games.china.face.gestures import COLOUR_IDS
from tianxia.games.china.face.preview import projection
from tianxia.games.china.face.tally import breakdown, track
from tianxia.games.china.face.words import card_name, owner_name
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import state as s

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
TILE_IDS = ("yellow", "orange", "green")
Translate = Callable[[str], str]


def panels_of(request: SceneRequest) -> tuple[Panel, ...]:
    """Return the panels of a viewer."""
    _ = translator(request.language, PACKAGE).gettext
    cards = Panel("cards", _("Cards"), _cards(request), "beside")
    title = _("The score, source by source") if request.view.over else _("Players")
    return cards, Panel("players", title, _players(request), "side")


# --- Cards and buttons ---


def _cards(request: SceneRequest) -> str:
    words = translator(request.language, PACKAGE)
    _ = words.gettext
    view, fields = request.view, request.view.fields
    deck, discard = int(fields["deck_size"]), int(fields["discard"].sum())
    unseen = words.ngettext("deck: {n} card face down", "deck: {n} cards face down", deck)
    seen = words.ngettext("discard: {n} card", "discard: {n} cards", discard)
    return template(PACKAGE, "cards.html.jinja").render(
        _=_,
        prefix=request.prefix,
        role="button" if request.plays else "img",
        display=_row(fields["display"], "show", request.language, _("Display")),
        deck=deck,
        deck_label=unseen.format(n=deck),
        discard=discard,
        discard_label=seen.format(n=discard),
        rows=_rows(request, _),
        buttons=_buttons(request, _),
        shuffles=int(fields["exhausted"]),
        over=view.over,
    )


def _rows(request: SceneRequest, _: Translate) -> list[dict[str, Any]]:
    """Return the rows of cards under the display: one's own, the Emperor's, those to keep."""
    fields, rows = request.view.fields, []
    if request.viewer >= 0:
        hand = _row(fields["hands"][request.viewer], "card", request.language)
        rows.append({"id": "hand", "title": _("Your hand"), "cards": hand})
    if request.view.seats == 2:
        imperial = _row(fields["imperial"], "imperial", request.language, _("The Emperor"))
        rows.append({"id": "imperial", "title": _("The Emperor"), "cards": imperial})
    if fields["phase"] == s.KEEPING:
        played = _row(fields["played"], "keep", request.language)
        rows.append({"id": "keep", "title": _("Cards played: keep one"), "cards": played})
    return rows


def _row(cards: Any, kind: str, language: str, where: str = "") -> list[dict[str, Any]]:
    """Return a set of cards as stacks for the house's hand.

    Those that lie elsewhere than in a hand say where: the same colours may lie in both.
    """
    return [
        {
            "element": f"{kind}-{COLOUR_IDS[colour]}",
            "symbol": f"china-card-{COLOUR_IDS[colour]}",
            "count": int(cards[colour]),
            "label": labelled(where, name, language) if where else name,
        }
        for colour in range(c.COLOURS)
        if cards[colour]
        for name in [f"{card_name(colour, language)} ({int(cards[colour])})"]
    ]


def _buttons(request: SceneRequest, _: Translate) -> list[tuple[str, str]]:
    """Return the buttons that mean something now, with what is written on them."""
    view, seat = request.view, request.viewer
    if not request.acts:
        return []
    legal = set(view.legal_actions(seat))
    found = [(e, _(text)) for e, text in BUTTONS.items() if c.ACTIONS.join(e) in legal]
    if view.fields["options"]["fortifications"] and view.fields["phase"] in (s.TURN, s.MORE):
        if view.fields["forts_left"][seat]:
            found.append(("fort", _("Build a fortification")))
    return found


# --- Players and points ---


def _players(request: SceneRequest) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    sources = _sources(view, _)
    now, later = breakdown(view), projection(view)
    rows = [
        {
            "army": view.game.armies[owner],
            "name": owner_name(view, owner, request.language),
            "you": owner == request.viewer,
            "supply": _supply(view, owner, _),
            "court": _court(view, owner, request.language),
            "special": _special(view, owner, _),
            **(_points(now[owner], later[owner], sources) if owner < view.seats else NO_SCORE),
        }
        for owner in range(3 if view.seats == 2 else view.seats)
    ]
    return template(PACKAGE, "players.html.jinja").render(
        _=_,
        language=request.language,
        rows=rows,
        sources=[name for _key, name in sources],
        over=view.over,
    )


NO_SCORE = {"points": None, "total": 0, "later": 0, "laps": 0}
"""What a row says of the Emperor, who has no score (CHI-67)."""


def _points(
    now: dict[str, int], later: dict[str, int], sources: list[tuple[str, str]]
) -> dict[str, Any]:
    total = sum(now.values())
    return {
        "points": [now[key] for key, _name in sources],
        "total": total,
        "later": sum(later.values()),
        "laps": track(total)[0],
    }


def _sources(view: State, _: Translate) -> list[tuple[str, str]]:
    """Return the sources of points that this game has, with their names."""
    options, disputed = view.fields["options"], _disputed(view)
    names = {
        "palaces": (True, _("Palaces")),
        "influence": (view.seats == 2 and not options["light"], _("Emperor’s palaces")),
        "harbours": (disputed, _("Harbours")),
        "alliances": (True, _("Alliances")),
        "roads": (True, _("Roads")),
        "tiles": (bool(options["tiles"]), _("Tiles")),
    }
    return [(key, name) for key, (there, name) in names.items() if there]


def sources(request: SceneRequest) -> tuple[Source, ...]:
    """Return where the points of all seats came from."""
    _ = translator(request.language, PACKAGE).gettext
    seats = breakdown(request.view)
    return tuple(
        Source(name, tuple(points[key] for points in seats))
        for key, name in _sources(request.view, _)
    )


def _disputed(view: State) -> bool:
    return c.board(int(view.fields["land"])).disputed


def _supply(view: State, owner: int, _: Translate) -> list[tuple[str, str, int]]:
    """Return what an owner has left, as sign, words and number."""
    fields = view.fields
    palaces = int(fields["palaces"][owner]).bit_count()
    sent = int(fields["emissaries"][owner].sum())
    found = [
        ("palace", _("palaces in supply"), c.PALACES - palaces),
        ("envoy", _("emissaries in supply"), c.EMISSARIES - sent),
    ]
    if fields["options"]["fortifications"] and fields["forts_left"][owner]:
        found.append(("fort", _("fortification in supply"), int(fields["forts_left"][owner])))
    if owner < view.seats:
        found.append(("hand", _("cards in hand"), int(fields["hand_sizes"][owner])))
    for colour in range(c.TILE_COLOURS):
        count = int(fields["tiles_taken"][owner][colour])
        if count:
            found.append((f"tile-{TILE_IDS[colour]}", _("bonus tiles"), count))
    return found


def _court(view: State, owner: int, language: str) -> list[dict[str, Any]]:
    """Return the cards kept open before a player, and whose influence card he has."""
    fields = view.fields
    if view.seats != 2 or owner >= 2:
        return []
    return [
        {
            "symbol": f"china-card-{COLOUR_IDS[colour]}",
            "count": int(fields["kept"][owner][colour]),
            "holds": int(fields["influence"][colour]) == owner + 1,
            "label": card_name(colour, language),
        }
        for colour in range(c.COLOURS)
        if fields["kept"][owner][colour] or int(fields["influence"][colour]) == owner + 1
    ]


def _special(view: State, owner: int, _: Translate) -> list[str]:
    """Return the special cards that a player still has (two players)."""
    if view.seats != 2 or owner >= 2:
        return []
    left = int(view.fields["special"][owner])
    names = {
        s.EMPEROR_CARD: _("the Emperor first"),
        s.PROVINCES_CARD: _("two provinces"),
        s.SWAP_CARD: _("exchange with the display"),
    }
    return [name for bit, name in names.items() if left & bit]
