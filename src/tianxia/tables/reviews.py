"""Reviews of finished games: worked out when somebody asks, one at a time, kept with the table."""

from __future__ import annotations

import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Literal

from tianxia.bots.review import Costly, Point, Review, review
from tianxia.draw.languages import N_
from tianxia.tables.background import thinkers
from tianxia.tables.errors import NotNow, TooMuch, Unavailable, Unplayable
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Snapshot

log = logging.getLogger("tianxia.tables")

Stage = Literal["none", "waiting", "working", "done", "failed"]
UNDER_WAY = ("waiting", "working", "done")
MOST = 50
"""Games that wait for their review."""
REMEMBERED = 200
STEPS = 10
"""How often people are told how far it is."""


@dataclass(frozen=True)
class Looked:
    """How far the review of a game is.

    Attributes
    ----------
    part
        How much is done, in per cent; in steps of ten.
    review
        What was found, once it is done.
    """

    stage: Stage
    part: int = 0
    review: Review | None = None

    @property
    def key(self) -> tuple[str, int]:
        """What differs when people are to be told."""
        return self.stage, self.part


NOTHING = Looked("none")


class Stopped(Exception):
    """The server stops."""


class Reviews:
    """The reviews of a process. Safe to use from many threads."""

    def __init__(self, tables: Tables, work: Callable[..., Review] = review) -> None:
        self._tables = tables
        self._work = work
        self._lock = threading.Lock()
        self._known: OrderedDict[str, Looked] = OrderedDict()
        self._closed = False
        self._thinkers = thinkers(1, "reviews")

    def close(self) -> None:
        """Stop; what is not worked out is forgotten."""
        self._closed = True
        self._thinkers.shutdown(wait=True, cancel_futures=True)

    def look(self, snapshot: Snapshot) -> Looked:
        """Return how far the review of a game is; nothing of one that is not over."""
        if not snapshot.open_to_all or not snapshot.playable:
            return NOTHING
        with self._lock:
            known = self._known.get(snapshot.id, NOTHING)
        if known.stage in UNDER_WAY:
            return known
        stored = self._tables.store.review(snapshot.id)
        if stored is None:
            return known
        return self._note(snapshot.id, Looked("done", 100, read(stored)), tell=False)

    def ask(self, table_id: str) -> Looked:
        """Begin to work a review out, unless that was done.

        Raises
        ------
        UnknownTable, NotNow, Unplayable
        TooMuch
            Where too many others wait for theirs.
        """
        snapshot = self._tables.snapshot(table_id)
        if not snapshot.open_to_all:
            raise NotNow("not-over", N_("This game is not over yet."))
        if not snapshot.playable:
            raise Unplayable(
                "other-rules",
                N_("This game was played under other rules than are installed; it is not weighed."),
            )
        looked = self.look(snapshot)
        if looked.stage in UNDER_WAY:
            return looked
        with self._lock:
            known = self._known.get(table_id, NOTHING)
            if known.stage in UNDER_WAY:
                return known
            if sum(one.stage in ("waiting", "working") for one in self._known.values()) >= MOST:
                raise TooMuch
            begun = self._known[table_id] = Looked("waiting")
        self._thinkers.submit(self._run, snapshot)
        self._tables.hub.wake(table_id)
        return begun

    def _run(self, snapshot: Snapshot) -> None:
        try:
            history = list(snapshot.state.history())
            found = self._work(snapshot.game, history, lambda part: self._progress(snapshot, part))
            self._tables.store.keep_review(snapshot.id, write(found))
        except Stopped:
            return
        except Unavailable:
            log.warning("the review of table %s could not be stored", snapshot.id)
            self._note(snapshot.id, Looked("failed"))
        except Exception:
            log.exception("table %s could not be reviewed", snapshot.id)
            self._note(snapshot.id, Looked("failed"))
        else:
            self._note(snapshot.id, Looked("done", 100, found))

    def _progress(self, snapshot: Snapshot, part: float) -> None:
        if self._closed:
            raise Stopped
        now = Looked("working", int(part * STEPS) * 100 // STEPS)
        with self._lock:
            known = self._known.get(snapshot.id)
        if known != now:
            self._note(snapshot.id, now)

    def _note(self, table_id: str, looked: Looked, *, tell: bool = True) -> Looked:
        with self._lock:
            self._known[table_id] = looked
            self._known.move_to_end(table_id)
            finished = [
                name for name, one in self._known.items() if one.stage in ("done", "failed")
            ]
            for name in finished[: max(0, len(self._known) - REMEMBERED)]:
                del self._known[name]
        if tell:
            self._tables.hub.wake(table_id)
        return looked


def write(found: Review) -> str:
    """Return a review as it is stored."""
    return json.dumps(asdict(found), separators=(",", ":"))


def read(text: str) -> Review:
    """Return the review that `write` has written."""
    facts = json.loads(text)
    return Review(
        facts["plies"],
        tuple(Point(**point) for point in facts["points"]),
        tuple(Costly(**one) for one in facts["costly"]),
    )
