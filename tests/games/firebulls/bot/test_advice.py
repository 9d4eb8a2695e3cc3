"""Advice at a table: what is weighed, and a sentence for every action."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.firebulls.helpers import begin, play, random_game, table
from tianxia import CHANCE
from tianxia.bots import adviser, make
from tianxia.draw.languages import LANGUAGES
from tianxia.games.firebulls.bot.chief import Chief, Skill
from tianxia.kernel.errors import ViewError


def weighed(state: tianxia.State) -> list:
    seat = state.acting[0]
    bot = Chief(state.game, seat, 1, Skill(trials=60, turns=0))
    return list(adviser(state.game.kind).weigh(bot, state.view(seat)))


@pytest.mark.parametrize("players", [2, 4])
def test_three_actions_are_weighed_or_all(players: int) -> None:
    for state in random_game(players, 3, 200)[::9]:
        if state.acting:
            found = weighed(state)
            actions = [one.action for one in found]
            legal = state.legal_actions(state.acting[0])
            assert len(actions) >= min(3, len(legal))
            assert set(actions) <= set(legal)
            assert len(set(actions)) == len(actions)
            assert all(-1 <= one.value <= 1 for one in found)
            assert sorted(found, key=lambda one: -one.value) == found


def test_other_bots_are_not_asked() -> None:
    state = begin(2, 1)
    seat = state.acting[0]
    found = adviser(state.game.kind).weigh(make("drover", state.game, seat, 1), state.view(seat))
    assert len(found) >= 3


def test_advice_is_given_from_a_view() -> None:
    state = begin(2, 1)
    with pytest.raises(ViewError, match="from a seat's view"):
        adviser(state.game.kind).weigh(make("drover", state.game, 0, 1), state)


def test_every_action_has_a_reason_in_every_language() -> None:
    for seed, players in ((1, 2), (2, 3), (3, 5)):
        for state in random_game(players, seed, 400):
            if not state.acting:
                continue
            seat = state.acting[0]
            for action in state.legal_actions(seat)[::5]:
                texts = {
                    language: adviser(state.game.kind).reason(
                        state.view(seat), seat, action, language
                    )
                    for language in LANGUAGES
                }
                assert len(set(texts.values())) == len(LANGUAGES)
                assert not any("{" in text or not text.endswith(".") for text in texts.values())


def reason(state: tianxia.State, token: str, language: str = "en") -> str:
    seat = state.acting[0]
    action = state.parse(token, seat)
    return adviser(state.game.kind).reason(state.view(seat), seat, action, language)


def test_reasons_name_what_counts() -> None:
    state = table("b2y1", "-", rows="Sb,X,X/Sy,X,X/X,X,X", pawns="34", reserve="b1y1r1")
    assert "Xi" in reason(state, "take:b")
    assert "colour" in reason(state, "take:r")
    assert "Soldier" in reason(state, "3:y")
    assert "Soldat" in reason(state, "3:y", "fr")


def test_a_fee_is_told_where_a_warrior_costs_one() -> None:
    rows = "Sb,X,X/X,X,X/X,X,X"
    assert "Warrior" in reason(table("w1", "-", rows=rows, victory=("C1", "-")), "2:w")
    assert "costs" not in reason(table("w1", "-", rows=rows), "2:w")


def test_an_attack_that_opens_the_way_says_so() -> None:
    state = table("b2y1", "-", rows="Sb,Sy,X/X,X,X/X,X,X", pawns="24")
    assert "opens the way" in reason(state, "2:b")
    assert "opens the way" not in reason(table("b2", "-", rows="Sb,Sy,X/X,X,X/X,X,X"), "2:b")


def test_stopping_is_explained() -> None:
    state = play(table("b1", "-", rows="Sb,C,X/X,X,X/X,X,X", pawns="24"), "2:b")
    assert "Colonel" in reason(state, "stop")


def test_what_ends_the_game_is_told() -> None:
    last = table("b1y1", "b7y1", victory=("B2", "-"), general="aside", deck="n1", exhausted=2)
    assert reason(last, "draw") == "The game ends with this turn."
    assert reason(last, "take:b", "fr") == "La partie finit avec ce tour."
    more = table("b1y1", "b7y1", victory=("B2", "-"), general="aside", deck="n4", exhausted=2)
    assert "ends" not in reason(more, "draw")
    rows = "Sr,Sr,Sr/X,X,X/X,X,X"
    pile = table("r1", "-", rows=rows, pawns="31", unseen="F5", piles=(1, 0, 4), general="won")
    assert reason(pile, "2:r") == "The game ends with this turn."
    assert "ends" not in reason(pile, "draw")


def test_no_card_is_called_payable_that_is_not() -> None:
    state = play(table("b1", "-", rows="Sb,Sy,X/X,X,X/X,X,X", pawns="24"), "2:b")
    assert reason(state, "stop").startswith("You cannot pay for")


def test_a_warrior_costs_nothing_where_only_this_turn_has_won() -> None:
    state = play(table("b1w1", "-", rows="Sb,Sy,X/X,X,X/X,X,X", pawns="24"), "2:b")
    assert "costs" not in reason(state, "2:w")


def test_a_step_is_told_by_what_lies_there() -> None:
    # Nothing is left of the piles but one card; the middle row has two.
    rows = "Sb,X,X/Sy,X,-/Wr,X,X"
    state = table("b1", "-", rows=rows, pawns="35", unseen="F2", piles=(2, 0, 0), general="aside")
    play(state, "draw")
    state.apply(state.chance_weights()[0][0], CHANCE)
    assert "two cards" in reason(state, "stay")
    assert "three cards" in reason(state, "left")


def test_drawing_is_not_praised_for_cards_that_would_win() -> None:
    rows = "X,X,X/Sb,X,X/X,X,X"
    assert "lets you win" not in reason(table("y1", "-", rows=rows, reserve="b1n1g1"), "draw")
    assert "lets you win" in reason(table("y1", "-", rows=rows, reserve="n1r1g1"), "draw")


def test_a_fee_is_called_the_least_only_where_it_is() -> None:
    state = table("w1", "-", rows="Sb,X,X/X,X,X/X,X,X", victory=("C1F1", "-"), pawns="24")
    play(state, "2:w", "stop")
    assert "none is worth less" in reason(state, "fee:F")
    assert "8" in reason(state, "fee:C")


def test_a_worthless_card_is_not_praised_for_its_points() -> None:
    rows = "F,F,X/X,X,X/X,X,X"
    state = table("b2", "-", rows=rows, pawns="24")
    assert "opens the way" in reason(state, "2:b")
    assert "draw an attack card" in reason(play(state, "2:b"), "2:b")
    assert "out of the way" in reason(table("b1", "-", rows=rows, pawns="24"), "2:b")
