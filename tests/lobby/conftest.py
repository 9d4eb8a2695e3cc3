"""A lobby to test with, on both kinds of databases, with a clock that the test winds."""

from __future__ import annotations

import pytest

from tests.tables.conftest import Opener, file_url, opened, postgres, url
from tianxia.lobby import Lobby

__all__ = ["file_url", "opened", "postgres", "url"]


class Clock:
    """What the time is."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def lobby(opened: Opener, url: str, clock: Clock) -> Lobby:
    return Lobby(opened(url, clock=clock))
