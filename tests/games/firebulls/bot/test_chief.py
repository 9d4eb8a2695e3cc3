"""The Chief and its levels: what it finds, what it may not know, how much it tries."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

import tianxia
from tests.games.firebulls.helpers import begin, random_game, table
from tests.games.firebulls.helpers import play as played
from tianxia.bots import play, rebuild
from tianxia.games.firebulls.bot.chief import (
    LEAST_WORLDS,
    PAYMENTS,
    Chief,
    Skill,
    candidates,
    costs,
    forgotten,
)
from tianxia.games.firebulls.bot.finish import end_is_near, finish, make_ends, step
from tianxia.games.firebulls.bot.greed import decide, make_room
from tianxia.games.firebulls.bot.learned import learned
from tianxia.games.firebulls.bot.levels import MAKERS, SKILLS
from tianxia.games.firebulls.bot.lookahead import BY_POINTS, lead, make_desk, outcome
from tianxia.games.firebulls.rules.components import ATTACK, NUMBER_OF_PAYMENT, PAYMENT, RIGHT, STAY
from tianxia.games.firebulls.rules.state import PUBLIC
from tianxia.kernel.jit import entry
from tianxia.kernel.rng import new_rng
from tianxia.search.halving import CHUNK
from tianxia.search.levels import LEVELS
from tianxia.search.thinking import Finding

QUICK = Skill(trials=60, turns=1)


def weighed(state: tianxia.State, skill: Skill | None = None) -> list[Finding]:
    seat = state.acting[0]
    return Chief(state.game, seat, 3, skill or Skill()).weigh(state.view(seat))


def chosen(state: tianxia.State) -> str:
    seat = state.acting[0]
    action = Chief(state.game, seat, 3).choose(state.view(seat))
    return state.text(action, seat)


# --- What it finds ---


def test_it_ends_a_game_that_is_won() -> None:
    """The last card of the deck ends it; the other could still win the General."""
    state = table("b1y1", "b7y1", victory=("B2", "S1B1"), general="aside", deck="n1", exhausted=2)
    assert chosen(state).split(":")[0] in ("take", "draw")
    assert weighed(state)[0].value == 1


def test_it_does_not_put_a_win_off() -> None:
    """It wins by whatever it does; the attack empties the second pile and ends the game at once."""
    state = table(
        "r1",
        "-",
        rows="Sr,Sr,Sr/X,X,X/X,X,X",
        pawns="31",
        victory=("G1B3C1", "-"),
        unseen="F5",
        piles=(1, 0, 4),
        general="won",
        deck="n2",
        exhausted=2,
    )
    assert chosen(state) == "2:r"
    assert weighed(state)[-1].value == pytest.approx(1, abs=0.01)


def test_it_does_not_end_a_game_that_is_lost() -> None:
    state = table(
        "b7y1", "b1y1", victory=("C1B1", "B2Sr1"), general="aside", deck="n1", exhausted=2
    )
    assert chosen(state).split(":")[0] not in ("take", "draw")
    assert weighed(state)[0].value == 1
    assert weighed(state)[-1].value == pytest.approx(-1, abs=BY_POINTS)


def test_it_wins_with_an_attack_whose_bonus_card_ends_the_game() -> None:
    state = table(
        "b1y1",
        "n5r1",
        rows="X,X,C/Sb,Sy,X/X,X,X",
        pawns="34",
        victory=("B2", "B2"),
        deck="n1",
        exhausted=2,
    )
    best = weighed(state)[0]
    assert state.text(best.action, 0) == "3:b"
    assert best.value == 1


def test_it_takes_a_bo() -> None:
    assert chosen(table("b1y1n1r1g1", "-", rows="B,X,X/X,X,X/X,X,X"))[1:] == ":bynrg"


def test_what_is_worth_nothing_is_known() -> None:
    """A won game is worth 1 to one and −1 to the other, whatever is done."""
    won = table("b1", "-", victory=("B3C2", "-"), deck="n1", exhausted=2)
    lost = table("b1", "-", victory=("-", "B3C2"), deck="n1", exhausted=2)
    ends = [one for one in weighed(won) if won.text(one.action, 0) == "draw"]
    assert ends[0].value == 1
    ends = [one for one in weighed(lost) if lost.text(one.action, 0) == "draw"]
    assert ends[0].value == pytest.approx(-1, abs=BY_POINTS)


@pytest.mark.parametrize(("pawns", "expected"), [("12", RIGHT), ("14", STAY), ("32", STAY)])
def test_it_expects_to_be_pushed_away_from_what_he_gathered_for(pawns: str, expected: int) -> None:
    """The Bo is before direction 3, the other has a Bull of each colour; from 1 it is too far."""
    rows = "F,F,F/B,F,F/F,F,F"
    state = table("-", "b1y1n1r1g1", rows=rows, pawns=pawns)
    played(state, "draw", "card:r")
    found = step(state.record[0], 0, learned().habits, make_room())
    assert found == expected
    assert decide(state.record[0], 0, learned().habits, make_room()) == STAY


def test_what_an_attack_needs_is_not_dropped() -> None:
    """Five of a colour take the Colonel before him; a ninth card has to go."""
    state = table("g5w3", "-", rows="C,C,X/F,F,F/F,F,F", pawns="13")
    played(state, "take:n", "card:y")
    dropped = decide(state.record[0], 0, learned().habits, make_room())
    assert state.text(int(dropped), 0) == "drop:n"


def ending_turn(me: str, other: str, piles: tuple[int, int, int] = (1, 0, 4)) -> tianxia.State:
    """Return a turn of who holds a red Bull; taking the weak one before him empties a pile."""
    return table(
        "r1b2y2",
        "-",
        rows="Sr,Sr,Sr/X,X,X/X,X,X",
        pawns="31",
        victory=(me, other),
        unseen=f"F{sum(piles)}",
        piles=piles,
        general="won",
    )


@entry
def compiled_finish(state, seat, habits, room, ends, rng):
    return finish(state[0], seat, habits, room, ends, rng)


def finished(state: tianxia.State) -> str:
    room, ends = make_room(), make_ends(state.game)
    action = compiled_finish(state.record, 0, learned().habits, room, ends, new_rng(1))
    return state.text(int(action), 0)


def test_the_other_is_seen_to_end_the_game_where_that_wins() -> None:
    state = ending_turn("G1B3C1", "B2")
    assert end_is_near(state.record[0])
    assert finished(state) == "2:r"


def test_the_other_is_seen_not_to_end_the_game_where_that_loses() -> None:
    state = ending_turn("B2", "G1B3C1")
    assert not finished(state).startswith("2:")


def test_no_end_is_near_while_piles_are_full() -> None:
    assert not end_is_near(ending_turn("B2", "B2", (2, 3, 2)).record[0])


# --- What it tries ---


def test_of_each_attack_the_cheapest_payments_are_tried() -> None:
    state = table("b3y3w2", "-", rows="X,X,X/X,X,X/X,X,X", pawns="31")
    tried = candidates(state.view(0), 0)
    assert set(tried) <= set(state.legal_actions(0))
    assert len(set(tried)) == len(tried)
    attacks = [action for action in tried if action >= ATTACK]
    assert len(attacks) == 3 * PAYMENTS
    assert [action for action in state.legal_actions(0) if action < ATTACK] == tried[:4]
    assert {"3:bbb", "3:yyy"} < {state.text(action, 0) for action in attacks}


def test_warriors_cost_most() -> None:
    hand = np.array([2, 1, 0, 0, 0, 1])
    bull, warrior = (NUMBER_OF_PAYMENT[cards] for cards in ((0, 1, 0, 0, 0, 0), (0,) * 5 + (1,)))
    cost = costs(hand, PAYMENT[[bull, warrior]])
    assert cost[0] < cost[1]


@pytest.mark.parametrize("players", [2, 5])
def test_it_tries_as_often_as_his_skill_says(players: int) -> None:
    state = begin(players, 4)
    for trials in (100, 400):
        found = weighed(state, Skill(trials=trials, turns=1))
        tried = sum(one.visits for one in found)
        assert trials / 3 < tried <= trials + LEAST_WORLDS * len(found)


def test_it_stops_at_a_deadline() -> None:
    state = begin(2, 4)
    bot = Chief(state.game, state.acting[0], 3, Skill(trials=10**9, turns=1))
    view = state.view(state.acting[0])
    found = bot.weigh(view, time.monotonic())
    assert sum(one.visits for one in found) <= CHUNK
    assert bot.choose(view, time.monotonic()) == found[0].action


def test_one_legal_action_needs_no_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """But who asks what it is worth is told."""
    state = table("b1", "-", rows="Sb,X,X/X,X,X/X,X,X", pawns="21", victory=("C2", "-"))
    state.apply(state.parse("2:b", 0), 0)
    found = weighed(state, QUICK)
    assert [state.text(one.action, 0) for one in found] == ["stop"]
    assert found[0].value > 0.3
    monkeypatch.setattr(Chief, "weigh", None)
    assert chosen(state) == "stop"


# --- What it may know ---


def test_it_sees_no_secret() -> None:
    """The other drew one card or another."""
    before = table("b3y2", "n2", active=1)
    one, two = (played(before.clone(), "draw", card, "stay") for card in ("card:b", "card:w"))
    assert one != two
    assert one.view(0) == two.view(0)
    bots = [Chief(state.game, 0, 3, QUICK) for state in (one, two)]
    assert bots[0].weigh(one.view(0)) == bots[1].weigh(two.view(0))


def test_the_forgetful_do_not_know_what_was_taken_openly() -> None:
    state = begin(2, 4)
    for _ in range(2):
        seat = state.acting[0]
        take = next(action for action in state.legal_actions(seat) if action < 6)
        state.apply(take, seat)
        while not state.acting:
            state.apply(state.chance_weights()[0][0])
    seat = state.acting[0]
    view = state.view(seat)
    before = view.to_bytes()
    record = forgotten(view.record)
    assert view.fields["known"][seat].any()
    assert not record["known"][0, [seat, PUBLIC]].any()
    assert len(weighed(state, Skill(trials=60, turns=1, forgetful=True))) > 1
    assert view.to_bytes() == before


# --- Games ---


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_it_plays_to_the_end(players: int) -> None:
    game = tianxia.game("firebulls", players=players)
    quick = [partial(Chief, skill=Skill(trials=20, turns=0))] * players
    assert play(game, quick, 2).over


def test_it_plays_the_same_after_a_restart() -> None:
    game = tianxia.game("firebulls")
    past = list(play(game, ["apprentice", "novice"], 5, 150).history())
    for left in (3, 20, 41):
        state = game.new()
        for actor, action in past[:-left]:
            state.apply(action, actor)
        moves = [(actor, action) for actor, action in past[-left:] if actor >= 0]
        while not state.acting:
            actor, action = past[len(list(state.history()))]
            state.apply(action, actor)
        (seat,) = state.acting
        again = rebuild(("apprentice", "novice")[seat], state, seat, 2 * 5 + seat)
        before = again.choose(state.view(seat))
        assert again.choose(state.view(seat)) == before
        assert next(action for actor, action in moves if actor == seat) == before


@pytest.mark.slow
def test_it_beats_the_drover() -> None:
    game = tianxia.game("firebulls")
    won = 0.0
    for seed in range(6):
        names = ["drover", "drover"]
        names[seed % 2] = "master"
        won += play(game, names, seed).utilities()[seed % 2]
    assert won >= 4


# --- Levels ---


def test_levels_have_the_names_of_all_games_and_grow() -> None:
    assert list(MAKERS) == ["drover", *SKILLS]
    assert list(SKILLS) == list(LEVELS)
    skills = list(SKILLS.values())
    assert sorted(skills, key=lambda skill: skill.trials) == skills
    assert sorted(skills, key=lambda skill: -skill.temperature) == skills
    assert skills[-1] == Skill()


def test_small_mistakes_are_more_frequent_than_great_ones() -> None:
    found = weighed(begin(2, 4), Skill(trials=100, turns=0, temperature=0.1))
    shares = [one.share for one in found]
    assert sorted(shares, reverse=True) == shares
    assert sum(shares) == pytest.approx(1)
    assert 0 < shares[-1] < shares[0] < 1
    ratio = np.exp((found[0].value - found[1].value) / 0.1)
    assert shares[0] / shares[1] == pytest.approx(ratio)


def test_the_best_always_takes_what_is_best() -> None:
    found = weighed(begin(2, 4), QUICK)
    assert [one.share for one in found] == [1.0, *[0.0] * (len(found) - 1)]


def test_who_has_lost_already_still_counts_points() -> None:
    """The end of a game is worth what it is to the winner; to the others a little by points."""
    state = random_game(3, 1, 100_000)[-1]
    assert state.over
    desk = make_desk(state.game)
    scores, utilities = state.scores(), state.utilities()
    values = [outcome(state.record[0], seat, learned(), desk) for seat in range(3)]
    for seat in range(3):
        ahead = scores[seat] - max(scores[:seat] + scores[seat + 1 :])
        assert lead(np.array(scores), 3, seat) == ahead
        assert values[seat] == pytest.approx(utilities[seat], abs=0.02)
    order = sorted(range(3), key=lambda seat: (utilities[seat], scores[seat]))
    assert sorted(range(3), key=lambda seat: values[seat]) == order


# --- What was learned ---


def test_more_cards_are_worth_more() -> None:
    habits = learned().habits
    assert all(np.diff(habits[:8]) > 0)


def test_more_points_are_worth_more() -> None:
    piles = ("-", "X2", "B1X1", "B2X1")
    states = [table("b1y1", "b1y1", victory=(pile, "-")) for pile in piles]
    values = [weighed(state, QUICK)[0].value for state in states]
    assert values == sorted(values)
    assert values[-1] > 0.8


def test_the_quick_player_knows_the_rules() -> None:
    room = make_room()
    for players in (2, 3, 5):
        for state in random_game(players, players, 400)[::3]:
            if state.acting:
                (seat,) = state.acting
                legal = state.legal_actions(seat)
                record = state.view(seat).record[0]
                assert decide(record, seat, learned().habits, room) in legal


def test_the_quick_player_looks_at_no_hidden_card() -> None:
    room = make_room()
    for state in random_game(3, 8, 300)[::5]:
        if state.acting:
            (seat,) = state.acting
            views = (state.record[0], state.view(seat).record[0])
            one, two = (decide(record, seat, learned().habits, room) for record in views)
            assert one == two
