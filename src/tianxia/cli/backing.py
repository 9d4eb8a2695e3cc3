"""``tianxia backup`` and ``tianxia restore``: copies of all tables, checked before they count."""

from __future__ import annotations

import os
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import sqlalchemy as sa

from tianxia.cli.screen import HINT, WARNING, Screen, chosen_language
from tianxia.draw.languages import N_
from tianxia.kernel.cache import home
from tianxia.tables import Tables
from tianxia.tables.causes import reason
from tianxia.tables.copies import Checked, CopyError, no_file, restore, save
from tianxia.tables.errors import TableError, Unavailable
from tianxia.tables.store import Store
from tianxia.web.settings import SECRET_FILE, Settings

NAME = "tianxia-{stamp}.sqlite3"
PATTERN = "tianxia-????????-??????.sqlite3"
"""What a scheduled backup may delete again."""
MOST_SHOWN = 20
HOUR = 3600.0


def back_up(named: str, keep: int, every: float, language: str | None) -> int:
    """Make a backup, or one every so many hours; return the exit status.

    Parameters
    ----------
    named
        A new file; or a folder, in which backups are named by their time. What ends in a slash
        is one, and so is what backups are to be kept in.
    keep
        How many of a folder are left there; 0: all.
    every
        Hours between two of them, which go into a folder; 0: only one is made.
    """
    screen = Screen(chosen_language(language))
    settings = Settings.from_environment()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nothing half-made is left
    target = Path(named)
    if every or keep or named.endswith(("/", os.sep)):
        _make_folder(target)
    while True:
        begun = time.monotonic()
        try:
            status = _back_up(screen, settings, target, keep)
        except (CopyError, Unavailable, OSError) as error:
            if not every:
                raise
            told = error.text(screen.language) if isinstance(error, TableError) else reason(error)
            screen.say(told, WARNING)
            status = 1
        if not every:
            return status
        time.sleep(max(0.0, every * HOUR - (time.monotonic() - begun)))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CopyError(
            "no-folder", N_("{folder} cannot be a folder: {why}"), folder=folder, why=error.strerror
        ) from error


def _back_up(screen: Screen, settings: Settings, target: Path, keep: int) -> int:
    folder = target.is_dir()
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    file = target / NAME.format(stamp=stamp) if folder else target
    demand_file(settings.database_url)
    store = Store(settings.database_url)
    try:
        save(store.engine, file)
    finally:
        store.close()
    try:  # that it can be read back is what makes it a backup
        with TemporaryDirectory(prefix=".trial-", dir=file.parent) as trial:
            found = restore(file, f"sqlite:///{Path(trial) / 'trial.sqlite3'}")
    except BaseException:
        file.unlink()
        raise
    _tell(screen, found, file)
    if not settings.secret:
        _ = screen.translate
        template = _("The secret of this server is not in it: keep a copy of {file}, too.")
        screen.say(template.format(file=home() / SECRET_FILE), HINT)
    if folder and keep:
        for old in sorted(target.glob(PATTERN))[:-keep]:
            old.unlink()
    return 1 if found.damaged else 0


def demand_file(url: str) -> None:
    """Refuse an SQLite file that is not there: it would be made, and be empty."""
    named = sa.make_url(url)
    if named.get_backend_name() == "sqlite" and not Path(named.database or "").is_file():
        raise no_file(named.database or url)


def own_tables() -> Tables:
    """Open the tables of this server, which have to be there."""
    url = Settings.from_environment().database_url
    demand_file(url)
    return Tables(url)


def read_back(file: Path, language: str | None) -> int:
    """Read a backup into the empty database of the settings; return the exit status."""
    screen = Screen(chosen_language(language))
    settings = Settings.from_environment()
    found = restore(file, settings.database_url)
    # A password may stand after the question mark, too.
    shown = sa.make_url(settings.database_url).set(query={})
    _tell(screen, found, shown.render_as_string(hide_password=True))
    return 1 if found.damaged else 0


def _tell(screen: Screen, found: Checked, where: object) -> None:
    """Say how many tables there are, and which of them nobody can read."""
    _ = screen.translate
    screen.say(_("{where}: {n} tables, each of them opened.").format(where=where, n=found.tables))
    if found.damaged:
        template = _("{n} of them cannot be read: {tables}")
        shown = ", ".join(found.damaged[:MOST_SHOWN])
        screen.say(template.format(n=len(found.damaged), tables=shown), WARNING)
