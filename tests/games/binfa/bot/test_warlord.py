"""The Warlord: small positions, what it may know, the same choice again, advice."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import tianxia
from tests.games.binfa.helpers import WAITING, begin, field, play, random_game
from tianxia.bots import adviser, make, rebuild
from tianxia.bots import play as play_out
from tianxia.draw.languages import LANGUAGES
from tianxia.games.binfa.bot.advice import PLENTY
from tianxia.games.binfa.bot.appraisal import (
    EAGER,
    REACH,
    WEIGHT_NAMES,
    appraise,
    laid_bare,
    make_sheet,
    weights_for,
)
from tianxia.games.binfa.bot.foresight import (
    ANSWERING,
    HIS,
    NOTHING,
    WATCHED,
    make_bench,
    try_attacks,
    weigh,
    worth_of_hope,
)
from tianxia.games.binfa.bot.levels import SKILLS
from tianxia.games.binfa.bot.warlord import BEST, Skill, Warlord
from tianxia.games.binfa.rules.components import SUPPLY_ARMY, triangle_number
from tianxia.kernel.state import State
from tianxia.search.bot import Maker
from tianxia.search.levels import LEVELS

FREE, PAID = (weights_for(tianxia.game("binfa", level=level)) for level in (1, 4))
QUICK = Skill(width=3, deep=2, deep_width=2)


def chosen(state: State, skill: Skill = BEST) -> str:
    (seat,) = state.acting
    action = Warlord(state.game, seat, 3, skill=skill).choose(state.view(seat))
    return state.text(action, seat)


def position(phase: str, units: str, rest: str = "") -> State:
    """Return a position of a duel at level 1, red to move."""
    return tianxia.position(
        f"binfa(level=1) * {phase} 0 9/9 armies=rb units={units} army=r {rest}".strip()
    )


def by_place(pile: str) -> int:
    """Return where a pile stands: the order in which positions name them."""
    return triangle_number(pile.partition(":")[0])


def test_it_closes_the_last_side() -> None:
    state = position("moving", "r5:6r,r10:4b,r12:4r,b13:8b,p16:2r", "rolled=yes dice=3-2 moves=1")
    assert chosen(state) in {"r5-r11", "r12-r11"}


def test_it_attacks_what_cannot_retreat() -> None:
    assert chosen(position("ready", "r10:1b,r11:3r,b13:3b,p16:2r")) == "r11xr10"


def test_it_takes_what_wins() -> None:
    """The pile of eight is all that blue can lose and more: both of its gaps are in reach."""
    state = position("moving", "r5:4r,r10:8b,r12:3r,b13:3b,p15:3r", "rolled=yes dice=5-3 moves=2")
    (seat,) = state.acting
    while not state.over:
        state.apply(Warlord(state.game, seat, 3).choose(state.view(seat)), seat)
    assert state.utilities() == [1, -1]


def test_it_retreats_where_he_is_not_encircled() -> None:
    state = field("r6:3r r13:9r r2:4o p9:2o r11:2o o13:4o", active=1)
    play(state, "r2xr6 6-5")
    assert state.acting == (0,) or list(state.acting) == [0]
    assert chosen(state) == "r6-r7"


def test_it_leaves_the_whirlpool() -> None:
    place = "map=/r13,y13,b13 armies=rb units=r13:4r,o13:6r,b1:8b pawns=r:r1,b:b1"
    rest = "supplies=r5b5 army=r rolled=yes dice=3-2 moves=1 due=r13"
    state = tianxia.position(f"binfa(terrain=0) * moving 0 9/9 turns=2 {place} {rest}")
    assert chosen(state).startswith("r13-")


def test_what_is_set_up_in_secret_makes_no_difference() -> None:
    """The other seat sets its units up in two ways: the Warlord's choice is the same."""
    state = begin("placing", level=1, seed=4)
    one, other = state.clone(), state.clone()
    spots = state.legal_actions(1)
    for number in range(12):
        one.apply(spots[0], 1)
        other.apply(spots[number % len(spots)], 1)
    assert one.record.tobytes() != other.record.tobytes()
    bot = Warlord(state.game, 0, 5)
    assert bot.choose(one.view(0)) == bot.choose(other.view(0))


@pytest.mark.parametrize("level", ["apprentice", "master"])
def test_one_who_is_rebuilt_chooses_the_same(level: str) -> None:
    state = next(s for s in reversed(random_game(150, 8, level=3)) if s.acting and not s.over)
    (seat,) = state.acting
    there = make(level, state.game, seat, 9)
    again = rebuild(level, state, seat, 9)
    view = state.view(seat)
    first = there.choose(view)
    assert first in view.legal_actions(seat)
    assert first == there.choose(view) == again.choose(view)


@pytest.mark.parametrize(
    "spec",
    [
        "binfa(level=2)",
        "binfa(armies=3)",
        "binfa(players=3,armies=2,map=placed)",
        "binfa(players=6)",
    ],
)
def test_it_plays_what_is_legal(spec: str) -> None:
    game = tianxia.game(spec)
    makers: list[str | Maker] = [partial(Warlord, skill=QUICK), *["random"] * (game.seats - 1)]
    assert play_out(game, makers, 2, longest=400).plies > 30


def test_every_legal_action_is_weighed() -> None:
    """Also those that the beam lets fall; no worth is better than to win, or was forgotten."""
    for state in random_game(220, 3)[40::9]:
        if len(state.acting) == 1 and int(state.fields["phase"]) > 5:
            (seat,) = state.acting
            values = Warlord(state.game, seat, 1, skill=QUICK).values(state.view(seat))
            assert sorted(values) == state.legal_actions(seat)
            assert max(values.values()) <= 1.05
            assert min(values.values()) > NOTHING / 2


def test_what_one_of_two_hopes_the_other_fears() -> None:
    sheet = make_sheet(PAID)
    for state in random_game(200, 6)[60::25]:
        if state.fields["alive"]:
            worths = [appraise(state.fields, sheet, seat) for seat in range(2)]
            assert worths[0] == pytest.approx(-worths[1])


def test_it_sees_what_stands_open_once_its_neighbour_is_driven_away() -> None:
    sheet = make_sheet(FREE)
    for guard, fallen in (("g11:3r", 2), ("g11:1r", 0), ("r1:3r", 0)):
        piles = [guard, "g7:5r", "g12:2b", "g13:3b", "p15:2r", "b5:7b"]
        piles.sort(key=by_place)
        state = position("ready", ",".join(piles))
        appraise(state.record[0], sheet, 0)
        assert laid_bare(state.record[0], sheet, triangle_number("g13")) == fallen
        assert laid_bare(state.record[0], sheet, triangle_number("g12")) == 0  # g14 is free


@pytest.mark.parametrize(("rest", "asked"), [("", 0.0), ("rolled=yes", 0.25)])
def test_another_roll_has_to_promise_more_than_stopping(rest: str, asked: float) -> None:
    """The first roll of a turn has not: nobody stops before it."""
    state, found = position("ready", "r2:4r,r3:4r,g13:6b", rest), []
    for eager in (0.0, 0.25):
        weights = FREE.copy()
        weights[EAGER] = eager
        values = Warlord(state.game, 0, 1, skill=QUICK, weights=weights).values(state.view(0))
        found.append(values[state.parse("roll", 0)])
    assert found[0] - found[1] == pytest.approx(asked)


@pytest.mark.parametrize(("level", "usual"), [(1, FREE), (2, FREE), (3, PAID), (4, PAID)])
def test_what_matters_depends_on_whether_rolls_cost_supplies(level: int, usual: np.ndarray) -> None:
    assert (FREE != PAID).any()
    assert (Warlord(tianxia.game("binfa", level=level), 0, 1).weights == usual).all()


def alone(*names: str) -> np.ndarray:
    """Return weights of which only these count, and nobody strikes."""
    places = [WEIGHT_NAMES.index(name) for name in names]
    weights = np.zeros(len(WEIGHT_NAMES))
    weights[places] = FREE[places]
    return weights


def test_a_heap_is_worth_less_than_the_same_units_apart() -> None:
    sheet = make_sheet(alone("heaped"))
    values = [
        appraise(position("ready", f"{piles},g13:12b").record[0], sheet, 0)
        for piles in ("r2:6r,r3:6r", "r2:4r,r3:4r,r4:4r", "r2:3r,r3:3r,r4:3r,r5:3r")
    ]
    assert values[0] < values[1] < values[2]
    twos = "r2:2r,r3:2r,r4:2r,r5:2r,r6:2r,r7:2r,g13:12b"  # too low to strike, but no heap
    assert appraise(position("ready", twos).record[0], sheet, 0) == values[2]


def test_an_army_is_worth_more_within_reach_of_another() -> None:
    sheet, hopes = make_sheet(alone("reach")), []
    for place in ("r13", "r7", "r1", "g1"):
        state = position("ready", ",".join(sorted([f"{place}:9r", "g13:4b"], key=by_place)))
        appraise(state.record[0], sheet, 0)
        hopes.append(sheet.worth[0] - sheet.full[0])
    assert hopes == sorted(hopes)
    assert 0 <= hopes[0] < hopes[-1] < FREE[REACH]


@pytest.mark.parametrize(("attacker", "fears"), [("g11:3r", True), ("g11:1r", False)])
def test_it_expects_to_be_attacked(attacker: str, fears: bool) -> None:
    """Three can drive two away, and what stands behind them falls; one can do nothing."""
    state = position("ready", f"g7:4r,{attacker},g12:2b,g13:3b,b5:7b,p15:2r")
    bench = make_bench(FREE)
    bench.work[ANSWERING] = state.record
    now = [appraise(state.record[0], bench.sheet, seat) for seat in range(2)]
    bench.reply[HIS], bench.reply[WATCHED] = now
    try_attacks(bench, 0, 1)
    assert (bench.reply[HIS] > now[0]) == fears
    assert (bench.reply[WATCHED] < now[1]) == fears


def test_all_levels_are_there() -> None:
    assert list(SKILLS) == list(LEVELS)
    assert set(LEVELS) <= set(tianxia.game("binfa").kind.bots)


def test_it_gives_advice_for_every_action() -> None:
    game = tianxia.game("binfa")
    one = adviser(game.kind)
    for state in random_game(260, 5)[2::13]:
        if len(state.acting) != 1 or state.over:
            continue
        (seat,) = state.acting
        view = state.view(seat)
        found = one.weigh(Warlord(game, seat, 1, skill=QUICK), view)
        assert sorted(finding.action for finding in found) == view.legal_actions(seat)
        assert [f.value for f in found] == sorted((f.value for f in found), reverse=True)
        for action in view.legal_actions(seat):
            said = {one.reason(view, seat, action, language) for language in LANGUAGES}
            assert len(said) == len(LANGUAGES)
            assert not any("{" in text for text in said)


def test_it_speaks_of_want_only_where_there_is_some() -> None:
    one, said = adviser(tianxia.game("binfa").kind), set()
    for state in random_game(400, 5):
        for seat in state.acting:
            for action in state.legal_actions(seat):
                if state.text(action, seat).startswith("supply:"):
                    supplies = int(state.fields["supplies"][action - SUPPLY_ARMY])
                    text = one.reason(state.view(seat), seat, action, "en")
                    assert text.startswith("Without supplies") == (supplies < PLENTY)
                    said.add(text)
    assert len(said) == 2


def test_it_says_what_an_action_takes() -> None:
    state = position("moving", "r5:6r,r10:4b,r12:4r,b13:8b,p16:2r", "rolled=yes dice=3-2 moves=1")
    view = state.view(0)
    one = adviser(state.game.kind)
    assert one.reason(view, 0, state.parse("r12-r11", 0), "en") == (
        "Two units or more that go there surround the pile on r10."
    )
    ready = position("ready", "r10:1b,r11:3r,b13:8b,p16:2r")
    text = one.reason(ready.view(0), 0, ready.parse("r11xr10", 0), "en")
    assert text == "With a six the pile on r10 is lost: it has nowhere to retreat."


@pytest.mark.parametrize(
    ("units", "action", "told"),
    [
        ("r5:6r,r7:2r,b6:2b,b13:8b", "r7-r8", "It comes nearer to the pile on b6"),
        ("r2:2r,r3:2b,r11:6r,b13:8b", "r2-p4", "It leaves your piles"),
        ("r2:2r,r4:4b,r11:6r,b13:8b", "r2-r3", "It closes a side of the pile on r4: then 1 of 3"),
        ("r3:2b,r6:4r,r11:4r,b13:8b", "r6-r2", "It closes a side of the pile on r3: then 1 of 3"),
        ("r5:6r,r6:2r,b13:8b", "r5-r6", "It joins the pile on r6"),
    ],
)
def test_hints_differ_in_what_they_say(units: str, action: str, told: str) -> None:
    state = position("moving", units, "rolled=yes dice=3-2 moves=1")
    one = adviser(state.game.kind)
    assert one.reason(state.view(0), 0, state.parse(action, 0), "en").startswith(told)


def test_it_promises_to_drive_out_nothing_that_lies_in_a_whirlpool() -> None:
    state = field("r11:4r r6:3o o16:4o", level=4, whirlpools="r6 b13 g13", army="r")
    play(state, "roll 3-1")
    text = adviser(state.game.kind).reason(state.view(0), 0, state.parse("r11-r5", 0), "en")
    assert "drive out" not in text


def test_few_hints_say_only_that_piles_lie_well() -> None:
    one, said = adviser(tianxia.game("binfa").kind), list[str]()
    for state in random_game(400, 5):
        for seat in state.acting:
            for action in state.legal_actions(seat):
                if state.text(action, seat).count("-") == 1:  # a displacement
                    said.append(one.reason(state.view(seat), seat, action, "en"))
    vague = [text for text in said if text.startswith("It leaves your piles")]
    assert len(said) > 100
    assert len(vague) < 0.4 * len(said)


def test_every_action_is_weighed_where_rolls_lead_into_whirlpools() -> None:
    """What is legal now is not overwritten by what is listed on the way."""
    state = tianxia.position(
        "binfa * ready 0 125/122 turns=18 map=o7,o11,y2,y7,g1,g4,b11,b14,p15/r14,g11,p14"
        " armies=oy units=r4:2o,o3:3o,o4:1o,o8:3o,y5:3o,y6:1y,y10:2y,y11:2y,y12:4y,y15:3y"
        " pawns=o:g3,y:p5 supplies=o9y8 army=o rolled=yes"
    )
    bench = make_bench(PAID)
    bench.found[:] = np.nan
    count = weigh(state.view(0).record, 0, 3, 0, 2, bench)
    assert count == 4
    assert np.isfinite(bench.found[:count]).all()


@pytest.mark.parametrize(("near", "far"), [("o2", "y4"), ("y7", "r2")])
def test_who_moves_keeps_what_his_pawn_may_bring(near: str, far: str) -> None:
    """It counts by the place of his own pawn, whatever colours there are besides."""
    worth = {}
    for pawn in (near, far):
        state = tianxia.position(WAITING.format(pawn=pawn))
        values = Warlord(state.game, 1, 3, skill=QUICK).values(state.view(1))
        worth[pawn] = {state.text(action, 1): value for action, value in values.items()}
    assert hoped(near) != hoped(far)
    assert worth[near]["move:g"] - worth[far]["move:g"] == pytest.approx(hoped(near) - hoped(far))


def hoped(pawn: str) -> float:
    record = tianxia.position(WAITING.format(pawn=pawn)).record
    return float(worth_of_hope(make_bench(PAID), record[0], 1))
