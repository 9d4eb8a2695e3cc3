"""What came of a game, in a few words, by the point of view of whoever reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tianxia.draw.languages import translator
from tianxia.draw.scene import Count, Plate
from tianxia.tables import Snapshot
from tianxia.web.templating import PACKAGE

if TYPE_CHECKING:
    from tianxia.web.rendering import Viewer

UNDECIDED = ("abort", "called-off", "closed", "clocks")
"""How games end in which nobody is before anybody else."""
SCORE = "score"


def score_of(plate: Plate) -> Count | None:
    """Return the points on a plate; None where a game counts none."""
    return next((count for count in plate.counts if count.id == SCORE), None)


def scores(plates: Sequence[Plate]) -> list[int]:
    """Return the points of each seat; nothing where a game counts none."""
    found = [score_of(plate) for plate in plates]
    return [count.value for count in found if count and count.points]


def headline(
    snapshot: Snapshot, viewer: Viewer, names: Sequence[str], points: Sequence[int]
) -> str:
    """Return who has won, and by how much where points have decided it.

    Parameters
    ----------
    names, points
        What each seat is called, and its score; of a game without points none.
    """
    words = translator(viewer.language, PACKAGE)
    _, ngettext = words.gettext, words.ngettext
    won, seat = snapshot.winners, viewer.seat
    if snapshot.ending.partition(" ")[0] in UNDECIDED:
        unplayed = snapshot.ending == "closed" and snapshot.tournament_id
        return _("Not played") if unplayed else _("No result")
    if not won:
        return _("A draw")
    if seat is not None and seat not in won:
        n = _lead(snapshot, points, over=[seat])
        by = ngettext(
            "You have lost this time, by {n} point", "You have lost this time, by {n} points", n
        )
        return by.format(n=n) if n else _("You have lost this time")
    n = _lead(snapshot, points, over=[other for other in range(len(points)) if other not in won])
    if seat is not None:
        if len(won) > 1:
            return _("You share the victory!")
        by = ngettext("You have won by {n} point!", "You have won by {n} points!", n)
        return by.format(n=n) if n else _("You have won!")
    if len(won) == 1:
        by = ngettext("{name} has won by {n} point", "{name} has won by {n} points", n)
        return (by if n else _("{name} has won")).format(name=names[won[0]], n=n)
    *first, last = (names[winner] for winner in won)
    listed = _("{list} and {last}").format(list=", ".join(first), last=last)
    return _("{names} have won together").format(names=listed)


def _lead(snapshot: Snapshot, points: Sequence[int], over: Sequence[int]) -> int:
    """Return how many points the winners have more than others; 0 where that decided nothing."""
    if snapshot.ending != "rules" or not points or not over:
        return 0
    best = min(points[winner] for winner in snapshot.winners)
    return max(0, best - max(points[other] for other in over))
