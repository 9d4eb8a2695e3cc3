"""Hints: for whom, about what, and from nothing but the asker's own view."""

from __future__ import annotations

import time
from typing import Any

import pytest

from tests.tables.helpers import (
    BARRAGE,
    OTHER_SETUP,
    PEOPLE,
    SETUP,
    against_bot,
    do,
    ready,
    wait_for,
)
from tianxia.bots import advice
from tianxia.bots.advice import MOST_HINTS, Hint
from tianxia.tables import (
    Adviser,
    Asking,
    NotNow,
    NotYourSeat,
    SeatPlan,
    Snapshot,
    Stale,
    Tables,
    Thinker,
    advising,
    work,
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search a little only: what is found matters less than for whom."""
    monkeypatch.setattr(advice, "ITERATIONS", 40)


def begun(tables: Tables, theirs: list[str]) -> Snapshot:
    """Return a table of ann against a bot with this army; it is ann's turn."""
    table_id = against_bot(tables)
    do(tables, table_id, 0, *SETUP)
    return bot_does(tables, table_id, *theirs)


def bot_does(tables: Tables, table_id: str, *tokens: str) -> Snapshot:
    snapshot = tables.snapshot(table_id)
    state, actions = snapshot.state, []
    for token in tokens:
        actions.append(state.parse(token, 1))
        state.apply(actions[-1], 1)
    return tables.act_for_bot(table_id, 1, actions, snapshot.decision(1))


def test_three_legal_actions_the_best_first(tables: Tables) -> None:
    snapshot = begun(tables, SETUP)
    asking = Asking(tables)
    asked = asking.ask(snapshot, 0)
    assert asking.answer(asked) is None
    with Thinker(tables):
        wait_for(lambda: asking.answer(asked) is not None)
    given = asking.answer(asked)
    assert given is not None
    view = snapshot.view(0)
    actions = [advised.hint.actions for advised in given.hints]
    assert len(set(actions)) == MOST_HINTS
    assert all(len(row) == 1 and row[0] in view.legal_actions(0) for row in actions)
    assert given.decision == snapshot.decision(0)
    assert asking.ask(snapshot, 0) == asked  # thought about once
    for language in ("en", "fr"):
        assert all(advised.reasons[language] for advised in given.hints)


def test_a_question_that_time_has_overtaken_is_refused(tables: Tables) -> None:
    snapshot, asking = begun(tables, SETUP), Asking(tables)
    asked = asking.ask(snapshot, 0)
    do(tables, snapshot.id, 0, "e4-e5")
    with Thinker(tables, rhythm=60):
        wait_for(lambda: getattr(tables.work.question(asked), "stage", "") == "failed")
    with pytest.raises(Stale):
        asking.answer(asked)


def test_answers_about_running_games_are_forgotten(stored: Tables) -> None:
    asking = Asking(stored)
    first, second = (begun(stored, SETUP) for _ in range(2))
    asked = asking.ask(first, 0)
    stored.clock = lambda: time.time() + 2 * work.KEPT_SECONDS
    asking.ask(second, 0)
    assert stored.work.question(asked) is None


def test_hints_do_not_depend_on_what_the_seat_cannot_see(tables: Tables) -> None:
    one, other = begun(tables, SETUP), begun(tables, OTHER_SETUP)
    assert one.state != other.state
    assert one.view(0) == other.view(0)
    assert Adviser().hints(one, 0) == Adviser().hints(other, 0)


def test_nor_on_what_others_choose_at_the_same_time(tables: Tables) -> None:
    found = []
    for theirs in (SETUP[:3], OTHER_SETUP[:5], []):
        snapshot = tables.snapshot(against_bot(tables))
        if theirs:
            snapshot = bot_does(tables, snapshot.id, *theirs)
        found.append(Adviser().hints(snapshot, 0, together=True))
    assert found[0] == found[1] == found[2]


def test_a_whole_set_up_is_proposed(tables: Tables) -> None:
    snapshot = tables.snapshot(against_bot(tables))
    hints = Adviser().hints(snapshot, 0, together=True)
    assert len({hint.actions for hint in hints}) == len(hints) > 1
    for hint in hints:
        assert hint.value is None
        state = snapshot.state
        for action in hint.actions:
            state.apply(action, 0)
        assert 0 not in state.acting


def test_none_where_other_people_play(tables: Tables) -> None:
    snapshot = tables.snapshot(ready(tables))
    with pytest.raises(NotNow, match="here others play: Bob") as refused:
        Asking(tables).ask(snapshot, 0)
    assert refused.value.code == "not-alone"
    assert "Bob" in refused.value.text("fr")
    assert not advising.may_ask(snapshot, 0)


def test_none_to_who_has_no_turn_or_no_seat(tables: Tables) -> None:
    snapshot = begun(tables, SETUP)
    assert advising.may_ask(snapshot, 0)
    with pytest.raises(NotYourSeat):
        Asking(tables).ask(snapshot, None)
    do(tables, snapshot.id, 0, "e4-e5")
    with pytest.raises(NotNow, match="not your turn"):
        Asking(tables).ask(tables.snapshot(snapshot.id), 0)
    tables.resign(snapshot.id, PEOPLE[0])
    with pytest.raises(NotNow, match="over"):
        Asking(tables).ask(tables.snapshot(snapshot.id), 0)
    plans = [SeatPlan("me"), SeatPlan("open")]
    waiting = tables.create(BARRAGE, plans, person="ann").table_id
    with pytest.raises(NotNow):
        Asking(tables).ask(tables.snapshot(waiting), 0)


def test_an_adviser_that_fails_is_stood_in_for(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any) -> list[Hint]:
        raise RuntimeError("no advice today")

    monkeypatch.setattr(advising, "weighed", fail)
    given = Adviser().hints(begun(tables, SETUP), 0)
    assert len(given) == MOST_HINTS
    assert "no advice today" in caplog.text
