"""Playing on from a position of a finished game: against bots, from its own actions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, DUEL, do, people, play_out, ready, tokens
from tianxia.kernel.errors import TranscriptError
from tianxia.kernel.registry import position
from tianxia.ratings.played import Played
from tianxia.tables import NotNow, Refused, SeatPlan, Tables
from tianxia.tables.sources import read
from tianxia.tables.verify import verify

FIRE = "firebulls(players=2)"


def finished(tables: Tables, spec: str = DUEL, seed: int = 1) -> str:
    """Return a finished game of ann and bob."""
    table_id = people(tables, spec)
    play_out(tables, table_id, seed)
    return table_id


def on(tables: Tables, table_id: str, ply: int, seat: int = 0, **more: Any) -> str:
    """Let cat play on from a position; return the new table."""
    return tables.play_on(table_id, ply, seat, "random", person="cat", seed="c", **more).table_id


def turn_at(tables: Tables, table_id: str, ply: int) -> int:
    """Return who had to act at a position."""
    found = position(tables.snapshot(table_id).plies_notations[ply]).acting
    return found[0] if found else 0


def end(tables: Tables, table_id: str) -> str:
    """Let cat act once where it is her turn, and end the game; return its transcript."""
    snapshot, seat = tables.snapshot(table_id), tables.seat_of(table_id, "cat")
    assert seat is not None
    if seat in snapshot.acting:
        action = snapshot.view(seat).legal_actions(seat)[0]
        tables.act(table_id, "cat", [action], snapshot.decision(seat))
    if not tables.snapshot(table_id).open_to_all:
        tables.resign(table_id, "cat")
    return tables.transcript(table_id)


def test_it_begins_where_the_other_game_stood(stored: Tables) -> None:
    old = finished(stored)
    positions = stored.snapshot(old).plies_notations
    for ply in (0, 1, len(positions) // 2):  # near its end chance may end it by itself
        new = stored.snapshot(on(stored, old, ply))
        assert tokens(stored, new.id)[:ply] == tokens(stored, old)[:ply]
        walked = [state.notation() for _, state in new.walk()][1:]
        assert [*walked, new.state.notation()][: ply + 1] == list(positions[: ply + 1])
        assert (new.status, new.public, new.rated) == ("playing", False, False)
        assert [one.kind for one in new.seats] == ["person", "bot"]


def test_whose_seat_it_is_and_nothing_goes_back_before_it(stored: Tables) -> None:
    old = ready(stored)
    do(stored, old, 0, "e4-e6")
    do(stored, old, 1, "f7-f5")
    stored.resign(old, "ann")
    last = len(stored.snapshot(old).plies_notations) - 1
    new = stored.snapshot(on(stored, old, last))
    assert (stored.seat_of(new.id, "cat"), stored.seat_of(new.id, "ann")) == (0, None)
    assert new.acting == (0,)
    assert not new.may_take_back(0)
    with pytest.raises(NotNow):
        stored.take_back(new.id, "cat")
    action = new.view(0).legal_actions(0)[0]
    played = stored.act(new.id, "cat", [action], new.decision(0))
    assert len([*played.state.history()]) == last + 1
    assert stored.take_back(new.id, "cat").state.notation() == new.state.notation()


def test_what_is_hidden_stays_hidden_from_spectators(stored: Tables) -> None:
    old = ready(stored)
    stored.resign(old, "ann")
    new = stored.snapshot(on(stored, old, len(stored.snapshot(old).plies_notations) - 1))
    assert new.view(1).notation() == stored.snapshot(old).state.view(1).notation()
    assert all(line.action is None for line in new.entries_seen(-1) if line.kind == "act")


def test_another_process_reads_it_the_same(opened: Opener, url: str) -> None:
    tables = opened(url)
    old = finished(tables)
    new = on(tables, old, 3)
    again = opened(url)
    assert again.snapshot(new).state.notation() == tables.snapshot(new).state.notation()
    assert again.snapshot(new).sources == tables.snapshot(new).sources
    assert again.live(new).game_log.course == tables.live(new).game_log.course
    assert len(again.live(new).game_log.course) == 3


def test_its_transcript_says_where_it_comes_from_and_all_draws_are_checked(stored: Tables) -> None:
    old = finished(stored, FIRE)
    middle = len(stored.snapshot(old).plies_notations) // 2
    new = on(stored, old, middle, turn_at(stored, old, middle))
    report = verify(end(stored, new))
    assert report.ok, report.problems
    assert [(one.table, one.actions) for one in report.sources] == [(old, middle)]
    assert (report.table, report.unchecked) == (new, 0)
    assert report.draws > 5
    # From there once more, within what it took from the first game, and behind that.
    inside = verify(end(stored, on(stored, new, 5)))
    assert (inside.ok, [(one.table, one.actions) for one in inside.sources]) == (True, [(old, 5)])
    behind = on(stored, new, middle + 1)
    later = verify(end(stored, behind))
    assert later.ok
    assert [(one.table, one.actions) for one in later.sources] == [(old, middle), (new, middle + 1)]


def test_whoever_changes_a_draw_or_a_secret_of_before_is_found_out(stored: Tables) -> None:
    old = finished(stored, FIRE)
    text = end(stored, on(stored, old, len(stored.snapshot(old).plies_notations) // 2))
    line = next(one for one in text.splitlines() if one.startswith("chance-before"))
    listed = json.loads(line.removeprefix("chance-before: "))
    for wrong in ({"secret": "00" * 32}, {"seeds": ["x", "y"]}):
        forged = text.replace(line, f"chance-before: {json.dumps([listed[0] | wrong])}")
        assert not verify(forged).ok
    assert not verify(text.replace(line, "")).ok
    for nonsense in ("{}", "[1]", '[{"table": 1}]', json.dumps([listed[0] | {"secret": "zz"}])):
        with pytest.raises(TranscriptError, match="chance-before"):
            verify(text.replace(line, f"chance-before: {nonsense}"))
    with pytest.raises(TranscriptError, match="more actions"):
        verify(text.replace(line, f"chance-before: {json.dumps([listed[0] | {'actions': 9999}])}"))


def test_what_is_refused(stored: Tables) -> None:
    old = people(stored, DUEL)
    with pytest.raises(NotNow, match="not over"):
        on(stored, old, 0)
    last = len(play_out(stored, old, 1).plies_notations) - 1
    with pytest.raises(NotNow, match="earlier position"):
        on(stored, old, last)
    for ply, seat in ((-1, 0), (last + 1, 0), (1, 2), (1, -1)):
        with pytest.raises(Refused):
            on(stored, old, ply, seat)
    with pytest.raises(Refused, match="No bot"):
        stored.play_on(old, 1, 0, "nobody", person="cat")


def test_it_counts_for_nothing(stored: Tables) -> None:
    old = finished(stored)
    stored.resign(new := on(stored, old, 1), "cat")
    played = Played(stored)
    assert played.settle() == 2
    assert played.games() == []
    with stored.store.glancing() as connection:
        query = "SELECT DISTINCT result FROM played WHERE table_id = '%s'"
        found = connection.exec_driver_sql(query % new).scalars().all()
    assert list(found) == ["none"]


def test_guided_games_have_draws_that_nobody_can_check(stored: Tables) -> None:
    from tianxia.draw.guides import guide_of
    from tianxia.kernel.registry import kind

    guide = guide_of(kind("firebulls"))
    assert guide is not None
    plans = [SeatPlan("bot", "random")] * guide.game.seats
    plans[guide.seat] = SeatPlan("me")
    old = stored.create(guide.game, plans, person="ann", guided=True).table_id
    stored.resign(old, "ann")
    snapshot = stored.snapshot(old)
    ply = len(snapshot.plies_notations) - 1
    report = verify(end(stored, on(stored, old, ply, guide.seat)))
    assert report.ok
    assert (report.sources[0].secret, report.unchecked > 0) == ("", ply > 0)


def test_there_is_an_end_to_games_that_go_on_from_games(
    stored: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tianxia.tables.sources.MOST", 1)
    old = ready(stored, BARRAGE)
    stored.resign(old, "ann")
    new = on(stored, old, len(stored.snapshot(old).plies_notations) - 1)
    snapshot = stored.snapshot(new)
    action = snapshot.view(0).legal_actions(0)[0]
    stored.act(new, "cat", [action], snapshot.decision(0))
    stored.resign(new, "cat")
    with pytest.raises(Refused, match="on too many times"):
        on(stored, new, len(stored.snapshot(new).plies_notations) - 1)


def test_sources_are_read_as_they_are_written() -> None:
    assert read("") == ()
    with pytest.raises(TranscriptError):
        read(
            '[{"table": "a", "actions": 3, "seeds": []}, {"table": "b", "actions": 3, "seeds": []}]'
        )
