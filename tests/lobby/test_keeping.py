"""Looking after a server: reports with their context, suspensions, names, tables, the audit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from tests.tables.helpers import BARRAGE
from tianxia.accounts import Accounts
from tianxia.accounts.errors import Suspended, UnknownAccount
from tianxia.cli import app
from tianxia.kernel import mode
from tianxia.lobby import Lobby
from tianxia.lobby.keeping import MOST_A_DAY, Keeping
from tianxia.tables import NotNow, Refused, SeatPlan, Tables, UnknownTable, Unplayable, schema
from tianxia.tables.errors import TooFast
from tianxia.tables.people import digest

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


def test_whoever_looks_after_the_server_reads_nothing_of_their_own_games_before_the_end(
    keeping: Keeping,
) -> None:
    """At a table of three the others talked against the host, and one reported the other."""
    tables, host = keeping.tables, keeping.accounts.register("Host")
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
    person = keeping.accounts.person(host.id)
    table = tables.create("china(players=3)", plans, person=person, talk=True).table_id
    tables.take_seat(table, 1, "bea")
    tables.take_seat(table, 2, "cid")
    tables.talk.say(table, "bea", "The two of us against Host", to=[2])
    keeping.report(table, "cid", 1, "talk", "She wants to cheat Host")
    (report,) = keeping.reports(reader=host)
    assert report.withheld
    assert (report.text, report.said) == ("", [])
    (whole,) = keeping.reports(reader=keeping.accounts.register("Other"))
    assert (whole.text, len(whole.said)) == ("She wants to cheat Host", 1)
    keeping.close("Other", table, "")
    assert keeping.reports(reader=host) == [whole]


def test_what_is_reported_of_an_account_that_goes_stays_until_it_is_settled(
    keeping: Keeping,
) -> None:
    accounts = keeping.accounts
    ann, bob = accounts.register("Ann"), accounts.register("Bob")
    keeping.report_account(bob, accounts.person(ann.id), "name", "")
    keeping.report_account(ann, accounts.person(bob.id), "name", "")
    accounts.delete(bob)
    of_bob, of_ann = sorted(keeping.reports(), key=lambda one: one.about != "Bob")
    assert (of_bob.reporter, of_ann.reporter, of_ann.about) == ("Ann", "", "Ann")
    for report in (of_bob, of_ann):
        keeping.settle("Host", report.id, "seen")
    assert [one.about for one in keeping.reports(settled=True)] == ["Ann"]


@pytest.mark.parametrize("wrong", [{"spec": "gone", "game": "gone"}, {"sources": "["}])
@pytest.mark.parametrize("waits", [True, False])
def test_a_table_that_cannot_be_read_here_is_closed_too(
    keeping: Keeping, wrong: dict[str, str], waits: bool
) -> None:
    """Its game is not installed any more, or what is stored of it is damaged."""
    tables, store = keeping.tables, keeping.store
    table = tables.create(BARRAGE, PLANS, person="ann", pace="300+5").table_id
    if not waits:
        tables.take_seat(table, 1, "bob")
    change = sa.update(schema.tables).where(schema.tables.c.id == table)
    right = store.rows(sa.select(schema.tables))[0]._mapping
    with store.writing() as connection:
        connection.execute(change.values(**wrong))
    tables._lives.clear()
    with pytest.raises(Unplayable):
        tables.snapshot(table)
    keeping.close("Host", table, "nobody can play on")
    with pytest.raises(NotNow):
        keeping.close("Host", table, "nobody can play on")
    assert store.of_person(digest("ann"), 9)[0][0].status == "over"
    assert store.next_deadline() is None
    assert [one.what for one in keeping.audit()] == ["close"]
    with store.writing() as connection:
        connection.execute(change.values({name: right[name] for name in wrong}))
    snapshot = tables.snapshot(table)
    assert (snapshot.status, snapshot.ending, snapshot.acting) == ("over", "closed", ())
    assert snapshot.entries[-1].kind == "close"
    with pytest.raises(UnknownTable):
        keeping.close("Host", "no-such-table", "")


def test_the_command_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'tables.sqlite3'}"
    monkeypatch.setenv("TIANXIA_DATABASE", url)
    monkeypatch.setenv("TIANXIA_SECRET", "a secret for tests only")
    monkeypatch.setattr(mode, "interpret", lambda: None)  # this process has settled that

    def admin(*words: str) -> str:
        result = CliRunner().invoke(app, ["admin", *words, "--why", "asked for"])
        return result.output if result.exit_code == 0 else f"{result.exit_code}: {result.output}"

    with Tables(url) as tables:
        keeping = Keeping(Accounts(tables, "a secret for tests only"))
        bob = keeping.accounts.register("Bob", password="correct horse")
        report = keeping.report_account(bob, "ann", "name", "His name")
        waiting = tables.create(BARRAGE, PLANS, person="ann", nickname="Ann", talk=True).table_id
        tables.take_seat(waiting, 1, keeping.accounts.person(bob.id))
        tables.talk.say(waiting, keeping.accounts.person(bob.id), "You fool")
        insult = keeping.report(waiting, "ann", 1, "talk", "He\ninsults me")
        first, second, said = admin("reports").splitlines()
        assert first.endswith("  name   → Bob    His name")
        assert second.endswith(f"  talk  Ann → Bob  /t/{waiting}  He insults me")
        assert said == "    Bob: You fool"
        for words in (
            *(
                ("settle", report),
                ("settle", insult),
                ("rename", "Bob", "Robert"),
                ("suspend", "Robert", "7"),
            ),
            *(("lift", "robert"), ("close", waiting), ("promote", "Robert"), ("demote", "Robert")),
        ):
            assert admin(*words) == "Done, and noted.\n"
        assert admin("reports") == "None.\n"
        assert admin("demote") == "2: Write it like this: tianxia admin demote NAME\n"
        assert tables.snapshot(waiting).status == "over"
        assert keeping.accounts.enter("Robert", "correct horse", "home").id == bob.id
        noted = admin("audit")
        assert all(line.endswith("  asked for") for line in noted.splitlines())
        wrong = [("Robert", days) for days in ("seven", "nan", "inf", "-1", "0")]
        for words in (*wrong, ("Nobody", "7")):
            assert admin("suspend", *words).startswith("2: ")
        assert "99999” is not a number of days up to 3660." in admin("suspend", "Robert", "99999")
        assert admin("audit") == noted


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
    deeds = [(deed.what, deed.about) for deed in reversed(keeping.audit(None))]
    assert len(keeping.audit(2)) == 2
    assert deeds[:3] == [("suspend", "Bob"), ("lift", "Bob"), ("rename", "Bob → Robert")]
    assert deeds[3:] == [("close", waiting), ("close", running), ("promote", "Robert")]
