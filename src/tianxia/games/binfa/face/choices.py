"""What an action does, said to whoever may choose it: on buttons, in lists and in hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa.face.words import along, army_name, pools_of, target_of
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.components import (
    ATTACK,
    BANK,
    CIRCLE,
    COLOURS,
    COUNT,
    LEAVE,
    MOVE_ARMY,
    OUT,
    PAWN,
    ROLL,
    SPOT,
    STOP,
    SUPPLY_ARMY,
    TAKE,
    circle_name,
    triangle_name,
)
from tianxia.games.binfa.rules.state import COUNTING, DIVIDING, MAPPING, OCCUPYING, RETREATING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

SIMPLE = {
    ROLL: N_("Roll the dice"),
    STOP: N_("Pass the dice"),
    BANK: N_("Take supplies from the store"),
    LEAVE: N_("Take nothing"),
}


def choice(view: State, action: int, language: str) -> str:
    """Return what an action of the viewer's does."""
    _ = translator(language, __package__).gettext
    if action in SIMPLE:
        return _(SIMPLE[action])
    if action < MOVE_ARMY:
        return _placing(view, action, language)
    if action < ROLL:
        text = _("Take the dice to move {army}")
        if action >= SUPPLY_ARMY:
            text = _("Take the dice to resupply {army}")
        return text.format(army=army_name((action - MOVE_ARMY) % COLOURS, language))
    if ATTACK <= action < OUT:
        return _units(view, action, language)
    if OUT <= action < PAWN:
        return _("Come out at {place}").format(place=triangle_name(pools_of(view)[action - OUT]))
    if action == TAKE:
        victim = army_name(max(int(view.fields["raid"]) - 1, 0), language)
        return _("Take supplies from {victim}").format(victim=victim)
    return _("Move the pawn by {number}").format(number=action - PAWN + 1)


def _placing(view: State, action: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    if action >= CIRCLE:
        return _("Set a pawn on circle {place}").format(place=circle_name(action - CIRCLE))
    text = _("Set up a unit on {place}")
    if view.fields["phase"] == MAPPING:
        placed = len(maps.triangles_of(view.fields["terrain"].tolist()))
        text = _("Put a whirlpool on {place}")
        if placed < int(view.fields["options"]["terrain"]):
            text = _("Put terrain on {place}")
    return text.format(place=triangle_name(action - SPOT))


def _units(view: State, action: int, language: str) -> str:
    translate = translator(language, __package__)
    _, phase = translate.gettext, int(view.fields["phase"])
    if action < COUNT:
        text = {
            RETREATING: _("Retreat to {target}"),
            OCCUPYING: _("Occupy {target}"),
        }.get(phase, _("Move from {origin} to {target}"))
        origin, target = along(action)[0], target_of(action)
        names = {"origin": triangle_name(origin), "target": triangle_name(target)}
        return text.format(**names)
    number = action - COUNT + 1
    if phase == COUNTING:
        text = translate.ngettext("Move {number} unit", "Move {number} units", number)
    elif phase == DIVIDING:
        text = translate.ngettext(
            "{number} unit comes out here", "{number} units come out here", number
        )
    else:
        text = translate.ngettext(
            "{number} unit retreats here", "{number} units retreat here", number
        )
    return text.format(number=number)
