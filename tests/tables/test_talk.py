"""What players say to one another: who reads it, for how long, and how much of it there may be."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from tests.tables.conftest import Opener
from tests.tables.helpers import DUEL, PEOPLE, people, step, wait_for
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import NotNow, NotYourSeat, Refused, SeatPlan, TableError, Tables
from tianxia.tables.errors import TooFast, UnknownPact
from tianxia.tables.hub import ear
from tianxia.tables.people import clean_lines
from tianxia.tables.talk import BURST, BURST_SECONDS, LONGEST, MOST, Heard

THREE = f"{DUEL}(players=3)"
ALL = (0, 1, 2)
VIEWERS = (*ALL, SPECTATOR)


@pytest.fixture
def patient(opened: Opener, file_url: str) -> Tables:
    """Return tables whose clock goes on by a minute whenever it is asked."""
    minutes = itertools.count(1)
    return opened(file_url, clock=lambda: 60.0 * next(minutes))


def three(tables: Tables) -> str:
    return people(tables, THREE, 3)


def texts(tables: Tables, table_id: str, viewer: int) -> list[str]:
    return [line.text for line in tables.talk.heard(table_id, viewer).lines]


def heard(tables: Tables, table_id: str) -> dict[int, list[str]]:
    return {viewer: texts(tables, table_id, viewer) for viewer in VIEWERS}


def end(tables: Tables, table_id: str) -> None:
    """End a game of three so that all keep their seats."""
    tables.offer_draw(table_id, "ann")
    for who in ("bob", "cat"):
        tables.answer_draw(table_id, who, True)


def proposed(tables: Tables, table_id: str, *parties: int, by: str = "ann") -> str:
    tables.talk.propose(table_id, by, "Peace until the river", list(parties) or None)
    return tables.talk.heard(table_id, PEOPLE.index(by)).pacts[-1].id


# --- Who reads what ---


def test_only_those_addressed_read(stored: Tables) -> None:
    table_id = three(stored)
    stored.talk.say(table_id, "ann", "to all")
    stored.talk.say(table_id, "ann", "to bob", [1])
    stored.talk.say(table_id, "cat", "to both", [0, 1])
    assert heard(stored, table_id) == {
        0: ["to all", "to bob", "to both"],
        1: ["to all", "to bob", "to both"],
        2: ["to all", "to both"],
        SPECTATOR: [],
    }
    lines = stored.talk.heard(table_id, 1).lines
    assert [(line.seat, line.to, line.open) for line in lines] == [
        (0, (0, 1, 2), False),
        (0, (0, 1), False),
        (2, (0, 1, 2), False),
    ]


def test_talk_survives_a_restart(url: str, opened: Opener) -> None:
    one = opened(url)
    table_id = three(one)
    one.talk.say(table_id, "ann", "Schön\n« ça »", [2])
    before = one.talk.heard(table_id, 2)
    assert opened(url).talk.heard(table_id, 2) == before
    assert before.lines[0].text == "Schön\n« ça »"


def test_talk_changes_nothing_of_the_table(stored: Tables) -> None:
    table_id = three(stored)
    before = stored.snapshot(table_id)
    transcripts = [stored.transcript(table_id, viewer) for viewer in VIEWERS]
    told: list[int] = []
    stored.hub.listen(lambda _, version: told.append(version))
    stored.talk.say(table_id, "ann", "a secret plan", [1])
    stored.talk.answer_pact(table_id, "bob", proposed(stored, table_id, 1), True)
    after = stored.snapshot(table_id)
    assert (after.version, after.updated, after.entries) == (
        before.version,
        before.updated,
        before.entries,
    )
    assert [stored.transcript(table_id, viewer) for viewer in VIEWERS] == transcripts
    if stored.store.sqlite:
        assert told == []
    else:  # which may still tell of the game itself
        assert max(told, default=0) <= before.version


def test_whoever_holds_the_seat_reads_what_was_said_to_it(stored: Tables) -> None:
    table_id = three(stored)
    stored.talk.say(table_id, "ann", "to the seat", [1])
    key = stored.seat_key(table_id, 1, "bob")
    stored.enter(table_id, key, "dan")
    stored.talk.say(table_id, "dan", "thanks", [0])
    assert texts(stored, table_id, 0) == ["to the seat", "thanks"]
    assert [line.seat for line in stored.talk.heard(table_id, 0).lines] == [0, 1]


def test_who_sits_down_later_reads_what_was_said_to_all(stored: Tables) -> None:
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", "random")]
    table_id = stored.create(THREE, plans, person="ann").table_id
    stored.talk.say(table_id, "ann", "hello")
    for nobody in (1, 2):
        with pytest.raises(NotNow, match="nobody at that seat"):
            stored.talk.say(table_id, "ann", "hello you", [nobody])
    stored.take_seat(table_id, 1, "bob")
    assert stored.talk.heard(table_id, 1).lines[0].to == (0, 1)
    assert texts(stored, table_id, 2) == []


def test_who_has_no_seat_says_nothing(stored: Tables) -> None:
    table_id = three(stored)
    pact = proposed(stored, table_id, 1)
    acts: list[Callable[[], None]] = [
        lambda: stored.talk.say(table_id, "eve", "hi"),
        lambda: stored.talk.propose(table_id, "eve", "hi"),
        lambda: stored.talk.answer_pact(table_id, "eve", pact, True),
        lambda: stored.talk.mute(table_id, "eve", 1, True),
        lambda: stored.talk.open_up(table_id, "eve"),
    ]
    for act in acts:
        with pytest.raises(NotYourSeat):
            act()


def test_where_there_is_talk(stored: Tables) -> None:
    me, free, bot = SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", "random")
    for spec, plans, wish, on in (
        (DUEL, [me, free], None, False),
        (DUEL, [me, free], True, True),
        (THREE, [me, free, free], None, True),
        (THREE, [me, free, free], False, False),
        (THREE, [me, free, bot], None, True),
        (THREE, [me, bot, bot], None, False),
    ):
        table_id = stored.create(spec, plans, person="ann", talk=wish).table_id
        assert stored.snapshot(table_id).talk is on
        if not on:
            with pytest.raises(NotNow, match="no talk"):
                stored.talk.say(table_id, "ann", "hello")


# --- After the end ---


def test_private_talk_stays_private_until_all_who_read_it_agree(stored: Tables) -> None:
    table_id = three(stored)
    stored.talk.say(table_id, "ann", "all")
    stored.talk.say(table_id, "ann", "ann and bob", [1])
    stored.talk.say(table_id, "cat", "cat and bob", [1])
    with pytest.raises(NotNow, match="when the game is over"):
        stored.talk.open_up(table_id, "ann")
    end(stored, table_id)
    assert texts(stored, table_id, SPECTATOR) == []
    stored.talk.mute(table_id, "bob", 2, True)  # nobody's business, now as ever
    stored.talk.open_up(table_id, "ann")
    assert texts(stored, table_id, SPECTATOR) == []
    assert texts(stored, table_id, 2) == ["all", "cat and bob"]
    stored.talk.open_up(table_id, "bob")
    assert texts(stored, table_id, SPECTATOR) == ["ann and bob"]
    assert texts(stored, table_id, 2) == ["all", "ann and bob", "cat and bob"]
    stored.talk.say(table_id, "bob", "said later", [0])
    assert texts(stored, table_id, SPECTATOR) == ["ann and bob", "said later"]
    assert stored.talk.heard(table_id, 2).opened == {0, 1}
    stored.talk.open_up(table_id, "cat")
    spectator = stored.talk.heard(table_id, SPECTATOR)
    assert len(spectator.lines) == 4
    assert not spectator.opened | spectator.muted


def test_who_leaves_hears_no_more_and_what_he_heard_is_never_opened(stored: Tables) -> None:
    table_id = three(stored)
    stored.talk.say(table_id, "ann", "all")
    stored.talk.say(table_id, "bob", "bob and cat", [2])
    stored.resign(table_id, "ann")  # a bot plays on
    with pytest.raises(NotYourSeat):
        stored.talk.say(table_id, "ann", "and now?")
    with pytest.raises(NotNow, match="nobody at that seat"):
        stored.talk.say(table_id, "bob", "hello bot", [0])
    stored.talk.say(table_id, "bob", "only we two are left")
    assert stored.talk.heard(table_id, 2).lines[-1].to == (1, 2)
    while not (snapshot := stored.snapshot(table_id)).open_to_all:
        seat = snapshot.acting[-1]
        decided = [snapshot.view(seat).legal_actions(seat)[-1]], snapshot.decision(seat)
        if seat == 0:
            stored.act_for_bot(table_id, seat, *decided)
        else:
            stored.act(table_id, PEOPLE[seat], *decided)
    for who in ("bob", "cat"):
        stored.talk.open_up(table_id, who)
    assert texts(stored, table_id, SPECTATOR) == ["bob and cat", "only we two are left"]


# --- Pacts ---


def test_a_pact_is_agreed_to_and_marked_by_its_parties(stored: Tables) -> None:
    table_id = three(stored)
    pact = proposed(stored, table_id, 1)

    def now(viewer: int) -> tuple[object, ...]:
        return tuple((one.state, one.marks) for one in stored.talk.heard(table_id, viewer).pacts)

    assert (now(0), now(2), now(SPECTATOR)) == ((("proposed", {}),), (), ())
    for act in (
        lambda: stored.talk.mark_pact(table_id, "bob", pact, True),
        lambda: stored.talk.answer_pact(table_id, "ann", pact, True),
    ):
        with pytest.raises(NotNow):
            act()
    for who, which in (("cat", pact), ("bob", "nonsense")):
        with pytest.raises(UnknownPact):
            stored.talk.answer_pact(table_id, who, which, True)
    stored.talk.answer_pact(table_id, "bob", pact, True)
    with pytest.raises(NotNow, match="does not wait"):
        stored.talk.answer_pact(table_id, "ann", pact, False)
    stored.talk.mark_pact(table_id, "bob", pact, True)
    stored.talk.mark_pact(table_id, "bob", pact, False)
    stored.talk.mark_pact(table_id, "bob", pact, False)
    stored.talk.mark_pact(table_id, "ann", pact, True)
    assert now(1) == now(0) == (("agreed", {1: "broken", 0: "kept"}),)
    kinds = [line.kind for line in stored.talk.heard(table_id, 0).lines]
    assert kinds == ["pact", "agree", "kept", "broken", "kept"]
    assert texts(stored, table_id, 2) == []


def test_a_pact_of_three_needs_all_three(stored: Tables) -> None:
    table_id = three(stored)
    one, two = proposed(stored, table_id), proposed(stored, table_id, 0, 2, by="bob")
    stored.talk.answer_pact(table_id, "bob", one, True)
    assert stored.talk.heard(table_id, 2).pacts[0].awaits(2)
    stored.talk.answer_pact(table_id, "cat", one, True)
    stored.talk.answer_pact(table_id, "bob", two, False)  # withdrawn
    states = [pact.state for pact in stored.talk.heard(table_id, 2).pacts]
    assert states == ["agreed", "declined"]


# --- Muting ---


def test_muting_is_for_oneself_and_nobody_is_told(stored: Tables) -> None:
    table_id = three(stored)
    stored.talk.say(table_id, "bob", "before")
    kept = proposed(stored, table_id, 0, by="bob")
    stored.talk.answer_pact(table_id, "ann", kept, True)
    others = [stored.talk.heard(table_id, viewer) for viewer in (1, 2)]
    stored.talk.mute(table_id, "ann", 1, True)
    stored.talk.mute(table_id, "ann", 1, True)
    assert [stored.talk.heard(table_id, viewer) for viewer in (1, 2)] == others
    stored.talk.say(table_id, "bob", "after")
    proposed(stored, table_id, 0, by="bob")
    stored.talk.say(table_id, "cat", "hello")
    mine = stored.talk.heard(table_id, 0)
    assert [line.text for line in mine.lines if line.kind == "say"] == ["hello"]
    assert [pact.id for pact in mine.pacts] == [kept]
    assert mine.muted == {1}
    stored.talk.mute(table_id, "ann", 1, False)
    assert [t for t in texts(stored, table_id, 0) if t] == [
        "before",
        "Peace until the river",
        "after",
        "Peace until the river",
        "hello",
    ]
    for nobody in (0, 3, -1):
        with pytest.raises(Refused):
            stored.talk.mute(table_id, "ann", nobody, True)


# --- How much ---


def test_lengths_are_counted_in_characters(tables: Tables) -> None:
    table_id = three(tables)
    tables.talk.say(table_id, "ann", "🀄" * LONGEST)
    with pytest.raises(Refused, match=f"{LONGEST + 1} characters; up to {LONGEST}") as refused:
        tables.talk.say(table_id, "ann", "🀄" * (LONGEST + 1))
    assert refused.value.code == "too-long"
    for empty in ("", " \n\t ", "\u200d", "\u202e\u200b", "\x00\x07"):
        with pytest.raises(Refused, match="text is empty"):
            tables.talk.say(table_id, "ann", empty)
    for to in ([7], [-1], [0, 3]):
        with pytest.raises(Refused, match="no such seat"):
            tables.talk.say(table_id, "ann", "hello", to)
    for to in ([], [0]):
        with pytest.raises(NotNow, match="nobody at that seat"):
            tables.talk.say(table_id, "ann", "to myself", to)


def test_what_cannot_be_seen_or_turns_text_around_is_dropped() -> None:
    family = "👩\u200d👩\u200d👧"
    assert clean_lines(f" {family}\u202eevil\u2066 \x00\r\n\r\n\r\nb\u200d ") == f"{family}evil\nb"
    assert clean_lines("a" + "\u0301" * 9) == "á" + "\u0301" * 2
    assert clean_lines("\n".join("abcdefghijklmno")) == "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl m n o"
    assert clean_lines("می\u200cخواهم") == "می\u200cخواهم"
    assert clean_lines("<b>&amp;</b>") == "<b>&amp;</b>"


def test_who_says_much_has_to_wait(opened: Opener, file_url: str) -> None:
    now = [0.0]
    tables = opened(file_url, clock=lambda: now[0])
    table_id = three(tables)
    for _ in range(BURST):
        tables.talk.say(table_id, "ann", "x", [1])
        now[0] += 0.5
    with pytest.raises(TooFast) as refused:
        tables.talk.say(table_id, "ann", "x", [1])
    assert (refused.value.status, refused.value.values["seconds"]) == (429, BURST_SECONDS - 5)
    tables.talk.say(table_id, "bob", "others are not concerned")
    now[0] = BURST_SECONDS
    tables.talk.say(table_id, "ann", "x", [1])


def test_a_table_holds_only_so_much_of_a_seat(patient: Tables) -> None:
    table_id = three(patient)
    pact = proposed(patient, table_id, 1)
    for _ in range(MOST - 1):
        patient.talk.say(table_id, "ann", "x", [1])
    with pytest.raises(NotNow, match="all that one can say"):
        patient.talk.say(table_id, "ann", "x", [1])
    patient.talk.say(table_id, "bob", "x")
    patient.talk.answer_pact(table_id, "ann", pact, False)


# --- Who is woken ---


def woken(tables: Tables, table_id: str, act: Callable[[], None]) -> list[int]:
    """Return the viewers who are told that there is something new to hear."""

    async def watch() -> list[int]:
        ears = {viewer: tables.talk.hub.subscribe(ear(table_id, viewer)) for viewer in VIEWERS}
        await asyncio.get_running_loop().run_in_executor(None, act)
        await asyncio.sleep(0.01)
        found = [viewer for viewer, news in ears.items() if news._news.is_set()]
        for news in ears.values():
            news.close()
        return found

    return asyncio.run(watch())


def test_only_those_addressed_are_woken(tables: Tables) -> None:
    table_id = three(tables)
    talk = tables.talk
    assert woken(tables, table_id, lambda: talk.say(table_id, "ann", "x", [1])) == [0, 1]
    assert woken(tables, table_id, lambda: talk.propose(table_id, "cat", "x", [1])) == [1, 2]
    assert woken(tables, table_id, lambda: talk.mute(table_id, "cat", 1, True)) == [2]
    assert woken(tables, table_id, lambda: talk.say(table_id, "ann", "x")) == [0, 1, 2]
    end(tables, table_id)
    assert woken(tables, table_id, lambda: talk.open_up(table_id, "ann")) == list(VIEWERS)


@pytest.mark.postgres
def test_other_workers_wake_them(opened: Opener, postgres: Callable[[], str]) -> None:
    url = postgres()
    one, two = opened(url), opened(url)
    assert two._relay is not None
    assert two._relay.ready.wait(10)
    table_id = three(one)
    told: list[tuple[str, int]] = []
    two.talk.hub.listen(lambda name, number: told.append((name, number)))
    one.talk.say(table_id, "ann", "x", [1])
    wait_for(lambda: len(told) == 2)
    assert sorted(told) == [(ear(table_id, 0), 1), (ear(table_id, 1), 1)]


@pytest.mark.postgres
def test_what_was_missed_is_told_later(opened: Opener, postgres: Callable[[], str]) -> None:
    """A worker that could not hear for a while wakes all who listen at its pages."""
    tables = opened(postgres())
    assert tables._relay is not None
    relay, table_id = tables._relay, three(tables)
    for text in ("one", "two"):
        tables.talk.say(table_id, "ann", text, [1])

    async def watch() -> int:
        async with tables.talk.hub.subscribe(ear(table_id, 1)) as mine:
            await asyncio.get_running_loop().run_in_executor(None, relay._catch_up)
            return await asyncio.wait_for(anext(mine), 10)

    assert asyncio.run(watch()) == 2


def test_two_workers_speak_at_once(opened: Opener, url: str) -> None:
    import threading

    one, two = opened(url), opened(url)
    table_id = three(one)
    failed: list[TableError] = []

    def speak(tables: Tables, who: str) -> None:
        for number in range(BURST):
            try:
                tables.talk.say(table_id, who, str(number))
            except TableError as error:  # pragma: no cover
                failed.append(error)

    threads = [threading.Thread(target=speak, args=pair) for pair in ((one, "ann"), (two, "bob"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    for who in (0, 1):
        said = [x.text for x in one.talk.heard(table_id, 2).lines if x.seat == who]
        assert said == [str(number) for number in range(BURST)]


def test_talk_is_kept_apart_from_persons(stored: Tables) -> None:
    """What is stored names seats: no person's id is in it."""
    table_id = three(stored)
    stored.talk.say(table_id, "ann", "hello", [1])
    with stored.store.reading() as connection:
        row = connection.execute(sa.text("SELECT * FROM talk")).one()
    assert "ann" not in map(str, row)


def test_a_game_goes_on_while_people_talk(tables: Tables) -> None:
    import random

    table_id, rng = three(tables), random.Random(3)
    for _ in range(5):
        step(tables, table_id, rng)
        tables.talk.say(table_id, "bob", "well played")
    assert isinstance(tables.talk.heard(table_id, 0), Heard)
    assert len(texts(tables, table_id, 0)) == 5
