"""``tianxia admin``: reports, suspensions, names, tables, and the audit of all that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from tianxia.accounts import Accounts
from tianxia.cli.backing import demand_file
from tianxia.cli.screen import Screen, chosen_language
from tianxia.lobby.keeping import Keeping, Report
from tianxia.tables import Tables
from tianxia.tournaments import Tournaments
from tianxia.web.settings import Settings

WHO = "command line"
GIVEN = {
    "reports": "",
    "settle": "ID",
    "suspend": "NAME DAYS",
    "lift": "NAME",
    "rename": "NAME NEW",
    "close": "TABLE",
    "promote": "NAME",
    "demote": "NAME",
    "end-tournament": "ID",
    "rename-tournament": "ID NAME",
    "audit": "",
}
"""What follows each deed."""
MOST_DAYS = 3660


def keep(deed: str, given: Sequence[str], why: str, language: str | None) -> int:
    """Do something about the server's people and tables; return the exit code."""
    screen = Screen(chosen_language(language))
    _ = screen.translate
    if deed not in GIVEN:
        screen.say(_("One of {deeds}; see tianxia admin --help.").format(deeds=", ".join(GIVEN)))
        return 2
    if len(given) != len(GIVEN[deed].split()):
        line = f"tianxia admin {deed} {GIVEN[deed]}".rstrip()
        screen.say(_("Write it like this: {line}").format(line=line))
        return 2
    if deed == "suspend" and not _are_days(given[1]):
        template = _("“{text}” is not a number of days up to {most}.")
        screen.say(template.format(text=given[1], most=MOST_DAYS))
        return 2
    settings = Settings.from_environment()
    demand_file(settings.database_url)
    with Tables(settings.database_url) as tables:
        keeping = Keeping(Accounts(tables, settings.signing_key()))
        if deed == "reports":
            lines = [line for one in keeping.reports() for line in _lines(one)]
        elif deed == "audit":
            lines = [
                f"{_day(one.at)}  {one.who}  {one.what}  {one.about}  {one.why}"
                for one in keeping.audit(None)
            ]
        else:
            _do(keeping, deed, given, why)
            lines = [_("Done, and noted.")]
        for line in lines or [_("None.")]:
            screen.say(line)
    return 0


def _lines(report: Report) -> list[str]:
    """Return a report, and below it what its reporter could read."""
    table = f"/t/{report.table_id}" if report.table_id else ""
    told = (_day(report.at), report.reason, f"{report.reporter} → {report.about}", table)
    first = "  ".join((report.id, *told, " ".join(report.text.split())))
    return [first, *(f"    {name}: {' '.join(text.split())}" for name, text in report.said)]


def _do(keeping: Keeping, deed: str, given: Sequence[str], why: str) -> None:
    if deed == "settle":
        keeping.settle(WHO, given[0], why)
    elif deed == "suspend":
        keeping.suspend(WHO, given[0], float(given[1]), why)
    elif deed == "lift":
        keeping.suspend(WHO, given[0], 0, why)
    elif deed == "rename":
        keeping.rename(WHO, given[0], given[1], why)
    elif deed == "close":
        keeping.close(WHO, given[0], why)
    elif deed == "end-tournament":
        Tournaments(keeping.accounts).close(WHO, given[0], why)
    elif deed == "rename-tournament":
        Tournaments(keeping.accounts).rename(WHO, given[0], given[1], why)
    else:
        keeping.promote(WHO, given[0], why, admin=deed == "promote")


def _are_days(text: str) -> bool:
    try:
        return 0 < float(text) <= MOST_DAYS
    except ValueError:
        return False


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
