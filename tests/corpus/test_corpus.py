"""A change of rules says which stored games it touches, and has a version of its own."""

from __future__ import annotations

import difflib
from typing import Any

import pytest

from tests.corpus import FOLDER, PLAYED, VERDICTS, file_of, stored, verdict, verdicts
from tianxia.kernel.registry import games, kind

ADD = "python -m tests.corpus"


def test_the_present_rules_make_of_every_game_what_is_written_down() -> None:
    before, now = VERDICTS.read_text(encoding="utf-8"), verdicts()
    shown = "\n".join(difflib.unified_diff(before.split("\n"), now.split("\n"), "before", "now"))
    assert before == now, f"{shown}\nIf this is meant: {ADD}"


@pytest.mark.parametrize("game", PLAYED)
def test_there_are_games_of_the_present_version_and_they_are_the_same(game: str) -> None:
    file = file_of(game, kind(game).rules_version)
    assert file.exists(), f"there are none of the rules of {game} as they are now: {ADD}"
    wrong = [line for line in map(verdict, stored(file)) if not line.endswith(": the same")]
    assert not wrong, "the rules behave differently, so rules_version has to change"


def test_every_game_with_several_options() -> None:
    assert set(PLAYED) == {name for name in games() if name != "blind-duel"}
    assert min(map(len, PLAYED.values())) >= 3
    assert sum(file.stat().st_size for file in FOLDER.glob("*.xz")) < 1_000_000


def first(game: str = "stratego") -> dict[str, Any]:
    return next(stored(file_of(game, kind(game).rules_version)))


def test_what_is_not_legal_is_noticed() -> None:
    kept = first()
    place = next(place for place, row in enumerate(kept["rows"]) if row[0] == "act")
    kept["rows"][place][2] = 10**6
    assert verdict(kept).endswith(f": another game from row {place + 1} (act) on")


def test_another_position_is_noticed() -> None:
    kept = first()
    kept["rows"][5][5] = kept["rows"][4][5]
    assert verdict(kept).endswith(": another game from row 6 (act) on")


def test_another_draw_is_noticed() -> None:
    kept = first("firebulls")
    kept["secret"] = "00" * 32
    assert "(chance) on" in verdict(kept)


def test_an_end_that_is_none_any_more_is_noticed() -> None:
    kept = next(game for game in stored(file_of("stratego", 1)) if game["status"] == "over")
    kept["status"] = "playing"
    assert "another game" in verdict(kept)
