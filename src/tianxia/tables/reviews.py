"""Reviews of finished games: worked out by a mind when somebody asks, kept with the table."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from typing import TypeVar

from tianxia.bots.review import Costly, Point, Review
from tianxia.draw.languages import N_
from tianxia.tables.errors import NotNow, TooMuch, Unplayable
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.work import OPEN, Question, Stage, question

Kept = TypeVar("Kept")
MOST = 50
"""Games that wait for their review."""
REMEMBERED = 200


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


class Reviews:
    """The reviews that a process shows. Safe to use from many threads."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._lock = threading.Lock()
        self._found: OrderedDict[str, Looked] = OrderedDict()
        self._watched: OrderedDict[str, str] = OrderedDict()  # tables, by the id of the question
        self._unlisten = tables.asked.listen(self._note)

    def close(self) -> None:
        """Listen to minds no longer."""
        self._unlisten()

    def _note(self, question_id: str, _: int) -> None:
        table_id = self._watched.get(question_id)
        if table_id is not None:
            self._tables.hub.wake(table_id)

    def look(self, snapshot: Snapshot) -> Looked:
        """Return how far the review of a game is; nothing of one that is not over."""
        if not snapshot.open_to_all or not snapshot.playable:
            return NOTHING
        with self._lock:
            known = self._found.get(snapshot.id)
        if known is not None:
            return known
        stored = self._tables.store.review(snapshot.id)
        if stored is not None:
            found = Looked("done", 100, read(stored))
            self._keep(self._found, snapshot.id, found)
            return found
        asked = self._tables.work.question(question(snapshot.id, "review"))
        if asked is None:
            return NOTHING
        self._keep(self._watched, asked.id, snapshot.id)
        # What was found is stored before the question is answered.
        return Looked("working", 90) if asked.stage == "done" else Looked(asked.stage, asked.part)

    def _keep(self, memory: OrderedDict[str, Kept], name: str, what: Kept) -> None:
        with self._lock:
            memory[name] = what
            memory.move_to_end(name)
            while len(memory) > REMEMBERED:
                memory.popitem(last=False)

    def ask(self, table_id: str) -> Looked:
        """Begin to work a review out, unless that was done.

        Raises
        ------
        UnknownTable, NotNow, Unplayable
        TooMuch
            Where too many others wait for theirs.
        """
        snapshot, work = self._tables.snapshot(table_id), self._tables.work
        if not snapshot.open_to_all:
            raise NotNow("not-over", N_("This game is not over yet."))
        if not snapshot.playable:
            raise Unplayable(
                "other-rules",
                N_("This game was played under other rules than are installed; it is not weighed."),
            )
        looked = self.look(snapshot)
        if looked.stage in (*OPEN, "done"):
            return looked
        if work.waiting("review") >= MOST:
            raise TooMuch
        asked = Question(question(table_id, "review"), table_id, "review", at=self._tables.clock())
        if looked.stage == "failed":
            work.forget(asked.id)
        self._keep(self._watched, asked.id, table_id)
        work.ask(asked)
        self._tables.asked.publish(asked.id, 0)
        self._tables.hub.wake(table_id)
        return self.look(snapshot)


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
