"""Bots by name, the same for every game; rebuilding them; whole games between them."""

from __future__ import annotations

from tianxia.bots.match import play, tell
from tianxia.bots.registry import bots, make, rebuild
from tianxia.search.bot import Bot, Maker

__all__ = ["Bot", "Maker", "bots", "make", "play", "rebuild", "tell"]
