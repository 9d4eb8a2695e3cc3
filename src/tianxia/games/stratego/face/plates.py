"""What everybody may know of a seat in Stratego: how many pieces it has left."""

from __future__ import annotations

from tianxia.draw.languages import translator
from tianxia.draw.scene import Count, Plate, SceneRequest
from tianxia.games.stratego.rules.components import ARMY, SLOTS
from tianxia.games.stratego.rules.state import SETUP, SHOWN

PACKAGE = __package__ or ""


def plates(request: SceneRequest) -> tuple[Plate, ...]:
    """Return the plates of both seats; how far somebody is in setting up is nobody's business."""
    fields = request.view.fields
    if fields["phase"] == SETUP:
        return ()
    label = translator(request.language, PACKAGE).gettext("pieces left")
    army = int(ARMY[int(fields["options"]["variant"])])
    gone = (fields["square"] == 0) & (fields["marks"] & SHOWN != 0)
    fallen = [int(gone[seat * SLOTS : (seat + 1) * SLOTS].sum()) for seat in range(2)]
    return tuple(Plate((Count("pieces", army - lost, label, "count-pieces"),)) for lost in fallen)
