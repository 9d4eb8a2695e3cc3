"""What fixed games answer is what it was."""

from __future__ import annotations

from difflib import unified_diff
from itertools import islice

import pytest

from tests.playthroughs import FOLDER, GAMES, text_of

LARGEST = 300_000


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_is_unchanged(name: str):
    before = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    now = text_of(name).splitlines()
    difference = islice(unified_diff(before, now, "committed", "now", n=2, lineterm=""), 40)
    shown = "\n".join(line[:300] for line in difference)
    assert before == now, f"{shown}\nIf this is meant: python -m tests.playthroughs"


def test_files_are_of_a_size_to_be_read():
    files = list(FOLDER.glob("*.txt"))
    assert {file.stem for file in files} == set(GAMES)
    assert all(file.stat().st_size < LARGEST for file in files)
