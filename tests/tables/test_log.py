"""Positions are stored tightly, and come back exactly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.tables.helpers import do, ready
from tianxia.tables import Tables
from tianxia.tables.log import kept, notations, pack, unpack

line = st.text(st.characters(codec="ascii", exclude_characters="\n"), min_size=1, max_size=300)


@given(st.lists(line, min_size=1, max_size=4), st.just("") | line)
def test_what_is_packed_is_unpacked(lines: list[str], before: str) -> None:
    assert unpack(pack(lines, before), before) == lines


def test_positions_take_little_room(tables: Tables) -> None:
    table_id = ready(tables)
    do(tables, table_id, 0, "e4-e5")
    rows = tables._lives[table_id].game_log.rows
    assert sum(len(row.position or b"") for row in rows) < 40 * len(rows)
    found = notations(rows)
    assert len(found) == len(kept(rows)) + 1
    assert found[-1] == tables.snapshot(table_id).state.notation()
