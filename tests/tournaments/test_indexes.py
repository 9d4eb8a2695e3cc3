"""What tournaments ask of the database is found by an index, however many there were."""

from __future__ import annotations

from tests.lobby.conftest import Clock
from tests.tables.conftest import url
from tests.tables.test_indexes import LARGE, Heard, looks
from tests.tournaments.conftest import NAMES, Club

__all__ = ["url"]
GROWING = (*LARGE, "tournaments", "entrants", "pairings", "accounts", "played")


def test_no_statement_looks_through_all(club: Club, clock: Clock) -> None:
    club.make(*NAMES[:4], begin=False, starts=clock.now + 60)
    heard = Heard(club.tables.store.engine)
    clock.now += 61
    club.all.sweep()
    names = club.games()[0]
    club.come(*names)
    club.resign(names[0])
    club.all.sweep()
    club.all.withdraw(club.cup, club.account("Ada"))
    club.all.enter(club.cup, club.account("Ada"))
    club.all.listed("open")
    club.all.of_account(club.account("Ada").id)
    club.all.how_many([club.cup])
    club.accounts.delete(club.account("Bea"))
    club.all.end(club.cup, club.account("Ada"))
    assert looks(club.tables, heard, GROWING) == {}
