"""The pictures of a report, as SVG: intervals, courses, lengths. No library, no script.

Colours come from the page's style sheet (classes ``p0`` to ``p5``); lines differ by their
dashes too, and everything is named where it stands.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH = 720
LABELS = 190
RIGHT = 64
ROW = 30
SERIES = 6
HEIGHT = 220
TOP, BOTTOM = 12, 34


@dataclass(frozen=True)
class Range:
    """A value with its interval, to be drawn as a dot on a line.

    Attributes
    ----------
    label, value, low, high
        What it is called, and its numbers.
    text
        The number as it is written beside it.
    series
        Which colour it has; the same name has the same one in every plot.
    """

    label: str
    value: float
    low: float
    high: float
    text: str
    series: int = 0


def _svg(height: int, title: str, parts: Sequence[str]) -> Markup:
    head = (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}"'
        f' xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>'
    )
    return Markup(head + "".join(parts) + "</svg>")  # noqa: S704  (every text is escaped)


def _text(x: float, y: float, words: str, name: str = "", anchor: str = "start") -> str:
    kind = f' class="{name}"' if name else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{name}"/>'


def _round_steps(low: float, high: float, wanted: int = 5) -> list[float]:
    """Return round numbers that divide a range into about so many parts."""
    span = max(high - low, 1e-9)
    power = 10.0 ** math.floor(math.log10(span / wanted))
    step = min((power * k for k in (1, 2, 5, 10)), key=lambda s: abs(span / s - wanted))
    first = math.ceil(low / step - 1e-9)
    return [step * n for n in range(first, math.floor(high / step + 1e-9) + 1)]


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")


def intervals(
    title: str, rows: Sequence[Range], low: float, high: float, mark: float | None, unit: str = ""
) -> Markup:
    """Draw a row for each value: a dot, and its interval as a line.

    Parameters
    ----------
    low, high
        The ends of the scale.
    mark
        A value to be marked on the scale, such as what chance would give.
    """
    height = TOP + ROW * len(rows) + BOTTOM
    room = WIDTH - LABELS - RIGHT

    def across(value: float) -> float:
        return LABELS + room * (min(max(value, low), high) - low) / (high - low)

    foot = height - BOTTOM + 4
    parts = []
    for step in _round_steps(low, high):
        parts.append(_line(across(step), TOP, across(step), foot, "grid"))
        parts.append(_text(across(step), foot + 18, _tick(step) + unit, "soft", "middle"))
    if mark is not None:
        parts.append(_line(across(mark), TOP, across(mark), foot, "mark"))
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        series = f"p{row.series % SERIES}"
        parts.append(_text(0, y + 5, short(row.label)))
        parts.append(_line(across(row.low), y, across(row.high), y, f"whisker {series}"))
        parts.append(f'<circle cx="{across(row.value):.1f}" cy="{y:.1f}" r="5" class="{series}"/>')
        parts.append(_text(WIDTH, y + 5, row.text, "", "end"))
    return _svg(height, title, parts)


def short(label: str, most: int = 26) -> str:
    """Return a label that has room beside a plot."""
    return label if len(label) <= most else label[: most - 1] + "…"


def courses(title: str, series: dict[str, list[float]], mark: float, foot: str) -> Markup:
    """Draw how shares from 0 to 1 settled, one line for each name."""
    room, floor = WIDTH - RIGHT - 40, HEIGHT - BOTTOM
    length = max(map(len, series.values()), default=0)

    def place(number: int, value: float) -> str:
        x = 40 + room * number / max(length - 1, 1)
        return f"{x:.1f},{TOP + (floor - TOP) * (1 - value):.1f}"

    parts = []
    for step in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = TOP + (floor - TOP) * (1 - step)
        parts.append(_line(40, y, WIDTH - RIGHT, y, "grid"))
        parts.append(_text(34, y + 4, f"{100 * step:.0f} %", "soft", "end"))
    y = TOP + (floor - TOP) * (1 - mark)
    parts.append(_line(40, y, WIDTH - RIGHT, y, "mark"))
    for number, (label, values) in enumerate(series.items()):
        kept = sorted({round(i * (len(values) - 1) / 239) for i in range(240)}) if values else []
        points = " ".join(place(i, values[i]) for i in kept)
        style = f"course p{number % SERIES} d{number % SERIES}"
        parts.append(f'<polyline points="{points}" class="{style}"><title>{escape(label)}</title>')
        parts.append("</polyline>")
    parts += _labels(series, floor)
    parts.append(_text(40 + room / 2, HEIGHT - 8, foot, "soft", "middle"))
    return _svg(HEIGHT, title, parts)


def _labels(series: dict[str, list[float]], floor: float) -> list[str]:
    """Write each line's name at its end, the names kept apart from one another."""
    ends = sorted(
        (TOP + (floor - TOP) * (1 - values[-1]), label)
        for label, values in series.items()
        if values
    )
    parts, last = [], -99.0
    for wanted, label in ends:
        last = max(wanted, last + 15)
        parts.append(_text(WIDTH - RIGHT + 6, last + 4, short(label, 9), "small"))
    return parts


def histogram(title: str, values: Sequence[float], foot: str, bins: int = 30) -> Markup:
    """Draw how often values fall into each of some equal ranges."""
    low, high = min(values, default=0), max(values, default=1)
    span = max(high - low, 1)
    counts = [0] * bins
    for value in values:
        counts[min(int(bins * (value - low) / span), bins - 1)] += 1
    most, floor = max(counts), HEIGHT - BOTTOM
    width = (WIDTH - 60) / bins
    parts = [_line(40, floor, WIDTH - 20, floor, "grid")]
    for number, count in enumerate(counts):
        height = (floor - TOP) * count / max(most, 1)
        parts.append(
            f'<rect x="{40 + number * width + 1:.1f}" y="{floor - height:.1f}"'
            f' width="{width - 2:.1f}" height="{height:.1f}" class="p1"/>'
        )
    for step in _round_steps(low, high):
        x = 40 + (WIDTH - 60) * (step - low) / span
        parts.append(_text(x, floor + 16, _tick(step), "soft", "middle"))
    parts.append(_text(34, TOP + 8, str(most), "soft", "end"))
    parts.append(_text(40 + (WIDTH - 60) / 2, HEIGHT - 2, foot, "soft", "middle"))
    return _svg(HEIGHT, title, parts)
