"""What everybody may know of a seat in Bin'Fa: the units and supplies of its armies."""

from __future__ import annotations

from tianxia.draw.languages import labelled, translator
from tianxia.draw.scene import Count, Plate, SceneRequest, leaders
from tianxia.games.binfa.face.words import ARMY_MARKS, army_name, seat_name

PACKAGE = __package__ or ""


def plates(request: SceneRequest) -> tuple[Plate, ...]:
    """Return the plates of all seats: before the units are seen their names alone."""
    fields = request.view.fields
    if not fields["alive"]:
        seats = range(request.view.seats)
        return tuple(Plate((), name=seat_name(request.view, s, request.language)) for s in seats)
    _ = translator(request.language, PACKAGE).gettext
    owners = fields["owner"].tolist()
    units, supplies = fields["strength"].tolist(), fields["supplies"].tolist()
    drawn = [army - 1 for army in fields["drawn"].tolist() if army]
    owned = [
        [army for army in drawn if owners[army] == seat + 1 and units[army]]
        for seat in range(request.view.seats)
    ]
    supplied = int(fields["options"]["level"]) > 2
    found = []
    ahead = leaders([sum(units[army] for army in armies) for armies in owned])
    for seat, (armies, leads) in enumerate(zip(owned, ahead, strict=True)):
        counts = []
        for army in armies:
            name = army_name(army, request.language)
            label = labelled(name, _("units"), request.language)
            counts.append(Count(f"army-{army}", units[army], label, f"army-{ARMY_MARKS[army]}"))
        if supplied:
            total = sum(supplies[army] for army in armies)
            counts.append(Count("stock", total, _("supplies"), "count-stock"))
        name = seat_name(request.view, seat, request.language)
        found.append(Plate(tuple(counts), leads, name))
    return tuple(found)
