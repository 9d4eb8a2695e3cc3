"""What there is to think about, in the database: bots' turns, people's questions, who is at it.

Minds may be processes of this machine or of others; all that they share is the database. A
table at which a bot may act is a turn; nobody has to queue it, so nothing can be lost. Who
thinks about it has claimed that version of the table. A claim ends by itself: with the next
version of the table, with its time, or with its owner's death.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa

from tianxia.tables import schema
from tianxia.tables.store import ASKED_CHANNEL, MINDS_CHANNEL, Store, insert

Kind = Literal["hints", "rows", "review"]
Stage = Literal["none", "waiting", "working", "done", "failed"]
OPEN = ("waiting", "working")
MOST_TRIES = 3
"""After so many failures in a row a bot is stood in for, and a question is given up."""
HURRY = -1
"""Less how often people have decided: tells minds, in the place of a question, to hurry."""
GONE_SECONDS = 7 * 86400.0
"""After so long a crew was killed, and has not only another clock; the next has another name."""
KEPT_SECONDS = 3600.0
"""How long answers about a running game are kept; reviews are stored with their table."""

_tables, _leases, _asked, _minds = (
    schema.tables,
    schema.leases,
    schema.questions,
    schema.minds,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A table at which a bot may act.

    Attributes
    ----------
    group
        Whose table it is: minds are shared out between these.
    owner, until
        Who has claimed this version of it, and until when; who claimed the last one, and 0.
    """

    table_id: str
    game: str
    version: int
    group: str
    bots_only: bool
    owner: str
    until: float


@dataclass(frozen=True, slots=True)
class Question:
    """Something that somebody wants to know of a mind.

    Attributes
    ----------
    seat, epoch, decision
        The decision that it is about; 0 for a review.
    part
        How much of the work is done, in per cent.
    answer
        JSON, once `stage` is ``done``.
    """

    id: str
    table_id: str
    kind: Kind
    seat: int = 0
    epoch: int = 0
    decision: int = 0
    at: float = 0.0
    stage: Stage = "waiting"
    part: int = 0
    answer: str = ""
    owner: str = ""
    until: float = 0.0
    tries: int = 0


def question(table_id: str, kind: Kind, seat: int = 0, epoch: int = 0, decision: int = 0) -> str:
    """Return the id of a question; whoever asks the same gets the same."""
    facts = f"{table_id} {kind} {seat} {epoch} {decision}"
    return hashlib.blake2b(facts.encode(), digest_size=16).hexdigest()


class Work:
    """The work of all minds of a database. Safe to use from many threads."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # --- Turns of bots ---

    def turns(self, table_ids: Iterable[str] | None = None) -> list[Turn]:
        """Return the tables at which a bot may act, of those named or of all."""
        heads, lease = _tables.c, _leases.c
        query = (
            sa.select(
                *(heads.id, heads.game, heads.version, heads.maker, heads.bots_only),
                *(lease.owner, lease.until, lease.version),
            )
            .select_from(_tables.outerjoin(_leases, lease.table_id == heads.id))
            .where(heads.bot_turn)
        )
        if table_ids is not None:
            query = query.where(heads.id.in_(list(table_ids)))
        return [_turn(*row) for row in self._store.rows(query)]

    def queue(self, now: float) -> tuple[int, float]:
        """Return at how many tables a bot may act, and for how many seconds the longest."""
        query = sa.select(sa.func.count(), sa.func.min(_tables.c.updated)).where(_tables.c.bot_turn)
        count, since = self._store.rows(query)[0]
        return count, max(0.0, now - since) if count else 0.0

    def claim(
        self, turn: Turn, owner: str, now: float, until: float, gone: Sequence[str] = ()
    ) -> int | None:
        """Try to become who thinks about a turn.

        Parameters
        ----------
        until
            When the claim ends by itself, in seconds since 1970.
        gone
            Owners that are known to be dead; their claims have ended.

        Returns
        -------
        int or None
            How often others have failed at it in a row; None where somebody else is at it.
        """
        lease, of_table = _leases.c, _leases.c.table_id == turn.table_id
        dead = sa.or_(lease.until < now, lease.owner.in_(gone))
        mine = sa.and_(lease.owner == owner, lease.until >= now)
        failed = sa.case((lease.until > 0, lease.tries + 1), else_=lease.tries)
        tries = sa.case((lease.version != turn.version, 0), (mine, lease.tries), else_=failed)
        take = (
            sa.update(_leases)
            .where(of_table, sa.or_(lease.owner == owner, lease.version < turn.version, dead))
            .values(owner=owner, until=until, version=turn.version, tries=tries)
        )
        row = {"table_id": turn.table_id, "owner": owner, "until": until}
        with self._store.writing() as connection:
            if connection.execute(take).rowcount:
                found = connection.execute(sa.select(lease.tries).where(of_table))
                return int(found.scalar_one())
            if connection.execute(sa.select(lease.owner).where(of_table)).one_or_none():
                return None
            made = insert(connection, _leases, row | {"version": turn.version, "tries": 0})
        return 0 if made else None

    def fail(self, turn: Turn, owner: str) -> None:
        """Say that a turn could not be decided; anybody may try again."""
        lease = _leases.c
        again = (
            sa.update(_leases)
            .where(lease.table_id == turn.table_id, lease.owner == owner)
            .values(until=0.0, tries=lease.tries + 1)
        )
        with self._store.writing() as connection:
            connection.execute(again)

    # --- Questions ---

    def ask(self, asked: Question) -> Question:
        """Put a question, unless it was put before; return it as it stands."""
        row = {name: getattr(asked, name) for name in Question.__slots__}
        old = sa.and_(_asked.c.kind != "review", _asked.c.at < asked.at - KEPT_SECONDS)
        with self._store.writing() as connection:
            connection.execute(sa.delete(_asked).where(old))
            if insert(connection, _asked, row):
                self._store.notify(connection, ASKED_CHANNEL, asked.id, 0)
                return asked
        return self.question(asked.id) or asked

    def hurry(self, table_id: str, decided: int) -> None:
        """Tell all minds that somebody wants to see the bots of a table move at once.

        Parameters
        ----------
        decided
            How often people have decided there; it holds until they do again.
        """
        with self._store.writing() as connection:
            self._store.notify(connection, ASKED_CHANNEL, table_id, HURRY - decided)

    def forget(self, question_id: str) -> None:
        """Let a question be asked anew, such as one that has failed."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(_asked).where(_asked.c.id == question_id))

    def question(self, question_id: str) -> Question | None:
        """Return a question as it stands."""
        query = sa.select(_asked).where(_asked.c.id == question_id)
        found = self._store.row(query)
        return None if found is None else Question(*found)

    def questions(self) -> list[tuple[Question, str, str]]:
        """Return what has no answer yet, oldest first, each with its game and whose table it is."""
        query = (
            sa.select(_asked, _tables.c.game, _tables.c.maker)
            .join(_tables, _tables.c.id == _asked.c.table_id)
            .where(_asked.c.stage.in_(OPEN))
            .order_by(_asked.c.at)
        )
        rows = self._store.rows(query)
        return [(Question(*row[:-2]), row.game, row.maker or row.table_id) for row in rows]

    def waiting(self, kind: Kind) -> int:
        """Return how many questions of a kind wait for an answer."""
        query = sa.select(sa.func.count()).where(_asked.c.stage.in_(OPEN), _asked.c.kind == kind)
        return int(self._store.scalar(query))

    def take(
        self, question_id: str, owner: str, now: float, until: float, gone: Sequence[str] = ()
    ) -> int | None:
        """Try to become who answers; return how often others have failed, as `claim` does."""
        asked, this = _asked.c, _asked.c.id == question_id
        free = sa.or_(asked.owner == owner, asked.until < now, asked.owner.in_(gone))
        tries = sa.case(
            (sa.or_(asked.owner == "", asked.owner == owner), asked.tries), else_=asked.tries + 1
        )
        take = (
            sa.update(_asked)
            .where(this, asked.stage.in_(OPEN), free)
            .values(owner=owner, until=until, tries=tries)
        )
        with self._store.writing() as connection:
            if not connection.execute(take).rowcount:
                return None
            return int(connection.execute(sa.select(asked.tries).where(this)).scalar_one())

    def tell(self, question_id: str, stage: Stage, part: int, answer: str = "") -> None:
        """Say how far an answer is, or what it is."""
        change = (
            sa.update(_asked)
            .where(_asked.c.id == question_id)
            .values(stage=stage, part=part, answer=answer)
        )
        with self._store.writing() as connection:
            connection.execute(change)
            self._store.notify(connection, ASKED_CHANNEL, question_id, part)

    # --- Minds ---

    def note_mind(
        self, host: str, game: str, stage: str, part: int, seconds: int | None, at: float
    ) -> None:
        """Say how far the minds of a game are on a machine."""
        row = {"host": host, "game": game}
        facts = {"stage": stage, "part": part, "seconds": seconds, "at": at}
        here = sa.and_(_minds.c.host == host, _minds.c.game == game)
        with self._store.writing() as connection:
            if not connection.execute(sa.update(_minds).where(here).values(facts)).rowcount:
                insert(connection, _minds, row | facts)
            self._store.notify(connection, MINDS_CHANNEL, game, part)

    def ready(self, host: str) -> set[str]:
        """Return the games whose code is there on a machine."""
        mind = _minds.c
        query = sa.select(mind.game).where(mind.host == host, mind.stage == "ready")
        return set(self._store.column(query))

    def wanted(self) -> list[str]:
        """Return the games that are being played, that of the newest table first."""
        heads = _tables.c
        query = (
            sa.select(heads.game)
            .where(heads.status == "playing")
            .group_by(heads.game)
            .order_by(sa.func.max(heads.created).desc())
        )
        return self._store.column(query)

    def beat(self, host: str, at: float) -> None:
        """Say that the minds of a machine are there still; those of long ago are forgotten."""
        gone = sa.delete(_minds).where(_minds.c.at < at - GONE_SECONDS)
        with self._store.writing() as connection:
            connection.execute(sa.update(_minds).where(_minds.c.host == host).values(at=at))
            connection.execute(gone)

    def forget_minds(self, host: str) -> None:
        """Say that a machine has none any more."""
        with self._store.writing() as connection:
            connection.execute(sa.delete(_minds).where(_minds.c.host == host))

    def minds(self, since: float) -> list[tuple[str, str, int, int | None]]:
        """Return (game, stage, part, seconds) of each game on each machine that is alive."""
        mind = _minds.c
        query = sa.select(mind.game, mind.stage, mind.part, mind.seconds).where(mind.at >= since)
        return [tuple(row) for row in self._store.rows(query)]


def _turn(
    table_id: str,
    game: str,
    version: int,
    maker: str,
    bots_only: bool,
    owner: str | None,
    until: float | None,
    about: int | None,
) -> Turn:
    group = maker or table_id
    claimed = about == version and until is not None
    return Turn(
        table_id, game, version, group, bots_only, owner or "", until if claimed and until else 0.0
    )
