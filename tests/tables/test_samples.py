"""What processes count is kept for a day: a row each, joined when somebody looks."""

from __future__ import annotations

import sqlalchemy as sa

from tests.tables.helpers import BARRAGE, people
from tianxia.tables import SeatPlan, Tables, Thinker
from tianxia.tables.samples import SLOT_SECONDS, SLOTS, Figures, Sampler, Samples, spread, within
from tianxia.tables.samples import count as note
from tianxia.tables.schema import samples

NOON = 1_800_000_000.0


class Process:
    """A process that counts."""

    def __init__(self, tables: Tables) -> None:
        self.refused, self.pages = 5, 0
        self.sampler = Sampler(tables, lambda: Figures(refused=self.refused, pages=self.pages))

    def minute(self, refused: int, pages: int = 0) -> None:
        self.refused += refused
        self.pages = pages
        self.sampler.sweep()


def test_processes_are_counted_together_and_each_writes_its_own_row(stored: Tables) -> None:
    now = NOON
    stored.clock = lambda: now
    people(stored)
    one, other = Process(stored), Process(stored)
    one.minute(2, pages=3)
    one.minute(1, pages=2)
    other.minute(4, pages=10)
    stored.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="ann")
    other.minute(0)
    now += SLOT_SECONDS
    other.minute(7)
    day = Samples(stored.store).day(now)
    assert day[:-2] == [None] * (SLOTS - 2)
    before, last = day[-2:]
    assert before is not None
    assert last is not None
    assert (before.refused, before.pages) == (2 + 1 + 4, 3 + 10)
    assert (before.playing, before.waiting) == (1, 1)
    assert (last.refused, last.pages) == (7, 0)
    with stored.store.reading() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(samples)).scalar() == 3
    now += (SLOTS + 1) * SLOT_SECONDS
    one.minute(1)
    assert [one and one.refused for one in Samples(stored.store).day(now)] == [
        *[None] * (SLOTS - 1),
        1,
    ]
    with stored.store.reading() as connection:
        rows = list(connection.execute(sa.select(samples.c.slot)).scalars())
    assert len(rows) == 1  # a day is all that is kept


def test_what_the_database_did_not_take_is_counted_with_the_next_minute(tables: Tables) -> None:
    tables.clock = lambda: NOON
    process, put = Process(tables), tables.store.put
    tables.store.put = lambda *_: 1 / 0  # type: ignore[assignment,method-assign]
    try:
        process.minute(2)
    except ZeroDivisionError:
        tables.store.put = put  # type: ignore[method-assign]
    process.minute(3)
    last = Samples(tables.store).day(NOON)[-1]
    assert last is not None
    assert last.refused == 5


def test_another_version_s_rows_are_read_as_far_as_they_are_known() -> None:
    found = Figures.read('{"refused": 3, "answers": [1, 2], "pages": "many", "new": 1}')
    assert found == Figures(refused=3)


def test_how_long_most_took_is_found_between_bounds() -> None:
    times = spread()
    assert within(times, 0.5) is None
    for seconds in (0.015, 0.015, 0.03, 100.0):
        note(times, seconds)
    assert within(times, 0.25) == 0.015
    assert within(times, 0.75) == 0.05
    assert within(times, 1.0) == 10.0


def test_a_mind_counts_how_long_its_bots_think(tables: Tables) -> None:
    bots = [SeatPlan("bot", "random")] * 2
    table = tables.create(BARRAGE, bots, person="ann").table_id
    mind = Thinker(tables, rhythm=0.0)
    with mind:
        for _ in range(2000):
            if tables.snapshot(table).version > 3:
                break
            mind._stop.wait(0.01)
    assert sum(mind.thoughts) >= 1
