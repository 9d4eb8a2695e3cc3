"""Bots at seats: they think in threads, and move when a person would."""

from __future__ import annotations

from tianxia.tables.service import Tables


class BotRunner:
    """Lets the bots of a process's tables move."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
