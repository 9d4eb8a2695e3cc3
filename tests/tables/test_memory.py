"""What is forgotten of tables, and when."""

from __future__ import annotations

from tianxia.tables.memory import Remembered


def test_the_last_are_kept_and_more_with_open_pages() -> None:
    open_pages = {"a", "b"}
    kept = Remembered[int](2, 4, open_pages.__contains__)
    for number, name in enumerate("abcde"):
        kept.keep(name, number)
    assert set(kept) == {"a", "b", "e"}
    kept.keep("a", 9)
    assert kept["a"] == 9
    open_pages.clear()
    kept.keep("f", 5)
    assert len(kept) == 2


def test_there_is_a_bound_however_many_pages_are_open() -> None:
    kept = Remembered[int](2, 4, lambda table_id: True)
    for number in range(50):
        kept.keep(str(number), number)
        assert str(number) in kept
    assert len(kept) == 4
