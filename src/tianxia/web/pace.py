"""Clocks in words that a person understands."""

from __future__ import annotations

from tianxia.draw.languages import N_, translator
from tianxia.tables.clocks import DAY, DAYS, Pace
from tianxia.web.templating import PACKAGE

LIVE = ("180+2", "300+5", "600+10", "1200+20", "3600+30")
"""What the form of a new table offers, besides days."""
MINUTE, HOUR = 60, 3600


def choices(language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return what can be chosen for a new table, in groups."""
    _ = translator(language, PACKAGE).gettext
    live = [(text, in_words(Pace.read(text), language)) for text in LIVE]
    mail = [(f"{days}d", in_words(Pace.read(f"{days}d"), language)) for days in DAYS]
    return [
        (_("As long as it takes"), [("", _("no clock"))]),
        (_("Live: everybody stays at the table"), live),
        (_("Over days: come back now and then"), mail),
    ]


def in_words(pace: Pace, language: str) -> str:
    """Return how much time players have; nothing where there is no clock."""
    words = translator(language, PACKAGE)
    if pace.kind == "mail":
        days = round(pace.base / DAY)
        return words.ngettext(
            "{n} day for each decision", "{n} days for each decision", days
        ).format(n=days)
    if pace.kind == "none":
        return ""
    minutes = pace.base / MINUTE
    return words.gettext(N_("{minutes} min, and {gain} s more for each turn")).format(
        minutes=f"{minutes:g}", gain=f"{pace.gain:g}"
    )


def left(seconds: float, language: str) -> str:
    """Return what is left of a clock."""
    _ = translator(language, PACKAGE).gettext
    whole = int(seconds)
    if whole >= DAY:
        return _("{days} d {hours} h").format(
            days=whole // int(DAY), hours=whole % int(DAY) // HOUR
        )
    hours, minutes, rest = whole // HOUR, whole % HOUR // MINUTE, whole % MINUTE
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def roughly(seconds: float, language: str) -> str:
    """Return what is left of a clock by mail, for a list: no finer than anybody plans by."""
    if seconds >= DAY:
        return left(seconds, language)
    words, hours = translator(language, PACKAGE), int(seconds) // HOUR
    if hours:
        return words.ngettext("{n} hour", "{n} hours", hours).format(n=hours)
    minutes = max(1, int(seconds) // MINUTE)
    return words.ngettext("{n} minute", "{n} minutes", minutes).format(n=minutes)
