"""How the last day went, for whoever looks after the server: curves, and figures by the hour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import reduce
from typing import Any

from babel.numbers import format_decimal
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tianxia.draw.languages import N_, translator
from tianxia.tables.samples import SLOT_SECONDS, SLOTS, Figures, Samples, within
from tianxia.web.api import RESPONSES
from tianxia.web.api_keeping import admin
from tianxia.web.app_state import AppState
from tianxia.web.request_context import RequestContext
from tianxia.web.routing import SEE_OTHER, Anybody, Here, Somebody, threaded
from tianxia.web.signing import page
from tianxia.web.templating import PACKAGE

router = APIRouter()
Slots = Sequence[Figures | None]
Value = Callable[[Figures], float | None]
HIGH, EDGE = 72, 4
HOURS = 6
"""Between the moments that are written under a curve."""
AN_HOUR = 3600 // SLOT_SECONDS
MINUTES = SLOT_SECONDS / 60


@dataclass(frozen=True)
class Line:
    """What one line of a chart shows; `name` is empty where there is but one."""

    name: str
    value: Value


@dataclass(frozen=True)
class Chart:
    """What is drawn in one picture."""

    title: str
    lines: tuple[Line, ...]
    milliseconds: bool = False


def _time(name: str, part: float) -> Value:
    def value(figures: Figures) -> float | None:
        seconds = within(getattr(figures, name), part)
        return None if seconds is None else 1000 * seconds

    return value


def _times(title: str, name: str) -> Chart:
    lines = (Line(N_("median"), _time(name, 0.5)), Line(N_("95 of 100"), _time(name, 0.95)))
    return Chart(title, lines, milliseconds=True)


def _number(name: str, per: float = 1.0) -> Value:
    return lambda figures: getattr(figures, name) / per


CHARTS = (
    Chart(N_("Requests a minute"), (Line("", lambda one: sum(one.answers) / MINUTES),)),
    _times(N_("Time until the answer"), "answers"),
    Chart(
        N_("Requests in five minutes that came to nothing"),
        (Line(N_("refused"), _number("refused")), Line(N_("failed"), _number("failed"))),
    ),
    Chart(
        N_("Tables"),
        (
            Line(N_("being played at"), _number("playing")),
            Line(N_("waiting for players"), _number("waiting")),
        ),
    ),
    Chart(N_("Games that ended in five minutes"), (Line("", _number("ended")),)),
    Chart(N_("Tables at which a bot was to move"), (Line("", _number("bots")),)),
    Chart(
        N_("Longest time that a bot was waited for"),
        (Line("", _number("oldest", 0.001)),),
        milliseconds=True,
    ),
    _times(N_("Time that bots thought"), "thoughts"),
    _times(N_("Time of the database"), "database"),
    Chart(N_("Pushes a minute"), (Line("", _number("pushes", MINUTES)),)),
    Chart(N_("Open pages"), (Line("", _number("pages")),)),
)
BY_HOUR: tuple[tuple[str, Value, bool], ...] = (
    (N_("Requests"), lambda one: sum(one.answers), False),
    (N_("Median"), _time("answers", 0.5), True),
    (N_("95 of 100"), _time("answers", 0.95), True),
    (N_("Refused"), _number("refused"), False),
    (N_("Failed"), _number("failed"), False),
    (N_("Games ended"), _number("ended"), False),
    (N_("Bot waited for"), _number("oldest", 0.001), True),
    (N_("Bots thought"), _time("thoughts", 0.5), True),
    (N_("Pushes"), _number("pushes"), False),
    (N_("Open pages"), _number("pages"), False),
)
"""The columns of the table; whether a column is of times."""


@dataclass(frozen=True)
class Drawn:
    """A chart for the page: `lines` are names, paths and the values of now and at most."""

    title: str
    lines: list[tuple[str, str, str, str]]


class Words:
    """Figures in somebody's language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._ = translator(language, PACKAGE).gettext

    def value(self, value: float | None, *, milliseconds: bool) -> str:
        """Return a figure as people write it."""
        if value is None:
            return "–"
        digits = 0 if value >= 10 or value == int(value) else 1
        number = str(format_decimal(round(value, digits), locale=self._language))
        return self._("{n} ms").format(n=number) if milliseconds else number

    def drawn(self, chart: Chart, slots: Slots) -> Drawn:
        """Return a chart as the page shows it, all of its lines to one scale."""
        found = [[line.value(one) if one else None for one in slots] for line in chart.lines]
        most = max((value for values in found for value in values if value is not None), default=0)
        lines = []
        for line, values in zip(chart.lines, found, strict=True):
            there = [value for value in values if value is not None]
            last = self.value(values[-1], milliseconds=chart.milliseconds)
            largest = self.value(max(there, default=None), milliseconds=chart.milliseconds)
            lines.append((line.name and self._(line.name), steps(values, most), last, largest))
        return Drawn(self._(chart.title), lines)

    def hours(self, slots: Slots, now: float) -> list[tuple[str, list[str]]]:
        """Return the rows of the table, the newest hour first."""
        rows = []
        for place in range(SLOTS - AN_HOUR, -1, -AN_HOUR):
            there = [one for one in slots[place : place + AN_HOUR] if one]
            hour = reduce(Figures.before, there) if there else None
            cells = [
                self.value(value(hour) if hour else None, milliseconds=times)
                for _, value, times in BY_HOUR
            ]
            rows.append((clock(now, SLOTS - place), cells))
        return rows


def steps(values: Sequence[float | None], most: float) -> str:
    """Return the path of a curve in steps; where there is no value it has a gap."""
    up, path, going = (HIGH - 2 * EDGE) / (most or 1), "", False
    for place, value in enumerate(values):
        if value is not None:
            high = f"{HIGH - EDGE - value * up:.1f}"
            path += (f"V{high}" if going else f"M{place},{high}") + f"H{place + 1}"
        going = value is not None
    return path


def clock(now: float, slots: int = 0) -> str:
    """Return the time of day so many slots before the end of the present one."""
    at = (now // SLOT_SECONDS + 1 - slots) * SLOT_SECONDS
    return datetime.fromtimestamp(at, UTC).strftime("%H:%M")


@router.get("/admin/day", include_in_schema=False)
@threaded
def day(request: Request, app_state: Here, context: Anybody) -> Response:
    """Show who looks after the server how the last day went."""
    if context.account is None:
        return RedirectResponse("/sign-in?next=/admin/day", SEE_OTHER)
    slots, words = _slots(app_state, context), Words(context.language)
    now, apart = app_state.tables.clock(), HOURS * AN_HOUR
    return page(
        "day",
        request,
        charts=[words.drawn(chart, slots) for chart in CHARTS],
        size=(SLOTS, HIGH),
        marks=[(place, clock(now, SLOTS - place)) for place in range(0, SLOTS + 1, apart)],
        columns=[words._(name) for name, _, _ in BY_HOUR],
        hours=words.hours(slots, now),
        empty=not any(slots),
    )


def _slots(app_state: AppState, context: RequestContext) -> list[Figures | None]:
    admin(app_state, context, changes=False)
    return Samples(app_state.tables.store).day(app_state.tables.clock())


@router.get("/api/v1/admin/day", responses=RESPONSES)
@threaded
def figures(app_state: Here, context: Somebody) -> list[dict[str, Any] | None]:
    """Show whoever looks after the server what was counted in each five minutes of the last day."""
    slots = _slots(app_state, context)
    return [asdict(one) if one else None for one in slots]
