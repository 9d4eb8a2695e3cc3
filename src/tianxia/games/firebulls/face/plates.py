"""What everybody may know of a seat in Fire Bulls: its points and its cards."""

from __future__ import annotations

from tianxia.draw.languages import translator
from tianxia.draw.scene import Count, Plate, SceneRequest, leaders

PACKAGE = __package__ or ""


def plates(request: SceneRequest) -> tuple[Plate, ...]:
    """Return the plates of all seats."""
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    points = [int(score) for score in view.scores()]
    won = view.fields["victory"].sum(axis=1).tolist()
    hands = view.fields["hand_sizes"].tolist()
    return tuple(
        Plate(
            (
                Count("score", points[seat], _("points"), "count-score"),
                Count("stock", won[seat], _("cards won"), "count-stock"),
                Count("cards", hands[seat], _("cards in hand"), "count-cards"),
            ),
            leads,
        )
        for seat, leads in enumerate(leaders(points))
    )
