"""Live tables: seats, chance, take-backs, bots at seats, storage. Knows no page.

>>> from tianxia.tables import SeatPlan, Tables
>>> tables = Tables("sqlite://")
>>> made = tables.create("stratego", [SeatPlan("me"), SeatPlan("bot", "random")], person="p")
>>> tables.snapshot(made.table_id).status
'playing'
>>> tables.close()
"""

from __future__ import annotations

from tianxia.tables.advising import Advice, Advising
from tianxia.tables.errors import (
    NotNow,
    NotYourSeat,
    Refused,
    SeatTaken,
    Stale,
    TableError,
    Unavailable,
    UnknownTable,
    Unplayable,
)
from tianxia.tables.hub import Hub, Subscription
from tianxia.tables.players import BotRunner
from tianxia.tables.reviews import Looked, Reviews
from tianxia.tables.seating import standing_answers
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Created, Entry, SeatInfo, SeatPlan, Snapshot, Summary

__all__ = [
    "Advice",
    "Advising",
    "BotRunner",
    "Created",
    "Entry",
    "Hub",
    "Looked",
    "NotNow",
    "NotYourSeat",
    "Refused",
    "Reviews",
    "SeatInfo",
    "SeatPlan",
    "SeatTaken",
    "Snapshot",
    "Stale",
    "Subscription",
    "Summary",
    "TableError",
    "Tables",
    "Unavailable",
    "UnknownTable",
    "Unplayable",
    "standing_answers",
]
