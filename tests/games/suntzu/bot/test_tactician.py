"""The Tactician: solves rounds, remembers what it saw, never answers illegally."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.games.suntzu.war import BLUE, CARDS, CHANCE, PROVINCES, QUICK, RED, begin, lay, war
from tianxia.bots import make, rebuild
from tianxia.games.suntzu.bot import effects, mixing, outlook, tactician
from tianxia.games.suntzu.bot.clash import (
    ARMIES_AFTER,
    BLUE_ARMIES,
    POINTS,
    RED_ARMIES,
    chance_of,
    make_tables,
    prospects,
    shortage,
)
from tianxia.games.suntzu.bot.levels import SKILLS
from tianxia.games.suntzu.bot.tactician import (
    BEST,
    BRISK,
    HURRIED,
    Skill,
    Tactician,
    hands_of,
    laid_shares,
)
from tianxia.games.suntzu.rules.components import (
    ARMY,
    KINDS,
    MINUS,
    PASS,
    PLAGUE,
    REINFORCE,
    RESERVE,
    UNDER,
    ZERO,
)
from tianxia.games.suntzu.rules.state import (
    AFTER,
    ASK_S2,
    COLLECTING,
    FIGHT,
    KEEPING,
    LAYING,
    PLACE,
    SCORING,
)
from tianxia.kernel.state import State
from tianxia.search.bot import tell
from tianxia.search.levels import LEVELS

GAMES: tuple[dict[str, object], ...] = (
    {},
    {"events": True},
    {"deck": "beginner", "strategies": False},
    {"plague": "spares"},
)


def order(state: State, seat: int, seed: int, skill: Skill = QUICK) -> list[str]:
    """Return the cards that the Tactician lays, from Qin to Wu."""
    bot, state = Tactician(state.game, seat, seed, skill), state.clone()
    while seat in state.acting and state.fields["phase"] == LAYING:
        state.apply(bot.choose(state.view(seat)), seat)
    return [CARDS[int(card) - 1] for card in state.fields["laid"][seat]]


def last_armies(track: int, reserve: tuple[int, int], seat: int) -> State:
    """Return the end of a game in which Sun Tzu has just scored five points in Qin."""
    state = war(
        phase=SCORING, turn=9, stands="315 124 135 143 232", armies={"Qin": "b2"},
        track=track, reserve=reserve, hand=("7 8", "7 8"), privilege=seat,
    )  # fmt: skip
    for token in (*(f"score={name}" for name in PROVINCES), "pawn"):
        state.apply(state.parse(token, CHANCE), CHANCE)
    return state


@pytest.mark.parametrize("seat", [BLUE, RED])
@pytest.mark.parametrize("reserve", [(3, 3), (4, 3), (3, 4), (9, 2)])
def test_it_takes_all_armies_that_decide_the_game(seat: int, reserve: tuple[int, int]) -> None:
    """The points of the last round are on the track already: they count once."""
    state = last_armies(-5, reserve, seat)
    assert state.fields["track"] == 0
    (actor,) = state.acting
    bot = Tactician(state.game, actor, 0, QUICK)
    assert state.text(bot.choose(state.view(actor)), actor).startswith("reinforce=")


# --- What a round comes to ---


def cells_of(tables: np.ndarray, blue: list[int], red: list[int]) -> np.ndarray:
    """Return what two orders come to in each province."""
    return np.array([tables[province, blue[province], red[province]] for province in range(5)])


def runs_short(state: State, cells: np.ndarray) -> bool:
    """Say whether armies may have to come from other provinces: that is only guessed at."""
    spent = -np.minimum(cells, 0).sum(axis=0)[[BLUE_ARMIES, RED_ARMIES]]
    return bool((spent > state.fields["reserve"]).any())


def resolved(
    state: State, blue: list[int], red: list[int], wanted: Sequence[str] = ("pass", "reserve")
) -> State:
    """Return the position after a round; unless wanted, nobody plays a strategy card."""
    for seat, cards in ((BLUE, blue), (RED, red)):
        lay(state, seat, *(CARDS[kind] for kind in cards))
    while state.fields["phase"] != COLLECTING and not state.over:
        actor = state.acting[0] if state.acting else CHANCE
        tokens = [state.text(action, actor) for action in state.legal_actions(actor)]
        token = next((t for t in wanted if t in tokens), tokens[0])
        state.apply(state.parse(token, actor), actor)
    return state


@pytest.mark.parametrize("plague", ["annuls", "spares"])
def test_a_round_is_resolved_as_the_rules_do(plague: str) -> None:
    """Armies, reserves and points of random pairs of orders, where no reserve runs short."""
    chooser = random.Random(3)
    tried = 0
    for turn in (2, 3):
        state = war(
            phase=LAYING,
            turn=turn,
            armies={"Qin": "b3", "Chu": "r5", "HanQi": "r1", "Wu": "b6"},
            hand=("7 8 9 10 +1 +2 +3 -1 P", "7 8 9 10 +1 +2 +3 -1 P"),
            deck=("", ""),
            plague=plague,
        )
        record = np.rec.array(state.view(BLUE).record)[0]
        tables = make_tables(record, outlook.weights()).cells
        for _ in range(40):
            blue, red = (chooser.sample(range(15), 5) for _ in range(2))
            cells = cells_of(tables, blue, red)
            if runs_short(state, cells):
                continue
            tried += 1
            after = resolved(state.clone(), blue, red).fields
            for seat, column in ((BLUE, BLUE_ARMIES), (RED, RED_ARMIES)):
                change = int(after["reserve"][seat]) - int(state.fields["reserve"][seat])
                assert cells[:, column].sum() == change, (blue, red)
            assert cells[:, POINTS].sum() == int(after["track"])
    assert tried > 20


@pytest.mark.parametrize("turn", [3, 4, 5, 7])
def test_the_parts_of_the_outlook_are_its_features(turn: int) -> None:
    """What `clash` adds up is the weighted sum of the features of the position that comes."""
    weights, chooser = outlook.weights(), random.Random(5)
    state = war(
        phase=LAYING,
        turn=turn,
        armies={"Qin": "b3", "Chu": "r5", "HanQi": "r1", "Wu": "b6"},
        hand=("7 8 9 10 +1", "7 8 +3 -1 P"),
        strategies=("5", "2"),
        deck=("+2 -1", "9"),
        track=-2,
    )
    full = np.rec.array(state.record)[0]
    tables = make_tables(full, weights)
    for _ in range(8):
        blue = chooser.sample([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 5)
        red = chooser.sample([0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14], 5)
        if runs_short(state, cells_of(tables.cells, blue, red)):
            continue
        hands = state.fields["hand"].astype(np.int64)
        cards = [
            outlook.worth_of_cards(full, weights, seat, hand, np.array(cards))
            for seat, (hand, cards) in enumerate(zip(hands, (blue, red), strict=True))
        ]
        chance = chance_of(full, tables, blue, red, *cards)
        after = resolved(state.clone(), blue, red).fields
        odds = float(outlook.features(after, turn + 1) @ weights[turn + 1])
        assert chance == pytest.approx(1 / (1 + np.exp(-odds)))


@pytest.mark.parametrize(("reserve", "points"), [(3, 0), (2, 4), (1, 9), (0, 9)])
def test_armies_that_the_reserve_is_short_of_come_from_other_provinces(
    reserve: int, points: int
) -> None:
    """Three armies win in Wu: Chu (4 points) pays first, then Qin (5); then fewer are placed."""
    state = war(
        phase=LAYING,
        turn=9,
        armies={"Qin": "b1", "Chu": "b1", "Wu": "b9"},
        stands="135 124 143 232 252",
        reserve=(reserve, 5),
    )
    full = np.rec.array(state.record)[0]
    tables = make_tables(full, outlook.weights())
    blue, red = np.array([0, 1, 2, 3, 4]), np.array([0, 1, 2, 3, 1])
    assert shortage(full, tables, blue, red, BLUE, 3 - reserve)[1] == points


@pytest.mark.parametrize(("his", "chance"), [(9, 1.0), (1, 0.0)])
def test_armies_that_come_back_are_there_in_time_for_who_decides_the_order(
    his: int, chance: float
) -> None:
    """What Qin loses pays for Wu if Qin is fought for first: so does who has fewer armies."""
    state = war(
        phase=LAYING,
        turn=9,
        armies={"Qin": "b3", "Chu": "b1", "HanQi": f"r{his}"},
        stands="135 124 143 232 252",
        track=-3,
        reserve=(0, 5),
        privilege=BLUE if his == 9 else RED,
    )
    full = np.rec.array(state.record)[0]
    tables = make_tables(full, outlook.weights())
    blue, red = np.array([0, 1, 2, 4, 3]), np.array([3, 1, 2, 4, 0])
    assert chance_of(full, tables, blue, red, 0.0, 0.0) == chance


RUNS_SHORT = (
    "suntzu {viewer} {phase} 3 135,432,234,414,143 -/- b1 0 b/0 {fight} {armies} 0:0 {laid}"
    " {blue};?;-;?;0/0/0;?;??;?;0;3 {red};-;AAB;-;0/0/0;79MP;MM;2;1;-"
)
"""A game played by hand: Sun Tzu names the order, and the King's reserve runs short."""


def test_who_cannot_name_the_order_expects_the_worst_neighbour_to_pay() -> None:
    """Five in Wu, where he is strong, leaves too few armies for Jin-Yan: Han-Qi would pay."""
    notation = RUNS_SHORT.format(
        viewer=1,
        phase="lay br 61/61",
        fight="-/- 0/0",
        armies="b4:00,r2:10,r2:01,r2:11,r6:00",
        laid="-----/-----",
        blue="12/3;????????",
        red="3/4;1234568XACP",
    )
    full = np.rec.array(tianxia.position(notation).record)[0]
    tables = make_tables(full, outlook.weights())
    blue = np.array([3, 7, 5, 8, 0])
    five, two = (
        chance_of(full, tables, blue, np.array([0, 10, 12, PLAGUE, wu]), 0.0, 0.0) for wu in (4, 1)
    )
    assert five > two + 0.2


def fights(seed: int, plague: str) -> Iterator[State]:
    """Yield the positions of a random game in which somebody is asked within a fight."""
    chooser = random.Random(seed)
    state = tianxia.game("suntzu", plague=plague).new()
    while not state.over:
        if int(state.fields["phase"]) == FIGHT and state.acting:
            yield state
        actor = state.acting[0] if state.acting else CHANCE
        state.apply(chooser.choice(state.legal_actions(actor)), actor)


def fought_out(state: State) -> State:
    """Return the position when a fight is over, debts paid from the reserve where they may be."""
    province = int(state.fields["province"])
    state = state.clone()
    while state.acting and (int(state.fields["phase"]), int(state.fields["province"])) == (
        FIGHT,
        province,
    ):
        (actor,) = state.acting
        legal = state.legal_actions(actor)
        state.apply(next((one for one in (PASS, RESERVE) if one in legal), legal[-1]), actor)
    return state


def armies_in(record: Any) -> list[list[int]]:
    """Return where all armies are."""
    return [record[name].tolist() for name in ("board", "reserve", "aside")]


@pytest.mark.parametrize("plague", ["annuls", "spares"])
def test_what_a_decision_in_a_fight_leads_to_is_what_the_rules_make_of_it(plague: str) -> None:
    """Who pays for a card sees the fight that it is paid for, and where its armies come from."""
    compared = dict.fromkeys(range(ASK_S2, PLACE + 1), 0)
    for seed in range(60):
        for state in fights(seed, plague):
            (seat,) = state.acting
            step = int(state.fields["step"])
            for action in state.legal_actions(seat) if step in compared else ():
                if REINFORCE <= action < PASS:
                    continue  # what comes after it is not the same
                after = state.clone()
                after.apply(action, seat)
                found = [
                    armies_in(pool[0])
                    for pools in effects.after(state.view(seat), seat, action)
                    for pool in pools
                ]
                if min(min(reserve) for _, reserve, _ in found) >= 0:
                    assert armies_in(fought_out(after).fields) in found, state.notation()
                    compared[step] += 1
    assert min(compared.values()) > 3, compared


def test_of_what_is_equal_he_pays_without_cards_then_with_the_least() -> None:
    """A game played by hand: any payment won in this round, and he gave a 9 and kept a +1."""
    view = tianxia.position(
        "suntzu 0 fight.place b 166/166 6 234,135,143,315,252 -/- b2 2 r/0 Q/Q 0/2"
        " b11:00,b1:11,b1:01,r11:01,b4:11 0:0 3BC2M/1????"
        " 0/2;14569A;-;78XAAMPP;-;0/0/0;-;M;5;1;- 3/3;??????????????;?;-;?;0/0/0;?;-;?;1;-"
    )
    bot = Tactician(view.game, BLUE, 0)
    weighed = [view.text(one, BLUE) for one in bot.weigh(view, view.legal_actions(BLUE))]
    assert weighed == ["from=Chu", "from=JinYan", "reinforce=+1", "reinforce=9"]


def test_it_sees_that_the_next_scoring_may_end_the_game() -> None:
    """A game played by hand: the King held six of the eleven points, the pawn stood at −5.

    Sun Tzu thought that he would win three of four games so, kept all his high cards for
    later, and there was no later.
    """
    state = tianxia.position(
        "suntzu * lay br 114/114 5 323,232,124,135,315 -/- r5 1 b/0 -/- 0/0"
        " r4:01,r1:11,b2:11,b3:11,r9:00 0:0 -----/-----"
        " 10/3;123456789XABCP;-;AAMP;-;0/0/0;-;MM;-;0;3"
        " 0/3;123456XACMMPP;-;89AA;-;0/0/0;-;BM7;-;0;4"
    )
    odds = outlook.features(np.rec.array(state.record)[0], 5, drawn=True) @ outlook.weights()[5]
    assert odds < -0.3
    bot = Tactician(state.game, BLUE, 2)
    assert max(bot.plan(state.view(BLUE))[1]) > 6


def test_no_card_is_given_where_the_next_armies_come_for_nothing() -> None:
    """Three are owed to Jin-Yan: once its only neighbour has paid, Wu pays with its many."""
    notation = RUNS_SHORT.format(
        viewer=1,
        phase="fight.place r 72/70",
        fight="J/JW 8/3",
        armies="b4:00,r2:10,r2:11,r1:11,r8:00",
        laid="??6?1/1ACP5",
        blue="11/3;????????",
        red="0/6;23468X",
    )
    state = tianxia.position(notation)
    values = Tactician(state.game, RED, 5).weigh(state, state.legal_actions(RED))
    assert state.text(max(values, key=lambda action: values[action]), RED) == "from=HanQi"


def test_who_names_the_order_has_the_other_run_short() -> None:
    """Qin first: then an army is missing in Wu, and Chu pays; in Qin his many of Jin-Yan would."""
    state = war(
        turn=9,
        province="",
        armies={"Chu": "r1", "JinYan": "r5"},
        laid=("1 3 5 2 4", "2 3 5 1 7"),
        stands="135 124 143 232 252",
        track=9,
        reserve=(9, 3),
        privilege=BLUE,
    )
    laid, his = np.array([0, 2, 4, 1, 3]), np.array([[1, 2, 4, 0, 6]])
    solved = tactician._replies(his, np.ones(1), np.zeros(1))
    bot, view = Tactician(state.game, BLUE, 5), state.view(BLUE)
    chances = [bot._chance_named(view, one, laid, solved) for one in range(len(PROVINCES))]
    assert round(chances[0]) == 1
    assert round(chances[4]) == 0


def test_who_wins_needlessly_with_an_empty_reserve_loses_what_pays_for_it() -> None:
    """The last round: level but for the 2 of Chu, which the new armies in Wu would cost."""
    state = war(
        phase=LAYING,
        turn=9,
        armies={"Chu": "b1", "Wu": "b5"},
        stands="135 232 143 124 252",
        track=-3,
        reserve=(0, 5),
    )
    full = np.rec.array(state.record)[0]
    tables = make_tables(full, outlook.weights())
    red = np.array([0, 1, 2, 3, 1])
    level, strong = np.array([0, 1, 2, 3, 1]), np.array([0, 1, 2, 3, 4])
    assert chance_of(full, tables, level, red, 0.0, 0.0) == 1.0
    assert chance_of(full, tables, strong, red, 0.0, 0.0) == 0.0


@pytest.mark.parametrize(("king", "chance"), [("5", 1.0), ("4", 0.0)])
def test_a_king_counters_the_plague_that_hurts_most(king: str, chance: float) -> None:
    """The last round: only the countered Plague in Chu, of two, lets the King's 4 win 4 points."""
    state = war(
        phase=LAYING,
        turn=9,
        stands="135 124 143 232 252",
        strategies=("5", king),
        track=3,
        hand=("P P", ""),
        deck=("", ""),
    )
    full = np.rec.array(state.record)[0]
    tables = make_tables(full, outlook.weights())
    blue, red = np.array([0, 14, 2, 14, 4]), np.array([0, 3, 2, 1, 4])
    assert chance_of(full, tables, blue, red, 0.0, 0.0) == chance


@pytest.mark.parametrize("kind", [*range(MINUS + 1), PLAGUE])
def test_a_countered_plague_is_fought_out_as_the_rules_do(kind: int) -> None:
    state = war(
        phase=LAYING,
        turn=3,
        armies={"Chu": "b3"},
        hand=("P", CARDS[kind] if kind > 5 else ""),
        strategies=("5", "4"),
    )
    cells = make_tables(np.rec.array(state.record)[0], outlook.weights()).cells
    others = [k for k in range(6) if k != kind][:4]
    blue, red = [others[0], 14, *others[1:]], [others[0], kind, *others[1:]]
    after = resolved(state, blue, red, ("K4", "pass", "reserve")).fields
    assert after["effects"] == 0
    armies = int(after["board"][BLUE][1]) - int(after["board"][RED][1])
    assert armies == cells[1, PLAGUE if kind == PLAGUE else ZERO, kind][ARMIES_AFTER]


def test_weights_are_read_as_they_are_written() -> None:
    weights = outlook.weights()
    assert outlook.read(outlook.write(weights)) == pytest.approx(weights, abs=1e-4)
    assert weights.shape == (10, len(outlook.NAMES)) == (10, outlook.TERMS)


def test_more_armies_and_higher_numbers_are_never_worth_less() -> None:
    weights = outlook.weights()
    assert outlook.in_order(weights) == pytest.approx(weights, abs=1e-4)
    mixed = np.random.default_rng(1).normal(size=weights.shape)
    ordered = outlook.in_order(mixed)
    for turn in range(2, 10):
        for first in range(outlook.HELD, outlook.CARD, outlook.BINS):
            values = ordered[turn, first : first + outlook.BINS]
            assert (np.diff(values) >= 0).all()
            assert values.sum() == pytest.approx(mixed[turn, first : first + outlook.BINS].sum())
        assert (np.diff(ordered[turn, outlook.CARD : outlook.CARD + 4]) >= 0).all()
    apart = [outlook.NAMES.index(name) for name in ("score", "card +1", "card P", "reserve")]
    assert (ordered[:, apart] == mixed[:, apart]).all()


# --- Orders ---


def test_what_is_laid_often_wins_as_often_as_anything() -> None:
    """In the mixture nothing that is taken is worse than what is not: an equilibrium, nearly."""
    state = begin(3)
    tactician = Tactician(state.game, RED, 1, Skill(own=4, other=8, iterations=400))
    solved, _ = tactician.plan(state.view(RED))
    mean = float(solved.shares @ solved.values)
    assert mean > solved.values.max() - 0.01
    assert (solved.shares > 0.03).sum() > 2


def gain_of_a_card(skill: Skill, seed: int) -> float:
    """Return by how much another card in one province would better the best order found."""
    view = begin(seed).view(RED)
    tactician = Tactician(view.game, RED, 1, skill)
    solved, _ = tactician.plan(view)
    best = solved.orders[solved.values.argmax()]
    hand = view.fields["hand"][RED] - np.bincount(best, minlength=15)
    changed = [
        np.array([*best[:here], kind, *best[here + 1 :]])
        for here in range(5)
        for kind in np.flatnonzero(hand > 0)
    ]
    chances = [tactician.chance(view.record, order, solved) for order in [best, *changed]]
    return max(chances) - chances[0]


def test_what_replies_best_is_among_the_orders() -> None:
    """With few made-up orders a better card is overlooked, were it not looked for."""
    few = Skill(own=2, other=4, orders=12, others=10, stages=2, iterations=100, replies=0)
    gains = [
        sum(gain_of_a_card(replace(few, replies=n), seed) for seed in range(6)) for n in (0, 5)
    ]
    assert gains[1] < gains[0] / 2


def test_orders_are_mixed_and_agree_with_the_hand() -> None:
    state = begin(4)
    orders = {tuple(order(state, RED, seed)) for seed in range(8)}
    assert len(orders) > 3


def test_a_round_is_solved_once_whatever_is_laid(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the time of a round is that of one solution: its iterations are the skill's."""
    counted, plain = [], Tactician.solved

    def solved(tactician, base, fixed):
        counted.append(tactician.skill.iterations)
        return plain(tactician, base, fixed)

    monkeypatch.setattr(Tactician, "solved", solved)
    state = begin(5)
    lay(state, BLUE, "1", "2", "3", "4", "5")
    order(state, RED, 1)
    assert counted == [QUICK.iterations]
    assert SKILLS["master"].iterations <= 1000


def last_round() -> State:
    """Return round 9: all but Wu is settled and level, and only a strong card can win Wu."""
    return war(
        phase=LAYING,
        turn=9,
        armies={"Qin": "b7", "JinYan": "b7", "Chu": "r7", "HanQi": "r7", "Wu": "r3"},
        hand=("10", ""),
        deck=("", ""),
    )


LOST = (
    "suntzu * lay r 195/194 9 315,124,323,135,234 -/- r6 3 r/0 -/- 0/0"
    " b1:11,b3:11,r8:11,b7:11,b2:00 0:0 45326/----- 1/3;1;-;789XAAABCMMMPP;-;0/0/0;-;-;-;0;1"
    " 4/5;123456P;-;789XAAABCMMMP;-;0/0/0;-;-;-;0;2"
)
"""The last round: King, who loses if Sun Tzu lays well."""


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_who_has_lost_lays_what_most_mistakes_let_win(seed: int) -> None:
    """If the other laid any order that was thought of, hardly one of his own would do better."""
    state = tianxia.position(LOST)
    bot, view = Tactician(state.game, RED, seed), state.view(RED)
    solved, _ = bot.plan(view)
    shares = laid_shares(solved)
    assert float(shares @ solved.values) < 0.05
    alike = np.full(len(solved.replies), 1 / len(solved.replies))
    any_reply = tactician._replies(solved.replies, alike, solved.cards)
    chances = np.array([bot.chance(view.record, o, any_reply) for o in solved.orders])
    assert float(shares @ chances) > 0.9 * chances.max() > 2 * chances.mean()


def test_replies_leave_room_for_orders() -> None:
    with pytest.raises(ValueError, match="more orders"):
        Skill(others=8, replies=8)


def note_orders(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list to which each round is added that is solved: how many orders of Sun Tzu."""
    made: list[int] = []

    def make_lots(hands: Any, rooms: list[list[int]]) -> Any:
        made.append(rooms[BLUE][0])
        return mixing.make_lots(hands, rooms)

    monkeypatch.setattr(tactician, "make_lots", make_lots)
    return made


@pytest.mark.parametrize(
    ("pace", "orders"),
    [(0.0, BEST.orders), (30.0, BRISK.orders), (150.0, HURRIED.orders), (900.0, HURRIED.orders)],
)
def test_where_the_clock_leaves_too_little_time_he_thinks_less(
    monkeypatch: pytest.MonkeyPatch, pace: float, orders: int
) -> None:
    state = begin()
    bot = Tactician(state.game, BLUE, 1)
    turn = int(state.fields["turn"])
    monkeypatch.setattr(tactician, "_pace", {turn: pace, turn + 1: 7.0})
    made = note_orders(monkeypatch)
    action = bot.choose(state.view(BLUE), time.monotonic() + 40)
    assert made == [orders]
    assert action in state.legal_actions(BLUE)
    assert bot.deadline == math.inf  # what is asked without a clock is thought out in full
    assert tactician._pace[turn] < max(pace, 10)  # it thinks at length again


@pytest.mark.parametrize(("reserve", "skill"), [(12, BEST), (2, HURRIED)])
def test_a_round_in_which_armies_run_short_has_a_pace_of_its_own(
    monkeypatch: pytest.MonkeyPatch, reserve: int, skill: Skill
) -> None:
    """It takes far longer, and says nothing about how long others take."""
    monkeypatch.setattr(tactician, "_pace", {4: 1.0, -4: 900.0})
    state = war(phase=LAYING, turn=4, hand=("7 8", "8"), reserve=(reserve, 9))
    bot = Tactician(state.game, BLUE, 1)
    made = note_orders(monkeypatch)
    bot.choose(state.view(BLUE), time.monotonic() + 40)
    assert made == [skill.orders]


def test_the_last_round_is_played_for_the_win() -> None:
    for seed in range(4):
        assert order(last_round(), BLUE, seed)[4] == "10"


@pytest.mark.parametrize("reserve", [0, 3, 12])
def test_no_card_is_given_for_an_army_before_one_is_missing(reserve: int) -> None:
    """It can be given later, when more is known: nothing is gained by haste."""
    state = war(phase=LAYING, turn=4, hand=("7 -1 P +1", "8"), reserve=(reserve, 9))
    for seed in range(3):
        bot = Tactician(state.game, BLUE, seed, QUICK)
        assert bot.choose(state.view(BLUE)) < REINFORCE


def test_cards_that_hold_provinces_are_kept_for_the_last_round() -> None:
    """Before the last round a Plague, +1 and -1 are worth about as much as a 7, or more."""
    worth = outlook.weights()[9, outlook.CARD : outlook.DRAWN_CARDS]
    assert min(worth[4], worth[7], worth[8]) > 0.6 * worth[0] > 0


# --- Other decisions ---


def to_decide(state: State, seat: int) -> State:
    """Return the same after all fights of the round, with strategy cards to be played."""
    pool = state.record
    pool["phase"], pool["done"], pool["acting"], pool["privilege"] = AFTER, 31, 1 << seat, 1 + seat
    return state.game.from_bytes(pool.tobytes())


def test_the_army_that_decides_is_removed_at_the_last_moment() -> None:
    """K2 cannot be played after round 6; without Blue's one army in Chu the scoring turns."""
    state = war(
        phase=COLLECTING,
        turn=6,
        armies={"Chu": "b1", "Qin": "b6", "JinYan": "r6", "HanQi": "r6", "Wu": "r6"},
        stands="124 252 143 232 234",
        strategies=("", "2"),
    )
    state = to_decide(state, RED)
    bot = Tactician(state.game, RED, 1, QUICK)
    assert state.text(bot.choose(state.view(RED)), RED) == "K2=Chu"


@pytest.mark.parametrize(("reserve", "added"), [(1, True), (0, False)])
def test_an_army_is_not_added_where_that_costs_a_good_card(reserve: int, added: bool) -> None:
    """With nothing in the reserve S5 can be played only by discarding a card (SUN-68)."""
    war_after = war(
        phase=COLLECTING,
        turn=4,
        armies={"Chu": "b1", "Qin": "b6", "JinYan": "r6"},
        strategies=("5", ""),
        hand=("10 +3", ""),
        reserve=(reserve, 6),
    )
    state = to_decide(war_after, BLUE)
    bot = Tactician(state.game, BLUE, 1, QUICK)
    assert state.text(bot.choose(state.view(BLUE)), BLUE).startswith("S5") == added


def test_of_equals_no_card_is_discarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is won anyway is won without throwing a 10 away."""
    monkeypatch.setattr(Tactician, "chance", lambda *_: 1.0)
    won = war(
        phase=COLLECTING,
        turn=4,
        armies={"Qin": "b6", "JinYan": "r6"},
        strategies=("5", ""),
        hand=("10", ""),
        reserve=(1, 6),
    )
    state = to_decide(won, BLUE)
    bot = Tactician(state.game, BLUE, 1, QUICK)
    discard, army = REINFORCE + 3, ARMY
    assert list(bot.weigh(state.view(BLUE), [discard, army])) == [army, discard]
    assert list(bot.weigh(state.view(BLUE), [discard, PASS])) == [PASS, discard]


def test_more_cards_are_never_worth_less() -> None:
    """Nobody has to play them. As far as each helps, they are worth what the features say."""
    weights = outlook.weights()
    hand, none = np.zeros(KINDS, np.int64), np.full(len(PROVINCES), -1)
    for turn in range(2, 10):
        hand[:] = 0
        before = 0.0
        for kind in (6, 10, 10, 11, 13, 13, 14, 14, 9, 12, 8):
            hand[kind] += 1
            worth = outlook.worth_of_hand(weights, turn, hand, none, 0)
            assert worth >= before
            before = worth
    missing = outlook.worth_of_hand(weights, 9, hand * 0, np.array([0, 1, 2, 3, 10]), 0)
    assert missing == -weights[9, outlook.CARD + 4]
    hand[:] = 0
    hand[[8, 9, 11]] = 1
    few = weights[9, [outlook.CARD + 2, outlook.CARD + 3, outlook.CARD + 5]].sum()
    worth = outlook.worth_of_hand(weights, 9, hand, none, 1)
    assert worth == pytest.approx(
        few + weights[9, outlook.DRAWN_CARDS] + 16 * weights[9, outlook.MANY]
    )


def test_the_worse_card_goes_under_the_deck() -> None:
    state = begin(2)
    weights = outlook.weights()[:, outlook.CARD : outlook.DRAWN_CARDS]
    bots = [(seat, Tactician(state.game, seat, seat, QUICK)) for seat in range(2)]
    while state.fields["phase"] != KEEPING:
        actor = state.acting[0] if state.acting else CHANCE
        action = (
            bots[actor][1].choose(state.view(actor))
            if state.acting
            else state.legal_actions(CHANCE)[0]
        )
        tell(state, action, actor, bots)
    for seat in state.acting:
        put = bots[seat][1].choose(state.view(seat)) - UNDER
        drawn = np.flatnonzero(state.fields["drawn"][seat])
        assert weights[2][put] == min(weights[2][drawn])


# --- Memory, secrets, legality ---


def test_orders_do_not_depend_on_what_the_other_has_laid_or_holds() -> None:
    state = begin(3)
    laid = lay(state.clone(), BLUE, "1", "2", "3", "4", "5")
    pool = state.record
    hand, deck = pool["hand"][0][BLUE], pool["deck"][0][BLUE]
    hand[6:], deck[:] = 0, np.array([1, 1, 1, 1, 3, 1, 1, 3, 2])
    for kind in (0, 1, 2, 3):  # 7 to 10 instead of what he was dealt
        hand[6 + kind], deck[kind] = 1, 0
    other = state.game.from_bytes(pool.tobytes())
    assert other != state
    assert order(state, RED, 1) == order(laid, RED, 1) == order(other, RED, 1)


def test_hands_that_the_other_may_think_of_are_not_told_by_the_real_one() -> None:
    state = begin(3)
    mine, his = hands_of(state.view(RED), RED, 40, 10, 7)
    assert (mine[0] == state.fields["hand"][RED]).all()
    assert len({hand.tobytes() for hand in mine}) > 10
    assert (mine.sum(axis=1) == 10).all()
    assert (his.sum(axis=1) == 10).all()


@pytest.mark.parametrize("options", GAMES, ids=str)
@pytest.mark.parametrize("name", ["novice", "expert"])
def test_nothing_illegal_is_answered_whatever_others_do_in_its_place(
    options: dict[str, object], name: str
) -> None:
    """Every third action of its own is taken from it and made by chance."""
    chooser = random.Random(8)
    state = tianxia.game("suntzu", **options).new()
    bots = [(seat, Tactician(state.game, seat, seat, SKILLS[name])) for seat in range(2)]
    while not state.over:
        actor = state.acting[0] if state.acting else CHANCE
        legal = state.legal_actions(actor)
        action = chooser.choice(legal)
        if state.acting:
            answer = bots[actor][1].choose(state.view(actor))
            assert answer in legal
            action = answer if chooser.random() < 0.7 else action
        tell(state, action, actor, bots)


def test_rebuilt_from_what_it_saw_it_goes_on_as_before() -> None:
    game, chooser = tianxia.game("suntzu", events=True), random.Random(6)
    state, asked = game.new(), 0
    bots = [(seat, make("journeyman", game, seat, 10 + seat)) for seat in range(2)]
    while not state.over:
        actor = state.acting[0] if state.acting else CHANCE
        action = chooser.choice(state.legal_actions(actor))
        if state.acting:
            action = bots[actor][1].choose(state.view(actor))
            asked += 1
            if asked % 17 == 0:
                again = rebuild("journeyman", state, actor, 10 + actor)
                assert again.choose(state.view(actor)) == action
        tell(state, action, actor, bots)
    assert asked > 17


def test_without_a_past_it_answers_in_the_midst_of_a_round() -> None:
    state = begin(5)
    for seat in range(2):
        lay(state, seat, "1", "2", "3", "4", "5")
    while not state.over and int(state.fields["turn"]) == 1:
        actor = state.acting[0] if state.acting else CHANCE
        action = state.legal_actions(actor)[0]
        if state.acting:
            action = Tactician(state.game, actor, 1, QUICK).choose(state.view(actor))
            assert action in state.legal_actions(actor)
        state.apply(action, actor)


# --- Levels ---


def test_levels_think_more_and_err_less_the_higher_they_are() -> None:
    assert list(SKILLS) == list(LEVELS)
    skills = list(SKILLS.values())
    for lower, higher in pairwise(skills):
        assert lower.temperature > higher.temperature
        assert lower.iterations < higher.iterations
        assert lower.other <= higher.other
        assert lower.spread >= higher.spread
    assert skills[-1].temperature == 0


def test_the_last_of_equals_is_the_same_in_prospects() -> None:
    """Replies that are certain to lose leave a chance of 1, whatever their weights."""
    state, out = last_round(), np.zeros(1)
    replies = np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]])
    hand = state.fields["hand"][BLUE].astype(np.int64)
    mine = np.array([0, 1, 2, 3, 9])
    weights, shares, cards = outlook.weights(), np.array([0.3, 0.1]), np.zeros(2)
    prospects(state.view(BLUE).record, weights, BLUE, hand, mine, replies, shares, cards, out)
    assert out[0] == 1.0
