"""Bots by name, the same for every game; rebuilding them; whole games between them."""

from __future__ import annotations

from tianxia.bots.advice import adviser
from tianxia.bots.match import play
from tianxia.bots.registry import bots, make, present_name, rebuild
from tianxia.search.bot import Bot, Maker, hearing, tell

__all__ = [
    "Bot",
    "Maker",
    "adviser",
    "bots",
    "hearing",
    "make",
    "play",
    "present_name",
    "rebuild",
    "tell",
]
