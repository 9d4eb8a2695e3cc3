"""Puzzles: what is one, how they are looked for and kept, and each that ships."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tianxia
from tianxia.bots import play, puzzles
from tianxia.bots.puzzles import Book, OtherRules, Puzzle, PuzzleError
from tianxia.draw.languages import LANGUAGES
from tianxia.kernel import registry
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.thinking import Finding

LARGEST = 100_000
"""Bytes of the puzzles of a game."""
GAME = tianxia.game("firebulls")
PUZZLE = Puzzle("firebulls 0 …", "draw", "take:y", 60, 40, 2, {"en": "So.", "fr": "Voilà."})


def finding(action: int, value: float) -> Finding:
    return Finding(action, 1, value, 0.0)


# --- What is one ---


@pytest.mark.parametrize(
    ("values", "action"),
    [
        ([0.5, 0.2, 0.1], 0),
        ([0.5, 0.42], None),  # not clearly
        ([-0.95, -1.0], None),  # lost anyhow
        ([1.0, 0.95], None),  # won anyhow
        ([0.2, 0.5], None),  # the adviser itself says something else
        ([0.5], None),
    ],
)
def test_one_action_is_clearly_best(values: list[float], action: int | None) -> None:
    assert puzzles.clear([finding(n, value) for n, value in enumerate(values)], 0.1) == action


def first(view: State, lead: float = 0.5) -> list[Finding]:
    """Think that the smallest action is clearly best."""
    rest = enumerate(view.legal_actions(view.viewer))
    return [finding(action, 0.4 - lead * (place > 0)) for place, action in rest]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Let games be played, and decisions weighed, without thinking."""

    def at_random(game: tianxia.Game, bots: Any, seed: int) -> State:
        return play(game, ["random"] * game.seats, seed, 120)

    monkeypatch.setattr(puzzles, "play", at_random)
    monkeypatch.setattr(puzzles, "make", lambda *arguments: None)
    monkeypatch.setattr(puzzles, "weighed_by", lambda bot, view: first(view))
    monkeypatch.setattr(puzzles, "patiently", lambda view, seed: first(view, 0.3))
    monkeypatch.setattr(puzzles, "level_of", lambda view, answer: 2)
    monkeypatch.setattr(puzzles, "tells", lambda view, findings: True)
    monkeypatch.setattr(puzzles, "why", lambda view, action, language="en": view.notation())
    return monkeypatch


def found(games: int, book: Book | None = None) -> Book:
    book = book or Book("firebulls", 1)
    searching = puzzles.search(book, GAME.spec, puzzles.self_played(book, GAME, 7), 7)
    for _ in range(games):
        next(searching)
    return book


def test_the_same_seed_finds_the_same_puzzles_whether_it_was_broken_off(quick: Any) -> None:
    whole = found(3)
    assert len(whole.puzzles) == 3 * puzzles.MOST_A_GAME
    assert whole == found(3)
    assert whole == found(2, Book.read(found(1).write()))
    assert {one.prospects - one.next_prospects for one in whole.puzzles} == {15}  # of the patient


def test_who_takes_ten_times_as_long_has_to_agree(quick: pytest.MonkeyPatch) -> None:
    quick.setattr(puzzles, "patiently", lambda view, seed: first(view)[::-1])
    assert found(1).puzzles == []


def test_the_reason_has_to_tell_the_best_from_the_next(quick: pytest.MonkeyPatch) -> None:
    quick.setattr(puzzles, "tells", lambda view, findings: False)
    assert found(1).puzzles == []


def test_the_expert_looks_first(quick: pytest.MonkeyPatch) -> None:
    quick.setattr(puzzles, "make", lambda name, *arguments: name)
    lead = {puzzles.GLANCE: 0.01}
    quick.setattr(puzzles, "weighed_by", lambda bot, view: first(view, lead.get(bot, 0.5)))
    assert found(1).puzzles == []
    lead[puzzles.GLANCE] = 0.04
    assert found(1).puzzles != []


def test_few_have_the_same_reason(quick: pytest.MonkeyPatch) -> None:
    quick.setattr(puzzles, "why", lambda view, action, language="en": "Because.")
    assert len(found(4).puzzles) == puzzles.FEW


def test_most_of_them_may_be_easy_but_not_all(quick: pytest.MonkeyPatch) -> None:
    quick.setattr(puzzles, "level_of", lambda view, answer: 1)
    assert len(found(4).puzzles) == 1
    book = Book("firebulls", 1, puzzles=[PUZZLE] * 4)
    levels = [one.level for one in found(4, book).puzzles]
    assert levels.count(1) - 1 <= puzzles.EASY * len(levels) < len(levels)


# --- How they are kept ---


def test_a_book_is_read_as_it_was_written(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "puzzles.json"
    book = Book("firebulls", 1, 0.2, {"firebulls": 3}, [PUZZLE])
    assert puzzles.opened(file, GAME.kind) == Book("firebulls", 1)
    puzzles.save(book, file)
    assert puzzles.opened(file, GAME.kind) == book
    assert [one.name for one in file.parent.iterdir()] == ["puzzles.json"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"game": 1}', '{"game": "x", "rules": 1, "puzzles": [{}]}', "1"]
)
def test_a_damaged_book_is_told_in_a_sentence(text: str, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PuzzleError, match=r"puzzles\.json: .*; name another file with --out"):
        puzzles.opened(file, GAME.kind)
    assert file.read_text(encoding="utf-8") == text


def test_a_book_of_another_game_or_of_other_rules_is_refused() -> None:
    with pytest.raises(PuzzleError, match="puzzles of china, not of firebulls"):
        Book("china", 1).check(GAME.kind)
    with pytest.raises(OtherRules, match="version 9 of its rules; version 1 is installed"):
        Book("firebulls", 9).check(GAME.kind)


# --- Those that ship ---


@pytest.mark.parametrize("name", registry.games())
def test_each_puzzle_that_ships_is_one(name: str) -> None:
    kind = registry.kind(name)
    book = puzzles.shipped(kind)
    assert len(book.write().encode()) <= LARGEST
    assert len({one.position for one in book.puzzles}) == len(book.puzzles)
    for number, one in enumerate(book.puzzles, 1):
        view = one.view()
        seat = view.viewer
        assert seat is not None, number
        assert 0 <= seat < view.seats
        assert view.notation() == one.position
        assert view.game.kind is kind
        # What a seat may know and nothing else: any world that agrees with it looks just so.
        assert view.sample(new_rng(number)).view(seat) == view, number
        legal = view.legal_actions(seat)
        answer, second = view.parse(one.answer, seat), view.parse(one.next, seat)
        assert answer in legal
        assert second in legal
        assert answer != second
        assert len(legal) >= puzzles.LEAST_CHOICES
        assert 0 <= one.next_prospects < one.prospects <= 100
        led = 100 * book.lead * (view.seats - 1) / view.seats  # as `prospects` tells it, rounded
        assert one.prospects - one.next_prospects >= led - 1
        assert one.level in (1, 2, 3)
        assert sorted(one.reason) == sorted(LANGUAGES)
        assert all(one.reason.values())
