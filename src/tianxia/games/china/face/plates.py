"""What everybody may know of a seat in China: points, pieces in supply, cards."""

from __future__ import annotations

from tianxia.draw.languages import translator
from tianxia.draw.scene import Count, Plate, SceneRequest, leaders
from tianxia.games.china.face.tally import breakdown
from tianxia.games.china.rules.components import EMISSARIES, PALACES

PACKAGE = __package__ or ""
ICON_BOX = (-50, -50, 100, 100)


def plates(request: SceneRequest) -> tuple[Plate, ...]:
    """Return the plates of all seats."""
    _ = translator(request.language, PACKAGE).gettext
    view, fields = request.view, request.view.fields
    totals = [sum(points.values()) for points in breakdown(view)][: view.seats]
    found = []
    for seat, leads in enumerate(leaders(totals)):
        palaces = PALACES - int(fields["palaces"][seat]).bit_count()
        envoys = EMISSARIES - int(fields["emissaries"][seat].sum())
        counts = [
            Count("score", totals[seat], _("points"), "count-score"),
            Count("palaces", palaces, _("palaces in supply"), "china-roof-sign", ICON_BOX),
            Count("pieces", envoys, _("emissaries in supply"), "china-envoy-sign", ICON_BOX),
            Count("cards", int(fields["hand_sizes"][seat]), _("cards in hand"), "count-cards"),
        ]
        if fields["options"]["fortifications"] and fields["forts_left"][seat]:
            left = int(fields["forts_left"][seat])
            fort = Count("forts", left, _("fortification in supply"), "china-fort-sign", ICON_BOX)
            counts.insert(3, fort)
        found.append(Plate(tuple(counts), leads))
    return tuple(found)
