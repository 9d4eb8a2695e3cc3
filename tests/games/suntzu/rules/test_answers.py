"""Answers in advance: which decisions they are about, and that they are always legal."""

from __future__ import annotations

import tianxia
from tests.games.suntzu.face.test_scene import course
from tianxia.games.suntzu.face.standing import STANDING
from tianxia.games.suntzu.rules.components import PASS
from tianxia.games.suntzu.rules.state import FINAL


def test_they_are_about_every_question_for_a_strategy_card_and_nothing_else():
    answered = {standing.name: 0 for standing in STANDING}
    for seed in range(4):
        for state, _ in course(seed, events=True):
            if len(state.acting) != 1:
                continue
            (seat,) = state.acting
            seen = state.view(tianxia.SPECTATOR)
            found = [one.name for one in STANDING if one.answer(seen, seat) is not None]
            fields = state.fields
            asked = fields["owed"] == 0 and fields["phase"] != FINAL
            asked = bool(asked and PASS in state.legal_actions(seat))
            assert len(found) == asked
            for name in found:
                answered[name] += 1
            assert all(one.answer(seen, seat) in (None, PASS) for one in STANDING)
    assert min(answered.values()) > 3


def test_there_are_none_without_strategy_cards():
    for options in ({"strategies": False}, {"deck": "beginner", "strategies": False}):
        game = tianxia.game("suntzu", **options)
        assert not any(one.offered(game.options) for one in STANDING)
    assert all(one.offered(tianxia.game("suntzu").options) for one in STANDING)
