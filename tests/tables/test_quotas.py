"""How many tables one may have at once, and what is said then."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from tests.tables.helpers import BARRAGE, people
from tianxia.tables import SeatPlan, Tables
from tianxia.tables import quotas as quotas_of
from tianxia.tables.errors import TooMany

OPEN = [SeatPlan("me"), SeatPlan("open")]
AGAINST_BOT = [SeatPlan("me"), SeatPlan("bot", "random")]
BOTS = [SeatPlan("bot", "random"), SeatPlan("bot", "random")]
KINDS = {"wait for players": OPEN, "are running already": AGAINST_BOT, "bots alone": BOTS}


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a person have two tables of each kind, and an address five."""
    for name in ("WAITING", "PLAYING", "BOTS_ALONE"):
        quota = getattr(quotas_of, name)
        limits = {"maker": (2, quota.limits["maker"][1]), "origin": (5, quota.limits["origin"][1])}
        monkeypatch.setattr(quotas_of, name, replace(quota, limits=limits))


def make(tables: Tables, plans: list[SeatPlan], who: str, origin: str | None = "here") -> str:
    return tables.create(BARRAGE, plans, person=who, origin=origin).table_id


@pytest.mark.parametrize("said", KINDS)
@pytest.mark.usefixtures("few")
def test_of_each_kind(stored: Tables, said: str) -> None:
    plans = KINDS[said]
    for _ in range(2):
        make(stored, plans, "ann")
    with pytest.raises(TooMany, match=f"^2 .*{said}") as refused:
        make(stored, plans, "ann", "elsewhere")
    assert (refused.value.code, refused.value.status) == ("too-many", 429)
    for number in range(3):
        make(stored, plans, f"guest {number}")
    with pytest.raises(TooMany, match=f"^5 .*address.*{said}|^5 .*{said}.*address"):
        make(stored, plans, "somebody")
    make(stored, plans, "somebody", "elsewhere")
    make(stored, plans, "ann", None)  # such as a program on this very machine
    for other in KINDS.values():  # each kind counts for itself
        if other is not plans:
            make(stored, other, "ann")


@pytest.mark.usefixtures("few")
def test_of_tables_made_at_once_each_counts(
    stored: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sends many requests together was let through by all of them."""
    counted = stored.store.count_made

    def slowly(*arguments: Any, **named: Any) -> int:
        found = counted(*arguments, **named)
        time.sleep(0.02)  # others come meanwhile
        return found

    monkeypatch.setattr(stored.store, "count_made", slowly)

    def made(who: str) -> bool:
        try:
            make(stored, OPEN, who)
        except TooMany:
            return False
        return True

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(made, ["ann"] * 6)) == 2
        assert sum(threads.map(made, [f"guest {number}" for number in range(6)])) == 3


@pytest.mark.usefixtures("few")
def test_what_has_begun_or_ended_makes_room(tables: Tables) -> None:
    ids = [make(tables, OPEN, "ann") for _ in range(2)]
    tables.take_seat(ids[0], 1, "bob")
    make(tables, OPEN, "ann")
    running = [make(tables, AGAINST_BOT, "ann"), ids[0]]
    with pytest.raises(TooMany):
        make(tables, AGAINST_BOT, "ann")
    tables.resign(running[0], "ann")
    make(tables, AGAINST_BOT, "ann")


@pytest.mark.usefixtures("few")
def test_what_nobody_comes_back_to_does_not_count_for_ever(tables: Tables) -> None:
    for _ in range(2):
        make(tables, OPEN, "ann")
    now = tables.clock()
    tables.clock = lambda: now + quotas_of.DAY + 1
    make(tables, OPEN, "ann")


@pytest.mark.usefixtures("few")
def test_rematches_count(tables: Tables) -> None:
    table_id = make(tables, AGAINST_BOT, "ann")
    make(tables, AGAINST_BOT, "ann")
    tables.resign(table_id, "ann")
    make(tables, AGAINST_BOT, "ann")
    with pytest.raises(TooMany):
        tables.rematch(table_id, "ann")
    assert tables.snapshot(table_id).next_id is None


def test_usual_limits_leave_room(tables: Tables) -> None:
    for _ in range(15):
        make(tables, OPEN, "ann")
    for _ in range(4):
        make(tables, BOTS, "ann")
    with pytest.raises(TooMany, match="4 games between bots alone are running for you"):
        make(tables, BOTS, "ann")
    assert people(tables)
