"""Damaged texts and bytes: refused with a typed error, or read as what they then say."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tianxia
from tests.battery.games import SHORT
from tests.kernel import mutations
from tianxia.kernel.transcript import Transcript
from tianxia.testing import Walk

ROOT = Path(__file__).resolve().parents[2]
SPECS = [*SHORT, "stratego(variant=duel,two_squares=5)"]
LONGEST_MESSAGE = 2000
ALPHABET = "0123456789abcdefghij?-*.~!x@:/,()= rBFMS\n#é\0"


@cache
def positions(spec: str) -> list[tianxia.State]:
    """Return positions, with views, from all parts of some games."""
    found: list[tianxia.State] = []
    for seed in (0, 1):
        walk = Walk(tianxia.game(spec), seed, 250)
        for _ in walk:
            if walk.number % 7 == 0:
                found.append(walk.state.clone())
                found.append(walk.state.view(walk.viewers[walk.number % len(walk.viewers)]))
        found.append(walk.state)
    return found


@cache
def transcripts(spec: str) -> list[str]:
    return [state.transcript() for state in positions(spec) if state.viewer is None]


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """Change a text in a few places: characters, whole tokens, halves of it."""
    for _ in range(draw(st.integers(1, 3))):
        how = draw(st.sampled_from(["delete", "insert", "replace", "token", "swap", "cut"]))
        place = draw(st.integers(0, max(len(text) - 1, 0)))
        letter = draw(st.sampled_from(ALPHABET))
        if how in ("token", "swap"):
            tokens = text.split(" ")
            i, j = (draw(st.integers(0, len(tokens) - 1)) for _ in range(2))
            tokens[i], tokens[j] = tokens[j], tokens[i] if how == "swap" else tokens[j]
            text = " ".join(tokens)
        elif how == "cut":
            text = text[:place]
        else:
            text = (
                text[:place]
                + ("" if how == "delete" else letter)
                + (text[place:] if how == "insert" else text[place + 1 :])
            )
    return text


def check_refused(error: tianxia.TianxiaError) -> None:
    assert 10 < len(str(error)) < LONGEST_MESSAGE
    assert "Traceback" not in str(error)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=250)
@given(data=st.data())
def test_damaged_notation(spec: str, data: st.DataObject):
    state = data.draw(st.sampled_from(positions(spec)))
    text = data.draw(damaged(state.notation()))
    try:
        other = tianxia.position(text)
    except tianxia.TianxiaError as error:
        check_refused(error)
        return
    again = tianxia.position(other.notation())
    assert again == other
    assert other.notation().split()[1:] == text.split()[1:]
    mutations.play_on(other, 30, data.draw(st.integers(0, 9)))


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=80)
@given(data=st.data())
def test_damaged_transcripts(spec: str, data: st.DataObject):
    text = data.draw(damaged(data.draw(st.sampled_from(transcripts(spec)))))
    try:
        state = tianxia.replay(text)
    except tianxia.TianxiaError as error:
        check_refused(error)
        return
    assert tianxia.replay(state.transcript()) == state


@settings(max_examples=200)
@given(text=st.text(max_size=80))
def test_any_text(text: str):
    state = positions("blind-duel")[3]
    for read in (tianxia.game, tianxia.position, tianxia.replay, state.parse, Transcript.read):
        try:
            read(text)
        except tianxia.TianxiaError as error:
            check_refused(error)


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=100)
@given(data=st.data(), text=st.text(max_size=8) | st.text(ALPHABET, max_size=8))
def test_any_token(spec: str, data: st.DataObject, text: str):
    state = data.draw(st.sampled_from(positions(spec)))
    for seat in (*range(state.seats), tianxia.CHANCE):
        try:
            action = state.parse(text, seat)
        except tianxia.ParseError as error:
            check_refused(error)
        else:
            assert 0 <= action < state.game.num_actions


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=200)
@given(data=st.data())
def test_any_action_changes_nothing_unless_it_is_legal(spec: str, data: st.DataObject):
    state = data.draw(st.sampled_from(positions(spec))).clone()
    action = data.draw(st.integers(-2, state.game.num_actions + 2) | st.integers())
    seat = data.draw(st.integers(-3, state.seats + 1) | st.none())
    before = state.to_bytes()
    try:
        state.apply(action, seat)
    except tianxia.TianxiaError as error:
        check_refused(error)
        assert state.to_bytes() == before
    else:
        assert state.to_bytes() != before


@settings(max_examples=300)
@given(
    name=st.sampled_from(["variant", "two_squares", "draw_after"]) | st.text(max_size=6),
    value=st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
)
def test_any_option(name: str, value: object):
    try:
        game = tianxia.game("stratego", **{name: value})
    except tianxia.OptionError as error:
        check_refused(error)
    else:
        assert tianxia.game(game.spec) == game
        assert game.options[name] in {"classic", "duel", "barrage", *range(1001)}


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=100)
@given(data=st.data())
def test_any_bytes(spec: str, data: st.DataObject):
    game = tianxia.game(spec)
    state = data.draw(st.sampled_from(positions(spec)))
    size = len(state.to_bytes())
    garbage = data.draw(
        st.binary(min_size=size, max_size=size)
        | st.binary(max_size=40)
        | st.integers(0, 255).map(lambda value: bytes([value]) * size)
    )
    try:
        other = game.from_bytes(garbage)
    except tianxia.NotationError as error:
        check_refused(error)
    else:
        assert other.to_bytes() == garbage


COMPILED = {"NUMBA_BOUNDSCHECK": "1"}
INTERPRETED = {"NUMBA_DISABLE_JIT": "1"}


@pytest.mark.parametrize(
    ("spec", "number", "mode"),
    [
        (SHORT[0], 1500, COMPILED),
        *((spec, 150, INTERPRETED) for spec in SHORT),
    ],
)
def test_changed_positions_are_refused_or_can_be_played(
    spec: str, number: int, mode: dict[str, str]
):
    """Change bytes and fields; where notation accepts that, look and play with bounds checks.

    In a process of its own: what goes wrong in compiled code may end the process. Python
    checks bounds as Numba does, and needs no compiling.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.kernel.mutations", spec, str(number)],
        cwd=ROOT,
        env={**os.environ, **mode},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    tried, accepted = map(int, done.stdout.split())
    assert tried >= number
    assert accepted < tried // 2


REST = "-" * 29
IMPOSSIBLE = [
    # a view that knows a rank which was never shown
    f"- play r 9/9 {'?' * 8}---{REST} 9{'?' * 7}---{REST} 0 - - - 0/0 -",
    # only one piece has not moved, but Flag and Bomb are unknown
    f"- play r 9/9 {'?' * 8}---{REST} ?@a7?@b7?@e7?@f7?@i7?@j7?@a6?---{REST} 0 - - - 0/0 -",
]


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_impossible_views_are_refused(text: str):
    """Fuzzing has found these: no world could be sampled from them."""
    with pytest.raises(tianxia.NotationError, match=r"army of b: (a view|too few)"):
        tianxia.position(f"stratego(variant=barrage) {text}")


def test_notations_of_one_game_are_refused_by_another():
    rng = random.Random(1)
    states = [rng.choice(positions(spec)) for spec in SPECS for _ in range(20)]
    for state in states:
        for spec in SPECS:
            if tianxia.game(spec) != state.game:
                with pytest.raises(tianxia.NotationError):
                    tianxia.game(spec).from_bytes(state.to_bytes())
