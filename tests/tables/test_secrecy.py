"""What others choose in secret leaves no trace in anything made for a viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.tables.helpers import (
    BARRAGE,
    DUEL,
    OTHER_SETUP,
    SETUP,
    against_bot,
    do,
    people,
    tokens,
)
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import Snapshot, Tables, service
from tianxia.tables import people as people_names

Play = Callable[[Tables, str], object]


def told(snapshot: Snapshot, viewer: int) -> list[object]:
    """Return all that may be shown to a viewer."""
    facts: list[object] = [
        snapshot.view(viewer).to_bytes(),
        snapshot.view(viewer).notation(),
        snapshot.entries_seen(viewer),
        snapshot.seats,
        snapshot.acting,
        snapshot.status,
        snapshot.ending,
        snapshot.draw_offer,
        snapshot.take_back_ask,
        snapshot.chance_hash,
        snapshot.chance_secret,
    ]
    if viewer != SPECTATOR:
        facts += [
            snapshot.decision(viewer),
            snapshot.may_take_back(viewer),
            snapshot.may_ask_take_back(viewer),
            snapshot.may_offer_draw(viewer),
            snapshot.must_answer(viewer),
        ]
    return facts


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Snapshot]:
    """Play the same table again and again: same id, same secret, a clock that stands."""
    monkeypatch.setattr(service, "new_secret", lambda: "ab" * 32)
    monkeypatch.setattr(people_names, "new_id", lambda: "table")

    def play(spec: str, *steps: Play, transcripts: list[str] | None = None) -> Snapshot:
        with Tables(f"sqlite:///{tmp_path / str(id(steps))}", clock=lambda: 1.0) as tables:
            table_id = people(tables, spec)
            for step in steps:
                step(tables, table_id)
            if transcripts is not None:
                transcripts += [tables.transcript(table_id, v) for v in (1, SPECTATOR)]
            snapshot = tables.snapshot(table_id)
        (tmp_path / str(id(steps))).unlink()
        return snapshot

    return play


def acts(seat: int, actions: Sequence[str]) -> Play:
    return lambda tables, table_id: do(tables, table_id, seat, *actions)


def back(tables: Tables, table_id: str) -> None:
    tables.take_back(table_id, "ann")


def check(played: Callable[..., Snapshot], spec: str, courses: Sequence[Sequence[Play]]) -> None:
    """Check that others than seat 0 cannot tell these courses apart."""
    texts: list[list[str]] = [[] for _ in courses]
    snapshots = [
        played(spec, *game_log, transcripts=text)
        for game_log, text in zip(courses, texts, strict=True)
    ]
    for viewer in (1, SPECTATOR):
        first, *others = [told(snapshot, viewer) for snapshot in snapshots]
        assert all(other == first for other in others)
    assert all(text == texts[0] for text in texts)


def test_an_unfinished_set_up_cannot_be_seen(played: Callable[..., Snapshot]) -> None:
    theirs = acts(1, SETUP[:9])
    check(
        played,
        BARRAGE,
        [
            [theirs],
            [acts(0, SETUP[:3]), theirs],
            [theirs, acts(0, OTHER_SETUP[:20])],
            [acts(0, SETUP[:2]), theirs, acts(0, SETUP[2:8]), acts(0, SETUP[8:12])],
            [acts(0, SETUP[:3]), back, theirs],
            [acts(0, SETUP[:3]), theirs, acts(0, SETUP[3:5]), back, back],
        ],
    )


def test_of_a_finished_set_up_nothing_but_that_it_is_is_seen(
    played: Callable[..., Snapshot],
) -> None:
    theirs = acts(1, SETUP[:9])
    check(
        played,
        BARRAGE,
        [
            [theirs, acts(0, SETUP)],
            [theirs, acts(0, OTHER_SETUP)],
            [theirs, acts(0, SETUP[:3]), acts(0, SETUP[3:])],
            [acts(0, SETUP[:3]), back, theirs, acts(0, OTHER_SETUP)],
        ],
    )


def test_ranks_leave_no_trace_while_they_are_hidden(played: Callable[..., Snapshot]) -> None:
    moves = [acts(0, ["e4-e5"]), acts(1, ["f7-f6"]), acts(0, ["f4-f5"]), back]
    check(
        played,
        BARRAGE,
        [
            [acts(1, SETUP), acts(0, SETUP), *moves],
            [acts(1, SETUP), acts(0, OTHER_SETUP), *moves],
            [acts(0, SETUP[:7]), acts(1, SETUP), acts(0, SETUP[7:]), *moves],
        ],
    )


def test_cards_laid_face_down_cannot_be_counted(played: Callable[..., Snapshot]) -> None:
    hand: list[str] = []

    def look(tables: Tables, table_id: str) -> None:
        view = tables.snapshot(table_id).view(0)
        hand[:] = [view.text(action, 0) for action in view.legal_actions(0)]

    def lay(count: int) -> Play:
        def play(tables: Tables, table_id: str) -> None:
            look(tables, table_id)
            for _ in range(count):
                snapshot = tables.snapshot(table_id)
                first = snapshot.view(0).legal_actions(0)[0]
                tables.act(table_id, "ann", [first], snapshot.decision(0))

        return play

    check(played, DUEL, [[], [lay(1)], [lay(2)], [lay(2), back], [lay(1), back]])
    check(played, DUEL, [[lay(1), acts(0, ["done"])], [lay(2), acts(0, ["done"])]])


def test_a_viewer_sees_his_own_entries_as_they_are(tables: Tables) -> None:
    table_id = people(tables)
    do(tables, table_id, 1, *SETUP[:4])
    do(tables, table_id, 0, *SETUP)
    do(tables, table_id, 1, *SETUP[4:])
    do(tables, table_id, 0, "e4-e5")
    snapshot = tables.snapshot(table_id)
    mine = snapshot.entries_seen(1)
    assert [entry.number for entry in mine] == list(range(1, len(mine) + 1))
    own = [entry.action for entry in mine if entry.seat == 1]
    assert [snapshot.game.new().text(action or 0, 1) for action in own] == SETUP
    others = [entry for entry in mine if entry.seat == 0]
    assert [entry.action is None for entry in others] == [True, False]  # ready; a move
    assert len(snapshot.entries_seen(SPECTATOR)) == 1 + 2 + 1 + 1
    assert len(tokens(tables, table_id)) == 74


def test_an_empty_set_is_still_public() -> None:
    """Seats that others have are named by number only; no person's id is in a snapshot."""
    with Tables("sqlite://") as tables:
        snapshot = tables.snapshot(people(tables))
        assert "ann" not in repr(snapshot.seats)


def test_what_is_done_in_secret_brings_no_table_into_a_list(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of very many tables of one's own lists have some: not those that have changed last."""
    monkeypatch.setattr(service, "LISTED", 2)
    table_id = people(tables)
    for _ in range(2):
        against_bot(tables)
    before = [table.id for table in tables.open_tables("ann")]
    assert table_id not in before
    do(tables, table_id, 1, *SETUP[:3])
    assert [table.id for table in tables.open_tables("ann")] == before
