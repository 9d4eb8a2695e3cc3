"""Raids on the Flag: the chase against a second statement of it, and what the Strategos does."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest

from tests.games.stratego.helpers import place
from tianxia.games.stratego.bot.chase import (
    CELL,
    FARTHEST,
    MOST_RUNS,
    Chase,
    make_chase,
    solve_chase,
)
from tianxia.games.stratego.bot.raids import THIN, Moves, watch_flag
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.games.stratego.bot.worlds import Desk, keep_guards, make_desk
from tianxia.games.stratego.rules.components import LAKES, MINER, PIECES, RANK_SYMBOLS, RANKS, SCOUT
from tianxia.kernel.jit import entry

QUICK = Skill(worlds=6, depth=3, nodes=4000)
Square = tuple[int, int]


@entry
def solved(chase: Chase, home: int, runs: bool) -> None:
    solve_chase(chase, home, runs)


@entry
def watched(state, seat, chances, legal, count, home, chase, out):
    watch_flag(state[0], seat, chances, Moves(legal, count, out), home, chase)


@entry
def kept_back(desk: Desk, count: int, kept: int) -> None:
    keep_guards(desk, count, kept)


def around(square: int) -> list[int]:
    row, column = divmod(square, 10)
    steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
    return [r * 10 + c for r, c in steps if 0 <= r < 10 and 0 <= c < 10]


def runs_from(square: int, home: int, free: set[int]) -> list[int]:
    """Return where a Scout can go: as far as squares are empty, or onto our Flag."""
    found = []
    for near in around(square):
        step, at = near - square, near
        while at in around(at - step) and at in free:
            found.append(at)
            at += step
        if at == home and at in around(at - step):
            found.append(home)
    return found


def chased(
    home: int,
    open_: set[int],
    covered: set[int],
    free: set[int],
    runs: bool,
    rounds: int = 1000,
) -> set[Square]:
    """Return from where (guard, raider) a raider to move wins, stated once more."""
    wins: set[Square] = set()
    for _ in range(rounds):
        more = {
            (guard, raider)
            for guard in free
            for raider in range(100)
            if any(
                step == home
                or (
                    step in open_ - covered - {guard, *around(guard)}
                    and all((to, step) in wins for to in (guard, *(set(around(guard)) & free)))
                )
                for step in (runs_from(raider, home, free - {guard}) if runs else around(raider))
            )
        }
        if more == wins:
            break
        wins = more
    return wins


@pytest.mark.parametrize("runs", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_a_chase_is_decided_as_by_a_second_statement_of_it(seed: int, runs: bool) -> None:
    rng, chase = random.Random(seed), make_chase()
    board = set(range(60)) - set(LAKES)
    home = rng.randrange(10)
    free = {square for square in board if square != home and rng.random() < 0.8}
    open_ = {square for square in board if square != home and rng.random() < 0.9}
    covered = set(rng.sample(sorted(board), 2))
    for cells, squares in ((chase.free, free), (chase.open_, open_), (chase.covered, covered)):
        cells[CELL[sorted(squares)]] = 1
    solved(chase, int(CELL[home]), runs)
    found = {
        (guard, raider)
        for guard in free
        for raider in range(100)
        if chase.lost[CELL[guard], CELL[raider]] != 0
    }
    rounds = MOST_RUNS if runs else FARTHEST
    assert chased(home, open_, covered, free, runs, rounds) <= found
    assert found <= chased(home, open_, covered, free, runs)
    assert 0 < len(found) < len(free) * len(board)


# --- Positions: a Miner on its way, our move ---

FORT = "a1=rB b1=rF c1=rB b2=rB j10=bF j9=bB i10=bB "
"""Our Flag stands on b1, behind three Bombs."""


def danger(pieces: str, move: str, rank: int = MINER, **suspected: float) -> float:
    """Return how pressing a raid is after a move, by how likely which piece is of a rank."""
    state, chances, chase = place(pieces, 0), np.zeros((PIECES, RANKS)), make_chase()
    for name, chance in suspected.items():
        piece = int(state.fields["board"][square(name)]) - 1
        chances[piece, rank], chances[piece, 6] = chance, 1 - chance
    for name, known in re.findall(r"(\w\d+)=b(\w)!", pieces):
        chances[int(state.fields["board"][square(name)]) - 1, RANK_SYMBOLS.index(known)] = 1.0
    legal, out = np.array([state.parse(move, 0)]), np.zeros(1)
    watched(state.record, 0, chances, legal, 1, square("b1"), chase, out)
    return float(out[0])


def square(name: str) -> int:
    return "abcdefghij".index(name[0]) + 10 * (int(name[1:]) - 1)


def chosen(pieces: str) -> str:
    state = place(pieces, 0)
    return state.text(Strategos(state.game, 0, 1, QUICK).choose(state.view(0)), 0)


def test_the_last_move_at_which_a_guard_is_in_time() -> None:
    raid = FORT + "d1=r6 h4=r4 a7=b3"
    assert danger(raid, "d1-d2", a7=1) <= THIN
    assert danger(raid, "h4-h5", a7=1) > 0.3
    nearer = raid.replace("a7", "a3")
    assert danger(nearer, "d1-d2", a3=1) > 0.7  # too late: it counts the more the nearer it is


def test_a_single_guard_is_not_trusted_quite() -> None:
    """It may be taken by whoever comes with the Miner; a second one may not."""
    raid = FORT + "h4=r4 a6=b3 "
    open_ = danger(raid, "h4-h5", a6=1)
    assert danger(raid + "c3=r5", "h4-h5", a6=1) == pytest.approx(THIN * open_)
    assert danger(raid + "c3=r5 c4=r6", "h4-h5", a6=1) == 0


@pytest.mark.parametrize(
    ("guards", "share"),
    [
        ("c3=r8 c4=r9", 0.0),  # the Major beside the Miner, or our Flag, takes neither
        ("c3=r5 c4=r6", 1.0),  # it takes both
        ("c3=r5 c4=r8", THIN),
        ("c3=r5 c4=r7", THIN),  # falls with it, if it dares
    ],
)
def test_a_guard_that_falls_to_the_escort_stops_nobody(guards: str, share: float) -> None:
    raid = FORT + "h4=r4 a6=b3 "
    open_ = danger(raid, "h4-h5", a6=1)
    assert danger(raid + guards, "h4-h5", a6=1) == 0
    assert danger(raid + guards + " b7=b7!", "h4-h5", a6=1) == pytest.approx(share * open_)
    assert danger(raid + guards + " e1=b7!", "h4-h5", a6=1) == pytest.approx(share * open_)
    assert danger(raid + guards + " d7=b7!", "h4-h5", a6=1) == 0  # too far away


def test_nobody_weaker_than_a_miner_is_a_guard() -> None:
    raid = FORT + "b3=r2 h4=r4 a6=b3"
    assert danger(raid, "h4-h5", a6=1) > 0.3
    assert danger(raid.replace("r2", "r3"), "h4-h5", a6=1) == 0.0


def test_a_raid_presses_the_more_the_likelier_it_is() -> None:
    raid = FORT + "h4=r4 a3=b3"
    most = danger(raid, "h4-h5", a3=1)
    assert danger(raid, "h4-h5", a3=0.4) == pytest.approx(0.16 * most)
    assert danger(raid, "h4-h5", a3=0) == 0  # Bombs stop everybody else


def test_others_come_where_no_bomb_bars_the_way() -> None:
    # b2 is open: a Captain of theirs is stopped by a Major, and by nobody weaker than itself.
    raid = "a1=rB b1=rF c1=rB j10=bF j9=bB i10=bB b6=b6 h4=r4 "
    for guard, is_stopped in (("r7", True), ("r6", True), ("r5", False)):
        assert (danger(raid + f"d2={guard}", "h4-h5", b6=0) <= THIN) == is_stopped


def test_a_spy_beside_a_raider_is_taken_by_it() -> None:
    # It holds the Marshal up where it strikes first, and not where it steps into its way.
    raid = "a1=rB b1=rF c1=rB j10=bF j9=bB i10=bB b6=bM! h4=r4 d3=rS "
    assert danger(raid, "h4-h5") <= THIN
    beside = raid.replace("d3=rS", "b4=rS")
    assert danger(beside, "b4-b5") > THIN
    assert danger(beside, "b4-b3") <= THIN


def test_a_scout_runs_where_no_bomb_bars_the_way() -> None:
    # From e7 it comes to b7, and down to the Flag; who is on c3 by then bars its way on b3.
    raid = "a1=rB b1=rF c1=rB j10=bF j9=bB i10=bB e7=b2 h4=r4 d3=r4 "
    assert danger(raid, "h4-h5", SCOUT, e7=1) > 0.8
    assert danger(raid, "d3-c3", SCOUT, e7=1) <= THIN
    assert danger(raid + "b2=rB", "h4-h5", SCOUT, e7=1) == 0


def test_it_bars_the_way_of_a_scout() -> None:
    raid = "a1=rB b1=rF c1=rB j10=bF j9=bB i10=bB e7=b2! h4=r4 h7=b9 d3=r4 "
    assert chosen(raid).startswith("d3")


def test_it_calls_the_marshal_where_a_marshal_escorts_a_miner() -> None:
    # A position of a game played by hand; his Sergeant and his Miner would be taken.
    # From c2, b2 or b3 the Marshal keeps both away; by its third move it has to be there.
    pieces = "a1=rF a2=rB b1=r3 f1=rS g1=rM! j10=bF j9=bB f7=b9! f6=bS c4=bM! d4=b3!"
    state = place(pieces, 0, variant="barrage")
    for seed in range(3):
        player = Strategos(state.game, 0, seed, QUICK)
        assert state.text(player.choose(state.view(0)), 0) == "g1-g2"


def test_who_bars_the_way_of_a_guard_steps_aside() -> None:
    # Three Bombs and a Scout shut the Lieutenant in; the Miner of theirs has a long way yet.
    raid = FORT + "d1=r5 e1=rB d2=r2 h4=r4 a8=b3"
    assert danger(raid, "h4-h5", a8=1) > 0.3
    assert danger(raid, "d2-e2", a8=1) <= THIN


def test_it_sends_the_guard_while_it_can_still_be_in_time() -> None:
    # The General could go after another Miner in the field instead.
    assert chosen(FORT + "e2=r5 i6=r9 i8=b3 a7=b3").startswith("e2")


@pytest.mark.parametrize(
    ("raided", "looked_at"),
    [
        ((0.3, 0.3, 0.3, 0.3, 0.0), {0, 1, 4}),  # only the last move holds the raid up
        ((0.3, 0.3, 0.0, 0.0, 0.0), {2, 3, 4}),
        ((0.0, 0.3, 0.3, 0.3, 0.0), {0, 1, 4}),
        ((0.01, 0.01, 0.01, 0.0, 0.0), {0, 1, 2}),  # nothing presses
    ],
)
def test_a_move_that_holds_a_raid_up_is_looked_at_to_the_end(
    raided: tuple[float, ...], looked_at: set[int]
) -> None:
    desk = make_desk()
    desk.order[:5] = range(5)
    desk.raided[:5] = raided
    kept_back(desk, 5, 3)
    assert set(desk.order[:3].tolist()) == looked_at
    assert sorted(desk.order[:5].tolist()) == [0, 1, 2, 3, 4]


def test_who_is_far_ahead_guards_the_flag_rather_than_take_a_piece_more() -> None:
    # One of three hidden pieces of theirs that have moved is a Miner; a6 may be it.
    raid = FORT + "e2=r5 a6=b3 i4=r7 i5=b6! i6=b2 j6=b2 g8=b9! f8=bM! "
    assert chosen(raid) == "i4xi5"
    assert chosen(raid + "g1=r9 h1=rM i1=r8 j1=r8 f1=r7 g3=r7").startswith("e2")
