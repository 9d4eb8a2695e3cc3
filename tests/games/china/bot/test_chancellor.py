"""The Chancellor: what it finds in small positions, what it may not know, its levels."""

from __future__ import annotations

from typing import Any

import pytest

import tianxia
from tests.games.china.helpers import PROVINCES, table
from tests.games.china.helpers import play as played
from tianxia.bots import make, play
from tianxia.games.china.bot.chancellor import Chancellor, Skill, weigh
from tianxia.games.china.bot.habit import habit, net_gain, survey
from tianxia.games.china.bot.levels import SKILLS
from tianxia.games.china.bot.plans import outlook
from tianxia.games.china.bot.worth import (
    HALF,
    OF_CARD,
    appraise,
    is_held,
    make_desk,
    read_board,
    risk_of_influence,
    whole_weight,
)
from tianxia.games.china.rules.components import COLOURS, SWAP
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng
from tianxia.search.levels import LEVELS

QUICK = Skill(trials=300)


def chosen(state: tianxia.State, skill: Skill = QUICK, seed: int = 3) -> str:
    seat = state.acting[0]
    bot = Chancellor(state.game, seat, seed, skill)
    return state.text(bot.choose(state.view(seat)), seat)


# --- What it finds ---


def last_turn(card: str, palaces: dict[int, str], **position: Any) -> tianxia.State:
    """Return the last turn of a game: seat 2 has one card, and nothing can be drawn."""
    return table(
        *("v1", "v1", card),
        palaces=palaces,
        exhausted=2,
        active=2,
        deck="-",
        display="-",
        **position,
    )


def test_it_takes_a_majority_with_the_last_card() -> None:
    state = last_turn("y1", {0: "Q1 Q2 U1", 1: "L1 L2 U2", 2: "Q3 Q4 S1"})
    assert chosen(state) == "palace:Q5:y"


def test_it_closes_a_road_with_the_last_card() -> None:
    palaces = {0: "U1 U2 S1", 1: "L1 L2 Q1", 2: "W1 W2 W3"}
    state = last_turn("r1", palaces)
    assert chosen(state) == "palace:W4:r"


def test_it_wins_an_alliance_with_the_last_card() -> None:
    palaces = {0: "Q1 Q2 Q3 L1", 1: "L2 L3 L4 Q4", 2: "U1 Q5"}
    emissaries = {"Qi": "022", "Lu": "01"}
    state = last_turn("o1", palaces, emissaries=emissaries)
    assert chosen(state) == "emissary:Lu:o"


def test_it_pays_with_the_single_card_and_keeps_a_pair() -> None:
    # Only Chu's last space is worth anything; a violet card is enough for it.
    palaces = {0: "U1 U2 U3 W1", 1: "U4 U5 U6 Z1", 2: "U7 S1"}
    state = table("v1r2", "y1o1g1", "y1o1g1", palaces=palaces, display="v1y1o1g1")
    seat = state.acting[0]
    found = weigh(state.view(seat), seat, 1, QUICK)
    assert not state.text(found[0].first, seat).startswith("palace:U8:r")


def test_it_builds_on_a_fortification_before_others_do() -> None:
    state = table(
        *("y2r1", "v3", "y3"),
        palaces={0: "Q1 Q2", 1: "Q5", 2: "S1"},
        forts="Q3",
        left="011",
        fortifications=True,
    )
    assert chosen(state).startswith("palace:Q3:")


def test_it_keeps_the_colour_that_brings_influence() -> None:
    palaces = {0: "W1 U1", 1: "U2", 2: "U3 U4 U5 U6"}
    state = table("v2r1", "v1", palaces=palaces, kept=("-", "r1"), influence="r1")
    played(state, "palace:W2:r", "palace:W3:vv")
    assert chosen(state) == "keep:v"


def test_a_whole_alliance_is_never_worth_less_than_the_hope_of_one() -> None:
    for players in (2, 3, 4, 5):
        state = tianxia.game("china", players=players).new()
        record, desk = state.record[0], make_desk()[0]
        read_board(record, desk)
        assert whole_weight(record, desk, 0, 0, 1) >= desk.now[HALF] > 0


def test_an_alliance_that_nobody_can_win_back_counts_in_full() -> None:
    palaces = {0: "Q1 Q2 Q3 L1", 1: "L2 L3 L4 Q4", 2: "U1 Q5"}
    qi, lu = PROVINCES.index("Qi"), PROVINCES.index("Lu")
    desk = make_desk()[0]
    for emissaries, held in ({"Qi": "111", "Lu": "111"}, True), ({"Qi": "1", "Lu": "111"}, False):
        record = last_turn("o1", palaces, emissaries=emissaries).record[0]
        read_board(record, desk)
        assert (is_held(record, desk, 1, qi) and is_held(record, desk, 1, lu)) == held
        assert (whole_weight(record, desk, 1, qi, lu) == 1) == held


TWO_EACH = {0: "Q1 Q2", 1: "Q3 Q4", 2: "Q5"}
THREE_AND_ONE = {0: "Q1 Q2 Q3", 1: "Q4", 2: "Q5"}


@pytest.mark.parametrize(
    ("palaces", "emissaries", "elsewhere", "held"),
    [
        (TWO_EACH, "01", (0, 0), True),  # level, and no room is left
        (THREE_AND_ONE, "1", (0, 0), False),  # room for two of another
        (THREE_AND_ONE, "1", (7, 0), False),  # who has one left draws level, the third gets past
        (THREE_AND_ONE, "1", (7, 8), True),
    ],
)
def test_who_is_drawn_level_with_loses_nothing(
    palaces: dict[int, str], emissaries: str, elsewhere: tuple[int, int], held: bool
) -> None:
    record = last_turn("o1", palaces, emissaries={"Qi": emissaries}).record[0]
    for seat, count in zip((0, 2), elsewhere, strict=True):
        record["emissaries"][seat, PROVINCES.index("Wei")] = count
    desk = make_desk()[0]
    read_board(record, desk)
    assert is_held(record, desk, 1, PROVINCES.index("Qi")) == held


def emperors_court(kept: tuple[str, str], spaces: str = "W1 W2") -> tianxia.State:
    """Return a game of two in which seat 0 has the influence of Wei, where the Emperor builds."""
    return table("v1", "v1", palaces={2: spaces, 0: "W7"}, kept=kept, influence="r0")


def risk(state: tianxia.State) -> float:
    record, desk = state.record[0], make_desk()[0]
    read_board(record, desk)
    return float(risk_of_influence(record, desk, PROVINCES.index("Wei")))


def test_influence_is_the_safer_the_more_cards_are_kept_and_the_sooner_it_scores() -> None:
    even, one, more = (
        risk(emperors_court(kept)) for kept in (("r1", "r1"), ("r1", "-"), ("r2", "-"))
    )
    assert 0.5 > even > one > more >= 0
    assert risk(emperors_court(("r1", "-"), "W1 W2 W3 W4 W5")) < one


def test_influence_that_can_be_taken_counts_in_part_for_the_other() -> None:
    def lead(kept: tuple[str, str]) -> float:
        record, desk = emperors_court(kept).record[0], make_desk()[0]
        read_board(record, desk)
        appraise(record, desk, desk.worths)
        return float(desk.worths[0] - desk.worths[1])

    assert lead(("r2", "-")) > lead(("r1", "-")) > lead(("r1", "r1"))


def test_a_special_card_is_worth_something_as_long_as_cards_are_to_come() -> None:
    state, desk = table("v1", "v1"), make_desk()[0]

    def lead(special: list[int], exhausted: int) -> float:
        record = state.record[0]
        record["special"][:], record["exhausted"] = special, exhausted
        read_board(record, desk)
        appraise(record, desk, desk.worths)
        return float(desk.worths[0] - desk.worths[1])

    assert lead([7, 7], 0) == lead([0, 0], 0) == lead([4, 1], 0)
    assert lead([7, 7], 0) > lead([6, 7], 0) > lead([4, 7], 0)
    assert lead([7, 7], 2) == lead([0, 7], 2)


TAKES_IT, DOES_NOT = "palace:V1:r", "palace:H1:g"


@pytest.mark.parametrize(
    ("kept", "holder", "does"),
    [
        (("-", "r1"), "r1", TAKES_IT),  # as many as the other will do
        (("r1", "r2"), "r1", TAKES_IT),
        (("-", "r2"), "r1", DOES_NOT),  # one is not enough
        (("r1", "r1"), "r0", DOES_NOT),  # it is his
        (("-", "-"), "-", TAKES_IT),
    ],
)
def test_a_card_that_takes_influence_brings_the_emperors_palaces(
    kept: tuple[str, str], holder: str, does: str
) -> None:
    """The card of Wei's colour takes what the Emperor has there, wherever it is played."""
    palaces = {2: "W1 W2 W3", 1: "W7", 0: "Q1"}
    state = table("r1g1", "v1", palaces=palaces, kept=kept, influence=holder)
    desk = make_desk()[0]
    assert state.text(habit(state.record[0], desk, 0), 0) == does
    survey(state.record[0], desk, 0, 0)
    assert (desk.swings > 0).any() == (does == TAKES_IT)


def test_without_influence_cards_no_card_takes_influence() -> None:
    state, desk = table("r1g1", "v1", palaces={2: "W1 W2 W3", 1: "W7"}, light=True), make_desk()[0]
    survey(state.record[0], desk, 0, 0)
    assert not desk.swings.any()


def test_a_pair_that_pays_for_another_colour_takes_influence_too() -> None:
    """The others of the hand are worth nothing here; without the pair, nor is the plan."""
    han, desk = PROVINCES.index("Han"), make_desk()[0]
    for hand, gain in (("r2", True), ("y2", False)):
        palaces = {2: "W1 W2 W3", 1: "W7"}
        record = table(hand, "v1", palaces=palaces, kept=("-", "r1"), influence="r1").record[0]
        survey(record, desk, 0, 0)
        plain = desk.gains[han, 1] - 2 * desk.now[OF_CARD]
        assert (net_gain(record, desk, record["hands"][0], han, 1) > plain) == gain


def test_a_trial_is_read_at_the_ends_of_a_whole_round() -> None:
    state = table("r2o1", "g2y1", palaces={0: "W1 U1", 1: "Q1 Q2", 2: "L1"})

    def read(turns: int, reads: int) -> float:
        pool = state.record.copy()
        rng = new_rng(7)
        return float(outlook(pool[0], make_desk()[0], 0, turns, reads, rng))

    assert read(3, 2) == pytest.approx((read(2, 1) + read(3, 1)) / 2)
    assert read(2, 1) != read(3, 1)


def test_it_gives_no_card_for_its_like() -> None:
    state = play(tianxia.game("china", players=2), ["novice", "novice"], 3, 30)
    while not (state.acting and any(a >= SWAP for a in state.legal_actions())):
        seat = min(state.acting, default=CHANCE)
        actions = (
            [a for a, _ in state.chance_weights()] if seat == CHANCE else state.legal_actions()
        )
        state.apply(actions[0], seat)
    (seat,) = state.acting
    swaps = [
        divmod(plan.first - SWAP, COLOURS)
        for plan in weigh(state.view(seat), seat, 1, QUICK)
        if plan.first >= SWAP
    ]
    assert swaps
    assert all(given != taken for given, taken in swaps)


@pytest.mark.parametrize("players", [2, 4])
def test_no_plan_is_looked_at_twice(players: int) -> None:
    """Whatever the order of two pieces, and whichever of two payments pays for which."""
    for seed in range(3):
        state = play(tianxia.game("china", players=players), ["random"] * players, seed, 20)
        while not state.acting:
            state.apply(state.chance_weights()[0][0], CHANCE)
        (seat,) = state.acting
        found = set()
        pairs = [
            (plan.first, plan.second)
            for plan in weigh(state.view(seat), seat, 1, Skill(trials=1, plans=3000))
            if plan.second >= 0
        ]
        for first, second in pairs:
            after = state.clone()
            after.apply(first, seat)
            after.apply(second, seat)
            fields = after.fields
            names = ("palaces", "emissaries", "hands")
            found.add(b"".join(fields[name].tobytes() for name in names))
        assert len(found) == len(pairs)


def test_a_clear_plan_is_weighed_as_better() -> None:
    palaces = {0: "U1 U2 S1", 1: "L1 L2 Q1", 2: "W1 W2 W3"}
    state = last_turn("r1", palaces)
    found = weigh(state.view(2), 2, 1, QUICK)
    assert state.text(found[0].first, 2) == "palace:W4:r"
    assert found[0].chance > 0.9
    assert min(plan.chance for plan in found) < 0.1


# --- What it may not know, and that it is the same again ---


def test_it_does_not_see_other_hands_or_the_deck() -> None:
    palaces = {0: "Z1 Z2 U1", 1: "Q2 L1", 2: "S1 S2"}
    one = table("o1g1r1", "v3", "y3", palaces=palaces)
    other = one.view(0).sample(new_rng(1))
    assert one.notation() != other.notation()
    assert weigh(one.view(0), 0, 5, QUICK) == weigh(other.view(0), 0, 5, QUICK)


def test_the_same_history_gives_the_same_choice() -> None:
    state = table("o1g1r1", "v3", "y3", palaces={0: "Z1 Z2", 1: "Q2", 2: "S1"})
    view = state.view(0)
    bot = Chancellor(state.game, 0, 9, QUICK)
    again = Chancellor(state.game, 0, 9, QUICK)
    assert bot.choose(view) == bot.choose(view) == again.choose(view)
    assert bot.decided == 0


def test_a_deadline_that_is_over_still_gives_an_answer() -> None:
    state = table("o1g1r1", "v3", "y3", palaces={0: "Z1 Z2", 1: "Q2", 2: "S1"})
    action = Chancellor(state.game, 0, 9).choose(state.view(0), deadline=0.0)
    assert action in state.legal_actions(0)


def test_it_spends_no_more_than_his_trials() -> None:
    state = table("o1g1r1", "v3", "y3", palaces={0: "Z1 Z2", 1: "Q2", 2: "S1"})
    for trials in (200, 800):
        found = weigh(state.view(0), 0, 1, Skill(trials=trials))
        assert sum(plan.trials for plan in found) <= trials


def test_plans_meet_the_same_worlds() -> None:
    # A palace on either of two spaces that nothing tells apart is worth exactly the same.
    palaces = {0: "Q1", 1: "U1", 2: "S1"}
    state = table("r3", "v3", "y3", palaces=palaces)
    found = weigh(state.view(0), 0, 1, Skill(trials=100, plans=60))
    chances = {(plan.first, plan.second): plan.chance for plan in found if plan.trials == 1}
    assert len(set(chances.values())) < len(chances)


# --- All kinds of games ---


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "tiles": True, "fortifications": True},
        {"players": 2, "light": True},
        {"players": 2, "keep": "all"},
        {"players": 3, "board": "border", "tiles": True},
        {"players": 5, "fortifications": True, "tiles": True},
    ],
)
def test_every_level_plays_every_kind_of_game(options: dict[str, Any]) -> None:
    game = tianxia.game("china", **options)
    names = ["apprentice", "journeyman", "novice", "expert", "apprentice"][: game.seats]
    assert play(game, names, 1).over


def test_the_levels_have_the_names_of_every_game() -> None:
    assert list(SKILLS) == list(LEVELS)
    game = tianxia.game("china")
    assert all(isinstance(make(level, game, 0, 1), Chancellor) for level in LEVELS)
