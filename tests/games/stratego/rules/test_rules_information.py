"""STR-34, STR-35 and what STR-03, STR-18 and STR-41 say about who knows what."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.games.stratego.board import finish_setup, moves, play, set_up
from tests.games.stratego.helpers import (
    COUNTS,
    army,
    arranged,
    cells,
    place,
    random_army,
)

pytestmark = pytest.mark.rules

VIEWERS = (0, 1, tianxia.SPECTATOR)
FLAGS = "a1=rF j10=bF "


def two_worlds(seed: int, variant: str) -> tuple[tianxia.State, tianxia.State]:
    """Make two games that only Blue can tell apart: his army stands differently."""
    game = tianxia.game("stratego", variant=variant)
    red, blue = random_army(variant, seed), random_army(variant, seed + 50)
    where = [slot for slot, token in enumerate(blue) if token != "-"]
    ranks = [blue[slot] for slot in where]
    random.Random(seed).shuffle(ranks)
    other = list(blue)
    for slot, rank in zip(where, ranks, strict=True):
        other[slot] = rank
    return finish_setup(game, red, blue), finish_setup(game, red, other)


def safe(one: tianxia.State, two: tianxia.State) -> list[str]:
    """List the legal moves that do the same in both worlds and show nothing that differs."""
    here, there = cells(one), cells(two)
    found = []
    for token in sorted(moves(one) & moves(two)):
        start, end = token.replace("x", "-").split("-")
        if "x" in token and (here[start], here[end]) != (there[start], there[end]):
            continue
        steps = abs(ord(start[0]) - ord(end[0])) + abs(int(start[1:]) - int(end[1:]))
        if steps == 1 or here[start] == there[start]:
            found.append(token)
    return found


@pytest.mark.parametrize("variant", sorted(COUNTS))
@pytest.mark.parametrize("seed", range(3))
def test_STR_34_nothing_that_is_sent_depends_on_a_hidden_rank(seed, variant):
    one, two = two_worlds(seed, variant)
    rng = random.Random(seed)
    assert one.to_bytes() != two.to_bytes()
    for _ in range(120):
        for viewer in (0, tianxia.SPECTATOR):
            assert one.view(viewer).to_bytes() == two.view(viewer).to_bytes()
            assert one.view(viewer).notation() == two.view(viewer).notation()
        if one.acting == (0,):
            assert one.legal_actions(0) == two.legal_actions(0)
            assert one.view(0).legal_actions(0) == one.legal_actions(0)
        tokens = safe(one, two)
        if not tokens:
            break
        token = rng.choice(tokens)
        for state in (one, two):
            play(state, token)
        if one.over or two.over:
            break
    if not one.over:
        for viewer in (0, tianxia.SPECTATOR):
            assert one.transcript(viewer=viewer) == two.transcript(viewer=viewer)
        assert one.transcript(viewer=1) != two.transcript(viewer=1)


@pytest.mark.parametrize("variant", sorted(COUNTS))
def test_STR_34_the_view_hides_what_was_not_shown(variant):
    red, blue = random_army(variant, 5), random_army(variant, 6)
    state = finish_setup(tianxia.game("stratego", variant=variant), red, blue)
    assert cells(state.view(0)) == arranged(0, red) | dict.fromkeys(arranged(1, blue), "b?")
    assert cells(state.view(1)) == arranged(1, blue) | dict.fromkeys(arranged(0, red), "r?")
    hidden = dict.fromkeys(arranged(0, red), "r?") | dict.fromkeys(arranged(1, blue), "b?")
    assert cells(state.view(tianxia.SPECTATOR)) == hidden


@pytest.mark.parametrize("variant", ["duel", "barrage"])
def test_STR_34_before_both_are_set_up_not_even_the_squares_are_seen(variant):
    game = tianxia.game("stratego", variant=variant)
    red = random_army(variant, 7)
    views = set()
    for seed in (8, 9, 10):
        state = set_up(set_up(game.new(), 0, red[:5]), 1, random_army(variant, seed))
        views.add((state.view(0).to_bytes(), state.view(tianxia.SPECTATOR).to_bytes()))
    assert len(views) == 1


def test_STR_34_a_set_up_action_is_seen_by_its_seat_alone():
    state = tianxia.game("stratego").new()
    for seat in (0, 1):
        for token in ("F", "B", "9"):
            action = state.parse(token, seat)
            assert state.seen(action, seat, seat) == action
            assert state.seen(action, seat, 1 - seat) is None
            assert state.seen(action, seat, tianxia.SPECTATOR) is None


def test_STR_34_moves_are_seen_by_all_and_a_transcript_tells_no_ranks():
    red, blue = random_army("classic", 12), random_army("classic", 13)
    state = finish_setup(tianxia.game("stratego"), red, blue)
    rng = random.Random(1)
    for _ in range(60):
        (seat,) = state.acting
        action = state.parse(rng.choice(sorted(moves(state))), seat)
        for viewer in VIEWERS:
            assert state.seen(action, seat, viewer) == action
        state.apply(action)
    whole = state.transcript()
    assert tianxia.replay(whole).to_bytes() == state.to_bytes()
    assert state.transcript(viewer=0) != state.transcript(viewer=1) != whole


def test_STR_34_a_view_cannot_be_played_on():
    view = place(FLAGS + "e4=r5 e7=b4").view(0)
    with pytest.raises(tianxia.ViewError):
        view.apply(view.legal_actions(0)[0])


@pytest.mark.parametrize("variant", sorted(COUNTS))
@pytest.mark.parametrize("seed", range(2))
def test_STR_34_samples_are_possible_worlds(seed, variant):
    state = finish_setup(
        tianxia.game("stratego", variant=variant),
        random_army(variant, seed),
        random_army(variant, seed + 20),
    )
    rng = random.Random(seed)
    luck = tianxia.new_rng(seed)
    moved: set[str] = set()  # squares of pieces that moved
    for _ in range(100):
        token = rng.choice(sorted(moves(state)))
        start, end = token.replace("x", "-").split("-")
        mover = cells(state)[start]
        play(state, token)
        if state.over:
            break
        moved.discard(start)
        if cells(state).get(end) == mover:
            moved.add(end)
        elif end not in cells(state):
            moved.discard(end)
        for seat in (0, 1):
            check_world(state, seat, cells(state.view(seat).sample(luck)), moved)


def check_world(state: tianxia.State, seat: int, world: dict[str, str], moved: set[str]) -> None:
    """Check that a world agrees with all that a seat knows."""
    truth, shown = cells(state), cells(state.view(seat))
    assert set(world) == set(shown) == set(truth)
    for square, cell in shown.items():
        if cell[1] != "?":
            assert world[square] == cell == truth[square]
        else:
            assert world[square][0] == cell[0] != "rb"[seat]
            assert square not in moved or world[square][1] not in "BF"
    for side in "rb":
        here = sorted(cell for cell in world.values() if cell[0] == side)
        assert here == sorted(cell for cell in truth.values() if cell[0] == side)
        assert here.count(side + "F") == 1


def sampled(view: tianxia.State, square: str, number: int = 150) -> set[str]:
    rng = tianxia.new_rng(3)
    return {cells(view.clone().sample(rng))[square][1] for _ in range(number)}


def new_game() -> tianxia.State:
    """Begin with a Scout before the lane of column e on both sides, all else at random."""
    red, blue = army("classic"), army("classic")
    for mine, slot in ((red, 34), (blue, 35)):  # e4 and e7
        mine.remove("2")
        random.Random(slot).shuffle(mine)
        mine.insert(slot, "2")
    return finish_setup(tianxia.game("stratego"), red, blue)


def test_STR_35_what_never_moved_may_be_anything():
    state = new_game()
    assert sampled(state.view(0), "e7", 400) == set("FBS23456789M")
    assert sampled(state.view(1), "e4", 400) == set("FBS23456789M")


def test_STR_35_a_piece_that_moved_is_neither_bomb_nor_flag():
    state = new_game()
    play(state, "e4-e5")
    assert sampled(state.view(1), "e5", 400) == set("S23456789M")
    play(state, "e7-e6")
    assert sampled(state.view(0), "e6", 400) == set("S23456789M")
    assert sampled(state.view(tianxia.SPECTATOR), "e6", 400) == set("S23456789M")


def test_STR_35_a_piece_that_moved_far_is_a_scout():
    state = new_game()
    play(state, "e4-e6")
    for viewer in (1, tianxia.SPECTATOR):
        assert sampled(state.view(viewer), "e6") == {"2"}


def test_STR_35_also_after_it_has_made_short_moves_again():
    state = place(FLAGS + "e1=r2 b3=r9 c3=r7 d3=r4 a4=rB a8=b5")
    play(state, "e1-e4 a8-a9 e4-e5 a9-a8")
    assert sampled(state.view(1), "e5") == {"2"}


def test_STR_35_the_inference_holds_for_many_samples_at_once():
    state = new_game()
    play(state, "e4-e6")
    game = tianxia.game("stratego")
    for world in game.samples(state.view(1), 50, seed=4):
        there = cells(game.from_bytes(world.tobytes()))
        assert there["e6"] == "r2"
        assert sorted(c[1] for c in there.values() if c[0] == "r") == sorted(army("classic"))


def test_STR_35_nobody_learns_from_a_view_what_only_a_rank_tells():
    """A Scout that steps one square looks like any other piece."""
    scout = place(FLAGS + "e4=r2 b3=r9 a8=b5")
    general = place(FLAGS + "e4=r9 b3=r2 a8=b5")
    for state in (scout, general):
        play(state, "e4-e5")
    assert scout.view(1).to_bytes() == general.view(1).to_bytes()


def test_STR_18_what_a_fight_showed_is_part_of_the_view():
    state = place(FLAGS + "e6=r9 e7=b5 i4=r4 a7=b4 b9=b6")
    assert cells(state.view(1))["e6"] == "r?"
    play(state, "e6xe7")
    assert cells(state.view(1)) == {
        "a1": "r?", "i4": "r?", "e7": "r9", "a7": "b4", "b9": "b6", "j10": "bF",
    }  # fmt: skip
    lost = place(FLAGS + "e6=r5 e7=b9 i4=r4 a7=b4")
    play(lost, "e6xe7")
    assert cells(lost.view(0))["e7"] == "b9"
    assert cells(lost.view(0))["a7"] == "b?"
    bomb = place(FLAGS + "e6=r5 e7=bB i4=r4 a7=b4")
    play(bomb, "e6xe7")
    assert cells(bomb.view(0))["e7"] == "bB"


def test_STR_41_legality_depends_on_nothing_hidden():
    """What a seat may do, and why not, is the same in every world it thinks possible."""
    state = place(FLAGS + "a6=r5 a8=b4 d1=r2 j9=b7 c8=b9 b9=bB")
    luck = tianxia.new_rng(9)
    for token in ["a6-a7", "a8-b8", "a7-a8", "b8-b7", "a8-b8", "b7-a7", "b8-b7", "a7-a8"]:
        play(state, token)
        (seat,) = state.acting
        legal = state.legal_actions(seat)
        view = state.view(seat)
        assert view.legal_actions(seat) == legal
        for _ in range(10):
            assert view.clone().sample(luck).legal_actions(seat) == legal


@pytest.mark.parametrize("variant", sorted(COUNTS))
def test_features_say_which_ranks_are_still_to_be_found_out(variant):
    """Who keeps count of what has fallen and been shown knows these numbers; a net cannot."""
    game = tianxia.game("stratego", variant=variant)
    state = finish_setup(game, random_army(variant, 1), random_army(variant, 2))
    rng, ranks = random.Random(3), "S23456789MBF"
    for _ in range(200):
        if state.over:
            break
        for seat in (0, 1):
            seen, truth = cells(state.view(seat)), cells(state)
            hidden = [truth[square][1] for square, token in seen.items() if token[1:] == "?"]
            wanted = [hidden.count(rank) / 2 for rank in ranks]
            assert state.encode(seat)[-len(ranks) :].tolist() == wanted
        state.apply(rng.choice(state.legal_actions()))
    assert len(hidden) < sum(COUNTS[variant].values())
