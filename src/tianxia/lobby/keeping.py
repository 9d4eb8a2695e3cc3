"""Looking after a server: reports of people, what is done about them, and the audit of that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import sqlalchemy as sa

from tianxia.accounts import Account, Accounts
from tianxia.accounts.sessions import COLUMNS
from tianxia.draw.languages import N_
from tianxia.lobby.gallery import Gallery
from tianxia.lobby.shunning import Shunned
from tianxia.tables import NotNow, Refused, Unavailable, UnknownTable, Unplayable, people, schema
from tianxia.tables.errors import TooFast
from tianxia.tables.log import Row
from tianxia.tables.seating import Draft
from tianxia.tables.store import Change, Conflict, Head, Seat

_reports, _accounts, _holders = schema.reports.c, schema.accounts.c, schema.holders.c
_audit = schema.audit.c
Reason = Literal["talk", "name", "cheating", "leaving", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
LONGEST = 1000
REMARKS = 30
"""Remarks that come with a report: those that whoever reports could read."""
MOST_A_DAY = 10
DAY = 86400.0
LISTED = 100
LAST_ROW = 2**31 - 1
"""No log has more rows."""
WITHHELD = json.dumps({"names": [], "said": [], "withheld": True})
"""Stands for what was said at a table at which whoever reads the report plays."""


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody thinks that the host should see."""

    id: str
    at: float
    reporter: str
    about: str
    account: str
    table_id: str
    reason: str
    text: str
    context: str
    settled: float | None
    verdict: str

    @property
    def withheld(self) -> bool:
        """Whether its words are not shown yet, since its reader plays at that table."""
        return self.context == WITHHELD

    @property
    def said(self) -> list[tuple[str, str]]:
        """What the reporter could read: who said it, and what."""
        found = json.loads(self.context)
        return [(found["names"][line["seat"]], line["text"]) for line in found["said"]]


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that was done about the server's people and tables."""

    number: int
    at: float
    who: str
    what: str
    about: str
    why: str


class Keeping:
    """What those who look after the server see and do; every deed is noted."""

    def __init__(self, accounts: Accounts) -> None:
        self.accounts = accounts
        self.tables = accounts.tables
        self.store = accounts.store

    # --- Reports ---

    def report(self, table_id: str, person: str, seat: int, reason: str, text: str) -> str:
        """Report who sits at a seat, with what was said there that the reporter could read.

        Raises
        ------
        UnknownTable, Refused, TooFast
        """
        snapshot = self.tables.snapshot(table_id)
        if not 0 <= seat < len(snapshot.seats) or snapshot.seats[seat].kind != "person":
            raise Refused("no-seat", N_("There is nobody at that seat to report.")).of(__name__)
        own = self.tables.seat_of(table_id, person)
        if own == seat:
            raise Refused("yourself", N_("That is you.")).of(__name__)
        heard = self.tables.talk.heard(table_id, -1 if own is None else own)
        said = [{"seat": line.seat, "text": line.text} for line in heard.lines[-REMARKS:]]
        about = snapshot.seats[seat]
        return self._report(
            people.digest(person),
            {
                "reporter_name": "" if own is None else snapshot.seats[own].name,
                "about": self.holder(table_id, seat),
                "account": about.account,
                "about_name": about.name,
                "table_id": table_id,
                "reason": reason,
                "text": text,
                "context": {"names": [one.name for one in snapshot.seats], "said": said},
            },
        )

    def report_account(self, account: Account, person: str, reason: str, text: str) -> str:
        """Report an account, without a table.

        Raises
        ------
        Refused, TooFast
        """
        who = people.digest(person)
        if account.person == who:
            raise Refused("yourself", N_("That is you.")).of(__name__)
        _, name = self.store.account(who) or ("", "")
        return self._report(
            who,
            {
                "reporter_name": name,
                "about": account.person,
                "account": account.id,
                "about_name": account.name,
                "table_id": "",
                "reason": reason,
                "text": text,
                "context": {"names": [], "said": []},
            },
        )

    def report_remark(self, table_id: str, person: str, remark: str) -> str:
        """Report who has said something among those who watch, with what was said before.

        Raises
        ------
        UnknownTable, NotNow, Refused, TooFast
        """
        gallery, who = Gallery(self.tables, Shunned(self.store)), people.digest(person)
        about = gallery.speaker(table_id, person, remark)
        if about.person == who:
            raise Refused("yourself", N_("That is you.")).of(__name__)
        heard = [one for one in gallery.lines(table_id, person) if one.number <= about.number]
        heard = heard[-REMARKS:]
        _, name = self.store.account(who) or ("", "")
        return self._report(
            who,
            {
                "reporter_name": name,
                "about": about.person,
                "account": about.account,
                "about_name": about.name,
                "table_id": table_id,
                "reason": "talk",
                "text": about.text,
                "context": {
                    "names": [one.name for one in heard],
                    "said": [{"seat": place, "text": one.text} for place, one in enumerate(heard)],
                },
            },
        )

    def _report(self, who: str, what: dict[str, Any]) -> str:
        """Keep a report, unless somebody has written too many today."""
        if what["reason"] not in REASONS:
            raise Refused("reason", N_("The reason is one of {all}."), all=", ".join(REASONS)).of(
                __name__
            )
        now = self.tables.clock()
        row = {
            **what,
            "id": people.new_id(),
            "at": now,
            "reporter": who,
            "text": people.clean_lines(what["text"][:LONGEST]),
            "context": json.dumps(what["context"]),
        }
        with self.store.writing() as connection:
            today = _reports.reporter == who, _reports.at > now - DAY
            if self.store.count_in_turn(connection, f"reports {who}", *today) >= MOST_A_DAY:
                raise TooFast(int(DAY))
            connection.execute(sa.insert(schema.reports), row)
        return str(row["id"])

    def holder(self, table_id: str, seat: int) -> str:
        """Return the digest of who holds a seat; empty where nobody does."""
        query = sa.select(_holders.person).where(
            _holders.table_id == table_id, _holders.seat == seat
        )
        return str(self.store.scalar(query.limit(1)) or "")

    def reports(self, *, settled: bool = False, reader: Account | None = None) -> list[Report]:
        """Return the reports that wait, the oldest first; or those that were settled.

        Parameters
        ----------
        reader
            Who reads them. Of tables at which they play themselves they are shown no words
            before the end: these may be said among the others.
        """
        columns = [
            _reports.reporter_name.label("reporter") if name == "reporter"
            else _reports.about_name.label("about") if name == "about"
            else _reports[name]
            for name in Report.__dataclass_fields__
        ]  # fmt: skip
        done = _reports.settled.is_not(None) if settled else _reports.settled.is_(None)
        query = sa.select(*columns).where(done).order_by(_reports.at).limit(LISTED)
        found = [Report(*row) for row in self.store.rows(query)]
        own = set(self.store.unfinished(reader.person)) if reader and found else set()
        return [
            replace(one, text="", context=WITHHELD) if one.table_id in own else one for one in found
        ]

    def suspended(self) -> list[Account]:
        """Return the accounts that may not be used now, the longest first."""
        query = (
            sa.select(*COLUMNS)
            .where(_accounts.suspended > self.tables.clock())
            .order_by(_accounts.suspended.desc())
            .limit(LISTED)
        )
        return [Account(*row) for row in self.store.rows(query)]

    # --- Deeds ---

    def settle(self, who: str, report_id: str, verdict: str) -> None:
        """Note that a report was looked at, and what came of it.

        One about an account that was deleted meanwhile goes by that.
        """
        now = self.tables.clock()
        done = sa.update(schema.reports).where(_reports.id == report_id, _reports.settled.is_(None))
        with self.store.writing() as connection:
            values = {"settled": now, "verdict": verdict[:LONGEST]}
            if connection.execute(done.values(**values)).rowcount != 1:
                raise NotNow("no-report", N_("There is no such report waiting.")).of(__name__)
            about = sa.select(_accounts.id).where(_accounts.id == _reports.account).exists()
            gone = sa.and_(_reports.id == report_id, _reports.account != "", ~about)
            connection.execute(sa.delete(schema.reports).where(gone))
            self._note(connection, who, "settle", report_id, verdict)

    def suspend(self, who: str, name: str, days: float, why: str) -> Account:
        """Suspend an account: it is signed out everywhere; 0 days lift that again."""
        account, now = self.accounts.known(name), self.tables.clock()
        until = now + days * DAY if days > 0 else None
        with self.store.writing() as connection:
            changed = sa.update(schema.accounts).where(_accounts.id == account.id)
            connection.execute(changed.values(suspended=until))
            ended = schema.sessions.c.account_id == account.id
            connection.execute(sa.delete(schema.sessions).where(ended))
            self._note(connection, who, "suspend" if until else "lift", account.name, why)
        return self.accounts.known(name)

    def rename(self, who: str, name: str, new: str, why: str) -> Account:
        """Give an account another name."""
        account = self.accounts.known(name)
        renamed = self.accounts.rename(account, new)
        with self.store.writing() as connection:
            self._note(connection, who, "rename", f"{account.name} → {renamed.name}", why)
        return renamed

    def close(self, who: str, table_id: str, why: str) -> None:
        """Close a table: a game that is being played ends without a result."""

        def close(draft: Draft) -> None:
            draft.change.seats = _let_go(draft.live.head, draft.seats)
            draft.game_log.close(0, draft.now)

        try:
            self.tables.change(table_id, close)
        except Unplayable:  # its game is not installed, or what is stored of it is damaged
            self._close_unread(table_id)
        with self.store.writing() as connection:
            self._note(connection, who, "close", table_id, why)

    def _close_unread(self, table_id: str) -> None:
        """Close a table whose log nobody can read here."""
        stored, now = self.store.load(table_id, after=LAST_ROW), self.tables.clock()
        if stored is None:
            raise UnknownTable(table_id)
        entry = schema.entries.c
        last = sa.select(sa.func.max(entry.number)).where(entry.table_id == table_id)
        number = (self.store.scalar(last) or 0) + 1
        rows = [Row(number, "close", 0, None, number, now)]
        head, seats = stored.head, _let_go(stored.head, stored.seats)
        ended = replace(head, version=head.version + 1, updated=now, status="over", ending="closed")
        ended = replace(ended, acting=0, bot_turn=False, deadline=None)
        try:
            self.store.commit(ended, Change(rows, seats))
        except Conflict as error:
            raise Unavailable from error
        self.tables.hub.publish(table_id, ended.version)

    def promote(self, who: str, name: str, why: str = "", *, admin: bool) -> Account:
        """Let an account look after the server, or no longer."""
        account = self.accounts.known(name)
        with self.store.writing() as connection:
            changed = sa.update(schema.accounts).where(_accounts.id == account.id)
            connection.execute(changed.values(role="admin" if admin else ""))
            self._note(connection, who, "promote" if admin else "demote", account.name, why)
        return self.accounts.known(name)

    def audit(self, most: int | None = LISTED) -> list[Deed]:
        """Return what was done, the newest first; None is all of it."""
        query = sa.select(schema.audit).order_by(_audit.number.desc()).limit(most)
        return [Deed(*row) for row in self.store.rows(query)]

    def _note(self, connection: sa.Connection, who: str, what: str, about: str, why: str) -> None:
        row = {"at": self.tables.clock(), "who": who, "what": what, "about": about, "why": why}
        connection.execute(sa.insert(schema.audit), row)


def _let_go(head: Head, seats: Sequence[Seat]) -> dict[int, Seat]:
    """Return the seats of a table that is closed: of one that waits nobody has failed to come."""
    if head.status == "over":
        raise NotNow("over", N_("This game is over.")).of(__name__)
    waits = head.status == "waiting"
    return {seat: replace(one, reserved=False) for seat, one in enumerate(seats) if waits}
