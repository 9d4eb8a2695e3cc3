"""STR-17 to STR-29: attacks, ranks and special pieces."""

from __future__ import annotations

import itertools

import pytest

import tianxia
from tests.games.stratego.board import moves, play
from tests.games.stratego.helpers import MOVABLE, cells, place, refusal

pytestmark = pytest.mark.rules

FLAGS = "a1=rF j10=bF "
FLAG_CELLS = {"a1": "rF", "j10": "bF"}
ORDER = "S23456789M"  # from the lowest to the highest
SEATS = [0, 1]


def fight(attacker: str, defender: str, seat: int) -> dict[str, str]:
    """Let a seat's piece attack; return what stands on the two squares, start and end."""
    start, end = ("e6", "e7") if seat == 0 else ("e5", "e4")
    mine, other = "rb"[seat], "br"[seat]
    flags = "j10=bF" if seat == 1 else "a1=rF"
    if defender != "F":
        flags = FLAGS
    state = place(f"{flags} {start}={mine}{attacker} {end}={other}{defender} i4=r4 a7=b4", seat)
    assert f"{start}x{end}" in moves(state)
    play(state, f"{start}x{end}")
    after = cells(state)
    rest = {s: c for s, c in after.items() if s not in {start, end}}
    whole = {"a1": "rF", "j10": "bF", "i4": "r4", "a7": "b4"}
    if defender == "F":
        del whole["j10" if seat == 0 else "a1"]
    assert rest == whole  # nothing else changes
    return {s: c for s, c in after.items() if s in {start, end}}


def survivors(attacker: str, defender: str, seat: int) -> str:
    """Tell who is left: the attacker on the attacked square, the defender there, or nobody."""
    start, end = ("e6", "e7") if seat == 0 else ("e5", "e4")
    left = fight(attacker, defender, seat)
    if not left:
        return "nobody"
    assert start not in left
    return {"rb"[seat] + attacker: "attacker", "br"[seat] + defender: "defender"}[left[end]]


def test_STR_17_adjacent_enemies_can_be_attacked():
    state = place(FLAGS + "e5=r5 e6=b4 e4=b6 f5=bS")
    assert {token for token in moves(state) if token.startswith("e5")} == {
        "e5xe6", "e5xe4", "e5xf5",
    }  # fmt: skip


@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_17_no_attack_is_diagonal(rank):
    state = place(FLAGS + f"e7=r{rank} d8=b4 f8=b4 f6=b3 d9=b3")
    assert not any("x" in token for token in moves(state))
    for end in ("d8", "f8", "f6"):
        with pytest.raises(tianxia.ParseError):
            state.parse(f"e7x{end}", 0)


def test_STR_17_an_enemy_out_of_reach_is_not_attacked():
    state = place(FLAGS + "e4=r5 e6=b4 h4=b4")
    for end in ("e6", "h4"):
        assert refusal(state, f"e4x{end}") == "STR-17"
        with pytest.raises(tianxia.IllegalAction) as error:
            play(state.clone(), f"e4x{end}")
        assert error.value.statement == "STR-17"


def test_STR_17_scouts_attack_over_free_squares_in_line():
    state = place(FLAGS + "e4=r2 e9=b4 b4=bS e1=b5 h4=r6 i4=b5")
    assert {token for token in moves(state) if token.startswith("e4x")} == {
        "e4xe9", "e4xb4", "e4xe1",
    }  # fmt: skip


def test_STR_17_own_pieces_are_not_attacked():
    state = place(FLAGS + "e4=r5 e5=r4 e3=rB")
    assert refusal(state, "e4-e5") == "STR-07"
    assert refusal(state, "e4-e3") == "STR-07"


@pytest.mark.parametrize("attacker", MOVABLE)
def test_STR_18_a_fight_shows_the_survivor_to_both(attacker):
    for defender in "B4M":
        state = place(FLAGS + f"e6=r{attacker} e7=b{defender} i4=r4 a7=b4")
        for seat, hidden in ((1, "e6"), (0, "e7")):
            assert cells(state.view(seat))[hidden][1] == "?"
        play(state, "e6xe7")
        for viewer in (0, 1, tianxia.SPECTATOR):
            view = cells(state.view(viewer))
            assert view.get("e7") == cells(state).get("e7")
            assert "e6" not in view


def cells_of_samples(view: tianxia.State) -> set[str]:
    """Collect what a viewer still thinks possible."""
    rng = tianxia.new_rng(1)
    return {cell for _ in range(60) for cell in cells(view.clone().sample(rng)).values()}


def test_STR_18_a_fight_shows_those_who_fall():
    for attacker, seat, fallen in (("M", 0, "b9"), ("5", 1, "r5"), ("9", 0, "b9"), ("9", 1, "r9")):
        state = place(FLAGS + f"e6=r{attacker} e7=b9 i4=r4 a8=b4 b8=b6 j3=r7")
        assert fallen in cells_of_samples(state.view(seat))
        play(state, "e6xe7")
        assert fallen not in cells_of_samples(state.view(seat))
        assert fallen not in cells_of_samples(state.view(tianxia.SPECTATOR))


@pytest.mark.parametrize("seat", SEATS)
def test_STR_19_the_lower_rank_is_removed(seat):
    for low, high in itertools.combinations(ORDER, 2):
        assert survivors(high, low, seat) == "attacker"
        if (low, high) != ("S", "M"):
            assert survivors(low, high, seat) == "defender"


def test_STR_20_a_winning_attacker_takes_the_square_of_the_loser():
    state = place(FLAGS + "e5=r6 e6=b5")
    assert cells(play(state, "e5xe6")) == FLAG_CELLS | {"e6": "r6"}
    far = place(FLAGS + "e1=r2 e6=bS a7=b5")
    assert cells(play(far, "e1xe6")) == FLAG_CELLS | {"e6": "r2", "a7": "b5"}


def test_STR_20_a_winning_defender_stays_put():
    state = place(FLAGS + "e5=r5 e6=b6 a4=r3")
    assert cells(play(state, "e5xe6")) == FLAG_CELLS | {"e6": "b6", "a4": "r3"}
    far = place(FLAGS + "e1=r2 e6=b6 a4=r3")
    assert cells(play(far, "e1xe6")) == FLAG_CELLS | {"e6": "b6", "a4": "r3"}


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_21_equal_ranks_are_both_removed(rank, seat):
    assert survivors(rank, rank, seat) == "nobody"


def test_STR_22_an_attack_is_never_compulsory():
    state = place(FLAGS + "e5=r9 e6=b5 a4=r3")
    assert {"e5xe6", "e5-e4", "e5-f5", "a4-a3"} <= moves(state)
    play(state, "a4-a3")
    assert {"e6xe5", "e6-e7"} <= moves(state)
    play(state, "e6-e7")
    assert cells(state)["e5"] == "r9"


def test_STR_22_even_the_flag_need_not_be_taken():
    state = place("a1=rF e10=bF e9=r9 a9=b4")
    assert {"e9xe10", "e9-e8", "e9-d9"} <= moves(state)
    play(state, "e9-e8")
    assert not state.over


@pytest.mark.parametrize("distance", range(1, 10))
def test_STR_23_a_scout_takes_the_spy_from_any_distance(distance):
    state = place(FLAGS + f"e{10 - distance}=r2 e10=bS a7=b5")
    assert cells(play(state, f"e{10 - distance}xe10")) == FLAG_CELLS | {"e10": "r2", "a7": "b5"}


@pytest.mark.parametrize("seat", SEATS)
def test_STR_24_every_rank_beats_all_lower_ones(seat):
    for attacker, defender in itertools.product(ORDER, ORDER):
        if (attacker, defender) == ("S", "M"):
            continue
        mine, other = ORDER.index(attacker), ORDER.index(defender)
        expected = "attacker" if mine > other else "defender" if mine < other else "nobody"
        assert survivors(attacker, defender, seat) == expected, (attacker, defender)


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rank", MOVABLE.replace("3", ""))
def test_STR_25_whoever_attacks_a_bomb_falls_and_the_bomb_stays(rank, seat):
    assert survivors(rank, "B", seat) == "defender"


def test_STR_25_a_bomb_holds_against_any_number_of_attacks():
    state = place(FLAGS + "e6=r9 d7=rM f7=r2 e7=bB a7=b4")
    play(state, "e6xe7 a7-a8 d7xe7 a8-a7 f7xe7")
    assert cells(state) == FLAG_CELLS | {"e7": "bB", "a7": "b4"}


@pytest.mark.parametrize("seat", SEATS)
def test_STR_26_a_miner_removes_a_bomb_and_takes_its_square(seat):
    assert survivors("3", "B", seat) == "attacker"


@pytest.mark.parametrize("seat", SEATS)
def test_STR_27_the_spy_captures_the_marshal_it_attacks(seat):
    assert survivors("S", "M", seat) == "attacker"


@pytest.mark.parametrize("seat", SEATS)
def test_STR_27_the_marshal_captures_the_spy_it_attacks(seat):
    assert survivors("M", "S", seat) == "attacker"


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_28_the_spy_loses_against_whoever_attacks_it(rank, seat):
    assert survivors(rank, "S", seat) == ("nobody" if rank == "S" else "attacker")


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rank", "23456789B")
def test_STR_28_the_spy_loses_when_it_attacks_anything_else(rank, seat):
    assert survivors("S", rank, seat) == "defender"


def test_STR_28_two_spies_take_each_other():
    assert survivors("S", "S", 0) == "nobody"
    assert survivors("S", "S", 1) == "nobody"


@pytest.mark.parametrize("seat", SEATS)
def test_STR_29_bombs_and_the_flag_never_attack(seat):
    mine, other = "rb"[seat], "br"[seat]
    home, far = ("e3", "j10") if seat == 0 else ("e8", "a1")
    up, down = (("e4", "e2"), ("e7", "e9"))[seat]
    for fixed in "BF":
        own = "" if fixed == "F" else ("a1=rF" if seat == 0 else "j10=bF")
        state = place(
            f"{own} {far}={other}F {home}={mine}{fixed} {up}={other}4 {down}={other}S"
            f" {'j1' if seat == 0 else 'a10'}={mine}5",
            seat,
        )
        assert not any(token.startswith(home) for token in moves(state))
        assert refusal(state, f"{home}x{up}") == "STR-29"
        assert refusal(state, f"{home}x{down}") == "STR-29"


def test_STR_30_the_captor_of_the_flag_stands_on_its_square():
    for rank in MOVABLE:
        assert survivors(rank, "F", 0) == "attacker"
        assert survivors(rank, "F", 1) == "attacker"
