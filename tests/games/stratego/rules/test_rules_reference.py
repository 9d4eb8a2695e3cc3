"""The engine agrees, move by move, with a second and slower statement of the same rules."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import tianxia
from tests.games.stratego.board import board, finish_setup, moves
from tests.games.stratego.helpers import MOVABLE, cells, drawn, random_army, refusal
from tests.games.stratego.reference import COLUMNS, Reference, beside, borders

pytestmark = pytest.mark.rules

RANKS = f"?{MOVABLE}BF"  # as a record numbers them
# Few pieces in a corner, Blue's Bombs around them: there they meet again and again.
HUNTS = (
    "r5 b4", "r5 b4", "r5 b2", "r2 b4", "r6 r6 b5", "r5 r2 b4", "r5 b4 b4", "r6 r6 b5 b5",
    "r2 r2 b2 b3", "r2 r6 b2 b2",
)  # fmt: skip
SIZES = ((2, 2), (2, 3), (3, 2), (3, 3), (4, 2), (2, 4), (4, 4))


def corner(rng: random.Random) -> dict[str, str]:
    """Put a few pieces into a corner of the board that may be walled in."""
    pieces = {"a1": "rF", "j10": "bF"}
    width, height = rng.choice(SIZES)
    inside = [c + str(r) for c in "abcd"[:width] for r in range(11 - height, 11)]
    walls = [s for s in (c + str(r) for c in "abcde" for r in range(7, 11)) if s not in inside]
    if rng.random() < 0.7:
        for square in [s for s in walls if any(near in inside for near in beside(s))][:5]:
            pieces[square] = "bB"
    if (width, height) == (3, 3) and rng.random() < 0.5:
        pieces["b9"] = "bB"
        inside.remove("b9")
    pieces.update(zip(rng.sample(inside, 4), rng.choice(HUNTS).split(), strict=False))
    return pieces


def lively(game: Reference, legal: set[str], rng: random.Random) -> str:
    """Choose a legal move; mostly Red hunts and Blue runs, or somebody goes to and fro."""
    quiet = sorted(token for token in legal if "-" in token)
    if not quiet or rng.random() < 0.015:
        return rng.choice(sorted(legal))
    if rng.random() < 0.08:
        return rng.choice(quiet)
    ends = {token: token.split("-") for token in quiet}
    last = game.made[-1].end if game.made else "a1"
    threats = [t for t in quiet if game.beside_enemy(game.now, ends[t][1], game.turn)]
    evasions = [t for t in quiet if last in beside(ends[t][0])]
    away = [t for t in evasions if t not in threats]
    chosen = (threats if game.turn == 0 else away or evasions) or quiet
    onward = [t for t in chosen if not game.takes_back(*ends[t])]
    back = [t for t in quiet if t not in onward and game.takes_back(*ends[t])]
    luck = rng.random()
    if luck < 0.75:
        return rng.choice(onward or chosen)
    return rng.choice((back if luck < 0.9 else []) or chosen)


def stands(state: tianxia.State) -> dict[str, str]:
    """Return the pieces by square as `cells` does, from the record: that is quicker."""
    ranks = state.fields["rank"].tolist()
    pieces = enumerate(piece - 1 for piece in state.fields["board"].tolist())
    return {
        COLUMNS[square % 10] + str(square // 10 + 1): "rb"[piece // 40] + RANKS[ranks[piece]]
        for square, piece in pieces
        if piece >= 0
    }


def compare(state: tianxia.State, game: Reference) -> tuple[set[str], set[str]]:
    """Check that both allow the same and say the same of the end; return what is closed."""
    assert state.over == (game.scores is not None)
    assert stands(state) == game.cells()
    if game.scores is not None:
        assert tuple(state.scores()) == game.scores
        return set(), set()
    assert state.acting == (game.turn,)
    legal, closed, chased = game.sorted_moves()
    assert moves(state) == legal
    for token in closed | chased:
        far = len(borders(*token.replace("x", "-").split("-"))) > 1
        reasons = {"STR-16" if far else "STR-08"} if token in closed else set()
        reasons |= {"STR-10"} if token in chased else set()
        assert refusal(state, token) in reasons
    return closed, chased


@pytest.mark.parametrize("option", [3, 5, 0])
def test_STR_08_STR_10_STR_16_STR_33_repetition_agrees_on_many_lively_games(option):
    bitten: Counter[str] = Counter()
    for seed in range(200):
        rng = random.Random(1000 * option + seed)
        pieces, turn, draw_after = corner(rng), rng.randrange(2), rng.choice((0, 50, 200))
        game = Reference(pieces, turn, option, draw_after)
        options = {"two_squares": option, "draw_after": draw_after}
        if game.scores is not None:
            continue
        state = board(drawn(pieces), turn, **options)
        for _ in range(70):
            closed, chased = compare(state, game)
            if game.scores is not None:
                bitten["over"] += 1
                break
            bitten["plies"] += 1
            bitten["closed"] += bool(closed)
            bitten["chased"] += bool(chased - closed)
            token = lively(game, game.sorted_moves()[0], rng)
            assert refusal(state, token) is None
            state.apply(state.parse(token))
            game.apply(token)
        compare(state, game)
        assert cells(state) == game.cells()
    assert bitten["plies"] > 5000
    assert bitten["over"] > 10
    if option == 0:  # repetition is free
        assert not bitten["closed"]
        assert not bitten["chased"]
        return
    assert bitten["closed"] > (200 if option == 3 else 20)
    assert bitten["chased"] > 50


@pytest.mark.parametrize("variant", ["classic", "duel", "barrage"])
@pytest.mark.parametrize("seed", range(2))
def test_STR_05_STR_17_STR_31_whole_games_agree(variant, seed):
    rng = random.Random(seed)
    state = finish_setup(
        tianxia.game("stratego", variant=variant, draw_after=80),
        random_army(variant, seed),
        random_army(variant, seed + 10),
    )
    game = Reference(cells(state), draw_after=80)
    for _ in range(250):
        compare(state, game)
        if game.scores is not None:
            break
        legal = sorted(game.sorted_moves()[0])
        fights = [token for token in legal if "x" in token]
        token = rng.choice(fights if fights and rng.random() < 0.4 else legal)
        state.apply(state.parse(token))
        game.apply(token)
    compare(state, game)
    assert cells(state) == game.cells()
