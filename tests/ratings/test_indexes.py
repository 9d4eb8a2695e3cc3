"""What profiles, lists of games and leaderboards ask is found by an index, on both databases."""

from __future__ import annotations

from tests.ratings.test_played import Company
from tests.tables.test_indexes import LARGE, Heard, looks
from tianxia.tables import Tables

GROWING = (*LARGE, "accounts", "played", "results", "ratings")


def test_no_page_looks_through_all_games(stored: Tables) -> None:
    company = Company(stored)
    heard = Heard(stored.store.engine)
    company.won("Ada", "Bea")
    company.ended("Bea", "Ada")
    company.ratings.settle()
    played, ada, bea = company.played, company.ids["Ada"], company.ids["Bea"]
    assert played.record(ada, own=True).tally.games == 2
    played.between(ada, bea)
    for account in ("", ada):
        for game in ("", "stratego"):
            played.games(game=game, account=account)
            played.games(game=game, account=account, result="won", before=(5.0, "x"))
    company.ratings.of(ada)
    company.ratings.curve(ada, "stratego", "quick")
    assert company.ratings.best("stratego", "quick")
    assert len(heard.statements) > 20
    assert looks(stored, heard, GROWING) == {}
