"""A mind: decides for bots at tables, and answers what people ask of it.

Where there is little to decide, as far as everybody can see, a bot moves soon, else it takes a
while. Secret choices it makes at a time that was fixed before it began to think: neither how long
it thought nor what others did in secret can be read from it.

A bot is told what its seat has seen and asked with its seat's view, so it cannot know
more than a person there. Several minds share the work by claims; should two ever think
about the same move, the number of the decision lets only one of them make it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tianxia.bots.review import review
from tianxia.kernel.record import SPECTATOR
from tianxia.kernel.rng import new_rng
from tianxia.tables.advising import Adviser
from tianxia.tables.agenda import BOTS_ONLY, Agenda, Job
from tianxia.tables.errors import TableError, Unavailable, UnknownTable
from tianxia.tables.following import Followers
from tianxia.tables.leases import Leases
from tianxia.tables.reviews import write
from tianxia.tables.samples import count, spread
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.work import HURRY, MOST_TRIES, Question, Turn

log = logging.getLogger("tianxia.tables")

RHYTHM = 0.6
"""Seconds between what happened last and a bot's move: people want to see what happens."""
FORCED, FEW, MANY = 0.6, 1.0, 1.8
"""Times the rhythm, where there seems to be one legal action, where there are few, or many."""
MOST_FEW = 4
SEALED = 4.0
"""Times the rhythm, for secret choices; longer than bots think about them."""
THINKING_SECONDS = 2.0
LEASE_SECONDS = 75.0
SWEEP_SECONDS = 5.0
KNOWN_SECONDS = 0.5
"""How long others leave a table to the mind that has followed its game so far."""
ASLEEP_SECONDS = 0.3
"""How often is asked whether a game's code is there by now."""
RETRY_SECONDS = 1.0
LONGEST_WAIT = 600.0
FALLBACK = "random"
"""Moves where a bot fails: the people at the table shall not wait forever."""
LONGEST_BATCH = 500
STEPS = 10
"""How often people are told how far a review is."""
REVIEWS = "reviews"
"""The group of all reviews: they take a minute each, and nobody's turn waits for them."""


class Stopped(Exception):
    """The mind stops."""


@dataclass(frozen=True)
class Decided:
    """What a bot has decided, until it is time to do it."""

    decision: int
    actions: list[int]


def _pace(snapshot: Snapshot, seat: int) -> float:
    """Return how many times the rhythm a bot takes, by how much there seems to be to decide.

    Counted is what it could do in a world that agrees with what everybody knows, always the same
    one: by what it can do in truth its time would tell of its hand.
    """
    seen = snapshot.view(SPECTATOR)
    world = seen.sample(new_rng(seen.plies)) if seen.viewer is not None else seen
    legal = len(world.legal_actions(seat))
    return FORCED if legal == 1 else FEW if legal <= MOST_FEW else MANY


class Thinker:
    """Lets bots move and answers questions; goes on where another one has stopped.

    Attributes
    ----------
    busy
        What it is doing, and since when by `time.monotonic`; None while it waits.
    thoughts
        How long decisions took, as `samples` counts times.
    """

    def __init__(
        self,
        tables: Tables,
        *,
        rhythm: float = RHYTHM,
        thinking_seconds: float | None = THINKING_SECONDS,
        lease_seconds: float = LEASE_SECONDS,
        sweep_seconds: float = SWEEP_SECONDS,
        awake: Callable[[str], bool] = lambda game: True,
    ) -> None:
        """Prepare; `start` lets it think in a thread, `run` in this one.

        Parameters
        ----------
        rhythm
            Seconds that a bot usually waits after what happened last; 0: none.
        thinking_seconds
            A bot's budget for a move; None leaves it to the bot.
        lease_seconds, sweep_seconds
            After how long another mind takes over from one on another machine that has
            died, and how often each looks for such work.
        awake
            Says of a game whether its code is there, so that thinking need not wait for it.
        """
        self.tables = tables
        self.busy: tuple[str, float] | None = None
        self.thoughts = spread()
        self._work = tables.work
        self._rhythm = rhythm
        self._thinking = thinking_seconds
        self._lease_seconds = lease_seconds
        self._sweeping = sweep_seconds
        self._awake = awake
        self._agenda = Agenda()
        self._leases = Leases(tables.work, lease_seconds)
        self._followers = Followers()
        self._adviser = Adviser()
        self._lock = threading.Lock()
        self._changed: set[str] = set()  # tables
        self._hurried: dict[str, int] = {}  # tables, and how often people had decided there
        self._hastened: set[str] = set()
        self._asked = True
        self._next_sweep = 0.0
        self._turns: dict[str, Turn] = {}
        self._questions: dict[str, tuple[Question, str]] = {}
        self._claims: dict[str, tuple[int, float, int]] = {}  # version, until, tries
        self._ready: dict[tuple[str, int], Decided] = {}
        self._failed: dict[str, float] = {}  # tables at which even the stand-in fails: the wait
        self._stop = threading.Event()
        self._unlisten: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self.run, name="tianxia-mind", daemon=True)

    def start(self) -> Thinker:
        """Begin in a thread, with what another one has been interrupted at."""
        self._thread.start()
        return self

    def close(self) -> None:
        """Stop; moves that bots think about are not made."""
        self._stop.set()
        self._agenda.wake()
        if self._thread.is_alive():
            self._thread.join(10)
        self._leases.close()

    def __enter__(self) -> Thinker:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- What there is to do ---

    def run(self) -> None:
        """Think until somebody calls `close`."""
        self._unlisten = [
            self.tables.hub.listen(self._note_table),
            self.tables.asked.listen(self._note_question),
        ]
        while not self._stop.is_set():
            try:
                self._look_around()
                self._do_next(self._next_sweep - time.monotonic())
            except Unavailable:
                log.warning("a mind cannot reach the tables; trying again")
                self._stop.wait(RETRY_SECONDS)
        for unlisten in self._unlisten:
            unlisten()

    def _note_table(self, table_id: str, _: int) -> None:
        with self._lock:
            self._changed.add(table_id)
        self._agenda.wake()

    def _note_question(self, name: str, part: int) -> None:
        if part == 0:
            self._asked = True
            self._agenda.wake()
        elif part <= HURRY:
            with self._lock:
                self._hurried[name] = HURRY - part
                self._hastened.add(name)
            self._agenda.wake()

    def _look_around(self) -> None:
        """Plan what has changed, now and then everything: what others have left undone."""
        now = time.monotonic()
        with self._lock:
            changed, self._changed = self._changed, set()
            hastened, self._hastened = self._hastened, set()
        if now >= self._next_sweep:
            self._next_sweep = now + self._sweeping
            self._asked = True
            for turn in self._work.turns():
                self._plan(turn)
        elif changed:
            turns = {turn.table_id: turn for turn in self._work.turns(changed)}
            for table_id in changed:
                if table_id in turns:
                    self._plan(turns[table_id])
                else:
                    self._let_go(table_id)
        for table_id in hastened:
            if table_id in self._turns:
                self._again(self._turns[table_id], 0.0)
        if self._asked:
            self._asked = False
            for question, game, group in self._work.questions():
                self._plan_answer(question, game, group)

    def _let_go(self, table_id: str) -> None:
        self._agenda.drop(table_id)
        self._turns.pop(table_id, None)
        self._claims.pop(table_id, None)
        self._hurried.pop(table_id, None)
        self._failed.pop(table_id, None)
        for key in [key for key in self._ready if key[0] == table_id]:
            del self._ready[key]

    def _plan(self, turn: Turn) -> None:
        known = self._turns.get(turn.table_id)
        if self._leases.has_other(turn) or (known is not None and known.version == turn.version):
            return  # the sweep comes back to it
        self._turns[turn.table_id] = turn
        self._again(turn, KNOWN_SECONDS if self._leases.known(turn) else 0.0)

    def _again(self, turn: Turn, seconds: float) -> None:
        """Look at a turn after some time."""
        weight = BOTS_ONLY if turn.bots_only else 1.0
        due = time.monotonic() + seconds
        self._agenda.put(Job(turn.table_id, due, turn.group, weight))

    def _plan_answer(self, question: Question, game: str, group: str, wait: float = 0.0) -> None:
        if self._leases.has_other(question):
            return
        self._questions[question.id] = question, game
        urgent, due = question.kind != "review", time.monotonic() + wait
        group = group if urgent else REVIEWS
        self._agenda.put(Job(question.id, due, group, BOTS_ONLY, urgent))

    def _do_next(self, seconds: float, fits: Callable[[Job], bool] = lambda job: True) -> bool:
        """Do what is due next, or wait for it; say whether there was something."""
        job = self._agenda.take(max(seconds, 0.0), fits)
        if job is None:
            return False
        before, begun = self.busy, time.monotonic()
        self.busy = job.key, begun
        try:
            if job.key in self._questions:
                self._answer(job)
            elif job.key in self._turns:
                self._look(self._turns.pop(job.key))
        finally:
            self._agenda.spent(job, time.monotonic() - begun)
            # What was interrupted for this begins to count anew.
            self.busy = before and (before[0], time.monotonic())
        return True

    # --- Turns of bots ---

    def _look(self, turn: Turn) -> None:
        """Let the bots move that may, or come back when it is time."""
        try:
            if not self._awake(turn.game):
                self._wait(turn, ASLEEP_SECONDS)
                return
            tries = self._claim(turn)
            if tries is None:
                return  # the sweep comes back to it
            snapshot = self.tables.snapshot(turn.table_id)
            for seat, info in enumerate(snapshot.seats):
                if info.thinking and not self._stop.is_set():
                    self._move(turn, snapshot, seat, tries)
        except Unavailable:
            self._wait(turn, RETRY_SECONDS)
        except UnknownTable:
            pass
        except TableError as error:
            log.info("no bot moves at table %s: %s", turn.table_id, error)
        except Exception:
            log.exception("a bot at table %s could not move", turn.table_id)
            wait = self._failed[turn.table_id] = 2 * self._failed.get(turn.table_id, RETRY_SECONDS)
            self._wait(turn, min(wait, LONGEST_WAIT))
        else:
            self._failed.pop(turn.table_id, None)

    def _wait(self, turn: Turn, seconds: float) -> None:
        self._turns[turn.table_id] = turn
        self._again(turn, seconds)

    def _claim(self, turn: Turn) -> int | None:
        """Claim a turn, unless that was done; return how often it has failed."""
        version, until, tries = self._claims.get(turn.table_id, (-1, 0.0, 0))
        if version == turn.version and until > time.monotonic():
            return tries
        found = self._leases.claim(turn)
        if found is not None:
            until = time.monotonic() + self._lease_seconds / 2
            self._claims[turn.table_id] = turn.version, until, found
        return found

    def _move(self, turn: Turn, snapshot: Snapshot, seat: int, tries: int) -> None:
        """Let one bot decide, and act as soon as a person would."""
        decision, stand_in = snapshot.decision(seat), tries >= MOST_TRIES
        try:
            actions = self._decided(snapshot, seat, decision, stand_in=stand_in)
            wait = self._due(snapshot, seat) - self.tables.clock()
            if 0 < wait <= SEALED * self._rhythm:
                self._wait(turn, wait)
                return
            self._ready.pop((snapshot.id, seat), None)
            self.tables.act_for_bot(snapshot.id, seat, actions, decision, stand_in=stand_in)
        except Exception as error:
            self._forget(snapshot.id, seat)
            if stand_in or (isinstance(error, TableError) and error.status != 422):
                raise
            self._failed_once(turn, snapshot.seats[seat].bot, error)

    def _failed_once(self, turn: Turn, bot: str, error: Exception) -> None:
        """Try again, with a bot that is made anew."""
        log.error("bot %s at table %s failed", bot, turn.table_id, exc_info=error)
        self._work.fail(turn, self._leases.owner)
        self._claims.pop(turn.table_id, None)
        self._wait(turn, 0.0)

    def _forget(self, table_id: str, seat: int) -> None:
        """Forget what a bot has decided, and all that the bots of a table have seen."""
        self._ready.pop((table_id, seat), None)
        self._followers.drop(table_id)

    def _decided(
        self, snapshot: Snapshot, seat: int, decision: int, *, stand_in: bool
    ) -> list[int]:
        """Return what a bot has decided; it thinks about a decision once.

        The number of the decision changes with all that is taken back openly. What others take back
        in secret changes nothing: else a bot that thinks anew, and is late, would tell of it.
        """
        known = self._ready.get((snapshot.id, seat))
        if known is None or known.decision != decision:
            name = FALLBACK if stand_in else snapshot.seats[seat].bot
            begun = time.monotonic()
            actions = self._decide(snapshot, seat, name)
            count(self.thoughts, time.monotonic() - begun)
            known = self._ready[snapshot.id, seat] = Decided(decision, actions)
        return known.actions

    def _due(self, snapshot: Snapshot, seat: int) -> float:
        """Return when a bot acts at the earliest, by what everybody has seen happen."""
        last = snapshot.entries_seen(SPECTATOR)[-1].at
        if snapshot.sealed:
            return last + SEALED * self._rhythm
        hurried = self._hurried.get(snapshot.id)
        if hurried is not None and hurried == snapshot.decided_by_people:
            return last
        return last + self._rhythm * (_pace(snapshot, seat) if self._rhythm else 0.0)

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

    # --- Questions ---

    def _answer(self, job: Job) -> None:
        question, game = self._questions.pop(job.key)
        if not self._awake(game):
            self._plan_answer(question, game, job.group, ASLEEP_SECONDS)
            return
        tries = self._leases.take(question)
        if tries is None:
            return
        if tries >= MOST_TRIES:
            self._tell(question, "failed")
            return
        try:
            snapshot = self.tables.snapshot(question.table_id)
            if question.kind == "review":
                answer = self._review(question, snapshot)
            else:
                answer = self._adviser.answer(question, snapshot)
        except (Stopped, UnknownTable):
            return
        except Unavailable:
            self._plan_answer(question, game, job.group, RETRY_SECONDS)
        except TableError as error:
            log.info("no answer about table %s: %s", question.table_id, error)
            self._tell(question, "failed")
        except Exception:
            log.exception("a question about table %s found no answer", question.table_id)
            self._tell(question, "failed")
        else:
            self._tell(question, "done", answer)

    def _tell(self, question: Question, stage: Literal["done", "failed"], answer: str = "") -> None:
        self._work.tell(question.id, stage, 100, answer)
        self.tables.asked.publish(question.id, 101)

    def _review(self, question: Question, snapshot: Snapshot) -> str:
        """Weigh a finished game; bots whose turn it is meanwhile do not wait for that."""
        told = 0

        def progress(part: float) -> None:
            nonlocal told
            if self._stop.is_set():
                raise Stopped
            if (now := int(part * STEPS) * 100 // STEPS) > told:
                told = now
                self._work.tell(question.id, "working", now)
                self.tables.asked.publish(question.id, now)
            self._look_around()
            while not self._stop.is_set() and self._do_next(0.0, lambda job: job.group != REVIEWS):
                self._look_around()
            self._leases.take(question)  # it takes longer than a claim lasts

        history = list(snapshot.state.history())
        found = write(review(snapshot.game, history, progress))
        self.tables.store.keep_review(snapshot.id, found)
        return ""
