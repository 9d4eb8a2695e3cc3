"""What the page of China says above the map: what happened, whose turn it is, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.games.china.face.words import board_of, owner_name, province_name
from tianxia.games.china.rules import state as s
from tianxia.games.china.rules.components import ACTIONS, CARD, SHOW, SHUFFLE, kind_of

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening, SceneRequest
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
YOURS = {
    s.TURN: N_(
        "Your turn: choose a place and the cards that pay for it; or a card and the discard, to"
        " exchange it."
    ),
    s.MORE: N_("A second piece in {province}, or none."),
    s.SPACE: N_(
        "The tiles of {province} are turned: choose cards and a space for your palace there."
    ),
    s.KEEPING: N_("Choose which card of this turn stays open before you."),
    s.TAKING: N_("Take a card: from the display, or from the deck."),
    s.EMPEROR_TURN: N_("Place a piece of the Emperor with his cards, or none."),
}
LESS = {
    s.TURN: (
        ("exchange",),
        N_(
            "Your turn: choose a place and the cards that pay for it; or pass, as you cannot"
            " exchange a card."
        ),
    ),
    s.MORE: (
        ("palace", "fort", "emissary", "post", "open"),
        N_("You can place no second piece in {province}."),
    ),
    s.TAKING: (("deck",), N_("Take a card from the display: the deck gives no more.")),
    s.EMPEROR_TURN: (("decline",), N_("Place a piece of the Emperor with his cards.")),
}
"""What is asked where none of these kinds of action is legal."""
ROAMING = (
    N_("A second piece in {province}, or with your special card in another province; or none."),
    N_("A second piece in a province other than {province}, with your special card; or none."),
)
"""What is asked of the holder of the card for two provinces (CHI-77): of one who may place where
his first piece stands, and of one who may not, as it was the first there (CHI-15)."""
OTHERS = {
    s.TURN: N_("{player} is to place or to exchange a card."),
    s.MORE: N_("{player} may place a second piece."),
    s.SPACE: N_("{player} chooses a space in {province}."),
    s.KEEPING: N_("{player} chooses a card to keep."),
    s.TAKING: N_("{player} takes cards."),
    s.EMPEROR_TURN: N_("{player} may place a piece of the Emperor."),
}
DEALT = (CARD, SHOW, SHUFFLE)
ENDS = {
    48: N_("The game is over: the last round is played."),
    49: N_("The game is over: no piece can be placed any more."),
}


def status(request: SceneRequest) -> str:
    """Return what has happened last, whose turn it is and what he can do."""
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    if view.over:
        return _(ENDS[int(view.fields["reason"])]) + " " + _winners(request)
    return f"{told(request)} {_asked(request)}".strip()


def told(request: SceneRequest) -> str:
    """Return what has happened last; that cards are turned up and drawn is seen, too."""
    if request.view.over:
        return ""
    told = [one for one in request.last if not _is_dealt(one)]
    return (told or request.last)[-1].sentence if request.last else ""


def _is_dealt(happening: Happening) -> bool:
    """Say whether cards were turned up, drawn, or shuffled."""
    action = happening.action
    return happening.seat < 0 and (action is None or kind_of(action) in DEALT)


def _asked(request: SceneRequest) -> str:
    """Return whose turn it is and what is asked of him."""
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    if not view.acting:
        return ""
    seat, phase = view.acting[0], int(view.fields["phase"])
    text = _yours(view, seat, phase) if seat == request.viewer else OTHERS[phase]
    return _(text).format(
        player=owner_name(view, seat, request.language), province=_province(view, request.language)
    )


def _yours(view: State, seat: int, phase: int) -> str:
    """Return what a player is asked, without what cannot be done just now."""
    kinds = {ACTIONS.split(action)[0] for action in view.legal_actions(seat)}
    needed, otherwise = LESS.get(phase, ((), ""))
    if needed and kinds.isdisjoint(needed):
        return otherwise
    if phase == s.MORE and view.seats == 2 and view.fields["special"][seat] & s.PROVINCES_CARD:
        return ROAMING[bool(view.fields["course"] & s.SINGLE)]
    return YOURS[phase]


def _province(view: State, language: str) -> str:
    """Return the province committed to, or that of this turn's pieces."""
    number = int(view.fields["target"]) or int(view.fields["province"])
    return province_name(board_of(view), number - 1, language) if number else ""


def _winners(request: SceneRequest) -> str:
    _ = translator(request.language, PACKAGE).gettext
    best = max(request.view.utilities())
    names = [
        owner_name(request.view, seat, request.language)
        for seat, value in enumerate(request.view.utilities())
        if value == best
    ]
    text = _("{players} has won.") if len(names) == 1 else _("{players} share the win.")
    return text.format(players=", ".join(names))
