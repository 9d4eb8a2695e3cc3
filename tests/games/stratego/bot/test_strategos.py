"""The Strategos: what it sees, what it must not see, what it believes, how it ends games."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

import tianxia
from tests.games.stratego import board
from tests.games.stratego.helpers import place
from tianxia.bots import adviser, make, play
from tianxia.bots.registry import rebuild
from tianxia.games.stratego.bot import camps
from tianxia.games.stratego.bot.appraisal import (
    OF_BAIT,
    OF_RISK,
    OF_SHELTER,
    REST,
    USUAL,
    gate_of,
    haste_of,
    in_time,
    see_through,
    ways_to_posts,
)
from tianxia.games.stratego.bot.levels import SKILLS
from tianxia.games.stratego.bot.strategos import (
    LENIENT,
    REPEATED,
    STROLL,
    Skill,
    Strategos,
    Weighed,
    weights_of,
)
from tianxia.games.stratego.bot.tactics import Field, has_move, make_field
from tianxia.games.stratego.bot.worlds import MOST_WORLDS
from tianxia.games.stratego.face import deployment
from tianxia.games.stratego.rules.components import BOMB, COUNTS, FLAG, RANKS, SLOTS, VARIANTS, Rank
from tianxia.games.stratego.rules.state import MOVED, SHOWN
from tianxia.kernel.jit import entry
from tianxia.kernel.record import Pool
from tianxia.search.bot import tell
from tianxia.search.choosing import drawn
from tianxia.search.levels import LEVELS

SAFE = "a1=rF j10=bF b1=rB i10=bB a2=rB j9=bB "
SQUARES_OF = {"h3": 27, "j6": 59}
QUICK = Skill(worlds=6, depth=3, nodes=4000)


@entry
def moves(field: Field, seat: int, far: bool) -> bool:
    return has_move(field, seat, far)


def player(state: tianxia.State, seat: int = 0, seed: int = 0) -> Strategos:
    return Strategos(state.game, seat, seed, QUICK)


def chosen(pieces: str, seat: int = 0, seed: int = 0) -> str:
    """Return the move that it chooses in a position where all lost ranks are known."""
    state = place(pieces, seat)
    action = player(state, seat, seed).choose(state.view(seat))
    return state.text(action, seat)


# --- Positions ---


@pytest.mark.parametrize("seed", range(2))
def test_it_takes_the_flag(seed: int) -> None:
    assert chosen("a1=rF j10=bF i10=r4 e5=b5", seed=seed) == "i10xj10"


@pytest.mark.parametrize("seed", range(2))
def test_a_sure_flag_is_worth_more_than_a_major(seed: int) -> None:
    assert chosen("a1=rF j10=bF i10=r4 e5=r8 e6=b7 c8=b7", seed=seed) == "i10xj10"


@pytest.mark.parametrize("seed", range(2))
def test_it_takes_what_he_beats_for_certain(seed: int) -> None:
    # Only a Captain of theirs can have moved: the counts tell it without a fight.
    assert chosen(SAFE + "e5=r7 e6=b6 h4=r4", seed=seed) == "e5xe6"


@pytest.mark.parametrize("seed", range(2))
def test_it_finds_the_only_retreat(seed: int) -> None:
    # The Captain stands between a Marshal, the edge and his own Bomb.
    assert chosen(SAFE + "a3=rB a4=r6 a5=bM h2=r4", seed=seed) == "a4-b4"


@pytest.mark.parametrize("seed", range(2))
def test_his_spy_takes_the_marshal(seed: int) -> None:
    assert chosen(SAFE + "e5=rS e6=bM h4=r4", seed=seed) == "e5xe6"


@pytest.mark.parametrize("seed", range(2))
def test_his_miner_takes_the_bomb_before_the_flag(seed: int) -> None:
    assert chosen(SAFE + "e5=b5 i9=r3 h4=r4", seed=seed) in {"i9xj9", "i9xi10"}


@pytest.mark.parametrize("seed", range(2))
def test_it_never_attacks_what_he_knows_to_be_stronger(seed: int) -> None:
    assert chosen(SAFE + "e5=r6 e6=b8 h4=r4", seed=seed) != "e5xe6"


@pytest.mark.parametrize("seed", range(2))
def test_it_takes_the_raider_beside_his_flag(seed: int) -> None:
    # A Captain may take the Sergeant in the field, or the Lieutenant before his Flag.
    raid = "a1=rF j10=bF i10=bB j9=bB a3=b5 a4=r6 e5=r7 e6=b4 "
    assert chosen(raid, seed=seed) == "a4xa3"


def chase(tokens: str) -> tianxia.State:
    """Return a chase along an edge: all of blue that can move are Majors, red has a Marshal."""
    pieces = "j1=rF i1=rB b6=rM i4=r4 a10=bF a9=bB a7=b7 h8=b7"
    return board.play(place(pieces), tokens)


def points_of(state: tianxia.State, token: str) -> float:
    weighed = player(state).weigh(state.view(0))
    return next(one.points for one in weighed if state.text(one.action, 0) == token)


def test_it_catches_who_may_not_go_back_any_more() -> None:
    """The Major before the Bomb has gone to and fro three times, or done something else between."""
    begin, last = "b6-b7 a7-a8 b7-b8 a8-a7 b8-b7", "a7-a8"
    caught = chase(f"{begin} {last}")
    free = chase(f"{begin} h8-g8 i4-j4 g8-h8 j4-i4 {last}")
    assert caught.diagram() == free.diagram()
    assert points_of(caught, "b7-b8") > points_of(free, "b7-b8") + 10
    action = player(caught).choose(caught.view(0))
    assert caught.text(action, 0) == "b7-b8"


def test_it_does_not_flee_to_where_he_may_not_come_back_from() -> None:
    """Chased by a Marshal, it would close the way out of the corner by the third step."""
    pieces = "a1=rF a2=rB a4=r7 h3=r7 j10=bF i10=bB b5=bM"
    state = board.play(place(pieces, 1), "b5-b4 a4-a3 b4-b3 a3-a4 b3-b4")
    assert points_of(state, "a4-a5") > points_of(state, "a4-a3") + 10


def test_the_last_miner_sets_out_when_nobody_attacks_any_more() -> None:
    """Far ahead, it would wait for the draw with a Miner at rest far from their Flag."""
    pieces = "j1=rF i1=rB j2=rB a1=r3 d4=r8 g4=r8 a10=bF a9=bB b10=bB i9=b5"
    resting = place(pieces)
    late = tianxia.position(resting.notation().replace(" 0 - - - 0/0 -", " 130 - - - 0/0 -"))
    assert late.fields["quiet"] == 130
    step, back = "a1-a2", "d4-d3"  # what a step ahead gains is compared with one away from them
    gained = [points_of(state, step) - points_of(state, back) for state in (resting, late)]
    assert gained[1] > gained[0] + REST


@pytest.mark.parametrize("seed", range(2))
def test_an_attack_elsewhere_does_not_hide_a_threat(seed: int) -> None:
    # The Miner needs three more moves to the Flag; the Lieutenant is just in time, while the
    # Colonel could go on taking what he does not know.
    raid = SAFE + "a4=b3 d2=r5 g9=r8 g10=b3 f10=b3 e10=b3"
    assert chosen(raid, seed=seed) in {"d2-c2", "d2-b2"}


BARRAGE = "stratego(variant=barrage) * play b "
SPY_BESIDE_GENERAL = (
    "138/137 9!@b6FSx--------B-----3x------M@b3---2x--2x-------- "
    "---3xFB--------2x-------S@b5M!@b8-----2x---9@a4------ "
    "{quiet} b6 a1:b6a6b6 h8:a5b5 0/0 -"
)
MARSHALS_MEET = (
    "184/183 9!@d9FSx--------B-----3x------M@e8---2x--2x-------- "
    "---3xFB--------2x-------SxM!@f8-----2x---9@b3------ 45 e8 e3:e7e8 g8:f8e8f8 0/0 -"
)
FLAG_BEHIND = (
    "176/175 9!@d8FSx--------B-----3x------M@c7---2x--2x-------- "
    "---3xFB--------2x-------SxM!@f8-----2x---9@a4------ 37 d8 a1:d7d8 g7:a6a5a4 0/0 -"
)
GENERALS_RACE = (
    "186/185 9!@e9FSx--------B-----3x------Mx---2x--2x-------- "
    "---3xFB--------2x-------SxMx-----2x---9@b3------ 1 e9 a1:d9e9 - 1/0 -"
)


def blues(tokens: str, skill: Skill = QUICK) -> dict[str, float]:
    """Return what Blue thinks of each move, in points."""
    state = tianxia.position(BARRAGE + tokens)
    weighed = Strategos(state.game, 1, 0, skill).weigh(state.view(1))
    return {state.text(one.action, 1): one.points for one in weighed}


def test_no_attack_that_is_known_to_fail_is_a_way_to_wait() -> None:
    """A Spy that a General has driven to the edge attacks it no sooner when nobody attacks."""
    for quiet in (0, 59):
        points = blues(SPY_BESIDE_GENERAL.format(quiet=quiet))
        assert points["b5-a5"] > points["b5xb6"]


@pytest.mark.parametrize("level", LEVELS)
def test_no_piece_is_thrown_away_in_a_lost_game(level: str) -> None:
    """Whatever is done the Flag falls; an attack that surely fails is no better for that."""
    state = place("a1=rF a3=b8! c1=bM! e4=r4 e5=b9! f4=r6 j10=bF", 0)
    weighed = Strategos(state.game, 0, 0, SKILLS[level]).weigh(state.view(0))
    points = {state.text(one.action, 0): one.points for one in weighed}
    assert points["e4xe5"] < points["e4-e3"] - 15


@pytest.mark.parametrize("level", ["expert", "master"])
def test_what_is_known_to_be_stronger_is_attacked_only_for_want_of_another_move(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the search sees nothing better: in a lost game its points tell little."""
    state = place("a1=rF e4=r4 e5=b9! f4=r4 f5=b8 j10=bF", 0)
    actions = {state.text(action, 0): action for action in state.legal_actions(0)}

    def choice(*tokens: str) -> str:
        found = [Weighed(actions[token], -50.0 * i, 3) for i, token in enumerate(tokens)]
        monkeypatch.setattr(Strategos, "weigh", lambda *_: found)
        bot = Strategos(state.game, 0, 0, SKILLS[level])
        return state.text(bot.choose(state.view(0)), 0)

    far = "e4-e3"
    assert choice("e4xe5", far) == far
    assert choice("f4xf5", far, "e4xe5") == "f4xf5"  # hidden: it may be weaker
    assert choice("e4xe5") == "e4xe5"


def test_who_cannot_save_the_flag_still_compares_moves() -> None:
    # Beside the Flag nobody can be attacked, and nobody has a move far from all opponents.
    pieces = "a1=rF j10=bF e1=r4 b4=r4 c1=b6 e2=b6 d2=b5 a2=b5 c4=b6"
    state = place(pieces, 0)
    weighed = Strategos(state.game, 0, 0, QUICK).weigh(state.view(0))
    assert min(one.points for one in weighed) > -1000  # all that can be lost is less


def test_who_falls_guards_no_flag_any_more() -> None:
    """Once both Marshals have fallen nobody is left to stop the General before his Flag."""
    points = blues(MARSHALS_MEET)
    assert points["f8xe8"] < min(points["f8-f9"], points["b3-a3"]) - 50


def test_a_piece_that_cannot_be_taken_is_walked_around() -> None:
    """What probably is a Bomb stands before what probably is the Flag: past it, not up to it."""
    points = blues(FLAG_BEHIND, Skill())
    assert points["a4-a3"] > points["a4-b4"] + 5
    assert points["a4-a3"] > points["a4-a5"] + 5


def test_who_loses_anyhow_attacks_what_may_be_the_flag() -> None:
    points = blues(GENERALS_RACE, Skill())
    assert max(points, key=points.__getitem__) == "b3xb2"


@pytest.mark.parametrize("seed", range(2))
def test_it_leaves_the_other_no_move(seed: int) -> None:
    # Both Lieutenants fall; theirs is the last piece that they could move (STR-31).
    assert chosen(SAFE + "e5=r5 e6=b5 h4=r4", seed=seed) == "e5xe6"


def test_to_lose_the_last_pieces_of_both_is_a_draw() -> None:
    """Nobody can move then (STR-32): no win for who exchanges, and no loss for who may be taken."""
    last = "stratego(variant=barrage) * play r 91/91 -2xFB!--------3@{own}------Sx--2x-----Mx"
    last += (
        "----9x------ FSx--------B!-----------9x--3@{other}--------2xMx--2x- 12 {other} - - 0/0 -"
    )

    def weighed(own: str, other: str) -> dict[str, float]:
        state = tianxia.position(last.format(own=own, other=other))
        return {state.text(one.action, 0): one.points for one in player(state).weigh(state.view(0))}

    won = weighed("h10", "g10")  # the Flag on j10 is open
    assert won["h10-i10"] > won["h10xg10"]
    even = weighed("e2", "f3")
    assert abs(even["e2-f2"] - even["e2-d2"]) < 100


@pytest.mark.parametrize(
    ("own", "stuck", "waits"),
    [
        ({11: 4}, False, True),
        ({11: 4, 1: BOMB}, False, True),
        ({1: BOMB}, True, False),  # a Bomb does not move
        ({0: 4, 1: BOMB, 10: BOMB}, True, False),  # nowhere to go
        ({77: 4}, False, False),  # each of its moves is looked at, so none is left to wait with
        ({77: 4, 11: 4}, False, True),
    ],
)
def test_passing_stands_for_moves_that_there_are(
    own: dict[int, int], stuck: bool, waits: bool
) -> None:
    field = make_field()
    field.where[:] = -1
    for piece, (square, rank) in enumerate([*own.items()]):
        field.where[piece], field.rank[piece], field.square[square] = square, rank, piece + 1
    field.where[SLOTS], field.rank[SLOTS], field.square[78] = 78, 4, SLOTS + 1
    assert (not moves(field, 0, False), moves(field, 0, True)) == (stuck, waits)


def test_a_guard_waits_outside_the_bombs() -> None:
    home, bombs, raider = 0, (1, 10), 70  # Flag on a1, Bombs on b1 and a2, a raider on a8
    through = np.ones(100)
    through[list(bombs)] = 0.0
    gate, steps = gate_of(raider, home), np.zeros(100)
    ways_to_posts(gate, home, through, steps)
    assert gate == 10
    assert steps[11] == steps[20] == 0  # from b2 and a3 it takes what has opened a2
    assert (steps[2], steps[12], steps[40]) == (2, 1, 2)  # c1 is near the Flag, not near the gate
    assert in_time(2, 2) == 1 > in_time(3, 2) > in_time(4, 2)


def lost_by(taste: int, state: tianxia.State) -> dict[str, float]:
    """Return by how much a taste makes each move of Red worse, one move ahead in one world."""
    without = np.where(np.arange(len(USUAL)) == taste, 0.0, USUAL)
    skills = [Skill(1, 1, 1000, taste=tuple(one)) for one in (without, USUAL)]
    before, after = (
        {one.action: one.points for one in Strategos(state.game, 0, 0, skill).weigh(state.view(0))}
        for skill in skills
    )
    return {state.text(action, 0): before[action] - after[action] for action in before}


@pytest.mark.parametrize("known", [True, False])
def test_what_never_moved_stays_where_a_known_piece_would_take_it(known: bool) -> None:
    """Who attacks it may meet a Bomb, as long as it rests."""
    state = place(SAFE + "c3=r7 h3=r6 j6=bM e9=b8", 0)
    pieces = {name: int(state.fields["board"][square]) - 1 for name, square in SQUARES_OF.items()}
    state.fields["marks"][pieces["h3"]] |= MOVED
    if known:
        state.fields["marks"][pieces["j6"]] |= SHOWN
    lost = lost_by(OF_SHELTER, state)
    assert lost["h3-h4"] == 0.0, "it has moved"
    assert lost["c3-c4"] > 3.0 if known else lost["c3-c4"] == 0.0


@pytest.mark.parametrize(("rank", "heeds"), [("9", True), ("8", True), ("2", False), ("3", False)])
def test_what_never_moved_is_left_to_scouts_and_miners(rank: str, heeds: bool) -> None:
    """Marshals, Generals and Colonels met more Bombs there than they believed in."""
    state = place(SAFE + f"e6=r{rank} e7=b7 f6=b7 e5=b5", 0)
    board, marks = state.fields["board"], state.fields["marks"]
    marks[int(board[45]) - 1] |= MOVED
    marks[int(board[55]) - 1] |= MOVED
    marks[int(board[44]) - 1] |= SHOWN
    lost = lost_by(OF_RISK, state)
    assert lost["e6xe7"] > 3.0 if heeds else lost["e6xe7"] == 0.0
    assert lost["e6xf6"] == lost["e6xe5"] == 0.0, "one has moved, the other is known"


@pytest.mark.parametrize(("mark", "least"), [(MOVED, 20.0), (0, 6.0)])
def test_a_capture_beside_what_is_hidden_may_be_bait(mark: int, least: float) -> None:
    """More so where that has moved; nothing hidden stands beside the other prey."""
    state = place(SAFE + "e6=r9 e7=b4 f6=b4 e8=bM h8=b2", 0)
    board, marks = state.fields["board"], state.fields["marks"]
    for square in (64, 55):
        marks[int(board[square]) - 1] |= SHOWN
    for square in (74, 77):
        marks[int(board[square]) - 1] |= mark
    lost = lost_by(OF_BAIT, state)
    assert lost["e6xe7"] > least
    assert lost["e6xf6"] == 0.0


def test_his_spy_does_not_step_beside_a_known_marshal() -> None:
    """A game played by hand: his own Marshal was known, too, and what has moved is not a Bomb.

    So the Marshal risked nothing by taking what stepped up to him.
    """
    view = tianxia.position(
        "stratego 1 play b 234/233 ????????3x2x????7!@e7Sx???3x2x8x5xB!9x8x?2x7x4x6x2x2x?2x7x?2x"
        "M!@f76x 2x9x3!@j9BFB44433xBx6x4B233BB2x7x8x2x5x2x6@c7S@e86x82x5x6x2x7x5!@a77xM!@i75x2x"
        " 6 e7 e2:e6e7 d8:d7c7 1/0 -"
    )
    found = {view.text(one.action, 1): one for one in player(view, 1).weigh(view)}
    assert found["e8-f8"].points < found["e8-d8"].points - 5


@entry
def seen_by_them(pool: Pool, seat: int, doubt: int, seen: NDArray[np.int64]) -> None:
    see_through(pool[0], seat, doubt, seen)


def test_they_see_all_of_a_gain_where_nothing_hidden_withstands_them() -> None:
    """What has moved is not a Bomb; a hidden Captain ties with theirs, and beats what is weaker."""
    state = place(SAFE + "c3=r7 h3=r4", 0)
    captain, sergeant = (int(state.fields["board"][square]) - 1 for square in (22, 27))
    state.fields["marks"][sergeant] |= MOVED
    seen = np.zeros((RANKS, 80), np.int64)
    seen_by_them(state.record, 0, 20, seen)
    assert seen[0, [captain, sergeant]].tolist() == [22, -1], "where it rests, or that it does not"
    assert seen[1:BOMB, sergeant].tolist() == [20] * 7 + [100] * 3
    state.fields["marks"][captain] |= SHOWN
    seen_by_them(state.record, 0, 20, seen)
    assert seen[1:BOMB, sergeant].tolist() == [20] * 4 + [100] * 6


@pytest.mark.parametrize(
    ("lead", "waited", "haste"),
    [(1.5, 0.0, 0.0), (3.0, 0.0, 0.5), (9.0, 0.0, 1.0), (3.0, 0.8, 0.8)],
)
def test_who_is_far_ahead_makes_haste(lead: float, waited: float, haste: float) -> None:
    assert haste_of(lead, waited) == pytest.approx(haste)


def test_far_ahead_his_miners_set_out_past_a_known_marshal() -> None:
    """Sixteen pieces against four, four Miners among them, stayed at home until all was lost."""
    few = SAFE + "c3=r3 h3=r6 j6=bM"
    assert sets_out(few) < sets_out(few + " a3=r9 d3=r8 e3=r8 f3=r7 a4=r7 b4=r7 e4=r6") - 3


def sets_out(pieces: str) -> float:
    """Return how much better the Miner's first step is than one of a Captain that has moved."""
    state = place(pieces, 0)
    for name, mark in (("h3", MOVED), ("j6", SHOWN)):
        state.fields["marks"][int(state.fields["board"][SQUARES_OF[name]]) - 1] |= mark
    return points_of(state, "c3-c4") - points_of(state, "h3-h4")


# --- What it must not see ---


def middle(plies: int = 180) -> tianxia.State:
    game = tianxia.game("stratego")
    return play(game, ["skirmisher", "skirmisher"], 11, plies)


def swapped(state: tianxia.State, seat: int, seed: int) -> tianxia.State:
    """Return the position with the hidden ranks of the other army dealt anew."""
    return state.game.from_bytes(state.game.samples(state.view(seat), 1, seed)[0].tobytes())


def test_hidden_ranks_change_nothing() -> None:
    state = middle()
    (seat,) = state.acting
    other = swapped(state, seat, 3)
    assert other.fields["rank"].tolist() != state.fields["rank"].tolist()
    assert other.view(seat) == state.view(seat)
    answers = [player(one, seat).choose(one.view(seat)) for one in (state, other)]
    assert answers[0] == answers[1]


def test_rebuilt_he_goes_on_as_if_he_had_been_there() -> None:
    state = middle(150)
    (seat,) = state.acting
    bot = rebuild("expert", state, seat, 4)
    again = rebuild("expert", state, seat, 4)
    view = state.view(seat)
    first = bot.choose(view)
    assert first == bot.choose(view) == again.choose(view)


# --- Beliefs ---


@pytest.mark.parametrize("variant", VARIANTS)
def test_beliefs_add_up(variant: str) -> None:
    """Every piece has one rank, every rank as many pieces as are left; the truth is possible."""
    game = tianxia.game("stratego", variant=variant)
    end = play(game, ["skirmisher", "skirmisher"], 2)
    position, bot = end.start(), Strategos(game, 0, 0, QUICK)
    for seat, action in end.history():
        if position.fields["phase"] and seat == 0 and position.plies % 6 == 0:
            check_beliefs(position, bot)
        tell(position, action, seat, [(0, bot)])


def check_beliefs(state: tianxia.State, bot: Strategos) -> None:
    view = state.view(0)
    chances, fields = bot.beliefs(view), state.fields
    standing = [piece for piece in range(SLOTS, 2 * SLOTS) if fields["square"][piece]]
    left = np.bincount(fields["rank"][standing], minlength=RANKS)
    assert chances.min() >= 0
    assert chances[standing].sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert chances[standing].sum(axis=0) == pytest.approx(left, abs=1e-3)
    for piece in standing:
        assert chances[piece, fields["rank"][piece]] > 0
        if fields["marks"][piece] & MOVED:
            assert chances[piece, BOMB] == chances[piece, FLAG] == 0


def test_who_flees_from_a_captain_is_hardly_a_general() -> None:
    state = place(SAFE + "e5=r6 e6=b4 f6=b3 h9=b9 h2=r4", 0)
    bot, runner = player(state), int(state.fields["board"][55]) - 1
    chances = []
    for token, seat in (("e5xe6", 0), ("f6-f7", 1)):
        tell(state, state.parse(token, seat), seat, [(0, bot)])
        chances.append(bot.beliefs(state.view(0))[runner, Rank.GENERAL])
    assert chances[1] < 0.75 * chances[0]


@pytest.mark.parametrize(
    ("way", "lost"), [("e9-e8 e8-e7", pytest.approx(REPEATED + STROLL)), ("e8-e7 e7-e6", 0.0)]
)
def test_who_is_chased_may_go_back_to_where_he_was(way: str, lost: float) -> None:
    """Elsewhere it is idle to stand as before, or to walk where one has been."""
    state = place(SAFE + f"e5=r6 {way[:2]}=b9 h2=r4", 0)
    bot, (first, second) = player(state), way.split()
    steps = ("e5-e4", first, "e4-e5", second)
    for number, token in enumerate(steps):
        tell(state, state.parse(token, number % 2), number % 2, [(0, bot)])
    assert bot._idleness(state.view(0), state.parse("e5-e4", 0)) == lost
    assert bot._idleness(state.view(0), state.parse("h2-h3", 0)) == 0


LOST = "a10=bM c10=b9 e10=b8 f10=b8 h10=b7 a9=b7 g9=b6"


@pytest.mark.parametrize(
    ("others", "gives_way"), [("a10=r9", True), ("a10=b9 c10=b8 e10=bM", True), (LOST, False)]
)
def test_nobody_is_chased_for_ever_who_has_not_lost_already(others: str, gives_way: bool) -> None:
    """Where repetition is free a chase ends when the chased piece gives way, ahead or behind."""
    state = place(SAFE + "e5=r6 f5=b7 h2=r4 " + others, 0, two_squares=0)
    bot, lost = player(state), []
    for _ in range(LENIENT + 3):
        for number, token in enumerate(("e5-e4", "f5-f4", "e4-e5", "f4-f5")):
            if number == 0:
                bot.weigh(state.view(0))
                lost.append(bot._idleness(state.view(0), state.parse(token, 0)))
            tell(state, state.parse(token, number % 2), number % 2, [(0, bot)])
    assert lost[: LENIENT + 1] == [0.0] * (LENIENT + 1)
    assert lost[-1] == (pytest.approx(2 * REPEATED) if gives_way else 0.0)


# --- Ending games ---


def test_it_turns_a_great_advantage_into_a_win() -> None:
    strong = "e4=rM f4=r9 g4=r8 d4=r7 c4=r3 b4=r3 "
    for seed in range(2):
        state = place(SAFE + strong + "e9=b5 c9=b4 h10=bB", 0)
        bots = [player(state, 0, seed), make("skirmisher", state.game, 1, seed)]
        taken = 0
        while not state.over and taken < 400:
            (seat,) = state.acting
            tell(state, bots[seat].choose(state.view(seat)), seat, list(enumerate(bots)))
            taken += 1
        assert state.scores()[0] == 1


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_only_answers_what_is_legal(variant: str) -> None:
    game = tianxia.game("stratego", variant=variant)
    end = play(game, ["novice", "apprentice"], 5, 400)
    assert end.plies > 80 or end.over


# --- Set-ups ---


@pytest.mark.parametrize("variant", range(3))
def test_set_ups_are_sensible_and_varied(variant: int) -> None:
    setups = [camps.camp(variant, seed, 20) for seed in range(60)]
    assert all(deployment.faults(setup) == [] for setup in setups)
    assert len({tuple(setup) for setup in setups}) > 55
    assert len({setup.index(FLAG) for setup in setups}) >= 4


@pytest.mark.parametrize("variant", range(3))
def test_habits_add_up(variant: int) -> None:
    habit = camps.habit(variant)
    assert habit.sum(axis=0)[1:] == pytest.approx(COUNTS[variant][1:])
    assert habit[:10, FLAG].sum() > 0.8
    assert habit[30:, Rank.SCOUT].sum() > habit[:10, Rank.SCOUT].sum()


def test_strong_pieces_are_expected_in_front_and_miners_at_home() -> None:
    rows = camps.habit(0).reshape(4, 10, RANKS).sum(1)
    for rank in (Rank.COLONEL, Rank.GENERAL, Rank.MARSHAL):
        assert rows[2:, rank].sum() > 0.7 * rows[:, rank].sum()
    assert rows[:2, Rank.MINER].sum() > 0.75 * rows[:, Rank.MINER].sum()
    assert rows[:, Rank.SPY].argmax() == 2


def test_of_small_armies_no_rows_are_known() -> None:
    duel = camps.habit(2).reshape(4, 10, RANKS).sum(1)
    assert duel[:, Rank.MINER].min() > 0.1 * duel[:, Rank.MINER].sum()


# --- Levels, choice, advice ---


def test_there_are_the_five_levels_and_each_tries_harder() -> None:
    assert list(SKILLS) == list(LEVELS)
    skills = list(SKILLS.values())
    for lower, higher in pairwise(skills):
        assert lower.temperature > higher.temperature
        assert lower.nodes <= higher.nodes
        assert lower.worlds <= higher.worlds <= MOST_WORLDS


def test_near_equals_are_mixed_and_great_mistakes_are_not_made() -> None:
    weighed = [Weighed(1, 5.0, 3), Weighed(2, 4.9, 3), Weighed(3, -40.0, 3), Weighed(4, 9.0, 1)]
    tickets = [ticket / 100 for ticket in range(100)]
    weights = weights_of(weighed, 0.25)
    assert {weighed[drawn(weights, ticket)].action for ticket in tickets} == {1, 2}


def test_advice_weighs_every_move_and_gives_a_reason() -> None:
    state = middle(120)
    (seat,) = state.acting
    bot, view = rebuild("expert", state, seat, 1), state.view(seat)
    advice = adviser(state.game.kind)
    found = advice.weigh(bot, view)
    assert sorted(one.action for one in found) == view.legal_actions(seat)
    assert all(-1 <= one.value <= 1 for one in found)
    assert sum(one.share for one in found) == pytest.approx(1, abs=1e-3)
    values = [one.value for one in found]
    assert values == sorted(values, reverse=True)
    for one in found:
        english, french = (
            advice.reason(view, seat, one.action, language) for language in ("en", "fr")
        )
        assert english.endswith(".")
        assert french.endswith(".")
        assert english != french


@pytest.mark.parametrize("variant", VARIANTS)
def test_nobody_is_ahead_when_a_game_begins(variant: str) -> None:
    game = tianxia.game("stratego", variant=variant)
    end = play(game, ["skirmisher", "skirmisher"], 3, 120)
    state = end.start()
    for actor, action in end.history():
        if state.fields["phase"] and state.acting:
            break
        state.apply(action, actor)
    (seat,) = state.acting
    bot, view = rebuild("master", state, seat, 1), state.view(seat)
    best = adviser(game.kind).weigh(bot, view)[0]
    assert abs(best.value) < 0.3


def test_advice_while_setting_up() -> None:
    game = tianxia.game("stratego")
    state = game.new()
    bot, advice = make("master", game, 0, 1), adviser(game.kind)
    found = advice.weigh(bot, state.view(0))
    assert found[0].share == 1
    assert found[0].action == bot.choose(state.view(0))
    assert len(found) == len(state.legal_actions(0))
    assert advice.reason(state.view(0), 0, FLAG, "en").startswith("The Flag")


def test_it_may_choose_at_random_among_equals_only_by_his_seed() -> None:
    state = middle(100)
    (seat,) = state.acting
    seeds = random.Random(1).sample(range(1000), 3)
    for seed in seeds:
        answers = {player(state, seat, seed).choose(state.view(seat)) for _ in range(2)}
        assert len(answers) == 1


def test_what_its_army_left_open_is_no_flag() -> None:
    # Two pieces never moved, and both may be the Flag by where they stand; around e10 the army has
    # gone, around j10 it stands as it was set up.
    state = place("a1=rF b1=rB a2=rB j10=bF i10=bB j9=bB e10=bB e6=r7 f3=b4", 0)
    bot = player(state)
    chances = bot.beliefs(state.view(0))
    board = state.fields["board"]
    hidden = {name: int(board[at]) - 1 for name, at in (("j10", 99), ("e10", 94))}
    assert chances[hidden["j10"], FLAG] > 0.3
    assert chances[hidden["e10"], FLAG] < 0.02


@pytest.mark.parametrize("slot", [1, 5, 8])
def test_behind_a_bomb_that_has_fallen_the_flag_is_likelier(slot: int) -> None:
    """And hardly where something else fell: nobody puts the Flag beside what may leave."""
    found = []
    for fallen in (BOMB, Rank.MAJOR):
        view = middle(140).view(0)
        piece = SLOTS + slot + 1
        view.fields["board"][int(view.fields["square"][piece]) - 1] = 0
        view.fields["square"][piece] = 0
        view.fields["rank"][piece] = fallen
        found.append(player(view).beliefs(view)[SLOTS + slot, FLAG])
    assert found[0] > 10 * found[1] > 0


def test_whoever_knows_the_flag_expects_bombs_around_it() -> None:
    view = middle(140).view(0)
    bot, flag = player(view), 5
    before = bot.beliefs(view)[SLOTS + flag + 1, BOMB]
    bot.habit = bot.habit.copy()
    bot.habit[:, FLAG] = 1e-9
    bot.habit[flag, FLAG] = 1.0
    chances = bot.beliefs(view)
    assert chances[SLOTS + flag, FLAG] > 0.99
    assert (
        chances[[SLOTS + flag - 1, SLOTS + flag + 1, SLOTS + flag + 10], BOMB].min() > 0.8 > before
    )


def test_it_betters_its_set_up() -> None:
    bettered = [camps.camp(0, seed, SKILLS["master"].swaps) for seed in range(20)]
    drawn = [camps.camp(0, seed, 0) for seed in range(60)]
    assert min(map(camps.merit, bettered)) > max(map(camps.merit, drawn))
    assert not any(map(deployment.faults, bettered))
    assert len({setup.index(FLAG) for setup in bettered}) >= 6
