"""The chart of a finished game: how each seat's prospects moved, and what cost most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tianxia.bots.advice import Hint, prospects
from tianxia.bots.review import Costly, Review
from tianxia.kernel.state import State
from tianxia.tables import Looked, Snapshot
from tianxia.tables.advising import reason

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 46, 14, 26
APART = 25
"""Between the marks at the ends of lines."""
DASHES = ("none", "9 5", "2 5", "14 5 2 5", "5 3 1 3", "1 7", "16 4", "8 3 2 3 2 3")
"""By seat: lines are told apart without colours, too."""


@dataclass(frozen=True)
class Line:
    """One seat's line: its points in the picture, and where its mark stands."""

    seat: int
    points: str
    dash: str
    mark: float
    end: float


@dataclass(frozen=True)
class CostlyWords:
    """A decision that cost much, in words; `x` and `y` say where its number stands."""

    number: int
    seat: int
    ply: int
    points: int
    chosen: str
    better: str
    reason: str
    x: float
    y: float


@dataclass(frozen=True)
class Chart:
    """What the page draws of a review; `even` is the height at which nobody is ahead."""

    lines: tuple[Line, ...]
    costly: tuple[CostlyWords, ...]
    rows: tuple[tuple[int, int, int], ...]
    even: float
    size: tuple[int, int] = (WIDTH, HEIGHT)
    frame: tuple[int, int, int, int] = (LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM)

    @property
    def empty(self) -> bool:
        """Whether there is no line to draw: nobody has decided more than once."""
        return not any(" " in line.points for line in self.lines)


def facts(snapshot: Snapshot, language: str, looked: Looked) -> dict[str, Any]:
    """Return what the page says of a review: its stage, and the chart once it is done."""
    found = looked.review
    return {
        "stage": looked.stage,
        "part": looked.part,
        "chart": found and chart(snapshot, found, language),
    }


def chart(snapshot: Snapshot, found: Review, language: str) -> Chart:
    """Return the chart of a review."""
    seats = snapshot.game.seats
    before = positions(snapshot, [one.ply for one in found.costly])
    return Chart(
        lines=tuple(_lines(found, seats)),
        costly=tuple(
            _in_words(number, one, found, before[one.ply], language)
            for number, one in enumerate(found.costly, 1)
        ),
        rows=tuple((p.ply, p.seat, prospects(p.value, seats)) for p in found.points),
        even=_y(0.0, seats),
    )


def positions(snapshot: Snapshot, plies: Sequence[int]) -> Mapping[int, State]:
    """Return the full positions of a finished game before these plies."""
    wanted, found, state = set(plies), {}, snapshot.game.new()
    for ply, (actor, action) in enumerate(snapshot.state.history()):
        if ply in wanted:
            found[ply] = state.clone()
        state.apply(action, actor)
    return found


def _x(ply: int, found: Review) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * ply / max(found.plies, 1), 1)


def _y(value: float, seats: int) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - prospects(value, seats) / 100), 1)


def _lines(found: Review, seats: int) -> list[Line]:
    """Return the lines of all seats; where they end together their marks stand apart."""
    own = [[point for point in found.points if point.seat == seat] for seat in range(seats)]
    ends = {seat: _y(points[-1].value, seats) for seat, points in enumerate(own) if points}
    marks = _apart(ends)
    return [
        Line(
            seat,
            " ".join(f"{_x(point.ply, found)},{_y(point.value, seats)}" for point in own[seat]),
            DASHES[seat % len(DASHES)],
            marks[seat],
            _x(own[seat][-1].ply, found),
        )
        for seat in ends
    ]


def _apart(ends: Mapping[int, float]) -> dict[int, float]:
    """Return where marks stand: as near to the ends of their lines as there is room."""
    found: dict[int, float] = {}
    lowest, left = TOP - APART / 2, len(ends)
    for seat, end in sorted(ends.items(), key=lambda pair: (pair[1], pair[0])):
        left -= 1
        room = HEIGHT - BOTTOM + APART / 2 - APART * (left + 0.5)
        lowest = found[seat] = max(lowest + APART, min(end, room))
    return found


def _in_words(number: int, one: Costly, found: Review, before: State, language: str) -> CostlyWords:
    value = next(point.value for point in found.points if point.ply == one.ply)
    hint, seats = Hint((one.better,), value), before.seats
    return CostlyWords(
        number=number,
        seat=one.seat,
        ply=one.ply,
        points=max(1, round(100 * one.cost * (seats - 1) / seats)),
        chosen=before.describe(one.chosen, one.seat, None, language),
        better=before.describe(one.better, one.seat, None, language),
        reason=reason(before.view(one.seat), one.seat, hint, language),
        x=_x(one.ply, found),
        y=_y(value, seats),
    )
