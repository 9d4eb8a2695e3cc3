"""The battery notices when a game is broken."""

from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest

import tianxia
from tests.battery import games
from tianxia import testing

assert games.MODULES  # the toy is known
ROOT = Path(__file__).resolve().parent.parent.parent


def noticed(module: str) -> list[str]:
    """Return what a program that breaks the toy game says was noticed."""
    done = subprocess.run(
        [sys.executable, "-m", module], cwd=ROOT, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_every_mutant_is_noticed():
    lines = noticed("tests.battery.mutants")
    assert len(lines) >= 40
    assert not [line for line in lines if "SURVIVED" in line]
    (place,) = [line for line in lines if "fewer_places" in line]
    assert "setup fails" in place
    assert re.search(r"mutants\.py, line \d+, setup: state\.points\[3\] = 0", place)


def test_an_answer_that_is_not_the_only_one_is_noticed(monkeypatch):
    game = tianxia.game("firebulls")
    monkeypatch.setitem(vars(game.kind), "obvious", lambda view, seat: 0)
    with pytest.raises(testing.CheckFailed, match="not only 0"):
        testing.check_obvious(game, 0, 100)


def test_a_sentence_that_tells_a_secret_is_noticed(monkeypatch):
    game = tianxia.game("blind-duel")
    words = game.kind.words
    right = words.describe
    monkeypatch.setattr(
        words,
        "describe",
        lambda state, action, seat, viewer, language: right(state, action, seat, None, language),
    )
    with pytest.raises(testing.CheckFailed, match="who is told 'Seat"):
        testing.check_seen(game, 0, 100)


def tells_the_deck(right):
    return lambda state, *asked: f"{right(state, *asked)} {state.fields['deck'].tolist()}"


TOLD = count()


def counts(right):
    return lambda *asked: f"{right(*asked)} {next(TOLD)}"


def says_nothing(right):
    return lambda *asked: None


def reads_anything(right):
    def read(state, text, seat):
        with suppress(tianxia.ParseError):
            return right(state, text, seat)
        return 0

    return read


@pytest.mark.parametrize(
    ("name", "wrong", "check", "text"),
    [
        ("describe", tells_the_deck, testing.check_seen, "in another world"),
        ("describe", counts, testing.check_words, "asked again, is"),
        ("describe", says_nothing, testing.check_words, "no sentence for"),
        ("diagram", counts, testing.check_words, "asked again, the diagram is another"),
        ("read", reads_anything, testing.check_words, "parse reads '' as 0"),
    ],
)
def test_wrong_words_are_noticed(monkeypatch, name, wrong, check, text):
    words = tianxia.game("blind-duel").kind.words
    monkeypatch.setattr(words, name, wrong(getattr(words, name)))
    with pytest.raises(testing.CheckFailed, match=text):
        check(tianxia.game("blind-duel"), 0, 100)


def test_a_statement_without_a_text_is_noticed(monkeypatch):
    game = tianxia.game("blind-duel")
    right = game.kind.rulebook
    silent = lambda name, language: "" if name == "BD-4" else right(name, language)  # noqa: E731
    monkeypatch.setitem(vars(game.kind), "rulebook", silent)
    with pytest.raises(testing.CheckFailed, match="no text in the rulebook: BD-4"):
        testing.check_refusals(game, 0, 10)


def test_parts_that_are_not_what_is_written_are_noticed(monkeypatch):
    game = tianxia.game("firebulls")
    monkeypatch.setitem(vars(game.kind), "layout", game.layout[1:])
    with pytest.raises(testing.CheckFailed, match="layout has"):
        testing.check_play(game, 0, 10)


def test_a_refusal_without_a_statement_is_told_in_a_sentence(monkeypatch):
    game = tianxia.game("firebulls")
    monkeypatch.setitem(vars(game.kind), "statements", {})
    with pytest.raises(testing.CheckFailed, match="its statements name no such code"):
        testing.check_refusals(game, 0, 10)


def test_rules_that_differ_where_they_are_compiled_are_noticed():
    (line,) = noticed("tests.battery.overflow")
    assert "writes points: [4 0 0] and [0 0 0]" in line
