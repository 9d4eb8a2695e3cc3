"""What every game must pass, for whoever writes one.

::

    import tianxia
    from tianxia.testing import check_game

    for players in (2, 3, 4):
        check_game(tianxia.game("my-game", players=players), games=4)

plays random games and looks at every position with all of `CHECKS`; each of these can
also be called alone, with a game and a seed. A check that fails raises `CheckFailed`,
whose text names game, seed and action and shows the position.

`playthrough` writes down what a game answers at every ply: keep such files beside your
tests, and a change of behaviour shows in their difference. `check_interpreted` compares
what compiled and interpreted rules write, each in a process of its own; `check_equality`,
one of the checks, does so in one process, and `tianxia.testing.equality` for many games.

Games of an even seed are uniformly random; in those of an odd seed the players have
habits, repeat themselves, and get into corners of the rules that chance rarely visits.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from difflib import unified_diff
from hashlib import blake2b
from importlib import import_module
from itertools import islice
from math import isclose, isfinite, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tianxia.kernel import functions
from tianxia.kernel.errors import (
    IllegalAction,
    NotationError,
    OptionError,
    ParseError,
    RngError,
    SeatError,
    TianxiaError,
    TranscriptError,
    ViewError,
)
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR, viewer_code
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.registry import position, replay
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import NO_ACTION, State
from tianxia.kernel.transcript import UNSEEN, Transcript
from tianxia.testing.face import check_face
from tianxia.testing.interpreted import check_equality, check_in_python
from tianxia.testing.walk import (
    GUARD,
    MAX_PLIES,
    Check,
    CheckFailed,
    Walk,
    check,
    differing,
    known_game,
    name_of,
    raw_chance,
    raw_legal,
    raw_policy,
    shown,
)

__all__ = [
    "CHECKS",
    "MAX_PLIES",
    "Check",
    "CheckFailed",
    "Walk",
    "check_copies",
    "check_equality",
    "check_face",
    "check_game",
    "check_in_python",
    "check_interpreted",
    "check_invariants",
    "check_misuse",
    "check_notation",
    "check_play",
    "check_playouts",
    "check_policy",
    "check_random_action",
    "check_refusals",
    "check_samples",
    "check_secrets_commute",
    "check_seen",
    "check_transcript",
    "check_views",
    "check_words",
    "playthrough",
]

WORLDS = 3  # sampled at every ply that is looked at
MANY = 8  # samples drawn at once
FEW = 100  # actions: if no more, refusals are compared at each ply that is looked at
TRIES = 3  # random actions drawn from a position
GAMES = 6  # compiled games that are played again in Python
HEADER = ("acting", "over", "seats", "viewer", "sealed", "plies")
PUBLIC = ("acting", "over", "seats", "sealed", "plies")
LANGUAGES = ("en", "fr")


# --- The rules as such ---


@check
def check_play(walk: Walk) -> None:
    """Play to the end: header, legal lists, chance, values are sane at every ply."""
    before = (0, 0)
    parts, written = sum(prod(shape) for _, shape in walk.game.layout), walk.game.features
    walk.demand(parts == written, f"layout has {parts} features, encode writes {written}")
    for seat, action in walk:
        _check_header(walk, before)
        _check_turn(walk)
        if walk.worth_a_look:
            _check_values(walk)
        walk.demand(0 <= action < walk.game.num_actions, f"action {action} is beyond num_actions")
        before = (walk.state.plies, walk.state.sealed)
        _check_counting(walk, seat, action)
    _check_header(walk, before)
    _check_turn(walk)
    _check_values(walk)


def _check_header(walk: Walk, before: tuple[int, int]) -> None:
    state, record = walk.state, walk.state.fields
    acting, plies, sealed = (int(record[name]) for name in ("acting", "plies", "sealed"))
    walk.demand(record["over"] in (0, 1), f"over is {record['over']}, neither 0 nor 1")
    walk.demand(0 <= acting < 1 << walk.game.seats, f"acting is {acting:#b}: no such seats")
    walk.demand(not (record["over"] and acting), "the game is over, but somebody may act")
    walk.demand(record["viewer"] == 0, "a full state has viewer 0")
    walk.demand(record["seats"] == walk.game.seats, f"seats is {record['seats']}")
    walk.demand(plies - before[0] in (0, 1), f"plies went from {before[0]} to {plies}")
    walk.demand(before[1] <= sealed <= plies, f"sealed went from {before[1]} to {sealed}")
    options = walk.game.blank()["options"]
    walk.demand(record["options"] == options[0], f"the options changed to {record['options']}")
    bits = tuple(seat for seat in range(8) if acting >> seat & 1)
    walk.demand(state.acting == bits, f"State.acting is {state.acting}, the record's is {bits}")
    walk.demand(state.over == bool(record["over"]), "State.over is not the record's")


def _check_counting(walk: Walk, seat: int, action: int) -> None:
    """Demand that an action counts unless its seat goes on in secret, and that draws are sealed."""
    after = walk.state.clone()
    after.apply(action, seat)
    if seat == CHANCE and len(walk.state.chance_weights()) > 1:
        drawn = walk.state.text(action, seat)
        walk.demand(after.sealed == after.plies, f"{drawn} is drawn, and sealed is not its ply")
    if after.plies == walk.state.plies:
        walk.demand(
            seat in after.acting,
            f"{name_of(seat)}'s {walk.state.text(action, seat)} ends its turn, and plies stays",
        )


def _check_turn(walk: Walk) -> None:
    state, pool = walk.state, walk.state.record
    for seat in range(walk.game.seats):
        raw = raw_legal(walk.game, pool, seat)
        legal = state.legal_actions(seat)
        who = name_of(seat)
        walk.demand(bool(raw) == (seat in state.acting), f"{len(raw)} legal actions for {who}")
        walk.demand(len(set(raw)) == len(raw), f"{who}'s legal list has duplicates: {raw}")
        walk.demand(legal == sorted(raw), f"{who}: State.legal_actions is not the rules' list")
        inside = all(0 <= action < walk.game.num_actions for action in raw)
        walk.demand(inside, f"{who} has legal actions beyond num_actions: {raw}")
        view = state.view(seat)
        walk.demand(raw == raw_legal(walk.game, view.record, seat), f"{who}'s view lists otherwise")
        walk.demand(legal == view.legal_actions(seat), f"{who}'s view has other legal actions")
    outcomes = raw_chance(walk.game, pool)
    turn = not state.acting and not state.over
    walk.demand(bool(outcomes) == turn, f"chance has {len(outcomes)} outcomes")
    walk.demand(len({action for action, _ in outcomes}) == len(outcomes), "chance repeats itself")
    walk.demand(all(weight > 0 for _, weight in outcomes), f"chance has a weight of 0: {outcomes}")
    walk.demand(sum(weight for _, weight in outcomes) < 2**31, "the weights' sum is not below 2³¹")
    if turn:
        total = sum(probability for _, probability in state.chance_outcomes())
        walk.demand(isclose(total, 1), f"the probabilities of chance add up to {total}")
        walk.demand(state.legal_actions(CHANCE) == sorted(a for a, _ in outcomes), "CHANCE's list")


def _check_values(walk: Walk) -> None:
    state, seats = walk.state, walk.game.seats
    utilities, scores, guess = state.utilities(), state.scores(), state.evaluate()
    walk.demand(len(utilities) == len(scores) == len(guess) == seats, "a value for each seat")
    walk.demand(all(map(isfinite, scores)), f"scores are {scores}")
    walk.demand(all(-1 <= value <= 1 for value in guess), f"evaluate says {guess}")
    walk.demand(isclose(sum(utilities), 0, abs_tol=1e-9), f"utilities {utilities} do not sum to 0")
    if state.over and any(utilities):
        winners = sum(value > 0 for value in utilities)
        best = (seats / max(winners, 1) - 1) / (seats - 1)
        expected = [best if value > 0 else -1 / (seats - 1) for value in utilities]
        close = np.allclose(utilities, expected)
        walk.demand(close, f"utilities {utilities} with {winners} winners should be {expected}")
    elif not state.over:
        walk.demand(not any(utilities), f"utilities are {utilities} while the game lasts")
    asked = [functions.scores, functions.evaluate, functions.utilities]
    for function in asked if state.over else asked[:2]:
        values = np.full(seats, np.nan)
        function(state.record, values)
        walk.demand(np.isfinite(values).all(), f"{function.__name__} leaves seats out: {values}")
    for viewer in walk.viewers:
        view = state.view(viewer)
        out = np.full(walk.game.features + 8, GUARD, np.float32)
        functions.encode(view.record, out)
        walk.demand((out[walk.game.features :] == GUARD).all(), "encode writes beyond its end")
        features = view.encode()
        walk.demand(features.shape == (walk.game.features,), f"encode gives {features.shape}")
        walk.demand(np.isfinite(features).all(), "encode gives what is no number")
        walk.demand((out[: walk.game.features] == features).all(), "encode leaves values out")
        if viewer != SPECTATOR:
            walk.demand((state.encode(viewer) == features).all(), "encode of the state differs")


# --- Copies and texts ---


@check
def check_copies(walk: Walk) -> None:
    """Bytes, pickle and copies give the same position, and none of them is tied to it."""
    for seat, action in walk:
        if walk.worth_a_look:
            for state in (walk.state, *map(walk.state.view, walk.viewers)):
                _check_copy(walk, state)
            before = walk.state.to_bytes()
            for other in (walk.state.clone(), pickle.loads(pickle.dumps(walk.state))):  # noqa: S301
                other.apply(action, seat)
            walk.state.record["plies"] += 1
            walk.demand(walk.state.to_bytes() == before, "a copy's change changes the state")
    _check_copy(walk, walk.state)


def _check_copy(walk: Walk, state: State) -> None:
    copies = {
        "from_bytes": walk.game.from_bytes(state.to_bytes()),
        "clone": state.clone(),
        "copy": copy.copy(state),
        "deepcopy": copy.deepcopy(state),
        "pickle": pickle.loads(pickle.dumps(state)),  # noqa: S301  (our own bytes)
    }
    for name, other in copies.items():
        walk.same(state, other, f"{name} gives another position")
        walk.demand(state == other, f"{name}: equal bytes do not compare equal")
        facts = (other.acting, other.over, other.plies, other.sealed, other.viewer, other.game)
        expected = (state.acting, state.over, state.plies, state.sealed, state.viewer, state.game)
        walk.demand(facts == expected, f"{name} has {facts}, not {expected}")
        if name != "from_bytes":
            walk.demand([*other.history()] == [*state.history()], f"{name} forgets the past")


@check
def check_notation(walk: Walk) -> None:
    """One-line notation gives back every position and every view to the byte.

    So unused slots are zero: the bytes that play has reached are those that reading
    writes into an empty record.
    """
    for _ in walk:
        if walk.worth_a_look:
            _check_line(walk)
    _check_line(walk)


def _check_line(walk: Walk) -> None:
    for state in (walk.state, *map(walk.state.view, walk.viewers)):
        text = state.notation()
        walk.demand(text == text.strip() and text.isprintable(), f"{text!r} is not one plain line")
        walk.demand(text in repr(state), "repr does not show the notation")
        try:
            again = position(text)
        except TianxiaError as error:
            walk.fail(f"its own notation is refused: {error}\n  {text}")
        walk.same(state, again, f"read back, the notation gives another position\n  {text}")
        walk.demand(again.game == walk.game, "the notation names another game")
        walk.demand(again.notation() == text, f"written again it is {again.notation()}")


@check
def check_invariants(walk: Walk) -> None:
    """No invariant is broken at any ply, in any view, or in a sampled world."""
    for _ in walk:
        _check_invariants(walk, walk.state)
        if walk.worth_a_look:
            for viewer in walk.viewers:
                view = walk.state.view(viewer)
                _check_invariants(walk, view)
                _check_invariants(walk, view.sample(new_rng(walk.seed, walk.number)))
    _check_invariants(walk, walk.state)


def _check_invariants(walk: Walk, state: State) -> None:
    broken = walk.game.notation.broken(state.record[0])
    walk.demand(not broken, f"an invariant is broken: {broken}\n  {state.notation()}")


@check
def check_words(walk: Walk) -> None:
    """Every legal action has a token of its own, which `parse` reads; and a sentence."""
    for seat, action in walk:
        if not walk.worth_a_look:
            continue
        for actor in walk.state.acting or (CHANCE,):
            _check_tokens(walk, actor)
        for language in LANGUAGES:
            for viewer in (None, *walk.viewers):
                text = walk.state.describe(action, seat, viewer, language)
                walk.demand(text and text.strip(), f"no sentence for {action} in {language}")
                again = walk.state.describe(action, seat, viewer, language)
                walk.demand(text == again, f"{text!r}, asked again, is {again!r}")
            text, again = walk.state.diagram(language), walk.state.diagram(language)
            walk.demand(text.strip(), f"no diagram in {language}")
            walk.demand(text == again, f"asked again, the diagram is another:\n{text}\n{again}")
    walk.demand(str(walk.state).strip(), "no diagram of the end")


def _check_tokens(walk: Walk, actor: int) -> None:
    state = walk.state
    legal = state.legal_actions(actor)
    tokens = [state.text(action, actor) for action in legal]
    walk.demand(len(set(tokens)) == len(tokens), f"actions share tokens: {sorted(tokens)}")
    view = None if actor == CHANCE else state.view(actor)
    for action, token in zip(legal, tokens, strict=True):
        walk.demand(token.split() == [token] and token != UNSEEN, f"{token!r} is not a token")
        walk.demand(state.parse(token, actor) == action, f"{token!r} is not read as {action}")
        padded = state.parse(f"  {token} ", actor)
        walk.demand(padded == action, f"{token!r} with spaces around it is read as {padded}")
        if view is not None:
            walk.demand(view.text(action, actor) == token, f"{token!r} is another in the view")
            walk.demand(view.parse(token, actor) == action, f"{token!r} is another in the view")
    for junk in ("", "?", "¿", "no such action", "9" * 40, *tokens[:1]):
        try:
            number = state.parse(junk + "\0" if junk in tokens else junk, actor)
        except ParseError as error:
            walk.demand(str(error), f"parse refuses {junk!r} without saying why")
        else:
            walk.demand(junk in tokens, f"parse reads {junk!r} as {number!r}")


@check
def check_transcript(walk: Walk) -> None:
    """Transcripts replay to the same bytes; so does every beginning of one (take-backs)."""
    past: list[tuple[int, int]] = []
    positions: dict[int, State] = {}
    for seat, action in walk:
        if walk.worth_a_look:
            positions[walk.number] = walk.state.clone()
        past.append((seat, action))
    walk.demand([*walk.state.history()] == past, "history is not what was played")
    _check_replay(walk, walk.state)
    state = walk.game.new()
    for number, (seat, action) in enumerate(past):
        if number in positions:
            walk.same(state, positions[number], f"replayed as far as action {number}")
        state.apply(action, seat)
    some = walk.rng.sample(sorted(positions), min(3, len(positions)))
    for number in some:
        _check_replay(walk, positions[number])
        elsewhere = position(positions[number].notation())
        for seat, action in islice(past, number, number + 10):
            elsewhere.apply(action, seat)
        _check_replay(walk, elsewhere)


def _check_replay(walk: Walk, state: State) -> None:
    text = state.transcript()
    again = replay(text)
    walk.same(state, again, "the transcript replays to another position")
    walk.demand([*again.history()] == [*state.history()], "the transcript has another history")
    walk.demand(again.transcript() == text, "written again the transcript is another")
    for viewer in walk.viewers:
        told = Transcript.read(state.transcript(viewer))
        walk.demand(told.viewer == (None if state.over else viewer), "the transcript's viewer")
        if told.viewer is not None:
            try:
                told.replay()
            except TranscriptError:
                continue
            walk.fail(f"what {name_of(viewer)} has seen of the game can be replayed")


# --- What is forbidden ---


@check
def check_refusals(walk: Walk) -> None:
    """`refusal` lets exactly the legal list through, for all actions and all seats.

    Every illegal action names a statement that the game has, in a state and in the view
    of who asks; applying it raises IllegalAction with that statement and changes nothing.
    Where statements have a text, all have one.
    """
    known = set(walk.game.kind.statements.values())
    silent = {one for one in known if not walk.game.kind.rulebook(one, "en")}
    walk.demand(silent in (set(), known), f"no text in the rulebook: {', '.join(sorted(silent))}")
    for _ in walk:
        if walk.worth_a_look and walk.rng.random() < max(0.3, FEW / walk.game.num_actions):
            _check_refusals(walk, known)
    _check_refusals(walk, known)


def _check_refusals(walk: Walk, known: set[str]) -> None:
    state = walk.state
    for seat in (*range(walk.game.seats), CHANCE):
        legal = set(state.legal_actions(seat))
        view = state if seat == CHANCE else state.view(seat)
        refused: dict[str, int] = {}
        for action in range(walk.game.num_actions):
            why = state.refusal(action, seat)
            if (why is None) != (action in legal):
                walk.fail(f"{name_of(seat)}, action {action}: refusal is {why}, the list differs")
            if why is not None:
                refused[why] = action
                walk.demand(why in known, f"refusal names {why!r}, which is no statement")
            walk.demand(
                view.refusal(action, seat) == why,
                f"{name_of(seat)}, action {action}: {why}, but {view.refusal(action, seat)} in"
                " its view",
            )
        for why, action in refused.items():
            _check_refused(walk, seat, action, why)
        for action in (-1, walk.game.num_actions, 2**31, 2**64, -(2**64)):
            _check_refused(walk, seat, action, NO_ACTION)


def _check_refused(walk: Walk, seat: int, action: int, why: str) -> None:
    state = walk.state
    before, past = state.to_bytes(), [*islice(state.history(), 3)]
    legal = [state.legal_actions(other) for other in range(walk.game.seats)]
    walk.demand(state.refusal(action, seat) == why, f"action {action} is not refused by {why}")
    try:
        state.apply(action, seat)
    except IllegalAction as error:
        facts = (error.action, error.seat, error.statement)
        walk.demand(facts == (action, seat, why), f"IllegalAction has {facts}")
        named = why == NO_ACTION or why in str(error)
        walk.demand(named, f"the text does not name {why}: {error}")
    else:
        walk.fail(f"{name_of(seat)}'s action {action} is refused by {why}, yet applied")
    unchanged = before == state.to_bytes() and past == [*islice(state.history(), 3)]
    walk.demand(unchanged, f"the illegal action {action} changed the state")
    now = [state.legal_actions(other) for other in range(walk.game.seats)]
    walk.demand(legal == now, f"the illegal action {action} changed what is legal")


@check
def check_obvious(walk: Walk) -> None:
    """`obvious` names the only legal action, or none."""
    obvious = walk.game.kind.obvious
    if obvious is None:
        return
    for _ in walk:
        state = walk.state
        if len(state.acting) != 1:
            continue
        (seat,) = state.acting
        answer, legal = obvious(state.view(SPECTATOR), seat), state.legal_actions(seat)
        if answer is not None:
            walk.demand(legal == [answer], f"{name_of(seat)} may do {legal}, not only {answer}")


@check
def check_misuse(walk: Walk) -> None:
    """Give wrong arguments: errors of the right type say something, nothing changes."""
    for seat, action in walk:
        if not walk.worth_a_look:
            continue
        before = walk.state.to_bytes()
        for number, (kind, call) in enumerate(_misuses(walk.state, seat, action)):
            _check_raises(walk, number, kind, call)
        walk.demand(walk.state.to_bytes() == before, "wrong arguments changed the state")


def _misuses(
    state: State, seat: int, action: Any
) -> list[tuple[type[Exception], Callable[[], object]]]:
    game, data = state.game, state.to_bytes()
    spectator, first = state.view(SPECTATOR), state.view(0)
    return [
        (ViewError, lambda: spectator.apply(action, seat)),
        (ViewError, lambda: first.apply(action, seat)),
        (ViewError, lambda: spectator.view(0)),
        (ViewError, lambda: spectator.legal_actions(0)),
        (ViewError, lambda: first.legal_actions(1)),
        (ViewError, lambda: first.refusal(0, 1)),
        (ViewError, lambda: first.seen(0, 0, 0)),
        (ViewError, lambda: state.sample(new_rng(1))),
        (RngError, lambda: first.sample(7)),  # type: ignore[arg-type]
        (ViewError, lambda: game.samples(state, 1)),
        (SeatError, lambda: state.view(game.seats)),
        (SeatError, lambda: state.view(CHANCE)),
        (SeatError, lambda: state.seen(action, seat, CHANCE)),
        (SeatError, lambda: state.legal_actions(game.seats)),
        (SeatError, lambda: state.refusal(action, game.seats)),
        (SeatError, lambda: state.apply(action, game.seats)),
        (SeatError, lambda: state.apply(action, SPECTATOR)),
        (IllegalAction, lambda: state.apply(None, seat)),  # type: ignore[arg-type]
        (IllegalAction, lambda: state.apply(action + 0.5, seat)),
        (IllegalAction, lambda: state.apply(str(action), seat)),  # type: ignore[arg-type]
        (OptionError, lambda: game.kind(no_such_option=1)),
        (NotationError, lambda: game.from_bytes(data[1:])),
        (NotationError, lambda: game.from_bytes(b"\xff" * len(data))),
        (NotationError, lambda: position(game.spec)),
        (NotationError, lambda: position(f"{game.spec} * nonsense")),
    ]


def _check_raises(
    walk: Walk, number: int, kind: type[Exception], call: Callable[[], object]
) -> None:
    try:
        call()
    except kind as error:
        walk.demand(isinstance(error, TianxiaError) and str(error), f"{error!r} says nothing")
    except Exception as error:  # noqa: BLE001  (whatever it is, it is the wrong one)
        walk.fail(f"wrong use {number} of check_misuse raises {error!r}, not {kind.__name__}")
    else:
        walk.fail(f"wrong use {number} of check_misuse should raise {kind.__name__}")


# --- Who knows what ---


@check
def check_views(walk: Walk) -> None:
    """Take views: built from nothing, hiding what is hidden, agreeing on what is public.

    A view depends on nothing that it does not show: worlds sampled from it look the same
    to its viewer. Such worlds are positions like any other, and can be played on. When a
    game is over every view shows everything.
    """
    for _ in walk:
        if walk.worth_a_look:
            for viewer in walk.viewers:
                _check_view(walk, viewer)
                _check_worlds(walk, viewer, WORLDS)
    if not walk.state.over:
        return
    for viewer in walk.viewers:
        _check_view(walk, viewer)
        _check_worlds(walk, viewer, 1)
        hidden = differing(walk.state, walk.state.view(viewer))
        walk.demand(hidden == ["viewer"], f"at the end {name_of(viewer)} does not see {hidden}")


def _check_view(walk: Walk, viewer: int) -> None:
    state, who = walk.state, name_of(viewer)
    before = state.to_bytes()
    view = state.view(viewer)
    walk.demand(before == state.to_bytes(), f"taking the view of {who} changes the state")
    walk.demand(view.viewer == viewer, f"the view of {who} says it is {view.viewer}'s")
    walk.demand(view.fields["viewer"] == viewer_code(viewer), f"the header's viewer for {who}")
    for name in (*PUBLIC, "options"):
        equal = view.fields[name] == state.fields[name]
        walk.demand(equal, f"{name} is not the same in the view of {who}")
    out = np.zeros(1, state.record.dtype)
    functions.view(state.record, viewer, out)
    for field in (*PUBLIC, "options", "viewer"):
        walk.demand(out[field][0] == view.fields[field], f"view does not write {field} itself")
    walk.demand(out.tobytes() == view.to_bytes(), "view needs more than a blank record")
    functions.view(state.record, viewer, out)


def _check_worlds(walk: Walk, viewer: int, worlds: int) -> None:
    state, who = walk.state, name_of(viewer)
    view = state.view(viewer)
    spectator = state.view(SPECTATOR)
    rng = new_rng(walk.rng.getrandbits(40))
    for number in range(worlds):
        world = view.sample(rng)
        walk.demand(world.viewer is None, f"a sample of the view of {who} is no full state")
        for name in (*PUBLIC, "options"):
            equal = world.fields[name] == state.fields[name]
            walk.demand(equal, f"a world sampled for {who} has another {name}")
        text = f"{who} would see the difference between the state and a sampled world"
        walk.same(view, world.view(viewer), text)
        text = f"the spectator sees more than {who}"
        walk.same(spectator, world.view(SPECTATOR), text)
        if viewer != SPECTATOR:
            same = raw_legal(walk.game, view.record, viewer) == raw_legal(
                walk.game, world.record, viewer
            )
            walk.demand(same, f"{who} has other legal actions in a sampled world")
            walk.demand((world.encode(viewer) == view.encode()).all(), f"encode tells {who} more")
        if number == 0:
            try:
                again = position(world.notation())
            except TianxiaError as error:
                walk.fail(f"a world sampled for {who} is not a position: {error}\n  {shown(world)}")
            walk.same(world, again, f"a world sampled for {who} is not its own notation's")
            _check_playable(walk, world, who)


def _check_playable(walk: Walk, world: State, who: str, plies: int = 30) -> None:
    """Play on in a sampled world."""
    start = shown(world)
    for _ in range(plies):
        if world.over:
            break
        seat, action = walk.choose(world)
        why = world.refusal(action, seat)
        if why is not None:
            walk.fail(f"a world sampled for {who} lists {action}, refused by {why}\n  {start}")
        world.apply(action, seat)
    try:
        what = "a sampled world, played on, is not a position"
        walk.same(world, position(world.notation()), what)
    except TianxiaError as error:
        walk.fail(f"a world sampled for {who} and played on is not a position: {error}\n  {start}")


@check
def check_samples(walk: Walk) -> None:
    """`Game.samples` gives an array of worlds of the view, the same for the same seed."""
    for _ in walk:
        if not walk.worth_a_look or walk.rng.random() < 0.7:
            continue
        for viewer in walk.viewers:
            view = walk.state.view(viewer)
            pool = walk.game.samples(view, MANY, walk.seed)
            walk.demand(pool.shape == (MANY,), f"{MANY} samples have shape {pool.shape}")
            walk.demand(pool.dtype.itemsize == len(view.to_bytes()), "samples are no states")
            again = walk.game.samples(view, MANY, walk.seed)
            walk.demand(again.tobytes() == pool.tobytes(), "the same seed gives other samples")
            for i in range(MANY):
                world = walk.game.from_bytes(pool[i : i + 1].tobytes())
                walk.same(world.view(viewer), view, f"sample {i} does not fit the view")
            walk.demand(len(walk.game.samples(view, 0)) == 0, "no samples are an empty array")


@check
def check_policy(walk: Walk) -> None:
    """Ask what a game says of actions for search: weights that depend on no secret."""
    for seat, _ in walk:
        if seat == CHANCE or not walk.worth_a_look:
            continue
        try:
            said = raw_policy(walk.game, walk.state.record, seat)
        except ValueError as error:
            walk.fail(f"policy of seat {seat}: {error}")
        view, rng = walk.state.view(seat), new_rng(walk.rng.getrandbits(40))
        for known in (view, *(view.sample(rng) for _ in range(WORLDS))):
            same = raw_policy(walk.game, known.record, seat) == said
            walk.demand(same, f"the policy of seat {seat} depends on what it cannot know")


@check
def check_random_action(walk: Walk) -> None:
    """Compare random actions, and what chance does, with those that the next numbers name."""
    for seat, _ in walk:
        if seat == CHANCE:
            _compare_outcome(walk)
            continue
        pool, legal = walk.state.record, raw_legal(walk.game, walk.state.record, seat)
        ours, theirs = (new_rng(walk.seed, walk.state.plies) for _ in range(2))
        for _ in range(TRIES):
            expected = legal[below(theirs, len(legal))]
            action = int(functions.random_action(pool, seat, walk.game.list_room(), ours))
            walk.demand(action == expected, f"random_action gives {action}, not {expected}")
            walk.demand(ours.tolist() == theirs.tolist(), "random_action leaves another generator")


def _compare_outcome(walk: Walk) -> None:
    pool, outcomes = walk.state.record, raw_chance(walk.game, walk.state.record)
    ours, theirs = (new_rng(walk.seed, walk.state.plies) for _ in range(2))
    expected = _drawn(outcomes, theirs)
    action = int(functions.random_outcome(pool, *walk.game.buffers(), ours))
    walk.demand(action == expected, f"random_outcome gives {action}, not {expected}")
    walk.demand(ours.tolist() == theirs.tolist(), "random_outcome leaves another generator")


@check
def check_seen(walk: Walk) -> None:
    """Compare what viewers see of actions with what their views tell of them.

    Everybody sees his own actions, and whatever the spectator sees. A viewer's next view
    is the same for any two actions that look the same to him: secrets come to light by what
    is seen, never by the view alone; and it is told to him in the same words. Nor does he see
    more than his view keeps: where he sees two actions apart and the next views are the same,
    they lead to the same position.
    What shows a viewer something that he did not know is sealed; who may act shows nothing by
    itself, and what is said of an action follows from what he knows.
    While seats choose in secret, others learn who has finished, and nothing else: they see
    nothing of a seat that goes on, and nothing that it does reaches their views.
    """
    secret: set[int] = set()
    for seat, action in walk:
        acting = set(walk.state.acting)
        if len(acting) > 1:
            secret = secret | acting if secret else acting
        elif not acting or not acting <= secret:
            secret = set()
        after = walk.state.clone()
        after.apply(action, seat)
        _check_seen(walk, seat, action, after)
        if seat in secret:
            _check_secret(walk, seat, action, after)
        if walk.worth_a_look:
            _check_alternatives(walk, seat, action, after, seat in secret)
            for viewer in walk.viewers:
                _check_shown(walk, seat, action, after, viewer, seat in secret)


def _check_seen(walk: Walk, seat: int, action: int, after: State) -> None:
    state = walk.state
    token = state.text(action, seat)
    if seat != CHANCE:
        walk.demand(state.seen(action, seat, seat) == action, f"seat {seat} forgets its {token}")
    public = state.seen(action, seat, SPECTATOR)
    for viewer in walk.viewers:
        known = state.seen(action, seat, viewer)
        shown = state.text(action, seat, viewer)
        if known is None:
            walk.demand(shown == UNSEEN, f"{name_of(viewer)} reads {shown!r} and sees nothing")
            walk.demand(public is None, f"the spectator sees {token}, {name_of(viewer)} does not")
        else:
            walk.demand(0 <= known < walk.game.num_actions, f"seen gives {known}")
            possible = known == action or state.refusal(known, seat) is None
            walk.demand(possible, f"{name_of(viewer)} sees {token} as {shown}, which is not legal")
    if after.over:
        seen = [after.seen(action, seat, viewer) for viewer in walk.viewers]
        walk.demand(set(seen) == {action}, f"after the end {token} is still not seen by all")


def _check_secret(walk: Walk, seat: int, action: int, after: State) -> None:
    """Demand of a secret action that others see who has finished, and nothing else."""
    state = walk.state
    allowed = set() if seat in after.acting else set(PUBLIC)
    token = state.text(action, seat)
    for viewer in walk.viewers:
        who = name_of(viewer)
        if state.seen(action, seat, viewer) is not None:
            hidden = viewer == seat or seat not in after.acting
            walk.demand(hidden, f"{who} sees seat {seat}'s {token}, which is secret")
            continue
        text = f"{token} of seat {seat} is secret, but {who}'s"
        changed = set(differing(state.view(viewer), after.view(viewer))) - allowed
        walk.demand(not changed, f"{text} view changes in {sorted(changed)}")
        if seat in after.acting:
            told = state.transcript(viewer) == after.transcript(viewer)
            walk.demand(told, f"{text} transcript grows")
    for other in state.acting:
        if other != seat:
            same = raw_legal(walk.game, state.record, other) == raw_legal(
                walk.game, after.record, other
            )
            walk.demand(same, f"{token} of seat {seat} changes what is legal for seat {other}")


def _check_alternatives(walk: Walk, seat: int, action: int, after: State, secret: bool) -> None:
    state = walk.state
    legal = state.legal_actions(seat)
    for other in walk.rng.sample(legal, min(4, len(legal))):
        instead = state.clone()
        instead.apply(other, seat)
        if secret and after.acting != instead.acting:
            continue  # one of them was the seat's last: who has finished is no secret
        tokens = f"{state.text(action, seat)} and {state.text(other, seat)}"
        for viewer in walk.viewers:
            one, two = after.view(viewer), instead.view(viewer)
            who = name_of(viewer)
            if state.seen(action, seat, viewer) == state.seen(other, seat, viewer):
                text = f"{tokens} look the same to {who}, the views after do not"
                walk.same(one, two, text)
                _check_told(walk, seat, (action, other), viewer, tokens)
            elif one == two:
                text = f"{who} sees {tokens} apart, and his view does not"
                walk.same(after, instead, text)


def _check_shown(
    walk: Walk, seat: int, action: int, after: State, viewer: int, secret: bool
) -> None:
    """Take the same action in another world that the viewer holds possible, and compare."""
    state, who = walk.state, name_of(viewer)
    before = state.view(viewer).sample(new_rng(walk.seed, walk.number))
    if before.refusal(action, seat) is not None:
        return
    world = before.clone()
    world.apply(action, seat)
    if secret and after.acting != world.acting:
        return  # in one of them the action was the seat's last: who has finished is no secret
    token = state.text(action, seat)
    shown = differing(after.view(viewer), world.view(viewer))
    walk.demand(shown != ["acting"], f"who may act after {token} tells {who} what it cannot know")
    if shown:
        sealed = after.over or after.sealed == after.plies
        walk.demand(sealed, f"{token} shows {who} {', '.join(shown)}, and sealed is not its ply")
        return
    for language in LANGUAGES:
        one, two = (place.describe(action, seat, viewer, language) for place in (state, before))
        walk.demand(one == two, f"{who} is told of {token} {one!r}, and {two!r} in another world")


def _check_told(walk: Walk, seat: int, actions: tuple[int, int], viewer: int, tokens: str) -> None:
    """Demand that what looks the same to a viewer is told to him in the same words."""
    state = walk.state
    for language in LANGUAGES:
        one, two = (state.describe(action, seat, viewer, language) for action in actions)
        text = f"{tokens} look the same to {name_of(viewer)}, who is told {one!r} and {two!r}"
        walk.demand(one == two, text)


@check
def check_secrets_commute(walk: Walk) -> None:
    """Where several seats act, the order of their actions does not matter to the byte."""
    tried = 0
    for _ in walk:
        if len(walk.state.acting) > 1 and tried < 12:
            tried += 1
            _check_orders(walk)


def _check_orders(walk: Walk, longest: int = 400) -> None:
    phase = set(walk.state.acting)
    plans: dict[int, list[int]] = {}
    ahead = walk.state.clone()
    for seat in sorted(phase):
        plans[seat] = []
        while seat in ahead.acting and len(plans[seat]) < longest:
            plans[seat].append(walk.rng.choice(ahead.legal_actions(seat)))
            ahead.apply(plans[seat][-1], seat)
            if not set(ahead.acting) <= phase:
                return  # this was no phase of secret choices: one action called up others
    turns = [seat for seat, plan in plans.items() for _ in plan]
    for order in (turns[::-1], walk.rng.sample(turns, len(turns)), _in_turn(plans)):
        state = walk.state.clone()
        left = {seat: iter(plan) for seat, plan in plans.items()}
        for seat in order:
            action = next(left[seat])
            why = state.refusal(action, seat)
            if why is not None:
                walk.fail(f"seat {seat}'s {action} is refused by {why} in another order of seats")
            state.apply(action, seat)
        walk.same(ahead, state, f"another order of secret actions, {order[:20]}…, matters")


def _in_turn(plans: dict[int, list[int]]) -> list[int]:
    rounds = max(map(len, plans.values()))
    return [seat for i in range(rounds) for seat, plan in plans.items() if i < len(plan)]


# --- Compiled play ---


@check
def check_playouts(walk: Walk) -> None:
    """Compiled random games are those that the Python face plays, whatever the threads."""
    game, seed, max_plies, n = walk.game, walk.seed, walk.max_plies, GAMES
    single = game.playouts(n, seed, max_plies=max_plies)
    walk.demand(single.games == n and single.seconds >= 0, f"playouts gave {single}")
    for threads in (2, 3):
        other = game.playouts(n, seed, threads, max_plies)
        same = (other.actions, other.cut) == (single.actions, single.cut)
        walk.demand(same, f"{threads} threads gave {other}, one gave {single}")
        walk.demand(np.allclose(other.utilities, single.utilities), f"{threads} threads: values")
    actions, cut, total = 0, 0, np.zeros(game.seats)
    for i in range(n):
        state, taken = _playout(game, seed, i, max_plies)
        actions += taken
        cut += not state.over
        total += state.utilities()
        if i in (0, n - 1):
            part = game.playouts(i + 1, seed, max_plies=max_plies)
            expected = f"playouts: {part.actions} actions, Python plays {actions}"
            walk.demand(part.actions == actions, f"games 0 to {i} of {expected}")
    walk.demand(cut == single.cut, f"{single.cut} games were cut, in Python {cut}")
    mean = total / max(n - cut, 1)
    walk.demand(np.allclose(mean, single.utilities), f"utilities {single.utilities}, not {mean}")
    short = game.playouts(2, seed, max_plies=1)
    walk.demand((short.actions, short.cut) == (2, 2), f"games of one action gave {short}")


def _playout(game: Game, seed: int, number: int, max_plies: int) -> tuple[State, int]:
    """Play as `Game.playouts` does: the lowest seat that may act, raw lists, stream i."""
    rng = new_rng(seed, number)
    state = game.new()
    taken = 0
    while not state.over and taken < max_plies:
        pool = state.record
        if state.acting:
            seat = state.acting[0]
            legal = raw_legal(game, pool, seat)
            action = legal[int(below(rng, len(legal)))]
        else:
            seat, action = CHANCE, _drawn(raw_chance(game, pool), rng)
        state.apply(action, seat)
        taken += 1
    return state, taken


def _drawn(outcomes: Sequence[tuple[int, int]], rng: NDArray[np.int64]) -> int:
    if len(outcomes) == 1:
        return outcomes[0][0]
    left = int(below(rng, sum(weight for _, weight in outcomes)))
    for action, weight in outcomes:
        if left < weight:
            return action
        left -= weight
    raise AssertionError  # the number drawn is below the sum


# --- Every value of the face at every ply, as text ---


def playthrough(game: Game, seed: int = 0, max_plies: int = 300, every: int = 1) -> str:
    """Return all that a random game's positions answer, as text.

    Parameters
    ----------
    every
        Every how many-th position is written in full; of the others one line.
    """
    walk = Walk(game, seed, max_plies)
    lines = [f"game: {game.spec}", f"seed: {seed}", f"rules: {game.rules_version}"]
    lines += [f"options: {dict(game.options)}", f"actions: {game.num_actions}"]
    lines += [f"seats: {game.seats}"]
    lines += [f"longest: {game.max_legal} legal, {game.max_chance} of chance"]
    lines += [f"features: {game.features}", f"bytes: {len(walk.state.to_bytes())}"]
    for seat, action in walk:
        lines += _full(walk) if walk.number % every == 0 else []
        who = "*" if seat == CHANCE else str(seat)
        lines.append(f"{walk.number}: {who} {walk.state.text(action, seat)} ({action})")
        if walk.number % every == 0:
            seen = (walk.state.text(action, seat, viewer) for viewer in walk.viewers)
            lines.append(f"  seen: {' '.join(seen)}")
            lines.append(f"  log: {walk.state.describe(action, seat)}")
        else:
            views = b"".join(walk.state.view(viewer).to_bytes() for viewer in walk.viewers)
            lines[-1] += f" {_digest(walk.state.to_bytes())} {_digest(views)}"
    lines += _full(walk)
    lines += ["", walk.state.transcript()]
    return "\n".join(lines)


def _full(walk: Walk) -> list[str]:
    state = walk.state
    lines = ["", f"state {walk.number}: {state.notation()}"]
    lines.append(f"  bytes: {_digest(state.to_bytes())}")
    lines.append(f"  acting: {state.acting} over: {state.over} plies: {state.plies}")
    lines.append(f"  sealed: {state.sealed} scores: {_values(state.scores())}")
    lines.append(f"  utilities: {_values(state.utilities())} guess: {_values(state.evaluate())}")
    for seat in state.acting:
        tokens = (state.text(action, seat) for action in state.legal_actions(seat))
        lines.append(f"  legal {seat}: {' '.join(tokens)}")
        refusals = [state.refusal(action, seat) for action in range(walk.game.num_actions)]
        lines.append(f"  refusals {seat}: {_counted(refusals)} {_digest(repr(refusals).encode())}")
    chances = (f"{state.text(action, CHANCE)}:{w}" for action, w in state.chance_weights())
    lines.append(f"  chance: {' '.join(chances)}")
    for viewer in walk.viewers:
        view = state.view(viewer)
        body = view.notation().partition(" ")[2]
        world = view.sample(new_rng(walk.seed, walk.number))
        many = walk.game.samples(view, 2, walk.number)
        lines.append(f"  view {body}")
        lines.append(
            f"    bytes: {_digest(view.to_bytes())} encode: {_digest(view.encode().tobytes())}"
            f" sample: {_digest(world.to_bytes())} samples: {_digest(many.tobytes())}"
        )
    return lines


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=6).hexdigest()


def _values(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)


def _counted(refusals: Sequence[str | None]) -> str:
    names = sorted({why or "legal" for why in refusals})
    return " ".join(f"{name}×{sum((why or 'legal') == name for why in refusals)}" for name in names)


def check_interpreted(
    game: Game | str, seed: int = 0, max_plies: int = 60, module: str = ""
) -> None:
    """Compiled rules answer what the same Python answers that was not compiled.

    Parameters
    ----------
    module
        For a game that is not installed: a module to import, whose ``GAME`` it is.
    """
    game = known_game(game)
    command = [sys.executable, "-m", "tianxia.testing", game.spec, str(seed), str(max_plies)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": "utf-8"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(  # noqa: S603  (our own module)
        [*command, module], env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise CheckFailed(f"{game.spec}: not compiled, the rules fail:\n{done.stderr}")
    compiled = _everything(game, seed, max_plies)
    if compiled != done.stdout:
        lines = (compiled.splitlines(), done.stdout.splitlines())
        found = "\n".join(islice(unified_diff(*lines, "compiled", "interpreted", n=1), 20))
        raise CheckFailed(
            f"{game.spec}, seed {seed}: compiled rules differ from their source\n{found}"
        )


def _everything(game: Game, seed: int, max_plies: int) -> str:
    played = game.playouts(2, seed, max_plies=max_plies * 2)
    result = f"playouts: {played.actions} {played.cut} {_values(list(played.utilities))}"
    return f"{playthrough(game, seed, max_plies, every=5)}\n{result}\n"


# --- All of it ---

CHECKS: tuple[Check, ...] = (
    check_in_python,
    check_play,
    check_copies,
    check_notation,
    check_invariants,
    check_words,
    check_face,
    check_transcript,
    check_refusals,
    check_obvious,
    check_misuse,
    check_views,
    check_samples,
    check_policy,
    check_random_action,
    check_seen,
    check_secrets_commute,
    check_playouts,
    check_equality,
)
"""The checks of one game and one seed that need no process of their own."""


def check_game(game: Game | str, games: int = 4, seed: int = 0, max_plies: int = MAX_PLIES) -> None:
    """Play `games` games, from `seed` on, through all of `CHECKS`.

    Parameters
    ----------
    game
        Or a text, such as ``"stratego(variant=duel)"``, as for `tianxia.game`.
    max_plies
        Where a game is cut, in actions.

    Raises
    ------
    CheckFailed
        Saying what is wrong, and in which game, seed and action.
    """
    for number in range(seed, seed + games):
        for one in CHECKS:
            one(game, number, max_plies)


def main(arguments: Sequence[str]) -> None:
    """Print what `check_interpreted` compares."""
    spec, seed, max_plies, module = arguments
    if module:
        from tianxia.kernel.registry import register

        register(import_module(module).GAME)
    sys.stdout.write(_everything(game_of(spec), int(seed), int(max_plies)))
