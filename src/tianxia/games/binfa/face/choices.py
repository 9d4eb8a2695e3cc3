"""What an action does, said to whoever may choose it: on buttons, in lists and in hints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tianxia.draw.languages import N_, translator
from tianxia.games.binfa.face.words import army_name, pools_of, target_of
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.state import COUNTING, DIVIDING, MAPPING, OCCUPYING, RETREATING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

SIMPLE = {
    c.ROLL: N_("Roll the dice"),
    c.STOP: N_("Pass the dice"),
    c.BANK: N_("Take supplies from the store"),
    c.LEAVE: N_("Take nothing"),
}


def choice(view: State, action: int, language: str) -> str:
    """Return what an action of the viewer's does."""
    _ = translator(language, __package__).gettext
    match c.ACTIONS.split(action):
        case "spot", spot:
            return _marking(view, spot, language)
        case "circle", circle:
            return _("Set a pawn on circle {place}").format(place=c.circle_name(circle))
        case "move", army:
            text = _("Take the dice to move {army}")
            return text.format(army=army_name(army, language))
        case "supply", army:
            text = _("Take the dice to resupply {army}")
            return text.format(army=army_name(army, language))
        case "attack" | "go", _origin, _way:
            return _displacing(view, action, language)
        case "count", number:
            return _counting(view, number, language)
        case "out", pool:
            return _("Come out at {place}").format(place=c.triangle_name(pools_of(view)[pool]))
        case ("take",):
            victim = army_name(max(int(view.fields["raid"]) - 1, 0), language)
            return _("Take supplies from {victim}").format(victim=victim)
        case "pawn", distance:
            return _("Move the pawn by {number}").format(number=distance)
    return _(SIMPLE[action])


def _marking(view: State, spot: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    text = _("Set up a unit on {place}")
    if view.fields["phase"] == MAPPING:
        placed = len(maps.triangles_of(view.fields["terrain"].tolist()))
        text = _("Put a whirlpool on {place}")
        if placed < int(view.fields["options"]["terrain"]):
            text = _("Put terrain on {place}")
    return text.format(place=c.triangle_name(spot))


def _displacing(view: State, action: int, language: str) -> str:
    _ = translator(language, __package__).gettext
    text = {
        RETREATING: _("Retreat to {target}"),
        OCCUPYING: _("Occupy {target}"),
    }.get(int(view.fields["phase"]), _("Move from {origin} to {target}"))
    origin, target = c.argument(action, 0), target_of(action)
    return text.format(origin=c.triangle_name(origin), target=c.triangle_name(target))


def _counting(view: State, number: int, language: str) -> str:
    translate, phase = translator(language, __package__), int(view.fields["phase"])
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
