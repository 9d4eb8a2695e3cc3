"""What the tests of the web server share."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.world import World, world
from tianxia.logs import JsonLines


@pytest.fixture(scope="module")
def here() -> Iterator[World]:
    """Run a server without limits, its tables in memory."""
    with world() as running:
        yield running


class Log(logging.Handler):
    """What the server has logged, as a reader of the log gets it."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self._texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._texts.append(self.format(record))

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(text) for text in self._texts]

    def clear(self) -> None:
        self._texts.clear()


@pytest.fixture
def log() -> Iterator[Log]:
    """Record the server's log."""
    handler, logger = Log(), logging.getLogger("tianxia")
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel("INFO")
    yield handler
    logger.removeHandler(handler)
    logger.setLevel(before)
