"""Points, and what tells those apart who have equally many."""

from __future__ import annotations

import pytest

from tianxia.tournaments.standings import Score, points_of, standings


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((0, 1), [1, 0]),
        ((1, 0), [0, 1]),
        ((0, 0), [0.5, 0.5]),
        ((0, 1, 2, 3), [3, 2, 1, 0]),
        ((0, 1, 1), [2, 0.5, 0.5]),
        ((0, 0, 0), [1, 1, 1]),
    ],
)
def test_points_of_a_game(places: tuple[int, ...], points: list[float]) -> None:
    assert points_of(places) == points


def game(number: int, board: int, winner: int, loser: int) -> list[Score]:
    return [Score(number, winner, board, 1.0), Score(number, loser, board, 0.0)]


def test_of_equal_points_whose_opponents_were_stronger_comes_first() -> None:
    """0 and 1 have one point; 0 lost to 2, who has two, 1 lost to 3, who has one."""
    scores = [
        *game(1, 0, 2, 0), *game(1, 1, 3, 1),
        *game(2, 0, 0, 4), *game(2, 1, 1, 5),
        *game(2, 2, 2, 3),
    ]  # fmt: skip
    found = standings(range(6), scores, 2)
    order = [one.entrant for one in found]
    assert order.index(0) < order.index(1)
    assert (found[0].entrant, found[0].points, found[0].place) == (2, 2.0, 1)
    mine = next(one for one in found if one.entrant == 0)
    assert (mine.strength, mine.quality) == (2.0, 0.0)


def test_then_who_has_beaten_stronger_ones_and_who_is_equal_shares_a_place() -> None:
    """All meet all: 0 has beaten 1 (1 point), 1 has beaten 2 (1 point), 2 has beaten 0."""
    circle = [*game(1, 0, 0, 1), *game(2, 0, 1, 2), *game(3, 0, 2, 0)]
    assert [one.place for one in standings(range(3), circle, 2)] == [1, 1, 1]
    scores = [
        *game(1, 0, 0, 1), *game(1, 1, 2, 3),
        *game(2, 0, 1, 2), *game(2, 1, 0, 3),
        *game(3, 0, 3, 1), *game(3, 1, 2, 0),
    ]  # fmt: skip
    found = {one.entrant: one for one in standings(range(4), scores, 2)}
    # 0 and 2 have two points from the same opponents; 0 has beaten 1 and 3, 2 has beaten 3 and 0
    assert found[0].strength == found[2].strength
    assert found[2].quality > found[0].quality
    assert (found[2].place, found[0].place) == (1, 2)


def test_a_bye_counts_as_meeting_people_like_oneself_and_open_games_do_not_count() -> None:
    scores = [*game(1, 0, 0, 1), Score(1, 2, None, 1.0), Score(2, 0, 0, None), Score(2, 2, 0, None)]
    found = {one.entrant: one for one in standings(range(3), scores, 2)}
    assert (found[2].points, found[2].strength, found[2].quality) == (1.0, 1.0, 0.0)
    assert found[0].quality == 0.0  # of whom 0 has beaten, nobody has points
