"""What lies behind a failure, for the log: never what was played, said or stored."""

from __future__ import annotations

import sqlite3
import traceback
from pathlib import PurePath

from sqlalchemy import exc

MOST = 5
LONGEST = 200
TELLING = (OSError, exc.OperationalError, exc.InterfaceError, exc.TimeoutError)
"""Errors whose own words are the system's or the database's, about itself."""


def cause_of(error: BaseException) -> str:
    """Return the chain of errors behind one: kinds and places, and words that tell nothing."""
    parts: list[str] = []
    found: BaseException | None = error
    while found is not None and len(parts) < MOST:
        parts.append(_said(found))
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return " < ".join(parts)


def reason(error: BaseException) -> str:
    """Return what the system or the database has said, for whoever opens or copies one."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, OSError | sqlite3.Error | exc.DBAPIError | exc.TimeoutError):
            return _words(found)
        found = found.__cause__
    return str(error)


def _words(error: BaseException) -> str:
    words = getattr(error, "orig", None) or error
    text = (str(words).splitlines() or [""])[0]
    return f"{type(words).__name__}: {text[:LONGEST]}"


def _said(error: BaseException) -> str:
    # SQLite's word for a damaged file has no kind of its own.
    if isinstance(error, TELLING) or type(error) is exc.DatabaseError:
        return _words(error)
    name = str(getattr(error, "code", "") or type(error).__name__)
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return name
    return f"{name} ({PurePath(frames[-1].filename).name}:{frames[-1].lineno})"
