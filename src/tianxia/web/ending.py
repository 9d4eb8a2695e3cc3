"""The end of a game as a page shows it: places, where points came from, what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tianxia.draw.languages import N_
from tianxia.draw.scene import Count, Drawing, Plate, Scene, SceneRequest, Source
from tianxia.tables import Looked, NotNow, Snapshot
from tianxia.web import chances
from tianxia.web.rendering import Renderer, SeatWords, Viewer, called
from tianxia.web.result import UNDECIDED, headline, score_of, scores
from tianxia.web.templating import render


@dataclass(frozen=True)
class Placed:
    """A seat on the podium: its place, and what it has to show for it."""

    place: int
    seat: SeatWords
    score: Count | None
    counts: tuple[Count, ...]


@dataclass(frozen=True)
class Points:
    """Where the points came from, with the seats in the order of the podium.

    Attributes
    ----------
    label, totals
        What the sources lead to; not always their sum.
    """

    seats: tuple[SeatWords, ...]
    sources: tuple[Source, ...]
    label: str
    totals: tuple[int, ...]


def ending_page(renderer: Renderer, snapshot: Snapshot, viewer: Viewer, looked: Looked) -> str:
    """Return the end of a game as HTML.

    Raises
    ------
    NotNow
        While the game lasts.
    """
    if not snapshot.open_to_all:
        raise NotNow("not-over", N_("This game is not over yet.")).of(__name__)
    facts = renderer.facts(snapshot, viewer)
    scene: Scene = facts["scene"]
    points = scores(scene.plates)
    podium = podium_of(facts["seats"], places(snapshot, points), scene.plates)
    weighed = chances.facts(snapshot, viewer.language, looked) if snapshot.playable else None
    return render(
        "ending",
        viewer.language,
        table=facts["table"],
        armies=facts["armies"],
        may=facts["may"],
        links=facts["links"],
        headline=headline(snapshot, viewer, called(snapshot, viewer, scene.plates), points),
        podium=podium,
        points=points_of(snapshot, viewer, podium),
        chances=weighed,
    )


def places(snapshot: Snapshot, points: Sequence[int]) -> list[int]:
    """Return the place of each seat; those who are equal share one, and the next is left out.

    Who has won is for the rules to say; the others are ranked by their points. Nothing where a
    game has ended without a result.
    """
    if snapshot.ending.partition(" ")[0] in UNDECIDED:
        return []
    won, seats = snapshot.winners, range(snapshot.game.seats)
    if not won:
        return [1 for _ in seats]
    keys = [(1, 0) if n in won else (0, points[n] if points else 0) for n in seats]
    return [1 + sum(other > key for other in keys) for key in keys]


def podium_of(
    seats: Sequence[SeatWords], ranks: Sequence[int], plates: Sequence[Plate]
) -> list[Placed]:
    """Return who stands where, the best first."""
    found = [
        Placed(
            place,
            seat,
            score_of(plates[seat.number]) if plates else None,
            plates[seat.number].counts if plates else (),
        )
        for seat, place in zip(seats, ranks, strict=False)
    ]
    return sorted(found, key=lambda one: (one.place, one.seat.number))


def points_of(snapshot: Snapshot, viewer: Viewer, podium: Sequence[Placed]) -> Points | None:
    """Return where the points of those on the podium came from; None where there are none."""
    drawing = Drawing.of(snapshot.game.kind)
    totals = [one.score for one in podium if one.score]
    if drawing is None or not totals or not snapshot.playable:
        return None
    order = [one.seat.number for one in podium]
    request = SceneRequest(snapshot.view(viewer.code), viewer.code, viewer.language)
    found = tuple(
        Source(source.name, tuple(source.points[seat] for seat in order))
        for source in drawing.sources(request)
    )
    if not any(any(source.points) for source in found):
        return None
    return Points(
        tuple(one.seat for one in podium),
        found,
        totals[0].label,
        tuple(count.value for count in totals),
    )
