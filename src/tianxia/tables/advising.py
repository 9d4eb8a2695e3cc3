"""Hints at practice tables: what the best bot would do in somebody's place.

Whoever asks is told what his own seat could work out: a hint starts from what that seat has
seen, and the bot that follows the game for it is told no more. Minds work hints out, with
the reason in every language (`Adviser`); who serves a page asks them (`Asking`).
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

from tianxia.bots.advice import Hint, Searching, adviser, rows, weighed
from tianxia.draw.languages import LANGUAGES, N_
from tianxia.kernel.state import State
from tianxia.search.levels import BEST
from tianxia.tables.errors import NotNow, NotYourSeat, Stale
from tianxia.tables.following import Followers
from tianxia.tables.service import Tables
from tianxia.tables.snapshot import Snapshot
from tianxia.tables.work import HURRY, Kind, Question, question

log = logging.getLogger("tianxia.tables")

REMEMBERED = 200
SEEDS = (1, 2, 3)
"""Of the bots that each propose a whole row of secret choices."""


@dataclass(frozen=True)
class Advised:
    """A hint, and why it is good: a sentence in each language, "" for a row of choices."""

    hint: Hint
    reasons: dict[str, str]


@dataclass(frozen=True)
class Advice:
    """What a seat could do now.

    Attributes
    ----------
    decision
        The number of the decision that it is about: ``snapshot.decision(seat)``.
    hints
        The best first; at most three.
    """

    decision: int
    hints: tuple[Advised, ...]


class Asking:
    """Asks minds for hints. Nothing that others do in secret is in a question."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._work = tables.work

    def ask(self, snapshot: Snapshot, seat: int | None, *, together: bool = False) -> str:
        """Put the question what a seat could do now; return its id.

        Parameters
        ----------
        together
            Whether the choices of a secret phase are hinted at as whole rows.

        Raises
        ------
        NotYourSeat, NotNow
            Where no hints are given, saying why.
        """
        seat = check(snapshot, seat)
        kind: Kind = "rows" if together else "hints"
        facts = (snapshot.id, kind, seat, snapshot.epoch, snapshot.decision(seat))
        asked = Question(question(*facts), *facts, at=self._tables.clock())
        if self._work.ask(asked).stage == "failed":
            self._work.forget(asked.id)
            self._work.ask(asked)
        self._tables.asked.publish(asked.id, 0)
        return asked.id

    def answer(self, question_id: str) -> Advice | None:
        """Return the answer to a question, None while there is none.

        Raises
        ------
        Stale
            Where the game has gone on before there was one.
        """
        found = self._work.question(question_id)
        if found is None or found.stage == "failed":
            raise Stale
        return read(found) if found.stage == "done" else None


def read(found: Question) -> Advice:
    """Return the advice that an `Adviser` has written."""
    hints = [
        Advised(Hint(tuple(actions), value), reasons)
        for actions, value, reasons in json.loads(found.answer)
    ]
    return Advice(found.decision, tuple(hints))


class Adviser:
    """Works hints out, in a mind."""

    def __init__(self) -> None:
        self._followers = Followers(REMEMBERED)

    def answer(self, asked: Question, snapshot: Snapshot) -> str:
        """Return the answer to a question as JSON; thinking takes a second or so.

        Raises
        ------
        Stale
            Where the game has gone on since.
        """
        now = (snapshot.epoch, snapshot.decision(asked.seat))
        if asked.seat not in snapshot.acting or now != (asked.epoch, asked.decision):
            raise Stale
        view = snapshot.view(asked.seat)
        found = []
        for hint in self.hints(snapshot, asked.seat, together=asked.kind == "rows"):
            reasons = {name: reason(view, asked.seat, hint, name) for name in LANGUAGES}
            found.append((hint.actions, hint.value, reasons))
        return json.dumps(found)

    def hints(self, snapshot: Snapshot, seat: int, *, together: bool = False) -> list[Hint]:
        """Return what a seat could do now, the best first."""
        name = BEST
        if together:
            return rows(name, snapshot.state, seat, SEEDS)
        follower = self._followers.take(snapshot, seat, name, seat)
        view = snapshot.view(seat)
        try:
            hints = weighed(follower.bot, view)
        except Exception:  # somebody's game shall not leave a player without any advice
            log.exception("the adviser of %s failed at table %s", snapshot.game.name, snapshot.id)
            return _searched(view)
        self._followers.give_back(snapshot.id, follower)
        return hints


def _searched(view: State) -> list[Hint]:
    findings = Searching().weigh(None, view)
    return [Hint((one.action,), one.value) for one in findings[: len(SEEDS)]]


def reason(view: State, seat: int, hint: Hint, language: str) -> str:
    """Return why a hint is good, as a sentence; "" for a row of choices.

    Parameters
    ----------
    view
        What the seat may know; the hint is for its next decision.
    """
    if len(hint.actions) != 1 or hint.value is None:
        return ""
    try:
        return adviser(view.game.kind).reason(view, seat, hint.actions[0], language)
    except Exception:
        log.exception("the adviser of %s gave no reason", view.game.name)
        return Searching().reason(view, seat, hint.actions[0], language)


def may_ask(snapshot: Snapshot, seat: int | None) -> bool:
    """Say whether a seat is given hints at this table: who plays there against bots only."""
    return (
        seat is not None
        and snapshot.status == "playing"
        and snapshot.playable
        and not _others(snapshot, seat)
    )


def may_hurry(snapshot: Snapshot, seat: int | None) -> bool:
    """Say whether a seat can have the bots move at once: it waits for them, and for nobody else.

    In a phase of secret choices bots take their time, which tells nothing of what they think.
    """
    acting = snapshot.acting
    return may_ask(snapshot, seat) and bool(acting) and seat not in acting and not snapshot.sealed


def hurry(tables: Tables, table_id: str, person: str) -> None:
    """Let the bots of a table move without waiting, until somebody's turn comes.

    Raises
    ------
    UnknownTable, NotYourSeat, NotNow
    """
    snapshot, seat = tables.snapshot(table_id), tables.seat_of(table_id, person)
    if seat is None:
        raise NotYourSeat("not-your-seat", N_("You have no seat here that could do this."))
    if snapshot.status == "over":
        raise _over()
    if not may_ask(snapshot, seat):
        raise NotNow("not-alone", N_("Bots hurry only for those who play against bots alone."))
    if may_hurry(snapshot, seat):
        tables.work.hurry(table_id, snapshot.decided_by_people)
        tables.asked.publish(table_id, HURRY - snapshot.decided_by_people)


def _others(snapshot: Snapshot, seat: int) -> list[str]:
    """Return the names of the other people at a table."""
    return [
        info.name
        for other, info in enumerate(snapshot.seats)
        if other != seat and info.kind != "bot"
    ]


def _over() -> NotNow:
    return NotNow("over", N_("This game is over."))


def check(snapshot: Snapshot, seat: int | None) -> int:
    """Return the seat where it is given hints now.

    Raises
    ------
    NotYourSeat, NotNow
    """
    if seat is None:
        raise NotYourSeat("not-your-seat", N_("You have no seat here that could do this."))
    if snapshot.status == "over":
        raise _over()
    others = _others(snapshot, seat)
    if others:
        raise NotNow(
            "not-alone",
            N_("Hints are only for those who play against bots alone; here others play: {names}."),
            names=", ".join(name or "?" for name in others),
        )
    if snapshot.status == "waiting":
        raise NotNow("waiting", N_("The game begins when all seats are taken."))
    if seat not in snapshot.acting:
        raise NotNow("not-your-turn", N_("It is not your turn."))
    return seat
