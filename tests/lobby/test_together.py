"""Looking at a finished game together: who steps, the others follow, in all processes."""

from __future__ import annotations

import pytest

from tests.tables.conftest import Opener
from tests.tables.helpers import DUEL, people, play_out
from tianxia.lobby.together import KEPT_SECONDS, Together
from tianxia.tables import NotNow, Tables
from tianxia.tables.errors import UnknownTable


@pytest.fixture
def tables(opened: Opener, url: str) -> Tables:
    return opened(url)


@pytest.fixture
def over(tables: Tables) -> str:
    table_id = people(tables, DUEL)
    play_out(tables, table_id, 1)
    return table_id


def test_who_steps_takes_the_others_along(tables: Tables, over: str) -> None:
    together, told = Together(tables), list[tuple[str, int]]()
    look = together.open(over, 3, "Ada")
    found = together.look(over, look)
    assert (found.ply, found.name, found.version) == (3, "Ada", "1")
    tables.lobby.listen(lambda name, number: told.append((name, number)))
    assert together.step(over, look, 2, "Bob") == together.look(over, look)
    assert (together.look(over, look).ply, together.look(over, look).name) == (2, "Bob")
    assert set(told) == {(look, 2)}  # PostgreSQL tells whoever has said it, too
    last = len(tables.snapshot(over).plies_notations) - 1
    assert together.step(over, look, 9999, "").ply == last


def test_only_finished_games_and_only_this_one(tables: Tables, over: str) -> None:
    together = Together(tables)
    running = people(tables, DUEL)
    with pytest.raises(NotNow, match="not over"):
        together.open(running, 0, "")
    with pytest.raises(UnknownTable):
        together.open("nowhere", 0, "")
    look = together.open(over, 0, "")
    for table_id, look_id in ((over, "nothing"), (running, look)):
        with pytest.raises(NotNow):
            together.look(table_id, look_id)
    other = people(tables, DUEL)
    play_out(tables, other, 1)
    with pytest.raises(NotNow, match="Nobody is looking"):
        together.step(other, look, 1, "")


def test_what_nobody_looks_at_is_forgotten(tables: Tables, over: str) -> None:
    together, clock = Together(tables), tables.clock
    old, new = together.open(over, 0, ""), together.open(over, 1, "")
    tables.clock = lambda: clock() + KEPT_SECONDS - 5
    together.step(over, new, 2, "")
    tables.clock = lambda: clock() + KEPT_SECONDS + 5
    together.open(over, 0, "")
    with pytest.raises(NotNow):
        together.look(over, old)
    assert together.look(over, new).ply == 2
