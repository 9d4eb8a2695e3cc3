"""Live tables: seats, chance, take-backs, bots at seats, storage. Knows no page.

>>> from tianxia.tables import SeatPlan, Tables
>>> tables = Tables("sqlite://")
>>> made = tables.create("stratego", [SeatPlan("me"), SeatPlan("bot", "random")], person="p")
>>> tables.snapshot(made.table_id).status
'playing'
>>> tables.close()
"""

from __future__ import annotations

from tianxia.tables.advising import Advice, Advised, Adviser, Asking
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
from tianxia.tables.minds import Mind, Minds
from tianxia.tables.reviews import Looked, Reviews
from tianxia.tables.seating import free_colours, standing_answers
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Created, Entry, SeatInfo, SeatPlan, Snapshot, Summary
from tianxia.tables.thinker import Thinker

__all__ = [
    "Advice",
    "Advised",
    "Adviser",
    "Asking",
    "Created",
    "Entry",
    "Hub",
    "Looked",
    "Mind",
    "Minds",
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
    "Thinker",
    "Unavailable",
    "UnknownTable",
    "Unplayable",
    "free_colours",
    "standing_answers",
]
