"""What lies beside the field of Bin'Fa: buttons for what is chosen off it, and the armies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import translator
from tianxia.draw.pictures import template
from tianxia.draw.scene import Panel, SceneRequest
from tianxia.games.binfa.face.words import ARMY_MARKS, army_name
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.components import ACTIONS, LETTERS, SUPPLIES
from tianxia.games.binfa.rules.state import MAPPING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""


def panels_of(request: SceneRequest) -> tuple[Panel, ...]:
    """Return the panels of a viewer."""
    _ = translator(request.language, PACKAGE).gettext
    buttons = _buttons(request)
    panels = [Panel("armies", _("Armies"), _armies(request), "side")]
    if int(request.view.fields["options"]["level"]) > 1 and request.view.fields["phase"] != MAPPING:
        panels.append(Panel("map", _("The map as text"), _map(request), "side"))
    if buttons:
        html = template(PACKAGE, "buttons.html.jinja").render(
            prefix=request.prefix, buttons=buttons, name=_("What you can do now")
        )
        panels.insert(0, Panel("choices", _("What you can do now"), html, "hand"))
    return tuple(panels)


def _buttons(request: SceneRequest) -> list[dict[str, Any]]:
    """Return the buttons of what the viewer can do apart from the field."""
    view, seat = request.view, request.viewer
    if seat < 0 or view.viewer != seat or seat not in view.acting:
        return []
    return [
        button
        for action in view.legal_actions(seat)
        if (button := _button(view, action, request.language))
    ]


def _button(view: State, action: int, language: str) -> dict[str, Any] | None:
    _ = translator(language, PACKAGE).gettext
    level = int(view.fields["options"]["level"])
    plain = {
        "roll": _("Roll the dice (1 supply)") if level > 2 else _("Roll the dice"),
        "stop": _("Pass the dice"),
        "take": _("Take supplies from the other army"),
        "bank": _("Take supplies from the store"),
        "leave": _("Take nothing"),
    }
    word, *about = ACTIONS.split(action)
    if word in plain:
        return {"element": word, "text": plain[word], "mark": "", "count": False}
    if word in ("move", "supply"):
        army = about[0]
        text = _("Resupply {army}") if word == "supply" else _("Move {army}")
        return {
            "element": f"{word}-{LETTERS[army]}",
            "text": text.format(army=army_name(army, language)),
            "mark": ARMY_MARKS[army],
            "count": False,
        }
    if word == "count":
        number = about[0]
        return {"element": f"n-{number}", "text": str(number), "mark": "", "count": True}
    return None


def _map(request: SceneRequest) -> str:
    """Return terrain and whirlpools as text."""
    fields = request.view.fields
    return template(PACKAGE, "map.html.jinja").render(
        _=translator(request.language, PACKAGE).gettext,
        prefix=request.prefix,
        text=maps.write(fields["terrain"].tolist(), fields["pools"].tolist()),
    )


def _armies(request: SceneRequest) -> str:
    """Return the armies with their owners, units and supplies."""
    _ = translator(request.language, PACKAGE).gettext
    fields = request.view.fields
    drawn = [army - 1 for army in fields["drawn"].tolist() if army]
    owners, units = fields["owner"].tolist(), fields["strength"].tolist()
    supplies = fields["supplies"].tolist()
    setting_up = not fields["alive"]
    rows = [
        {
            "mark": ARMY_MARKS[army],
            "name": army_name(army, request.language),
            "you": owners[army] == request.viewer + 1,
            "units": units[army],
            "fallen": not units[army] and not setting_up,
            "supplies": supplies[army],
        }
        for army in drawn
    ]
    return template(PACKAGE, "armies.html.jinja").render(
        _=_,
        rows=rows,
        supplied=int(fields["options"]["level"]) > 2,
        store=SUPPLIES - sum(supplies),
        turns=int(fields["turns"]),
        limit=int(fields["options"]["turns"]),
    )
