"""Running games when the rules have been corrected: they go on, or their people end them."""

from __future__ import annotations

import random

import pytest
import sqlalchemy as sa

import tianxia
from tests.tables.conftest import Opener
from tests.tables.helpers import DUEL, PEOPLE, do, people, play_out, ready, step
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.tables import NotNow, SeatPlan, Snapshot, TableError, Tables, Unplayable
from tianxia.tables import log as logs

NEW = 7
"""The version of the rules that is installed after the correction."""
CHANGES = {
    "an action that is not legal any more": (
        "UPDATE entries SET action = 1 WHERE kind = 'act' AND number = :last"
    ),
    "an action that leads elsewhere": "UPDATE entries SET position = :other WHERE number = :last",
    "an action that leads to another position": (
        "UPDATE entries SET position = :near WHERE number = :last"
    ),
}


def install(monkeypatch: pytest.MonkeyPatch, version: int = NEW) -> None:
    monkeypatch.setattr(Game, "rules_version", property(lambda self: version))


def near(tables: Tables) -> bytes:
    """Return a position that can be read, but is not where the only table here stands."""
    with tables.store.reading() as connection:
        spec = connection.execute(sa.text("SELECT spec FROM tables")).scalars().first()
    return logs.pack([tianxia.game(str(spec)).new().notation()], "")


def change(tables: Tables, what: str) -> None:
    """Change what is stored, as if the rules that led there had been others."""
    with tables.store.writing() as connection:
        last = connection.execute(sa.text("SELECT MAX(number) FROM entries")).scalar_one()
        named = {"last": last, "other": logs.pack(["elsewhere"], ""), "near": near(tables)}
        statement = sa.text(CHANGES[what])
        names = [name for name in named if f":{name}" in CHANGES[what]]
        connection.execute(statement, {name: named[name] for name in names})


def stuck(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch, spec: str = DUEL, seats: int = 2
) -> tuple[Tables, str]:
    """Return tables, and one of them that cannot go on under the rules installed."""
    before = opened(url)
    table_id = people(before, spec, seats)
    step(before, table_id, random.Random(1))
    with before.store.writing() as connection:
        connection.execute(sa.text("UPDATE entries SET position = :p"), {"p": near(before)})
    install(monkeypatch)
    return opened(url), table_id


def kinds(snapshot: Snapshot) -> list[str]:
    return [entry.kind for entry in snapshot.entries]


@pytest.mark.parametrize("plies", [0, 1, 7, 15])
def test_a_game_that_is_the_same_under_the_new_rules_goes_on(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch, plies: int
) -> None:
    before, rng = opened(url), random.Random(plies)
    table_id = people(before, DUEL)
    for _ in range(plies):
        step(before, table_id, rng)
    old = before.snapshot(table_id)
    install(monkeypatch)
    after = opened(url)
    new = after.snapshot(table_id)
    assert new.playable
    assert (new.state, new.acting) == (old.state, old.acting)
    assert [new.decision(seat) for seat in (0, 1)] == [old.decision(seat) for seat in (0, 1)]
    assert new.entries[:-1] == old.entries
    assert kinds(new)[-1] == "rules"
    for viewer in (0, 1, -1):  # everybody is told
        assert new.entries_seen(viewer)[-1].kind == "rules"
        assert new.entries_seen(viewer)[:-1] == old.entries_seen(viewer)
    assert opened(url).snapshot(table_id).entries == new.entries  # said once
    over = play_out(after, table_id)
    assert over.ending == "rules"
    assert f"rules: {NEW}" in after.transcript(table_id)
    assert opened(url).snapshot(table_id).plies_notations == over.plies_notations


def test_take_backs_and_the_bot_of_who_has_left_are_replayed(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(url)
    table_id = ready(before)
    do(before, table_id, 0, "e4-e5")
    before.take_back(table_id, "ann")
    old = do(before, table_id, 0, "f4-f5")
    install(monkeypatch)
    after = opened(url)
    assert after.snapshot(table_id).playable
    assert after.snapshot(table_id).state == old.state
    assert after.take_back(table_id, "ann").acting == (0,)


def test_all_running_games_are_looked_at_without_anybody_opening_them(
    opened: Opener, url: str
) -> None:
    before = opened(url)
    ids = [people(before, "stratego"), people(before, "stratego")]
    over = people(before, "stratego")
    before.resign(over, "ann")
    with before.store.writing() as connection:
        connection.execute(sa.text("UPDATE tables SET rules_version = 0"))
    after = opened(url)
    after.go_on_under_present_rules()
    with after.store.reading() as connection:
        rows = connection.execute(sa.text("SELECT id, rules_version FROM tables")).all()
    assert {row.id for row in rows if row.rules_version > 0} == set(ids)


@pytest.mark.parametrize("what", CHANGES)
def test_a_game_that_is_another_under_the_new_rules_stays_as_it_stood(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    before = opened(url)
    table_id = people(before, DUEL)
    while len(before.snapshot(table_id).acting) > 1:
        play_out(before, table_id, most=1)
    shown = before.snapshot(table_id)
    change(before, what)
    install(monkeypatch)
    after = opened(url)
    snapshot = after.snapshot(table_id)
    assert (snapshot.status, snapshot.playable, snapshot.acting) == ("playing", False, ())
    if what.endswith("another position"):
        assert snapshot.view(0) == tianxia.game(DUEL).new().view(0)
    seat = shown.acting[0]
    for refused in (
        lambda: after.act(table_id, PEOPLE[seat], [1], snapshot.decision(seat)),
        lambda: after.take_back(table_id, "ann"),
        lambda: after.transcript(table_id, 0),
    ):
        with pytest.raises(Unplayable, match="another version of the rules") as error:
            refused()
        assert (error.value.code, error.value.status) == ("other-rules", 409)
    summary = after.open_tables(PEOPLE[seat])[0]
    assert not summary.your_turn
    assert after.work.turns() == []
    assert opened(url).snapshot(table_id).version == snapshot.version  # looked at once


def test_draws_that_the_secret_does_not_give_any_more(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(url)
    table_id = people(before, DUEL)
    play_out(before, table_id, most=12)
    assert "chance" in kinds(before.snapshot(table_id))
    with before.store.writing() as connection:
        connection.execute(sa.text(f"UPDATE tables SET chance_secret = '{'00' * 32}'"))
    install(monkeypatch)
    assert not opened(url).snapshot(table_id).playable


def test_a_correction_of_the_correction_lets_it_go_on(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(url)
    table_id = people(before, DUEL)
    old = before.snapshot(table_id)
    refuse = pytest.MonkeyPatch()
    refuse.setattr("tianxia.tables.game_log._same_positions", lambda *_: False)
    install(monkeypatch)
    middle = opened(url)
    assert not middle.snapshot(table_id).playable
    middle.abort(table_id, "ann")
    refuse.undo()
    install(monkeypatch, NEW + 1)
    after = opened(url).snapshot(table_id)
    assert after.playable
    assert after.acting == old.acting
    assert after.aborting == frozenset()


def test_another_worker_with_the_old_rules_does_not_go_on(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = opened(url)
    table_id = ready(old)
    with pytest.MonkeyPatch.context() as newer:
        install(newer)
        assert opened(url).snapshot(table_id).playable
    assert not old.snapshot(table_id).playable
    with pytest.raises(Unplayable):
        do(old, table_id, 0, "e4-e5")


def test_what_somebody_says_through_a_worker_with_the_old_rules_stops_nothing(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While workers are replaced one after another: bots move on, and clocks run."""
    old = opened(url)
    install(monkeypatch)
    new = opened(url)
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", "random")]
    table_id = new.create(f"{DUEL}(players=3)", plans, person="ann", pace="300+5").table_id
    new.take_seat(table_id, 1, "bob")
    before = new.live(table_id).head
    assert before.bot_turn
    install(monkeypatch, 1)
    assert not old.offer_draw(table_id, "ann").acting
    install(monkeypatch)
    after = new.live(table_id).head
    assert after.version > before.version
    assert (after.acting, after.bot_turn) == (before.acting, True)
    assert after.deadline == before.deadline
    assert new.live(table_id).game_log.clocks.deadline == before.deadline
    waiting = new.create(DUEL, [SeatPlan("me"), SeatPlan("open")], person="ann", pace="1d")
    install(monkeypatch, 1)
    old.take_seat(waiting.table_id, 1, "bob")  # it is of the rules under which it begins
    head = old.live(waiting.table_id).head
    assert (head.acting, head.rules_version, head.deadline is None) == (3, 1, False)


def test_two_notice_at_once(opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = ready(opened(url))
    install(monkeypatch)
    one, two = opened(url), opened(url)
    commit = one.store.commit

    def late(*arguments: object) -> None:
        two.snapshot(table_id)
        commit(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(one.store, "commit", late)
    snapshot = one.snapshot(table_id)
    assert kinds(snapshot).count("rules") == 1
    assert snapshot.version == two.snapshot(table_id).version


# --- Ending what cannot go on ---


def test_ended_without_a_result_when_all_want_that(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, table_id = stuck(opened, url, monkeypatch)
    with pytest.raises(TableError, match="no seat here"):
        tables.abort(table_id, "somebody")
    snapshot = tables.abort(table_id, "ann")
    assert snapshot.status == "playing"
    assert snapshot.aborting == frozenset({0})
    assert (snapshot.may_abort(0), snapshot.may_abort(1)) == (False, True)
    with pytest.raises(NotNow, match="already"):
        tables.abort(table_id, "ann")
    snapshot = tables.abort(table_id, "bob")
    assert (snapshot.status, snapshot.ending) == ("over", "abort")
    assert "end: abort" in tables.transcript(table_id)
    again = opened(url).snapshot(table_id)
    assert (again.status, again.ending, again.entries) == ("over", "abort", snapshot.entries)
    with pytest.raises(NotNow, match="over"):
        tables.abort(table_id, "ann")


def test_resigned_or_drawn_all_the_same(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, table_id = stuck(opened, url, monkeypatch)
    assert tables.offer_draw(table_id, "ann").draw_offer == 0
    assert not tables.answer_draw(table_id, "bob", False).may_offer_draw(0)  # once is enough
    assert tables.offer_draw(table_id, "bob").must_answer(0) == "draw"
    assert tables.answer_draw(table_id, "ann", True).ending == "agreement"


def test_resigned(opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, table_id = stuck(opened, url, monkeypatch)
    assert tables.resign(table_id, "bob").ending == "resignation 1"


def test_who_leaves_agrees(opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, table_id = stuck(opened, url, monkeypatch, f"{DUEL}(players=3)", 3)
    tables.abort(table_id, "ann")
    tables.abort(table_id, "bob")
    assert tables.resign(table_id, "cat").ending == "abort"


def test_bots_agree_and_games_of_bots_alone_end(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, bot = opened(url), SeatPlan("bot", "random")
    with_ann = before.create(DUEL, [SeatPlan("me"), bot], person="ann").table_id
    alone = before.create(DUEL, [bot, bot], person="ann").table_id
    with before.store.writing() as connection:
        connection.execute(
            sa.text("UPDATE entries SET position = :p"), {"p": logs.pack(["elsewhere"], "")}
        )
    install(monkeypatch)
    tables = opened(url)
    assert tables.snapshot(alone).ending == "abort"
    assert tables.snapshot(with_ann).status == "playing"
    assert tables.abort(with_ann, "ann").ending == "abort"
    assert tables.work.turns() == []


def test_what_can_be_played_on_needs_a_result(tables: Tables) -> None:
    table_id = ready(tables)
    assert not tables.snapshot(table_id).may_abort(0)
    with pytest.raises(NotNow, match="needs a result") as refused:
        tables.abort(table_id, "ann")
    assert refused.value.code == "no-abort"


def test_positions_that_cannot_be_read_any_more(
    opened: Opener, file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = ready(opened(file_url))
    install(monkeypatch)

    def fail(text: str) -> None:
        raise TianxiaError(text[:10])

    monkeypatch.setattr("tianxia.tables.game_log.position", fail)
    monkeypatch.setattr("tianxia.tables.game_log._same_positions", lambda *_: False)
    tables = opened(file_url)
    snapshot = tables.snapshot(table_id)
    assert not snapshot.readable
    with pytest.raises(Unplayable, match="another version"):
        snapshot.view(0)
    tables.abort(table_id, "ann")
    assert tables.abort(table_id, "bob").ending == "abort"
    assert "scores: \n" in tables.transcript(table_id)
