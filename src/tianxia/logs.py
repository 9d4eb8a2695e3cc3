"""The log: one JSON object a line, and one line for each request that was refused or failed."""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, TextIO

log = logging.getLogger("tianxia.web")
request: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is being answered: lines that are logged meanwhile name it."""


class JsonLines(logging.Formatter):
    """Writes records as JSON; what was passed as ``extra={"event": {…}}`` becomes its members."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record on one line."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request.get():
            line["request"] = request.get()
        line.update(getattr(record, "event", {}))
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = repr(record.exc_info[1])
            line["trace"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(level: str, stream: TextIO | None = None) -> None:
    """Send what is logged, by us and by the server, to a stream as JSON lines."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("tianxia", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        # The server's own news (started, listening…) only where somebody looks for faults.
        quiet = name == "uvicorn" and level == "info"
        logger.setLevel("WARNING" if quiet else level.upper())
    _take_the_rest(handler)


def _take_the_rest(handler: logging.Handler) -> None:
    """Send what others would write to the standard error the same way."""
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda kind, error, trace: _uncaught("process failed", error)
    threading.excepthook = lambda found: _uncaught("thread failed", found.exc_value)
    sys.unraisablehook = lambda found: _uncaught("clean-up failed", found.exc_value)


def _uncaught(message: str, error: BaseException | None) -> None:
    if not isinstance(error, KeyboardInterrupt | SystemExit):
        tell(logging.ERROR, message, error)


def tell(level: int, message: str, error: BaseException | None = None, **event: Any) -> None:
    """Log one event."""
    known = {name: value for name, value in event.items() if value is not None}
    log.log(level, message, extra={"event": known}, exc_info=error)
