"""Errors say what is wrong and what would be right, and leave everything as it was."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.battery.games import SHORT
from tianxia.bots import play
from tianxia.kernel import batches, functions
from tianxia.kernel.options import Option
from tianxia.kernel.record import record
from tianxia.testing import CheckFailed, check_game, check_play

ERRORS = [
    tianxia.IllegalAction,
    tianxia.NotationError,
    tianxia.OptionError,
    tianxia.ParseError,
    tianxia.RngError,
    tianxia.RulesVersionError,
    tianxia.SeatError,
    tianxia.TranscriptError,
    tianxia.UnknownGame,
    tianxia.ViewError,
]
SPECS = ["stratego", *SHORT]


def in_play(spec: str) -> tianxia.State:
    """Return a position in which exactly one seat may act."""
    state = tianxia.game(spec).new()
    while len(state.acting) != 1:
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        state.apply(state.legal_actions(seat)[-1], seat)
    return state


@pytest.mark.parametrize("kind", ERRORS)
def test_all_errors_are_of_one_family(kind: type[Exception]):
    assert issubclass(kind, tianxia.TianxiaError)
    assert issubclass(kind, ValueError | LookupError | RuntimeError)


@pytest.mark.parametrize("spec", SPECS)
def test_illegal_action_says_which_whose_and_why(spec: str):
    state = in_play(spec)
    (seat,) = state.acting
    other = 1 - seat if seat < 2 else 0
    action = state.legal_actions(seat)[0]
    with pytest.raises(tianxia.IllegalAction) as caught:
        state.apply(action, other)
    error = caught.value
    assert (error.action, error.seat) == (action, other)
    assert error.statement == state.refusal(action, other)
    assert f"seat {other}" in str(error)
    assert error.statement in str(error)
    assert f"seat {seat} may act" in str(error)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.action, copy.seat) == (str(error), action, other)
    assert copy.statement == error.statement


@pytest.mark.parametrize("spec", SPECS)
def test_illegal_action_names_what_is_legal(spec: str):
    state = in_play(spec)
    (seat,) = state.acting
    legal = state.legal_actions(seat)
    action = next(a for a in range(state.game.num_actions) if a not in legal)
    with pytest.raises(tianxia.IllegalAction, match="Legal now") as caught:
        state.apply(action)
    assert state.text(legal[0], seat) in str(caught.value)


def test_after_the_end_nothing_is_legal():
    state = tianxia.position("blind-duel(rounds=1) * draw - 9/9 1/0 1112333 22 2/0 13/2 -/-")
    assert state.over
    for seat in (0, 1, tianxia.CHANCE):
        assert state.legal_actions(seat) == []
        with pytest.raises(tianxia.IllegalAction, match="over"):
            state.apply(11, seat)
    with pytest.raises(tianxia.IllegalAction, match="over"):
        state.apply(11)


NO_ACTIONS: list[Any] = [
    *(-1, 10**6, 2**31, 2**32, 2**63, 2**64, -(2**63), -(2**70)),
    *(None, "", "0", "a4-a5", b"0", 0.0, 1.5, float("nan"), 1j, Fraction(1), [], [0], (0,), {}),
    *(np.float64(0), np.array([0, 1]), np.array(0.0), Ellipsis, int, np.datetime64("2000")),
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("action", NO_ACTIONS, ids=repr)
def test_what_is_no_action_is_refused(spec: str, action: Any):
    state = in_play(spec)
    before = state.to_bytes()
    for seat in (*state.acting, tianxia.CHANCE, None):
        assert state.refusal(action, seat) == "no-action"
        with pytest.raises(tianxia.IllegalAction, match=r"not an action .* actions are 0 to \d+"):
            state.apply(action, seat)
    for seat in range(state.seats):
        assert state.view(seat).seats == state.seats
        if seat in state.acting:
            assert state.view(seat).refusal(action, seat) == "no-action"
    assert state.to_bytes() == before
    assert state.legal_actions() == state.clone().legal_actions()


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16, np.uint64])
def test_integers_of_numpy_are_actions_and_seats(spec: str, kind: type):
    state = tianxia.game(spec).new()
    for _ in range(12):
        seat = state.acting[0] if state.acting else tianxia.CHANCE
        action = state.legal_actions(seat)[0]
        expected = state.clone()
        expected.apply(action, seat)
        if kind is np.int8 and action > np.iinfo(kind).max:  # no such number of that type
            state = expected
            continue
        chosen = seat if seat == tianxia.CHANCE else kind(seat)
        assert state.refusal(kind(action), chosen) is None
        assert state.text(kind(action), chosen) == state.text(action, seat)
        assert state.seen(kind(action), chosen, 0) == state.seen(action, seat, 0)
        state.apply(kind(action), chosen)
        assert state == expected
        assert list(state.history()) == list(expected.history())
        assert all(type(part) is int for pair in state.history() for part in pair)


SEATS: list[Any] = [
    *(-3, 7, 100, 2**31, 2**64, -(2**64), "0", "", 0.0, 0.5, float("nan"), b"0", [0], (0,), {}),
    *(np.float32(0), Ellipsis, tianxia.SPECTATOR),
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seat", SEATS, ids=repr)
def test_what_is_no_seat_is_refused(spec: str, seat: Any):
    state = in_play(spec)
    action = state.legal_actions()[0]
    before = state.to_bytes()
    calls: list[Callable[[], object]] = [
        lambda: state.apply(action, seat),
        lambda: state.refusal(action, seat),
        lambda: state.legal_actions(seat),
        lambda: state.text(action, seat),
        lambda: state.describe(action, seat),
        lambda: state.seen(action, seat, 0),
    ]
    if seat != tianxia.SPECTATOR:
        calls.append(lambda: state.view(seat))
        calls.append(lambda: state.encode(seat))
        calls.append(lambda: state.transcript(seat))
        calls.append(lambda: state.seen(action, state.acting[0], seat))
        calls.append(lambda: state.text(action, state.acting[0], seat))
    for number, call in enumerate(calls):
        with pytest.raises(tianxia.SeatError, match=f"seats 0 to {state.seats - 1}"):
            assert call() is None, f"call {number} answered"
    assert state.to_bytes() == before


ONE_BY_ONE = ("firebulls", "china")


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not spec.startswith(ONE_BY_ONE)])
def test_who_acts_must_be_said_where_several_may(spec: str):
    state = tianxia.game(spec).new()
    while len(state.acting) < 2:
        state.apply(state.legal_actions(tianxia.CHANCE)[0])
    for call in (state.legal_actions, lambda: state.apply(0), lambda: state.refusal(0)):
        with pytest.raises(tianxia.SeatError, match="say which"):
            call()


@pytest.mark.parametrize("spec", SPECS)
def test_views_say_that_they_are_views(spec: str):
    state = in_play(spec)
    (seat,) = state.acting
    action = state.legal_actions(seat)[0]
    for view in (state.view(seat), state.view(tianxia.SPECTATOR)):
        before = view.to_bytes()
        for chosen in (None, seat, 1 - min(seat, 1)):
            with pytest.raises(tianxia.ViewError, match="full state"):
                view.apply(action, chosen)
        with pytest.raises(tianxia.ViewError, match="full state"):
            view.view(0)
        with pytest.raises(tianxia.ViewError, match="full state"):
            view.evaluate()
        with pytest.raises(tianxia.ViewError, match="full state"):
            view.seen(action, seat, 0)
        with pytest.raises(tianxia.ViewError, match="full state"):
            view.refusal(0, tianxia.CHANCE)
        assert view.to_bytes() == before


@pytest.mark.parametrize("text", [None, 5, b"a4-a5", ["a4"], "", "?", "a4-", "\0", "9" * 10**5])
@pytest.mark.parametrize("spec", SPECS)
def test_what_is_no_token_is_refused_with_a_hint(spec: str, text: Any):
    state = in_play(spec)
    with pytest.raises(tianxia.ParseError) as caught:
        state.parse(text)
    assert 10 < len(str(caught.value)) < 500


@pytest.mark.parametrize("action", [-1, 10**6, 2**70, None, 0.0, "0"])
@pytest.mark.parametrize("spec", SPECS)
def test_no_action_has_no_text(spec: str, action: Any):
    state = in_play(spec)
    with pytest.raises(tianxia.IllegalAction, match="is not an action"):
        state.text(action, state.acting[0])
    with pytest.raises(tianxia.IllegalAction, match="is not an action"):
        state.describe(action, state.acting[0])
    with pytest.raises(tianxia.IllegalAction, match="is not an action"):
        state.seen(action, state.acting[0], 0)


@pytest.mark.parametrize("n", [-1, 1.5, None, "3"])
def test_numbers_of_games_are_numbers(n: Any):
    game = tianxia.game("blind-duel")
    with pytest.raises(tianxia.OptionError, match=rf"n should be .*, 0 or more, not {n!r}"):
        game.playouts(n)
    with pytest.raises(tianxia.OptionError, match=rf"n should be .*, 0 or more, not {n!r}"):
        game.samples(game.new().view(0), n)
    with pytest.raises(tianxia.OptionError, match=rf"threads should be .*, 1 or more, not {n!r}"):
        game.playouts(1, threads=n)
    with pytest.raises(tianxia.OptionError, match=r"max_plies should be .*, 0 or more"):
        game.playouts(1, max_plies=n)


@pytest.mark.parametrize("seed", [1.5, None, "3"])
def test_seeds_are_whole_numbers(seed: Any):
    game = tianxia.game("blind-duel")
    for call in (
        lambda: game.playouts(1, seed),
        lambda: game.samples(game.new().view(0), 1, seed),
        lambda: tianxia.new_rng(seed),
        lambda: batches.streams(3, seed),
        lambda: play(game, "random", seed),
    ):
        with pytest.raises(tianxia.OptionError, match=rf"seed should be .*, not {seed!r}"):
            call()
    with pytest.raises(tianxia.OptionError, match="stream should be"):
        tianxia.new_rng(1, seed)
    assert (tianxia.new_rng(-1) == tianxia.new_rng(2**63 - 1)).all()


def test_views_of_other_games_are_refused():
    view = tianxia.game("blind-duel").new().view(0)
    for spec in ("blind-duel(players=3)", "stratego"):
        with pytest.raises(tianxia.ViewError, match="not of"):
            tianxia.game(spec).samples(view, 1)


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff" * 5000, None, "text", 5])
@pytest.mark.parametrize("spec", SPECS)
def test_bytes_of_another_length_are_refused(spec: str, data: Any):
    game = tianxia.game(spec)
    with pytest.raises(tianxia.NotationError, match=r"bytes"):
        game.from_bytes(data)


def test_bytes_of_other_options_are_refused():
    data = tianxia.game("stratego", variant="duel").new().to_bytes()
    with pytest.raises(tianxia.NotationError, match="other options"):
        tianxia.game("stratego").from_bytes(data)
    data = tianxia.game("blind-duel", players=3).new().to_bytes()
    with pytest.raises(tianxia.NotationError, match="other options"):
        tianxia.game("blind-duel").from_bytes(data)


@pytest.mark.parametrize("start", ["stratego 01 ", "stratego ١ ", "stratego\n(variant=duel) * "])
def test_notation_is_strict_about_its_first_words(start: str):
    rest = tianxia.game("stratego").new().notation().split(" ", 2)[2]
    with pytest.raises(tianxia.TianxiaError):
        tianxia.position(start + rest)


@pytest.mark.parametrize("rng", [random.Random(1), 7, None, np.zeros(3, np.int64), [1, 2, 3, 4]])
def test_worlds_are_sampled_with_a_generator_of_ours(rng: object):
    view = tianxia.game("firebulls").new().view(0)
    with pytest.raises(tianxia.RngError, match=r"tianxia\.new_rng\(seed\)"):
        view.sample(rng)  # type: ignore[arg-type]


def test_a_game_that_forgets_answers_is_told_which():
    dtype = record({"players": "i1"}, [("forgotten", "i8", (3,))])
    kind = replace(tianxia.game("firebulls").kind, name="forgetful", dtype=dtype)
    functions.answers(functions.setup, dtype)(lambda state: None)
    text = "the game 'forgetful' gives no answer for its record to legal_actions, refusal, "
    with pytest.raises(tianxia.TianxiaError, match=text) as raised:
        kind()
    assert "setup" not in str(raised.value)
    assert "policy" not in str(raised.value)


PLAYERS, ROUNDS = Option("players", 2, (2, 3)), Option("rounds", 3, range(1, 6))


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ((PLAYERS,), "rounds is in the record's options only: both name the same"),
        ((PLAYERS, ROUNDS, Option("wild", 1, (1, 2))), "wild is in options only"),
        ((replace(PLAYERS, default="2", values=("2", "3")), ROUNDS), "players are numbers"),
        ((replace(PLAYERS, values=(2, 8)), ROUNDS), "players are numbers from 2 to 7, not 2 or 8"),
        ((replace(PLAYERS, default=4), ROUNDS), "the default of players is 4, and .* 2 or 3"),
        ((PLAYERS, replace(ROUNDS, values=range(1, 200))), "rounds can be 199, and int8 .* 127"),
    ],
)
def test_options_that_are_declared_wrongly_are_told_before_anybody_plays(options, text):
    kind = replace(tianxia.game("blind-duel").kind, options=options)
    with pytest.raises(tianxia.TianxiaError, match=f"'blind-duel' is declared wrongly: {text}"):
        kind()


def test_two_parts_of_a_layout_have_two_names():
    kind = replace(tianxia.game("blind-duel").kind, layout=(("hand", (2,)), ("hand", (3,))))
    with pytest.raises(tianxia.TianxiaError, match=r"two parts of its layout .*: hand, hand"):
        kind()


def test_a_token_has_no_language():
    state = tianxia.game("firebulls").new()
    with pytest.raises(TypeError, match="language"):
        state.text(0, 0, language="fr")  # type: ignore[call-arg]


def test_a_game_that_is_not_registered_is_told_so():
    kind = replace(tianxia.game("firebulls").kind, name="nowhere")
    with pytest.raises(CheckFailed, match=r"nowhere is not registered: call tianxia\.register"):
        check_game(kind())


def test_a_game_to_check_may_be_a_text():
    check_game("stratego(variant=duel)", games=1, max_plies=1)
    check_play("stratego(variant=duel)", max_plies=1)
    with pytest.raises(tianxia.UnknownGame, match="did you mean stratego"):
        check_game("strategos")
