"""Sun Tzu in a terminal: what is drawn, what is asked, and that nothing hidden is written."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.suntzu.face.test_scene import course
from tests.terminals import printed
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.terminal import Seen, terminal_of
from tianxia.games.suntzu.face.terminal import TERMINAL
from tianxia.games.suntzu.rules.components import TURN
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng

VIEWERS = (0, 1, tianxia.SPECTATOR)


def written(
    view: tianxia.State, last: tuple[Seen, ...] = (), language: str = "en", width: int = 80
) -> str:
    return printed(TERMINAL.board(view, last, language), width)


def test_the_game_has_its_own_terminal():
    assert terminal_of(tianxia.game("suntzu").kind) is TERMINAL


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nothing_hidden_is_written(viewer: int):
    rng = new_rng(3)
    for number, (state, _) in enumerate(course(2)):
        if number % 12 == 0 and not state.over:
            view = state.view(viewer)
            assert written(view.sample(rng).view(viewer)) == written(view)


def test_each_side_has_its_brackets():
    for state, _ in course(5):
        if state.fields["phase"] == LAYING and state.fields["turn"] == 3:
            break
    text = written(state.view(0))
    for province, name in enumerate(("Qin", "Chu", "Jin-Yan", "Han-Qi", "Wu")):
        line = next(line for line in text.splitlines() if line.startswith(f"  {name}"))
        blue, red = (int(state.fields["board"][seat][province]) for seat in range(2))
        if blue or red:
            assert (f"({blue:>2})" if blue else f"[{red:>2}]") in line
    assert "(Sun Tzu)" in text
    assert "[King of Chu]" in text


def test_the_province_turned_up_last_is_marked():
    text = written(tianxia.game("suntzu").new(), (Seen(CHANCE, TURN + 4, "turn=Wu"),))
    assert "› Wu" in text
    assert text.count("›") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_position_is_written_and_asked_about(language: str):
    for number, (state, _) in enumerate(course(8, events=True)):
        if number % 6 and not state.over:
            continue
        for viewer in VIEWERS:
            text = written(state if state.over else state.view(viewer), (), language)
            assert max(map(len, text.splitlines())) <= 80
        for seat in state.acting:
            view = state.view(seat)
            groups = TERMINAL.groups(view, seat, language)
            assert sorted(a for group in groups for a in group.actions) == view.legal_actions(seat)
            for group in groups:
                assert all(TERMINAL.key(view, action) == group.key for action in group.actions)
            laid = view.fields["laid"][seat]
            if view.fields["phase"] == LAYING:
                free = TERMINAL.question(view, seat, language).split()
                assert len(free) == (laid == 0).sum()
    assert TERMINAL.signs(language)
