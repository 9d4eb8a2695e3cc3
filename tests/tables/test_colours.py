"""Colours at tables: chosen when one is made, chosen on sitting down, kept in a rematch."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tianxia.tables import (
    NotNow,
    NotYourSeat,
    Refused,
    SeatPlan,
    SeatTaken,
    TableError,
    Tables,
    free_colours,
)
from tianxia.tables.verify import verify

ME, OPEN, BOT = SeatPlan("me"), SeatPlan("open"), SeatPlan("bot", "random")
Opener = Callable[..., Tables]


def colours(tables: Tables, table_id: str) -> list[str]:
    """Return the colours of the seats that have one."""
    game = tables.snapshot(table_id).game
    assert game.kind.colours is not None
    names = game.kind.colours.names
    return [names[game.chosen[s]] if s in game.chosen else "" for s in range(game.seats)]


def offered(tables: Tables, table_id: str, seat: int | None = None) -> set[tuple[int, str]]:
    """Return the colours that are free, each with its seat."""
    snapshot = tables.snapshot(table_id)
    assert snapshot.game.kind.colours is not None
    names = snapshot.game.kind.colours.names
    found = free_colours(snapshot.game, snapshot.seats, seat)
    return {(seat, "" if colour is None else names[colour]) for seat, colour in found}


@pytest.mark.parametrize(
    ("spec", "chosen", "usual", "free"),
    [
        ("firebulls(colours=red)", "green", "yellow", {"yellow", "blue", "brown", "green"}),
        ("china(players=2,colours=red)", "violet", "green", {"green", "blue", "violet", "yellow"}),
        (
            "binfa(colours=green)",
            "purple",
            "",
            {"", "red", "orange", "yellow", "blue", "purple"},
        ),
    ],
)
def test_a_friend_has_a_colour_that_is_free(
    stored: Tables, spec: str, chosen: str, usual: str, free: set[str]
) -> None:
    first = spec.partition("colours=")[2].rstrip(")")
    made = stored.create(spec, [ME, OPEN], person="ann").table_id
    assert offered(stored, made) == {(1, name) for name in free}
    assert colours(stored, made) == [first, usual]
    stored.take_seat(made, 1, "bob", colour=chosen)
    assert colours(stored, made) == [first, chosen]
    snapshot = stored.snapshot(made)
    assert snapshot.status == "playing"
    assert snapshot.state.game is snapshot.game
    assert offered(stored, made) == set()
    stored.resign(made, "ann")
    transcript = stored.transcript(made)
    assert f"colours={first}-{chosen}" in transcript
    assert verify(transcript).ok


def test_a_colour_of_somebody_is_refused_and_nothing_changes(stored: Tables) -> None:
    made = stored.create("firebulls(players=4,colours=red)", [ME, OPEN, BOT, OPEN], person="ann")
    table, before = made.table_id, ["red", "yellow", "brown", "blue"]
    refusals: list[tuple[str, type[TableError], str]] = [
        ("red", SeatTaken, "colour-taken"),  # ann's
        ("brown", SeatTaken, "colour-taken"),  # the bot's
        ("pink", Refused, "colour"),
    ]
    for colour, error, code in refusals:
        with pytest.raises(error) as refused:
            stored.take_seat(table, 1, "bob", colour=colour)
        assert refused.value.code == code
        assert (colours(stored, table), stored.seat_of(table, "bob")) == (before, None)
    stored.take_seat(table, 1, "bob", colour="blue")  # another free seat was to have it
    assert colours(stored, table) == ["red", "blue", "brown", "yellow"]
    with pytest.raises(SeatTaken, match="Somebody else has this colour"):
        stored.take_seat(table, 3, "cat", colour="blue")
    stored.take_seat(table, 3, "cat", colour="yellow")
    assert stored.snapshot(table).status == "playing"


def test_who_waits_may_change_the_colour(stored: Tables) -> None:
    made = stored.create("firebulls(players=3,colours=red)", [ME, OPEN, BOT], person="ann")
    table = made.table_id
    before = colours(stored, table)
    others = {"red", "yellow", "blue", "green", "brown"} - {before[0], before[2]}
    assert offered(stored, table, 0) == {(0, name) for name in others}
    stored.timing.recolour(table, "ann", before[1])  # the free seat takes hers
    assert colours(stored, table) == [before[1], "red", before[2]]
    for person, colour, error, code in (
        ("ann", before[2], SeatTaken, "colour-taken"),  # the bot's
        ("ann", "pink", Refused, "colour"),
        ("bob", "green", NotYourSeat, "not-your-seat"),
    ):
        with pytest.raises(error) as refused:
            stored.timing.recolour(table, person, colour)
        assert refused.value.code == code
    stored.timing.recolour(table, "ann", "green")
    stored.take_seat(table, 1, "bob", colour="red")
    assert colours(stored, table) == ["green", "red", before[2]]
    with pytest.raises(NotNow):
        stored.timing.recolour(table, "ann", "blue")


def test_who_would_draw_a_colour_may_choose_one(stored: Tables) -> None:
    made = stored.create("binfa(level=1)", [ME, OPEN], person="ann").table_id
    assert colours(stored, made) == ["", ""]
    stored.timing.recolour(made, "ann", "green")
    assert colours(stored, made) == ["green", ""]
    assert (0, "") not in offered(stored, made, 0)
    stored.timing.recolour(made, "ann", "green")  # as it is
    assert colours(stored, made) == ["green", ""]


@pytest.mark.parametrize("spec", ["stratego", "suntzu"])
def test_where_a_seat_is_a_side_nobody_chooses_another_colour(stored: Tables, spec: str) -> None:
    table = stored.create(spec, [OPEN, ME], person="ann").table_id  # ann has chosen her side
    snapshot = stored.snapshot(table)
    assert free_colours(snapshot.game, snapshot.seats) == []
    assert free_colours(snapshot.game, snapshot.seats, 1) == []
    with pytest.raises(Refused) as refused:
        stored.take_seat(table, 0, "bob", colour="red")
    assert refused.value.code == "no-colours"


def test_a_colour_that_another_option_forbids_is_not_offered(stored: Tables) -> None:
    spec = "china(players=2,first=green)"  # whoever begins is green
    table = stored.create(spec, [ME, OPEN], person="ann").table_id
    assert offered(stored, table) == {(1, "green")}
    with pytest.raises(Refused, match="first=green") as refused:
        stored.take_seat(table, 1, "bob", colour="red")
    assert refused.value.code == "colour"


def test_other_processes_hear_of_it(opened: Opener, file_url: str) -> None:
    one, other = opened(file_url), opened(file_url)
    table = one.create("firebulls(players=3)", [ME, OPEN, OPEN], person="ann").table_id
    assert colours(other, table) == ["blue", "yellow", "brown"]
    one.take_seat(table, 1, "bob", colour="green")
    assert colours(other, table) == ["blue", "green", "brown"]
    other.take_seat(table, 2, "cat", colour="yellow")
    assert one.snapshot(table).state.game.spec == "firebulls(players=3,colours=blue-green-yellow)"


def test_in_a_rematch_everybody_keeps_the_colour(stored: Tables) -> None:
    table = stored.create("firebulls(colours=red)", [ME, OPEN], person="ann").table_id
    stored.take_seat(table, 1, "bob", colour="green")
    for seats in (["green", "red"], ["red", "green"]):
        stored.resign(table, "ann")
        following = stored.rematch(table, "ann")
        assert stored.rematch(table, "bob") == following
        table = following
        assert stored.snapshot(table).status == "playing"
        assert colours(stored, table) == seats
