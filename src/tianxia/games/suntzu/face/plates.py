"""What everybody may know of a seat in Sun Tzu: the pawn's steps, armies and cards."""

from __future__ import annotations

from tianxia.draw.languages import translator
from tianxia.draw.scene import Count, Plate, SceneRequest, leaders
from tianxia.games.suntzu.face.facts import PACKAGE, SIDES, Facts
from tianxia.games.suntzu.face.picture import deck_of, hand_size

ARMY_BOX = (-28, -28, 56, 56)


def plates(request: SceneRequest, facts: Facts) -> tuple[Plate, ...]:
    """Return the plates of both seats."""
    _ = translator(request.language, PACKAGE).gettext
    track = int(facts.fields["track"])
    steps = [max(track, 0), max(-track, 0)]
    score, reserve = _("steps of the pawn towards this side"), _("armies in the reserve")
    return tuple(
        Plate(
            (
                Count("score", steps[seat], score, "count-score", points=False),
                Count(
                    "pieces",
                    int(facts.fields["reserve"][seat]),
                    reserve,
                    f"suntzu-army-{SIDES[seat]}",
                    ARMY_BOX,
                ),
                Count("cards", _held(facts, seat), _("cards in hand"), "count-cards"),
                Count("stock", deck_of(facts, seat), _("cards in the deck"), "count-stock"),
            ),
            leads,
        )
        for seat, leads in enumerate(leaders(steps))
    )


def _held(facts: Facts, seat: int) -> int:
    """Return how many cards a side holds for all to count: what is just drawn among them."""
    drawn = int(facts.fields["drawn"][seat].sum()) if facts.viewer == seat else 0
    return hand_size(facts, seat) + drawn
