"""Days and moments as pages write them.

A moment is in UTC, since the server does not know by which clock people live. Their browser does,
and a script writes it anew (`moments.js`).
"""

from __future__ import annotations

from datetime import UTC, datetime

from babel.dates import format_date
from markupsafe import Markup


def day_of(at: float, language: str) -> str:
    """Return a day as pages write it."""
    return format_date(datetime.fromtimestamp(at, UTC), "long", language)


def iso_of(at: float) -> str:
    """Return a moment as scripts read it."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def moment_of(at: float, language: str) -> Markup:
    """Return a moment as an element that pages show."""
    when = datetime.fromtimestamp(at, UTC)
    words = f"{format_date(when, 'medium', language)}, {when:%H:%M} UTC"
    element = Markup('<time datetime="{}" data-moment>{}</time>')
    return element.format(iso_of(at), words)
