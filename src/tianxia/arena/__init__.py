"""Matches between bots: who is better, by how much, and how sure that is.

>>> from tianxia.arena import Plan
>>> plan = Plan("stratego(variant=barrage)", ("skirmisher", "random"), games=3)
>>> [fixture.seats for fixture in plan.fixtures()]  # whole rounds: each seat once
[(0, 1), (1, 0), (0, 1), (1, 0)]
"""

from __future__ import annotations

from tianxia.arena.archive import Archive, pack, unpacked
from tianxia.arena.course import Outcome
from tianxia.arena.plan import Fixture, Plan
from tianxia.arena.ratings import Rating, ratings
from tianxia.arena.runner import run
from tianxia.arena.standings import Standing, standings

__all__ = [
    "Archive",
    "Fixture",
    "Outcome",
    "Plan",
    "Rating",
    "Standing",
    "pack",
    "ratings",
    "run",
    "standings",
    "unpacked",
]
