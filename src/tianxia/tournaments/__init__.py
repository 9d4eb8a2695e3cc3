"""Tournaments: Swiss and round robin, at ordinary tables. Knows no page.

>>> from tianxia.accounts import Accounts
>>> from tianxia.tables import Tables
>>> from tianxia.tournaments import Tournaments, Wish
>>> tables = Tables("sqlite://")
>>> accounts = Accounts(tables, "a secret")
>>> names = ("Ada", "Bea", "Cid")
>>> people = [accounts.register(name, password=f"{name} likes chess") for name in names]
>>> tournaments = Tournaments(accounts)
>>> cup = tournaments.make(people[0], Wish("Cup", "stratego(variant=barrage)", "300+5"))
>>> for one in people:
...     tournaments.enter(cup, one)
>>> tournaments.begin(cup, people[0])
>>> found = tournaments.get(cup)
>>> found.tournament.round, len(found.boards(1)), len(found.byes(1))
(1, 1, 1)
>>> tables.close()
"""

from __future__ import annotations

from tianxia.tournaments.director import Director
from tianxia.tournaments.model import Entrant, Found, Row, Tournament, Wish
from tianxia.tournaments.service import Tournaments

__all__ = ["Director", "Entrant", "Found", "Row", "Tournament", "Tournaments", "Wish"]
