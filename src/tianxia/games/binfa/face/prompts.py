"""What the page of Bin'Fa says above the field: what happened, whose turn it is, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa.face.words import seat_name
from tianxia.games.binfa.rules.components import ATTACK, STOP, kind_of
from tianxia.games.binfa.rules.state import (
    CHOOSING,
    COUNTING,
    DIVIDING,
    LEAVING,
    MAPPING,
    MOVING,
    OCCUPYING,
    PAWNS,
    PLACING,
    RAIDING,
    READY,
    RETREATING,
    SPLITTING,
    STEPPING,
)
from tianxia.games.binfa.rules.statements import TURN_LIMIT

if TYPE_CHECKING:
    from tianxia.draw.scene import SceneRequest
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
YOURS = {
    MAPPING: N_("Place a marker: choose a triangle."),
    PLACING: N_("Set up your units on your base, unseen by the others."),
    PAWNS: N_("Set your supply pawn on a circle along your base."),
    CHOOSING: N_("Your turn: choose an army, to move or to resupply."),
    READY: N_("Your turn: roll; or attack: choose your pile, then a lower one beside it."),
    MOVING: N_("Move: choose a pile, then a triangle beside it. {moves} left."),
    COUNTING: N_("How many units, from the top?"),
    LEAVING: N_("Choose the whirlpool where they come out."),
    DIVIDING: N_("How many of them come out there?"),
    RETREATING: N_("Your pile has to retreat: choose a triangle."),
    SPLITTING: N_("How many units retreat there?"),
    OCCUPYING: N_("Choose where your attackers end."),
    STEPPING: N_("Choose the circle where your pawn ends."),
    RAIDING: N_("Your pawn stands on another army’s centre: from whom do you take?"),
}
UNABLE = (
    N_("Your turn: roll; none of your piles can attack."),
    N_("Your turn: roll, or pass the dice; none of your piles can attack."),
)
"""What is asked in READY where nothing can be attacked: before the first roll, and later."""
READIED = {
    PLACING: N_("Your units are set up. Others are still at it."),
    PAWNS: N_("Your pawn is set. Others are still at it."),
}
"""To a player who has finished in a phase in which all act at once."""
OTHERS = {
    MAPPING: N_("{player} places a marker."),
    PLACING: N_("All set up their units in secret."),
    PAWNS: N_("All set their pawns in secret."),
    CHOOSING: N_("{player} chooses what to do in this turn."),
    READY: N_("{player} is to roll, to attack or to stop."),
    MOVING: N_("{player} moves: {moves} left."),
    COUNTING: N_("{player} moves: {moves} left."),
    LEAVING: N_("{player} passes through a whirlpool."),
    DIVIDING: N_("{player} passes through a whirlpool."),
    RETREATING: N_("{player} has to retreat."),
    SPLITTING: N_("{player} has to retreat."),
    OCCUPYING: N_("{player} occupies a vacated triangle."),
    STEPPING: N_("{player} moves the pawn."),
    RAIDING: N_("{player} takes supplies."),
}


def status(request: SceneRequest) -> str:
    """Return what has happened last, whose turn it is and what he can do."""
    view = request.view
    if view.over:
        return _end(request)
    return f"{told(request)} {_asked(request)}".strip()


def told(request: SceneRequest) -> str:
    """Return what has happened last; not the viewer's own move while it is still asked about."""
    if request.acts and int(request.view.fields["phase"]) == COUNTING:
        return ""
    return request.last[-1].sentence if request.last and not request.view.over else ""


def _asked(request: SceneRequest) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    if not view.acting:
        return ""
    yours = request.viewer in view.acting
    seat = request.viewer if yours else view.acting[0]
    phase = int(view.fields["phase"])
    text = _yours(view, seat, phase) if yours else OTHERS[phase]
    if request.plays and not yours:
        text = READIED.get(phase, text)
    return _(text).format(
        player=seat_name(view, seat, request.language),
        moves=int(view.fields["moves"]),
    )


def _yours(view: State, seat: int, phase: int) -> str:
    """Return what a player is asked: to attack only where he can."""
    if phase == READY:
        kinds = {kind_of(action) for action in view.legal_actions(seat)}
        if ATTACK not in kinds:
            return UNABLE[STOP in kinds]
    return YOURS[phase]


def _end(request: SceneRequest) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    winners = [s for s in range(view.seats) if int(view.fields["winners"]) >> s & 1]
    names = ", ".join(seat_name(view, seat, request.language) for seat in winners)
    if int(view.fields["reason"]) == TURN_LIMIT:
        text = _at_the_limit(view, winners)
    elif len(winners) > 1:
        text = N_("The last armies are lost at once; {players} share the win.")
    else:
        text = N_("{players} has won: nobody else has an army left.")
    return _(text).format(players=names)


def _at_the_limit(view: State, winners: Sequence[int]) -> str:
    """Return why these have won after the last turn: by their units, then by their supplies."""
    owner, strength = view.fields["owner"], view.fields["strength"]
    units = [int(strength[owner == seat + 1].sum()) for seat in range(view.seats)]
    if len(winners) == view.seats:
        return N_("The last turn is played, and all are equally strong.")
    if len(winners) > 1:
        return N_("The last turn is played; {players} share the win.")
    if units.count(max(units)) > 1:
        return N_("The last turn is played; at equal units, {players} has the most supplies.")
    return N_("The last turn is played; {players} has the most units.")
