"""What those who watch a table say to one another: players read it after the end only."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy import exc

from tianxia.draw.languages import N_
from tianxia.lobby.shunning import Shunned
from tianxia.tables import NotNow, Refused, Tables, people, schema
from tianxia.tables.errors import TooFast
from tianxia.tables.store import LOBBY_CHANNEL

LONGEST = 500
SHOWN = 150
BURST, BURST_SECONDS = 5, 20
"""How many remarks somebody may make in how many seconds."""
TRIES = 5
_said = schema.gallery.c


@dataclass(frozen=True, slots=True)
class Remark:
    """What somebody who watches has said; `account` is empty for guests."""

    number: int
    id: str
    person: str
    account: str
    name: str
    at: float
    text: str


def ear(table_id: str) -> str:
    """Return the name under which pages are told of new remarks: ``tables.lobby.subscribe``."""
    return f"{table_id}/gallery"


class Gallery:
    """The talk of those who watch, apart from that of those who play."""

    def __init__(self, tables: Tables, shunned: Shunned) -> None:
        self._tables = tables
        self._store = tables.store
        self._shunned = shunned

    def lines(self, table_id: str, person: str) -> list[Remark]:
        """Return the newest remarks, the oldest first, without those of whom one shuns.

        Raises
        ------
        UnknownTable
        NotNow
            For who plays, as long as the game lasts, and before it begins.
        """
        self._check(table_id, person)
        query = (
            sa.select(*(_said[name] for name in Remark.__dataclass_fields__))
            .where(_said.table_id == table_id)
            .order_by(_said.number.desc())
            .limit(SHOWN)
        )
        rows = self._store.rows(query)
        shuns = self._shunned.unheard(people.digest(person)) if rows else frozenset()
        return [Remark(*row) for row in reversed(rows) if row.person not in shuns]

    def say(self, table_id: str, person: str, nickname: str, text: str) -> None:
        """Say something to all who watch.

        Raises
        ------
        UnknownTable, NotNow
        Refused
            For a text that is empty or too long.
        TooFast
        """
        self._check(table_id, person)
        kept, who, now = people.clean_lines(text), people.digest(person), self._tables.clock()
        if not kept:
            raise Refused("empty", N_("This text is empty.")).of(__name__)
        if len(kept) > LONGEST:
            wrong = N_("This text has {length} characters; up to {most} are possible.")
            raise Refused("too-long", wrong, length=len(kept), most=LONGEST).of(__name__)
        account, name = self._store.account(who) or ("", people.clean(nickname))
        row = {
            "table_id": table_id,
            "id": secrets.token_hex(6),
            "person": who,
            "account": account,
            "name": name,
            "at": now,
            "text": kept,
        }
        for _ in range(TRIES):
            try:
                with self._store.writing() as connection:
                    last = self._last(connection, table_id, who, now)
                    connection.execute(sa.insert(schema.gallery), {**row, "number": last + 1})
                    self._store.notify(connection, LOBBY_CHANNEL, ear(table_id), last + 1)
            except exc.IntegrityError:  # somebody else was faster
                continue
            self._tables.lobby.publish(ear(table_id), last + 1)
            return
        raise TooFast(1)

    def speaker(self, table_id: str, person: str, remark_id: str) -> Remark:
        """Return a remark that somebody can read.

        Raises
        ------
        UnknownTable, NotNow
        """
        for one in self.lines(table_id, person):
            if one.id == remark_id:
                return one
        raise NotNow("no-remark", N_("Nobody has said that here.")).of(__name__)

    def _last(self, connection: sa.Connection, table_id: str, who: str, now: float) -> int:
        """Return the number of the last remark; refuse whoever has just said very much."""
        here = _said.table_id == table_id
        mine = here & (_said.person == who) & (_said.at > now - BURST_SECONDS)
        count = sa.select(sa.func.count()).where(mine)
        if connection.execute(count).scalar_one() >= BURST:
            raise TooFast(BURST_SECONDS)
        newest = sa.select(sa.func.max(_said.number)).where(here)
        return connection.execute(newest).scalar() or 0

    def _check(self, table_id: str, person: str) -> None:
        snapshot = self._tables.snapshot(table_id)
        if snapshot.status == "over":
            return
        if snapshot.status != "playing":
            raise NotNow("not-begun", N_("There is nothing to watch yet.")).of(__name__)
        seated = self._tables.seat_of(table_id, person) is not None
        if seated or self._tables.timing.may_come_back(snapshot, person):
            raise NotNow(
                "you-play",
                N_("You play here: what those who watch say can be read after the end."),
            ).of(__name__)
