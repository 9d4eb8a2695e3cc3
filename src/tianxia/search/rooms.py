"""Room that a thread keeps for thinking: made once, used for every decision."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

Room = TypeVar("Room")
_memory = threading.local()


def room(make: Callable[[], Room], key: Hashable = None) -> Room:
    """Return this thread's room of a kind, made when it is asked for first.

    `key` tells apart what the same function makes for different purposes.
    """
    rooms: dict[Hashable, Room] = _memory.__dict__.setdefault("rooms", {})
    place = make if key is None else key
    if place not in rooms:
        rooms[place] = make()
    return rooms[place]
