"""Bots that follow the games at tables: told of what their seat has seen, and of nothing else.

Who moves as a bot, who gives hints and who weighs a finished game all ask a follower.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from tianxia.bots import Bot, rebuild, tell
from tianxia.kernel.state import State
from tianxia.tables.snapshot import Snapshot

REMEMBERED = 1000


@dataclass
class Follower:
    """A bot that has seen a table's game up to some action."""

    bot: Bot
    name: str
    seat: int
    state: State
    past: list[tuple[int, int]]  # what it has seen of, in that order

    def follow(self, history: list[tuple[int, int]]) -> bool:
        """Tell the bot what has happened since; False where its past is not the game's.

        It is not where something was taken back, or where others have chosen in secret
        before what it had seen itself choose.
        """
        known = len(self.past)
        if history[:known] != self.past:
            return False
        for actor, action in history[known:]:
            self.tell(actor, action)
        return True

    def tell(self, actor: int, action: int) -> None:
        """Tell the bot of one action."""
        tell(self.state, action, actor, [(self.seat, self.bot)])
        self.past.append((actor, action))


class Followers:
    """The followers of a process; safe to use from many threads.

    A follower that is taken is nobody else's until it is given back.
    """

    def __init__(self, most: int = REMEMBERED) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, int, str], Follower] = OrderedDict()

    def take(self, snapshot: Snapshot, seat: int, name: str, seed: int) -> Follower:
        """Return the bot of that name at a seat, having seen all of the game so far."""
        key, state = (snapshot.id, seat, name), snapshot.state
        history = list(state.history())
        with self._lock:
            follower = self._kept.pop(key, None)
        if follower is not None and follower.follow(history):
            return follower
        bot = rebuild(name, state, seat, seed)
        return Follower(bot, name, seat, state, history)

    def give_back(self, table_id: str, follower: Follower) -> None:
        """Keep a follower for the next time."""
        with self._lock:
            self._kept[table_id, follower.seat, follower.name] = follower
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)

    def drop(self, table_id: str) -> None:
        """Forget the bots of a table; they are made again from what their seats have seen."""
        with self._lock:
            for key in [key for key in self._kept if key[0] == table_id]:
                del self._kept[key]
