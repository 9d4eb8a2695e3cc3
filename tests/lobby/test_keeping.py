"""Looking after a server: reports with their context, suspensions, names, tables, the audit."""

from __future__ import annotations

import json

import pytest

from tests.tables.helpers import BARRAGE
from tianxia.accounts import Accounts
from tianxia.accounts.errors import Suspended, UnknownAccount
from tianxia.lobby import Lobby
from tianxia.lobby.keeping import MOST_A_DAY, Keeping
from tianxia.tables import NotNow, Refused, SeatPlan
from tianxia.tables.errors import TooFast

PLANS = [SeatPlan("me"), SeatPlan("open")]


@pytest.fixture
def keeping(lobby: Lobby) -> Keeping:
    return Keeping(Accounts(lobby.tables, "a secret for tests only"))


def test_a_report_brings_what_its_reporter_could_read(keeping: Keeping) -> None:
    tables = keeping.tables
    bob = keeping.accounts.register("Bob")
    table = tables.create(BARRAGE, PLANS, person="ann", nickname="Ann", talk=True).table_id
    tables.take_seat(table, 1, keeping.accounts.person(bob.id))
    tables.talk.say(table, keeping.accounts.person(bob.id), "You fool")
    keeping.report(table, "ann", 1, "talk", "He insults me")
    (report,) = keeping.reports()
    assert (report.about, report.account, report.reporter) == ("Bob", bob.id, "Ann")
    assert json.loads(report.context)["said"] == [{"seat": 1, "text": "You fool"}]
    keeping.report(table, "a watcher", 1, "other", "")
    assert json.loads(keeping.reports()[1].context)["said"] == []
    for seat, reason in ((0, "talk"), (7, "talk"), (1, "nonsense")):
        with pytest.raises(Refused):
            keeping.report(table, "ann", seat, reason, "")
    keeping.settle("Host", report.id, "warned")
    assert len(keeping.reports()) == 1
    with pytest.raises(NotNow):
        keeping.settle("Host", report.id, "again")
    for _ in range(MOST_A_DAY - 1):
        keeping.report(table, "ann", 1, "other", "")
    with pytest.raises(TooFast):
        keeping.report(table, "ann", 1, "other", "")


def test_deeds_are_done_and_noted(keeping: Keeping) -> None:
    accounts, tables = keeping.accounts, keeping.tables
    bob = accounts.register("Bob", password="correct horse")
    key = accounts.sessions.open(bob, "Firefox", tables.clock())
    keeping.suspend("Host", "bob", 7, "insults")
    assert accounts.sessions.find(key, tables.clock()) is None
    with pytest.raises(Suspended):
        accounts.enter("Bob", "correct horse", "home")
    keeping.suspend("Host", "bob", 0, "sorry")
    assert accounts.enter("Bob", "correct horse", "home").name == "Bob"
    keeping.rename("Host", "Bob", "Robert", "rude")
    waiting = tables.create(BARRAGE, PLANS, person="ann").table_id
    running = tables.create(BARRAGE, PLANS, person="ann").table_id
    tables.take_seat(running, 1, "cat")
    for table in (waiting, running):
        keeping.close("Host", table, "spam")
        assert tables.snapshot(table).status == "over"
        with pytest.raises(NotNow):
            keeping.close("Host", table, "again")
    assert keeping.promote("Host", "Robert", admin=True).admin
    with pytest.raises(UnknownAccount):
        keeping.suspend("Host", "nobody", 1, "")
    deeds = [(deed.what, deed.about) for deed in reversed(keeping.audit())]
    assert deeds[:3] == [("suspend", "Bob"), ("lift", "Bob"), ("rename", "Bob → Robert")]
    assert deeds[3:] == [("close", waiting), ("close", running), ("promote", "Robert")]
