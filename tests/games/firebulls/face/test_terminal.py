"""Fire Bulls in the terminal: what is drawn, and how actions are listed."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.firebulls.helpers import play, random_game, table
from tests.terminals import printed
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.terminal import Seen, terminal_of
from tianxia.kernel.rng import new_rng

TERMINAL = terminal_of(tianxia.game("firebulls").kind)


def drawn(state: tianxia.State, viewer: int, language: str = "en", *last: Seen) -> str:
    return printed(TERMINAL.board(state.view(viewer), last, language))


@pytest.mark.parametrize("players", [2, 5])
def test_every_legal_action_is_in_the_group_of_its_key(players: int):
    keys = set()
    for state in random_game(players, 2)[::3]:
        for seat in state.acting:
            view = state.view(seat)
            for language in LANGUAGES:
                groups = TERMINAL.groups(view, seat, language)
                listed = [action for group in groups for action in group.actions]
                assert sorted(listed) == state.legal_actions(seat)
                assert all(group.title for group in groups)
            for group in groups:
                assert {TERMINAL.key(view, action) for action in group.actions} == {group.key}
            keys |= {group.key for group in groups}
            new_turn = "draw" in {group.key for group in groups}
            assert (TERMINAL.question(view, seat, "en") == "") == new_turn
    assert {"take", "draw", "pawn"} <= keys


def test_the_board_shows_rows_pawns_and_ones_own_cards_only():
    state = table("b3w1", "y1g2", pawns="24", victory=("X1",))
    shown = drawn(state, 0)
    assert "b×3" in shown
    assert "g×2" not in shown
    assert "3 cards" in shown
    for word in ("Wb  2", "C   8", "X×1", "2  Blue", "4  Yellow", "[16]"):
        assert word in shown
    assert "lies aside" not in shown
    assert "lies aside" in drawn(table("b1", "y1", general="aside"), 1)
    assert all(len(line) <= 80 for line in shown.splitlines())


def test_the_last_attack_is_marked():
    state = table("b3w1", "y1", pawns="24")
    action = state.parse("2:b", 0)
    assert drawn(state, 1).count("›") == 1
    play(state, "2:b")
    assert drawn(state, 1, "en", Seen(0, action, "2:b")).count("›") == 3


def test_hidden_cards_change_nothing():
    rng = new_rng(3)
    for state in random_game(3, 6)[::9]:
        if not state.over:
            view = state.view(1)
            assert drawn(view.sample(rng), 1) == drawn(state, 1)
