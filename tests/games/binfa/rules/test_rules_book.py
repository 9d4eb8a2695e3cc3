"""The rulebooks have all statements, in the order of the levels."""

from __future__ import annotations

import re

import pytest

from tianxia.draw.rulebook import Rulebook
from tianxia.games.binfa import GAME

pytestmark = pytest.mark.rules

BOOK = Rulebook("tianxia.games.binfa.face")


def test_the_rulebooks_have_all_statements_in_both_languages() -> None:
    BOOK.check()
    assert BOOK.languages == ("en", "fr")
    assert set(GAME.statements.values()) <= set(BOOK.statements())
    assert len(BOOK.statements()) == 97


@pytest.mark.parametrize("language", ["en", "fr"])
def test_each_level_can_be_read_without_the_next(language: str) -> None:
    """What stands under a level is about this level: rules 1 to 20, to 23, to 37, to 50."""
    last = {1: 20, 2: 23, 3: 37, 4: 50}
    seen: list[int] = []
    for section in BOOK.sections(language):
        level = re.match(r"(?:Level|Niveau) (\d)", section.title)
        if level is None:
            assert not [name for name in section.statements if re.match(r"BIN-\d", name)]
            continue
        for name in section.statements:
            number = re.match(r"BIN-(\d+)", name)
            if number and name != "BIN-51":
                assert last.get(int(level[1]) - 1, 0) < int(number[1]) <= last[int(level[1])]
                seen.append(int(number[1]))
    assert seen == sorted(seen)
    assert set(seen) == set(range(1, 51))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_statements_that_are_mentioned_exist(language: str) -> None:
    mentioned = set(re.findall(r"BIN-\w+", BOOK.markdown(language)))
    assert mentioned == set(BOOK.statements(language))


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_table_of_circles_is_the_ring(language: str) -> None:
    """Row by row and clockwise, in the order of the bases."""
    rows = [line.strip("| ").split(" | ") for line in BOOK.markdown(language).splitlines()]
    table = [row for row in rows if len(row) == 8 and row[1] != "1"]
    names = [row[0] for row in table]
    assert len(names) == 6
    for place, row in enumerate(table):
        shifts = (-2, 2, 0, 0, 0, -1, 1)
        assert row[1:] == [names[(place + shift) % 6] for shift in shifts]
