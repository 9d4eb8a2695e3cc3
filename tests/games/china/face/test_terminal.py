"""China in the terminal: what is drawn, and how actions are listed."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.terminals import printed
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.terminal import Seen, terminal_of

TERMINAL = terminal_of(tianxia.game("china").kind)
SPECS = ("china(players=2)", "china(players=5,fortifications=yes,tiles=yes)", "china(board=border)")


def positions(spec: str, every: int) -> list[tianxia.State]:
    """Return positions of a random game in which somebody may act."""
    state, chooser, found = tianxia.game(spec).new(), random.Random(4), []
    while not state.over:
        if state.acting:
            found.append(state.clone())
            seat = state.acting[0]
            state.apply(chooser.choice(state.legal_actions(seat)), seat)
        else:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(chooser.choices(actions, weights)[0])
    return [*found[::every], state]


def drawn(view: tianxia.State, language: str = "en", *last: Seen) -> str:
    return printed(TERMINAL.board(view, last, language), 100)


@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_action_is_in_the_group_of_its_key(spec: str):
    keys = set()
    for state in positions(spec, 3):
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
    assert {"W1", "Wei", ""} <= keys


@pytest.mark.parametrize("spec", SPECS)
def test_every_position_fits_and_shows_ones_own_cards_only(spec: str):
    for state in positions(spec, 9):
        for viewer in range(state.seats):
            lines = drawn(state.view(viewer), "fr").splitlines()
            assert len(lines) <= 24
            assert all(len(line.rstrip()) <= 100 for line in lines)
            hands = [line.partition("main")[2].split() for line in lines if "en réserve" in line]
            sizes = [int(size) for size in state.fields["hand_sizes"][: state.seats]]
            held = sorted(len([card for card in hand if card != "-"]) for hand in hands)
            assert held == sorted(sizes)
            if not state.over:
                assert all(card == "?" for hand in hands[:-1] for card in hand if card != "-")
                assert "?" not in hands[-1]


def test_owners_walls_tiles_and_the_last_piece_are_shown():
    state = positions("china(players=5,fortifications=yes,tiles=yes)", 1)[-1]
    shown = drawn(state)
    assert "▣" in shown
    assert "scored" in shown
    for owner in range(5):
        assert f" {owner} " in shown
    assert "◇" in drawn(positions("china(players=3,tiles=yes)", 1)[0].view(0))


def test_letters_only_where_the_terminal_knows_no_more():
    view = positions("china(players=5,fortifications=yes,tiles=yes)", 40)[1].view(0)
    shown = printed(TERMINAL.board(view, (), "en"), 100, legacy_windows=True)
    assert not set("▣◇·≈") & set(shown.split("display:")[0])
