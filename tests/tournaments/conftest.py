"""A club with a tournament, with a clock that the test winds."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.battery import games
from tests.lobby.conftest import Clock, clock
from tests.tables.conftest import Opener, file_url, opened, postgres
from tianxia.accounts import Account, Accounts, passwords
from tianxia.tables import Tables
from tianxia.tournaments import Found, Tournaments, Wish

__all__ = ["clock", "file_url", "opened", "postgres"]
assert games.BLIND_DUEL, "registers the toy"
SECRET = "a secret for tests only"
NAMES = ("Ada", "Bea", "Cid", "Dan", "Eve", "Fay")
DUEL = "blind-duel"
THREE = f"{DUEL}(players=3)"
LIVE = "300+5"


class Club:
    """Accounts, and what they do in a tournament."""

    def __init__(self, tables: Tables, clock: Clock) -> None:
        self.tables, self.clock = tables, clock
        self.accounts = Accounts(tables, SECRET)
        self.all = Tournaments(self.accounts)
        self.cup = ""

    def account(self, name: str) -> Account:
        known = self.accounts.named(name)
        return known or self.accounts.register(name, password=f"a long password of {name}")

    def person(self, name: str) -> str:
        return self.accounts.person(self.account(name).id)

    def make(self, *names: str, begin: bool = True, **wish: object) -> str:
        facts: dict[str, object] = {"name": "Cup", "spec": DUEL, "pace": LIVE, **wish}
        self.cup = self.all.make(self.account(names[0]), Wish(**facts))  # type: ignore[arg-type]
        for name in names:
            self.all.enter(self.cup, self.account(name))
        if begin:
            self.all.begin(self.cup, self.account(names[0]))
        return self.cup

    def found(self) -> Found:
        return self.all.get(self.cup)

    def games(self) -> list[list[str]]:
        """Return who sits at each table of this round, by seat."""
        found = self.found()
        boards = found.boards(found.tournament.round).values()
        return [[found.by_number[row.entrant].name for row in board] for board in boards]

    def table(self, name: str) -> str:
        return self.found().table_of(self.account(name).id)

    def come(self, *names: str) -> None:
        for name in names:
            self.tables.add_seed(self.table(name), self.person(name), f"seed of {name}")

    def play(self, table_id: str, names: list[str], seed: int = 0) -> None:
        """Play a game at random to its end, without a look at the clock."""
        dice = random.Random(seed)
        while (snapshot := self.tables.snapshot(table_id)).status == "playing":
            seat = dice.choice(snapshot.acting)
            action = dice.choice(snapshot.view(seat).legal_actions(seat))
            decision = snapshot.decision(seat)
            if snapshot.seats[seat].kind == "bot":
                self.tables.act_for_bot(table_id, seat, [action], decision)
            else:
                self.tables.act(table_id, self.person(names[seat]), [action], decision)

    def resign(self, *names: str) -> None:
        for name in names:
            self.tables.resign(self.table(name), self.person(name))

    def finish_round(self) -> None:
        """Let the first one at each table resign where all are there; then count."""
        for names in self.games():
            if self.table(names[0]) and not any(map(self.gone, names)):
                self.come(*names)
                self.resign(names[0])
        self.all.sweep()

    def gone(self, name: str) -> bool:
        mine = self.found().of_account(self.account(name).id)
        return mine is None or mine.gone

    def points(self) -> dict[str, float]:
        found = self.found()
        return {found.by_number[one.entrant].name: one.points for one in found.standings}


@pytest.fixture
def url(file_url: str) -> str:
    """Return the address of an empty database; where faults are looked at, of both kinds."""
    return file_url


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody signs in here: passwords need not be hashed slowly."""
    monkeypatch.setattr(passwords, "hashed", lambda _: "none")


@pytest.fixture
def club(opened: Opener, url: str, clock: Clock) -> Club:
    return Club(opened(url, clock=clock), clock)


@pytest.fixture
def second(opened: Opener, url: str, clock: Clock) -> Callable[[], Club]:
    """Return what opens the same database once more, as another process would."""
    return lambda: Club(opened(url, clock=clock), clock)
