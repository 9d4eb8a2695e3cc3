"""Transcripts: written, read, replayed, and refused where they are damaged."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.battery.games import BLIND_DUEL
from tianxia.kernel.transcript import TITLE, WIDTH, Transcript

GAME = tianxia.game(BLIND_DUEL[0])
TOKENS = "draw1 draw2 draw2 draw3 lay1 lay2 done done open roll3 beat3"


def played(plies: int, seed: int = 0, spec: str = BLIND_DUEL[0]) -> tianxia.State:
    rng = random.Random(seed)
    state = tianxia.game(spec).new()
    for _ in range(plies):
        if state.over:
            break
        seat = rng.choice(state.acting or (tianxia.CHANCE,))
        state.apply(rng.choice(state.legal_actions(seat)), seat)
    return state


WHOLE = played(1000).transcript()
PART = played(14).transcript()


def test_whole_game_is_written_line_by_line():
    lines = WHOLE.splitlines()
    assert lines[0] == TITLE
    assert lines[1:4] == [f"game: {GAME.spec}", "rules: 1", "end: rules"]
    assert lines[4].startswith("scores: ")
    assert lines[5] == ""
    assert all(line[0] in "01*" and line[1] == " " for line in lines[6:])
    assert WHOLE.endswith("\n")


def test_long_runs_are_wrapped():
    lines = played(90, spec="stratego").transcript().splitlines()
    assert max(map(len, lines)) <= WIDTH + 2


def test_replaying_gives_the_position_with_its_past():
    state = played(25)
    again = tianxia.replay(state.transcript())
    assert again == state
    assert list(again.history()) == list(state.history())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n* ", "\n\n*    "),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("rules: 1", "rules:1  "),
    ],
)
def test_spaces_and_line_ends_do_not_matter(change):
    assert tianxia.replay(change(WHOLE)) == tianxia.replay(WHOLE)


def test_other_endings_are_kept():
    for ending in ("resignation 1", "clock 0", "agreement"):
        told = Transcript.of(played(14), ending=ending)
        again = Transcript.read(told.write())
        assert again.ending == ending
        assert again.replay() == played(14)


def test_a_position_can_be_the_start():
    start = tianxia.position("blind-duel(rounds=1) * roll - 7/7 0/0 11122333 - 0/0 3/- 1/22")
    start.apply(start.parse("roll2"))
    start.apply(start.parse("pass"))
    text = start.transcript()
    assert "\nstart: blind-duel(rounds=1) * roll" in text
    assert tianxia.replay(text) == start


def test_a_viewer_gets_what_he_has_seen():
    state = GAME.new()
    for token in TOKENS.split()[:8]:
        seat = 1 if token == "lay2" or (token == "done" and 0 not in state.acting) else 0
        seat = tianxia.CHANCE if token.startswith("draw") else seat
        state.apply(state.parse(token, seat), seat)
    assert (
        state.transcript().split("\n\n")[1]
        == "* draw1 draw2 draw2 draw3\n0 lay1\n1 lay2\n0 done\n1 done\n"
    )
    assert state.transcript(0).split("\n\n")[1] == "* draw1 draw2 ? ?\n0 lay1 done\n1 done\n"
    assert state.transcript(1).split("\n\n")[1] == "* ? ? draw2 draw3\n1 lay2\n0 done\n1 done\n"
    spectator = state.transcript(tianxia.SPECTATOR)
    assert spectator.split("\n\n")[1] == "* ? ? ? ?\n0 done\n1 done\n"
    assert "\nviewer: -\n" in spectator
    assert Transcript.read(spectator).viewer == tianxia.SPECTATOR
    with pytest.raises(tianxia.TranscriptError, match="viewer"):
        tianxia.replay(spectator)


def test_after_the_end_all_is_open():
    assert played(1000).transcript(0) == WHOLE


def test_other_rules_version_is_named():
    with pytest.raises(tianxia.RulesVersionError, match=r"version 7.*version 1"):
        tianxia.replay(WHOLE.replace("rules: 1", "rules: 7"))


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        (lambda text: "", TITLE),
        (lambda text: "\n" + text, TITLE),
        (lambda text: text.replace("transcript 1", "transcript 2"), TITLE),
        (lambda text: text.replace("game: ", "gane: "), "game: …"),
        (lambda text: text.replace("game: blind", "game: blond"), "blind-duel"),
        (lambda text: text.replace("rounds=1", "rounds=9"), "a number|1, 2"),
        (lambda text: text.replace("rules: 1", "rules: one"), "number of a version"),
        (lambda text: text.replace("rules: 1\n", ""), "rules: …"),
        (lambda text: text.replace("rules: 1\n", "rules: 1\nrules: 1\n"), "line 4"),
        (lambda text: text.replace("end: rules", "end rules"), "line 4"),
        (
            lambda text: text.replace("end: rules", "end: tired"),
            "clocks, closed, resignation 0",
        ),
        (lambda text: text.replace("end: rules", "end: resignation"), "resignation"),
        (lambda text: text.replace("end: rules", "end: clock 5"), "clock"),
        (lambda text: text.replace("scores: ", "scores: x "), "number"),
        (lambda text: text.replace("scores: ", "viewer: x\nscores: "), "number|viewer"),
        (lambda text: text.replace("scores: ", "viewer: 5\nscores: "), "viewer|seat"),
        (lambda text: text.replace("scores: ", "start: nonsense\nscores: "), "nonsense"),
        (lambda text: text.replace("scores: ", "start: stratego *\nscores: "), r"\S"),
        (lambda text: text.replace("\n* ", "\n5 "), r"\* or a seat below 2"),
        (lambda text: text.replace("\n* ", "\nfirst "), r"\* or a seat below 2"),
        (lambda text: text.replace("\n* draw", "\n* drawn"), "action 1, 'drawn"),
        (lambda text: text.replace("\n* draw", "\n0 draw"), "action 1, .*seat 0.*BD-2"),
        (lambda text: text.replace("done", "open", 1), "BD-2"),
        (lambda text: text + "* open\n", "BD-1"),
        (lambda text: "\n".join(text.split("\n")[:-2]) + "\n", "goes on"),
    ],
)
def test_damage_is_named(change, hint: str):
    with pytest.raises(tianxia.TianxiaError, match=hint):
        tianxia.replay(change(WHOLE))


def test_a_transcript_has_a_largest_size():
    with pytest.raises(tianxia.TranscriptError, match="at most"):
        tianxia.replay(PART + "0 done\n" * 10**6)
