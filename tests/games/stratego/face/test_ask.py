"""What pieces of Stratego answer: what they may be is counted exactly, where they were is told."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random

import tianxia
from tests.draw.test_every_answer import ask, seen_by
from tests.games.stratego.face.test_scene import opened
from tianxia.games.stratego.face.ask import possible
from tianxia.games.stratego.rules.components import BOMB, SLOTS
from tianxia.games.stratego.rules.notation import square_name
from tianxia.games.stratego.rules.state import MOVED


def played(seed: int, moves: int) -> tianxia.State:
    dice, state = Random(seed), opened("barrage", seed % 6, (seed + 1) % 6)
    for _ in range(moves):
        if state.acting:
            state.apply(dice.choice(state.legal_actions()))
    return state


def enumerated(state: tianxia.State) -> dict[int, dict[int, Fraction]]:
    """Return how often each unknown piece of Blue has each rank, over all possible armies."""
    view, full = state.view(0).fields, state.fields
    unknown = [p for p in range(SLOTS, 2 * SLOTS) if view["square"][p] and not view["rank"][p]]
    ranks = [int(full["rank"][piece]) for piece in unknown]
    moved = [bool(view["marks"][piece] & MOVED) for piece in unknown]
    counts: list[Counter[int]] = [Counter() for _ in unknown]
    total = 0
    for army in permutations(ranks):
        if any(rank >= BOMB and has for rank, has in zip(army, moved, strict=True)):
            continue
        total += 1
        for counted, rank in zip(counts, army, strict=True):
            counted[rank] += 1
    return {
        piece: {rank: Fraction(n, total) for rank, n in counted.items()}
        for piece, counted in zip(unknown, counts, strict=True)
    }


def test_what_a_piece_may_be_is_counted_exactly():
    moved = met = 0
    for seed in range(4):
        state = played(seed, 24 + seed)
        for piece, shares in enumerated(state).items():
            assert possible(state.view(0), piece) == shares
            moved += bool(state.fields["marks"][piece] & MOVED)
            met += 1
    assert met > moved > 0


def test_a_piece_tells_where_it_has_been_and_an_unmoved_one_that_it_has_not():
    state = played(2, 30)
    start = {
        int(piece): square for square, piece in enumerate(opened("barrage", 2, 3).fields["board"])
    }
    told = 0
    for piece in range(2 * SLOTS):
        square = int(state.fields["square"][piece]) - 1
        if square < 0:
            continue
        answer = ask(state.view(0), 0, square_name(square), past=seen_by(state, 0))
        assert answer is not None
        been = next(fact.text for fact in answer.facts if fact.name == "Where it has been")
        if state.fields["marks"][piece] & MOVED:
            told += 1
            assert been.split(" – ")[0] == square_name(start[piece + 1])
            assert been.split(" – ")[-1] == square_name(square)
            assert set(answer.lights) == set(been.split(" – "))
        else:
            assert been == "it has not moved"
    assert told > 2


def test_an_attack_says_how_it_may_end_and_the_shares_are_those_of_the_ranks():
    for seed in range(30):
        state = played(seed, 40)
        if state.over or state.acting != (0,):
            continue
        view = state.view(0)
        for action in state.legal_actions():
            target = state.text(action, 0).partition("x")[2]
            if not target:
                continue
            answer = ask(view, 0, target, action=action)
            assert answer is not None
            (fight,) = [fact for fact in answer.facts if fact.name.startswith("Attack by your")]
            assert fight.after.startswith("wins ")
            return
    raise AssertionError("no attack was found")


def test_ones_own_piece_says_what_the_other_side_knows_of_it():
    state = opened("barrage", 0, 1)
    own = int(state.fields["square"][state.fields["rank"].tolist().index(9)]) - 1
    answer = ask(state.view(0), 0, square_name(own))
    assert answer is not None
    assert ("What the other side knows", "nothing") in [(f.name, f.text) for f in answer.facts]
