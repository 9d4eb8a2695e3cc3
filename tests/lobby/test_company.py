"""Who is at a table: at the seats, watching, and looking at it together, in all processes."""

from __future__ import annotations

from tests.lobby.conftest import Clock
from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, people, wait_for
from tianxia.accounts import Accounts
from tianxia.lobby.company import ALIVE, Company, Present, ear
from tianxia.tables import Tables


def test_who_plays_and_who_watches(opened: Opener, url: str, clock: Clock) -> None:
    tables = opened(url, clock=clock)
    company, accounts = Company(tables), Accounts(tables, "a secret for tests only")
    cid = accounts.register("Cid", password="correct horse")
    table_id, other = people(tables, BARRAGE), people(tables, BARRAGE)
    assert company.at(table_id) == Present()
    company.come("phone", table_id, "ann")
    company.come("desk", table_id, "ann")
    company.come("page", table_id, accounts.person(cid.id))
    company.come("guest", table_id, "dan", name="Dan")
    company.come("stream", table_id, "bob")
    company.come("stream", other, "bob")
    assert company.at(table_id) == Present((0, 1), ("Cid",), 1)
    company.go("phone", table_id)
    company.go("guest", table_id)
    company.go("stream", table_id)
    assert company.at(table_id) == Present((0,), ("Cid",))
    assert company.at(other) == Present((1,))


def test_who_looks_together(opened: Opener, url: str, clock: Clock) -> None:
    company = Company(tables := opened(url, clock=clock))
    table_id = people(tables, BARRAGE)
    company.come("1", table_id, "ann", "look", "Ann")
    company.come("2", table_id, "eve", "look", "Eve\u202e")
    company.come("3", table_id, "gus", "look")
    company.come("4", table_id, "hal", "another", "Hal")
    found = company.at(table_id, "look")
    assert (found.looking, found.others) == (("Ann", "Eve"), 1)
    assert company.at(table_id).looking == ()


def test_a_process_that_dies_leaves_nobody_behind(opened: Opener, url: str, clock: Clock) -> None:
    company = Company(tables := opened(url, clock=clock))
    table_id = people(tables, BARRAGE)
    company.come("dead", table_id, "ann")
    company.come("alive", table_id, "bob")
    clock.now += ALIVE - 1
    tables.see(table_id, None, "alive")
    tables.note_seen()
    assert company.at(table_id).seats == (0, 1)
    clock.now += 2
    assert company.at(table_id).seats == (1,)


def test_other_processes_are_told_each_time(opened: Opener, url: str) -> None:
    one, two = opened(url), opened(url)
    table_id, heard = people(one), list[int]()
    two.lobby.listen(lambda name, number: heard.append(number) if name == ear(table_id) else None)
    Company(one).come("page", table_id, "ann")
    wait_for(lambda: len(heard) == 1)
    Company(one).go("page", table_id)
    wait_for(lambda: len(heard) == 2)
    assert heard[0] < heard[1]


def test_an_account_that_is_deleted_is_nowhere(opened: Opener, file_url: str) -> None:
    tables: Tables = opened(file_url)
    accounts, company = Accounts(tables, "a secret for tests only"), Company(tables)
    cid = accounts.register("Cid", password="correct horse")
    table_id = people(tables, BARRAGE)
    company.come("page", table_id, accounts.person(cid.id))
    accounts.delete(cid)
    assert company.at(table_id) == Present()
