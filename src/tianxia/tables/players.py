"""Bots at seats: they think in threads, and move when a person would.

Where there is little to decide a bot moves soon, else it takes a while. Secret choices it
makes at a time that was fixed before it began to think: neither how long it thought nor what
others did in secret can be read from it.

A bot is told what its seat has seen and asked with its seat's view, so it cannot know
more than a person there. Several workers share the tables by leases; should two ever
think about the same move, the number of the decision lets only one of them make it.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush

from tianxia.kernel.record import SPECTATOR
from tianxia.tables.background import step_back
from tianxia.tables.errors import TableError, Unavailable, UnknownTable
from tianxia.tables.following import REMEMBERED, Followers
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Snapshot

log = logging.getLogger("tianxia.tables")

RHYTHM = 0.6
"""Seconds between what happened last and a bot's move: people want to see what happens."""
FORCED, FEW, MANY = 0.6, 1.0, 1.8
"""Times the rhythm, where there is one legal action, where there are few, or many."""
MOST_FEW = 4
SEALED = 4.0
"""Times the rhythm, for secret choices; longer than bots think about them."""
THINKING_SECONDS = 2.0
LEASE_SECONDS = 15.0
SWEEP_SECONDS = 5.0
RETRY_SECONDS = 1.0
LONGEST_WAIT = 600.0
FALLBACK = "random"
"""Moves where a bot fails: the people at the table shall not wait forever."""
LONGEST_BATCH = 500


class Agenda:
    """Tables to look at, each at its time; a table is in one thread's hands only."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._heap: list[tuple[float, str]] = []
        self._due: dict[str, float] = {}
        self._busy: set[str] = set()
        self._closed = False

    def add(self, table_id: str, due: float | None = None) -> None:
        """Look at a table at a time of `time.monotonic` (None: now), or earlier if it is due then.

        Who was due first is looked at first: no table waits for ever behind busier ones.
        """
        due = time.monotonic() if due is None else due
        with self._changed:
            if self._due.get(table_id, float("inf")) <= due:
                return
            self._due[table_id] = due
            heappush(self._heap, (due, table_id))
            self._changed.notify()

    def take(self) -> str | None:
        """Wait for a table that is due; None when all is over."""
        with self._changed:
            while not self._closed:
                found, wait = self._first()
                if found is not None:
                    return found
                self._changed.wait(wait)
        return None

    def _first(self) -> tuple[str | None, float | None]:
        """Return a table that is due, else how long until one is."""
        held: list[tuple[float, str]] = []
        found, wait = None, None
        while self._heap and found is None:
            due, table_id = self._heap[0]
            if self._due.get(table_id) != due:
                heappop(self._heap)  # it was wanted earlier and is done
            elif due > time.monotonic():
                wait = due - time.monotonic()
                break
            elif table_id in self._busy:
                held.append(heappop(self._heap))
            else:
                heappop(self._heap)
                del self._due[table_id]
                self._busy.add(table_id)
                found = table_id
        for item in held:
            heappush(self._heap, item)
        return found, wait

    def done(self, table_id: str) -> None:
        """Let go of a table."""
        with self._changed:
            self._busy.discard(table_id)
            self._changed.notify_all()

    def close(self) -> None:
        """Let all who wait go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


_alive: set[str] = set()
"""The runners of this very process."""


class Leases:
    """Which tables' bots this worker moves."""

    def __init__(self, tables: Tables, seconds: float) -> None:
        # Only the random part tells runners of one process apart.
        self.owner = f"{socket.gethostname()[:60]}/{os.getpid()}/{secrets.token_hex(4)}"
        self._tables = tables
        self._seconds = seconds
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[bool, float]] = OrderedDict()
        _alive.add(self.owner)

    def refused_until(self, table_id: str) -> float | None:
        """Return the time until which another worker is known to have a table."""
        with self._lock:
            ours, until = self._known.get(table_id, (True, 0.0))
        return None if ours or until <= time.time() else until

    def take(self, table_id: str) -> bool:
        """Get hold of a table, or keep it; say whether we have it."""
        now = time.time()
        with self._lock:
            ours, until = self._known.get(table_id, (False, 0.0))
        if until > now and not ours:
            return False
        if ours and until - now > self._seconds / 2:
            return True
        until = now + self._seconds
        lease = self._tables.store.lease
        owner, end = lease(table_id, self.owner, until)
        if owner != self.owner and _dead(owner, self.owner):
            owner, end = lease(table_id, self.owner, until, [owner])
        with self._lock:
            self._known[table_id] = (owner == self.owner, end)
            self._known.move_to_end(table_id)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        return owner == self.owner

    def release(self) -> None:
        """Let other workers take over at once."""
        _alive.discard(self.owner)
        with suppress(Unavailable):
            self._tables.store.release(self.owner)


def _dead(owner: str, own: str) -> bool:
    """Say whether a worker is a process of this machine that has ended."""
    host, _, rest = owner.partition("/")
    number = rest.partition("/")[0]
    if os.name != "posix" or host != own.partition("/")[0] or not number.isdecimal():
        return False
    if int(number) == os.getpid():
        return owner not in _alive  # in a container, a restart often has the same number
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


@dataclass(frozen=True)
class Decided:
    """What a bot has decided, until it is time to do it."""

    epoch: int
    decision: int
    actions: list[int]


class BotRunner:
    """Lets the bots of a process's tables move; they go on where a restart stopped them."""

    def __init__(
        self,
        tables: Tables,
        *,
        rhythm: float = RHYTHM,
        thinking_seconds: float | None = THINKING_SECONDS,
        threads: int | None = None,
        lease_seconds: float = LEASE_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
    ) -> None:
        """Prepare; `start` lets them move.

        Parameters
        ----------
        rhythm
            Seconds that a bot usually waits after what happened last; 0: none.
        thinking_seconds
            A bot's budget for a move; None leaves it to the bot.
        threads
            How many think at once; None: as many as there are processors.
        lease_seconds, sweep_seconds
            After how long another worker takes over from one that has died, and how often
            each looks for such tables.
        """
        self.tables = tables
        self._rhythm = rhythm
        self._thinking = thinking_seconds
        self._sweeping = sweep_seconds
        self._agenda = Agenda()
        self._leases = Leases(tables, lease_seconds)
        self._followers = Followers()
        self._ready: dict[tuple[str, int], Decided] = {}
        self._failed: dict[str, float] = {}  # tables at which even the stand-in fails: the wait
        self._stop = threading.Event()
        self._unlisten: Callable[[], None] | None = None
        count = threads or os.cpu_count() or 1
        self._threads = [
            threading.Thread(target=self._work, name=f"tianxia-bots-{i}", daemon=True)
            for i in range(count)
        ]
        self._threads.append(
            threading.Thread(target=self._sweep, name="tianxia-bots-sweep", daemon=True)
        )

    def start(self) -> BotRunner:
        """Begin to move bots, those first whom a restart has interrupted."""
        self._unlisten = self.tables.hub.listen(lambda table_id, _: self._agenda.add(table_id))
        for thread in self._threads:
            thread.start()
        return self

    def close(self) -> None:
        """Stop; moves that bots think about are not made."""
        if self._unlisten is not None:
            self._unlisten()
        self._stop.set()
        self._agenda.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(10)
        self._leases.release()

    def __enter__(self) -> BotRunner:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- Threads ---

    def _sweep(self) -> None:
        while True:
            try:
                for table_id in self.tables.store.waiting_for_bots():
                    self._agenda.add(table_id)
            except Unavailable:
                log.warning("the bots cannot reach their tables; trying again")
            if self._stop.wait(self._sweeping):
                return

    def _work(self) -> None:
        step_back()
        while (table_id := self._agenda.take()) is not None:
            try:
                self._look(table_id)
            except Unavailable:
                self._again(table_id, RETRY_SECONDS)
            except UnknownTable:
                pass
            except TableError as error:
                log.info("no bot moves at table %s: %s", table_id, error)
            except Exception:
                log.exception("a bot at table %s could not move", table_id)
                wait = self._failed[table_id] = 2 * self._failed.get(table_id, RETRY_SECONDS)
                self._again(table_id, min(wait, LONGEST_WAIT))
            else:
                self._failed.pop(table_id, None)
            finally:
                self._agenda.done(table_id)

    def _again(self, table_id: str, seconds: float) -> None:
        self._agenda.add(table_id, time.monotonic() + seconds)

    # --- A table ---

    def _look(self, table_id: str) -> None:
        """Let the bots move that may, or come back when it is time."""
        if self._leases.refused_until(table_id) is not None:
            return  # the sweep comes back to it
        snapshot = self.tables.snapshot(table_id)
        seats = [seat for seat, info in enumerate(snapshot.seats) if info.thinking]
        if not seats:
            if snapshot.open_to_all:
                self._followers.drop(table_id)
                for seat in range(snapshot.game.seats):
                    self._ready.pop((table_id, seat), None)
            return
        if not self._leases.take(table_id):
            return
        for seat in seats:
            if self._stop.is_set():
                return
            self._move(snapshot, seat)

    def _move(self, snapshot: Snapshot, seat: int) -> None:
        """Let one bot decide, and act as soon as a person would."""
        decision = snapshot.decision(seat)
        try:
            actions = self._decided(snapshot, seat, decision)
            wait = self._due(snapshot, seat) - self.tables.clock()
            if 0 < wait <= SEALED * self._rhythm:
                self._again(snapshot.id, wait)
                return
            self._ready.pop((snapshot.id, seat), None)
            self.tables.act_for_bot(snapshot.id, seat, actions, decision)
        except TableError as error:
            self._forget(snapshot.id, seat)
            if error.status == 422:
                log.error("bot %s at table %s: %s", snapshot.seats[seat].bot, snapshot.id, error)
                self._stand_in(snapshot, seat, decision)
            elif isinstance(error, Unavailable):
                raise
        except Exception:
            self._forget(snapshot.id, seat)
            log.exception("bot %s at table %s failed", snapshot.seats[seat].bot, snapshot.id)
            self._stand_in(snapshot, seat, decision)

    def _forget(self, table_id: str, seat: int) -> None:
        """Forget what a bot has decided, and all that the bots of a table have seen."""
        self._ready.pop((table_id, seat), None)
        self._followers.drop(table_id)

    def _decided(self, snapshot: Snapshot, seat: int, decision: int) -> list[int]:
        """Return what a bot has decided; it thinks about a decision once."""
        known = self._ready.get((snapshot.id, seat))
        if known is None or (known.epoch, known.decision) != (snapshot.epoch, decision):
            actions = self._decide(snapshot, seat, snapshot.seats[seat].bot)
            known = self._ready[snapshot.id, seat] = Decided(snapshot.epoch, decision, actions)
        return known.actions

    def _due(self, snapshot: Snapshot, seat: int) -> float:
        """Return when a bot acts at the earliest, by what everybody has seen happen."""
        last = snapshot.entries_seen(SPECTATOR)[-1].at
        if snapshot.sealed:
            return last + SEALED * self._rhythm
        legal = len(snapshot.view(seat).legal_actions(seat))
        pace = FORCED if legal == 1 else FEW if legal <= MOST_FEW else MANY
        return last + pace * self._rhythm

    def _stand_in(self, snapshot: Snapshot, seat: int, decision: int) -> None:
        """Let the simplest bot move where the one that sits there has failed."""
        actions = self._decide(snapshot, seat, FALLBACK)
        self._followers.drop(snapshot.id)
        self.tables.act_for_bot(snapshot.id, seat, actions, decision)

    def _decide(self, snapshot: Snapshot, seat: int, name: str) -> list[int]:
        """Return what a bot does: one open action, or all of its choices in secret."""
        seed = self.tables.bot_seed(snapshot.id, seat)
        follower = self._followers.take(snapshot, seat, name, seed)
        actions: list[int] = []
        plies = follower.state.plies
        while seat in follower.state.acting and follower.state.plies == plies:
            deadline = None if self._thinking is None else time.monotonic() + self._thinking
            action = int(follower.bot.choose(follower.state.view(seat), deadline))
            actions.append(action)
            follower.tell(seat, action)
            if len(actions) >= LONGEST_BATCH:
                break
        self._followers.give_back(snapshot.id, follower)
        return actions
